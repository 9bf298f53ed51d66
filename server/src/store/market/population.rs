//! Populations: how many cards each grader gave each grade.

use super::load::Loader;
use super::records::{Language, PopulationRecord};
use super::tracked;
use crate::market::{Grader, Money};
use crate::store::bulk::{batches, places};
use crate::store::conditions::Conditions;
use crate::store::{Store, StoreError};
use sqlx::AssertSqlSafe;

/// Which populations are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PopulationQuery {
    /// Of cards of which games, by their ids; of all where none is given.
    pub games: Option<Vec<String>>,
    /// Of cards in which language.
    pub language: Language,
    /// With data of this grader.
    pub grader: Option<Grader>,
    /// With at least so many graded cards.
    pub min_total: Option<i64>,
    /// With at least this share of tens, in ten-thousandths of a per cent, rounded to them.
    pub min_gem_rate: Option<Money>,
    /// At most so many.
    pub limit: i64,
    /// After so many.
    pub offset: i64,
}

/// That a population `p` is of a card of one of the games at `@`.
const OF_GAMES: &str = "EXISTS (SELECT 1 FROM items g JOIN cards c ON c.key = g.card \
    JOIN sets r ON r.key = c.set_key WHERE g.key = p.item AND r.game IN (@))";

impl Loader {
    /// Removes the population of an item, if it has one.
    pub async fn remove_population(&mut self, item: i64) -> Result<(), StoreError> {
        self.note(&tracked::POPULATION, &[item], |query, item| {
            query.bind(*item)
        })
        .await?;
        self.transaction
            .query("DELETE FROM population WHERE item = $1")
            .bind(item)
            .execute()
            .await?;
        Ok(())
    }
}

impl PopulationQuery {
    /// The populations of a query as `p`.
    fn from(&self) -> Conditions {
        let mut all = Conditions::new("FROM population p WHERE TRUE");
        all.add("p.language = @", Some(self.language.number()));
        all.add_games(OF_GAMES, self.games.as_deref());
        all.add("p.graders & @ <> 0", self.grader.map(Grader::bit));
        all.add("p.total >= @", self.min_total);
        // rounded as answers show it: half a unit up
        all.add(
            "p.gems * 1000000 + p.total / 2 >= @ * p.total",
            self.min_gem_rate.map(|rate| rate.0),
        );
        all
    }
}

impl Store {
    /// The populations of these items, of these games where some are given, in no order; those
    /// without data are left out.
    pub async fn populations_of(
        &self,
        marketplace_ids: &[&str],
        games: Option<&[String]>,
    ) -> Result<Vec<PopulationRecord>, StoreError> {
        let mut found = Vec::new();
        let of_games = games.map_or_else(String::new, |games| {
            format!(" AND {}", OF_GAMES.replace('@', &places(games.len())))
        });
        for ids in batches(marketplace_ids, 1) {
            let sql = format!(
                "SELECT {} FROM items i JOIN population p ON p.item = i.key \
                 WHERE i.marketplace_id IN ({}){of_games}",
                PopulationRecord::COLUMNS,
                places(ids.len())
            );
            let populations = self
                .read
                .query_many(sql)
                .bind_all(ids)
                .bind_all(games.unwrap_or_default())
                .all(PopulationRecord::read);
            found.extend(populations.await?);
        }
        Ok(found)
    }

    /// How many populations a query has, and those of its page, in the catalogue's order.
    pub async fn populations(
        &self,
        query: &PopulationQuery,
    ) -> Result<(i64, Vec<PopulationRecord>), StoreError> {
        let all = query.from();
        let from = &all.text;
        let sql = format!("SELECT COUNT(*) AS count {from}");
        let count = all
            .bind(self.read.query(AssertSqlSafe(sql)))
            .one(|row| row.get("count"))
            .await?;
        let sql = format!(
            "SELECT {} FROM (SELECT p.item {from} ORDER BY p.item {}) o \
             JOIN population p ON p.item = o.item JOIN items i ON i.key = o.item \
             ORDER BY o.item",
            PopulationRecord::COLUMNS,
            all.page()
        );
        let page = all
            .bind(self.read.query(AssertSqlSafe(sql)))
            .bind(query.limit)
            .bind(query.offset)
            .all(PopulationRecord::read)
            .await?;
        Ok((count, page))
    }

    /// The populations of items with numbers above `after` and up to `to`.
    pub async fn populations_between(
        &self,
        after: i64,
        to: i64,
    ) -> Result<Vec<PopulationRecord>, StoreError> {
        let sql = format!(
            "SELECT {} FROM population p JOIN items i ON i.key = p.item WHERE p.item > $1 \
             AND p.item <= $2 ORDER BY p.item",
            PopulationRecord::COLUMNS
        );
        self.read
            .query(AssertSqlSafe(sql))
            .bind(after)
            .bind(to)
            .all(PopulationRecord::read)
            .await
    }
}
