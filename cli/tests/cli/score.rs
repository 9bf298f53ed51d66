//! `titledex score` gives the figures of the reference implementation, if that is available.

use crate::support::{run, run_on, shared, small_index};
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;

const SLICES: [&str; 6] = [
    "venue", "script", "graded", "numbered", "language", "family",
];

fn with_slices<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    let mut out = arguments.to_vec();
    for slice in SLICES {
        out.extend(["--slice", slice]);
    }
    out
}

/// The output of the reference; `None` if it or Python is missing.
fn reference(arguments: &[&str]) -> Option<String> {
    let script = shared("eval/score.py")?;
    let output = Command::new("python3")
        .arg(script)
        .args(arguments)
        .output()
        .ok()?;
    assert!(
        output.status.success(),
        "score.py: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    Some(String::from_utf8(output.stdout).expect("the output is UTF-8"))
}

/// Equal, but for the last digits of numbers: one Python adds up more exactly than another.
fn alike(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .all(|(key, value)| other.get(key).is_some_and(|other| alike(value, other)))
        }
        (Value::Number(one), Value::Number(other)) => one
            .as_f64()
            .zip(other.as_f64())
            .is_some_and(|(one, other)| (one - other).abs() < 1e-9),
        (one, other) => one == other,
    }
}

fn text(path: &Path) -> &str {
    path.to_str().expect("the path is UTF-8")
}

/// Answers to the titles of `labels`, in a file of `folder`.
fn predictions(labels: &Path, folder: &Path) -> std::path::PathBuf {
    let labels = fs::read_to_string(labels).expect("readable");
    let mut titles = String::new();
    for label in labels.lines() {
        let label: Value = serde_json::from_str(label).expect("a JSON object a line");
        titles.push_str(label["title"].as_str().expect("a title"));
        titles.push('\n');
    }
    let path = folder.join("predictions.jsonl");
    fs::write(&path, run_on(&["parse"], titles.as_bytes()).ended(0).out).expect("writable");
    path
}

#[test]
fn agrees_with_the_reference() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for name in ["titles/made.jsonl", "titles/dev.jsonl"] {
        let Some(labels) = shared(name) else {
            eprintln!("skipped: ../shared/{name} is not here");
            continue;
        };
        let answers = predictions(&labels, folder.path());
        let both = [text(&labels), text(&answers)];
        let plain = with_slices(&[both[0], both[1], "--errors", "1000"]);
        let Some(expected) = reference(&plain) else {
            eprintln!("skipped: score.py or python3 is not here");
            continue;
        };
        let ours = run(&[&["score"], plain.as_slice()].concat()).ended(0);
        assert!(
            ours.out == expected,
            "{name}: the text differs; ours:\n{}",
            ours.out
        );
        let parsed_here =
            run(&[&["score", both[0]], &with_slices(&["--errors", "1000"])[..]].concat()).ended(0);
        assert!(
            parsed_here.out == ours.out,
            "{name}: titles parsed here have other figures"
        );

        let json = with_slices(&[both[0], both[1], "--json"]);
        let expected: Value =
            serde_json::from_str(&reference(&json).expect("it ran before")).expect("JSON");
        let ours: Value =
            serde_json::from_str(&run(&[&["score"], json.as_slice()].concat()).ended(0).out)
                .expect("JSON");
        assert!(alike(&ours, &expected), "{name}: the JSON differs");
    }
}

const LABELS: &str = r#"
{"title": "Charizard 4/102", "outcome": "match", "cards": ["base1-4"], "number": "4", "total": ["102", "103"], "grade": null}
{"title": "it's \"odd\" PSA 9 é", "outcome": "not_in_catalogue", "cards": [], "grade": 9.0, "venue": "ebay"}

{"title": "gone", "outcome": "ambiguous", "cards": ["base1-4", "base4-4"], "many": true, "language": ["japanese", "korean"]}
{"title": "lot of 20", "outcome": "lot"}
"#;

const ANSWERS: &str = r#"
{"title": "Charizard 4/102", "outcome": {"type": "match"}, "matches": [{"cardId": "", "marketplaceId": "base1-4", "confidence": 0.91}], "parsed": {"number": "004", "total": 102, "grade": {"value": "9"}}}
{"title": "it's \"odd\" PSA 9 é", "outcome": {"type": "ambiguous"}, "matches": [{"cardId": "base4-4", "confidence": 0.12345}], "parsed": {"grade": {"value": "9"}}}
{"title": "lot of 20", "outcome": {"type": "match"}, "matches": [], "parsed": null}
{"title": "lot of 20", "outcome": {"type": "lot"}, "matches": null}
"#;

#[test]
fn agrees_with_the_reference_on_odd_values() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (labels, answers) = (
        folder.path().join("labels.jsonl"),
        folder.path().join("answers.jsonl"),
    );
    fs::write(&labels, LABELS).expect("writable");
    fs::write(&answers, ANSWERS).expect("writable");
    let arguments = with_slices(&[text(&labels), text(&answers), "--errors", "9"]);
    let ours = run(&[&["score"], arguments.as_slice()].concat()).ended(0);
    assert!(
        ours.err
            .contains("1 of 4 labelled titles have no prediction, the first: \"gone\""),
        "{}",
        ours.err
    );
    match reference(&arguments) {
        Some(expected) => assert_eq!(ours.out, expected),
        None => eprintln!("skipped: score.py or python3 is not here"),
    }
}

#[test]
fn gzip_labels_are_scored_without_predictions() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let labels = folder.path().join("labels.jsonl.gz");
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packer.write_all(LABELS.as_bytes()).expect("memory");
    fs::write(&labels, packer.finish().expect("memory")).expect("writable");
    let ran = run(&[
        "score",
        text(&labels),
        "--json",
        "--catalogue",
        small_index(),
    ])
    .ended(0);
    let report: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(report["all"]["titles"], 4);
    assert_eq!(report["all"]["card_top1"], 1.0);
}

/// Labels, or objects of chosen columns, have an outcome that is text: they would score nothing.
#[test]
fn predictions_that_are_no_answers_are_refused_with_file_and_line() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [labels, answers] = ["labels.jsonl", "answers.jsonl"].map(|name| folder.path().join(name));
    fs::write(&labels, LABELS).expect("writable");
    let ran = run(&["score", text(&labels), text(&labels)]).ended(1);
    let expected = "labels.jsonl:2: an answer without `outcome.type`";
    assert!(
        ran.out.is_empty() && ran.err.contains(expected),
        "{}",
        ran.err
    );
    let good = "{\"title\":\"x\",\"outcome\":{\"type\":\"lot\"}}";
    for bad in ["{\"title\":\"y\"}", "{\"title\":\"y\",\"outcome\":\"lot\"}"] {
        fs::write(&answers, format!("{good}\n\n{bad}\n")).expect("writable");
        let ran = run(&["score", text(&labels), text(&answers)]).ended(1);
        let expected = "answers.jsonl:3: an answer without `outcome.type`";
        assert!(ran.err.contains(expected), "{}", ran.err);
    }
}

#[test]
fn bad_labels_are_refused_with_file_and_line() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let labels = folder.path().join("labels.jsonl");
    let cases: [(&[u8], &str); 7] = [
        (b"\n", "labels.jsonl has no label"),
        (
            b"{\"title\": \"x\", \"outcome\": \"frob\"}\n",
            "labels.jsonl:1: \"frob\" is no outcome",
        ),
        (
            b"{\"title\": \"x\", \"outcome\": \"lot\"}\n{\"title\": \n",
            "labels.jsonl:2:10: the line ends within its JSON",
        ),
        (
            b"{\"title\": \"x\"}\n",
            "labels.jsonl:1: a label without `outcome`",
        ),
        (b"\n[1]\n", "labels.jsonl:2: not a JSON object"),
        (b"\nnot\n", "labels.jsonl:2:2: not JSON from here on"),
        (
            b"\n\n\xff\n",
            "labels.jsonl:3: byte 2 of the file is not UTF-8",
        ),
    ];
    for (bytes, expected) in cases {
        fs::write(&labels, bytes).expect("writable");
        let ran = run(&["score", text(&labels), "--catalogue", small_index()]).ended(1);
        assert!(ran.err.contains(expected), "{}", ran.err);
    }
}

#[test]
fn labels_of_unknown_cards_are_counted() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let labels = folder.path().join("labels.jsonl");
    let label = r#"{"title": "Abra 43/102", "outcome": "match", "cards": ["nosuch-1"]}"#;
    fs::write(&labels, format!("{label}\n")).expect("writable");
    let ran = run(&["score", text(&labels), "--catalogue", small_index()]).ended(0);
    let expected =
        "labels of one card that name none of the catalogue: 1, the first is of Abra 43/102";
    assert!(ran.err.contains(expected), "{}", ran.err);
}
