//! Section 4.6: the daily export.

use crate::client::Call;
use crate::few_sets;
use crate::support::{Database, Holder, Service, on_each_database};
use flate2::read::GzDecoder;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, Instant};
use titledex_server::catalogue::Reader;
use titledex_server::clock::Moment;
use titledex_server::config::Settings;
use titledex_server::market::export::storage::Storage;
use titledex_server::market::load::{Cells, Import, Kind};
use titledex_server::market::seed_store::seed_store;
use titledex_server::store::Store;
use tokio::runtime::Runtime;

/// 05:59 UTC of some day, in milliseconds.
pub(crate) const BEFORE_SIX: i64 = 20_001 * 86_400_000 + 6 * 3_600_000 - 60_000;
pub(crate) const MINUTE: i64 = 60_000;
/// The columns that the specification gives each dataset.
pub(crate) const COLUMNS: &[(&str, &str)] = &[
    (
        "cards",
        "marketplaceId,name,setName,setId,cardNumber,rarity,language,printing,marketPrice,lowPrice,sellers,lastPriceUpdate",
    ),
    (
        "sealed",
        "marketplaceId,name,setName,setId,productType,language,marketPrice,lowPrice,sellers,lastPriceUpdate",
    ),
    (
        "auction",
        "marketplaceId,grade,salesCount,averagePrice,medianPrice,smartMarketPrice,smartMarketConfidence,marketPrice7Day,marketTrend,\
         salesVelocityWeekly",
    ),
    (
        "population",
        "marketplaceId,grader,totalPopulation,gemRate,g1,g2,g3,g4,g5,g6,g7,g8,g9,g9_5,g10,auth,qualifiers,pristine,perfect,matchConfidence",
    ),
];
pub(crate) const DAY: i64 = 86_400_000;

/// A store with some prices, sales' worth of products and populations.
pub(crate) fn stock(database: &Database) {
    Runtime::new()
        .expect("a runtime can be made")
        .block_on(async {
            let store = Store::open(&database.address).await.expect("it opens");
            let few = Reader::open(Some(few_sets::index()), &[]).expect("it opens");
            seed_store(&store, &few.now())
                .await
                .expect("it can be filled");
            let files: [(Kind, &[&str]); 3] = [
                (
                    Kind::Prices,
                    &["base1-4:unlimited-holofoil|2024-10-03|300.50|250|12"],
                ),
                (
                    Kind::Sealed,
                    &["own:box|Box, \"sealed\"|||Booster Box|english|120|110.05|5|2024-10-03"],
                ),
                (
                    Kind::Population,
                    &["base1-4:unlimited-holofoil|GRADER_B|||||||||||||||||||8||1|||||high"],
                ),
            ];
            for (kind, rows) in files {
                let mut import = Import::begin(&store, kind, BEFORE_SIX, None)
                    .await
                    .expect("it begins");
                for (row, number) in rows.iter().zip(2..) {
                    let mut cells: Vec<&[u8]> = row.split('|').map(str::as_bytes).collect();
                    cells.resize(kind.columns().len(), b"");
                    import.row(
                        number,
                        &Cells {
                            columns: kind.columns(),
                            cells: &cells,
                        },
                    );
                }
                assert_eq!(import.finish(false).await.expect("it ends").errors, []);
            }
            store.close().await;
        });
}

pub(crate) fn with_exports(folder: &Path) -> impl Fn(&mut Settings) {
    let folder = folder.to_owned();
    move |settings| {
        settings.exports.storage.folder.clone_from(&folder);
        settings.exports.daily = true;
    }
}

pub(crate) fn ask(holder: &Holder, query: &str) -> Call {
    Call::new("GET", format!("/api/v2/export{query}")).key(&holder.key)
}

/// Waits until the export answers otherwise than 503, which is not counted.
fn until_made(service: &Service, holder: &Holder, query: &str) -> crate::client::Reply {
    let began = Instant::now();
    loop {
        let reply = service.send(&ask(holder, query));
        if reply.status != 503 {
            return reply;
        }
        assert!(
            began.elapsed() < Duration::from_secs(120),
            "it is never made"
        );
        std::thread::sleep(Duration::from_millis(50));
    }
}

pub(crate) fn unpacked(bytes: &[u8]) -> String {
    let mut text = String::new();
    GzDecoder::new(bytes)
        .read_to_string(&mut text)
        .expect("it is gzip of UTF-8");
    text
}

/// Regenerated at 06:00 UTC; 503 before the first, not counted; 302 with its headers; two a day,
/// whole again at midnight.
#[test]
fn export_is_made_at_six_and_fetched_twice() {
    on_each_database(|database| {
        stock(database);
        let folder = tempfile::tempdir().expect("a folder can be made");
        let service = Service::with(database, with_exports(folder.path()));
        service.clock.set(Moment::from_millis(BEFORE_SIX));
        let holder = service.account("site", "business");
        let early = service.send(&ask(&holder, ""));
        assert_eq!(
            (
                early.status,
                early.code().as_str(),
                early.header("retry-after")
            ),
            (503, "export_not_ready", Some("3600"))
        );
        service.clock.set(Moment::from_millis(BEFORE_SIX + MINUTE));
        let first = until_made(&service, &holder, "?type=population");
        assert_eq!((first.status, first.body.len()), (302, 0), "{first:?}");
        assert_eq!(first.header("x-export-downloads-remaining"), Some("1"));
        assert_eq!(
            first.header("x-export-reset-at"),
            Some("2024-10-06T00:00:00Z")
        );
        assert_eq!(
            first.header("x-dump-generated-at"),
            Some("2024-10-05T06:00:00Z")
        );
        assert_eq!(first.header("x-ratelimit-cost"), Some("0"));
        let location = first
            .header("location")
            .expect("it leads somewhere")
            .to_owned();
        // it is whole, and asking for its head takes no download
        assert!(
            location.starts_with("http://localhost/exports/"),
            "{location}"
        );
        let mut head = ask(&holder, "?type=population");
        head.method = "HEAD";
        let mut calls = first.number("x-ratelimit-minute-remaining");
        for _ in 0..3 {
            let head = service.send(&head);
            assert_eq!(
                (
                    head.status,
                    head.header("x-export-downloads-remaining"),
                    head.header("location")
                ),
                (302, Some("1"), None)
            );
            // but each is a call of the minute
            calls -= 1;
            assert_eq!(head.number("x-ratelimit-minute-remaining"), calls);
            assert_eq!(head.number("x-ratelimit-cost"), 0);
        }
        let file = service.send(&Call::new("GET", location.clone()));
        assert_eq!(
            (file.status, file.header("content-type")),
            (200, Some("application/gzip"))
        );
        assert_eq!(
            unpacked(&file.body),
            "marketplaceId,grader,totalPopulation,gemRate,g1,g2,g3,g4,g5,g6,g7,g8,g9,g9_5,g10,auth,qualifiers,pristine,perfect,\
             matchConfidence\r\nbase1-4:unlimited-holofoil,GRADER_B,9,11.1111,,,,,,,,,8,,1,,,,,high\r\n"
        );
        let second = service.send(&ask(&holder, ""));
        assert_eq!(
            (second.status, second.header("x-export-downloads-remaining")),
            (302, Some("0"))
        );
        let cards = unpacked(
            &service
                .send(&Call::new(
                    "GET",
                    second.header("location").expect("it leads somewhere"),
                ))
                .body,
        );
        assert!(cards.starts_with(
            "marketplaceId,name,setName,setId,cardNumber,rarity,language,printing,marketPrice,lowPrice,sellers,lastPriceUpdate\r\n"
        ));
        assert!(cards.contains(
            "\r\nbase1-4:unlimited-holofoil,Charizard,Base Set,base1,4/102,Rare,english,Unlimited Holofoil,300.5,250,12,2024-10-03T00:00:00Z\r\n"
        ));
        let third = service.send(&ask(&holder, ""));
        assert_eq!(
            (third.status, third.code().as_str()),
            (429, "download_limit")
        );
        assert_eq!(third.number("retry-after"), 18 * 3600);
        // and HEAD has the status of GET
        let late = service.send(&head);
        assert_eq!((late.status, late.number("retry-after")), (429, 18 * 3600));
        // an address holds for its file, for a while
        assert_eq!(
            service
                .send(&Call::new("GET", location.replace("population", "cards")))
                .code(),
            "wrong_signature"
        );
        service
            .clock
            .set(Moment::from_millis(BEFORE_SIX + 17 * MINUTE));
        assert_eq!(
            service.send(&Call::new("GET", location)).code(),
            "wrong_signature"
        );
        // the next day has downloads again, of the same files until six
        service
            .clock
            .set(Moment::from_millis(BEFORE_SIX + DAY - 60 * MINUTE));
        let next = service.send(&ask(&holder, "?type=sealed"));
        assert_eq!(
            (next.status, next.header("x-dump-generated-at")),
            (302, Some("2024-10-05T06:00:00Z"))
        );
        let sealed = unpacked(
            &service
                .send(&Call::new(
                    "GET",
                    next.header("location").expect("it leads somewhere"),
                ))
                .body,
        );
        assert!(
            sealed.ends_with("\r\nown:box,\"Box, \"\"sealed\"\"\",,,Booster Box,english,120,110.05,5,2024-10-03T00:00:00Z\r\n"),
            "{sealed}"
        );
        assert_eq!(service.charged(&holder), 0);
        service.stop();
    });
}

/// Free and API have no export; an unknown dataset is named in the error.
#[test]
fn plan_decides_who_may_export() {
    let (service, _database) = Service::start();
    for plan in ["free", "api"] {
        let holder = service.account(plan, plan);
        let reply = service.send(&ask(&holder, ""));
        assert_eq!(
            (reply.status, reply.code().as_str()),
            (403, "plan_too_small")
        );
        let named = reply
            .text()
            .contains("take the plan business or enterprise");
        assert!(named, "{reply:?}");
    }
    let holder = service.account("site", "business");
    let reply = service.send(&ask(&holder, "?type=prices"));
    assert_eq!(
        (reply.status, reply.code().as_str()),
        (400, "invalid_value")
    );
    assert_eq!(
        service.send(&ask(&holder, "?Type=cards")).code(),
        "unknown_parameter"
    );
    for path in [
        "/exports/cards-5.csv.gz",
        "/exports/cards-5.csv.gz?expires=9999999999&signature=00",
        "/exports/..%2fx?expires=1&signature=1",
    ] {
        assert_eq!(
            service.send(&Call::new("GET", path)).code(),
            "wrong_signature",
            "{path}"
        );
    }
    service.stop();
}

/// Of two servers on one database one makes the day's files, and both lead to them.
#[test]
fn one_of_two_servers_makes_the_export() {
    on_each_database(|database| {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let first = Service::with(database, with_exports(folder.path()));
        let second = Service::with(database, with_exports(folder.path()));
        let holder = first.account("site", "business");
        for service in [&first, &second] {
            service
                .clock
                .set(Moment::from_millis(BEFORE_SIX + DAY + MINUTE));
        }
        assert_eq!(until_made(&first, &holder, "?type=population").status, 302);
        let reply = until_made(&second, &holder, "?type=population");
        assert_eq!(reply.status, 302);
        let location = reply.header("location").expect("it leads somewhere");
        assert_eq!(first.send(&Call::new("GET", location)).status, 200);
        let made: Vec<_> = std::fs::read_dir(folder.path())
            .expect("it is there")
            .map(|file| file.and_then(|file| file.metadata()).expect("it is there"))
            .collect();
        assert_eq!(made.len(), 4);
        // whatever the umask
        for file in made {
            assert_eq!(file.permissions().mode() & 0o777, 0o600);
        }
        first.stop();
        second.stop();
    });
}

pub(crate) fn address_of(storage: &Storage, file: &str, now: Moment) -> String {
    storage.address(file, now).expect("there is chance").0
}

pub(crate) fn is_made(service: &Service, dataset: &str, at: i64) -> bool {
    let row = service
        .runtime()
        .block_on(service.server().app.store.export(dataset))
        .expect("it answers");
    row.is_some_and(|row| row.generated == at)
}
