//! [`Images`]: where pictures of cards and sets lie, as the settings say. The service has none of
//! its own, and looks at none.

use crate::store::market::{CardWithPrintings, SetRecord};
use std::fmt::Write;

/// The addresses of pictures. By default there are none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Images {
    cards: Option<Address>,
    sets: Option<Address>,
}

/// An address with places for what it is of.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Address(Vec<Part>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Place(Place),
}

/// What stands in an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    CardId,
    SetId,
    /// What is printed before the slash of the number.
    Number,
    Language,
}

impl Place {
    const ALL: [(&str, Self); 4] = [
        ("cardId", Self::CardId),
        ("setId", Self::SetId),
        ("number", Self::Number),
        ("language", Self::Language),
    ];
}

impl Address {
    /// # Errors
    /// A sentence that names the setting at fault.
    fn read(setting: &str, text: &str, places: &[Place]) -> Result<Self, String> {
        let names: Vec<String> = Place::ALL
            .iter()
            .filter(|(_, place)| places.contains(place))
            .map(|(name, _)| format!("{{{name}}}"))
            .collect();
        let wrong = |what: &str| {
            let names = names.join(", ");
            Err(format!(
                "{setting} is {text:?}, {what}: write an address as https://images.example/{}.png, with any of {names}",
                names.split(',').next().unwrap_or_default()
            ))
        };
        if !text.starts_with("https://") && !text.starts_with("http://") {
            return wrong("which is no address");
        }
        let plain = |text: &str| text.chars().all(|letter| letter.is_ascii_graphic());
        let (mut parts, mut rest) = (Vec::new(), text);
        while let Some((before, after)) = rest.split_once('{') {
            let Some((name, after)) = after.split_once('}') else {
                return wrong("in which a { has no }");
            };
            let known = Place::ALL.iter().find(|(known, _)| *known == name);
            match known.map(|(_, place)| *place) {
                Some(place) if places.contains(&place) => {
                    parts.push(Part::Text(before.to_owned()));
                    parts.push(Part::Place(place));
                }
                _ => return wrong(&format!("and {{{name}}} is not known there")),
            }
            rest = after;
        }
        parts.push(Part::Text(rest.to_owned()));
        if !plain(text) {
            return wrong("which has blanks or letters outside ASCII");
        }
        Ok(Self(parts))
    }

    /// The address of what has these values, if it has all that the address needs.
    fn of<'v>(&self, value: impl Fn(Place) -> Option<&'v str>) -> Option<String> {
        let mut address = String::new();
        for part in &self.0 {
            match part {
                Part::Text(text) => address.push_str(text),
                Part::Place(place) => {
                    address.push_str(&percent_encoded(value(*place)?, b"-._~"));
                }
            }
        }
        Some(address)
    }
}

/// Text as a part of an address: bytes that are neither ASCII letters or digits nor among `plain`
/// are percent-encoded (RFC 3986, 2.1).
pub(crate) fn percent_encoded(text: &str, plain: &[u8]) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || plain.contains(&byte) {
            out.push(char::from(byte));
        } else {
            // memory takes it
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

impl Images {
    /// The images of the configuration.
    ///
    /// # Errors
    /// A sentence that names the setting at fault.
    pub fn read(cards: Option<&str>, sets: Option<&str>) -> Result<Self, String> {
        let all = Place::ALL.map(|(_, place)| place);
        let of_sets = [Place::SetId, Place::Language];
        let read = |setting: &str, text: Option<&str>, places: &[Place]| {
            text.map(|text| Address::read(setting, text, places))
                .transpose()
        };
        Ok(Self {
            cards: read("market.card-images", cards, &all)?,
            sets: read("market.set-images", sets, &of_sets)?,
        })
    }

    /// Whether cards have pictures.
    pub(crate) fn are_of_cards(&self) -> bool {
        self.cards.is_some()
    }

    /// The origins that pictures come from, as a content security policy names them.
    #[must_use]
    pub fn origins(&self) -> Vec<String> {
        let of = |address: &Address| match address.0.first() {
            Some(Part::Text(text)) => {
                let host = text.find("://").map_or(0, |at| at + 3);
                let end = text[host..].find('/').map_or(text.len(), |at| host + at);
                // a semicolon or comma would begin another directive
                let plain = !text[..end].contains([';', ',', '\'']);
                plain.then(|| text[..end].to_owned())
            }
            _ => None,
        };
        let all = [&self.cards, &self.sets];
        let mut origins: Vec<String> = all.into_iter().flatten().filter_map(of).collect();
        origins.dedup();
        origins
    }

    /// The address of a card's picture.
    pub(crate) fn of_card(&self, card: &CardWithPrintings) -> Option<String> {
        let number = card.card.number.as_deref();
        self.cards.as_ref()?.of(|place| match place {
            Place::CardId => Some(&card.card.id),
            Place::SetId => Some(&card.set_id),
            Place::Number => number.and_then(|number| number.split('/').next()),
            Place::Language => Some(card.card.language.name()),
        })
    }

    /// The address of a set's picture.
    pub(crate) fn of_set(&self, set: &SetRecord) -> Option<String> {
        self.sets.as_ref()?.of(|place| match place {
            Place::SetId => Some(&set.id),
            Place::Language => Some(set.language.name()),
            Place::CardId | Place::Number => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Images;
    use crate::store::market::{CardRecord, CardWithPrintings, SetRecord};

    #[test]
    fn addresses_are_filled_with_encoded_ids() {
        let cards = "https://images.example/{language}/{setId}/{number}/{cardId}.png";
        let images = Images::read(Some(cards), Some("http://x.example/{setId}")).expect("right");
        let card = CardWithPrintings {
            card: CardRecord {
                id: "asia:S6a-095/é".to_owned(),
                number: Some("095/069".to_owned()),
                ..CardRecord::default()
            },
            set_id: "asia:S6a".to_owned(),
            ..CardWithPrintings::default()
        };
        assert_eq!(
            images.of_card(&card).as_deref(),
            Some("https://images.example/english/asia%3AS6a/095/asia%3AS6a-095%2F%C3%A9.png")
        );
        let mut without = card;
        without.card.number = None;
        assert_eq!(images.of_card(&without), None);
        let set = SetRecord {
            id: "base1".to_owned(),
            ..SetRecord::default()
        };
        assert_eq!(
            images.of_set(&set).as_deref(),
            Some("http://x.example/base1")
        );
        assert_eq!(Images::default().of_set(&set), None);
        assert_eq!(
            images.origins(),
            ["https://images.example", "http://x.example"]
        );
    }

    #[test]
    fn setting_at_fault_is_named() {
        for (cards, sets, named) in [
            (Some("images/{cardId}"), None, "market.card-images"),
            (Some("https://x.example/{card}"), None, "{card}"),
            (Some("https://x.example/{cardId"), None, "has no }"),
            (Some("https://x.example/a b"), None, "blanks"),
            (
                None,
                Some("https://x.example/{cardId}"),
                "market.set-images",
            ),
        ] {
            let error = Images::read(cards, sets).expect_err("it is wrong");
            assert!(error.contains(named), "{error}");
        }
    }
}
