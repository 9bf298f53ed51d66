//! The Arrow struct of an answer, and its dict: JSON's members under their names, null or missing
//! if JSON leaves one out. `docs/PYTHON.md` has it as a table.
//!
//! It only grows: a new member stands where JSON has it, and none is renamed, retyped or removed.
//! `python/tests/schema` holds the members of each version.

use crate::columns::{Column, Decimal, Detail, Full, List, Text, Truth, Whole, columns};
use titledex::{
    Answer, Condition, Conflict, Evidence, Finish, Grade, GraderCode, MarketIds, Match, NameSource,
    Outcome, Parsed, PrintingMatch, PrintingReading, Reading, SetReading, TitleError, Unread,
};

/// Rises with each member that is added.
pub(crate) const VERSION: u32 = 3;

/// A list that JSON leaves out if it is empty.
fn some<T>(list: &[T]) -> Option<&[T]> {
    (!list.is_empty()).then_some(list)
}

columns! {
    /// An answer.
    AnswerColumns of |answer: Answer<'_>| {
        "title" title: Full<Text> = Some(&*answer.title),
        "parsed" parsed: ParsedColumns = Some(&answer.parsed),
        "outcome" outcome: OutcomeColumns = Some(&answer.outcome),
        "conflicts" conflicts: List<ConflictColumns> = some(&answer.conflicts),
        "matches" matches: List<MatchColumns> = Some(&*answer.matches),
        "error" error: ErrorColumns = answer.error.as_ref(),
    }
}

columns! {
    /// The attributes that the title states.
    ParsedColumns of |parsed: Parsed<'_>| {
        "kind" kind: Text = Some(parsed.kind.as_str()),
        "game" game: Text = parsed.game.as_deref(),
        "name" name: Text = parsed.name.as_deref(),
        "number" number: Text = parsed.number.as_deref(),
        "total" total: Text = parsed.total.as_deref(),
        "set" set: SetColumns = parsed.set.as_ref(),
        "year" year: Whole = parsed.year.map(u32::from),
        "language" language: Text = parsed.language.as_deref(),
        "printing" printing: PrintingColumns = parsed.printing.as_ref(),
        "rarity" rarity: Text = parsed.rarity.as_deref(),
        "grade" grade: GradeColumns = parsed.grade.as_ref(),
        "condition" condition: Text = parsed.condition.map(Condition::as_str),
        "quantity" quantity: Whole = parsed.quantity,
        "spans" spans: Full<List<ReadingColumns>> = Some(&*parsed.spans),
        "alternatives" alternatives: Full<List<ReadingColumns>> = some(&parsed.alternatives),
        "unread" unread: Full<List<UnreadColumns>> = Some(&*parsed.unread),
        "gameInferred" game_inferred: Truth = Some(parsed.game_inferred).filter(|inferred| *inferred),
    }
}

columns! {
    /// The set that a title names.
    SetColumns of |set: SetReading<'_>| {
        "name" name: Text = Some(&*set.name),
        "id" id: Text = Some(&*set.id),
        "alternatives" alternatives: List<Text> = some(&set.alternatives),
    }
}

columns! {
    /// The attributes that distinguish printings of one card.
    PrintingColumns of |printing: PrintingReading<'_>| {
        "edition" edition: Text = printing.edition.as_deref(),
        "finish" finish: Text = printing.finish.map(Finish::as_str),
        "pattern" pattern: Text = printing.pattern.as_deref(),
        "stamps" stamps: List<Text> = some(&printing.stamps),
        "treatment" treatment: List<Text> = some(&printing.treatment),
        "errors" errors: List<Text> = some(&printing.errors),
        "size" size: Text = printing.size.as_deref(),
    }
}

columns! {
    /// The grade on a slab.
    GradeColumns of |grade: Grade<'_>| {
        "grader" grader: Text = Some(&*grade.grader),
        "graderCode" grader_code: Text = grade.grader_code.map(GraderCode::as_str),
        "value" value: Decimal = grade.value,
        "label" label: Text = grade.label.as_deref(),
        "qualifier" qualifier: Text = grade.qualifier.as_deref(),
        "certNumber" cert_number: Text = grade.cert_number.as_deref(),
        "autograph" autograph: Decimal = grade.autograph,
    }
}

columns! {
    /// One reading of some bytes of the title.
    ReadingColumns of |reading: Reading<'_>| {
        "field" field: Text = Some(reading.field.as_str()),
        "value" value: Text = Some(&*reading.value),
        "start" start: Whole = Some(reading.span.start),
        "end" end: Whole = Some(reading.span.end),
        "text" text: Text = Some(&*reading.text),
        "confidence" confidence: Decimal = Some(reading.confidence),
    }
}

columns! {
    /// Words that no rule explains.
    UnreadColumns of |unread: Unread<'_>| {
        "start" start: Whole = Some(unread.span.start),
        "end" end: Whole = Some(unread.span.end),
        "text" text: Text = Some(&*unread.text),
    }
}

columns! {
    /// The answer's type and confidence.
    OutcomeColumns of |outcome: Outcome| {
        "type" kind: Text = Some(outcome.kind.as_str()),
        "confidence" confidence: Decimal = Some(outcome.confidence.get()),
        "ambiguousOn" ambiguous_on: List<Text> = some(&outcome.ambiguous_on),
        "notInCatalogue" not_in_catalogue: Decimal = Some(outcome.not_in_catalogue.get()),
        "evidence" evidence: Full<List<EvidenceColumns>> = some(&outcome.evidence),
    }
}

columns! {
    /// An attribute that the title states and the first card contradicts.
    ConflictColumns of |conflict: Conflict<'_>| {
        "field" field: Text = Some(conflict.field.as_str()),
        "stated" stated: Text = Some(&*conflict.stated),
        "held" held: Text = Some(&*conflict.held),
    }
}

columns! {
    /// A card of the catalogue that the title can be.
    MatchColumns of |card: Match<'_>| {
        "cardId" card_id: Text = Some(&*card.card_id),
        "name" name: Text = Some(&*card.name),
        "nameSource" name_source: Text = card.name_source.map(NameSource::as_str),
        "printedName" printed_name: Text = card.printed_name.as_deref(),
        "setName" set_name: Text = Some(&*card.set_name),
        "setId" set_id: Text = Some(&*card.set_id),
        "cardNumber" card_number: Text = Some(card.card_number.as_str()),
        "rarity" rarity: Text = card.rarity.as_deref(),
        "language" language: Text = Some(&*card.language),
        "confidence" confidence: Decimal = Some(card.confidence.get()),
        "marketplaceId" marketplace_id: Text = Some(card.marketplace_id.as_str()),
        "printing" printing: Text = card.printing.as_deref(),
        "printings" printings: Full<List<PrintingMatchColumns>> = some(&card.printings),
        "evidence" evidence: Full<List<EvidenceColumns>> = Some(&*card.evidence),
        "ids" ids: MarketIdColumns = Some(&card.ids).filter(|ids| !ids.is_empty()),
        "game" game: Text = Some(&*card.game),
    }
}

columns! {
    /// What marketplaces call a printing.
    MarketIdColumns of |ids: MarketIds| {
        "tcgplayer" tcgplayer: Whole = ids.tcgplayer,
        "cardmarket" cardmarket: Whole = ids.cardmarket,
    }
}

columns! {
    /// A printing of a matched card.
    PrintingMatchColumns of |printing: PrintingMatch<'_>| {
        "marketplaceId" marketplace_id: Text = Some(printing.marketplace_id.as_str()),
        "printing" label: Text = Some(&*printing.printing),
        "confidence" confidence: Decimal = Some(printing.confidence.get()),
    }
}

columns! {
    /// One reason for or against a card.
    EvidenceColumns of |evidence: Evidence| {
        "field" field: Text = Some(evidence.field.as_str()),
        "weight" weight: Decimal = Some(evidence.weight.get()),
        "note" note: Text = Some(&*evidence.note),
    }
}

columns! {
    /// The reason why a title was not read, or not as given.
    ErrorColumns of |error: TitleError| {
        "code" code: Text = Some(&*error.code),
        "message" message: Text = Some(error.message.as_str()),
    }
}

/// The columns of no answer yet.
pub(crate) fn columns(detail: Detail) -> AnswerColumns {
    AnswerColumns::new(detail)
}
