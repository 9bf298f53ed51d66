//! [`Storage`]: where the files of the export lie. They are fetched at addresses that nobody can
//! guess and that expire.

use super::bucket::Bucket;
use super::dataset::Dataset;
use super::error::ExportError;
use super::files::{HOLDS, SKEW, is_file_of, is_part_of};
use crate::clock::Moment;
use crate::store::market::ExportAddress;
use crate::store::{Store, StoreError};
use sha2::{Digest, Sha256};
use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The path at which this service serves the files itself.
pub const PATH: &str = "/exports/";
/// After how long without a byte a part is nobody's. An upload of a whole one may take hours.
const ABANDONED: Duration = Duration::from_secs(12 * 3_600);

/// Where the files of the export lie, and how callers reach them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StorageSettings {
    /// The folder of the files. Processes that share a database share it too, unless there is a
    /// bucket.
    pub folder: PathBuf,
    /// Object storage that files are put into. Without it, the service serves them from the folder.
    pub bucket: Option<Bucket>,
    /// The public address of the service, in front of paths: `https://prices.example`.
    /// Empty for the `Host` of each request.
    pub base_url: String,
    /// Whether cells that a spreadsheet would run as formulas get an apostrophe in front.
    pub csv_safe: bool,
}

impl Default for StorageSettings {
    fn default() -> Self {
        Self {
            folder: PathBuf::from("titledex-exports"),
            bucket: None,
            base_url: String::new(),
            csv_safe: true,
        }
    }
}

/// The storage of the files.
#[derive(Clone, Debug)]
pub struct Storage {
    /// The folder where files are made. They stay there unless there is a bucket.
    folder: PathBuf,
    bucket: Option<Bucket>,
    /// It has the hashes of the addresses that still hold.
    store: Store,
    /// Whether cells are made safe for spreadsheets.
    csv_safe: bool,
    failures: Arc<AtomicU64>,
}

/// Why a file is not served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The address was not handed out, or for another file.
    Signature,
    /// The address no longer holds.
    Expired,
    /// There is no such file.
    Missing,
}

impl Storage {
    /// The storage of the settings. All processes that share a database know the addresses that any
    /// of them handed out.
    #[must_use]
    pub fn new(settings: &StorageSettings, store: &Store) -> Self {
        Self {
            folder: settings.folder.clone(),
            bucket: settings.bucket.clone(),
            store: store.clone(),
            csv_safe: settings.csv_safe,
            failures: Arc::default(),
        }
    }

    /// The folder where files are made.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether cells that a spreadsheet would run as formulas are made safe.
    #[must_use]
    pub fn csv_safe(&self) -> bool {
        self.csv_safe
    }

    /// Exports that could not be made since the start.
    #[must_use]
    pub fn failures(&self) -> u64 {
        self.failures.load(Ordering::Relaxed)
    }

    /// Counts an export that could not be made.
    pub(super) fn failed(&self) {
        self.failures.fetch_add(1, Ordering::Relaxed);
    }

    /// Publishes a finished file under its name.
    pub(super) async fn put(
        &self,
        part: &Path,
        name: &str,
        now: Moment,
    ) -> Result<(), ExportError> {
        if let Some(bucket) = &self.bucket {
            bucket
                .put(part, name, now)
                .await
                .map_err(|error| ExportError::Bucket(bucket.to_string(), error))?;
            return fs::remove_file(part)
                .map_err(|error| ExportError::File(part.to_owned(), error));
        }
        let to = self.folder.join(name);
        fs::rename(part, &to).map_err(|error| ExportError::File(to.clone(), error))?;
        // so that the name survives a loss of power
        let synced = fs::File::open(&self.folder).and_then(|folder| folder.sync_all());
        synced.map_err(|error| ExportError::File(to, error))
    }

    /// Removes the files of a dataset except those to keep: the new one, and the previous one,
    /// which somebody may be fetching. Parts that a killed process left go, too.
    pub(super) async fn sweep(&self, dataset: Dataset, kept: [Option<&str>; 2], now: Moment) {
        self.remove_where(|name, file| is_part_of(name, dataset) && is_abandoned(file));
        if let Some(bucket) = &self.bucket {
            if let Err(error) = bucket.sweep(dataset, kept, now).await {
                tracing::warn!(%error, %bucket, "old files of the export were not removed: tried again after the next one");
            }
            return;
        }
        self.remove_where(|name, _| is_file_of(name, dataset) && !kept.contains(&Some(name)));
    }

    /// Removes files of the folder by their names. What cannot be removed is tried again after the
    /// next export.
    fn remove_where(&self, is_old: impl Fn(&str, &DirEntry) -> bool) {
        let Ok(files) = fs::read_dir(&self.folder) else {
            return;
        };
        for file in files.flatten() {
            let name = file.file_name();
            if name.to_str().is_some_and(|name| is_old(name, &file)) {
                let _ = fs::remove_file(file.path());
            }
        }
    }

    /// The address at which a file is fetched, for `HOLDS` seconds, and what the store must keep of
    /// it: of a bucket as it is, of this service the path. The latter has a random token, of which
    /// only the hash is stored, as of a key: whoever reads the database can fetch nothing.
    ///
    /// # Errors
    /// If the system gives no random numbers.
    pub fn address(
        &self,
        file: &str,
        now: Moment,
    ) -> Result<(String, Option<ExportAddress>), getrandom::Error> {
        if let Some(bucket) = &self.bucket {
            return Ok((bucket.address(file, now), None));
        }
        let expires = now.millis().div_euclid(1_000) + HOLDS;
        let mut token = [0; 32];
        getrandom::fill(&mut token)?;
        let text: String = token.iter().map(|byte| format!("{byte:02x}")).collect();
        let address = format!("{PATH}{file}?expires={expires}&signature={text}");
        let stored = ExportAddress {
            hash: Sha256::digest(token).into(),
            file: file.to_owned(),
            expires,
        };
        Ok((address, Some(stored)))
    }

    /// Opens a file at an address that was handed out, and returns its length.
    ///
    /// # Errors
    /// If the database fails; or if the address is not one that holds, or the file is gone.
    pub async fn open(
        &self,
        file: &str,
        expires: &str,
        signature: &str,
        now: Moment,
    ) -> Result<Result<(fs::File, u64), Refused>, StoreError> {
        let plain = expires.len() <= 12 && expires.bytes().all(|byte| byte.is_ascii_digit());
        let until = expires.parse::<i64>().ok().filter(|_| plain);
        // names of ours alone, whatever the database says
        let known = Dataset::ALL
            .into_iter()
            .any(|dataset| is_file_of(file, dataset));
        let (Some(until), Some(token), true) = (until, unhex(signature), known) else {
            return Ok(Err(Refused::Signature));
        };
        let seconds = now.millis().div_euclid(1_000);
        if until > seconds + HOLDS + SKEW {
            return Ok(Err(Refused::Signature));
        }
        let hash = Sha256::digest(&token).into();
        let found = self.store.export_address(&hash).await?;
        if !found.is_some_and(|(of, expires)| of == file && expires == until) {
            return Ok(Err(Refused::Signature));
        }
        if seconds >= until {
            return Ok(Err(Refused::Expired));
        }
        let opened = fs::File::open(self.folder.join(file)).and_then(|file| {
            let length = file.metadata()?.len();
            Ok::<_, io::Error>((file, length))
        });
        Ok(opened.map_err(|_| Refused::Missing))
    }
}

/// Whether nobody has written a part for so long that its process is gone.
fn is_abandoned(part: &DirEntry) -> bool {
    let written = part.metadata().and_then(|part| part.modified());
    let since = written.map(|written| written.elapsed().unwrap_or_default());
    since.is_ok_and(|since| since > ABANDONED)
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes();
    if digits.len() != 64 {
        return None;
    }
    let value = |digit: u8| char::from(digit).to_digit(16).map(|value| value as u8);
    digits
        .chunks_exact(2)
        .map(|pair| Some(value(pair[0])? << 4 | value(pair[1])?))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{
        ABANDONED, Dataset, ExportAddress, HOLDS, Moment, Refused, Storage, StorageSettings,
    };
    use crate::store::Store;
    use sha2::{Digest, Sha256};
    use std::time::{Duration, SystemTime};

    fn parts(address: &str) -> (String, String, String) {
        let (file, query) = address
            .strip_prefix("/exports/")
            .and_then(|rest| rest.split_once('?'))
            .expect("it has a query");
        let (expires, signature) = query.split_once('&').expect("it has two");
        (
            file.to_owned(),
            expires.replace("expires=", ""),
            signature.replace("signature=", ""),
        )
    }

    #[tokio::test]
    async fn address_holds_for_one_file_until_it_expires() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        std::fs::write(folder.path().join("cards-5.csv.gz"), b"cards").expect("writable");
        std::fs::write(folder.path().join("sealed-5.csv.gz"), b"sealed").expect("writable");
        let database = format!("sqlite:{}", folder.path().join("td.db").display());
        let store = Store::open(&database).await.expect("it opens");
        let settings = StorageSettings {
            folder: folder.path().to_owned(),
            ..StorageSettings::default()
        };
        let storage = Storage::new(&settings, &store);
        let now = Moment::from_millis(1_000_000);
        let account = store
            .create_account("site", "business", crate::store::Actor::Operator, now)
            .await
            .expect("it answers")
            .expect("it is new");
        let hand_out = async |file: &str| {
            let (address, stored) = storage.address(file, now).expect("there is chance");
            let taken = store.take_download(account.id, 0, 9, stored.as_ref()).await;
            taken.expect("it answers").expect("it is allowed");
            parts(&address)
        };
        let (file, expires, token) = hand_out("cards-5.csv.gz").await;
        let open = async |file: &str, expires: &str, token: &str, at: i64| {
            let opened = storage.open(file, expires, token, Moment::from_millis(at));
            opened.await.expect("it answers").map(|(_, length)| length)
        };
        assert_eq!(open(&file, &expires, &token, 1_000_000).await, Ok(5));
        let later = (1_000 + HOLDS) * 1_000;
        assert_eq!(
            open(&file, &expires, &token, later).await,
            Err(Refused::Expired)
        );
        let other = token.replace(char::is_numeric, "a");
        for (file, expires, token) in [
            ("sealed-5.csv.gz", expires.as_str(), token.as_str()),
            (&file, &format!("{expires}0"), &token),
            (&file, "1901", &token),
            (&file, &expires, &other),
            (&file, &expires, ""),
            ("../cards-5.csv.gz", &expires, &token),
        ] {
            assert_eq!(
                open(file, expires, token, 1_000_000).await,
                Err(Refused::Signature),
                "{file} {expires}"
            );
        }
        let (file, expires, token) = hand_out("cards-6.csv.gz").await;
        assert_eq!(
            open(&file, &expires, &token, 1_000_000).await,
            Err(Refused::Missing)
        );
        // an address further ahead than any that is handed out is refused, even if the database has
        // it
        let ahead = ExportAddress {
            hash: Sha256::digest([7; 32]).into(),
            file: "cards-5.csv.gz".to_owned(),
            expires: 1_000 + HOLDS + 60,
        };
        let taken = store.take_download(account.id, 0, 9, Some(&ahead)).await;
        taken.expect("it answers").expect("it is allowed");
        let expires = ahead.expires.to_string();
        assert_eq!(
            open(&ahead.file, &expires, &"07".repeat(32), 1_000_000).await,
            Err(Refused::Signature)
        );
    }

    #[tokio::test]
    async fn parts_of_a_killed_process_are_removed() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let database = format!("sqlite:{}", folder.path().join("td.db").display());
        let store = Store::open(&database).await.expect("it opens");
        let settings = StorageSettings {
            folder: folder.path().join("exports"),
            ..StorageSettings::default()
        };
        let at = |name: &str| settings.folder.join(name);
        std::fs::create_dir(&settings.folder).expect("writable");
        let old = [
            ".cards-1700000000000.csv.gz.99.part",
            ".cards-1700000000001.csv.gz.7.part",
        ];
        let others = [
            ".sealed-1700000000000.csv.gz.99.part",
            ".cards-x.csv.gz.99.part",
            ".cards-1700000000000.csv.gz.part",
            "notes.part",
        ];
        let made = SystemTime::now() - ABANDONED - Duration::from_secs(60);
        for name in old.iter().chain(&others) {
            let file = std::fs::File::create(at(name)).expect("writable");
            file.set_modified(made).expect("it is ours");
        }
        let under_way = ".cards-1700000000002.csv.gz.8.part";
        std::fs::write(at(under_way), b"half").expect("writable");
        let storage = Storage::new(&settings, &store);
        let now = Moment::from_millis(1_700_000_000_000);
        storage.sweep(Dataset::Cards, [None, None], now).await;
        for name in old {
            assert!(!at(name).exists(), "{name}");
        }
        for name in others.iter().chain(&[under_way]) {
            assert!(at(name).exists(), "{name}");
        }
    }
}
