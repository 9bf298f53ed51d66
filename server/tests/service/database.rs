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

impl Database {
    /// A backup, made as docs/SERVICE.md says while a service uses this database, and restored.
    pub(crate) fn restored(&self) -> Self {
        match self.kind {
            "sqlite" => self.restored_sqlite(),
            _ => self.restored_postgres(),
        }
    }

    fn restored_sqlite(&self) -> Self {
        let restored = Self::sqlite();
        let file = restored.address.trim_start_matches("sqlite:");
        let runtime = Runtime::new().expect("a runtime can be made");
        runtime.block_on(async {
            let pool = sqlx::SqlitePool::connect(&self.address)
                .await
                .expect("the file opens");
            sqlx::query("VACUUM INTO $1")
                .bind(file)
                .execute(&pool)
                .await
                .expect("the backup is written");
            pool.close().await;
        });
        restored
    }

    fn restored_postgres(&self) -> Self {
        let restored = Self::postgres().expect("there was one for this database");
        let dump = tempfile::NamedTempFile::new().expect("a file can be made");
        let run = |program: &str, arguments: &[&str]| {
            let done = std::process::Command::new(postgres_program(program))
                .args(arguments)
                .arg(dump.path())
                .output()
                .expect("PostgreSQL's programs run");
            let said = String::from_utf8_lossy(&done.stderr);
            assert!(done.status.success(), "{program}: {said}");
        };
        run(
            "pg_dump",
            &["--format=custom", "--dbname", &self.address, "--file"],
        );
        run(
            "pg_restore",
            &["--exit-on-error", "--dbname", &restored.address],
        );
        restored
    }
}

/// The path of one of PostgreSQL's programs, which Debian keeps out of the usual folders.
fn postgres_program(name: &str) -> std::path::PathBuf {
    let versions = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten();
    let mut found: Vec<_> = versions
        .flatten()
        .map(|version| version.path().join("bin").join(name))
        .filter(|path| path.exists())
        .collect();
    found.sort();
    found.pop().unwrap_or_else(|| name.into())
}

fn rand() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    std::collections::hash_map::RandomState::new()
        .build_hasher()
        .finish()
}
