//! The marks of names, and those of rarity.

use super::{CatalogueStats, Rarities, SetFacts};
use crate::catalogue::format::{CardRecord, card_flag};
use crate::catalogue::{Columns, Marks};
use crate::dictionary::{Affix, Dictionary};
use crate::token::key_of;
use once_cell::sync::OnceCell;

/// For each core the marks that its names have. Most cores have none.
#[derive(Clone, Debug)]
pub(crate) struct CoreMarks {
    /// For each core its place in `marks`.
    places: Vec<u32>,
    /// The first is empty, of the cores whose names have none.
    marks: Vec<Marks>,
    /// For each of them the marks of each name that has some, every combination once; made at the
    /// first title that needs them.
    names: OnceCell<Vec<Vec<Marks>>>,
}

impl CoreMarks {
    pub(super) fn of(catalogue: &Columns<'_>) -> CoreMarks {
        // zeros that nobody looks at take no memory
        let mut places = vec![0u32; catalogue.cores.len()];
        let mut marks = vec![Marks::default()];
        let marked = catalogue.names.iter().map(|name| (name, name.marks()));
        for (name, own) in marked.filter(|(_, own)| !own.is_empty()) {
            let Some(place) = places.get_mut(name.core.get() as usize) else {
                continue;
            };
            if *place == 0 {
                *place = marks.len() as u32;
                marks.push(Marks::default());
            }
            let all = &mut marks[*place as usize];
            *all = all.union(own);
        }
        CoreMarks {
            places,
            marks,
            names: OnceCell::new(),
        }
    }

    /// The combinations of marks in `names`.
    fn combinations(&self, catalogue: &Columns<'_>) -> Vec<Vec<Marks>> {
        let mut names = vec![Vec::new(); self.marks.len()];
        for name in catalogue.names.iter() {
            let (place, own) = (self.place(name.core.get()), name.marks());
            if !own.is_empty() && !names[place].contains(&own) {
                names[place].push(own);
            }
        }
        names
    }

    /// The place of a core in `marks`.
    #[inline]
    fn place(&self, core: u32) -> usize {
        self.places.get(core as usize).map_or(0, |&at| at as usize)
    }

    /// The marks of all names of a core that have those in `stated`: each Charizard that is a Gold
    /// Star is of a Delta Species, too. None if no name has them.
    pub(crate) fn implied(&self, catalogue: &Columns<'_>, core: u32, stated: Marks) -> Marks {
        let names = self.names.get_or_init(|| self.combinations(catalogue));
        let names = names[self.place(core)].iter().copied();
        names
            .filter(|own| stated.minus(*own).is_empty())
            .reduce(Marks::common)
            .unwrap_or_default()
    }

    /// The marks of a core.
    #[inline]
    pub(crate) fn get(&self, core: u32) -> Marks {
        self.marks
            .get(self.place(core))
            .copied()
            .unwrap_or_default()
    }
}

/// The marks of a kind.
pub(super) fn marks_that(dictionary: &Dictionary, are: impl Fn(&Affix) -> bool) -> Marks {
    let marks = (0..).zip(&dictionary.affixes);
    let found = marks.filter(|(_, affix)| are(affix));
    found.fold(Marks::default(), |marks, (mark, _)| marks.with(mark))
}

impl CatalogueStats {
    /// The marks of rarity that further regions print on secret cards: for each card that is numbered
    /// within the count of its set, more than a hundred are above it.
    pub(crate) fn marks_above(&self, catalogue: &Columns<'_>) -> Rarities {
        *self.above.get_or_init(|| {
            let mut cards = [[0_u32; 2]; 256];
            let regional =
                |card: &&CardRecord| self.set_of(card).is_some_and(SetFacts::is_regional);
            for card in catalogue.cards.iter().filter(regional) {
                let above = card.flags.get() & card_flag::ABOVE != 0;
                cards[usize::from(card.mark)][usize::from(above)] += 1;
            }
            let mut marks = Rarities::default();
            for (number, [within, above]) in cards.into_iter().enumerate().skip(1) {
                let bit = 1 << (number % 64);
                marks[number / 64] |= if within * 100 < above { bit } else { 0 };
            }
            marks
        })
    }
}

/// The marks whose name is a word of `rarity`: `Prime` of `Rare PRIME`. `affixes` are the keys of
/// the marks, by bit.
pub(super) fn rarity_marks(affixes: &[String], rarity: &str) -> Marks {
    let words: Vec<String> = rarity.split(' ').map(key_of).collect();
    let bits = (0u16..)
        .zip(affixes)
        .filter(|(_, affix)| words.contains(affix));
    bits.fold(Marks::default(), |marks, (bit, _)| marks.with(bit))
}
