//! [`Hit`]: a key of the catalogue's lexicon in the title.

use crate::catalogue::format::pack_number;
use crate::catalogue::{Columns, Entry, EntryKind};
use crate::reading::context::Context;
use crate::token::{Class, Line};

/// The kinds of thing that a key of the lexicon may name.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Means {
    /// Cards.
    pub(crate) name: bool,
    /// A subject: a name of the game's `subjects.csv`, not just the whole name of some card.
    pub(crate) subject: bool,
    /// Sets.
    pub(crate) set: bool,
    /// It is a word of a product's name.
    pub(crate) word: bool,
    /// An illustrator.
    pub(crate) artist: bool,
}

impl Means {
    /// The name of a subject.
    pub(crate) const SUBJECT: Means = Means {
        name: true,
        subject: true,
        set: false,
        word: false,
        artist: false,
    };
    /// A set.
    pub(crate) const SET: Means = Means {
        name: false,
        subject: false,
        set: true,
        word: false,
        artist: false,
    };

    /// The same without anything but a name.
    pub(crate) fn only_name(self) -> Means {
        Means {
            name: self.name,
            subject: self.subject,
            ..Means::default()
        }
    }

    /// The kinds of thing that the entries at `place` of the lexicon may name, in the games that
    /// are `open`.
    pub(crate) fn of(catalogue: &Columns<'_>, place: u32, open: u32) -> Means {
        let mut means = Means::default();
        let of_open = |entry: &Entry| open == u32::MAX || is_open(catalogue, *entry, open);
        for entry in catalogue.entries(place).filter(of_open) {
            match entry.kind() {
                EntryKind::Name | EntryKind::Core | EntryKind::Card => {
                    means.name = true;
                    let core = match entry.kind() {
                        EntryKind::Core => Some(entry.id()),
                        EntryKind::Name => catalogue
                            .names
                            .get(entry.id() as usize)
                            .map(|n| n.core.get()),
                        _ => None,
                    };
                    means.subject |= core
                        .and_then(|c| catalogue.cores.get(c as usize))
                        .is_none_or(|c| c.subjects[0].get() != 0);
                }
                EntryKind::Set => means.set = true,
                EntryKind::Word => means.word = true,
                EntryKind::Artist => means.artist = true,
            }
        }
        means
    }
}

/// Whether an entry names a set or a card of a game that is `open`; of a name its first card decides.
fn is_open(catalogue: &Columns<'_>, entry: Entry, open: u32) -> bool {
    let first_of = |core: u32| catalogue.cards_of_core(core).first().map(|card| card.get());
    let set = match entry.kind() {
        EntryKind::Set => catalogue.sets.get(entry.id() as usize),
        EntryKind::Word | EntryKind::Artist => return true,
        kind => {
            let card = match kind {
                EntryKind::Card => Some(entry.id()),
                EntryKind::Core => first_of(entry.id()),
                _ => {
                    let name = catalogue.names.get(entry.id() as usize);
                    name.and_then(|name| first_of(name.core.get()))
                }
            };
            let record = card.and_then(|card| catalogue.card_record(card));
            record.and_then(|record| catalogue.set_record(record))
        }
    };
    set.is_some_and(|set| set.game_bit() & open != 0)
}

/// A key of the lexicon in the title.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hit {
    pub(crate) at: u32,
    pub(crate) end: u32,
    /// Place of its meanings in the lexicon.
    pub(crate) place: u32,
    /// Both ends are full cuts.
    pub(crate) whole: bool,
    pub(crate) means: Means,
    /// The games whose sets count, a bit each: those that the title names, else all.
    pub(crate) games: u32,
}

impl Hit {
    /// A key that begins and ends on full cuts, in any game.
    pub(crate) fn whole((at, end): (u32, u32), place: u32, means: Means) -> Hit {
        Hit {
            at,
            end,
            place,
            whole: true,
            means,
            games: u32::MAX,
        }
    }

    /// The sets that it may name.
    pub(crate) fn sets<'c>(
        &self,
        catalogue: &Columns<'c>,
    ) -> impl Iterator<Item = Entry> + use<'c> {
        let (games, sets) = (self.games, catalogue.sets);
        let of_games = move |entry: &Entry| {
            let set = sets.get(entry.id() as usize);
            games == u32::MAX || set.is_some_and(|set| set.game_bit() & games != 0)
        };
        let entries = catalogue.entries(self.place);
        entries.filter(move |entry| entry.kind() == EntryKind::Set && of_games(entry))
    }

    /// The cores of the names that it may be.
    pub(crate) fn cores<'c>(&self, catalogue: &Columns<'c>) -> impl Iterator<Item = u32> + use<'c> {
        let names = catalogue.names;
        let entries = catalogue.entries(self.place);
        entries.filter_map(move |entry| entry.core(names))
    }

    /// Whether a card of a name that it may be has a number, and the total if one is given. A nickname of
    /// one card is the card's name here: `Red Zoro Leader OP12-020`.
    pub(crate) fn prints(&self, catalogue: &Columns<'_>, number: u32, total: Option<u32>) -> bool {
        let entries = catalogue.entries(self.place);
        let mut cores = entries.filter_map(|entry| catalogue.core_of_entry(entry));
        cores.any(|core| catalogue.core_prints(core, number, total))
    }

    /// Whether it is of the bytes `at..end` of the key.
    pub(crate) fn spans(&self, at: u32, end: u32) -> bool {
        (self.at, self.end) == (at, end)
    }

    /// Whether it shares none of the bytes `at..end`.
    pub(crate) fn is_apart(&self, at: u32, end: u32) -> bool {
        self.end <= at || end <= self.at
    }
}

/// Whether digits at a token number a card that the title names, of the set whose name or code ends right
/// before it: `silcoon lot 25`.
#[inline(never)]
pub(crate) fn number_card_of_set(
    catalogue: &Columns<'_>,
    context: &Context<'_>,
    hits: &[Hit],
    token: usize,
) -> bool {
    let line = context.line;
    let Some([before, digits]) = token
        .checked_sub(1)
        .and_then(|at| line.tokens().get(at..=token))
    else {
        return false;
    };
    // `PR (1st Edition)`, `SVM18%`
    let apart = matches!(context.before(token), " " | " #" | "-" | " - ");
    let alone = context.glued_behind(token).is_none() || context.word(token + 1) == "/";
    if digits.class != Class::Digit || !apart || !alone {
        return false;
    }
    let text = line.text(digits.at as usize, digits.end as usize);
    let Some(number) = catalogue.number(pack_number(text)) else {
        return false;
    };
    let named = |code: &Hit, card: u32| {
        let core = catalogue.core_of_card(card);
        let mut names = hits.iter().filter(|hit| hit.whole && hit.means.name);
        names.any(|hit| {
            let apart = hit.is_apart(code.at, digits.end);
            apart && hit.cores(catalogue).any(|named| Some(named) == core)
        })
    };
    let mut codes = hits.iter().filter(|hit| hit.end == before.end);
    codes.any(|code| catalogue.numbers_card(code.place, number, |card| named(code, card)))
}

/// Whether the name or the code of a set ends right before a token.
pub(crate) fn is_behind_set(line: &Line, hits: &[Hit], token: usize) -> bool {
    let before = token.checked_sub(1).and_then(|at| line.tokens().get(at));
    before.is_some_and(|before| {
        let ends = |hit: &Hit| hit.means.set && hit.end == before.end;
        hits.iter().any(ends)
    })
}

/// A name or set of fewer bytes says nothing of the word beside it.
const SHORTEST_NEIGHBOUR: u32 = 3;

/// Whether a name or a set is right beside these bytes of the key: a long one, or a code with a
/// digit, which is short but no word (`m3 ar`).
pub(crate) fn is_beside_hit(line: &Line, hits: &[Hit], at: usize, end: usize) -> bool {
    let is_code = |hit: &Hit| {
        let text = line.text(hit.at as usize, hit.end as usize);
        hit.means.set && text.bytes().any(|byte| byte.is_ascii_digit())
    };
    let tells = |hit: &Hit| hit.end - hit.at >= SHORTEST_NEIGHBOUR || is_code(hit);
    let beside = |hit: &Hit| hit.end as usize == at || hit.at as usize == end;
    hits.iter()
        .any(|hit| (hit.means.name || hit.means.set) && tells(hit) && beside(hit))
}
