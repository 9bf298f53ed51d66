//! An answer in a few lines for people.

use super::columns::settled_by;
use super::{paint, state};
use crate::colour::{Colours, Paint};
use crate::explain::{coloured, percent};
use crate::text::{cut, shown, width, wrap};
use titledex::{Answer, Match, OutcomeType};

/// Width of the labels.
const LABEL: usize = 11;
/// Most other cards that are listed.
const OTHERS: usize = 3;
/// Cards that are less likely than this are not listed.
const WORTH: f32 = 0.005;

/// The title with its words in the colours of what they are read as, and what was found.
pub(super) fn summary(answer: &Answer<'_>, colours: Colours, columns: usize) -> String {
    let mut lines = Lines {
        text: coloured(answer, colours, columns),
        colours,
        columns,
    };
    let outcome = &answer.outcome;
    if let Some(error) = &answer.error {
        let text = format!("{}: {}", error.code, error.message);
        lines.add("error", Some(Paint::Against), &text);
    }
    if answer.title.trim().is_empty() {
        lines.add("outcome", Some(Paint::Against), "the title is empty");
        return lines.text;
    }
    let sure = percent(outcome.confidence.get());
    let said = said(outcome.kind);
    let text = format!("{} ({said}), {sure} sure", outcome.kind.as_str());
    lines.add("outcome", Some(paint(outcome.kind)), &text);
    let lists = matches!(
        outcome.kind,
        OutcomeType::Match | OutcomeType::Ambiguous | OutcomeType::NotInCatalogue
    );
    let cards = if lists { &answer.matches[..] } else { &[] };
    if let Some((first, others)) = cards.split_first() {
        let label = match outcome.kind {
            OutcomeType::NotInCatalogue => "nearest",
            OutcomeType::Ambiguous => "one of",
            _ => "card",
        };
        lines.card(label, first, answer.matches.len() > 1);
        if outcome.kind == OutcomeType::Match {
            lines.printing(first);
        }
        for card in others
            .iter()
            .take(OTHERS)
            .filter(|card| card.confidence.get() >= WORTH)
        {
            lines.card("or", card, true);
        }
    }
    if let Some(settled) = settled_by(answer) {
        lines.add("settled by", Some(Paint::Unsure), &settled);
    }
    for conflict in answer.conflicts.iter().filter(|_| !cards.is_empty()) {
        let field = conflict.field.as_str();
        let text = format!(
            "{field} {} in the title, {} on the card",
            conflict.stated, conflict.held
        );
        lines.add("conflict", Some(Paint::Against), &text);
    }
    let grade = state(&answer.parsed);
    let label = if answer.parsed.grade.is_some() {
        "grade"
    } else {
        "condition"
    };
    if !grade.is_empty() {
        lines.add(label, Some(Paint::State), &grade);
    }
    let unread: Vec<_> = answer
        .parsed
        .unread
        .iter()
        .map(|unread| format!("“{}”", unread.text))
        .collect();
    if !unread.is_empty() {
        lines.add("unread", Some(Paint::Faint), &unread.join(" "));
    }
    lines.text
}

/// The lines so far.
struct Lines {
    text: String,
    colours: Colours,
    columns: usize,
}

impl Lines {
    /// Adds a text under a label, wrapped to the columns.
    fn add(&mut self, label: &str, paint: Option<Paint>, text: &str) {
        let room = self.columns.saturating_sub(LABEL + 2);
        for (at, line) in wrap(&shown(text), room).iter().enumerate() {
            let label = if at == 0 { label } else { "" };
            let line = cut(line, room);
            let line = paint.map_or(line.clone(), |paint| self.colours.paint(paint, &line));
            let label = self.colours.paint(Paint::Faint, &format!("{label:LABEL$}"));
            self.text.push_str(&format!("  {label}{line}\n"));
        }
    }

    /// Adds a card: its name, number, set and language, and how likely it is if it is not alone.
    fn card(&mut self, label: &str, card: &Match<'_>, likely: bool) {
        let mut parts = vec![
            (Paint::Name, card.name.to_string()),
            (Paint::Number, card.card_number.clone()),
            (Paint::Origin, card.set_name.to_string()),
            (Paint::Origin, card.language.to_string()),
            (
                Paint::Faint,
                card.rarity.as_deref().unwrap_or_default().to_owned(),
            ),
            (Paint::Faint, card.card_id.to_string()),
        ];
        if likely {
            parts.insert(4, (Paint::Strong, percent(card.confidence.get())));
        }
        let mut room = self.columns.saturating_sub(LABEL + 2);
        let mut line = String::new();
        for (paint, part) in parts.iter().filter(|(_, part)| !part.is_empty()) {
            let gap = if line.is_empty() { 0 } else { 2 };
            if room < gap + 4 {
                break;
            }
            let part = cut(part, room - gap);
            room -= gap + width(&part);
            line.push_str(&" ".repeat(gap));
            line.push_str(&self.colours.paint(*paint, &part));
        }
        let label = self.colours.paint(Paint::Faint, &format!("{label:LABEL$}"));
        self.text.push_str(&format!("  {label}{line}\n"));
    }

    /// Adds the likeliest printing of a card, and what marketplaces call it.
    fn printing(&mut self, card: &Match<'_>) {
        let mut parts = vec![card.printing.as_deref().unwrap_or_default().to_owned()];
        let ids = [
            ("tcgplayer", card.ids.tcgplayer),
            ("cardmarket", card.ids.cardmarket),
        ];
        let named = ids
            .iter()
            .filter_map(|(shop, id)| id.map(|id| format!("{shop}:{id}")));
        parts.extend(named);
        parts.retain(|part| !part.is_empty());
        let text = parts.join(", ");
        if !text.trim().is_empty() {
            self.add("printing", Some(Paint::Printing), &text);
        }
    }
}

/// What an outcome means.
fn said(kind: OutcomeType) -> &'static str {
    match kind {
        OutcomeType::Match => "one card fits",
        OutcomeType::Ambiguous => "several cards fit",
        OutcomeType::NotInCatalogue => "a card that the catalogue lacks",
        OutcomeType::Lot => "several different cards",
        OutcomeType::Sealed => "a sealed product",
        OutcomeType::OtherGame => "of a game or sport that the catalogue lacks",
        _ => "no card is for sale",
    }
}
