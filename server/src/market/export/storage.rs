//! [`Storage`]: where the files of the export lie. They are fetched at signed addresses that
//! expire.

use super::bucket::Bucket;
use super::dataset::Dataset;
use super::error::ExportError;
use super::files::{HOLDS, is_file_of};
use crate::clock::Moment;
use crate::keys;
use crate::store::{Store, StoreError};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The path at which this service serves the files itself.
pub const PATH: &str = "/exports/";

/// Where the files of the export lie, and how callers reach them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StorageSettings {
    /// The folder of the files. Processes that share a database share it too, unless there is a
    /// bucket.
    pub folder: PathBuf,
    /// Object storage that files are put into. Without it, the service serves them from the folder.
    pub bucket: Option<Bucket>,
    /// The public address of the service, in front of the paths of files: `https://prices.example`.
    /// Empty for relative paths.
    pub base_url: String,
}

impl Default for StorageSettings {
    fn default() -> Self {
        Self {
            folder: PathBuf::from("titledex-exports"),
            bucket: None,
            base_url: String::new(),
        }
    }
}

/// The storage of the files.
#[derive(Clone, Debug)]
pub struct Storage {
    /// The folder where files are made. They stay there unless there is a bucket.
    folder: PathBuf,
    bucket: Option<Bucket>,
    secret: Vec<u8>,
    /// The public address of the service, in front of paths; empty for relative ones.
    base: String,
    failures: Arc<AtomicU64>,
}

/// Why a file is not served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The signature is not ours, or for another file.
    Signature,
    /// The address no longer holds.
    Expired,
    /// There is no such file.
    Missing,
}

impl Storage {
    /// A folder that this service serves, under addresses signed with `secret`.
    #[must_use]
    pub fn folder_of(folder: PathBuf, secret: Vec<u8>, base: String) -> Self {
        Self {
            folder,
            bucket: None,
            secret,
            base,
            failures: Arc::default(),
        }
    }

    /// The storage of the settings. All processes that share a database sign with the secret that
    /// it keeps.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn of(settings: &StorageSettings, store: &Store) -> Result<Self, StoreError> {
        let new = keys::random(32)
            .map_err(|error| sqlx::Error::Io(io::Error::other(error.to_string())))?;
        let secret = store.fact_or("export_secret", &new).await?;
        let folder = Self::folder_of(
            settings.folder.clone(),
            secret.into_bytes(),
            settings.base_url.clone(),
        );
        Ok(Self {
            bucket: settings.bucket.clone(),
            ..folder
        })
    }

    /// The folder where files are made.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
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
    /// which somebody may be fetching.
    pub(super) async fn sweep(&self, dataset: Dataset, kept: [Option<&str>; 2], now: Moment) {
        if let Some(bucket) = &self.bucket {
            if let Err(error) = bucket.sweep(dataset, kept, now).await {
                tracing::warn!(%error, %bucket, "old files of the export were not removed: tried again after the next one");
            }
            return;
        }
        let Ok(files) = fs::read_dir(&self.folder) else {
            return;
        };
        for file in files.flatten() {
            let name = file.file_name();
            let Some(name) = name.to_str().filter(|name| is_file_of(name, dataset)) else {
                continue;
            };
            if !kept.contains(&Some(name)) {
                let _ = fs::remove_file(file.path());
            }
        }
    }

    /// The address at which a file is fetched, for [`HOLDS`] seconds.
    #[must_use]
    pub fn address(&self, file: &str, now: Moment) -> String {
        if let Some(bucket) = &self.bucket {
            return bucket.address(file, now);
        }
        let expires = now.millis().div_euclid(1_000) + HOLDS;
        let signature: String = self
            .signature(file, expires)
            .finalize()
            .into_bytes()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        format!(
            "{}{PATH}{file}?expires={expires}&signature={signature}",
            self.base
        )
    }

    /// Opens a file at a valid address, and returns its length.
    ///
    /// # Errors
    /// If the address is invalid, or the file is gone.
    pub fn open(
        &self,
        file: &str,
        expires: &str,
        signature: &str,
        now: Moment,
    ) -> Result<(fs::File, u64), Refused> {
        let plain = expires.len() <= 12
            && !expires.is_empty()
            && expires.bytes().all(|byte| byte.is_ascii_digit());
        let until: i64 = expires
            .parse()
            .ok()
            .filter(|_| plain)
            .ok_or(Refused::Signature)?;
        let signature = unhex(signature).ok_or(Refused::Signature)?;
        // in constant time
        self.signature(file, until)
            .verify_slice(&signature)
            .map_err(|_| Refused::Signature)?;
        if now.millis() >= until * 1_000 {
            return Err(Refused::Expired);
        }
        // signed names are ours; this holds even if the secret were known
        Dataset::ALL
            .into_iter()
            .find(|dataset| is_file_of(file, *dataset))
            .ok_or(Refused::Missing)?;
        let opened = fs::File::open(self.folder.join(file)).and_then(|file| {
            let length = file.metadata()?.len();
            Ok::<_, io::Error>((file, length))
        });
        opened.map_err(|_| Refused::Missing)
    }

    fn signature(&self, file: &str, expires: i64) -> Hmac<Sha256> {
        let mut mac =
            Hmac::<Sha256>::new_from_slice(&self.secret).expect("a key may have any length");
        mac.update(file.as_bytes());
        mac.update(b"\n");
        mac.update(&expires.to_le_bytes());
        mac
    }
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
    use super::{HOLDS, Moment, Refused, Storage};

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

    #[test]
    fn signed_address_holds_for_one_file_until_it_expires() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        std::fs::write(folder.path().join("cards-5.csv.gz"), b"cards").expect("writable");
        std::fs::write(folder.path().join("sealed-5.csv.gz"), b"sealed").expect("writable");
        let storage =
            Storage::folder_of(folder.path().to_owned(), b"secret".to_vec(), String::new());
        let now = Moment::from_millis(1_000_000);
        let (file, expires, signature) = parts(&storage.address("cards-5.csv.gz", now));
        assert_eq!(
            storage
                .open(&file, &expires, &signature, now)
                .expect("it is right")
                .1,
            5
        );
        let open = |file: &str, expires: &str, signature: &str, at: i64| {
            storage
                .open(file, expires, signature, Moment::from_millis(at))
                .map(|_| ())
                .expect_err("it is refused")
        };
        assert_eq!(
            open("sealed-5.csv.gz", &expires, &signature, 1_000_000),
            Refused::Signature
        );
        assert_eq!(
            open(&file, &format!("{expires}0"), &signature, 1_000_000),
            Refused::Signature
        );
        assert_eq!(
            open(
                &file,
                &expires,
                &signature.replace(char::is_numeric, "a"),
                1_000_000
            ),
            Refused::Signature
        );
        assert_eq!(open(&file, &expires, "", 1_000_000), Refused::Signature);
        assert_eq!(
            open(&file, &expires, &signature, (1_000 + HOLDS) * 1_000),
            Refused::Expired
        );
        let (file, expires, signature) = parts(&storage.address("../cards-5.csv.gz", now));
        assert_eq!(
            open(&file, &expires, &signature, 1_000_000),
            Refused::Missing
        );
        let (file, expires, signature) = parts(&storage.address("cards-6.csv.gz", now));
        assert_eq!(
            open(&file, &expires, &signature, 1_000_000),
            Refused::Missing
        );
        let other = Storage::folder_of(folder.path().to_owned(), b"other".to_vec(), String::new());
        let (file, expires, signature) = parts(&other.address("cards-5.csv.gz", now));
        assert_eq!(
            open(&file, &expires, &signature, 1_000_000),
            Refused::Signature
        );
    }
}
