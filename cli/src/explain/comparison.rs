//! Two cards compared in sentences: the evidence by which the second lost.

use super::{EPSILON, called, odds};
use std::fmt::Write as _;
use titledex::{Field, Match};

/// Most differences between the first card and the runner-up that are listed, in each direction.
const REASONS: usize = 3;

/// The difference in evidence that one attribute makes between two cards.
struct Difference<'a> {
    field: Field,
    /// Positive if it favours the first card.
    weight: f32,
    first: Option<&'a str>,
    second: Option<&'a str>,
}

impl Difference<'_> {
    /// `number by 5.1 (“4/102 agrees” against “4/130 differs”)`.
    fn text(&self) -> String {
        let notes = match (self.first, self.second) {
            (Some(first), Some(second)) if first != second => {
                format!(" (“{first}” against “{second}”)")
            }
            (Some(first), None) => format!(" (“{first}”, nothing for the runner-up)"),
            (None, Some(second)) => format!(" (for the runner-up: “{second}”)"),
            _ => String::new(),
        };
        format!("{} by {:.1}{notes}", self.field.as_str(), self.weight.abs())
    }
}

/// Differences between two cards by attribute, largest first.
fn differences<'a>(first: &'a Match, second: &'a Match) -> Vec<Difference<'a>> {
    let mut out: Vec<Difference<'a>> = Vec::new();
    for (card, sign) in [(first, 1.0), (second, -1.0)] {
        for evidence in &card.evidence {
            let at = out
                .iter()
                .position(|difference| difference.field == evidence.field)
                .unwrap_or_else(|| {
                    out.push(Difference {
                        field: evidence.field,
                        weight: 0.0,
                        first: None,
                        second: None,
                    });
                    out.len() - 1
                });
            let difference = &mut out[at];
            difference.weight += sign * evidence.weight.get();
            let note = Some(&*evidence.note).filter(|note| !note.is_empty());
            let side = if sign > 0.0 {
                &mut difference.first
            } else {
                &mut difference.second
            };
            *side = side.or(note);
        }
    }
    out.retain(|difference| difference.weight.abs() >= EPSILON);
    out.sort_by(|a, b| b.weight.abs().total_cmp(&a.weight.abs()));
    out
}

/// Attributes in a sentence.
pub(super) fn fields(fields: &[Field], between: &str) -> String {
    let names: Vec<_> = fields.iter().map(|field| field.as_str()).collect();
    names.join(between)
}

/// Why the second card lost against the first, in sentences.
pub(super) fn why_second_lost(first: &Match, second: &Match, ambiguous_on: &[Field]) -> String {
    let differences = differences(first, second);
    let reasons = |sign: f32| {
        let list: Vec<_> = differences
            .iter()
            .filter(|d| d.weight * sign > 0.0)
            .take(REASONS)
            .map(Difference::text)
            .collect();
        list.join(", ")
    };
    let (runner_up, settle) = (called(second), fields(ambiguous_on, ", "));
    if differences.is_empty() {
        let settle = if settle.is_empty() {
            String::new()
        } else {
            format!("; {settle} would settle it")
        };
        return format!(
            "The runner-up, {runner_up}, has the same evidence as the first: the title does not tell them apart{settle}."
        );
    }
    let odds = odds(first.confidence.get(), second.confidence.get());
    let mut out = format!("The runner-up, {runner_up}, lost at odds of {odds}.");
    let (pro, contra) = (reasons(1.0), reasons(-1.0));
    if !pro.is_empty() {
        let _ = write!(out, " For the first card spoke {pro}.");
    }
    if !contra.is_empty() {
        let _ = write!(out, " For the runner-up spoke {contra}.");
    }
    if !settle.is_empty() {
        let _ = write!(out, " What would settle it: {settle}.");
    }
    out
}
