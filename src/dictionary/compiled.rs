//! A [`Dictionary`] as bytes: loaded when a program is built, so that it need not be when it
//! starts.
//!
//! There are two forms. [`Dictionary::compile`] is for a program that travels: it lists the aliases
//! by what they mean, and their trie, twice as large, is built on arrival. [`Dictionary::image`] has
//! the trie as it lies in memory, for a program that is started again and again.

use super::{Category, Dictionary, Entry, Region};
use crate::error::{Error, ErrorKind};
use crate::sort::sort_by;
use crate::trie::{Columns, build};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use zerocopy::little_endian::U32;
use zerocopy::{FromBytes, IntoBytes};

/// What titles are not read by, of a game.
#[derive(Serialize, Deserialize)]
struct Unread {
    regions: Vec<Region>,
    categories: Vec<(String, Category)>,
}

/// What [`Dictionary::image`] writes.
#[derive(Serialize, Deserialize)]
struct Image<'b> {
    labels: &'b [u8],
    links: &'b [u8],
    tails: &'b [u8],
    first: Vec<u32>,
    entries: Vec<Entry>,
    /// Of each game what titles are not read by.
    games: Vec<Unread>,
    /// All else; it has no aliases.
    rest: Dictionary,
}

/// What [`Dictionary::compile`] writes: aliases of one meaning stand together, ascending, and are told
/// by what they share with the one before, which compresses better than one list of all.
#[derive(Serialize, Deserialize)]
struct Listed<'b> {
    /// The entries that some aliases have, and how many aliases those are.
    #[serde(deserialize_with = "meanings")]
    meanings: Vec<Meaning>,
    /// Of each alias the number of bytes that it shares with the one before.
    shared: &'b [u8],
    /// All their rests as one text, each with a zero behind it, which compresses a tenth smaller than
    /// rests with their lengths.
    rests: &'b [u8],
    /// All else; it has no aliases.
    rest: Dictionary,
}

/// The entries that some aliases have, and how many aliases those are.
type Meaning = (Vec<Entry>, u32);

/// Meanings, apart from all else: a browser compiles again what runs long, and all else is large.
#[inline(never)]
fn meanings<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Vec<Meaning>, D::Error> {
    Vec::deserialize(from)
}

fn unwritten(error: postcard::Error) -> Error {
    let message = format!("the dictionary cannot be written: {error}");
    Error::new(ErrorKind::Dictionary, message)
}

fn unread(error: postcard::Error) -> Error {
    let message = format!("the compiled dictionary cannot be read: {error}; build it again");
    Error::new(ErrorKind::Dictionary, message)
}

impl Dictionary {
    /// The dictionary as bytes, for [`Dictionary::compiled`] of the same build.
    ///
    /// # Errors
    /// [`ErrorKind::Dictionary`] if it cannot be written.
    pub fn compile(self) -> Result<Vec<u8>, Error> {
        type Keys = Vec<Vec<u8>>;
        let mut aliases: Vec<(Vec<u8>, u32)> = Vec::new();
        let trie = self.aliases.trie();
        trie.for_each(|key, alias| aliases.push((key.to_vec(), alias)));
        // what entries are as bytes puts them in order
        let mut lists: BTreeMap<Vec<u8>, (&[Entry], Keys)> = BTreeMap::new();
        for (key, alias) in aliases {
            let entries = self.entries_of(alias);
            let bytes = postcard::to_allocvec(entries).map_err(unwritten)?;
            let list = lists.entry(bytes).or_insert((entries, Keys::new()));
            list.1.push(key);
        }
        let (mut meanings, mut shared, mut rests) = (Vec::new(), Vec::new(), Vec::new());
        for (entries, mut keys) in lists.into_values() {
            keys.sort_unstable();
            meanings.push((entries.to_vec(), keys.len() as u32));
            let mut before: &[u8] = &[];
            for key in &keys {
                let same = key.iter().zip(before).take_while(|(a, b)| a == b).count();
                let same = u8::try_from(same).unwrap_or(u8::MAX);
                shared.push(same);
                // keys are folded text, which has no zero
                rests.extend_from_slice(&key[usize::from(same)..]);
                rests.push(0);
                before = key;
            }
        }
        let listed = Listed {
            meanings,
            shared: &shared,
            rests: &rests,
            rest: self,
        };
        postcard::to_allocvec(&listed).map_err(unwritten)
    }

    /// The dictionary as bytes, for [`Dictionary::open`] of the same build.
    ///
    /// # Errors
    /// [`ErrorKind::Dictionary`] if it cannot be written.
    pub fn image(mut self) -> Result<Vec<u8>, Error> {
        let aliases = std::mem::take(&mut self.aliases);
        let folders = self.folders.iter();
        let image = Image {
            labels: &aliases.labels,
            links: aliases.links.as_bytes(),
            tails: &aliases.tails,
            first: std::mem::take(&mut self.first),
            entries: std::mem::take(&mut self.entries),
            games: folders
                .map(|game| Unread {
                    regions: game.regions.clone(),
                    categories: game.categories.clone(),
                })
                .collect(),
            rest: self,
        };
        postcard::to_allocvec(&image).map_err(unwritten)
    }

    /// The dictionary of bytes that [`Dictionary::image`] wrote: nothing is built, and the trie is
    /// copied.
    ///
    /// # Errors
    /// [`ErrorKind::Dictionary`] if another build wrote them.
    pub fn open(bytes: &[u8]) -> Result<Dictionary, Error> {
        let image: Image<'_> = postcard::from_bytes(bytes).map_err(unread)?;
        let links = <[U32]>::ref_from_bytes(image.links)
            .map_err(|_| unread(postcard::Error::DeserializeBadEncoding))?;
        let mut dictionary = image.rest;
        dictionary.aliases = Columns {
            labels: image.labels.to_vec(),
            links: links.to_vec(),
            tails: image.tails.to_vec(),
        };
        (dictionary.first, dictionary.entries) = (image.first, image.entries);
        for (game, rest) in dictionary.folders.iter_mut().zip(image.games) {
            (game.regions, game.categories) = (rest.regions, rest.categories);
        }
        Ok(dictionary)
    }

    /// The dictionary of bytes that [`Dictionary::compile`] wrote.
    ///
    /// # Errors
    /// [`ErrorKind::Dictionary`] if another build wrote them.
    pub fn compiled(bytes: &[u8]) -> Result<Dictionary, Error> {
        let listed: Listed<'_> = postcard::from_bytes(bytes).map_err(unread)?;
        let (meanings, shared, rests) = (&listed.meanings, listed.shared, listed.rests);
        let dictionary = listed.rest.with_aliases(meanings, shared, rests);
        dictionary.ok_or_else(|| unread(postcard::Error::DeserializeBadEncoding))
    }

    /// The dictionary with the aliases of a [`Listed`]; `None` if it contradicts itself.
    #[inline(never)]
    fn with_aliases(
        mut self,
        meanings: &[Meaning],
        shared: &[u8],
        rests: &[u8],
    ) -> Option<Dictionary> {
        let mut bytes: Vec<u8> = Vec::with_capacity(2 * rests.len());
        let mut aliases: Vec<(usize, usize, &[Entry])> = Vec::with_capacity(shared.len());
        let mut rests = rests.split(|&byte| byte == 0).zip(shared);
        for (entries, count) in meanings {
            let mut before = bytes.len()..bytes.len();
            for (rest, &shared) in rests.by_ref().take(*count as usize) {
                let from = bytes.len();
                let shared = before.start..before.start + usize::from(shared);
                if shared.end > before.end {
                    return None;
                }
                bytes.extend_from_within(shared);
                bytes.extend_from_slice(rest);
                before = from..bytes.len();
                aliases.push((from, bytes.len(), entries));
            }
        }
        sort_by(&mut aliases, |a, b| bytes[a.0..a.1].cmp(&bytes[b.0..b.1]));
        let mut keys: Vec<(&[u8], u32)> = Vec::with_capacity(aliases.len());
        for (&(from, to, entries), number) in aliases.iter().zip(0..) {
            keys.push((&bytes[from..to], number));
            self.first.push(self.entries.len() as u32);
            self.entries.extend_from_slice(entries);
        }
        self.first.push(self.entries.len() as u32);
        if !keys.is_sorted_by(|a, b| a.0 < b.0) {
            return None;
        }
        self.aliases = build(&keys);
        Some(self)
    }
}

/// A grade, if there is one, as its halves.
pub(super) mod halves {
    use crate::parsed::GradeValue;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[allow(clippy::ref_option, reason = "serde hands on what it has")]
    pub(crate) fn serialize<S: Serializer>(
        grade: &Option<GradeValue>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        grade.map(GradeValue::halves).serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<GradeValue>, D::Error> {
        Ok(Option::<u8>::deserialize(from)?.map(GradeValue::from_halves))
    }
}

#[cfg(test)]
mod tests {
    use super::Dictionary;
    use crate::dictionary::FILES;

    #[test]
    fn opened_dictionary_equals_the_loaded_one() {
        let loaded = Dictionary::load(FILES).expect("the dictionaries load");
        let expected = format!("{loaded:?}");
        let bytes = loaded.image().expect("it is written");
        let again = Dictionary::open(&bytes).expect("it is read");
        assert_eq!(expected, format!("{again:?}"));
        assert!(Dictionary::open(&bytes[..bytes.len() / 2]).is_err());
        assert!(Dictionary::open(b"").is_err());
    }

    #[test]
    fn compiled_dictionary_equals_the_loaded_one() {
        let mut loaded = Dictionary::load(FILES).expect("the dictionaries load");
        // what titles are not read by is left out
        for game in &mut loaded.folders {
            (game.regions, game.categories) = Default::default();
        }
        let expected = format!("{loaded:?}");
        let bytes = loaded.compile().expect("it is written");
        let again = Dictionary::compiled(&bytes).expect("it is read");
        assert_eq!(expected, format!("{again:?}"));
        assert!(Dictionary::compiled(&bytes[..bytes.len() / 2]).is_err());
        assert!(Dictionary::compiled(b"").is_err());
    }
}
