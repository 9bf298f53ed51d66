//! Any bytes as an index, and a good index with bytes changed: refused, or used without panic.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::path::Path;
use std::sync::OnceLock;
use titledex::build::{self, input, rows::Rows};
use titledex::{Catalogue, Engine, Options, Scratch};

/// A good index of eleven cards.
fn good() -> &'static [u8] {
    static INDEX: OnceLock<Vec<u8>> = OnceLock::new();
    INDEX.get_or_init(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/catalogue-small");
        let read = |file: &str| std::fs::read(folder.join(file)).expect("the fixture is there");
        let mut rows = Rows::default();
        input::jsonl_cards("cards.jsonl", &read("cards.jsonl"), &mut rows)
            .expect("the cards are well formed");
        input::jsonl_sets("sets.jsonl", &read("sets.jsonl"), &mut rows)
            .expect("the sets are well formed");
        build::build(&rows, "small").expect("the index is built")
    })
}

fn ask(index: &[u8]) {
    let Ok(catalogue) = Catalogue::open_trusted(index) else {
        return;
    };
    let _ = (
        catalogue.describe(),
        catalogue.card("base1-4"),
        catalogue.card("x"),
    );
    let Ok(engine) = Engine::new(catalogue) else {
        return;
    };
    let mut scratch = Scratch::default();
    for title in [
        "1999 Pokemon Base Set Charizard #4/102 Holo PSA 9",
        "リザードンex 201/165 SAR",
        "Blastoisee Jungle lot",
    ] {
        let _ = engine.answer_with(&mut scratch, title, &Options::default());
    }
}

fuzz_target!(|bytes: &[u8]| {
    ask(bytes);
    // the same bytes as changes of a good index: place and value, five bytes each
    if bytes.len() < 5 {
        return;
    }
    let mut index = good().to_vec();
    for change in bytes.chunks_exact(5) {
        let place =
            u32::from_le_bytes([change[0], change[1], change[2], change[3]]) as usize % index.len();
        index[place] ^= change[4];
    }
    ask(&index);
});
