//! The report: figures as text or JSON, and wrong titles one a line.

use super::ReportOptions;
use super::figures::{Figures, Wrong};
use crate::Failure;
use serde::Serializer;
use serde::ser::SerializeMap;
use serde_json::ser::{Formatter, PrettyFormatter};
use std::fmt::Write as _;
use std::io::{self, Write as _};

/// Prints the figures of each part, and the first of the wrong titles.
pub(super) fn print(
    report: &[(String, Figures)],
    wrong: &[Wrong],
    options: &ReportOptions,
) -> Result<(), Failure> {
    let mut text = if options.json {
        report_json(report)?
    } else {
        report
            .iter()
            .map(|(name, figures)| section(name, figures))
            .collect()
    };
    for wrong in wrong.iter().take(options.errors) {
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

/// JSON on one line, with a space after each comma and colon.
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

/// A figure with four decimals; `-` if there was nothing to count.
pub(super) fn figure(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.4}"))
}

/// The figures of one part, as text.
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
    use super::{on_one_line, report_json, section};
    use crate::score::figures::score;
    use serde_json::{Value, json};

    #[test]
    fn text_is_that_of_the_reference() {
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
  not_in_catalogue_precision   -
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
    fn wrong_titles_are_one_line_each_with_spaces() {
        let label = json!({"title": "“é” \u{1}", "outcome": "match", "cards": ["b-2", "b-1"]});
        let (_, wrong) = score(&[(&label, &Value::Null)]);
        let line = on_one_line(&wrong[0]).expect("memory");
        let expected = r#"{"title": "“é” \u0001", "want": "match", "cards": ["b-1", "b-2"], "got": null, "top": null, "confidence": 0.0}"#;
        assert_eq!(line, expected);
    }
}
