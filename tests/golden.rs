//! Every row of `fixtures/golden` and `fixtures/negative` on the embedded catalogue, with a floor for each file that only rises.
//!
//! `VERBOSE=1` prints all differences, `UPDATE=1` raises the floors in `fixtures/floors.csv` to what was measured.

mod support;

use serde_json::Value;
use std::collections::BTreeMap;
use support::{Fixture, Share, engine, fixtures, hold, verbose};
use titledex::{Options, Scratch};

/// Differences shown of a file; `VERBOSE=1` shows all.
const SHOWN: usize = 8;

/// How two values of a field are made comparable.
#[derive(Clone, Copy)]
enum Norm {
    /// Letter case, spaces, `_` and `-` say nothing.
    Text,
    /// Nor do leading zeros and `#`.
    Number,
    /// A number where it is one.
    Grade,
}

/// Key of `expect`, path in the answer, and how they are compared.
const FIELDS: [(&str, &[&str], Norm); 20] = [
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
    ("cards", &[], Norm::Text),
];

/// The comparable form; `None` for what is not stated.
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

/// How often a field was read rightly, wrongly, and not.
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
        path.iter().fold(answer, |value, part| &value[*part])
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

/// Judges one row; the differences are empty where all is right.
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

#[test]
fn rows_are_read_as_expected() {
    let engine = engine();
    let options = Options::default();
    let mut scratch = Scratch::default();
    let mut all: BTreeMap<&'static str, Count> = BTreeMap::new();
    let mut measured = Vec::new();
    for (file, rows) in fixtures() {
        let mut fields = BTreeMap::new();
        let (mut right, mut shown) = (0, 0);
        println!("\n== {file}");
        for row in &rows {
            let answer = engine.answer_with(&mut scratch, &row.title, &options);
            let answer = serde_json::to_value(&answer).expect("an answer is JSON");
            let differences = check(row, &answer, &mut fields, &file);
            if differences.is_empty() {
                right += 1;
                continue;
            }
            shown += 1;
            if shown <= SHOWN || verbose() {
                println!("  {}:{}: {}   [{}]", file, row.line, row.title, row.why);
                for difference in differences {
                    println!("      {difference}");
                }
            }
        }
        if shown > SHOWN && !verbose() {
            println!("  … and {} rows more (VERBOSE=1 shows them)", shown - SHOWN);
        }
        println!("  {right} of {} rows right", rows.len());
        print_fields(&fields);
        for (key, count) in fields {
            all.entry(key).or_default().add(count);
        }
        measured.push((file, right, rows.len()));
    }
    let (right, rows) = measured
        .iter()
        .fold((0, 0), |(right, all), m| (right + m.1, all + m.2));
    println!("\n== all: {right} of {rows} rows right");
    print_fields(&all);
    for (file, right, rows) in &measured {
        println!(
            "  {file:34} {right:4} of {rows:4}  {:5.1} %",
            100.0 * *right as f64 / *rows as f64
        );
    }
    assert!(rows >= 400, "at least 400 rows are kept");
    let shares: Vec<Share<'_>> = measured
        .iter()
        .map(|(name, right, all)| Share {
            name,
            right: *right,
            all: *all,
        })
        .collect();
    hold(&shares);
}

#[test]
fn no_title_stands_twice() {
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
fn values_are_compared_as_the_protocol_says() {
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
