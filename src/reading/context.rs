//! Facts about the whole title that a rule may use before it proposes.

use crate::dictionary::Tagged;
use crate::normalise::{Normalised, UPPER};
use crate::token::{Class, Line, Token};
use std::ops::Deref;

/// The title as the rules see it.
#[derive(Clone, Copy)]
pub(crate) struct Context<'t> {
    pub(crate) normalised: &'t Normalised,
    pub(crate) line: &'t Line,
    script: Script,
}

/// How a title is written.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Script {
    /// It contains kana or kanji.
    pub(crate) japanese: bool,
    /// It contains kana.
    pub(crate) kana: bool,
    /// It contains Hangul.
    pub(crate) hangul: bool,
    /// Most of its letters are capitals: case says nothing.
    pub(crate) shouting: bool,
}

impl Deref for Context<'_> {
    type Target = Script;

    #[inline]
    fn deref(&self) -> &Script {
        &self.script
    }
}

impl Script {
    /// The script of a title.
    pub(crate) fn of(line: &Line) -> Script {
        let (mut kana, mut han, mut hangul, mut upper, mut all) = (false, false, false, 0, 0);
        // where the hashtag before a token ends: `#ポケカ` is written beside English words, too
        let mut hashtag = None;
        for token in line.tokens() {
            let tagged = hashtag == Some(token.norm);
            let sign = token.class == Class::Mark
                && line.text(token.at as usize, token.end as usize) == "#";
            hashtag = (tagged || sign).then_some(token.norm_end);
            match token.class {
                Class::Hiragana | Class::Katakana | Class::Han if tagged => {}
                Class::Hiragana | Class::Katakana => kana = true,
                Class::Han => han = true,
                Class::Hangul => hangul = true,
                Class::Latin if token.end - token.at > 2 => {
                    all += 1;
                    upper += usize::from(token.upper);
                }
                _ => {}
            }
        }
        Script {
            japanese: kana || han,
            kana,
            hangul,
            shouting: all >= 2 && upper * 5 >= all * 4,
        }
    }

    /// Whether capitals tell a code from a word: not where most words have them, unless the title is
    /// Japanese, whose Latin letters are capitals anyway.
    pub(crate) fn capitals_say_code(&self) -> bool {
        self.japanese || !self.shouting
    }
}

impl<'t> Context<'t> {
    /// Whether the title writes a token in capitals.
    pub(crate) fn is_upper(&self, token: &Token) -> bool {
        let (at, end) = (token.at as usize, token.end as usize);
        self.line.is_upper(self.normalised, at, end)
    }

    /// A title of which the script is known.
    pub(crate) fn new(normalised: &'t Normalised, line: &'t Line, script: Script) -> Self {
        Context {
            normalised,
            line,
            script,
        }
    }

    /// Whether the title has no capitals.
    pub(crate) fn is_small(&self) -> bool {
        (0..self.normalised.text().len()).all(|at| self.normalised.trait_at(at) & UPPER == 0)
    }

    /// The text of the token at index `token`, empty outside.
    pub(crate) fn word(&self, token: usize) -> &'t str {
        self.line
            .tokens()
            .get(token)
            .map_or("", |t| self.line.text(t.at as usize, t.end as usize))
    }

    /// Class of the token at index `token`.
    pub(crate) fn class(&self, token: usize) -> Option<Class> {
        self.line.tokens().get(token).map(|t| t.class)
    }

    /// Class of the token before `token`, if nothing stands between them.
    pub(crate) fn glued_before(&self, token: usize) -> Option<Class> {
        self.line.tokens().get(token).filter(|t| t.glued)?;
        self.class(token.checked_sub(1)?)
    }

    /// Class of the token behind `token`, if nothing stands between them.
    pub(crate) fn glued_behind(&self, token: usize) -> Option<Class> {
        let next = self.line.tokens().get(token + 1)?;
        next.glued.then_some(next.class)
    }

    /// The normalised text between two neighbouring tokens.
    pub(crate) fn gap(&self, left: usize) -> &'t str {
        let tokens = self.line.tokens();
        let (Some(a), Some(b)) = (tokens.get(left), tokens.get(left + 1)) else {
            return "";
        };
        self.normalised
            .text()
            .get(a.norm_end as usize..b.norm as usize)
            .unwrap_or("")
    }

    /// The normalised text before the token (or the end), back to the token before or the start.
    pub(crate) fn before(&self, token: usize) -> &'t str {
        let tokens = self.line.tokens();
        let end = tokens
            .get(token)
            .map_or(self.normalised.text().len(), |b| b.norm as usize);
        let start = token
            .checked_sub(1)
            .and_then(|i| tokens.get(i))
            .map_or(0, |a| a.norm_end as usize);
        self.normalised.text().get(start..end).unwrap_or("")
    }
}

/// Length of the longest of `tags`.
pub(crate) fn longest(tags: &[Tagged]) -> u32 {
    tags.iter().map(|t| t.end - t.at).max().unwrap_or(0)
}

/// Those of `tags`, which are in the order of their ends, that end in `from..=to`.
pub(crate) fn ending(tags: &[Tagged], from: u32, to: u32) -> &[Tagged] {
    let tags = &tags[tags.partition_point(|t| t.end < from)..];
    &tags[..tags.partition_point(|t| t.end <= to)]
}

/// Those of `tags`, which are in the order of their ends, that are of the bytes `at..end`.
pub(crate) fn spanning(tags: &[Tagged], at: u32, end: u32) -> impl Iterator<Item = &Tagged> {
    ending(tags, end, end).iter().filter(move |t| t.at == at)
}

/// The longer ones of `tags` that words are a part of.
pub(crate) fn around<'t>(tags: &'t [Tagged], words: &Tagged) -> impl Iterator<Item = &'t Tagged> {
    let &Tagged { at, end, .. } = words;
    let longer = move |tag: &&Tagged| tag.end - tag.at > end - at;
    let covers = move |tag: &&Tagged| tag.at <= at && end <= tag.end;
    tags.iter().filter(longer).filter(covers)
}
