//! Imports sold listings. The core reads and matches them; those that are surely a sale of an item
//! become one, the others go to review. A listing counts once: a later row corrects it.

use super::Matching;
use super::cell::{Cells, Column, Form, Wrong, needed, optional};
use super::ledger::{Ledger, Listing};
use super::report::Report;
use crate::clock::MILLIS_A_DAY;
use crate::market::Money;
use crate::market::listing::identity::{Identity, alike};
use crate::market::listing::products::Products;
use crate::market::listing::words::{Status, status};
use crate::market::listing::{LeftOut, Placing, Rules};
use crate::market::load_index::LoadIndex;
use crate::store::StoreError;
use crate::store::market::{Candidate, Loader};
use std::sync::Arc;
use titledex::{Answer, Options};

/// The columns of sales files.
pub(super) const COLUMNS: &[Column] = &[
    needed("title"),
    needed("price").number(),
    optional("currency"),
    needed("date"),
    optional("url"),
    optional("id").form(Form::Id),
    optional("status"),
    optional("bestOffer").form(Form::Offer),
];

/// Listings buffered before they are written.
const HELD: usize = 1 << 14;

/// The sold listings not yet written.
#[derive(Debug)]
pub(super) struct Sales {
    matching: Matching,
    products: Products,
    now: i64,
    /// Whose ids those of the file are.
    source: Option<Arc<str>>,
    held: Vec<Listing>,
}

impl Sales {
    pub(super) fn new(matching: Matching, products: Products, now: i64) -> Self {
        Self {
            matching,
            products,
            now,
            source: None,
            held: Vec::new(),
        }
    }

    /// States whose ids those of the file are.
    pub(super) fn set_source(&mut self, source: &str) {
        self.source = Some(source.into());
    }

    pub(super) fn is_full(&self) -> bool {
        self.held.len() >= HELD
    }

    pub(super) fn clear(&mut self) {
        self.held.clear();
    }

    pub(super) fn row(&mut self, known: &LoadIndex, cells: &Cells<'_>) -> Result<(), Wrong> {
        let title = cells.needed(0)?;
        if title.len() > titledex::MAX_TITLE_BYTES {
            let most = titledex::MAX_TITLE_BYTES;
            let what = format!("has {} bytes: write at most {most}", title.len());
            return Err(cells.wrong(0, what));
        }
        let price = cells
            .money(1)?
            .ok_or_else(|| cells.wrong(1, "is empty: fill it in or leave the row out"))?;
        let currency = cells.currency(2)?.unwrap_or("USD");
        let moment = cells
            .moment(3)?
            .ok_or_else(|| cells.wrong(3, "is empty: write the day of the sale"))?;
        let day = moment.div_euclid(MILLIS_A_DAY);
        if day > self.now.div_euclid(MILLIS_A_DAY) {
            return Err(cells.wrong(3, "is ahead of today (UTC): write the day of the sale"));
        }
        let url = cells.text(4)?;
        let sold = match cells.text(6)? {
            None => true,
            Some(text) => match status(text) {
                Some(said) => said == Status::Sold,
                None => {
                    return Err(cells.wrong(
                        6,
                        "is no status: write sold, or refunded, cancelled, returned, unpaid or asked",
                    ));
                }
            },
        };
        let (price, column) = match cells.text(7)? {
            None | Some("true" | "True" | "TRUE" | "false" | "False" | "FALSE") => (price, 1),
            Some(_) => (cells.money(7)?.unwrap_or(price), 7),
        };
        if price.0 == 0 {
            return Err(cells.wrong(column, "is nothing: a sale has a price"));
        }
        let (id, source) = (cells.text(5)?, self.source.as_deref());
        let identity = Identity::new(url, id, source, alike(title, price, currency), day);
        let answer = self.matching.reader.answer(title, &Options::default());
        let rules = Rules {
            known,
            products: &self.products,
            companies: &self.matching.companies,
            enough: self.matching.confidence,
        };
        let placing = if sold {
            rules.place(title, &answer)
        } else {
            Placing::LeftOut(LeftOut::NoSale)
        };
        let reads = match &placing {
            Placing::Kept(kept) => (kept.item, kept.grade.clone()),
            Placing::LeftOut(LeftOut::NoSale) => rules.reads(title, &answer),
            Placing::LeftOut(_) => (None, String::new()),
        };
        self.held.push(Listing {
            identity,
            title: title.to_owned(),
            price,
            currency: currency.to_owned(),
            url: url.map(str::to_owned),
            candidates: candidates(&placing, &answer),
            placing,
            reads,
        });
        Ok(())
    }

    pub(super) async fn flush(
        &mut self,
        loader: &mut Loader,
        report: &mut Report,
    ) -> Result<(), StoreError> {
        let held = std::mem::take(&mut self.held);
        let mut ledger = Ledger::read(loader, &held).await?;
        for listing in held {
            ledger.take(listing, self.now, report);
        }
        ledger.write(loader, self.now).await
    }
}

/// The cards that a listing for review may be, best first.
fn candidates(placing: &Placing, answer: &Answer<'_>) -> Vec<Candidate> {
    if !matches!(placing, Placing::Kept(kept) if kept.reason.is_some()) {
        return Vec::new();
    }
    let candidate = |found: &titledex::Match<'_>| Candidate {
        marketplace_id: found.marketplace_id.clone(),
        name: found.name.to_string(),
        set_name: found.set_name.to_string(),
        card_number: found.card_number.clone(),
        confidence: Money((f64::from(found.confidence.get()) * 10_000.0).round() as i64),
    };
    answer.matches.iter().map(candidate).collect()
}
