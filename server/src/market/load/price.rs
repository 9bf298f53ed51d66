//! [`Price`]: what the columns of a price say, in every kind of file that has them.

use super::cell::{Cells, Wrong};
use crate::clock::MILLIS_A_DAY;
use crate::market::{Money, Point};

/// The last day that is accepted, so that chunks can be numbered.
const LAST_DAY: i64 = 1 << 23;

/// A row's price.
#[derive(Clone, Copy, Debug)]
pub(super) struct Price<'p> {
    /// When it was taken, in milliseconds since 1970.
    pub(super) moment: i64,
    pub(super) market: Option<Money>,
    pub(super) low: Option<Money>,
    pub(super) sellers: Option<i64>,
    pub(super) source: Option<&'p str>,
    /// The condition that it is for.
    pub(super) condition: Option<&'p str>,
}

/// The places of the columns that state a price.
#[derive(Clone, Copy, Debug)]
pub(super) struct PriceColumns {
    pub(super) market: usize,
    pub(super) low: usize,
    pub(super) sellers: usize,
    pub(super) moment: usize,
}

impl PriceColumns {
    /// The price of a row, of no source and condition; none where it states no amount.
    pub(super) fn read<'p>(
        &self,
        cells: &Cells<'p>,
        today: i64,
    ) -> Result<Option<Price<'p>>, Wrong> {
        let amount = |at| match cells.money(at)? {
            Some(Money(0)) => {
                Err(cells.wrong(at, "is nothing: leave it empty where no price is known"))
            }
            amount => Ok(amount),
        };
        let moment = cells.moment(self.moment)?;
        let (market, low) = (amount(self.market)?, amount(self.low)?);
        let sellers = cells.count(self.sellers)?;
        if market.is_none() && low.is_none() {
            return Ok(None);
        }
        let refused = |what| Err(cells.wrong(self.moment, what));
        let Some(moment) = moment else {
            return refused("is empty: write the day of the price");
        };
        let day = moment.div_euclid(MILLIS_A_DAY);
        if day > today {
            return refused("is ahead of today (UTC): write the day of the price");
        }
        if !(0..LAST_DAY).contains(&day) {
            return refused("is too far away: check the day");
        }
        Ok(Some(Price {
            moment,
            market,
            low,
            sellers,
            source: None,
            condition: None,
        }))
    }
}

impl Price<'_> {
    /// The day that it is of.
    pub(super) fn day(&self) -> i64 {
        self.moment.div_euclid(MILLIS_A_DAY)
    }

    /// It as a day of a history.
    pub(super) fn point(&self) -> Point {
        Point {
            day: self.day(),
            market: self.market,
            low: self.low,
            sellers: self.sellers,
        }
    }
}
