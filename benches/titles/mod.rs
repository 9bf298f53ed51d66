//! The titles that the benches read: real ones where `../shared` is present, else those of `fixtures/bench-titles.txt`.

#![allow(dead_code, reason = "each bench uses its part")]

use flate2::read::MultiGzDecoder;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// Every so many titles of the unlabelled pool.
const POOL_STEP: usize = 16;

/// Titles, and where they came from.
pub(crate) struct Titles {
    /// Named in the ids of the benches, so that figures of different titles are never compared.
    pub(crate) source: &'static str,
    /// The titles.
    pub(crate) titles: Vec<String>,
}

impl Titles {
    /// All bytes of all titles.
    pub(crate) fn bytes(&self) -> u64 {
        self.titles.iter().map(|title| title.len() as u64).sum()
    }
}

/// The folder of the repository, whichever of its crates asks.
pub(crate) fn root() -> &'static Path {
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    folders.find(|folder| folder.join("fixtures/bench-titles.txt").is_file()).expect("the crate lies in the repository")
}

/// Real titles where there are any, else made-up ones.
pub(crate) fn load() -> Titles {
    let root = root();
    let shared = root.join("../shared/titles");
    let mut titles = Vec::new();
    for (file, step) in [("dev.jsonl", 1), ("pool.jsonl.gz", POOL_STEP)] {
        if let Ok(opened) = File::open(shared.join(file)) {
            let reader: Box<dyn Read> = if file.ends_with(".gz") { Box::new(MultiGzDecoder::new(opened)) } else { Box::new(opened) };
            let lines = BufReader::new(reader).lines().map_while(Result::ok).step_by(step);
            titles.extend(
                lines.filter_map(|line| Some(serde_json::from_str::<serde_json::Value>(&line).ok()?["title"].as_str()?.to_owned())),
            );
        }
    }
    if titles.is_empty() {
        let text = fs::read_to_string(root.join("fixtures/bench-titles.txt")).expect("the titles are in the repository");
        return Titles { source: "fixture titles", titles: text.lines().map(str::to_owned).collect() };
    }
    Titles { source: "real titles", titles }
}
