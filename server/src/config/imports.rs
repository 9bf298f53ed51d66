//! [`Imports`]: how the service imports files by itself.

use serde::Deserialize;
use std::path::PathBuf;
use std::time::Duration;

/// Bytes of a mebibyte.
const MIB: u64 = 1 << 20;

/// How the service imports files by itself: those of a watched folder, and those sent to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imports {
    /// The folder in which bodies lie while they arrive.
    pub folder: PathBuf,
    /// Bytes of a body, as it is sent.
    pub body_bytes: u64,
    /// Bytes of a watched file, as it lies there.
    pub file_bytes: u64,
    /// Bytes of either when decompressed.
    pub unpacked_bytes: u64,
    /// Rows of either.
    pub rows: u64,
    /// Time in which a body must arrive and be imported.
    pub time: Duration,
    /// The folder whose files are imported.
    pub watch: Option<PathBuf>,
    /// For how long a file of it must be unchanged before it is imported.
    pub settle: Duration,
}

impl Default for Imports {
    fn default() -> Self {
        Self {
            folder: PathBuf::from("titledex-imports"),
            body_bytes: 64 * MIB,
            file_bytes: 1_024 * MIB,
            unpacked_bytes: 4_096 * MIB,
            rows: 10_000_000,
            time: Duration::from_secs(600),
            watch: None,
            settle: Duration::from_secs(10),
        }
    }
}

/// The section of the TOML file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct FileImports {
    folder: Option<PathBuf>,
    body_mib: Option<u64>,
    file_mib: Option<u64>,
    unpacked_mib: Option<u64>,
    rows: Option<u64>,
    seconds: Option<u64>,
    watch: Option<PathBuf>,
    settle_seconds: Option<u64>,
}

impl FileImports {
    /// The settings, with their defaults.
    pub(super) fn read(self) -> Imports {
        let before = Imports::default();
        let bytes = |mib: Option<u64>, default: u64| {
            mib.map_or(default, |mib| mib.clamp(1, MIB).saturating_mul(MIB))
        };
        let time = |seconds: Option<u64>, most: u64, default: Duration| {
            seconds.map_or(default, |seconds| {
                Duration::from_secs(seconds.clamp(1, most))
            })
        };
        Imports {
            folder: self.folder.unwrap_or(before.folder),
            body_bytes: bytes(self.body_mib, before.body_bytes),
            file_bytes: bytes(self.file_mib, before.file_bytes),
            unpacked_bytes: bytes(self.unpacked_mib, before.unpacked_bytes),
            rows: self.rows.unwrap_or(before.rows),
            time: time(self.seconds, 86_400, before.time),
            watch: self.watch,
            settle: time(self.settle_seconds, 3_600, before.settle),
        }
    }
}
