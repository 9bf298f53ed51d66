//! The game of a title: the one that it names, or that of the card that it is.

use crate::attributes::game;
use crate::attributes::readings::Readings;
use crate::dictionary::{GameKind, Tag};
use crate::findings::Findings;
use crate::parsed::{Field, Kind};
use crate::reading::{Proposal, Value};

/// The game or sport that the title names: one that the catalogue holds, or for what is not a card
/// of it the other one.
pub(super) fn stated<'t>(readings: &Readings<'_, 't>, kind: Kind) -> Option<&'t str> {
    let reference = readings.reference;
    let not_held = kind == Kind::Other;
    // `Magic Johnson`, `Orlando Magic`
    let other_in = |words: &Proposal, around: &Proposal| match around.value {
        Value::Word(tag @ Tag::Game(at)) => {
            let goods = reference.dictionary.games[usize::from(at)].kind == GameKind::Goods;
            words.inside(around) && !goods && !reference.stats.is_held_game(tag)
        }
        _ => false,
    };
    // `EB01-014 Gouf Gundam Card Game`
    let in_code = |words: &Proposal| {
        let held = matches!(words.value, Value::Word(tag) if reference.stats.is_held_game(tag));
        held && game::other(reference.dictionary, reference.stats, readings.chosen).is_some()
            && game::begins_number(readings.context.line, readings.chosen, words)
    };
    let of_other = |words: &Proposal| {
        let around = readings.chosen.covering(words.at);
        not_held && (around.is_some_and(|around| other_in(words, around)) || in_code(words))
    };
    // words inside another reading still name the game: `Pokemon Jungle` is the name of a set
    let held = |weak: bool| {
        let mut words = readings.proposals.iter().filter(|p| p.weak == weak);
        words.find_map(|p| match p.value {
            Value::Word(tag @ Tag::Game(at)) if reference.stats.is_held_game(tag) => {
                (!of_other(p)).then_some(at)
            }
            _ => None,
        })
    };
    let in_front = || {
        game::in_front(
            reference.dictionary,
            reference.stats,
            readings.chosen,
            readings.proposals,
        )
    };
    // a name that two games have hints at one, where the title says the other: `Robin Hood Lorcana`
    let held = held(false).or_else(|| held(true));
    let other = || {
        let word = |p: &Proposal| match p.value {
            Value::Word(Tag::Game(at)) => Some(at),
            _ => None,
        };
        let named = |at: &u16| game::is_name(reference.dictionary, *at);
        // a word that is only a hint names the game where none else does
        let words = |weak: bool| {
            let mut chosen = readings.chosen.of(Field::Game).filter(|p| p.weak == weak);
            chosen.find_map(|p| word(p).filter(|at| named(at) && !in_code(p)))
        };
        words(false).or_else(|| words(true))
    };
    in_front()
        .filter(|_| not_held)
        .or(held)
        .or_else(|| other().filter(|_| not_held))
        .map(|at| reference.dictionary.games[usize::from(at)].name.as_str())
}

/// A card below this probability does not say the game of a title that has no name and no set.
const LEAST: f64 = 0.02;

/// The game of the likeliest card; that of any of a hundred is not said by a bare number: `Near Mint
/// #92`.
pub(super) fn of_card<'t>(findings: &Findings<'_, 't>) -> Option<&'t str> {
    let catalogue = findings.readings.reference.catalogue;
    let best = findings.ranked.first()?;
    let chosen = findings.readings.chosen;
    if best.probability < LEAST && !chosen.has(Field::Name) && !chosen.has(Field::Set) {
        return None;
    }
    let set = catalogue.set_record(catalogue.card_record(best.card)?)?;
    Some(catalogue.game(set))
}

/// The game of the sets or the names of several cards, or of a product, that are read.
pub(super) fn of_words<'t>(findings: &Findings<'_, 't>) -> Option<&'t str> {
    let catalogue = findings.readings.reference.catalogue;
    let game = game::of_readings(&findings.readings);
    let mut games = catalogue.game_ids();
    games.find(|id| game != 0 && catalogue.game_bit(id) == game)
}
