//! Enlarges one catalogue and measures building it, opening it and reading titles with it.
//!
//! `scripts/growth` runs this once for each size, each in its own process because peak memory
//! belongs to a process, and writes the table and plot of `docs/GROWTH.md`. By hand:
//! `cargo bench --bench growth -- 10`, followed by a name such as `ten.index` to keep the index.
//! Prints one line of JSON.

mod enlarge;
#[path = "../cost/src/random.rs"]
mod random;
#[path = "../titles/mod.rs"]
mod titles;

use enlarge::enlarge;
use random::Random;
use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use titledex::internals::Stage;
use titledex::internals::build::rows::{CardRow, Rows, SetRow};
use titledex::internals::build::{self, input};
use titledex::{Catalogue, Engine, Options, Scratch};

/// Seed of all random draws.
const SEED: u64 = 20_261_120;
/// Number of synthetic titles: half of real cards, half of added ones.
const ASKED: usize = 4000;

/// Peak and current memory of the process, in bytes; 0 if the system does not report it.
fn memory() -> (u64, u64) {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let of = |key: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(key));
        line.and_then(|l| l.split_whitespace().next())
            .and_then(|n| n.parse::<u64>().ok())
            .map_or(0, |n| n * 1024)
    };
    (of("VmHWM:"), of("VmRSS:"))
}

fn timed<T>(run: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let value = run();
    (value, start.elapsed().as_secs_f64())
}

/// The least of `rounds` runs, in seconds.
fn least<T>(rounds: usize, mut run: impl FnMut() -> T) -> f64 {
    (0..rounds)
        .map(|_| timed(&mut run).1)
        .fold(f64::INFINITY, f64::min)
}

/// Distribution of the times of titles, in microseconds.
fn spread(mut times: Vec<Duration>) -> serde_json::Value {
    times.sort_unstable();
    let micros = |time: Duration| (time.as_secs_f64() * 1e7).round() / 10.0;
    let at = |share: usize| {
        times
            .get((times.len().max(1) - 1) * share / 100)
            .map_or(0.0, |t| micros(*t))
    };
    let mean = times.iter().sum::<Duration>() / times.len().max(1) as u32;
    serde_json::json!({ "titles": times.len(), "median": at(50), "p90": at(90), "p99": at(99), "longest": at(100), "mean": micros(mean) })
}

/// Answers all titles three times and keeps the shortest time of each: the first round warms the
/// caches, and another process may take the core.
fn ask(engine: &Engine, titles: &[String], options: &Options) -> serde_json::Value {
    let mut scratch = Scratch::default();
    let mut times = vec![Duration::MAX; titles.len()];
    for _ in 0..3 {
        for (title, least) in titles.iter().zip(&mut times) {
            let start = Instant::now();
            black_box(engine.answer_with(&mut scratch, black_box(title), options));
            *least = start.elapsed().min(*least);
        }
    }
    spread(times)
}

/// Cumulative cost of the stages, in microseconds per title: the mean over all titles of the least
/// of three runs, without fuzzy names.
fn stages(engine: &Engine, titles: &[String]) -> serde_json::Value {
    let mut scratch = Scratch::default();
    let of = [
        ("tag", Stage::Tag),
        ("read", Stage::Read),
        ("retrieve", Stage::Retrieve),
        ("score", Stage::Score),
    ];
    let options = Options::new().fuzzy(false);
    let means = of.map(|(name, last)| {
        let mut run = |title: &String| {
            least(3, || {
                engine.run_to(&mut scratch, black_box(title), &options, last)
            })
        };
        let seconds: f64 = titles.iter().map(&mut run).sum();
        (
            name.to_owned(),
            serde_json::Value::from((seconds * 1e7 / titles.len() as f64).round() / 10.0),
        )
    });
    means.into_iter().collect::<serde_json::Map<_, _>>().into()
}

/// A title for a card as a seller would write it, in one of four ways.
fn title(card: &CardRow, set: Option<&SetRow>, way: usize) -> String {
    let name = card
        .names
        .iter()
        .find(|n| n.0 == "en")
        .or(card.names.first())
        .map_or("", |n| n.1.as_str());
    let number = if card.total.is_empty() {
        card.number.clone()
    } else {
        format!("{}/{}", card.number, card.total)
    };
    let set_name = set
        .and_then(|s| s.names.first())
        .map_or("", |n| n.1.as_str());
    let code = set.map_or("", |s| s.code.as_str());
    let year = set.map_or("", |s| s.released.get(..4).unwrap_or(""));
    match way {
        0 => format!("{year} {name} {number} {set_name} Holo PSA 9"),
        1 => format!("{name} {number} {code} NM"),
        2 => format!("{set_name} {name} {number} near mint card"),
        _ => format!("{name} {number}"),
    }
}

/// Titles of cards of `cards`, drawn at random, and how often the first answer, and any answer, is
/// the card.
fn right(
    engine: &Engine,
    rows: &Rows,
    cards: &[CardRow],
    random: &mut Random,
) -> (Vec<String>, serde_json::Value) {
    let sets: std::collections::HashMap<&str, &SetRow> =
        rows.sets.iter().map(|s| (s.id.as_str(), s)).collect();
    let mut scratch = Scratch::default();
    let (mut first, mut any, mut of, mut titles) =
        ([0usize; 4], [0usize; 4], [0usize; 4], Vec::new());
    while titles.len() < ASKED / 2 {
        let card = random.pick(cards);
        if card.number.is_empty() || card.number_unprinted || card.names.is_empty() {
            continue;
        }
        let way = titles.len() % 4;
        let title = title(card, sets.get(card.set.as_str()).copied(), way);
        let answer = engine.answer_with(&mut scratch, &title, &Options::default());
        of[way] += 1;
        first[way] += usize::from(answer.matches.first().is_some_and(|m| m.card_id == card.id));
        any[way] += usize::from(answer.matches.iter().any(|m| m.card_id == card.id));
        titles.push(title);
    }
    let share = |counts: [usize; 4]| {
        counts
            .iter()
            .zip(of)
            .map(|(&n, of)| (n as f64 / of as f64 * 1e4).round() / 1e4)
            .collect::<Vec<f64>>()
    };
    (
        titles,
        serde_json::json!({ "first": share(first), "any": share(any) }),
    )
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // cargo adds `--bench`
    let Some(times) = std::env::args()
        .skip(1)
        .find_map(|arg| arg.parse::<f64>().ok())
    else {
        eprintln!("growth: say how many times the cards: `cargo bench --bench growth -- 10`");
        return Ok(());
    };
    let tables = Path::new(env!("CARGO_MANIFEST_DIR")).join("embedded/tables");
    let (cards, sets) = (
        fs::read(tables.join("cards.csv"))?,
        fs::read(tables.join("sets.csv"))?,
    );
    let real = input::tables(("cards.csv", &cards), ("sets.csv", &sets))?;
    let rows = enlarge(&real, times, SEED);
    let before = memory();
    let written = std::env::args().skip(1).find(|arg| arg.ends_with(".index"));
    let (index, build_seconds) = timed(|| build::build(&rows, "growth"));
    let index = index?;
    if let Some(path) = written {
        fs::write(path, &index)?;
    }
    let peak = memory();
    let index: Arc<[u8]> = index.into();
    let (open, engine_new) = {
        let open = least(5, || Catalogue::open(Arc::clone(&index)));
        let catalogue = Catalogue::open_trusted(Arc::clone(&index))?;
        // the dictionaries load once in a process
        let _ = Engine::new(catalogue.clone());
        (open, least(5, || Engine::new(catalogue.clone())))
    };
    let trusted = least(5, || Catalogue::open_trusted(Arc::clone(&index)));
    let catalogue = Catalogue::open(index)?;
    let described: serde_json::Map<String, serde_json::Value> = catalogue
        .describe()
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value.into()))
        .collect();
    let engine = Engine::new(catalogue);
    let mut random = Random::new(SEED + 1);
    let (_, real_right) = right(&engine, &rows, &real.cards, &mut random);
    let added = rows
        .cards
        .get(real.cards.len()..)
        .filter(|added| !added.is_empty());
    let added = added.map(|added| right(&engine, &rows, added, &mut random));
    let given = titles::load();
    let exact = Options::new().fuzzy(false);
    let report = serde_json::json!({
        "times": times,
        "catalogue": described,
        "rows_memory": before.1,
        "peak_memory": peak.0,
        "build_seconds": build_seconds,
        "open_seconds": open,
        "open_trusted_seconds": trusted,
        "engine_seconds": engine_new,
        "source": given.source,
        "answers": ask(&engine, &given.titles, &Options::default()),
        "stages": stages(&engine, &given.titles),
        "answers_exact": ask(&engine, &given.titles, &exact),
        "real_cards": real_right,
        "added_answers": added.as_ref().map(|(titles, _)| ask(&engine, titles, &Options::default())),
        "added_cards": added.map(|(_, right)| right),
    });
    println!("{report}");
    Ok(())
}
