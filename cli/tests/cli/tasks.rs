//! The pages of docs/tasks, as they are printed, each in an empty folder. The tracker's needs the
//! Python package: python/tests runs it.

use crate::support::shell;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// The fenced blocks of a page: language and text.
fn blocks(page: &str) -> Vec<(&str, String)> {
    let mut blocks = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let Some(language) = line.strip_prefix("```") else {
            continue;
        };
        let mut text = String::new();
        for line in lines.by_ref().take_while(|line| *line != "```") {
            let _ = writeln!(text, "{line}");
        }
        blocks.push((language, text));
    }
    blocks
}

/// Follows a page in `folder`: programs are written to the files of their first lines, and commands
/// run in order. Returns what each block of commands printed.
fn follow(page: &str, folder: &Path) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../docs/tasks")
        .join(page);
    let page = fs::read_to_string(path).expect("the page is there");
    let mut printed = Vec::new();
    for (language, text) in blocks(&page) {
        match language {
            "python" => {
                let name = text
                    .strip_prefix("# ")
                    .and_then(|rest| rest.split_once(", run by: "))
                    .expect("the first line names the file")
                    .0;
                fs::write(folder.join(name), &text).expect("writable");
            }
            "sh" => {
                let ran = shell(&text, folder);
                assert_eq!(ran.code, Some(0), "{text}\n{}\n{}", ran.out, ran.err);
                printed.push(ran.out);
            }
            other => panic!("no rule for a block of {other:?}"),
        }
    }
    printed
}

#[test]
fn collector_learns_what_the_box_is_worth() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let printed = follow("collector.md", folder.path());
    assert!(printed[0].contains("Shadowless Holofoil") && printed[0].contains("settled by"));
    let worth = printed.last().expect("it prints");
    for line in [
        "1 x Charizard 4/102, Base Set: 310.00",
        "3 x Pikachu 58/102, Base Set: 37.50",
        "graded PSA 9",
        "Evolving Skies booster box sealed: sealed",
    ] {
        assert!(worth.contains(line), "no {line:?} in\n{worth}");
    }
}

#[test]
fn seller_mends_ambiguous_titles() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let printed = follow("seller.md", folder.path());
    let lines = |name: &str| {
        let text = fs::read_to_string(folder.path().join(name)).expect("written");
        text.lines().count() - 1
    };
    assert_eq!(lines("listings.csv"), 500);
    assert_eq!(lines("answers.csv"), 500);
    let (before, after) = (lines("listings.left.csv"), lines("mended.left.csv"));
    assert_eq!(before, lines("ask.csv"));
    assert!(
        before > 50 && after < before / 2,
        "{before} before, {after} after"
    );
    assert!(
        printed[2].contains("ask.csv") || printed[2].contains(": "),
        "{}",
        printed[2]
    );
    let (sold, looked_at) = (lines("upload.csv"), lines("look.csv"));
    assert_eq!(sold + looked_at, 500);
    assert!(sold > 300, "{sold} are placed");
    let last = printed.last().expect("it prints");
    assert!(
        last.contains("C:Card Name") && last.contains("sealed"),
        "{last}"
    );
}

#[test]
fn data_scientist_finds_a_threshold_and_its_calibration() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let printed = follow("data-scientist.md", folder.path());
    assert!(
        printed[1].contains("== all (400 titles)") && printed[1].contains("{name} {set} holo"),
        "{}",
        printed[1]
    );
    let threshold = &printed[3];
    assert!(
        threshold.lines().count() == 8 && threshold.contains("of the other 200 titles"),
        "{threshold}"
    );
    let calibration = printed.last().expect("it prints");
    let error: f64 = calibration
        .rsplit_once("error ")
        .and_then(|(_, error)| error.trim().parse().ok())
        .expect("the page prints the error");
    assert!(error < 0.15, "{calibration}");
    let drawn = fs::read_to_string(folder.path().join("calibration.svg")).expect("drawn");
    assert!(drawn.matches("<circle").count() >= 5, "{drawn}");
}
