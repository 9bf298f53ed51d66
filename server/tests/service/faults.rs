//! Lost replies, deleted files, and who may read what the service writes.

use crate::client::Call;
use crate::proxy::{self, Faults};
use crate::support::{Database, Service, on_each_database, one_title};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use titledex_server::clock::Moment;
use titledex_server::config::Settings;
use titledex_server::store::{Actor, GiveBack, LeaseRequest, Store};
use tokio::runtime::Runtime;

/// A give-back whose reply is lost is sent again and counted once.
#[test]
fn give_back_with_a_lost_reply_counts_once() {
    let Some(mut database) = Database::postgres() else {
        return;
    };
    let faults = Arc::new(Faults::default());
    database.address = proxy::open(&database.address, &faults);
    let service = Service::with(&database, |settings| {
        let plans = Settings::parse("[plans.free]\ndaily-credits = 1000\nminute-calls = 1000000\n");
        settings.plans = plans.expect("it is right").plans;
    });
    let holder = service.account("site", "free");
    let mut answered = 0;
    for round in 0..6 {
        // leases grow while requests follow each other at once
        for _ in 0..40 {
            let reply = service.send(&Call::parse(&holder.key, one_title()));
            answered += i64::from(reply.status == 200);
        }
        if round > 0 {
            faults.lose.store(1, Ordering::SeqCst);
            faults.delay.store(2, Ordering::SeqCst);
        }
        assert_eq!(service.charged(&holder), answered, "round {round}");
        faults.lose.store(0, Ordering::SeqCst);
    }
    assert_eq!(answered, 240);
    assert!(faults.lost.load(Ordering::SeqCst) > 0, "nothing was lost");
    service.stop();
}

/// The same, sent to the database itself.
#[test]
fn give_back_that_is_repeated_counts_once() {
    on_each_database(|database| {
        let runtime = Runtime::new().expect("a runtime can be made");
        runtime.block_on(async {
            let store = Store::open(&database.address).await.expect("it opens");
            let made = store
                .create_account("site", "free", Actor::Operator, Moment::from_millis(0))
                .await;
            let account = made.expect("it answers").expect("it is new").id;
            let request = LeaseRequest {
                account,
                meter: 2,
                day: 5,
                minute: 7_200,
                need: 100,
                want: 100,
                need_calls: 1,
                want_calls: 1,
                daily: 100,
                per_minute: 100,
                spent: 0,
            };
            let lease = store.lease(&request).await.expect("it answers");
            assert_eq!(lease.map(|lease| lease.credits), Some(100));
            let back = |process, number, credits| GiveBack {
                account,
                meter: 2,
                day: 5,
                minute: 7_200,
                credits,
                calls: 0,
                spent: 0,
                process,
                number,
            };
            for (back, left) in [
                (back(1, 1, 10), 90),
                (back(1, 1, 10), 90),
                (back(2, 1, 10), 80),
                (back(1, 3, 10), 70),
                (back(1, 2, 10), 70),
                (back(1, 3, 10), 70),
                (back(2, 1, 10), 70),
            ] {
                let row = store.give_back(&back).await.expect("it answers");
                assert_eq!((row.day, row.used), (5, left), "{back:?}");
            }
            store.forget_give_backs(5).await.expect("it answers");
            let row = store.give_back(&back(1, 3, 10)).await.expect("it answers");
            assert_eq!(row.used, 70, "numbers of that day are kept");
            store.close().await;
        });
    });
}

fn file_of(database: &Database) -> &Path {
    Path::new(database.address.trim_start_matches("sqlite:"))
}

/// A file that was deleted or replaced: what is written to it is lost, so nothing is.
#[test]
fn deleted_or_replaced_database_is_noticed() {
    for replace in [false, true] {
        let (service, database) = Service::start();
        let holder = service.account("site", "free");
        let ready = || service.send(&Call::new("GET", "/readyz"));
        assert_eq!(ready().status, 200);
        let copy = file_of(&database).with_extension("copy");
        std::fs::copy(file_of(&database), &copy).expect("it can be copied");
        std::fs::remove_file(file_of(&database)).expect("it is there");
        if replace {
            std::fs::rename(&copy, file_of(&database)).expect("it can be moved");
        }
        assert_eq!(ready().code(), "not_ready");
        let refused = service.send(&Call::parse(&holder.key, one_title()));
        assert_eq!(
            (refused.status, refused.code().as_str()),
            (503, "database_unavailable")
        );
        assert!(refused.number("retry-after") > 0);
        let made = service.ask(
            "POST",
            "/accounts",
            &serde_json::json!({"name": "late", "plan": "free"}),
        );
        assert_eq!(made.status, 503);
        assert_eq!(file_of(&database).exists(), replace, "it is not made anew");
        service.stop();
    }
}

fn mode(path: &Path) -> u32 {
    let file = std::fs::metadata(path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    file.permissions().mode() & 0o777
}

/// The tests run under the usual umask of 022, under which others would read these files.
#[test]
fn database_is_its_owners_alone() {
    let (service, database) = Service::start();
    service.account("site", "free");
    for file in ["", "-wal", "-shm"] {
        let path = format!("{}{file}", file_of(&database).display());
        assert_eq!(mode(Path::new(&path)), 0o600, "{path}");
    }
    service.stop();
}

/// No text that PostgreSQL cannot hold reaches it: there is no such card, and nothing failed.
#[test]
fn card_of_an_impossible_id_is_unknown() {
    on_each_database(|database| {
        let service = Service::on(database);
        let long = format!("/cards/{}", "x".repeat(5_000));
        for path in ["/cards/%00", "/cards/base1-4%00", "/cards/%0A", &long] {
            let reply = service.send(&Call::new("GET", path));
            assert_eq!((reply.status, reply.code().as_str()), (404, "not_found"));
        }
        assert_eq!(service.server().app.store.errors(), 0);
        service.stop();
    });
}
