//! What the stages found → [`Answer`].

mod ambiguity;
mod matches;
mod parsed;

use crate::answer::{Answer, Outcome, OutcomeType, Probability};
use crate::dictionary::Tag;
use crate::engine::{Found, Options};
use crate::extract::Value;
use crate::outcome::{Signs, decide};
use crate::parsed::{Kind, Parsed};

/// Below this share of what the catalogue's cards have together, the best card does not stand out where it has a rival.
const STANDS_OUT: f64 = 0.6;
/// Cards that are not more likely than this are not shown.
const LEAST: f64 = 1e-4;
/// Cards less likely than this share of the best are no rivals of it.
const RIVAL: f64 = 0.25;

/// Writes the answer.
pub(crate) fn answer<'t>(found: &Found<'_, 't>, options: &Options) -> Answer<'t> {
    let mut parsed = parsed::parsed(found);
    let facts = found.engine.facts(found, unread(found, &parsed));
    let signs = crate::outcome::signs(&facts);
    let top = found.ranked.first().map_or(0.0, |r| r.probability);
    let ours = (1.0 - found.none).max(1e-9);
    let second = found.ranked.get(1).map_or(0.0, |r| r.probability);
    let ambiguous = top / ours < STANDS_OUT && second > top * RIVAL;
    let (kind, outcome, confidence) = decide(&signs, top, found.none, ambiguous);
    decided(found, &signs, kind, &mut parsed);
    let ambiguous_on = if outcome == OutcomeType::Ambiguous {
        let rivals: Vec<u32> = found
            .ranked
            .iter()
            .take_while(|r| r.probability > top * RIVAL)
            .take(16)
            .map(|r| r.card)
            .collect();
        ambiguity::settling(found.engine.catalogue(), &rivals)
    } else {
        Vec::new()
    };
    let shown = |p: f64| {
        if options.confidence {
            Probability::new(p)
        } else {
            Probability::default()
        }
    };
    let likely = found
        .ranked
        .iter()
        .take(options.max_suggestions)
        .take_while(|r| r.probability > LEAST);
    let mut matches = Vec::with_capacity(likely.clone().count());
    for (place, ranked) in likely.enumerate() {
        if let Some(record) = found.engine.catalogue().card_record(ranked.card) {
            matches.push(matches::card(
                found,
                &parsed,
                place,
                record,
                shown(ranked.probability),
                options,
            ));
        }
    }
    Answer {
        title: found.title.into(),
        outcome: Outcome {
            kind: outcome,
            confidence: shown(confidence),
            ambiguous_on,
            not_in_catalogue: shown(found.none),
        },
        parsed,
        matches,
        error: None,
    }
}

/// Writes what the title states by itself: no card was looked for.
pub(crate) fn reading<'t>(found: &Found<'_, 't>) -> Parsed<'t> {
    let mut parsed = parsed::parsed(found);
    let facts = found.engine.facts(found, unread(found, &parsed));
    let signs = crate::outcome::signs(&facts);
    // what names something of a card may be one of the catalogue's
    let none = if signs.named { 0.0 } else { 1.0 };
    let (kind, ..) = decide(&signs, 0.0, none, false);
    decided(found, &signs, kind, &mut parsed);
    parsed
}

/// The share of the title that no rule explains.
fn unread(found: &Found<'_, '_>, parsed: &Parsed<'_>) -> f32 {
    let letters = found.context.line.key().len().max(1) as f32;
    parsed
        .unread
        .iter()
        .map(|u| (u.span.end - u.span.start) as f32)
        .sum::<f32>()
        / letters
}

/// Adds the kind of listing, and the game.
fn decided<'t>(found: &Found<'_, 't>, signs: &Signs, kind: Kind, parsed: &mut Parsed<'t>) {
    parsed.kind = kind;
    if signs.pokemon || kind == Kind::Single {
        parsed.game = Some("pokemon".into());
    }
    for proposal in found.chosen {
        if let Value::Word(Tag::Game(at)) = proposal.value {
            let (name, game) = &found.engine.dictionary().games[at as usize];
            if game == "game" && kind == Kind::Other {
                parsed.game = Some(name.into());
            }
        }
    }
    if found.context.line.key().is_empty() {
        parsed.kind = Kind::Other;
        parsed.game = None;
    }
}
