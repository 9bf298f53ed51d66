//! The records of the market's tables.

use crate::market::{Counts, GradeKey, Grader, Money};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use titledex::MarketIds;
use titledex::internals::dictionary::Category;
use utoipa::ToSchema;

/// The language that a card was printed in: those that the catalogue has. English cards are its
/// international ones, all others its Asian ones.
///
/// The order is that of the numbers in the database: a new one comes last.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    ToSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// Of the international cards.
    #[default]
    English,
    /// Of most Asian cards.
    Japanese,
    /// Simplified or traditional.
    Chinese,
    /// Korean.
    Korean,
    /// Thai.
    Thai,
    /// Indonesian.
    Indonesian,
}

impl Language {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 6] = [
        Self::English,
        Self::Japanese,
        Self::Chinese,
        Self::Korean,
        Self::Thai,
        Self::Indonesian,
    ];
    /// Their names, as the catalogue and answers write them.
    pub const NAMES: [&str; 6] = [
        "english",
        "japanese",
        "chinese",
        "korean",
        "thai",
        "indonesian",
    ];

    /// The codes under which the catalogue keeps names in them; of Chinese, the one that most of
    /// its cards have.
    const CODES: [&str; 6] = ["en", "ja", "zh-tw", "ko", "th", "id"];

    /// The code under which the catalogue keeps names in it.
    #[must_use]
    pub fn code(self) -> &'static str {
        Self::CODES[self as usize]
    }

    /// Its number in the database.
    #[must_use]
    pub fn number(self) -> i64 {
        self as i64
    }

    /// The language of a number; what is not there counts as English.
    #[must_use]
    pub fn of_number(number: i64) -> Self {
        let at = usize::try_from(number).ok();
        at.and_then(|at| Self::ALL.get(at).copied())
            .unwrap_or_default()
    }

    /// Its name: `english`, `japanese`.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The language of a name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|language| language.name() == name)
    }

    /// Whether its cards are the international ones.
    #[must_use]
    pub fn is_international(self) -> bool {
        self == Self::English
    }
}

/// What a card is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum CardKind {
    /// A Pokémon.
    Pokemon,
    /// An item, a supporter, a stadium: whatever is neither a Pokémon nor an energy.
    Trainer,
    /// An energy.
    Energy,
}

impl CardKind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Pokemon, Self::Trainer, Self::Energy];
    /// Their names, as the database and answers write them.
    pub const NAMES: [&str; 3] = ["pokemon", "trainer", "energy"];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The kind of a card that is this to its game.
    #[must_use]
    pub const fn of(category: Option<Category>) -> Self {
        match category {
            Some(Category::Subject) => Self::Pokemon,
            Some(Category::Resource) => Self::Energy,
            None => Self::Trainer,
        }
    }

    /// The kind of a name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// A set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SetRecord {
    /// Its number here.
    pub key: i64,
    /// Its id.
    pub id: String,
    /// The id of its game.
    pub game: String,
    /// The language of most of its cards.
    pub language: Language,
    /// Its name as paths have it, unique within the language: `evolving-skies`.
    pub slug: String,
    /// Its name, English where one is known.
    pub name: String,
    /// Its name as printed, where that is another.
    pub printed_name: Option<String>,
    /// Its code: `swsh7`.
    pub code: Option<String>,
    /// Its series: `swsh`.
    pub series: Option<String>,
    /// Its release: `yyyy`, `yyyy-mm` or `yyyy-mm-dd`.
    pub released: Option<String>,
    /// The count printed on its cards.
    pub printed_total: Option<i64>,
    /// How many cards it has, where that is known.
    pub total: Option<i64>,
    /// In which formats it may be played: a JSON object as imported.
    pub legality: Option<String>,
    /// Addresses of its logo and symbol: a JSON object as imported.
    pub images: Option<String>,
}

/// A card, without its printings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CardRecord {
    /// Its number here.
    pub key: i64,
    /// Its id: `base1-4`.
    pub id: String,
    /// The number of its set here.
    pub set_key: i64,
    /// Its order within the set.
    pub place: i64,
    /// Its language.
    pub language: Language,
    /// Its name, English where one is known.
    pub name: String,
    /// Its name as printed, where that is another.
    pub printed_name: Option<String>,
    /// Its number as printed: `4/102`.
    pub number: Option<String>,
    /// Its rarity as the source names it.
    pub rarity: Option<String>,
    /// What it is, where that is known.
    pub kind: Option<CardKind>,
}

/// Whatever has a price: a printing of a card, or a sealed product.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ItemRecord {
    /// Its number here.
    pub key: i64,
    /// Its id: `base1-4:unlimited-holofoil`.
    pub marketplace_id: String,
    /// Its language.
    pub language: Language,
    /// The number of its card here; none for a sealed product.
    pub card: Option<i64>,
    /// Its order among the printings of its card, from 0: the first leads.
    pub place: i64,
    /// Its label: `Unlimited Holofoil`; empty where the source gives none.
    pub label: String,
    /// Its headline prices in USD.
    pub market: Option<Money>,
    /// The lowest price asked.
    pub low: Option<Money>,
    /// How many sell.
    pub sellers: Option<i64>,
    /// When those were taken, in milliseconds since 1970.
    pub updated: Option<i64>,
    /// Where they come from, if that is known.
    pub source: Option<String>,
    /// The condition that they are for, where no other price is known.
    pub condition: Option<String>,
    /// Its market price in EUR.
    pub eur_market: Option<Money>,
    /// The lowest price asked in EUR.
    pub eur_low: Option<Money>,
    /// When those were taken.
    pub eur_updated: Option<i64>,
    /// The first day of its history.
    pub first_day: Option<i64>,
    /// The last day of its history.
    pub last_day: Option<i64>,
    /// What marketplaces call it.
    pub ids: MarketIds,
}

/// A card with its set and all its printings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CardWithPrintings {
    /// The card.
    pub card: CardRecord,
    /// Id of its set.
    pub set_id: String,
    /// Name of its set.
    pub set_name: String,
    /// Its set's name as paths have it.
    pub set_slug: String,
    /// The id of its game, which is its set's.
    pub game: String,
    /// Release of its set.
    pub set_released: Option<String>,
    /// Its printings; the first leads. Never empty.
    pub printings: Vec<ItemRecord>,
}

impl CardWithPrintings {
    /// The market price of the leading printing.
    #[must_use]
    pub fn leading_price(&self) -> Option<Money> {
        self.printings.first().and_then(|item| item.market)
    }

    /// The first printing that has one of these own ids; the leading one where none has.
    #[must_use]
    pub fn printing(&self, own: &[String]) -> Option<&ItemRecord> {
        self.printings
            .iter()
            .find(|item| own.contains(&item.marketplace_id))
            .or(self.printings.first())
    }
}

/// A sealed product with its prices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SealedRecord {
    /// Id and prices.
    pub item: ItemRecord,
    /// Its name.
    pub name: String,
    /// The number of its set here, where it is one of those.
    pub set_key: Option<i64>,
    /// Id of its set.
    pub set_id: Option<String>,
    /// Name of its set; empty where it has none.
    pub set_name: String,
    /// The id of its game.
    pub game: String,
    /// What it is: `Booster Box`.
    pub product_type: String,
}

/// A price of one source, condition and currency, beside the headline.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Quote {
    /// Of which item.
    pub item: i64,
    /// Whose; empty where it is not known.
    pub source: String,
    /// For which condition; empty for none in particular.
    pub condition: String,
    /// In which currency: `USD`, `EUR`.
    pub currency: String,
    /// The market price.
    pub market: Option<Money>,
    /// The lowest price asked.
    pub low: Option<Money>,
    /// How many sell.
    pub sellers: Option<i64>,
    /// Of which day.
    pub day: i64,
}

/// A sale of a graded card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GradedSale {
    /// Of which item.
    pub item: i64,
    /// Who graded it, and how well.
    pub key: GradeKey,
    /// On which day.
    pub day: i64,
    /// For how much, in USD.
    pub price: Money,
}

/// How many cards each grader gave each grade.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PopulationRecord {
    /// Of which item.
    pub item: i64,
    /// Its id.
    pub marketplace_id: String,
    /// What marketplaces call it.
    pub ids: MarketIds,
    /// Its language.
    pub language: Language,
    /// By grader; only those with data.
    pub counts: BTreeMap<Grader, Counts>,
    /// How sure it is that the provider's card is this one: `high`, `medium`, `low`.
    pub confidence: String,
    /// How closely the provider's card is this one, in ten-thousandths.
    pub score: Option<Money>,
    /// When it was fetched from the provider, in milliseconds since 1970.
    pub fetched: Option<i64>,
    /// When it was stored.
    pub updated: i64,
}

impl PopulationRecord {
    /// Graded cards across all graders.
    #[must_use]
    pub fn total(&self) -> i64 {
        self.counts.values().map(Counts::total).sum()
    }

    /// Tens across all graders, pristine and perfect ones among them.
    #[must_use]
    pub fn gems(&self) -> i64 {
        self.counts.values().map(Counts::gems).sum()
    }

    /// A bit for each grader with data.
    #[must_use]
    pub fn mask(&self) -> i64 {
        self.counts.keys().map(|grader| grader.bit()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::Language;
    use titledex::internals::build::rows::{LANGUAGES, language_name};

    #[test]
    fn languages_have_the_names_of_the_catalogue_and_keep_their_numbers() {
        for (number, language) in (0..).zip(Language::ALL) {
            assert_eq!(language.number(), number);
            assert_eq!(Language::of_number(number), language);
            assert!(LANGUAGES.contains(&language.name()), "{language:?}");
            assert_eq!(language_name(language.code()), language.name());
            assert_eq!(Language::of_name(language.name()), Some(language));
            let json = serde_json::to_value(language).expect("it is a word");
            assert_eq!(json, language.name());
        }
    }
}
