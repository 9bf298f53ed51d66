//! Any bytes as the columns of a pack, and a good pack with bytes changed: refused, or the index
//! that was packed.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::path::Path;
use std::sync::OnceLock;
use titledex::internals::build::{self, input, rows::Rows};
use titledex::internals::pack::{pack, unpack};

/// A good index of eleven cards, and its pack.
fn good() -> &'static (Vec<u8>, Vec<u8>) {
    static PACK: OnceLock<(Vec<u8>, Vec<u8>)> = OnceLock::new();
    PACK.get_or_init(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/catalogue-small");
        let read = |file: &str| std::fs::read(folder.join(file)).expect("the fixture is there");
        let mut rows = Rows::default();
        input::jsonl_cards("cards.jsonl", &read("cards.jsonl"), &mut rows)
            .expect("the cards are well formed");
        input::jsonl_sets("sets.jsonl", &read("sets.jsonl"), &mut rows)
            .expect("the sets are well formed");
        let index = build::build(&rows, "small").expect("the index is built");
        let packed = pack(&index).expect("it is packed");
        (index, packed)
    })
}

fuzz_target!(|bytes: &[u8]| {
    let (index, packed) = good();
    let _ = unpack(bytes);
    let _ = unpack(&[&packed[..24], bytes].concat());
    let mut altered = packed.clone();
    for change in bytes.chunks_exact(3) {
        let place = usize::from(u16::from_le_bytes([change[0], change[1]])) % altered.len();
        altered[place] ^= change[2];
    }
    if let Ok(made) = unpack(&altered) {
        assert!(made == *index);
    }
});
