//! What the title states of a printing, and the label of the one that was chosen contradicts.

use super::add;
use crate::answer::Conflict;
use crate::attributes::art::is_alternate;
use crate::attributes::label::{Label, UNLIMITED, is_edition};
use crate::attributes::printing::{qualifier_key, words};
use crate::catalogue::format::{CardRecord, SetRecord, set_flag};
use crate::dictionary::{PrintingWord, Tag};
use crate::findings::Findings;
use crate::parsed::{Field, Parsed};
use crate::reading::{Proposal, Value};
use crate::token::key_of;
use crate::word_lists::STAMPS_OF_SET;
use std::borrow::Cow;

/// What a printing has of an attribute of which its label says nothing.
const NONE: &str = "none";
/// The size of a printing of whose size its label says nothing.
const STANDARD: &str = "standard";

/// Adds the conflicts of the title with the printing of this label.
pub(super) fn conflicts<'t>(
    findings: &Findings<'_, 't>,
    parsed: &Parsed<'t>,
    (record, label): (&CardRecord, &Label<'_>),
    conflicts: &mut Vec<Conflict<'t>>,
) {
    let edition = parsed.printing.as_ref().and_then(|p| p.edition.as_ref());
    if let Some(stated) = edition.filter(|stated| is_edition(stated)) {
        let held = edition_of(label);
        if *stated != held {
            let pair = (stated.clone(), held.to_owned().into());
            add(conflicts, Field::Edition, pair);
        }
    }
    let reference = findings.readings.reference;
    let printings = &reference.dictionary.printings;
    for proposal in findings.readings.chosen.iter() {
        // `stamped` may mean the mark of the set, which labels do not say
        let Value::Word(Tag::Printing(at)) = proposal.value else {
            continue;
        };
        let word = &printings[usize::from(at)];
        if proposal.weak || STAMPS_OF_SET.contains(&word.value.as_str()) {
            continue;
        }
        let silent = match word.field {
            Field::Stamp | Field::Error | Field::Pattern => NONE,
            Field::Size => STANDARD,
            _ => continue,
        };
        let Some(other) = lacks(printings, word, label) else {
            continue;
        };
        let mut labels = reference.catalogue.printings(record).iter();
        let mut another = || {
            labels.any(|printing| {
                let label = Label::of(reference.catalogue.string(printing.label));
                lacks(printings, word, &label).is_none()
            })
        };
        // where no source has a print with such a word, there may be one all the same
        let told = match word.field {
            // `swirl top right` names no stamp, and the name of a store may say where it was sold
            Field::Stamp => says_stamp(findings, proposal),
            field => field == Field::Size,
        };
        if told && is_plain(findings, record, word, label) || another() {
            let held = other.unwrap_or(silent).to_owned().into();
            add(conflicts, word.field, (word.value.clone().into(), held));
        }
    }
}

/// The edition that a label states: as a word of its own, or as the beginning of what is in its
/// brackets, `Normal [shadowless red cheek]`.
fn edition_of<'l>(label: &Label<'l>) -> &'l str {
    let within = |part: &'l str| {
        let ends = part.match_indices(' ').map(|(at, _)| at);
        let mut beginnings = ends.chain([part.len()]).map(|end| &part[..end]);
        beginnings.find(|beginning| is_edition(beginning))
    };
    let inside = || label.qualifiers().find_map(within);
    let stated = label.editions().next().or_else(inside);
    stated.unwrap_or(UNLIMITED)
}

/// What words for a stamp say beside its name.
const STAMP: &str = "stamp";

/// Whether words of the title name a stamp, and say that it is one: not `stamped promo`.
fn says_stamp(findings: &Findings<'_, '_>, proposal: &Proposal) -> bool {
    let line = findings.readings.context.line;
    let words = line.text(proposal.at as usize, proposal.end as usize);
    words.find(STAMP).is_some_and(|at| at > 0)
}

/// Whether a label without a word for a stamp or a size says that the printing has none: in sets whose
/// prints with one sources tell apart from the others.
fn is_plain(
    findings: &Findings<'_, '_>,
    record: &CardRecord,
    word: &PrintingWord,
    label: &Label<'_>,
) -> bool {
    let catalogue = findings.readings.reference.catalogue;
    let of_set = |set: &SetRecord| {
        let promos = set_flag::PROMO | set_flag::REPRINTED;
        set.flags & promos == 0 && !word.labels(&key_of(catalogue.string(set.name)))
    };
    label.qualifiers().next().is_none() && catalogue.set_record(record).is_some_and(of_set)
}

/// The first treatment that the title states and the printing of this label does not show, and the
/// one that it shows, if its label says so.
pub(super) fn treatment<'t>(
    findings: &Findings<'_, 't>,
    label: &Label<'_>,
) -> Option<(Cow<'t, str>, Option<Cow<'t, str>>)> {
    let dictionary = findings.readings.reference.dictionary;
    let treatments = words(&findings.readings).filter(|word| word.field == Field::Treatment);
    let mut lacking = treatments.filter_map(|word| {
        let other = lacks(&dictionary.printings, word, label)?;
        // `SP alternate art`: that the art is another one says no more
        let said = other.is_some() && is_alternate(word);
        (!said).then(|| {
            let held = other.map(|other| other.to_owned().into());
            (word.value.clone().into(), held)
        })
    });
    lacking.next()
}

/// `None` if the label of a printing says a word; else what it says of the same attribute, if
/// anything.
fn lacks<'l>(
    words: &[PrintingWord],
    word: &PrintingWord,
    label: &Label<'l>,
) -> Option<Option<&'l str>> {
    let mut other = None;
    for part in label.qualifiers() {
        let key = qualifier_key(part);
        if word.labels(&key) {
            return None;
        }
        let mut same = words.iter().filter(|other| other.field == word.field);
        if same.any(|other| other.labels(&key)) {
            other = Some(part);
        }
    }
    Some(other)
}
