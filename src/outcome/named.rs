//! What a title names: how many different subjects, which of them the best candidate explains, and
//! how names stand together.

use super::facts::CERTAIN;
use crate::attributes::hit::Hit;
use crate::attributes::name::NameClue;
use crate::attributes::number::{NumberKind, NumberReading};
use crate::attributes::set::SetClue;
use crate::catalogue::{Entry, EntryKind, NameQuality};
use crate::findings::Findings;
use crate::parsed::Field;
use crate::reading::Proposal;
use crate::reading::context::Context;
use crate::word_lists::JOINING;

/// Above this probability a card of several subjects explains them.
const EXPLAINS: f64 = 0.3;
/// More different subjects than any title names.
const MAX_SUBJECTS: usize = 32;

/// Different subjects, by number, as many as any title names.
#[derive(Default)]
struct Subjects {
    seen: [u16; MAX_SUBJECTS],
    count: usize,
}

impl Subjects {
    /// Adds one; 0 is ignored.
    fn add(&mut self, subject: u16) {
        if subject != 0
            && !self.seen[..self.count].contains(&subject)
            && let Some(place) = self.seen.get_mut(self.count)
        {
            *place = subject;
            self.count += 1;
        }
    }
}

/// How many different subjects a title names.
pub(super) struct NamedSubjects {
    /// Those that the best candidate does not explain.
    pub(super) others: usize,
    /// All.
    pub(super) all: usize,
}

impl NamedSubjects {
    /// Counts them. `best` is the core of the best candidate with the probability of all cards of
    /// its name, `joins` what [`joins`] counts.
    pub(super) fn of(
        findings: &Findings<'_, '_>,
        (core, name): (Option<u32>, f64),
        joins: usize,
    ) -> NamedSubjects {
        let catalogue = findings.readings.reference.catalogue;
        let names = &findings.query.names;
        let subjects_of = |core: u32| {
            let core = catalogue.cores.get(core as usize);
            core.map_or([0; 3], |core| core.subjects.map(|d| d.get()))
        };
        // a card of several subjects explains them only if it is likely itself, or of three
        let explained_by = |core: &u32| name > EXPLAINS || subjects_of(*core)[2] != 0;
        let subjects = core.filter(explained_by).map_or([0; 3], subjects_of);
        let explained =
            |named: u32| Some(named) == core || subjects.contains(&subjects_of(named)[0]);
        // the catalogue may have overruled the reading since the clue was made
        let read = |at: u32, end: u32| {
            let mut names = findings.readings.chosen.of(Field::Name);
            names.any(|p| p.at < end && at < p.end)
        };
        let of_subject = |n: &NameClue| n.chosen && n.subject && read(n.at, n.end);
        let (mut others, mut all) = (Subjects::default(), Subjects::default());
        // words that are the name of several subjects name one of them
        for (at, clue) in names.iter().enumerate() {
            let same = |n: &NameClue| n.at < clue.end && clue.at < n.end && of_subject(n);
            if !of_subject(clue) || names[..at].iter().any(same) {
                continue;
            }
            let mut here = names.iter().filter(|n| same(n)).map(|n| n.core);
            match here.find(|&named| explained(named)) {
                Some(named) => all.add(subjects_of(named)[0]),
                None if is_set_of_best(findings, clue, joins)
                    || is_in_nickname(findings, clue, core) => {}
                None => {
                    all.add(subjects_of(clue.core)[0]);
                    others.add(subjects_of(clue.core)[0]);
                }
            }
        }
        let called = findings.query.cards.iter();
        for named in called.filter_map(|&card| catalogue.core_of_card(card)) {
            all.add(subjects_of(named)[0]);
            if !explained(named) {
                others.add(subjects_of(named)[0]);
            }
        }
        for thing in listed_things(findings, core) {
            all.add(LISTED_THING | thing as u16);
            if Some(thing) != core {
                others.add(LISTED_THING | thing as u16);
            }
        }
        NamedSubjects {
            others: others.count,
            all: all.count,
        }
    }
}

/// Whether a name is the code of the set that the best candidate is of, where that is certain and
/// nothing joins names: `Venusaur ex SIR MEW`.
fn is_set_of_best(findings: &Findings<'_, '_>, name: &NameClue, joins: usize) -> bool {
    let catalogue = findings.readings.reference.catalogue;
    let best = findings.ranked.first();
    let certain = best.filter(|best| best.probability > CERTAIN && joins == 0);
    let Some(card) = certain.and_then(|best| catalogue.card_record(best.card)) else {
        return false;
    };
    let coded = |set: &&SetClue| (set.at, set.end) == (name.at, name.end);
    let mut sets = findings.query.sets.iter().filter(coded);
    sets.any(|set| catalogue.set_entry(set.place, card).is_some())
}

/// Whether a name stands in longer words that name the best candidate: `Ditto Charmander` is what
/// collectors call a card of `Ditto`.
fn is_in_nickname(findings: &Findings<'_, '_>, name: &NameClue, core: Option<u32>) -> bool {
    let catalogue = findings.readings.reference.catalogue;
    let called = |entry: Entry| {
        entry.kind() == EntryKind::Card && catalogue.core_of_card(entry.id()) == core
    };
    let of_core = |hit: &Hit| {
        hit.cores(catalogue).any(|named| Some(named) == core)
            || catalogue.entries(hit.place).any(called)
    };
    let longer = |hit: &Hit| {
        hit.at <= name.at && name.end <= hit.end && hit.end - hit.at > name.end - name.at
    };
    let mut hits = findings.readings.hits.iter();
    core.is_some() && hits.any(|hit| longer(hit) && of_core(hit))
}

/// The signs of prices.
const CURRENCIES: [char; 4] = ['$', '€', '£', '¥'];

/// How many words and signs that join stand between the first and the last name of a subject.
pub(super) fn joins(findings: &Findings<'_, '_>) -> usize {
    let context = &findings.readings.context;
    let mut names = findings
        .query
        .names
        .iter()
        .filter(|n| n.chosen && n.subject)
        .map(|n| (n.at, n.end));
    let Some((mut first, mut last)) = names.next() else {
        return 0;
    };
    for (at, end) in names {
        (first, last) = (first.min(end), last.max(at));
    }
    let tokens = context.line.tokens().iter().enumerate();
    tokens
        .filter(|(_, token)| first <= token.at && token.end <= last)
        .filter(|(index, _)| JOINING.contains(&context.word(*index)))
        .count()
}

/// How many names of subjects stand right behind a comma: `Meganium, Pidgeot, Raichu`.
#[inline(never)]
pub(super) fn commas(findings: &Findings<'_, '_>) -> usize {
    let context = &findings.readings.context;
    let names = findings.query.names.iter();
    let listed = |name: &&NameClue| name.at > 0 && is_behind_comma(context, name.at);
    let subjects = names.filter(|name| name.chosen && name.subject);
    places(subjects.filter(listed)) as usize
}

/// Whether two names stand right before a price: `Mindsparker $4, Swat Away $6`.
pub(super) fn priced(findings: &Findings<'_, '_>) -> bool {
    let context = &findings.readings.context;
    let names = || findings.readings.chosen.of(Field::Name);
    let ends = context.line.key().len();
    let priced =
        |name: &&Proposal| (name.end as usize) < ends && is_behind(context, name.end, &CURRENCIES);
    names().nth(1).is_some() && names().filter(priced).nth(1).is_some()
}

/// Whether a comma stands right before byte `at` of the key.
fn is_behind_comma(context: &Context<'_>, at: u32) -> bool {
    is_behind(context, at, &[',', '、'])
}

/// Whether one of these signs stands right before byte `at` of the key, where a word begins.
fn is_behind(context: &Context<'_>, at: u32, signs: &[char]) -> bool {
    let token = context.line.token_at(at as usize);
    context.before(token).contains(signs)
}

/// At how many places names stand; words may be the name of several.
fn places<'n>(names: impl Iterator<Item = &'n NameClue>) -> u32 {
    let places = names.fold(0u64, |places, name| places | 1 << (name.at % 64));
    places.count_ones()
}

/// Things are told from subjects by this bit, and from each other by some of those of their core.
const LISTED_THING: u16 = 0x8000;

/// More meanings of names than any list has: each is compared with all others, and those with all.
const MOST_LISTED: usize = 64;

/// The fewest other whole names of trainers and things that are a list, whatever stands between them.
const LIST: u32 = 2;

/// The cores of trainers and things whose whole names stand in a list of names: `Lacey, Gladion,
/// Acerola`, `ハイパーボール SR 夜のタンカ SR`. Elsewhere their words are often ones of any title.
fn listed_things(findings: &Findings<'_, '_>, core: Option<u32>) -> impl Iterator<Item = u32> {
    let context = &findings.readings.context;
    let chosen = findings.readings.chosen;
    let names = move || {
        let chosen = findings.query.names.iter().filter(|n| n.chosen);
        chosen.take(MOST_LISTED)
    };
    let parts = move |from: u32, to: u32| {
        if from == to {
            return is_behind_comma(context, from);
        }
        let between = context.line.text(from as usize, to as usize);
        let joins = |text: &str| text == "/" || JOINING.contains(&text);
        // `ナンジャモ SAR + ミモザ SAR`
        let rarity = |p: &Proposal| {
            p.field == Field::Rarity && p.at == from && p.end <= to && {
                p.end == to || joins(context.line.text(p.end as usize, to as usize))
            }
        };
        joins(between) || chosen.iter().any(rarity)
    };
    let of_subject = move |n: &NameClue| {
        names().any(|other| other.subject && n.at < other.end && other.at < n.end)
    };
    let printed = |n: &NameClue| n.quality == NameQuality::Printed;
    // `Luffy + Nami`
    let called = move |n: &NameClue| printed(n) || n.quality == NameQuality::Nickname;
    // `Iono SIR PAL`: the code of a set
    let is_set = move |n: &NameClue| {
        chosen
            .of(Field::Set)
            .any(|p| (p.at, p.end) == (n.at, n.end))
    };
    // `神の怒り/Wrath of God`, where another game has a card of the one name
    let of_best = move |n: &NameClue| {
        let same = |other: &NameClue| (other.at, other.end) == (n.at, n.end);
        Some(n.core) != core && names().any(|other| same(other) && Some(other.core) == core)
    };
    let whole = move |n: &&NameClue| {
        n.name.is_some() && called(n) && !of_subject(n) && !is_set(n) && !of_best(n)
    };
    names().filter(whole).filter_map(move |thing| {
        let mut others = names().filter(|other| other.core != thing.core);
        // `リーリエ マリィ アセロラ`
        let apart = |other: &&NameClue| thing.end <= other.at || other.end <= thing.at;
        let things = others.clone().filter(whole).filter(apart);
        let things = things.filter(|other| printed(other));
        let many = places(things) >= LIST;
        let beside = |other: &NameClue| {
            (thing.end <= other.at && parts(thing.end, other.at))
                || (other.end <= thing.at && parts(other.end, thing.at))
        };
        (many && printed(thing) || others.any(beside)).then_some(thing.core)
    })
}

/// Whether two numbers with totals are of cards of two names that the title has: `Ultra Ball 196/198 and
/// Nest Ball 181/198`.
pub(super) fn fractions_of_names(findings: &Findings<'_, '_>) -> bool {
    let catalogue = findings.readings.reference.catalogue;
    let fractions = || {
        let numbers = findings.readings.numbers.iter();
        numbers.filter(|number| number.kind == NumberKind::Fraction && number.total_known)
    };
    if fractions().nth(1).is_none() {
        return false;
    }
    let core = |reading: &NumberReading| {
        let number = catalogue.number(reading.number)?;
        let total = catalogue.number(reading.total)?;
        let mut names = findings.query.names.iter().filter(|name| name.chosen);
        let printed = |name: &&NameClue| catalogue.core_prints(name.core, number, Some(total));
        names.find(printed).map(|name| (name.core, name.at))
    };
    let mut cores = fractions().filter_map(core);
    let first = cores.next();
    first.is_some_and(|(first, from)| cores.any(|(core, at)| core != first && at != from))
}

/// Whether the numbers with the code of a set are of cards of several names, which the title has.
pub(super) fn codes_of_names(findings: &Findings<'_, '_>) -> bool {
    let catalogue = findings.readings.reference.catalogue;
    let named = |card: u32| {
        let core = catalogue.core_of_card(card)?;
        let mut names = findings.query.names.iter();
        names.any(|name| name.core == core).then_some(core)
    };
    let coded = findings
        .readings
        .numbers
        .iter()
        .filter(|number| number.coded);
    let numbers = coded.filter_map(|coded| catalogue.number(coded.number));
    let mut cores = numbers
        .flat_map(|number| catalogue.cards_of_number(number))
        .filter_map(|card| named(card.get()));
    let first = cores.next();
    first.is_some_and(|first| cores.any(|core| core != first))
}
