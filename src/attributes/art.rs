//! Words for the art or the foil of a card, which tell prints of one name apart.

use super::name::NameClue;
use super::query::Query;
use crate::catalogue::Marks;
use crate::dictionary::PrintingWord;
use crate::parsed::Finish;
use crate::word_lists::{
    ASKED_ALTERNATE, ASKED_FULL, ASKED_GOLD, ASKED_RAINBOW, ASKED_REGULAR, ASKED_SHINY,
};

/// A class of art or foil.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Art {
    /// A picture to the edges, by another number than the plain print.
    Full,
    /// A picture of its own, by another hand than the plain print and the full art.
    Alternate,
    /// Rainbow foil.
    Rainbow,
    /// Golden foil.
    Gold,
    /// What it shows, in other colours.
    Shiny,
    /// The plain print of a name that has others.
    Regular,
    /// One of a collection within its set, with numbers of its own: `RC8/RC25`.
    Collected,
}

/// All classes.
pub(crate) const ARTS: [Art; 7] = [
    Art::Full,
    Art::Alternate,
    Art::Rainbow,
    Art::Gold,
    Art::Shiny,
    Art::Regular,
    Art::Collected,
];

/// Whether the value of a treatment is an art that few letters say beside a mark of the name: `Lugia V
/// alt`, `Ho-Oh GX fa`.
pub(crate) fn is_said_in_letters(value: &str) -> bool {
    [ALTERNATE, FULL].contains(&value)
}

/// Whether a word of a printing says no more than that the art is another one.
pub(crate) fn is_alternate(word: &PrintingWord) -> bool {
    word.value == ALTERNATE
}

/// The treatments of alternate art and of full art.
const ALTERNATE: &str = "alternate art";
const FULL: &str = "full art";

/// The treatments and rarities that ask for a class.
const ASKED: [(&[&str], Art); 6] = [
    (ASKED_FULL, Art::Full),
    (ASKED_ALTERNATE, Art::Alternate),
    (ASKED_RAINBOW, Art::Rainbow),
    (ASKED_GOLD, Art::Gold),
    (ASKED_SHINY, Art::Shiny),
    (ASKED_REGULAR, Art::Regular),
];

/// Adds the clue that the art is the plain one where the title says of a name whose cards all are foil
/// that it is no holo: `Giratina V regular`.
pub(crate) fn ask_regular(essential: Marks, query: &mut Query) {
    let foil = |name: &NameClue| name.chosen && !name.marks.common(essential).is_empty();
    if query.finish == Some(Finish::NonHolo) && query.names.iter().any(foil) {
        query.arts.add(Art::Regular);
    }
}

/// Classes of art, a bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Arts(u8);

impl Arts {
    /// Adds the class that a treatment or rarity of the dictionary asks for.
    pub(crate) fn ask(&mut self, value: &str) {
        for (words, art) in ASKED {
            if words.contains(&value) {
                self.add(art);
            }
        }
    }

    /// Adds a class.
    pub(crate) fn add(&mut self, art: Art) {
        self.0 |= 1 << art as u8;
    }

    /// Whether it has `art`; the plain one only where the title names no full art: `FA (not rainbow)`.
    pub(crate) fn has(self, art: Art) -> bool {
        let full = self.0 >> Art::Full as u8 & 1 == 1;
        self.0 >> art as u8 & 1 == 1 && !(full && matches!(art, Art::Regular))
    }

    /// Whether it has none.
    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }
}
