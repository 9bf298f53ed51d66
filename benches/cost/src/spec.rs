//! `fixtures/hostile.jsonl`: titles that cost most, as a piece that is repeated.

use crate::Failure;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;

/// A hostile title: `piece` over and over, cut to `bytes`.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Spec {
    /// The text that is repeated.
    pub(crate) piece: String,
    /// Length of the title.
    pub(crate) bytes: usize,
    /// The reason why it costs much.
    pub(crate) why: String,
    /// Whether it is read with the cards of all games.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) games: bool,
}

impl Spec {
    /// The title.
    pub(crate) fn title(&self) -> String {
        repeated(&self.piece, self.bytes)
    }
}

/// `piece` over and over, at most `bytes` long, cut between characters.
pub(crate) fn repeated(piece: &str, bytes: usize) -> String {
    let mut out = piece.repeat(bytes.div_ceil(piece.len().max(1)));
    let mut end = bytes.min(out.len());
    while !out.is_char_boundary(end) {
        end -= 1;
    }
    out.truncate(end);
    out
}

/// The rows of `hostile.jsonl` in `folder`.
pub(crate) fn read(folder: &Path) -> Result<Vec<Spec>, Failure> {
    let path = folder.join("hostile.jsonl");
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let rows = text.lines().filter(|line| !line.trim().is_empty()).zip(1..);
    rows.map(|(line, number)| {
        Ok(serde_json::from_str(line)
            .map_err(|error| format!("{}:{number}: {error}", path.display()))?)
    })
    .collect()
}
