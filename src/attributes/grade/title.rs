//! [`TaggedTitle`]: the title with the dictionaries' words and the catalogue's names in it.

use super::{BEST, GradeReading};
use crate::attributes::hit::Hit;
use crate::attributes::units::UnitWords;
use crate::dictionary::{Dictionary, PhraseKind, Position, Tag, Tagged, When};
use crate::parsed::{Field, GradeValue};
use crate::reading::context::{Context, ending};
use crate::token::Class;
use crate::word_lists::{CARD_COUNTERS, GRADE_POINTS};

/// A grader that begins a set's name ends at most this many bytes before it.
const CODE_END: u32 = 2;
/// A label of at least so many letters is no mark of a name: `mint`, and not `ex`.
const LEAST_LABEL: u32 = 3;

/// Grades in letters: smaller numbers are counts, and words of some language.
const IN_LETTERS: std::ops::RangeInclusive<u32> = 5..=10;

/// The tags of a title, for the rules of this module.
pub(crate) struct TaggedTitle<'s, 't> {
    pub(crate) context: &'s Context<'t>,
    pub(crate) dictionary: &'s Dictionary,
    pub(crate) tags: &'s [Tagged],
    pub(crate) hits: &'s [Hit],
    pub(crate) units: &'s UnitWords<'t>,
}

impl TaggedTitle<'_, '_> {
    /// Whether a word is a grader's name: one that means other things, too, only in capitals, or with a
    /// grade right behind it and no other grader, in a title with a collector number or the label of
    /// the grade: `Kadabra 32/102 Ace 8`. Where it is a card's name, capitals are not enough, and
    /// another card is named: `Kadabra 32/102 MEW 8`.
    pub(crate) fn is_grader(&self, tag: &Tagged) -> bool {
        matches!(tag.tag, Tag::Grader(_))
            && (!tag.when.has(When::GRADE)
                || !tag.when.has(When::UPPER) && self.is_upper(tag)
                || self.is_proven_grader(tag))
            && !self.ends_name(tag)
    }

    /// Whether words are the end of a longer name of a card: `HiAndromon ACE`.
    fn ends_name(&self, tag: &Tagged) -> bool {
        let longer = |hit: &Hit| hit.at < tag.at && hit.end == tag.end;
        self.hits
            .iter()
            .any(|hit| hit.means.name && hit.whole && longer(hit))
    }

    /// Whether the title writes the first letter of a word as a capital.
    pub(super) fn is_capital(&self, tag: &Tagged) -> bool {
        let at = tag.at as usize;
        self.context
            .line
            .is_upper(self.context.normalised, at, at + 1)
    }

    /// Whether the title writes a word in capitals.
    pub(super) fn is_upper(&self, tag: &Tagged) -> bool {
        let (at, end) = (tag.at as usize, tag.end as usize);
        self.context.line.is_upper(self.context.normalised, at, end)
    }

    fn is_proven_grader(&self, tag: &Tagged) -> bool {
        let line = self.context.line;
        let mut at = tag.end;
        let label = self.tag_from(at, |t| matches!(t, Tag::Label(_)));
        at = label.map_or(at, |label| label.end);
        let Some((_, end)) = self.value_at(line.token_at(at as usize)) else {
            return false;
        };
        let labelled = || {
            let behind = self.tag_from(end, |t| matches!(t, Tag::Label(_)));
            label
                .or(behind)
                .is_some_and(|label| label.end - label.at >= LEAST_LABEL)
        };
        let fraction = || self.says_total();
        let numbered = || self.says_number();
        let other = || {
            let named = |t: &Tagged| matches!(t.tag, Tag::Grader(_)) && !t.when.has(When::GRADE);
            self.tags.iter().any(named)
        };
        let card = |hit: &Hit| hit.means.name && hit.whole && hit.spans(tag.at, tag.end);
        // `Iono 185/193 Ace 9`: the game whose card Ace is has no such numbers
        let another = |hit: &Hit| {
            let named = hit.means.subject || hit.means.name && fraction();
            named && hit.whole && hit.is_apart(tag.at, tag.end) && hit.at < tag.at
        };
        let of_card = || self.hits.iter().any(card) && !self.hits.iter().any(another);
        (labelled() || numbered()) && !other() && !of_card()
    }

    /// Whether a number and a slash stand in the title: `4/102`.
    pub(super) fn says_total(&self) -> bool {
        let digits = |token: usize| self.context.class(token) == Some(Class::Digit);
        let mut signs = 1..self.context.line.tokens().len();
        signs.any(|at| self.context.word(at) == "/" && digits(at - 1))
    }

    /// Whether a collector number with a sign stands in the title: `4/102`, `#4`.
    pub(super) fn says_number(&self) -> bool {
        let tokens = self.context.line.tokens().len();
        self.says_total() || (1..tokens).any(|at| self.context.word(at) == "#")
    }

    /// The longest tag that begins at key byte `at` and `is` wanted.
    pub(super) fn tag_from(&self, at: u32, is: impl Fn(Tag) -> bool) -> Option<Tagged> {
        ending(self.tags, at, u32::MAX)
            .iter()
            .filter(|t| t.at == at && is(t.tag) && !self.begins_name(t))
            .max_by_key(|t| t.end)
            .copied()
    }

    /// Whether the words of a label or a remark begin the name of a card: `PSA 9 Gem-Knight Fusion`,
    /// `PSA10 サブテラーの射手`.
    fn begins_name(&self, tag: &Tagged) -> bool {
        let longer =
            |hit: &Hit| hit.at == tag.at && hit.end > tag.end && hit.whole && hit.means.name;
        matches!(tag.tag, Tag::Label(_) | Tag::Phrase(_)) && self.hits.iter().any(longer)
    }

    /// The longest tag that ends at key byte `end` and `is` wanted.
    pub(super) fn tag_to(&self, end: u32, is: impl Fn(Tag) -> bool) -> Option<Tagged> {
        ending(self.tags, end, end)
            .iter()
            .filter(|t| is(t.tag))
            .min_by_key(|t| t.at)
            .copied()
    }

    /// Whether a word of letters that means nothing stands before key byte `at`: a misspelt name.
    pub(super) fn is_behind_unread(&self, at: u32) -> bool {
        let token = self.context.line.token_at(at as usize).checked_sub(1);
        let word = token.is_some_and(|token| self.context.class(token) == Some(Class::Latin));
        word && ending(self.tags, at, at).is_empty() && !self.hits.iter().any(|hit| hit.end == at)
    }

    pub(super) fn phrase(&self, tag: Tag) -> Option<(PhraseKind, Position)> {
        match tag {
            Tag::Phrase(at) => self.dictionary.phrases.get(at as usize).copied(),
            _ => None,
        }
    }

    /// Whether a word says that something is graded: `slab`, `gradée`.
    pub(super) fn is_slab_note(&self, tag: Tag) -> bool {
        matches!(self.phrase(tag), Some((PhraseKind::SlabNote, _)))
    }

    /// Where the scale behind a grade ends, if it has one: `CGC Gem Mint 9.5/10`, `slab PSA 9/10`,
    /// `PSA 10/10`. Without a label or a word for slabs, `PSA 9/10` is one grade or the other.
    #[inline(never)]
    pub(super) fn end_of_ten(&self, reading: &GradeReading) -> Option<u32> {
        let halves = reading.value?.halves();
        let slash = self.context.line.token_at(reading.value_at.1 as usize);
        let scale = self.context.word(slash) == "/" && self.context.word(slash + 1) == "10";
        let one = halves % 2 == 1 || halves == 2 * BEST;
        let said =
            || one || reading.label.is_some() || self.tags.iter().any(|t| self.is_slab_note(t.tag));
        let end = self.context.line.tokens().get(slash + 1)?.end;
        (scale && said()).then_some(end)
    }

    /// Whether the words `at..end` lie inside a longer name or mark: `TAG TEAM`, `ACE SPEC`,
    /// `Ace Trainer`. No tag is longer than `longest`.
    pub(super) fn inside_longer(&self, at: u32, end: u32, longest: u32) -> bool {
        let longer = |a: u32, e: u32| a <= at && end <= e && e - a > end - at;
        self.hits
            .iter()
            .any(|h| h.means.name && h.whole && longer(h.at, h.end))
            || self.hits.iter().any(|h| {
                h.means.set
                    && h.whole
                    && h.at == at
                    && longer(h.at, h.end)
                    && h.end - end <= CODE_END
            })
            || ending(self.tags, end, at + longest).iter().any(|t| {
                matches!(t.tag, Tag::Affix(_) | Tag::Rarity(_) | Tag::Game(_))
                    && longer(t.at, t.end)
            })
    }

    /// The grade that token `token` begins, and its end; none behind `#` or a slash, which make it a
    /// collector number or its total.
    pub(super) fn value_at(&self, token: usize) -> Option<(GradeValue, u32)> {
        let sign = |before: usize| matches!(self.context.word(before), "/" | "#");
        if self.context.class(token) == Some(Class::Digit) && token.checked_sub(1).is_some_and(sign)
        {
            return None;
        }
        self.value_behind_sign(token)
    }

    /// Words for an edition that begin at byte `at` of the key: `1st Edition`, `1. Auflage`.
    pub(super) fn edition_from(&self, at: u32) -> Option<Tagged> {
        let printing = |word: u16| &self.dictionary.printings[word as usize];
        self.tag_from(
            at,
            |tag| matches!(tag, Tag::Printing(word) if printing(word).field == Field::Edition),
        )
    }

    /// Whether the digits of token `token` say which edition it is or count something: `PSA 1st Edition`,
    /// `BGS 3rd anniversary`, `PSA 1枚`.
    fn is_ordinal_or_count(&self, token: usize) -> bool {
        let tokens = self.context.line.tokens();
        let (Some(this), Some(next)) = (tokens.get(token), tokens.get(token + 1)) else {
            return false;
        };
        let counted = || {
            CARD_COUNTERS
                .iter()
                .any(|c| self.context.word(token + 1).starts_with(c))
        };
        // but `PSA 9分`
        let amount = || {
            self.units.are_amount(token) && !GRADE_POINTS.contains(&self.context.word(token + 1))
        };
        // `PSA 1 E-Reader`
        let edition = || {
            self.edition_from(this.at)
                .is_some_and(|tag| tag.end > this.end + 1)
        };
        this.class == Class::Digit
            && next.class != Class::Digit
            && (next.glued && (amount() || counted()) || edition())
    }

    /// The same, whatever sign stands before it.
    pub(super) fn value_behind_sign(&self, token: usize) -> Option<(GradeValue, u32)> {
        let tokens = self.context.line.tokens();
        let this = tokens.get(token)?;
        if self.is_ordinal_or_count(token) {
            return None;
        }
        if this.class != Class::Digit {
            // `PSA nine`
            let number = self
                .units
                .in_letters(token)
                .filter(|n| IN_LETTERS.contains(n))?;
            return Some((GradeValue::from_halves(number as u8 * 2), this.end));
        }
        let word = |behind: usize| self.context.word(token + behind);
        // `PSA 1O`
        let letter = tokens.get(token + 1).filter(|t| t.glued && word(1) == "o");
        if let Some(letter) = letter.filter(|_| word(0) == "1") {
            return Some((GradeValue::from_halves(BEST * 2), letter.end));
        }
        // `BGS 9 1/2`
        if let ("1", "/", "2", Ok(whole @ 1..BEST)) =
            (word(1), word(2), word(3), word(0).parse::<u8>())
        {
            let end = tokens.get(token + 3).map_or(this.end, |t| t.end);
            return Some((GradeValue::from_halves(whole * 2 + 1), end));
        }
        let half = tokens
            .get(token + 1)
            .filter(|t| t.glued && self.context.word(token + 1) == "½");
        let end = half.map_or(this.end, |half| half.end);
        let text = self.context.line.text(this.at as usize, end as usize);
        let before = self.context.before(token);
        if word(1) == "/"
            && self.context.class(token + 2) == Some(Class::Digit)
            && self.context.word(token + 2) != "10"
            || before.contains('$')
            || text.len() > 1 && text.starts_with('0') && text != "0.5"
        {
            return None;
        }
        GradeValue::parse(text).map(|value| (value, end))
    }
}
