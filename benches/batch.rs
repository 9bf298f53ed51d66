//! Many titles at once, to JSON Lines in memory: on one core and on two.

mod titles;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;
use titledex::{Engine, Options, Scratch};

/// Titles that a thread takes at a time.
const CHUNK: usize = 64;

/// Answers all titles on `threads` threads; returns how many bytes of JSON came out.
fn answer_all(engine: &Engine, titles: &[String], threads: usize) -> usize {
    let next = AtomicUsize::new(0);
    let work = || {
        let (mut scratch, mut json, mut written) = (Scratch::default(), Vec::new(), 0);
        loop {
            let from = next.fetch_add(CHUNK, Ordering::Relaxed);
            let Some(chunk) = titles
                .get(from..titles.len().min(from + CHUNK))
                .filter(|chunk| !chunk.is_empty())
            else {
                return written;
            };
            json.clear();
            for title in chunk {
                let answer = engine.answer_with(&mut scratch, title, &Options::default());
                answer.write_json(&mut json);
                json.push(b'\n');
            }
            written += black_box(&json).len();
        }
    };
    thread::scope(|scope| {
        let all: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        all.into_iter()
            .map(|one| one.join().expect("no answer panics"))
            .sum()
    })
}

fn batch(criterion: &mut Criterion) {
    let titles = titles::load();
    let engine = Engine::new(titledex_embedded::catalogue().expect("the embedded catalogue opens"));
    let mut group = criterion.benchmark_group(format!("batch of {}", titles.source));
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(5));
    group.throughput(Throughput::ElementsAndBytes {
        elements: titles.titles.len() as u64,
        bytes: titles.bytes(),
    });
    for threads in [1, 2] {
        group.bench_function(BenchmarkId::new("threads", threads), |bencher| {
            bencher.iter(|| answer_all(&engine, &titles.titles, threads))
        });
    }
    group.finish();
}

criterion_group!(benches, batch);
criterion_main!(benches);
