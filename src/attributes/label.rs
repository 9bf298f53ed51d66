//! [`Label`]: what catalogues call a printing, `1st Edition Holofoil [cosmos foil]`, taken apart.

use crate::dictionary::load::rows;
use crate::error::{Error, ErrorKind};
use crate::parsed::Finish;
use crate::sort::sort_by_key;
use once_cell::sync::OnceCell;

const COLUMNS: [&str; 6] = ["label", "place", "field", "value", "sources", "note"];

/// Where a word of a label stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    /// At the beginning of the part before the brackets.
    Start,
    /// At its end.
    End,
    /// Anywhere in it.
    Head,
    /// In the brackets.
    Tail,
}

/// What labels say, and what is written for what sources say
/// (`dictionaries/common/printing_labels.csv`).
#[derive(Debug, Default)]
pub(crate) struct Labels {
    /// The first row that fits holds. A label that none fits is of a card without foil.
    finishes: Vec<(Place, String, Finish)>,
    /// What stands before the brackets and titles state as they do what stands in them.
    qualifiers: Vec<String>,
    /// Editions by their names in `printings.csv`.
    editions: Vec<(Place, String, String)>,
    /// Labels by the field and the word of a source that they are written for.
    #[cfg(feature = "build")]
    written: Vec<(Written, String, String)>,
}

/// The part of a label that is written.
#[cfg(feature = "build")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    Finish,
    Edition,
}

impl Labels {
    /// The labels of this build.
    ///
    /// # Errors
    /// [`ErrorKind::Dictionary`]. A test reads the file, so a released build never fails.
    pub(crate) fn builtin() -> Result<&'static Labels, Error> {
        static BUILTIN: OnceCell<Labels> = OnceCell::new();
        let text = include_str!(concat!(env!("OUT_DIR"), "/printing_labels.csv"));
        BUILTIN.get_or_try_init(|| Labels::load(text))
    }

    fn load(text: &str) -> Result<Labels, Error> {
        let mut labels = Labels::default();
        for row in rows("common/printing_labels.csv", text, &COLUMNS)? {
            let bad = |what: &str| {
                let line = row.line;
                let message = format!("dictionaries/common/printing_labels.csv:{line}: {what}");
                Error::new(ErrorKind::Dictionary, message)
            };
            let place = match row.cell(1) {
                "" => None,
                "qualifier" => {
                    labels.qualifiers.push(row.cell(0).to_owned());
                    None
                }
                "start" => Some(Place::Start),
                "end" => Some(Place::End),
                "words" => Some(Place::Head),
                "brackets" => Some(Place::Tail),
                _ => {
                    return Err(bad(
                        "`place` is unknown: write `start`, `end`, `words`, `brackets` or `qualifier`",
                    ));
                }
            };
            let label = row.cell(0).to_owned();
            match row.cell(2) {
                "finish" => {
                    let finish = Finish::called(row.cell(3));
                    let finish = finish.ok_or_else(|| bad("`value` is not a finish"))?;
                    let read = place.map(|place| (place, label.clone(), finish));
                    labels.finishes.extend(read);
                }
                "edition" => {
                    let edition = row.cell(3).to_owned();
                    let read = place.map(|place| (place, label.clone(), edition));
                    labels.editions.extend(read);
                }
                _ => return Err(bad("`field` is neither finish nor edition")),
            }
            #[cfg(feature = "build")]
            for source in row.list(4) {
                let part = if row.cell(2) == "finish" {
                    Written::Finish
                } else {
                    Written::Edition
                };
                let written = (part, source.to_owned(), label.clone());
                labels.written.push(written);
            }
        }
        // what a label begins with tells more than what it ends with, and words more than brackets
        sort_by_key(&mut labels.finishes, |row| row.0);
        sort_by_key(&mut labels.editions, |row| row.0);
        Ok(labels)
    }

    /// The words of sources that labels are written for, in the order of their file.
    #[cfg(feature = "build")]
    pub(crate) fn sources(&self, part: Written) -> impl Iterator<Item = &str> {
        let rows = self.written.iter().filter(move |row| row.0 == part);
        rows.map(|row| row.1.as_str())
    }

    /// What is written for the word of a source.
    #[cfg(feature = "build")]
    pub(crate) fn written(&self, part: Written, source: &str) -> Option<&str> {
        let mut rows = self.written.iter();
        rows.find(|row| row.0 == part && row.1 == source)
            .map(|row| row.2.as_str())
    }
}

/// The edition of a label that states none.
pub(crate) const UNLIMITED: &str = "unlimited";

/// Whether an edition is one that labels state before the brackets, or none that they need to.
pub(crate) fn is_edition(name: &str) -> bool {
    // a test reads the file: see `Labels::builtin`
    let known = Labels::builtin().map_or(&[][..], |labels| &labels.editions[..]);
    name == UNLIMITED || known.iter().any(|row| row.2 == name)
}

/// The label of a printing.
#[derive(Clone, Copy)]
pub(crate) struct Label<'l> {
    head: &'l str,
    tail: &'l str,
    words: &'static [String],
    finishes: &'static [(Place, String, Finish)],
    editions: &'static [(Place, String, String)],
}

impl<'l> Label<'l> {
    /// Takes a label apart.
    pub(crate) fn of(text: &'l str) -> Label<'l> {
        // of a text so short a search that is prepared takes longer
        let behind_space = |&at: &usize| at > 0 && text.as_bytes()[at - 1] == b' ';
        let mut brackets = (0..text.len()).filter(|&at| text.as_bytes()[at] == b'[');
        let (head, tail) = match brackets.find(behind_space) {
            Some(at) => (&text[..at - 1], &text[at + 1..]),
            None => (text, ""),
        };
        // a test reads the file: see `Labels::builtin`
        let (words, finishes, editions) = match Labels::builtin() {
            Ok(labels) => (
                &labels.qualifiers[..],
                &labels.finishes[..],
                &labels.editions[..],
            ),
            Err(_) => (&[][..], &[][..], &[][..]),
        };
        Label {
            head,
            tail,
            words,
            finishes,
            editions,
        }
    }

    #[inline]
    fn has(&self, place: Place, word: &str) -> bool {
        let (head, word) = (self.head.as_bytes(), word.as_bytes());
        // of most words one letter decides, without a call that compares any number of them
        match place {
            Place::Start => head.first() == word.first() && head.starts_with(word),
            Place::End => head.last() == word.last() && head.ends_with(word),
            Place::Head => within(head, word),
            Place::Tail => !self.tail.is_empty() && within(self.tail.as_bytes(), word),
        }
    }

    /// The finish of the card.
    pub(crate) fn finish(&self) -> Finish {
        let mut rows = self.finishes.iter();
        let row = rows.find(|(place, word, _)| self.has(*place, word));
        row.map_or(Finish::NonHolo, |row| row.2)
    }

    /// The names of the editions that it states, the one that tells most first.
    pub(crate) fn editions(&self) -> impl Iterator<Item = &'static str> {
        let rows = self.editions.iter();
        rows.filter(|(place, word, _)| self.has(*place, word))
            .map(|row| row.2.as_str())
    }

    /// Its parts in brackets.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &'l str> {
        // most have none, and a search is prepared before it is told so
        let tail = Some(self.tail).filter(|tail| !tail.is_empty());
        let parts = tail.map(|tail| tail.trim_end_matches(']').split(", "));
        let parts = parts.into_iter().flatten();
        parts.filter(|part| !part.is_empty())
    }

    /// What tells it from printings of the same finish and edition: the parts in brackets that are
    /// no edition, and what it is made of.
    pub(crate) fn qualifiers(&self) -> impl Iterator<Item = &'l str> {
        let head = Some(self.head).filter(|head| self.words.iter().any(|word| word == head));
        let parts = head.into_iter().chain(self.parts());
        parts.filter(|part| !self.editions.iter().any(|row| row.1 == *part))
    }

    /// Whether the card has the set's logo on its picture: from Team Rocket Returns to Power Keepers
    /// that is its reverse holo.
    pub(crate) fn has_set_logo(&self) -> bool {
        let logo = |part: &str| part.contains("set logo") || part.contains("set-logo");
        self.parts().any(logo)
    }

    /// Whether it says nothing before the brackets.
    #[cfg(feature = "build")]
    pub(crate) fn is_silent(&self) -> bool {
        self.head.is_empty()
    }
}

/// Passes on the parts of a label in brackets, as [`Label::parts`] gives them.
pub(crate) fn each_part(label: &str, each: &mut dyn FnMut(&str)) {
    Label::of(label).parts().for_each(each);
}

/// Whether `word` stands in `text`: for short texts, in which its first letter is seldom met, in less
/// time than a search that is prepared.
fn within(text: &[u8], word: &[u8]) -> bool {
    let first = |&(_, byte): &(usize, &u8)| word.first() == Some(byte);
    // behind these the word has no room
    let places = &text[..(text.len() + 1).saturating_sub(word.len())];
    let mut places = places.iter().enumerate().filter(first);
    places.any(|(at, _)| text[at..].starts_with(word))
}

#[cfg(test)]
mod tests {
    use super::{Label, Labels};
    use crate::parsed::Finish;

    #[test]
    fn labels_that_are_written_are_read_as_their_rows_say() {
        let text = include_str!(concat!(env!("OUT_DIR"), "/printing_labels.csv"));
        Labels::load(text).expect("the file is right");
        let table = crate::dictionary::load::rows("labels", text, &super::COLUMNS);
        for row in table.expect("the file is right") {
            let label = Label::of(row.cell(0));
            match (row.cell(2), row.cell(4)) {
                (_, "") => {}
                ("finish", _) => {
                    assert_eq!(
                        Some(label.finish()),
                        Finish::called(row.cell(3)),
                        "{}",
                        row.cell(0)
                    );
                }
                _ => {
                    let edition = label.editions().next().unwrap_or(super::UNLIMITED);
                    assert_eq!(edition, row.cell(3), "{}", row.cell(0));
                }
            }
        }
        for wrong in [
            "x,where,finish,holo,,",
            "x,,finish,shiny,,",
            "x,,foil,holo,,",
        ] {
            let error = Labels::load(&format!("{}\n{wrong}\n", super::COLUMNS.join(",")));
            let error = error.expect_err(wrong).to_string();
            assert!(error.contains("printing_labels.csv:2: "), "{error}");
        }
    }

    #[test]
    fn labels_are_taken_apart() {
        let rows: [(&str, Finish, &[&str], &[&str]); 8] = [
            ("Normal", Finish::NonHolo, &[], &[]),
            ("Reverse Holofoil", Finish::ReverseHolo, &[], &[]),
            ("Etched Foil", Finish::Holo, &[], &[]),
            ("1st Edition", Finish::NonHolo, &["1st edition"], &[]),
            (
                "Metal [gold foil]",
                Finish::NonHolo,
                &[],
                &["Metal", "gold foil"],
            ),
            ("Shadowless Holofoil", Finish::Holo, &["shadowless"], &[]),
            (
                "Holofoil [no rarity, cosmos foil]",
                Finish::Holo,
                &["no rarity"],
                &["cosmos foil"],
            ),
            (
                "Unlimited [1999 2000 copyright]",
                Finish::NonHolo,
                &["4th print"],
                &[],
            ),
        ];
        for (text, finish, editions, qualifiers) in rows {
            let label = Label::of(text);
            assert_eq!(label.finish(), finish, "{text}");
            assert!(label.editions().eq(editions.iter().copied()), "{text}");
            assert!(label.qualifiers().eq(qualifiers.iter().copied()), "{text}");
        }
    }
}
