//! Readings → [`Query`]: the clues for the catalogue. The clues of one attribute are made in that
//! attribute's file.

pub(crate) mod in_sets;
pub(crate) mod misspelt;
pub(crate) mod of_code;

use crate::attributes::language::Language;
use crate::attributes::query::{Query, UNREAD_WORDS};
use crate::attributes::readings::Readings;
use crate::attributes::{
    art, epithet, language, mark, name, number, printing, product, rarity, set,
};
use crate::catalogue::{Marks, NameQuality};
use crate::dictionary::Tag;
use crate::parsed::Field;
use crate::reading::context::Context;
use crate::reading::{Chosen, Proposal, Value};
use crate::token::{Class, Token};

/// Hit points of cards are multiples of this.
const HP_STEP: u32 = 10;

/// Clues that describe the card as a whole.
#[derive(Default)]
struct Said<'r> {
    /// The language that is named.
    language: Option<&'r str>,
    /// The marks next to names.
    marks: Marks,
}

/// Turns readings, both those that were chosen and those that lost, into clues.
pub(crate) fn ask(readings: &Readings<'_, '_>, query: &mut Query) {
    let catalogue = readings.reference.catalogue;
    let (proposals, chosen) = (readings.proposals, readings.chosen);
    let mut said = Said::default();
    for proposal in proposals {
        match proposal.value {
            Value::Hit(at) => {
                let hit = &readings.hits[at as usize];
                match proposal.field {
                    Field::Name => {
                        let hit = (hit, readings.hits);
                        name::ask_proposal(catalogue, hit, proposal, chosen, query);
                    }
                    Field::Origin | Field::Illustrator => {
                        product::ask(&readings.reference, hit, proposal, proposals, query);
                    }
                    _ => {
                        let all = (proposals, chosen);
                        set::ask_proposal(
                            catalogue,
                            readings.reference.stats,
                            hit,
                            proposal,
                            all,
                            query,
                        );
                    }
                }
            }
            Value::Number(at) => {
                let number = &readings.numbers[at as usize];
                number::ask_proposal(catalogue, number, proposal, chosen, query);
                if proposal.chosen {
                    let said_by =
                        number::language_of(&readings.reference, &readings.context, number);
                    said.language = said.language.or(said_by);
                }
            }
            Value::Count(count) if proposal.chosen => match proposal.field {
                Field::Year => query.years.push(count as u16),
                Field::Hp => query.hp = (count / HP_STEP) as u8,
                _ => {}
            },
            Value::Word(tag) => word(readings, proposal, tag, &mut said, query),
            _ => {}
        }
    }
    name::join_parts(query);
    let romaji = |n: &name::NameClue| n.chosen && n.quality == NameQuality::Romaji;
    query.hinted |= query.names.iter().any(romaji);
    set::keep_own(readings, query);
    set::keep_copies(catalogue, query);
    query.regional_set = set::is_regional(catalogue, query);
    query.series_of_promo = product::series_of_promo(&readings.reference, chosen, query);
    mark::share(proposals, readings.hits, chosen, query);
    art::ask_regular(readings.reference.stats.essential, query);
    rarity::weigh(&readings.reference, query);
    set::ask_printings(&readings.reference, query);
    if let Some(mark) = set::mark(proposals, chosen, query) {
        said.marks = said.marks.with(mark);
    }
    // `Delta Species DS`: behind the mark, which asks how many sets are read
    set::drop_code(catalogue, query);
    name::whole(&readings.reference, readings.hits, chosen, query);
    epithet::find(catalogue, readings.context.line, query);
    let dictionary = readings.reference.dictionary;
    mark::divide(dictionary, chosen, &mut said.marks, query);
    query.marks = said.marks;
    query.doubted = query.doubted.minus(said.marks);
    mark::shorten(dictionary, query);
    let (language, said_language) = language::clue(
        said.language,
        dictionary,
        &readings.context,
        (readings.hits, chosen),
        || set::is_first(catalogue, query),
    );
    query.language = language;
    let further = said_language.filter(|_| language == Language::Regional);
    query.further = further.and_then(|name| catalogue.language_number(language::public_name(name)));
    number::settle(&readings.reference, query);
    query.japanese_refuted = number::refutes_japanese(&readings.reference, query);
    query.set_lacks_names = set::lacks_names(&readings.reference, query);
    unread_words(&readings.context, chosen, query);
}

/// Adds the clues of a word of the dictionary.
fn word<'t>(
    readings: &Readings<'_, 't>,
    proposal: &Proposal,
    tag: Tag,
    said: &mut Said<'t>,
    query: &mut Query,
) {
    let (dictionary, chosen) = (readings.reference.dictionary, readings.chosen);
    match tag {
        Tag::Affix(bit) => {
            mark::ask(proposal, bit, chosen, &mut said.marks, query);
            mark::ask_case(readings, proposal, bit, query);
        }
        Tag::Language(at) => {
            let name = dictionary.languages[at as usize].as_str();
            if proposal.weak {
                query.hinted |= language::is_japanese(name);
            } else if proposal.chosen
                || language::inside_set(readings.context.line, chosen, proposal)
            {
                said.language = said.language.or(Some(name));
            }
        }
        Tag::Rarity(at) if proposal.chosen => {
            let line = readings.context.line;
            let text = line.text(proposal.at as usize, proposal.end as usize);
            rarity::ask(&readings.reference, at, text, query);
        }
        // `shiny` is a finish, too
        Tag::Rarity(at) if read_as(Field::Finish, chosen, proposal) => {
            query.arts.ask(&dictionary.rarities[at as usize].value);
        }
        // `リーパラ`: the parallel of a leader
        Tag::Rarity(at)
            if read_as(Field::Treatment, chosen, proposal)
                && rarity::adds_to_treatment(dictionary, at) =>
        {
            let line = readings.context.line;
            let text = line.text(proposal.at as usize, proposal.end as usize);
            rarity::ask(&readings.reference, at, text, query);
        }
        // words inside another reading still name the game
        Tag::Game(_) => {
            let game = readings.reference.stats.game_of_word(tag);
            if proposal.weak {
                query.hinted_games |= game;
            } else {
                query.games |= game;
            }
        }
        Tag::Printing(at) if proposal.chosen && !printing::is_any_stamp(chosen, proposal) => {
            printing::ask(&readings.reference, at, query);
        }
        _ => {}
    }
}

/// Whether the words of a proposal were read as a `field`.
fn read_as(field: Field, chosen: &Chosen, proposal: &Proposal) -> bool {
    let same = |c: &Proposal| c.field == field && (c.at, c.end) == (proposal.at, proposal.end);
    chosen.covering(proposal.at).is_some_and(same)
}

/// Collects the words that nothing explains; what is glued to them is of the same word, but for
/// the letters behind kana: `char1zard`, and two in `カイリュウV`.
fn unread_words(context: &Context<'_>, chosen: &Chosen, query: &mut Query) {
    let tokens = context.line.tokens();
    let letters = |t: &Token| {
        matches!(
            t.class,
            Class::Latin | Class::Katakana | Class::Han | Class::Hangul
        )
    };
    let mut free = chosen.free();
    let mut unread = |t: &Token| free(t.at, t.end) && (letters(t) || t.class == Class::Digit);
    let mut at = 0;
    while let Some(first) = tokens.get(at).filter(|_| query.unread.len() < UNREAD_WORDS) {
        let mut end = at + 1;
        if unread(first) {
            let same = |t: &Token| t.glued && t.class.unspaced() == first.class.unspaced();
            while tokens.get(end).is_some_and(|t| same(t) && unread(t)) {
                end += 1;
            }
            if tokens[at..end].iter().any(letters) {
                query.unread.push((first.at, tokens[end - 1].end));
            }
        }
        at = end;
    }
}
