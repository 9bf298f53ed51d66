//! Imports sold listings. The core reads and matches them; confident matches become sales, the
//! others go to review.

use super::cell::{Cells, Column, Wrong, needed, optional};
use super::{Matching, Report};
use crate::clock::MILLIS_A_DAY;
use crate::market::load_index::LoadIndex;
use crate::market::{Companies, Grade, GradeKey, Money};
use crate::store::StoreError;
use crate::store::market::{Candidate, Loader, NewReview, NewSale};
use sha2::{Digest, Sha256};
use std::collections::HashSet;
use titledex::{Answer, Grade as ReadGrade, Options, OutcomeType};

/// The columns of sales files.
pub(super) const COLUMNS: &[Column] = &[
    needed("title"),
    needed("price").number(),
    optional("currency"),
    needed("date"),
    optional("url"),
];

/// Listings buffered before they are written.
const HELD: usize = 1 << 14;
/// Bytes of a fingerprint. The chance that two of a thousand million listings share one is 10^-20.
const FINGERPRINT: usize = 16;

/// The sold listings not yet written.
#[derive(Debug)]
pub(super) struct Sales {
    matching: Matching,
    now: i64,
    sales: Vec<NewSale>,
    reviews: Vec<NewReview>,
    left_out: Vec<OutcomeType>,
}

impl Sales {
    pub(super) fn new(matching: Matching, now: i64) -> Self {
        Self {
            matching,
            now,
            sales: Vec::new(),
            reviews: Vec::new(),
            left_out: Vec::new(),
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.sales.len() + self.reviews.len() >= HELD
    }

    pub(super) fn clear(&mut self) {
        self.sales.clear();
        self.reviews.clear();
    }

    pub(super) fn row(&mut self, known: &LoadIndex, cells: &Cells<'_>) -> Result<(), Wrong> {
        let title = cells.needed(0)?;
        if title.len() > titledex::MAX_TITLE_BYTES {
            return Err(cells.wrong(
                0,
                format!(
                    "has {} bytes: write at most {}",
                    title.len(),
                    titledex::MAX_TITLE_BYTES
                ),
            ));
        }
        let price = cells
            .money(1)?
            .ok_or_else(|| cells.wrong(1, "is empty: fill it in or leave the row out"))?;
        let currency = cells.currency(2)?.unwrap_or("USD");
        let moment = cells
            .moment(3)?
            .ok_or_else(|| cells.wrong(3, "is empty: write the day of the sale"))?;
        let day = moment.div_euclid(MILLIS_A_DAY);
        let url = cells.text(4)?;
        let fingerprint = fingerprint(title, price, currency, day, url);
        let answer = self.matching.reader.answer(title, &Options::default());
        let grade = grade_word(answer.parsed.grade.as_ref(), &self.matching.companies);
        let sure = |probability: f32| (f64::from(probability) * 10_000.0).round() as i64;
        let best = answer.matches.first();
        let item = best.and_then(|best| known.item(&best.marketplace_id));
        let confidence = best.map(|best| sure(best.confidence.get()));
        let enough = self.matching.confidence;
        let reason = match answer.outcome.kind {
            OutcomeType::Match if item.is_none() => "not_in_store",
            OutcomeType::Match if confidence.is_none_or(|confidence| confidence < enough) => {
                "low_confidence"
            }
            OutcomeType::Match => {
                let item = item.map(|item| item.key).unwrap_or_default();
                self.sales.push(NewSale {
                    fingerprint,
                    item,
                    grade,
                    day,
                    price,
                    currency: currency.to_owned(),
                    confidence,
                    title: title.to_owned(),
                    url: url.map(str::to_owned),
                });
                return Ok(());
            }
            kind @ (OutcomeType::Lot | OutcomeType::NotACard)
                if sure(answer.outcome.confidence.get()) >= enough =>
            {
                self.left_out.push(kind);
                return Ok(());
            }
            kind => kind.as_str(),
        };
        self.reviews.push(NewReview {
            fingerprint,
            title: title.to_owned(),
            price,
            currency: currency.to_owned(),
            day,
            url: url.map(str::to_owned),
            reason: reason.to_owned(),
            item: item.map(|item| item.key),
            grade,
            confidence,
            candidates: candidates(&answer),
            made: self.now,
        });
        Ok(())
    }

    pub(super) async fn flush(
        &mut self,
        loader: &mut Loader,
        report: &mut Report,
    ) -> Result<(), StoreError> {
        let new: Vec<&[u8]> = self
            .sales
            .iter()
            .map(|sale| &*sale.fingerprint)
            .chain(self.reviews.iter().map(|review| &*review.fingerprint))
            .collect();
        let mut seen: HashSet<Vec<u8>> =
            loader.known_fingerprints(&new).await?.into_iter().collect();
        let all = new.len();
        self.sales
            .retain(|sale| seen.insert(sale.fingerprint.clone()));
        self.reviews
            .retain(|review| seen.insert(review.fingerprint.clone()));
        report.matched += self.sales.len() as u64;
        report.review += self.reviews.len() as u64;
        report.known += (all - self.sales.len() - self.reviews.len()) as u64;
        for kind in self.left_out.drain(..) {
            match kind {
                OutcomeType::Lot => report.lots += 1,
                _ => report.no_cards += 1,
            }
        }
        loader.put_sales(&std::mem::take(&mut self.sales)).await?;
        loader
            .put_reviews(&std::mem::take(&mut self.reviews))
            .await?;
        Ok(())
    }
}

/// The fingerprint of a sale. A listing that is imported twice is the same sale.
#[must_use]
fn fingerprint(title: &str, price: Money, currency: &str, day: i64, url: Option<&str>) -> Vec<u8> {
    let mut hash = Sha256::new();
    for part in [title, currency, url.unwrap_or_default()] {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.update(price.0.to_le_bytes());
    hash.update(day.to_le_bytes());
    hash.finalize()[..FINGERPRINT].to_vec()
}

/// The cards that a listing may be, best first.
fn candidates(answer: &Answer<'_>) -> Vec<Candidate> {
    let candidate = |found: &titledex::Match<'_>| Candidate {
        marketplace_id: found.marketplace_id.clone(),
        name: found.name.to_string(),
        set_name: found.set_name.to_string(),
        card_number: found.card_number.clone(),
        confidence: Money((f64::from(found.confidence.get()) * 10_000.0).round() as i64),
    };
    answer.matches.iter().map(candidate).collect()
}

/// The key of a grade, empty for a raw card. For an untracked company it is name and grade, which
/// is never a key.
fn grade_word(read: Option<&ReadGrade<'_>>, companies: &Companies) -> String {
    let Some(read) = read else {
        return String::new();
    };
    let Some(grader) = companies.grader(&read.grader) else {
        let value = read
            .value
            .map(|value| f32::from(value.halves()) / 2.0)
            .map(|value| value.to_string());
        return format!(
            "{} {}",
            read.grader,
            value
                .as_deref()
                .or(read.label.as_deref())
                .unwrap_or_default()
        )
        .trim_end()
        .to_owned();
    };
    let label = read.label.as_deref().unwrap_or_default();
    let grade = match read.value.map(titledex::GradeValue::halves) {
        _ if read.qualifier.is_some() => Grade::Qualified,
        Some(20) if label == "BLACK LABEL" || label.starts_with("PERFECT") => Grade::Perfect,
        // the label of a plain 10 of this company is Pristine
        Some(20) if label.starts_with("PRISTINE") || read.grader == "BGS" => Grade::Pristine,
        // CGC goes down to a half, the interface to one
        Some(halves) => Grade::Halves(halves.max(2)),
        None if label.starts_with("AUTHENTIC") => Grade::Authentic,
        None => return format!("{} {label}", read.grader).trim_end().to_owned(),
    };
    GradeKey { grader, grade }.to_string()
}

#[cfg(test)]
mod tests {
    use super::{Companies, Money, fingerprint, grade_word};
    use titledex::{Engine, Options};

    #[test]
    fn grades_of_titles_map_to_keys() {
        let engine = Engine::new(titledex_embedded::catalogue().expect("it opens"));
        for (title, key) in [
            ("Charizard 4/102 Base Set", ""),
            ("PSA 10 Charizard 4/102 Base Set", "GRADER_A_10"),
            ("PSA 8 OC Charizard 4/102 Base Set", "GRADER_A_QUALIFIED"),
            (
                "PSA Authentic Altered Charizard 4/102 Base Set",
                "GRADER_A_AUTH",
            ),
            ("BGS 9.5 Charizard 4/102 Base Set", "GRADER_B_9_5"),
            (
                "BGS 10 Black Label Charizard 4/102 Base Set",
                "GRADER_B_PERFECT",
            ),
            (
                "BGS 10 Pristine Charizard 4/102 Base Set",
                "GRADER_B_PRISTINE",
            ),
            (
                "CGC Pristine 10 Charizard 4/102 Base Set",
                "GRADER_C_PRISTINE",
            ),
            ("CGC 9.5 Charizard 4/102 Base Set", "GRADER_C_9_5"),
            ("SGC 9 Charizard 4/102 Base Set", "GRADER_D_9"),
            ("TAG 10 Charizard 4/102 Base Set", "TAG 10"),
        ] {
            let answer = engine.answer(title, &Options::default());
            assert_eq!(
                grade_word(answer.parsed.grade.as_ref(), &Companies::default()),
                key,
                "{title}"
            );
        }
    }

    #[test]
    fn every_difference_changes_the_fingerprint() {
        let one = fingerprint("a", Money(1), "USD", 2, None);
        assert_eq!(one, fingerprint("a", Money(1), "USD", 2, None));
        for other in [
            fingerprint("b", Money(1), "USD", 2, None),
            fingerprint("a", Money(2), "USD", 2, None),
            fingerprint("a", Money(1), "EUR", 2, None),
            fingerprint("a", Money(1), "USD", 3, None),
            fingerprint("a", Money(1), "USD", 2, Some("u")),
        ] {
            assert_ne!(one, other);
        }
    }
}
