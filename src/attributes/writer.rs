//! [`Writer`]: the inputs for writing an attribute.

use super::number::NumberReading;
use super::readings::Readings;
use crate::answer::round;
use crate::catalogue::format::CardRecord;
use crate::dictionary::{Dictionary, Game};
use crate::math::squash;
use crate::parsed::{Field, Parsed, PrintingReading, Reading};
use crate::reading::Proposal;
use std::borrow::Cow;

/// Log-odds that a byte of weight is worth, by which a reading is ahead of the strongest one that
/// it won over.
const ODDS_OF_A_BYTE: f32 = 0.8;
/// Log-odds of a reading that is not ahead at all.
const ODDS_OF_A_TIE: f32 = 0.5;
/// Log-odds that are a probability of 1 to two digits: that of 6 is 0.9975.
const CERTAIN: f32 = 6.0;

/// Writes the attributes of one title.
pub(crate) struct Writer<'w, 'f, 't> {
    pub(crate) readings: &'w Readings<'f, 't>,
    /// The best candidate, if it is likely enough to decide how words are meant.
    pub(crate) best: Option<&'t CardRecord>,
    /// The first candidate's name agrees, if misspelt or as a nickname.
    pub(crate) best_is_named: bool,
    /// The game of the title, if the catalogue has cards of it. What is asked of other games would
    /// be known where the dictionaries hold them, and not in a module without them.
    pub(crate) game: Option<&'t Game>,
    /// A game or sport is known, held or not: its foils are called so, unless `game` says otherwise.
    pub(crate) foils: bool,
    /// The reading of the number that was written.
    pub(crate) number: Option<&'w NumberReading>,
    /// No readings are written, only the attributes: see [`crate::Options::brief`].
    pub(crate) brief: bool,
    /// Words may be misspelt: see [`crate::Options::fuzzy`].
    pub(crate) fuzzy: bool,
    /// Where a word stands that is a part of the name of the best candidate's set.
    pub(crate) set_word: Option<(u32, u32)>,
    pub(crate) parsed: Parsed<'t>,
    pub(crate) printing: PrintingReading<'t>,
}

impl<'t> Writer<'_, '_, 't> {
    pub(crate) fn dictionary(&self) -> &'t Dictionary {
        self.readings.reference.dictionary
    }

    /// `at..end` of the key as a reading.
    pub(crate) fn reading(
        &self,
        field: Field,
        value: impl Into<Cow<'t, str>>,
        (at, end): (u32, u32),
        confidence: f32,
    ) -> Reading<'t> {
        let context = &self.readings.context;
        let span = context
            .line
            .span(context.normalised, at as usize, end as usize);
        let text = span.text(self.readings.title);
        Reading {
            field,
            value: value.into(),
            span,
            text: text.into(),
            confidence,
        }
    }

    /// Writes `at..end` of the key as a reading; what has no bytes was not read.
    pub(crate) fn push(
        &mut self,
        field: Field,
        value: impl Into<Cow<'t, str>>,
        (at, end): (u32, u32),
        confidence: f32,
    ) {
        if end > at && !self.brief {
            let reading = self.reading(field, value, (at, end), confidence);
            self.parsed.spans.push(reading);
        }
    }

    /// Writes `at..end` of the key as a reading in place of those that it overlaps.
    pub(crate) fn push_over(
        &mut self,
        field: Field,
        value: impl Into<Cow<'t, str>>,
        (at, end): (u32, u32),
        confidence: f32,
    ) {
        if end > at && !self.brief {
            let reading = self.reading(field, value, (at, end), confidence);
            let spans = &mut self.parsed.spans;
            spans.retain(|other| !other.span.overlaps(reading.span));
            spans.push(reading);
        }
    }

    /// Writes a chosen reading.
    pub(crate) fn chosen(
        &mut self,
        field: Field,
        value: impl Into<Cow<'t, str>>,
        proposal: &Proposal,
    ) {
        if !self.brief {
            self.write_chosen(field, value.into(), proposal);
        }
    }

    // each attribute is written once a title: copies of it would have to be fetched
    #[inline(never)]
    fn write_chosen(&mut self, field: Field, value: Cow<'t, str>, proposal: &Proposal) {
        let confidence = self.confidence(proposal);
        self.push(field, value, (proposal.at, proposal.end), confidence);
    }

    /// Confidence in a chosen reading, compared with the strongest one that it overlaps.
    pub(crate) fn confidence(&self, proposal: &Proposal) -> f32 {
        let place = self.readings.chosen.first_behind(proposal.at);
        let rival = self.readings.rivals.get(place).copied().unwrap_or(0.0);
        let ahead = proposal.weight - rival;
        let odds = ahead * ODDS_OF_A_BYTE + ODDS_OF_A_TIE;
        if odds > CERTAIN {
            return 1.0;
        }
        rounded(squash(odds) as f32)
    }
}

/// A confidence to two digits.
pub(crate) fn rounded(confidence: f32) -> f32 {
    round(confidence * 100.0) / 100.0
}
