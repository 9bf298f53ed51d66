//! What is being sold, and what the answer is: cues for lots, sealed products and things that are no card, weighed against the signs of one card.

mod facts;

use crate::answer::OutcomeType;
use crate::calibrate::Ranked;
use crate::dictionary::Tag;
use crate::extract::Value;
use crate::extract::number::{NumberKind, NumberReading};
use crate::found::Found;
use crate::math::squash;
use crate::parsed::{Field, Kind};
use facts::Facts;

/// What is being sold, and how sure.
pub(crate) struct Decision {
    pub(crate) kind: Kind,
    pub(crate) outcome: OutcomeType,
    /// Probability that it is right.
    pub(crate) confidence: f64,
    /// The game is named, or something that only it has.
    pub(crate) own_game: bool,
    /// Where the outcome is ambiguous: how many of the candidates, from the best on, a title may mean; else 0.
    pub(crate) rivals: usize,
}

/// Below this share of what the catalogue's cards have together, the best card does not stand out where it has a rival.
const STANDS_OUT: f64 = 0.6;
/// Cards less likely than this share of the best are no rivals of it.
const RIVAL: f64 = 0.25;
/// At most so many rivals are told apart.
const MAX_RIVALS: usize = 16;

/// Decides what is being sold.
pub(crate) fn decide(found: &Found<'_, '_>) -> Decision {
    let signs = signs(&Facts::of(found));
    let top = found.ranked.first().map_or(0.0, |r| r.probability);
    let ours = (1.0 - found.nil).max(1e-9);
    let second = found.ranked.get(1).map_or(0.0, |r| r.probability);
    let ambiguous = top / ours < STANDS_OUT && second > top * RIVAL;
    let (kind, outcome, confidence) = weigh(&signs, top, found.nil, ambiguous);
    let rivals = || {
        let likely = |r: &&Ranked| r.probability > top * RIVAL;
        found
            .ranked
            .iter()
            .take(MAX_RIVALS)
            .take_while(likely)
            .count()
    };
    Decision {
        kind,
        outcome,
        confidence,
        own_game: signs.own_game,
        rivals: if outcome == OutcomeType::Ambiguous {
            rivals()
        } else {
            0
        },
    }
}

/// Signs of each kind, in log-odds against "one card".
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Signs {
    lot: f32,
    sealed: f32,
    other: f32,
    /// A thing that the catalogue cannot hold, though it is one card: championship decks, sheets, jumbo cards.
    outside: f32,
    /// The game is named, or something that only it has.
    own_game: bool,
    /// A name or a number is read.
    named: bool,
    /// The title is in Latin letters.
    latin: bool,
}

/// More probable than this, "not in the catalogue" (NIL) is the answer. Chosen on answers by weights that had not seen the titles: of the titles whose card
/// we have, each step of 0.05 down to a half refuses one more in three hundred, and shows a wrong card for one less in a hundred and fifty of
/// those whose card we lack.
const REFUSE: f64 = 0.6;
/// How sure the outcome is where a title names neither a card nor a number.
const NOTHING_NAMED: f64 = 0.6;
const STRONG: f32 = 3.5;
const WEAK: f32 = 1.2;

/// Weighs the signs.
fn signs(facts: &Facts<'_>) -> Signs {
    let mut signs = Signs {
        latin: facts.latin,
        named: facts.any_name || facts.numbered,
        ..Signs::default()
    };
    let (mut games, mut things): (f32, f32) = (0.0, 0.0);
    let mut sealed_words = 0;
    let mut sealed_strong = false;
    signs.own_game = facts
        .proposals
        .iter()
        .any(|p| matches!(p.value, Value::Word(tag) if facts.dictionary.is_own_game(tag)));
    for proposal in facts.chosen {
        let weight = if proposal.weak { WEAK } else { STRONG };
        match proposal.value {
            Value::Word(Tag::Kind(at)) => {
                let (kind, outcome) = &facts.dictionary.kinds[at as usize];
                match (outcome.as_str(), kind.as_str()) {
                    ("lot", _) => signs.lot += weight,
                    ("sealed", _) => signs.sealed += weight,
                    ("not_a_card", "accessory" | "extended_case")
                        if facts.graded && facts.solid => {}
                    ("not_a_card", _) => things += weight,
                    ("not_in_catalogue", _) => signs.outside += weight,
                    _ => {}
                }
            }
            Value::Word(Tag::Sealed(_)) => {
                signs.sealed += weight;
                sealed_words += 1;
                sealed_strong |= !proposal.weak;
            }
            Value::Word(tag @ Tag::Game(_)) if !facts.dictionary.is_own_game(tag) => {
                games += if proposal.weak { WEAK } else { STRONG + 1.0 }
            }
            Value::Word(Tag::Printing(at))
                if facts.dictionary.printings[at as usize].value == "jumbo" && !facts.jumbo =>
            {
                signs.outside += 2.2
            }
            Value::Count(count) if proposal.field == Field::Quantity && count > 1 => {
                signs.lot += if count > 3 { 2.5 } else { 2.0 }
            }
            _ => {}
        }
    }
    let fractions = || {
        facts
            .numbers
            .iter()
            .filter(|n| matches!(n.kind, NumberKind::Fraction) && n.total_known)
    };
    let same = |a: &NumberReading, b: &NumberReading| (a.number, a.total) == (b.number, b.total);
    let different = fractions()
        .enumerate()
        .filter(|(at, n)| !fractions().take(*at).any(|before| same(before, n)))
        .count();
    if different > 1 {
        signs.lot += 2.5 * (different - 1) as f32;
    }
    // two names and two numbers are two cards, one name and one grade are one card with a wrong number
    if different > 1 {
        signs.lot += match (facts.all_species, facts.grades) {
            (2.., _) => 1.0,
            (_, 1) => -1.5,
            (_, 0) => 0.0,
            (_, 2..) => 1.0,
        };
    }
    if facts.species >= 2 {
        signs.lot += 1.2 * (facts.species - 1) as f32 + if facts.solid { 0.0 } else { 1.0 };
    } else if facts.species == 1 && !facts.solid && facts.all_species >= 2 {
        signs.lot += if different == 0 { 1.6 } else { 0.8 };
    }
    // several slabs
    if facts.grades > 1 && facts.all_species > 1 {
        signs.lot += 1.5 * (facts.grades - 1) as f32;
    }
    // a set, but neither a card's name nor a number
    if facts.set && !facts.named && different == 0 && !facts.numbered && signs.lot <= 0.0 {
        signs.sealed += 1.8;
    } else if !facts.named && different == 0 && !facts.numbered && sealed_words > 0 {
        signs.sealed += 0.8;
    }
    let card = facts.graded as u8 + u8::from(different != 0) * 2 + u8::from(facts.condition);
    let card = f32::from(card);
    signs.lot -= card * 0.3 + if facts.solid { 0.8 } else { 0.0 };
    signs.sealed -= card * 1.3 + if facts.solid { 1.5 } else { 0.0 };
    // shops call a box by its kind and the card that is in it, and nothing else
    if sealed_strong
        && things <= 0.0
        && !facts.numbered
        && different == 0
        && card == 0.0
        && !facts.rarity
    {
        signs.sealed += 1.5;
    }
    if sealed_words > 1 {
        signs.sealed += 0.5;
    }
    games -= if signs.own_game { 2.5 } else { 0.0 };
    signs.other = games.max(0.0) + things.max(0.0);
    let slab = facts.numbered && (facts.graded || facts.condition);
    let evidence = signs.own_game
        || facts.set
        || facts.top > 0.4
        || facts.fraction
        || (slab || facts.own_script) && games <= 0.0;
    signs.other -= if facts.solid {
        1.2
    } else if facts.top > 0.5 {
        0.5
    } else {
        0.0
    };
    if !evidence && !facts.solid && facts.all_species == 0 {
        signs.other += 3.5;
    } else if !signs.own_game && !facts.solid && games > 0.0 {
        signs.other += 1.5;
    } else if !signs.own_game && !facts.solid && facts.top < 0.3 {
        signs.other += 0.6 + facts.unread;
    }
    signs
}

/// What is being sold where no card was looked for, and whether the game is named.
pub(crate) fn kind(found: &Found<'_, '_>) -> (Kind, bool) {
    let signs = signs(&Facts::of(found));
    // what names something of a card may be one of the catalogue's
    let nil = if signs.named { 0.0 } else { 1.0 };
    let (kind, ..) = weigh(&signs, 0.0, nil, false);
    (kind, signs.own_game)
}

/// Kind and outcome from the signs and the probabilities of the candidates.
fn weigh(signs: &Signs, top: f64, nil: f64, ambiguous: bool) -> (Kind, OutcomeType, f64) {
    let (other, sealed, lot, outside) = (
        signs.other - 1.5,
        signs.sealed - 1.5,
        signs.lot - 1.5,
        signs.outside - 1.5,
    );
    let best = other.max(sealed).max(lot).max(outside);
    if best > 0.0 {
        let confidence = squash(best);
        if best == other {
            return (Kind::Other, OutcomeType::NotACard, confidence);
        }
        if best == lot {
            return (Kind::Lot, OutcomeType::Lot, confidence);
        }
        if best == sealed {
            return if signs.own_game || other < -2.0 {
                (Kind::Sealed, OutcomeType::Sealed, confidence)
            } else {
                (Kind::Sealed, OutcomeType::Sealed, confidence * 0.8)
            };
        }
        return (Kind::Single, OutcomeType::NotInCatalogue, confidence);
    }
    // no sign at all is not a toss-up
    let single = 1.0 - squash(best * 2.0 - 1.0);
    if nil > REFUSE {
        // a title that names nothing of a card is none that we lack
        if !signs.named {
            return if signs.lot > 0.0 || signs.own_game && signs.latin {
                (Kind::Lot, OutcomeType::Lot, NOTHING_NAMED)
            } else {
                (Kind::Other, OutcomeType::NotACard, NOTHING_NAMED)
            };
        }
        (Kind::Single, OutcomeType::NotInCatalogue, nil * single)
    } else if ambiguous {
        (
            Kind::Single,
            OutcomeType::Ambiguous,
            (1.0 - nil) * single * (1.0 - top).max(0.5),
        )
    } else {
        (Kind::Single, OutcomeType::Match, top * single)
    }
}
