//! Imports populations, in the columns of the export, with all half grades and the quality of the
//! match.

use super::cell::{Cells, Column, Wrong, needed, optional};
use super::keys::{self, Keys};
use crate::market::grades::{Counts, Grade, Grader};
use crate::market::load_index::LoadIndex;
use crate::store::StoreError;
use crate::store::market::{Loader, PopulationRecord};
use std::collections::{BTreeMap, HashMap};

/// The columns of population files. Columns from the fifth to the [`AFTER`]th count grades.
pub(super) const COLUMNS: &[Column] = &[
    keys::OWN,
    needed("grader"),
    optional("totalPopulation").number(),
    optional("gemRate").number(),
    optional("g1").number(),
    optional("g1_5").number(),
    optional("g2").number(),
    optional("g2_5").number(),
    optional("g3").number(),
    optional("g3_5").number(),
    optional("g4").number(),
    optional("g4_5").number(),
    optional("g5").number(),
    optional("g5_5").number(),
    optional("g6").number(),
    optional("g6_5").number(),
    optional("g7").number(),
    optional("g7_5").number(),
    optional("g8").number(),
    optional("g8_5").number(),
    optional("g9").number(),
    optional("g9_5").number(),
    optional("g10").number(),
    optional("auth").number(),
    optional("qualifiers").number(),
    optional("pristine").number(),
    optional("perfect").number(),
    needed("matchConfidence"),
    optional("matchScore").number(),
    optional("lastFetchedDate"),
    keys::TCGPLAYER,
    keys::CARDMARKET,
    keys::PRINTING,
];

/// The columns that name an item.
const KEYS: Keys = Keys {
    own: 0,
    tcgplayer: 30,
    cardmarket: 31,
    printing: 32,
};

/// The first column that counts a grade, and the first after those.
const GRADES: std::ops::Range<usize> = 4..27;
/// Populations buffered before they are written.
const HELD: usize = 1 << 16;

/// The populations not yet written.
#[derive(Debug)]
pub(super) struct Populations {
    held: HashMap<i64, PopulationRecord>,
    now: i64,
}

impl Populations {
    pub(super) fn new(now: i64) -> Self {
        Self {
            held: HashMap::new(),
            now,
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.held.len() >= HELD
    }

    pub(super) fn clear(&mut self) {
        self.held.clear();
    }

    pub(super) fn row(&mut self, known: &LoadIndex, cells: &Cells<'_>) -> Result<(), Wrong> {
        let item = KEYS.item(known, cells)?;
        let code = cells.needed(1)?;
        let grader = Grader::of_code(code).ok_or_else(|| {
            cells.wrong(
                1,
                "is not a grader: write GRADER_A, GRADER_B, GRADER_C or GRADER_D",
            )
        })?;
        let mut counts = Counts::default();
        for at in GRADES {
            let Some(count) = cells.count(at)? else {
                continue;
            };
            let Some(grade) = COLUMNS
                .get(at)
                .and_then(|column| Grade::of_column(column.name))
            else {
                continue;
            };
            if grade.counted_by(grader) {
                counts.0.insert(grade, count);
            } else if count > 0 {
                return Err(cells.wrong(
                    at,
                    format!("is a grade that {code} does not give: leave it empty"),
                ));
            }
        }
        let total = cells.count(2)?.unwrap_or(counts.total());
        if total < counts.total() {
            return Err(cells.wrong(
                2,
                format!(
                    "is less than the {} of all grades: correct it or leave it empty",
                    counts.total()
                ),
            ));
        }
        if total > 0 && counts.total() == 0 {
            return Err(cells.wrong(
                2,
                "is a total without the counts of its grades: write these, or 0 if there is no slab",
            ));
        }
        let confidence = cells.needed(27)?;
        if !matches!(confidence, "high" | "medium" | "low") {
            return Err(cells.wrong(27, "is not a confidence: write high, medium or low"));
        }
        let score = cells.money(28)?;
        if score.is_some_and(|score| score.0 > 10_000) {
            return Err(cells.wrong(28, "is above 1: write a score from 0 to 1"));
        }
        let fetched = cells.moment(29)?;
        let record = self
            .held
            .entry(item.key)
            .or_insert_with(|| PopulationRecord {
                item: item.key,
                language: item.language,
                updated: self.now,
                ..PopulationRecord::default()
            });
        record.counts.insert(grader, counts);
        record.confidence = confidence.to_owned();
        record.score = score.or(record.score);
        record.fetched = fetched.max(record.fetched);
        Ok(())
    }

    pub(super) async fn flush(&mut self, loader: &mut Loader) -> Result<(), StoreError> {
        let mut records: Vec<_> = self.held.drain().map(|(_, record)| record).collect();
        records.sort_unstable_by_key(|record| record.item);
        let items: Vec<i64> = records.iter().map(|record| record.item).collect();
        for (item, counts) in loader.population_of(&items).await? {
            let old: BTreeMap<Grader, Counts> = serde_json::from_str(&counts)
                .map_err(|error| sqlx::Error::Decode(Box::new(error)))?;
            let Ok(at) = records.binary_search_by_key(&item, |record| record.item) else {
                continue;
            };
            for (grader, counts) in old {
                // graders in the file replace the stored ones, the others stay
                records[at].counts.entry(grader).or_insert(counts);
            }
        }
        for record in &mut records {
            // only graders with data are shown; one that counts no slab takes back what it had
            record.counts.retain(|_, counts| counts.total() > 0);
        }
        let (kept, empty): (Vec<_>, Vec<_>) = records
            .into_iter()
            .partition(|record| !record.counts.is_empty());
        for record in empty {
            loader.remove_population(record.item).await?;
        }
        loader.put_populations(&kept).await
    }
}
