//! Packs of several games, merged as a browser merges them, answer as an index that is built of all
//! their cards.
#![cfg(feature = "games")]
#![allow(clippy::unwrap_used, reason = "these are tests")]

use std::path::Path;
use titledex::internals::build::{Selection, build, build_selected};
use titledex::internals::pack::{merge, pack, unpack};
use titledex::{Catalogue, Engine, ErrorKind, Options, Scratch};
use titledex_command::catalogue::{Bound, rows_of};

/// The index of some games of the built-in catalogue.
fn index(games: &[&str]) -> Vec<u8> {
    let games: Vec<String> = games.iter().map(|game| (*game).to_owned()).collect();
    let rows = rows_of(&[], None, &games, Path::new("-"), &Bound::default()).unwrap();
    build(&rows, "some").unwrap()
}

fn engine(index: Vec<u8>) -> Engine {
    Engine::new(Catalogue::open(index).unwrap())
}

/// The titles of the fixtures, and some that games might dispute.
fn titles() -> Vec<String> {
    let mut titles: Vec<String> = [
        "Roronoa Zoro OP01-001 Leader Romance Dawn PSA 10",
        "One Piece Monkey.D.Luffy OP01-024 SR alt art",
        "Agumon BT1-010 Digimon rare NM",
        "Elsa - Snow Queen 41/204 Lorcana enchanted foil",
        "Zorua 73/122 holo",
        "Nami OP01-016 parallel",
        "Charizard 4/102 Zoro OP01-001",
        "pikachoo 58/102",
        "Rurouni agumn BT1 010",
        "ロロノア・ゾロ OP01-001",
        "アグモン BT1-010",
        "Mickey Mouse - Brave Little Tailor 115/204",
    ]
    .map(str::to_owned)
    .to_vec();
    for folder in ["golden", "negative"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../fixtures")
            .join(folder);
        let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().flatten().collect();
        files.sort_by_key(std::fs::DirEntry::path);
        for file in files {
            let text = std::fs::read_to_string(file.path()).unwrap();
            for line in text.lines().filter(|line| line.starts_with('{')) {
                let row: serde_json::Value = serde_json::from_str(line).unwrap();
                titles.extend(row["title"].as_str().map(str::to_owned));
            }
        }
    }
    titles
}

#[test]
fn merged_packs_answer_as_one_index_of_all_their_cards() {
    let packed = |games: &[&str]| unpack(&pack(&index(games)).unwrap()).unwrap();
    let packs = [
        packed(&["pokemon"]),
        packed(&["onepiece"]),
        packed(&["lorcana", "digimon"]),
    ];
    let merged = engine(merge(&packs).unwrap());
    let built = engine(index(&["pokemon", "onepiece", "lorcana", "digimon"]));
    let count = |engine: &Engine| {
        let info = engine.catalogue().info();
        (info.cards, info.sets, info.printings)
    };
    assert_eq!(count(&merged), count(&built));
    assert_eq!(
        merged.games(),
        ["digimon", "lorcana", "onepiece", "pokemon"]
    );
    let (mut one, mut other) = (Scratch::default(), Scratch::default());
    let titles = titles();
    let mut differ = Vec::new();
    for title in &titles {
        let options = Options::new();
        let answer = serde_json::to_string(&merged.answer_with(&mut one, title, &options)).unwrap();
        let wanted =
            serde_json::to_string(&built.answer_with(&mut other, title, &options)).unwrap();
        if answer != wanted {
            differ.push(format!("{title}\n  {answer}\n  {wanted}"));
        }
    }
    assert!(titles.len() > 500, "{}", titles.len());
    assert!(
        differ.is_empty(),
        "{} of {} differ:\n{}",
        differ.len(),
        titles.len(),
        differ
            .iter()
            .take(5)
            .cloned()
            .collect::<Vec<_>>()
            .join("\n")
    );
}

#[test]
fn merging_one_pack_changes_no_answer_and_twins_are_refused() {
    let whole = index(&["onepiece"]);
    let alone = engine(merge(&[&whole]).unwrap());
    let built = engine(whole.clone());
    for title in titles().iter().take(200) {
        let answer = |engine: &Engine| {
            serde_json::to_string(&engine.answer(title, &Options::new())).unwrap()
        };
        assert_eq!(answer(&alone), answer(&built), "{title}");
    }
    let error = merge(&[&whole, &whole]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Duplicate);
    assert!(error.to_string().contains("onepiece:"), "{error}");
    assert!(merge::<Vec<u8>>(&[]).is_err());
    assert!(merge(&[b"no index"]).is_err());
    let english = Selection {
        languages: vec!["english".to_owned()],
        ..Selection::default()
    };
    let games = ["lorcana".to_owned()];
    let rows = rows_of(&[], None, &games, Path::new("-"), &Bound::default()).unwrap();
    let english = build_selected(&rows, "english", &english).unwrap();
    let both = engine(merge(&[whole, english]).unwrap());
    assert_eq!(both.games(), ["lorcana", "onepiece"]);
}
