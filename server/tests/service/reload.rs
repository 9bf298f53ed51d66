//! A catalogue that is replaced while requests run: none is dropped, an invalid one is refused, and
//! an old one leaves no memory behind.

use crate::client::Call;
use crate::support::{Holder, Service, TITLE, one_title};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use tempfile::TempDir;
use titledex::internals::build::{self, input, rows::Rows};

/// An index of the eleven cards of `fixtures/catalogue-small`, under a name.
fn index(name: &str) -> Vec<u8> {
    index_with(name, "")
}

/// The same with these further lines of cards.
fn index_with(name: &str, more: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/catalogue-small");
    let read = |file: &str| std::fs::read(folder.join(file)).expect("the fixture is there");
    let mut rows = Rows::default();
    let cards = [read("cards.jsonl"), more.into()].concat();
    input::jsonl_cards("cards.jsonl", &cards, &mut rows).expect("the cards are well formed");
    input::jsonl_sets("sets.jsonl", &read("sets.jsonl"), &mut rows)
        .expect("the sets are well formed");
    build::build(&rows, name).expect("the index is built")
}

/// Puts a file in the place of another, as one writes catalogues that are in use.
fn put(bytes: &[u8], at: &Path) {
    let beside = at.with_extension("new");
    std::fs::write(&beside, bytes).expect("it can be written");
    std::fs::rename(&beside, at).expect("it can be moved");
}

fn start(
    folder: &TempDir,
) -> (
    Service,
    crate::support::Database,
    Holder,
    std::path::PathBuf,
) {
    let file = folder.path().join("cards.index");
    put(&index("first"), &file);
    let database = crate::support::Database::sqlite();
    let service = Service::with(&database, |settings| {
        settings.catalogue = Some(file.clone());
        settings.games = Vec::new();
        let plans = "[plans.free]\ndaily-credits = 1000000\nminute-calls = 1000000\n";
        settings.plans = titledex_server::config::Settings::parse(plans)
            .expect("it is right")
            .plans;
    });
    let holder = service.account("site", "free");
    (service, database, holder, file)
}

fn reload(service: &Service) -> (u16, Value) {
    let reply = service.ask("POST", "/catalogue/reload", &Value::Null);
    (reply.status, reply.json())
}

/// The previous catalogue is freed with the last request that reads with it, even an unread stream.
#[test]
fn replaced_catalogue_is_freed() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let (service, _database, holder, file) = start(&folder);
    assert_eq!(
        service.send(&Call::parse(&holder.key, one_title())).status,
        200
    );
    let old = Arc::downgrade(&service.server().app.reader.now());
    assert_eq!(
        reload(&service),
        (
            200,
            json!({"data": {"catalogueVersion": old.upgrade().expect("it is in use").version, "changed": false}})
        )
    );
    put(&index("second"), &file);
    let held = service.server().app.reader.now();
    assert_eq!(reload(&service).1["data"]["changed"], true);
    assert!(old.upgrade().is_some_and(|old| old.version == held.version));
    // a request that began before goes on with what it has
    assert!(
        !held
            .answer(TITLE, &titledex::Options::new())
            .matches
            .is_empty()
    );
    drop(held);
    assert!(old.upgrade().is_none());
    let version =
        service.send(&Call::parse(&holder.key, one_title())).json()["metadata"]["catalogueVersion"]
            .to_string();
    assert!(version.contains("second"), "{version}");
}

/// The document states the games of the catalogue that is open, not of the first.
#[test]
fn document_follows_the_games() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let (service, _database, _holder, file) = start(&folder);
    let games = || {
        let document = service.send(&Call::new("GET", "/openapi.json")).json();
        let parameters = &document["paths"]["/api/v2/sets"]["get"]["parameters"];
        let mut parameters = parameters.as_array().expect("there are some").iter();
        let game = parameters.find(|parameter| parameter["name"] == "game");
        game.expect("it is one")["schema"]["pattern"].to_string()
    };
    let before = games();
    assert!(before.contains("pokemon") && !before.contains("lorcana"));
    let card = r#"{"id":"lorcana:1-1","game":"lorcana","set":"lorcana:1","number":"1","names":{"en":"Ariel"}}"#;
    put(&index_with("second", card), &file);
    assert_eq!(reload(&service).1["data"]["changed"], true);
    let since = games();
    assert!(
        since.contains("pokemon") && since.contains("lorcana"),
        "{since}"
    );
    assert_eq!(games(), since);
}

/// A damaged file, or one that is not an index, is refused, and the open catalogue stays.
#[test]
fn invalid_catalogue_is_refused() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let (service, _database, holder, file) = start(&folder);
    let first = service.server().app.reader.now().version.clone();
    let mut damaged = index("second");
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    let short = index("second")[..100].to_vec();
    for bytes in [damaged, short, b"no index".to_vec(), Vec::new()] {
        put(&bytes, &file);
        let (status, said) = reload(&service);
        assert_eq!(
            (status, &said["error"]["code"]),
            (409, &json!("catalogue_refused"))
        );
    }
    std::fs::remove_file(&file).expect("it is there");
    assert_eq!(reload(&service).0, 409);
    let reply = service.send(&Call::parse(&holder.key, one_title()));
    assert_eq!(
        (reply.status, &reply.json()["metadata"]["catalogueVersion"]),
        (200, &json!(first))
    );
}

/// Under load: each request is answered with one catalogue or the other, and of all that were
/// loaded one stays.
#[test]
fn reload_drops_no_request() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let (service, _database, holder, file) = start(&folder);
    let (stop, answered, failed) = (AtomicBool::new(false), AtomicU64::new(0), AtomicU64::new(0));
    let indexes = [index("first"), index("second")];
    let mut seen = Vec::new();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while !stop.load(Ordering::SeqCst) {
                    let reply = service.send(&Call::parse(&holder.key, one_title()));
                    let version = reply.json()["metadata"]["catalogueVersion"]
                        .as_str()
                        .map(str::to_owned)
                        .unwrap_or_default();
                    let right = reply.status == 200
                        && (version.starts_with("first-") || version.starts_with("second-"));
                    if right { &answered } else { &failed }.fetch_add(1, Ordering::SeqCst);
                }
            });
        }
        for at in 1..=40 {
            let before = answered.load(Ordering::SeqCst);
            put(&indexes[at % 2], &file);
            seen.push(Arc::downgrade(&service.server().app.reader.now()));
            assert_eq!(reload(&service).1["data"]["changed"], true);
            while answered.load(Ordering::SeqCst) < before + 8 && failed.load(Ordering::SeqCst) == 0
            {
                std::thread::yield_now();
            }
        }
        stop.store(true, Ordering::SeqCst);
    });
    assert_eq!(failed.load(Ordering::SeqCst), 0);
    assert_eq!(seen.iter().filter(|old| old.upgrade().is_some()).count(), 0);
}
