//! Retrieval held against a scan of the whole catalogue: the cards that it leaves out are cards
//! that no title means.
//!
//! `cargo test --release --test oracle -- --ignored --nocapture` compares 20,000 real titles and
//! prints the table of `docs/ORACLE.md`.

mod support;

use serde_json::Value;
use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io::Read;
use std::thread;
use titledex::{Answer, Engine, Match, Options, Scratch};

/// Number of real titles compared, spread evenly over all.
const TITLES: usize = 20_000;
/// The percentage of our own titles, many of them odd on purpose, for which the scan may find
/// another first card.
const OTHER_FIRST: usize = 2;
/// All that has a probability is looked at.
const ALL: Options = Options::new().max_suggestions(usize::MAX);

/// Differences between the answers of a scan and those of retrieval.
#[derive(Default)]
struct Differences {
    titles: usize,
    /// Another first card, and the cases in which the scan finds both equally likely.
    first: usize,
    ties: usize,
    /// … in which the scan's is less likely than a twentieth, and in which it is likelier than a
    /// half.
    faint: usize,
    lost: usize,
    outcome: usize,
    parsed: usize,
    /// Another first card, first confidence or `not_in_catalogue`, at the four digits that are
    /// shown.
    any: usize,
    /// The same, by more than a hundredth.
    hundredth: usize,
    confidence: Spread,
    none: Spread,
    /// By reason: titles, those of them with another first card, those by more than a hundredth.
    reasons: BTreeMap<String, [usize; 3]>,
    /// Titles with another first card, or that differ by more than a hundredth.
    examples: Vec<String>,
}

/// The largest and the sum of some differences.
#[derive(Clone, Copy, Default)]
struct Spread {
    most: f64,
    sum: f64,
}

impl Spread {
    fn add(&mut self, difference: f64) {
        self.most = self.most.max(difference);
        self.sum += difference;
    }

    fn join(&mut self, other: Spread) {
        self.most = self.most.max(other.most);
        self.sum += other.sum;
    }
}

impl Differences {
    fn join(&mut self, other: Differences) {
        self.titles += other.titles;
        self.first += other.first;
        self.ties += other.ties;
        self.faint += other.faint;
        self.lost += other.lost;
        self.outcome += other.outcome;
        self.parsed += other.parsed;
        self.any += other.any;
        self.hundredth += other.hundredth;
        self.confidence.join(other.confidence);
        self.none.join(other.none);
        for (reason, counts) in other.reasons {
            let all = self.reasons.entry(reason).or_default();
            all.iter_mut()
                .zip(counts)
                .for_each(|(all, count)| *all += count);
        }
        self.examples.extend(other.examples);
    }

    fn add(&mut self, retrieved: &Answer<'_>, scanned: &Answer<'_>) {
        let (ours, theirs) = (retrieved.matches.first(), scanned.matches.first());
        let likely = |card: Option<&Match<'_>>| card.map_or(0.0, |m| f64::from(m.confidence.get()));
        let none = |answer: &Answer<'_>| f64::from(answer.outcome.not_in_catalogue.get());
        let confidence = (likely(ours) - likely(theirs)).abs();
        let refused = (none(retrieved) - none(scanned)).abs();
        let first = ours.map(|m| &m.card_id) != theirs.map(|m| &m.card_id);
        self.titles += 1;
        self.first += usize::from(first);
        self.outcome += usize::from(retrieved.outcome.kind != scanned.outcome.kind);
        self.parsed += usize::from(retrieved.parsed != scanned.parsed);
        self.confidence.add(confidence);
        self.none.add(refused);
        if !first && confidence == 0.0 && refused == 0.0 {
            return;
        }
        let large = confidence.max(refused) > 0.01;
        self.any += 1;
        self.hundredth += usize::from(large);
        let reason = reason(retrieved, scanned);
        if first {
            let tie = ours.is_some_and(|o| {
                scanned
                    .matches
                    .iter()
                    .any(|m| m.card_id == o.card_id && m.confidence == theirs_confidence(theirs))
            });
            self.ties += usize::from(tie);
            self.faint += usize::from(likely(theirs) < 0.05);
            self.lost += usize::from(likely(theirs) > 0.5);
        }
        if first || large {
            let shown = |card: Option<&Match<'_>>| {
                card.map_or(String::from("none"), |m| {
                    format!("{} {}", m.card_id, m.confidence.get())
                })
            };
            self.examples.push(format!(
                "{} | {} | {} | {} | {} | {reason}",
                retrieved.title,
                shown(ours),
                shown(theirs),
                none(retrieved),
                none(scanned)
            ));
        }
        let counts = self.reasons.entry(reason).or_default();
        counts[0] += 1;
        counts[1] += usize::from(first);
        counts[2] += usize::from(large);
    }
}

fn theirs_confidence(theirs: Option<&Match<'_>>) -> titledex::Probability {
    theirs.map_or_else(titledex::Probability::default, |m| m.confidence)
}

/// The reason why two answers differ: the agreements of the likeliest card that was not retrieved,
/// else what the scan says of a card that was.
fn reason(retrieved: &Answer<'_>, scanned: &Answer<'_>) -> String {
    let ours: HashSet<&str> = retrieved.matches.iter().map(|m| &*m.card_id).collect();
    let notes = |card: &Match<'_>| {
        card.evidence
            .iter()
            .map(|e| e.note.to_string())
            .collect::<HashSet<_>>()
    };
    let other = |m: &&Match<'_>| {
        scanned
            .matches
            .iter()
            .find(|s| s.card_id == m.card_id)
            .is_some_and(|s| notes(s) != notes(m))
    };
    if retrieved.matches.iter().take(1).any(|m| other(&m)) {
        return String::from("an international card of the scan fits what is stated");
    }
    let Some(missed) = scanned.matches.iter().find(|m| !ours.contains(&*m.card_id)) else {
        return String::from("many cards, each of less than a ten-thousandth");
    };
    let agrees = |what: &str| {
        missed
            .evidence
            .iter()
            .filter(|e| e.weight.get() > 0.0)
            .any(|e| match &*e.note {
                "the name is spelt much like it" => what == "spelling",
                "the era agrees" => what == "era",
                _ => what == e.field.as_str(),
            })
    };
    let clues: Vec<&str> = ["name", "spelling", "number", "total", "set", "era"]
        .into_iter()
        .filter(|what| agrees(what))
        .collect();
    format!(
        "not retrieved: {}",
        if clues.is_empty() {
            String::from("neither name, number nor set agrees")
        } else {
            clues.join(", ")
        }
    )
}

/// Compares the answers to some titles, on all processors.
fn compare(titles: &[String]) -> Differences {
    let engine = support::engine();
    let scanning: Engine = engine.clone().scanning();
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let mut all = Differences::default();
    thread::scope(|scope| {
        let parts = titles
            .chunks(titles.len().div_ceil(threads).max(1))
            .map(|part| {
                let scanning = &scanning;
                scope.spawn(move || {
                    let (mut one, mut other) = (Scratch::default(), Scratch::default());
                    let mut differences = Differences::default();
                    for title in part {
                        differences.add(
                            &engine.answer_with(&mut one, title, &ALL),
                            &scanning.answer_with(&mut other, title, &ALL),
                        );
                    }
                    differences
                })
            });
        for part in parts.collect::<Vec<_>>() {
            all.join(part.join().expect("the thread ends well"));
        }
    });
    all
}

fn print(found: &Differences) {
    let share = |n: usize| 100.0 * n as f64 / found.titles.max(1) as f64;
    let mean = |spread: Spread| spread.sum / found.titles.max(1) as f64;
    println!("| {} titles | | |\n|---|---|---|", found.titles);
    println!(
        "| same first card | {} | {:.2} % |",
        found.titles - found.first,
        share(found.titles - found.first)
    );
    println!(
        "| another first card | {} | {:.2} % |",
        found.first,
        share(found.first)
    );
    println!(
        "| … equally likely in the scan | {} | {:.2} % |",
        found.ties,
        share(found.ties)
    );
    println!(
        "| … less likely than 0.05 in the scan | {} | {:.2} % |",
        found.faint,
        share(found.faint)
    );
    println!(
        "| … likelier than 0.5 in the scan | {} | {:.2} % |",
        found.lost,
        share(found.lost)
    );
    println!(
        "| another outcome | {} | {:.2} % |",
        found.outcome,
        share(found.outcome)
    );
    println!(
        "| other readings | {} | {:.2} % |",
        found.parsed,
        share(found.parsed)
    );
    println!(
        "| any difference in four digits | {} | {:.2} % |",
        found.any,
        share(found.any)
    );
    println!(
        "| a difference over 0.01 | {} | {:.2} % |",
        found.hundredth,
        share(found.hundredth)
    );
    println!(
        "| first confidence: largest, mean difference | {:.4} | {:.6} |",
        found.confidence.most,
        mean(found.confidence)
    );
    println!(
        "| `not_in_catalogue`: largest, mean difference | {:.4} | {:.6} |\n",
        found.none.most,
        mean(found.none)
    );
    println!("| reason | titles | another first card | over 0.01 |\n|---|---|---|---|");
    let mut reasons: Vec<_> = found.reasons.iter().collect();
    reasons.sort_by_key(|(_, counts)| std::cmp::Reverse(counts[0]));
    for (reason, [titles, first, large]) in reasons {
        println!("| {reason} | {titles} | {first} | {large} |");
    }
    if support::verbose() {
        found
            .examples
            .iter()
            .for_each(|example| println!("{example}"));
    }
}

#[test]
fn scan_agrees_on_titles_of_our_own() {
    let mut titles: Vec<String> = support::fixtures()
        .into_iter()
        .flat_map(|(_, rows)| rows)
        .map(|row| row.title)
        .collect();
    titles.extend(
        support::read("fixtures/bench-titles.txt")
            .lines()
            .map(str::to_owned),
    );
    let step = titles.len() / 300;
    let titles: Vec<String> = titles.into_iter().step_by(step).take(300).collect();
    let found = compare(&titles);
    print(&found);
    assert_eq!(found.titles, 300);
    // a card that the scan finds hardly likely is the first of a title that sells no card
    let lost = found.first - found.faint;
    assert!(
        lost * 100 <= found.titles * OTHER_FIRST,
        "retrieval leaves out the first card of {lost} of {} titles",
        found.titles
    );
}

#[test]
#[ignore = "minutes; needs the real titles of ../shared"]
fn scan_agrees_on_real_titles() {
    let path = support::root().join("../shared/titles/pool.jsonl.gz");
    let Ok(packed) = fs::read(&path) else {
        println!("no {}: nothing is compared", path.display());
        return;
    };
    let mut text = String::new();
    flate2::read::MultiGzDecoder::new(&packed[..])
        .read_to_string(&mut text)
        .expect("the titles can be unpacked");
    let all: Vec<&str> = text.lines().collect();
    let title = |line: &&str| {
        serde_json::from_str::<Value>(line)
            .ok()
            .and_then(|row| row["title"].as_str().map(str::to_owned))
    };
    let spread = (0..TITLES.min(all.len())).map(|at| all[at * all.len() / TITLES.min(all.len())]);
    let titles: Vec<String> = spread.filter_map(|line| title(&line)).collect();
    print(&compare(&titles));
}

/// Prints how well each way answers the real titles that are labelled: which of two differing
/// confidences is the better one.
#[test]
#[ignore = "needs the real titles of ../shared"]
fn scan_and_retrieval_on_labelled_titles() {
    let path = support::root().join("../shared/titles/dev.jsonl");
    let Ok(text) = fs::read_to_string(&path) else {
        println!("no {}: nothing is compared", path.display());
        return;
    };
    let rows: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("the labels are well formed"))
        .collect();
    println!(
        "| labelled titles | of one card in the catalogue | first card right | out-of-catalogue | log loss, nats a title |\n|---|---|---|---|---|"
    );
    for (name, engine) in [
        ("retrieval", support::engine().clone()),
        ("scan", support::engine().clone().scanning()),
    ] {
        let mut scratch = Scratch::default();
        let (mut cards, mut right, mut lacking, mut loss) = (0usize, 0usize, 0usize, 0.0);
        for row in &rows {
            let labels: Vec<&str> = row["cards"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .collect();
            let answer =
                engine.answer_with(&mut scratch, row["title"].as_str().unwrap_or(""), &ALL);
            let probability: f32 = match row["outcome"].as_str() {
                Some("match") => {
                    cards += 1;
                    right += usize::from(
                        answer
                            .matches
                            .first()
                            .is_some_and(|m| labels.contains(&&*m.card_id)),
                    );
                    answer
                        .matches
                        .iter()
                        .filter(|m| labels.contains(&&*m.card_id))
                        .map(|m| m.confidence.get())
                        .sum()
                }
                Some("not_in_catalogue") => {
                    lacking += 1;
                    answer.outcome.not_in_catalogue.get()
                }
                _ => continue,
            };
            // what is not shown has less than a ten-thousandth
            loss -= f64::from(probability.clamp(1e-4, 1.0)).ln();
            if support::verbose() {
                println!("{probability:.4} {}", answer.title);
            }
        }
        println!(
            "| {name} | {cards} | {right} | {lacking} | {:.4} |",
            loss / (cards + lacking).max(1) as f64
        );
    }
}
