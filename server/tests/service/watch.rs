//! The watched folder, the export at six, and how fresh the market is, by a clock that is moved.

use crate::client::Call;
use crate::intake::{imports, stock};
use crate::support::{NOON, Service, on_each_database};
use crate::watched::{metrics, value};
use flate2::read::GzDecoder;
use serde_json::{Value, json};
use std::fs;
use std::io::Read;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use titledex_server::clock::Moment;
use titledex_server::config::Settings;

const PRICES: &str = "marketplaceId,date,marketPrice\nown-7:holo,2024-10-03,12.50\n";
const SECOND: i64 = 1_000;
const HOUR: i64 = 3_600 * SECOND;

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder can be made")
}

fn watching(folder: &Path) -> impl Fn(&mut Settings) {
    let folder = folder.to_owned();
    move |settings| settings.imports.watch = Some(folder.clone())
}

/// Writes a file, which the service sees once it is whole: the clock stands, so that a file which
/// was seen half written would never be complete.
fn write(folder: &Path, name: &str, text: &str) {
    let unseen = folder.join(format!(".{name}"));
    fs::write(&unseen, text).expect("writable");
    fs::rename(unseen, folder.join(name)).expect("writable");
}

/// Waits until `is` holds, which it does after the next looks at the folder.
fn until(what: &str, is: impl Fn() -> bool) {
    let began = Instant::now();
    while !is() {
        assert!(began.elapsed() < Duration::from_secs(120), "never: {what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Waits until the service has seen so many files that it has not imported yet. The time that they
/// must be unchanged counts from then, and none that it had before is counted any more.
fn until_waiting(service: &Service, files: u32) {
    until(&format!("{files} files wait"), || {
        metric(service, "titledex_watched_files_waiting") == f64::from(files)
    });
}

/// The value of a metric.
fn metric(service: &Service, name: &str) -> f64 {
    let value = value(&metrics(service), name);
    value.parse().expect("it is a number")
}

/// The names in a folder, sorted, without the moments in front.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .map(|entries| {
            entries
                .flatten()
                .map(|entry| entry.file_name().to_string_lossy().into_owned())
                .collect()
        })
        .unwrap_or_default();
    names.sort();
    names
}

fn pass(service: &Service, millis: i64) {
    let now = service.clock.now().millis();
    service.clock.set(Moment::from_millis(now + millis));
}

/// Files are imported once they are complete, in order, and moved with their reports; what cannot be
/// read goes to `failed` with the reason.
#[test]
fn files_of_the_folder_are_imported_in_order_with_reports() {
    on_each_database(|database| {
        let home = folder();
        let service = Service::with(database, watching(home.path()));
        stock(&service);
        write(
            home.path(),
            "sales-1.csv",
            "title,price,date,id\nGlitterzard PSA 9,10,2024-10-01,a1\n",
        );
        write(home.path(), "prices-2.csv", &PRICES.replace("12.50", "14"));
        write(
            home.path(),
            "prices-1.csv",
            &format!("{PRICES}own-9:holo,2024-10-03,1\n"),
        );
        write(
            home.path(),
            "cards-x.csv",
            "marketplaceId,name,setId,language\nown-9:holo,Dustzard,own,english\n",
        );
        write(home.path(), "prices-3.csv", "marketplaceId,date,colour\n");
        write(home.path(), "unknown.csv", "a\n");
        write(home.path(), "prices-4.csv.part", PRICES);
        until_waiting(&service, 6);
        assert_eq!(
            imports(&service).len(),
            1,
            "nothing is imported before it is complete"
        );
        pass(&service, 10 * SECOND);
        until("all are taken", || {
            names(home.path()) == ["done", "failed", "prices-4.csv.part"]
        });
        let made: Vec<String> = imports(&service)
            .into_iter()
            .rev()
            .map(|row| row.2)
            .collect();
        assert_eq!(
            made,
            [
                "upload",
                "cards-x.csv",
                "prices-1.csv",
                "prices-2.csv",
                "sales-1.csv"
            ]
        );
        let moment = "20241004T120020Z-";
        let with = |names: &[&str]| -> Vec<String> {
            names.iter().map(|name| format!("{moment}{name}")).collect()
        };
        assert_eq!(
            names(&home.path().join("done")),
            with(&[
                "cards-x.csv",
                "cards-x.csv.report.json",
                "prices-1.csv",
                "prices-1.csv.report.json",
                "prices-2.csv",
                "prices-2.csv.report.json",
                "sales-1.csv",
                "sales-1.csv.report.json",
            ])
        );
        assert_eq!(
            names(&home.path().join("failed")),
            with(&[
                "prices-3.csv",
                "prices-3.csv.report.json",
                "unknown.csv",
                "unknown.csv.report.json"
            ])
        );
        let report = |shelf: &str, name: &str| -> Value {
            let text = fs::read(
                home.path()
                    .join(shelf)
                    .join(format!("{moment}{name}.report.json")),
            );
            serde_json::from_slice(&text.expect("it is there")).expect("it is JSON")
        };
        let made = report("done", "prices-1.csv");
        assert_eq!(
            [&made["rows"], &made["right"], &made["outcome"]],
            [&json!(2), &json!(2), &json!("imported")],
            "{made}"
        );
        assert!(
            report("failed", "prices-3.csv")["reason"]
                .as_str()
                .is_some_and(|why| why.contains("colour"))
        );
        assert!(
            report("failed", "unknown.csv")["reason"]
                .as_str()
                .is_some_and(|why| why.contains("begin with its kind"))
        );
        // wrong rows are set aside beside the report, and a file without a right row has failed
        write(
            home.path(),
            "prices-5.csv",
            &format!("{PRICES}own-10:holo,2024-10-03,1\n"),
        );
        write(
            home.path(),
            "prices-6.csv",
            "marketplaceId,date,marketPrice\nown-10:holo,2024-10-03,1\n",
        );
        write(
            home.path(),
            "prices-7.csv",
            &PRICES.replace("12.50", &"-".repeat(1_000_000)),
        );
        until_waiting(&service, 3);
        pass(&service, 10 * SECOND);
        until("they are taken", || {
            names(home.path()) == ["done", "failed", "prices-4.csv.part"]
        });
        let aside = fs::read_to_string(
            home.path()
                .join("done/20241004T120030Z-prices-5.csv.rejected.csv"),
        );
        assert!(
            aside
                .expect("it is there")
                .contains("\n3,\"marketplaceId \"\"own-10:holo\"\" is not in the store")
        );
        for name in ["prices-6.csv", "prices-7.csv"] {
            assert!(
                home.path()
                    .join(format!("failed/20241004T120030Z-{name}.rejected.csv"))
                    .is_file(),
                "{name}"
            );
        }
        assert!(
            !names(&home.path().join("done"))
                .iter()
                .any(|name| name.starts_with('.'))
        );
        assert_eq!(metric(&service, "titledex_imports_total"), 6.0);
        until_waiting(&service, 0);
        service.stop();
    });
}

/// A process that dies between the commit of an import and the move of its file: the next one moves
/// the file, and does not import it again.
#[test]
fn file_is_imported_once_if_its_move_is_interrupted() {
    on_each_database(|database| {
        let home = folder();
        let service = Service::with(database, watching(home.path()));
        stock(&service);
        // the import is committed, and then its report has no place
        let report = home
            .path()
            .join("done/20241004T120020Z-prices-1.csv.report.json");
        fs::create_dir_all(&report).expect("writable");
        write(
            home.path(),
            "prices-1.csv",
            &format!("{PRICES}own-10:holo,2024-10-03,1\n"),
        );
        until_waiting(&service, 1);
        pass(&service, 10 * SECOND);
        until("it is imported", || imports(&service).len() == 2);
        until("it is stuck", || {
            metric(&service, "titledex_watched_files_stuck") == 1.0
        });
        assert!(metric(&service, "titledex_watched_folder_errors_total") > 0.0);
        assert!(home.path().join("prices-1.csv").is_file());
        let (now, admin) = (service.clock.now(), service.admin.clone());
        service.stop();
        fs::remove_dir(&report).expect("it is empty");
        let mut next = Service::with(database, watching(home.path()));
        next.admin = admin;
        next.clock.set(now);
        until_waiting(&next, 1);
        pass(&next, HOUR);
        until("it is moved", || !home.path().join("prices-1.csv").exists());
        let made = imports(&next);
        assert_eq!(made.len(), 2, "{made:?}");
        let done = names(&home.path().join("done"));
        assert_eq!(
            done,
            ["", ".rejected.csv", ".report.json"]
                .map(|end| format!("20241004T120020Z-prices-1.csv{end}")),
        );
        // the same rows in another file are another import, which changes nothing
        until_waiting(&next, 0);
        write(home.path(), "prices-1.csv", PRICES);
        until_waiting(&next, 1);
        pass(&next, HOUR);
        until("it is moved too", || {
            !home.path().join("prices-1.csv").exists()
        });
        until("it is imported", || imports(&next).len() == 3);
        next.stop();
    });
}

/// Two processes on one database and one folder import each file once.
#[test]
fn two_processes_share_a_folder() {
    on_each_database(|database| {
        let home = folder();
        let mut services = [
            Service::with(database, watching(home.path())),
            Service::with(database, watching(home.path())),
        ];
        services[1].admin = services[0].admin.clone();
        stock(&services[0]);
        for file in 0..6 {
            let text = PRICES.replace("12.50", &format!("{}", 20 + file));
            write(home.path(), &format!("prices-{file}.csv"), &text);
        }
        for service in &services {
            until_waiting(service, 6);
        }
        for service in &services {
            pass(service, 10 * SECOND);
        }
        until("all are taken", || names(home.path()) == ["done"]);
        let mut made: Vec<String> = imports(&services[0]).into_iter().map(|row| row.2).collect();
        made.sort();
        let mut wanted: Vec<String> = (0..6).map(|file| format!("prices-{file}.csv")).collect();
        wanted.push("upload".to_owned());
        assert_eq!(made, wanted);
        assert_eq!(names(&home.path().join("done")).len(), 12);
        services.into_iter().for_each(Service::stop);
    });
}

/// Links are not followed, folders and pipes are left where they are, a huge file is refused, and a
/// missing folder does not stop the service.
#[test]
fn hostile_entries_and_a_missing_folder_are_reported() {
    let database = crate::support::Database::sqlite();
    let (home, secret) = (folder(), folder());
    let inbox = home.path().join("inbox");
    let service = Service::with(&database, |settings| {
        watching(&inbox)(settings);
        settings.imports.file_bytes = 1 << 20;
    });
    stock(&service);
    until("the missing folder is noticed", || {
        metric(&service, "titledex_watched_folder_errors_total") > 0.0
    });
    fs::create_dir(&inbox).expect("writable");
    write(secret.path(), "prices.csv", PRICES);
    symlink(
        secret.path().join("prices.csv"),
        inbox.join("prices-link.csv"),
    )
    .expect("writable");
    symlink("/dev/zero", inbox.join("prices-zero.csv")).expect("writable");
    fs::create_dir(inbox.join("prices-folder.csv")).expect("writable");
    let _pipe = std::os::unix::net::UnixListener::bind(inbox.join("prices-pipe.csv"));
    write(&inbox, "prices\u{1b}[31m.csv", PRICES);
    write(&inbox, "prices-huge.csv", &"x".repeat((1 << 20) + 1));
    write(&inbox, "prices-right.csv", PRICES);
    until_waiting(&service, 2);
    assert_eq!(metric(&service, "titledex_watched_files_stuck"), 5.0);
    pass(&service, 70 * SECOND);
    until("the right one is imported", || imports(&service).len() == 2);
    until("the huge one is refused", || {
        names(&inbox.join("failed")).len() == 2
    });
    // it moves once its import is kept
    until("the right one is done", || {
        names(&inbox.join("done")).len() == 2
    });
    let left = names(&inbox);
    assert_eq!(left.len(), 7, "{left:?}");
    assert!(
        inbox
            .join("prices-link.csv")
            .symlink_metadata()
            .is_ok_and(|link| link.is_symlink())
    );
    assert_eq!(
        fs::read_to_string(secret.path().join("prices.csv")).expect("readable"),
        PRICES
    );
    // a link in the place of `done` is not followed either
    fs::rename(inbox.join("done"), home.path().join("before")).expect("writable");
    symlink(secret.path(), inbox.join("done")).expect("writable");
    until_waiting(&service, 0);
    write(&inbox, "prices-last.csv", PRICES);
    until_waiting(&service, 1);
    pass(&service, 10 * SECOND);
    until("it is stuck", || {
        metric(&service, "titledex_watched_files_stuck") == 6.0
    });
    assert_eq!(imports(&service).len(), 2);
    assert_eq!(names(secret.path()), ["prices.csv"]);
    assert_eq!(service.send(&Call::new("GET", "/readyz")).status, 200);
    service.stop();
}

/// At six, what is complete in the folder is imported before the exports are made; then the figures
/// age with the clock.
#[test]
fn export_at_six_has_the_files_of_the_folder_and_ages() {
    on_each_database(|database| {
        let (home, exports) = (folder(), folder());
        let service = Service::with(database, |settings| {
            watching(home.path())(settings);
            settings.exports.storage.folder = exports.path().to_owned();
            settings.exports.daily = true;
        });
        let ready = || service.send(&Call::new("GET", "/readyz")).json()["market"].clone();
        assert_eq!(
            ready(),
            json!({"newestPriceDay": null, "exportAgeSeconds": null, "reviewQueueLength": 0})
        );
        assert!(metric(&service, "titledex_export_age_seconds").is_nan());
        stock(&service);
        write(home.path(), "prices-1.csv", PRICES);
        write(
            home.path(),
            "sales-1.csv",
            "title,price,date,id\nGlitterzard PSA 9,10,2024-10-01,a1\n",
        );
        until_waiting(&service, 2);
        // 06:00 of the next day
        let six = NOON - 10 * SECOND + 18 * HOUR;
        service.clock.set(Moment::from_millis(six));
        let export = || {
            let store = &service.server().app.store;
            let made = ["cards", "sealed", "auction", "population"].map(|dataset| {
                service
                    .runtime()
                    .block_on(store.export(dataset))
                    .expect("it answers")
            });
            made.into_iter().collect::<Option<Vec<_>>>()
        };
        until("the exports are made", || export().is_some());
        let cards = export().expect("they are made").swap_remove(0);
        assert_eq!(cards.generated, six);
        let mut text = String::new();
        GzDecoder::new(fs::File::open(exports.path().join(cards.file)).expect("it is there"))
            .read_to_string(&mut text)
            .expect("it is text");
        assert!(
            text.contains("own-7:holo,Glitterzard,Home Made,own,7/10,,english,Holo,12.5,"),
            "{text}"
        );
        assert_eq!(metric(&service, "titledex_export_age_seconds"), 0.0);
        until("readiness tells", || {
            ready()
                == json!({"newestPriceDay": "2024-10-03", "exportAgeSeconds": 0, "reviewQueueLength": 1})
        });
        let price = metric(&service, "titledex_market_newest_price_age_seconds");
        service.clock.set(Moment::from_millis(six + 5 * HOUR));
        assert_eq!(metric(&service, "titledex_export_age_seconds"), 18_000.0);
        assert_eq!(
            metric(&service, "titledex_market_newest_price_age_seconds"),
            price + 18_000.0
        );
        assert_eq!(metric(&service, "titledex_review_queue_length"), 1.0);
        assert_eq!(ready()["exportAgeSeconds"], 18_000);
        service.stop();
    });
}
