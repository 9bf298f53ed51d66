//! Comparing answers with labelled titles: the figures of `titledex score`.
//!
//! The figures, their names and their layout are those of the reference script `score.py`. Where
//! this module does something odd (numbers as text, `None` for what is absent), it follows the
//! reference.

mod calibration;
mod fields;
mod figures;
mod norm;
mod report;
mod slices;

pub use slices::Slice;

use crate::output::write_whole;
use crate::{Failure, files, say, shown};
use clap::Args;
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use titledex::{Catalogue, Engine, OutcomeType, Scratch};

/// A label and the answer to its title.
type Pair<'p> = (&'p Value, &'p Value);

/// What a report shows.
#[derive(Debug, Args)]
pub struct ReportOptions {
    /// Also print the figures of each part of the titles; may be given several times.
    #[arg(long, value_enum, value_name = "SLICE")]
    pub slice: Vec<Slice>,
    /// Print the first N wrong titles.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub errors: usize,
    /// Print the figures as JSON.
    #[arg(long)]
    pub json: bool,
}

/// Reads labelled titles: objects with at least `title` and `outcome`.
///
/// # Errors
/// If the file cannot be read, has no label, or a line is not such an object.
pub fn read_labels(path: &Path) -> Result<Vec<Value>, Failure> {
    let labels = read_lines(path)?;
    if labels.is_empty() {
        let message = format!("{} has no label: add an object a line", files::name(path));
        return Err(Failure::new(message));
    }
    for (number, label) in &labels {
        for key in ["title", "outcome"] {
            if !label[key].is_string() {
                return Err(Failure::new(format!(
                    "{}:{number}: a label without `{key}`: add it as text",
                    files::name(path)
                )));
            }
        }
        if OutcomeType::deserialize(&label["outcome"]).is_err() {
            return Err(Failure::new(format!(
                "{}:{number}: {} is no outcome: write one that `titledex parse` answers",
                files::name(path),
                label["outcome"]
            )));
        }
    }
    Ok(labels.into_iter().map(|(_, label)| label).collect())
}

/// Says on standard error how many labels of one card name none that the catalogue has: a slip in an
/// id looks like an error of the reader.
pub fn report_unknown_cards(labels: &[Value], catalogue: &Catalogue) {
    let unknown = |label: &&Value| {
        let cards = label["cards"].as_array();
        let known = |id: &Value| id.as_str().is_some_and(|id| catalogue.card(id).is_some());
        label["outcome"] == OutcomeType::Match.as_str()
            && !cards.is_some_and(|cards| cards.iter().any(known))
    };
    let mut unknown = labels.iter().filter(unknown);
    if let Some(first) = unknown.next() {
        let count = 1 + unknown.count();
        say(&format!(
            "labels of one card that name none of the catalogue: {count}, the first is of {}",
            shown(title(first))
        ));
    }
}

/// Scores the answers against the labels and prints the report.
///
/// # Errors
/// If the report cannot be written.
pub fn report(
    labels: &[Value],
    answers: &HashMap<String, Value>,
    options: &ReportOptions,
) -> Result<(), Failure> {
    let empty = Value::Object(serde_json::Map::new());
    let pairs: Vec<Pair<'_>> = labels
        .iter()
        .map(|label| (label, answers.get(title(label)).unwrap_or(&empty)))
        .collect();

    let (figures, wrong) = figures::score(&pairs);
    let mut report = vec![("all".to_owned(), figures)];
    for (at, slice) in options.slice.iter().enumerate() {
        if options.slice[..at].contains(slice) {
            continue;
        }
        let mut groups: BTreeMap<String, Vec<Pair<'_>>> = BTreeMap::new();
        for pair in &pairs {
            groups.entry(slice.part_of(pair.0)).or_default().push(*pair);
        }
        report.extend(
            groups
                .iter()
                .map(|(key, pairs)| (format!("{}={key}", slice.name()), figures::score(pairs).0)),
        );
    }
    report::print(&report, &wrong, options)
}

/// The objects of a file of JSON Lines, each with its line number.
///
/// # Errors
/// If the file cannot be read, or a line is not a JSON object.
pub fn read_lines(path: &Path) -> Result<Vec<(usize, Value)>, Failure> {
    let bytes = files::read(path)?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let before = &error.as_bytes()[..at];
        let line = before.split(|byte| *byte == b'\n').count();
        Failure::new(format!(
            "{}:{line}: byte {at} of the file is not UTF-8: convert it",
            files::name(path)
        ))
    })?;
    let lines = text
        .split('\n')
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(at, line)| match serde_json::from_str::<Value>(line) {
            Ok(value) if value.is_object() => Ok((at + 1, value)),
            Ok(_) => Err(Failure::new(format!(
                "{}:{}: not a JSON object: one object a line is expected",
                files::name(path),
                at + 1
            ))),
            Err(error) => {
                let message = error.to_string();
                let what = match message.split(" at line ").next().unwrap_or_default() {
                    _ if error.is_eof() => "the line ends within its JSON",
                    "expected ident" | "expected value" => "not JSON from here on",
                    reason => reason,
                };
                Err(Failure::new(format!(
                    "{}:{}:{}: {what}: one JSON object a line is expected",
                    files::name(path),
                    at + 1,
                    error.column().max(1)
                )))
            }
        })
        .collect()
}

fn title(value: &Value) -> &str {
    value["title"].as_str().unwrap_or_default()
}

/// Reads the answers of `titledex parse`, by title; if a title has two, the last counts.
///
/// # Errors
/// If the file cannot be read, or a line is no answer: it has no title, or no type of outcome, as a
/// file of labels has none.
pub fn read_answers(path: &Path, labels: &[Value]) -> Result<HashMap<String, Value>, Failure> {
    let mut answers = HashMap::new();
    for (number, answer) in read_lines(path)? {
        let Some(title) = answer["title"].as_str().map(str::to_owned) else {
            return Err(Failure::new(format!(
                "{}:{number}: an answer without `title`: give the output of `titledex parse`",
                files::name(path)
            )));
        };
        if !answer["outcome"]["type"].is_string() {
            return Err(Failure::new(format!(
                "{}:{number}: an answer without `outcome.type`: give the output of `titledex parse` as JSON",
                files::name(path)
            )));
        }
        answers.insert(title, answer);
    }
    let missing: Vec<&str> = labels
        .iter()
        .map(title)
        .filter(|title| !answers.contains_key(*title))
        .collect();
    if let Some(first) = missing.first() {
        let (missing, all) = (missing.len(), labels.len());
        say(&format!(
            "{missing} of {all} labelled titles have no prediction, the first: {first:?}; each counts as an empty answer"
        ));
    }
    Ok(answers)
}

/// Answers the titles of the labels as `titledex parse` does, each with the engine that
/// `engine_for` names; writes the answers to `output` too if it is given.
///
/// # Errors
/// If the answers cannot be written.
pub fn answer_titles<'e>(
    labels: &[Value],
    engine_for: impl Fn(&str) -> &'e Engine,
    output: Option<&Path>,
) -> Result<HashMap<String, Value>, Failure> {
    let options = titledex::Options::new();
    let mut scratch = Scratch::default();
    let mut answers = HashMap::new();
    let mut lines = String::new();
    for label in labels {
        let answer = engine_for(title(label)).answer_with(&mut scratch, title(label), &options);
        // Through the text, so that probabilities are the decimals that the reference reads.
        let text = serde_json::to_string(&answer)
            .map_err(|error| Failure::new(format!("an answer could not be written: {error}")))?;
        let answer = serde_json::from_str(&text)
            .map_err(|error| Failure::new(format!("an answer could not be read: {error}")))?;
        answers.insert(title(label).to_owned(), answer);
        lines.extend([text.as_str(), "\n"]);
    }
    if let Some(path) = output {
        write_whole(path, lines.as_bytes())?;
    }
    Ok(answers)
}
