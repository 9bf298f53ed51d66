//! The readings that won → [`Parsed`].

use super::alternatives::alternatives;
use crate::attributes::name::NameClue;
use crate::attributes::readings::Readings;
use crate::attributes::set::SetPart;
use crate::attributes::writer::{Writer, rounded};
use crate::attributes::{
    condition, finish, game, grade, kind, language, mark, name, number, printing, product,
    quantity, rarity, set, year,
};
use crate::calibrate::Ranked;
use crate::catalogue::NameQuality;
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
        fuzzy: options.fuzzy,
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
        if kind == Kind::Single {
            write_misspelt(&mut writer, findings);
        }
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

/// The cards of a name have at least this much probability together where it is written of a
/// misspelling.
const OF_ONE_NAME: f64 = 0.5;
/// Those of them with more than this share of the best one's probability say which name it is: where
/// they share `Skeledirge ex`, not `Skeledirge`.
const OF_THE_BEST: f64 = 0.5;

/// Writes the name that the likely candidates share where only the search found it, and the misspelt
/// words: `Dundunsparce`.
#[inline(never)]
fn write_misspelt<'t>(writer: &mut Writer<'_, '_, 't>, findings: &Findings<'_, 't>) {
    let catalogue = writer.readings.reference.catalogue;
    let name_of = |ranked: &Ranked| {
        let record = catalogue.card_record(ranked.card)?;
        Some((record.name.get(), catalogue.name_record(record)?.core.get()))
    };
    let Some((_, core)) = findings.ranked.first().and_then(name_of) else {
        return;
    };
    let misspelt = |clue: &&NameClue| clue.core == core && clue.quality == NameQuality::Fuzzy;
    let Some(clue) = findings.query.names.iter().find(misspelt) else {
        return;
    };
    let span = (clue.at, clue.end);
    if !writer.best_is_named
        || !writer
            .readings
            .chosen
            .overlapping(span.0, span.1)
            .is_empty()
    {
        return;
    }
    let same = |ranked: &&Ranked| name_of(ranked).is_some_and(|name| name.1 == core);
    let cards = || findings.ranked.iter().filter(same);
    let share: f64 = cards().map(|ranked| ranked.probability).sum();
    if share < OF_ONE_NAME {
        return;
    }
    if writer.parsed.name.is_none() {
        let top = findings.ranked.first().map_or(0.0, |top| top.probability);
        let likely = cards().filter(|ranked| ranked.probability > top * OF_THE_BEST);
        let mut names = likely.filter_map(name_of).map(|name| name.0);
        let first = names.next();
        let shared = first.filter(|first| names.all(|name| name == *first));
        let name = shared.and_then(|name| catalogue.names.get(name as usize));
        let text = name.map(|name| name.text);
        let text = text.or_else(|| Some(catalogue.cores.get(core as usize)?.text));
        writer.parsed.name = text.map(|text| catalogue.string(text).into());
    }
    if let Some(name) = writer.parsed.name.clone() {
        writer.push(Field::Name, name, span, rounded(share as f32));
    }
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
