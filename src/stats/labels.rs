//! What the labels of printings say: stamps, rarities, the sets in which they were sold.

use super::{CatalogueStats, in_game};
use crate::catalogue::format::{CardRecord, SetRecord, U24, set_flag};
use crate::catalogue::{Columns, EntryKind};
use crate::dictionary::Dictionary;
use crate::sort::sort_by;
use crate::token::key_of;
use rustc_hash::FxHashMap;

/// Passes on the parts of a label in brackets.
pub(crate) type Parts = fn(&str, &mut dyn FnMut(&str));

/// The printings of a rarity: those of cards that have several.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rated {
    /// Their labels, ascending.
    pub(crate) labels: Vec<u32>,
    /// Number of cards that have one.
    pub(crate) cards: u32,
}

impl CatalogueStats {
    /// The labels of printings that say printing word `word`; `says` tells whether one does.
    pub(crate) fn stamped(
        &self,
        catalogue: &Columns<'_>,
        word: u16,
        says: impl Fn(&str) -> bool,
    ) -> &[u32] {
        let Some(stamped) = self.stamped.get(word as usize) else {
            return &[];
        };
        stamped.get_or_init(|| self.labels_that(catalogue, says))
    }

    /// The word of products that has the name of printing word `word`, `name`: `EA` is short for
    /// `extended art`.
    pub(crate) fn product_word(
        &self,
        catalogue: &Columns<'_>,
        word: u16,
        name: &str,
    ) -> Option<u16> {
        *self.worded.get(usize::from(word))?.get_or_init(|| {
            let place = catalogue.lexicon().get(key_of(name).as_bytes())?;
            let mut words = catalogue
                .entries(place)
                .filter(|e| e.kind() == EntryKind::Word);
            words.next().map(|word| word.id() as u16)
        })
    }

    /// The printings of cards of several rarities that are of the rarity that word `word` of the
    /// dictionary names in `game`, as [`RarityWord::names`](crate::dictionary::RarityWord::names) has
    /// it. `parts` passes on the parts of a label in brackets.
    pub(crate) fn rated(
        &self,
        catalogue: &Columns<'_>,
        dictionary: &Dictionary,
        (word, game): (u16, Option<usize>),
        parts: Parts,
    ) -> Option<&Rated> {
        let labels_of = |is: &dyn Fn(&str) -> bool| {
            self.labels_that(catalogue, |label| {
                let mut told = false;
                parts(label, &mut |part| told |= is(part));
                told
            })
        };
        self.telling.get_or_init(|| {
            labels_of(&|part| {
                let mut words = dictionary.rarities.iter();
                words.any(|word| word.names(part, None))
            })
        });
        let named = dictionary.rarities.get(word as usize)?;
        let rated = in_game(&self.rated, word, game)?;
        Some(rated.get_or_init(|| {
            let labels = labels_of(&|part| named.names(part, game));
            let has = |card: &&CardRecord| {
                let mut printings = catalogue.printings(card).iter();
                printings.any(|printing| labels.binary_search(&printing.label.get()).is_ok())
            };
            let cards = match labels[..] {
                [] => 0,
                _ => catalogue.cards.iter().filter(has).count() as u32,
            };
            Rated { labels, cards }
        }))
    }

    /// Whether the label of a printing, of a catalogue of which a rarity was asked, tells a rarity.
    pub(crate) fn tells_rarity(&self, label: u32) -> bool {
        let telling = self.telling.get();
        telling.is_some_and(|labels| labels.binary_search(&label).is_ok())
    }

    /// The labels of printings that say that they are of this set: `Foil [SP, OP12]`. `parts` as in
    /// [`CatalogueStats::rated`].
    pub(crate) fn sold_in(
        &self,
        catalogue: &Columns<'_>,
        set: u32,
        parts: Parts,
    ) -> impl Iterator<Item = u32> {
        let all = self.sold_in.get_or_init(|| {
            let sets = (0..).zip(catalogue.sets.iter());
            let sets = sets.filter(|(_, set)| set.flags & set_flag::REPRINTED != 0);
            let codes = sets.map(|(number, set)| (catalogue.string(set.code), number));
            let codes: FxHashMap<&str, u32> = codes.collect();
            // what promos came with is a set of its own, of which no card is listed
            let empty =
                |set: &SetRecord| set.count.get() == 0 && set.flags & set_flag::REPRINTED != 0;
            let named = |part: &str| {
                let place = catalogue.lexicon().get(key_of(part).as_bytes());
                let entries = place.into_iter().flat_map(|place| catalogue.entries(place));
                let sets = entries.filter(|entry| entry.kind() == EntryKind::Set);
                sets.map(|entry| entry.id())
                    .filter(|&set| catalogue.sets.get(set as usize).is_some_and(empty))
            };
            let mut all = Vec::new();
            for label in self.labels(catalogue) {
                parts(catalogue.string(*label), &mut |part| {
                    let said = part.split('-').filter_map(|code| codes.get(code));
                    all.extend(said.map(|&set| (set, label.get())));
                    if !codes.is_empty() {
                        all.extend(named(part).map(|set| (set, label.get())));
                    }
                });
            }
            sort_by(&mut all, Ord::cmp);
            all
        });
        let from = all.partition_point(|(other, _)| *other < set);
        let own = all[from..].iter();
        own.take_while(move |(other, _)| *other == set)
            .map(|(_, label)| *label)
    }

    /// The labels of printings that `says` holds for, ascending.
    fn labels_that(&self, catalogue: &Columns<'_>, says: impl Fn(&str) -> bool) -> Vec<u32> {
        let labels = self.labels(catalogue).iter();
        let labels = labels.filter(|label| says(catalogue.string(**label)));
        let mut labels: Vec<u32> = labels.map(|label| label.get()).collect();
        labels.sort_unstable();
        labels
    }

    /// The labels of printings, each once.
    fn labels(&self, catalogue: &Columns<'_>) -> &[U24] {
        self.labels.get_or_init(|| {
            let (mut seen, mut labels) = (Vec::new(), Vec::new());
            for card in catalogue.cards {
                for printing in catalogue.printings(card) {
                    let at = printing.label.get() as usize;
                    if seen.len() <= at {
                        seen.resize(at + 1, false);
                    }
                    if !std::mem::replace(&mut seen[at], true) {
                        labels.push(printing.label);
                    }
                }
            }
            labels
        })
    }
}
