//! Databases of other builds: one of an earlier build opens, one of a newer build and one whose
//! history differs do not.

use crate::support::{Database, on_each_database};
use sqlx::AssertSqlSafe;
use titledex_server::store::{Store, StoreError};
use tokio::runtime::Runtime;

/// The checksums that the first build with four migrations wrote: SHA-384 of what was run.
const WRITTEN: [(&str, [&str; 4]); 2] = [
    (
        "sqlite",
        [
            "3e9ecacf067916bc1c0f5f5294c1d2fec4b7738a791384dc37a1fc4f76c594ca88712ba476d4da91027553391654ad0c",
            "7c36e5d526550a3ece93d476e3896b5e73a79153c7f664466e2836f05f4ab040d1e79cef150e639466ca7e00e27c6dab",
            "a40f77ae6303ce57508f1b3b106afad16a2abf8063fc71d46135f8e625c4449c4a792d618e9eb5f3002a8b95395bf60c",
            "b2104b88760793236c778e4a8ac25b0f204485fd2ed03e6fd9d3b2a658234e10c2941ce923786b14151295366dc23575",
        ],
    ),
    (
        "postgres",
        [
            "f7ddc997dd4b6ba920497493e4e22d39b571450d0cd91b6b762d6078bfb7b23035e192f0569e22d25d269bc1916ee83a",
            "551b46204e7f327db472389369ba8740e9898e090e58995848ff2663a94ee5d08adf087afa4506c940449fa22fb55877",
            "c2b1678101643ab39598fa138bdafbaaf73291976f9aad5e8e332d96ce4e6a1f5fb06227ae8897d108bc9a31fab2002f",
            "46f656fe7047167d8da49ab552a80c36eab14f202bad8712adfa37203d801aeeccbaed08740b095a5897d26e2f6157e5",
        ],
    ),
];

fn open(database: &Database) -> Result<(), StoreError> {
    let runtime = Runtime::new().expect("a runtime can be made");
    runtime.block_on(async {
        let store = Store::open(&database.address).await?;
        store.ping().await?;
        store.close().await;
        Ok(())
    })
}

/// Runs statements behind the store's back.
pub(crate) fn run(database: &Database, statements: &str) {
    let runtime = Runtime::new().expect("a runtime can be made");
    let statements = sqlx::raw_sql(AssertSqlSafe(statements.to_owned()));
    runtime.block_on(async {
        if database.kind == "sqlite" {
            let pool = sqlx::SqlitePool::connect(&database.address).await;
            let pool = pool.expect("the file opens");
            statements.execute(&pool).await.expect("statements run");
            pool.close().await;
        } else {
            let pool = sqlx::PgPool::connect(&database.address).await;
            let pool = pool.expect("PostgreSQL answers");
            statements.execute(&pool).await.expect("statements run");
            pool.close().await;
        }
    });
}

/// Bytes as the database writes them.
fn bytes(database: &Database, hex: &str) -> String {
    match database.kind {
        "sqlite" => format!("X'{hex}'"),
        _ => format!("'\\x{hex}'"),
    }
}

#[test]
fn database_of_an_earlier_build_opens() {
    on_each_database(|database| {
        open(database).expect("a new database opens");
        let (_, written) = WRITTEN
            .iter()
            .find(|(kind, _)| *kind == database.kind)
            .expect("both kinds are listed");
        // the names and checksums as that build wrote them
        for (version, checksum) in (1..).zip(written) {
            let checksum = bytes(database, checksum);
            run(
                database,
                &format!(
                    "UPDATE _sqlx_migrations SET checksum = {checksum} WHERE version = {version}"
                ),
            );
        }
        open(database).expect("a migration that has run is never altered: add a new one");
    });
}

#[test]
fn database_with_another_history_is_refused() {
    on_each_database(|database| {
        open(database).expect("a new database opens");
        let checksum = bytes(database, "00");
        run(
            database,
            &format!("UPDATE _sqlx_migrations SET checksum = {checksum} WHERE version = 2"),
        );
        let refused = open(database).expect_err("another history is refused");
        assert!(matches!(refused, StoreError::Migration(_)), "{refused:?}");
    });
}

#[test]
fn database_of_a_newer_build_is_refused() {
    on_each_database(|database| {
        open(database).expect("a new database opens");
        run(
            database,
            "UPDATE _sqlx_migrations SET version = 99 WHERE version = 5",
        );
        let refused = open(database).expect_err("a newer database is refused");
        assert_eq!(
            refused.to_string(),
            "the database could not be brought to the form of this version: start the version that wrote it, or a newer one"
        );
    });
}
