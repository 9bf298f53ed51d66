//! A candidate → [`Match`]: the card, its printings by how well they fit, the evidence.

use crate::answer::{Evidence, LogOdds, MarketIds, Match, NameSource, PrintingMatch, Probability};
use crate::attributes::edition::NO_RARITY;
use crate::attributes::label::{Label, UNLIMITED, is_edition};
use crate::attributes::printing::{qualifier_key, qualifies, words};
use crate::attributes::{art, rarity};
use crate::catalogue::format::{CardRecord, MarketRecord, SetRecord, card_flag, set_flag};
use crate::dictionary::{Dictionary, PrintingWord, RarityWord};
use crate::findings::Findings;
use crate::math::exp;
use crate::options::Options;
use crate::parsed::{Field, Finish, Parsed};
use crate::sort::sort_few;
use crate::stats::PROMO;
use crate::token::{Line, key_of};
use crate::word_lists::{REVERSE_WITH_LOGO, STAMPS_OF_SET, has};
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
    /// The key of its name, if what promos came with is a set of its own (`Gift Collection 2023`), as in
    /// games whose reprints keep their number.
    product: Option<String>,
    /// The words of the title, with which those of a product are compared.
    line: &'f Line,
    /// It calls the card a promo.
    promo: bool,
    /// How well each printing of a card fits, and its place in the catalogue's list.
    scored: Vec<(f64, usize)>,
}

impl<'f> Stated<'f> {
    /// Collects it from the readings and what is written of them.
    pub(super) fn by<'t: 'f>(findings: &Findings<'f, 't>, parsed: &Parsed<'t>) -> Stated<'f> {
        let stated = parsed.printing.as_ref();
        let no_rarity = stated.is_some_and(|p| p.treatment.iter().any(|t| t == NO_RARITY));
        let edition = if no_rarity {
            Some(NO_RARITY.into())
        } else {
            let edition = stated.and_then(|p| p.edition.clone());
            edition.filter(|edition| is_edition(edition))
        };
        let dictionary = findings.readings.reference.dictionary;
        let promo = findings.query.promo;
        let mut alternates = Vec::new();
        if promo || stated.is_some_and(|p| !p.treatment.is_empty()) {
            alternates.extend(
                dictionary
                    .printings
                    .iter()
                    .filter(|word| art::is_alternate(word)),
            );
        }
        let game = (parsed.game.as_deref()).and_then(|game| dictionary.folder(game));
        let again = game.is_some_and(|game| dictionary.folders[game].reprints_keep_number);
        Stated {
            alternates,
            line: findings.readings.context.line,
            promo,
            finish: stated.and_then(|p| p.finish).map(Finish::as_holo),
            edition,
            qualifiers: words(&findings.readings)
                .filter(|word| qualifies(word))
                .collect(),
            rarities: rarity::words(&findings.readings).collect(),
            game,
            set: parsed.set.as_ref().and_then(|set| match set.id {
                Cow::Borrowed(id) => Some(id.split_once(':').map_or(id, |(_, id)| id)),
                // it is the catalogue's
                Cow::Owned(_) => None,
            }),
            product: (parsed.set.as_ref())
                .filter(|set| again && set.id.contains('-'))
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
/// The set in which it was sold, of a printing whose own mark is stated, is not.
const SET_UNSTATED: f64 = -1.0;
/// Of what the title calls a promo: the product with which the printing came is not stated, or none
/// is known.
const PRODUCT_OF_PROMO: f64 = -0.5;
const NO_PROMO: f64 = -1.0;
/// That it is a reprint says no more than the set in which it was sold.
const REPRINT_UNSTATED: f64 = -0.5;
/// Its label calls it what the title does: a semi-finalist's stamp is no finalist's.
const CALLED_SO: f64 = 0.5;

/// A printing is an error, of which nothing is said, and fits as well as others.
const ERROR_UNSTATED: f64 = -1.5;

impl Stated<'_> {
    /// The finish that the title means of a card whose printings have these labels: `Pichu 59/106 Emerald
    /// stamped` means the reverse holo, whose stamp its label does not say, if it `bears_logo`.
    fn finish_meant<'l>(
        &self,
        bears_logo: impl FnOnce() -> bool,
        mut labels: impl Iterator<Item = Label<'l>>,
    ) -> Option<Finish> {
        let mut words = self.qualifiers.iter();
        let stamp = words.find(|word| STAMPS_OF_SET.contains(&word.value.as_str()));
        let means_reverse = stamp.is_some_and(|stamp| {
            let says = |part: &str| stamp.labels(&qualifier_key(part));
            bears_logo() && !labels.any(|label| label.qualifiers().any(says))
        });
        if means_reverse {
            Some(Finish::ReverseHolo)
        } else {
            self.finish
        }
    }

    /// How well a printing with this label fits a title that means this finish; `by_logo`: the set's
    /// logo is all that tells a reverse holo of the card; `sold`: how the card was.
    fn fits(&self, label: &Label<'_>, finish: Option<Finish>, by_logo: bool, sold: Sold) -> f64 {
        if by_logo && label.has_set_logo() {
            return SAME_FINISH;
        }
        let kind = label.finish();
        let mut score = match finish {
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
        let promo = sold == Sold::WithoutPromo;
        if promo && label.qualifiers().next().is_none() {
            score += NO_PROMO;
        }
        // a product is told from a treatment by the number of its words
        let is_product = |part: &str| {
            let words = || part.bytes().filter(|&byte| byte == b' ').count() + 1;
            sold != Sold::Once && words() >= WORDS_OF_PRODUCT
        };
        let worth = |said: bool, part: &str| {
            if said {
                return SAME_QUALIFIER;
            }
            let product = is_product(part);
            let share = if product {
                share_stated(self.line, part)
            } else {
                0.0
            };
            let art = || {
                let key = qualifier_key(part);
                self.alternates.iter().any(|word| word.labels(&key))
            };
            if share > 0.0 {
                SAME_QUALIFIER * share
            } else if part == REPRINT {
                REPRINT_UNSTATED
            } else if promo && product && !art() {
                PRODUCT_OF_PROMO
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
            return score + parts.map(|part| worth(named(part), part)).sum::<f64>();
        }
        let parts = label
            .qualifiers()
            .map(|part| (named(part), qualifier_key(part), part));
        let parts: Vec<(bool, String, &str)> = parts.collect();
        let labels = |word: &PrintingWord| parts.iter().any(|(_, key, _)| word.labels(key));
        // `SP alternate art`, `manga parallel`: that the art is another one says no more
        let narrow = (self.qualifiers.iter())
            .any(|word| word.field == Field::Treatment && !art::is_alternate(word) && labels(word));
        let mut alternate = false;
        for (named, key, part) in &parts {
            let stated = || self.qualifiers.iter().filter(|word| word.labels(key));
            let own = |word: &&PrintingWord| word.labels(key) && !art::is_alternate(word);
            let is_alternate = self.alternates.iter().any(|word| word.labels(key))
                && !self.qualifiers.iter().any(own);
            // what one word says counts once: `[Parallel, Alternate Art]`
            if is_alternate && (narrow || std::mem::replace(&mut alternate, true)) {
                continue;
            }
            let said = *named || stated().next().is_some();
            score += match said {
                false if narrow && is_code(part) => SET_UNSTATED,
                _ => worth(said, part),
            };
            let called = stated().any(|word| word.is_called(key));
            score += f64::from(u8::from(called)) * CALLED_SO;
        }
        let lacking = |word: &&&PrintingWord| !(labels(word) || narrow && art::is_alternate(word));
        score + self.qualifiers.iter().filter(lacking).count() as f64 * QUALIFIER_LACKING
    }
}

/// How a card was sold, as far as its game says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sold {
    /// Its number is of one set.
    Once,
    /// In several sets and products, by one number.
    Again,
    /// The same, and the title asks for a promo where the card's own rarity is none.
    WithoutPromo,
}

/// What labels call the plain print of another set.
const REPRINT: &str = "Reprint";
/// What names a product, and no treatment, has so many words.
const WORDS_OF_PRODUCT: usize = 3;
/// A smaller share of a product's words does not name it.
const LEAST_SHARE: f64 = 0.5;

/// The share of a product's words that the title has: most of `CS 25-26 Event Pack` for `Zoro CS
/// 25-26 Event`; 0 if it is small, or one of its numbers is missing, as the ordinal of `2nd
/// Anniversary Set`. The number of a volume may be left out with its word.
fn share_stated(line: &Line, product: &str) -> f64 {
    let key = line.key();
    let cut = |at: usize| at == key.len() || line.tokens().iter().any(|t| t.at as usize == at);
    let stands = |word: &[u8]| {
        line.tokens().iter().any(|token| {
            let rest = &key[token.at as usize..];
            let behind = rest.strip_prefix(word);
            let end = key.len() - behind.map_or(0, <[u8]>::len);
            behind.is_some_and(|rest| cut(end) || rest.first() == Some(&b's') && cut(end + 1))
        })
    };
    let (mut all, mut said, mut volume) = (0, 0, false);
    for word in product.split([' ', '-']) {
        let folded = key_of(word);
        let word = folded.trim_end_matches('s').as_bytes();
        if word.is_empty() {
            continue;
        }
        all += word.len();
        let unsaid_volume = std::mem::replace(&mut volume, false);
        if stands(word) {
            said += word.len();
        } else if word.iter().any(u8::is_ascii_digit) && !unsaid_volume {
            return 0.0;
        } else {
            volume = word == b"vol";
        }
    }
    let share = said as f64 / all.max(1) as f64;
    if share < LEAST_SHARE { 0.0 } else { share }
}

/// Whether a part of a label is the code of a set: `OP09`.
fn is_code(part: &str) -> bool {
    let code = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
    part.ends_with(|c: char| c.is_ascii_digit()) && part.bytes().all(code)
}

/// Whether a printing with this label is an error.
fn is_error(dictionary: &Dictionary, label: &Label<'_>) -> bool {
    let words = || dictionary.printings.iter();
    let errors = || words().filter(|word| word.field == Field::Error);
    // `1st movie` is a part of `1st movie inverted`, and none of its own
    let own = |key: &str| {
        let mut words = words().filter(|word| word.is_called(key));
        words.next().is_some_and(|word| word.field != Field::Error)
    };
    let mut keys = label.qualifiers().map(qualifier_key);
    keys.any(|key| errors().any(|word| word.labels(&key)) && !own(&key))
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
    let again =
        (catalogue.set_record(record)).is_some_and(|set| set.flags & set_flag::REPRINTED != 0);
    let sold = if !again {
        Sold::Once
    } else if stated.promo && !catalogue.rarity(record.rarity).contains(PROMO) {
        Sold::WithoutPromo
    } else {
        Sold::Again
    };
    let of_set = |set: &SetRecord| {
        has(
            REVERSE_WITH_LOGO,
            catalogue.game(set),
            catalogue.string(set.id),
        )
    };
    let bears_logo = || catalogue.set_record(record).is_some_and(of_set);
    let finish = stated.finish_meant(bears_logo, (0..printings.len()).map(label));
    let fits = |place| stated.fits(&label(place), finish, by_logo, sold);
    scored.extend((0..printings.len()).map(|place| (fits(place), place)));
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
