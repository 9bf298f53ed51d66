//! What the names and sets of a title say of its numbers.

use super::refute::{Refuted, refuted, refuted_by_code};
use super::{NumberClue, NumberKind, NumberReading, digits_of, is_of_names, known_in};
use crate::attributes::language::Language;
use crate::attributes::name::NameClue;
use crate::attributes::query::Query;
use crate::attributes::set::SetClue;
use crate::catalogue::Columns;
use crate::catalogue::format::{CardRecord, SetRecord, U24, set_flag};
use crate::math::information;
use crate::reference::Reference;

/// Finds out whether all numbers are bare digits, whether some are next to a name or a set, and
/// which of them the catalogue refutes.
pub(crate) fn settle(reference: &Reference<'_, '_>, query: &mut Query) {
    let catalogue = reference.catalogue;
    let bare = |n: &NumberClue| n.kind == NumberKind::Bare && n.number.is_some();
    query.bare_beside = query.numbers.iter().all(bare) && query.numbers.iter().any(|n| n.beside);
    let cards = catalogue.card_count().max(1) as f32;
    let mut numbers = std::mem::take(&mut query.numbers);
    join_total(catalogue, &mut numbers);
    for clue in &mut numbers {
        // `ST18-004` by itself is a card of the game that writes its numbers so, and not `ST18-04`
        if query.names.is_empty() && clue.patterns & clue.known_in != 0 {
            clue.games &= clue.patterns;
        }
        if let Some(number) = of_campaign(catalogue, query, clue) {
            let held = catalogue.cards_of_number(number).len();
            (clue.number, clue.total, clue.has_total) = (Some(number), None, false);
            clue.idf = information(cards, held as u32);
        } else if let Some((number, total)) = with_letters(catalogue, query, clue) {
            let pairs = catalogue.cards_of_number_and_total(number, total);
            (clue.number, clue.total) = (Some(number), Some(total));
            clue.idf_pair = information(cards, pairs.len() as u32);
        }
        if clue.kind == NumberKind::Hash && is_only_of_subject(catalogue, query, clue) {
            clue.kind = NumberKind::Subject;
        }
        clue.refuted = refuted(reference, query, clue);
        if clue.kind == NumberKind::Subject && is_subject_alone(catalogue, query, clue) {
            clue.number = None;
        }
        // `POP Series 1 Promo 32`: what no card of the set comes near is hardly a promo's number
        if clue.refuted == Refuted::Beyond && clue.kind == NumberKind::Hash && clue.unsigned {
            clue.kind = NumberKind::Bare;
        }
    }
    // no card of the name in the set that is named has it, and it is not the subject's
    numbers.retain(|clue| clue.kind != NumberKind::Subject || clue.refuted == Refuted::No);
    query.numbers = numbers;
}

/// Whether a number is that of a subject in the title, of which no card bears it, and a set is named:
/// `Lucario #448 Paldean Fates`. Else it may be of a card that is not held: `CoroCoro promo Wooper #194`.
fn is_only_of_subject(catalogue: &Columns<'_>, query: &Query, clue: &NumberClue) -> bool {
    let bears = |core: u32| {
        let number = clue.number;
        number.is_some_and(|number| catalogue.core_prints(core, number, None))
    };
    let mut names = query.names.iter().filter(|name| name.chosen);
    query.sets.iter().any(SetClue::is_named)
        && names.any(|name| catalogue.core_has_subject(name.core, clue.digits) && !bears(name.core))
}

/// Makes one number of two of which the second is the total of the first: `Starly #148 (/198)`.
fn join_total(catalogue: &Columns<'_>, numbers: &mut Vec<NumberClue>) {
    let [number, total] = &mut numbers[..] else {
        return;
    };
    if (number.kind, total.kind) != (NumberKind::Hash, NumberKind::Total) {
        return;
    }
    let pair = number.number.zip(total.total);
    let pairs = pair.map_or(0, |(n, t)| catalogue.cards_of_number_and_total(n, t).len());
    number.kind = NumberKind::Fraction;
    (number.total, number.has_total) = (total.total, total.has_total);
    (number.total_digits, number.idf_total) = (total.total_digits, total.idf_total);
    number.idf_pair = information(catalogue.card_count().max(1) as f32, pairs as u32);
    numbers.pop();
}

/// Whether the number of a subject is no card's: the title names sets or an era, none of which has a
/// card of its names with that number, as in `ガーディ No.058 旧裏`.
fn is_subject_alone(catalogue: &Columns<'_>, query: &Query, clue: &NumberClue) -> bool {
    let mut sets = chosen_sets(catalogue, query).peekable();
    let named = |card: &U24| {
        let card = catalogue.card_record(card.get());
        let name = card.and_then(|card| catalogue.name_record(card));
        name.is_some_and(|name| {
            let core = name.core.get();
            query.names.is_empty() || query.names.iter().any(|name| name.core == core)
        })
    };
    let prints = |set: &SetRecord| {
        let number = clue.number.filter(|_| set.flags & set_flag::UNPRINTED == 0);
        let own = number.map_or(&[][..], |n| catalogue.cards_of_set_numbered(set, n));
        own.iter().any(named)
    };
    sets.peek().is_some() && !sets.any(prints)
}

/// Letters that sources put behind the printed number of promos which came with a set: the stamped
/// ones of prereleases, and those of promo packs.
const CAMPAIGN_ENDINGS: [&str; 2] = ["s", "p"];

/// The number of a promo of the title's names whose source has it with a letter of its campaign, if
/// the title names the campaign: `207/269 Prerelease` is 207s.
fn of_campaign(catalogue: &Columns<'_>, query: &Query, clue: &NumberClue) -> Option<u32> {
    if !query.campaign || query.words.is_empty() || clue.digits == 0 {
        return None;
    }
    let meant = |card: &CardRecord| {
        let text = catalogue.number_text(card);
        let ending = text.trim_start_matches(|c: char| c.is_ascii_digit());
        text[..text.len() - ending.len()].parse() == Ok(clue.digits)
            && CAMPAIGN_ENDINGS.contains(&ending)
            && catalogue.shared_words(card, &query.words).is_some()
    };
    let cores = query
        .names
        .iter()
        .filter(|name| name.chosen)
        .map(|name| name.core);
    let cards = cores.flat_map(|core| catalogue.cards_of_core(core).iter());
    let mut cards = cards.filter_map(|card| catalogue.card_record(card.get()));
    cards.find(|card| meant(card)).map(|card| card.number.get())
}

/// The number and the total of a card of the title's names, if it prints those of `clue` behind
/// letters, and no card of the names prints them as they are stated: `19/30` for `TG19/TG30`. A card
/// of a set that the title names may, where another of the names prints them so: `Sylveon VMAX Trainer
/// Gallery 15/30`.
fn with_letters(catalogue: &Columns<'_>, query: &Query, clue: &NumberClue) -> Option<(u32, u32)> {
    if clue.kind != NumberKind::Fraction || clue.total_digits == 0 {
        return None;
    }
    let stated = clue.number.zip(clue.total);
    let taken = stated.is_some_and(|(number, total)| is_of_names(catalogue, query, number, total));
    let named = |card: &CardRecord| {
        let own = catalogue.set_record(card);
        own.is_some_and(|own| chosen_sets(catalogue, query).any(|set| set.first == own.first))
    };
    if taken && !names_lettered(catalogue, query) {
        return None;
    }
    // most totals end otherwise, which shows without a look at their cards
    let ends = |total: &U24| catalogue.number_may_end_in(total.get(), clue.total_digits);
    let lettered = |card: &&CardRecord| {
        let same = |printed: &str, digits: u16| {
            let own = digits_of(printed);
            own.len() < printed.len() && own.parse() == Ok(digits)
        };
        same(catalogue.total_text(card), clue.total_digits)
            && same(catalogue.number_text(card), clue.digits)
    };
    // a name may stand in a title a hundred times
    let names = query.names.iter().enumerate();
    let names = names.filter(|(_, name)| name.chosen);
    let first = |&(at, name): &(usize, &NameClue)| {
        let mut before = query.names[..at].iter();
        !before.any(|other| other.chosen && other.core == name.core)
    };
    let cores = names.filter(first).map(|(_, name)| name.core);
    let cards = cores.flat_map(|core| {
        let cards = catalogue.cards_of_core(core).iter();
        cards.zip(catalogue.totals_of_core(core))
    });
    let card = cards
        .filter(|(_, total)| ends(total))
        .filter_map(|(card, _)| catalogue.card_record(card.get()))
        .find(|card| lettered(card) && (!taken || named(card)))?;
    Some((card.number.get(), card.total.get()))
}

/// The sets that the words which were read as sets name.
fn chosen_sets<'c>(
    catalogue: &'c Columns<'_>,
    query: &'c Query,
) -> impl Iterator<Item = &'c SetRecord> {
    let chosen = query.sets.iter().filter(|set| set.chosen);
    chosen.flat_map(|set| catalogue.sets_named(set.place))
}

/// Whether the title names a set whose numbers begin with letters.
fn names_lettered(catalogue: &Columns<'_>, query: &Query) -> bool {
    chosen_sets(catalogue, query).any(|set| {
        let first = catalogue.card_record(set.first.get());
        first.is_some_and(|card| {
            let number = catalogue.number_text(card).as_bytes();
            number.first().is_some_and(u8::is_ascii_alphabetic)
        })
    })
}

/// Whether a title that says of its card that it is Japanese states the number and the total of an
/// international card of its names, a total that no Japanese set prints.
pub(crate) fn refutes_japanese(reference: &Reference<'_, '_>, query: &Query) -> bool {
    let catalogue = reference.catalogue;
    let refutes = |clue: &NumberClue| {
        let pair = clue.number.zip(clue.total);
        let named = pair.filter(|&(number, total)| {
            clue.total_digits != 0 && is_of_names(catalogue, query, number, total)
        });
        // the games that print the pair
        let games = named.map_or(0, |(number, total)| {
            known_in(
                catalogue,
                catalogue.cards_of_number_and_total(number, total),
            )
        });
        let sets = reference.stats.sets_of_total(clue.total_digits);
        let sets = sets.filter_map(|set| catalogue.sets.get(set as usize));
        let mut sets = sets.filter(|set| set.game_bit() & games != 0);
        // of Chinese and Indonesian sets some have the totals of English ones
        let japanese = |set: &SetRecord| {
            let first = catalogue.card_record(set.first.get());
            first.is_some_and(|card| Some(card.language) == reference.stats.japanese)
        };
        games != 0 && !sets.any(|set| set.is_regional() && japanese(set))
    };
    query.language == Language::Japanese && query.numbers.iter().any(refutes)
}

/// Adds the clue of a number.
pub(super) fn ask(
    catalogue: &Columns<'_>,
    reading: &NumberReading,
    beside: bool,
    query: &mut Query,
) {
    let cards = catalogue.card_count().max(1) as f32;
    let number = catalogue.number(reading.number);
    let total = (reading.total != 0)
        .then(|| catalogue.number(reading.total))
        .flatten();
    let postings = number.map_or(&[][..], |n| catalogue.cards_of_number(n));
    let pairs = number
        .zip(total)
        .map_or(0, |(n, t)| catalogue.cards_of_number_and_total(n, t).len());
    query.numbers.push(NumberClue {
        kind: reading.kind,
        number,
        total,
        has_total: reading.total != 0,
        digits: reading.digits,
        total_digits: reading.total_digits,
        games: if reading.of_stated {
            reading.patterns
        } else {
            reading.games
        },
        known_in: known_in(catalogue, postings),
        patterns: reading.patterns,
        coded: reading.coded,
        beside,
        unsigned: reading.end - reading.at == reading.number_at.1 - reading.number_at.0,
        refuted: match number {
            None if reading.coded => {
                refuted_by_code(catalogue, reading.number).unwrap_or(Refuted::No)
            }
            _ => Refuted::No,
        },
        idf_pair: information(cards, pairs as u32),
        idf_total: information(cards, total.map_or(1, |t| catalogue.total_count(t))),
        idf: information(cards, postings.len() as u32),
    });
}
