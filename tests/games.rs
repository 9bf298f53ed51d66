//! Cards of several games in one catalogue, and of another game alone.

use titledex::internals::build::build;
use titledex::internals::build::input::{jsonl_cards, jsonl_sets};
use titledex::internals::build::rows::Rows;
use titledex::internals::dictionary::{FILES, FIRST_GAME};
use titledex::internals::pack::merge;
use titledex::{Answer, Catalogue, Dictionary, Engine, Options, OutcomeType};

mod support;

const SETS: &str = r#"
{"id":"OP01","code":"OP01","names":{"en":"Romance Dawn","ja":"ロマンスドーン"},"game":"onepiece"}
{"id":"OP05","code":"OP05","names":{"en":"Awakening of the New Era"},"game":"onepiece"}
{"id":"ST21","code":"ST21","names":{"en":"Gear 5"},"game":"onepiece"}
{"id":"P","names":{"en":"Promotion Cards"},"game":"onepiece"}
{"id":"BT1","code":"BT1","names":{"en":"New Evolution"},"game":"digimon"}
"#;
const CARDS: &str = r#"
{"id":"OP01-025","set":"OP01","number":"025","printedNumber":"OP01-025","names":{"en":"Roronoa Zoro","ja":"ロロノア・ゾロ"},"rarity":"Super Rare","game":"onepiece"}
{"id":"OP01-001","set":"OP01","number":"001","printedNumber":"OP01-001","names":{"en":"Roronoa Zoro"},"rarity":"Leader","game":"onepiece"}
{"id":"OP05-119","set":"OP05","number":"119","printedNumber":"OP05-119","names":{"en":"Monkey.D.Luffy"},"rarity":"Secret Rare","game":"onepiece"}
{"id":"ST21-015","set":"ST21","number":"015","printedNumber":"ST21-015","names":{"en":"Roronoa Zoro"},"rarity":"Common","game":"onepiece"}
{"id":"P-001","set":"P","number":"001","printedNumber":"P-001","names":{"en":"Monkey.D.Luffy"},"rarity":"Promo","game":"onepiece"}
{"id":"BT1-010","set":"BT1","number":"010","printedNumber":"BT1-010","names":{"en":"Agumon","ja":"アグモン"},"rarity":"Common","game":"digimon"}
"#;

/// The index of some cards and their sets.
fn index_of(sets: &str, cards: &str) -> Vec<u8> {
    let mut rows = Rows::default();
    jsonl_sets("sets", sets.as_bytes(), &mut rows).expect("the sets are right");
    jsonl_cards("cards", cards.as_bytes(), &mut rows).expect("the cards are right");
    build(&rows, "games").expect("the rows make a catalogue")
}

/// The other games' cards, with those of the default catalogue or alone.
fn engine(with_default: bool) -> Engine {
    let mut index = index_of(SETS, CARDS);
    if with_default {
        let both = [titledex_embedded::INDEX.to_vec(), index].map(Ok);
        index = merge(both, "games", Vec::new()).expect("the indexes are of different games");
    }
    Engine::new(Catalogue::open(index).expect("it was just built"))
}

/// The card that is first, the type of the answer, and what is read of number and game.
fn told<'a>(answer: &'a Answer<'_>) -> (&'a str, OutcomeType, &'a str, &'a str) {
    let text = |text: &'a Option<std::borrow::Cow<'_, str>>| text.as_deref().unwrap_or("");
    let first = answer.matches.first().map_or("", |card| &card.card_id);
    let parsed = &answer.parsed;
    (
        first,
        answer.outcome.kind,
        text(&parsed.number),
        text(&parsed.game),
    )
}

#[test]
fn cards_of_each_game_are_found_by_their_codes() {
    for with_default in [false, true] {
        let engine = engine(with_default);
        for (title, card, number, game) in [
            (
                "Roronoa Zoro OP01-025 SR Romance Dawn NM",
                "onepiece:OP01-025",
                "OP01-025",
                "onepiece",
            ),
            (
                "ワンピースカード ロロノア・ゾロ OP01-025 SR",
                "onepiece:OP01-025",
                "OP01-025",
                "onepiece",
            ),
            (
                "Zoro leader op01-001 romance dawn",
                "onepiece:OP01-001",
                "OP01-001",
                "onepiece",
            ),
            (
                "Monkey D Luffy OP05 119 SEC Awakening of the New Era PSA 10",
                "onepiece:OP05-119",
                "OP05119",
                "onepiece",
            ),
            (
                "Monkey.D.Luffy (OP05119) PSA 10",
                "onepiece:OP05-119",
                "OP05119",
                "onepiece",
            ),
            // as long a number as one pattern reads, not as short as another's
            (
                "One Piece Roronoa Zoro ST21-015 C",
                "onepiece:ST21-015",
                "ST21-015",
                "onepiece",
            ),
            (
                "One Piece Monkey D Luffy P-001 promo",
                "onepiece:P-001",
                "P-001",
                "onepiece",
            ),
            // graders print the number without its code
            (
                "2023 One Piece Awakening of the New Era Monkey.D.Luffy #119 PSA 10",
                "onepiece:OP05-119",
                "119",
                "onepiece",
            ),
            (
                "Digimon Agumon BT1-010 foil",
                "digimon:BT1-010",
                "BT1-010",
                "digimon",
            ),
        ] {
            let answer = engine.answer(title, &Options::new());
            let (first, outcome, read, of) = told(&answer);
            assert_eq!((first, of), (card, game), "{title}: {:?}", answer.outcome);
            assert_eq!(outcome, OutcomeType::Match, "{title}: {:?}", answer.outcome);
            assert_eq!(read, number, "{title}");
            assert_eq!(answer.matches[0].game, game);
        }
    }
}

#[test]
fn a_code_that_no_card_has_is_read_and_refused() {
    let engine = engine(true);
    let answer = engine.answer("One Piece Nami OP01-116 UC Romance Dawn", &Options::new());
    let (_, outcome, number, game) = told(&answer);
    assert_eq!(
        (outcome, number, game),
        (OutcomeType::NotInCatalogue, "OP01-116", "onepiece")
    );
}

#[test]
fn a_game_that_is_not_held_is_another_game() {
    let engine = engine(false);
    for (title, game) in [
        ("Pokemon Charizard 4/102 Base Set Holo", "pokemon"),
        ("Yu-Gi-Oh Blue-Eyes White Dragon SDK-001", "yugioh"),
    ] {
        let answer = engine.answer(title, &Options::new());
        let (_, outcome, _, of) = told(&answer);
        assert_eq!((outcome, of), (OutcomeType::OtherGame, game), "{title}");
    }
}

#[test]
fn ids_of_other_games_bear_their_game() {
    let engine = engine(true);
    let catalogue = engine.catalogue();
    assert!(catalogue.card("base1-4").is_some());
    let card = catalogue.card("onepiece:OP01-025").expect("it is held");
    assert_eq!(
        (card.set_id, card.number),
        ("onepiece:OP01", Some("OP01-025"))
    );
    let games = catalogue
        .describe()
        .into_iter()
        .find(|(fact, _)| *fact == "games");
    assert_eq!(
        games.map(|(_, games)| games),
        Some("digimon 1, onepiece 5, pokemon 52174".to_owned())
    );
}

/// Sources give the Japanese name for a card that was printed in Korean alone.
#[test]
fn cards_are_of_a_language_of_their_printings() {
    let sets = r#"
{"id":"ocg:TW03","code":"TW03","region":"ocg","names":{"ja":"TERMINAL WORLD 3"},"game":"yugioh"}
"#;
    let cards = r#"
{"id":"ocg:TW03-041","region":"ocg","set":"ocg:TW03","number":"041","names":{"ja":"星騎士 キュグニ","ko":"성기사 퀴그니"},"variants":[{"rarity":"Common","languages":["ja","ko"]}],"game":"yugioh"}
{"id":"ocg:TW03-054","region":"ocg","set":"ocg:TW03","number":"054","names":{"ja":"星騎士 キュグニ","ko":"성기사 퀴그니"},"variants":[{"rarity":"Common","languages":["ko"]}],"game":"yugioh"}
"#;
    let catalogue = Catalogue::open(index_of(sets, cards)).expect("it was just built");
    let engine = Engine::new(catalogue);
    let answer = engine.answer("遊戯王 星騎士 キュグニ", &Options::default());
    let of = |id: &str| answer.matches.iter().find(|card| card.card_id == id);
    let printed = of("yugioh:ocg:TW03-041").expect("it bears the name");
    let korean = of("yugioh:ocg:TW03-054").expect("so does it");
    assert_eq!(
        (&*printed.language, &*korean.language),
        ("japanese", "korean")
    );
    assert!(printed.confidence.get() > korean.confidence.get());
}

/// The module of the first game's packs has no words of other games, and must say what the command
/// says.
#[test]
fn the_dictionaries_of_games_that_are_not_held_change_no_byte() {
    let own = |path: &str| path.starts_with("common/") || path.starts_with(FIRST_GAME);
    let files: Vec<_> = (FILES.iter().copied())
        .filter(|(path, _)| own(path) || !path.contains('/'))
        .collect();
    assert!(files.len() < FILES.len());
    let dictionary = Dictionary::load(&files).expect("the files stand alone");
    let catalogue = titledex_embedded::catalogue().expect("the embedded catalogue opens");
    let alone = Engine::builder(catalogue)
        .dictionary(dictionary)
        .build()
        .expect("the catalogue brings no words");
    let line = |engine: &Engine, title: &str| {
        let mut line = Vec::new();
        engine
            .answer(title, &Options::default())
            .write_json(&mut line);
        String::from_utf8(line).expect("JSON is UTF-8")
    };
    for file in ["games.jsonl", "synthetic-titles.jsonl"] {
        for row in support::read(format!("fixtures/{file}")).lines() {
            let row: serde_json::Value = serde_json::from_str(row).expect("a row is JSON");
            let title = row["title"].as_str().expect("a row has a title");
            assert_eq!(line(&alone, title), line(support::engine(), title));
        }
    }
}

/// An index that brings the dictionary of a game of its own is refused with a reason where that
/// dictionary is damaged, though its sections are whole.
#[test]
fn a_damaged_dictionary_in_an_index_is_an_error() {
    let header = "member,value,meaning,note";
    let game = format!("{header}\nname,Skyport,,\n");
    let mut rows = Rows::default();
    rows.add_game("skyport", &[("game.csv".to_owned(), game)])
        .expect("the game is right");
    let card =
        r#"{"id":"S1-001","set":"S1","number":"001","names":{"en":"Harbour"},"game":"skyport"}"#;
    jsonl_cards("cards", card.as_bytes(), &mut rows).expect("the card is right");
    let index = build(&rows, "skyport").expect("the rows make a catalogue");
    let damaged = {
        let mut bytes = index.clone();
        let mut places = bytes.windows(header.len());
        let at = places.position(|part| part == header.as_bytes());
        bytes[at.expect("the index has the file")] = b'n';
        bytes
    };
    let engine = |bytes| {
        let catalogue = Catalogue::open_trusted(bytes).expect("its sections are whole");
        Engine::builder(catalogue).build()
    };
    assert!(engine(index).is_ok());
    let error = engine(damaged).expect_err("the header is another");
    let told = error.to_string();
    assert!(told.contains("skyport/game.csv"), "{told}");
}
