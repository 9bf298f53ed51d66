//! Folds: the parts of the labelled titles that take turns to be held out of a fit, and the weights
//! fitted without each.

use std::path::Path;
use titledex::Weights;
use titledex_command::{Failure, files};

/// The fold of `title`, of `folds`: the same on every machine (FNV-1a).
pub(crate) fn fold(title: &str, folds: u64) -> u64 {
    let hash = title.bytes().fold(0xcbf2_9ce4_8422_2325, |h: u64, b| {
        (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3)
    }) >> 8;
    hash % folds.max(1)
}

/// The weights of each fold in the folder that `titledex-lab train --held-out` wrote.
pub(crate) fn weights_of_folds(folder: &Path) -> Result<Vec<Weights>, Failure> {
    let mut all = Vec::new();
    loop {
        let path = folder.join(format!("{}.csv", all.len()));
        if !path.exists() && !all.is_empty() {
            return Ok(all);
        }
        let text = String::from_utf8(files::read(&path)?)
            .map_err(|_| Failure::new(format!("{}: not UTF-8", files::name(&path))))?;
        all.push(Weights::load(&text).map_err(|error| Failure::of(&path, &error))?);
    }
}
