//! [`Asked`]: the body of parse-title, read strictly: what is unknown, double or of another type is named with its place.

use crate::error::ApiError;
use serde::de::{
    DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor,
};
use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;
use titledex::{MAX_TITLE_BYTES, Options, TitleError};

/// Titles in one request.
pub const MOST_TITLES: usize = 1_000;
/// Matches that may be asked for, as on the command line.
pub const MOST_SUGGESTIONS: u64 = 50;

/// A title, or why it is none.
pub type Title<'b> = Result<Cow<'b, str>, ApiError>;

/// What a body asks.
#[derive(Debug)]
pub enum Asked<'b> {
    /// One title.
    One(Cow<'b, str>),
    /// A batch, with what is wrong with each.
    Many(Vec<Title<'b>>),
}

/// Reads a body.
///
/// # Errors
/// 400 with code, field and place.
pub fn read(body: &[u8]) -> Result<(Asked<'_>, Options), ApiError> {
    let fault = Fault::default();
    let mut json = serde_json::Deserializer::from_slice(body);
    let read = BodySeed(&fault)
        .deserialize(&mut json)
        .and_then(|read| json.end().map(|()| read));
    let (title, titles, options) = read.map_err(|error| fault.explain(&error))?;
    match (title, titles) {
        (Some(_), Some(_)) => Err(ApiError::bad(
            "title_and_titles",
            "the body has both title and titles: send one of them",
        )
        .field("titles")),
        (None, None) => Err(ApiError::bad(
            "missing_title",
            "the body has no title: send {\"title\": \"…\"}",
        )
        .field("title")),
        (Some(title), None) => Ok((Asked::One(check(title, "title")?), options)),
        (None, Some(titles)) if titles.is_empty() => Err(ApiError::bad(
            "empty_titles",
            format!("titles is empty: send 1 to {MOST_TITLES}"),
        )
        .field("titles")),
        (None, Some(titles)) => {
            let titles = titles.into_iter().enumerate().map(|(at, title)| {
                let field = || format!("titles[{at}]");
                match title {
                    Some(title) if is_right(&title) => Ok(title),
                    Some(title) => check(title, &field()),
                    None => Err(ApiError::bad(
                        "wrong_type",
                        "this title is not a string: send text",
                    )
                    .field(field())),
                }
            });
            Ok((Asked::Many(titles.collect()), options))
        }
    }
}

fn is_right(title: &str) -> bool {
    title.len() <= MAX_TITLE_BYTES && !title.trim().is_empty()
}

fn check<'b>(title: Cow<'b, str>, field: &str) -> Title<'b> {
    if is_right(&title) {
        return Ok(title);
    }
    if title.len() > MAX_TITLE_BYTES {
        return Err(ApiError::bad(
            "title_too_long",
            TitleError::too_long(title.len() as u64).message,
        )
        .field(field));
    }
    Err(ApiError::bad(
        "empty_title",
        "the title is empty: send the text of a listing's title",
    )
    .field(field))
}

/// What is known of a fault beside serde's words.
#[derive(Default)]
struct Fault {
    code: Cell<Option<&'static str>>,
    field: Cell<Option<String>>,
}

impl Fault {
    fn at(&self, field: &str) {
        self.field.set(Some(field.to_owned()));
    }

    fn explain(&self, error: &serde_json::Error) -> ApiError {
        let refused = crate::body::json_error(error);
        if !error.is_data() {
            return refused;
        }
        let code = self.code.take().unwrap_or("wrong_type");
        let message = match code {
            // serde: invalid type: integer `5`, expected a string
            "wrong_type" => refused
                .message
                .replace("invalid type: ", "the type is wrong: ")
                .replace("invalid value: ", "the value is wrong: "),
            _ => refused.message.replace(": correct the body", ""),
        };
        let refused = ApiError {
            code,
            message,
            ..refused
        };
        match self.field.take() {
            Some(field) => refused.field(field),
            None => refused,
        }
    }

    /// An error of this code.
    fn refuse<E: serde::de::Error>(
        &self,
        code: &'static str,
        field: &str,
        message: impl fmt::Display,
    ) -> E {
        self.code.set(Some(code));
        self.at(field);
        E::custom(message)
    }

    fn unknown<E: serde::de::Error>(&self, field: &str, known: &str) -> E {
        let field: String = field.chars().take(64).collect();
        self.refuse(
            "unknown_option",
            &field,
            format_args!(
                "unknown member {field:?}: known are {known}, and names are case-sensitive"
            ),
        )
    }

    fn twice<E: serde::de::Error>(&self, field: &str) -> E {
        self.refuse(
            "duplicate_member",
            field,
            format_args!("{field:?} stands twice: send it once"),
        )
    }
}

type Read<'b> = (
    Option<Cow<'b, str>>,
    Option<Vec<Option<Cow<'b, str>>>>,
    Options,
);

struct BodySeed<'f>(&'f Fault);

impl<'b> DeserializeSeed<'b> for BodySeed<'_> {
    type Value = Read<'b>;
    fn deserialize<D: Deserializer<'b>>(self, deserializer: D) -> Result<Read<'b>, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'b> Visitor<'b> for BodySeed<'_> {
    type Value = Read<'b>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object with a title")
    }

    fn visit_map<A: MapAccess<'b>>(self, mut map: A) -> Result<Read<'b>, A::Error> {
        let (mut title, mut titles, mut options) = (None, None, None);
        while let Some(Text(key)) = map.next_key::<Text<'b>>()? {
            match &*key {
                "title" if title.is_none() => {
                    self.0.at("title");
                    title = Some(map.next_value::<Text<'b>>()?.0);
                }
                "titles" if titles.is_none() => {
                    self.0.at("titles");
                    titles = Some(map.next_value_seed(TitlesSeed(self.0))?);
                }
                "options" if options.is_none() => {
                    self.0.at("options");
                    options = Some(map.next_value_seed(OptionsSeed(self.0))?);
                }
                "title" | "titles" | "options" => return Err(self.0.twice(&key)),
                _ => return Err(self.0.unknown(&key, "title, titles, options")),
            }
            self.0.field.set(None);
        }
        Ok((title, titles, options.unwrap_or_default()))
    }
}

/// A string, borrowed where it has no escapes.
struct Text<'b>(Cow<'b, str>);

impl<'b> serde::Deserialize<'b> for Text<'b> {
    fn deserialize<D: Deserializer<'b>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reading;
        impl<'b> Visitor<'b> for Reading {
            type Value = Text<'b>;
            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a string")
            }
            fn visit_borrowed_str<E>(self, text: &'b str) -> Result<Text<'b>, E> {
                Ok(Text(Cow::Borrowed(text)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Text<'b>, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(Reading)
    }
}

/// A whole number; `5.0` is one, as JSON Schema has it.
struct Whole(i64);

impl<'b> serde::Deserialize<'b> for Whole {
    fn deserialize<D: Deserializer<'b>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reading;
        impl Visitor<'_> for Reading {
            type Value = Whole;
            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a whole number")
            }
            fn visit_i64<E>(self, number: i64) -> Result<Whole, E> {
                Ok(Whole(number))
            }
            fn visit_u64<E>(self, number: u64) -> Result<Whole, E> {
                Ok(Whole(i64::try_from(number).unwrap_or(i64::MAX)))
            }
            fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<Whole, E> {
                if number.fract() == 0.0 {
                    // what does not fit becomes the largest or smallest, which is out of range
                    Ok(Whole(number as i64))
                } else {
                    Err(E::invalid_type(serde::de::Unexpected::Float(number), &self))
                }
            }
        }
        deserializer.deserialize_any(Reading)
    }
}

struct TitlesSeed<'f>(&'f Fault);

impl<'b> DeserializeSeed<'b> for TitlesSeed<'_> {
    type Value = Vec<Option<Cow<'b, str>>>;
    fn deserialize<D: Deserializer<'b>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'b> Visitor<'b> for TitlesSeed<'_> {
    type Value = Vec<Option<Cow<'b, str>>>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an array of strings")
    }

    fn visit_seq<A: SeqAccess<'b>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut titles = Vec::new();
        while let Some(Item(title)) = seq.next_element()? {
            if titles.len() == MOST_TITLES {
                let message =
                    format_args!("more than {MOST_TITLES} titles: send them in several requests");
                return Err(self.0.refuse("too_many_titles", "titles", message));
            }
            titles.push(title);
        }
        Ok(titles)
    }
}

/// A string, or anything else, which is passed over.
struct Item<'b>(Option<Cow<'b, str>>);

impl<'b> serde::Deserialize<'b> for Item<'b> {
    fn deserialize<D: Deserializer<'b>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reading;
        impl<'b> Visitor<'b> for Reading {
            type Value = Item<'b>;
            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a string")
            }
            fn visit_borrowed_str<E>(self, text: &'b str) -> Result<Item<'b>, E> {
                Ok(Item(Some(Cow::Borrowed(text))))
            }
            fn visit_str<E>(self, text: &str) -> Result<Item<'b>, E> {
                Ok(Item(Some(Cow::Owned(text.to_owned()))))
            }
            fn visit_bool<E>(self, _: bool) -> Result<Item<'b>, E> {
                Ok(Item(None))
            }
            fn visit_u64<E>(self, _: u64) -> Result<Item<'b>, E> {
                Ok(Item(None))
            }
            fn visit_i64<E>(self, _: i64) -> Result<Item<'b>, E> {
                Ok(Item(None))
            }
            fn visit_f64<E>(self, _: f64) -> Result<Item<'b>, E> {
                Ok(Item(None))
            }
            fn visit_unit<E>(self) -> Result<Item<'b>, E> {
                Ok(Item(None))
            }
            fn visit_seq<A: SeqAccess<'b>>(self, mut seq: A) -> Result<Item<'b>, A::Error> {
                while seq.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Item(None))
            }
            fn visit_map<A: MapAccess<'b>>(self, mut map: A) -> Result<Item<'b>, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Item(None))
            }
        }
        deserializer.deserialize_any(Reading)
    }
}

struct OptionsSeed<'f>(&'f Fault);

impl<'b> DeserializeSeed<'b> for OptionsSeed<'_> {
    type Value = Options;
    fn deserialize<D: Deserializer<'b>>(self, deserializer: D) -> Result<Options, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'b> Visitor<'b> for OptionsSeed<'_> {
    type Value = Options;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: MapAccess<'b>>(self, mut map: A) -> Result<Options, A::Error> {
        let (mut fuzzy, mut most, mut confidence) = (None, None, None);
        while let Some(Text(key)) = map.next_key::<Text<'b>>()? {
            let field = format!("options.{key}");
            self.0.at(&field);
            match &*key {
                "fuzzyMatching" if fuzzy.is_none() => fuzzy = Some(map.next_value::<bool>()?),
                "includeConfidence" if confidence.is_none() => {
                    confidence = Some(map.next_value::<bool>()?)
                }
                "maxSuggestions" if most.is_none() => {
                    let Whole(value) = map.next_value()?;
                    let right = u64::try_from(value)
                        .ok()
                        .filter(|value| (1..=MOST_SUGGESTIONS).contains(value));
                    let Some(value) = right else {
                        let message = format_args!(
                            "options.maxSuggestions is {value}: send 1 to {MOST_SUGGESTIONS}"
                        );
                        return Err(self.0.refuse("out_of_range", &field, message));
                    };
                    most = Some(usize::try_from(value).map_err(A::Error::custom)?);
                }
                "fuzzyMatching" | "includeConfidence" | "maxSuggestions" => {
                    return Err(self.0.twice(&field));
                }
                _ => {
                    return Err(self
                        .0
                        .unknown(&field, "fuzzyMatching, maxSuggestions, includeConfidence"));
                }
            }
        }
        let mut options = Options::default();
        options.fuzzy = fuzzy.unwrap_or(options.fuzzy);
        options.max_suggestions = most.unwrap_or(options.max_suggestions);
        options.confidence = confidence.unwrap_or(options.confidence);
        Ok(options)
    }
}
