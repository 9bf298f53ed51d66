//! The figures themselves: counted over pairs of label and answer.

use super::Pair;
use super::norm::{Alike, Norm, quoted, truthy};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The attributes: name in the label, path in `parsed`, how values are made alike. The order is that of the report.
const FIELDS: [(&str, &[&str], Norm); 12] = [
    ("number", &["number"], Norm::Number),
    ("total", &["total"], Norm::Number),
    ("language", &["language"], Norm::Text),
    ("grader", &["grade", "grader"], Norm::Text),
    ("grade", &["grade", "value"], Norm::Grade),
    ("certNumber", &["grade", "certNumber"], Norm::Number),
    ("edition", &["printing", "edition"], Norm::Text),
    ("finish", &["printing", "finish"], Norm::Text),
    ("condition", &["condition"], Norm::Text),
    ("year", &["year"], Norm::Number),
    ("name", &["name"], Norm::Text),
    ("set", &["set", "id"], Norm::Text),
];

/// Bins of equal mass for the calibration error.
const BINS: usize = 10;
/// From here on a confidence counts as high.
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
    ece: Option<f64>,
    brier: Option<f64>,
    auroc: Option<f64>,
    #[serde(rename = "precision_at_0.9")]
    precision_at_high: Option<f64>,
    #[serde(rename = "coverage_at_0.9")]
    coverage_at_high: Option<f64>,
    /// `label -> prediction` and how often.
    #[serde(serialize_with = "as_map")]
    pub(super) confusion: Vec<(String, usize)>,
    /// Each attribute's counts.
    #[serde(serialize_with = "as_map")]
    pub(super) fields: Vec<(&'static str, FieldFigures)>,
}

impl Figures {
    /// The plain figures with their names, as the report has them.
    pub(super) fn lines(&self) -> [(&'static str, String); 15] {
        let share = super::figure;
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
            ("ece", share(self.ece)),
            ("brier", share(self.brier)),
            ("auroc", share(self.auroc)),
            ("precision_at_0.9", share(self.precision_at_high)),
            ("coverage_at_0.9", share(self.coverage_at_high)),
        ]
    }
}

/// How well one attribute is read.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct FieldFigures {
    pub(super) precision: Option<f64>,
    pub(super) recall: Option<f64>,
    pub(super) f1: Option<f64>,
    /// Labels that state it.
    pub(super) support: usize,
    /// Labels that say it is absent, and it is.
    pub(super) absent_ok: usize,
}

/// A title whose card or refusal is wrong.
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

/// What is counted for one attribute.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    right: usize,
    made_up: usize,
    missed: usize,
    absent: usize,
}

impl Counts {
    /// Judges one reading against the values that the label allows.
    fn judge(&mut self, allowed: &[Option<Alike>], mine: &Option<Alike>) {
        let absent = allowed.iter().all(Option::is_none);
        if absent && !allowed.is_empty() {
            if mine.is_some() {
                self.made_up += 1
            } else {
                self.absent += 1
            }
        } else if mine.is_none() {
            self.missed += 1;
        } else if allowed.contains(mine) {
            self.right += 1;
        } else {
            self.made_up += 1;
            self.missed += 1;
        }
    }

    fn figures(self) -> FieldFigures {
        let precision = ratio(self.right, self.right + self.made_up);
        let recall = ratio(self.right, self.right + self.missed);
        let f1 = match (precision, recall) {
            (Some(p), Some(r)) if p > 0.0 && r > 0.0 => Some(2.0 * p * r / (p + r)),
            _ => None,
        };
        FieldFigures {
            precision,
            recall,
            f1,
            support: self.right + self.missed,
            absent_ok: self.absent,
        }
    }
}

fn ratio(hits: usize, total: usize) -> Option<f64> {
    (total > 0).then(|| hits as f64 / total as f64)
}

fn at<'v>(value: &'v Value, path: &[&str]) -> &'v Value {
    path.iter()
        .fold(value, |value, key| value.get(key).unwrap_or(&Value::Null))
}

/// Whether the outcome names a card.
fn names_a_card(outcome: Option<&str>) -> bool {
    matches!(outcome, Some("match" | "ambiguous"))
}

/// The figures, and the titles whose card or refusal is wrong.
pub(super) fn score(pairs: &[Pair<'_>]) -> (Figures, Vec<Wrong>) {
    let mut confusion: BTreeMap<(String, Option<String>), usize> = BTreeMap::new();
    let (mut in_catalogue, mut top1, mut top5, mut falsely_refused) = (0, 0, 0, 0);
    let (mut narrow, mut acceptable, mut ambiguous, mut typed) = (0, 0, 0, 0);
    let (mut refusable, mut refused) = (0, 0);
    let mut points: Vec<(f64, bool)> = Vec::new();
    let mut fields = [Counts::default(); FIELDS.len()];
    let mut wrong = Vec::new();
    for (label, answer) in pairs {
        let got = at(answer, &["outcome", "type"]).as_str();
        let want = label["outcome"].as_str().unwrap_or_default();
        *confusion
            .entry((want.to_owned(), got.map(str::to_owned)))
            .or_default() += 1;
        let matches = answer["matches"]
            .as_array()
            .map(Vec::as_slice)
            .unwrap_or_default();
        let ids: Vec<Option<&str>> = matches.iter().map(card_id).collect();
        let first = ids.first().copied().flatten();
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
        let hit = first.is_some_and(|card| cards.contains(card));
        match want {
            "match" => {
                in_catalogue += 1;
                top1 += usize::from(hit);
                top5 += usize::from(
                    ids.iter()
                        .take(5)
                        .flatten()
                        .any(|card| cards.contains(card)),
                );
                falsely_refused += usize::from(!names_a_card(got));
            }
            "ambiguous" => {
                // A label with `many` lists only the likeliest of the cards that fit.
                if !truthy(&label["many"]) {
                    narrow += 1;
                    acceptable += usize::from(hit);
                }
                ambiguous += 1;
                typed += usize::from(got == Some("ambiguous"));
            }
            _ => {
                refusable += 1;
                refused += usize::from(!names_a_card(got));
            }
        }
        if matches!(want, "match" | "not_in_catalogue") {
            points.push((confidence, want == "match" && hit));
        }
        if (want == "match" && !hit) || (!names_a_card(Some(want)) && names_a_card(got)) {
            wrong.push(Wrong {
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
            judge_fields(label, answer, &mut fields);
        }
    }
    let high: Vec<bool> = points
        .iter()
        .filter(|(confidence, _)| *confidence >= HIGH)
        .map(|(_, right)| *right)
        .collect();
    let agreed = confusion
        .iter()
        .filter(|((want, got), _)| got.as_ref() == Some(want))
        .map(|(_, count)| count)
        .sum();
    let figures = Figures {
        titles: pairs.len(),
        card_top1: ratio(top1, in_catalogue),
        card_top5: ratio(top5, in_catalogue),
        in_catalogue_titles: in_catalogue,
        false_refusal: ratio(falsely_refused, in_catalogue),
        ambiguous_titles: ambiguous,
        ambiguous_top1_acceptable: ratio(acceptable, narrow),
        ambiguous_typed: ratio(typed, ambiguous),
        refusable_titles: refusable,
        correct_refusal: ratio(refused, refusable),
        outcome_accuracy: ratio(agreed, pairs.len()),
        ece: calibration_error(&points),
        brier: brier(&points),
        auroc: auroc(&points),
        precision_at_high: ratio(high.iter().filter(|right| **right).count(), high.len()),
        coverage_at_high: ratio(high.len(), points.len()),
        confusion: in_report_order(confusion),
        fields: FIELDS
            .iter()
            .zip(fields)
            .map(|((name, ..), counts)| (*name, counts.figures()))
            .collect(),
    };
    (figures, wrong)
}

/// The card that a match names; a printing's id where it names none.
fn card_id(card: &Value) -> Option<&str> {
    ["cardId", "marketplaceId"]
        .iter()
        .filter_map(|key| card[*key].as_str())
        .find(|id| !id.is_empty())
}

fn judge_fields(label: &Value, answer: &Value, fields: &mut [Counts]) {
    for ((key, path, norm), counts) in FIELDS.iter().zip(fields) {
        let Some(truth) = label.get(key) else {
            continue;
        };
        let allowed: Vec<Option<Alike>> = match truth {
            Value::Array(values) => values.iter().map(|value| norm.of(value)).collect(),
            value => vec![norm.of(value)],
        };
        counts.judge(&allowed, &norm.of(at(&answer["parsed"], path)));
    }
}

/// In the order of the reference, which sorts the pairs by how Python writes them.
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

/// Expected calibration error over bins of equal mass.
fn calibration_error(points: &[(f64, bool)]) -> Option<f64> {
    if points.is_empty() {
        return None;
    }
    let mut points = points.to_vec();
    points.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let total = points.len();
    let bins = (0..BINS)
        .map(|bin| &points[bin * total / BINS..(bin + 1) * total / BINS])
        .filter(|bin| !bin.is_empty());
    let error = |bin: &[(f64, bool)]| {
        let size = bin.len() as f64;
        let confidence = bin.iter().map(|point| point.0).sum::<f64>() / size;
        let right = bin.iter().filter(|point| point.1).count() as f64 / size;
        (confidence - right).abs() * size / total as f64
    };
    Some(bins.map(error).sum())
}

fn brier(points: &[(f64, bool)]) -> Option<f64> {
    let sum: f64 = points
        .iter()
        .map(|(confidence, right)| (confidence - f64::from(u8::from(*right))).powi(2))
        .sum();
    (!points.is_empty()).then(|| sum / points.len() as f64)
}

/// How often a right answer has a higher confidence than a wrong one; equal ones count half.
fn auroc(points: &[(f64, bool)]) -> Option<f64> {
    let right = points.iter().filter(|point| point.1).count();
    let wrong = points.len() - right;
    if right == 0 || wrong == 0 {
        return None;
    }
    let mut ranked = points.to_vec();
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut rank_sum = 0.0;
    let mut before = 0;
    for tied in ranked.chunk_by(|a, b| a.0 == b.0) {
        let mean_rank = (2 * before + tied.len() + 1) as f64 / 2.0;
        rank_sum += tied.iter().filter(|point| point.1).count() as f64 * mean_rank;
        before += tied.len();
    }
    let right = right as f64;
    Some((rank_sum - right * (right + 1.0) / 2.0) / (right * wrong as f64))
}

#[cfg(test)]
mod tests {
    use super::{auroc, brier, calibration_error, score};
    use serde_json::{Value, json};

    fn close(one: Option<f64>, other: f64) {
        assert!(
            one.is_some_and(|one| (one - other).abs() < 1e-12),
            "{one:?} is not {other}"
        );
    }

    #[test]
    fn calibration_by_hand() {
        let points = [(0.9, true), (0.9, false), (0.1, false), (0.4, true)];
        // ten bins over four points: each has its own
        close(calibration_error(&points), (0.1 + 0.9 + 0.1 + 0.6) / 4.0);
        close(brier(&points), (0.01 + 0.81 + 0.01 + 0.36) / 4.0);
        // right 0.9 beats 0.1 and ties 0.9; right 0.4 beats 0.1 and loses to 0.9
        close(auroc(&points), (1.0 + 0.5 + 1.0 + 0.0) / 4.0);
        assert_eq!(calibration_error(&[]), None);
        assert_eq!(brier(&[]), None);
        assert_eq!(auroc(&[(0.5, true)]), None);
    }

    fn answer(outcome: &str, cards: &[&str], confidence: f64) -> Value {
        let matches: Vec<Value> = cards
            .iter()
            .map(|card| json!({"cardId": card, "confidence": confidence}))
            .collect();
        json!({"outcome": {"type": outcome}, "matches": matches, "parsed": {}})
    }

    #[test]
    fn counts_by_hand() {
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
    fn attributes_by_hand() {
        let cases = [
            // label, reading: right, made up, missed, absent
            (json!("004"), json!("4"), [1, 0, 0, 0]),
            (json!("5"), json!("4"), [0, 1, 1, 0]),
            (json!("5"), json!(null), [0, 0, 1, 0]),
            (json!(null), json!("4"), [0, 1, 0, 0]),
            (json!(null), json!(null), [0, 0, 0, 1]),
            (json!(["4", null]), json!("4"), [1, 0, 0, 0]),
            (json!(["4", null]), json!(null), [0, 0, 1, 0]),
            (json!([null]), json!(null), [0, 0, 0, 1]),
        ];
        for (truth, mine, [right, made_up, missed, absent]) in cases {
            let label = json!({"title": "a", "outcome": "match", "number": truth});
            let answer = json!({"parsed": {"number": mine}});
            let (figures, _) = score(&[(&label, &answer)]);
            let number = figures.fields[0].1;
            assert_eq!(
                (number.support, number.absent_ok),
                (right + missed, absent),
                "{truth} {mine}"
            );
            assert_eq!(
                number.precision,
                super::ratio(right, right + made_up),
                "{truth} {mine}"
            );
        }
        let lot = json!({"title": "a", "outcome": "lot", "number": "4"});
        let (figures, _) = score(&[(&lot, &json!({}))]);
        assert_eq!(figures.fields[0].1.support, 0);
    }
}
