//! A pack gives back the index that it was made from, byte for byte, and damaged packs are refused.
#![allow(clippy::unwrap_used, reason = "these are tests")]

use proptest::prelude::*;
use std::sync::OnceLock;
use titledex::internals::build::input::{jsonl_cards, jsonl_sets};
use titledex::internals::build::rows::{CardRow, Printing, Rows, SetRow};
use titledex::internals::build::{Selection, build, build_selected};
use titledex::internals::pack::{is_pack, merge, pack, unpack};
use titledex::{Catalogue, Engine, Error, ErrorKind, MarketIds, Options};

fn rows() -> Rows {
    let mut rows = Rows::default();
    jsonl_sets(
        "sets.jsonl",
        include_bytes!("../fixtures/catalogue-small/sets.jsonl"),
        &mut rows,
    )
    .unwrap();
    jsonl_cards(
        "cards.jsonl",
        include_bytes!("../fixtures/catalogue-small/cards.jsonl"),
        &mut rows,
    )
    .unwrap();
    rows
}

fn small() -> &'static (Vec<u8>, Vec<u8>) {
    static SMALL: OnceLock<(Vec<u8>, Vec<u8>)> = OnceLock::new();
    SMALL.get_or_init(|| {
        let index = build(&rows(), "small").unwrap();
        let packed = pack(&index).unwrap();
        (index, packed)
    })
}

#[test]
fn default_catalogue_round_trips() {
    let packed = pack(titledex_embedded::INDEX).unwrap();
    assert!(is_pack(&packed));
    assert!(unpack(&packed).unwrap() == titledex_embedded::INDEX);
    // all that follows from the rest is made from it: nothing of the index travels as it lies
    assert!(
        packed.len() * 2 < titledex_embedded::INDEX.len(),
        "{} bytes",
        packed.len()
    );
}

#[test]
fn unpacked_catalogues_give_the_same_answers() {
    let (index, packed) = small();
    assert!(unpack(packed).unwrap() == *index);
    let selection = Selection {
        languages: vec!["english".into()],
        ..Selection::default()
    };
    let chosen = build_selected(&rows(), "english", &selection).unwrap();
    assert!(chosen.len() < index.len());
    let again = unpack(&pack(&chosen).unwrap()).unwrap();
    assert!(again == chosen);
    let engine = Engine::new(Catalogue::open_trusted(again).unwrap());
    let _ = engine.answer("Charizard 4/102", &Options::default());
}

#[test]
fn other_files_are_refused() {
    let kind = |bytes: &[u8]| unpack(bytes).unwrap_err().kind();
    let (index, packed) = small();
    assert_eq!(kind(b""), ErrorKind::NotAnIndex);
    assert_eq!(kind(index), ErrorKind::NotAnIndex);
    assert_eq!(kind(&packed[..12]), ErrorKind::Corrupt);
    assert_eq!(kind(&packed[..packed.len() - 1]), ErrorKind::Corrupt);
    assert_eq!(kind(&[packed, &b"x"[..]].concat()), ErrorKind::Corrupt);
    for (at, expected) in [
        (8, ErrorKind::Version),
        (12, ErrorKind::Version),
        (16, ErrorKind::Corrupt),
    ] {
        let mut altered = packed.clone();
        altered[at] ^= 1;
        assert_eq!(kind(&altered), expected);
    }
    assert!(pack(b"TITLEDEX").is_err());
}

/// Cards of another game, one of which has the name of a card of the first.
fn other_rows() -> Rows {
    let sets = r#"{"id":"OP01","code":"OP01","names":{"en":"Romance Dawn"},"game":"onepiece"}"#;
    let cards = r#"
{"id":"OP01-025","set":"OP01","number":"025","printedNumber":"OP01-025","names":{"en":"Roronoa Zoro","ja":"ロロノア・ゾロ"},"rarity":"Super Rare","game":"onepiece"}
{"id":"OP01-026","set":"OP01","number":"026","printedNumber":"OP01-026","names":{"en":"Charizard"},"rarity":"Common","game":"onepiece"}
"#;
    let mut rows = Rows::default();
    jsonl_sets("sets", sets.as_bytes(), &mut rows).unwrap();
    jsonl_cards("cards", cards.as_bytes(), &mut rows).unwrap();
    rows
}

#[test]
fn packs_of_games_merge_to_the_index_of_all() {
    let mut all = rows();
    all.extend(other_rows());
    let index = build(&all, "all").unwrap();
    let other = pack(&build(&other_rows(), "other").unwrap()).unwrap();
    let (_, first) = small();
    for packs in [[first, &other], [&other, first]] {
        let merged = merge(packs.map(|bytes| unpack(bytes)), "all", Vec::new()).unwrap();
        assert!(merged == index, "in whatever order they come");
    }
    let catalogue = Catalogue::open(index.clone()).unwrap();
    let held = |id: &str| catalogue.card(id).map(|card| card.name.to_owned());
    assert_eq!(held("base1-4").as_deref(), Some("Charizard"));
    assert_eq!(
        held("onepiece:OP01-025").as_deref(),
        Some("Roronoa Zoro"),
        "each card is as it was"
    );
    assert!(unpack(&pack(&index).unwrap()).unwrap() == index);
    let named = merge([unpack(first), unpack(&other)], "", Vec::new()).unwrap();
    let named = Catalogue::open(named).unwrap();
    let info = named.info();
    assert_eq!(info.name, "other + small");
    assert_eq!(info.games, ["onepiece", "pokemon"]);
}

#[test]
fn what_cannot_be_merged_is_refused() {
    let refused = |indexes: Vec<Result<Vec<u8>, Error>>| {
        let error = merge(indexes, "", Vec::new()).unwrap_err();
        (error.kind(), error.to_string())
    };
    let (index, packed) = small();
    let (kind, message) = refused(vec![unpack(packed), Ok(index.clone())]);
    assert_eq!(kind, ErrorKind::Duplicate);
    assert!(message.contains("open each card once"), "{message}");
    assert_eq!(refused(vec![]).0, ErrorKind::Source);
    let (other, damaged) = (b"TITLEDEX".to_vec(), unpack(&packed[..99]));
    assert_eq!(
        refused(vec![Ok(index.clone()), damaged]).0,
        ErrorKind::Corrupt
    );
    assert_ne!(refused(vec![Ok(other)]).0, ErrorKind::Duplicate);
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[A-Za-z0-9 &'’()（）＆ーア-ン火の-]{0,12}",
        Just("Ho-Oh".to_owned()),
        Just("ピカチュウ".to_owned())
    ]
}

fn card() -> impl Strategy<Value = CardRow> {
    let number = prop_oneof!["[0-9]{1,3}", "TG[0-9]{1,2}", Just(String::new()), text()];
    let names = proptest::collection::vec(
        (
            prop_oneof![Just("en"), Just("ja"), Just("fr"), Just("zz")],
            text(),
        ),
        0..3,
    );
    let printings = proptest::collection::vec((text(), text()), 0..3);
    // near to each other, as most are, and far apart
    let id = || prop_oneof![Just(0), 1u32..300, 0u32..0xff_ffff];
    let market_ids = proptest::collection::vec((id(), id()), 0..3);
    (
        (
            text(),
            number,
            prop_oneof![Just("9".to_owned()), text()],
            names,
            text(),
            any::<[u8; 4]>(),
        ),
        (text(), text(), printings, any::<bool>(), market_ids),
    )
        .prop_map(
            |(
                (set, number, total, names, product, bytes),
                (rarity, illustrator, printings, flag, market_ids),
            )| CardRow {
                set,
                number,
                total,
                names: names
                    .into_iter()
                    .map(|(code, name)| (code.to_owned(), name))
                    .collect(),
                english_unsure: flag,
                number_unprinted: bytes[0] > 200,
                language: if flag { "english" } else { "japanese" }.to_owned(),
                subjects: if bytes[1] > 128 {
                    vec![u16::from(bytes[2]), 25]
                } else {
                    Vec::new()
                },
                hp: u16::from(bytes[3]) * 10,
                rarity,
                illustrator,
                product,
                printings: printings
                    .into_iter()
                    .map(|(label, slug)| Printing { label, slug })
                    .collect(),
                market_ids: market_ids
                    .into_iter()
                    .map(|(tcgplayer, cardmarket)| MarketIds::new(tcgplayer, cardmarket))
                    .collect(),
                ..CardRow::default()
            },
        )
}

proptest! {
    /// Every catalogue gives its index back.
    #[test]
    fn any_index_round_trips(mut cards in proptest::collection::vec(card(), 1..40), sets in proptest::collection::btree_map(text(), text(), 0..4)) {
        for (at, card) in cards.iter_mut().enumerate() {
            // some ids are as usual, others not
            card.id = if at % 3 == 0 { format!("{}-{}-{at}", card.set, card.number) } else { format!("{}-{}", card.set, card.number) };
            // and some of another game
            if card.set.len() % 2 == 1 { card.game = "onepiece".into(); }
        }
        cards.sort_by(|a, b| a.id.cmp(&b.id));
        cards.dedup_by(|a, b| a.id == b.id);
        let sets = sets.into_iter().map(|(id, name)| SetRow { id, names: vec![("ja".into(), name)], ..SetRow::default() }).collect();
        let index = build(&Rows { cards, sets, ..Rows::default() }, "any").unwrap();
        prop_assert!(unpack(&pack(&index).unwrap()).unwrap() == index);
        prop_assert!(Catalogue::open(index).is_ok());
    }

    /// Altered packs give an error or the same index, never a panic.
    #[test]
    fn an_altered_pack_is_refused(changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)) {
        let (index, packed) = small();
        let mut altered = packed.clone();
        for (at, byte) in changes {
            let at = at.index(altered.len());
            altered[at] = byte;
        }
        if let Ok(made) = unpack(&altered) {
            prop_assert!(made == *index);
        }
    }

    /// A valid header followed by arbitrary bytes.
    #[test]
    fn any_bytes_are_safe(bytes in proptest::collection::vec(prop_oneof![any::<u8>(), 0u8..4], 0..3000)) {
        let (_, packed) = small();
        let _ = unpack(&[&packed[..24], &bytes].concat());
    }
}
