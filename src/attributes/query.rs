//! [`Query`]: the clues of a title in the catalogue's numbers, built once and compared with every
//! candidate.

use super::art::Arts;
use super::edition::Edition;
use super::language::Language;
use super::name::NameClue;
use super::number::NumberClue;
use super::set::{SetClue, SetPart};
use crate::catalogue::Marks;
use crate::parsed::Finish;

/// The most unexplained words that are kept.
pub(crate) const UNREAD_WORDS: usize = 12;

/// All clues of a title.
#[derive(Clone, Debug, Default)]
pub(crate) struct Query {
    pub(crate) names: Vec<NameClue>,
    /// Marks in the title next to names.
    pub(crate) marks: Marks,
    /// Marks that other readings won over.
    pub(crate) doubted: Marks,
    /// Marks whose letter case tells names apart, the first of which the title writes in small
    /// letters.
    pub(crate) small: Marks,
    /// The marks of which the first in the title was looked at for that.
    pub(crate) cased: Marks,
    /// Marks in the title that may stand for a longer one: `Rocket's`.
    pub(crate) short: Marks,
    /// The longer ones: `Team Rocket's`.
    pub(crate) whole: Marks,
    pub(crate) numbers: Vec<NumberClue>,
    /// All numbers are bare digits, and some are next to a name or a set.
    pub(crate) bare_beside: bool,
    pub(crate) sets: Vec<SetClue>,
    pub(crate) years: Vec<u16>,
    /// Cards by nickname.
    pub(crate) cards: Vec<u32>,
    /// The words for a rarity, by their numbers in the dictionary.
    pub(crate) rarity_words: Vec<u16>,
    /// Rarity numbers of the catalogue that they may mean.
    pub(crate) rarities: [u64; 4],
    pub(crate) rarity: bool,
    /// The words are ones that sellers use for anything.
    pub(crate) rarity_vague: bool,
    /// Information in agreeing with them, in nats.
    pub(crate) rarity_idf: f32,
    /// The labels of printings of these rarities, of cards that have several, and how many cards
    /// have such a printing.
    pub(crate) rated: Vec<u32>,
    pub(crate) rated_cards: u32,
    /// Marks of names that the words for a rarity are as well: `Gold Star`.
    pub(crate) rated_marks: Marks,
    /// Words of products that the title has, and illustrators, with the information in agreeing.
    pub(crate) words: Vec<u16>,
    /// Those of them that name a set of the title: every card of it came with a product of that
    /// name.
    pub(crate) set_words: Vec<u16>,
    /// One of the words is a campaign's.
    pub(crate) campaign: bool,
    /// The games that have cards of such campaigns, a bit each.
    pub(crate) campaign_games: u32,
    /// One of the words is of a campaign of which the catalogue has no card.
    pub(crate) campaign_unheld: bool,
    pub(crate) artists: Vec<(u16, f32)>,
    /// The labels of printings with the stamps and treatments that are stated.
    pub(crate) stamped: Vec<u32>,
    /// The labels of printings of the sets that are named, of cards that keep their numbers.
    pub(crate) sold: Vec<u32>,
    pub(crate) finish: Option<Finish>,
    pub(crate) edition: Option<Edition>,
    /// The first Japanese print, without rarity marks.
    pub(crate) no_rarity: bool,
    /// Words for special art or secret rarity.
    pub(crate) secret: bool,
    pub(crate) promo: bool,
    /// The series (string) of the set from whose product a promo is: `Champion's Path ETB promo`; 0
    /// if the title says none.
    pub(crate) series_of_promo: u32,
    /// Words for the art or the foil.
    pub(crate) arts: Arts,
    /// The rarity mark of a further region's cards that the title writes, 0 if it writes none, and the
    /// information in agreeing with it, in nats.
    pub(crate) mark: u8,
    pub(crate) mark_idf: f32,
    /// The mark stands on cards above the count of their set alone: `SR`, `HR`.
    pub(crate) mark_above: bool,
    /// The words of the only set that is named are a mark of names, too.
    pub(crate) set_mark: Option<u16>,
    /// Where a whole name stands that says more than subject and marks.
    pub(crate) printed: Option<(u32, u32)>,
    pub(crate) hp: u8,
    pub(crate) language: Language,
    /// The number in the catalogue of a further region's language that the title says and that is not
    /// Japanese.
    pub(crate) further: Option<u8>,
    /// The title calls a card Japanese, but states name, number and total of an international one.
    pub(crate) japanese_refuted: bool,
    /// The games of the catalogue that words name, and those that words hint at, a bit each.
    pub(crate) games: u32,
    pub(crate) hinted_games: u32,
    /// The sets that are named lack no card, and have none of the names.
    pub(crate) set_lacks_names: bool,
    /// Words name sets that only the further regions have.
    pub(crate) regional_set: bool,
    /// Words hint at a Japanese card: its rarities, its name in romaji, a Japanese magazine.
    pub(crate) hinted: bool,
    /// No international card fits what the title states.
    pub(crate) alone: bool,
    /// Sets of candidates of whose names a word that nothing explains is a part.
    pub(crate) set_parts: Vec<SetPart>,
    /// Products of candidates of whose names such a word is a part, with the information in agreeing.
    pub(crate) product_parts: Vec<(u16, f32)>,
    /// Words that nothing explains: ranges of the key.
    pub(crate) unread: Vec<(u32, u32)>,
    /// Cores of candidates that one of those words is spelt much like, ascending, and how much of
    /// the name is left: 1 is all of it.
    pub(crate) alike: Vec<(u32, f32)>,
}

impl Query {
    pub(crate) fn clear(&mut self) {
        let Query {
            names,
            numbers,
            sets,
            years,
            cards,
            set_parts,
            product_parts,
            unread,
            alike,
            words,
            set_words,
            artists,
            stamped,
            rarity_words,
            rated,
            sold,
            ..
        } = std::mem::take(self);
        *self = Query {
            names,
            numbers,
            sets,
            years,
            cards,
            set_parts,
            product_parts,
            unread,
            alike,
            words,
            set_words,
            artists,
            stamped,
            rarity_words,
            rated,
            sold,
            ..Query::default()
        };
        self.words.clear();
        self.set_words.clear();
        self.artists.clear();
        self.stamped.clear();
        self.rarity_words.clear();
        self.rated.clear();
        self.sold.clear();
        self.names.clear();
        self.numbers.clear();
        self.sets.clear();
        self.years.clear();
        self.cards.clear();
        self.set_parts.clear();
        self.product_parts.clear();
        self.unread.clear();
        self.alike.clear();
    }

    /// Whether the title names a card only inside the name of a set (`Jafar` in `Figarro Reign of
    /// Jafar`), while it states no number and some of its words are unread: the name may be misspelt.
    pub(crate) fn only_sets_name(&self) -> bool {
        let in_set = |name: &NameClue| is_in_set(&self.sets, name);
        let mut chosen = self.names.iter().filter(|name| name.chosen);
        !self.unread.is_empty()
            && self.numbers.is_empty()
            && self.names.iter().any(in_set)
            && chosen.all(in_set)
    }

    /// Drops the names that stand inside the name of a set.
    pub(crate) fn drop_names_in_sets(&mut self) {
        self.names.retain(|name| !is_in_set(&self.sets, name));
    }

    /// Whether words are those of a product.
    pub(crate) fn asks_origin(&self) -> bool {
        !self.words.is_empty() || !self.set_words.is_empty()
    }

    /// Whether anything is stated that few titles state.
    pub(crate) fn asks_more(&self) -> bool {
        self.asks_origin() || !self.product_parts.is_empty() || self.asks_beside_origin()
    }

    /// Whether all that is stated of that is the origin, which a card of no known product has not.
    pub(crate) fn asks_product_alone(&self) -> bool {
        !self.campaign && !self.asks_beside_origin()
    }

    fn asks_beside_origin(&self) -> bool {
        let art = !self.arts.is_empty() || self.printed.is_some() || !self.artists.is_empty();
        let small = !self.small.is_empty();
        self.secret | art | small | self.promo | !self.stamped.is_empty() | (self.hp != 0)
    }
}

/// Whether a name stands inside the name of one of `sets` that the title names.
fn is_in_set(sets: &[SetClue], name: &NameClue) -> bool {
    let mut named = sets.iter().filter(|set| set.is_named());
    named.any(|set| set.at <= name.at && name.end <= set.end)
}
