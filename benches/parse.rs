//! Each stage with all before it, over all titles: the cost of a stage is the difference to the
//! line above.

mod titles;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use std::time::Duration;
use titledex::internals::Stage;
use titledex::{Engine, Options, Scratch};

/// The stages, in their order.
const STAGES: [(&str, Stage); 6] = [
    ("1 normalise", Stage::Normalise),
    ("2 tokenise", Stage::Tokenise),
    ("3 tag", Stage::Tag),
    ("4 read: the whole parse", Stage::Read),
    ("5 retrieve", Stage::Retrieve),
    ("6 score", Stage::Score),
];

fn stages(criterion: &mut Criterion) {
    let titles = titles::load();
    let engine = Engine::new(titledex_embedded::catalogue().expect("the embedded catalogue opens"));
    let options = Options::default();
    let mut scratch = Scratch::default();
    let mut group = criterion.benchmark_group(format!("stages of {}", titles.source));
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(3))
        .warm_up_time(Duration::from_secs(1));
    group.throughput(Throughput::ElementsAndBytes {
        elements: titles.titles.len() as u64,
        bytes: titles.bytes(),
    });
    for (name, stage) in STAGES {
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                titles.titles.iter().for_each(|title| {
                    engine.run_to(&mut scratch, black_box(title), &options, stage)
                })
            });
        });
    }
    group.bench_function("7 answer: parse + match", |bencher| {
        bencher.iter(|| {
            for title in &titles.titles {
                black_box(engine.answer_with(&mut scratch, black_box(title), &options));
            }
        });
    });
    let mut json: Vec<u8> = Vec::new();
    group.bench_function("8 answer + JSON", |bencher| {
        bencher.iter(|| {
            for title in &titles.titles {
                json.clear();
                let answer = engine.answer_with(&mut scratch, black_box(title), &options);
                answer.write_json(&mut json);
                black_box(&json);
            }
        });
    });
    group.finish();
}

criterion_group!(benches, stages);
criterion_main!(benches);
