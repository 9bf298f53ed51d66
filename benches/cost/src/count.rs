//! Runs the fixed titles through each stage, each measurement in one call of [`measured`].
//! Callgrind collects only there and writes its totals before every call; the lines on standard
//! output name the calls.

use crate::{Failure, open, spec};
use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::sync::OnceLock;
use titledex::internals::Stage;
use titledex::{Engine, Options, Scratch};

/// The files of fixed titles: written for the benches, and made by `titledex-lab corpus generate`
/// in the mix of the real pool.
const FILES: [&str; 2] = ["bench-titles.txt", "synthetic-titles.jsonl"];

/// A row of the second.
#[derive(serde::Deserialize)]
struct Row {
    title: String,
}

/// The stages that are counted, each with all before it.
const STAGES: [(&str, Stage); 6] = [
    ("normalise", Stage::Normalise),
    ("tokenise", Stage::Tokenise),
    ("tag", Stage::Tag),
    ("read", Stage::Read),
    ("retrieve", Stage::Retrieve),
    ("score", Stage::Score),
];

/// One in this many titles of the second file is also counted by itself, for the median per byte.
const ALONE: usize = 3;

/// The function that callgrind collects in. Nothing else runs in it.
#[inline(never)]
fn measured(work: &mut dyn FnMut()) {
    work();
    black_box(());
}

/// One call of [`measured`], announced by a line `kind⇥titles⇥bytes`.
fn announce(kind: &str, titles: usize, bytes: usize, mut work: impl FnMut()) {
    println!("{kind}\t{titles}\t{bytes}");
    measured(&mut work);
}

static INDEX: OnceLock<Vec<u8>> = OnceLock::new();
static GAMES_INDEX: OnceLock<Vec<u8>> = OnceLock::new();

/// Runs all of it: the titles of `folder` against the cards of `index` and of `games`.
pub(crate) fn run(folder: &Path, index: &str, games: &str) -> Result<(), Failure> {
    let mut titles: Vec<String> = Vec::new();
    let mut usual = 0;
    for file in FILES {
        usual = titles.len();
        let path = folder.join(file);
        let text =
            fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        for line in text.lines() {
            titles.push(if file.ends_with(".jsonl") {
                serde_json::from_str::<Row>(line)?.title
            } else {
                line.to_owned()
            });
        }
    }
    let specs = spec::read(folder)?;
    let hostile: Vec<String> = specs.iter().map(spec::Spec::title).collect();
    let engine = Engine::new(open(index, &INDEX)?);
    let games = Engine::new(open(games, &GAMES_INDEX)?);
    let options = Options::default();
    let mut scratch = Scratch::default();
    let mut json: Vec<u8> = Vec::new();
    // memory grows and tables are made once, before anything is counted
    for engine in [&engine, &games] {
        for title in hostile.iter().chain(&titles) {
            json.clear();
            engine
                .answer_with(&mut scratch, title, &options)
                .write_json(&mut json);
        }
    }
    let bytes = titles.iter().map(String::len).sum();
    for (name, stage) in STAGES {
        announce(name, titles.len(), bytes, || {
            for title in &titles {
                engine.run_to(&mut scratch, black_box(title), &options, stage);
            }
        });
    }
    announce("answer", titles.len(), bytes, || {
        for title in &titles {
            black_box(engine.answer_with(&mut scratch, black_box(title), &options));
        }
    });
    announce("json", titles.len(), bytes, || {
        for title in &titles {
            json.clear();
            let answer = engine.answer_with(&mut scratch, black_box(title), &options);
            answer.write_json(&mut json);
            black_box(&json);
        }
    });
    // with the cards of all games: what the others cost a title of one
    announce("games-read", titles.len(), bytes, || {
        for title in &titles {
            games.run_to(&mut scratch, black_box(title), &options, Stage::Read);
        }
    });
    announce("games-answer", titles.len(), bytes, || {
        for title in &titles {
            black_box(games.answer_with(&mut scratch, black_box(title), &options));
        }
    });
    let alone = titles[usual..].iter().step_by(ALONE);
    let alone = alone.map(|title| ("title", title, &engine));
    let hostile = specs.iter().zip(&hostile).map(|(spec, title)| {
        let engine = if spec.games { &games } else { &engine };
        ("hostile", title, engine)
    });
    for (kind, title, engine) in alone.chain(hostile) {
        announce(kind, 1, title.len(), || {
            black_box(engine.answer_with(&mut scratch, black_box(title), &options));
        });
    }
    Ok(())
}
