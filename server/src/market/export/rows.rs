//! [`Dump`]: the rows of a dataset as CSV (RFC 4180).

use super::dataset::Dataset;
use crate::clock::Moment;
use crate::market::day::iso;
use crate::market::grades::{Counts, Grade};
use crate::market::{Money, stats};
use crate::store::market::{GradedSale, ItemRecord};
use crate::store::{Store, StoreError};
use std::io::{self, Write};
use titledex_command::spreadsheet::defused;

/// Days of graded sales that are summed up.
const WINDOW: i64 = 30;

const CARDS: &[&str] = &[
    "marketplaceId",
    "name",
    "setName",
    "setId",
    "cardNumber",
    "rarity",
    "language",
    "printing",
    "marketPrice",
    "lowPrice",
    "sellers",
    "lastPriceUpdate",
];
const SEALED: &[&str] = &[
    "marketplaceId",
    "name",
    "setName",
    "setId",
    "productType",
    "language",
    "marketPrice",
    "lowPrice",
    "sellers",
    "lastPriceUpdate",
];
const AUCTION: &[&str] = &[
    "marketplaceId",
    "grade",
    "salesCount",
    "averagePrice",
    "medianPrice",
    "smartMarketPrice",
    "smartMarketConfidence",
    "marketPrice7Day",
    "marketTrend",
    "salesVelocityWeekly",
];
const POPULATION: &[&str] = &[
    "marketplaceId",
    "grader",
    "totalPopulation",
    "gemRate",
    "g1",
    "g2",
    "g3",
    "g4",
    "g5",
    "g6",
    "g7",
    "g8",
    "g9",
    "g9_5",
    "g10",
    "auth",
    "qualifiers",
    "pristine",
    "perfect",
    "matchConfidence",
];
/// The columns of [`POPULATION`] that count a grade.
const GRADES: std::ops::Range<usize> = 4..19;

/// A dataset on its way into a file.
pub(super) struct Dump<W: Write> {
    dataset: Dataset,
    out: csv::Writer<W>,
    records: i64,
    /// Whether cells are made safe for spreadsheets.
    safe: bool,
}

impl<W: Write> Dump<W> {
    /// Writes the header. `safe` says that no cell may be a formula to a spreadsheet.
    pub(super) fn begin(dataset: Dataset, out: W, safe: bool) -> io::Result<Self> {
        let mut out = csv::WriterBuilder::new()
            .terminator(csv::Terminator::CRLF)
            .from_writer(out);
        let columns = match dataset {
            Dataset::Cards => CARDS,
            Dataset::Sealed => SEALED,
            Dataset::Auction => AUCTION,
            Dataset::Population => POPULATION,
        };
        out.write_record(columns)?;
        Ok(Self {
            dataset,
            out,
            records: 0,
            safe,
        })
    }

    /// Writes the rows of items with numbers above `after` and up to `to`.
    pub(super) async fn page(
        &mut self,
        store: &Store,
        after: i64,
        to: i64,
        now: Moment,
    ) -> Result<io::Result<()>, StoreError> {
        Ok(match self.dataset {
            Dataset::Cards => {
                let cards = store.cards_between(after, to).await?;
                cards
                    .iter()
                    .flat_map(|card| card.printings.iter().map(move |item| (card, item)))
                    .try_for_each(|(card, item)| {
                        let of = &card.card;
                        let [market, low, sellers, updated] = prices(item);
                        self.row(&[
                            &item.marketplace_id,
                            &of.name,
                            &card.set_name,
                            &card.set_id,
                            of.number.as_deref().unwrap_or_default(),
                            of.rarity.as_deref().unwrap_or_default(),
                            of.language.name(),
                            &item.label,
                            &market,
                            &low,
                            &sellers,
                            &updated,
                        ])
                    })
            }
            Dataset::Sealed => {
                store
                    .sealed_between(after, to)
                    .await?
                    .iter()
                    .try_for_each(|sealed| {
                        let [market, low, sellers, updated] = prices(&sealed.item);
                        self.row(&[
                            &sealed.item.marketplace_id,
                            &sealed.name,
                            &sealed.set_name,
                            sealed.set_id.as_deref().unwrap_or_default(),
                            &sealed.product_type,
                            sealed.item.language.name(),
                            &market,
                            &low,
                            &sellers,
                            &updated,
                        ])
                    })
            }
            Dataset::Auction => {
                let today = now.day();
                let sales = store
                    .graded_between(after, to, today - WINDOW + 1, today)
                    .await?;
                sales
                    .chunk_by(|one, other| one.1.item == other.1.item && one.1.key == other.1.key)
                    .try_for_each(|of| self.graded(of, today))
            }
            Dataset::Population => store
                .populations_between(after, to)
                .await?
                .iter()
                .try_for_each(|population| {
                    population.counts.iter().try_for_each(|(grader, counts)| {
                        let mut cells = vec![
                            population.marketplace_id.clone(),
                            grader.code().to_owned(),
                            counts.total().to_string(),
                            stats::gem_rate(counts).to_string(),
                        ];
                        cells.extend(
                            POPULATION[GRADES]
                                .iter()
                                .map(|column| count(counts, column)),
                        );
                        cells.push(population.confidence.clone());
                        self.row(&cells.iter().map(String::as_str).collect::<Vec<_>>())
                    })
                }),
        })
    }

    /// Flushes, and returns the number of rows.
    pub(super) fn finish(self) -> io::Result<(i64, W)> {
        let out = self
            .out
            .into_inner()
            .map_err(csv::IntoInnerError::into_error)?;
        Ok((self.records, out))
    }

    fn row(&mut self, cells: &[&str]) -> io::Result<()> {
        self.records += 1;
        if self.safe {
            let cells = cells.iter().map(|cell| defused(cell));
            for cell in cells {
                self.out.write_field(cell.as_bytes())?;
            }
            return Ok(self.out.write_record(None::<&[u8]>)?);
        }
        Ok(self.out.write_record(cells)?)
    }

    fn graded(&mut self, sales: &[(String, GradedSale)], today: i64) -> io::Result<()> {
        let Some((id, first)) = sales.first() else {
            return Ok(());
        };
        let pairs: Vec<stats::Sale> = sales
            .iter()
            .map(|(_, sale)| (sale.day, sale.price))
            .collect();
        let Some(summary) = stats::summary(&pairs, today - WINDOW + 1, today) else {
            return Ok(());
        };
        let text =
            |amount: Option<Money>| amount.map(|amount| amount.to_string()).unwrap_or_default();
        self.row(&[
            id,
            &first.key.to_string(),
            &summary.count.to_string(),
            &summary.average.to_string(),
            &summary.median.to_string(),
            &summary.smart.to_string(),
            summary.confidence.name(),
            &text(summary.week),
            &text(summary.trend),
            &summary.velocity.to_string(),
        ])
    }
}

/// Prices as cells: market, low, sellers, when.
fn prices(item: &ItemRecord) -> [String; 4] {
    let text = |amount: Option<Money>| amount.map(|amount| amount.to_string()).unwrap_or_default();
    [
        text(item.market),
        text(item.low),
        item.sellers
            .map(|sellers| sellers.to_string())
            .unwrap_or_default(),
        item.updated.map(iso).unwrap_or_default(),
    ]
}

/// The count of a column; empty without data.
fn count(counts: &Counts, column: &str) -> String {
    let count = Grade::of_column(column).and_then(|grade| counts.0.get(&grade));
    count.map(|count| count.to_string()).unwrap_or_default()
}
