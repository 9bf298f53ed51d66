//! `titledex-lab catalogue tables`.

use crate::support::{fixture, run};
use std::fs;
use std::path::Path;

fn text(path: &Path) -> &str {
    path.to_str().expect("the path is UTF-8")
}

#[test]
fn tables_are_written_and_stable() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = folder.path().join("new/tables");
    let (cards, sets) = (fixture("cards.jsonl"), fixture("sets.jsonl"));
    let arguments = [
        "catalogue",
        "tables",
        "--cards",
        text(&cards),
        "--sets",
        text(&sets),
        "-o",
        text(&output),
    ];
    run(&arguments).ended(0);
    let read = |name: &str| fs::read_to_string(output.join(name)).expect("readable");
    let first = (read("cards.csv"), read("sets.csv"));
    assert!(
        first.0.lines().count() == 12 && first.1.lines().count() == 7,
        "{} {}",
        first.0,
        first.1
    );
    run(&arguments).ended(0);
    assert!(first == (read("cards.csv"), read("sets.csv")));
    assert_eq!(fs::read_dir(&output).expect("readable").count(), 2);
}
