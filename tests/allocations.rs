//! Allocations of reading titles once the scratch has grown: none up to the scores, and for an
//! answer only what the answer holds.
//!
//! Counted by `allocation-counter`, on this thread only, in requested blocks; a block that grows
//! counts again.

mod support;

use allocation_counter::measure;
use serde_json::Value;
use std::borrow::Cow;
use titledex::internals::Stage;
use titledex::{Answer, Match, Options, Parsed, Reading, Scratch};

/// Blocks that scoring allocates over all titles: in `score::number::near`, for each total that may
/// be a slip away. May only fall.
const SCORING: u64 = 0;
/// Blocks that the answers to a hundred titles allocate, beyond those that they hold: in `assemble`
/// and `outcome`. May only fall; more titles do not move it.
const ANSWERING: u64 = 625;

fn rows(file: &str) -> Vec<Value> {
    support::read(file)
        .lines()
        .map(|line| serde_json::from_str(line).expect("the fixture is well formed"))
        .collect()
}

/// Titles of our own, in all scripts.
fn titles() -> Vec<String> {
    let mut titles: Vec<String> = support::read("fixtures/bench-titles.txt")
        .lines()
        .map(str::to_owned)
        .collect();
    titles.extend(
        support::fixtures()
            .into_iter()
            .flat_map(|(_, rows)| rows)
            .map(|row| row.title),
    );
    let text = |row: &Value| row["title"].as_str().expect("a title").to_owned();
    titles.extend(rows("fixtures/synthetic-titles.jsonl").iter().map(text));
    assert!(titles.len() > 1000 && titles.iter().filter(|title| !title.is_ascii()).count() > 200);
    titles
}

/// Those that cost most a byte: `fixtures/hostile.jsonl`.
fn hostile() -> impl Iterator<Item = String> {
    rows("fixtures/hostile.jsonl").into_iter().map(|row| {
        let (piece, bytes) = (
            row["piece"].as_str().expect("a piece"),
            row["bytes"].as_u64().expect("a length") as usize,
        );
        let mut title = piece.repeat(bytes.div_ceil(piece.len()));
        title.truncate(
            (0..=bytes)
                .rev()
                .find(|&end| title.is_char_boundary(end))
                .unwrap_or(0),
        );
        title
    })
}

/// Holds `found` against what was allowed so far.
fn only_falls(what: &str, found: u64, allowed: u64) {
    assert!(
        found <= allowed,
        "{what}: {found} allocations, {allowed} so far"
    );
    if found < allowed {
        println!(
            "{what}: {found} allocations, {allowed} so far: lower the figure in {}",
            file!()
        );
    }
}

#[test]
fn stages_reuse_their_memory() {
    let engine = support::engine();
    let options = Options::default();
    let mut titles = titles();
    titles.extend(hostile());
    let stages = [
        Stage::Normalise,
        Stage::Tokenise,
        Stage::Tag,
        Stage::Read,
        Stage::Retrieve,
        Stage::Score,
    ];
    let mut scratch = Scratch::default();
    for title in &titles {
        engine.run_to(&mut scratch, title, &options, Stage::Retrieve);
        engine.run_to(&mut scratch, title, &options, Stage::Score);
    }
    for stage in stages {
        let mut all = 0;
        for title in &titles {
            let found = measure(|| engine.run_to(&mut scratch, title, &options, stage)).count_total;
            assert!(
                found == 0 || stage == Stage::Score,
                "{stage:?} allocates {found} times for {title:?}"
            );
            all += found;
        }
        only_falls(
            &format!("{stage:?}"),
            all,
            if stage == Stage::Score { SCORING } else { 0 },
        );
    }
}

#[test]
fn answers_allocate_only_what_they_hold() {
    let engine = support::engine();
    let options = Options::default();
    let titles = titles();
    let mut scratch = Scratch::default();
    // the first round only grows the memory
    let (mut scoring, mut all, mut held) = (0, 0, 0);
    for round in 0..2 {
        for title in &titles {
            let mut answer = None;
            let found =
                measure(|| answer = Some(engine.answer_with(&mut scratch, title, &options)))
                    .count_total;
            if let Some(answer) = answer.filter(|_| round == 1) {
                scoring += measure(|| engine.run_to(&mut scratch, title, &options, Stage::Score))
                    .count_total;
                all += found;
                held += of_answer(&answer);
            }
        }
    }
    println!(
        "{} titles: {all} allocations, {held} of them held, {scoring} of them of the scores",
        titles.len()
    );
    let own = all.saturating_sub(held + scoring);
    let of_hundred = (100 * own).div_ceil(titles.len() as u64);
    only_falls("answers to a hundred titles", of_hundred, ANSWERING);
}

/// The blocks that an answer holds: one for each list and each text of its own that is not empty.
fn of_answer(answer: &Answer<'_>) -> u64 {
    text(&answer.title)
        + of_parsed(&answer.parsed)
        + list(&answer.outcome.ambiguous_on)
        + list(&answer.matches)
        + answer.matches.iter().map(of_match).sum::<u64>()
        + answer
            .error
            .iter()
            .map(|error| string(&error.message))
            .sum::<u64>()
}

fn of_parsed(parsed: &Parsed<'_>) -> u64 {
    let texts = [
        &parsed.name,
        &parsed.number,
        &parsed.total,
        &parsed
            .grade
            .as_ref()
            .and_then(|grade| grade.cert_number.clone()),
    ];
    texts.into_iter().flatten().map(text).sum::<u64>()
        + parsed
            .set
            .iter()
            .map(|set| list(&set.alternatives))
            .sum::<u64>()
        + parsed
            .printing
            .iter()
            .map(|p| list(&p.stamps) + list(&p.treatment) + list(&p.errors))
            .sum::<u64>()
        + of_readings(&parsed.spans)
        + of_readings(&parsed.alternatives)
        + list(&parsed.unread)
}

fn of_readings(readings: &[Reading<'_>]) -> u64 {
    list(readings)
        + readings
            .iter()
            .map(|reading| text(&reading.value))
            .sum::<u64>()
}

fn of_match(card: &Match<'_>) -> u64 {
    string(&card.card_number)
        + string(&card.marketplace_id)
        + list(&card.printings)
        + card
            .printings
            .iter()
            .map(|printing| string(&printing.marketplace_id))
            .sum::<u64>()
        + list(&card.evidence)
}

fn list<T>(list: &[T]) -> u64 {
    u64::from(!list.is_empty())
}

fn string(text: &str) -> u64 {
    u64::from(!text.is_empty())
}

#[allow(clippy::ptr_arg, reason = "the test is whether the text is owned")]
fn text(text: &Cow<'_, str>) -> u64 {
    match text {
        Cow::Owned(text) => string(text),
        Cow::Borrowed(_) => 0,
    }
}
