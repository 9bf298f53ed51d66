//! [`Folder`]: which files of a watched folder are complete, and which entries are not taken.

use crate::clock::Moment;
use crate::market::load::Kind;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};
use titledex_command::shown;
use titledex_command::source::Kind as Format;

/// Entries that are looked at. The others wait until these are gone.
const MOST_ENTRIES: usize = 10_000;
/// The longest name of a file, in bytes: reports have longer ones, and 255 is the most.
const MOST_NAME: usize = 180;
/// After how long a file that could not be taken is tried again, in milliseconds.
const AGAIN: i64 = 60_000;
/// Where files go.
pub(super) const DONE: &str = "done";
pub(super) const FAILED: &str = "failed";

/// What tells a file from another, and from itself before it was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    device: u64,
    inode: u64,
    pub(super) length: u64,
    modified: (i64, i64),
    /// Changes with the name, too: a file that is put back counts as another.
    changed: (i64, i64),
}

impl Stamp {
    pub(super) fn of(metadata: &Metadata) -> Self {
        Self {
            device: metadata.dev(),
            inode: metadata.ino(),
            length: metadata.len(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        }
    }

    /// As bytes. The device is left out: it may differ between computers that share the folder.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let (modified, changed) = (self.modified, self.changed);
        let numbers = [modified.0, modified.1, changed.0, changed.1].map(i64::to_le_bytes);
        let numbers = numbers
            .into_iter()
            .chain([self.inode, self.length].map(u64::to_le_bytes));
        numbers.flatten().collect()
    }
}

/// A file that is complete.
#[derive(Clone, Debug)]
pub(super) struct Settled {
    pub(super) name: String,
    /// What its name says, or why it says nothing.
    pub(super) named: Result<(Kind, Format), &'static str>,
    pub(super) stamp: Stamp,
}

/// What a look found.
#[derive(Debug, Default)]
pub(super) struct Look {
    /// In the order in which they are imported.
    pub(super) settled: Vec<Settled>,
    /// Files that will be imported, now or later.
    pub(super) waiting: u64,
    /// Entries that will not be.
    pub(super) stuck: u64,
    /// Those of them that were not seen before, and why they are not taken.
    pub(super) refused: Vec<(String, &'static str)>,
}

/// A file as it was seen.
#[derive(Debug)]
struct Seen {
    stamp: Stamp,
    since: Moment,
    /// When it may be tried again, if it could not be taken.
    again: Option<Moment>,
}

/// A watched folder.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    /// For how long a file must be unchanged, in milliseconds.
    settle: i64,
    seen: BTreeMap<String, Seen>,
    refused: BTreeSet<OsString>,
}

impl Folder {
    pub(super) fn new(path: &Path, settle: i64) -> Self {
        Self {
            path: path.to_owned(),
            settle,
            seen: BTreeMap::new(),
            refused: BTreeSet::new(),
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Looks at the entries.
    pub(super) fn look(&mut self, now: Moment) -> io::Result<Look> {
        let mut look = Look::default();
        let (mut seen, mut refused) = (BTreeMap::new(), BTreeSet::new());
        for entry in fs::read_dir(&self.path)?.take(MOST_ENTRIES) {
            let entry = entry?;
            let name = entry.file_name();
            if is_left_alone(&name) {
                continue;
            }
            // not followed, if it is a link; it may be gone
            let Ok(metadata) = entry.path().symlink_metadata() else {
                continue;
            };
            let text = match acceptable(&name, &metadata) {
                Ok(text) => text.to_owned(),
                Err(why) => {
                    look.stuck += 1;
                    if !self.refused.contains(&name) {
                        look.refused.push((shown(&name.to_string_lossy()), why));
                    }
                    refused.insert(name);
                    continue;
                }
            };
            let stamp = Stamp::of(&metadata);
            let known = self.seen.remove(&text).filter(|known| known.stamp == stamp);
            let known = known.unwrap_or(Seen {
                stamp: stamp.clone(),
                since: now,
                again: None,
            });
            match known.again {
                Some(again) if again > now => look.stuck += 1,
                _ => {
                    look.waiting += 1;
                    if now.millis() - known.since.millis() >= self.settle {
                        look.settled.push(Settled {
                            named: named(&text),
                            name: text.clone(),
                            stamp,
                        });
                    }
                }
            }
            seen.insert(text, known);
        }
        (self.seen, self.refused) = (seen, refused);
        let order = |file: &Settled| {
            let kind = file.named.as_ref().map(|(kind, _)| *kind);
            kind.map_or(0, |kind| {
                Kind::ALL.iter().position(|of| *of == kind).unwrap_or(0)
            })
        };
        look.settled
            .sort_by(|one, other| (order(one), &one.name).cmp(&(order(other), &other.name)));
        Ok(look)
    }

    /// Notes that a file could not be taken: it is tried again later.
    pub(super) fn put_off(&mut self, name: &str, now: Moment) {
        if let Some(seen) = self.seen.get_mut(name) {
            seen.again = Some(Moment::from_millis(now.millis() + AGAIN));
        }
    }
}

/// Whether an entry is to be left alone: not ours, or by its name still being written.
fn is_left_alone(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    name.starts_with('.')
        || name.ends_with(".part")
        || name.ends_with(".tmp")
        || [DONE, FAILED].contains(&&*name)
}

/// The name of an entry that may be taken, or why it may not.
fn acceptable<'n>(name: &'n OsStr, metadata: &Metadata) -> Result<&'n str, &'static str> {
    let kind = metadata.file_type();
    if kind.is_symlink() {
        return Err("is a link: put the file itself here");
    }
    if kind.is_dir() {
        return Err("is a folder: put its files here, named by their kind");
    }
    if kind.is_fifo() || kind.is_socket() || kind.is_block_device() || kind.is_char_device() {
        return Err("is a pipe, a socket or a device: put a file here");
    }
    let Some(text) = name.to_str() else {
        return Err("has a name that is not UTF-8: rename it");
    };
    if text != shown(text) {
        return Err("has a name with characters that are not seen: rename it");
    }
    if text.len() > MOST_NAME {
        return Err("has a name of more than 180 bytes: rename it");
    }
    Ok(text)
}

/// What a name says: `prices-2026-11-21.csv.gz` has prices, as CSV.
fn named(name: &str) -> Result<(Kind, Format), &'static str> {
    let word = name
        .find(|letter: char| !letter.is_ascii_lowercase())
        .map_or(name, |end| &name[..end]);
    let kind = Kind::named(word).ok_or(
        "has a name that does not begin with its kind: name it as prices-2026-11-21.csv, or with \
         cards, sets, sealed, sales, population or rates",
    )?;
    let ending = |name: &str| {
        name.rsplit_once('.')
            .map(|(_, end)| end.to_ascii_lowercase())
    };
    let inner = match ending(name).as_deref() {
        Some("gz") => &name[..name.len() - 3],
        _ => name,
    };
    let format = match ending(inner).as_deref() {
        Some("csv") => Format::Csv,
        Some("tsv") => Format::Tsv,
        Some("jsonl" | "ndjson") => Format::Jsonl,
        Some("parquet") => Format::Parquet,
        _ => {
            return Err(
                "has no known ending: name it .csv, .tsv, .jsonl or .parquet, with .gz after it if \
                 it is compressed",
            );
        }
    };
    Ok((kind, format))
}

#[cfg(test)]
mod tests {
    use super::{Folder, named};
    use crate::clock::Moment;
    use crate::market::load::Kind;
    use std::fs;
    use titledex_command::source::Kind as Format;

    #[test]
    fn name_states_kind_and_format() {
        for (name, kind, format) in [
            ("prices-2026-11-21.csv", Kind::Prices, Format::Csv),
            ("sales_x.jsonl.gz", Kind::Sales, Format::Jsonl),
            ("sets.NDJSON", Kind::Sets, Format::Jsonl),
            ("population.2.tsv.gz", Kind::Population, Format::Tsv),
            ("rates.parquet", Kind::Rates, Format::Parquet),
        ] {
            assert_eq!(named(name), Ok((kind, format)), "{name}");
        }
        for name in [
            "salesforce.csv",
            "Prices.csv",
            "prices",
            "prices.gz",
            "x.csv",
            "prices.txt",
        ] {
            assert!(named(name).is_err(), "{name}");
        }
    }

    /// A file is complete once nothing of it has changed for as long as the settings say, by the
    /// service's clock; kinds come in the order in which they refer to each other.
    #[test]
    fn files_settle_and_are_taken_in_order() {
        let home = tempfile::tempdir().expect("a folder can be made");
        let write = |name: &str, text: &str| {
            fs::write(home.path().join(name), text).expect("writable");
        };
        for name in [
            "sales-1.csv",
            "prices-2.csv",
            "prices-1.csv",
            "cards.csv",
            "x.csv",
        ] {
            write(name, "a");
        }
        write("prices-3.csv.part", "a");
        write(".prices-4.csv", "a");
        fs::create_dir(home.path().join("done")).expect("writable");
        let mut folder = Folder::new(home.path(), 10_000);
        let mut look = |at: i64| {
            let look = folder.look(Moment::from_millis(at)).expect("readable");
            let names: Vec<String> = look.settled.into_iter().map(|file| file.name).collect();
            (names.join(" "), look.waiting)
        };
        assert_eq!(look(0), (String::new(), 5));
        assert_eq!(look(9_999), (String::new(), 5));
        write("prices-1.csv", "ab");
        assert_eq!(
            look(10_000),
            ("x.csv cards.csv prices-2.csv sales-1.csv".to_owned(), 5)
        );
        assert_eq!(
            look(20_000),
            (
                "x.csv cards.csv prices-1.csv prices-2.csv sales-1.csv".to_owned(),
                5
            )
        );
    }

    #[test]
    fn links_folders_devices_and_hidden_letters_are_refused_once() {
        let home = tempfile::tempdir().expect("a folder can be made");
        let target = home.path().join("prices-real.part");
        fs::write(&target, "a").expect("writable");
        std::os::unix::fs::symlink(&target, home.path().join("prices-link.csv")).expect("writable");
        std::os::unix::fs::symlink("/nowhere", home.path().join("prices-lost.csv"))
            .expect("writable");
        fs::create_dir(home.path().join("prices.csv")).expect("writable");
        fs::write(home.path().join("prices\n.csv"), "a").expect("writable");
        fs::write(home.path().join("prices\u{202e}.csv"), "a").expect("writable");
        std::os::unix::net::UnixListener::bind(home.path().join("sales.csv")).expect("writable");
        let mut folder = Folder::new(home.path(), 0);
        let look = folder.look(Moment::from_millis(0)).expect("readable");
        let found = (
            look.settled.len(),
            look.waiting,
            look.stuck,
            look.refused.len(),
        );
        assert_eq!(found, (0, 0, 6, 6), "{look:?}");
        assert!(
            look.refused
                .iter()
                .all(|(name, _)| !name.contains(char::is_control))
        );
        let look = folder.look(Moment::from_millis(1)).expect("readable");
        assert_eq!((look.stuck, look.refused.len()), (6, 0), "{look:?}");
    }
}
