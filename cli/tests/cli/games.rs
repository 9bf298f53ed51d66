//! A game that is not built in, from a folder of text, as docs/GAMES.md walks through it.

use crate::support::{run, run_on, shell};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use titledex::internals::pack::{merge, unpack};
use titledex::{Catalogue, Engine, Options};

/// The walk, whose files the tests write.
const PAGE: &str = include_str!("../../../docs/GAMES.md");

/// The block of the page behind `name`, or behind the block before it.
fn block(name: &str, nth: usize) -> &'static str {
    let behind = PAGE.split_once(name).expect("the page names the file").1;
    behind
        .split("```")
        .nth(1 + 2 * nth)
        .expect("a block follows")
        .split_once('\n')
        .expect("it has lines")
        .1
}

/// Writes the folder of the page into `folder`, and the files of cards and sets beside it.
fn write(folder: &Path) {
    let game = folder.join("skyport");
    fs::create_dir(&game).expect("the folder is new");
    for file in [
        "game",
        "games",
        "number_codes",
        "rarities",
        "nicknames",
        "subjects",
    ] {
        let name = format!("skyport/{file}.csv");
        fs::write(folder.join(&name), block(&format!("`{name}`"), 0)).expect("it is written");
    }
    fs::write(folder.join("cards.jsonl"), block("`cards.jsonl`", 0)).expect("it is written");
    fs::write(folder.join("sets.jsonl"), block("`cards.jsonl`", 1)).expect("it is written");
}

/// The arguments that build the index of the page.
fn build_in(folder: &Path) -> Vec<String> {
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let (cards, sets) = (path("cards.jsonl"), path("sets.jsonl"));
    let (game, index) = (path("skyport"), path("skyport.index"));
    [
        "catalogue",
        "build",
        &cards,
        "--sets",
        &sets,
        "--game",
        &game,
        "-o",
        &index,
    ]
    .map(str::to_owned)
    .to_vec()
}

#[test]
fn a_game_is_a_folder_of_text() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path());
    let args = build_in(folder.path());
    let ran = run(&args.iter().map(String::as_str).collect::<Vec<_>>());
    ran.ended(0);
    let index = folder.path().join("skyport.index");
    let titles = [
        (
            "Skyport TCG Eisenflügel SK2-003 nm",
            "skyport:SK2-003",
            "match",
            "",
        ),
        (
            "Skyport TCG Captain Ironwing SK1-014 Stellar Rare PSA 10",
            "skyport:SK1-014",
            "match",
            "Stellar Rare",
        ),
        (
            "ironwing stellar first flight nm",
            "skyport:SK1-014",
            "match",
            "Stellar Rare",
        ),
        (
            "スカイポート 港の盗人 SK1-015",
            "skyport:SK1-015",
            "match",
            "",
        ),
        (
            "Captain Ironwing Broken Skies #3",
            "skyport:SK2-003",
            "match",
            "",
        ),
        (
            "Skyport Legends Captain Ironwing",
            "skyport:SK1-014",
            "ambiguous",
            "",
        ),
        ("Yu-Gi-Oh! Dark Magician LOB-EN005", "", "other_game", ""),
    ];
    let input: String = titles.iter().map(|row| format!("{}\n", row.0)).collect();
    let catalogue = index.to_string_lossy();
    let ran = run_on(&["parse", "--catalogue", &catalogue], input.as_bytes());
    let answers = ran.ended(0).answers();
    for ((title, card, outcome, rarity), answer) in titles.iter().zip(answers) {
        assert_eq!(answer["outcome"]["type"], *outcome, "{title}: {answer}");
        let first = answer["matches"][0]["cardId"].as_str();
        if *outcome != "other_game" {
            assert_eq!(first, Some(*card), "{title}");
            assert_eq!(answer["parsed"]["game"], "skyport", "{title}");
        }
        assert_eq!(
            answer["parsed"]["rarity"].as_str().unwrap_or(""),
            *rarity,
            "{title}"
        );
    }
}

/// The lines of the page that are commands, as they are printed.
#[test]
fn commands_of_the_page_answer_the_titles_of_their_file() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path());
    fs::write(
        folder.path().join("titles.txt"),
        "Pokemon Charizard 4/102 Base Set\nOne Piece Card Game Roronoa Zoro OP01-025\nSkyport TCG Captain Ironwing SK1-014\n",
    )
    .expect("it is written");
    let mut answered = 0;
    for block in PAGE.split("```sh\n").skip(1) {
        let lines = block.split("```").next().expect("a block has lines");
        for line in lines.lines() {
            let ran = shell(line, folder.path());
            assert_eq!(ran.code, Some(0), "{line}\n{}", ran.err);
            if line.starts_with("titledex parse") {
                let answers = ran.answers();
                let first = &answers[0]["title"];
                assert_eq!((answers.len(), ran.err.as_str()), (3, ""), "{line}");
                assert_eq!(first, "Pokemon Charizard 4/102 Base Set", "{line}");
                answered += 1;
            }
        }
    }
    assert_eq!(answered, 4);
}

#[test]
fn regions_of_a_game_are_rows_of_its_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path());
    let regions = block("Where a game numbers its prints", 0);
    fs::write(folder.path().join("skyport/game.csv"), regions).expect("it is written");
    let lines = [
        (
            "cards.jsonl",
            r#"{"game":"skyport","id":"W1-007","set":"W1","region":"west","number":"007","printedNumber":"007/040","denominator":"040","names":{"en":"Captain Ironwing"},"subjects":[1]}
{"game":"skyport","id":"E1-007","set":"E1","region":"orient","number":"007","printedNumber":"007/040","denominator":"040","names":{"ja":"アイアンウィング船長"},"subjects":[1]}
"#,
        ),
        (
            "sets.jsonl",
            r#"{"game":"skyport","id":"W1","region":"west","names":{"en":"Western Skies"}}
{"game":"skyport","id":"E1","region":"east","names":{"ja":"東の空"}}
"#,
        ),
    ];
    for (file, text) in lines {
        fs::write(folder.path().join(file), text).expect("it is written");
    }
    let args = build_in(folder.path());
    run(&args.iter().map(String::as_str).collect::<Vec<_>>()).ended(0);
    let index = folder.path().join("skyport.index");
    let index = index.to_string_lossy();
    for (title, card) in [
        ("Skyport Ironwing 007/040 nm", "skyport:W1-007"),
        ("Skyport Ironwing 007/040 Japanese nm", "skyport:E1-007"),
        ("スカイポート アイアンウィング 007/040", "skyport:E1-007"),
    ] {
        let answers = run(&["parse", "--catalogue", &index, title])
            .ended(0)
            .answers();
        assert_eq!(answers[0]["matches"][0]["cardId"], card, "{title}");
    }
    for (region, card) in [
        ("west", "skyport:W1-007"),
        ("east", "skyport:E1-007"),
        ("orient", "skyport:E1-007"),
    ] {
        let args = [
            "search",
            "--catalogue",
            &index,
            "--region",
            region,
            "ironwing",
        ];
        let found = run(&args).ended(0).answers();
        let ids: Vec<&Value> = found.iter().map(|card| &card["id"]).collect();
        assert_eq!(ids, [card], "{region}");
    }
    let sets = folder.path().join("sets.jsonl");
    let text = fs::read_to_string(&sets).expect("it is there");
    fs::write(&sets, text.replace("\"east\"", "\"north\"")).expect("it is written");
    let ran = run(&args.iter().map(String::as_str).collect::<Vec<_>>()).ended(1);
    assert!(ran.err.contains("is not one of: west, east"), "{}", ran.err);
}

#[test]
fn a_game_that_contradicts_itself_is_refused_by_file_and_line() {
    let cases = [
        (
            "game.csv",
            "member,value,meaning,note\nregion,east,japanese,\n",
            "game.csv: no row gives the `name`",
        ),
        (
            "game.csv",
            "member,value,meaning,note\nname,A,,\nregion,east,,\n",
            "game.csv:3: `meaning` is empty",
        ),
        (
            "number_codes.csv",
            "pattern,example,note\nsk[0-9,SK1,\n",
            "number_codes.csv:2: ",
        ),
        (
            "number_codes.csv",
            "pattern,example,note\nsk[0-9],SK1-014,\n",
            "number_codes.csv:2: the pattern does not fit",
        ),
        (
            "rarities.csv",
            "canonical,aliases\n",
            "rarities.csv:1: columns are",
        ),
        (
            "subjects.csv",
            "number,en,ja,romaji,fr,de,es,it,pt,ko,zh-tw,zh-cn\n0,Ironwing,,,,,,,,,,\n",
            "subjects.csv:2: `number` is not between 1 and 2047",
        ),
        (
            "spells.csv",
            "a\n",
            "spells.csv: no game of your own has such a file: write `common_words.csv`, ",
        ),
        // in `common/` alone, and in games of the build alone
        ("units.csv", "a\n", "units.csv: no game of your own has"),
        ("set_ids.csv", "a\n", "set_ids.csv: no game of your own has"),
        (
            "printings.csv",
            "canonical,aliases,field,implies,labels,absent,when,note\nred,Red,colour,,,,,\n",
            "printings.csv:2: `field` is `colour`: write `edition`, ",
        ),
        (
            "rarities.csv",
            "canonical,aliases,catalogue,when,note\nRare,Rare,rare,upper loud,\n",
            "rarities.csv:2: `when` has the word `loud`: write `upper`, `exact`, ",
        ),
    ];
    for (file, text, told) in cases {
        let folder = tempfile::tempdir().expect("a folder");
        write(folder.path());
        fs::write(folder.path().join("skyport").join(file), text).expect("it is written");
        let args = build_in(folder.path());
        let ran = run(&args.iter().map(String::as_str).collect::<Vec<_>>());
        let ran = ran.ended(1);
        assert!(ran.err.contains(told), "{file}: {}", ran.err);
        assert!(ran.err.contains("skyport"), "{file}: {}", ran.err);
    }
    // without the folder the game is unknown
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path());
    let args = build_in(folder.path());
    let args: Vec<&str> = args
        .iter()
        .map(String::as_str)
        .filter(|arg| !arg.ends_with("skyport") && *arg != "--game")
        .collect();
    let ran = run(&args).ended(1);
    assert!(
        ran.err.contains("is not a game that is known"),
        "{}",
        ran.err
    );
}

#[test]
fn games_that_are_not_asked_for_are_closed() {
    let title = b"One Piece Card Game Roronoa Zoro OP01-025 SR\n";
    let answer = |games: &str| -> Value {
        let ran = run_on(&["parse", "--games", games], title);
        ran.ended(0).answers().remove(0)
    };
    for closed in ["pokemon", "pokemon,lorcana"] {
        assert_eq!(answer(closed)["outcome"]["type"], "other_game", "{closed}");
    }
    let open = answer("pokemon,onepiece");
    assert_eq!(open["outcome"]["type"], "match");
    assert_eq!(open["matches"][0]["cardId"], "onepiece:OP01-025");
    let ran = run_on(&["parse", "--games", "pokemon,poker"], title).ended(1);
    assert!(
        ran.err.contains("no cards of the game `poker`"),
        "{}",
        ran.err
    );
}

#[test]
fn game_that_is_named_twice_is_one_game() {
    let titles = titles();
    let input: String = titles.iter().map(|title| format!("{title}\n")).collect();
    for (twice, once) in [
        ("pokemon,pokemon", "pokemon"),
        ("onepiece,digimon,onepiece", "digimon,onepiece"),
    ] {
        let info = |games| run(&["catalogue", "info", "--games", games]).ended(0).out;
        assert_eq!(info(twice), info(once));
        let answers = |games| {
            let ran = run_on(&["parse", "--games", games], input.as_bytes());
            ran.ended(0).out
        };
        assert!(answers(twice) == answers(once), "{twice}");
        let folder = tempfile::tempdir().expect("a folder");
        let written = |command, games| {
            let path = folder.path().join("same");
            let output = path.to_string_lossy();
            run(&["catalogue", command, "--games", games, "-o", &output]).ended(0);
            fs::read(&path).expect("it was written")
        };
        for command in ["build", "pack"] {
            let same = written(command, twice) == written(command, once);
            assert!(same, "{command} --games {twice}");
        }
    }
}

/// Titles of all games, with the first card of each.
const TITLES: &str = include_str!("../../../fixtures/games.jsonl");

#[test]
fn titles_of_every_game_find_their_card() {
    let rows = TITLES.lines().map(serde_json::from_str);
    let rows: Vec<Value> = rows.collect::<Result<_, _>>().expect("rows are JSON");
    let lines = rows.iter().map(|row| row["title"].as_str());
    let input: String = lines
        .map(|title| title.expect("each has a title").to_owned() + "\n")
        .collect();
    let ran = run_on(&["parse", "--from", "lines"], input.as_bytes());
    let answers = ran.ended(0).answers();
    assert_eq!(answers.len(), rows.len());
    let mut problems = Vec::new();
    for (row, answer) in rows.iter().zip(&answers) {
        let first = &answer["matches"][0];
        let expected = row["expect"].as_object();
        let expected = expected.unwrap_or_else(|| panic!("{}: nothing expected", row["title"]));
        let states = |field| expected.contains_key(field);
        assert!(
            states("outcome") && (states("game") || !states("cards")),
            "{}: no outcome, or a card without its game",
            row["title"]
        );
        let right = expected.iter().all(|(field, value)| match field.as_str() {
            "outcome" => answer["outcome"]["type"] == *value,
            "cards" => first["cardId"] == value[0],
            "game" if states("cards") => first["game"] == *value,
            "printing" => first["printing"] == *value,
            "conflicts" => answer.get("conflicts").unwrap_or(&json!([])) == value,
            "set" => answer["parsed"]["set"]["id"] == *value,
            "finish" => answer["parsed"]["printing"]["finish"] == *value,
            "parsed" => {
                let mut fields = value.as_object().into_iter().flatten();
                fields.all(|(field, value)| answer["parsed"][field] == *value)
            }
            field => answer["parsed"][field] == *value,
        });
        // as in the rows of `fixtures/golden`
        let known = row.get("known").map(|why| {
            let why = why.as_str().filter(|why| !why.is_empty());
            why.unwrap_or_else(|| panic!("{}: `known` says why", row["title"]))
        });
        match (known, right) {
            (None, true) | (Some(_), false) => {}
            (None, false) => problems.push(format!(
                "{}: {}, {}, {}, {}",
                row["title"],
                answer["outcome"]["type"],
                first["cardId"],
                first["game"],
                first["printing"]
            )),
            (Some(_), true) => problems.push(format!(
                "{}: has come right: remove its `known`",
                row["title"]
            )),
        }
    }
    assert!(
        problems.is_empty(),
        "rows are not as they say:\n  {}",
        problems.join("\n  ")
    );
}

/// The titles that answers are compared for: of all games, and of Pokémon.
fn titles() -> Vec<String> {
    let of_games = include_str!("../../../fixtures/games.jsonl").lines();
    let of_games = of_games.map(|line| -> Value { serde_json::from_str(line).expect("a row") });
    let of_games = of_games.map(|row| row["title"].as_str().expect("a title").to_owned());
    let of_first = include_str!("../../../fixtures/bench-titles.txt").lines();
    of_games
        .chain(of_first.take(100).map(str::to_owned))
        .collect()
}

#[test]
fn some_games_answer_as_their_packs_in_a_browser_do() {
    let folder = tempfile::tempdir().expect("a folder");
    let titles = titles();
    let input: String = titles.iter().map(|title| format!("{title}\n")).collect();
    for games in [&["onepiece"][..], &["pokemon", "digimon", "onepiece"]] {
        let packs = games.iter().map(|game| {
            let path = folder.path().join(format!("{game}.pack"));
            let output = path.to_string_lossy();
            run(&["catalogue", "pack", "--games", game, "-o", &output]).ended(0);
            unpack(&fs::read(&path).expect("it was written"))
        });
        // as `Reader::open_all` of the browser's module does
        let index = merge(packs, "", Vec::new()).expect("they merge");
        let catalogue = Catalogue::open(index).expect("it was just made");
        let dictionary = titledex_embedded::dictionary().expect("it opens");
        let engine = Engine::builder(catalogue).dictionary(dictionary);
        let engine = engine.build().expect("it builds");
        let mut expected = Vec::new();
        for title in &titles {
            let answer = engine.answer(title, &Options::new());
            answer.write_json(&mut expected);
            expected.push(b'\n');
        }
        let expected = String::from_utf8(expected).expect("JSON is text");
        let ran = run_on(&["parse", "--games", &games.join(",")], input.as_bytes());
        let answers = ran.ended(0).out;
        for (answer, expected) in answers.lines().zip(expected.lines()) {
            assert_eq!(answer, expected, "--games {}", games.join(","));
        }
        assert_eq!(answers.len(), expected.len());
    }
}
