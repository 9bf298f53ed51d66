//! Imports exchange rates by day, so that sales in other currencies count too.

use super::cell::{Cells, Column, Wrong, needed};
use crate::clock::MILLIS_A_DAY;
use crate::store::StoreError;
use crate::store::market::{Loader, RateRow};
use std::collections::BTreeMap;

/// The columns of files of rates.
pub(super) const COLUMNS: &[Column] = &[
    needed("date"),
    needed("currency"),
    needed("usdPerUnit").number(),
];

/// Rates buffered before they are written.
const HELD: usize = 1 << 16;

/// The rates not yet written. Of two of a day, the later row wins.
#[derive(Debug, Default)]
pub(super) struct Rates(BTreeMap<(String, i64), RateRow>);

impl Rates {
    pub(super) fn is_full(&self) -> bool {
        self.0.len() >= HELD
    }

    pub(super) fn row(&mut self, cells: &Cells<'_>) -> Result<(), Wrong> {
        let day = cells
            .moment(0)?
            .ok_or_else(|| cells.wrong(0, "is empty: write the day of the rate"))?
            .div_euclid(MILLIS_A_DAY);
        let currency = cells
            .currency(1)?
            .ok_or_else(|| cells.wrong(1, "is empty: write its three letters, as JPY"))?;
        if currency == "USD" {
            return Err(cells.wrong(1, "is what rates are in: leave the row out"));
        }
        let usd = cells
            .needed(2)?
            .parse()
            .map_err(|error: crate::market::rate::RateError| cells.wrong(2, error.to_string()))?;
        self.0.insert(
            (currency.to_owned(), day),
            RateRow {
                currency: currency.to_owned(),
                day,
                usd,
            },
        );
        Ok(())
    }

    pub(super) async fn flush(&mut self, loader: &mut Loader) -> Result<(), StoreError> {
        let rates: Vec<RateRow> = std::mem::take(&mut self.0).into_values().collect();
        loader.put_rates(&rates).await
    }
}
