//! titledex, tantivy and the lower bounds on the same titles in one process: pass after pass of
//! each in turn, on one thread.

use crate::limits::{Limits, hash};
use crate::{Failure, Title, rows, search};
use cpu_time::ProcessTime;
use std::hint::black_box;
use std::time::{Duration, Instant};
use titledex::internals::Stage;
use titledex::internals::normalise::normalise;
use titledex::internals::token::tokenize;
use titledex::{Engine, Options, Scratch};

/// Passes of each over all titles; a title's time is the least of them.
const PASSES: usize = 5;

/// A function that is timed on every title.
struct Contestant<'c> {
    name: &'static str,
    work: Box<dyn FnMut(usize) + 'c>,
    /// The least time of each title.
    least: Vec<Duration>,
    /// Processor time of the fastest pass.
    pass: Duration,
}

impl<'c> Contestant<'c> {
    fn new(name: &'static str, titles: usize, work: impl FnMut(usize) + 'c) -> Contestant<'c> {
        Contestant {
            name,
            work: Box::new(work),
            least: vec![Duration::MAX; titles],
            pass: Duration::MAX,
        }
    }

    /// One pass over all titles.
    fn pass(&mut self) {
        let all = ProcessTime::now();
        for (at, least) in self.least.iter_mut().enumerate() {
            let start = Instant::now();
            (self.work)(at);
            *least = start.elapsed().min(*least);
        }
        self.pass = all.elapsed().min(self.pass);
    }

    /// Microseconds of each title, without what the clock itself takes.
    fn micros(&self, clock: Duration) -> Vec<f64> {
        self.least
            .iter()
            .map(|time| time.saturating_sub(clock).as_secs_f64() * 1e6)
            .collect()
    }
}

/// The figures of one row.
struct Figures {
    median: f64,
    mean: f64,
    late: f64,
}

fn figures(micros: &[f64]) -> Figures {
    let mut sorted = micros.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let at = |share: usize| sorted[(sorted.len() - 1) * share / 100];
    Figures {
        median: at(50),
        mean: sorted.iter().sum::<f64>() / sorted.len() as f64,
        late: at(99),
    }
}

/// The time of an empty measurement: the clock itself.
fn clock() -> Duration {
    let mut times: Vec<Duration> = (0..10_001)
        .map(|_| {
            let start = Instant::now();
            black_box(());
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    times[times.len() / 2]
}

/// Measures all of them on the titles of `titles`, with the cards of `cards` (both as `neutral.py`
/// writes them); prints the table and the ratios.
pub(crate) fn run(cards: &str, titles: &str) -> Result<(), Failure> {
    let cards: Vec<search::Card> = rows(cards)?;
    let titles: Vec<Title> = rows(titles)?;
    let index = search::Search::open(&cards, "")?;
    let engine = Engine::new(titledex_embedded::catalogue()?);
    if engine.catalogue().card_count() != cards.len() {
        return Err(format!(
            "{} cards for tantivy, {} for titledex",
            cards.len(),
            engine.catalogue().card_count()
        )
        .into());
    }
    let limits = Limits::of(engine.catalogue())?;
    let keys: Vec<Vec<u8>> = titles
        .iter()
        .map(|title| tokenize(&normalise(&title.title)).key().to_vec())
        .collect();
    let options = Options::default();
    let (engine, options, titles, keys, limits, index) =
        (&engine, &options, &titles, &keys, &limits, &index);

    let to = |name: &'static str, stage: Stage| {
        let mut scratch = Scratch::default();
        Contestant::new(name, titles.len(), move |at| {
            engine.run_to(&mut scratch, black_box(&titles[at].title), options, stage)
        })
    };
    let mut scratch = [Scratch::default(), Scratch::default()];
    let [for_match, for_json] = &mut scratch;
    let (mut json, mut copy): (Vec<u8>, Vec<u8>) = Default::default();
    let mut all = [
        Contestant::new(
            "tantivy: BM25 query of the cleaned title",
            titles.len(),
            |at| drop(black_box(index.find(black_box(&titles[at])))),
        ),
        to("titledex: up to tokens", Stage::Tokenise),
        to("titledex: up to tags", Stage::Tag),
        to("titledex: parse", Stage::Read),
        Contestant::new("titledex: parse + match", titles.len(), |at| {
            drop(black_box(engine.answer_with(
                for_match,
                black_box(&titles[at].title),
                options,
            )));
        }),
        Contestant::new("titledex: parse + match + JSON", titles.len(), |at| {
            json.clear();
            let answer = engine.answer_with(for_json, black_box(&titles[at].title), options);
            answer.write_json(&mut json);
            black_box(&json);
        }),
        Contestant::new("bound: one automaton, overlapping", titles.len(), |at| {
            black_box(limits.overlapping(black_box(&keys[at])));
        }),
        Contestant::new(
            "bound: one automaton, leftmost longest",
            titles.len(),
            |at| {
                black_box(limits.longest(black_box(&keys[at])));
            },
        ),
        Contestant::new("bound: copy and hash", titles.len(), |at| {
            black_box(hash(black_box(&titles[at].title), &mut copy));
        }),
    ];
    for _ in 0..PASSES {
        all.iter_mut().for_each(Contestant::pass);
    }

    let clock = clock();
    let bytes: usize = titles.iter().map(|title| title.title.len()).sum();
    println!(
        "{} titles, {} bytes each; {} cards; {} words in the automata; {PASSES} passes of each in turn, one thread; microseconds a title\n",
        titles.len(),
        bytes / titles.len().max(1),
        cards.len(),
        limits.words
    );
    println!("| | median | mean | 99 % within | processor time, mean |\n|---|---:|---:|---:|---:|");
    let row = |name: &str, f: &Figures, pass: Option<Duration>| {
        let pass = pass.map_or_else(
            || "–".to_owned(),
            |pass| format!("{:.2}", pass.as_secs_f64() * 1e6 / titles.len() as f64),
        );
        println!(
            "| {name} | {:.2} | {:.2} | {:.2} | {pass} |",
            f.median, f.mean, f.late
        );
    };
    let table: Vec<Figures> = all.iter().map(|one| figures(&one.micros(clock))).collect();
    for (one, f) in all.iter().zip(&table) {
        row(one.name, f, Some(one.pass));
    }
    let [
        tantivy,
        tokens,
        tags,
        parse,
        answer,
        json,
        overlapping,
        longest,
        hash,
    ] = &table[..]
    else {
        unreachable!("nine rows")
    };
    let alone: Vec<f64> = all[2]
        .micros(clock)
        .iter()
        .zip(all[1].micros(clock))
        .map(|(tags, tokens)| tags - tokens)
        .collect();
    let tag = figures(&alone);
    row("titledex: tagging only", &tag, None);

    let ratio = |what: &str, over: &Figures, under: &Figures| {
        println!(
            "| {what} | {:.1} | {:.1} |",
            over.median / under.median,
            over.mean / under.mean
        );
    };
    println!("\n| ratio | of medians | of means |\n|---|---:|---:|");
    ratio("tantivy / parse", tantivy, parse);
    ratio("tantivy / parse + match", tantivy, answer);
    ratio("tantivy / parse + match + JSON", tantivy, json);
    let (bound, name) = if overlapping.median < longest.median {
        (overlapping, "overlapping")
    } else {
        (longest, "leftmost longest")
    };
    ratio(
        &format!("tagging only / one automaton ({name}, the faster)"),
        &tag,
        bound,
    );
    ratio("up to tokens / copy and hash", tokens, hash);
    ratio("up to tags / copy and hash", tags, hash);
    ratio("parse / one automaton", parse, bound);
    ratio("parse + match / one automaton", answer, bound);
    Ok(())
}
