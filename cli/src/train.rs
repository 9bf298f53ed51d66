//! `titledex train`: fits the weights of the evidence to labelled titles, and says how the fit does on titles that it has not seen.

use crate::args::Train;
use crate::catalogue::engine;
use crate::failure::Failure;
use crate::files;
use crate::score::read_lines;
use serde_json::Value;
use std::path::Path;
use titledex::score::train::{Example, Fit, check, fit};
use titledex::score::weights;
use titledex::{Engine, Options, OutcomeType, Scratch};

/// Each file of labels counts as so many titles, so that a large one does not drown a small one.
const FILE_WEIGHT: f64 = 800.0;
/// No title counts less or more than this.
const TITLE_WEIGHT: std::ops::RangeInclusive<f64> = 0.1..=3.0;

/// Fits, checks by folds, and writes the file.
pub(crate) fn run(args: &Train) -> Result<(), Failure> {
    let engine = engine(args.from.catalogue.as_deref())?;
    let start = weights::builtin().map_err(|e| Failure::new(e.to_string()))?.clone();
    let cards = engine.catalogue().card_count();
    let mut titles: Vec<(u64, Example)> = Vec::new();
    for path in &args.labels {
        read(path, &engine, &mut titles)?;
    }
    let options = Fit { holes: args.holes, pull: args.pull, ..Fit::default() };
    let all: Vec<Example> = titles.iter().map(|t| t.1.clone()).collect();
    eprintln!("{} titles; with the weights of this build: {}", all.len(), say(&all, &start, cards, args.holes));
    if args.folds > 1 {
        let (mut loss, mut right) = (0.0, 0.0);
        for fold in 0..args.folds {
            let part = |inside: bool| -> Vec<Example> {
                titles.iter().filter(|t| (t.0 % args.folds == fold) == inside).map(|t| t.1.clone()).collect()
            };
            let found = check(&part(true), &fit(&part(false), &start, cards, options), cards, args.holes);
            loss += found.log_loss / args.folds as f64;
            right += found.right / args.folds as f64;
        }
        eprintln!("fitted on the other folds, mean of {}: log loss {loss:.4}, right {right:.4}", args.folds);
    }
    let fitted = fit(&all, &start, cards, options);
    eprintln!("fitted on all: {}", say(&all, &fitted, cards, args.holes));
    files::write_whole(&args.output, fitted.to_csv("fitted by `titledex train`").as_bytes())
}

fn say(examples: &[Example], weights: &weights::Weights, cards: usize, holes: f64) -> String {
    let found = check(examples, weights, cards, holes);
    format!("log loss {:.4}, right {:.4}", found.log_loss, found.right)
}

/// Reads labels (or fixtures, whose labels stand under `expect`) and gathers the evidence of each title's candidates.
fn read(path: &Path, engine: &Engine<'_>, titles: &mut Vec<(u64, Example)>) -> Result<(), Failure> {
    let rows = read_lines(path)?;
    let mut scratch = Scratch::default();
    let mut found: Vec<(u64, Example)> = Vec::new();
    for (_, row) in &rows {
        let label = row.get("expect").unwrap_or(row);
        let ids: Vec<&str> = label["cards"].as_array().map(|a| a.iter().filter_map(Value::as_str).collect()).unwrap_or_default();
        let known = match label["outcome"].as_str() {
            Some("match") => ids.len() == 1,
            Some("ambiguous") => !ids.is_empty() && label.get("many").is_none(),
            Some("not_in_catalogue") => true,
            _ => false,
        };
        let (true, Some(title)) = (known, row["title"].as_str()) else { continue };
        // what is refused by its words (a championship deck, a jumbo card) agrees in all else: it would teach that agreeing is nothing
        if ids.is_empty() {
            let outcome = engine.answer_with(&mut scratch, title, &Options::default()).outcome;
            if outcome.kind != OutcomeType::Match && outcome.not_in_catalogue.get() < 0.3 {
                continue;
            }
        }
        let candidates = engine.evidence(&mut scratch, title, &Options::default());
        let right: Vec<usize> = candidates.iter().enumerate().filter(|(_, c)| ids.contains(&c.0.as_str())).map(|(i, _)| i).collect();
        // a card that was not even a candidate teaches nothing but the wrong lesson
        if right.is_empty() && !ids.is_empty() {
            continue;
        }
        let candidates = candidates.into_iter().map(|c| c.1).collect();
        found.push((hash(title), Example { candidates, right, weight: 1.0 }));
    }
    let weight = (FILE_WEIGHT / found.len().max(1) as f64).clamp(*TITLE_WEIGHT.start(), *TITLE_WEIGHT.end());
    for (_, example) in &mut found {
        example.weight = weight;
    }
    titles.extend(found);
    Ok(())
}

/// FNV-1a: the same fold for the same title on every machine.
fn hash(title: &str) -> u64 {
    title.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3)) >> 8
}
