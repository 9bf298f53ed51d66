//! A [`Dictionary`] as bytes: loaded when a program is built, so that it need not be when it
//! starts.

use super::Dictionary;
use crate::error::{Error, ErrorKind};

impl Dictionary {
    /// The dictionary as bytes, for [`Dictionary::compiled`] of the same build.
    ///
    /// # Errors
    /// [`ErrorKind::Dictionary`] if it cannot be written.
    pub fn compile(&self) -> Result<Vec<u8>, Error> {
        postcard::to_allocvec(self).map_err(|error| {
            Error::new(
                ErrorKind::Dictionary,
                format!("the dictionary cannot be written: {error}"),
            )
        })
    }

    /// The dictionary of bytes that [`Dictionary::compile`] wrote.
    ///
    /// # Errors
    /// [`ErrorKind::Dictionary`] if another build wrote them.
    pub fn compiled(bytes: &[u8]) -> Result<Dictionary, Error> {
        let dictionary: Dictionary = postcard::from_bytes(bytes).map_err(|error| {
            Error::new(
                ErrorKind::Dictionary,
                format!("the compiled dictionary cannot be read: {error}; build it again"),
            )
        })?;
        // what is looked up without a question
        let ends = dictionary
            .first
            .last()
            .is_some_and(|&end| end as usize == dictionary.entries.len());
        if ends && dictionary.aliases.trie().keys() + 1 == dictionary.first.len() {
            return Ok(dictionary);
        }
        Err(Error::new(
            ErrorKind::Dictionary,
            "the compiled dictionary contradicts itself: build it again",
        ))
    }
}

/// The keys of the trie of aliases, whose values are their numbers in order: for each, the number
/// of bytes that it shares with the one before, and the rest.
pub(super) mod aliases {
    use crate::trie::{Columns, build};
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(columns: &Columns, to: S) -> Result<S::Ok, S::Error> {
        let mut keys: Vec<Vec<u8>> = Vec::new();
        columns.trie().for_each(|key, _| keys.push(key.to_vec()));
        keys.sort();
        let before = std::iter::once(&[][..]).chain(keys.iter().map(Vec::as_slice));
        let shared = |(key, before): (&Vec<u8>, &[u8])| {
            key.iter().zip(before).take_while(|(a, b)| a == b).count()
        };
        let shared: Vec<usize> = keys.iter().zip(before).map(shared).collect();
        let rests: Vec<&[u8]> = keys
            .iter()
            .zip(&shared)
            .map(|(key, &shared)| &key[shared..])
            .collect();
        (shared, rests).serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Columns, D::Error> {
        let (shared, rests) = <(Vec<usize>, Vec<&[u8]>)>::deserialize(from)?;
        let mut bytes: Vec<u8> = Vec::new();
        let mut places: Vec<(usize, usize)> = Vec::with_capacity(rests.len());
        for (&shared, rest) in shared.iter().zip(rests) {
            let before = places.last().map_or(0, |place| place.0);
            let from = bytes.len();
            if shared > from - before {
                return Err(D::Error::custom("an alias shares more than there is"));
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
            Err(D::Error::custom("aliases out of their order"))
        }
    }
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
