//! Words that make goods the companions of a card, and products or a collection where it comes
//! from: `in Card Saver 1`, `マグネットローダー付き`, `pulled from ETB`, `from an old collection`
//! (`dictionaries/common/companions.csv`).

use super::hit::Hit;
use super::units::Phrases;
use crate::dictionary::load::rows;
use crate::error::{Error, ErrorKind};
use crate::reading::context::Context;
use crate::token::{Line, key_of};
use once_cell::sync::OnceCell;
use std::collections::BTreeSet;

const COLUMNS: [&str; 4] = ["canonical", "words", "side", "note"];

/// The words that stand before or after what comes with a card, or what it comes from.
#[derive(Debug, Default)]
pub(crate) struct Companions {
    before: Phrases,
    after: BTreeSet<String>,
    from: Phrases,
    pulled: BTreeSet<String>,
    whence: BTreeSet<String>,
    given: Phrases,
    use_of: Phrases,
}

/// The most words between what a card is from and the word that says so: `from a 20 year old
/// collection`.
const FAR: usize = 6;

static BUILTIN: OnceCell<Companions> = OnceCell::new();

impl Companions {
    /// The words of this build.
    ///
    /// # Errors
    /// [`ErrorKind::Dictionary`]. A test reads the file, so a released build never fails.
    pub(crate) fn builtin() -> Result<&'static Companions, Error> {
        BUILTIN.get_or_try_init(|| {
            Companions::load(include_str!(concat!(env!("OUT_DIR"), "/companions.csv")))
        })
    }

    fn load(text: &str) -> Result<Companions, Error> {
        let mut words = Companions::default();
        for row in rows("companions.csv", text, &COLUMNS)? {
            match row.cell(2) {
                "before" => row.list(1).for_each(|phrase| {
                    words.before.add(phrase);
                }),
                "after" => words.after.extend(row.list(1).map(key_of)),
                "from" => row.list(1).for_each(|phrase| {
                    words.from.add(phrase);
                }),
                "pulled" => words.pulled.extend(row.list(1).map(key_of)),
                "given" => row.list(1).for_each(|phrase| {
                    words.given.add(phrase);
                }),
                "use" => row.list(1).for_each(|phrase| {
                    words.use_of.add(phrase);
                }),
                "whence" => words.whence.extend(row.list(1).map(key_of)),
                other => {
                    return Err(Error::new(
                        ErrorKind::Dictionary,
                        format!(
                            "dictionaries/common/companions.csv:{}: `side` is `{other}`: write \
                             `before`, `after`, `from`, `pulled`, `whence`, `given` or `use`",
                            row.line
                        ),
                    ));
                }
            }
        }
        Ok(words)
    }

    /// Whether the words of the tokens `first..=last` come with something.
    pub(crate) fn accompany(&self, line: &Line, first: usize, last: usize) -> bool {
        self.before.before(line, first).is_some() || self.after.contains(word_after(line, last))
    }

    /// Whether the words from token `first` on say where something is from.
    pub(crate) fn are_whence(&self, line: &Line, first: usize) -> bool {
        let before = line.tokens().get(first.saturating_sub(FAR)..first);
        let mut before = before.unwrap_or_default().iter();
        before.any(|t| {
            self.whence
                .contains(line.text(t.at as usize, t.end as usize))
        })
    }

    /// Whether a card comes from what the words of the tokens `first..=last` name.
    pub(crate) fn yield_card(&self, line: &Line, first: usize, last: usize) -> bool {
        self.from.before(line, first).is_some() || self.pulled.contains(word_after(line, last))
    }
}

/// Whether what begins at byte `at` of the key, several cards or a count, is given with the card.
pub(crate) fn is_given(line: &Line, at: u32) -> bool {
    let first = line.token_at(at as usize);
    // a test reads the file: see `Companions::builtin`
    Companions::builtin().is_ok_and(|words| words.given.before(line, first).is_some())
}

/// Whether what begins at byte `at` of the key is what a card is for: `for your Charizard deck`.
pub(crate) fn is_use(line: &Line, at: u32) -> bool {
    let first = line.token_at(at as usize);
    // a test reads the file: see `Companions::builtin`
    Companions::builtin().is_ok_and(|words| words.use_of.before(line, first).is_some())
}

/// Whether the words before token `index` say that something comes with it: `Map met 20 …`.
pub(crate) fn begins_goods(line: &Line, index: usize) -> bool {
    // a test reads the file: see `Companions::builtin`
    Companions::builtin().is_ok_and(|words| words.before.before(line, index).is_some())
}

/// Where the title turns to what is wanted for a card that it offers, as a byte of the key: `[H] Umbreon
/// V 189/203 [W] Charizard ex 151`.
pub(crate) fn wished_from(context: &Context<'_>, hits: &[Hit]) -> Option<u32> {
    let text = context.normalised.text();
    // most titles have no bracket
    let offer = text.find('[')?;
    let wish = offer + text[offer..].find("[w]")?;
    if !text[offer..wish].contains("[h]") {
        return None;
    }
    let wished = context.line.key_at(wish) as u32;
    let offered = |hit: &Hit| hit.means.subject && hit.end <= wished;
    hits.iter().any(offered).then_some(wished)
}

/// The word after token `last`, empty at the end of the title.
fn word_after(line: &Line, last: usize) -> &str {
    let after = line.tokens().get(last + 1);
    after.map_or("", |t| line.text(t.at as usize, t.end as usize))
}

#[cfg(test)]
mod tests {
    use super::Companions;

    #[test]
    fn file_of_this_build_loads_and_others_are_refused_with_their_line() {
        assert!(Companions::builtin().is_ok_and(|words| words.after.contains("付")));
        let error = Companions::load("canonical,words,side,note\na,A,beneath,\n");
        let error = error.expect_err("there is no such side").to_string();
        assert!(error.contains("common/companions.csv:2"), "{error}");
    }
}
