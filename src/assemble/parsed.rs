//! The readings that won → [`Parsed`].

use super::alternatives::alternatives;
use crate::attributes::readings::Readings;
use crate::attributes::set::SetPart;
use crate::attributes::writer::Writer;
use crate::attributes::{
    condition, finish, game, grade, kind, language, mark, name, number, printing, product,
    quantity, rarity, set, year,
};
use crate::dictionary::{GameKind, Tag};
use crate::findings::Findings;
use crate::options::Options;
use crate::parsed::{Field, Kind, Parsed, PrintingReading, Reading, Unread};
use crate::reading::{Proposal, Value};
use crate::score::features::{Feature, Features, NAMED};
use crate::sort::sort_few;
use crate::span::Span;

/// Above this probability the best candidate decides how words are meant.
const LIKELY: f64 = 0.3;
/// Parts of a grade besides its number: grader, label, qualifier, signature.
const PARTS_OF_GRADE: usize = 4;

/// Writes what the title states, of a thing of `game` and `kind`.
pub(super) fn parsed<'t>(
    findings: &Findings<'_, 't>,
    (game, kind): (Option<&str>, Kind),
    options: &Options,
) -> Parsed<'t> {
    let readings = &findings.readings;
    let dictionary = readings.reference.dictionary;
    let chosen = readings.chosen;
    let best = findings.ranked.first().filter(|r| r.probability > LIKELY);
    let evidence = findings.evidence.of(0);
    let best = best.and_then(|r| readings.reference.catalogue.card_record(r.card));
    let of_best = |part: &&SetPart| best.is_some_and(|best| best.set.get() == part.set);
    let evidence = evidence.iter().collect::<Features>();
    // `ポケモンセンターフクオカ スペシャルBOX` names a store, and no card
    let elsewhere = kind != Kind::Single
        && evidence.any_of(Features::of(&[Feature::NameAlternative]))
        && chosen.has(Field::Origin)
        && !chosen.has(Field::Set);
    let set_part = findings.query.set_parts.iter().find(of_best);
    let mut writer = Writer {
        readings,
        best,
        set_word: set_part.map(|part| (part.at, part.end)),
        game: game
            .filter(|game| readings.reference.catalogue.game_bit(game) != 0)
            .and_then(|game| dictionary.game(game)),
        foils: game.is_some(),
        best_is_named: evidence.any_of(NAMED) && !elsewhere,
        number: None,
        brief: options.brief,
        parsed: Parsed {
            spans: Vec::with_capacity(if options.brief {
                0
            } else {
                chosen.len() + PARTS_OF_GRADE
            }),
            ..Parsed::default()
        },
        printing: PrintingReading::default(),
    };
    for proposal in chosen.iter() {
        write(&mut writer, proposal);
    }
    grade::write_apart(&mut writer);
    finish::write_of_part(&mut writer);
    if !is_of_sport(readings, (game, kind)) {
        name::write(&mut writer);
    }
    number::write(&mut writer);
    language::write(&mut writer);
    set::write(&mut writer);
    year::write_of_set(&mut writer);
    condition::settle(&mut writer.parsed);
    if !options.brief {
        writer.parsed.alternatives = alternatives(&writer);
    }
    let Writer {
        mut parsed,
        printing,
        ..
    } = writer;
    parsed.printing = Some(printing).filter(|printing| !printing.is_empty());
    if options.brief {
        return parsed;
    }
    let order = |reading: &Reading<'_>| (reading.span.start, reading.span.end, reading.field);
    sort_few(&mut parsed.spans, |a, b| order(a) < order(b));
    // `Vivid Voltge`: the set was found by its spelling
    let read = |span: &Span| {
        let mut spans = parsed.spans.iter();
        spans.any(|reading| reading.span.start <= span.start && span.end <= reading.span.end)
    };
    let unread = readings.unread.iter().filter(|span| !read(span));
    let unread = unread.map(|&span| Unread {
        span,
        text: span.text(readings.title).into(),
    });
    parsed.unread = unread.collect();
    parsed
}

/// Whether what is sold is of a sport, or of one that is not said, and of no `game`: few of its words
/// are the name of a card, as `York` in `New York Knicks`.
fn is_of_sport(readings: &Readings<'_, '_>, (game, kind): (Option<&str>, Kind)) -> bool {
    let games = &readings.reference.dictionary.games;
    let sport = |p: &Proposal| match p.value {
        Value::Word(Tag::Game(at)) => match games[usize::from(at)].kind {
            GameKind::Sport => true,
            GameKind::Any => game.is_none(),
            _ => false,
        },
        _ => false,
    };
    kind == Kind::Other && readings.chosen.of(Field::Game).any(sport)
}

/// Writes one of the readings that won; names, numbers, sets and the language are written once all
/// are known.
fn write(writer: &mut Writer<'_, '_, '_>, proposal: &Proposal) {
    match proposal.value {
        Value::Word(tag) => match tag {
            Tag::Condition(word) => condition::write(writer, proposal, word),
            Tag::Printing(word) => printing::write(writer, proposal, word),
            Tag::Rarity(word) => rarity::write(writer, proposal, word),
            Tag::Language(word) => language::write_words(writer, proposal, word),
            Tag::Kind(word) => kind::write(writer, proposal, word),
            Tag::Sealed(word) => kind::write_sealed(writer, proposal, word),
            Tag::Game(word) => game::write(writer, proposal, word),
            Tag::Affix(mark) => mark::write(writer, proposal, mark),
            Tag::Term(word) => product::write_term(writer, proposal, word),
            // once the grade is written
            Tag::Label(_) if proposal.field == Field::Label => {}
            Tag::Grader(_) | Tag::Label(_) | Tag::Phrase(_) | Tag::Noise => {
                writer.chosen(proposal.field, proposal.field.as_str(), proposal);
            }
        },
        Value::Count(count) => {
            writer.chosen(proposal.field, count.to_string(), proposal);
            match proposal.field {
                Field::Year => year::write(writer, count),
                Field::Quantity => quantity::write(writer, proposal, count),
                _ => {}
            }
        }
        Value::Grade(number) if proposal.field == Field::Grade => {
            grade::write(writer, proposal, number);
        }
        Value::Grade(_) => writer.chosen(Field::Wish, "wish", proposal),
        Value::Text => writer.chosen(proposal.field, proposal.field.as_str(), proposal),
        Value::Hit(_) if matches!(proposal.field, Field::Origin | Field::Illustrator) => {
            product::write_words(writer, proposal);
        }
        Value::Hit(_) | Value::Number(_) => {}
    }
}
