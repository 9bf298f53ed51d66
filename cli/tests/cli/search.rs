//! `titledex search`: cards by what people type into a search box.

use crate::support::{run, small_index};

fn search(args: &[&str]) -> crate::support::Ran {
    run(&[&["search", "--catalogue", small_index()], args].concat())
}

#[test]
fn table_has_a_heading_and_a_line_for_each_card() {
    let ran = search(&["charizard", "4/102", "--format", "table"]).ended(0);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert!(lines[0].starts_with("CARD "), "{}", ran.out);
    assert!(
        lines[1].starts_with("base1-4 ") && lines[1].contains("4/102"),
        "{}",
        ran.out
    );
    assert!(
        lines[1].ends_with("Base Set") || lines[1].ends_with("Base"),
        "{}",
        ran.out
    );
}

#[test]
fn json_lines_are_the_objects_that_catalogue_show_prints() {
    let found = search(&["charizard 4/102", "--format", "jsonl", "--max", "1"])
        .ended(0)
        .answers();
    let shown = run(&["catalogue", "show", "base1-4", "--catalogue", small_index()]).ended(0);
    assert_eq!(
        found,
        [serde_json::from_str::<serde_json::Value>(&shown.out).expect("JSON")]
    );
}

#[test]
fn results_are_limited_to_sets_regions_and_a_number() {
    let ids = |args: &[&str]| -> Vec<String> {
        search(&[&["charizard", "--format", "jsonl"], args].concat())
            .ended(0)
            .answers()
            .iter()
            .map(|card| card["id"].as_str().unwrap_or_default().to_owned())
            .collect()
    };
    let all = ids(&[]);
    assert!(all.len() > 1, "{all:?}");
    assert_eq!(ids(&["--max", "1"]), all[..1]);
    assert_eq!(ids(&["--set", "base1"]), ["base1-4"]);
    assert!(ids(&["--language", "english"]).contains(&"base1-4".to_owned()));
    let japanese = ids(&["--language", "japanese"]);
    assert!(!japanese.is_empty() && !japanese.contains(&"base1-4".to_owned()));
    let asian = ids(&["--region", "asia"]);
    let international = ids(&["--region", "international"]);
    assert!(asian.iter().all(|id| !international.contains(id)));
    assert_eq!(asian.len() + international.len(), all.len());
}

#[test]
fn no_match_is_reported_and_is_not_a_failure() {
    let ran = search(&["zzzzqqqq"]).ended(0);
    assert_eq!(ran.out, "");
    assert!(ran.err.contains("no card matches"), "{}", ran.err);
}

#[test]
fn bad_queries_are_refused_with_a_remedy() {
    assert!(search(&[" "]).ended(2).err.contains("name a card"));
    assert!(
        search(&[&"x".repeat(5_000)])
            .ended(2)
            .err
            .contains("shorten")
    );
    assert!(
        search(&["x", "--set", "nowhere"])
            .ended(1)
            .err
            .contains("no set nowhere")
    );
    let ran = search(&["charizard", "--language", "latin"]).ended(1);
    assert!(ran.err.contains("english, japanese"), "{}", ran.err);
    let ran = search(&["charizard", "--region", "europe"]).ended(1);
    assert!(ran.err.contains("asia, international"), "{}", ran.err);
    search(&["x", "--max", "0"]).ended(2);
}
