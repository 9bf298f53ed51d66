//! [`spool`]: a body on its way into a file without a name, so that what imports it does not wait
//! for who sends it.

use axum::body::{Body, Bytes};
use http_body_util::BodyExt;
use sha2::{Digest, Sha256};
use std::fs::{self, DirBuilder, File};
use std::io::{self, Seek, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::timeout;

/// Pieces of a body that wait to be written.
const PIECES: usize = 16;

/// A body that has arrived.
#[derive(Debug)]
pub(crate) struct Spooled {
    /// It, from its beginning. It has no name, so it is gone with the process.
    pub(crate) file: File,
    /// The SHA-256 of what it begins with for this purpose, and of its bytes.
    pub(crate) digest: Vec<u8>,
}

/// Why a body did not arrive.
#[derive(Debug)]
pub(crate) enum SpoolError {
    /// It has more bytes than allowed.
    TooLarge,
    /// It ended early, or its sender paused for too long.
    CutShort,
    /// It could not be written.
    File(io::Error),
}

/// Receives a body of at most `most` bytes, whose sender pauses no longer than `pause`. `salt` is
/// hashed before it.
pub(crate) async fn spool(
    folder: &Path,
    most: u64,
    pause: Duration,
    salt: &[u8],
    body: &mut Body,
) -> Result<Spooled, SpoolError> {
    let (pieces, mut arriving) = mpsc::channel::<Bytes>(PIECES);
    let (folder, mut hash) = (folder.to_owned(), Sha256::new_with_prefix(salt));
    let writing = tokio::task::spawn_blocking(move || {
        let mut file = nameless(&folder)?;
        while let Some(piece) = arriving.blocking_recv() {
            hash.update(&piece);
            file.write_all(&piece)?;
        }
        file.rewind()?;
        Ok(Spooled {
            file,
            digest: hash.finalize().to_vec(),
        })
    });
    let mut left = most;
    let received = loop {
        match timeout(pause, body.frame()).await {
            Ok(None) => break Ok(()),
            Ok(Some(Ok(frame))) => {
                let Ok(piece) = frame.into_data() else {
                    continue;
                };
                let Some(rest) = left.checked_sub(piece.len() as u64) else {
                    break Err(SpoolError::TooLarge);
                };
                left = rest;
                // the writer failed, and says why below
                if pieces.send(piece).await.is_err() {
                    break Ok(());
                }
            }
            Ok(Some(Err(_))) | Err(_) => break Err(SpoolError::CutShort),
        }
    };
    drop(pieces);
    let written = writing
        .await
        .unwrap_or_else(|error| Err(io::Error::other(error)));
    received?;
    written.map_err(SpoolError::File)
}

/// A file for its owner alone, whose name is removed at once.
fn nameless(folder: &Path) -> io::Result<File> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)?;
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let path = folder.join(format!(".{}-{number}.part", std::process::id()));
    // left by a process of the same number, which was killed between the next two lines
    let _ = fs::remove_file(&path);
    let file = File::options()
        .read(true)
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&path)?;
    fs::remove_file(&path)?;
    Ok(file)
}
