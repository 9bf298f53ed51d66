//! Any bytes as a title: an answer, with spans that fit, and the same one with memory that has seen
//! other titles.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::cell::RefCell;
use std::sync::OnceLock;
use titledex::{Engine, Options, Scratch, Span};

fn engine() -> &'static Engine {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    ENGINE.get_or_init(|| {
        Engine::new(titledex_embedded::catalogue().expect("the embedded catalogue opens"))
    })
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

fn fits(title: &str, span: Span, text: &str) {
    assert_eq!(
        title.get(span.start as usize..span.end as usize),
        Some(text),
        "{span:?}"
    );
    assert!(!text.is_empty(), "{span:?} is empty");
}

fuzz_target!(|bytes: &[u8]| {
    let title = String::from_utf8_lossy(bytes);
    let options = Options::default();
    let answer = SCRATCH.with_borrow_mut(|scratch| engine().answer_with(scratch, &title, &options));
    for reading in answer
        .parsed
        .spans
        .iter()
        .chain(&answer.parsed.alternatives)
    {
        fits(&title, reading.span, &reading.text);
    }
    for unread in &answer.parsed.unread {
        fits(&title, unread.span, &unread.text);
    }
    assert!(
        answer
            .parsed
            .spans
            .is_sorted_by_key(|reading| reading.span.start),
        "spans are not in order"
    );
    let sum: f32 = answer
        .matches
        .iter()
        .map(|found| found.confidence.get())
        .sum();
    assert!(
        sum + answer.outcome.not_in_catalogue.get() <= 1.001,
        "probabilities sum to more than 1"
    );
    assert_eq!(
        answer,
        engine().answer(&title, &options),
        "memory of other titles left a trace"
    );
});
