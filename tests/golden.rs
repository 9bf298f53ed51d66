//! Every row of `fixtures/golden` and `fixtures/negative` on the embedded catalogue.
//!
//! A row passes, or says in `known` which general fact is missing; one that has come right must
//! drop its `known`. Precision and recall of each field have a floor for each file, which only
//! rises: `UPDATE=1` writes `fixtures/floors.csv`. `VERBOSE=1` prints what is known to be wrong
//! too.

mod support;

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use support::{Fixture, engine, fixtures, read, root, update, verbose};
use titledex::{Options, Scratch};

const FLOORS: &str = "fixtures/floors.csv";
const FLOORS_HEADER: &str = "file,field,precision,recall";

/// How two values of a field are compared.
#[derive(Clone, Copy)]
enum Norm {
    /// Letter case, spaces, `_` and `-` say nothing.
    Text,
    /// Nor do leading zeros and `#`.
    Number,
    /// Compared as a number if it is one.
    Grade,
}

/// Key of `expect`, path in the answer, and how they are compared.
const FIELDS: [(&str, &[&str], Norm); 21] = [
    ("outcome", &["outcome", "type"], Norm::Text),
    ("number", &["parsed", "number"], Norm::Number),
    ("total", &["parsed", "total"], Norm::Number),
    ("language", &["parsed", "language"], Norm::Text),
    ("grader", &["parsed", "grade", "grader"], Norm::Text),
    ("grade", &["parsed", "grade", "value"], Norm::Grade),
    (
        "certNumber",
        &["parsed", "grade", "certNumber"],
        Norm::Number,
    ),
    ("qualifier", &["parsed", "grade", "qualifier"], Norm::Text),
    ("label", &["parsed", "grade", "label"], Norm::Text),
    ("edition", &["parsed", "printing", "edition"], Norm::Text),
    ("finish", &["parsed", "printing", "finish"], Norm::Text),
    ("condition", &["parsed", "condition"], Norm::Text),
    ("year", &["parsed", "year"], Norm::Number),
    ("name", &["parsed", "name"], Norm::Text),
    ("set", &["parsed", "set", "id"], Norm::Text),
    ("rarity", &["parsed", "rarity"], Norm::Text),
    ("quantity", &["parsed", "quantity"], Norm::Number),
    ("game", &["parsed", "game"], Norm::Text),
    ("kind", &["parsed", "kind"], Norm::Text),
    ("printing", &["matches", "0", "marketplaceId"], Norm::Text),
    ("cards", &[], Norm::Text),
];

/// The comparable form; `None` for a field that is not stated.
fn normalised(value: &Value, norm: Norm) -> Option<String> {
    let text = match value {
        Value::Null => return None,
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    if text.is_empty() {
        return None;
    }
    Some(match norm {
        Norm::Text => text
            .split(|c: char| c.is_whitespace() || c == '_' || c == '-')
            .filter(|w| !w.is_empty())
            .collect::<Vec<_>>()
            .join(" ")
            .to_lowercase(),
        Norm::Number => without_zeros(&text),
        Norm::Grade => text
            .trim()
            .parse::<f64>()
            .map_or_else(|_| text.trim().to_lowercase(), |grade| grade.to_string()),
    })
}

/// `#TG04` and `TG4`, `025` and `25` are one number.
fn without_zeros(text: &str) -> String {
    let chars: Vec<char> = text
        .chars()
        .filter(|c| !c.is_whitespace() && *c != '#')
        .flat_map(char::to_uppercase)
        .collect();
    let mut out = String::new();
    let mut digits = false;
    for (at, &c) in chars.iter().enumerate() {
        let leading = c == '0' && !digits && chars.get(at + 1).is_some_and(char::is_ascii_digit);
        if !leading {
            digits = c.is_ascii_digit();
            out.push(c);
        }
    }
    out
}

/// Counts of right, wrong and missing readings of a field.
#[derive(Clone, Copy, Default)]
struct Count {
    right: usize,
    wrong: usize,
    missed: usize,
    rightly_absent: usize,
}

impl Count {
    fn add(&mut self, other: Count) {
        self.right += other.right;
        self.wrong += other.wrong;
        self.missed += other.missed;
        self.rightly_absent += other.rightly_absent;
    }

    /// `precision recall`, each with what it is of.
    fn show(&self) -> String {
        let ratio = |right: usize, all: usize| {
            if all == 0 {
                "     -".to_owned()
            } else {
                format!("{:6.1}", 100.0 * right as f64 / all as f64)
            }
        };
        let (read, stated) = (self.right + self.wrong, self.right + self.missed);
        format!(
            "{} of {read:4}  {} of {stated:4}  {:4}",
            ratio(self.right, read),
            ratio(self.right, stated),
            self.rightly_absent
        )
    }
}

/// Judges one field; the second value is the difference, if any.
fn judge(
    key: &str,
    path: &[&str],
    norm: Norm,
    want: &Value,
    answer: &Value,
) -> (Count, Option<String>) {
    let got = if key == "cards" {
        answer["matches"]
            .get(0)
            .map_or(&Value::Null, |first| &first["cardId"])
    } else {
        path.iter()
            .fold(answer, |value, part| match part.parse::<usize>() {
                Ok(place) => &value[place],
                Err(_) => &value[*part],
            })
    };
    // ids of cards are compared as they are
    let comparable = |value: &Value| {
        if key == "cards" {
            value.as_str().map(str::to_owned)
        } else {
            normalised(value, norm)
        }
    };
    let wanted: Vec<Option<String>> = match want {
        Value::Array(list) if list.is_empty() => vec![None],
        Value::Array(list) => list.iter().map(comparable).collect(),
        one => vec![comparable(one)],
    };
    let mine = comparable(got);
    let mut count = Count::default();
    let right = wanted.contains(&mine);
    match (&mine, wanted.iter().all(Option::is_none)) {
        (None, true) => count.rightly_absent = 1,
        (Some(_), true) => count.wrong = 1,
        _ if right => count.right = 1,
        (None, false) => count.missed = 1,
        (Some(_), false) => {
            count.wrong = 1;
            count.missed = 1;
        }
    }
    (
        count,
        (!right).then(|| format!("{key}: want {want}, got {got}")),
    )
}

/// Judges one row; the differences are empty if all is right.
fn check(
    row: &Fixture,
    answer: &Value,
    fields: &mut BTreeMap<&'static str, Count>,
    file: &str,
) -> Vec<String> {
    let expect = row
        .expect
        .as_object()
        .expect("`expect` was checked to be an object");
    for key in expect.keys() {
        assert!(
            FIELDS.iter().any(|f| f.0 == key),
            "fixtures/{file}:{}: `expect` has the unknown key `{key}`",
            row.line
        );
    }
    let mut differences = Vec::new();
    for (key, path, norm) in FIELDS {
        let Some(want) = expect.get(key) else {
            continue;
        };
        let (count, difference) = judge(key, path, norm, want, answer);
        fields.entry(key).or_default().add(count);
        differences.extend(difference);
    }
    differences
}

fn print_fields(fields: &BTreeMap<&'static str, Count>) {
    println!(
        "    {:12} {:>14}  {:>14}  absent",
        "field", "precision", "recall"
    );
    for (key, count) in fields {
        println!("    {key:12} {}", count.show());
    }
}

/// Precision and recall in per mille, rounded down; `None` if nothing was read or stated.
type Shares = [Option<u32>; 2];

/// Floors by file and field.
type Floors = BTreeMap<(String, String), Shares>;

fn shares(count: Count) -> Shares {
    [count.right + count.wrong, count.right + count.missed].map(|of| {
        (count.right * 1000)
            .checked_div(of)
            .map(|share| share as u32)
    })
}

/// `98.7`, or nothing.
fn percent(share: Option<u32>) -> String {
    share.map_or_else(String::new, |s| format!("{}.{}", s / 10, s % 10))
}

fn parse_percent(cell: &str) -> Option<u32> {
    let (whole, tenth) = cell.split_once('.')?;
    let tenth = tenth.parse::<u32>().ok().filter(|t| *t < 10)?;
    Some(whole.parse::<u32>().ok()? * 10 + tenth)
}

/// The recorded floors.
fn floors() -> Floors {
    let text = read(FLOORS);
    let mut lines = text.lines();
    assert_eq!(
        lines.next(),
        Some(FLOORS_HEADER),
        "{FLOORS}:1: another header"
    );
    let mut floors = Floors::new();
    for (at, line) in lines.enumerate() {
        let cells: Vec<&str> = line.split(',').collect();
        let [file, field, precision, recall] = cells.as_slice() else {
            panic!("{FLOORS}:{}: four columns are expected", at + 2);
        };
        let share = |cell: &str| {
            (!cell.is_empty()).then(|| {
                parse_percent(cell).unwrap_or_else(|| {
                    panic!(
                        "{FLOORS}:{}: `{cell}` is not a percentage with one decimal",
                        at + 2
                    )
                })
            })
        };
        let key = ((*file).to_owned(), (*field).to_owned());
        floors.insert(key, [share(precision), share(recall)]);
    }
    floors
}

/// Compares precision and recall of each field with their floors. With `UPDATE=1` a floor rises to
/// the measured value; none ever falls.
fn hold_floors(measured: &Floors) {
    let recorded = floors();
    if update() {
        let mut text = format!("{FLOORS_HEADER}\n");
        for (key, shares) in measured {
            let old = recorded.get(key).copied().unwrap_or_default();
            let [precision, recall] = [0, 1].map(|i| percent(shares[i].max(old[i])));
            text.push_str(&format!("{},{},{precision},{recall}\n", key.0, key.1));
        }
        fs::write(root().join(FLOORS), text).expect("the floors can be written");
    }
    let recorded = floors();
    let mut below = Vec::new();
    for (key, shares) in measured {
        let (file, field) = key;
        let Some(floor) = recorded.get(key) else {
            below.push(format!("{file}: {field}: no floor; UPDATE=1 sets it"));
            continue;
        };
        for (at, what) in ["precision", "recall"].into_iter().enumerate() {
            if shares[at] < floor[at] {
                below.push(format!(
                    "{file}: {field}: {what} {} %, the floor is {} %",
                    percent(shares[at]),
                    percent(floor[at])
                ));
            }
        }
    }
    for (file, field) in recorded.keys().filter(|key| !measured.contains_key(*key)) {
        below.push(format!(
            "{file}: {field}: {FLOORS} has a floor, and nothing is judged; UPDATE=1 removes it"
        ));
    }
    assert!(
        below.is_empty(),
        "below the floor:\n  {}",
        below.join("\n  ")
    );
}

#[test]
fn rows_are_read_as_expected() {
    let engine = engine();
    let options = Options::default();
    let mut scratch = Scratch::default();
    let mut all: BTreeMap<&'static str, Count> = BTreeMap::new();
    let mut measured = Floors::new();
    let mut problems = Vec::new();
    let (mut judged, mut known_wrong) = (0, 0);
    for (file, rows) in fixtures() {
        let mut fields = BTreeMap::new();
        let mut right = 0;
        println!("\n== {file}");
        for row in &rows {
            let answer = engine.answer_with(&mut scratch, &row.title, &options);
            let answer = serde_json::to_value(&answer).expect("an answer is JSON");
            let differences = check(row, &answer, &mut fields, &file);
            let place = format!("{file}:{}: {}   [{}]", row.line, row.title, row.why);
            match (&row.known, differences.is_empty()) {
                (None, true) => right += 1,
                (None, false) => {
                    problems.push(format!("{place}\n      {}", differences.join("\n      ")));
                }
                (Some(_), true) => {
                    problems.push(format!("{place}\n      has come right: remove its `known`"));
                }
                (Some(known), false) => {
                    known_wrong += 1;
                    if verbose() {
                        println!("  {place}\n      known: {known}");
                        println!("      {}", differences.join("\n      "));
                    }
                }
            }
        }
        println!("  {right} of {} rows right", rows.len());
        print_fields(&fields);
        for (key, count) in fields {
            all.entry(key).or_default().add(count);
            measured.insert((file.clone(), key.to_owned()), shares(count));
        }
        judged += rows.len();
    }
    println!("\n== all: {judged} rows, {known_wrong} known to be wrong");
    print_fields(&all);
    for (key, count) in all {
        measured.insert(("all".to_owned(), key.to_owned()), shares(count));
    }
    assert!(judged >= 400, "at least 400 rows are kept");
    assert!(
        problems.is_empty(),
        "{} rows are not as they say:\n  {}",
        problems.len(),
        problems.join("\n  ")
    );
    hold_floors(&measured);
}

#[test]
fn no_title_is_repeated() {
    let mut seen: BTreeMap<String, String> = BTreeMap::new();
    let mut twice = Vec::new();
    for (file, rows) in fixtures() {
        for row in rows {
            let place = format!("{file}:{}", row.line);
            if let Some(first) = seen.insert(row.title.clone(), place.clone()) {
                twice.push(format!("{first} and {place}: {}", row.title));
            }
        }
    }
    assert!(twice.is_empty(), "{}", twice.join("\n"));
}

#[test]
fn values_are_compared_by_the_protocol() {
    assert_eq!(without_zeros("#004"), "4");
    assert_eq!(without_zeros("tg04"), "TG4");
    assert_eq!(without_zeros("SWSH020"), "SWSH20");
    assert_eq!(without_zeros("0"), "0");
    assert_eq!(without_zeros("100/010"), "100/10");
    assert_eq!(
        normalised(&Value::from("not_a-Card"), Norm::Text).as_deref(),
        Some("not a card")
    );
    assert_eq!(
        normalised(&Value::from(9.0), Norm::Grade),
        normalised(&Value::from("9"), Norm::Grade)
    );
    assert_eq!(normalised(&Value::Null, Norm::Text), None);
}
