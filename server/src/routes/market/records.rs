//! Sets, cards and sealed products as they are answered.

use super::Market;
use super::price_history::PriceHistory;
use crate::market::day::iso;
use crate::market::{Day, Money};
use crate::store::market::{
    CardKind, CardWithPrintings, ItemRecord, Language, MarketplaceId, Quote, SealedRecord,
    SetRecord,
};
use serde::Serialize;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::BTreeMap;
use titledex::MarketIds;
use utoipa::ToSchema;

/// A set.
#[derive(Serialize, ToSchema)]
#[schema(as = Set)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetShown<'s> {
    /// Its id: what `setId` takes.
    id: &'s str,
    /// The id of its game: what `game` takes.
    game: &'s str,
    /// Its name, English where one is known.
    name: &'s str,
    /// Its name as printed, where that is another.
    #[schema(required)]
    printed_name: Option<&'s str>,
    /// Its name as paths have it: what `set` takes, beside names and codes.
    slug: &'s str,
    /// Its code.
    #[schema(required)]
    code: Option<&'s str>,
    /// Its series.
    #[schema(required)]
    series: Option<&'s str>,
    language: Language,
    /// Its release: a day, or the month or year alone where no more is known.
    #[schema(required)]
    release_date: Option<&'s str>,
    /// The count printed on its cards.
    #[schema(required)]
    printed_total: Option<i64>,
    /// How many cards it has, those above the printed count among them.
    #[schema(required)]
    total: Option<i64>,
    /// In which formats it may be played, by format; left out where no import has said.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = BTreeMap<String, serde_json::Value>)]
    legality: Option<Cow<'s, RawValue>>,
    /// Addresses of pictures, by kind; left out where no import has said.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = BTreeMap<String, serde_json::Value>)]
    images: Option<Cow<'s, RawValue>>,
}

/// JSON as it was imported. Invalid JSON is left out.
fn imported(text: Option<&str>) -> Option<Cow<'_, RawValue>> {
    text.and_then(|text| serde_json::from_str::<&RawValue>(text).ok())
        .map(Cow::Borrowed)
}

impl<'s> SetShown<'s> {
    pub(super) fn of(set: &'s SetRecord, market: &Market) -> Self {
        let image = || {
            let image = SetImage {
                logo: market.images.of_set(set)?,
            };
            serde_json::value::to_raw_value(&image).ok().map(Cow::Owned)
        };
        Self {
            id: &set.id,
            game: &set.game,
            name: &set.name,
            printed_name: set.printed_name.as_deref(),
            slug: &set.slug,
            code: set.code.as_deref(),
            series: set.series.as_deref(),
            language: set.language,
            release_date: set.released.as_deref(),
            printed_total: set.printed_total,
            total: set.total,
            legality: imported(set.legality.as_deref()),
            images: imported(set.images.as_deref()).or_else(image),
        }
    }
}

/// The picture of a set, where settings say where pictures lie.
#[derive(Serialize)]
struct SetImage {
    logo: String,
}

/// The picture of a card.
#[derive(Serialize, ToSchema)]
struct CardImages {
    /// The address of its front.
    front: String,
}

/// Prices in USD of what a marketplaceId names.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Prices<'c> {
    /// `USD`.
    currency: &'static str,
    /// The market price; null where none is known.
    #[schema(required)]
    pub(crate) market: Option<Money>,
    /// The lowest price asked.
    #[schema(required)]
    low: Option<Money>,
    /// How many sell.
    #[schema(required)]
    sellers: Option<i64>,
    /// When the prices were taken.
    #[schema(required, format = DateTime)]
    updated_at: Option<String>,
    /// Whose they are; `synthetic` where they were made up for a demonstration.
    #[schema(required)]
    source: Option<&'c str>,
    /// Prices by source and condition.
    quotes: Vec<QuoteShown<'c>>,
    /// Prices on the European market, where they are asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    eur: Option<EurPrices>,
}

/// Prices in EUR.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct EurPrices {
    /// The market price; null where none is known.
    #[schema(required)]
    market: Option<Money>,
    /// The lowest price asked.
    #[schema(required)]
    low: Option<Money>,
    /// When the prices were taken.
    #[schema(required, format = DateTime)]
    updated_at: Option<String>,
}

/// A price of one source for one condition.
#[derive(Serialize, ToSchema)]
#[schema(as = Quote)]
#[serde(rename_all = "camelCase")]
struct QuoteShown<'c> {
    /// Whose; empty where it is not known.
    source: &'c str,
    /// For which condition; empty for none in particular.
    condition: &'c str,
    /// In which currency.
    currency: &'c str,
    /// The market price.
    #[schema(required)]
    market: Option<Money>,
    /// The lowest price asked.
    #[schema(required)]
    low: Option<Money>,
    /// How many sell.
    #[schema(required)]
    sellers: Option<i64>,
    /// Of which day.
    date: Day,
}

impl<'c> Prices<'c> {
    /// Selects the item's prices from `quotes`, which are of all items. Those in EUR are shown only
    /// with the prices in EUR.
    pub(crate) fn of(item: &'c ItemRecord, quotes: &'c [Quote], eur: bool) -> Self {
        let from = quotes.partition_point(|quote| quote.item < item.key);
        let own = quotes[from..]
            .iter()
            .take_while(|quote| quote.item == item.key);
        Self {
            currency: "USD",
            market: item.market,
            low: item.low,
            sellers: item.sellers,
            updated_at: item.updated.map(iso),
            source: item.source.as_deref(),
            quotes: own
                .filter(|quote| eur || quote.currency != "EUR")
                .map(QuoteShown::from)
                .collect(),
            eur: eur.then(|| EurPrices {
                market: item.eur_market,
                low: item.eur_low,
                updated_at: item.eur_updated.map(iso),
            }),
        }
    }
}

impl<'c> From<&'c Quote> for QuoteShown<'c> {
    fn from(quote: &'c Quote) -> Self {
        Self {
            source: &quote.source,
            condition: &quote.condition,
            currency: &quote.currency,
            market: quote.market,
            low: quote.low,
            sellers: quote.sellers,
            date: Day(quote.day),
        }
    }
}

/// A printing of a card, with its prices in USD.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Printing<'c> {
    /// Its id.
    marketplace_id: Cow<'c, str>,
    /// What marketplaces call it; left out where none is known.
    #[serde(skip_serializing_if = "MarketIds::is_empty")]
    ids: MarketIds,
    /// What it is called; empty where the catalogue does not say.
    printing: &'c str,
    /// The market price; null where none is known.
    #[schema(required)]
    market: Option<Money>,
    /// The lowest price asked.
    #[schema(required)]
    low: Option<Money>,
    /// How many sell.
    #[schema(required)]
    sellers: Option<i64>,
    /// When the prices were taken.
    #[schema(required, format = DateTime)]
    updated_at: Option<String>,
}

impl<'c> Printing<'c> {
    fn of(item: &'c ItemRecord, scheme: MarketplaceId) -> Self {
        Self {
            marketplace_id: scheme.of(item),
            ids: item.ids,
            printing: &item.label,
            market: item.market,
            low: item.low,
            sellers: item.sellers,
            updated_at: item.updated.map(iso),
        }
    }
}

/// A card. Prices, history and graded sales are those of its marketplaceId; `printings` has the
/// prices of each printing.
#[derive(Serialize, ToSchema)]
#[schema(as = Card)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CardShown<'c> {
    /// The id of the printing that was asked for, or of the leading one.
    marketplace_id: Cow<'c, str>,
    /// What marketplaces call that printing; left out where none is known.
    #[serde(skip_serializing_if = "MarketIds::is_empty")]
    ids: MarketIds,
    /// The card's id, whatever its printing.
    card_id: &'c str,
    /// The id of its game.
    game: &'c str,
    /// Its name, English where one is known.
    name: &'c str,
    /// Its name as printed, where that is another.
    #[schema(required)]
    printed_name: Option<&'c str>,
    /// Id of its set.
    set_id: &'c str,
    /// Name of its set.
    set_name: &'c str,
    /// Its set's name as paths have it.
    set_slug: &'c str,
    /// Its number as printed.
    #[schema(required)]
    card_number: Option<&'c str>,
    /// Its rarity.
    #[schema(required)]
    rarity: Option<&'c str>,
    /// What it is; `trainer` is whatever is neither Pokémon nor energy. Null where nobody has said,
    /// and for cards of other games.
    #[schema(required)]
    card_type: Option<CardKind>,
    language: Language,
    /// The printing that marketplaceId names.
    printing: &'c str,
    prices: Prices<'c>,
    /// Its picture, where the settings of the service say where pictures lie.
    #[serde(skip_serializing_if = "Option::is_none")]
    images: Option<CardImages>,
    /// All its printings; the first leads.
    printings: Vec<Printing<'c>>,
    /// Where it is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    price_history: Option<PriceHistory>,
    /// Graded sales by grade, where they are asked for: `GRADER_A_10`, `GRADER_B_9_5`,
    /// `GRADER_B_PRISTINE`, `GRADER_A_AUTH`.
    #[serde(skip_serializing_if = "Option::is_none")]
    auction: Option<BTreeMap<String, super::graded::GradeSales>>,
}

/// What a query adds to a card.
#[derive(Default)]
pub(crate) struct Additions {
    pub(crate) history: Option<PriceHistory>,
    pub(crate) auction: Option<BTreeMap<String, super::graded::GradeSales>>,
}

impl<'c> CardShown<'c> {
    /// `item` is one of the card's printings.
    pub(crate) fn of(
        card: &'c CardWithPrintings,
        item: &'c ItemRecord,
        prices: Prices<'c>,
        additions: Additions,
        market: &Market,
    ) -> Self {
        let scheme = market.scheme;
        let front = market.images.of_card(card);
        Self {
            marketplace_id: scheme.of(item),
            ids: item.ids,
            images: front.map(|front| CardImages { front }),
            card_id: &card.card.id,
            game: &card.game,
            name: &card.card.name,
            printed_name: card.card.printed_name.as_deref(),
            set_id: &card.set_id,
            set_name: &card.set_name,
            set_slug: &card.set_slug,
            card_number: card.card.number.as_deref(),
            rarity: card.card.rarity.as_deref(),
            card_type: card.card.kind,
            language: card.card.language,
            printing: &item.label,
            prices,
            printings: card
                .printings
                .iter()
                .map(|item| Printing::of(item, scheme))
                .collect(),
            price_history: additions.history,
            auction: additions.auction,
        }
    }
}

/// A sealed product.
#[derive(Serialize, ToSchema)]
#[schema(as = SealedProduct)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SealedShown<'c> {
    /// Its id.
    marketplace_id: Cow<'c, str>,
    /// What marketplaces call it; left out where none is known.
    #[serde(skip_serializing_if = "MarketIds::is_empty")]
    ids: MarketIds,
    /// Its name.
    name: &'c str,
    /// Id of its set; null where it has none that is known.
    #[schema(required)]
    set_id: Option<&'c str>,
    /// Name of its set; empty where it has none.
    set_name: &'c str,
    /// The id of its game.
    game: &'c str,
    /// What it is: `Booster Box`.
    product_type: &'c str,
    language: Language,
    prices: Prices<'c>,
    /// Sales of the last days, the newest first; the window is `days`, 30 by default.
    recent_sales: Vec<SaleShown>,
    /// Where it is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    price_history: Option<PriceHistory>,
}

/// A sale.
#[derive(Clone, Serialize, ToSchema)]
#[schema(as = Sale)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SaleShown {
    /// The UTC day.
    pub(crate) date: Day,
    /// The price, in USD.
    pub(crate) price: Money,
}

impl<'c> SealedShown<'c> {
    /// A product with its prices, sales and history.
    pub(crate) fn of(
        product: &'c SealedRecord,
        quotes: &'c [Quote],
        recent_sales: Vec<SaleShown>,
        price_history: Option<PriceHistory>,
        scheme: MarketplaceId,
    ) -> Self {
        Self {
            marketplace_id: scheme.of(&product.item),
            ids: product.item.ids,
            name: &product.name,
            set_id: product.set_id.as_deref(),
            set_name: &product.set_name,
            game: &product.game,
            product_type: &product.product_type,
            language: product.item.language,
            prices: Prices::of(&product.item, quotes, false),
            recent_sales,
            price_history,
        }
    }
}
