//! Indexes and packs: refused, or used without a panic.

use std::path::Path;
use std::sync::OnceLock;
use titledex::internals::build::{self, input, rows::Rows};
use titledex::internals::pack;
use titledex::{Catalogue, Engine, Options, Scratch};

/// A good index of eleven cards, and its pack.
fn good() -> &'static (Vec<u8>, Vec<u8>) {
    static GOOD: OnceLock<(Vec<u8>, Vec<u8>)> = OnceLock::new();
    GOOD.get_or_init(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/catalogue-small");
        let read = |file: &str| std::fs::read(folder.join(file)).expect("the fixture is there");
        let mut rows = Rows::default();
        input::jsonl_cards("cards.jsonl", &read("cards.jsonl"), &mut rows)
            .expect("the cards are well formed");
        input::jsonl_sets("sets.jsonl", &read("sets.jsonl"), &mut rows)
            .expect("the sets are well formed");
        let index = build::build(&rows, "small").expect("the index is built");
        let packed = pack::pack(&index).expect("it is packed");
        (index, packed)
    })
}

fn ask(index: &[u8]) {
    // without its checksum, which would refuse nearly all
    let Ok(catalogue) = Catalogue::open_trusted(index.to_vec()) else {
        return;
    };
    let _ = (
        catalogue.describe(),
        catalogue.card("base1-4"),
        catalogue.card("x"),
    );
    let Ok(engine) = Engine::builder(catalogue).build() else {
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

/// Any bytes as an index; and as changes of a good index, of five bytes each: place and value.
pub fn index(bytes: &[u8]) {
    ask(bytes);
    if bytes.len() < 5 {
        return;
    }
    let mut index = good().0.clone();
    for change in bytes.chunks_exact(5) {
        let place =
            u32::from_le_bytes([change[0], change[1], change[2], change[3]]) as usize % index.len();
        index[place] ^= change[4];
    }
    ask(&index);
}

/// Any bytes as a pack and as its columns; and as changes of a good pack, which is then refused or
/// the same index.
pub fn pack(bytes: &[u8]) {
    let (index, packed) = good();
    let _ = pack::unpack(bytes);
    let _ = pack::unpack(&[&packed[..24], bytes].concat());
    let mut altered = packed.clone();
    for change in bytes.chunks_exact(3) {
        let place = usize::from(u16::from_le_bytes([change[0], change[1]])) % altered.len();
        altered[place] ^= change[2];
    }
    if let Ok(made) = pack::unpack(&altered) {
        assert!(made == *index, "an altered pack gives another index");
    }
}
