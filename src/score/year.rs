//! Evidence of the year.

use super::features::Feature;
use super::number::NumberFit;
use super::{Fit, Scorer, Sink};
use crate::catalogue::format::CardRecord;
use crate::stats::SetFacts;

/// Promos of one set appear this many years before and after its one date.
const PROMO_YEARS: std::ops::RangeInclusive<i32> = -3..=5;
/// Years after which a card is printed again as it was: `2021 Base Set Venusaur 15/102`.
const REPRINTED_AFTER: i32 = 10;
/// How often such a year counts as one that is wrong.
const OF_REPRINT: f32 = 2.0;

impl Scorer<'_, '_> {
    /// Evidence of the year: of the product that the card came with, else of its set's release.
    ///
    /// `fit`: whether the title names the card's set, which came out in one year: another year is wrong.
    #[inline]
    pub(super) fn year(&self, record: &CardRecord, set: SetFacts, fit: Fit, sink: &mut impl Sink) {
        if self.query.years.is_empty() {
            return;
        }
        let released = i32::from(set.year);
        let (year, span) = match self.catalogue.product_year(record) {
            Some(year) => (i32::from(year), 0..=0),
            None if released == 0 => return,
            // promos come out over years under one date
            None if set.over_years => (released, PROMO_YEARS),
            None => (released, 0..=0),
        };
        let off = |y: &u16| {
            let late = i32::from(*y) - year;
            (late - span.end()).max(span.start() - late).max(0)
        };
        // sellers take the year of the copyright, or of another printing, for that of the set
        match self.query.years.iter().map(off).min() {
            Some(0) if !span.contains(&1) => sink.add(Feature::YearAgrees, 1.0),
            Some(0) => sink.add(Feature::YearNear, 1.0),
            Some(1) if !span.contains(&1) => sink.add(Feature::YearNear, 1.0),
            Some(REPRINTED_AFTER..)
                if fit.member && fit.number == NumberFit::Agrees { total: true } =>
            {
                sink.add(Feature::YearSlip, OF_REPRINT);
            }
            _ if fit.member && !set.over_years => sink.add(Feature::YearSlip, 1.0),
            Some(2) => sink.add(Feature::YearDiffers, 0.6),
            _ => sink.add(Feature::YearDiffers, 1.0),
        }
    }
}
