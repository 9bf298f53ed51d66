//! A database of a test's own.

use sqlx::{AssertSqlSafe, PgPool};
use tempfile::TempDir;
use titledex_server::store::Store;
use tokio::runtime::Runtime;

/// A database of a test's own.
pub(crate) struct Database {
    pub(crate) address: String,
    pub(crate) kind: &'static str,
    _folder: Option<TempDir>,
}

impl Database {
    pub(crate) fn sqlite() -> Self {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let address = format!("sqlite:{}", folder.path().join("titledex.db").display());
        Self {
            address,
            kind: "sqlite",
            _folder: Some(folder),
        }
    }

    /// One in the PostgreSQL that TITLEDEX_TEST_POSTGRES names; in CI it must be there.
    pub(crate) fn postgres() -> Option<Self> {
        Self::in_postgres(true)
    }

    /// The same without tables.
    #[allow(dead_code, reason = "tests of the service alone fill one by hand")]
    pub(crate) fn empty_postgres() -> Option<Self> {
        Self::in_postgres(false)
    }

    fn in_postgres(tables: bool) -> Option<Self> {
        let Ok(server) = std::env::var("TITLEDEX_TEST_POSTGRES") else {
            assert!(
                std::env::var_os("TITLEDEX_TEST_POSTGRES_NEEDED").is_none(),
                "TITLEDEX_TEST_POSTGRES is not set"
            );
            eprintln!(
                "no PostgreSQL: run the tests by scripts/postgres to hold them against it too"
            );
            return None;
        };
        let name = format!("test_{:x}_{:x}", std::process::id(), rand());
        let address = |name: &str| server.replace("/postgres?", &format!("/{name}?"));
        let runtime = Runtime::new().expect("a runtime can be made");
        runtime.block_on(async {
            let pool = sqlx::PgPool::connect(&server).await;
            let pool = pool.expect("PostgreSQL answers");
            let template = match tables {
                true => with_tables(&pool, &address(TABLES)).await,
                false => "template1",
            };
            // files are copied faster than what is in them is logged
            let copy = format!("CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY");
            run(&pool, &copy).await;
            pool.close().await;
        });
        Some(Self {
            address: address(&name),
            kind: "postgres",
            _folder: None,
        })
    }
}

/// The database that others are copies of.
const TABLES: &str = "tables";

/// Makes the database [`TABLES`] with the tables of this build, if no test did: a copy takes less
/// than the migrations. One that an earlier build made is brought to the form of this one when a
/// copy of it is opened.
async fn with_tables(pool: &PgPool, address: &str) -> &'static str {
    let mut alone = pool.acquire().await.expect("PostgreSQL answers");
    let lock = sqlx::query("SELECT pg_advisory_lock(1)");
    lock.execute(&mut *alone).await.expect("it is locked");
    let made = sqlx::query_scalar("SELECT datallowconn FROM pg_database WHERE datname = $1");
    let made: Option<bool> = made.bind(TABLES).fetch_optional(pool).await.expect("a row");
    if made != Some(false) {
        // one that is open to connections is not whole
        run(pool, &format!("DROP DATABASE IF EXISTS {TABLES}")).await;
        // in the order of a language, as people make theirs: answers must not depend on it
        let locale = "TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-US'";
        run(pool, &format!("CREATE DATABASE {TABLES} {locale}")).await;
        let store = Store::open(address).await.expect("it opens");
        store.close().await;
        run(
            pool,
            &format!("ALTER DATABASE {TABLES} ALLOW_CONNECTIONS false"),
        )
        .await;
    }
    let unlock = sqlx::query("SELECT pg_advisory_unlock(1)");
    unlock.execute(&mut *alone).await.expect("it is unlocked");
    TABLES
}

async fn run(pool: &PgPool, statement: &str) {
    let done = sqlx::query(AssertSqlSafe(statement)).execute(pool).await;
    done.unwrap_or_else(|error| panic!("{statement}: {error}"));
}

fn rand() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    std::collections::hash_map::RandomState::new()
        .build_hasher()
        .finish()
}
