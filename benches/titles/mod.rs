//! The titles that the benches read: real ones if `../shared` is present, else the synthetic ones
//! of `fixtures/`.

#![allow(dead_code, reason = "each bench uses its part")]

use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// One in this many titles of the unlabelled pool is read.
const POOL_STEP: usize = 16;

/// Titles and their origin.
pub(crate) struct Titles {
    /// Named in the ids of the benches, so that figures of different titles are never compared.
    pub(crate) source: &'static str,
    /// The titles.
    pub(crate) titles: Vec<String>,
    /// The venue of each.
    pub(crate) venues: Vec<String>,
}

impl Titles {
    /// All bytes of all titles.
    pub(crate) fn bytes(&self) -> u64 {
        self.titles.iter().map(|title| title.len() as u64).sum()
    }

    /// Adds every `step`-th title of a file of JSON Lines, or of bare titles; nothing if the file
    /// does not exist.
    fn add(&mut self, path: &Path, step: usize) {
        let Ok(file) = File::open(path) else { return };
        let ends = |ending: &str| path.extension().is_some_and(|found| found == ending);
        let (packed, bare) = (ends("gz"), ends("txt"));
        let reader: Box<dyn Read> = if packed {
            Box::new(MultiGzDecoder::new(file))
        } else {
            Box::new(file)
        };
        for line in BufReader::new(reader)
            .lines()
            .map_while(Result::ok)
            .step_by(step)
        {
            let row = if bare {
                serde_json::json!({ "title": line })
            } else {
                serde_json::from_str(&line).unwrap_or_default()
            };
            if let Some(title) = row["title"].as_str() {
                self.titles.push(title.to_owned());
                self.venues
                    .push(row["venue"].as_str().unwrap_or("unsaid").to_owned());
            }
        }
    }
}

/// The folder of the repository, for any of its crates.
pub(crate) fn root() -> &'static Path {
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    folders
        .find(|folder| folder.join("fixtures/bench-titles.txt").is_file())
        .expect("the crate lies in the repository")
}

/// Loads real titles if there are any, else synthetic ones. `TITLES=synthetic` chooses the latter.
pub(crate) fn load() -> Titles {
    let root = root();
    let mut titles = Titles {
        source: "real titles",
        titles: Vec::new(),
        venues: Vec::new(),
    };
    if std::env::var_os("TITLES").is_none_or(|wanted| wanted != "synthetic") {
        titles.add(&root.join("../shared/titles/dev.jsonl"), 1);
        titles.add(&root.join("../shared/titles/pool.jsonl.gz"), POOL_STEP);
    }
    if titles.titles.is_empty() {
        titles.source = "synthetic titles";
        titles.add(&root.join("fixtures/synthetic-titles.jsonl"), 1);
        titles.add(&root.join("fixtures/bench-titles.txt"), 1);
    }
    titles
}
