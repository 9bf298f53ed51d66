//! [`Tables`]: the sections of an index that do not follow from others, as the lists that a pack
//! holds.

use super::coder::corrupt;
use crate::catalogue::format::{
    ArtistRecord, CardRecord, CoreRecord, LocalName, MarketRecord, NameRecord, PrintingRecord,
    ProductRecord, Section, Sections, SetRecord, U24,
};
use crate::error::Error;
use zerocopy::little_endian::{U16, U32};
use zerocopy::{Immutable, IntoBytes};

/// Records and strings.
#[derive(Clone, Debug, Default)]
pub(super) struct Tables {
    pub(super) about: Vec<u8>,
    pub(super) strings: Strings,
    pub(super) sets: Vec<SetRecord>,
    pub(super) cards: Vec<CardRecord>,
    pub(super) names: Vec<NameRecord>,
    pub(super) cores: Vec<CoreRecord>,
    pub(super) locals: Lists<LocalName>,
    pub(super) printings: Lists<PrintingRecord>,
    pub(super) texts: Lists<U24>,
    pub(super) rarities: Vec<U24>,
    pub(super) languages: Vec<U24>,
    pub(super) codes: Vec<U24>,
    pub(super) games: Vec<U24>,
    pub(super) products: Vec<ProductRecord>,
    pub(super) product_words: Vec<U16>,
    pub(super) word_cards: Vec<U32>,
    pub(super) artists: Vec<ArtistRecord>,
    pub(super) market_ids: Vec<MarketRecord>,
}

/// Lists one after another, with the places at which each begins and the last ends.
#[derive(Clone, Debug)]
pub(super) struct Lists<T> {
    pub(super) starts: Vec<U32>,
    pub(super) all: Vec<T>,
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Lists {
            starts: vec![U32::new(0)],
            all: Vec::new(),
        }
    }
}

impl<T> Lists<T> {
    /// Number of lists.
    pub(super) fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The list `at`; empty if there is none.
    pub(super) fn get(&self, at: usize) -> &[T] {
        match (self.starts.get(at), self.starts.get(at + 1)) {
            (Some(from), Some(to)) => self
                .all
                .get(from.get() as usize..to.get() as usize)
                .unwrap_or(&[]),
            _ => &[],
        }
    }
}

/// Strings one after another, with the places at which each begins and the last ends.
#[derive(Clone, Debug, Default)]
pub(super) struct Strings {
    pub(super) starts: Vec<U32>,
    pub(super) text: String,
}

impl Strings {
    /// Number of strings.
    pub(super) fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The string `number` as bytes; empty if there is none.
    pub(super) fn bytes(&self, number: u32) -> &[u8] {
        match (
            self.starts.get(number as usize),
            self.starts.get(number as usize + 1),
        ) {
            (Some(from), Some(to)) => self
                .text
                .as_bytes()
                .get(from.get() as usize..to.get() as usize)
                .unwrap_or(&[]),
            _ => &[],
        }
    }

    /// The string `number`; empty if there is none, or if it is cut within a character.
    pub(super) fn get(&self, number: U24) -> &str {
        let at = number.get() as usize;
        match (self.starts.get(at), self.starts.get(at + 1)) {
            (Some(from), Some(to)) => self
                .text
                .get(from.get() as usize..to.get() as usize)
                .unwrap_or(""),
            _ => "",
        }
    }
}

impl Tables {
    /// The tables of an index.
    pub(super) fn of(index: &Sections<'_>) -> Result<Tables, Error> {
        let lists = |starts: Section| index.records::<U32>(starts).map(<[U32]>::to_vec);
        let text = std::str::from_utf8(index.bytes(Section::StringBytes))
            .map_err(|_| corrupt("its strings are not UTF-8"))?;
        Ok(Tables {
            about: index.bytes(Section::About).to_vec(),
            strings: Strings {
                starts: lists(Section::StringStarts)?,
                text: text.to_owned(),
            },
            sets: index.records(Section::Sets)?.to_vec(),
            cards: index.records(Section::Cards)?.to_vec(),
            names: index.records(Section::Names)?.to_vec(),
            cores: index.records(Section::Cores)?.to_vec(),
            locals: Lists {
                starts: lists(Section::LocalStarts)?,
                all: index.records(Section::LocalNames)?.to_vec(),
            },
            printings: Lists {
                starts: lists(Section::PrintingStarts)?,
                all: index.records(Section::Printings)?.to_vec(),
            },
            texts: Lists {
                starts: lists(Section::NumberTextStarts)?,
                all: index.records(Section::NumberTexts)?.to_vec(),
            },
            rarities: index.records(Section::Rarities)?.to_vec(),
            languages: index.records(Section::Languages)?.to_vec(),
            codes: index.records(Section::LanguageCodes)?.to_vec(),
            games: index.records(Section::Games)?.to_vec(),
            products: index.records(Section::Products)?.to_vec(),
            product_words: index.records(Section::ProductWords)?.to_vec(),
            word_cards: index.records(Section::WordCards)?.to_vec(),
            artists: index.records(Section::Artists)?.to_vec(),
            market_ids: index.records(Section::MarketIds)?.to_vec(),
        })
    }

    /// The place of the spelling `which` of collector number `number` among all spellings.
    pub(super) fn spelling_at(&self, number: U24, which: u8) -> Option<usize> {
        let [from, to] = [0, 1].map(|next| {
            self.texts
                .starts
                .get(number.get() as usize + next)
                .map(|at| at.get() as usize)
        });
        Some(from? + usize::from(which))
            .filter(|at| to.is_some_and(|to| *at < to) && *at < self.texts.all.len())
    }

    /// The spelling `which` of collector number `number`.
    pub(super) fn spelling(&self, number: U24, which: u8) -> U24 {
        self.spelling_at(number, which)
            .and_then(|at| self.texts.all.get(at))
            .copied()
            .unwrap_or_default()
    }
}

impl Tables {
    /// The tables as sections, each freed as it is written.
    pub(super) fn into_sections(self) -> Vec<(Section, Vec<u8>)> {
        fn bytes<T: IntoBytes + Immutable>(records: Vec<T>) -> Vec<u8> {
            records.as_slice().as_bytes().to_vec()
        }
        vec![
            (Section::About, self.about),
            (Section::StringStarts, bytes(self.strings.starts)),
            (Section::StringBytes, self.strings.text.into_bytes()),
            (Section::Sets, bytes(self.sets)),
            (Section::Cards, bytes(self.cards)),
            (Section::Names, bytes(self.names)),
            (Section::Cores, bytes(self.cores)),
            (Section::LocalStarts, bytes(self.locals.starts)),
            (Section::LocalNames, bytes(self.locals.all)),
            (Section::PrintingStarts, bytes(self.printings.starts)),
            (Section::Printings, bytes(self.printings.all)),
            (Section::Rarities, bytes(self.rarities)),
            (Section::Languages, bytes(self.languages)),
            (Section::Products, bytes(self.products)),
            (Section::ProductWords, bytes(self.product_words)),
            (Section::WordCards, bytes(self.word_cards)),
            (Section::Artists, bytes(self.artists)),
            (Section::MarketIds, bytes(self.market_ids)),
            (Section::NumberTextStarts, bytes(self.texts.starts)),
            (Section::NumberTexts, bytes(self.texts.all)),
            (Section::LanguageCodes, bytes(self.codes)),
            (Section::Games, bytes(self.games)),
            (Section::GameFiles, Vec::new()),
        ]
    }
}
