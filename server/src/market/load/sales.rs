//! Imports sold listings. The core reads and matches them; those that are surely a sale of an item
//! become one, the others go to review. A listing counts once: a later row corrects it.

use super::cell::{Cells, Column, Wrong, needed, optional};
use super::{Matching, Report};
use crate::clock::MILLIS_A_DAY;
use crate::market::Money;
use crate::market::listing::identity::{Identity, alike, listing_number};
use crate::market::listing::products::Products;
use crate::market::listing::words::{Status, status};
use crate::market::listing::{Kept, LeftOut, Placing, Rules};
use crate::market::load_index::LoadIndex;
use crate::store::StoreError;
use crate::store::market::{Candidate, KnownListing, Loader, NewReview, NewSale};
use std::collections::HashMap;
use titledex::{Answer, Options};

/// The columns of sales files.
pub(super) const COLUMNS: &[Column] = &[
    needed("title"),
    needed("price").number(),
    optional("currency"),
    needed("date"),
    optional("url"),
    optional("id"),
    optional("status"),
    optional("bestOffer"),
];

/// Listings buffered before they are written.
const HELD: usize = 1 << 14;

/// A row, as it was read.
#[derive(Debug)]
struct Listing {
    identity: Identity,
    title: String,
    price: Money,
    currency: String,
    url: Option<String>,
    placing: Placing,
    candidates: Vec<Candidate>,
}

/// The sold listings not yet written.
#[derive(Debug)]
pub(super) struct Sales {
    matching: Matching,
    products: Products,
    now: i64,
    held: Vec<Listing>,
}

impl Sales {
    pub(super) fn new(matching: Matching, products: Products, now: i64) -> Self {
        Self {
            matching,
            products,
            now,
            held: Vec::new(),
        }
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
        let number = url
            .and_then(listing_number)
            .or(cells.text(5)?.map(|id| format!("id:{id}")));
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
        self.held.push(Listing {
            identity: Identity {
                number,
                alike: alike(title, price, currency),
                day,
            },
            title: title.to_owned(),
            price,
            currency: currency.to_owned(),
            url: url.map(str::to_owned),
            candidates: candidates(&placing, &answer),
            placing,
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

/// A listing that is in the store or on its way there.
#[derive(Debug)]
struct Entry {
    listing: KnownListing,
    at: At,
    changed: bool,
    withdrawn: bool,
}

/// Where a listing stands.
#[derive(Debug)]
enum At {
    Stored,
    Sale(NewSale),
    Review(NewReview),
}

/// The listings that are known, and what becomes of the new ones.
#[derive(Debug, Default)]
struct Ledger {
    entries: Vec<Entry>,
    by_number: HashMap<String, Vec<usize>>,
    by_likeness: HashMap<Vec<u8>, Vec<usize>>,
}

impl Ledger {
    async fn read(loader: &mut Loader, held: &[Listing]) -> Result<Self, StoreError> {
        let numbers: Vec<&str> = held
            .iter()
            .filter_map(|listing| listing.identity.number.as_deref())
            .collect();
        let likenesses: Vec<&[u8]> = held.iter().map(|l| l.identity.alike.as_slice()).collect();
        let mut ledger = Self::default();
        for listing in loader.known_listings(&numbers, &likenesses).await? {
            ledger.add(listing, At::Stored);
        }
        Ok(ledger)
    }

    fn add(&mut self, listing: KnownListing, at: At) {
        let place = self.entries.len();
        if let Some(number) = &listing.number {
            self.by_number
                .entry(number.clone())
                .or_default()
                .push(place);
        }
        let alike = self.by_likeness.entry(listing.alike.clone());
        alike.or_default().push(place);
        self.entries.push(Entry {
            listing,
            at,
            changed: false,
            withdrawn: false,
        });
    }

    /// The entries that are this listing: a sale, and what a person decided about it.
    fn known(&self, identity: &Identity) -> Vec<usize> {
        let by_number = identity
            .number
            .as_ref()
            .and_then(|number| self.by_number.get(number));
        let standing = |places: &[usize]| -> Vec<(usize, &KnownListing)> {
            let entries = places
                .iter()
                .filter_map(|&place| Some((place, self.entries.get(place)?)));
            entries
                .filter(|(_, entry)| !entry.withdrawn)
                .map(|(place, entry)| (place, &entry.listing))
                .collect()
        };
        if let Some(places) = by_number {
            return standing(places)
                .into_iter()
                .map(|(place, _)| place)
                .collect();
        }
        let alike = self.by_likeness.get(&identity.alike);
        let mut places = standing(alike.map_or(&[], Vec::as_slice));
        places.retain(|(_, known)| identity.is_alike(known.number.as_deref(), known.day));
        // of several sales that are alike it is the nearest, with what was decided about that one
        let nearest = places
            .iter()
            .min_by_key(|(_, known)| known.day.abs_diff(identity.day))
            .map(|(_, known)| (known.day, known.number.clone()));
        let is_nearest = |known: &KnownListing| {
            nearest
                .as_ref()
                .is_some_and(|(day, number)| *day == known.day && *number == known.number)
        };
        places.retain(|(_, known)| is_nearest(known));
        places.into_iter().map(|(place, _)| place).collect()
    }

    /// Takes a listing: adds it, corrects the one that it is, or withdraws it.
    fn take(&mut self, listing: Listing, now: i64, report: &mut Report) {
        let known = self.known(&listing.identity);
        let kept = match &listing.placing {
            Placing::LeftOut(why) => {
                match why {
                    LeftOut::Lot => report.lots += 1,
                    LeftOut::NoCard => report.no_cards += 1,
                    LeftOut::NoSale => {
                        report.no_sales += 1;
                        for place in known {
                            self.withdraw(place);
                        }
                    }
                }
                return;
            }
            Placing::Kept(_) if !known.is_empty() => {
                report.known += 1;
                for place in known {
                    self.correct(place, &listing);
                }
                return;
            }
            Placing::Kept(kept) => kept.clone(),
        };
        let identity = &listing.identity;
        let entry = KnownListing {
            key: None,
            number: identity.number.clone(),
            alike: identity.alike.clone(),
            day: identity.day,
            price: listing.price,
            currency: listing.currency.clone(),
        };
        let at = match kept.reason {
            Some(reason) => {
                report.review += 1;
                At::Review(listing.review(kept, reason, now))
            }
            None => {
                report.matched += 1;
                At::Sale(listing.sale(kept))
            }
        };
        self.add(entry, at);
    }

    /// A later row has the right price and day, if a number says that it is the same listing.
    fn correct(&mut self, place: usize, later: &Listing) {
        let Some(entry) = self.entries.get_mut(place) else {
            return;
        };
        let identity = &later.identity;
        let Some(number) = &identity.number else {
            return;
        };
        let corrected = KnownListing {
            key: entry.listing.key,
            number: Some(number.clone()),
            alike: identity.alike.clone(),
            day: identity.day,
            price: later.price,
            currency: later.currency.clone(),
        };
        if entry.listing == corrected {
            return;
        }
        if entry.listing.number.is_none() {
            self.by_number
                .entry(number.clone())
                .or_default()
                .push(place);
        }
        let alike = self.by_likeness.entry(corrected.alike.clone()).or_default();
        if !alike.contains(&place) {
            alike.push(place);
        }
        entry.listing = corrected;
        entry.changed = true;
    }

    /// A later row says that nothing was sold.
    fn withdraw(&mut self, place: usize) {
        if let Some(entry) = self.entries.get_mut(place) {
            entry.withdrawn = true;
        }
    }

    async fn write(self, loader: &mut Loader, now: i64) -> Result<(), StoreError> {
        let (mut sales, mut reviews) = (Vec::new(), Vec::new());
        let (mut corrected, mut withdrawn) = (Vec::new(), Vec::new());
        for entry in self.entries {
            match entry.at {
                At::Stored if entry.withdrawn => withdrawn.extend(entry.listing.key),
                At::Stored if entry.changed => corrected.push(entry.listing),
                At::Sale(mut sale) if !entry.withdrawn => {
                    let listing = entry.listing;
                    sale.fingerprint = listing.fingerprint();
                    (sale.day, sale.price) = (listing.day, listing.price);
                    (sale.currency, sale.number) = (listing.currency, listing.number);
                    sale.alike = listing.alike;
                    sales.push(sale);
                }
                At::Review(mut review) if !entry.withdrawn => {
                    let listing = entry.listing;
                    review.fingerprint = listing.fingerprint();
                    (review.day, review.price) = (listing.day, listing.price);
                    (review.currency, review.number) = (listing.currency, listing.number);
                    review.alike = listing.alike;
                    reviews.push(review);
                }
                _ => {}
            }
        }
        loader.correct_listings(&corrected).await?;
        loader.withdraw_listings(&withdrawn, now).await?;
        loader.put_sales(&sales).await?;
        loader.put_reviews(&reviews).await
    }
}

impl Listing {
    fn sale(self, kept: Kept) -> NewSale {
        NewSale {
            item: kept.item.unwrap_or_default(),
            grade: kept.grade,
            confidence: kept.confidence,
            title: self.title,
            url: self.url,
            ..NewSale::default()
        }
    }

    fn review(self, kept: Kept, reason: &str, now: i64) -> NewReview {
        NewReview {
            title: self.title,
            url: self.url,
            reason: reason.to_owned(),
            item: kept.item,
            grade: kept.grade,
            confidence: kept.confidence,
            candidates: self.candidates,
            made: now,
            ..NewReview::default()
        }
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
