//! Grades: grader, number, label words, qualifier and certificate as one reading; and what only looks like one.
//!
//! `PSA 10`, `PSA GEM MT 10`, `GEM MINT 10 PSA`, `CGC 8.5 NM/MINT+`, `BGS 9 (9.5 9 9 8.5)`, `SGC 98 GEM 10`, `PSA10鑑定品`.
//! Not: `PSA 10 ready`, `PSA 9-10?`, `not PSA`, `PSA10相当`, `cracked from PSA 9`, `PSA BGS CGC`.

use super::context::{Context, ending, longest};
use super::lookup::Hit;
use super::{Proposal, Value, weight};
use crate::dictionary::{Dictionary, PhraseKind, Position, Tag, Tagged};
use crate::parsed::{Field, GradeValue};
use crate::token::Class;

/// A grade that the title may state.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct GradeReading {
    pub(crate) grader: u16,
    pub(crate) grader_at: (u32, u32),
    pub(crate) value: Option<GradeValue>,
    pub(crate) value_at: (u32, u32),
    pub(crate) label: Option<u16>,
    pub(crate) label_at: (u32, u32),
    pub(crate) qualifier: Option<&'static str>,
    pub(crate) qualifier_at: (u32, u32),
    /// Certificate number, in the key.
    pub(crate) cert_at: (u32, u32),
    /// Grade of the signature.
    pub(crate) autograph: Option<GradeValue>,
    pub(crate) autograph_at: (u32, u32),
    /// Bytes of the key that it covers.
    pub(crate) at: u32,
    pub(crate) end: u32,
    /// The seller hopes, denies or remembers: the card is raw.
    pub(crate) wish: bool,
    /// The words `slab`, `graded`, `鑑定品` stand beside it.
    pub(crate) certain: bool,
}

/// Words after a grade that qualify it.
const QUALIFIERS: [(&str, &str); 6] = [
    ("oc", "OC"),
    ("mk", "MK"),
    ("mc", "MC"),
    ("st", "ST"),
    ("pd", "PD"),
    ("of", "OF"),
];
/// How many words may stand between a grader and its number.
const REACH: usize = 6;
/// More graders than any honest title names.
const MAX_GRADES: usize = 16;

/// What stands in the title, for the rules of this module.
pub(crate) struct Sight<'s, 't> {
    pub(crate) context: &'s Context<'t>,
    pub(crate) dictionary: &'s Dictionary,
    pub(crate) tags: &'s [Tagged],
    pub(crate) hits: &'s [Hit],
}

impl Sight<'_, '_> {
    /// The longest tag that begins at key byte `at` and `is` wanted.
    fn tag_from(&self, at: u32, is: impl Fn(Tag) -> bool) -> Option<Tagged> {
        ending(self.tags, at, u32::MAX)
            .iter()
            .filter(|t| t.at == at && is(t.tag))
            .max_by_key(|t| t.end)
            .copied()
    }

    /// The longest tag that ends at key byte `end` and `is` wanted.
    fn tag_to(&self, end: u32, is: impl Fn(Tag) -> bool) -> Option<Tagged> {
        ending(self.tags, end, end)
            .iter()
            .filter(|t| is(t.tag))
            .min_by_key(|t| t.at)
            .copied()
    }

    fn phrase(&self, tag: Tag) -> Option<(PhraseKind, Position)> {
        match tag {
            Tag::Phrase(at) => self.dictionary.phrases.get(at as usize).copied(),
            _ => None,
        }
    }

    /// Whether the words `at..end` lie inside a longer name or mark: `TAG TEAM`, `ACE SPEC`, `Ace Trainer`. No tag is longer than `longest`.
    fn inside_longer(&self, at: u32, end: u32, longest: u32) -> bool {
        let longer = |a: u32, e: u32| a <= at && end <= e && e - a > end - at;
        self.hits
            .iter()
            .any(|h| h.name && h.whole && longer(h.at, h.end))
            || self
                .hits
                .iter()
                .any(|h| h.set && h.whole && h.at == at && longer(h.at, h.end) && h.end - end <= 2)
            || ending(self.tags, end, at + longest).iter().any(|t| {
                matches!(t.tag, Tag::Affix(_) | Tag::Rarity(_) | Tag::Game(_))
                    && longer(t.at, t.end)
            })
    }

    fn value_at(&self, token: usize) -> Option<(GradeValue, u32)> {
        let tokens = self.context.line.tokens();
        let this = tokens.get(token).filter(|t| t.class == Class::Digit)?;
        let half = tokens
            .get(token + 1)
            .filter(|t| t.glued && self.context.word(token + 1) == "½");
        let end = half.map_or(this.end, |half| half.end);
        let text = self.context.line.text(this.at as usize, end as usize);
        let before = self.context.before(token);
        let slash = |word: &str| word == "/";
        if slash(self.context.word(token + 1))
            && self.context.class(token + 2) == Some(Class::Digit)
            && self.context.word(token + 2) != "10"
            || token > 0
                && (slash(self.context.word(token - 1)) || self.context.word(token - 1) == "#")
            || before.contains('$')
            || text.len() > 1 && text.starts_with('0') && text != "0.5"
        {
            return None;
        }
        GradeValue::parse(text).map(|value| (value, end))
    }
}

/// Finds all grades, real and wished for.
pub(crate) fn read(sight: &Sight<'_, '_>, out: &mut Vec<GradeReading>) {
    let alone = sight.tags.iter().find_map(|t| match sight.phrase(t.tag) {
        Some((PhraseKind::Wish | PhraseKind::Negation | PhraseKind::History, Position::Alone)) => {
            Some(*t)
        }
        _ => None,
    });
    let mut covered = 0;
    let mut denied_to = u32::MAX;
    let longest = longest(sight.tags);
    for tag in sight.tags {
        let Tag::Grader(grader) = tag.tag else {
            continue;
        };
        if out.len() >= MAX_GRADES {
            break;
        }
        let mut over = ending(sight.tags, tag.end, tag.at + longest)
            .iter()
            .filter(|o| matches!(o.tag, Tag::Grader(_)));
        let mut shorter = || over.any(|o| o.at <= tag.at && o.end - o.at > tag.end - tag.at);
        if tag.at < covered || shorter() || sight.inside_longer(tag.at, tag.end, longest) {
            continue;
        }
        let mut reading = GradeReading {
            grader,
            grader_at: (tag.at, tag.end),
            at: tag.at,
            end: tag.end,
            ..GradeReading::default()
        };
        forward(sight, &mut reading);
        if reading.value.is_none() && reading.label.is_none() {
            backward(sight, &mut reading, covered);
        }
        behind(sight, &mut reading);
        let denied_before = reading.at == denied_to;
        reading.wish = denied_before || wished(sight, &reading);
        if let Some(alone) = alone
            && reading
                .label
                .is_none_or(|_| alone.at >= reading.at && alone.at < reading.end)
            && reading.cert_at.1 == 0
            && !(alone.at >= reading.grader_at.0 && alone.end <= reading.grader_at.1)
        {
            reading.wish = true;
        }
        if reading.wish {
            denied_to = reading.end;
        }
        if reading.value.is_none()
            && let Some(label) = reading.label
        {
            reading.value = sight.dictionary.labels[label as usize].value;
        }
        covered = reading.end;
        out.push(reading);
    }
    // several graders and no number: words for the search engine
    let bare = |r: &GradeReading| r.value.is_none() && r.label.is_none() && !r.certain;
    let named = out.iter().filter(|r| bare(r)).count();
    let real = out.iter().any(|r| !r.wish && !bare(r));
    for reading in out.iter_mut() {
        if bare(reading) && (named > 1 || real) {
            reading.wish = true;
        }
    }
}

/// Reads on from the grader: label words and fillers, then the number.
fn forward(sight: &Sight<'_, '_>, reading: &mut GradeReading) {
    let line = sight.context.line;
    let mut at = reading.end;
    let mut old: Option<(GradeValue, (u32, u32))> = None;
    for _ in 0..REACH {
        let token = line.token_at(at as usize);
        let Some(this) = line.tokens().get(token) else {
            break;
        };
        if token > 0 && sight.context.before(token).contains(['|', '=', ';', '~']) {
            break;
        }
        if let Some((value, end)) = sight.value_at(token) {
            (reading.value, reading.value_at, reading.end) = (Some(value), (this.at, end), end);
            break;
        }
        // the old scale of SGC: `98 GEM 10`, or `88` alone
        if this.class == Class::Digit
            && sight.dictionary.graders[reading.grader as usize].name == "SGC"
            && old.is_none()
        {
            let scale = OLD_SCALE
                .iter()
                .find(|(points, _)| *points == sight.context.word(token));
            let Some((_, halves)) = scale else { break };
            old = Some((GradeValue::from_halves(*halves), (this.at, this.end)));
            at = this.end;
            reading.end = at;
            continue;
        }
        if let Some(label) = sight.tag_from(at, |t| matches!(t, Tag::Label(_))) {
            if let (None, Tag::Label(word)) = (reading.label, label.tag) {
                (reading.label, reading.label_at, reading.end) =
                    (Some(word), (label.at, label.end), label.end);
            }
            at = label.end;
            continue;
        }
        let filler = sight.tag_from(at, |t| match t {
            Tag::Noise => true,
            Tag::Phrase(_) => matches!(sight.phrase(t), Some((PhraseKind::SlabNote, _))),
            Tag::Grader(_) => sight.tags.iter().any(|o| {
                o.at == at
                    && o.tag == t
                    && reading.grader
                        == match t {
                            Tag::Grader(g) => g,
                            _ => u16::MAX,
                        }
            }),
            _ => false,
        });
        if let Some(filler) = filler {
            if matches!(filler.tag, Tag::Phrase(_)) {
                reading.certain = true;
            }
            at = filler.end;
            continue;
        }
        break;
    }
    if let (None, Some((value, at))) = (reading.value, old) {
        (reading.value, reading.value_at) = (Some(value), at);
    }
}

/// SGC until 2018: points out of 100, and the grade in halves that replaced them.
const OLD_SCALE: [(&str, u8); 14] = [
    ("98", 20),
    ("96", 18),
    ("92", 17),
    ("88", 16),
    ("86", 15),
    ("84", 14),
    ("80", 12),
    ("70", 11),
    ("60", 10),
    ("50", 8),
    ("40", 6),
    ("30", 4),
    ("20", 3),
    ("100", 20),
];

/// Reads back from the grader: `GEM MINT 10 PSA`, `10 GEM MT BGS`.
fn backward(sight: &Sight<'_, '_>, reading: &mut GradeReading, covered: u32) {
    let line = sight.context.line;
    let mut at = reading.at;
    let mut value = None;
    let mut label = None;
    for _ in 0..3 {
        if at <= covered {
            break;
        }
        let token = line.token_at(at as usize - 1);
        let Some(this) = line.tokens().get(token) else {
            break;
        };
        if value.is_none()
            && let Some((found, end)) = sight.value_at(token)
            && end == at
        {
            value = Some((found, this.at, end));
            at = this.at;
            continue;
        }
        match sight.tag_to(at, |t| matches!(t, Tag::Label(_))) {
            Some(found) if label.is_none() => {
                label = Some(found);
                at = found.at;
            }
            _ => break,
        }
    }
    let Some(word) = label else { return };
    let Tag::Label(number) = word.tag else { return };
    if let Some((found, from, to)) = value {
        (reading.value, reading.value_at) = (Some(found), (from, to));
        reading.at = reading.at.min(from);
    } else if word.end != reading.at || sight.dictionary.labels[number as usize].name.len() < 4 {
        return;
    }
    (reading.label, reading.label_at) = (Some(number), (word.at, word.end));
    reading.at = reading.at.min(word.at);
}

/// Reads what follows the number: label, qualifier, subgrades, score, certificate.
fn behind(sight: &Sight<'_, '_>, reading: &mut GradeReading) {
    let line = sight.context.line;
    for _ in 0..REACH {
        let token = line.token_at(reading.end as usize);
        let Some(this) = line.tokens().get(token) else {
            break;
        };
        // characters of one script are one token, and what is read may end inside it: words before that end are read already
        let from = this.at.max(reading.end);
        let gap = sight.context.before(token);
        if gap.contains(['|', '=', '?']) {
            break;
        }
        let word = sight.context.word(token);
        if word == "+" && this.glued {
            reading.end = this.end;
            continue;
        }
        if reading.value.is_some()
            && let Some(label) = sight.tag_from(from, |t| matches!(t, Tag::Label(_)))
        {
            let Tag::Label(found) = label.tag else { break };
            let fits = sight.dictionary.labels[found as usize]
                .value
                .is_none_or(|v| {
                    reading
                        .value
                        .is_none_or(|stated| v.halves().abs_diff(stated.halves()) <= 3)
                });
            if reading.label.is_none() && fits {
                (reading.label, reading.label_at) = (Some(found), (label.at, label.end));
            } else if !fits {
                break;
            }
            reading.end = label.end;
            continue;
        }
        if let Some((_, name)) = QUALIFIERS.iter().find(|(q, _)| *q == word)
            && (this.depth > 0 || this.upper)
            && reading.value.is_some()
        {
            (reading.qualifier, reading.qualifier_at, reading.end) =
                (Some(*name), (this.at, this.end), this.end);
            continue;
        }
        // `PSA 9 AUTO 10`: the signature has a grade of its own
        let signed = |t: Tag| matches!(t, Tag::Printing(p) if sight.dictionary.printings[p as usize].value == "signed");
        if reading.value.is_some()
            && let Some(auto) = sight.tag_from(from, signed)
            && let Some((value, end)) = sight.value_at(line.token_at(auto.end as usize))
        {
            (reading.autograph, reading.autograph_at, reading.end) =
                (Some(value), (auto.at, end), end);
            continue;
        }
        // subgrades or a score in brackets
        if this.class == Class::Digit
            && this.depth > 0
            && reading.value.is_some()
            && gap.contains(['(', '['])
        {
            let inside = || {
                line.tokens()[token..].iter().take_while(|t| {
                    t.depth > 0 && (t.class == Class::Digit || t.class == Class::Mark)
                })
            };
            // `(037/053)` is a collector number, `(9.5/9/10/9)` are subgrades, `(985)` is a score
            let grade = |text: &str| {
                text.parse::<f32>().is_ok_and(|v| v <= 10.0)
                    && !(text.len() > 1 && text.starts_with('0'))
            };
            let words = || inside().map(|t| line.text(t.at as usize, t.end as usize));
            let subgrades = words()
                .filter(|w| w.bytes().any(|b| b.is_ascii_digit()))
                .all(grade);
            if let Some(last) = inside()
                .last()
                .filter(|_| subgrades || words().all(|w| w != "/"))
            {
                reading.end = last.end;
                continue;
            }
        }
        if let Some(note) = sight.tag_from(from, |t| {
            matches!(
                sight.phrase(t),
                Some((
                    PhraseKind::SlabNote,
                    Position::After | Position::Either | Position::Alone
                ))
            )
        }) {
            reading.certain = true;
            let next = line.token_at(note.end as usize);
            reading.end = note.end;
            if is_cert(sight, next) {
                cert(sight, next, reading);
            }
            continue;
        }
        if is_cert(sight, token) || word == "#" && is_cert(sight, token + 1) {
            cert(sight, if word == "#" { token + 1 } else { token }, reading);
            continue;
        }
        break;
    }
    // elsewhere in the title: `cert 12345678`
    if reading.cert_at.1 == 0 {
        for token in 0..line.tokens().len() {
            if is_cert(sight, token) {
                let this = line.tokens()[token];
                reading.cert_at = (this.at, this.end);
                break;
            }
        }
    }
}

fn is_cert(sight: &Sight<'_, '_>, token: usize) -> bool {
    let line = sight.context.line;
    line.tokens().get(token).is_some_and(|t| {
        t.class == Class::Digit
            && (7..=10).contains(&(t.end - t.at))
            && !line.text(t.at as usize, t.end as usize).contains('.')
    })
}

fn cert(sight: &Sight<'_, '_>, token: usize, reading: &mut GradeReading) {
    if let Some(this) = sight.context.line.tokens().get(token) {
        reading.cert_at = (this.at, this.end);
        reading.end = this.end;
    }
}

/// Whether the words around the grade say that the card does not have it.
fn wished(sight: &Sight<'_, '_>, reading: &GradeReading) -> bool {
    let line = sight.context.line;
    let after = line.token_at(reading.value_at.1.max(reading.grader_at.1) as usize);
    let gap = sight.context.before(after);
    // `PSA 10?`, `PSA?`
    if gap.trim_start().starts_with('?') {
        return true;
    }
    // `PSA 9-10`, `PSA 9/10`, `PSA 9 or 10`
    if reading.value.is_some() {
        let next = sight.context.word(after);
        let range = gap.trim() == "-"
            && sight.context.class(after) == Some(Class::Digit)
            && GradeValue::parse(next).is_some()
            || matches!(next, "/" | "or" | "oder" | "ou")
                && GradeValue::parse(sight.context.word(after + 1)).is_some();
        let year = sight.context.word(after).len() == 4;
        if range && !year {
            return true;
        }
    }
    if sight
        .context
        .before(line.token_at(reading.at as usize))
        .contains('=')
    {
        return true;
    }
    let hopes = |t: &Tagged, sides: [Position; 2]| match sight.phrase(t.tag) {
        Some((
            PhraseKind::Wish
            | PhraseKind::Negation
            | PhraseKind::History
            | PhraseKind::Spam
            | PhraseKind::Accessory
            | PhraseKind::Service,
            position,
        )) => sides.contains(&position),
        _ => false,
    };
    // a phrase that is the end of a name is none: `Charizard ex PSA 9`
    let named = |t: &Tagged| {
        sight
            .hits
            .iter()
            .any(|h| h.name && h.at < t.at && t.end <= h.end)
            || sight.tags.iter().any(|o| {
                matches!(o.tag, Tag::Affix(_))
                    && o.at == t.at
                    && o.end == t.end
                    && sight.hits.iter().any(|h| h.species && h.end == t.at)
            })
    };
    let before = ending(sight.tags, reading.at, reading.at)
        .iter()
        .any(|t| hopes(t, [Position::Before, Position::Either]) && !named(t));
    let ends = [
        reading.end,
        reading.value_at.1,
        reading.grader_at.1,
        reading.label_at.1,
    ];
    let behind = sight.tags.iter().any(|t| {
        let separate = sight
            .context
            .before(line.token_at(t.at as usize))
            .contains([',', '|', '('])
            && matches!(sight.phrase(t.tag), Some((PhraseKind::Accessory, _)));
        // `PSA鑑定` is a grader, and `鑑定前` denies it
        let within = reading.value.is_none()
            && t.at > reading.grader_at.0
            && t.at < reading.grader_at.1
            && t.end > reading.grader_at.1;
        (ends.contains(&t.at) || within)
            && t.at > 0
            && hopes(t, [Position::After, Position::Either])
            && !separate
    });
    before || behind
}

/// Proposes the grade that counts, and covers the words of those that do not.
pub(crate) fn propose(sight: &Sight<'_, '_>, grades: &[GradeReading], out: &mut Vec<Proposal>) {
    let key = sight.context.line.key();
    let real = grades
        .iter()
        .position(|g| !g.wish && g.value.is_some())
        .or_else(|| grades.iter().position(|g| !g.wish));
    for (index, grade) in grades.iter().enumerate() {
        let (field, quality) = match real {
            Some(real) if real == index => (Field::Grade, 2.0),
            _ => (Field::Wish, 1.5),
        };
        out.push(Proposal {
            field,
            at: grade.at,
            end: grade.end,
            weight: weight(key, grade.at as usize, grade.end as usize, quality) + 2.0,
            value: Value::Grade(index as u16),
            chosen: false,
            weak: false,
        });
    }
}
