//! Findings of the stages → [`Answer`].

mod alternatives;
mod ambiguity;
mod conflicts;
mod game;
mod matches;
mod parsed;

use crate::answer::{Answer, Outcome, OutcomeType, Probability};
use crate::catalogue::format::MarketRecord;
use crate::findings::Findings;
use crate::options::Options;
use crate::outcome::Decision;
use crate::parsed::{Kind, Parsed};
use std::borrow::Cow;

/// Cards that are not more likely than this are not shown.
const LEAST: f64 = 1e-4;

/// The marketplaces' ids of as many cards are looked up at once: of all that are shown, unless the
/// caller asks for more.
const AT_ONCE: usize = 5;

/// Writes the answer.
pub(crate) fn answer<'t>(
    findings: &Findings<'_, 't>,
    decision: Decision,
    options: &Options,
) -> Answer<'t> {
    let catalogue = findings.readings.reference.catalogue;
    let parsed = reading(findings, decision.kind, options);
    let rivals = findings.ranked.iter().take(decision.rivals);
    let rivals: Vec<u32> = rivals.map(|r| r.card).collect();
    let ambiguous_on = ambiguity::settling(catalogue, &rivals, decision.asks);
    let shown = |p: f64| {
        if options.confidence {
            Probability::new(p)
        } else {
            Probability::default()
        }
    };
    let likely = findings
        .ranked
        .iter()
        .take(options.max_suggestions)
        .take_while(|r| r.probability * decision.held > LEAST);
    let mut stated = matches::Stated::by(findings, &parsed);
    let mut matches = Vec::with_capacity(likely.clone().count());
    let mut sold: [&[MarketRecord]; AT_ONCE] = [&[]; AT_ONCE];
    for (place, ranked) in likely.clone().enumerate() {
        if place % AT_ONCE == 0 {
            let mut next = likely.clone().skip(place + 1).peekable();
            if next.peek().is_none() {
                [sold[0]] = catalogue.sold([ranked.card]);
            } else {
                let mut cards = [ranked.card; AT_ONCE];
                let rest = cards[1..].iter_mut().zip(next);
                rest.for_each(|(card, next)| *card = next.card);
                sold = catalogue.sold(cards);
            }
        }
        if let Some(record) = catalogue.card_record(ranked.card) {
            matches.push(matches::card(
                findings,
                &mut stated,
                place,
                record,
                sold[place % AT_ONCE],
                shown(ranked.probability * decision.held),
                options,
            ));
        }
    }
    let conflicts = match decision.outcome {
        OutcomeType::Match | OutcomeType::Ambiguous | OutcomeType::NotInCatalogue => {
            conflicts::conflicts(findings, &parsed, matches.first())
        }
        _ => Vec::new(),
    };
    Answer {
        title: findings.readings.title.into(),
        outcome: Outcome {
            kind: decision.outcome,
            confidence: shown(decision.confidence),
            ambiguous_on,
            not_in_catalogue: shown(decision.absent),
            evidence: decision.evidence,
        },
        parsed,
        conflicts,
        matches,
        error: None,
    }
}

/// Writes what the title states, of which it is known what is being sold.
pub(crate) fn reading<'t>(
    findings: &Findings<'_, 't>,
    kind: Kind,
    options: &Options,
) -> Parsed<'t> {
    let empty = findings.readings.context.line.key().is_empty();
    let stated = game::stated(&findings.readings, kind).filter(|_| !empty);
    let inferred = || match kind {
        Kind::Single => game::of_card(findings),
        Kind::Lot | Kind::Sealed => game::of_words(findings),
        _ => None,
    };
    let game = stated.or_else(|| inferred().filter(|_| !empty));
    Parsed {
        kind: if empty { Kind::Other } else { kind },
        game: game.map(Cow::from),
        game_inferred: stated.is_none() && game.is_some(),
        ..parsed::parsed(findings, (game, kind), options)
    }
}
