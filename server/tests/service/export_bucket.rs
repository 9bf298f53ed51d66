//! The daily export in a bucket.

use crate::bucket::{self, Bucket, Mood};
use crate::export::{
    BEFORE_SIX, COLUMNS, DAY, MINUTE, address_of, ask, is_made, stock, unpacked, with_exports,
};
use crate::support::{Database, Service, on_each_database};
use std::time::{Duration, Instant};
use titledex_server::clock::Moment;
use titledex_server::config::Settings;
use titledex_server::market::export::storage::Storage;
use titledex_server::market::export::{Dataset, export};
use titledex_server::store::Store;
use tokio::runtime::Runtime;

/// The settings' word on a bucket, with the keys that the environment would have.
fn in_bucket(settings: &str) -> Settings {
    let keys = [
        ("AWS_ACCESS_KEY_ID", bucket::KEY),
        ("AWS_SECRET_ACCESS_KEY", bucket::SECRET),
    ];
    let key = |name: &str| {
        keys.iter()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| (*value).to_owned())
    };
    Settings::parse_in(settings, &key).expect("they are right")
}

/// With a bucket, files go there under names that are new, callers are led there, and the file
/// before stays for a day.
#[test]
fn exports_go_to_the_bucket_and_callers_are_redirected() {
    on_each_database(|database| {
        stock(database);
        let at_six = BEFORE_SIX + MINUTE;
        let bucket = Bucket::open(at_six);
        let folder = tempfile::tempdir().expect("a folder can be made");
        let service = Service::with(database, |settings| {
            with_exports(folder.path())(settings);
            settings.exports.storage.bucket = in_bucket(&bucket.settings()).exports.storage.bucket;
        });
        let holder = service.account("site", "business");
        let mut population = Vec::new();
        for day in 0..3 {
            let now = at_six + day * DAY;
            bucket.set(Mood::Right, now);
            service.clock.set(Moment::from_millis(now));
            let began = Instant::now();
            // the last of the four; to ask for it would count as a download
            while !is_made(&service, "population", now) {
                assert!(
                    began.elapsed() < Duration::from_secs(120),
                    "it is never made"
                );
                std::thread::sleep(Duration::from_millis(50));
            }
            let reply = service.send(&ask(&holder, "?type=population"));
            assert_eq!((reply.status, reply.body.len()), (302, 0), "{reply:?}");
            let location = reply
                .header("location")
                .expect("it leads somewhere")
                .to_owned();
            assert!(
                location.starts_with(&format!(
                    "http://{}/prices/daily/population-{now}.csv.gz?",
                    bucket.address
                )),
                "{location}"
            );
            population.push(format!("daily/population-{now}.csv.gz"));
            let (status, file) = bucket::fetch(&location);
            assert_eq!(status, 200);
            assert!(unpacked(&file).ends_with(
                "\r\nbase1-4:unlimited-holofoil,GRADER_B,9,11.1111,,,,,,,,,8,,1,,,,,high\r\n"
            ));
            for (dataset, columns) in COLUMNS {
                let address = address_of(
                    &service.server().app.exports,
                    &format!("{dataset}-{now}.csv.gz"),
                    Moment::from_millis(now),
                );
                let (status, file) = bucket::fetch(&address);
                assert_eq!(
                    (status, unpacked(&file).lines().next()),
                    (200, Some(*columns)),
                    "{dataset}"
                );
            }
            // the address is valid only for its file, and for a while
            assert_eq!(
                bucket::fetch(&location.replace("population", "cards")).0,
                403
            );
            bucket.set(Mood::Right, now + 15 * MINUTE);
            assert_eq!(bucket::fetch(&location).0, 403);
            bucket.set(Mood::Right, now);
        }
        let left: Vec<String> = bucket
            .names()
            .into_iter()
            .filter(|name| name.contains("population"))
            .collect();
        assert_eq!(left, population[1..]);
        assert_eq!(
            bucket
                .refused()
                .iter()
                .filter(|why| !why.starts_with("GET"))
                .count(),
            0,
            "{:?}",
            bucket.refused()
        );
        assert_eq!(
            std::fs::read_dir(folder.path())
                .expect("it is there")
                .count(),
            0
        );
        service.stop();
    });
}

/// A bucket that refuses, does not answer or is not there: the error is reported, and the previous
/// file stays in its place.
#[test]
fn failing_bucket_keeps_the_previous_file() {
    let (database, bucket) = (Database::sqlite(), Bucket::open(BEFORE_SIX));
    let folder = tempfile::tempdir().expect("a folder can be made");
    let mut settings = in_bucket(&bucket.settings());
    settings.exports.storage.folder = folder.path().to_owned();
    Runtime::new()
        .expect("a runtime can be made")
        .block_on(async {
            let store = Store::open(&database.address).await.expect("it opens");
            let storage = Storage::new(&settings.exports.storage, &store);
            let now = Moment::from_millis(BEFORE_SIX);
            let first = export(&store, &storage, Dataset::Sealed, now)
                .await
                .expect("it is made");
            let later = Moment::from_millis(BEFORE_SIX + DAY);
            for (mood, said) in [
                (Mood::ReadOnly, "403 Forbidden, AccessDenied: no"),
                (Mood::Silent, "did not answer within 1 seconds"),
            ] {
                bucket.set(mood, later.millis());
                let error = export(&store, &storage, Dataset::Sealed, later)
                    .await
                    .expect_err("it is not taken")
                    .to_string();
                assert!(
                    error.contains("s3://prices/daily/") && error.contains(said),
                    "{error}"
                );
            }
            let nowhere = bucket
                .settings()
                .replace(&bucket.address.to_string(), "127.0.0.1:1");
            settings.exports.storage.bucket = in_bucket(&nowhere).exports.storage.bucket;
            let unreachable = Storage::new(&settings.exports.storage, &store);
            let error = export(&store, &unreachable, Dataset::Sealed, later)
                .await
                .expect_err("the address does not answer")
                .to_string();
            assert!(
                error.contains("cannot be reached: check exports.endpoint"),
                "{error}"
            );
            assert_eq!((storage.failures(), unreachable.failures()), (2, 1));
            assert_eq!(
                store.export("sealed").await.expect("it answers"),
                Some(first.clone())
            );
            bucket.set(Mood::Right, BEFORE_SIX);
            assert_eq!(bucket.names(), [format!("daily/{}", first.file)]);
            assert_eq!(
                bucket::fetch(&address_of(&storage, &first.file, now)).0,
                200
            );
            assert_eq!(
                std::fs::read_dir(folder.path())
                    .expect("it is there")
                    .count(),
                0
            );
            store.close().await;
        });
}
