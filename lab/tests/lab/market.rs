//! `titledex-lab market synthetic`.

use crate::support::{run, small_index};
use flate2::read::GzDecoder;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

/// Invents a small market as files in `folder`.
fn invent(folder: &Path, seed: &str) {
    run(&[
        "market",
        "synthetic",
        "--seed",
        seed,
        "--days",
        "5",
        "--cards",
        "200",
        "--printings",
        "2",
        "--sales",
        "300",
        "--until",
        "2026-11-20",
        "--into",
        folder.to_str().expect("the path is UTF-8"),
    ])
    .ended(0);
}

#[test]
fn same_seed_gives_the_same_files() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [one, two, other] = ["one", "two", "other"].map(|name| folder.path().join(name));
    invent(&one, "1");
    invent(&two, "1");
    invent(&other, "2");
    for kind in ["cards", "sealed", "prices", "population", "sales"] {
        let read = |folder: &Path| {
            fs::read(folder.join(format!("synthetic_{kind}.csv.gz"))).expect("it was written")
        };
        assert_eq!(read(&one), read(&two), "{kind}");
        if kind == "prices" {
            assert_ne!(read(&one), read(&other));
        }
    }
}

#[test]
fn prices_are_marked_as_synthetic() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    invent(folder.path(), "1");
    let file = File::open(folder.path().join("synthetic_prices.csv.gz")).expect("it was written");
    let mut text = String::new();
    GzDecoder::new(file)
        .read_to_string(&mut text)
        .expect("it is text");
    assert!(text.lines().count() > 1_000);
    assert!(text.lines().skip(1).all(|line| line.contains("synthetic")));
}

#[test]
fn market_goes_into_the_store() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (database, config) = (format!("sqlite:{}", path("td.db")), path("td.toml"));
    // writing the whole catalogue takes seconds
    fs::write(&config, format!("catalogue = '{}'\n", small_index())).expect("writable");
    let ran = run(&[
        "market",
        "synthetic",
        "--seed",
        "1",
        "--days",
        "2",
        "--cards",
        "20",
        "--sales",
        "20",
        "--database",
        &database,
        "--config",
        &config,
    ])
    .ended(0);
    assert!(ran.out.contains("prices: "), "{}", ran.out);
}
