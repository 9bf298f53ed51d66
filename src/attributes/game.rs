//! The game that a card belongs to.

use super::hit::Hit;
use super::writer::Writer;
use crate::catalogue::format::U24;
use crate::catalogue::{Columns, Entry, EntryKind};
use crate::dictionary::{Tag, Tagged, When};
use crate::parsed::Field;
use crate::reading::Proposal;
use crate::reading::context::spanning;
use crate::reference::Reference;
use crate::token::Line;

/// Confidence in words for a game.
pub(crate) const QUALITY: f32 = 1.1;

/// Shorter names are words of other things too often to say which game is meant.
const LEAST_NAME: u32 = 5;

/// The games whose own words count in a title, a bit for each of the dictionary's folders: those
/// that it names, which are `stated`, else those that have a card of a name in it, else all. `SSP`
/// is a rarity of one game and a set of another.
pub(crate) fn in_question(reference: &Reference<'_, '_>, stated: u32, hits: &[Hit]) -> u32 {
    let stats = reference.stats;
    if !stats.several_games {
        return u32::MAX;
    }
    let mut games = stated;
    if games == 0 {
        let long = |hit: &&Hit| hit.means.name && hit.whole && hit.end - hit.at >= LEAST_NAME;
        games = hits
            .iter()
            .filter(long)
            .fold(0, |games, hit| games | of_names(reference.catalogue, hit));
    }
    if games == 0 {
        return u32::MAX;
    }
    stats.folders_of_games(games)
}

/// The games, among those of the catalogue, that the title names; 0 if it names none of them.
pub(crate) fn stated(reference: &Reference<'_, '_>, tags: &[Tagged]) -> u32 {
    let strong = tags.iter().filter(|tag| !tag.when.has(When::WEAK));
    strong.fold(0, |games, tag| {
        games | reference.stats.game_of_word(tag.tag)
    })
}

/// In a title that names games, which are `stated`, takes from hits the names and sets of other
/// games: few listings name a game that they do not sell.
pub(crate) fn keep_stated(reference: &Reference<'_, '_>, stated: u32, hits: &mut [Hit]) {
    if !reference.stats.several_games || stated == 0 {
        return;
    }
    for hit in hits {
        let (name, set) = names_of(reference.catalogue, hit, stated);
        hit.means.name &= name;
        hit.means.subject &= name;
        hit.means.set &= set;
    }
}

/// Where the subjects that a title names are of some games, takes from hits the names of things of
/// others that are one word, or that the dictionary reads as what is sold, or as nothing:
/// `Pikachu Dispatch`, `Rhyhorn Primal`.
pub(crate) fn keep_words(
    reference: &Reference<'_, '_>,
    line: &Line,
    tags: &[Tagged],
    hits: &mut [Hit],
) {
    if !reference.stats.several_games {
        return;
    }
    let word = |hit: &Hit| {
        let mut tags = spanning(tags, hit.at, hit.end);
        tags.any(|tag| matches!(tag.tag, Tag::Kind(_) | Tag::Sealed(_) | Tag::Noise))
    };
    let one = |hit: &Hit| {
        let token = line.tokens().get(line.token_at(hit.at as usize));
        token.is_some_and(|token| hit.spans(token.at, token.end))
    };
    let thing = |hit: &Hit| hit.means.name && !hit.means.subject && (one(hit) || word(hit));
    if !hits.iter().any(thing) {
        return;
    }
    let subject = |hit: &&Hit| hit.means.subject && hit.whole && hit.end - hit.at >= LEAST_NAME;
    let subjects = hits.iter().filter(subject);
    let games = subjects.fold(0, |games, hit| games | of_names(reference.catalogue, hit));
    for hit in hits.iter_mut().filter(|hit| games != 0 && thing(hit)) {
        // a nickname is of no game by itself
        let own = of_names(reference.catalogue, hit);
        hit.means.name = own == 0 || own & games != 0;
    }
}

/// Whether a hit may name a card, and whether a set, of one of `games`.
fn names_of(catalogue: &Columns<'_>, hit: &Hit, games: u32) -> (bool, bool) {
    let mut name = of_names(catalogue, hit) & games != 0;
    let mut set = false;
    for entry in catalogue.entries(hit.place) {
        match entry.kind() {
            EntryKind::Card => name |= of_card(catalogue, entry.id()) & games != 0,
            EntryKind::Set => {
                let record = catalogue.sets.get(entry.id() as usize);
                set |= record.is_some_and(|record| record.game_bit() & games != 0);
            }
            _ => {}
        }
    }
    (name, set)
}

/// The core of the names that an entry stands for; `None` if it stands for something else.
fn core_of(catalogue: &Columns<'_>, entry: Entry) -> Option<u32> {
    match entry.kind() {
        EntryKind::Core => Some(entry.id()),
        EntryKind::Name => {
            let name = catalogue.names.get(entry.id() as usize);
            name.map(|name| name.core.get())
        }
        _ => None,
    }
}

/// The games, among those of the catalogue, of the names that a hit may be.
fn of_names(catalogue: &Columns<'_>, hit: &Hit) -> u32 {
    let entries = catalogue.entries(hit.place);
    let cores = entries.filter_map(|entry| core_of(catalogue, entry));
    cores.fold(0, |games, core| games | of_core(catalogue, core))
}

/// The games, among those of the catalogue, that have a card of a core.
pub(crate) fn of_core(catalogue: &Columns<'_>, core: u32) -> u32 {
    let game = |card: &U24| of_card(catalogue, card.get());
    let mut cards = catalogue.cards_of_core(core);
    let mut games = 0;
    // a game's cards stand one behind the other, and most names are of one game
    while let (Some(first), Some(last)) = (cards.first().map(game), cards.last().map(game)) {
        games |= first;
        let own = if first == last {
            cards.len()
        } else {
            cards.partition_point(|card| game(card) == first)
        };
        cards = &cards[own..];
    }
    games
}

/// The game of a card; 0 if there is no such card.
fn of_card(catalogue: &Columns<'_>, card: u32) -> u32 {
    let record = catalogue.card_record(card);
    let set = record.and_then(|record| catalogue.set_record(record));
    set.map_or(0, |set| set.game_bit())
}

/// Writes the words for the game with number `word` of the dictionary.
pub(crate) fn write(writer: &mut Writer<'_, '_, '_>, proposal: &Proposal, word: u16) {
    let name = writer.dictionary().games[word as usize].name.as_str();
    writer.chosen(Field::Game, name, proposal);
}
