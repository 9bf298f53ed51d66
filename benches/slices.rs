//! Times parsing and matching by venue, script, length and cost. The costliest titles are printed,
//! to the terminal only.

mod titles;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::{Duration, Instant};
use titledex::internals::Stage;
use titledex::{Engine, Options, Scratch};

/// Slices with fewer titles say little.
const FEWEST: usize = 20;
/// Titles measured of a larger slice, spread evenly over it.
const MOST: usize = 400;
/// Runs of each title; the least time counts.
const RUNS: usize = 5;

/// The script of most letters that are not Latin; Latin if all are.
fn script(title: &str) -> &'static str {
    let mut counts = [("kana or kanji", 0), ("hangul", 0), ("other", 0)];
    for c in title.chars() {
        match c {
            '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ff66}'..='\u{ff9f}' => {
                counts[0].1 += 1
            }
            '\u{ac00}'..='\u{d7a3}' => counts[1].1 += 1,
            _ if c.is_alphabetic()
                && c as u32 > 0x24f
                && !('\u{ff00}'..='\u{ff5f}').contains(&c) =>
            {
                counts[2].1 += 1
            }
            _ => {}
        }
    }
    counts
        .iter()
        .max_by_key(|(_, count)| *count)
        .filter(|(_, count)| *count > 0)
        .map_or("latin", |(name, _)| name)
}

fn length(title: &str) -> &'static str {
    match title.len() {
        ..24 => "under 24 bytes",
        24..48 => "24 to 47 bytes",
        48..72 => "48 to 71 bytes",
        72..96 => "72 to 95 bytes",
        _ => "96 bytes and more",
    }
}

/// The least time of `work` on each title.
fn times(titles: &[String], mut work: impl FnMut(&str)) -> Vec<Duration> {
    let mut least = vec![Duration::MAX; titles.len()];
    for _ in 0..RUNS {
        for (title, least) in titles.iter().zip(&mut least) {
            let start = Instant::now();
            work(black_box(title));
            *least = start.elapsed().min(*least);
        }
    }
    least
}

/// Microseconds: the median, and what 99 % are within.
fn spread(part: &[usize], times: &[Duration]) -> String {
    let mut sorted: Vec<f64> = part
        .iter()
        .map(|&at| times[at].as_secs_f64() * 1e6)
        .collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let at = |share: usize| sorted[(sorted.len() - 1) * share / 100];
    format!("{:.1} | {:.1}", at(50), at(99))
}

fn slices(criterion: &mut Criterion) {
    let titles = titles::load();
    let engine = Engine::new(titledex_embedded::catalogue().expect("the embedded catalogue opens"));
    let options = Options::default();
    let mut scratch = Scratch::default();
    let parsing = times(&titles.titles, |title| {
        engine.run_to(&mut scratch, title, &options, Stage::Read)
    });
    let times = times(&titles.titles, |title| {
        drop(black_box(engine.answer_with(&mut scratch, title, &options)))
    });
    let mut order: Vec<usize> = (0..times.len()).collect();
    order.sort_by_key(|&at| times[at]);
    let worst = order.len() - order.len().div_ceil(100);
    println!(
        "the costliest 1 % of {} {}, in ascending order:",
        order.len(),
        titles.source
    );
    for &at in &order[worst..] {
        println!(
            "{:9.1} µs  {}",
            times[at].as_secs_f64() * 1e6,
            titles.titles[at]
        );
    }

    let mut parts: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
    for (rank, &at) in order.iter().enumerate() {
        let (title, venue) = (titles.titles[at].as_str(), titles.venues[at].as_str());
        let hostility = if rank >= worst {
            "costliest 1 %"
        } else if rank * 10 >= order.len() * 9 {
            "costliest 10 %, without the first 1 %"
        } else {
            "the other 90 %"
        };
        for slice in [
            ("venue", venue),
            ("script", script(title)),
            ("length", length(title)),
            ("hostility", hostility),
        ] {
            parts.entry(slice).or_default().push(at);
        }
    }
    parts.retain(|_, part| part.len() >= FEWEST);
    println!(
        "\n| µs a title | titles | parse, median | 99 % | match, median | 99 % |\n|---|---:|---:|---:|---:|---:|"
    );
    for ((kind, name), part) in &parts {
        println!(
            "| {kind}: {name} | {} | {} | {} |",
            part.len(),
            spread(part, &parsing),
            spread(part, &times)
        );
    }

    let mut group = criterion.benchmark_group(format!("slices of {}", titles.source));
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(1))
        .warm_up_time(Duration::from_millis(300));
    for ((kind, name), part) in parts {
        let part: Vec<&str> = part
            .iter()
            .map(|&at| titles.titles[at].as_str())
            .step_by(part.len().div_ceil(MOST))
            .collect();
        let bytes = part.iter().map(|title| title.len() as u64).sum();
        group.throughput(Throughput::ElementsAndBytes {
            elements: part.len() as u64,
            bytes,
        });
        group.bench_function(
            BenchmarkId::new(format!("parse, {kind}"), name),
            |bencher| {
                bencher.iter(|| {
                    part.iter().for_each(|title| {
                        engine.run_to(&mut scratch, black_box(title), &options, Stage::Read)
                    })
                });
            },
        );
        group.bench_function(
            BenchmarkId::new(format!("match, {kind}"), name),
            |bencher| {
                bencher.iter(|| {
                    for title in &part {
                        black_box(engine.answer_with(&mut scratch, black_box(title), &options));
                    }
                });
            },
        );
    }
    group.finish();
}

criterion_group!(benches, slices);
criterion_main!(benches);
