//! `titledex-lab corpus fit`: reads unlabelled titles through the engine and counts how they are
//! written.
//!
//! Only counts and words of the dictionaries leave this module: never a title, or a part of one
//! that the dictionaries do not have.

use super::counts::Counts;
use super::slot::Slot;
use super::spoil;
use super::surface;
use super::words::{Words, alias_kind};
use titledex::CardView;
use titledex::internals::token::key_of;
use titledex::{Answer, Engine, Field, Options, OutcomeType, Scratch, Span};

/// From this confidence on, a card is taken as right, and its columns are compared with what the
/// title states.
const SURE: f32 = 0.9;

/// Counts titles.
pub(super) struct Fitter<'e> {
    pub(super) engine: &'e Engine,
    pub(super) words: &'e Words,
    pub(super) counts: Counts,
    pub(super) scratch: Scratch,
}

impl Fitter<'_> {
    /// Counts one title.
    pub(super) fn title(&mut self, group: &str, venue: &str, title: &str) {
        let answer = self
            .engine
            .answer_with(&mut self.scratch, title, &Options::default());
        let kind = answer.outcome.kind;
        self.counts.add(group, "venue", venue);
        let single = matches!(
            kind,
            OutcomeType::Match | OutcomeType::Ambiguous | OutcomeType::NotInCatalogue
        );
        self.counts.add(
            group,
            "outcome",
            if matches!(kind, OutcomeType::Match | OutcomeType::Ambiguous) {
                "single"
            } else {
                kind.as_str()
            },
        );
        self.look(group, title);
        if single {
            self.order(group, title, &answer);
            self.fields(group, title, &answer);
        }
    }

    fn look(&mut self, group: &str, title: &str) {
        let counts = &mut self.counts;
        counts.add(group, "case", surface::case(title));
        counts.yes(group, "japanese script", surface::is_japanese(title));
        counts.yes(group, "o for zero", surface::has_o_for_zero(title));
        counts.yes(group, "full width", surface::has_full_width(title));
        counts.yes(
            group,
            "half-width kana",
            surface::has_half_width_kana(title),
        );
        if title.contains('&') {
            counts.yes(group, "entity", surface::has_entity(title));
        }
        counts.add(
            group,
            "length",
            &(title.chars().count() / 10 * 10).to_string(),
        );
        let emoji = surface::emoji(title);
        counts.add(group, "emoji count", &emoji.len().min(4).to_string());
        for emoji in emoji {
            counts.add(group, "emoji", emoji);
        }
    }

    fn order(&mut self, group: &str, title: &str, answer: &Answer) {
        let spans = &answer.parsed.spans;
        let mut row: Vec<(Slot, Span)> = spans
            .iter()
            .filter_map(|r| Some((Slot::of_field(r.field)?, r.span)))
            .collect();
        row.extend(
            answer
                .parsed
                .unread
                .iter()
                .map(|unread| (Slot::Puff, unread.span)),
        );
        row.sort_by_key(|(_, span)| (span.start, span.end));
        // Adjacent parts of one field are one.
        let mut merged: Vec<(Slot, Span)> = Vec::new();
        for (slot, span) in row {
            match merged.last_mut() {
                Some(last) if last.0 == slot => last.1.end = last.1.end.max(span.end),
                _ => merged.push((slot, span)),
            }
        }
        let mut once: Vec<Slot> = Vec::new();
        for (slot, _) in &merged {
            if *slot == Slot::Puff || !once.contains(slot) {
                once.push(*slot);
            }
        }
        let puffs = spans.iter().filter(|r| r.field == Field::Noise).count();
        self.counts
            .add(group, "puff count", &puffs.min(5).to_string());
        let games = spans.iter().filter(|r| r.field == Field::Game).count();
        if games > 0 {
            self.counts
                .add(group, "game count", &games.min(4).to_string());
        }
        self.counts.add(
            group,
            "unread count",
            &answer.parsed.unread.len().min(4).to_string(),
        );
        let mut before = "start";
        for slot in &once {
            self.counts
                .add(group, "next", &format!("{before}>{}", slot.name()));
            before = slot.name();
        }
        self.counts.add(group, "next", &format!("{before}>end"));
        let stated: Vec<&str> = Slot::ALL
            .iter()
            .filter(|slot| **slot != Slot::Puff && once.contains(slot))
            .map(|slot| slot.name())
            .collect();
        let asia = answer
            .matches
            .first()
            .is_some_and(|top| top.language != "english");
        self.counts.add(
            group,
            if asia {
                "fields asia"
            } else {
                "fields international"
            },
            &stated.join(" "),
        );
        for slot in Slot::ALL.into_iter().filter(|slot| *slot != Slot::Puff) {
            self.counts.yes(
                group,
                &format!("states {}", slot.name()),
                once.contains(&slot),
            );
        }
        self.between(group, title, &merged);
    }

    /// Separators and brackets.
    fn between(&mut self, group: &str, title: &str, row: &[(Slot, Span)]) {
        let text = |from: u32, to: u32| title.get(from as usize..to as usize).unwrap_or_default();
        let marks = |gap: &str| {
            gap.chars().count() <= 3
                && !gap.contains(|c: char| {
                    c.is_alphanumeric()
                        || "()[]{}【】〔〕『』「」（）".contains(c)
                        || surface::is_emoji(c)
                })
        };
        let gaps: Vec<&str> = row
            .windows(2)
            .map(|w| text(w[0].1.end, w[1].1.start))
            .filter(|gap| marks(gap))
            .collect();
        let style = gaps
            .iter()
            .find(|gap| !gap.trim().is_empty())
            .copied()
            .unwrap_or(" ");
        self.counts
            .add(group, "separator", &style.replace(' ', "␣"));
        if style != " " {
            for gap in &gaps {
                self.counts
                    .yes(group, "separator used", gap.trim() == style.trim());
            }
        }
        for (slot, span) in row {
            let before = title
                .get(..span.start as usize)
                .and_then(|text| text.trim_end().chars().next_back());
            let after = title
                .get(span.end as usize..)
                .and_then(|text| text.trim_start().chars().next());
            let pair = match (before, after) {
                (Some('('), Some(')')) => "()",
                (Some('（'), Some('）')) => "（）",
                (Some('['), Some(']')) => "[]",
                (Some('{'), Some('}')) => "{}",
                (Some('【'), Some('】')) => "【】",
                (Some('〔'), Some('〕')) => "〔〕",
                _ => "none",
            };
            self.counts
                .add(group, &format!("bracket {}", slot.name()), pair);
        }
    }

    fn fields(&mut self, group: &str, title: &str, answer: &Answer) {
        let mixed = surface::case(title) == "mixed";
        let top = answer
            .matches
            .first()
            .filter(|m| answer.outcome.kind == OutcomeType::Match && m.confidence.get() >= SURE);
        let catalogue = self.engine.catalogue().clone();
        for reading in &answer.parsed.spans {
            let file = match reading.field {
                Field::Game => "games.csv",
                Field::Rarity => "rarities.csv",
                Field::Finish | Field::Edition => "printings.csv",
                Field::Language => "languages.csv",
                Field::Grader => "graders.csv",
                Field::Label => "grade_labels.csv",
                Field::Condition => "conditions.csv",
                Field::Noise => "noise.csv",
                Field::Hp => {
                    self.counts
                        .add(group, "hp", &shape(&reading.text, &[(&reading.value, "n")]));
                    continue;
                }
                _ => continue,
            };
            let file = if file == "noise.csv" && self.words.meaning(file, &reading.text).is_none() {
                "japanese_terms.csv"
            } else {
                file
            };
            let word = reading.text.contains(char::is_alphanumeric);
            if let Some(meaning) = self
                .words
                .meaning(file, &reading.text)
                .filter(|_| mixed && word)
            {
                // A word of the dictionary, in the letter case of the venue.
                let parameter = if reading.field == Field::Noise {
                    "puff"
                } else {
                    reading.field.as_str()
                };
                self.counts.add(
                    group,
                    parameter,
                    &format!("{meaning}|{}", reading.text.trim()),
                );
            }
        }
        self.grade(group, answer);
        let Some(card) = top.and_then(|top| catalogue.card(&top.card_id)) else {
            return;
        };
        let year = card
            .released
            .as_deref()
            .and_then(|date| date.get(..4))
            .unwrap_or("?");
        self.counts
            .add(group, "draw", &format!("{} {year}", card.language));
        let text = |field: Field| {
            answer
                .parsed
                .spans
                .iter()
                .find(|r| r.field == field)
                .map(|r| &*r.text)
        };
        if let (Some(number), Some(own)) = (answer.parsed.number.as_deref(), card.number)
            && let Some(written) = text(Field::Number)
        {
            let total = answer.parsed.total.as_deref();
            let parts: Vec<(&str, &str)> = [Some((number, "n")), total.map(|total| (total, "t"))]
                .into_iter()
                .flatten()
                .collect();
            if card.total.is_some() {
                self.counts.add(group, "number", &shape(written, &parts));
            }
            self.counts.add(group, "number zeros", zeros(own, number));
            if let (Some(own), Some(total)) = (card.total, total) {
                self.counts.add(group, "total zeros", zeros(own, total));
            }
        }
        if let (Some(set), Some(written)) = (&answer.parsed.set, text(Field::Set)) {
            self.set(group, &card, &set.id, written);
        }
        if let Some(written) = text(Field::Name) {
            self.name(group, &card, written);
        }
    }

    fn grade(&mut self, group: &str, answer: &Answer) {
        let of_grade = |field: Field| matches!(field, Field::Grader | Field::Label | Field::Grade);
        let parts: Vec<_> = answer
            .parsed
            .spans
            .iter()
            .filter(|r| of_grade(r.field))
            .collect();
        if parts.is_empty() {
            return;
        }
        let pattern: Vec<&str> = parts.iter().map(|r| r.field.as_str()).collect();
        self.counts.add(group, "grade pattern", &pattern.join(" "));
        for pair in parts.windows(2) {
            if pair[0].field == Field::Grader && pair[1].field == Field::Grade {
                self.counts.yes(
                    group,
                    "grade joined",
                    pair[0].span.end == pair[1].span.start,
                );
            }
        }
        if let Some(grade) = &answer.parsed.grade
            && let Some(value) = grade.value
        {
            let value = f64::from(value.halves()) / 2.0;
            self.counts
                .add(group, "grade", &format!("{} {value}", grade.grader));
        }
    }

    fn set(&mut self, group: &str, card: &CardView<'_>, id: &str, written: &str) {
        let key = key_of(written);
        let alias = self
            .words
            .set_aliases(id)
            .iter()
            .find(|alias| key_of(&alias.0) == key);
        let kind = alias.map_or("other", |alias| alias_kind(alias.1));
        let primary = card.set_id == id && key_of(card.set_name) == key;
        self.counts
            .add(group, "set", if primary { "own name" } else { kind });
    }

    fn name(&mut self, group: &str, card: &CardView<'_>, written: &str) {
        let key = key_of(written);
        let (english, local) = (
            key_of(card.name),
            card.names.iter().find(|local| key_of(local.name) == key),
        );
        let (form, right) = match local {
            _ if key == english => ("en", card.name),
            Some(local) => (local.language, local.name),
            None => {
                let listed = self.words.is_misspelt(&key);
                // `Altaria ex` for `Altaria ex δ`, `Misty Psyduck` for `Misty's Psyduck`
                let bare = spoil::bare(card.name).is_some_and(|bare| key_of(&bare) == key);
                let slip = surface::slip(&english, &key).filter(|_| !bare);
                match (slip, listed) {
                    (Some(slip), _) => self.counts.add(group, "misspelling", slip),
                    (None, true) => self.counts.add(group, "misspelling", "other"),
                    (None, false) => {}
                }
                let part = english.contains(&key)
                    || card
                        .names
                        .iter()
                        .any(|local| key_of(local.name).contains(&key));
                let form = if bare {
                    "bare"
                } else if slip.is_some() || listed {
                    "misspelt"
                } else if part {
                    "part"
                } else {
                    "other"
                };
                return self.counts.add(group, "name", form);
            }
        };
        self.counts.add(group, "name", form);
        let spaces = |text: &str| text.matches([' ', '-']).count();
        let words = match spaces(written).cmp(&spaces(right)) {
            std::cmp::Ordering::Less => "joined",
            std::cmp::Ordering::Equal => "as printed",
            std::cmp::Ordering::Greater => "split",
        };
        self.counts.add(group, "name words", words);
    }
}

/// Whether leading zeros were added to a number or dropped.
fn zeros(own: &str, written: &str) -> &'static str {
    match written.len().cmp(&own.len()) {
        std::cmp::Ordering::Less => "dropped",
        std::cmp::Ordering::Equal => "kept",
        std::cmp::Ordering::Greater => "added",
    }
}

/// A text with its parts replaced by letters: `#4/102` is `#n/t`.
fn shape(text: &str, parts: &[(&str, &str)]) -> String {
    let mut rest = text;
    let mut out = String::new();
    for (part, letter) in parts {
        let at = rest
            .to_lowercase()
            .find(&part.to_lowercase())
            .filter(|at| rest.is_char_boundary(*at) && rest.is_char_boundary(at + part.len()));
        let Some(at) = at else {
            return "other".to_owned();
        };
        out.push_str(&rest[..at]);
        out.push_str(letter);
        rest = &rest[at + part.len()..];
    }
    out.push_str(rest);
    // Anything but marks and the word for number would be a part of somebody's title.
    let known = out
        .replace("No", "")
        .replace("no", "")
        .replace("NO", "")
        .replace("HP", "")
        .replace("hp", "")
        .replace("Hp", "");
    let plain = known
        .chars()
        .all(|c| !c.is_alphanumeric() || c == 'n' || c == 't')
        && out.chars().count() <= 8;
    if plain {
        out.trim().to_owned()
    } else {
        "other".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::{shape, zeros};

    #[test]
    fn shapes_hold_no_words() {
        assert_eq!(shape("#4/102", &[("4", "n"), ("102", "t")]), "#n/t");
        assert_eq!(shape("No. 4", &[("4", "n")]), "No. n");
        assert_eq!(shape("card number 4", &[("4", "n")]), "other");
        assert_eq!(shape("İ4", &[("4", "n")]), "other");
        assert_eq!(
            [zeros("4", "004"), zeros("004", "4"), zeros("4", "4")],
            ["added", "dropped", "kept"]
        );
    }
}
