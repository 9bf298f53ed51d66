//! What sellers write before and behind a card changes neither the card nor the outcome: each
//! addition of `fixtures/additions.csv`, at both ends of each of its titles. And whatever a title
//! says, the readings of an answer do not overlap.

mod support;

use support::{engine, table};
use titledex::{Answer, Options, OutcomeType, Scratch};

/// The texts of the file's rows of a kind.
fn texts(kind: &str) -> Vec<String> {
    let rows = table("fixtures/additions.csv", &["kind", "text"]);
    let of_kind = rows.into_iter().filter(|row| row[0] == kind);
    of_kind.map(|row| row[1].clone()).collect()
}

/// The outcome and the first card.
fn told(answer: &Answer<'_>) -> (OutcomeType, Option<String>) {
    let first = answer.matches.first();
    let first = first.map(|card| card.card_id.to_string());
    (answer.outcome.kind, first)
}

/// The first two readings of an answer that overlap.
fn overlap(answer: &Answer<'_>) -> Option<String> {
    let spans = &answer.parsed.spans;
    let pairs = spans.iter().enumerate();
    let mut pairs = pairs.flat_map(|(at, one)| spans[at + 1..].iter().map(move |two| (one, two)));
    let both = pairs.find(|(one, two)| one.span.overlaps(two.span))?;
    let named =
        |reading: &titledex::Reading<'_>| format!("{} `{}`", reading.field.as_str(), reading.text);
    Some(format!("{} and {}", named(both.0), named(both.1)))
}

#[test]
fn additions_change_neither_card_nor_outcome() {
    let (engine, options) = (engine(), Options::default());
    let mut scratch = Scratch::default();
    let additions = texts("addition");
    let mut wrong = Vec::new();
    for title in texts("title") {
        let plain = told(&engine.answer_with(&mut scratch, &title, &options));
        for addition in &additions {
            for written in [format!("{title} {addition}"), format!("{addition} {title}")] {
                let answer = engine.answer_with(&mut scratch, &written, &options);
                if told(&answer) != plain {
                    wrong.push(format!("{written}: {:?}, not {plain:?}", told(&answer)));
                }
                if let Some(both) = overlap(&answer) {
                    wrong.push(format!("{written}: {both} overlap"));
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} titles:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
