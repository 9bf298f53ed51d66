//! Sets and cards, one by one and in lists.

use super::card_query::CardQuery;
use super::records::{CardWithPrintings, ItemRecord, Language, SetRecord};
use crate::market::Money;
use crate::store::bulk::{batches, places};
use crate::store::sql::Query;
use crate::store::{Store, StoreError};
use sqlx::AssertSqlSafe;
use std::collections::HashMap;

/// Which cards the older version lists: those for which all holds that is given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamedCards {
    /// A part of the name, or of the printed one, without regard to case, accents and apostrophes.
    pub name: Option<String>,
    /// The id of the set.
    pub set_id: Option<String>,
    /// The number as printed, or what stands before its slash, with or without zeros before it.
    pub number: Option<String>,
    /// The card's id, or that of one of its printings.
    pub id: Option<String>,
    /// At most so many.
    pub limit: i64,
    /// After so many.
    pub offset: i64,
}

impl NamedCards {
    /// The conditions, and the values of their places.
    fn conditions(&self) -> (String, Vec<String>) {
        let (mut text, mut values) = ("TRUE".to_owned(), Vec::new());
        let mut add = |value: String, condition: &dyn Fn(usize) -> String| {
            values.push(value);
            text.push_str(" AND ");
            text.push_str(&condition(values.len()));
        };
        if let Some(name) = &self.name {
            let like = format!("%{}%", escaped(&folded(name)));
            add(like, &|at| {
                format!(
                    "({} LIKE ${at} ESCAPE '!' OR {} LIKE ${at} ESCAPE '!')",
                    folded_column("c.name"),
                    folded_column("c.printed_name")
                )
            });
        }
        if let Some(set) = &self.set_id {
            add(set.clone(), &|at| {
                format!("c.set_key = (SELECT key FROM sets WHERE id = ${at})")
            });
        }
        if let Some(number) = &self.number {
            add(number.clone(), &|at| {
                format!(
                    "(LTRIM(c.number, '0') = LTRIM(${at}, '0') OR LTRIM(c.number, '0') LIKE \
                     REPLACE(REPLACE(REPLACE(LTRIM(${at}, '0'), '!', '!!'), '%', '!%'), '_', \
                     '!_') || '/%' ESCAPE '!')"
                )
            });
        }
        if let Some(id) = &self.id {
            add(id.clone(), &|at| {
                format!(
                    "c.key IN (SELECT key FROM cards WHERE id = ${at} UNION SELECT card \
                     FROM items WHERE marketplace_id = ${at} UNION SELECT card \
                     FROM former_ids WHERE id = ${at} AND card IS NOT NULL)"
                )
            });
        }
        (text, values)
    }
}

/// Letters that names are written with and people are not, and what is typed instead: accents, and
/// apostrophes of either form. Both cases, because SQLite's LOWER knows ASCII alone.
const FOLDED: [(&str, &str); 14] = [
    ("\u{2019}", ""),
    ("'", ""),
    ("é", "e"),
    ("É", "e"),
    ("è", "e"),
    ("ê", "e"),
    ("à", "a"),
    ("â", "a"),
    ("ä", "a"),
    ("ö", "o"),
    ("ô", "o"),
    ("ü", "u"),
    ("ñ", "n"),
    ("ç", "c"),
];

/// A name as [`folded_column`] has it.
fn folded(name: &str) -> String {
    let lower = name.to_lowercase();
    FOLDED
        .iter()
        .fold(lower, |name, (from, to)| name.replace(from, to))
}

/// A column in small letters, without accents and apostrophes.
fn folded_column(column: &str) -> String {
    FOLDED
        .iter()
        .fold(format!("LOWER({column})"), |text, (from, to)| {
            let from = from.replace('\'', "''");
            format!("REPLACE({text}, '{from}', '{to}')")
        })
}

/// A word in which LIKE reads nothing special, with `!` before what it would.
pub(super) fn escaped(word: &str) -> String {
    let mut text = String::with_capacity(word.len());
    for letter in word.chars() {
        if matches!(letter, '%' | '_' | '!') {
            text.push('!');
        }
        text.push(letter);
    }
    text
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

    /// The cards of a query, in its order.
    pub async fn cards(&self, query: &CardQuery) -> Result<Vec<CardWithPrintings>, StoreError> {
        let all = query.from();
        let (limit, offset) = (all.places() + 1, all.places() + 2);
        let [columns, order, outer] = query.order.columns();
        let picked = format!(
            "(SELECT {columns} {} ORDER BY {order} LIMIT ${limit} OFFSET ${offset}) p \
             JOIN cards c ON c.key = p.key JOIN items i ON i.card = c.key \
             JOIN sets s ON s.key = c.set_key ORDER BY {outer}, i.place",
            all.text
        );
        let page = all
            .bind(self.read.query(AssertSqlSafe(select(&picked))))
            .bind(query.limit)
            .bind(query.offset);
        cards(page).await
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
        let all = query.from();
        let sql = format!("SELECT COUNT(*) AS count {}", all.text);
        all.bind(self.read.query(AssertSqlSafe(sql)))
            .one(|row| row.get("count"))
            .await
    }

    /// How many cards the older version lists, and the ids of those of its page: English ones
    /// first, else in the catalogue's order.
    pub async fn named_cards(&self, query: &NamedCards) -> Result<(i64, Vec<String>), StoreError> {
        let (conditions, values) = query.conditions();
        let sql = format!("SELECT COUNT(*) AS count FROM cards c WHERE {conditions}");
        let count = self
            .read
            .query(AssertSqlSafe(sql))
            .bind_all(&values)
            .one(|row| row.get("count"))
            .await?;
        let (limit, offset) = (values.len() + 1, values.len() + 2);
        let sql = format!(
            "SELECT c.id FROM cards c WHERE {conditions} ORDER BY c.language, c.set_key, c.place \
             LIMIT ${limit} OFFSET ${offset}"
        );
        let ids = self
            .read
            .query(AssertSqlSafe(sql))
            .bind_all(&values)
            .bind(query.limit)
            .bind(query.offset)
            .all(|row| row.get("id"))
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
