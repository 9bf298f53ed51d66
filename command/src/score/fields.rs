//! How well each attribute of a title is read.

use super::norm::{Alike, Norm};
use serde::Serialize;
use serde_json::Value;

/// The attributes: name in the label, path in `parsed`, how values are normalised. The order is
/// that of the report.
pub(super) const FIELDS: [(&str, &[&str], Norm); 14] = [
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
    ("game", &["game"], Norm::Text),
    ("quantity", &["quantity"], Norm::Number),
];

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

/// Counts of one attribute.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
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

    /// The figures of what was counted.
    pub(super) fn figures(self) -> FieldFigures {
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

/// A share; nothing if there was nothing to count.
pub(super) fn ratio(hits: usize, total: usize) -> Option<f64> {
    (total > 0).then(|| hits as f64 / total as f64)
}

/// The value at a path of members; null if there is none.
pub(super) fn at<'v>(value: &'v Value, path: &[&str]) -> &'v Value {
    path.iter()
        .fold(value, |value, key| value.get(key).unwrap_or(&Value::Null))
}

/// Judges every attribute that the label states.
pub(super) fn judge_fields(label: &Value, answer: &Value, fields: &mut [Counts]) {
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

#[cfg(test)]
mod tests {
    use super::ratio;
    use crate::score::figures::score;
    use serde_json::json;

    #[test]
    fn attribute_figures_are_those_counted_by_hand() {
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
                ratio(right, right + made_up),
                "{truth} {mine}"
            );
        }
        let lot = json!({"title": "a", "outcome": "lot", "number": "4"});
        let (figures, _) = score(&[(&lot, &json!({}))]);
        assert_eq!(figures.fields[0].1.support, 0);
    }
}
