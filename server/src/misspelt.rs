//! [`Members`]: reads an object whose unknown members are ignored, but for known ones that are spelt
//! otherwise: who writes `fuzzymatching` means `fuzzyMatching`, and would never learn that it was
//! ignored.

use serde::de::{DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, Visitor};
use serde::forward_to_deserialize_any;
use std::borrow::Cow;
use std::fmt;

/// The most bytes of a name that is compared with known ones.
const MOST_NAME: usize = 64;

/// The members of an object, as serde's derived structs take them.
pub(crate) struct Members<A>(pub(crate) A);

impl<'de, A: MapAccess<'de>> Deserializer<'de> for Members<A> {
    type Error = A::Error;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        known: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        visitor.visit_map(Named {
            members: self.0,
            known,
        })
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, A::Error> {
        visitor.visit_map(self.0)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

/// Members whose names are looked at.
struct Named<A> {
    members: A,
    known: &'static [&'static str],
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Named<A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        let name = self.members.next_key_seed(Name(self.known))?;
        name.map(|name| seed.deserialize(name.into_deserializer()))
            .transpose()
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.members.next_value_seed(seed)
    }
}

/// A name, checked while it is read: the error then has its place.
struct Name(&'static [&'static str]);

impl Name {
    fn check<E: Error>(&self, name: &str) -> Result<(), E> {
        match meant(name, self.0) {
            None => Ok(()),
            Some(meant) => Err(E::custom(format_args!(
                "unknown_option: {name:?} is not known: write {meant:?}, names are case-sensitive"
            ))),
        }
    }
}

impl<'de> DeserializeSeed<'de> for Name {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        from.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Name {
    type Value = Cow<'de, str>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a name")
    }

    fn visit_borrowed_str<E: Error>(self, name: &'de str) -> Result<Self::Value, E> {
        self.check(name).map(|()| Cow::Borrowed(name))
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        self.check(name).map(|()| Cow::Owned(name.to_owned()))
    }
}

/// The known name of the same letters, if `name` is written otherwise.
fn meant(name: &str, known: &[&'static str]) -> Option<&'static str> {
    if name.len() > MOST_NAME || known.contains(&name) {
        return None;
    }
    let letters = |name: &str| {
        let plain = name.chars().filter(|c| !matches!(c, '_' | '-' | ' '));
        plain.flat_map(char::to_lowercase).collect::<String>()
    };
    let written = letters(name);
    known
        .iter()
        .copied()
        .find(|known| letters(known) == written)
}

#[cfg(test)]
mod tests {
    use super::meant;

    #[test]
    fn known_names_are_recognised_in_other_spellings() {
        let known = ["fuzzyMatching", "brief"];
        for name in [
            "fuzzymatching",
            "FuzzyMatching",
            "fuzzy_matching",
            "fuzzy-matching",
        ] {
            assert_eq!(meant(name, &known), Some("fuzzyMatching"), "{name}");
        }
        assert_eq!(meant("BRIEF", &known), Some("brief"));
        for name in [
            "fuzzyMatching",
            "brief",
            "fuzzy",
            "briefs",
            "threshold",
            "",
            "_",
        ] {
            assert_eq!(meant(name, &known), None, "{name}");
        }
    }
}
