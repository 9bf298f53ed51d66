//! `titledex-lab corpus`: the same bytes for the same seed, labels that the catalogue's tables
//! confirm, counts without titles.

use crate::support::{run, small_index};
use csv::StringRecord;
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::Path;
use titledex_command::catalogue::{CatalogueFile, engine};
use titledex_command::score::{answer_titles, read_labels};

fn generate(options: &[&str]) -> String {
    run(&[&["corpus", "generate"], options].concat())
        .ended(0)
        .out
}

fn rows(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect()
}

/// The texts of a field that may be one or a list.
fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::Array(list) => list.iter().filter_map(Value::as_str).collect(),
        value => value.as_str().into_iter().collect(),
    }
}

/// A row of `embedded/tables/cards.csv`, which the index is built from and the generator never
/// reads.
struct Card {
    id: String,
    names: BTreeSet<String>,
    number: String,
    total: String,
    set: String,
    year: String,
    asia: bool,
    unprinted: bool,
    /// The table has an English name; else the index took one from a card that bears the same
    /// printed name.
    english: bool,
}

fn folded(name: &str) -> String {
    let letters = name.to_lowercase().replace(['é', 'è'], "e");
    letters
        .chars()
        .filter(|c| c.is_alphanumeric() || "☆★◇δ♀♂&".contains(*c))
        .collect()
}

fn bare(number: &str) -> String {
    number.trim_start_matches('0').to_uppercase()
}

/// A table of CSV, whose cells are found by the names of their columns.
struct Table {
    columns: HashMap<String, usize>,
    rows: Vec<StringRecord>,
}

impl Table {
    fn read(name: &str) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name);
        let mut reader = csv::Reader::from_path(path).expect("the table is here");
        let header = reader.headers().expect("a header").clone();
        Self {
            columns: header.iter().map(str::to_owned).zip(0..).collect(),
            rows: reader
                .records()
                .map(|record| record.expect("well formed"))
                .collect(),
        }
    }

    fn cell<'r>(&self, row: &'r StringRecord, column: &str) -> &'r str {
        &row[self.columns[column]]
    }

    /// The rows by the cells of a column.
    fn by(&self, column: &str) -> HashMap<&str, &StringRecord> {
        let key = |row| (self.cell(row, column), row);
        self.rows.iter().map(key).collect()
    }
}

fn tables() -> Vec<Card> {
    let cards = Table::read("embedded/tables/cards.csv");
    let sets = Table::read("embedded/tables/sets.csv");
    let printed = Table::read("dictionaries/pokemon/printed_numbers.csv");
    let set_of = sets.by("id");
    let printed_of = printed.by("canonical");
    let whole = Table::read("dictionaries/pokemon/printed_names.csv");
    let whole_of = whole.by("canonical");
    let english = Table::read("dictionaries/pokemon/english_names.csv");
    let english_of = english.by("canonical");
    let name_columns: Vec<usize> = cards
        .columns
        .iter()
        .filter(|(column, _)| column.starts_with("name_") || *column == "english")
        .map(|(_, at)| *at)
        .collect();
    let card = |row: &StringRecord| {
        let of = |column: &str| cards.cell(row, column);
        let id = if of("id").is_empty() {
            format!("{}-{}", of("set"), of("number"))
        } else {
            of("id").to_owned()
        };
        // the whole name on the card, if the source leaves a part out
        let whole = whole_of.get(id.as_str()).map(|row| whole.cell(row, "name"));
        let printed_in = || name_columns.iter().map(|at| &row[*at]);
        // the English name, if the source has none or another
        let known = printed_in().filter_map(|name| english_of.get(name));
        let names = printed_in()
            .chain(whole)
            .chain(known.map(|row| english.cell(row, "english")))
            .filter(|name| !name.is_empty());
        let heads = names
            .clone()
            .filter_map(|name| name.split_once(['(', '（', '[']).map(|split| split.0));
        let set = set_of[of("set")];
        // the number on the card, if the source counts on
        let on_card = printed_of.get(id.as_str());
        // or the total on all cards of the set, if the source has another
        let on_all = |column: &str| printed_of.get(of("set")).filter(|_| column == "total");
        let number = |column: &str| match on_card.or(on_all(column)) {
            Some(row) => bare(printed.cell(row, column)),
            None => bare(of(column)),
        };
        Card {
            names: names
                .clone()
                .chain(heads)
                .map(folded)
                .filter(|name| !name.is_empty())
                .collect(),
            number: number("number"),
            total: number("total"),
            year: sets.cell(set, "released").chars().take(4).collect(),
            asia: sets.cell(set, "region") == "asia",
            unprinted: of("flags").contains('x') && on_card.is_none(),
            english: !of("english").is_empty() || !of("name_en").is_empty(),
            set: of("set").to_owned(),
            id,
        }
    };
    cards.rows.iter().map(card).collect()
}

/// Whether the tables let a card be the one that a label's fields describe; hit points, rarity and
/// printings are not among them.
fn agrees(card: &Card, row: &Value) -> bool {
    let names = texts(&row["name"]);
    let sets = texts(&row["set"]);
    let year = row["year"].as_u64().map(|year| year.to_string());
    let region = match row["language"].as_str() {
        Some("japanese") => card.asia,
        Some("korean" | "chinese" | "thai" | "indonesian") => card.asia,
        Some(_) => !card.asia,
        None => row.get("language").is_none() || !card.asia,
    };
    // the names last: folding them takes most of the time
    region
        && (sets.is_empty() || sets.contains(&card.set.as_str()))
        && year.is_none_or(|year| card.year.is_empty() || card.year == year)
        && row["number"]
            .as_str()
            .is_none_or(|number| !card.unprinted && card.number == bare(number))
        && row["total"]
            .as_str()
            .is_none_or(|total| card.total == bare(total))
        && (names.is_empty() || names.iter().any(|name| card.names.contains(&folded(name))))
}

#[test]
fn same_seed_gives_the_same_bytes() {
    let few = |options: &[&str]| generate(&[options, &["--catalogue", small_index()]].concat());
    let some = few(&["--seed", "7", "--titles", "300"]);
    assert_ne!(some, few(&["--seed", "8", "--titles", "300"]));
    // a longer file begins as a shorter one, and a file is what is printed
    assert!(some.starts_with(&few(&["--seed", "7", "--titles", "100"])));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("titles.jsonl");
    let file = path.to_str().expect("UTF-8");
    few(&["--seed", "7", "--titles", "300", "-o", file]);
    assert_eq!(fs::read_to_string(path).expect("written"), some);
}

#[test]
fn labels_agree_with_the_tables_of_the_catalogue() {
    let cards = tables();
    let ids: HashMap<&str, &Card> = cards.iter().map(|card| (card.id.as_str(), card)).collect();
    let mut by_number: HashMap<&str, Vec<&Card>> = HashMap::new();
    for card in &cards {
        by_number
            .entry(card.number.as_str())
            .or_default()
            .push(card);
    }
    let (mut checked, mut refused) = (0, 0);
    for options in [
        &["--seed", "11", "--titles", "700"][..],
        &["--seed", "12", "--titles", "700", "--uniform"],
    ] {
        for row in rows(&generate(options)) {
            let outcome = row["outcome"].as_str().expect("an outcome");
            let labelled = texts(&row["cards"]);
            for id in &labelled {
                assert!(ids.contains_key(id), "no card {id}: {row}");
            }
            assert_eq!(labelled.len() == 1, outcome == "match", "{row}");
            assert_eq!(labelled.len() > 1, outcome == "ambiguous", "{row}");
            let Some(number) = row["number"].as_str().map(bare) else {
                continue;
            };
            let same = || {
                by_number
                    .get(number.as_str())
                    .into_iter()
                    .flatten()
                    .filter(|card| agrees(card, &row))
            };
            match outcome {
                "not_in_catalogue" => {
                    refused += 1;
                    assert_eq!(same().count(), 0, "{row}");
                }
                "match" => {
                    let own = ids[labelled[0]];
                    let mut row_of_own = row.clone();
                    if !own.english {
                        row_of_own["name"] = Value::Null;
                    }
                    assert!(agrees(own, &row_of_own), "{row}");
                    // a label has no hit points and no rarity, and its printing is not in these
                    // tables' terms
                    let open = row["finish"].is_string()
                        || row["edition"].is_string()
                        || row["title"].as_str().is_some_and(|t| t.contains("HP"));
                    let others: Vec<&str> = same()
                        .map(|card| card.id.as_str())
                        .filter(|id| *id != labelled[0])
                        .collect();
                    assert!(open || others.is_empty(), "{others:?} agree too: {row}");
                    checked += 1;
                }
                _ => {}
            }
        }
    }
    assert!(checked > 700 && refused > 40, "{checked} {refused}");
}

#[test]
fn every_seed_gives_titles_of_sane_length() {
    for seed in (0..8u64)
        .map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15))
        .chain([u64::MAX])
    {
        let text = generate(&[
            "--seed",
            &seed.to_string(),
            "--titles",
            "60",
            "--catalogue",
            small_index(),
            "--uniform",
        ]);
        for row in rows(&text) {
            let title = row["title"].as_str().expect("a title");
            assert!(
                (1..=300).contains(&title.chars().count())
                    && !title.contains('\n')
                    && title.trim() == title,
                "{row}"
            );
        }
    }
}

#[test]
fn generated_titles_can_be_scored() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("titles.jsonl");
    let path = path.to_str().expect("UTF-8");
    generate(&["--seed", "5", "--titles", "200", "-o", path]);
    let labels = read_labels(Path::new(path)).unwrap_or_else(|failure| panic!("{failure:?}"));
    let from = CatalogueFile {
        catalogue: None,
        games: vec!["pokemon".to_owned()],
    };
    let engine = engine(&from).unwrap_or_else(|failure| panic!("{failure:?}"));
    let answers =
        answer_titles(&labels, |_| &engine, None).unwrap_or_else(|failure| panic!("{failure:?}"));
    let single: Vec<_> = labels
        .iter()
        .filter(|label| label["outcome"] == "match")
        .collect();
    let right = single
        .iter()
        .filter(|label| {
            let title = label["title"].as_str().expect("a title");
            label["cards"][0] == answers[title]["matches"][0]["cardId"]
        })
        .count();
    assert!(right * 10 > single.len() * 9, "{right} of {}", single.len());
}

#[test]
fn venues_and_refusals_follow_the_options() {
    let all = rows(&generate(&[
        "--seed",
        "2",
        "--titles",
        "100",
        "--venue",
        "carousell",
        "--refusals",
        "0",
    ]));
    assert!(
        all.iter()
            .all(|row| row["venue"] == "carousell-my" && row["outcome"] != "lot")
    );
    let none = rows(&generate(&[
        "--seed",
        "2",
        "--titles",
        "100",
        "--refusals",
        "1",
    ]));
    assert!(
        none.iter()
            .all(|row| row["cards"].as_array().is_some_and(Vec::is_empty))
    );
    let ran = run(&["corpus", "generate", "--seed", "2", "--venue", "nowhere"]).ended(1);
    assert!(
        ran.err.contains("no venue \"nowhere\"") && ran.err.contains("ebay"),
        "{}",
        ran.err
    );
    for share in ["-1", "1.5", "NaN", "x"] {
        run(&[
            "corpus",
            "generate",
            "--seed",
            "2",
            &format!("--refusals={share}"),
        ])
        .ended(2);
    }
}

#[test]
fn one_attribute_is_false_and_all_else_names_the_card() {
    let slips = rows(&generate(&[
        "--seed",
        "2",
        "--titles",
        "60",
        "--refusals",
        "0",
        "--slips",
        "1",
    ]));
    assert!(slips.len() > 50);
    let from = CatalogueFile {
        catalogue: None,
        games: vec!["pokemon".to_owned()],
    };
    let engine = engine(&from).unwrap_or_else(|failure| panic!("{failure:?}"));
    let catalogue = engine.catalogue();
    let id = |row: &Value| row["cards"][0].as_str().expect("one card").to_owned();
    let ids: BTreeSet<String> = slips.iter().map(id).collect();
    let facts = catalogue.facts();
    let facts = facts.filter(|facts| ids.contains(facts.card.id));
    let facts: HashMap<&str, _> = facts.map(|facts| (facts.card.id, facts)).collect();
    let mut kinds = BTreeSet::new();
    for row in &slips {
        assert_eq!(row["outcome"], "match", "{row}");
        let facts = &facts[id(row).as_str()];
        let slip = row["slip"].as_str().expect("which attribute");
        kinds.insert(slip.to_owned());
        let bare = |text: &str| text.trim_start_matches('0').to_owned();
        let same = |key: &str, own: Option<&str>| row[key].as_str().map(bare) == own.map(bare);
        match slip {
            "number" => assert!(
                !same("number", facts.card.number) || !same("total", facts.card.total),
                "{row}"
            ),
            "year" => assert!(
                !facts
                    .card
                    .released
                    .as_deref()
                    .unwrap_or_default()
                    .starts_with(&row["year"].to_string()),
                "{row}"
            ),
            _ => {}
        }
        // the number is right where something else is false
        if slip != "number" && row["number"].is_string() {
            assert!(same("number", facts.card.number), "{row}");
        }
    }
    assert!(kinds.len() > 2, "{kinds:?}");
}

#[test]
fn counts_contain_no_titles() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let (pool, counts) = (file("pool.jsonl"), file("noise.csv"));
    let title = r#"{"title":"1999 Pokemon Base Set Charizard 4/102 Zorblatt Holo PSA 9 🔥","venue":"ebay","lang":"en"}"#;
    fs::write(&pool, format!("{title}\n").repeat(5)).expect("writable");
    run(&["corpus", "fit", &pool, "-o", &counts]).ended(0);
    let text = fs::read_to_string(&counts).expect("written");
    assert!(
        text.starts_with("group,parameter,value,count,note\nall,"),
        "{text}"
    );
    assert!(
        text.contains("ebay,number,n/t,5,measured\n")
            && text.contains("ebay,emoji,🔥,5,measured\n"),
        "{text}"
    );
    assert!(
        !text.contains("Zorblatt") && !text.contains("Charizard"),
        "{text}"
    );
    // what was counted can be written from
    let made = rows(&generate(&[
        "--seed",
        "1",
        "--titles",
        "20",
        "--noise",
        &counts,
        "--refusals",
        "0",
    ]));
    assert!(
        made.iter()
            .all(|row| row["venue"] == "ebay" && row["grader"] == "PSA"),
        "{made:?}"
    );
    let table = run(&["corpus", "fit", &pool, "--compare", &pool])
        .ended(0)
        .out;
    assert!(
        table.contains("| figure | pool | titles |")
            && table.contains("| year | 100.0% | 100.0% |"),
        "{table}"
    );
}

#[test]
fn bad_files_are_refused_with_their_line() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("writable");
        path.to_str().expect("UTF-8").to_owned()
    };
    let pool = file("pool.jsonl", "{\"title\":\"x\"}\n{\"venue\":\"ebay\"}\n");
    let ran = run(&["corpus", "fit", &pool, "-o", &file("out.csv", "")]).ended(1);
    assert!(
        ran.err.contains("pool.jsonl:2: a row without `title`"),
        "{}",
        ran.err
    );
    let noise = file(
        "noise.csv",
        "group,parameter,value,count,note\nebay,case,upper,many,measured\n",
    );
    let ran = run(&["corpus", "generate", "--seed", "1", "--noise", &noise]).ended(1);
    assert!(
        ran.err
            .contains("noise.csv:2: `count` is not a whole number"),
        "{}",
        ran.err
    );
    run(&["corpus", "fit", &pool]).ended(2);
}
