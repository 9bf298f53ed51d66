//! The game that a card belongs to.

use super::hit::Hit;
use super::number::{self, NumberReading, known_in};
use super::readings::Readings;
use super::word::Word;
use super::writer::Writer;
use crate::catalogue::{Columns, EntryKind};
use crate::dictionary::{Dictionary, GameKind, Tag, Tagged, When};
use crate::parsed::Field;
use crate::reading::context::{Context, spanning};
use crate::reading::{Chosen, Proposal, Value};
use crate::reference::Reference;
use crate::stats::CatalogueStats;
use crate::token::{Class, Line};

/// Confidence in words for a game.
pub(crate) const QUALITY: f32 = 1.1;

/// Shorter names are words of other things too often to say which game is meant.
const LEAST_NAME: u32 = 5;

/// Whether words for a game mean something else: the code of a set, beside a subject, what a game in
/// question calls a card, or a part of either.
pub(crate) fn means_other(word: &Word<'_>) -> bool {
    is_called(word)
        || (word.around.part)(word.tag)
        || begins_with_mark(word)
        // `Ghost Rare` says the game, and more
        || is_rarity(word)
}

/// Whether words begin with one letter that marks the name before it: `X Box` of `Mega Charizard X Box`.
fn begins_with_mark(word: &Word<'_>) -> bool {
    word.around.name_ends.contains(&word.tag.at) && word.context.word(word.token()).len() == 1
}

/// Whether the words of a game name a set beside a subject, or, of games in question, a set or a card;
/// or a set where the title names a game of the catalogue, and they are another's.
fn is_called(word: &Word<'_>) -> bool {
    let (around, tag) = (word.around, word.tag);
    let in_question = around.in_question();
    if !around.subject && !in_question && !(around.of_other)(tag.tag) {
        return false;
    }
    let means = (around.means)(tag.at, tag.end);
    means.set || in_question && means.name
}

/// Whether the words of a game are a rarity of those in question as well.
fn is_rarity(word: &Word<'_>) -> bool {
    let games = word.around.games;
    let mut same = word.meanings();
    same.any(|tag| matches!(tag.tag, Tag::Rarity(_)) && tag.games & games != 0)
}

/// The games whose own words count in a title, a bit for each of the dictionary's folders: those
/// that it names, which are `stated`, else those that have a card of a name in it, else those of the
/// sets that it names, else all. `SSP` is a rarity of one game and a set of another.
pub(crate) fn in_question(reference: &Reference<'_, '_>, stated: u32, hits: &[Hit]) -> u32 {
    let stats = reference.stats;
    if !stats.several_games {
        return u32::MAX;
    }
    let mut games = stated;
    if games == 0 {
        games = of_long_names(reference, hits, |_| true);
        if games == 0 {
            let of_sets = |hit: &Hit| of_sets(reference.catalogue, hit);
            games = long_sets(hits).fold(0, |games, hit| games | of_sets(hit));
        }
    }
    if games == 0 {
        return u32::MAX;
    }
    stats.folders_of_games(games)
}

/// Whether a hit is no part of a word, and long enough to say a game.
fn is_long(hit: &Hit) -> bool {
    hit.whole && hit.end - hit.at >= LEAST_NAME
}

/// Whether a hit is one whole word.
fn is_one_word(line: &Line, hit: &Hit) -> bool {
    let token = line.tokens().get(line.token_at(hit.at as usize));
    token.is_some_and(|token| hit.spans(token.at, token.end))
}

/// The hits that are long and may name a set.
fn long_sets(hits: &[Hit]) -> impl Iterator<Item = &Hit> {
    hits.iter().filter(|hit| is_long(hit) && hit.means.set)
}

/// The games, among those of the catalogue, of the cards whose names stand in the title and are long
/// and no part of the name of a set, if they are such as `says`.
fn of_long_names(reference: &Reference<'_, '_>, hits: &[Hit], says: impl Fn(&Hit) -> bool) -> u32 {
    // `Lim - Legacy of the Master`, where another game has a card called `the Master`
    let in_set = |hit: &Hit| {
        let around = |set: &Hit| set.at <= hit.at && hit.end <= set.end;
        long_sets(hits).any(|set| around(set) && set.end - set.at > hit.end - hit.at)
    };
    hits.iter()
        .filter(|hit| hit.means.name && is_long(hit) && says(hit) && !in_set(hit))
        .fold(0, |games, hit| games | of_names(reference, hit))
}

/// The games, among those of the catalogue, that the title names; 0 if it names none of them. A
/// word that is the code of another game's set as well, as `EB03`, names none, and one that is a set
/// of the game as well, as `Wizards of the Coast`, says the game only where no other word does. A part
/// of a longer name names none: `ゾロ` of `ゾロアーク`.
pub(crate) fn stated(reference: &Reference<'_, '_>, tags: &[Tagged], hits: &[Hit]) -> u32 {
    let game_of = |tag: &Tagged| reference.stats.game_of_word(tag.tag);
    let sets = |tag: &Tagged| {
        let (at, end) = (tag.at, tag.end);
        let same = hits.iter().filter(move |hit| hit.spans(at, end));
        let sets = same.flat_map(|hit| hit.sets(reference.catalogue));
        sets.filter_map(|set| reference.catalogue.sets.get(set.id() as usize))
    };
    let of_other = |tag: &Tagged| sets(tag).any(|set| set.game_bit() != game_of(tag));
    let strong = tags.iter().filter(|tag| !tag.when.has(When::WEAK));
    let named =
        strong.filter(|tag| game_of(tag) != 0 && !of_other(tag) && !is_part(reference, tag, hits));
    let (mut stated, mut called) = (0, 0);
    for tag in named {
        let games = if sets(tag).next().is_some() {
            &mut called
        } else {
            &mut stated
        };
        *games |= game_of(tag);
    }
    if stated == 0 { called } else { stated }
}

/// Drops the words for a game that begin a number which says the language as another game's numbers do:
/// `OP14` of `OP14-EN015`, whose letters no number of One Piece has.
pub(crate) fn drop_codes_of_others(
    reference: &Reference<'_, '_>,
    context: &Context<'_>,
    tags: &mut Vec<Tagged>,
) {
    if !reference.stats.several_games {
        return;
    }
    let text = context.normalised.text();
    tags.retain(|tag| {
        let game = reference.stats.game_of_word(tag.tag);
        if game == 0 {
            return true;
        }
        let (at, end) = context.line.norm_range(tag.at as usize, tag.end as usize);
        let others =
            || number::games_by_language(reference, text, at).is_some_and(|of| of & game == 0);
        !(text[end..].starts_with(['-', '/']) && others())
    });
}

/// Whether words for a game are part of a longer name of another game: `ゾロ` of `ゾロアーク`, `マジック`
/// of `ディメンション・マジック`.
pub(crate) fn is_part(reference: &Reference<'_, '_>, tag: &Tagged, hits: &[Hit]) -> bool {
    let game = reference.stats.game_of_word(tag.tag);
    let longer = |hit: &Hit| hit.at <= tag.at && tag.end <= hit.end && !hit.spans(tag.at, tag.end);
    let holds = |hit: &Hit| {
        hit.means.name
            && longer(hit)
            && (hit.whole || !tag.whole)
            && of_names(reference, hit) & game == 0
    };
    hits.iter().any(holds)
}

/// Whether letters may be the code of a set for what stands beside them: in capitals the words of a
/// product (`SSP booster box`), in a title without capitals those of a game (`fdn mtg`).
pub(crate) fn is_code_beside(
    context: &Context<'_>,
    tags: &[Tagged],
    small: bool,
    (at, end): (usize, usize),
) -> bool {
    let mut beside = tags
        .iter()
        .filter(|tag| tag.at as usize == end || tag.end as usize == at);
    beside.any(|tag| match tag.tag {
        Tag::Game(_) => small,
        Tag::Sealed(_) => {
            tag.when == When::default() && context.line.is_upper(context.normalised, at, end)
        }
        _ => false,
    })
}

/// In a title that names games, which are `stated`, takes from hits the names and sets of other
/// games: few listings name a game that they do not sell. `EX` is an era of one game and a set of
/// another.
pub(crate) fn keep_stated(reference: &Reference<'_, '_>, stated: u32, hits: &mut [Hit]) {
    if !reference.stats.several_games || stated == 0 {
        return;
    }
    for hit in hits {
        let (name, set) = names_of(reference, hit, stated);
        hit.means.name &= name;
        hit.means.subject &= name;
        hit.means.set &= set;
        hit.games = stated;
    }
}

/// The one game, among those of the catalogue, of all cards with the numbers that begin with the code of a
/// set, if one of the names in the title is of it, or none is but things of one word: `Blue Eyes SDK-001
/// unlimited` names no set of another game, and `Vision BLHR-EN060` no card of one. 0 if there is none.
pub(crate) fn of_codes(
    reference: &Reference<'_, '_>,
    line: &Line,
    hits: &[Hit],
    numbers: &[NumberReading],
) -> u32 {
    let (catalogue, stats) = (reference.catalogue, reference.stats);
    if !stats.several_games {
        return 0;
    }
    let coded = numbers.iter().filter(|number| number.coded);
    let games = coded.fold(0, |games, number| {
        let may = match number.patterns {
            0 => number.games,
            own => own,
        };
        let known = catalogue.number(number.number);
        let cards = known.map(|known| catalogue.cards_of_number(known));
        games | cards.map_or(0, |cards| known_in(catalogue, cards)) & may
    });
    if games.count_ones() != 1 {
        return 0;
    }
    let says = |hit: &Hit| hit.means.subject || !is_one_word(line, hit);
    let names = of_long_names(reference, hits, says);
    if names == 0 || names & games != 0 {
        games
    } else {
        0
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
        tags.any(|tag| tag.tag.is_of_listing())
    };
    let one_or_listing = |hit: &Hit| is_one_word(line, hit) || word(hit);
    let thing = |hit: &Hit| hit.means.name && !hit.means.subject && one_or_listing(hit);
    if !hits.iter().any(thing) {
        return;
    }
    let subject = |hit: &&Hit| hit.means.subject && hit.whole && hit.end - hit.at >= LEAST_NAME;
    let subjects = hits.iter().filter(subject);
    let games = subjects.fold(0, |games, hit| games | of_names(reference, hit));
    for hit in hits.iter_mut().filter(|hit| games != 0 && thing(hit)) {
        // a nickname is of no game by itself
        let own = of_names(reference, hit);
        hit.means.name = own == 0 || own & games != 0;
    }
}

/// Drops the sets of other games whose names are also words for a rarity or a product. It applies where
/// the title states no game and names a card of a game that has the word but not the set: beside a
/// Lorcana card, `Legendary` is not a set of Pokémon; beside a Pokémon card, `Collezione Premium` is
/// not one of Yu-Gi-Oh!.
pub(crate) fn keep_own_sets(
    reference: &Reference<'_, '_>,
    stated: u32,
    tags: &[Tagged],
    hits: &mut [Hit],
) {
    if !reference.stats.several_games || stated != 0 {
        return;
    }
    let word_in = |hit: &Hit, games: u32| {
        let other = |tag: &Tagged| matches!(tag.tag, Tag::Rarity(_) | Tag::Sealed(_));
        let strong = |tag: &Tagged| other(tag) && !tag.when.has(When::WEAK);
        hit.means.set
            && spanning(tags, hit.at, hit.end).any(|tag| strong(tag) && tag.games & games != 0)
    };
    if !hits.iter().any(|hit| word_in(hit, u32::MAX)) {
        return;
    }
    let folders = in_question(reference, stated, hits);
    let games = reference.stats.games_of_folders(folders);
    for hit in hits.iter_mut().filter(|hit| word_in(hit, folders)) {
        hit.means.set = names_of(reference, hit, games).1;
    }
}

/// Drops what is also a word for goods: in a title that states no game, the code of a set of which it
/// names no card (`Moana DVD`); and a name of several words that is written as one (`hardcover`).
pub(crate) fn keep_goods(
    reference: &Reference<'_, '_>,
    (line, stated): (&Line, u32),
    tags: &[Tagged],
    hits: &mut [Hit],
) {
    let dictionary = reference.dictionary;
    let goods = |tag: Tag| match tag {
        Tag::Game(at) => dictionary.games[usize::from(at)].kind == GameKind::Goods,
        Tag::Kind(at) => dictionary.kinds[usize::from(at)].1 == NOT_A_CARD,
        _ => false,
    };
    let strong = tags.iter().filter(|tag| !tag.when.has(When::WEAK));
    for tag in strong.filter(|tag| goods(tag.tag)) {
        let Some(at) = hits.iter().position(|hit| hit.spans(tag.at, tag.end)) else {
            continue;
        };
        let catalogue = reference.catalogue;
        let words = |core: u32| {
            let core = catalogue.cores.get(core as usize);
            core.is_some_and(|core| catalogue.string(core.text).contains(' '))
        };
        let token = line.tokens().get(line.token_at(tag.at as usize));
        let one = token.is_some_and(|token| hits[at].spans(token.at, token.end));
        let mut cores = hits[at].cores(catalogue).peekable();
        if hits[at].means.name && one && cores.peek().is_some() && cores.all(words) {
            hits[at].means.name = false;
        }
        let card_of = |set: u32| {
            let names = hits.iter().filter(|hit| hit.means.name);
            let mut cores = names.flat_map(|hit| hit.cores(catalogue));
            cores.any(|core| catalogue.cards_of_set_and_core(set, core).next().is_some())
        };
        if stated == 0 && hits[at].means.set {
            let mut sets = hits[at].sets(catalogue);
            hits[at].means.set = sets.any(|set| card_of(set.id()));
        }
    }
}

/// The outcome of words for what is no card.
const NOT_A_CARD: &str = "not_a_card";

/// Whether a hit may name a card, and whether a set, of one of `games`.
fn names_of(reference: &Reference<'_, '_>, hit: &Hit, games: u32) -> (bool, bool) {
    let (catalogue, stats) = (reference.catalogue, reference.stats);
    let (mut name, mut set) = (false, false);
    for entry in catalogue.entries(hit.place) {
        match entry.kind() {
            EntryKind::Card => name |= of_card(catalogue, entry.id()) & games != 0,
            EntryKind::Set => {
                let record = catalogue.sets.get(entry.id() as usize);
                set |= record.is_some_and(|record| record.game_bit() & games != 0);
            }
            _ => {
                let core = entry.core(catalogue.names);
                name |= core.is_some_and(|core| stats.games_of_core(catalogue, core) & games != 0);
            }
        }
    }
    (name, set)
}

/// The one game of the catalogue that the sets which were read are of, else the names; 0 if they
/// are of several. `バトルパートナーズ 1BOX` names no game, but a set of one.
pub(crate) fn of_readings(readings: &Readings<'_, '_>) -> u32 {
    let reference = &readings.reference;
    let catalogue = reference.catalogue;
    let shared = |field: Field| {
        let hits = readings.chosen.of(field).filter_map(|p| match p.value {
            Value::Hit(at) => readings.hits.get(at as usize),
            _ => None,
        });
        // `151：1BOX`
        let digits = |hit: &Hit| {
            let text = readings
                .context
                .line
                .text(hit.at as usize, hit.end as usize);
            text.bytes().all(|byte| byte.is_ascii_digit())
        };
        let long = hits.filter(|hit| hit.end - hit.at >= LEAST_NAME || digits(hit));
        let games = long.map(|hit| match field {
            Field::Set => of_sets(catalogue, hit),
            _ => of_names(reference, hit),
        });
        games
            .filter(|games| *games != 0)
            .reduce(|all, one| all & one)
    };
    let games = shared(Field::Set).or_else(|| shared(Field::Name));
    games.filter(|games| games.is_power_of_two()).unwrap_or(0)
}

/// The game that the title is about although the catalogue lacks it: its name stands before all words for
/// games that the catalogue holds, which only search engines are to read: `Union Arena Killua SR #pokemon`.
pub(crate) fn in_front(
    dictionary: &Dictionary,
    stats: &CatalogueStats,
    chosen: &Chosen,
    proposals: &[Proposal],
) -> Option<u16> {
    let word = |p: &Proposal| match p.value {
        Value::Word(tag @ Tag::Game(at)) => Some((p.at, at, stats.is_held_game(tag))),
        _ => None,
    };
    let others = chosen.of(Field::Game).filter(|p| !p.weak);
    let others = others
        .filter_map(word)
        .filter(|(_, game, held)| !held && is_name(dictionary, *game));
    let (first, game, _) = others.min()?;
    let mut held = proposals.iter().filter_map(word).filter(|word| word.2);
    held.all(|(at, ..)| at > first).then_some(game)
}

/// The game that the title names for certain although the catalogue lacks it.
pub(crate) fn other(
    dictionary: &Dictionary,
    stats: &CatalogueStats,
    chosen: &Chosen,
) -> Option<u16> {
    let mut strong = chosen.of(Field::Game).filter(|p| !p.weak);
    strong.find_map(|p| match p.value {
        Value::Word(tag @ Tag::Game(at)) if !stats.is_held_game(tag) => {
            is_name(dictionary, at).then_some(at)
        }
        _ => None,
    })
}

/// Whether words for a game begin a number, which may be another game's as well: `EB01-014`.
pub(crate) fn begins_number(line: &Line, chosen: &Chosen, words: &Proposal) -> bool {
    let around = chosen.covering(words.at);
    if around.is_some_and(|p| p.field == Field::Number && words.inside(p)) {
        return true;
    }
    let last = line.token_at((words.end as usize).saturating_sub(1));
    let [code, number] = line.tokens().get(last..last + 2).unwrap_or_default() else {
        return false;
    };
    // one sign stands between
    let norm = code.norm + (code.end - code.at) + 1;
    code.class == Class::Digit
        && number.class == Class::Digit
        && (number.end - number.at) as usize == number::DIGITS_BEHIND_CODE
        && number.norm == norm
}

/// Whether the words for a game with this number name one game or sport, not goods or any game.
pub(crate) fn is_name(dictionary: &Dictionary, word: u16) -> bool {
    let kind = dictionary.games[usize::from(word)].kind;
    matches!(kind, GameKind::Game | GameKind::Sport)
}

/// The games of the sets that a hit may name.
fn of_sets(catalogue: &Columns<'_>, hit: &Hit) -> u32 {
    let sets = hit.sets(catalogue);
    let sets = sets.filter_map(|set| catalogue.sets.get(set.id() as usize));
    sets.fold(0, |games, set| games | set.game_bit())
}

/// The games, among those of the catalogue, of the names that a hit may be.
fn of_names(reference: &Reference<'_, '_>, hit: &Hit) -> u32 {
    let (catalogue, stats) = (reference.catalogue, reference.stats);
    let entries = catalogue.entries(hit.place);
    let cores = entries.filter_map(|entry| entry.core(catalogue.names));
    cores.fold(0, |games, core| {
        games | stats.games_of_core(catalogue, core)
    })
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
