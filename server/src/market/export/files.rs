//! The files of the export: their names and their bytes.

use super::dataset::Dataset;
use axum::body::Bytes;
use std::fs;
use std::io::{self, Read};

/// Seconds for which the address of a file holds.
pub(super) const HOLDS: i64 = 900;
/// Seconds by which the clocks of processes that share a database may differ.
pub(super) const SKEW: i64 = 5;
/// Bytes of a file that are read at once.
const PIECE: usize = 1 << 17;

/// Whether a name is one that an export of the dataset has: `cards-1700000000000.csv.gz`.
pub(super) fn is_file_of(name: &str, dataset: Dataset) -> bool {
    let moment = name
        .strip_prefix(dataset.name())
        .and_then(|rest| rest.strip_prefix('-'))
        .and_then(|rest| rest.strip_suffix(".csv.gz"));
    moment.is_some_and(|moment| {
        !moment.is_empty() && moment.len() <= 18 && moment.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// The name under which a file is made by this process.
pub(super) fn part_name(file: &str) -> String {
    format!(".{file}.{}.part", std::process::id())
}

/// Whether a name is that of a file of a dataset that some process makes, or made when it ended.
pub(super) fn is_part_of(name: &str, dataset: Dataset) -> bool {
    let file = name
        .strip_prefix('.')
        .and_then(|rest| rest.strip_suffix(".part"))
        .and_then(|rest| rest.rsplit_once('.'));
    file.is_some_and(|(file, process)| process.parse::<u32>().is_ok() && is_file_of(file, dataset))
}

/// The bytes of a file as a stream, read as fast as they are taken.
pub(crate) fn pieces(file: fs::File) -> impl futures_util::Stream<Item = io::Result<Bytes>> {
    futures_util::stream::try_unfold(file, |mut file| async move {
        let read = tokio::task::spawn_blocking(move || {
            let mut piece = vec![0; PIECE];
            let read = file.read(&mut piece)?;
            piece.truncate(read);
            Ok::<_, io::Error>((piece, file))
        });
        let (piece, file) = read.await.map_err(io::Error::other)??;
        Ok((!piece.is_empty()).then(|| (Bytes::from(piece), file)))
    })
}
