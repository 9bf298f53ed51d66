//! The game that a card belongs to.

use super::hit::Hit;
use super::writer::Writer;
use crate::catalogue::EntryKind;
use crate::dictionary::{Tagged, When};
use crate::parsed::Field;
use crate::reading::Proposal;
use crate::reference::Reference;

/// Confidence in words for a game.
pub(crate) const QUALITY: f32 = 1.1;

/// Shorter names are words of other things too often to say which game is meant.
const LEAST_NAME: u32 = 5;

/// The games whose own words count in a title, a bit for each of the dictionary's folders: those
/// that it names, else those that have a card of a name in it, else all. `SSP` is a rarity of one
/// game and a set of another.
pub(crate) fn in_question(reference: &Reference<'_, '_>, tags: &[Tagged], hits: &[Hit]) -> u32 {
    let stats = reference.stats;
    if !stats.several_games {
        return u32::MAX;
    }
    let stated = tags.iter().filter(|tag| !tag.when.has(When::WEAK));
    let mut games = stated.fold(0, |games, tag| games | stats.game_of_word(tag.tag));
    if games == 0 {
        let long = |hit: &&Hit| hit.means.name && hit.whole && hit.end - hit.at >= LEAST_NAME;
        games = hits
            .iter()
            .filter(long)
            .fold(0, |games, hit| games | of_names(reference, hit));
    }
    if games == 0 {
        return u32::MAX;
    }
    stats.folders_of_games(games)
}

/// The games, among those of the catalogue, of the names that a hit may be: of each its first card's.
fn of_names(reference: &Reference<'_, '_>, hit: &Hit) -> u32 {
    let catalogue = reference.catalogue;
    let core = |entry: crate::catalogue::Entry| match entry.kind() {
        EntryKind::Core => Some(entry.id()),
        EntryKind::Name => {
            let name = catalogue.names.get(entry.id() as usize);
            name.map(|name| name.core.get())
        }
        _ => None,
    };
    let game = |core: u32| {
        let card = catalogue.cards_of_core(core).first()?;
        let record = catalogue.card_record(card.get())?;
        catalogue.set_record(record).map(|set| set.game_bit())
    };
    let cores = catalogue.entries(hit.place).filter_map(core);
    cores.filter_map(game).fold(0, |games, one| games | one)
}

/// Writes the words for the game with number `word` of the dictionary.
pub(crate) fn write(writer: &mut Writer<'_, '_, '_>, proposal: &Proposal, word: u16) {
    let name = writer.dictionary().games[word as usize].name.as_str();
    writer.chosen(Field::Game, name, proposal);
}
