//! What the market's tables hold, as Rust has it.

use crate::market::{Counts, GradeKey, Grader, Money};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// Which tree of the catalogue a card belongs to.
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
    /// The international tree.
    #[default]
    English,
    /// The Asian tree.
    Japanese,
}

impl Language {
    /// Its number in the database.
    #[must_use]
    pub fn number(self) -> i64 {
        self as i64
    }

    /// The language of a number; what is not there counts as English.
    #[must_use]
    pub fn of_number(number: i64) -> Self {
        if number == 1 {
            Self::Japanese
        } else {
            Self::English
        }
    }

    /// Its name: `english`, `japanese`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::English => "english",
            Self::Japanese => "japanese",
        }
    }

    /// The language of a name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        [Self::English, Self::Japanese]
            .into_iter()
            .find(|language| language.name() == name)
    }
}

/// A set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SetRecord {
    /// Its number here.
    pub key: i64,
    /// Its id.
    pub id: String,
    /// Its tree.
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
    /// Its tree.
    pub language: Language,
    /// Its name, English where one is known.
    pub name: String,
    /// Its name as printed, where that is another.
    pub printed_name: Option<String>,
    /// Its number as printed: `4/102`.
    pub number: Option<String>,
    /// Its rarity as the source names it.
    pub rarity: Option<String>,
}

/// Whatever has a price: a printing of a card, or a sealed product.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ItemRecord {
    /// Its number here.
    pub key: i64,
    /// Its id: `base1-4:unlimited-holofoil`.
    pub marketplace_id: String,
    /// Its tree.
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
    /// Its printings; the first leads. Never empty.
    pub printings: Vec<ItemRecord>,
}

impl CardWithPrintings {
    /// The printing that has this id; the leading one where none has it or none is named.
    #[must_use]
    pub fn printing(&self, marketplace_id: Option<&str>) -> Option<&ItemRecord> {
        self.printings
            .iter()
            .find(|item| Some(item.marketplace_id.as_str()) == marketplace_id)
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
    /// Its tree.
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

/// How cards are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CardOrder {
    /// As in the catalogue: by set, then number.
    #[default]
    Catalogue,
    /// By the market price of the leading printing, cheapest first; cards without a price come last.
    Cheapest,
    /// By the market price of the leading printing, dearest first; cards without a price come last.
    Dearest,
}

/// Which cards are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CardQuery {
    /// Of which tree.
    pub language: Language,
    /// Of which set, by its number here.
    pub set: Option<i64>,
    /// Whose leading printing's market price is at least this.
    pub min_price: Option<Money>,
    /// Whose leading printing's market price is at most this.
    pub max_price: Option<Money>,
    /// In which order.
    pub order: CardOrder,
    /// At most so many.
    pub limit: i64,
    /// After so many.
    pub offset: i64,
}

/// Which populations are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PopulationQuery {
    /// Of which tree.
    pub language: Language,
    /// With data of this grader.
    pub grader: Option<Grader>,
    /// With at least so many graded cards.
    pub min_total: Option<i64>,
    /// With at least this share of tens, in ten-thousandths of a per cent.
    pub min_gem_rate: Option<Money>,
    /// At most so many.
    pub limit: i64,
    /// After so many.
    pub offset: i64,
}

/// Which sealed products are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SealedQuery {
    /// Of which tree; of both where none is given.
    pub language: Option<Language>,
    /// Only this one.
    pub marketplace_id: Option<String>,
    /// Of which set, by its number here.
    pub set: Option<i64>,
    /// Of which type, without regard to case.
    pub product_type: Option<String>,
    /// Words that its name or its set's has, all of them, without regard to case.
    pub words: Vec<String>,
    /// At most so many.
    pub limit: i64,
    /// After so many.
    pub offset: i64,
}
