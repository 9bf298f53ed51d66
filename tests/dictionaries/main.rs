//! The files of `dictionaries/`: their form, and that no two rows contradict each other.
//!
//! `UPDATE=1` rewrites files to canonical form and brings the readings in `ambiguous.csv` up to
//! date; what only a person can decide (an alias with two meanings in one file, a dead reference)
//! is listed.

mod references;
#[path = "../support/mod.rs"]
mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::OnceLock;
use support::{list, read, root, update};
use titledex::internals::dictionary::spellings;
use titledex::internals::token::key_of;
use unicode_normalization::UnicodeNormalization;

/// Columns whose cells are lists.
const LISTS: [&str; 6] = [
    "aliases",
    "with",
    "readings",
    "scale",
    "points",
    "catalogue",
];
/// Files whose aliases are written by sellers in any place of a title, so that they compete.
const COMPETING: [&str; 14] = [
    "conditions.csv",
    "games.csv",
    "grade_labels.csv",
    "grade_phrases.csv",
    "graders.csv",
    "japanese_terms.csv",
    "languages.csv",
    "listing_kinds.csv",
    "name_affixes.csv",
    "noise.csv",
    "printings.csv",
    "rarities.csv",
    "sealed.csv",
    "set_aliases.csv",
];

/// One dictionary file.
struct File {
    /// Its name: with its folder if that is of another game than the first.
    name: String,
    /// Where it lies in `dictionaries/`.
    path: String,
    text: String,
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl File {
    fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|c| c == name)
    }

    /// The cell of `row` in a column that the file has.
    fn cell<'r>(&self, row: &'r [String], column: &str) -> &'r str {
        let at = self
            .column(column)
            .unwrap_or_else(|| panic!("dictionaries/{} has no column `{column}`", self.name));
        &row[at]
    }

    /// Aliases with their keys, those with each word that they need beside them. An alias without
    /// letters or digits has no key and is skipped.
    fn aliases<'r>(&self, row: &'r [String]) -> Vec<(&'r str, String)> {
        let with = self.column("with").map_or("", |at| &row[at]);
        let with: Vec<&str> = list(with).collect();
        list(self.cell(row, "aliases"))
            .flat_map(|alias| {
                let spelled = spellings(alias, &with).into_iter();
                spelled.map(move |spelled| (alias, key_of(&spelled)))
            })
            .filter(|(_, key)| !key.is_empty())
            .collect()
    }

    /// The columns that make two rows of one meaning differ: all but aliases, language and note.
    fn meaning(&self, row: &[String]) -> Vec<String> {
        let passed_over = ["aliases", "language", "note"];
        self.columns
            .iter()
            .zip(row)
            .filter(|(column, _)| !passed_over.contains(&column.as_str()))
            .map(|(_, cell)| cell.clone())
            .collect()
    }
}

fn files() -> &'static [File] {
    static FILES: OnceLock<Vec<File>> = OnceLock::new();
    FILES.get_or_init(|| {
        let listed = |folder: &str| {
            let entries = fs::read_dir(root().join("dictionaries").join(folder));
            let name = |entry: std::io::Result<fs::DirEntry>| {
                let entry = entry.expect("the folder can be listed").file_name();
                entry.to_string_lossy().into_owned()
            };
            let mut names: Vec<String> = entries.expect("the folder is there").map(name).collect();
            names.sort();
            names
        };
        let csv = |name: &String| name.ends_with(".csv");
        let mut paths: Vec<String> = listed(".").into_iter().filter(csv).collect();
        for folder in listed(".").iter().filter(|name| !name.contains('.')) {
            let own = listed(folder).into_iter().filter(csv);
            paths.extend(own.map(|name| format!("{folder}/{name}")));
        }
        paths.into_iter().map(load).collect()
    })
}

fn load(path: String) -> File {
    let name = ["common/", "pokemon/"]
        .iter()
        .find_map(|folder| path.strip_prefix(folder))
        .unwrap_or(&path)
        .to_owned();
    let text = read(format!("dictionaries/{path}"));
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(false)
        .from_reader(text.as_bytes());
    let mut rows: Vec<Vec<String>> = Vec::new();
    for record in reader.records() {
        let record = record.unwrap_or_else(|error| panic!("dictionaries/{name}: {error}"));
        rows.push(record.iter().map(str::to_owned).collect());
    }
    assert!(!rows.is_empty(), "dictionaries/{name} has no header");
    let columns = rows.remove(0);
    File {
        name,
        path,
        text,
        columns,
        rows,
    }
}

fn file(name: &str) -> &'static File {
    files()
        .iter()
        .find(|file| file.name == name)
        .unwrap_or_else(|| panic!("dictionaries/{name} is missing"))
}

/// Fails with the list of what is wrong.
fn none(what: &str, mut wrong: Vec<String>) {
    wrong.sort();
    wrong.dedup();
    assert!(
        wrong.is_empty(),
        "{what} ({}):\n  {}",
        wrong.len(),
        wrong.join("\n  ")
    );
}

#[test]
fn headers_are_those_of_the_readme() {
    let readme = read("dictionaries/README.md");
    let mut stated: BTreeMap<&str, &str> = BTreeMap::new();
    for line in readme.lines() {
        let Some(rest) = line.strip_prefix("| `") else {
            continue;
        };
        let Some((name, rest)) = rest.split_once("` | `") else {
            continue;
        };
        let Some((columns, _)) = rest.split_once('`') else {
            continue;
        };
        if name.ends_with(".csv") {
            stated.insert(name, columns);
        }
    }
    let mut wrong = Vec::new();
    let mut described: BTreeSet<&str> = BTreeSet::new();
    for file in files() {
        // every game's file of one name has the same columns
        let base = file.name.rsplit('/').next().unwrap_or(&file.name);
        described.insert(base);
        match stated.get(base).copied() {
            None => wrong.push(format!("{}: not in dictionaries/README.md", file.name)),
            Some(columns) if columns != file.columns.join(",") => {
                wrong.push(format!(
                    "{}: columns are `{}`, but `{columns}` in the README",
                    file.name,
                    file.columns.join(",")
                ));
            }
            Some(_) => {}
        }
    }
    wrong.extend(
        stated
            .keys()
            .filter(|name| !described.contains(**name))
            .map(|name| format!("{name}: in dictionaries/README.md, but the file is missing")),
    );
    none("headers", wrong);
}

/// The file as it ought to be written.
fn canonical(file: &File) -> String {
    let mut rows: Vec<Vec<String>> = file.rows.clone();
    for row in &mut rows {
        for (column, cell) in file.columns.iter().zip(row.iter_mut()) {
            let text: String = cell.trim().nfc().collect();
            *cell = if LISTS.contains(&column.as_str()) {
                let mut entries: Vec<&str> = Vec::new();
                for entry in list(&text) {
                    if !entries.contains(&entry) {
                        entries.push(entry);
                    }
                }
                entries.join("|")
            } else {
                text
            };
        }
    }
    if file.columns.first().is_some_and(|c| c == "number") {
        rows.sort_by_key(|row| row[0].parse::<u16>().unwrap_or(u16::MAX));
    } else {
        rows.sort();
    }
    rows.dedup();
    written(&file.columns, &rows)
}

fn written(columns: &[String], rows: &[Vec<String>]) -> String {
    let mut writer = csv::WriterBuilder::new().from_writer(Vec::new());
    writer.write_record(columns).expect("memory can be written");
    for row in rows {
        writer.write_record(row).expect("memory can be written");
    }
    String::from_utf8(writer.into_inner().expect("memory can be flushed")).expect("text went in")
}

#[test]
fn files_are_in_canonical_form() {
    let mut wrong = Vec::new();
    for file in files() {
        let want = canonical(file);
        if want == file.text {
            continue;
        }
        if update() {
            fs::write(root().join("dictionaries").join(&file.path), &want)
                .expect("the file can be written");
            continue;
        }
        let line = want
            .lines()
            .zip(file.text.lines())
            .position(|(a, b)| a != b)
            .map_or_else(|| "the end".to_owned(), |at| (at + 1).to_string());
        wrong.push(format!("{}:{line}: UPDATE=1 rewrites it", file.name));
    }
    none("not in canonical form", wrong);
}

#[test]
fn every_list_has_entries_and_every_alias_a_key() {
    let mut wrong = Vec::new();
    for file in files().iter().filter(|f| f.column("aliases").is_some()) {
        for row in &file.rows {
            if list(file.cell(row, "aliases")).next().is_none() {
                wrong.push(format!("{}: `{}` has no alias", file.name, row[0]));
            }
            for alias in list(file.cell(row, "aliases")).filter(|alias| key_of(alias).is_empty()) {
                wrong.push(format!(
                    "{}: `{alias}` of `{}` has no letter or digit: it can never be found",
                    file.name, row[0]
                ));
            }
        }
    }
    none("empty", wrong);
}

#[test]
fn no_row_has_an_alias_twice() {
    let mut wrong = Vec::new();
    for file in files().iter().filter(|f| f.column("aliases").is_some()) {
        for row in &file.rows {
            // if letter case counts, `EX` and `ex` are two aliases
            let exact = file
                .column("when")
                .is_some_and(|at| row[at].split(' ').any(|w| w == "exact"));
            let mut seen: BTreeMap<String, &str> = BTreeMap::new();
            for (alias, key) in file.aliases(row) {
                let key = if exact { alias.to_owned() } else { key };
                if let Some(first) = seen.insert(key, alias) {
                    wrong.push(format!(
                        "{}: `{}`: `{first}` and `{alias}` are one alias",
                        file.name, row[0]
                    ));
                }
            }
        }
    }
    none("twice in one row", wrong);
}

#[test]
fn within_a_file_an_alias_has_one_meaning() {
    let mut wrong = Vec::new();
    for file in files()
        .iter()
        .filter(|f| f.column("aliases").is_some() && f.name != "ambiguous.csv")
    {
        let mut seen: BTreeMap<String, Vec<(&str, &Vec<String>)>> = BTreeMap::new();
        for row in &file.rows {
            for (alias, key) in file.aliases(row) {
                let owners = seen.entry(key).or_default();
                // an alias may name several sets, but each in one way only
                let rival = owners.iter().find(|(_, other)| {
                    *other != row && (!file.name.ends_with("set_aliases.csv") || other[0] == row[0])
                });
                if let Some((first, other)) = rival {
                    let how = if file.meaning(other) == file.meaning(row) {
                        "twice with one meaning"
                    } else {
                        "with two meanings"
                    };
                    let (one, two) = (file.meaning(other).join(","), file.meaning(row).join(","));
                    wrong.push(format!(
                        "{}: `{first}` (`{one}`) and `{alias}` (`{two}`) are one alias, {how}",
                        file.name
                    ));
                }
                owners.push((alias, row));
            }
        }
    }
    none("more than one row of a file", wrong);
}

/// For each alias key of the competing files: who owns it, and how it is written.
fn owners() -> BTreeMap<String, (BTreeSet<String>, BTreeSet<&'static str>)> {
    let mut owners: BTreeMap<String, (BTreeSet<String>, BTreeSet<&'static str>)> = BTreeMap::new();
    for file in files()
        .iter()
        .filter(|f| COMPETING.contains(&f.name.as_str()))
    {
        for row in &file.rows {
            for (alias, key) in file.aliases(row) {
                let entry = owners.entry(key).or_default();
                entry.0.insert(format!("{}:{}", file.name, row[0]));
                entry.1.insert(alias);
            }
        }
    }
    owners
}

fn in_several_files(readings: &BTreeSet<String>) -> bool {
    let mut files = readings
        .iter()
        .filter_map(|reading| reading.split_once(':'))
        .map(|(file, _)| file);
    let first = files.next();
    files.any(|file| Some(file) != first)
}

#[test]
fn aliases_of_two_files_are_in_ambiguous() {
    let ambiguous = file("ambiguous.csv");
    let owners = owners();
    let mut wrong = Vec::new();
    let mut listed: BTreeMap<String, &str> = BTreeMap::new();
    let mut rows = Vec::new();
    for row in &ambiguous.rows {
        let (alias, key) = (row[0].as_str(), key_of(&row[0]));
        if let Some(first) = listed.insert(key.clone(), alias) {
            wrong.push(format!(
                "`{first}` and `{alias}` are one alias: join their rows"
            ));
        }
        if ambiguous.cell(row, "note").is_empty() {
            wrong.push(format!("`{alias}`: no note on what decides"));
        }
        match owners
            .get(&key)
            .map(|o| &o.0)
            .filter(|readings| in_several_files(readings))
        {
            None => {
                wrong.push(format!(
                    "`{alias}`: dead row, no two files own it (it lists {})",
                    ambiguous.cell(row, "readings")
                ));
                rows.push(row.clone());
            }
            Some(readings) => {
                let want = readings
                    .iter()
                    .map(String::as_str)
                    .collect::<Vec<_>>()
                    .join("|");
                if want != ambiguous.cell(row, "readings") && !update() {
                    wrong.push(format!(
                        "`{alias}`: readings are `{}`, owners are `{want}` (UPDATE=1 writes them)",
                        ambiguous.cell(row, "readings")
                    ));
                }
                let at = ambiguous.column("readings").expect("the header was read");
                let mut row = row.clone();
                row[at] = want;
                rows.push(row);
            }
        }
    }
    if update() {
        rows.sort();
        fs::write(
            root().join("dictionaries/common/ambiguous.csv"),
            written(&ambiguous.columns, &rows),
        )
        .expect("the file can be written");
    }
    for (key, (readings, aliases)) in &owners {
        if in_several_files(readings) && !listed.contains_key(key) {
            let aliases: Vec<&str> = aliases.iter().copied().collect();
            let readings: Vec<&str> = readings.iter().map(String::as_str).collect();
            wrong.push(format!(
                "`{}` is owned by {}: add it",
                aliases.join("` = `"),
                readings.join("|")
            ));
        }
    }
    none("ambiguous.csv", wrong);
}
