//! Words in capitals that are glued to each other, and where they part: `VSR`, `SARPSA10`,
//! `CSRVMAXクライマックス`; or in small letters behind kana: `ミライドンexsar`.
//!
//! No change of script or case cuts such a run, so it is cut by its words: marks of a name, then a
//! rarity, then what begins another word, a grader before its grade or a set.

use crate::catalogue::EntryKind;
use crate::dictionary::Tag;
use crate::reference::Reference;
use crate::token::{Class, Cut, Line, Token};

/// The letters of the shortest mark and the shortest rarity: `VSR`.
const SHORTEST: u32 = 3;
/// Marks that sellers write in small letters with a rarity behind them.
const SMALL: [&str; 3] = ["ex", "gx", "v"];
/// A rarity of fewer letters is no word where another follows: the `S` of `SARPSA10`.
const RARITY_BEFORE_WORD: usize = 2;
/// Two marks, a rarity and a grader make three cuts, and none is longer.
const MOST_CUTS: usize = 3;

/// Cuts the runs of capitals that are glued to a word of a script without spaces, or to small
/// letters or a set's code behind one: `ワナイダーexSR…`, `SV4KPSA10`.
pub(crate) fn cut(reference: &Reference<'_, '_>, line: &mut Line) {
    if line.is_ascii() {
        return;
    }
    let mut index = 1;
    while index < line.tokens().len() {
        let cuts = Run::at(reference, line, index).and_then(|run| run.cuts());
        for at in cuts.iter().flat_map(|cuts| &cuts.at[..cuts.count]) {
            line.split(*at);
            index += 1;
        }
        index += 1;
    }
}

/// Places in the key, in order.
#[derive(Clone, Copy, Default)]
struct Cuts {
    at: [usize; MOST_CUTS],
    count: usize,
}

impl Cuts {
    /// With one more; `None` if there is no room.
    fn and(mut self, at: usize) -> Option<Cuts> {
        *self.at.get_mut(self.count)? = at;
        self.count += 1;
        Some(self)
    }
}

/// A run of capitals.
struct Run<'r> {
    reference: &'r Reference<'r, 'r>,
    line: &'r Line,
    /// The token before it.
    before: Token,
    /// The place of its token.
    index: usize,
    from: usize,
    end: usize,
}

impl<'r> Run<'r> {
    /// The run that the token at `index` is, if it may be several words.
    fn at(reference: &'r Reference<'r, 'r>, line: &'r Line, index: usize) -> Option<Run<'r>> {
        let [before, token] = *line.tokens().get(index - 1..=index)? else {
            return None;
        };
        let glued = token.glued
            && match before.class {
                Class::Latin => !before.upper,
                class => class == Class::Digit || class.unspaced(),
            };
        let long = token.class == Class::Latin && token.end - token.at >= SHORTEST;
        // `リザードンexsar`
        let small = || {
            let word = line.text(token.at as usize, token.end as usize);
            before.class.unspaced() && SMALL.iter().any(|mark| word.starts_with(mark))
        };
        (glued && long && (token.upper || small())).then_some(Run {
            reference,
            line,
            before,
            index,
            from: token.at as usize,
            end: token.end as usize,
        })
    }

    /// Where it is to be cut; `None` if it is one word, or not all of it is words.
    fn cuts(&self) -> Option<Cuts> {
        let none = Cuts::default();
        if self.before.class == Class::Digit {
            // `SV1VSR`: it begins with the end of a code
            let code = self.end_of_code()?;
            return self.behind(code, none);
        }
        // `CHR` is a rarity by itself, `VMAXクライマックス` a set
        let one = self
            .reference
            .dictionary
            .knows(self.text(self.from, self.end))
            || self.sets_from(self.from).any(|end| end >= self.end);
        let cuts = self.parts(self.from, none).filter(|_| !one);
        cuts.filter(|cuts| cuts.count > 0)
    }

    /// The cuts of what begins at `at`: a rarity or marks, to the end or before another word.
    fn parts(&self, at: usize, cuts: Cuts) -> Option<Cuts> {
        let ends = || (at + 1..=self.end).rev();
        let rarity = ends()
            .filter(|&to| self.means(at, to, |tag| matches!(tag, Tag::Rarity(_))))
            .find(|&to| to == self.end || to - at >= RARITY_BEFORE_WORD && self.is_tail(to));
        if let Some(to) = rarity {
            return if to == self.end {
                Some(cuts)
            } else {
                cuts.and(to)
            };
        }
        // `GLVX` is `G LV.X`, and not `GL V X`
        let marks = ends().filter(|&to| self.means(at, to, |tag| matches!(tag, Tag::Affix(_))));
        let ways = marks.filter_map(|to| {
            if to == self.end {
                Some(cuts)
            } else {
                self.behind(to, cuts)
            }
        });
        ways.min_by_key(|cuts| cuts.count)
    }

    /// The cuts with one at `at`, and those of what follows.
    fn behind(&self, at: usize, cuts: Cuts) -> Option<Cuts> {
        let cuts = cuts.and(at)?;
        if self.is_tail(at) {
            Some(cuts)
        } else {
            self.parts(at, cuts)
        }
    }

    fn text(&self, at: usize, to: usize) -> &[u8] {
        self.line.key().get(at..to).unwrap_or(&[])
    }

    /// Whether `at..to` is a word of a kind, in capitals.
    fn means(&self, at: usize, to: usize, is: fn(Tag) -> bool) -> bool {
        let Reference {
            dictionary, stats, ..
        } = self.reference;
        dictionary.means(self.text(at, to), stats.folders, is)
    }

    /// Whether the rest from `at` is a grader before its grade, or begins the name or the code of a
    /// set.
    fn is_tail(&self, at: usize) -> bool {
        let graded = || {
            let grade = self.line.tokens().get(self.index + 1);
            grade.is_some_and(|grade| grade.class == Class::Digit)
                && self.means(at, self.end, |tag| matches!(tag, Tag::Grader(_)))
        };
        at < self.end && (graded() || self.sets_from(at).any(|end| end > self.end))
    }

    /// Where the sets end that are named from `at` on.
    fn sets_from(&self, at: usize) -> impl Iterator<Item = usize> {
        let catalogue = self.reference.catalogue;
        let rest = self.line.key().get(at..).unwrap_or(&[]);
        let keys = catalogue.lexicon().walk(rest);
        let named = keys.filter(|&(_, place)| {
            let mut entries = catalogue.entries(place);
            entries.any(|entry| entry.kind() == EntryKind::Set)
        });
        let ends = named.map(move |(length, _)| at + length);
        ends.filter(|&end| end < self.end || self.line.cut(end) == Cut::Full)
    }

    /// Where the code of a set ends that the digits before it are a part of: `SV4K`.
    fn end_of_code(&self) -> Option<usize> {
        let letters = self.line.tokens().get(self.index.checked_sub(2)?)?;
        let code = letters.class == Class::Latin && self.before.glued;
        let mut ends = self.sets_from(letters.at as usize).filter(|_| code);
        ends.find(|&end| self.from < end && end < self.end)
    }
}
