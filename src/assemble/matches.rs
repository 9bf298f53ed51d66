//! A candidate → [`Match`]: the card, its printings by how well they fit, the evidence.

use crate::answer::{Evidence, Match, PrintingMatch, Probability};
use crate::catalogue::format::{CardRecord, card_flag};
use crate::findings::Findings;
use crate::math::exp;
use crate::options::Options;
use crate::parsed::Parsed;

/// The match at `place` of the ranking.
pub(super) fn card<'t>(
    findings: &Findings<'_, 't, '_>,
    parsed: &Parsed<'t>,
    place: usize,
    record: &CardRecord,
    confidence: Probability,
    options: &Options,
) -> Match<'t> {
    let catalogue = findings.readings.reference.catalogue;
    let name = catalogue.string(record.text);
    let printed = catalogue
        .locals(record)
        .first()
        .map_or("", |l| catalogue.string(l.name));
    let set = catalogue.set_record(record);
    let (digits, total) = (catalogue.number_text(record), catalogue.total_text(record));
    let (best, rest) = printings(findings, parsed, record, options);
    let mut evidence: Vec<Evidence> = findings
        .evidence
        .of(place)
        .iter()
        .map(|&(feature, value)| Evidence {
            field: feature.field(),
            weight: findings.weights.of(feature) * value,
            note: feature.note(),
        })
        .collect();
    evidence.sort_by(|a, b| b.weight.abs().total_cmp(&a.weight.abs()));
    Match {
        card_id: catalogue.string(record.id),
        name,
        name_source: match record.flags.get() {
            flags if flags & card_flag::DERIVED != 0 => Some("derived"),
            flags if flags & card_flag::UNSURE != 0 => Some("unsure"),
            _ => None,
        },
        printed_name: (!printed.is_empty() && printed != name).then_some(printed),
        set_name: set.map_or("", |s| catalogue.string(s.name)),
        set_id: set.map_or("", |s| catalogue.string(s.id)),
        card_number: if total.is_empty() {
            digits.to_owned()
        } else {
            [digits, "/", total].concat()
        },
        rarity: Some(catalogue.rarity(record.rarity)).filter(|r| !r.is_empty()),
        language: catalogue.language(record.language),
        confidence,
        marketplace_id: best.marketplace_id,
        printing: Some(best.printing).filter(|p| !p.is_empty()),
        printings: rest,
        evidence,
    }
}

// How well a printing fits what is stated, in log-odds.
/// The finish agrees, or differs; a reverse holo is meant less often where none is stated.
const SAME_FINISH: f64 = 2.5;
const OTHER_FINISH: f64 = -2.5;
const REVERSE_UNSTATED: f64 = -1.0;
/// The edition agrees, or differs; one beside the unlimited one is meant less often where none is stated.
const SAME_EDITION: f64 = 3.0;
const OTHER_EDITION: f64 = -3.0;
const EDITION_UNSTATED: f64 = -2.0;
/// A stamp, pattern or error of the printing is stated, or not.
const SAME_QUALIFIER: f64 = 2.5;
const QUALIFIER_UNSTATED: f64 = -2.0;

/// The printings of a card by how well they fit what the title states: the best, and the others with their probabilities.
fn printings<'t>(
    findings: &Findings<'_, 't, '_>,
    parsed: &Parsed<'t>,
    record: &CardRecord,
    options: &Options,
) -> (PrintingMatch<'t>, Vec<PrintingMatch<'t>>) {
    let catalogue = findings.readings.reference.catalogue;
    let stated = parsed.printing.as_ref();
    let finish = stated.and_then(|p| p.finish);
    let no_rarity = stated.is_some_and(|p| p.treatment.contains(&"no rarity"));
    let edition = if no_rarity {
        Some("no rarity")
    } else {
        stated.and_then(|p| p.edition)
    };
    let stamps = || {
        stated.into_iter().flat_map(|p| {
            p.stamps
                .iter()
                .chain(&p.errors)
                .chain(&p.pattern)
                .chain(&p.size)
                .copied()
        })
    };
    let mut scored: Vec<(f64, PrintingMatch<'t>)> = catalogue
        .printings(record)
        .iter()
        .map(|printing| {
            let label = catalogue.string(printing.label);
            let (head, tail) = label.split_once(" [").unwrap_or((label, ""));
            let kind = if head.starts_with("Reverse") {
                "reverse holo"
            } else if head.ends_with("Holofoil") {
                "holo"
            } else {
                "non-holo"
            };
            let mut score = match finish {
                Some(finish) if finish == kind => SAME_FINISH,
                Some(_) => OTHER_FINISH,
                None if kind == "reverse holo" => REVERSE_UNSTATED,
                None => 0.0,
            };
            let which = if head.contains("1st Edition") {
                "1st edition"
            } else if head.contains("Shadowless") {
                "shadowless"
            } else if tail.contains("no rarity") {
                "no rarity"
            } else if tail.contains("1999 2000 copyright") {
                "4th print"
            } else {
                "unlimited"
            };
            score += match edition {
                Some(edition) if edition == which => SAME_EDITION,
                Some(_) => OTHER_EDITION,
                None if which == "unlimited" => 0.0,
                None => EDITION_UNSTATED,
            };
            for qualifier in tail
                .trim_end_matches(']')
                .split(", ")
                .filter(|q| !q.is_empty() && *q != "no rarity" && *q != "1999 2000 copyright")
            {
                let squeezed = crate::token::key_of(
                    qualifier
                        .trim_end_matches(" stamp")
                        .trim_end_matches(" foil"),
                );
                let said = stamps().any(|s| {
                    let s = crate::token::key_of(s);
                    squeezed.contains(&s)
                        || s.contains(&squeezed)
                        || s == "prerelease" && squeezed == "setlogo"
                });
                score += if said {
                    SAME_QUALIFIER
                } else {
                    QUALIFIER_UNSTATED
                };
            }
            let id = catalogue.marketplace_id(record, printing);
            (
                score,
                PrintingMatch {
                    marketplace_id: id,
                    printing: label,
                    confidence: Probability::default(),
                },
            )
        })
        .collect();
    if scored.is_empty() {
        let id = catalogue.string(record.id).to_owned();
        return (
            PrintingMatch {
                marketplace_id: id,
                printing: "",
                confidence: Probability::new(1.0),
            },
            Vec::new(),
        );
    }
    let total: f64 = scored.iter().map(|(score, _)| exp(*score)).sum();
    for (score, printing) in &mut scored {
        if options.confidence {
            printing.confidence = Probability::new(exp(*score) / total);
        }
    }
    // stable: equal ones stay in the order of the catalogue
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut all = scored.into_iter().map(|(_, p)| p);
    match all.next() {
        Some(best) => (best, all.collect()),
        None => (
            PrintingMatch {
                marketplace_id: String::new(),
                printing: "",
                confidence: Probability::default(),
            },
            Vec::new(),
        ),
    }
}
