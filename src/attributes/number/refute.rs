//! Whether the catalogue refutes a stated number.

use super::read::Short;
use super::{NumberClue, NumberKind, digits_of, is_of_names};
use crate::attributes::language::Language;
use crate::attributes::name::NameClue;
use crate::attributes::query::Query;
use crate::catalogue::Columns;
use crate::catalogue::format::{NONE, SetRecord, pack_number, set_flag};
use crate::reference::Reference;
use crate::short;

/// What the catalogue knows of a stated number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refuted {
    /// A card of this number may be missing in the catalogue, or bears the name.
    No,
    /// More than the last card that the catalogue has of such a set, by a few.
    Above,
    /// Far more than the cards of the sets that the total may mean: their total is not this card's.
    Beyond,
    /// Each set that the title may mean has the card of this number, by another name.
    Taken,
    /// No set has the total.
    NoTotal,
}

/// A set whose last number lies this far below a stated one has no such card.
const FEW_MISSING: u16 = 10;
/// Words that name more sets than this name none in particular.
const MOST_SETS: usize = 8;
/// A total that more sets print than this means none in particular, and judging them would take as
/// long as all else. No total of the default catalogue is that of more than 22 sets.
const MOST_OF_TOTAL: usize = 64;

/// Finds out whether the catalogue refutes a number: by its total or by its own words the title
/// means sets, each of which has a card of that number, and none of them bears a name of the title.
/// Where a card is missing, it may be the one that is sold.
pub(super) fn refuted(reference: &Reference<'_, '_>, query: &Query, clue: &NumberClue) -> Refuted {
    let judge = Judge {
        reference,
        query,
        clue,
    };
    judge.refuted()
}

/// A stated number, and what the title says beside it.
struct Judge<'j> {
    reference: &'j Reference<'j, 'j>,
    query: &'j Query,
    clue: &'j NumberClue,
}

impl<'j> Judge<'j> {
    fn refuted(&self) -> Refuted {
        let (query, clue) = (self.query, self.clue);
        let catalogue = self.reference.catalogue;
        // it is a promo's of the set's series
        if query.series_of_promo != 0 {
            return Refuted::No;
        }
        // of Chinese and Korean prints some are missing, but those of a set that is named have its
        // numbers
        let regional = query.language == Language::Regional;
        let unnamed = query.names.iter().all(|name| !name.chosen);
        if unnamed || regional && !self.says_numbered_set() {
            return Refuted::No;
        }
        let total = clue.total.filter(|_| clue.kind == NumberKind::Fraction);
        if let Some(total) = total {
            let stated = clue.number;
            if stated.is_some_and(|number| is_of_names(catalogue, query, number, total)) {
                return Refuted::No;
            }
            // `098/SV-P`
            if clue.total_digits == 0 {
                let cards = |number| catalogue.cards_of_number_and_total(number, total);
                return taken(stated.is_some_and(|number| !cards(number).is_empty()));
            }
        }
        match clue.kind {
            NumberKind::Fraction => self.of_total(total.is_some()),
            NumberKind::Total => Refuted::No,
            // `No.25 Pikachu`, and `No.88 Zorua`, which a shop numbers so
            NumberKind::Subject => {
                let species = |name: &NameClue| catalogue.core_has_subject(name.core, clue.digits);
                if query.names.iter().any(species) {
                    Refuted::No
                } else {
                    self.weakest(self.said())
                }
            }
            // of a number that the catalogue lacks, the others of its code have told
            NumberKind::Prefixed if clue.number.is_none() => clue.refuted,
            NumberKind::Prefixed => {
                let cards = |number| catalogue.cards_of_number(number);
                let borne = clue.number.is_some_and(|number| !cards(number).is_empty());
                taken(borne && self.bearers().next().is_none())
            }
            // `Magneton ETB Promo 159 Surging Sparks`: the set of the box, and the number of the promo
            NumberKind::Hash | NumberKind::Bare
                if query.promo && self.bearers().any(|card| self.is_promo(card)) =>
            {
                Refuted::No
            }
            // `Larvitar (Delta Species) #52`: no card of that set, but of the mark that it is called by
            NumberKind::Hash if query.set_mark.is_some() && self.bearers().next().is_some() => {
                Refuted::No
            }
            NumberKind::Hash | NumberKind::Bare => self.weakest(self.said()),
        }
    }

    /// Whether the title names a set other than of promos, which are numbered anew in each language.
    fn says_numbered_set(&self) -> bool {
        let named = self.query.sets.iter().filter(|set| set.is_named());
        let mut sets = named.flat_map(|set| self.reference.catalogue.sets_named(set.place));
        sets.any(|set| set.flags & set_flag::PROMO == 0)
    }

    /// The sets that the title names, but by words that name none in particular.
    fn said(&self) -> impl Iterator<Item = &'j SetRecord> {
        let catalogue = self.reference.catalogue;
        let named = self.query.sets.iter().filter(|set| set.is_named());
        named
            .filter(|set| usize::from(set.sets) <= MOST_SETS)
            .flat_map(|set| catalogue.sets_named(set.place))
            .filter(|set| set.count.get() > 0 && set.flags & set_flag::UNPRINTED == 0)
    }

    /// The cards of the title's names that print the number.
    fn bearers(&self) -> impl Iterator<Item = u32> {
        let (catalogue, number) = (self.reference.catalogue, self.clue.number);
        let of_core = move |core| {
            let cards = number.map_or(&[][..], |n| catalogue.cards_of_core_numbered(core, n));
            cards.iter().map(|card| card.get())
        };
        self.query
            .names
            .iter()
            .flat_map(move |name| of_core(name.core))
    }

    /// Whether a card bears a name of the title.
    fn is_named(&self, card: u32) -> bool {
        let catalogue = self.reference.catalogue;
        let card = catalogue.card_record(card);
        let name = card.and_then(|card| catalogue.name_record(card));
        let core = name.map(|name| name.core.get());
        let mut names = self.query.names.iter();
        names.any(|name| Some(name.core) == core)
    }

    /// Whether a card is of a set of promos.
    fn is_promo(&self, card: u32) -> bool {
        let catalogue = self.reference.catalogue;
        let card = catalogue.card_record(card);
        let set = card.and_then(|card| catalogue.set_record(card));
        set.is_some_and(|set| set.flags & set_flag::PROMO != 0)
    }

    /// What the cards of a number say of it; `None` if there are none.
    fn borne(&self, bearers: impl Iterator<Item = u32>) -> Option<Refuted> {
        let mut bearers = bearers.peekable();
        bearers.peek()?;
        Some(taken(!bearers.any(|card| self.is_named(card))))
    }

    /// What a set says of the number; `None` if it numbers its cards otherwise.
    fn judge(&self, set: &SetRecord) -> Option<Refuted> {
        let (catalogue, clue) = (self.reference.catalogue, self.clue);
        let own = clue
            .number
            .map_or(&[][..], |n| catalogue.cards_of_set_numbered(set, n));
        let printed = |card: &u32| {
            let record = catalogue.card_record(*card);
            record.is_some_and(|record| record.printed_number() != NONE)
        };
        if let Some(judged) = self.borne(own.iter().map(|card| card.get()).filter(printed)) {
            return Some(judged);
        }
        // `SWSH Promo 232`: the cards of a series of promos say its letters before the digits
        let promos = set.flags & set_flag::PROMO != 0;
        let digits = |card: u32| {
            let record = catalogue.card_record(card)?;
            let text = catalogue.number_text(record);
            let text = if promos { digits_of(text) } else { text };
            text.parse::<u16>()
                .ok()
                .filter(|_| record.number.get() != NONE)
        };
        let same = |card: &u32| digits(*card) == Some(clue.digits);
        if promos && let Some(judged) = self.borne(set.cards().filter(same)) {
            return Some(judged);
        }
        // the last number of a set is hardly missing together with the ten before it
        let last = set.cards().filter_map(digits).max()?;
        Some(if clue.digits > last.saturating_add(FEW_MISSING) {
            Refuted::Beyond
        } else if clue.digits > last {
            Refuted::Above
        } else {
            Refuted::No
        })
    }

    /// What several sets say of the number: the weakest of all decides; of no set nothing is known.
    fn weakest<'s>(&self, sets: impl Iterator<Item = &'s SetRecord>) -> Refuted {
        let mut weakest = None;
        for judged in sets.filter_map(|set| self.judge(set)) {
            weakest = match (weakest, judged) {
                (_, Refuted::No) => return Refuted::No,
                (Some(Refuted::Above), _) | (_, Refuted::Above) => Some(Refuted::Above),
                (Some(Refuted::Beyond), _) | (_, Refuted::Beyond) => Some(Refuted::Beyond),
                _ => Some(Refuted::Taken),
            };
        }
        weakest.unwrap_or(Refuted::No)
    }

    /// What the sets say that the total may mean; `known`: whether the catalogue has the total.
    fn of_total(&self, known: bool) -> Refuted {
        let (query, clue, reference) = (self.query, self.clue, self.reference);
        let catalogue = reference.catalogue;
        // a set of another game with that total says nothing
        let games = match query.games {
            0 => {
                let names = query.names.iter().filter(|name| name.chosen);
                names.fold(0, |games, name| {
                    games | reference.stats.games_of_core(catalogue, name.core)
                })
            }
            stated => stated,
        };
        let may_be = |set: &&SetRecord| {
            let tree = match query.language {
                Language::International => !set.is_regional(),
                Language::Japanese => set.is_regional(),
                _ => true,
            };
            let of_game = set.game_bit() & games != 0;
            tree && of_game && set.count.get() > 0
        };
        let of_total = |set: &&SetRecord| set.official.get() == clue.total_digits;
        let said = || self.said().filter(of_total).filter(may_be);
        if known && said().next().is_some() {
            return self.weakest(said());
        }
        let sets = reference.stats.sets_of_total(clue.total_digits);
        let sets = sets.filter_map(|set| catalogue.sets.get(set as usize));
        let sets = || sets.clone().filter(may_be);
        if sets().next().is_none() {
            Refuted::NoTotal
        } else if known && sets().nth(MOST_OF_TOTAL).is_none() {
            self.weakest(sets())
        } else {
            Refuted::No
        }
    }
}

/// What the numbers of the same code say of one that the catalogue lacks, packed: `EB03-080`, where the
/// last is `EB03-061`. A number between others may be that of a missing card. `None` if the catalogue has
/// no number of the code, or none near its beginning and none near this one.
pub(super) fn refuted_by_code(catalogue: &Columns<'_>, packed: u64) -> Option<Refuted> {
    let bytes = packed.to_be_bytes();
    let written = bytes.iter().take_while(|&&byte| byte != 0).count();
    let text = std::str::from_utf8(&bytes[..written]).unwrap_or("");
    let code = text.trim_end_matches(|c: char| c.is_ascii_digit());
    let stated = text[code.len()..].parse::<u16>().ok()?;
    let before = stated.saturating_sub(FEW_MISSING);
    [
        (stated, Refuted::No),
        (before.saturating_sub(1), Refuted::Above),
        (0, Refuted::Beyond),
    ]
    .into_iter()
    .find(|&(behind, _)| holds_number_behind(catalogue, code, behind))
    .map(|(_, refuted)| refuted)
}

/// Whether the catalogue has one of the next few numbers of a code behind this one.
fn holds_number_behind(catalogue: &Columns<'_>, code: &str, number: u16) -> bool {
    (1..=FEW_MISSING).any(|further| {
        let digits = short::digits_of(number.saturating_add(further));
        let number: Short = Short::of([code, digits.text()]);
        catalogue.number(pack_number(number.text())).is_some()
    })
}

/// What it says of a number whether each set has its card by another name.
fn taken(taken: bool) -> Refuted {
    if taken { Refuted::Taken } else { Refuted::No }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Catalogue;
    use crate::dictionary::Dictionary;
    use crate::stats::CatalogueStats;

    /// So no title of the default catalogue is judged by fewer sets than have its total.
    #[test]
    fn no_total_is_that_of_too_many_sets() {
        let catalogue =
            Catalogue::open(titledex_embedded::INDEX).expect("the embedded catalogue opens");
        let catalogue = catalogue.columns();
        let dictionary = Dictionary::builtin().expect("the files of this build load");
        let stats = CatalogueStats::of(&catalogue, &dictionary, u32::MAX);
        for total in 1..=u16::MAX {
            let own = |at: &u32| {
                catalogue
                    .sets
                    .get(*at as usize)
                    .map(|set| set.official.get())
            };
            let sets: Vec<u32> = stats.sets_of_total(total).collect();
            assert!(sets.iter().all(|set| own(set) == Some(total)), "{total}");
            assert!(sets.len() <= MOST_OF_TOTAL, "{total}: {} sets", sets.len());
        }
        let listed: usize = (0..=u16::MAX)
            .map(|total| stats.sets_of_total(total).count())
            .sum();
        assert_eq!(listed, catalogue.set_count());
    }
}
