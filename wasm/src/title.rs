//! [`Title`]: a JavaScript string as text. Nothing here knows JavaScript.

use titledex::{Answer, Engine, Options, Scratch, TitleError};

/// A title, each lone surrogate of which is U+FFFD.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Title {
    text: String,
    /// The byte of the first lone surrogate.
    bad: Option<usize>,
}

impl Title {
    /// The title that was read as `text`, a string of these units of UTF-16.
    pub(crate) fn of<I: Iterator<Item = u16>>(text: String, units: impl FnOnce() -> I) -> Self {
        // the units are fetched one by one, so only where one may be alone
        let bad = text
            .contains(char::REPLACEMENT_CHARACTER)
            .then(|| first_alone(units()))
            .flatten();
        Self { text, bad }
    }

    /// The answer to it.
    pub(crate) fn answer<'t>(
        &'t self,
        engine: &'t Engine,
        scratch: &mut Scratch,
        options: &Options,
    ) -> Answer<'t> {
        let mut answer = engine.answer_with(scratch, &self.text, options);
        if let (None, Some(at)) = (&answer.error, self.bad) {
            let message = format!("byte {at} is not UTF-8; it was read as U+FFFD");
            answer.error = Some(TitleError::new("invalid_utf8", message));
        }
        answer
    }
}

/// The byte, in UTF-8, at which the first lone surrogate stands.
fn first_alone(units: impl Iterator<Item = u16>) -> Option<usize> {
    let mut at = 0;
    for character in char::decode_utf16(units) {
        match character {
            Ok(character) => at += character.len_utf8(),
            Err(_) => return Some(at),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{Title, first_alone};

    #[test]
    fn first_lone_surrogate_is_found_by_its_byte() {
        let of = |units: &[u16]| first_alone(units.iter().copied());
        let e_acute = 0xe9;
        assert_eq!(of(&[0xd800, 0x20]), Some(0));
        assert_eq!(of(&[e_acute, 0xd83d, 0xde00, 0xdc00, 0xd800]), Some(6));
        assert_eq!(of(&[e_acute, 0xd83d, 0xde00, 0xfffd]), None);
    }

    #[test]
    fn units_are_looked_at_only_where_one_may_be_alone() {
        let title = Title::of("Glurak".to_owned(), || -> std::vec::IntoIter<u16> {
            panic!("no character of it is U+FFFD")
        });
        assert_eq!(title.bad, None);
        let written = Title::of("\u{fffd}".to_owned(), || [0xfffd].into_iter());
        assert_eq!(written.bad, None);
        let alone = Title::of("x\u{fffd}".to_owned(), || [0x78, 0xdfff].into_iter());
        assert_eq!(alone.bad, Some(1));
    }
}
