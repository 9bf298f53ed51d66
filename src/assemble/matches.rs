//! A candidate → [`Match`]: the card, its printings by how well they fit, the evidence.

use crate::answer::{Evidence, LogOdds, MarketIds, Match, NameSource, PrintingMatch, Probability};
use crate::attributes::label::{Label, UNLIMITED, is_edition};
use crate::attributes::printing::{qualifier_key, qualifies, words};
use crate::attributes::{art, rarity};
use crate::catalogue::format::{CardRecord, MarketRecord, card_flag};
use crate::dictionary::{Dictionary, PrintingWord, RarityWord};
use crate::findings::Findings;
use crate::math::exp;
use crate::options::Options;
use crate::parsed::{Field, Finish, Parsed};
use crate::sort::sort_few;
use crate::token::key_of;
use std::borrow::Cow;

/// What a title states of printings, which those of all its cards are compared with.
pub(super) struct Stated<'f> {
    finish: Option<Finish>,
    edition: Option<Cow<'f, str>>,
    /// Words for a stamp, a pattern, a size, a treatment or an error.
    qualifiers: Vec<&'f PrintingWord>,
    /// All words for alternate art, if the title states a treatment.
    alternates: Vec<&'f PrintingWord>,
    /// Words for a rarity, which tells the printings of a card that has several apart.
    rarities: Vec<&'f RarityWord>,
    /// The game in whose sense they are meant, by its place among the folders of the dictionary; if
    /// none is known in that of any.
    game: Option<usize>,
    /// The id of the set, without its game: printings say in which they were sold.
    set: Option<&'f str>,
    /// The key of its name, if what promos came with is a set of its own: `Gift Collection 2023`.
    product: Option<String>,
    /// How well each printing of a card fits, and its place in the catalogue's list.
    scored: Vec<(f64, usize)>,
}

impl<'f> Stated<'f> {
    /// Collects it from the readings and what is written of them.
    pub(super) fn by<'t: 'f>(findings: &Findings<'f, 't>, parsed: &Parsed<'t>) -> Stated<'f> {
        let stated = parsed.printing.as_ref();
        let no_rarity = stated.is_some_and(|p| p.treatment.iter().any(|t| t == "no rarity"));
        let edition = if no_rarity {
            Some("no rarity".into())
        } else {
            let edition = stated.and_then(|p| p.edition.clone());
            edition.filter(|edition| is_edition(edition))
        };
        let dictionary = findings.readings.reference.dictionary;
        let mut alternates = Vec::new();
        if stated.is_some_and(|p| !p.treatment.is_empty()) {
            alternates.extend(
                dictionary
                    .printings
                    .iter()
                    .filter(|word| art::is_alternate(word)),
            );
        }
        Stated {
            alternates,
            finish: stated.and_then(|p| p.finish).map(Finish::as_holo),
            edition,
            qualifiers: words(&findings.readings)
                .filter(|word| qualifies(word))
                .collect(),
            rarities: rarity::words(&findings.readings).collect(),
            game: parsed
                .game
                .as_deref()
                .and_then(|game| dictionary.folder(game)),
            set: parsed.set.as_ref().and_then(|set| match set.id {
                Cow::Borrowed(id) => Some(id.split_once(':').map_or(id, |(_, id)| id)),
                // it is the catalogue's
                Cow::Owned(_) => None,
            }),
            product: (parsed.set.as_ref())
                .filter(|set| set.id.contains('-'))
                .map(|set| key_of(&set.name)),
            scored: Vec::new(),
        }
    }
}

/// The match at `place` of the ranking.
pub(super) fn card<'t>(
    findings: &Findings<'_, 't>,
    stated: &mut Stated<'_>,
    place: usize,
    record: &CardRecord,
    sold: &[MarketRecord],
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
    let (best, place_of_best, rest) = printings(findings, stated, record, options);
    let pieces = if options.brief {
        &[]
    } else {
        findings.evidence.of(place)
    };
    let mut evidence: Vec<Evidence> = pieces
        .iter()
        .map(|&(feature, value)| Evidence {
            field: feature.field(),
            weight: LogOdds::unrounded(findings.weights.of(feature) * value),
            note: feature.note().into(),
        })
        .collect();
    Evidence::sort(&mut evidence);
    for piece in &mut evidence {
        piece.weight = LogOdds::new(piece.weight.get());
    }
    Match {
        card_id: catalogue.string(record.id).into(),
        name: name.into(),
        name_source: match record.flags.get() {
            flags if flags & card_flag::DERIVED != 0 => Some(NameSource::Derived),
            flags if flags & card_flag::UNSURE != 0 => Some(NameSource::Unsure),
            _ => None,
        },
        printed_name: (!printed.is_empty() && printed != name).then_some(printed.into()),
        set_name: set.map_or("", |s| catalogue.string(s.name)).into(),
        set_id: set.map_or("", |s| catalogue.string(s.id)).into(),
        card_number: if total.is_empty() {
            digits.to_owned()
        } else {
            [digits, "/", total].concat()
        },
        rarity: Some(catalogue.rarity(record.rarity).into())
            .filter(|r: &Cow<'_, str>| !r.is_empty()),
        language: catalogue.language(record.language).into(),
        confidence,
        marketplace_id: best.marketplace_id,
        printing: Some(best.printing).filter(|p| !p.is_empty()),
        ids: findings
            .ranked
            .get(place)
            .map_or_else(MarketIds::default, |r| {
                MarketRecord::ids_of(sold, r.card, place_of_best)
            }),
        printings: rest,
        evidence,
        game: set.map_or("", |set| catalogue.game(set)).into(),
    }
}

// How well a printing fits what is stated, in log-odds.
/// The finish agrees, or differs. If none is stated, a reverse holo is less likely.
const SAME_FINISH: f64 = 2.5;
const OTHER_FINISH: f64 = -2.5;
const REVERSE_UNSTATED: f64 = -1.0;
/// The edition agrees, or differs. If none is stated, an edition other than unlimited is less
/// likely.
const SAME_EDITION: f64 = 3.0;
const OTHER_EDITION: f64 = -3.0;
const EDITION_UNSTATED: f64 = -2.0;
/// A stamp, pattern, size or error of the printing is stated, or not; or one is stated that the
/// printing lacks.
const SAME_QUALIFIER: f64 = 2.5;
const QUALIFIER_UNSTATED: f64 = -2.0;
const QUALIFIER_LACKING: f64 = -2.5;
/// Its label calls it what the title does: a semi-finalist's stamp is no finalist's.
const CALLED_SO: f64 = 0.5;

/// A printing is an error, of which nothing is said, and fits as well as others.
const ERROR_UNSTATED: f64 = -1.5;

impl Stated<'_> {
    /// How well a printing with this label fits; `by_logo`: the set's logo is all that tells a
    /// reverse holo of the card.
    fn fits(&self, label: &Label<'_>, by_logo: bool) -> f64 {
        if by_logo && label.has_set_logo() {
            return SAME_FINISH;
        }
        let kind = label.finish();
        let mut score = match self.finish {
            Some(finish) if finish == kind => SAME_FINISH,
            Some(_) => OTHER_FINISH,
            None if kind == Finish::ReverseHolo => REVERSE_UNSTATED,
            None => 0.0,
        };
        let which = label.editions().next().unwrap_or(UNLIMITED);
        // `Normal [shadowless red cheek]`
        let inside = |edition: &str| {
            which == UNLIMITED && label.qualifiers().any(|part| part.starts_with(edition))
        };
        score += match self.edition.as_deref() {
            Some(edition) if edition == which || inside(edition) => SAME_EDITION,
            Some(_) => OTHER_EDITION,
            None if which == UNLIMITED => 0.0,
            None => EDITION_UNSTATED,
        };
        let worth = |said: bool| {
            if said {
                SAME_QUALIFIER
            } else {
                QUALIFIER_UNSTATED
            }
        };
        let of_set = |set: &str, part: &str| part.split('-').any(|id| id == set);
        let named = |part: &str| {
            let mut rarities = self.rarities.iter();
            rarities.any(|word| word.names(part, self.game))
                || self.set.is_some_and(|set| of_set(set, part))
                || (self.product.as_ref()).is_some_and(|product| *product == key_of(part))
        };
        // keys are compared with what is stated, which is mostly nothing
        if self.qualifiers.is_empty() {
            let parts = label.qualifiers();
            return score + parts.map(|part| worth(named(part))).sum::<f64>();
        }
        let parts = label
            .qualifiers()
            .map(|part| (named(part), qualifier_key(part)));
        let parts: Vec<(bool, String)> = parts.collect();
        let labels = |word: &PrintingWord| parts.iter().any(|(_, key)| word.labels(key));
        // `SP alternate art`, `manga parallel`: that the art is another one says no more
        let narrow = (self.qualifiers.iter())
            .any(|word| word.field == Field::Treatment && !art::is_alternate(word) && labels(word));
        let mut alternate = false;
        for (named, key) in &parts {
            let stated = || self.qualifiers.iter().filter(|word| word.labels(key));
            let own = |word: &&PrintingWord| word.labels(key) && !art::is_alternate(word);
            let is_alternate = self.alternates.iter().any(|word| word.labels(key))
                && !self.qualifiers.iter().any(own);
            // what one word says counts once: `[Parallel, Alternate Art]`
            if is_alternate && (narrow || std::mem::replace(&mut alternate, true)) {
                continue;
            }
            score += worth(*named || stated().next().is_some());
            let called = stated().any(|word| word.is_called(key));
            score += f64::from(u8::from(called)) * CALLED_SO;
        }
        let lacking = |word: &&&PrintingWord| !(labels(word) || narrow && art::is_alternate(word));
        score + self.qualifiers.iter().filter(lacking).count() as f64 * QUALIFIER_LACKING
    }
}

/// Whether a printing with this label is an error.
fn is_error(dictionary: &Dictionary, label: &Label<'_>) -> bool {
    let errors = || (dictionary.printings.iter()).filter(|word| word.field == Field::Error);
    let mut keys = label.qualifiers().map(qualifier_key);
    keys.any(|key| errors().any(|word| word.labels(&key)))
}

/// The printings of a card by how well they fit what the title states: the best with its place in
/// the catalogue's list, and the others, all with their probabilities. A brief answer has the best
/// alone.
fn printings<'t>(
    findings: &Findings<'_, 't>,
    stated: &mut Stated<'_>,
    record: &CardRecord,
    options: &Options,
) -> (PrintingMatch<'t>, usize, Vec<PrintingMatch<'t>>) {
    let catalogue = findings.readings.reference.catalogue;
    let printings = catalogue.printings(record);
    let label = |place: usize| Label::of(catalogue.string(printings[place].label));
    let reverse = |place| label(place).finish() == Finish::ReverseHolo;
    let by_logo = stated.finish == Some(Finish::ReverseHolo) && !(0..printings.len()).any(reverse);
    let mut scored = std::mem::take(&mut stated.scored);
    scored.clear();
    scored.extend((0..printings.len()).map(|place| (stated.fits(&label(place), by_logo), place)));
    let alone = scored.len() == 1;
    // the first of those that fit best is shown
    let most = scored.iter().map(|fit| fit.0).fold(f64::MIN, f64::max);
    let mut best = scored.iter_mut().filter(|fit| fit.0 == most).peekable();
    let stated_error = (stated.qualifiers.iter()).any(|word| word.field == Field::Error);
    while let Some(fit) = best.next()
        && best.peek().is_some()
        && !stated_error
        && is_error(findings.readings.reference.dictionary, &label(fit.1))
    {
        fit.0 += ERROR_UNSTATED;
    }
    let mut total = 0.0;
    if options.confidence && !alone {
        for (score, _) in &mut scored {
            *score = exp(*score);
            total += *score;
        }
    }
    // stable: equal ones stay in the order of the catalogue
    sort_few(&mut scored, |a, b| a.0.total_cmp(&b.0).is_gt());
    let made = |(share, place): (f64, usize)| {
        let printing = &printings[place];
        PrintingMatch {
            marketplace_id: catalogue.marketplace_id(record, printing),
            printing: catalogue.string(printing.label).into(),
            confidence: match options.confidence {
                true if alone => Probability::new(1.0),
                true => Probability::new(share / total),
                false => Probability::default(),
            },
        }
    };
    let best = scored.first().copied();
    let rest = if options.brief {
        &[]
    } else {
        scored.get(1..).unwrap_or(&[])
    };
    let rest = rest.iter().copied().map(made).collect();
    stated.scored = scored;
    let Some(best) = best else {
        let id = catalogue.string(record.id).to_owned();
        return (
            PrintingMatch {
                marketplace_id: id,
                printing: "".into(),
                confidence: Probability::new(1.0),
            },
            0,
            rest,
        );
    };
    (made(best), best.1, rest)
}
