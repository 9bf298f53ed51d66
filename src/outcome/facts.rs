//! [`Facts`]: the facts of a title that decide the kind of listing.

use crate::attributes::number::{NumberKind, NumberReading};
use crate::catalogue::format::card_flag;
use crate::dictionary::Dictionary;
use crate::findings::Findings;
use crate::parsed::Field;
use crate::reading::{Proposal, Value};
use crate::reference::Reference;
use crate::score::features::Feature;
use crate::stats::CatalogueStats;

/// The facts that decide the kind of listing.
pub(super) struct Facts<'a> {
    pub(super) dictionary: &'a Dictionary,
    pub(super) stats: &'a CatalogueStats,
    pub(super) proposals: &'a [Proposal],
    /// Those that were chosen.
    pub(super) chosen: &'a [Proposal],
    pub(super) numbers: &'a [NumberReading],
    /// Different species named and not explained by the best candidate.
    pub(super) species: usize,
    /// All different species named.
    pub(super) all_species: usize,
    /// A set of the catalogue is named.
    pub(super) set: bool,
    pub(super) graded: bool,
    pub(super) condition: bool,
    /// A rarity is stated.
    pub(super) rarity: bool,
    /// Probability of the best candidate.
    pub(super) top: f64,
    /// Probability that it is a card of one of the names that are read: many prints share one.
    pub(super) of_names: f64,
    /// The best candidate agrees in name and number.
    pub(super) solid: bool,
    /// Slabs with a grade.
    pub(super) grades: usize,
    /// A species, or a card by nickname, is named.
    pub(super) named: bool,
    /// The title has no Japanese, Chinese or Korean letter.
    pub(super) latin: bool,
    /// A name of a card is read in Japanese, Chinese or Korean: few other things are called so.
    pub(super) own_script: bool,
    /// Words are read as the name of some card.
    pub(super) any_name: bool,
    /// A number is stated, with or without a total.
    pub(super) numbered: bool,
    /// A number with a total that the catalogue has.
    pub(super) fraction: bool,
    /// The best candidate exists as jumbo.
    pub(super) jumbo: bool,
    /// Words that name nothing, as a share of the title.
    pub(super) unread: f32,
}

/// Above this probability a card of several species explains them.
const EXPLAINS: f64 = 0.3;
/// Above this probability the best candidate is solid if it agrees in name and number.
const SOLID: f64 = 0.5;
/// Above this probability the catalogue confirms a trainer or a thing as a card's name.
const THING_NAMES: f64 = 0.4;
/// Names of more characters than this in Japanese, Chinese or Korean are hardly called so by
/// chance.
const SHORT_NAME: usize = 2;
/// More different species than any title names.
const MAX_SPECIES: usize = 32;

/// Different species, by Pokédex number, as many as any title names.
#[derive(Default)]
struct Species {
    seen: [u16; MAX_SPECIES],
    count: usize,
}

impl Species {
    /// Adds one; 0 is ignored.
    fn add(&mut self, dex: u16) {
        if dex != 0
            && !self.seen[..self.count].contains(&dex)
            && let Some(place) = self.seen.get_mut(self.count)
        {
            *place = dex;
            self.count += 1;
        }
    }
}

/// The summed probability of the candidates that bear a name which is read.
fn probability_of_names(findings: &Findings<'_, '_>) -> f64 {
    let catalogue = findings.readings.reference.catalogue;
    let read = |core: u32| {
        let mut names = findings.query.names.iter();
        names.any(|name| name.chosen && name.core == core)
    };
    let named = findings.ranked.iter().filter(|ranked| {
        let record = catalogue.card_record(ranked.card);
        let name = record.and_then(|record| catalogue.name_record(record));
        name.is_some_and(|name| read(name.core.get()))
    });
    named.map(|ranked| ranked.probability).sum()
}

/// Words that name nothing, as a share of the title's key.
fn unread_share(findings: &Findings<'_, '_>) -> f32 {
    let letters = findings.readings.context.line.key().len().max(1) as f32;
    let unread = findings.readings.unread.iter();
    unread
        .map(|span| (span.end - span.start) as f32)
        .sum::<f32>()
        / letters
}

impl<'f> Facts<'f> {
    /// Collects the facts from the findings.
    pub(super) fn of<'t: 'f>(findings: &Findings<'f, 't>) -> Facts<'f> {
        let Reference {
            catalogue,
            dictionary,
            stats,
        } = findings.readings.reference;
        let top = findings.ranked.first();
        let record = top.and_then(|t| catalogue.card_record(t.card));
        // a card of several species explains them only if it is likely itself
        let dex = record
            .filter(|_| top.is_some_and(|t| t.probability > EXPLAINS))
            .and_then(|r| catalogue.name_record(r))
            .and_then(|n| catalogue.cores.get(n.core.get() as usize))
            .map_or([0; 3], |c| c.dex.map(|d| d.get()));
        let core = record
            .and_then(|r| catalogue.name_record(r))
            .map(|n| n.core.get());
        let (mut others, mut all) = (Species::default(), Species::default());
        let mut name_species = |named: u32| {
            let one = catalogue
                .cores
                .get(named as usize)
                .map_or(0, |c| c.dex[0].get());
            all.add(one);
            if Some(named) != core && !dex.contains(&one) {
                others.add(one);
            }
        };
        for clue in findings
            .query
            .names
            .iter()
            .filter(|n| n.chosen && n.species)
        {
            // the catalogue may have overruled the reading since the clue was made
            if findings
                .readings
                .chosen
                .iter()
                .any(|p| p.field == Field::Name && p.at == clue.at && p.end == clue.end)
            {
                name_species(clue.core);
            }
        }
        for record in findings
            .query
            .cards
            .iter()
            .filter_map(|&c| catalogue.card_record(c))
        {
            if let Some(name) = catalogue.name_record(record) {
                name_species(name.core.get());
            }
        }
        let of_names = probability_of_names(findings);
        let solid = top.is_some_and(|t| {
            t.probability > SOLID && {
                let evidence = findings.evidence.of(0);
                let name = evidence.iter().any(|(feature, _)| feature.names());
                let set = evidence
                    .iter()
                    .any(|(f, _)| matches!(f, Feature::SetAgrees | Feature::CodeAgrees));
                let number = set && evidence.iter().any(|(f, _)| *f == Feature::BareAgrees)
                    || evidence.iter().any(|(f, _)| {
                        matches!(
                            f,
                            Feature::NumberTotalAgree
                                | Feature::NumberAgrees
                                | Feature::DexAgrees
                                | Feature::NicknameCard
                        )
                    });
                // a number and a word that is also a name somewhere need another sign of this game
                let own = findings.readings.chosen.iter().any(|p| match p.value {
                    Value::Word(tag) => stats.is_held_game(tag),
                    // numbers with letters are read only if the catalogue has them
                    Value::Number(n) => {
                        findings.readings.numbers[n as usize].total_known
                            || findings.readings.numbers[n as usize].kind == NumberKind::Prefixed
                    }
                    _ => p.field == Field::Set,
                });
                name && number && own
            }
        });
        let fields = findings
            .readings
            .chosen
            .iter()
            .fold(0u64, |fields, p| fields | 1 << p.field as u64);
        let chosen = |field: Field| fields >> field as u64 & 1 == 1;
        Facts {
            dictionary,
            stats,
            proposals: findings.readings.proposals,
            chosen: findings.readings.chosen,
            numbers: findings.readings.numbers,
            species: others.count,
            all_species: all.count,
            set: chosen(Field::Set),
            graded: chosen(Field::Grade),
            condition: chosen(Field::Condition),
            rarity: chosen(Field::Rarity),
            top: top.map_or(0.0, |t| t.probability),
            solid,
            grades: findings.readings.grades.iter().filter(|g| g.value.is_some()).count(),
            // a trainer or a thing names a card only if the catalogue agrees
            named: findings.query.names.iter().any(|n| n.chosen && n.species)
                || of_names > THING_NAMES
                || !findings.query.cards.is_empty(),
            of_names,
            latin: !findings.readings.context.japanese && !findings.readings.context.hangul,
            own_script: findings.readings.chosen.iter().any(|p| {
                let text = || findings.readings.context.line.text(p.at as usize, p.end as usize);
                p.field == Field::Name && !text().is_ascii() && text().chars().count() > SHORT_NAME
            }),
            any_name: chosen(Field::Name),
            numbered: findings.readings.chosen
                .iter()
                .any(|p| matches!(p.value, Value::Number(n) if findings.readings.numbers[n as usize].kind != NumberKind::Bare)),
            fraction: findings.readings.chosen.iter().any(|p| matches!(p.value, Value::Number(n) if findings.readings.numbers[n as usize].total_known)),
            jumbo: record.is_some_and(|r| {
                let product = catalogue.product(r);
                r.flags.get() & card_flag::JUMBO != 0 || product.to_lowercase().contains("jumbo") || product.contains("ジャンボ")
            }),
            unread: unread_share(findings),
        }
    }
}
