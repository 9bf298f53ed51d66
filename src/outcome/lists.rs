//! Whether a title lists several cards, by names, marks, numbers and what joins them.

use super::facts::Facts;
use super::questions::A_NAME;
use crate::attributes::name::NameClue;
use crate::attributes::number::{NumberKind, NumberReading};
use crate::catalogue::Marks;
use crate::dictionary::Tag;
use crate::parsed::Field;
use crate::reading::{Proposal, Value};
use crate::token::{Class, Token};
use crate::word_lists::{CARDS, JOINING, ONE_CARD};

/// Ends of words that are no plurals.
const ENDS_OF_NAMES: [&str; 4] = ["us", "os", "is", "ss"];
/// A word in capitals of at most so many letters is short for a name.
const MOST_INITIALS: usize = 3;
/// More words than these are no name of a card.
const WORDS_OF_NAME: usize = 4;
/// A title without a name that has so many marks of names lists kinds of cards.
const MARKS_OF_LIST: u32 = 3;
/// The fewest names that are a list.
const LEAST_NAMES: usize = 3;
/// The fewest cards whose name is no everyday word by chance.
const LEAST_OF_NAME: u32 = 8;
/// The code of a set has at most so many letters and digits: `SV11W`.
const LETTERS_OF_CODE: u32 = 5;

/// Whether the title lists marks of names: `Various Pokemon Cards - V, VMAX, GX`.
pub(super) fn lists_marks(facts: &Facts<'_>) -> bool {
    let marks = facts.proposals.iter().filter_map(|p| match p.value {
        Value::Word(Tag::Affix(mark)) => Some(mark),
        _ => None,
    });
    let marks = marks.fold(0u64, |marks, mark| marks | 1 << (mark % 64));
    marks.count_ones() >= MARKS_OF_LIST
}

/// Whether a title without a number names three cards or more of one game by names that many of its
/// cards bear, and that are no subjects': `Luffy leader + Zoro leader + Law leader`.
pub(super) fn lists_names(facts: &Facts<'_>, numbers: usize) -> bool {
    if numbers != 0 || facts.numbered || facts.chosen.of(Field::Name).nth(LEAST_NAMES - 1).is_none()
    {
        return false;
    }
    let mut cores: Vec<u32> = Vec::new();
    for name in facts.names.iter().filter(|name| name.chosen) {
        if name.subject {
            return false;
        }
        let apart = facts.names.iter().all(|other| {
            !other.chosen || other.core == name.core || other.end <= name.at || name.end <= other.at
        });
        let cards = (facts.catalogue.cores.get(name.core as usize)).map_or(0, |c| c.count.get());
        if apart && cards >= LEAST_OF_NAME && !cores.contains(&name.core) {
            cores.push(name.core);
        }
    }
    let games = |core: &u32| facts.stats.games_of_core(facts.catalogue, *core);
    cores.len() >= LEAST_NAMES && cores.iter().fold(u32::MAX, |all, core| all & games(core)) != 0
}

/// Whether the title has such a word.
pub(super) fn says(facts: &Facts<'_>, is_such: impl Fn(&str) -> bool) -> bool {
    let mut tokens = facts.line.tokens().iter();
    tokens.any(|token| is_such(facts.line.text(token.at as usize, token.end as usize)))
}

/// Whether the title says that cards are sold, in a word that is not a game's name: `Paradox Rift cards`,
/// `Raw Card`; and in the plural in any: `Pokemon Cards`.
pub(super) fn says_cards(facts: &Facts<'_>) -> bool {
    let line = facts.line;
    let word = |token: &Token| line.text(token.at as usize, token.end as usize);
    let of_game = |at: u32| {
        let around = facts.chosen.covering(at).filter(|p| p.at <= at);
        around.is_some_and(|p| matches!(p.field, Field::Game | Field::Set))
    };
    let mut tokens = line.tokens().iter();
    tokens.any(|token| {
        let word = word(token);
        is_cards(word) || is_one_card(word) && !of_game(token.at)
    })
}

/// Whether a name, what it names called a card, is joined to another: `Cynthia Trainer Card & Riolu Card`.
pub(super) fn joins_cards(facts: &Facts<'_>) -> bool {
    let mut names = facts.chosen.of(Field::Name);
    let first = names.next();
    let called = |word: &str| is_one_card(word) || is_cards(word);
    first.is_some_and(|first| {
        names.any(|name| {
            let token = facts.line.token_at(name.at as usize);
            first.end < name.at
                && token > 2
                && facts.is_joined(name.at)
                && called(facts.word(token - 2))
        })
    })
}

/// Whether a subject is named twice, and a word or sign joins the two: `Radiant Venusaur & Venusaur V`.
pub(super) fn joins_twice(facts: &Facts<'_>) -> bool {
    let named = || {
        facts
            .names
            .iter()
            .filter(|name| name.chosen && name.subject)
    };
    let joins = |at: u32, end: u32| {
        at < end && JOINING.contains(&facts.line.text(at as usize, end as usize))
    };
    named().any(|a| {
        let mut others = named().filter(|b| a.core == b.core);
        others.any(|b| joins(a.end, b.at))
    })
}

/// Whether a sign joins two numbers with their totals, and nothing else stands between: `6/165 + 9/165`.
pub(super) fn joins_numbers(facts: &Facts<'_>) -> bool {
    let full = |n: &&NumberReading| {
        n.kind == NumberKind::Fraction && n.total_known && !n.is_share() && !n.is_score()
    };
    let numbers = || facts.numbers.iter().filter(full);
    numbers().any(|a| {
        numbers().any(|b| {
            let between = || facts.line.text(a.end as usize, b.at as usize);
            a.end < b.at && a.number != b.number && JOINING.contains(&between())
        })
    })
}

/// Whether a subject is named again right behind a word or sign that joins.
pub(super) fn names_again(facts: &Facts<'_>) -> bool {
    let mut named = facts.names.iter().filter(|n| n.chosen && n.subject);
    named.any(|again| {
        let mut all = facts.names.iter();
        facts.is_joined(again.at)
            && all.any(|n| n.chosen && n.core == again.core && n.end < again.at)
    })
}

/// Whether a title that names no card says `card`, a grade, one rarity or words that nothing explains,
/// none of which is a number or several things: `Pokemon Card - Yorunozu - Speed Wing`, `Pokemon Holo
/// Card`, `Fblthp Mirrodin MTG`.
pub(super) fn is_one_unnamed(facts: &Facts<'_>) -> bool {
    if facts.any_name || facts.numbered || !facts.latin {
        return false;
    }
    let words = || {
        let tokens = facts.line.tokens().iter();
        tokens.map(|t| (t, facts.line.text(t.at as usize, t.end as usize)))
    };
    let read = |at: u32| facts.chosen.iter().any(|p| p.at <= at && at < p.end);
    let card = says(facts, is_one_card);
    // `Trainer Card - Doku Gas`: beside the singular, a name ends so; but `WTS Pokemon card`
    let several = |(token, word): (&Token, &str)| {
        // `DRS RTR MTG`
        let initials = !card && token.upper && word.len() <= MOST_INITIALS;
        let ends_so = (!card || token.at == 0) && !initials && is_plural(token, word);
        is_cards(word) || !read(token.at) && (token.class == Class::Digit || ends_so)
    };
    // a rarity without a name may be of several cards: `2013 Pokemon Promos`
    let one = || {
        let mut rarities = facts.chosen.of(Field::Rarity);
        facts.unread > 0.0 && rarities.next().is_some() && rarities.next().is_none()
            || facts.grades > 0
            || card
            || facts.unread > A_NAME
                && words().filter(|(t, _)| !read(t.at)).count() <= WORDS_OF_NAME
    };
    one() && !words().any(several)
}

/// Whether a word ends as the name of several things does, and not as `Neos`, `Magus`, `Glass` or `Father's`.
fn is_plural(token: &Token, word: &str) -> bool {
    // the key has no apostrophe
    let owns = || token.norm_end - token.norm > token.end - token.at;
    word.ends_with('s') && !ENDS_OF_NAMES.iter().any(|end| word.ends_with(end)) && !owns()
}

/// Whether each of two names has a count of its own before it or behind it, or a condition or a price
/// behind it: `1x Mindsparker 1x Swat Away`, `Mindsparker x3 + Swat Away x3`, `Mindsparker NM, Swat
/// Away LP`.
pub(super) fn states_each(facts: &Facts<'_>) -> bool {
    let each = |says: &dyn Fn(&Proposal) -> bool| {
        let mut names = facts.chosen.of(Field::Name).filter(|name| says(name));
        names.nth(1).is_some()
    };
    let counted = |beside: fn(&Proposal, &Proposal) -> bool| {
        each(&|name| facts.has_count(|count, _| beside(count, name) && facts.counted_with_x(count)))
    };
    let rated = |name: &Proposal| {
        let mut conditions = facts.chosen.of(Field::Condition);
        conditions.any(|condition| condition.at == name.end)
    };
    facts.priced
        || each(&rated)
        || counted(|count, name| count.end == name.at)
        || counted(|count, name| name.end == count.at)
}

/// Whether words join two marks that make two cards of one name: `Leafeon V + VMAX`.
pub(super) fn joins_marks(facts: &Facts<'_>) -> bool {
    if facts.chosen.of(Field::Name).nth(1).is_none() {
        return false;
    }
    // those that make another card, and were read in a name
    let read = |mark: &Proposal| {
        let name = facts.chosen.covering(mark.at);
        name.is_some_and(|name| name.field == Field::Name && mark.inside(name))
    };
    let marks = || {
        facts.proposals.iter().filter_map(|p| match p.value {
            Value::Word(Tag::Affix(mark)) => {
                let mark = Marks::default().with(mark);
                let essential = mark.minus(facts.stats.essential).is_empty();
                (essential && read(p)).then_some((p, mark))
            }
            _ => None,
        })
    };
    let joined = |(a, mark): (&Proposal, Marks), (b, other): (&Proposal, Marks)| {
        mark != other && a.end < b.at && {
            let between = facts.line.text(a.end as usize, b.at as usize);
            facts.joins > 0 || JOINING.contains(&between)
        }
    };
    marks().any(|a| marks().any(|b| joined(a, b)))
}

/// Whether a subject is named twice, with two marks that make two cards: `Eevee V, Eevee VMAX`.
pub(super) fn names_two_cards(facts: &Facts<'_>) -> bool {
    let essential = facts.stats.essential;
    let marked = || facts.names.iter().filter(|name| name.subject);
    let own = |name: &NameClue| name.marks.common(essential);
    let apart = |a: &NameClue, b: &NameClue| {
        let (mark, other) = (own(a), own(b));
        a.core == b.core && a.end <= b.at && mark != other && !mark.is_empty() && !other.is_empty()
    };
    marked().any(|a| marked().any(|b| apart(a, b)))
}

/// Counts the different numbers with totals in a title that the catalogue has, those with the code
/// of a set, and of several subjects those with a sign, right behind a name or behind the code of its
/// set: `Mew #8, Abra #63`, `Kubfu 093, Porygon2 117`, `Mew (MEW 8), Abra (MEW 63)`. Those with
/// letters count where a card of a name in the title has them, or of its set: `SWSH159 SWSH160`,
/// `Galarian Gallery GG35 GG36`.
pub(super) fn different_numbers(facts: &Facts<'_>) -> usize {
    let behind_name = |n: &NumberReading| {
        let mut names = facts.chosen.of(Field::Name);
        // `Inteleon SSH 58, Drizzile SSH 56`
        let mut sets = facts.chosen.of(Field::Set);
        let code = sets.find(|set| set.end == n.at && set.end - set.at <= LETTERS_OF_CODE);
        let at = code.map_or(n.at, |code| code.at);
        let behind = names.any(|name| name.end == n.at || name.end == at);
        // `Jynx ex 151` is a set
        let otherwise = |c: &Proposal| c.field != Field::Number && c.at < n.end && n.at < c.end;
        behind && !facts.chosen.iter().any(otherwise)
    };
    let numbered = |n: &NumberReading| {
        n.kind == NumberKind::Fraction && n.total_known && !n.is_share() && !n.is_score()
    };
    // beside a card's number, `9/10` is a verdict
    let scored = facts.numbers.iter().any(numbered);
    let fractions = || {
        facts.numbers.iter().filter(|n| match n.kind {
            NumberKind::Fraction if n.is_score() => n.total_known && !scored || n.coded,
            NumberKind::Fraction => numbered(n) || n.coded,
            NumberKind::Hash => n.coded || facts.all_subjects > 1 || facts.part,
            NumberKind::Bare => facts.all_subjects > 1 && behind_name(n),
            NumberKind::Prefixed => (n.coded || facts.is_of_title(n)) && !facts.is_in_name(n),
            _ => n.coded,
        })
    };
    let fractions = || fractions().filter(|n| !facts.is_shelf_mark(n));
    // `#4` and `4/102` are one
    let same = |a: &NumberReading, b: &NumberReading| {
        a.number == b.number && (a.total == b.total || a.kind != b.kind)
    };
    fractions()
        .enumerate()
        .filter(|(at, n)| {
            !fractions()
                .take(*at)
                .any(|before| same(before, n) || before.at < n.end && n.at < before.end)
        })
        .count()
}

/// Whether a word means one card.
fn is_one_card(word: &str) -> bool {
    ONE_CARD.contains(&word)
}

/// Whether a word means several cards.
pub(super) fn is_cards(word: &str) -> bool {
    CARDS.contains(&word)
}
