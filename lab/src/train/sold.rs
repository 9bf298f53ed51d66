//! Fits the weights of what is being sold.

use super::{FILE_WEIGHT, FIXTURE_WEIGHT, TITLE_WEIGHT, Train};
use crate::folds::{fold, outcome_file};
use serde_json::Value;
use std::path::Path;
use titledex::internals::train::Fit;
use titledex::internals::train::outcome::{self, Listing};
use titledex::{Engine, OutcomeType, OutcomeWeights, Scratch};
use titledex_command::Failure;
use titledex_command::output::write_whole;
use titledex_command::score::read_lines;

/// Strength of the pull of the weights of what is being sold: of many signs there are few titles.
const OUTCOME_PULL: f64 = 10.0;

/// Fits the weights of what is being sold, and writes the files.
pub(super) fn fit(
    args: &Train,
    engine: &Engine,
    all_games: Option<&Engine>,
    folds: &[u64],
) -> Result<(), Failure> {
    let Some(output) = &args.outcome else {
        return Ok(());
    };
    let mut listings: Vec<(u64, Listing)> = Vec::new();
    for path in args.labels.iter().chain(&args.sold) {
        read_listings(path, engine, args.folds, &mut listings)?;
    }
    for path in &args.across_games {
        let engine = all_games.unwrap_or(engine);
        read_listings(path, engine, args.folds, &mut listings)?;
    }
    let part = |keep: &dyn Fn(u64) -> bool| -> Vec<&Listing> {
        let kept = listings.iter().filter(|(fold, _)| keep(*fold));
        kept.map(|(_, listing)| listing).collect()
    };
    let options = Fit {
        pull: OUTCOME_PULL,
        ..Fit::default()
    };
    let say = |(loss, right): (f64, f64)| format!("log loss {loss:.4}, right {right:.4}");
    let build = OutcomeWeights::builtin().map_err(|e| Failure::new(e.to_string()))?;
    let all = part(&|_| true);
    eprintln!(
        "what is being sold, {} titles; weights of this build: {}",
        all.len(),
        say(outcome::check(&all, &build))
    );
    let mut unseen = (0.0, 0.0);
    for &fold in folds {
        let weights = outcome::fit(&part(&|of| of != fold), options);
        let found = outcome::check(&part(&|of| of == fold), &weights);
        let share = 1.0 / folds.len() as f64;
        unseen = (unseen.0 + share * found.0, unseen.1 + share * found.1);
        if let Some(folder) = &args.held_out {
            let file = folder.join(outcome_file(fold));
            write_whole(&file, weights.to_csv().as_bytes())?;
        }
    }
    if !folds.is_empty() {
        eprintln!("by weights fitted to the other folds: {}", say(unseen));
    }
    let whole = outcome::fit(&all, options);
    eprintln!("fitted to all: {}", say(outcome::check(&all, &whole)));
    write_whole(output, whole.to_csv().as_bytes())
}

/// Reads labels and collects the signs of what is being sold in each title.
fn read_listings(
    path: &Path,
    engine: &Engine,
    folds: u64,
    listings: &mut Vec<(u64, Listing)>,
) -> Result<(), Failure> {
    let rows = read_lines(path)?;
    let mut scratch = Scratch::default();
    let mut found: Vec<(u64, bool, Listing)> = Vec::new();
    for (_, row) in &rows {
        let fixture = row.get("expect");
        let label = fixture.unwrap_or(row);
        let right: Vec<OutcomeType> = match &label["outcome"] {
            Value::Array(any) => any.iter().filter_map(outcome_type).collect(),
            one => outcome_type(one).into_iter().collect(),
        };
        let Some(title) = row["title"].as_str() else {
            continue;
        };
        let signs = engine.signs(&mut scratch, title);
        if let Some(listing) = signs.and_then(|signs| Listing::new(signs, &right, 1.0)) {
            found.push((fold(title, folds), fixture.is_some(), listing));
        }
    }
    let weight =
        (FILE_WEIGHT / found.len().max(1) as f64).clamp(*TITLE_WEIGHT.start(), *TITLE_WEIGHT.end());
    listings.extend(found.into_iter().map(|(fold, fixture, listing)| {
        let weight = if fixture { FIXTURE_WEIGHT } else { weight };
        (fold, listing.weighing(weight))
    }));
    Ok(())
}

/// The outcome that a label names.
fn outcome_type(label: &Value) -> Option<OutcomeType> {
    serde_json::from_value(label.clone()).ok()
}
