//! The whole of it: a title in, a ranked answer out, on the embedded catalogue.

mod titles;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use std::time::{Duration, Instant};
use titledex::{Engine, Options, Scratch};

fn engine() -> Engine<'static> {
    let catalogue = titledex_embedded::catalogue().expect("the embedded catalogue opens");
    Engine::new(catalogue).expect("the dictionaries load")
}

/// Prints the spread over titles: the batch below has the mean, and a few long titles pull it up.
fn spread(engine: &Engine<'_>, titles: &titles::Titles, options: &Options) {
    let mut scratch = Scratch::default();
    let mut times: Vec<Duration> = Vec::with_capacity(titles.titles.len());
    for round in 0..2 {
        times.clear();
        for title in &titles.titles {
            let start = Instant::now();
            black_box(engine.answer_with(&mut scratch, black_box(title), options));
            times.push(start.elapsed());
        }
        // the first round warms caches up
        if round == 1 {
            times.sort_unstable();
            let at = |share: usize| times[(times.len() - 1) * share / 100];
            let micros = |time: Duration| time.as_secs_f64() * 1e6;
            println!(
                "{} {}: median {:.1} µs, 90 % within {:.1} µs, 99 % within {:.1} µs, longest {:.1} µs",
                titles.titles.len(),
                titles.source,
                micros(at(50)),
                micros(at(90)),
                micros(at(99)),
                micros(at(100))
            );
        }
    }
}

fn whole(criterion: &mut Criterion) {
    let titles = titles::load();
    let engine = engine();
    let options = Options::default();
    spread(&engine, &titles, &options);

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
    group.throughput(Throughput::ElementsAndBytes { elements: titles.titles.len() as u64, bytes: titles.bytes() });
    let exact = Options { fuzzy: false, ..Options::default() };
    for (name, options) in [("all titles", &options), ("all titles, no fuzzy names", &exact)] {
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
