//! Marks of a name that the title states and the first card lacks: `ex`, an owner, a region.

use crate::attributes::mark::decorated;
use crate::catalogue::format::{CardRecord, NameRecord};
use crate::catalogue::{Columns, Marks};
use crate::dictionary::{Affix, Dictionary, Tag};
use crate::findings::Findings;
use crate::parsed::Field;
use crate::reading::{Proposal, Value};
use crate::score::features::{Feature, Features};

/// The evidence that the title states such a mark.
const STRANGE: Features = Features::of(&[Feature::MarkExtra, Feature::MarkSlip]);

/// The card's name with the marks that the title states, if the card lacks one of them.
pub(super) fn stated(findings: &Findings<'_, '_>, record: &CardRecord) -> Option<String> {
    let reference = findings.readings.reference;
    let (catalogue, dictionary) = (reference.catalogue, reference.dictionary);
    let name = catalogue.name_record(record)?;
    let stated = beside(findings, record, name);
    let rarity = reference.stats.rarity_marks.get(record.rarity as usize);
    let borne = name.marks().union(rarity.copied().unwrap_or_default());
    let lacking = stated.minus(borne);
    let contradicts = |bit: u16| {
        let affix = dictionary.affixes.get(usize::from(bit));
        affix.is_some_and(|affix| affix.another && !is_of_set(catalogue, affix, record))
            && !is_one_owner(dictionary, bit, name.marks())
    };
    let lacking = lacking.bits().filter(|bit| contradicts(*bit));
    let lacking = lacking.fold(Marks::default(), Marks::with);
    if lacking == Marks::default() {
        return None;
    }
    let core = catalogue.cores.get(name.core.get() as usize)?;
    let said = stated.common(name.marks()).union(lacking);
    Some(decorated(dictionary, catalogue.string(core.text), said))
}

/// The marks that words beside a name state, which is the card's.
fn beside(findings: &Findings<'_, '_>, record: &CardRecord, name: &NameRecord) -> Marks {
    let readings = &findings.readings;
    let (catalogue, dictionary) = (readings.reference.catalogue, readings.reference.dictionary);
    let chosen = readings.chosen;
    let evidence = findings.evidence.of(0).iter().collect::<Features>();
    // what no name of the catalogue bears is read as no mark: `Charizard V 4/102`
    let strange = evidence.any_of(STRANGE);
    let core = name.core.get();
    let of_card = |read: &&Proposal| match read.value {
        Value::Hit(at) => {
            let hit = &readings.hits[at as usize];
            hit.cores(catalogue).any(|of| of == core)
        }
        _ => false,
    };
    let mut marks = Marks::default();
    for proposal in readings.proposals {
        let Value::Word(Tag::Affix(bit)) = proposal.value else {
            continue;
        };
        let (at, end) = (proposal.at, proposal.end);
        let free = || strange && chosen.overlapping(at, end).is_empty();
        if !proposal.chosen && !free() {
            continue;
        }
        let prefix = dictionary
            .affixes
            .get(usize::from(bit))
            .is_some_and(|a| a.prefix);
        let mut names = chosen.of(Field::Name).filter(of_card);
        if names.any(|name| {
            if prefix {
                name.at == end
            } else {
                name.end == at
            }
        }) {
            marks = marks.with(bit);
        }
    }
    // of a whole name that is read, `Umbreon GX`, the card bears the subject
    let clues = || {
        let clues = findings.query.names.iter();
        clues.filter(|clue| clue.chosen && clue.core == core)
    };
    if strange && !clues().any(|clue| clue.name == Some(record.name.get())) {
        let own = clues().map(|clue| clue.marks.minus(clue.shared));
        marks = own.fold(marks, Marks::union);
    }
    marks
}

/// Whether a mark is the name of the card's series, or a part of its set's: `Swampert EX 11/106 Emerald`,
/// `Team Aqua` of `Team Magma vs Team Aqua`.
fn is_of_set(catalogue: &Columns<'_>, affix: &Affix, record: &CardRecord) -> bool {
    let words = affix.name.strip_suffix("'s").unwrap_or(&affix.name);
    let set = catalogue.set_record(record);
    set.is_some_and(|set| {
        let (series, name) = (catalogue.string(set.series), catalogue.string(set.name));
        affix.name.eq_ignore_ascii_case(series) || affix.owner && name.contains(words)
    })
}

/// Whether a mark and one of `marks` name one owner: `Team Rocket's` and `Rocket's`.
fn is_one_owner(dictionary: &Dictionary, bit: u16, marks: Marks) -> bool {
    let whole = |mark: u16| {
        dictionary
            .affixes
            .get(usize::from(mark))
            .and_then(|a| a.whole)
    };
    whole(bit).is_some_and(|whole| marks.bits().any(|mark| mark == whole))
        || marks.bits().any(|mark| whole(mark) == Some(bit))
}
