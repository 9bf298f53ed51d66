//! The tables that imports and administrators' deeds change, with what is kept of a row that is
//! changed, so that it can be put back.

/// A table whose rows are kept as they were before a change.
#[derive(Debug)]
pub(super) struct Tracked {
    pub(super) table: &'static str,
    pub(super) keys: &'static [&'static str],
    /// Columns that are never NULL and that older versions did not keep: where they are NULL in what
    /// is kept of a row, the row still has them.
    pub(super) firm: &'static [&'static str],
    /// The other columns that a change may alter.
    pub(super) columns: &'static [&'static str],
}

impl Tracked {
    /// All columns that are kept, in one order.
    pub(super) fn kept(&self) -> String {
        let all = [self.keys, self.firm, self.columns].concat();
        all.join(", ")
    }
}

pub(super) const FACTS: Tracked = Tracked {
    table: "facts",
    keys: &["name"],
    firm: &[],
    columns: &["value"],
};
pub(super) const SETS: Tracked = Tracked {
    table: "sets",
    keys: &["key"],
    firm: &[],
    columns: &[
        "name",
        "printed_name",
        "code",
        "series",
        "released",
        "printed_total",
        "total",
        "legality",
        "images",
    ],
};
pub(super) const CARDS: Tracked = Tracked {
    table: "cards",
    keys: &["key"],
    firm: &["id"],
    columns: &[
        "set_key",
        "place",
        "language",
        "name",
        "printed_name",
        "number",
        "rarity",
        "kind",
        "number_order",
        "folded_name",
        "folded_printed",
        "folded_rarity",
    ],
};
pub(super) const ITEMS: Tracked = Tracked {
    table: "items",
    keys: &["key"],
    firm: &["marketplace_id"],
    columns: &[
        "language",
        "card",
        "place",
        "label",
        "market",
        "low",
        "sellers",
        "updated",
        "source",
        "headline_condition",
        "eur_market",
        "eur_low",
        "eur_updated",
        "first_day",
        "last_day",
        "tcgplayer",
        "cardmarket",
    ],
};
pub(super) const SEALED: Tracked = Tracked {
    table: "sealed",
    keys: &["item"],
    firm: &["game"],
    columns: &[
        "name",
        "set_key",
        "set_name",
        "product_type",
        "language",
        "folded_type",
    ],
};
pub(super) const RATES: Tracked = Tracked {
    table: "rates",
    keys: &["currency", "day"],
    firm: &[],
    columns: &["usd"],
};
pub(super) const PRICE_HISTORY: Tracked = Tracked {
    table: "price_history",
    keys: &["key"],
    firm: &[],
    columns: &["data"],
};
pub(super) const SOURCE_HISTORY: Tracked = Tracked {
    table: "source_history",
    keys: &["item", "source", "near_mint", "chunk"],
    firm: &[],
    columns: &["data"],
};
pub(super) const QUOTES: Tracked = Tracked {
    table: "quotes",
    keys: &["item", "source", "condition", "currency"],
    firm: &[],
    columns: &["market", "low", "sellers", "day"],
};
pub(super) const POPULATION: Tracked = Tracked {
    table: "population",
    keys: &["item"],
    firm: &[],
    columns: &[
        "language",
        "total",
        "gems",
        "graders",
        "confidence",
        "score",
        "fetched",
        "updated",
        "counts",
    ],
};
pub(super) const REVIEW: Tracked = Tracked {
    table: "review",
    keys: &["id"],
    firm: &["candidates"],
    columns: &[
        "fingerprint",
        "item",
        "grade",
        "day",
        "price",
        "currency",
        "status",
        "decided",
        "decision",
        "number",
        "alike",
    ],
};
pub(super) const SALES: Tracked = Tracked {
    table: "sales",
    keys: &["key"],
    firm: &[],
    columns: &[
        "fingerprint",
        "item",
        "grade",
        "day",
        "price",
        "currency",
        "confidence",
        "title",
        "url",
        "number",
        "alike",
    ],
};

pub(super) const FORMER_IDS: Tracked = Tracked {
    table: "former_ids",
    keys: &["id"],
    firm: &[],
    columns: &["card", "item"],
};

/// All of them, each after those that it refers to.
pub(super) const ALL: [&Tracked; 13] = [
    &FACTS,
    &SETS,
    &CARDS,
    &ITEMS,
    &FORMER_IDS,
    &SEALED,
    &RATES,
    &PRICE_HISTORY,
    &SOURCE_HISTORY,
    &QUOTES,
    &POPULATION,
    &REVIEW,
    &SALES,
];

/// Columns that refer to a row which an import may have added: table, its key, column, and the
/// table that it refers to.
pub(super) const REFERENCES: [(&Tracked, &str, &Tracked); 11] = [
    (&CARDS, "set_key", &SETS),
    (&ITEMS, "card", &CARDS),
    (&FORMER_IDS, "card", &CARDS),
    (&FORMER_IDS, "item", &ITEMS),
    (&SEALED, "item", &ITEMS),
    (&SEALED, "set_key", &SETS),
    (&SOURCE_HISTORY, "item", &ITEMS),
    (&QUOTES, "item", &ITEMS),
    (&POPULATION, "item", &ITEMS),
    (&REVIEW, "item", &ITEMS),
    (&SALES, "item", &ITEMS),
];

#[cfg(test)]
mod tests {
    use super::{ALL, REFERENCES};
    use crate::store::Store;
    use std::collections::BTreeSet;

    /// Columns of tracked tables that no change alters, of rows that none removes.
    const UNALTERED: [(&str, &[&str]); 2] = [
        ("sets", &["id", "game", "language", "slug"]),
        (
            "review",
            &[
                "title",
                "folded_title",
                "url",
                "reason",
                "confidence",
                "made",
            ],
        ),
    ];
    /// Tables that refer to the market and are no part of it.
    const OTHERS: [&str; 0] = [];

    async fn names(store: &Store, sql: &'static str, of: &str) -> BTreeSet<String> {
        let query = store.read.query(sql).bind(of);
        let found = query.all(|row| row.get::<String>("name")).await;
        found.expect("it answers").into_iter().collect()
    }

    /// Each table that refers to a set, card or item can be undone, with all its columns: one that
    /// is added to the market must be added here.
    #[tokio::test]
    async fn every_table_of_the_market_is_tracked() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let address = format!("sqlite:{}", folder.path().join("td.db").display());
        let store = Store::open(&address).await.expect("it opens");
        let columns = "SELECT name FROM pragma_table_info($1)";
        let tables = names(
            &store,
            "SELECT name FROM sqlite_master WHERE type = $1",
            "table",
        )
        .await;
        for table in &tables {
            let sql =
                "SELECT \"table\" || '.' || \"from\" AS name FROM pragma_foreign_key_list($1)";
            for reference in names(&store, sql, table).await {
                let (parent, column) = reference.split_once('.').expect("it has a point");
                if !["sets", "cards", "items"].contains(&parent) || OTHERS.contains(&table.as_str())
                {
                    continue;
                }
                assert!(
                    REFERENCES.iter().any(|(child, by, to)| {
                        (child.table, *by, to.table) == (table, column, parent)
                    }),
                    "{table}.{column} refers to {parent} and is not among REFERENCES"
                );
            }
            let own = names(&store, columns, table).await;
            assert!(
                !own.contains("item")
                    || table.starts_with("undo_")
                    || ALL.iter().any(|tracked| tracked.table == table),
                "{table} has an item and is not tracked"
            );
        }
        for tracked in ALL {
            let table = tracked.table;
            let kept: BTreeSet<String> = tracked.kept().split(", ").map(str::to_owned).collect();
            let unaltered = UNALTERED.iter().find(|(of, _)| *of == table);
            let unaltered = unaltered.map_or(&[][..], |(_, columns)| columns);
            let mut all = kept.clone();
            all.extend(unaltered.iter().map(|column| (*column).to_owned()));
            assert_eq!(names(&store, columns, table).await, all, "{table}");
            let mut noted = kept;
            noted.extend(["batch", "existed"].map(str::to_owned));
            let undo = format!("undo_{table}");
            assert_eq!(names(&store, columns, &undo).await, noted, "{undo}");
        }
    }
}
