//! The work before the first title: opening an index, making an engine, and building an index.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::fs;
use std::hint::black_box;
use std::path::Path;
use titledex::Dictionary;
use titledex::internals::build::vocabulary::{self, Vocabulary};
use titledex::internals::build::{self, input};
use titledex::internals::dictionary::FILES;
use titledex::{Catalogue, Engine};

fn open(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("embedded catalogue");
    group.bench_function("open", |bencher| {
        bencher.iter(|| titledex_embedded::catalogue().expect("the embedded catalogue opens"));
    });
    let catalogue = titledex_embedded::catalogue().expect("the embedded catalogue opens");
    group.bench_function("engine", |bencher| {
        bencher.iter(|| Engine::new(black_box(catalogue.clone())));
    });
    group.throughput(Throughput::Bytes(titledex_embedded::INDEX.len() as u64));
    group.bench_function("open with checksum", |bencher| {
        bencher.iter(|| {
            Catalogue::open(black_box(titledex_embedded::INDEX))
                .expect("the embedded catalogue opens")
        });
    });
    group.finish();
}

/// The dictionaries load once in a process, at its first engine.
fn vocabulary(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("vocabulary");
    group.sample_size(20);
    group.bench_function("dictionaries", |bencher| {
        bencher.iter(|| Dictionary::load(black_box(FILES)).expect("the dictionaries load"))
    });
    group.bench_function("for building", |bencher| {
        bencher
            .iter(|| Vocabulary::load(black_box(vocabulary::FILES)).expect("the vocabulary loads"))
    });
    group.finish();
}

fn building(criterion: &mut Criterion) {
    let tables = Path::new(env!("CARGO_MANIFEST_DIR")).join("embedded/tables");
    let read = |file: &str| fs::read(tables.join(file)).expect("the tables are in the repository");
    let (cards, sets) = (read("cards.csv"), read("sets.csv"));
    let rows = input::tables(("cards.csv", &cards), ("sets.csv", &sets))
        .expect("the tables are well formed");
    let mut group = criterion.benchmark_group("building");
    group.sample_size(10);
    group.throughput(Throughput::Elements(rows.cards.len() as u64));
    group.bench_function("index", |bencher| {
        bencher.iter(|| build::build(black_box(&rows), "bench").expect("the index is built"))
    });
    group.bench_function("tables", |bencher| {
        bencher.iter(|| {
            input::tables(("cards.csv", black_box(&cards)), ("sets.csv", &sets))
                .expect("the tables are well formed")
        });
    });
    group.finish();
}

criterion_group!(benches, open, vocabulary, building);
criterion_main!(benches);
