//! A database of a test's own.

use tempfile::TempDir;
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
        let runtime = Runtime::new().expect("a runtime can be made");
        runtime.block_on(async {
            let pool = sqlx::PgPool::connect(&server)
                .await
                .expect("PostgreSQL answers");
            sqlx::query(sqlx::AssertSqlSafe(format!("CREATE DATABASE {name}")))
                .execute(&pool)
                .await
                .expect("a database can be made");
            pool.close().await;
        });
        Some(Self {
            address: server.replace("/postgres?", &format!("/{name}?")),
            kind: "postgres",
            _folder: None,
        })
    }
}

fn rand() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    std::collections::hash_map::RandomState::new()
        .build_hasher()
        .finish()
}
