//! Sets and cards, one by one and in lists.

use super::card_query::{CardQuery, OF_GAMES, is_printing, number_order};
use super::folded::containing;
use super::records::{CardRecord, CardWithPrintings, ItemRecord, Language, SetRecord};
use crate::market::Money;
use crate::store::bulk::{batches, places};
use crate::store::conditions::Conditions;
use crate::store::sql::Query;
use crate::store::{Store, StoreError};
use sqlx::AssertSqlSafe;
use std::collections::HashMap;

/// Which cards the older version lists: those for which all holds that is given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamedCards {
    /// Of which games, by their ids; of all where none is given.
    pub games: Option<Vec<String>>,
    /// A part of the name, or of the printed one, without regard to case, accents and apostrophes.
    pub name: Option<String>,
    /// The id of the set.
    pub set_id: Option<String>,
    /// The number as printed, or what stands before its slash, in any case, with or without zeros
    /// before its digits.
    pub number: Option<String>,
    /// The card's id, or that of one of its printings.
    pub id: Option<String>,
    /// At most so many.
    pub limit: i64,
    /// After so many.
    pub offset: i64,
}

impl NamedCards {
    /// The cards that are listed, as `c`.
    fn from(&self) -> Conditions {
        let mut all = Conditions::new("FROM cards c WHERE TRUE");
        all.add_games(OF_GAMES, self.games.as_deref());
        all.add_pattern(
            "(c.folded_name LIKE @ ESCAPE '!' OR c.folded_printed LIKE @ ESCAPE '!')",
            self.name.as_deref().map(containing),
        );
        let set = "c.set_key = (SELECT key FROM sets WHERE id = @)";
        all.add_text(set, self.set_id.clone());
        // in the form that is made here, so that the database knows nothing of case and zeros; what
        // has a slash behind it lies before what has `0`, the next character
        all.add_text(
            "(c.number_order = @ OR c.number_order >= @ || '/' AND c.number_order < @ || '0')",
            self.number.as_deref().map(number_order),
        );
        all.add_text(
            "c.key IN (SELECT key FROM cards WHERE id = @ UNION SELECT card FROM items \
             WHERE marketplace_id = @ UNION SELECT card FROM former_ids WHERE id = @ \
             AND card IS NOT NULL)",
            self.id.clone(),
        );
        all
    }
}

/// The statement for cards that are `picked`: a card `c`, its set `s` and its printings `i`.
fn select(picked: &str) -> String {
    format!(
        "SELECT {}, {} FROM {picked}",
        ItemRecord::COLUMNS,
        CardWithPrintings::COLUMNS
    )
}

/// Runs a statement of [`select`]. It answers a row for each printing, those of a card one after
/// another.
async fn cards(query: Query<'_>) -> Result<Vec<CardWithPrintings>, StoreError> {
    let mut cards: Vec<CardWithPrintings> = Vec::new();
    query
        .each(|row| {
            let item = ItemRecord::read(row)?;
            match cards.last_mut() {
                Some(card) if Some(card.card.key) == item.card => card.printings.push(item),
                _ => cards.push(CardWithPrintings::read(row, item)?),
            }
            Ok(())
        })
        .await?;
    Ok(cards)
}

impl Store {
    /// All sets, of one language or all, in the catalogue's order.
    pub async fn sets(&self, language: Option<Language>) -> Result<Vec<SetRecord>, StoreError> {
        let columns = SetRecord::COLUMNS;
        let sql = format!("SELECT {columns} FROM sets WHERE $1 < 0 OR language = $1 ORDER BY key");
        self.read
            .query(AssertSqlSafe(sql))
            .bind(language.map_or(-1, Language::number))
            .all(SetRecord::read)
            .await
    }

    /// Whether there are sets of other games than these.
    pub async fn has_games_beside(&self, games: &[String]) -> Result<bool, StoreError> {
        let sql = format!(
            "SELECT COUNT(*) AS count FROM sets WHERE game NOT IN ({})",
            places(games.len())
        );
        let query = self.read.query_many(sql).bind_all(games);
        let count: i64 = query.one(|row| row.get("count")).await?;
        Ok(count > 0)
    }

    /// The set that has this id, of any language.
    pub async fn set(&self, id: &str) -> Result<Option<SetRecord>, StoreError> {
        let columns = SetRecord::COLUMNS;
        let sql = format!("SELECT {columns} FROM sets WHERE id = $1");
        self.read
            .query(AssertSqlSafe(sql))
            .bind(id)
            .optional(SetRecord::read)
            .await
    }

    /// The cards with these ids (`base1-4`) and their printings, in the catalogue's order; ids of
    /// no card are left out.
    pub async fn cards_with_ids(&self, ids: &[&str]) -> Result<Vec<CardWithPrintings>, StoreError> {
        let picked = |places: &str| {
            format!(
                "cards c JOIN items i ON i.card = c.key JOIN sets s ON s.key = c.set_key \
                 WHERE c.id IN ({places})"
            )
        };
        self.picked_cards(ids, picked).await
    }

    /// The cards of which one of these is a printing (`base1-4:unlimited-holofoil`), with all their
    /// printings, each card once.
    pub async fn cards_with_marketplace_ids(
        &self,
        ids: &[&str],
    ) -> Result<Vec<CardWithPrintings>, StoreError> {
        let picked = |places: &str| {
            format!(
                "(SELECT DISTINCT card FROM items WHERE marketplace_id IN ({places})) p \
                 JOIN cards c ON c.key = p.card JOIN items i ON i.card = c.key \
                 JOIN sets s ON s.key = c.set_key"
            )
        };
        self.picked_cards(ids, picked).await
    }

    async fn picked_cards(
        &self,
        ids: &[&str],
        picked: impl Fn(&str) -> String,
    ) -> Result<Vec<CardWithPrintings>, StoreError> {
        let mut found = Vec::with_capacity(ids.len());
        for ids in batches(ids, 1) {
            let sql = select(&picked(&places(ids.len()))) + " ORDER BY c.key, i.place";
            found.extend(cards(self.read.query_many(sql).bind_all(ids)).await?);
        }
        Ok(found)
    }

    /// The labels of the printings that a query asks for. There are some hundred labels, and an
    /// index is asked for each in turn.
    async fn labels(&self, query: &CardQuery) -> Result<Vec<String>, StoreError> {
        let Some(printing) = &query.printing else {
            return Ok(Vec::new());
        };
        let labels: Vec<String> = self
            .read
            .query(
                "WITH RECURSIVE known (label) AS (SELECT MIN(label) FROM items UNION ALL SELECT \
                 (SELECT MIN(i.label) FROM items i WHERE i.label > known.label) FROM known \
                 WHERE known.label IS NOT NULL) SELECT label FROM known WHERE label IS NOT NULL",
            )
            .all(|row| row.get("label"))
            .await?;
        let is_meant = |label: &String| is_printing(label, printing);
        Ok(labels.into_iter().filter(is_meant).collect())
    }

    /// The cards of a query, in its order.
    pub async fn cards(&self, query: &CardQuery) -> Result<Vec<CardWithPrintings>, StoreError> {
        let all = query.from(&self.labels(query).await?);
        let [columns, order, outer] = query.order.columns();
        let picked = format!(
            "(SELECT {columns} {} ORDER BY {order} {}) p \
             JOIN cards c ON c.key = p.key JOIN items i ON i.card = c.key \
             JOIN sets s ON s.key = c.set_key ORDER BY {outer}, i.place",
            all.text,
            all.page()
        );
        let page = all
            .bind(self.read.query(AssertSqlSafe(select(&picked))))
            .bind(query.limit)
            .bind(query.offset);
        cards(page).await
    }

    /// Those of these cards that a query narrows down to, with what it sorts by and nothing else: of
    /// a search many are read and few are shown.
    pub async fn sortable_cards(
        &self,
        ids: &[&str],
        query: &CardQuery,
    ) -> Result<Vec<CardWithPrintings>, StoreError> {
        let labels = self.labels(query).await?;
        let mut found = Vec::with_capacity(ids.len());
        for ids in batches(ids, 1) {
            let mut all = Conditions::new(
                "SELECT c.id, c.name, c.number, c.rarity, r.released, l.market FROM cards c \
                 JOIN sets r ON r.key = c.set_key LEFT JOIN items l ON l.card = c.key \
                 AND l.place = 0 WHERE TRUE",
            );
            query.narrow(&mut all);
            // of few cards: the index of their printings is read, not that of labels
            let has =
                "EXISTS (SELECT 1 FROM items f WHERE f.card = c.key AND f.label || '' IN (@))";
            query.add_printing(&mut all, has, &labels);
            all.add_texts("c.id IN (@)", ids);
            let cards = all.bind(self.read.query(AssertSqlSafe(all.text.clone())));
            let cards = cards.all(|row| {
                let market: Option<i64> = row.get("market")?;
                Ok(CardWithPrintings {
                    card: CardRecord {
                        id: row.get("id")?,
                        name: row.get("name")?,
                        number: row.get("number")?,
                        rarity: row.get("rarity")?,
                        ..CardRecord::default()
                    },
                    set_released: row.get("released")?,
                    printings: vec![ItemRecord {
                        market: market.map(Money),
                        ..ItemRecord::default()
                    }],
                    ..CardWithPrintings::default()
                })
            });
            found.extend(cards.await?);
        }
        Ok(found)
    }

    /// The market prices of the leading printings of these cards, by the cards' ids. Cards without
    /// a price are left out.
    pub async fn leading_prices(&self, ids: &[&str]) -> Result<HashMap<String, Money>, StoreError> {
        let mut prices = HashMap::with_capacity(ids.len());
        for ids in batches(ids, 1) {
            let sql = format!(
                "SELECT c.id, i.market FROM cards c JOIN items i ON i.card = c.key \
                 WHERE i.place = 0 AND i.market IS NOT NULL AND c.id IN ({})",
                places(ids.len())
            );
            let query = self.read.query_many(sql).bind_all(ids);
            query
                .each(|row| {
                    prices.insert(row.get("id")?, Money(row.get("market")?));
                    Ok(())
                })
                .await?;
        }
        Ok(prices)
    }

    /// How many cards a query has, whatever its limit.
    pub async fn count_cards(&self, query: &CardQuery) -> Result<i64, StoreError> {
        let all = query.from(&self.labels(query).await?);
        let sql = format!("SELECT COUNT(*) AS count {}", all.text);
        all.bind(self.read.query(AssertSqlSafe(sql)))
            .one(|row| row.get("count"))
            .await
    }

    /// How many cards the older version lists, and the ids of those of its page: English ones
    /// first, else in the catalogue's order.
    pub async fn named_cards(&self, query: &NamedCards) -> Result<(i64, Vec<String>), StoreError> {
        let all = query.from();
        let sql = format!(
            "SELECT c.id {} ORDER BY c.language, c.set_key, c.place {}",
            all.text,
            all.page()
        );
        let ids: Vec<String> = all
            .bind(self.read.query(AssertSqlSafe(sql)))
            .bind(query.limit)
            .bind(query.offset)
            .all(|row| row.get("id"))
            .await?;
        let shown = i64::try_from(ids.len()).unwrap_or(i64::MAX);
        // a page that is not full is the last one
        if shown < query.limit && (query.offset == 0 || shown > 0) {
            return Ok((query.offset + shown, ids));
        }
        let sql = format!("SELECT COUNT(*) AS count {}", all.text);
        let count = all
            .bind(self.read.query(AssertSqlSafe(sql)))
            .one(|row| row.get("count"))
            .await?;
        Ok((count, ids))
    }

    /// The number of the last item.
    pub async fn last_item(&self) -> Result<i64, StoreError> {
        self.read
            .query("SELECT COALESCE(MAX(key), 0) AS last FROM items")
            .one(|row| row.get("last"))
            .await
    }

    /// The printings with numbers above `after` and up to `to`, each with its card.
    pub async fn cards_between(
        &self,
        after: i64,
        to: i64,
    ) -> Result<Vec<CardWithPrintings>, StoreError> {
        let sql = select(
            "items i JOIN cards c ON c.key = i.card JOIN sets s ON s.key = c.set_key \
             WHERE i.key > $1 AND i.key <= $2 ORDER BY i.key",
        );
        cards(self.read.query(AssertSqlSafe(sql)).bind(after).bind(to)).await
    }
}
