//! Any bytes as an index, and a good index with bytes changed: refused, or used without panic.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::ops::Range;
use std::path::Path;
use std::sync::OnceLock;
use titledex::catalogue::format::{Section, Sections};
use titledex::catalogue::{build, input, rows::Rows};
use titledex::{Catalogue, Engine, Options, Scratch};

/// A good index of eleven cards.
fn good() -> &'static [u8] {
    static INDEX: OnceLock<Vec<u8>> = OnceLock::new();
    INDEX.get_or_init(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/catalogue-small");
        let read = |file: &str| std::fs::read(folder.join(file)).expect("the fixture is there");
        let mut rows = Rows::default();
        input::jsonl_cards("cards.jsonl", &read("cards.jsonl"), &mut rows).expect("the cards are well formed");
        input::jsonl_sets("sets.jsonl", &read("sets.jsonl"), &mut rows).expect("the sets are well formed");
        build::build(&rows, "small").expect("the index is built")
    })
}

/// Where the automaton of names stands in the good index.
fn lexicon() -> Range<usize> {
    static PLACE: OnceLock<Range<usize>> = OnceLock::new();
    PLACE
        .get_or_init(|| {
            let sections = Sections::read(good(), true).expect("the index is good");
            let lexicon = sections.bytes(Section::Lexicon);
            let start = lexicon.as_ptr() as usize - good().as_ptr() as usize;
            start..start + lexicon.len()
        })
        .clone()
}

/// Whether a byte is of that automaton, or of the table's entry that says where it stands.
fn of_lexicon(at: usize) -> bool {
    // a header of 32 bytes, then 24 bytes a section
    let entry = 32 + 24 * (Section::Lexicon as usize - 1);
    lexicon().contains(&at) || (entry..entry + 24).contains(&at)
}

fn ask(index: &[u8]) {
    let Ok(catalogue) = Catalogue::open_trusted(index) else { return };
    let _ = (catalogue.describe(), catalogue.card("base1-4"), catalogue.card("x"));
    let Ok(engine) = Engine::new(catalogue) else { return };
    let mut scratch = Scratch::default();
    for title in ["1999 Pokemon Base Set Charizard #4/102 Holo PSA 9", "リザードンex 201/165 SAR", "Blastoisee Jungle lot"] {
        let _ = engine.answer_with(&mut scratch, title, &Options::default());
    }
}

fuzz_target!(|bytes: &[u8]| {
    ask(bytes);
    // The same bytes as changes of a good index: place and value, five bytes each. The automaton of
    // names is left alone: `fst` panics on an altered one, and only the checksum of `Catalogue::open` keeps such bytes out.
    if bytes.len() < 5 {
        return;
    }
    let mut index = good().to_vec();
    for change in bytes.chunks_exact(5) {
        let place = u32::from_le_bytes([change[0], change[1], change[2], change[3]]) as usize % index.len();
        if !of_lexicon(place) {
            index[place] ^= change[4];
        }
    }
    ask(&index);
});
