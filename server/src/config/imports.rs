//! [`Imports`]: how the service imports files by itself.

use crate::number::{DAY, Number, set, set_time};
use serde::Deserialize;
use std::path::PathBuf;
use std::time::Duration;

/// Bytes of a mebibyte.
const MIB: u64 = 1 << 20;
/// The most mebibytes of a file: a tebibyte.
const MOST_MIB: i64 = 1 << 20;
/// The most rows of a file.
const MOST_ROWS: i64 = 1 << 53;
/// The most seconds for which a file must be unchanged.
const MOST_SETTLE: i64 = 3_600;

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
    body_mib: Option<Number>,
    file_mib: Option<Number>,
    unpacked_mib: Option<Number>,
    rows: Option<Number>,
    seconds: Option<Number>,
    watch: Option<PathBuf>,
    settle_seconds: Option<Number>,
}

impl FileImports {
    /// The settings, with their defaults.
    ///
    /// # Errors
    /// A sentence that names the number out of its range.
    pub(super) fn read(self) -> Result<Imports, String> {
        let mut imports = Imports::default();
        for (name, read, place) in [
            ("body-mib", self.body_mib, &mut imports.body_bytes),
            ("file-mib", self.file_mib, &mut imports.file_bytes),
            (
                "unpacked-mib",
                self.unpacked_mib,
                &mut imports.unpacked_bytes,
            ),
        ] {
            let mut mib = *place / MIB;
            set(&mut mib, read, &format!("imports.{name}"), 1..=MOST_MIB)?;
            *place = mib * MIB;
        }
        set(&mut imports.rows, self.rows, "imports.rows", 1..=MOST_ROWS)?;
        set_time(&mut imports.time, self.seconds, "imports.seconds", DAY)?;
        set_time(
            &mut imports.settle,
            self.settle_seconds,
            "imports.settle-seconds",
            MOST_SETTLE,
        )?;
        imports.folder = self.folder.unwrap_or(imports.folder);
        imports.watch = self.watch;
        Ok(imports)
    }
}
