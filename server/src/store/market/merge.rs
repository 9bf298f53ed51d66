//! Cards that are merged: one card becomes part of another, and its ids keep answering.

use super::folded::escaped;
use super::journal::DeedKind;
use super::known_prices::KnownPrices;
use super::load::Loader;
use super::records::{ItemRecord, PopulationRecord};
use super::review::Candidate;
use super::tracked::{self, Tracked};
use crate::clock::Moment;
use crate::market::listing::words::words_of;
use crate::store::sql::Row;
use crate::store::{Actor, Deed, Store, StoreError};
use serde::Serialize;
use sqlx::AssertSqlSafe;
use utoipa::ToSchema;

/// Which card becomes part of which.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merge {
    /// The id of the card that ends.
    pub from: String,
    /// The id of the card that stays.
    pub into: String,
    /// Printings of the first and what they are of the second, where the names do not tell:
    /// `plain`, `unlimited-holofoil`.
    pub printings: Vec<(String, String)>,
}

/// What was merged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MergeReport {
    /// The number of the change, by which it can be undone.
    pub change: i64,
    /// Printings that became part of one of the other card.
    pub printings_merged: i64,
    /// Printings that the other card did not have.
    pub printings_moved: i64,
    /// Sales that belong to the other card now.
    pub sales: i64,
    /// Listings under review whose best guess, or one of whose candidates, was the first card.
    pub listings: i64,
}

/// What became of a merge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Merged {
    /// It is done.
    Done(MergeReport),
    /// There is no card with this id.
    NoCard(String),
    /// There is no such printing of this card.
    NoPrinting {
        /// The card.
        card: String,
        /// The printing.
        printing: String,
    },
    /// Both are the same card.
    Same,
    /// They are of two languages.
    Languages,
}

/// A card of a merge, with its printings.
#[derive(Clone, Debug)]
struct Side {
    key: i64,
    id: String,
    language: i64,
    name: String,
    number: String,
    set_name: String,
    printings: Vec<ItemRecord>,
}

impl Side {
    fn read(row: Row<'_>) -> Result<Self, sqlx::Error> {
        Ok(Self {
            key: row.get("key")?,
            id: row.get("id")?,
            language: row.get("language")?,
            name: row.get("name")?,
            number: row.get::<Option<String>>("number")?.unwrap_or_default(),
            set_name: row.get("set_name")?,
            printings: Vec::new(),
        })
    }

    fn printing(&self, name: &str) -> Option<&ItemRecord> {
        let wanted = words_of(name);
        self.printings
            .iter()
            .find(|item| words_of(printing_name(item)) == wanted)
    }
}

/// The part of an item's own id that names the printing.
fn printing_name(item: &ItemRecord) -> &str {
    let id = &item.marketplace_id;
    id.rsplit_once(':').map_or(id, |(_, printing)| printing)
}

/// The printing of `into` that a printing of `from` is, if it has it: the one of the same name, else
/// of the same label, else its only one where both have one.
fn counterpart<'i>(from: &Side, item: &ItemRecord, into: &'i Side) -> Option<&'i ItemRecord> {
    let label = words_of(&item.label);
    let same_label = |other: &&ItemRecord| !label.is_empty() && words_of(&other.label) == label;
    into.printing(printing_name(item))
        .or_else(|| into.printings.iter().find(same_label))
        .or(match (from.printings.len(), into.printings.as_slice()) {
            (1, [only]) => Some(only),
            _ => None,
        })
}

impl Loader {
    async fn side(&mut self, id: &str) -> Result<Option<Side>, StoreError> {
        let found = self
            .transaction
            .query(
                "SELECT c.key, c.id, c.language, c.name, c.number, s.name AS set_name FROM cards c \
                 JOIN sets s ON s.key = c.set_key WHERE c.id = $1",
            )
            .bind(id)
            .optional(Side::read)
            .await?;
        let Some(mut side) = found else {
            return Ok(None);
        };
        let sql = format!(
            "SELECT {} FROM items i WHERE i.card = $1 ORDER BY i.place",
            ItemRecord::COLUMNS
        );
        side.printings = self
            .transaction
            .query(AssertSqlSafe(sql))
            .bind(side.key)
            .all(ItemRecord::read)
            .await?;
        Ok(Some(side))
    }

    /// Points the rows of a table that refer to `from` at `to`; how many.
    async fn repoint(
        &mut self,
        tracked: &Tracked,
        column: &str,
        from: i64,
        to: i64,
    ) -> Result<i64, StoreError> {
        let (table, key) = (tracked.table, tracked.keys.join(", "));
        let sql = format!("SELECT {key} AS key FROM {table} WHERE {column} = $1");
        let rows: Vec<i64> = self
            .transaction
            .query(AssertSqlSafe(sql))
            .bind(from)
            .all(|row| row.get("key"))
            .await?;
        self.note(tracked, &rows, |query, key| query.bind(*key))
            .await?;
        let sql = format!("UPDATE {table} SET {column} = $2 WHERE {column} = $1");
        let query = self.transaction.query(AssertSqlSafe(sql));
        query.bind(from).bind(to).execute().await?;
        Ok(i64::try_from(rows.len()).unwrap_or(i64::MAX))
    }

    /// Makes `id` another name of a card or an item, with all that `from` was called before.
    async fn rename(
        &mut self,
        column: &'static str,
        id: &str,
        from: i64,
        to: i64,
    ) -> Result<(), StoreError> {
        let sql = format!("SELECT id FROM former_ids WHERE {column} = $1");
        let mut ids: Vec<String> = self
            .transaction
            .query(AssertSqlSafe(sql))
            .bind(from)
            .all(|row| row.get("id"))
            .await?;
        ids.push(id.to_owned());
        self.note(&tracked::FORMER_IDS, &ids, |query, id| {
            query.bind(id.as_str())
        })
        .await?;
        let sql = format!(
            "INSERT INTO former_ids (id, {column}) VALUES ($1, $2) \
             ON CONFLICT (id) DO UPDATE SET {column} = excluded.{column}"
        );
        for id in ids {
            let query = self.transaction.query(AssertSqlSafe(sql.clone()));
            query.bind(id).bind(to).execute().await?;
        }
        Ok(())
    }

    async fn population_record(
        &mut self,
        item: i64,
    ) -> Result<Option<PopulationRecord>, StoreError> {
        let sql = format!(
            "SELECT {} FROM population p JOIN items i ON i.key = p.item WHERE p.item = $1",
            PopulationRecord::COLUMNS
        );
        let query = self.transaction.query(AssertSqlSafe(sql)).bind(item);
        query.optional(PopulationRecord::read).await
    }

    /// Makes an item part of another; how many sales and listings moved.
    async fn merge_item(
        &mut self,
        from: &ItemRecord,
        into: &ItemRecord,
        sources: &[String],
    ) -> Result<(i64, i64), StoreError> {
        let theirs = self.prices_of(from.clone()).await?;
        let before = self.prices_of(into.clone()).await?;
        let mut after = before.clone();
        after.take_in(&theirs, sources);
        self.put_prices(&before, &after).await?;
        let nothing = KnownPrices {
            item: theirs.item.clone(),
            ..KnownPrices::default()
        };
        self.put_prices(&theirs, &nothing).await?;
        if let Some(mut population) = self.population_record(from.key).await? {
            if let Some(own) = self.population_record(into.key).await? {
                let mut counts = population.counts;
                counts.extend(own.counts.clone());
                population = PopulationRecord { counts, ..own };
            }
            population.item = into.key;
            population.language = into.language;
            self.put_populations(&[population]).await?;
            self.remove_population(from.key).await?;
        }
        let sales = self
            .repoint(&tracked::SALES, "item", from.key, into.key)
            .await?;
        let listings = self
            .repoint(&tracked::REVIEW, "item", from.key, into.key)
            .await?;
        self.rename("item", &from.marketplace_id, from.key, into.key)
            .await?;
        self.remove(&tracked::ITEMS, from.key).await?;
        Ok((sales, listings))
    }

    /// Gives a card a printing of another.
    async fn move_item(
        &mut self,
        item: &ItemRecord,
        into: &Side,
        place: i64,
    ) -> Result<(), StoreError> {
        self.rename("item", &item.marketplace_id, item.key, item.key)
            .await?;
        self.note(&tracked::ITEMS, &[item.key], |query, key| query.bind(*key))
            .await?;
        self.transaction
            .query("UPDATE items SET card = $2, place = $3, marketplace_id = $4 WHERE key = $1")
            .bind(item.key)
            .bind(into.key)
            .bind(place)
            .bind(format!("{}:{}", into.id, printing_name(item)))
            .execute()
            .await?;
        Ok(())
    }

    /// Removes a row of a table with one key.
    async fn remove(&mut self, tracked: &Tracked, key: i64) -> Result<(), StoreError> {
        self.note(tracked, &[key], |query, key| query.bind(*key))
            .await?;
        let (table, column) = (tracked.table, tracked.keys.join(", "));
        let sql = format!("DELETE FROM {table} WHERE {column} = $1");
        let query = self.transaction.query(AssertSqlSafe(sql));
        query.bind(key).execute().await?;
        Ok(())
    }

    /// Puts the other card in the place of the first among the candidates of listings; how many.
    async fn move_candidates(
        &mut self,
        from: &Side,
        into: &Side,
        ids: &[(String, String)],
    ) -> Result<i64, StoreError> {
        let like = format!("%\"{}:%", escaped(&from.id));
        let rows: Vec<(i64, String)> = self
            .transaction
            .query("SELECT id, candidates FROM review WHERE candidates LIKE $1 ESCAPE '!'")
            .bind(like)
            .all(|row| Ok((row.get("id")?, row.get("candidates")?)))
            .await?;
        let mut moved = Vec::new();
        for (id, text) in rows {
            let mut candidates: Vec<Candidate> = serde_json::from_str(&text)
                .map_err(|error| sqlx::Error::Decode(Box::new(error)))?;
            let before = candidates.clone();
            for candidate in &mut candidates {
                let old = &candidate.marketplace_id;
                if let Some((_, new)) = ids.iter().find(|(from, _)| from == old) {
                    candidate.marketplace_id.clone_from(new);
                    candidate.name.clone_from(&into.name);
                    candidate.set_name.clone_from(&into.set_name);
                    candidate.card_number.clone_from(&into.number);
                }
            }
            if candidates != before {
                let mut seen = Vec::new();
                candidates.retain(|candidate| {
                    let new = !seen.contains(&candidate.marketplace_id);
                    seen.push(candidate.marketplace_id.clone());
                    new
                });
                moved.push((id, serde_json::to_string(&candidates).unwrap_or(text)));
            }
        }
        let keys: Vec<i64> = moved.iter().map(|(id, _)| *id).collect();
        self.note(&tracked::REVIEW, &keys, |query, id| query.bind(*id))
            .await?;
        for (id, candidates) in &moved {
            self.transaction
                .query("UPDATE review SET candidates = $2 WHERE id = $1")
                .bind(*id)
                .bind(candidates.as_str())
                .execute()
                .await?;
        }
        Ok(i64::try_from(moved.len()).unwrap_or(i64::MAX))
    }

    /// Fills what a card does not know from another, and removes that one.
    async fn end_card(&mut self, from: &Side, into: &Side) -> Result<(), StoreError> {
        self.rename("card", &from.id, from.key, into.key).await?;
        self.note(&tracked::CARDS, &[into.key], |query, key| query.bind(*key))
            .await?;
        self.transaction
            .query(
                "UPDATE cards SET printed_name = COALESCE(cards.printed_name, f.printed_name), \
                 folded_printed = COALESCE(cards.folded_printed, f.folded_printed), \
                 number = COALESCE(cards.number, f.number), \
                 rarity = COALESCE(cards.rarity, f.rarity), \
                 folded_rarity = COALESCE(cards.folded_rarity, f.folded_rarity) FROM cards f \
                 WHERE cards.key = $1 AND f.key = $2",
            )
            .bind(into.key)
            .bind(from.key)
            .execute()
            .await?;
        self.remove(&tracked::CARDS, from.key).await
    }

    /// The card with this id, or that a card with this id became.
    async fn present_card(&mut self, id: &str) -> Result<Option<Side>, StoreError> {
        let present: Option<String> = self
            .transaction
            .query("SELECT c.id FROM former_ids f JOIN cards c ON c.key = f.card WHERE f.id = $1")
            .bind(id)
            .optional(|row| row.get("id"))
            .await?;
        self.side(present.as_deref().unwrap_or(id)).await
    }
}

impl Store {
    /// Makes a card part of another: its prices, sales, populations and listings become that one's,
    /// and its ids go on to answer. `sources` is the order of sources of headline prices.
    pub async fn merge_cards(
        &self,
        asked: &Merge,
        sources: &[String],
        by: Actor,
        now: Moment,
    ) -> Result<Merged, StoreError> {
        let mut loader = self.load().await?;
        let Some(into) = loader.present_card(&asked.into).await? else {
            return Ok(Merged::NoCard(asked.into.clone()));
        };
        if asked.from == into.id {
            return Ok(Merged::Same);
        }
        let Some(from) = loader.side(&asked.from).await? else {
            return Ok(Merged::NoCard(asked.from.clone()));
        };
        if from.language != into.language {
            return Ok(Merged::Languages);
        }
        for (side, printing) in asked
            .printings
            .iter()
            .flat_map(|(one, other)| [(&from, one), (&into, other)])
        {
            if side.printing(printing).is_none() {
                return Ok(Merged::NoPrinting {
                    card: side.id.clone(),
                    printing: printing.clone(),
                });
            }
        }
        let kind = DeedKind::Merge;
        let change = loader.begin_change(kind.name(), now.millis()).await?;
        let mut report = MergeReport {
            change,
            ..MergeReport::default()
        };
        let places = into.printings.iter().map(|item| item.place + 1);
        let mut place = places.max().unwrap_or(0);
        let mut ids = Vec::new();
        for item in &from.printings {
            let stated = asked.printings.iter().find_map(|(one, other)| {
                let is_this = from.printing(one).is_some_and(|of| of.key == item.key);
                is_this.then(|| into.printing(other)).flatten()
            });
            let own = match stated.or_else(|| counterpart(&from, item, &into)) {
                // as it is by now: several may become one
                Some(target) => loader.item_with_id(&target.marketplace_id).await?,
                None => None,
            };
            match own {
                Some(target) => {
                    let (sales, listings) = loader.merge_item(item, &target, sources).await?;
                    report.sales += sales;
                    report.listings += listings;
                    report.printings_merged += 1;
                    ids.push((item.marketplace_id.clone(), target.marketplace_id));
                }
                None => {
                    loader.move_item(item, &into, place).await?;
                    report.printings_moved += 1;
                    place += 1;
                    let id = format!("{}:{}", into.id, printing_name(item));
                    ids.push((item.marketplace_id.clone(), id));
                }
            }
        }
        report.listings += loader.move_candidates(&from, &into, &ids).await?;
        loader.end_card(&from, &into).await?;
        let deed = Deed {
            by,
            deed: "merge cards",
            account: None,
            subject: Some(change),
            detail: &format!("{} into {}", from.id, into.id),
        };
        let records = report.printings_merged + report.printings_moved;
        loader.end_deed(deed, records, now).await?;
        Ok(Merged::Done(report))
    }
}
