//! A disk that is full: nothing is answered uncharged, and the service says that it is not ready.
//!
//! A limit on the size of files stands for the disk: the log of SQLite cannot grow beyond it, which
//! fails a commit as a full disk does.

use super::{Call, Database, Process, TITLE, account, call, plan, server, used};
use serde_json::json;
use std::time::Duration;

/// Credits of the account's day.
const CREDITS: i64 = 1_000;

/// A service whose files hold at most this many bytes.
fn with_limit(database: &Database, bytes: u64, arguments: &[&str]) -> Process {
    let shell = format!("trap '' XFSZ; ulimit -f {}; exec \"$@\"", bytes / 512);
    Process::started(
        std::process::Command::new("sh")
            .args(["-c", &shell, "sh", env!("CARGO_BIN_EXE_titledex-server")])
            .args([
                "serve",
                "--listen",
                "127.0.0.1:0",
                "--games",
                "pokemon",
                "--database",
                &database.address,
            ])
            .args(arguments)
            .env_remove("RUST_LOG")
            .stderr(std::process::Stdio::null()),
    )
}

#[test]
fn full_disk_leaves_no_answer_uncharged() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let database = Database::sqlite();
    let plan = plan(folder.path(), CREDITS);
    let key = account(&database);
    let made = server()
        .args(["admin", "key", "create", "--admin", "filler"])
        .args(["--database", &database.address])
        .output()
        .expect("it runs");
    let made = String::from_utf8_lossy(&made.stdout).into_owned();
    let admin = made
        .split('"')
        .find(|part| part.starts_with("td_"))
        .unwrap_or_else(|| panic!("it prints a key: {made}"))
        .to_owned();
    let path = database.address.trim_start_matches("sqlite:");
    let size = std::fs::metadata(path).expect("it is there").len();
    let service = with_limit(&database, size + 8_192, &["--config", &plan]);
    let get = |path: &str| Call::new("GET", path.to_owned()).send(service.address);
    assert_eq!(call(&key).send(service.address).status, 200);
    assert_eq!(get("/readyz").status, 200);
    // accounts are made until nothing more can be written
    let mut accounts = 0..20_000;
    let mut fill = || {
        accounts.any(|at| {
            let name = format!("{at}-{}", "x".repeat(60));
            Call::new("POST", "/api/admin/accounts".to_owned())
                .key(&admin)
                .json(json!({"name": name, "plan": "free"}).to_string())
                .send(service.address)
                .status
                == 503
        })
    };
    // and once more: what is written after a commit that failed is not lost silently either
    assert!(fill() && fill(), "the disk is never full");
    let batch = json!({"titles": vec![TITLE; 50]}).to_string();
    let mut answered = 1;
    let mut refused = 0;
    for _ in 0..100 {
        let reply = Call::parse(&key, batch.clone()).send(service.address);
        if reply.status == 200 {
            answered += 50;
        } else if reply.code() == "daily_limit" {
            // where the log had room again after a checkpoint
            assert!(answered + 50 > CREDITS, "refused after {answered}");
        } else {
            let told = (reply.status, reply.code());
            assert_eq!(told, (503, "database_unavailable".to_owned()));
            assert!(reply.number("retry-after") > 0);
            refused += 1;
        }
    }
    assert!(refused > 0, "{answered} answered and none refused");
    // a checkpoint gives the log room again until the database itself is as large as it may be, and
    // what was written a moment ago counts as writable for a second
    let unready = (0..20).any(|_| {
        assert!(fill(), "the disk is no longer full");
        std::thread::sleep(Duration::from_millis(1_100));
        let ready = get("/readyz");
        ready.status == 503 && ready.code() == "not_ready"
    });
    assert!(unready, "a full disk is never told by /readyz");
    drop(service);
    let (charged, _) = used(&database);
    assert!(
        answered <= charged && charged <= CREDITS,
        "{answered} answered, {charged} charged of {CREDITS}"
    );
    // with room again all is as before
    let service = Process::start(&database, &["--config", &plan]);
    let ready = Call::new("GET", "/readyz".to_owned()).send(service.address);
    assert_eq!(ready.status, 200);
    assert_eq!(call(&key).send(service.address).status, 200);
}
