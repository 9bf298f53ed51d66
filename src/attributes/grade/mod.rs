//! Grades: grader, number, label words, qualifier and certificate as one reading; and what only
//! looks like one.
//!
//! `PSA 10`, `PSA GEM MT 10`, `GEM MINT 10 PSA`, `CGC 8.5 NM/MINT+`, `BGS 9 (9.5 9 9 8.5)`,
//! `SGC 98 GEM 10`, `PSA10鑑定品`. Not: `PSA 10 ready`, `PSA 9-10?`, `not PSA`, `PSA10相当`,
//! `cracked from PSA 9`, `PSA BGS CGC`.

mod behind;
mod read;
mod title;
mod wish;

pub(crate) use read::read;
pub(crate) use title::TaggedTitle;

use super::mark::is_affix;
use super::writer::Writer;
use crate::dictionary::{Tag, Tagged};
use crate::parsed::{Field, Grade, GradeValue, GraderCode};
use crate::reading::{Proposal, Value};

/// Confidence in the grade that counts, and in one that is only hoped for.
const QUALITY: f32 = 2.0;
const WISH: f32 = 1.5;
/// Confidence that a label and a number say a grade again.
const REPEAT: f32 = 1.6;
/// A label that stands apart from grader and number has at least so many letters, if it is not in
/// capitals.
const LETTERS_APART: u32 = 4;
/// The best grade.
pub(super) const BEST: u8 = 10;
/// Added for the grader's name, in bytes: it explains what is around it.
const GRADER: f32 = 2.0;

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
    /// The words `slab`, `graded`, `鑑定品` are next to it.
    pub(crate) certain: bool,
}

impl GradeReading {
    /// Whether it covers some of the bytes `at..end` of the key.
    fn overlaps(&self, at: u32, end: u32) -> bool {
        self.at < end && at < self.end
    }
}

/// Proposes the grade that counts, and covers the words of those that do not.
pub(crate) fn propose(
    title: &TaggedTitle<'_, '_>,
    grades: &[GradeReading],
    out: &mut Vec<Proposal>,
) {
    let line = title.context.line;
    let real = grades
        .iter()
        .position(|g| !g.wish && g.value.is_some())
        .or_else(|| grades.iter().position(|g| !g.wish));
    for (index, grade) in grades.iter().enumerate() {
        let (field, quality) = match real {
            Some(real) if real == index => (Field::Grade, QUALITY),
            _ => (Field::Wish, WISH),
        };
        let value = Value::Grade(index as u16);
        let mut proposal = Proposal::new(line, (grade.at, grade.end), field, value, quality);
        proposal.weight += GRADER;
        out.push(proposal);
    }
    propose_repeats(title, grades, out);
}

/// Proposes that a label with the number of a grade that was read says it again: `PSA 10 … GEM MT
/// 10`, `Graded 10 … PSA 10`.
fn propose_repeats(title: &TaggedTitle<'_, '_>, grades: &[GradeReading], out: &mut Vec<Proposal>) {
    if grades.iter().all(|grade| grade.value.is_none()) {
        return;
    }
    let line = title.context.line;
    for tag in title.tags {
        let says = match tag.tag {
            Tag::Label(_) => true,
            _ => title.is_slab_note(tag.tag),
        };
        if !says {
            continue;
        }
        let Some((value, end)) = title.value_at(line.token_at(tag.end as usize)) else {
            propose_apart(title, tag, grades, out);
            continue;
        };
        if grades.iter().any(|grade| grade.overlaps(tag.at, end)) {
            continue;
        }
        if grades.iter().any(|grade| grade.value == Some(value)) {
            let (field, text) = (Field::Noise, Value::Word(Tag::Noise));
            out.push(Proposal::new(line, (tag.at, end), field, text, REPEAT));
        }
    }
}

/// Proposes that the words of a label are that of a grade which was read without one, and whose
/// number they mean: `MINT PSA 9`, `PSA 10 … Gem Mint`.
fn propose_apart(
    title: &TaggedTitle<'_, '_>,
    tag: &Tagged,
    grades: &[GradeReading],
    out: &mut Vec<Proposal>,
) {
    let Tag::Label(label) = tag.tag else { return };
    let value = title.dictionary.labels[label as usize].value;
    let within = |grade: &GradeReading| grade.overlaps(tag.at, tag.end);
    // `NM-Mint … PSA 7`
    let longest = title.tag_from(tag.at, |other| matches!(other, Tag::Label(_)));
    let contradicts = |longest: Tagged| match longest.tag {
        Tag::Label(longer) => more_than_half_apart(title, longer, value),
        _ => false,
    };
    if value.is_none() || longest.is_some_and(contradicts) || grades.iter().any(within) {
        return;
    }
    // `Charizard EX PSA 5`
    let mark = || is_affix(title.tags, (tag.at as usize, tag.end as usize));
    // `PSA 7 … WOTC NM`; of the best grade the short ones are other words, too: `PSA 10 … BL`
    let best = value == Some(GradeValue::from_halves(BEST * 2));
    let long = tag.end - tag.at >= LETTERS_APART || !best && title.is_upper(tag);
    let said = |grade: &GradeReading| {
        let fits = long || grade.at == tag.end;
        !grade.wish && grade.label.is_none() && grade.value == value && fits
    };
    if grades.iter().any(said) && !mark() {
        let (field, text) = (Field::Label, Value::Word(tag.tag));
        let span = (tag.at, tag.end);
        out.push(Proposal::new(title.context.line, span, field, text, REPEAT));
    }
}

/// Whether a label means a number that is more than half a grade off `value`.
fn more_than_half_apart(
    title: &TaggedTitle<'_, '_>,
    label: u16,
    value: Option<GradeValue>,
) -> bool {
    let meant = title.dictionary.labels[label as usize].value;
    meant
        .zip(value)
        .is_some_and(|(meant, value)| meant.halves().abs_diff(value.halves()) > 1)
}

/// Writes the label of a grade that stands apart from it.
pub(crate) fn write_apart(writer: &mut Writer<'_, '_, '_>) {
    let mut labels = writer.readings.chosen.of(Field::Label);
    let label = labels.find_map(|proposal| match proposal.value {
        Value::Word(Tag::Label(label)) => Some((proposal, label)),
        _ => None,
    });
    if let (Some((proposal, label)), Some(grade)) = (label, writer.parsed.grade.as_mut())
        && grade.label.is_none()
    {
        let name = writer.readings.reference.dictionary.labels[label as usize]
            .name
            .as_str();
        grade.label = Some(name.into());
        writer.chosen(Field::Label, name, proposal);
    }
}

/// Writes the grade with number `number` of those that were read.
pub(crate) fn write(writer: &mut Writer<'_, '_, '_>, proposal: &Proposal, number: u16) {
    let readings = writer.readings;
    let confidence = writer.confidence(proposal);
    let dictionary = readings.reference.dictionary;
    let reading = readings.grades[number as usize];
    let grader = &dictionary.graders[reading.grader as usize];
    let mut grade = Grade {
        grader: grader.name.as_str().into(),
        grader_code: GraderCode::called(&grader.code),
        value: reading.value,
        autograph: reading.autograph,
        ..Grade::default()
    };
    let text = |(at, end): (u32, u32)| {
        readings
            .context
            .line
            .text(at as usize, end as usize)
            .to_owned()
    };
    writer.push(
        Field::Grader,
        grader.name.as_str(),
        reading.grader_at,
        confidence,
    );
    if let Some(value) = reading.value.filter(|_| reading.value_at.1 > 0) {
        writer.push(Field::Grade, value.text(), reading.value_at, confidence);
    }
    if let Some(label) = reading.label {
        let name = dictionary.labels[label as usize].name.as_str();
        writer.push(Field::Label, name, reading.label_at, confidence);
        grade.label = Some(name.into());
    }
    if let Some(qualifier) = reading.qualifier {
        writer.push(
            Field::Qualifier,
            qualifier,
            reading.qualifier_at,
            confidence,
        );
        grade.qualifier = Some(qualifier.into());
    }
    if let Some(autograph) = reading.autograph {
        writer.push(
            Field::Autograph,
            autograph.text(),
            reading.autograph_at,
            confidence,
        );
    }
    if reading.cert_at.1 > 0 {
        let cert = text(reading.cert_at);
        writer.push(Field::CertNumber, cert.clone(), reading.cert_at, confidence);
        grade.cert_number = Some(cert.into());
    }
    writer.parsed.grade = Some(grade);
}
