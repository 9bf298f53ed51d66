//! A [`Dictionary`] as bytes: loaded when a program is built, so that it need not be when it
//! starts.
//!
//! There are two forms. [`Dictionary::compile`] is for a program that travels: it lists the aliases,
//! and their trie, twice as large, is built on arrival. [`Dictionary::image`] has the trie as it lies
//! in memory, for a program that is started again and again.

use super::{Category, Dictionary, Entry, Region};
use crate::error::{Error, ErrorKind};
use crate::trie::Columns;
use serde::{Deserialize, Deserializer, Serialize};
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
    /// Of each game what titles are not read by.
    games: Vec<Unread>,
    /// All else; it has no aliases.
    rest: Dictionary,
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
    pub fn compile(&self) -> Result<Vec<u8>, Error> {
        postcard::to_allocvec(self).map_err(unwritten)
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
        postcard::from_bytes(bytes).map_err(unread)
    }
}

/// The keys of the trie of aliases, whose values are their numbers in order: for each, the number
/// of bytes that it shares with the one before; and all their rests as one text, each with a zero
/// behind it, which compresses a tenth smaller than rests with their lengths.
pub(super) mod aliases {
    use crate::sort::sort_by;
    use crate::trie::{Columns, build};
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(columns: &Columns, to: S) -> Result<S::Ok, S::Error> {
        let mut keys: Vec<Vec<u8>> = Vec::new();
        columns.trie().for_each(|key, _| keys.push(key.to_vec()));
        sort_by(&mut keys, Vec::cmp);
        let before = std::iter::once(&[][..]).chain(keys.iter().map(Vec::as_slice));
        let shared = |(key, before): (&Vec<u8>, &[u8])| {
            key.iter().zip(before).take_while(|(a, b)| a == b).count()
        };
        let shared: Vec<usize> = keys.iter().zip(before).map(shared).collect();
        let rests = keys.iter().zip(&shared);
        let rests: Vec<&[u8]> = rests.map(|(key, &shared)| &key[shared..]).collect();
        // keys are folded text, which has no zero
        let mut text = rests.join(&0);
        text.push(0);
        (shared, text).serialize(to)
    }

    #[inline(never)]
    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Columns, D::Error> {
        let (shared, rests) = <(Vec<usize>, &[u8])>::deserialize(from)?;
        columns(&shared, rests).map_err(D::Error::custom)
    }

    /// The trie of the keys that were told so.
    #[inline(never)]
    fn columns(shared: &[usize], rests: &[u8]) -> Result<Columns, &'static str> {
        let mut bytes: Vec<u8> = Vec::new();
        let mut places: Vec<(usize, usize)> = Vec::with_capacity(shared.len());
        for (&shared, rest) in shared.iter().zip(rests.split(|&byte| byte == 0)) {
            let before = places.last().map_or(0, |place| place.0);
            let from = bytes.len();
            if shared > from - before {
                return Err("an alias shares more than there is");
            }
            bytes.extend_from_within(before..before + shared);
            bytes.extend_from_slice(rest);
            places.push((from, bytes.len()));
        }
        let keys: Vec<(&[u8], u32)> = places
            .iter()
            .map(|&(from, to)| &bytes[from..to])
            .zip(0..)
            .collect();
        if keys.is_sorted_by(|a, b| a.0 < b.0) {
            Ok(build(&keys))
        } else {
            Err("aliases out of their order")
        }
    }
}

/// The entries of aliases, apart from all else: a browser compiles again what runs long, and all else
/// is large.
#[inline(never)]
pub(super) fn entries<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Entry>, D::Error> {
    Vec::deserialize(from)
}

/// Ascending numbers from 0, as the steps between them.
pub(super) mod steps {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(numbers: &[u32], to: S) -> Result<S::Ok, S::Error> {
        numbers
            .windows(2)
            .map(|pair| pair[1] - pair[0])
            .collect::<Vec<u32>>()
            .serialize(to)
    }

    #[inline(never)]
    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u32>, D::Error> {
        let mut last = 0u32;
        let mut numbers = vec![last];
        for step in Vec::<u32>::deserialize(from)? {
            last = last.saturating_add(step);
            numbers.push(last);
        }
        Ok(numbers)
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
        let bytes = loaded.compile().expect("it is written");
        let again = Dictionary::compiled(&bytes).expect("it is read");
        assert_eq!(format!("{loaded:?}"), format!("{again:?}"));
        assert!(Dictionary::compiled(&bytes[..bytes.len() / 2]).is_err());
        assert!(Dictionary::compiled(b"").is_err());
    }
}
