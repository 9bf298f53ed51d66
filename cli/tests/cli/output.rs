//! `titledex parse --output`: answers in a file.

use crate::support::{run, small_index};
use std::fs;

#[test]
fn answers_go_to_a_file_that_is_not_an_input() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    fs::write(path("in.txt"), "x\ny\n").expect("writable");
    let whole = run(&[
        "parse",
        "--catalogue",
        small_index(),
        "--input",
        &path("in.txt"),
    ])
    .ended(0)
    .out;
    fs::write(path("out.jsonl"), "old ".repeat(10_000)).expect("writable");
    let ran = run(&[
        "parse",
        "--catalogue",
        small_index(),
        "--input",
        &path("in.txt"),
        "--output",
        &path("out.jsonl"),
    ])
    .ended(0);
    assert_eq!(
        (
            ran.out.as_str(),
            fs::read_to_string(path("out.jsonl")).expect("written")
        ),
        ("", whole.clone())
    );
    run(&[
        "parse",
        "--catalogue",
        small_index(),
        "x",
        "y",
        "-o",
        &path("out2.jsonl"),
    ])
    .ended(0);
    assert_eq!(
        fs::read_to_string(path("out2.jsonl")).expect("written"),
        whole
    );
    let ran = run(&[
        "parse",
        "--catalogue",
        small_index(),
        "--input",
        &path("in.txt"),
        "-o",
        &path("in.txt"),
    ])
    .ended(1);
    assert!(ran.err.contains("overwrite an input"), "{}", ran.err);
    let ran = run(&[
        "parse",
        "--catalogue",
        small_index(),
        "--input",
        &path("in.txt"),
        "-o",
        &path("no/such"),
    ])
    .ended(1);
    assert!(ran.err.contains("no/such"), "{}", ran.err);
    let left: Vec<_> = fs::read_dir(folder.path())
        .expect("readable")
        .map(|entry| entry.expect("readable").file_name())
        .collect();
    assert_eq!(left.len(), 3, "{left:?}");
}

#[test]
fn parquet_output_is_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = folder.path().join("answers.parquet");
    let path = output.to_str().expect("UTF-8");
    let ran = run(&["parse", "--catalogue", small_index(), "x", "-o", path]).ended(1);
    assert!(
        ran.err.contains("answers.parquet") && ran.err.contains("--format"),
        "{}",
        ran.err
    );
    assert!(!output.exists());
}
