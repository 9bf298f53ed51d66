//! What the tests share: the engine on the embedded catalogue, files of the repository, and the floors that only rise.

#![allow(dead_code, reason = "each test uses its part")]

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::thread;
use std::time::Duration;
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

/// Rows of a dictionary file, its columns given by name.
pub(crate) fn dictionary(file: &str, columns: &[&str]) -> Vec<Vec<String>> {
    let text = read(Path::new("dictionaries").join(file));
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().expect("the file has a header").clone();
    let at = |name: &&str| {
        header
            .iter()
            .position(|h| h == *name)
            .unwrap_or_else(|| panic!("dictionaries/{file} has no column `{name}`"))
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

/// Whether the caller accepts what is measured now (`UPDATE=1`).
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
    /// What is judged.
    pub(crate) expect: Value,
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
                    }
                })
                .collect();
            (file, rows)
        })
        .collect()
}

const FLOORS: &str = "fixtures/floors.csv";
const FLOORS_HEADER: &str = "file,rows_right_percent";

/// The floors by name, in per mille so that they compare exactly.
fn floors() -> BTreeMap<String, u32> {
    let Ok(text) = fs::read_to_string(root().join(FLOORS)) else {
        return BTreeMap::new();
    };
    let mut lines = text.lines();
    assert_eq!(
        lines.next(),
        Some(FLOORS_HEADER),
        "{FLOORS}:1: another header"
    );
    lines
        .enumerate()
        .map(|(at, line)| {
            let row = line.rsplit_once(',').and_then(|(name, percent)| {
                let (whole, tenth) = percent.split_once('.')?;
                Some((
                    name.to_owned(),
                    whole.parse::<u32>().ok()? * 10
                        + tenth.parse::<u32>().ok().filter(|t| *t < 10)?,
                ))
            });
            row.unwrap_or_else(|| {
                panic!(
                    "{FLOORS}:{}: a name, a comma and a percentage with one decimal are expected",
                    at + 2
                )
            })
        })
        .collect()
}

/// A measured share, to be held against its floor.
pub(crate) struct Share<'n> {
    /// Name of the floor: a fixture file, or a check.
    pub(crate) name: &'n str,
    /// How many are right.
    pub(crate) right: usize,
    /// Of how many.
    pub(crate) all: usize,
}

impl Share<'_> {
    /// Per mille, rounded down.
    fn per_mille(&self) -> u32 {
        (self.right * 1000)
            .checked_div(self.all)
            .map_or(1000, |share| share as u32)
    }
}

/// Holds shares against their floors. With `UPDATE=1` a floor rises to what was measured; none ever falls.
pub(crate) fn hold(shares: &[Share<'_>]) {
    if update() {
        raise(shares);
    }
    let floors = floors();
    let mut below = Vec::new();
    for share in shares {
        let measured = share.per_mille();
        let shown = |per_mille: u32| format!("{}.{} %", per_mille / 10, per_mille % 10);
        match floors.get(share.name) {
            None => below.push(format!(
                "{}: no floor in {FLOORS}; UPDATE=1 sets it to {}",
                share.name,
                shown(measured)
            )),
            Some(&floor) if measured < floor => {
                below.push(format!(
                    "{}: {} of {} right, {}; the floor is {}",
                    share.name,
                    share.right,
                    share.all,
                    shown(measured),
                    shown(floor)
                ));
            }
            Some(_) => {}
        }
    }
    assert!(
        below.is_empty(),
        "below the floor:\n  {}",
        below.join("\n  ")
    );
}

/// Writes higher floors; a lock file keeps tests that run side by side from losing each other's.
fn raise(shares: &[Share<'_>]) {
    let lock = root().join("fixtures/floors.lock");
    let held = (0..200).any(|_| {
        let made = fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&lock)
            .is_ok();
        if !made {
            thread::sleep(Duration::from_millis(50));
        }
        made
    });
    assert!(
        held,
        "{} is held: remove it if no other test runs",
        lock.display()
    );
    let mut floors = floors();
    for share in shares {
        let floor = floors.entry(share.name.to_owned()).or_default();
        *floor = share.per_mille().max(*floor);
    }
    let mut text = format!("{FLOORS_HEADER}\n");
    for (name, floor) in floors {
        text.push_str(&format!("{name},{}.{}\n", floor / 10, floor % 10));
    }
    fs::write(root().join(FLOORS), text).expect("the floors can be written");
    fs::remove_file(&lock).expect("the lock can be removed");
}
