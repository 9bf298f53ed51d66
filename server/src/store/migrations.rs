//! The migrations, each written once in the words of SQLite.
//!
//! PostgreSQL gets them with the types of [`POSTGRES`]. A line that begins with `@sqlite` or
//! `@postgres` is for that database alone, as it stands. Databases keep a checksum of each text
//! that was run: a migration that has run anywhere is never altered, and neither is what PostgreSQL
//! makes of it.

use super::sql::Dialect;
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::{AssertSqlSafe, SqlSafeStr};

/// Number, description and text, oldest first.
const MIGRATIONS: &[(i64, &str, &str)] = &[
    (
        1,
        "accounts",
        include_str!("../../migrations/0001_accounts.sql"),
    ),
    (
        2,
        "market",
        include_str!("../../migrations/0002_market.sql"),
    ),
    (3, "rates", include_str!("../../migrations/0003_rates.sql")),
    (
        4,
        "orders",
        include_str!("../../migrations/0004_orders.sql"),
    ),
    (
        5,
        "faults",
        include_str!("../../migrations/0005_faults.sql"),
    ),
    (
        6,
        "keys expire",
        include_str!("../../migrations/0006_keys_expire.sql"),
    ),
    (7, "audit", include_str!("../../migrations/0007_audit.sql")),
    (
        10,
        "listings",
        include_str!("../../migrations/0010_listings.sql"),
    ),
    (
        11,
        "imports",
        include_str!("../../migrations/0011_imports.sql"),
    ),
    (
        12,
        "keys replaced",
        include_str!("../../migrations/0012_keys_replaced.sql"),
    ),
    (
        20,
        "market ids",
        include_str!("../../migrations/0020_market_ids.sql"),
    ),
    (
        21,
        "undo market ids",
        include_str!("../../migrations/0021_undo_market_ids.sql"),
    ),
    (
        22,
        "account status",
        include_str!("../../migrations/0022_account_status.sql"),
    ),
    (
        23,
        "intake",
        include_str!("../../migrations/0023_intake.sql"),
    ),
    (
        24,
        "languages",
        include_str!("../../migrations/0024_languages.sql"),
    ),
    (
        25,
        "undo deeds",
        include_str!("../../migrations/0025_undo_deeds.sql"),
    ),
    (
        26,
        "source history",
        include_str!("../../migrations/0026_source_history.sql"),
    ),
    (
        27,
        "card orders",
        include_str!("../../migrations/0027_card_orders.sql"),
    ),
    (
        28,
        "folded names",
        include_str!("../../migrations/0028_folded_names.sql"),
    ),
    (29, "games", include_str!("../../migrations/0029_games.sql")),
    (
        30,
        "usage by endpoint",
        include_str!("../../migrations/0030_usage_by_endpoint.sql"),
    ),
    (
        31,
        "folded texts",
        include_str!("../../migrations/0031_folded_texts.sql"),
    ),
];

/// What SQLite and PostgreSQL call the same thing. The first that fits counts.
const POSTGRES: &[(&str, &str)] = &[
    (
        "INTEGER PRIMARY KEY AUTOINCREMENT",
        "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
    ),
    ("INTEGER", "BIGINT"),
    ("BLOB", "BYTEA"),
    (" WITHOUT ROWID", ""),
];

/// The migrations of a database.
///
/// They are put together here because `sqlx::migrate!` compiles sqlx and SQLite a second time, for
/// the machine that builds.
pub(super) fn of(dialect: Dialect) -> Migrator {
    let migration = |&(version, description, text): &(i64, &'static str, &str)| {
        let sql = AssertSqlSafe(written(text, dialect)).into_sql_str();
        Migration::new(
            version,
            description.into(),
            MigrationType::Simple,
            sql,
            false,
        )
    };
    Migrator::with_migrations(MIGRATIONS.iter().map(migration).collect())
}

/// The text of a migration in the words of a database.
fn written(text: &str, dialect: Dialect) -> String {
    let (own, other) = match dialect {
        Dialect::Sqlite => ("@sqlite ", "@postgres "),
        Dialect::Postgres => ("@postgres ", "@sqlite "),
    };
    let mut sql = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if let Some(line) = line.strip_prefix(own) {
            sql.push_str(line);
        } else if line.starts_with(other) {
        } else if dialect == Dialect::Sqlite {
            sql.push_str(line);
        } else {
            let words = POSTGRES
                .iter()
                .fold(line.to_owned(), |line, (sqlite, postgres)| {
                    line.replace(sqlite, postgres)
                });
            sql.push_str(&words);
        }
    }
    sql
}

#[cfg(test)]
mod tests {
    use super::{Dialect, written};

    #[test]
    fn each_database_gets_its_own_words() {
        let text = "id INTEGER PRIMARY KEY AUTOINCREMENT,\n@sqlite one\n@postgres two INTEGER\nhash BLOB\n) WITHOUT ROWID;\n";
        assert_eq!(
            written(text, Dialect::Sqlite),
            "id INTEGER PRIMARY KEY AUTOINCREMENT,\none\nhash BLOB\n) WITHOUT ROWID;\n"
        );
        assert_eq!(
            written(text, Dialect::Postgres),
            "id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,\ntwo INTEGER\nhash BYTEA\n);\n"
        );
    }
}
