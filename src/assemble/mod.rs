//! Findings of the stages → [`Answer`].

mod alternatives;
mod ambiguity;
mod matches;
mod parsed;

use crate::answer::{Answer, Outcome, OutcomeType, Probability};
use crate::dictionary::Tag;
use crate::findings::Findings;
use crate::options::Options;
use crate::outcome::Decision;
use crate::parsed::{Kind, Parsed};
use crate::reading::Value;

/// Cards that are not more likely than this are not shown.
const LEAST: f64 = 1e-4;

/// Writes the answer.
pub(crate) fn answer<'t>(
    findings: &Findings<'_, 't>,
    decision: &Decision,
    options: &Options,
) -> Answer<'t> {
    let catalogue = findings.readings.reference.catalogue;
    let parsed = reading(findings, decision.kind, decision.own_game);
    let ambiguous_on = if decision.outcome == OutcomeType::Ambiguous {
        let rivals: Vec<u32> = findings
            .ranked
            .iter()
            .take(decision.rivals)
            .map(|r| r.card)
            .collect();
        ambiguity::settling(catalogue, &rivals)
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
    let likely = findings
        .ranked
        .iter()
        .take(options.max_suggestions)
        .take_while(|r| r.probability > LEAST);
    let mut matches = Vec::with_capacity(likely.clone().count());
    for (place, ranked) in likely.enumerate() {
        if let Some(record) = catalogue.card_record(ranked.card) {
            matches.push(matches::card(
                findings,
                &parsed,
                place,
                record,
                shown(ranked.probability),
                options,
            ));
        }
    }
    Answer {
        title: findings.readings.title.into(),
        outcome: Outcome {
            kind: decision.outcome,
            confidence: shown(decision.confidence),
            ambiguous_on,
            not_in_catalogue: shown(findings.nil),
        },
        parsed,
        matches,
        error: None,
    }
}

/// Writes what the title states, of which it is known what is being sold.
pub(crate) fn reading<'t>(findings: &Findings<'_, 't>, kind: Kind, own_game: bool) -> Parsed<'t> {
    let mut parsed = parsed::parsed(findings);
    parsed.kind = kind;
    if own_game || kind == Kind::Single {
        parsed.game = Some("pokemon".into());
    }
    for proposal in findings.readings.chosen {
        if let Value::Word(Tag::Game(at)) = proposal.value {
            let (name, game) = &findings.readings.reference.dictionary.games[at as usize];
            if game == "game" && kind == Kind::Other {
                parsed.game = Some(name.into());
            }
        }
    }
    if findings.readings.context.line.key().is_empty() {
        parsed.kind = Kind::Other;
        parsed.game = None;
    }
    parsed
}
