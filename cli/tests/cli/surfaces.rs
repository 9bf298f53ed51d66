//! What the command, the service, the browser's pages and Python say alike, each in its own words.
//! None of them is built from another, so this reads what stands in each.

use crate::support::{Ran, repository, run};
use serde_json::Value;
use std::fs;
use std::process::Command;

/// A file of the repository.
fn read(path: &str) -> String {
    let text = fs::read_to_string(repository(path));
    text.unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The first whole number behind `sign` in a file.
fn number_in(path: &str, sign: &str) -> u64 {
    let text = read(path);
    let behind = text.split_once(sign).map(|(_, behind)| behind);
    let behind = behind.unwrap_or_else(|| panic!("{path} has no `{sign}`"));
    let digits = behind.find(|c: char| !c.is_ascii_digit());
    let digits = &behind[..digits.unwrap_or(behind.len())];
    let number = digits.parse();
    number.unwrap_or_else(|_| panic!("{path}: no number behind `{sign}`"))
}

/// The words in quotes between two texts of a file: of each quote its words.
fn quoted_in(path: &str, [begin, end]: [&str; 2]) -> Vec<String> {
    let text = read(path);
    let part = text.split_once(begin).and_then(|(_, behind)| {
        let (part, _) = behind.split_once(end)?;
        Some(part)
    });
    let part = part.unwrap_or_else(|| panic!("{path} has no `{begin}` … `{end}`"));
    let quotes = part.split('"').skip(1).step_by(2);
    quotes
        .flat_map(|words| words.split(' ').map(str::to_owned))
        .collect()
}

/// The description of the service's interface.
fn openapi() -> Value {
    serde_json::from_str(&read("server/openapi.json")).expect("it is JSON")
}

#[test]
fn most_suggestions_are_the_same_everywhere() {
    let most = titledex::Options::MAX_SUGGESTIONS as u64;
    for (path, sign) in [
        ("wasm/src/options.rs", "At most this many cards, 1 to "),
        ("wasm/package/README.md", "`maxSuggestions` (1 to "),
        (
            "python/titledex/_matcher.py",
            ":param max_suggestions: the most cards in an answer, 1 to ",
        ),
        ("docs/SERVICE.md", "(default 5, 1 to "),
    ] {
        assert_eq!(number_in(path, sign), most, "{path}: {sign}");
    }
    let asked = &openapi()["components"]["schemas"]["ReadingOptions"];
    let maximum = &asked["properties"]["maxSuggestions"]["maximum"];
    assert_eq!(maximum, most, "server/openapi.json: {asked}");
    let with = |count: u64| {
        let count = count.to_string();
        run(&["parse", "--max-suggestions", &count, "--", "Pikachu"])
    };
    with(most).ended(0);
    with(most + 1).ended(2);
    let help = run(&["parse", "--help"]).ended(0).out;
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    let said = format!("Suggest at most this many cards for a title, 1 to {most}");
    assert!(help.contains(&said), "{help}");
}

/// The service's interface takes its outcomes from the core's type; the command and the pages list
/// them.
#[test]
fn outcomes_are_listed_alike() {
    let openapi = openapi();
    let outcomes: Vec<&str> = openapi["components"]["schemas"]["OutcomeType"]["enum"]
        .as_array()
        .expect("it lists outcomes")
        .iter()
        .map(|outcome| outcome.as_str().expect("a name"))
        .collect();
    let all = outcomes.join(",");
    run(&["parse", "--only", &all, "--", "Pikachu"]).ended(0);
    let help = run(&["parse", "--help"]).ended(0).out;
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    let said = format!("commas between them: {}", outcomes.join(", "));
    assert!(help.contains(&said), "{help}");
    let words = read("wasm/playground/ui/words.js");
    let (_, behind) = words
        .split_once("export const OUTCOMES = {")
        .expect("the pages have words for outcomes");
    let (named, _) = behind.split_once('}').expect("they end");
    let named: Vec<&str> = named
        .lines()
        .filter_map(|line| line.trim().split_once(':'))
        .map(|(outcome, _)| outcome)
        .collect();
    assert_eq!(named, outcomes, "wasm/playground/ui/words.js");
}

/// The titles of the golden rows that are one line.
fn golden_titles() -> Vec<String> {
    let folder = fs::read_dir(repository("fixtures/golden")).expect("it is there");
    let mut files: Vec<_> = folder.map(|file| file.expect("a file").path()).collect();
    files.sort();
    let rows = files.iter().flat_map(|file| {
        let text = fs::read_to_string(file).expect("it is text");
        let rows = text.lines().map(serde_json::from_str::<Value>);
        rows.collect::<Result<Vec<_>, _>>().expect("rows of JSON")
    });
    rows.filter_map(|row| row["title"].as_str().map(str::to_owned))
        .filter(|title| !title.contains(['\n', '\r']))
        .collect()
}

/// The playground's CSV is the command's, byte for byte: its columns, and what would settle an
/// ambiguous title.
#[test]
fn csv_of_the_playground_is_that_of_the_command() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let titles = folder.path().join("titles.txt");
    fs::write(&titles, golden_titles().join("\n")).expect("writable");
    let titles = titles.to_str().expect("the path is UTF-8");
    let of = |format: &str| run(&["parse", "-i", titles, "-f", format]).ended(0).out;
    let expected = of("csv");
    let header = expected.lines().next().expect("a header");
    let columns = quoted_in("wasm/playground/export.js", ["COLUMNS = [", "].flatMap("]);
    assert_eq!(columns.join(","), header);
    let mut rows = csv::Reader::from_reader(expected.as_bytes());
    let settled = columns.iter().position(|name| name == "settledBy");
    let settled = settled.expect("it is a column");
    let values = rows.records().filter(|row| {
        let row = row.as_ref().expect("a row");
        row[settled].contains(" | ")
    });
    assert!(
        values.count() > 50,
        "few titles have values to choose among"
    );
    let path = folder.path().join("answers.json");
    fs::write(&path, of("json")).expect("writable");
    let script = format!(
        "import {{ readFileSync }} from 'node:fs';
         import {{ toCsv }} from {module};
         const answers = JSON.parse(readFileSync({path}, 'utf8'));
         process.stdout.write(toCsv(answers.map((answer) => ({{ answer }}))));",
        module = Value::from(repository("wasm/playground/export.js").to_str()),
        path = Value::from(path.to_str()),
    );
    let mut node = Command::new("node");
    let Ok(output) = node.args(["--input-type=module", "-e", &script]).output() else {
        eprintln!("no Node: the playground's CSV is not held against the command's");
        return;
    };
    let made = Ran::from(output).ended(0).out;
    for (made, expected) in made.lines().zip(expected.lines()) {
        assert_eq!(made, expected);
    }
    assert_eq!(made.len(), expected.len());
}
