//! The files of `dictionaries/`: their form, and that no two rows contradict each other.
//!
//! `UPDATE=1` rewrites files to canonical form and brings the readings in `ambiguous.csv` up to
//! date; what only a person can decide (an alias with two meanings in one file, a dead reference)
//! is listed.

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::OnceLock;
use support::{engine, list, read, root, rows, small_rows, update};
use titledex::Dictionary;
use titledex::GradeValue;
use titledex::Weights;
use titledex::internals::build::{self, rows::CardRow, vocabulary::Vocabulary};
use titledex::internals::token::key_of;
use titledex::{Options, Scratch};
use unicode_normalization::UnicodeNormalization;

/// Columns whose cells are lists.
const LISTS: [&str; 4] = ["aliases", "readings", "scale", "catalogue"];
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
    name: String,
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

    /// Aliases with their keys. An alias without letters or digits has no key and is skipped.
    fn aliases<'r>(&self, row: &'r [String]) -> Vec<(&'r str, String)> {
        list(self.cell(row, "aliases"))
            .map(|alias| (alias, key_of(alias)))
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
        let entries = fs::read_dir(root().join("dictionaries")).expect("the folder is there");
        let mut names: Vec<String> = entries
            .map(|e| {
                e.expect("the folder can be listed")
                    .file_name()
                    .to_string_lossy()
                    .into_owned()
            })
            .collect();
        names.retain(|name| name.ends_with(".csv"));
        names.sort();
        names.into_iter().map(load).collect()
    })
}

fn load(name: String) -> File {
    let text = read(format!("dictionaries/{name}"));
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
    for file in files() {
        match stated.remove(file.name.as_str()) {
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
    if file.columns.first().is_some_and(|c| c == "dex") {
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
            fs::write(root().join("dictionaries").join(&file.name), &want)
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
                    *other != row && (file.name != "set_aliases.csv" || other[0] == row[0])
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
            root().join("dictionaries/ambiguous.csv"),
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

#[test]
fn named_sets_and_cards_exist() {
    let cards = rows();
    let sets: BTreeSet<&str> = cards
        .sets
        .iter()
        .map(|set| set.id.as_str())
        .chain(cards.cards.iter().map(|card| card.set.as_str()))
        .collect();
    let plain = |number: &str| number.trim_start_matches('0').to_uppercase();
    let places: BTreeSet<(&str, String)> = cards
        .cards
        .iter()
        .map(|card| (card.set.as_str(), plain(&card.number)))
        .collect();
    let ids: BTreeSet<&str> = cards.cards.iter().map(|card| card.id.as_str()).collect();
    let mut wrong = Vec::new();
    let series: BTreeSet<String> = cards
        .sets
        .iter()
        .map(|set| format!("series:{}", set.series))
        .collect();
    for row in file("set_aliases.csv")
        .rows
        .iter()
        .filter(|row| !sets.contains(row[0].as_str()) && !series.contains(&row[0]))
    {
        wrong.push(format!("set_aliases.csv: no set `{}` ({})", row[0], row[1]));
    }
    let nicknames = file("nicknames.csv");
    for row in &nicknames.rows {
        let (set, number) = (nicknames.cell(row, "set"), nicknames.cell(row, "number"));
        match (set.is_empty(), number.is_empty()) {
            (true, true) if nicknames.cell(row, "name").is_empty() => {
                wrong.push(format!("nicknames.csv: `{}` names nothing", row[0]))
            }
            (true, true) => {}
            (false, _) if !sets.contains(set) => {
                wrong.push(format!("nicknames.csv: `{}`: no set `{set}`", row[0]))
            }
            (false, false)
                if !places.contains(&(set, plain(number)))
                    && !ids.contains(format!("{set}-{number}").as_str()) =>
            {
                wrong.push(format!(
                    "nicknames.csv: `{}`: set `{set}` has no card `{number}`",
                    row[0]
                ));
            }
            (true, false) => wrong.push(format!(
                "nicknames.csv: `{}`: a number without a set",
                row[0]
            )),
            _ => {}
        }
    }
    for row in file("printed_numbers.csv")
        .rows
        .iter()
        .filter(|row| !ids.contains(row[0].as_str()))
    {
        wrong.push(format!("printed_numbers.csv: no card `{}`", row[0]));
    }
    none("dead references", wrong);
}

#[test]
fn nicknames_name_the_stated_card() {
    let cards = rows();
    let nicknames = file("nicknames.csv");
    let plain = |number: &str| number.trim_start_matches('0').to_uppercase();
    let mut names: BTreeMap<(&str, String), Vec<&CardRow>> = BTreeMap::new();
    for card in &cards.cards {
        names
            .entry((card.set.as_str(), plain(&card.number)))
            .or_default()
            .push(card);
    }
    let mut wrong = Vec::new();
    for row in &nicknames.rows {
        let (set, number, name) = (
            nicknames.cell(row, "set"),
            nicknames.cell(row, "number"),
            nicknames.cell(row, "name"),
        );
        let Some(cards) = names
            .get(&(set, plain(number)))
            .filter(|_| !number.is_empty())
        else {
            continue;
        };
        let of = |card: &CardRow| {
            card.names
                .iter()
                .map(|n| n.1.as_str())
                .chain([card.english.as_str()])
                .any(|n| key_of(n) == key_of(name))
        };
        if !cards.iter().any(|card| of(card)) {
            let found: Vec<&str> = cards
                .iter()
                .flat_map(|c| c.names.first())
                .map(|n| n.1.as_str())
                .collect();
            wrong.push(format!(
                "nicknames.csv: `{}`: {set} {number} is `{}`, not `{name}` as in the row",
                row[0],
                found.join("`, `")
            ));
        }
    }
    none("nicknames of other cards", wrong);
}

#[test]
fn rarities_are_those_of_the_catalogue() {
    let known: BTreeSet<&str> = rows()
        .cards
        .iter()
        .flat_map(|card| [card.rarity.as_str(), card.mark.as_str()])
        .collect();
    let rarities = file("rarities.csv");
    let mut wrong = Vec::new();
    for row in &rarities.rows {
        for rarity in list(rarities.cell(row, "catalogue")).filter(|rarity| !known.contains(rarity))
        {
            wrong.push(format!(
                "rarities.csv: `{}`: the catalogue has no rarity `{rarity}`",
                row[0]
            ));
        }
    }
    none("dead references", wrong);
}

#[test]
fn grades_are_on_a_scale() {
    let mut wrong = Vec::new();
    let graders = file("graders.csv");
    let mut scales: BTreeMap<&str, (&str, &str)> = BTreeMap::new();
    let mut given: BTreeSet<u8> = BTreeSet::new();
    for row in &graders.rows {
        let (code, scale) = (graders.cell(row, "code"), graders.cell(row, "scale"));
        if !["", "GRADER_A", "GRADER_B", "GRADER_C", "GRADER_D"].contains(&code) {
            wrong.push(format!("graders.csv: `{}`: no code `{code}`", row[0]));
        }
        for value in list(scale) {
            match GradeValue::parse(value) {
                Some(value) => drop(given.insert(value.halves())),
                None => wrong.push(format!(
                    "graders.csv: `{}`: `{value}` is not a grade",
                    row[0]
                )),
            }
        }
        if *scales.entry(&row[0]).or_insert((code, scale)) != (code, scale) {
            wrong.push(format!(
                "graders.csv: two rows of `{}` have different codes or scales",
                row[0]
            ));
        }
    }
    let labels = file("grade_labels.csv");
    for row in &labels.rows {
        let value = labels.cell(row, "value");
        if !value.is_empty()
            && !GradeValue::parse(value).is_some_and(|v| given.contains(&v.halves()))
        {
            wrong.push(format!(
                "grade_labels.csv: `{}`: no grader gives `{value}`",
                row[0]
            ));
        }
    }
    none("grades", wrong);
}

#[test]
fn misspellings_are_not_names_of_other_cards() {
    let misspellings = file("misspellings.csv");
    // each name as written, and its owner: species by number, other cards by English name
    let mut names: BTreeMap<String, (String, BTreeSet<String>)> = BTreeMap::new();
    let mut add = |name: &str, whose: String| {
        if !name.is_empty() {
            names
                .entry(key_of(name))
                .or_insert_with(|| (name.to_owned(), BTreeSet::new()))
                .1
                .insert(whose);
        }
    };
    for card in &rows().cards {
        let english = card
            .names
            .iter()
            .find(|n| n.0 == "en")
            .map_or(card.english.as_str(), |n| n.1.as_str());
        let whose = if card.dex.is_empty() {
            key_of(english)
        } else {
            format!("{:?}", card.dex)
        };
        for name in card
            .names
            .iter()
            .map(|n| n.1.as_str())
            .chain([card.english.as_str()])
        {
            add(name, whose.clone());
        }
    }
    for row in &file("species.csv").rows {
        for name in &row[1..] {
            add(name, format!("[{}]", row[0]));
        }
    }
    let mut wrong = Vec::new();
    for row in &misspellings.rows {
        let own = names.get(&key_of(&row[0])).map(|n| &n.1);
        for (alias, key) in misspellings.aliases(row) {
            if key == key_of(&row[0]) {
                wrong.push(format!(
                    "misspellings.csv: `{alias}` is `{}` after folding: the alias is dead",
                    row[0]
                ));
            } else if let Some((name, whose)) = names.get(&key)
                && own.is_none_or(|own| own.intersection(whose).next().is_none())
            {
                wrong.push(format!(
                    "misspellings.csv: `{alias}` of `{}` is the real name `{name}` of another card",
                    row[0]
                ));
            }
        }
    }
    none("misspellings", wrong);
}

#[test]
fn all_files_load() {
    let text = |name: &str| file(name).text.as_str();
    let own: Vec<(&str, &str)> = titledex::internals::dictionary::FILES
        .iter()
        .map(|(name, _)| (*name, text(name)))
        .collect();
    let dictionary = Dictionary::load(&own).expect("the dictionaries load");
    let others: Vec<(&str, &str)> = titledex::internals::build::vocabulary::FILES
        .iter()
        .map(|(name, _)| (*name, text(name)))
        .collect();
    let vocabulary = Vocabulary::load(&others).expect("the vocabulary loads");
    build::build_with(&small_rows(), "small", &dictionary, &vocabulary)
        .expect("an index can be built");
    let weights = file("weights.csv");
    Weights::load(&weights.text).expect("the weights load");
    let features: BTreeSet<&str> = weights.rows.iter().map(|row| row[0].as_str()).collect();
    assert_eq!(
        features.len(),
        weights.rows.len(),
        "weights.csv names a feature twice"
    );
    for row in &weights.rows {
        assert!(
            row[1].parse::<f32>().is_ok_and(f32::is_finite),
            "weights.csv: `{}` is not a finite number",
            row[0]
        );
    }
    // each file is read by the one or the other, or says how words compete
    for file in files() {
        let read = own
            .iter()
            .chain(&others)
            .any(|(name, _)| *name == file.name);
        assert!(
            read || ["ambiguous.csv", "confusions.csv", "weights.csv"]
                .contains(&file.name.as_str()),
            "nothing reads dictionaries/{}",
            file.name
        );
    }
}

/// Cards are called `Stadium`, `Switch` and `Energy`: a word may be both noise and a name. Next to
/// the card's number it is the name.
#[test]
fn noise_next_to_its_number_is_the_name() {
    let noise = file("noise.csv");
    let noise: BTreeSet<String> = noise
        .rows
        .iter()
        .flat_map(|row| noise.aliases(row))
        .map(|(_, key)| key)
        .collect();
    let mut scratch = Scratch::default();
    let mut wrong = Vec::new();
    let mut compared = 0;
    for card in &rows().cards {
        if card.number.is_empty() || card.total.is_empty() || card.number_unprinted {
            continue;
        }
        for (_, name) in card.names.iter().filter(|n| noise.contains(&key_of(&n.1))) {
            let title = format!("{name} {}/{}", card.number, card.total);
            let answer = engine().answer_with(&mut scratch, &title, &Options::default());
            compared += 1;
            if !answer.matches.iter().any(|m| m.card_id == card.id) {
                wrong.push(format!("{title}: {} is not found", card.id));
            }
        }
    }
    assert!(compared > 0, "no word of noise.csv is the name of a card");
    none("noise that is a card's name", wrong);
}
