//! Folds: the parts of the labelled titles that take turns to be held out of a fit, and the weights
//! fitted without each.

use std::path::Path;
use titledex::{OutcomeWeights, Weights};
use titledex_command::{Failure, files};

/// The fold of `title`, of `folds`: the same on every machine (FNV-1a).
pub(crate) fn fold(title: &str, folds: u64) -> u64 {
    let hash = title.bytes().fold(0xcbf2_9ce4_8422_2325, |h: u64, b| {
        (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3)
    }) >> 8;
    hash % folds.max(1)
}

/// The file of a fold's weights of what is being sold.
pub(crate) fn outcome_file(fold: impl std::fmt::Display) -> String {
    format!("{fold}.outcome.csv")
}

/// The weights of each fold in the folder that `titledex-lab train --held-out` wrote; those of what
/// is being sold if it wrote them.
pub(crate) fn weights_of_folds(
    folder: &Path,
) -> Result<Vec<(Weights, Option<OutcomeWeights>)>, Failure> {
    let mut all = Vec::new();
    loop {
        let path = folder.join(format!("{}.csv", all.len()));
        if !path.exists() && !all.is_empty() {
            return Ok(all);
        }
        let weights = Weights::load(&text(&path)?).map_err(|error| Failure::of(&path, &error))?;
        let path = folder.join(outcome_file(all.len()));
        let outcome = if path.exists() {
            let loaded = OutcomeWeights::load(&text(&path)?);
            Some(loaded.map_err(|error| Failure::of(&path, &error))?)
        } else {
            None
        };
        all.push((weights, outcome));
    }
}

fn text(path: &Path) -> Result<String, Failure> {
    String::from_utf8(files::read(path)?)
        .map_err(|_| Failure::new(format!("{}: not UTF-8", files::name(path))))
}
