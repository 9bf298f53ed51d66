//! The checks that collectors' knowledge suggests, over whole dictionaries and the embedded
//! catalogue.
//!
//! Each title passes, or `fixtures/checks.csv` says which general fact is missing; one that has
//! come right must leave that file.

mod support;

use std::collections::BTreeMap;
use support::{dictionary, engine, fixtures, hold_known, list, read, rows};
use titledex::internals::token::key_of;
use titledex::{Answer, GradeValue, Options, Scratch};

/// The known failures: check, title, the missing fact.
const KNOWN: &str = "fixtures/checks.csv";

/// Counts one check and keeps what it misses.
struct Tally {
    name: &'static str,
    all: usize,
    missed: BTreeMap<String, String>,
}

impl Tally {
    fn new(name: &'static str) -> Self {
        Tally {
            name,
            all: 0,
            missed: BTreeMap::new(),
        }
    }

    fn add(&mut self, right: bool, title: &str, got: impl FnOnce() -> String) {
        self.all += 1;
        if !right {
            self.missed.insert(title.to_owned(), got());
        }
    }

    /// Prints the share, and holds what is missed against what is known.
    fn hold(tallies: &[Tally]) {
        let known = known();
        for tally in tallies {
            println!(
                "\n{}: {} of {} wrong",
                tally.name,
                tally.missed.len(),
                tally.all
            );
            for (title, got) in &tally.missed {
                println!("  {},{title}: {got}", tally.name);
            }
            assert!(tally.all > 0, "{} checks nothing", tally.name);
        }
        for tally in tallies {
            let known = known.iter().filter(|row| row[0] == tally.name);
            hold_known(
                &format!("{KNOWN}, {}", tally.name),
                tally.missed.keys().map(String::as_str),
                known.map(|row| row[1].as_str()),
            );
        }
    }
}

/// Rows of `fixtures/checks.csv`.
fn known() -> Vec<[String; 3]> {
    let text = read(KNOWN);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows: Vec<[String; 3]> = reader
        .deserialize()
        .collect::<Result<_, _>>()
        .unwrap_or_else(|error| panic!("{KNOWN}: {error}"));
    for [check, title, known] in &rows {
        assert!(!known.trim().is_empty(), "{KNOWN}: {check}: {title}: why?");
    }
    rows
}

fn first<'a>(answer: &'a Answer<'_>) -> &'a str {
    answer.matches.first().map_or("no card", |m| &m.card_id)
}

/// A set alias that one set owns names that set in `Pikachu <alias> NM`.
#[test]
fn set_aliases_name_their_set() {
    let aliases = dictionary("set_aliases.csv", &["canonical", "aliases", "kind", "when"]);
    let ambiguous: Vec<String> = dictionary("ambiguous.csv", &["alias"])
        .iter()
        .map(|row| key_of(&row[0]))
        .collect();
    let mut owners: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for row in &aliases {
        for alias in list(&row[1]) {
            let sets = owners.entry(key_of(alias)).or_default();
            if !sets.contains(&row[0].as_str()) {
                sets.push(&row[0]);
            }
        }
    }
    let (mut names, mut codes) = (Tally::new("set names"), Tally::new("set codes"));
    let mut scratch = Scratch::default();
    for row in &aliases {
        let [set, cell, kind, when] = row.as_slice() else {
            unreachable!("the file has four columns")
        };
        if kind == "family"
            || when
                .split(' ')
                .any(|word| !word.is_empty() && word != "upper" && word != "exact")
        {
            continue;
        }
        for alias in list(cell) {
            let key = key_of(alias);
            if owners[&key].len() > 1 || ambiguous.contains(&key) {
                continue;
            }
            let title = format!("Pikachu {alias} NM");
            let answer = engine().answer_with(&mut scratch, &title, &Options::default());
            let read = answer.parsed.set.as_ref().map_or("", |set| &*set.id);
            let tally = if kind == "code" {
                &mut codes
            } else {
                &mut names
            };
            tally.add(read == set, &title, || {
                format!("`{read}`, not `{set}` ({kind})")
            });
        }
    }
    Tally::hold(&[names, codes]);
}

/// A card with its number.
const CARD: &str = "Charizard 4/102 Base Set";

/// A phrase that only looks like a grade makes no slab of a raw card.
#[test]
fn phrases_give_no_grade() {
    let mut tally = Tally::new("grade phrases");
    let mut scratch = Scratch::default();
    for row in dictionary("grade_phrases.csv", &["aliases", "kind", "position"]) {
        let (kind, position) = (row[1].as_str(), row[2].as_str());
        // a remark on a slab and the population of its grade occur on real ones
        if kind == "slab_note" || kind == "population" {
            continue;
        }
        // and so do the parts of a slab beside a card with its number, but by themselves they are
        // sold for one
        let part = kind == "slab_part";
        let card = if part { "Charizard Base Set" } else { CARD };
        for alias in list(&row[0]) {
            let before = format!("{card} {alias} PSA 10");
            let after = format!("{card} PSA 10 {alias}");
            let alone = format!("{card} {alias}");
            let titles = match position {
                "before" => vec![before],
                "after" => vec![after],
                "either" => vec![before, after],
                _ => vec![alone],
            };
            for title in titles {
                let answer = engine().answer_with(&mut scratch, &title, &Options::default());
                let read = answer.parsed.grade.as_ref().and_then(|grade| grade.value);
                tally.add(read.is_none(), &title, || {
                    format!(
                        "grade {} ({kind}, {position})",
                        read.map_or_else(String::new, |v| v.to_string())
                    )
                });
            }
            if part {
                let title = format!("{CARD} PSA 10 {alias}");
                let answer = engine().answer_with(&mut scratch, &title, &Options::default());
                let read = answer.parsed.grade.and_then(|grade| grade.value);
                tally.add(read.is_some(), &title, || "no grade".to_owned());
            }
        }
    }
    Tally::hold(&[tally]);
}

/// A label word after its grader is the grade, not a condition of a raw card.
#[test]
fn labels_are_grades() {
    let mut tally = Tally::new("grade labels");
    let mut scratch = Scratch::default();
    for row in dictionary("grade_labels.csv", &["canonical", "aliases", "value"]) {
        let want = GradeValue::parse(&row[2]);
        let halves = want.is_some_and(|v| v.halves() % 2 == 1);
        let grader = if halves || row[0].contains("PRISTINE") || row[0].contains("BLACK") {
            "BGS"
        } else {
            "PSA"
        };
        for alias in list(&row[1]) {
            let number = want.map_or_else(String::new, |value| format!(" {value}"));
            let title = format!("Charizard 4/102 Base Set {grader} {alias}{number}");
            let answer = engine().answer_with(&mut scratch, &title, &Options::default());
            let grade = answer.parsed.grade.as_ref();
            let right = grade.is_some_and(|g| g.grader == grader && g.value == want)
                && answer.parsed.condition.is_none();
            tally.add(right, &title, || {
                format!("{grade:?}, condition {:?}", answer.parsed.condition)
            });
        }
    }
    Tally::hold(&[tally]);
}

/// `<name> <number>/<total>` finds the card, by its English name and by the one printed on it.
#[test]
fn cards_are_found_by_name_and_number() {
    let options = Options::new().max_suggestions(10);
    let mut tallies = [
        "international cards",
        "asian cards",
        "asian cards in English",
    ]
    .map(Tally::new);
    let mut scratch = Scratch::default();
    let cards = rows()
        .cards
        .iter()
        .filter(|card| !card.number.is_empty() && !card.total.is_empty() && !card.number_unprinted);
    for card in cards.step_by(10) {
        let asian = card.id.starts_with("asia:") || card.id.starts_with("ja:");
        let titles = [
            card.names
                .first()
                .map(|name| (usize::from(asian), name.1.as_str())),
            Some((2, card.english.as_str())).filter(|(_, english)| asian && !english.is_empty()),
        ];
        for (at, name) in titles.into_iter().flatten() {
            let title = format!("{name} {}/{}", card.number, card.total);
            let answer = engine().answer_with(&mut scratch, &title, &options);
            let found = answer.matches.iter().any(|m| m.card_id == card.id);
            tallies[at].add(found, &title, || {
                format!("{}, not {}", first(&answer), card.id)
            });
        }
    }
    Tally::hold(&tallies);
}

/// ASCII in its full-width forms.
fn full_width(title: &str) -> String {
    title
        .chars()
        .map(|c| match c {
            ' ' => '\u{3000}',
            '!'..='~' => char::from_u32(c as u32 + 0xfee0).unwrap_or(c),
            other => other,
        })
        .collect()
}

/// Copies of a title in capitals and in full width, and with a seller's words around it, name the
/// same card.
#[test]
fn copies_of_a_title_name_the_same_card() {
    let mut tallies = [
        "full-width copies",
        "upper-case copies",
        "lower-case copies",
        "copies with noise",
    ]
    .map(Tally::new);
    let mut scratch = Scratch::default();
    let options = Options::default();
    for (file, rows) in fixtures() {
        for row in rows
            .iter()
            .filter(|row| file.starts_with("golden/") && row.expect["outcome"] == "match")
        {
            let own = engine().answer_with(&mut scratch, &row.title, &options);
            let copies = [
                full_width(&row.title),
                row.title.to_uppercase(),
                row.title.to_lowercase(),
                format!("WOW! {} fast shipping from my collection", row.title),
            ];
            for (tally, copy) in tallies.iter_mut().zip(copies) {
                let answer = engine().answer_with(&mut scratch, &copy, &options);
                tally.add(first(&answer) == first(&own), &copy, || {
                    format!("{}, not {}", first(&answer), first(&own))
                });
            }
        }
    }
    Tally::hold(&tallies);
}

/// A set of which no card is known never gives its titles to an English card.
#[test]
fn sets_without_cards_match_no_other_card() {
    let mut tally = Tally::new("sets without cards");
    let mut scratch = Scratch::default();
    let all = rows();
    let filled: std::collections::BTreeSet<&str> =
        all.cards.iter().map(|card| card.set.as_str()).collect();
    for set in all.sets.iter().filter(|set| {
        set.region == "asia" && !filled.contains(set.id.as_str()) && !set.code.is_empty()
    }) {
        let total = if set.official == 0 { 78 } else { set.official };
        let title = format!("ピカチュウ {} 001/{total:03}", set.code);
        let answer = engine().answer_with(&mut scratch, &title, &Options::default());
        let english = answer
            .matches
            .first()
            .is_some_and(|m| !m.card_id.contains(':') && m.confidence.get() > 0.5);
        tally.add(!english, &title, || first(&answer).to_owned());
    }
    Tally::hold(&[tally]);
}
