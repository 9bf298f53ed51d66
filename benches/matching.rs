//! The whole of it: a title in, a ranked answer out, on the embedded catalogue.

mod titles;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use std::time::{Duration, Instant};
use titledex::internals::Stage;
use titledex::{Engine, Options, Scratch};

fn engine() -> Engine {
    let catalogue = titledex_embedded::catalogue().expect("the embedded catalogue opens");
    Engine::new(catalogue)
}

/// Passes over the titles; a title's time is the least of them.
const PASSES: usize = 5;

/// Prints the spread over titles of what `work` takes: the batch below has the mean, and a few long
/// titles pull it up.
fn spread(name: &str, titles: &titles::Titles, mut work: impl FnMut(&str)) {
    let mut times = vec![Duration::MAX; titles.titles.len()];
    for _ in 0..PASSES {
        for (title, least) in titles.titles.iter().zip(&mut times) {
            let start = Instant::now();
            work(black_box(title));
            *least = start.elapsed().min(*least);
        }
    }
    times.sort_unstable();
    let at = |share: usize| times[(times.len() - 1) * share / 100].as_secs_f64() * 1e6;
    let mean = times.iter().sum::<Duration>().as_secs_f64() * 1e6 / times.len() as f64;
    println!(
        "{name}, {} {}: median {:.1} µs, 90 % within {:.1} µs, 99 % within {:.1} µs, longest {:.1} µs, mean {mean:.1} µs",
        times.len(),
        titles.source,
        at(50),
        at(90),
        at(99),
        at(100)
    );
}

/// The spread of parsing, of matching, and of all that a user of the command pays for.
fn spreads(engine: &Engine, titles: &titles::Titles, options: &Options) {
    let mut scratch = Scratch::default();
    let mut json: Vec<u8> = Vec::new();
    spread("parse", titles, |title| {
        engine.run_to(&mut scratch, title, options, Stage::Read)
    });
    spread("parse + match", titles, |title| {
        drop(black_box(engine.answer_with(&mut scratch, title, options)))
    });
    spread("parse + match + JSON", titles, |title| {
        json.clear();
        engine
            .answer_with(&mut scratch, title, options)
            .write_json(&mut json);
        black_box(&json);
    });
}

fn whole(criterion: &mut Criterion) {
    let titles = titles::load();
    let engine = engine();
    let options = Options::default();
    spreads(&engine, &titles, &options);

    let mut group = criterion.benchmark_group(format!("answers to {}", titles.source));
    group.sample_size(20);
    let mut scratch = Scratch::default();
    let mut at = 0;
    // one title after another of all of them: criterion's median is that of a title
    group.bench_function("one title", |bencher| {
        bencher.iter_batched(
            || {
                at = (at + 1) % titles.titles.len();
                titles.titles[at].as_str()
            },
            |title| engine.answer_with(&mut scratch, black_box(title), &options),
            BatchSize::SmallInput,
        );
    });
    group.throughput(Throughput::ElementsAndBytes {
        elements: titles.titles.len() as u64,
        bytes: titles.bytes(),
    });
    let exact = Options::new().fuzzy(false);
    for (name, options) in [
        ("all titles", &options),
        ("all titles, no fuzzy names", &exact),
    ] {
        let mut scratch = Scratch::default();
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                for title in &titles.titles {
                    black_box(engine.answer_with(&mut scratch, black_box(title), options));
                }
            });
        });
    }
    group.finish();
}

criterion_group!(benches, whole);
criterion_main!(benches);
