//! `titledex explain`: how one title was read, which cards it can be, and why the runner-up lost.

use crate::args::Matching;
use crate::colour::{Colours, Paint};
use crate::input::Title;
use crate::input::decode;
use crate::output::paint;
use crate::parse::{INPUT, note};
use crate::slip;
use crate::text::{columns, cut, shown, width, wrap};
use clap::Args;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use titledex::{Answer, Evidence, Field, Match, Parsed, Reading, Span};
use titledex_command::catalogue::engine;
use titledex_command::{Failure, say};

mod comparison;
mod drawing;

use comparison::{fields, why_second_lost};
use drawing::Word;

pub(crate) const HELP: &str = "\
Weights are log-odds: +2.3 multiplies the odds of a card by ten, -2.3 divides them by
ten.

Examples:
  titledex explain 'Umbreon VMAX 215/203 Evolving Skies NM'
  titledex explain --color always 'リザードンex 201/165 SAR PSA10' | less -R

Exit codes:
  0 done  1 a catalogue was refused  2 usage
  3 the title could not be read as given (invalid UTF-8, or too long)";

/// The options of `titledex explain`.
#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// The title, in quotes: it has spaces and often a `#`.
    #[arg(value_name = "TITLE", required = true)]
    title: Vec<OsString>,
    #[command(flatten)]
    matching: Matching,
}

/// Width of the longest bar.
const BAR: f32 = 24.0;
/// Width of a value in a label.
const VALUE: usize = 28;
/// Most losing readings that are listed.
const ALTERNATIVES: usize = 8;
/// Most printings of the first card that are listed.
const PRINTINGS: usize = 3;
/// A smaller difference in log-odds is not listed.
const EPSILON: f32 = 0.05;

/// Explains the title; returns whether it could be read as given.
pub(crate) fn run(args: &Explain, colours: Colours) -> Result<bool, Failure> {
    let [title] = &args.title[..] else {
        return Err(Failure::usage(format!(
            "{} titles were given, and one is explained: put a title in quotes",
            args.title.len()
        )));
    };
    if let Some(hint) = slip::hint(&args.title, INPUT) {
        say(&hint);
    }
    let title = Title::of(title.as_encoded_bytes());
    if title.bytes.trim_ascii().is_empty() {
        return Err(Failure::usage(
            "the title is empty: give the title of a listing, in quotes",
        ));
    }
    let engine = engine(&args.matching.from)?;
    // The second card is needed to say why it lost, even if only the first is shown.
    let options = args.matching.options(2);
    let (text, bad) = decode(title.bytes);
    let mut answer = engine.answer(&text, &options);
    note(&mut answer, title, bad);
    let page = Page {
        answer: &answer,
        colours,
        columns: columns(),
        cards: args.matching.max_suggestions,
    };
    let mut out = io::stdout().lock();
    out.write_all(page.text().as_bytes())?;
    out.flush()?;
    if let Some(error) = &answer.error {
        say(&format!(
            "the title could not be read as given: {}",
            error.message
        ));
        return Ok(false);
    }
    Ok(true)
}

/// The page about one answer.
struct Page<'a> {
    answer: &'a Answer<'a>,
    colours: Colours,
    columns: usize,
    /// How many cards are shown.
    cards: usize,
}

impl Page<'_> {
    fn text(&self) -> String {
        let mut out = drawing::draw(
            &self.answer.title,
            &words(&self.answer.parsed),
            self.colours,
            self.columns,
        );
        out.push_str(&self.readings());
        out.push('\n');
        out.push_str(&self.outcome());
        let scale = self.scale();
        for (at, card) in self.answer.matches.iter().take(self.cards).enumerate() {
            out.push('\n');
            out.push_str(&self.card(at + 1, card, scale));
        }
        out.push('\n');
        for line in wrap(&shown(&self.verdict()), self.columns) {
            out.push_str(&line);
            out.push('\n');
        }
        out
    }

    /// Unread words, and readings that lost.
    fn readings(&self) -> String {
        let mut out = String::new();
        let parsed = &self.answer.parsed;
        if !parsed.unread.is_empty() {
            let words: Vec<_> = parsed
                .unread
                .iter()
                .map(|unread| format!("“{}”", shown(&unread.text)))
                .collect();
            let _ = writeln!(
                out,
                "\nunread: {}",
                self.colours.paint(Paint::Unsure, &words.join(" "))
            );
        }
        for (at, reading) in parsed.alternatives.iter().take(ALTERNATIVES).enumerate() {
            let lead = if at == 0 { "\n" } else { "" };
            let text = format!(
                "not read: “{}” as {} {}",
                shown(&reading.text),
                reading.field.as_str(),
                shown(&reading.value)
            );
            let _ = writeln!(out, "{lead}{}", self.colours.paint(Paint::Faint, &text));
        }
        if parsed.alternatives.len() > ALTERNATIVES {
            let text = format!("and {} more", parsed.alternatives.len() - ALTERNATIVES);
            let _ = writeln!(out, "{}", self.colours.paint(Paint::Faint, &text));
        }
        out
    }

    fn outcome(&self) -> String {
        let outcome = &self.answer.outcome;
        let kind = self
            .colours
            .paint(paint(outcome.kind), outcome.kind.as_str());
        let mut out = format!("{kind}  {}", percent(outcome.confidence.get()));
        if !outcome.ambiguous_on.is_empty() {
            let _ = write!(
                out,
                ", settled by {}",
                fields(&outcome.ambiguous_on, " and ")
            );
        }
        let _ = writeln!(
            out,
            "; {} that the card is not in the catalogue",
            percent(outcome.not_in_catalogue.get())
        );
        if !outcome.evidence.is_empty() {
            out.push_str(&self.reasons(&outcome.evidence, self.scale()));
        }
        for conflict in &self.answer.conflicts {
            let text = format!(
                "conflict: {} {} in the title, {} on the first card",
                conflict.field.as_str(),
                shown(&conflict.stated),
                shown(&conflict.held)
            );
            let _ = writeln!(out, "{}", self.colours.paint(Paint::Against, &text));
        }
        if let Some(error) = &self.answer.error {
            let _ = writeln!(
                out,
                "{}",
                self.colours.paint(
                    Paint::Against,
                    &format!("{}: {}", error.code, error.message)
                )
            );
        }
        out
    }

    /// Width of one unit of weight, the same for all cards shown.
    fn scale(&self) -> f32 {
        let weights = self
            .answer
            .matches
            .iter()
            .take(self.cards)
            .flat_map(|card| &card.evidence)
            .chain(&self.answer.outcome.evidence)
            .map(|evidence| evidence.weight.get().abs());
        let largest = weights
            .filter(|weight| weight.is_finite())
            .fold(0.0, f32::max);
        if largest > 0.0 { BAR / largest } else { 0.0 }
    }

    fn card(&self, place: usize, card: &Match, scale: f32) -> String {
        let colours = self.colours;
        let mut out = format!(
            "{place}. {}",
            colours.paint(Paint::Name, &shown(&card.name))
        );
        if let Some(printed) = &card.printed_name {
            let _ = write!(out, " ({})", shown(printed));
        }
        if !card.card_number.is_empty() {
            let _ = write!(
                out,
                "  {}",
                colours.paint(Paint::Number, &shown(&card.card_number))
            );
        }
        let _ = write!(
            out,
            "  {}",
            colours.paint(Paint::Origin, &shown(&card.set_name))
        );
        for fact in [card.rarity.as_deref(), Some(&*card.language)]
            .into_iter()
            .flatten()
            .filter(|fact| !fact.is_empty())
        {
            let _ = write!(out, "  {}", shown(fact));
        }
        let _ = writeln!(
            out,
            "  {}",
            colours.paint(Paint::Strong, &percent(card.confidence.get()))
        );
        let _ = write!(
            out,
            "   {}",
            colours.paint(Paint::Faint, &shown(&card.marketplace_id))
        );
        if let Some(printing) = &card.printing {
            let _ = write!(
                out,
                "  {}",
                colours.paint(Paint::Printing, &shown(printing))
            );
        }
        out.push('\n');
        if place == 1 {
            for printing in card.printings.iter().take(PRINTINGS) {
                let text = format!(
                    "   or {}  {}  {}",
                    printing.marketplace_id,
                    printing.printing,
                    percent(printing.confidence.get())
                );
                let _ = writeln!(out, "{}", colours.paint(Paint::Faint, &shown(&text)));
            }
        }
        out.push_str(&self.reasons(&card.evidence, scale));
        out
    }

    /// Pieces of evidence with their bars, and their sum.
    fn reasons(&self, evidence: &[Evidence], scale: f32) -> String {
        let colours = self.colours;
        let mut out = String::new();
        let field = evidence
            .iter()
            .map(|evidence| width(evidence.field.as_str()))
            .max()
            .unwrap_or_default();
        let bar = evidence
            .iter()
            .map(|evidence| bar_length(evidence.weight.get(), scale))
            .max()
            .unwrap_or_default();
        for evidence in evidence {
            let (paint, block) = if evidence.weight.get() < 0.0 {
                (Paint::Against, "░")
            } else {
                (Paint::For, "█")
            };
            let length = bar_length(evidence.weight.get(), scale);
            let blocks = format!(
                "{}{}",
                colours.paint(paint, &block.repeat(length)),
                " ".repeat(bar - length)
            );
            let line = format!(
                "   {:field$}  {:>+6.2}  {blocks}  {}",
                evidence.field.as_str(),
                evidence.weight.get(),
                shown(&evidence.note)
            );
            let _ = writeln!(out, "{}", line.trim_end());
        }
        let total: f32 = evidence.iter().map(|evidence| evidence.weight.get()).sum();
        let _ = writeln!(out, "   {:field$}  {total:>+6.2}", "sum");
        out
    }

    /// One paragraph: why the first card and not the runner-up.
    fn verdict(&self) -> String {
        match self.answer.matches.as_slice() {
            [] => format!(
                "No card: the outcome is {}.",
                self.answer.outcome.kind.as_str()
            ),
            [only] => format!(
                "There is no runner-up: nothing else in the catalogue fits the title as well as {}.",
                called(only)
            ),
            [first, second, ..] => {
                why_second_lost(first, second, &self.answer.outcome.ambiguous_on)
            }
        }
    }
}

/// The title in the colours of its readings, wrapped to `columns`.
pub(crate) fn coloured(answer: &Answer<'_>, colours: Colours, columns: usize) -> String {
    drawing::title(&answer.title, &words(&answer.parsed), colours, columns)
}

/// The underlined words: the readings and the unread words.
fn words(parsed: &Parsed) -> Vec<Word> {
    let bytes = |span: Span| span.start as usize..span.end as usize;
    let read = parsed.spans.iter().map(|reading| Word {
        bytes: bytes(reading.span),
        label: Some(label(reading)),
        paint: paint_of(reading.field),
    });
    let unread = parsed.unread.iter().map(|unread| Word {
        bytes: bytes(unread.span),
        label: None,
        paint: Paint::Unsure,
    });
    read.chain(unread).collect()
}

/// `name`, or `name Charizard` if the title spells it differently.
fn label(reading: &Reading) -> String {
    let field = reading.field.as_str();
    let same =
        reading.value.is_empty() || reading.value.to_lowercase() == reading.text.to_lowercase();
    if same {
        field.to_owned()
    } else {
        format!("{field} {}", cut(&reading.value, VALUE))
    }
}

fn paint_of(field: Field) -> Paint {
    match field {
        Field::Name => Paint::Name,
        Field::Number => Paint::Number,
        Field::Set | Field::Year | Field::Language | Field::Origin => Paint::Origin,
        Field::Edition | Field::Finish | Field::Pattern | Field::Stamp => Paint::Printing,
        Field::Treatment | Field::Error | Field::Size | Field::Rarity => Paint::Printing,
        Field::Grader | Field::Grade | Field::Label | Field::Qualifier => Paint::State,
        Field::CertNumber | Field::Autograph | Field::Condition => Paint::State,
        _ => Paint::Faint,
    }
}

fn bar_length(weight: f32, scale: f32) -> usize {
    let length = weight.abs() * scale;
    if weight.abs() < EPSILON || !length.is_finite() {
        0
    } else {
        length.round().clamp(1.0, BAR) as usize
    }
}

/// A share in percent. Nothing is certain: never 0% or 100%.
pub(crate) fn percent(share: f32) -> String {
    if share < 0.0005 {
        "under 0.1%".to_owned()
    } else if share >= 0.9995 {
        "over 99.9%".to_owned()
    } else {
        format!("{:.1}%", share * 100.0)
    }
}

/// The odds of one card against another: `2.5 to 1`, `48 to 1`.
fn odds(likely: f32, unlikely: f32) -> String {
    match likely / unlikely {
        odds if !odds.is_finite() => "more than 1000 to 1".to_owned(),
        odds if odds < 10.0 => format!("{odds:.1} to 1"),
        odds => format!("{odds:.0} to 1"),
    }
}

/// A card in a sentence: `Charizard 4/102 of Base Set (base1-4)`.
fn called(card: &Match) -> String {
    let number = if card.card_number.is_empty() {
        String::new()
    } else {
        format!(" {}", card.card_number)
    };
    format!(
        "{}{number} of {} ({})",
        card.name, card.set_name, card.card_id
    )
}

#[cfg(test)]
mod tests {
    use super::{BAR, bar_length, odds, percent};

    #[test]
    fn shares_and_odds_are_rounded_and_bounded() {
        assert_eq!(
            [0.0, 0.0002, 0.5, 1.0].map(percent),
            ["under 0.1%", "under 0.1%", "50.0%", "over 99.9%"]
        );
        assert_eq!(odds(0.5, 0.2), "2.5 to 1");
        assert_eq!(odds(0.9, 0.02), "45 to 1");
        assert_eq!(odds(0.97, 0.0), "more than 1000 to 1");
        assert_eq!(odds(0.0, 0.0), "more than 1000 to 1");
    }

    #[test]
    fn bars_stay_within_the_width_and_show_every_weight() {
        assert_eq!(bar_length(5.0, BAR / 5.0), BAR as usize);
        assert_eq!(bar_length(-5.0, BAR / 5.0), BAR as usize);
        assert_eq!(bar_length(0.06, BAR / 50.0), 1);
        assert_eq!(bar_length(0.0, BAR / 50.0), 0);
        assert_eq!(bar_length(f32::NAN, 1.0), 0);
        assert_eq!(bar_length(f32::INFINITY, 1.0), 0);
    }
}
