//! The figures of some titles, counted over pairs of label and answer.

use super::Pair;
use super::calibration::{auroc, brier, calibration_error};
use super::fields::{Counts, FIELDS, FieldFigures, at, judge_fields, ratio};
use super::norm::{quoted, truthy};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// From this confidence on, an answer counts as confident.
const HIGH: f64 = 0.9;

/// All figures of some titles.
#[derive(Debug, Serialize)]
pub(super) struct Figures {
    /// How many titles.
    pub(super) titles: usize,
    card_top1: Option<f64>,
    card_top5: Option<f64>,
    in_catalogue_titles: usize,
    false_refusal: Option<f64>,
    ambiguous_titles: usize,
    ambiguous_top1_acceptable: Option<f64>,
    ambiguous_typed: Option<f64>,
    refusable_titles: usize,
    correct_refusal: Option<f64>,
    outcome_accuracy: Option<f64>,
    not_in_catalogue_precision: Option<f64>,
    ece: Option<f64>,
    brier: Option<f64>,
    auroc: Option<f64>,
    #[serde(rename = "precision_at_0.9")]
    precision_at_high: Option<f64>,
    #[serde(rename = "coverage_at_0.9")]
    coverage_at_high: Option<f64>,
    /// `label -> prediction`, and how many titles.
    #[serde(serialize_with = "as_map")]
    pub(super) confusion: Vec<(String, usize)>,
    /// Each attribute's counts.
    #[serde(serialize_with = "as_map")]
    pub(super) fields: Vec<(&'static str, FieldFigures)>,
}

impl Figures {
    /// The plain figures with their names, as the report shows them.
    pub(super) fn lines(&self) -> [(&'static str, String); 16] {
        let share = super::report::figure;
        [
            ("card_top1", share(self.card_top1)),
            ("card_top5", share(self.card_top5)),
            ("in_catalogue_titles", self.in_catalogue_titles.to_string()),
            ("false_refusal", share(self.false_refusal)),
            ("ambiguous_titles", self.ambiguous_titles.to_string()),
            (
                "ambiguous_top1_acceptable",
                share(self.ambiguous_top1_acceptable),
            ),
            ("ambiguous_typed", share(self.ambiguous_typed)),
            ("refusable_titles", self.refusable_titles.to_string()),
            ("correct_refusal", share(self.correct_refusal)),
            ("outcome_accuracy", share(self.outcome_accuracy)),
            (
                "not_in_catalogue_precision",
                share(self.not_in_catalogue_precision),
            ),
            ("ece", share(self.ece)),
            ("brier", share(self.brier)),
            ("auroc", share(self.auroc)),
            ("precision_at_0.9", share(self.precision_at_high)),
            ("coverage_at_0.9", share(self.coverage_at_high)),
        ]
    }
}

/// A title with a wrong card, or wrongly refused or accepted.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Wrong {
    title: String,
    want: String,
    cards: Vec<String>,
    got: Option<String>,
    top: Option<String>,
    confidence: f64,
}

fn as_map<K: Serialize, V: Serialize, S: Serializer>(
    pairs: &[(K, V)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(pairs.len()))?;
    for (key, value) in pairs {
        map.serialize_entry(key, value)?;
    }
    map.end()
}

/// Whether the outcome names a card.
fn names_a_card(outcome: Option<&str>) -> bool {
    matches!(outcome, Some("match" | "ambiguous"))
}

/// Whether an outcome is the labelled one. Labels older than `other_game` call another game
/// `not_a_card`.
fn same_outcome(want: &str, got: Option<&str>) -> bool {
    got == Some(want) || (want == "not_a_card" && got == Some("other_game"))
}

/// The figures, and the titles that are wrong.
pub(super) fn score(pairs: &[Pair<'_>]) -> (Figures, Vec<Wrong>) {
    let mut tally = Tally::default();
    for (label, answer) in pairs {
        tally.count(label, answer);
    }
    tally.end(pairs.len())
}

/// What is counted of labels and answers.
#[derive(Default)]
struct Tally {
    /// How often each outcome was wanted and got.
    confusion: BTreeMap<(String, Option<String>), usize>,
    /// Of labels that name one card: all, its card first, among the first five, and refused.
    in_catalogue: usize,
    top1: usize,
    top5: usize,
    falsely_refused: usize,
    /// Of labels of several cards: all, said to be so, with all their cards listed, and one of these
    /// first.
    ambiguous: usize,
    typed: usize,
    narrow: usize,
    acceptable: usize,
    /// Of other labels: all, and refused.
    refusable: usize,
    refused: usize,
    /// The confidence of the first card, and whether it is right.
    points: Vec<(f64, bool)>,
    fields: [Counts; FIELDS.len()],
    wrong: Vec<Wrong>,
}

impl Tally {
    fn count(&mut self, label: &Value, answer: &Value) {
        let got = at(answer, &["outcome", "type"]).as_str();
        let want = label["outcome"].as_str().unwrap_or_default();
        *self
            .confusion
            .entry((want.to_owned(), got.map(str::to_owned)))
            .or_default() += 1;
        let matches = answer["matches"]
            .as_array()
            .map(Vec::as_slice)
            .unwrap_or_default();
        // as the reference shows it
        let first = matches.first().and_then(card_ids).map(|(_, own)| own);
        let confidence = matches
            .first()
            .and_then(|card| card["confidence"].as_f64())
            .unwrap_or(0.0);
        let cards: BTreeSet<&str> = label["cards"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let right = |card: &Value| names(card, |id| cards.contains(id));
        let hit = matches.first().is_some_and(right);
        match want {
            "match" => {
                self.in_catalogue += 1;
                self.top1 += usize::from(hit);
                self.top5 += usize::from(matches.iter().take(5).any(right));
                self.falsely_refused += usize::from(!names_a_card(got));
            }
            "ambiguous" => {
                // A label with `many` lists only the likeliest of the cards that fit.
                if !truthy(&label["many"]) {
                    self.narrow += 1;
                    self.acceptable += usize::from(hit);
                }
                self.ambiguous += 1;
                self.typed += usize::from(got == Some("ambiguous"));
            }
            _ => {
                self.refusable += 1;
                self.refused += usize::from(!names_a_card(got));
            }
        }
        if matches!(want, "match" | "not_in_catalogue") {
            self.points.push((confidence, want == "match" && hit));
        }
        if (want == "match" && !hit) || (!names_a_card(Some(want)) && names_a_card(got)) {
            self.wrong.push(Wrong {
                title: super::title(label).to_owned(),
                want: want.to_owned(),
                cards: cards
                    .iter()
                    .take(3)
                    .map(|card| (*card).to_owned())
                    .collect(),
                got: got.map(str::to_owned),
                top: first.map(str::to_owned),
                confidence: format!("{confidence:.3}").parse().unwrap_or(confidence),
            });
        }
        if matches!(want, "match" | "ambiguous" | "not_in_catalogue") {
            judge_fields(label, answer, &mut self.fields);
        }
    }

    fn end(self, titles: usize) -> (Figures, Vec<Wrong>) {
        let points = &self.points;
        let high: Vec<bool> = points
            .iter()
            .filter(|(confidence, _)| *confidence >= HIGH)
            .map(|(_, right)| *right)
            .collect();
        let agreed = self
            .confusion
            .iter()
            .filter(|((want, got), _)| same_outcome(want, got.as_deref()))
            .map(|(_, count)| count)
            .sum();
        let (mut said_missing, mut missing) = (0, 0);
        for ((want, got), count) in &self.confusion {
            if got.as_deref() == Some("not_in_catalogue") {
                said_missing += count;
                missing += if want == "not_in_catalogue" {
                    *count
                } else {
                    0
                };
            }
        }
        let figures = Figures {
            titles,
            card_top1: ratio(self.top1, self.in_catalogue),
            card_top5: ratio(self.top5, self.in_catalogue),
            in_catalogue_titles: self.in_catalogue,
            false_refusal: ratio(self.falsely_refused, self.in_catalogue),
            ambiguous_titles: self.ambiguous,
            ambiguous_top1_acceptable: ratio(self.acceptable, self.narrow),
            ambiguous_typed: ratio(self.typed, self.ambiguous),
            refusable_titles: self.refusable,
            correct_refusal: ratio(self.refused, self.refusable),
            outcome_accuracy: ratio(agreed, titles),
            not_in_catalogue_precision: ratio(missing, said_missing),
            ece: calibration_error(points),
            brier: brier(points),
            auroc: auroc(points),
            precision_at_high: ratio(high.iter().filter(|right| **right).count(), high.len()),
            coverage_at_high: ratio(high.len(), points.len()),
            confusion: in_report_order(self.confusion),
            fields: FIELDS
                .iter()
                .zip(self.fields)
                .map(|((name, ..), counts)| (*name, counts.figures()))
                .collect(),
        };
        (figures, self.wrong)
    }
}

/// The card that a match names, by its id with its game before it and without; the printing's id if
/// it names none.
fn card_ids(card: &Value) -> Option<(&str, &str)> {
    let ids = ["cardId", "marketplaceId"].iter();
    let id = ids
        .filter_map(|key| card[*key].as_str())
        .find(|id| !id.is_empty())?;
    let game = card["game"].as_str().unwrap_or_default();
    let own = id.strip_prefix(game);
    Some((id, own.and_then(|own| own.strip_prefix(':')).unwrap_or(id)))
}

/// Whether a match names a card that is `wanted` by either id: a label may bear the one or the other.
fn names(card: &Value, wanted: impl Fn(&str) -> bool) -> bool {
    card_ids(card).is_some_and(|(id, own)| wanted(id) || wanted(own))
}

/// In the order of the reference, which sorts the pairs as Python writes them.
fn in_report_order(confusion: BTreeMap<(String, Option<String>), usize>) -> Vec<(String, usize)> {
    let name = |got: &Option<String>| got.clone().map_or(Value::Null, Value::String);
    let mut pairs: Vec<_> = confusion.into_iter().collect();
    pairs.sort_by_cached_key(|((want, got), count)| {
        format!(
            "(({}, {}), {count})",
            quoted(&Value::String(want.clone())),
            quoted(&name(got))
        )
    });
    pairs
        .into_iter()
        .map(|((want, got), count)| {
            (
                format!("{want} -> {}", got.as_deref().unwrap_or("None")),
                count,
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::score;
    use serde_json::{Value, json};

    fn close(one: Option<f64>, other: f64) {
        assert!(
            one.is_some_and(|one| (one - other).abs() < 1e-12),
            "{one:?} is not {other}"
        );
    }

    fn answer(outcome: &str, cards: &[&str], confidence: f64) -> Value {
        let matches: Vec<Value> = cards
            .iter()
            .map(|card| json!({"cardId": card, "confidence": confidence}))
            .collect();
        json!({"outcome": {"type": outcome}, "matches": matches, "parsed": {}})
    }

    #[test]
    fn figures_are_those_counted_by_hand() {
        let labels = [
            json!({"title": "a", "outcome": "match", "cards": ["x-1"]}),
            json!({"title": "b", "outcome": "match", "cards": ["x-2"]}),
            json!({"title": "c", "outcome": "ambiguous", "cards": ["x-1", "x-2"]}),
            json!({"title": "d", "outcome": "ambiguous", "cards": ["x-1"], "many": true}),
            json!({"title": "e", "outcome": "not_in_catalogue", "cards": []}),
            json!({"title": "f", "outcome": "lot"}),
        ];
        let answers = [
            answer("match", &["x-1"], 0.95),
            answer("lot", &["x-9", "x-2"], 0.5),
            answer("ambiguous", &["x-2"], 0.4),
            answer("match", &["x-9"], 0.4),
            answer("match", &["x-9"], 0.92),
            json!({}),
        ];
        let pairs: Vec<_> = labels.iter().zip(&answers).collect();
        let (figures, wrong) = score(&pairs);
        assert_eq!(
            (
                figures.titles,
                figures.in_catalogue_titles,
                figures.ambiguous_titles,
                figures.refusable_titles
            ),
            (6, 2, 2, 2)
        );
        close(figures.card_top1, 0.5);
        close(figures.card_top5, 1.0);
        close(figures.false_refusal, 0.5);
        close(figures.ambiguous_top1_acceptable, 1.0);
        close(figures.ambiguous_typed, 0.5);
        close(figures.correct_refusal, 0.5);
        close(figures.outcome_accuracy, 2.0 / 6.0);
        close(figures.precision_at_high, 0.5);
        close(figures.coverage_at_high, 2.0 / 3.0);
        let confusion: Vec<_> = figures
            .confusion
            .iter()
            .map(|(pair, _)| pair.as_str())
            .collect();
        let expected = [
            "ambiguous -> ambiguous",
            "ambiguous -> match",
            "lot -> None",
            "match -> lot",
            "match -> match",
            "not_in_catalogue -> match",
        ];
        assert_eq!(confusion, expected);
        assert_eq!(
            wrong
                .iter()
                .map(|wrong| wrong.title.as_str())
                .collect::<Vec<_>>(),
            ["b", "e"]
        );
    }

    #[test]
    fn labels_bear_ids_with_their_game_or_without() {
        let answer = json!({
            "outcome": {"type": "match"},
            "matches": [{"cardId": "skyport:SK1-014", "game": "skyport", "confidence": 0.9}],
        });
        for (id, right) in [
            ("skyport:SK1-014", 1.0),
            ("SK1-014", 1.0),
            ("magic:SK1-014", 0.0),
            ("014", 0.0),
        ] {
            let label = json!({"title": "a", "outcome": "match", "cards": [id]});
            let (figures, _) = score(&[(&label, &answer)]);
            close(figures.card_top1, right);
        }
    }
}
