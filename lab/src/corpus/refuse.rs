//! Titles that are not a card of the catalogue: cards that do not exist, lots, sealed products,
//! other things.

use super::deck::Known;
use super::generate::{Generator, Labelled, Plan};
use super::label::{Name, Stated};
use super::layout::Piece;
use super::random::Random;
use super::render::Writer;
use super::slot::Slot;
use super::surface::is_japanese;
use super::words::Word;
use serde_json::Map;
use titledex::internals::catalogue::format::pack_number;
use titledex::internals::token::key_of;

/// Totals that a set could have.
const TOTALS: std::ops::Range<u64> = 40..240;

/// A title of a kind of refusal.
pub(crate) fn title(
    generator: &Generator<'_, '_>,
    random: &mut Random,
    group: &str,
    plan: Plan,
    kind: &str,
) -> Option<Labelled> {
    match kind {
        "not_in_catalogue" => unknown(generator, random, group, plan),
        "lot" => plain(generator, random, group, plan, "lot"),
        "sealed" => plain(generator, random, group, plan, "sealed"),
        _ => plain(generator, random, group, plan, "not_a_card"),
    }
}

/// A real name with a number and total that no card of that name, nor of its subject, has.
fn unknown(
    generator: &Generator<'_, '_>,
    random: &mut Random,
    group: &str,
    plan: Plan,
) -> Option<Labelled> {
    let (_, card) = generator.draw(random, group, plan)?;
    let (_, other) = generator.draw(random, group, plan)?;
    let mut writer = generator.writer(random, group, plan.japanese);
    let name = writer.field(Slot::Name, card)?;
    // As printed: a misspelt name would be a second reason to refuse.
    let whole =
        matches!(&writer.stated.name, Some(Name::Whole { key, .. }) if *key == key_of(&name));
    if !whole {
        return None;
    }
    let made_up = writer.random.chance(1, 2);
    let (number, total) = if made_up {
        let total = TOTALS.start + writer.random.below(TOTALS.end - TOTALS.start);
        let number = 1 + writer.random.below(total);
        if !writer
            .from
            .deck
            .of_total(pack_number(&total.to_string()))
            .is_empty()
        {
            return None;
        }
        let padded = other.facts.card.number.is_some_and(|own| own.len() == 3);
        if padded {
            (format!("{number:03}"), format!("{total:03}"))
        } else {
            (number.to_string(), total.to_string())
        }
    } else {
        let total = other.facts.card.total.filter(|_| other.total.is_some())?;
        (other.facts.card.number?.to_owned(), total.to_owned())
    };
    // Always with the total: almost every name has some card with the number.
    let text = writer
        .number(&number, Some(&total))
        .filter(|_| writer.stated.total.is_some())?;
    if !provably_absent(&writer, card, &total) {
        return None;
    }
    let mut pieces = vec![
        Piece {
            slot: Slot::Name,
            text: name,
        },
        Piece {
            slot: Slot::Number,
            text,
        },
    ];
    for slot in [Slot::Game, Slot::Grade, Slot::Language] {
        let (hits, all) = writer
            .from
            .noise
            .share(group, &format!("states {}", slot.name()), "yes");
        if writer.random.chance(hits, all.max(1))
            && let Some(text) = writer.field(slot, card)
        {
            pieces.push(Piece { slot, text });
        }
    }
    let told = !card.facts.is_regional() && group != "carousell";
    finish(writer, pieces, "not_in_catalogue", told)
}

/// Whether no card that could be meant has the total: none of the name, of the subject, or with a
/// name that contains it.
fn provably_absent(writer: &Writer<'_, '_>, card: &Known<'_>, total: &str) -> bool {
    let deck = &writer.from.deck;
    let shown = |other: &Known<'_>| {
        other
            .facts
            .subjects
            .iter()
            .any(|own| card.facts.subjects.contains(own))
    };
    let named = |other: &Known<'_>| {
        other.keys.iter().any(|key| {
            card.keys
                .iter()
                .any(|own| key.contains(own.as_str()) || own.contains(key.as_str()))
        })
    };
    let meant = |at: &u32| {
        deck.cards
            .get(*at as usize)
            .is_none_or(|other| other.facts.core == card.facts.core || shown(other) || named(other))
    };
    // Cards without a known total could have any.
    let number = writer.stated.number.as_deref().map(pack_number);
    let open = |at: &u32| {
        deck.cards
            .get(*at as usize)
            .is_none_or(|other| other.total.is_none() && other.number == number)
    };
    !deck.of_total(pack_number(total)).iter().any(meant)
        && !deck.of_core(card.facts.core).iter().any(open)
}

/// A lot, a sealed product or something else: its word from the dictionaries, and what such titles
/// usually add.
fn plain(
    generator: &Generator<'_, '_>,
    random: &mut Random,
    group: &str,
    plan: Plan,
    outcome: &'static str,
) -> Option<Labelled> {
    let japanese = plan.japanese;
    let mut writer = generator.writer(random, group, plan.japanese);
    writer.stated = Stated::default();
    let mut pieces: Vec<Piece> = Vec::new();
    let push = |pieces: &mut Vec<Piece>, slot: Slot, text: Option<String>| {
        pieces.extend(text.map(|text| Piece { slot, text }))
    };
    let other_game = outcome == "not_a_card" && writer.random.chance(2, 3);
    let word = if outcome == "sealed" {
        listed(&mut writer, "sealed.csv", |_| true)?
    } else if other_game {
        other_game_word(&mut writer)?
    } else {
        listed(&mut writer, "listing_kinds.csv", |word| {
            word.more == outcome
        })?
    };
    let cards = match outcome {
        "lot" => 2 + writer.random.index(3),
        "not_a_card" if !other_game => 1,
        _ => 0,
    };
    let mut names: Vec<String> = Vec::new();
    for _ in 0..cards {
        let (_, card) = generator.draw(writer.random, group, plan)?;
        names.push(if japanese {
            card.name_in("ja")?.to_owned()
        } else {
            card.english()?.to_owned()
        });
    }
    names.sort_unstable();
    names.dedup();
    if outcome == "lot" && names.len() < 2 {
        return None;
    }
    let between = match writer.random.index(3) {
        _ if japanese => "　",
        0 => ", ",
        1 => " + ",
        _ => " / ",
    };
    if !other_game {
        let (_, card) = generator.draw(writer.random, group, plan)?;
        let game = writer.field(Slot::Game, card);
        push(&mut pieces, Slot::Game, game);
    }
    if outcome == "sealed" || outcome == "lot" && writer.random.chance(1, 4) {
        let (_, card) = generator.draw(writer.random, group, plan)?;
        let set = writer.field(Slot::Set, card);
        push(&mut pieces, Slot::Set, set);
    }
    if !names.is_empty() {
        push(&mut pieces, Slot::Name, Some(names.join(between)));
    }
    push(&mut pieces, Slot::Finish, Some(word));
    if other_game {
        let number = 1 + writer.random.below(300);
        push(&mut pieces, Slot::Number, Some(format!("#{number}")));
        let (hits, all) = writer.from.noise.share(group, "states grade", "yes");
        let grade = if writer.random.chance(hits, all.max(1)) {
            let (_, card) = generator.draw(writer.random, group, plan)?;
            writer.field(Slot::Grade, card)
        } else {
            None
        };
        push(&mut pieces, Slot::Grade, grade);
    }
    let mut made = finish(writer, pieces, outcome, false)?;
    made.fields = Map::new();
    Some(made)
}

/// The name of another game or sport, or one of its words with that name.
fn other_game_word(writer: &mut Writer<'_, '_>) -> Option<String> {
    let alias = listed(writer, "games.csv", |word| {
        matches!(word.more.as_str(), "game" | "sport")
    })?;
    let game = writer.from.words.meaning("games.csv", &alias)?.to_owned();
    // A word by itself (a club, a rarity) may mean something else.
    let named = key_of(&alias).contains(&key_of(&game));
    Some(if named || writer.japanese {
        alias
    } else {
        format!("{game} {alias}")
    })
}

/// A word of a dictionary that means one thing, in the script of the title.
fn listed(writer: &mut Writer<'_, '_>, file: &str, fits: impl Fn(&Word) -> bool) -> Option<String> {
    let from = writer.from;
    let japanese = writer.japanese;
    let right = |word: &&Word| {
        word.free
            && fits(word)
            && is_japanese(&word.alias) == japanese
            && (japanese || word.alias.is_ascii())
            && from.words.is_clear(file, &word.key)
            && !from.catalogue.knows(&word.key)
    };
    let list: Vec<&Word> = from.words.of(file).iter().filter(right).collect();
    writer.random.pick(&list).map(|word| word.alias.clone())
}

fn finish(
    mut writer: Writer<'_, '_>,
    mut pieces: Vec<Piece>,
    outcome: &'static str,
    told: bool,
) -> Option<Labelled> {
    let puffs: usize = writer
        .draw("puff count")
        .and_then(|count| count.parse().ok())
        .unwrap_or(0);
    for _ in 0..puffs.min(2) {
        if let Some(text) = writer.puff() {
            pieces.push(Piece {
                slot: Slot::Puff,
                text,
            });
        }
    }
    let row = writer.order(pieces);
    let title = writer.join(&row);
    let mut fields = Map::new();
    writer.stated.fields(&mut fields, told);
    Some(Labelled {
        title,
        outcome,
        cards: Vec::new(),
        fields,
    })
}
