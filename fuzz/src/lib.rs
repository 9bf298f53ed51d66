//! What readers of titles, files and requests must hold for any bytes, as plain functions: they
//! panic where it does not hold.
//!
//! A target of `fuzz_targets/` runs one of them. `scripts/fuzz` builds the targets with libFuzzer;
//! built without it, a target runs the files that it is given, which shows a crash again. A test
//! runs all of them over `corpus/`.

mod files;
mod http;
mod indexes;
/// The readers of `titledex parse`, which is a program and no library.
#[path = "../../cli/src/input/mod.rs"]
#[allow(
    dead_code,
    unreachable_pub,
    unexpected_cfgs,
    reason = "a program's module: not all of it is used here, and it has no Parquet"
)]
mod input;
#[cfg(test)]
mod tests;
mod titles;

pub use files::{catalogue, export, history, titles};
pub use http::{body, http, http_head, query};
pub use indexes::{index, pack};
#[cfg(fuzzing)]
pub use libfuzzer_sys;
pub use titles::{listing, title};

/// What holds for any bytes.
pub type Target = fn(&[u8]);

/// The targets by name.
pub const TARGETS: &[(&str, Target)] = &[
    ("title", title),
    ("listing", listing),
    ("index", index),
    ("pack", pack),
    ("catalogue", catalogue),
    ("export", export),
    ("titles", titles),
    ("http_head", http_head),
    ("http", http),
    ("body", body),
    ("query", query),
    ("history", history),
];

/// The program of a target.
#[macro_export]
macro_rules! target {
    ($target:path) => {
        #[cfg(fuzzing)]
        $crate::libfuzzer_sys::fuzz_target!(|bytes: &[u8]| $target(bytes));

        #[cfg(not(fuzzing))]
        fn main() -> std::io::Result<()> {
            $crate::run($target)
        }
    };
}

/// Runs a target on each file that the command line names.
///
/// # Errors
/// If a file cannot be read.
pub fn run(target: Target) -> std::io::Result<()> {
    for path in std::env::args_os().skip(1) {
        target(&std::fs::read(path)?);
    }
    Ok(())
}

/// The beginning of the bytes as choices, and the rest.
fn choices<const N: usize>(bytes: &[u8]) -> ([u8; N], &[u8]) {
    match bytes.split_first_chunk() {
        Some((choices, rest)) => (*choices, rest),
        None => ([0; N], bytes),
    }
}

/// The bytes in pieces of some sizes, which `seed` decides.
fn pieces(bytes: &[u8], seed: u8) -> Vec<&[u8]> {
    let (mut left, mut pieces, mut state) = (bytes, Vec::new(), u32::from(seed) * 2 + 1);
    while !left.is_empty() {
        state = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        // mostly short ones, and some long ones
        let most = 1 << (state >> 29);
        let size = 1 + (state >> 16) as usize % (2 * most);
        let (piece, rest) = left.split_at(size.min(left.len()));
        pieces.push(piece);
        left = rest;
    }
    pieces
}
