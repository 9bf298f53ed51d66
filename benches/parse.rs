//! The stages before matching, over all titles: folding and cutting into tokens.

mod titles;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use titledex::normalise::{Normalised, normalise, normalise_into};
use titledex::token::{Line, tokenize_into};

fn stages(criterion: &mut Criterion) {
    let titles = titles::load();
    let mut group = criterion.benchmark_group(format!("stages of {}", titles.source));
    group.throughput(Throughput::ElementsAndBytes { elements: titles.titles.len() as u64, bytes: titles.bytes() });
    let mut normalised = Normalised::default();
    group.bench_function("normalise", |bencher| {
        bencher.iter(|| {
            for title in &titles.titles {
                normalise_into(black_box(title), &mut normalised);
                black_box(normalised.text());
            }
        });
    });
    let folded: Vec<Normalised> = titles.titles.iter().map(|title| normalise(title)).collect();
    let mut line = Line::default();
    group.bench_function("tokenize", |bencher| {
        bencher.iter(|| {
            for title in &folded {
                tokenize_into(black_box(title), &mut line);
                black_box(line.tokens());
            }
        });
    });
    group.finish();
}

criterion_group!(benches, stages);
criterion_main!(benches);
