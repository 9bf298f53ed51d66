//! The number of the answer.

use super::{NumberKind, unscanned_byte};
use crate::attributes::writer::Writer;
use crate::catalogue::format::card_flag;
use crate::parsed::Field;
use crate::reading::Value;
use std::borrow::Cow;

/// Confidence in the number of a subject. It is chosen if nothing else is a number.
const SUBJECT_CONFIDENCE: f32 = 0.9;
/// Bonus for agreeing with the best candidate when one of several numbers is written. A shape is
/// worth at most 3.
const AGREES: i32 = 4;

/// The number: the one that the best card agrees with, else the best shape.
pub(crate) fn write(writer: &mut Writer<'_, '_, '_>) {
    let readings = writer.readings;
    let chosen = readings.chosen;
    let catalogue = readings.reference.catalogue;
    let text = readings.context.normalised.text();
    let top = writer
        .best
        .map(|r| (r.number.get(), r.flags.get() & card_flag::UNPRINTED != 0));
    let mut best: Option<(i32, usize)> = None;
    for proposal in chosen.iter() {
        let Value::Number(at) = proposal.value else {
            continue;
        };
        let reading = &readings.numbers[at as usize];
        let agrees =
            top.is_some_and(|(number, _)| catalogue.packed_number(number) == Some(reading.number));
        let unprinted = top.is_some_and(|(_, unprinted)| unprinted);
        let of_subject = unprinted
            || top.is_none()
            || !agrees
                && writer
                    .best
                    .is_some_and(|card| catalogue.is_subject(card, reading.digits));
        if reading.kind == NumberKind::Subject && of_subject {
            writer.push(
                Field::SubjectNumber,
                reading.digits.to_string(),
                (reading.at, reading.end),
                SUBJECT_CONFIDENCE,
            );
            continue;
        }
        let worth = i32::from(agrees) * AGREES
            + match reading.kind {
                NumberKind::Fraction => 3,
                NumberKind::Hash | NumberKind::Prefixed => 2,
                NumberKind::Subject => 1,
                NumberKind::Bare | NumberKind::Total => 0,
            };
        if best.is_none_or(|(w, _)| worth > w) {
            best = Some((worth, at as usize));
        }
        let confidence = writer.confidence(proposal);
        let (from, to) = reading.number_at;
        let value = text.get(from as usize..to as usize).unwrap_or("");
        let value = value.to_ascii_uppercase();
        let value = if reading.scanned {
            unscanned(&value)
        } else {
            value
        };
        writer.push(Field::Number, value, (reading.at, reading.end), confidence);
    }
    if let Some((_, at)) = best {
        let reading = &readings.numbers[at];
        writer.number = Some(reading);
        let slice = |(from, to): (u32, u32)| {
            let part = text.get(from as usize..to as usize).unwrap_or("");
            let mut written = part.trim().to_ascii_uppercase();
            if written.contains(' ') {
                written.retain(|c| c != ' ');
            }
            if reading.scanned {
                unscanned(&written)
            } else {
                written
            }
        };
        writer.parsed.number = Some(slice(reading.number_at))
            .filter(|n| !n.is_empty())
            .map(Cow::from);
        writer.parsed.total = Some(slice(reading.total_at))
            // `098/0...`, cut off
            .filter(|t| t.contains(|c| c != '0'))
            .map(Cow::from);
    }
}

/// The digits that a scanner misreads as these letters.
pub(crate) fn unscanned(text: &str) -> String {
    text.chars()
        .map(|c| u8::try_from(c).map_or(c, |byte| unscanned_byte(byte).into()))
        .collect()
}
