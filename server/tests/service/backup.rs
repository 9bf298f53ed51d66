//! Backups: what docs/SERVICE.md says is enough to restore a service.

use crate::client::Call;
use crate::database::Database;
use crate::support::{Service, on_each_database, one_title};
use tokio::runtime::Runtime;

/// A backup, made as docs/SERVICE.md says while a service uses this database, and restored.
fn restored(database: &Database) -> Database {
    match database.kind {
        "sqlite" => restored_sqlite(database),
        _ => restored_postgres(database),
    }
}

fn restored_sqlite(database: &Database) -> Database {
    let restored = Database::sqlite();
    let file = restored.address.trim_start_matches("sqlite:");
    let runtime = Runtime::new().expect("a runtime can be made");
    runtime.block_on(async {
        let pool = sqlx::SqlitePool::connect(&database.address)
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

fn restored_postgres(database: &Database) -> Database {
    let restored = Database::empty_postgres().expect("there was one for this database");
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
        &["--format=custom", "--dbname", &database.address, "--file"],
    );
    run(
        "pg_restore",
        &["--exit-on-error", "--dbname", &restored.address],
    );
    restored
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

/// A backup that is made while the service runs has all accounts, keys and charges up to then.
#[test]
fn backup_of_a_running_service_restores_it() {
    on_each_database(|database| {
        let service = Service::on(database);
        let holder = service.account("site", "free");
        assert_eq!(
            service.send(&Call::parse(&holder.key, one_title())).status,
            200
        );
        // leases that are out count as used in a backup: none is
        assert_eq!(service.charged(&holder), 1);
        let restored = restored(database);
        let later = service.account("later", "free");
        service.stop();

        let service = Service::on(&restored);
        assert_eq!(service.charged(&holder), 1, "{}", database.kind);
        assert_eq!(
            service.send(&Call::parse(&holder.key, one_title())).status,
            200
        );
        assert_eq!(service.charged(&holder), 2, "{}", database.kind);
        // what came after the backup is not in it
        assert_eq!(
            service.send(&Call::parse(&later.key, one_title())).code(),
            "invalid_key"
        );
        service.stop();
    });
}
