//! [`Ledger`]: the sold listings that are known, and what becomes of those of a file.
//!
//! It behaves as the store does, so that it makes no difference which rows come in one file.

use super::report::Report;
use crate::market::Money;
use crate::market::listing::identity::Identity;
use crate::market::listing::words::words_of;
use crate::market::listing::{Kept, LeftOut, Placing};
use crate::store::StoreError;
use crate::store::market::{Candidate, KnownListing, ListingKey, Loader, NewReview, NewSale};
use std::collections::HashMap;

/// Why a listing waits for a person whose number another item's or grade's listing has.
const OTHER_ITEM: &str = "other_item";

/// A row, as it was read.
#[derive(Debug)]
pub(super) struct Listing {
    pub(super) identity: Identity,
    pub(super) title: String,
    pub(super) price: Money,
    pub(super) currency: String,
    pub(super) url: Option<String>,
    pub(super) placing: Placing,
    /// The item and grade that the title is read as, whether the listing was sold or not.
    pub(super) reads: (Option<i64>, String),
    pub(super) candidates: Vec<Candidate>,
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
    Stored(ListingKey),
    Sale(NewSale),
    Review(NewReview),
}

impl Entry {
    /// Whether nothing is left of it. A listing for review that is withdrawn stays, rejected.
    fn is_gone(&self) -> bool {
        self.withdrawn && matches!(self.at, At::Stored(ListingKey::Sale(_)) | At::Sale(_))
    }

    /// Whether a row may be of this listing, as far as their titles say: these are the same, or are
    /// read as the same item in the same grade.
    fn agrees(&self, row: &Listing) -> bool {
        let (item, grade) = &row.reads;
        let same_item = self.listing.item == *item && self.listing.grade == *grade;
        same_item || words_of(&self.listing.title) == words_of(&row.title)
    }
}

/// What is known of a row's listing.
#[derive(Debug)]
struct Found {
    /// The entries that are it: a sale, and what a person decided about it.
    places: Vec<usize>,
    /// Its number is that of a listing of another item or grade.
    number_taken: bool,
}

/// The listings that are known, and what becomes of the new ones.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    entries: Vec<Entry>,
    by_number: HashMap<String, Vec<usize>>,
    by_likeness: HashMap<Vec<u8>, Vec<usize>>,
}

impl Ledger {
    pub(super) async fn read(loader: &mut Loader, held: &[Listing]) -> Result<Self, StoreError> {
        let numbers: Vec<&str> = held
            .iter()
            .filter_map(|row| row.identity.number.as_deref())
            .collect();
        let likenesses: Vec<&[u8]> = held.iter().map(|row| &*row.identity.alike).collect();
        let mut ledger = Self::default();
        for listing in loader.known_listings(&numbers, &likenesses).await? {
            if let Some(key) = listing.key {
                ledger.add(listing, At::Stored(key));
            }
        }
        Ok(ledger)
    }

    fn add(&mut self, listing: KnownListing, at: At) {
        let place = self.entries.len();
        self.enter(place, &listing);
        self.entries.push(Entry {
            listing,
            at,
            changed: false,
            withdrawn: false,
        });
    }

    /// Makes an entry be found by its number and likeness.
    fn enter(&mut self, place: usize, listing: &KnownListing) {
        let mut places = vec![self.by_likeness.entry(listing.alike.clone()).or_default()];
        if let Some(number) = &listing.number {
            places.push(self.by_number.entry(number.clone()).or_default());
        }
        for places in places {
            if !places.contains(&place) {
                places.push(place);
            }
        }
    }

    /// The entries in these places that are there as `is` says.
    fn standing(
        &self,
        places: Option<&Vec<usize>>,
        is: impl Fn(&KnownListing) -> bool,
    ) -> Vec<(usize, &Entry)> {
        // an entry that was corrected is still in the places of what it was
        let places = places.map_or(&[][..], Vec::as_slice).iter();
        places
            .filter_map(|&place| Some((place, self.entries.get(place)?)))
            .filter(|(_, entry)| !entry.is_gone() && is(&entry.listing))
            .collect()
    }

    /// What is known of a row's listing: by its number, else by its likeness.
    fn find(&self, row: &Listing) -> Found {
        let identity = &row.identity;
        let number = identity.number.as_ref();
        let mut numbered = self.standing(
            number.and_then(|number| self.by_number.get(number)),
            |known| known.number.as_ref() == number,
        );
        let is_known = !numbered.is_empty();
        numbered.retain(|(_, entry)| entry.agrees(row));
        if !numbered.is_empty() {
            return Found {
                places: numbered.into_iter().map(|(place, _)| place).collect(),
                number_taken: false,
            };
        }
        let mut places = self.standing(self.by_likeness.get(&identity.alike), |known| {
            known.alike == identity.alike && identity.is_alike(known.number.as_deref(), known.day)
        });
        places.retain(|(_, entry)| entry.agrees(row));
        // of several sales that are alike it is the nearest, with what was decided about that one
        let which = |entry: &Entry| {
            let KnownListing { day, number, .. } = &entry.listing;
            (day.abs_diff(identity.day), *day, number.clone())
        };
        let nearest = places.iter().map(|(_, entry)| which(entry)).min();
        places.retain(|(_, entry)| Some(which(entry)) == nearest);
        Found {
            places: places.into_iter().map(|(place, _)| place).collect(),
            number_taken: is_known,
        }
    }

    /// Takes a row: adds its listing, corrects or withdraws it.
    pub(super) fn take(&mut self, mut row: Listing, now: i64, report: &mut Report) {
        let Found {
            places,
            number_taken,
        } = self.find(&row);
        if number_taken {
            // what it says of a listing it says of another
            row.identity.number = None;
        }
        let mut kept = match &row.placing {
            Placing::LeftOut(why) => {
                match why {
                    LeftOut::Lot => report.lots += 1,
                    LeftOut::NoCard => report.no_cards += 1,
                    LeftOut::NoSale => {
                        report.no_sales += 1;
                        for place in places {
                            self.withdraw(place);
                        }
                    }
                }
                return;
            }
            Placing::Kept(_) if !places.is_empty() => {
                report.known += 1;
                for place in places {
                    self.correct(place, &row);
                }
                return;
            }
            Placing::Kept(kept) => kept.clone(),
        };
        if number_taken {
            kept.reason = kept.reason.or(Some(OTHER_ITEM));
        }
        let entry = KnownListing {
            key: None,
            number: row.identity.number.clone(),
            alike: row.identity.alike.clone(),
            day: row.identity.day,
            price: row.price,
            currency: row.currency.clone(),
            title: row.title.clone(),
            item: kept.item,
            grade: kept.grade.clone(),
        };
        let at = match kept.reason {
            Some(reason) => {
                report.review += 1;
                At::Review(row.review(kept, reason, now))
            }
            None => {
                report.matched += 1;
                At::Sale(row.sale(kept))
            }
        };
        self.add(entry, at);
    }

    /// A later row has the right price and day, if a number says that it is of the same listing.
    fn correct(&mut self, place: usize, later: &Listing) {
        let identity = &later.identity;
        let (Some(entry), Some(number)) = (self.entries.get_mut(place), &identity.number) else {
            return;
        };
        // a number that says less does not take the place of one that says more
        let known = entry.listing.number.as_ref();
        if known.is_some_and(|known| known != number && !identity.is_weaker(known)) {
            return;
        }
        let corrected = KnownListing {
            number: Some(number.clone()),
            alike: identity.alike.clone(),
            day: identity.day,
            price: later.price,
            currency: later.currency.clone(),
            ..entry.listing.clone()
        };
        if entry.listing == corrected {
            return;
        }
        entry.listing = corrected.clone();
        entry.changed = true;
        self.enter(place, &corrected);
    }

    /// A later row says that nothing was sold.
    fn withdraw(&mut self, place: usize) {
        if let Some(entry) = self.entries.get_mut(place) {
            entry.withdrawn = true;
        }
    }

    pub(super) async fn write(self, loader: &mut Loader, now: i64) -> Result<(), StoreError> {
        let (mut sales, mut reviews) = (Vec::new(), Vec::new());
        let (mut corrected, mut withdrawn, mut rejected) = (Vec::new(), Vec::new(), Vec::new());
        for entry in self.entries {
            let gone = entry.is_gone();
            match entry.at {
                At::Stored(key) => {
                    if entry.withdrawn {
                        withdrawn.push(key);
                    }
                    if entry.changed && !gone {
                        corrected.push(entry.listing);
                    }
                }
                At::Sale(_) if gone => {}
                At::Sale(mut sale) => {
                    let listing = entry.listing;
                    sale.fingerprint = listing.fingerprint();
                    (sale.day, sale.price) = (listing.day, listing.price);
                    (sale.currency, sale.number) = (listing.currency, listing.number);
                    sale.alike = listing.alike;
                    sales.push(sale);
                }
                At::Review(mut review) => {
                    let listing = entry.listing;
                    review.fingerprint = listing.fingerprint();
                    (review.day, review.price) = (listing.day, listing.price);
                    (review.currency, review.number) = (listing.currency, listing.number);
                    review.alike = listing.alike;
                    if entry.withdrawn {
                        rejected.push(review.fingerprint.clone());
                    }
                    reviews.push(review);
                }
            }
        }
        // first what ends: a listing that comes again may have its number
        loader.withdraw_listings(&withdrawn, now).await?;
        loader.correct_listings(&corrected).await?;
        loader.put_sales(&sales).await?;
        loader.put_reviews(&reviews).await?;
        loader.reject_added(&rejected, now).await
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
