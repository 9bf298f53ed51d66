//! Forms of names that sellers write otherwise (`dictionaries/*/name_forms.csv`): `Number 39: Utopia` is
//! `No.39: Utopia`, too.

use super::split;

/// What stands at a place of a form.
#[derive(Clone, Copy, Debug)]
enum Slot {
    /// Anything.
    Name,
    /// One word.
    Word,
    /// Several.
    Phrase,
    /// A number of at most three digits.
    Number,
}

/// A form of names: what they begin with, what stands behind it with the text that ends it, none for
/// the rest of the name, and what is written for it, in which `{1}` is what stands first.
struct Form {
    begins: &'static str,
    slots: &'static [(Slot, &'static str)],
    becomes: &'static [&'static str],
}

include!(concat!(env!("OUT_DIR"), "/name_forms.rs"));

/// A form has at most so many places.
const MOST_SLOTS: usize = 2;

impl Slot {
    fn holds(self, text: &str) -> bool {
        match self {
            Slot::Name => !text.is_empty(),
            Slot::Word => !text.is_empty() && !text.contains(' '),
            Slot::Phrase => text.contains([' ', '-']),
            Slot::Number => text.parse::<u8>().is_ok(),
        }
    }
}

impl Form {
    /// What stands at the places of the form in `name`, if it is of it.
    fn read<'n>(&self, name: &'n str) -> Option<[&'n str; MOST_SLOTS]> {
        let mut rest = name.strip_prefix(self.begins)?;
        let mut texts = [""; MOST_SLOTS];
        for ((slot, end), place) in self.slots.iter().zip(&mut texts) {
            let (text, behind) = match *end {
                "" => (rest, ""),
                end => split(rest, end)?,
            };
            if !slot.holds(text) {
                return None;
            }
            (*place, rest) = (text, behind);
        }
        Some(texts)
    }
}

/// Passes on what sellers write for a name.
pub(super) fn others(name: &str, found: &mut dyn FnMut(&str)) {
    for form in NAME_FORMS {
        let Some(texts) = form.read(name) else {
            continue;
        };
        for becomes in form.becomes {
            let mut other = (*becomes).to_owned();
            for (place, text) in (1..).zip(texts) {
                let letter = text.chars().next().map_or(0, char::len_utf8);
                other = other.replace(&format!("{{{place}:letter}}"), &text[..letter]);
                other = other.replace(&format!("{{{place}}}"), text);
            }
            found(&other);
        }
    }
}
