//! Candidates → scores: the evidence for and against each card, added up.
//!
//! A sum of log-odds against a card drawn at random (Fellegi and Sunter 1969), with the information
//! of each agreement in place of a constant, so that what is common says little.

pub(crate) mod art;
pub(crate) mod bound;
pub mod features;
mod identity;
pub(crate) mod language;
pub(crate) mod memory;
mod name;
mod number;
mod origin;
mod printing;
pub(crate) mod rarity;
mod set;
pub mod weights;
mod year;

use crate::attributes::art::ARTS;
use crate::attributes::language::Language;
use crate::attributes::query::Query;
use crate::catalogue::Columns;
use crate::catalogue::format::{CardRecord, NameRecord, card_flag, set_flag};
use crate::math::information;
use crate::stats::{CatalogueStats, SetFacts, has_rarity};
use crate::token::Line;
use art::RarityArts;
use features::Feature;
use memory::{Folded, Memory};
use number::NumberFit;
use printing::Printings;
use weights::Weights;

/// The evidence of some cards, one list after the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct EvidenceLists {
    pieces: Vec<(Feature, f32)>,
    ends: Vec<usize>,
}

impl EvidenceLists {
    /// Works out the evidence of `cards`, in their order.
    pub(crate) fn fill(
        &mut self,
        scorer: &Scorer<'_, '_>,
        cards: impl Iterator<Item = u32>,
        memory: &mut Memory,
    ) {
        self.pieces.clear();
        self.ends.clear();
        for card in cards {
            scorer.evidence(card, memory, &mut self.pieces);
            self.ends.push(self.pieces.len());
        }
    }

    /// The evidence of the card at `place`; empty if it was not computed.
    pub(crate) fn of(&self, place: usize) -> &[(Feature, f32)] {
        let from = place
            .checked_sub(1)
            .map_or(0, |before| self.ends.get(before).copied().unwrap_or(0));
        self.ends
            .get(place)
            .map_or(&[], |&to| &self.pieces[from..to])
    }
}

/// How many cards are taken to bear a printed name that says more than its subject and marks.
const FEW_PRINTS: u32 = 2;
/// A card that is behind the best by this factor, as a natural logarithm, cannot be shown, and all
/// candidates together do not move a probability's eighth digit: its score may lack evidence that
/// would leave it so far behind.
const NOTHING: f32 = 27.0;

/// What evidence depends on that is added after name, number and set.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Fit {
    /// The name agrees.
    bears: bool,
    number: NumberFit,
    /// The title names the card's set.
    member: bool,
    /// The title names it with a mark that its name lacks.
    marked: bool,
    /// Nothing that the title says of name, number or set speaks against the card.
    whole: bool,
}

/// Receives each piece of evidence.
trait Sink {
    fn add(&mut self, feature: Feature, value: f32);

    /// Adds the first pieces, whose sum is known.
    fn begin(&mut self, pieces: &[(Feature, f32)], _sum: f32) {
        pieces
            .iter()
            .for_each(|&(feature, value)| self.add(feature, value));
    }
}

struct Sum<'w> {
    weights: &'w Weights,
    total: f32,
}

impl Sink for Sum<'_> {
    #[inline]
    fn add(&mut self, feature: Feature, value: f32) {
        self.total += self.weights.of(feature) * value;
    }

    #[inline]
    fn begin(&mut self, pieces: &[(Feature, f32)], sum: f32) {
        if self.total == 0.0 {
            self.total = sum;
        } else {
            pieces
                .iter()
                .for_each(|&(feature, value)| self.add(feature, value));
        }
    }
}

impl Sink for Vec<(Feature, f32)> {
    fn add(&mut self, feature: Feature, value: f32) {
        self.push((feature, value));
    }
}

/// Compares titles with cards.
pub(crate) struct Scorer<'s, 'a> {
    pub(crate) catalogue: &'s Columns<'a>,
    pub(crate) weights: &'s Weights,
    pub(crate) query: &'s Query,
    pub(crate) line: &'s Line,
    pub(crate) stats: &'s CatalogueStats,
    pub(crate) arts: &'s RarityArts,
}

impl Scorer<'_, '_> {
    /// Scores `candidates` into [`Memory::scores`]. Returns whether no international card fits
    /// ([`Query::alone`]).
    pub(crate) fn score(&self, candidates: &[u32], memory: &mut Memory) -> bool {
        memory.prepare(self);
        // cards lie all over the catalogue: fetched one after the other, before any of them is
        // used, they arrive together
        let mut records = std::mem::take(&mut memory.records);
        records.clear();
        let cards = self.catalogue.cards;
        // retrieval gives cards of the catalogue only
        records.extend(candidates.iter().map(|&card| cards[card as usize]));
        let mut scores = std::mem::take(&mut memory.scores);
        let mut fits = std::mem::take(&mut memory.fits);
        scores.clear();
        fits.clear();
        let (rarely, more) = (self.asked_rarely(), self.query.asks_more());
        let mut alone = self.query.language == Language::Unsaid;
        scores.extend(candidates.iter().zip(&records).map(|(&card, record)| {
            let mut sum = self.nothing();
            let mut fit = Fit::default();
            if let Some(set) = self.stats.set_of(record) {
                (sum.total, fit) = self.sum_identity(card, record, set, memory);
                self.describe(record, set, fit, rarely.as_ref(), &mut sum);
                alone &= set.is_regional() || !fit.whole;
            }
            if more {
                fits.push(fit);
            }
            sum.total
        }));
        // what international cards that fit do to the others
        let apart =
            self.weights.of(Feature::LanguageAlone) - self.weights.of(Feature::LanguageUnsaid);
        if self.query.asks_more() {
            self.score_more(
                &records,
                &fits,
                apart.abs(),
                &mut memory.folded,
                &mut scores,
            );
        }
        if alone {
            let regional = |record| {
                let set = self.stats.set_of(record);
                set.is_some_and(SetFacts::is_regional)
            };
            scores
                .iter_mut()
                .zip(&records)
                .filter(|(_, record)| regional(record))
                .for_each(|(score, _)| *score += apart);
        }
        memory.records = records;
        memory.scores = scores;
        memory.fits = fits;
        alone
    }

    /// Adds what few titles state to the scores that it can still make count: see [`NOTHING`].
    /// `apart`: by so much scores may move yet.
    fn score_more(
        &self,
        records: &[CardRecord],
        fits: &[Fit],
        apart: f32,
        folded: &mut Folded,
        scores: &mut [f32],
    ) {
        let mut more = |at: usize, score: f32| {
            let mut sum = self.nothing();
            sum.total = score;
            if let Some(set) = self.stats.set_of(&records[at]) {
                self.more(&records[at], set, fits[at], folded, &mut sum);
            }
            sum.total
        };
        let first = (0..scores.len()).reduce(|a, b| if scores[b] > scores[a] { b } else { a });
        let Some(first) = first else { return };
        let ahead = more(first, scores[first]);
        let product_alone = self.query.asks_product_alone();
        let behind = self.most_of_more() + apart + NOTHING * self.weights.temperature.max(1.0);
        for (at, score) in scores.iter_mut().enumerate() {
            if at == first {
                *score = ahead;
            } else if product_alone && records[at].product.get() == 0 {
                // nothing is added
            } else if *score + behind >= ahead {
                *score = more(at, *score);
            }
        }
    }

    /// The most that [`Scorer::more`] adds to any card.
    fn most_of_more(&self) -> f32 {
        let query = self.query;
        let most = |features: &[Feature]| {
            let weights = features.iter().map(|&feature| self.weights.of(feature));
            weights.fold(0.0, f32::max)
        };
        let of = self.catalogue.card_count().max(1) as f32;
        let asked = |stated: bool, value: f32| if stated { value } else { 0.0 };
        let arts = ARTS.into_iter().filter(|art| query.arts.has(*art)).count() as f32;
        let artist = query.artists.iter().map(|(_, idf)| *idf);
        let product = query.product_parts.iter().map(|(_, nats)| *nats);
        asked(
            query.secret,
            most(&[Feature::SecretAgrees, Feature::SecretDiffers]),
        ) + arts
            * most(&[
                Feature::ArtAgrees,
                Feature::ArtDiffers,
                Feature::AltAgrees,
                Feature::AltDiffers,
            ])
            + asked(
                query.promo,
                most(&[Feature::PromoAgrees, Feature::PromoDiffers]),
            )
            + asked(
                query.asks_origin(),
                most(&[Feature::OriginAgrees]) * information(of, 1)
                    + most(&[Feature::OriginDiffers]),
            )
            + most(&[Feature::ArtistAgrees]) * artist.fold(0.0, f32::max)
            + most(&[Feature::WordAgrees]) * product.fold(0.0, f32::max)
            + asked(!query.stamped.is_empty(), most(&[Feature::StampAgrees]))
            + asked(
                query.printed.is_some(),
                most(&[Feature::NamePrinted])
                    * information(self.stats.most_cards as f32, FEW_PRINTS).max(0.0),
            )
            + asked(
                query.hp != 0,
                most(&[Feature::HpAgrees, Feature::HpDiffers]),
            )
    }

    /// The sum of no evidence.
    #[inline]
    fn nothing(&self) -> Sum<'_> {
        Sum {
            weights: self.weights,
            total: 0.0,
        }
    }

    /// Adds the evidence for and against one card to `out`. `memory` is what [`Scorer::score`] has
    /// left.
    pub(crate) fn evidence(&self, card: u32, memory: &mut Memory, out: &mut Vec<(Feature, f32)>) {
        let Some(record) = self.catalogue.card_record(card) else {
            return;
        };
        let Some(set) = self.stats.set_of(record) else {
            return;
        };
        if self.query.cards.contains(&card) {
            out.add(Feature::NicknameCard, 1.0);
        }
        let identity = self.identity(record, set, memory);
        let fit = self.play(identity, memory, out);
        self.describe(record, set, fit, self.asked_rarely().as_ref(), out);
        if self.query.asks_more() {
            self.more(record, set, fit, &mut memory.folded, out);
        }
    }

    /// Computes the evidence that `candidates` share, for [`Scorer::evidence`] when nothing was
    /// ranked before.
    pub(crate) fn prepare(&self, memory: &mut Memory) {
        memory.prepare(self);
    }

    /// Adds the evidence of what most titles state besides name, number and set.
    #[inline(always)]
    fn describe(
        &self,
        record: &CardRecord,
        set: SetFacts,
        fit: Fit,
        rarely: Option<&Printings>,
        sink: &mut impl Sink,
    ) {
        self.year(record, set, fit, sink);
        self.reprint(record, set, fit, sink);
        self.language(record, set, fit.member, sink);
        if let Some(printings) = rarely {
            self.describe_rarely(record, set, fit, printings, sink);
        }
    }

    /// What a title asks of printings, if [`Scorer::describe_rarely`] has evidence at all.
    fn asked_rarely(&self) -> Option<Printings> {
        let printings = Printings::of(self.query);
        let looks = self.stats.looks != 0 && self.query.numbers.is_empty();
        let asks = printings.any || self.query.rarity || self.stats.several_games || looks;
        asks.then_some(printings)
    }

    /// Adds the evidence of what a part of the titles state, or few catalogues tell.
    #[inline(always)]
    fn describe_rarely(
        &self,
        record: &CardRecord,
        set: SetFacts,
        fit: Fit,
        printings: &Printings,
        sink: &mut impl Sink,
    ) {
        if self.stats.several_games {
            self.game(set, sink);
        }
        if fit.member
            && self.stats.looks & set.game_bit() != 0
            && self.query.numbers.is_empty()
            && let Some(unsaid) = self.print_unsaid(record)
        {
            sink.add(Feature::PrintUnsaid, unsaid);
        }
        if self.query.rarity {
            self.rarity(record, set, sink);
        }
        if printings.any && record.flags.get() & card_flag::PRINTINGS != 0 {
            self.printing(record, fit, printings, sink);
        }
    }

    /// Evidence of the game, in a catalogue of several.
    fn game(&self, set: SetFacts, sink: &mut impl Sink) {
        let own = set.game_bit();
        if self.query.games & own != 0 {
            sink.add(Feature::GameAgrees, 1.0);
        } else if self.query.games != 0 {
            sink.add(Feature::GameDiffers, 1.0);
        } else if self.query.hinted_games & own != 0 {
            sink.add(Feature::GameHinted, 1.0);
        }
    }

    /// Whether the card's name has a mark in capitals that the title writes in small letters.
    /// `Gengar ex` and `Gengar-EX` share the record of their name; such marks stand last.
    #[inline(never)]
    fn prints_in_capitals(&self, record: &CardRecord) -> bool {
        let marks = self.catalogue.name_record(record).map(NameRecord::marks);
        let capital = |name: &str| name.ends_with(|last: char| last.is_ascii_uppercase());
        marks.is_some_and(|marks| !marks.common(self.query.small).is_empty())
            && capital(self.catalogue.string(record.text))
    }

    /// Evidence of what few titles state.
    fn more(
        &self,
        record: &CardRecord,
        set: SetFacts,
        fit: Fit,
        folded: &mut Folded,
        sink: &mut impl Sink,
    ) {
        if !self.query.small.is_empty() && self.prints_in_capitals(record) {
            sink.add(Feature::MarkInCapitals, 1.0);
        }
        let flags = record.flags.get();
        if self.query.secret {
            let special = flags & card_flag::ABOVE != 0;
            sink.add(
                if special {
                    Feature::SecretAgrees
                } else {
                    Feature::SecretDiffers
                },
                1.0,
            );
        }
        if !self.query.arts.is_empty() {
            self.art(record, sink);
        }
        if self.query.promo {
            let promo =
                set.flags & set_flag::PROMO != 0 || has_rarity(&self.stats.promos, record.rarity);
            sink.add(
                if promo {
                    Feature::PromoAgrees
                } else {
                    Feature::PromoDiffers
                },
                1.0,
            );
        }
        if self.query.asks_origin() {
            self.origin(record, set, fit, sink);
        }
        let product = record.product.get();
        let mut parts = self.query.product_parts.iter();
        if let Some(&(_, nats)) = parts.find(|part| part.0 == product) {
            sink.add(Feature::WordAgrees, nats);
        }
        if let Some(&(_, idf)) = self
            .query
            .artists
            .iter()
            .find(|(artist, _)| record.illustrator.get() == *artist && *artist != 0)
        {
            sink.add(Feature::ArtistAgrees, idf);
        }
        if !self.query.stamped.is_empty() {
            if self.has_printing(record, &self.query.stamped) {
                sink.add(Feature::StampAgrees, 1.0);
            } else if set.flags & set_flag::REPRINTED != 0 {
                sink.add(Feature::StampDiffers, 1.0);
            }
        }
        if fit.bears {
            self.printed_name(record, folded, sink);
        }
        if self.query.hp != 0 && record.hp != 0 {
            sink.add(
                if self.query.hp == record.hp {
                    Feature::HpAgrees
                } else {
                    Feature::HpDiffers
                },
                1.0,
            );
        }
    }

    /// Evidence of a name that the title states as the card prints it in its own language.
    fn printed_name(&self, record: &CardRecord, folded: &mut Folded, sink: &mut impl Sink) {
        let Some((at, end)) = self.query.printed else {
            return;
        };
        let text = self.line.text(at as usize, end as usize);
        let mut locals = self.catalogue.locals(record).iter();
        if locals.any(|local| folded.is(self.catalogue, local.name, text)) {
            let name = self.catalogue.name_record(record);
            let core = name.and_then(|name| self.catalogue.cores.get(name.core.get() as usize));
            let cards = core.map_or(1, |core| core.count.get());
            sink.add(Feature::NamePrinted, information(cards as f32, FEW_PRINTS));
        }
    }
}
