//! Two of the peers, in process: full-text search with tantivy, and titledex itself.
//!
//! `titledex-peers tantivy CARDS TITLES [FIELD=BOOST,…]` reads the neutral files of `neutral.py`;
//! `titledex-peers titledex CARDS SETS TITLES` reads the catalogue as it is. Both write one answer
//! per title to standard output, and a last line with their times to standard error.
//! `titledex-peers side-by-side CARDS TITLES` times both in one process, together with lower
//! bounds, and `titledex-peers names TITLES` structures for the names of all games.

mod limits;
mod names;
mod search;
mod side_by_side;

use cpu_time::ProcessTime;
use flate2::read::MultiGzDecoder;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::error::Error;
use std::fs;
use std::io::{self, Read, Write};
use std::time::Duration;
use titledex::Catalogue;
use titledex::internals::build::{build, input, rows::Rows};
use titledex::{Engine, Options, Scratch};

/// Passes over the titles; the fastest is reported, and the first warms caches up.
const PASSES: usize = 3;

/// Cards in an answer.
const TOP: usize = 5;

/// Every error ends the program with its message.
type Failure = Box<dyn Error>;

/// A title as `neutral.py` cleaned it.
#[derive(serde::Deserialize)]
struct Title {
    title: String,
    words: Vec<String>,
    numbers: Vec<String>,
    pairs: Vec<String>,
    years: Vec<String>,
    dex: Vec<String>,
    languages: Vec<String>,
}

/// An answer of a peer that has no confidence of its own.
#[derive(Serialize)]
struct Prediction<'p> {
    title: &'p str,
    outcome: Kind,
    matches: Vec<Found<'p>>,
}

/// The outcome, before `score.py` has chosen the threshold of refusal.
#[derive(Serialize)]
struct Kind {
    #[serde(rename = "type")]
    kind: &'static str,
}

/// A card found, and its score in the peer's own unit.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Found<'p> {
    card_id: &'p str,
    score: f32,
}

/// The cost of a run.
#[derive(Serialize)]
struct Cost {
    build_seconds: f64,
    micros_a_title: f64,
}

fn main() -> Result<(), Failure> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args[..] {
        ["tantivy", cards, titles] => tantivy(cards, titles, ""),
        ["tantivy", cards, titles, boosts] => tantivy(cards, titles, boosts),
        ["titledex", cards, sets, titles] => ours(cards, sets, titles),
        ["side-by-side", cards, titles] => side_by_side::run(cards, titles),
        ["names", titles] => names::run(titles),
        _ => {
            Err("usage: titledex-peers tantivy CARDS TITLES [FIELD=BOOST,…] | titledex CARDS SETS TITLES | side-by-side CARDS TITLES | names TITLES"
                .into())
        }
    }
}

/// The bytes of a file, unpacked.
fn bytes(path: &str) -> Result<Vec<u8>, Failure> {
    let raw = fs::read(path).map_err(|error| format!("{path}: {error}"))?;
    if !raw.starts_with(&[0x1f, 0x8b]) {
        return Ok(raw);
    }
    let mut out = Vec::new();
    MultiGzDecoder::new(&raw[..]).read_to_end(&mut out)?;
    Ok(out)
}

/// The rows of a file of JSON Lines.
fn rows<T: DeserializeOwned>(path: &str) -> Result<Vec<T>, Failure> {
    let text = String::from_utf8(bytes(path)?)?;
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| Ok(serde_json::from_str(line)?))
        .collect()
}

/// Answers all titles several times on one thread: the answers, and the microseconds a title of the
/// fastest pass, in time of the processor.
fn timed<'t, T, A>(
    titles: &'t [T],
    mut answer: impl FnMut(&'t T) -> Result<A, Failure>,
) -> Result<(Vec<A>, f64), Failure> {
    let (mut answers, mut fastest) = (Vec::new(), Duration::MAX);
    for _ in 0..PASSES {
        answers.clear();
        let start = ProcessTime::now();
        for title in titles {
            answers.push(answer(title)?);
        }
        fastest = fastest.min(start.elapsed());
    }
    Ok((answers, fastest.as_secs_f64() * 1e6 / titles.len() as f64))
}

/// Writes answers and costs.
fn write<A: Serialize>(answers: &[A], build: Duration, micros_a_title: f64) -> Result<(), Failure> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    for answer in answers {
        serde_json::to_writer(&mut out, answer)?;
        out.write_all(b"\n")?;
    }
    out.flush()?;
    eprintln!(
        "{}",
        serde_json::to_string(&Cost {
            build_seconds: build.as_secs_f64(),
            micros_a_title
        })?
    );
    Ok(())
}

fn tantivy(cards: &str, titles: &str, boosts: &str) -> Result<(), Failure> {
    let cards: Vec<search::Card> = rows(cards)?;
    let titles: Vec<Title> = rows(titles)?;
    let start = ProcessTime::now();
    let index = search::Search::open(&cards, boosts)?;
    let built = start.elapsed();
    let (found, micros) = timed(&titles, |title| index.find(title))?;
    let answers: Vec<Prediction<'_>> = titles
        .iter()
        .zip(found)
        .map(|(title, found)| Prediction {
            title: &title.title,
            outcome: Kind { kind: "match" },
            matches: found
                .into_iter()
                .map(|(score, at)| Found {
                    card_id: &cards[at].id,
                    score,
                })
                .collect(),
        })
        .collect();
    write(&answers, built, micros)
}

fn ours(cards: &str, sets: &str, titles: &str) -> Result<(), Failure> {
    let titles: Vec<Title> = rows(titles)?;
    let (card_bytes, set_bytes) = (bytes(cards)?, bytes(sets)?);
    let start = ProcessTime::now();
    let mut rows = Rows::default();
    input::jsonl_sets(sets, &set_bytes, &mut rows)?;
    input::jsonl_cards(cards, &card_bytes, &mut rows)?;
    let index = build(&rows, "peers")?;
    let engine = Engine::new(Catalogue::open(index)?);
    let built = start.elapsed();
    let options = Options::default();
    let mut scratch = Scratch::default();
    let (answers, micros) = timed(&titles, |title| {
        Ok(engine.answer_with(&mut scratch, &title.title, &options))
    })?;
    write(&answers, built, micros)
}
