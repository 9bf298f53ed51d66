//! `titledex score`: the figures of the protocol, for answers made here or read from a file.
//!
//! The same figures, names and layout as `score.py`, which stays the reference: where this file does something odd (numbers as text,
//! `None` for what is absent), that is because the reference does.

mod figures;
mod norm;

use crate::args::{Score, Slice};
use crate::catalogue::engine;
use crate::failure::{Failure, say};
use crate::files;
use crate::train::fold;
use figures::{Figures, Wrong, score};
use norm::{plain, truthy};
use serde::Serializer;
use serde::ser::SerializeMap;
use serde_json::Value;
use serde_json::ser::{Formatter, PrettyFormatter};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::Path;
use titledex::Weights;
use titledex::{Engine, Scratch};

/// A label and the answer to its title.
type Pair<'p> = (&'p Value, &'p Value);

/// Scores and prints.
pub(crate) fn run(args: &Score) -> Result<(), Failure> {
    let labels = read_lines(&args.labels)?;
    for (number, label) in &labels {
        for key in ["title", "outcome"] {
            if !label[key].is_string() {
                return Err(Failure::new(format!(
                    "{}:{number}: a label without `{key}`: add it as text",
                    args.labels.display()
                )));
            }
        }
    }
    let labels: Vec<Value> = labels.into_iter().map(|(_, label)| label).collect();
    let answers = match &args.predictions {
        Some(path) => read_answers(path, &labels)?,
        None => parse(&labels, args)?,
    };
    let empty = Value::Object(serde_json::Map::new());
    let pairs: Vec<Pair<'_>> = labels
        .iter()
        .map(|label| (label, answers.get(title(label)).unwrap_or(&empty)))
        .collect();

    let (figures, wrong) = score(&pairs);
    let mut report = vec![("all".to_owned(), figures)];
    for (at, slice) in args.slice.iter().enumerate() {
        if args.slice[..at].contains(slice) {
            continue;
        }
        let mut groups: BTreeMap<String, Vec<Pair<'_>>> = BTreeMap::new();
        for pair in &pairs {
            groups.entry(part(*slice, pair.0)).or_default().push(*pair);
        }
        report.extend(
            groups
                .iter()
                .map(|(key, pairs)| (format!("{}={key}", slice_name(*slice)), score(pairs).0)),
        );
    }
    print(&report, &wrong, args)
}

/// The objects of a file of JSON Lines with the numbers of their lines.
pub(crate) fn read_lines(path: &Path) -> Result<Vec<(usize, Value)>, Failure> {
    let bytes = files::read(path)?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let before = &error.as_bytes()[..at];
        let line = before.split(|byte| *byte == b'\n').count();
        Failure::new(format!(
            "{}:{line}: byte {at} of the file is not UTF-8: convert it",
            path.display()
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
                path.display(),
                at + 1
            ))),
            Err(error) => {
                let what = error.to_string();
                let what = what.split(" at line ").next().unwrap_or_default();
                Err(Failure::new(format!(
                    "{}:{}:{}: {what}: one JSON object a line is expected",
                    path.display(),
                    at + 1,
                    error.column()
                )))
            }
        })
        .collect()
}

fn title(value: &Value) -> &str {
    value["title"].as_str().unwrap_or_default()
}

/// Answers by title; of two for one title the last.
fn read_answers(path: &Path, labels: &[Value]) -> Result<HashMap<String, Value>, Failure> {
    let mut answers = HashMap::new();
    for (number, answer) in read_lines(path)? {
        let Some(title) = answer["title"].as_str().map(str::to_owned) else {
            return Err(Failure::new(format!(
                "{}:{number}: an answer without `title`: give the output of `titledex parse`",
                path.display()
            )));
        };
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

/// The answers to the labels' titles, as `titledex parse` writes them.
fn parse(labels: &[Value], args: &Score) -> Result<HashMap<String, Value>, Failure> {
    let engine = engine(args.from.catalogue.as_deref())?;
    let engines: Vec<Engine> = match &args.held_out {
        Some(folder) => held_out(folder)?
            .into_iter()
            .map(|weights| {
                Engine::builder(engine.catalogue().clone())
                    .weights(weights)
                    .build()
            })
            .collect::<Result<_, _>>()
            .map_err(|error| Failure::new(error.to_string()))?,
        None => vec![engine],
    };
    let options = titledex::Options::new();
    let mut scratch = Scratch::default();
    let mut answers = HashMap::new();
    let mut lines = String::new();
    for label in labels {
        let fold = fold(title(label), engines.len() as u64) as usize;
        let answer = engines[fold].answer_with(&mut scratch, title(label), &options);
        // Through the text, so that probabilities are the decimals that the reference reads.
        let text = serde_json::to_string(&answer)
            .map_err(|error| Failure::new(format!("an answer could not be written: {error}")))?;
        let answer = serde_json::from_str(&text)
            .map_err(|error| Failure::new(format!("an answer could not be read: {error}")))?;
        answers.insert(title(label).to_owned(), answer);
        lines.extend([text.as_str(), "\n"]);
    }
    if let Some(path) = &args.answers {
        files::write_whole(path, lines.as_bytes())?;
    }
    Ok(answers)
}

/// The weights of each fold in the folder that `titledex train --held-out` wrote.
fn held_out(folder: &Path) -> Result<Vec<Weights>, Failure> {
    let mut all = Vec::new();
    loop {
        let path = folder.join(format!("{}.csv", all.len()));
        if !path.exists() && !all.is_empty() {
            return Ok(all);
        }
        let text = String::from_utf8(files::read(&path)?)
            .map_err(|_| Failure::new(format!("{}: not UTF-8", path.display())))?;
        all.push(Weights::load(&text).map_err(|error| Failure::of(&path, &error))?);
    }
}

fn slice_name(slice: Slice) -> &'static str {
    match slice {
        Slice::Venue => "venue",
        Slice::Script => "script",
        Slice::Graded => "graded",
        Slice::Numbered => "numbered",
        Slice::Language => "language",
        Slice::Family => "family",
    }
}

/// The part of the titles that a label belongs to.
fn part(slice: Slice, label: &Value) -> String {
    let japanese = |c: char| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}');
    let stated = |key: &str| label.get(key).is_some_and(truthy);
    let cards = || {
        label["cards"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
    };
    match slice {
        Slice::Venue => label.get("venue").map_or_else(|| "?".to_owned(), plain),
        Slice::Script if title(label).contains(japanese) => "japanese".to_owned(),
        Slice::Script => "latin".to_owned(),
        Slice::Graded => if stated("grader") { "graded" } else { "raw" }.to_owned(),
        Slice::Numbered => if stated("number") {
            "numbered"
        } else {
            "no number"
        }
        .to_owned(),
        Slice::Language => plain(&label["language"]),
        // One search of 1996 "no rarity" cards fills a large part of the Japanese labels: it must not hide the rest.
        Slice::Family if cards().any(|card| card.starts_with("asia:PMCG1-")) => {
            "1996 base".to_owned()
        }
        Slice::Family
            if cards().any(|card| card.starts_with("asia:") || card.starts_with("ja:")) =>
        {
            "japanese".to_owned()
        }
        Slice::Family if cards().next().is_some() => "international".to_owned(),
        Slice::Family => "no card".to_owned(),
    }
}

fn print(report: &[(String, Figures)], wrong: &[Wrong], args: &Score) -> Result<(), Failure> {
    let mut text = if args.json {
        report_json(report)?
    } else {
        report
            .iter()
            .map(|(name, figures)| section(name, figures))
            .collect()
    };
    for wrong in wrong.iter().take(args.errors) {
        text.push_str(&on_one_line(wrong)?);
        text.push('\n');
    }
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

fn report_json(report: &[(String, Figures)]) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let mut serializer =
        serde_json::Serializer::with_formatter(&mut bytes, PrettyFormatter::with_indent(b" "));
    let mut map = serializer
        .serialize_map(Some(report.len()))
        .map_err(io::Error::from)?;
    for (name, figures) in report {
        map.serialize_entry(name, figures)
            .map_err(io::Error::from)?;
    }
    map.end().map_err(io::Error::from)?;
    bytes.push(b'\n');
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// JSON on one line with a space behind each comma and colon.
struct Spaced;

impl Formatter for Spaced {
    fn begin_array_value<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        if first {
            Ok(())
        } else {
            writer.write_all(b", ")
        }
    }

    fn begin_object_key<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        if first {
            Ok(())
        } else {
            writer.write_all(b", ")
        }
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }
}

fn on_one_line(wrong: &Wrong) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, Spaced);
    serde::Serialize::serialize(wrong, &mut serializer).map_err(io::Error::from)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A figure with four digits, `-` where there is nothing to count.
fn figure(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.4}"))
}

/// The figures of one part as text.
fn section(name: &str, figures: &Figures) -> String {
    let mut out = format!("\n== {name} ({} titles)\n", figures.titles);
    for (key, value) in figures.lines() {
        let _ = writeln!(out, "  {key:28} {value}");
    }
    let outcomes: Vec<String> = figures
        .confusion
        .iter()
        .map(|(pair, count)| format!("{pair} {count}"))
        .collect();
    let _ = writeln!(
        out,
        "  outcomes (label -> prediction): {}",
        outcomes.join("; ")
    );
    let _ = writeln!(
        out,
        "  {:12} {:>7} {:>7} {:>7} {:>8}",
        "field", "prec", "recall", "f1", "support"
    );
    for (field, counts) in &figures.fields {
        if counts.support > 0 || counts.absent_ok > 0 {
            let [precision, recall, f1] = [counts.precision, counts.recall, counts.f1].map(figure);
            let _ = writeln!(
                out,
                "  {field:12} {precision:>7} {recall:>7} {f1:>7} {:>8}",
                counts.support
            );
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{on_one_line, part, report_json, score, section};
    use crate::args::Slice;
    use serde_json::{Value, json};

    #[test]
    fn parts_are_named_as_the_reference_names_them() {
        let label = json!({"title": "リザードン", "venue": null, "grader": ["PSA"], "number": "", "language": ["japanese", "korean"], "cards": ["ja:X-1"]});
        let parts = [
            Slice::Venue,
            Slice::Script,
            Slice::Graded,
            Slice::Numbered,
            Slice::Language,
            Slice::Family,
        ]
        .map(|slice| part(slice, &label));
        assert_eq!(
            parts,
            [
                "None",
                "japanese",
                "graded",
                "no number",
                "['japanese', 'korean']",
                "japanese"
            ]
        );
        let bare = json!({"title": "x"});
        let parts = [
            Slice::Venue,
            Slice::Script,
            Slice::Graded,
            Slice::Language,
            Slice::Family,
        ]
        .map(|slice| part(slice, &bare));
        assert_eq!(parts, ["?", "latin", "raw", "None", "no card"]);
    }

    #[test]
    fn the_text_is_the_one_of_the_reference() {
        let label = json!({"title": "a", "outcome": "match", "cards": ["b-1"], "number": "004"});
        let answer = json!({"title": "a", "outcome": {"type": "match"}, "parsed": {"number": "4"}, "matches": [{"cardId": "b-1", "confidence": 0.95}]});
        let (figures, _) = score(&[(&label, &answer)]);
        let expected = "
== all (1 titles)
  card_top1                    1.0000
  card_top5                    1.0000
  in_catalogue_titles          1
  false_refusal                0.0000
  ambiguous_titles             0
  ambiguous_top1_acceptable    -
  ambiguous_typed              -
  refusable_titles             0
  correct_refusal              -
  outcome_accuracy             1.0000
  ece                          0.0500
  brier                        0.0025
  auroc                        -
  precision_at_0.9             1.0000
  coverage_at_0.9              1.0000
  outcomes (label -> prediction): match -> match 1
  field           prec  recall      f1  support
  number        1.0000  1.0000  1.0000        1
";
        assert_eq!(section("all", &figures), expected);
        let json = report_json(&[("all".to_owned(), figures)]).expect("memory");
        assert!(
            json.starts_with("{\n \"all\": {\n  \"titles\": 1,\n  \"card_top1\": 1.0,\n"),
            "{json}"
        );
        assert!(json.ends_with("}\n"));
    }

    #[test]
    fn errors_are_one_line_with_spaces() {
        let label = json!({"title": "“é” \u{1}", "outcome": "match", "cards": ["b-2", "b-1"]});
        let (_, wrong) = score(&[(&label, &Value::Null)]);
        let line = on_one_line(&wrong[0]).expect("memory");
        let expected = r#"{"title": "“é” \u0001", "want": "match", "cards": ["b-1", "b-2"], "got": null, "top": null, "confidence": 0.0}"#;
        assert_eq!(line, expected);
    }
}
