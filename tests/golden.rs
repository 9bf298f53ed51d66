//! Every row of `fixtures/golden` and `fixtures/negative` on the embedded catalogue.
//!
//! A row passes, or says in `known` which general fact is missing, and in `wrong` which fields are
//! wrong for want of it. All its other fields pass, and a field that has come right must leave
//! `wrong`. So every field of every row is held, and a row that is known to be wrong may be added.
//! Precision and recall are printed; `VERBOSE=1` prints what is known to be wrong, too.

mod support;

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use support::{Fixture, engine, fixtures, verbose};
use titledex::{Options, Scratch};

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

/// The fields of a row that differ, with what was wanted and what was read.
type Differences = BTreeMap<&'static str, String>;

/// Judges one row; the differences are empty if all is right.
fn check(
    row: &Fixture,
    answer: &Value,
    fields: &mut BTreeMap<&'static str, Count>,
    file: &str,
) -> Differences {
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
    let mut differences = Differences::new();
    for (key, path, norm) in FIELDS {
        let Some(want) = expect.get(key) else {
            continue;
        };
        let (count, difference) = judge(key, path, norm, want, answer);
        fields.entry(key).or_default().add(count);
        differences.extend(difference.map(|difference| (key, difference)));
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

/// What is wrong with a row, if anything: fields that differ and are not known to, and fields that
/// are known to differ and do not.
fn verdict(row: &Fixture, differences: &Differences) -> Result<(), String> {
    let listed: Vec<&str> = differences.values().map(String::as_str).collect();
    let listed = listed.join("\n      ");
    let known: BTreeSet<&str> = row.wrong.iter().map(String::as_str).collect();
    let wrong: BTreeSet<&str> = differences.keys().copied().collect();
    match (&row.known, wrong.is_empty()) {
        (None, _) if !known.is_empty() => Err("`wrong` without `known`, which says why".to_owned()),
        (None, true) => Ok(()),
        (None, false) => Err(listed),
        (Some(_), true) => Err("has come right: remove its `known` and its `wrong`".to_owned()),
        (Some(_), false) if wrong == known => Ok(()),
        (Some(_), false) => {
            let new: Vec<&str> = wrong.difference(&known).copied().collect();
            let right: Vec<&str> = known.difference(&wrong).copied().collect();
            Err(format!(
                "is known to be wrong in {known:?}; also wrong: {new:?}, right: {right:?}. If that \
                 is meant: \"wrong\":{}\n      {listed}",
                Value::from(wrong.into_iter().collect::<Vec<_>>())
            ))
        }
    }
}

#[test]
fn rows_are_read_as_expected() {
    let engine = engine();
    let options = Options::default();
    let mut scratch = Scratch::default();
    let mut all: BTreeMap<&'static str, Count> = BTreeMap::new();
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
            match verdict(row, &differences) {
                Err(problem) => problems.push(format!("{place}\n      {problem}")),
                Ok(()) if differences.is_empty() => right += 1,
                Ok(()) => {
                    known_wrong += 1;
                    if verbose() {
                        println!("  {place}\n      known: {:?}", row.known);
                        println!("      {differences:?}");
                    }
                }
            }
        }
        println!("  {right} of {} rows right", rows.len());
        print_fields(&fields);
        for (key, count) in fields {
            all.entry(key).or_default().add(count);
        }
        judged += rows.len();
    }
    println!("\n== all: {judged} rows, {known_wrong} known to be wrong");
    print_fields(&all);
    assert!(judged >= 400, "at least 400 rows are kept");
    for (key, ..) in FIELDS {
        assert!(all.contains_key(key), "no row judges `{key}`");
    }
    assert!(
        problems.is_empty(),
        "{} rows are not as they say:\n  {}",
        problems.len(),
        problems.join("\n  ")
    );
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
fn row_known_to_be_wrong_may_be_added_and_holds_its_other_fields() {
    let answer = serde_json::json!({
        "outcome": {"type": "match"}, "parsed": {"number": "4", "language": "english"}
    });
    let expect = serde_json::json!({"outcome": "match", "number": "44", "language": "english"});
    let judged = |known: Option<&str>, wrong: &[&str], expect: &Value| {
        let row = Fixture {
            line: 1,
            title: "Charizard 44".to_owned(),
            why: "an invented row".to_owned(),
            expect: expect.clone(),
            known: known.map(str::to_owned),
            wrong: wrong.iter().map(|&field| field.to_owned()).collect(),
        };
        let differences = check(&row, &answer, &mut BTreeMap::new(), "golden/invented.jsonl");
        verdict(&row, &differences)
    };
    let known = Some("a number is cut off");
    assert_eq!(judged(known, &["number"], &expect), Ok(()));
    // one that is not marked fails, as does one that does not say what is wrong
    for (known, wrong) in [(None, &[][..]), (known, &[]), (known, &["language"])] {
        let told = judged(known, wrong, &expect).expect_err("the number is wrong");
        assert!(told.contains("number: want \"44\", got \"4\""), "{told}");
    }
    let told = judged(known, &["number", "language"], &expect).expect_err("the language is right");
    assert!(told.contains("\"wrong\":[\"number\"]"), "{told}");
    let right = serde_json::json!({"outcome": "match", "number": "4"});
    let told = judged(known, &["number"], &right).expect_err("all is right");
    assert!(told.contains("has come right"), "{told}");
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
