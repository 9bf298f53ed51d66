//! Marks of a name: `ex`, `VMAX`, `Dark`, `Misty's`, `Galarian`.

use super::hit::Hit;
use super::name::NameClue;
use super::query::Query;
use super::rarity;
use super::readings::Readings;
use super::surroundings::Surroundings;
use super::word::Word;
use super::writer::Writer;
use crate::catalogue::Marks;
use crate::dictionary::{Dictionary, Tag, Tagged};
use crate::parsed::Field;
use crate::reading::context::{Context, spanning};
use crate::reading::{Chosen, Proposal, Value};
use crate::token::Class;

/// Confidence in a mark right next to a subject.
const BESIDE_NAME: f32 = 1.25;
/// Away from a name only long words that are nothing else: `Delta Species`, `VMAX`, `LV.X`.
const LONG_AWAY: f32 = 0.7;
/// A short word away from a name is hardly a mark.
const SHORT_AWAY: f32 = 0.1;
/// In Japanese titles a letter before the number is the rarity, not the `C` of `Garchomp C`.
const LETTER_BEFORE_NUMBER: f32 = 0.9;
/// A mark of at least this many bytes is long.
const LONG: u32 = 4;

pub(crate) fn quality(
    dictionary: &Dictionary,
    tag: &Tagged,
    mark: u16,
    around: &Surroundings<'_>,
) -> f32 {
    let prefix = dictionary.affixes[mark as usize].prefix;
    let before = around.name_starts.contains(&tag.end);
    let after = around.name_ends.contains(&tag.at);
    let bytes = tag.end - tag.at;
    // other languages put long marks on the other side: `Pikachu d'Alola`
    let beside = if bytes >= LONG {
        before || after
    } else if prefix {
        before
    } else {
        after
    };
    if bytes == 1 && around.japanese && (around.near_number)(tag.at as usize, tag.end as usize) {
        LETTER_BEFORE_NUMBER
    } else if beside {
        BESIDE_NAME
    } else if bytes >= LONG && !prefix {
        LONG_AWAY
    } else {
        SHORT_AWAY
    }
}

/// Whether a mark of names means something else.
pub(crate) fn means_other(word: &Word<'_>) -> bool {
    is_ornament(word)
        // `Pikachu 4` is its number: a card called so is a name of the catalogue
        || word.context.class(word.token()) == Some(Class::Digit)
        // the set `S-P` is not the mark `SP`
        || are_apart(word)
}

/// Whether a dash or a space parts two letters.
fn are_apart(word: &Word<'_>) -> bool {
    let line = word.context.line;
    let letters = line.key()[word.at()..word.end()].is_ascii();
    letters && word.len() == 2 && word.token() != line.token_at(word.end() - 1)
}

/// Whether a sign is no mark of a card: beside the same sign, where `★★★` is how rare a card is, or
/// an ornament; or away from names, where it stands twice or right behind a word: `☆送料無料☆`,
/// `美品☆`.
pub(super) fn is_ornament(word: &Word<'_>) -> bool {
    let (context, at, end) = (word.context, word.at(), word.end());
    let key = context.line.key();
    // most are words
    if key[at].is_ascii_alphanumeric() {
        return false;
    }
    let token = word.token();
    if context.class(token) != Some(Class::Mark) {
        return false;
    }
    let text = word.text().as_bytes();
    if key[..at].ends_with(text) || key[end..].starts_with(text) {
        return true;
    }
    let behind_word = || {
        token.checked_sub(1).is_some_and(|before| {
            context.gap(before).is_empty() && context.class(before) != Some(Class::Mark)
        })
    };
    let again = || {
        let mut parts = key.windows(text.len()).filter(|part| *part == text);
        parts.nth(1).is_some()
    };
    !word.around.name_ends.contains(&word.tag.at) && (again() || behind_word())
}

/// Adds the clue of a mark; `stated` collects those that count.
pub(crate) fn ask(
    proposal: &Proposal,
    mark: u16,
    chosen: &Chosen,
    stated: &mut Marks,
    query: &mut Query,
) {
    let rated = rarity::also(chosen, proposal);
    if rated {
        query.rated_marks = query.rated_marks.with(mark);
    }
    if proposal.chosen || rated {
        *stated = stated.with(mark);
    } else if !of_set(proposal, chosen) && !of_condition(proposal, chosen) {
        query.doubted = query.doubted.with(mark);
    }
}

/// Adds a mark whose letter case tells names apart, where the title writes the first of it in small
/// letters: `ex` of `Gengar ex`, which `Gengar-EX` is not. `EX` says less, for sellers write both so,
/// and a title without capitals nothing.
pub(crate) fn ask_case(
    readings: &Readings<'_, '_>,
    proposal: &Proposal,
    mark: u16,
    query: &mut Query,
) {
    let context = &readings.context;
    let seen = query.cased;
    query.cased = seen.with(mark);
    if query.cased == seen {
        return;
    }
    let name = &readings.reference.dictionary.affixes[mark as usize].name;
    let (at, end) = (proposal.at as usize, proposal.end as usize);
    let capital = |at: usize| context.line.is_upper(context.normalised, at, at + 1);
    let capitals = || readings.title.bytes().any(|byte| byte.is_ascii_uppercase());
    if name.bytes().all(|byte| byte.is_ascii_lowercase())
        && !(at..end).any(capital)
        && (context.japanese || capitals())
    {
        query.small = query.small.with(mark);
    }
}

/// Whether words are of a set's name alone: its end, as `V` in `シャイニースターV`, or its beginning
/// behind no name: `EX` in `Milotic holo EX Emerald`.
fn of_set(proposal: &Proposal, chosen: &Chosen) -> bool {
    let around = chosen.covering(proposal.at);
    around.is_some_and(|set| {
        let begins = set.at == proposal.at;
        let behind_name = || {
            let mut names = chosen.of(Field::Name);
            names.any(|name| name.end == proposal.at)
        };
        set.field == Field::Set && proposal.end <= set.end && !(begins && behind_name())
    })
}

/// Whether a letter is a part of words for a condition: the `M` of `NM/M`.
fn of_condition(proposal: &Proposal, chosen: &Chosen) -> bool {
    let around = chosen.covering(proposal.at);
    around.is_some_and(|condition| {
        let longer = condition.end - condition.at > proposal.end - proposal.at;
        condition.field == Field::Condition && longer
    })
}

/// Finds the marks of names whose words also begin a set's name: `EX` in `EX Holon Phantoms`, if
/// `Holon Phantoms` is read, and in `EX Deoxys`, whose rest is a name as well.
pub(crate) fn share(proposals: &[Proposal], hits: &[Hit], chosen: &Chosen, query: &mut Query) {
    for name in query
        .names
        .iter_mut()
        .filter(|n| n.chosen && n.marks != Marks::default())
    {
        let set_over = |h: &&Hit| {
            h.means.set
                && name.at < h.at
                && h.at < name.end
                && chosen.iter().any(|c| {
                    matches!(c.field, Field::Set | Field::Name)
                        && c.at >= name.end
                        && c.end == h.end
                })
        };
        let Some(set) = hits.iter().find(set_over) else {
            continue;
        };
        for proposal in proposals
            .iter()
            .filter(|p| p.at >= set.at && p.end <= name.end)
        {
            if let Value::Word(Tag::Affix(bit)) = proposal.value {
                name.shared = name.shared.with(bit);
            }
        }
    }
}

/// Where several subjects are named, a mark right before one of them is that one's alone: of
/// `Mega Gardevoir Full Art Alakazam` the second is no Mega. `stated`: the marks of the whole title.
pub(crate) fn divide(
    dictionary: &Dictionary,
    chosen: &Chosen,
    stated: &mut Marks,
    query: &mut Query,
) {
    let subject = |name: &&NameClue| name.chosen && name.subject;
    for proposal in chosen.of(Field::Name) {
        let Value::Word(Tag::Affix(bit)) = proposal.value else {
            continue;
        };
        let mut names = query.names.iter().filter(subject);
        let named = names.find(|name| name.at == proposal.end);
        let several = named.is_some_and(|named| {
            let mut names = query.names.iter().filter(subject);
            names.any(|name| name.core != named.core && name.at != named.at)
        });
        if !several || !dictionary.affixes[bit as usize].prefix {
            continue;
        }
        *stated = stated.minus(Marks::default().with(bit));
        let own = query.names.iter_mut();
        for name in own.filter(|name| name.at == proposal.end) {
            name.marks = name.marks.with(bit);
        }
    }
}

/// Notes the marks of the title that may stand for a longer one.
pub(crate) fn shorten(dictionary: &Dictionary, query: &mut Query) {
    let names = query.names.iter().map(|name| name.marks);
    let stated = names.fold(query.marks, Marks::union);
    for bit in stated.bits() {
        let affix = dictionary.affixes.get(bit as usize);
        if let Some(whole) = affix.and_then(|affix| affix.whole) {
            query.short = query.short.with(bit);
            query.whole = query.whole.with(whole);
        }
    }
}

/// Whether bytes of the key are a mark of names and no code of a set: with no number behind them (else
/// they are `numbered`), or right behind a name, but not in `Machamp (EX 51)`.
pub(crate) fn is_no_code(
    context: &Context<'_>,
    (tags, hits): (&[Tagged], &[Hit]),
    (at, end): (usize, usize),
    numbered: bool,
) -> bool {
    let first = context.line.token_at(at);
    // `S-P` are promos
    let apart = first != context.line.token_at(end - 1);
    let behind_name = |hit: &Hit| {
        hit.means.subject && hit.end as usize == at && context.before(first).trim().is_empty()
    };
    !apart && is_affix(tags, (at, end)) && (!numbered || hits.iter().any(behind_name))
}

/// Whether bytes of the key are a mark of names.
pub(crate) fn is_affix(tags: &[Tagged], (at, end): (usize, usize)) -> bool {
    let mut same = spanning(tags, at as u32, end as u32);
    same.any(|tag| matches!(tag.tag, Tag::Affix(_)))
}

/// The marks that the title states.
pub(crate) fn stated(proposals: &[Proposal], chosen: &Chosen) -> Marks {
    let mut marks = Marks::default();
    for proposal in proposals {
        if let Value::Word(Tag::Affix(bit)) = proposal.value
            && (proposal.chosen || rarity::also(chosen, proposal))
        {
            marks = marks.with(bit);
        }
    }
    marks
}

/// Writes the mark with number `mark` of the dictionary.
pub(crate) fn write(writer: &mut Writer<'_, '_, '_>, proposal: &Proposal, mark: u16) {
    let name = writer.dictionary().affixes[mark as usize].name.as_str();
    writer.chosen(Field::Name, name, proposal);
}

/// A core's name with the marks that the title states.
pub(crate) fn decorated(dictionary: &Dictionary, core: &str, marks: Marks) -> String {
    let mut out = String::new();
    for bit in marks.bits() {
        if let Some(affix) = dictionary.affixes.get(bit as usize).filter(|a| a.prefix) {
            out.push_str(&affix.name);
            out.push(' ');
        }
    }
    out.push_str(core);
    for bit in marks.bits() {
        if let Some(affix) = dictionary.affixes.get(bit as usize).filter(|a| !a.prefix) {
            out.push(' ');
            out.push_str(match affix.name.as_str() {
                "Gold Star" => "☆",
                "Prism Star" => "◇",
                name => name,
            });
        }
    }
    out
}
