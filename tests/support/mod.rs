//! Shared by the tests: the engine on the embedded catalogue, files of the repository, and known
//! failures.

#![allow(dead_code, reason = "each test uses its part")]

use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use titledex::Engine;
use titledex::internals::build::{input, rows::Rows};

/// The folder of the repository.
pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The text of a file of the repository.
pub(crate) fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The engine on the embedded catalogue.
pub(crate) fn engine() -> &'static Engine {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    ENGINE.get_or_init(|| {
        let catalogue = titledex_embedded::catalogue().expect("the embedded catalogue opens");
        Engine::new(catalogue)
    })
}

/// The eleven cards of `fixtures/catalogue-small` and their sets.
pub(crate) fn small_rows() -> Rows {
    let mut rows = Rows::default();
    let read = |file: &str| {
        fs::read(root().join("fixtures/catalogue-small").join(file)).expect("the fixture is there")
    };
    input::jsonl_cards("cards.jsonl", &read("cards.jsonl"), &mut rows)
        .expect("the cards are well formed");
    input::jsonl_sets("sets.jsonl", &read("sets.jsonl"), &mut rows)
        .expect("the sets are well formed");
    rows
}

/// The rows of the embedded catalogue.
pub(crate) fn rows() -> &'static Rows {
    static ROWS: OnceLock<Rows> = OnceLock::new();
    ROWS.get_or_init(|| {
        let cards = fs::read(root().join("embedded/tables/cards.csv")).expect("cards.csv is there");
        let sets = fs::read(root().join("embedded/tables/sets.csv")).expect("sets.csv is there");
        input::tables(
            ("embedded/tables/cards.csv", &cards),
            ("embedded/tables/sets.csv", &sets),
        )
        .expect("the tables are well formed")
    })
}

/// Rows of a dictionary file that every game shares, or of the first game's; its columns given by
/// name.
pub(crate) fn dictionary(file: &str, columns: &[&str]) -> Vec<Vec<String>> {
    let shared = Path::new("dictionaries/common").join(file);
    let own = Path::new("dictionaries/pokemon").join(file);
    let path = if root().join(&shared).exists() {
        shared
    } else {
        own
    };
    table(path, columns)
}

/// Rows of a CSV file of the repository; its columns given by name.
pub(crate) fn table(path: impl AsRef<Path>, columns: &[&str]) -> Vec<Vec<String>> {
    let file = path.as_ref().display();
    let text = read(&path);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().expect("the file has a header").clone();
    let at = |name: &&str| {
        header
            .iter()
            .position(|h| h == *name)
            .unwrap_or_else(|| panic!("{file} has no column `{name}`"))
    };
    let at: Vec<usize> = columns.iter().map(at).collect();
    reader
        .records()
        .map(|r| r.expect("the file is well formed"))
        .map(|r| at.iter().map(|&i| r[i].to_owned()).collect())
        .collect()
}

/// The entries of a list cell.
pub(crate) fn list(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('|')
        .map(str::trim)
        .filter(|entry| !entry.is_empty())
}

/// Whether the caller accepts the new values (`UPDATE=1`).
pub(crate) fn update() -> bool {
    std::env::var_os("UPDATE").is_some_and(|value| value == "1")
}

/// Whether the caller wants every difference (`VERBOSE=1`).
pub(crate) fn verbose() -> bool {
    std::env::var_os("VERBOSE").is_some_and(|value| value == "1")
}

/// One row of `fixtures/golden` or `fixtures/negative`.
pub(crate) struct Fixture {
    /// Line in its file, from 1.
    pub(crate) line: usize,
    /// The title.
    pub(crate) title: String,
    /// The trap that it holds.
    pub(crate) why: String,
    /// The expected values.
    pub(crate) expect: Value,
    /// The general fact that is missing, if the row is known to be read wrongly.
    pub(crate) known: Option<String>,
    /// The fields that are wrong for want of it.
    pub(crate) wrong: Vec<String>,
}

/// All fixture files by name (`golden/slabs.jsonl`), in order, with their rows.
pub(crate) fn fixtures() -> Vec<(String, Vec<Fixture>)> {
    let mut files = Vec::new();
    for folder in ["golden", "negative"] {
        let entries =
            fs::read_dir(root().join("fixtures").join(folder)).expect("the folder is there");
        for entry in entries {
            let name = entry
                .expect("the folder can be listed")
                .file_name()
                .to_string_lossy()
                .into_owned();
            if name.ends_with(".jsonl") {
                files.push(format!("{folder}/{name}"));
            }
        }
    }
    files.sort();
    files
        .into_iter()
        .map(|file| {
            let text = read(Path::new("fixtures").join(&file));
            let rows = text
                .lines()
                .enumerate()
                .filter(|(_, line)| !line.trim().is_empty());
            let rows = rows
                .map(|(at, line)| {
                    let row: Value = serde_json::from_str(line)
                        .unwrap_or_else(|error| panic!("fixtures/{file}:{}: {error}", at + 1));
                    let text = |key: &str| {
                        let value = row[key]
                            .as_str()
                            .unwrap_or_else(|| panic!("fixtures/{file}:{}: no `{key}`", at + 1));
                        value.to_owned()
                    };
                    assert!(
                        row["expect"].is_object(),
                        "fixtures/{file}:{}: no `expect`",
                        at + 1
                    );
                    Fixture {
                        line: at + 1,
                        title: text("title"),
                        why: text("why"),
                        expect: row["expect"].clone(),
                        known: row.get("known").map(|_| text("known")),
                        wrong: match &row["wrong"] {
                            Value::Null => Vec::new(),
                            Value::Array(fields) => {
                                let fields = fields.iter().filter_map(Value::as_str);
                                fields.map(str::to_owned).collect()
                            }
                            _ => panic!("fixtures/{file}:{}: `wrong` is no list", at + 1),
                        },
                    }
                })
                .collect();
            (file, rows)
        })
        .collect()
}

/// Compares what goes wrong now with what `place` lists as known, and fails for each difference.
///
/// A failure that is not listed is new. A listed one that no longer fails has come right, and its
/// entry must be removed.
pub(crate) fn hold_known<'a>(
    place: &str,
    wrong: impl IntoIterator<Item = &'a str>,
    known: impl IntoIterator<Item = &'a str>,
) {
    let wrong: BTreeSet<&str> = wrong.into_iter().collect();
    let known: BTreeSet<&str> = known.into_iter().collect();
    let mut problems = Vec::new();
    for new in wrong.difference(&known) {
        problems.push(format!("wrong, and not known to be: {new}"));
    }
    for right in known.difference(&wrong) {
        problems.push(format!(
            "has come right (remove it from what is known): {right}"
        ));
    }
    assert!(
        problems.is_empty(),
        "{place}: {} differences\n  {}",
        problems.len(),
        problems.join("\n  ")
    );
}
