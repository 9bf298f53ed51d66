//! Decides what is being sold: one card, several, a sealed product, something else, or a card of a
//! kind that no catalogue holds.
//!
//! The signs of a title are weighed for each class against one card; a softmax over the classes
//! gives their probabilities. Those of the candidates share out what one card has.

pub(crate) mod class;
mod counts;
mod facts;
mod lists;
mod named;
mod products;
mod questions;
mod shares;
mod signs;
mod standing;
mod table;
pub(crate) mod weights;
mod words;

use crate::answer::{Evidence, LogOdds, OutcomeType};
use crate::calibrate::unasked;
use crate::findings::Findings;
use crate::options::Options;
use crate::parsed::{Field, Kind};
use class::Class;
use facts::Facts;
use shares::Shares;
use signs::Signs;
use standing::{Chances, Standing};
use weights::OutcomeWeights;

/// The kind of listing, and the confidence in it.
pub(crate) struct Decision {
    pub(crate) kind: Kind,
    pub(crate) outcome: OutcomeType,
    /// Probability that it is right.
    pub(crate) confidence: f64,
    /// Probability that the catalogue lacks the card.
    pub(crate) absent: f64,
    /// What the probabilities of all candidates are multiplied by.
    pub(crate) held: f64,
    /// The number of candidates, from the best on, that an ambiguous title may mean; else 0.
    pub(crate) rivals: usize,
    /// The attribute that an ambiguous title leaves out, or states against its card, whatever tells
    /// the rivals apart.
    pub(crate) asks: Option<Field>,
    /// The signs that speak for the outcome and against it, strongest first, where it is no single
    /// card of the catalogue; none for a brief answer.
    pub(crate) evidence: Vec<Evidence>,
}

/// Decides what is being sold.
pub(crate) fn decide(
    findings: &Findings<'_, '_>,
    weights: &OutcomeWeights,
    options: &Options,
) -> Decision {
    let signs = Signs::of(&Facts::of(findings));
    let shares = Shares::of(&signs, weights);
    let chances = Chances::of(findings, &signs, &shares);
    let standing = Standing::of(findings, &signs, &chances);
    let (kind, outcome, confidence) = settle(&signs, &shares, &chances, standing);
    let ambiguous = outcome == OutcomeType::Ambiguous;
    Decision {
        kind,
        outcome,
        confidence,
        absent: match standing {
            // any card may be meant
            Standing::Unnamed if ambiguous => unasked(findings.weights),
            _ => chances.absent(),
        },
        held: chances.held,
        rivals: if ambiguous {
            standing.rivals(findings.ranked)
        } else {
            0
        },
        asks: standing.asks().filter(|_| ambiguous),
        evidence: shares
            .likeliest
            .filter(|_| !options.brief)
            .map_or_else(Vec::new, |class| evidence(class, &signs, weights)),
    }
}

/// The signs for and against a class, strongest first.
fn evidence(class: Class, signs: &Signs, weights: &OutcomeWeights) -> Vec<Evidence> {
    let mut evidence: Vec<Evidence> = table::SIGNS
        .iter()
        .zip(&signs.values)
        .map(|(row, value)| (row, weights.of(row.0) * value))
        .filter(|(row, weight)| row.1 == class && *weight != 0.0)
        .map(|(row, weight)| Evidence {
            field: row.3,
            weight: LogOdds::new(weight),
            note: row.5.into(),
        })
        .collect();
    Evidence::sort(&mut evidence);
    evidence
}

/// The kind of listing if no card was looked for.
pub(crate) fn kind(findings: &Findings<'_, '_>, weights: &OutcomeWeights) -> Kind {
    let signs = Signs::of(&Facts::of(findings));
    let shares = Shares::of(&signs, weights);
    let chances = Chances::of(findings, &signs, &shares);
    // what names something of a card may be one of the catalogue's
    let standing = if signs.named {
        Standing::Sure
    } else {
        Standing::Unnamed
    };
    settle(&signs, &shares, &chances, standing).0
}

/// An ambiguous title is at least this sure to be one: the best of two cards has at most the other
/// half.
const LEAST_AMBIGUOUS: f64 = 0.5;

/// Kind, outcome and its probability from the classes and how the candidates stand.
fn settle(
    signs: &Signs,
    shares: &Shares,
    chances: &Chances,
    standing: Standing,
) -> (Kind, OutcomeType, f64) {
    // that it is one card, of a kind that catalogues hold or not
    let card = shares.single / chances.held;
    match (shares.likeliest, standing) {
        (Some(Class::Lot), _) => (Kind::Lot, OutcomeType::Lot, shares.share),
        (Some(Class::Sealed), _) => (Kind::Sealed, OutcomeType::Sealed, shares.share),
        (Some(Class::Other), _) if signs.other_game => {
            (Kind::Other, OutcomeType::OtherGame, shares.share)
        }
        (Some(Class::Other), _) => (Kind::Other, OutcomeType::NotACard, shares.share),
        (Some(Class::Outside), _) => (Kind::Single, OutcomeType::NotInCatalogue, shares.share),
        (None, Standing::Sure) => {
            let confidence = chances.top * shares.single;
            (Kind::Single, OutcomeType::Match, confidence)
        }
        (None, Standing::Tied | Standing::Contradicted) => {
            let others = (1.0 - chances.top).max(LEAST_AMBIGUOUS);
            let confidence = chances.ours() * shares.single * others;
            (Kind::Single, OutcomeType::Ambiguous, confidence)
        }
        (None, Standing::Absent) => {
            let confidence = chances.absent() * card;
            (Kind::Single, OutcomeType::NotInCatalogue, confidence)
        }
        (None, Standing::Unnamed) => unnamed(signs, chances.absent() * card),
    }
}

/// What is sold of which no card is named, as a title that names nothing of a card is not
/// out-of-catalogue. `confidence`: that it is one card, none of the catalogue's.
fn unnamed(signs: &Signs, confidence: f64) -> (Kind, OutcomeType, f64) {
    let several = signs.speaks_for(Class::Lot);
    if signs.own_game && signs.one_unnamed && !several {
        // what is not named may be any card
        let outcome = if signs.unread {
            OutcomeType::NotInCatalogue
        } else {
            OutcomeType::Ambiguous
        };
        (Kind::Single, outcome, confidence * LEAST_AMBIGUOUS)
    } else if several || signs.own_game && signs.latin {
        (Kind::Lot, OutcomeType::Lot, confidence)
    } else {
        (Kind::Other, OutcomeType::NotACard, confidence)
    }
}

/// What a fit needs of a title: the values of its signs, in the order of [`Sign`](table::Sign), and
/// the outcome that it has where no class is likeliest.
#[cfg(feature = "train")]
pub(crate) fn observe(findings: &Findings<'_, '_>) -> (Vec<f32>, OutcomeType) {
    let signs = Signs::of(&Facts::of(findings));
    let shares = Shares::one_card();
    let chances = Chances::of(findings, &signs, &shares);
    let standing = Standing::of(findings, &signs, &chances);
    let outcome = settle(&signs, &shares, &chances, standing).1;
    (signs.values.to_vec(), outcome)
}
