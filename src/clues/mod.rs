//! What the title says, in the numbers of the catalogue: made once, compared with every candidate.

pub(crate) mod ask;
pub(crate) mod misspelt;

use crate::catalogue::Marks;
use crate::catalogue::{Columns, EntryKind, NameQuality};
use crate::extract::lookup::Hit;
use crate::extract::number::{NumberKind, NumberReading};
use crate::math::information;

/// So many words that nothing explains are kept.
const UNREAD_WORDS: usize = 12;

/// A name that the title may state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NameClue {
    pub(crate) core: u32,
    /// The whole name, where the words are one.
    pub(crate) name: Option<u32>,
    pub(crate) marks: Marks,
    /// Those of them whose words may belong to the name of the set that follows: `Mewtwo EX Holon Phantoms`.
    pub(crate) shared: Marks,
    pub(crate) quality: NameQuality,
    /// How many slips of spelling lead to it; 1 for a known misspelling.
    pub(crate) slips: f32,
    pub(crate) species: bool,
    /// The name has parts beside core and marks.
    pub(crate) rest: bool,
    /// The reading won; else it lies under another.
    pub(crate) chosen: bool,
    /// Information in agreeing with the core, in nats.
    pub(crate) idf: f32,
    /// Information in agreeing with the whole name: with all the cards that these words may name.
    pub(crate) whole_idf: f32,
    pub(crate) at: u32,
    pub(crate) end: u32,
}

/// A number that the title may state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NumberClue {
    pub(crate) kind: NumberKind,
    /// Among the catalogue's numbers; none where the catalogue has no such number.
    pub(crate) number: Option<u32>,
    pub(crate) total: Option<u32>,
    pub(crate) has_total: bool,
    pub(crate) digits: u16,
    /// The digits of the total.
    pub(crate) total_digits: u16,
    /// It stands right beside a name or a set.
    pub(crate) beside: bool,
    /// Information in agreeing, in nats: number and total, the total alone, the number alone.
    pub(crate) idf_pair: f32,
    pub(crate) idf_total: f32,
    pub(crate) idf: f32,
}

/// Sets that some words may name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SetClue {
    /// Place of the entries in the lexicon.
    pub(crate) place: u32,
    /// The best kind of alias among them: [`crate::catalogue::AliasKind`].
    pub(crate) kind: u8,
    /// Some of them by their era alone: the words speak against no set of it.
    pub(crate) family: bool,
    pub(crate) chosen: bool,
    /// How many sets of that kind, or better, and how many of any.
    pub(crate) sets: u16,
    pub(crate) all: u16,
    pub(crate) at: u32,
    pub(crate) end: u32,
}

/// What finish is stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finish {
    Holo,
    Reverse,
    Plain,
}

/// What edition is stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edition {
    First,
    Unlimited,
    Shadowless,
}

/// All clues of a title.
#[derive(Clone, Debug, Default)]
pub(crate) struct Query {
    pub(crate) names: Vec<NameClue>,
    /// Marks that stand in the title beside names.
    pub(crate) marks: Marks,
    /// Marks that other readings won over.
    pub(crate) doubted: Marks,
    pub(crate) numbers: Vec<NumberClue>,
    /// All numbers are digits alone, and some stand beside a name or a set.
    pub(crate) bare_beside: bool,
    pub(crate) sets: Vec<SetClue>,
    pub(crate) years: Vec<u16>,
    /// Cards by nickname.
    pub(crate) cards: Vec<u32>,
    /// Rarity numbers of the catalogue that the rarity words may stand for.
    pub(crate) rarities: [u64; 4],
    pub(crate) rarity: bool,
    /// The words are ones that sellers use for anything.
    pub(crate) rarity_vague: bool,
    /// Information in agreeing with them, in nats.
    pub(crate) rarity_idf: f32,
    /// Words of products that the title has, and illustrators, with the information in agreeing.
    pub(crate) words: Vec<u16>,
    /// One of the words is a campaign's.
    pub(crate) campaign: bool,
    pub(crate) artists: Vec<(u16, f32)>,
    pub(crate) finish: Option<Finish>,
    pub(crate) edition: Option<Edition>,
    /// The first Japanese print, without rarity marks.
    pub(crate) no_rarity: bool,
    /// Words for special art or secret rarity.
    pub(crate) secret: bool,
    pub(crate) promo: bool,
    /// Words for alternate art.
    pub(crate) alternate: bool,
    pub(crate) hp: u8,
    pub(crate) language: Language,
    /// Words hint at a Japanese card: its rarities, its name in romaji, a Japanese magazine.
    pub(crate) hinted: bool,
    /// No international card fits what the title states.
    pub(crate) alone: bool,
    /// Words that nothing explains: ranges of the key.
    pub(crate) unread: Vec<(u32, u32)>,
    /// Cores of candidates that one of those words is spelt much like, ascending, and how much of the name is left: 1 is all of it.
    pub(crate) alike: Vec<(u32, f32)>,
}

/// What the title says of the card's language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Language {
    /// Nothing.
    #[default]
    Unsaid,
    /// A language of the international prints.
    International,
    /// Japanese.
    Japanese,
    /// Korean, Chinese, Thai or Indonesian.
    OtherAsian,
}

impl Query {
    pub(crate) fn clear(&mut self) {
        let Query {
            names,
            numbers,
            sets,
            years,
            cards,
            unread,
            alike,
            words,
            artists,
            ..
        } = std::mem::take(self);
        *self = Query {
            names,
            numbers,
            sets,
            years,
            cards,
            unread,
            alike,
            words,
            artists,
            ..Query::default()
        };
        self.words.clear();
        self.artists.clear();
        self.names.clear();
        self.numbers.clear();
        self.sets.clear();
        self.years.clear();
        self.cards.clear();
        self.unread.clear();
        self.alike.clear();
    }

    /// Whether a finish or an edition is stated.
    pub(crate) fn asks_printing(&self) -> bool {
        self.finish.is_some() || self.edition.is_some() || self.no_rarity
    }

    /// Whether anything is stated that few titles state.
    pub(crate) fn asks_more(&self) -> bool {
        let lists = !self.words.is_empty() || !self.artists.is_empty();
        self.secret | self.alternate | self.promo | lists | (self.hp != 0)
    }

    /// Adds what a hit of the lexicon may name.
    pub(crate) fn add_name(&mut self, catalogue: &Columns<'_>, hit: &Hit, chosen: bool) {
        let cards = catalogue.card_count().max(1) as f32;
        // a card whose French name lacks its star is not the one card that the word means
        let named: u32 = catalogue
            .entries(hit.place)
            .map(|e| match e.kind() {
                EntryKind::Name => catalogue
                    .names
                    .get(e.id() as usize)
                    .map_or(0, |n| n.cards.get()),
                EntryKind::Core => catalogue
                    .cores
                    .get(e.id() as usize)
                    .map_or(0, |c| c.count.get()),
                _ => 0,
            })
            .fold(0, u32::max);
        for entry in catalogue.entries(hit.place) {
            let (core, name, marks, rest) = match entry.kind() {
                EntryKind::Name => {
                    let Some(record) = catalogue.names.get(entry.id() as usize) else {
                        continue;
                    };
                    (
                        record.core.get(),
                        Some(entry.id()),
                        record.marks(),
                        record.rest.get() != 0,
                    )
                }
                EntryKind::Core => (entry.id(), None, Marks::default(), false),
                EntryKind::Card => {
                    if chosen {
                        self.cards.push(entry.id());
                    }
                    continue;
                }
                EntryKind::Set | EntryKind::Word | EntryKind::Artist => continue,
            };
            let Some(record) = catalogue.cores.get(core as usize) else {
                continue;
            };
            if name.is_none()
                && self
                    .names
                    .iter()
                    .any(|n| n.at == hit.at && n.end == hit.end && n.core == core)
            {
                continue;
            }
            let idf = information(cards, record.count.get());
            self.names.push(NameClue {
                core,
                name,
                marks,
                shared: Marks::default(),
                quality: entry.name_quality(),
                slips: 1.0,
                species: record.dex[0].get() != 0,
                rest,
                chosen,
                idf,
                whole_idf: information(cards, named),
                at: hit.at,
                end: hit.end,
            });
        }
    }

    /// Adds a number.
    pub(crate) fn add_number(
        &mut self,
        catalogue: &Columns<'_>,
        reading: &NumberReading,
        beside: bool,
    ) {
        let cards = catalogue.card_count().max(1) as f32;
        let number = catalogue.number(reading.number);
        let total = (reading.total != 0)
            .then(|| catalogue.number(reading.total))
            .flatten();
        let postings = number.map_or(&[][..], |n| catalogue.cards_of_number(n));
        let pairs = total.map_or(0, |t| catalogue.of_total(postings, t).len());
        self.numbers.push(NumberClue {
            kind: reading.kind,
            number,
            total,
            has_total: reading.total != 0,
            digits: reading.digits,
            total_digits: reading.total_digits,
            beside,
            idf_pair: information(cards, pairs as u32),
            idf_total: information(cards, total.map_or(1, |t| catalogue.total_count(t))),
            idf: information(cards, postings.len() as u32),
        });
    }

    /// Adds product words and illustrators of a hit.
    pub(crate) fn add_words(&mut self, catalogue: &Columns<'_>, hit: &Hit) {
        let cards = catalogue.card_count().max(1) as f32;
        for entry in catalogue.entries(hit.place) {
            match entry.kind() {
                EntryKind::Word => {
                    self.campaign |= entry.quality() != 0;
                    self.words.push(entry.id() as u16);
                }
                EntryKind::Artist => {
                    let count = catalogue.artist_count(entry.id() as u16);
                    self.artists
                        .push((entry.id() as u16, information(cards, count)));
                }
                _ => {}
            }
        }
    }

    /// Adds the sets that a hit may name.
    pub(crate) fn add_set(&mut self, catalogue: &Columns<'_>, hit: &Hit, chosen: bool) {
        let family = crate::catalogue::AliasKind::Family as u8;
        let entries = catalogue
            .entries(hit.place)
            .filter(|e| e.kind() == EntryKind::Set);
        let (mut named, mut all, mut kind) = (0u16, 0u16, family);
        for entry in entries {
            named = named.saturating_add(u16::from(entry.quality() < family));
            all = all.saturating_add(1);
            kind = kind.min(entry.quality());
        }
        let sets = if named == 0 { all } else { named };
        self.sets.push(SetClue {
            place: hit.place,
            kind,
            family: named < all,
            chosen,
            sets,
            all,
            at: hit.at,
            end: hit.end,
        });
    }
}
