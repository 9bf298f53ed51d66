//! Games of the user's own, each a folder of text: what their cards, numbers and words may be like.
//! docs/GAMES.md says it, and `games.rs` runs its walk.

use crate::support::{Ran, run, run_on};
use serde_json::Value;
use std::fs;
use tempfile::TempDir;

/// The folder of an invented game, with the files of its cards and sets beside it.
struct Folder {
    place: TempDir,
    sets: bool,
}

impl Folder {
    /// The folder `tidewatch` with these files, as name and text; `cards.jsonl` and `sets.jsonl` are
    /// written beside it, and each of their lines gets the game.
    fn of(files: &[(&str, &str)]) -> Self {
        Self::called("tidewatch", files)
    }

    /// The same of a folder called `id`; `game.csv` is there where it is not given.
    fn called(id: &str, files: &[(&str, &str)]) -> Self {
        let place = tempfile::tempdir().expect("a folder");
        let game = place.path().join("game");
        let folder = game.join(id);
        fs::create_dir_all(&folder).expect("the folder is new");
        let name = "member,value,meaning,note\nname,Tidewatch,,\n";
        fs::write(folder.join("game.csv"), name).expect("it is written");
        let stated = format!("{{\"game\":\"{id}\",");
        for (file, text) in files {
            let path = if file.ends_with(".jsonl") {
                place.path().join(file)
            } else {
                folder.join(file)
            };
            let lines = text.replace("{{", &stated);
            fs::write(path, lines).expect("it is written");
        }
        let sets = files.iter().any(|file| file.0 == "sets.jsonl");
        Self { place, sets }
    }

    fn path(&self, name: &str) -> String {
        self.place.path().join(name).to_string_lossy().into_owned()
    }

    /// Builds its index.
    fn build(&self) -> Ran {
        let game = fs::read_dir(self.place.path().join("game")).expect("it was made");
        let game = game.flatten().next().expect("it has the game's folder");
        let game = game.path().to_string_lossy().into_owned();
        let (cards, sets, index) = (
            self.path("cards.jsonl"),
            self.path("sets.jsonl"),
            self.path("own.index"),
        );
        let mut args = vec!["catalogue", "build", &cards, "--game", &game, "-o", &index];
        if self.sets {
            args.extend(["--sets", &sets]);
        }
        run(&args)
    }

    /// The answers to titles by its index.
    #[track_caller]
    fn answers(&self, titles: &[&str]) -> Vec<Value> {
        self.build().ended(0);
        let input: String = titles.iter().map(|title| format!("{title}\n")).collect();
        let args = ["parse", "--from", "lines", "--catalogue"];
        let index = self.path("own.index");
        let ran = run_on(&[&args[..], &[&index]].concat(), input.as_bytes());
        ran.ended(0).answers()
    }

    /// Fails unless each title is a match of its card, by the id without the game's.
    #[track_caller]
    fn finds(&self, rows: &[(&str, &str)]) {
        let titles: Vec<&str> = rows.iter().map(|row| row.0).collect();
        for ((title, card), answer) in rows.iter().zip(self.answers(&titles)) {
            let first = answer["matches"][0]["cardId"].as_str().unwrap_or_default();
            let id = first.split_once(':').map_or("", |(_, id)| id);
            let found = (answer["outcome"]["type"].as_str(), id);
            assert_eq!(found, (Some("match"), *card), "{title}: {answer}");
        }
    }

    /// The same of cards whose ids are their numbers, each by its number.
    #[track_caller]
    fn finds_numbered(&self, numbers: &[&str]) {
        let titles = numbers
            .iter()
            .map(|number| format!("Tidewatch {number} NM"));
        let titles: Vec<String> = titles.collect();
        let titles = titles.iter().map(String::as_str);
        let rows: Vec<(&str, &str)> = titles.zip(numbers.iter().copied()).collect();
        self.finds(&rows);
    }
}

/// A line of `cards.jsonl` for each number, which is the card's id as well; of the set `SET`.
fn numbered(numbers: &[&str]) -> String {
    let names = ["Kelp Warden", "Gull Captain", "Brine Oracle", "Salt Piper"];
    let lines = numbers.iter().zip(names).map(|(number, name)| {
        format!(
            "{{{{\"id\":\"{number}\",\"set\":\"SET\",\"number\":\"{number}\",\
             \"printedNumber\":\"{number}\",\"names\":{{\"en\":\"{name}\"}}}}\n"
        )
    });
    lines.collect()
}

#[test]
fn numbers_with_long_codes_keep_their_zeros() {
    let numbers = [
        "TID/S53-E011",
        "TID/S53-E101",
        "TID/S53-E017",
        "TID/S53-E107",
    ];
    let game = Folder::of(&[
        (
            "number_codes.csv",
            "pattern,example,note\n\"[a-z]{3}/s[0-9]{2}-e[0-9]{3}\",TID/S53-E011,\n",
        ),
        ("cards.jsonl", &numbered(&numbers)),
    ]);
    game.finds_numbered(&numbers);
}

#[test]
fn slash_of_a_code_belongs_to_the_number() {
    let codes = (
        "number_codes.csv",
        "pattern,example,note\n\"[a-z]{2}/[0-9]{3}\",KW/021,\n\"[a-z]{3}/s[0-9]{2}-e?[0-9]{3}\",TID/S53-E011,\n",
    );
    let numbers = ["TID/S53-E011", "TID/S53-E012", "TID/S53-013", "KW/021"];
    let game = Folder::of(&[codes, ("cards.jsonl", &numbered(&numbers))]);
    game.finds_numbered(&numbers);
    // without a pattern a code is told by its dash, and totals stand behind the slash
    let lines = "\
{{\"id\":\"a\",\"set\":\"SET\",\"number\":\"E011\",\"printedNumber\":\"TID/S53-E011\",\"names\":{\"en\":\"Kelp Warden\"}}
{{\"id\":\"b\",\"set\":\"SET\",\"number\":\"12\",\"printedNumber\":\"12/30\",\"denominator\":\"30\",\"names\":{\"en\":\"Gull Captain\"}}
{{\"id\":\"c\",\"set\":\"SET\",\"number\":\"098\",\"printedNumber\":\"098/TW-P\",\"denominator\":\"TW-P\",\"names\":{\"en\":\"Brine Oracle\"}}
{{\"id\":\"d\",\"set\":\"SET\",\"number\":\"TG12\",\"printedNumber\":\"TG12/TG30\",\"denominator\":\"TG30\",\"names\":{\"en\":\"Salt Piper\"}}
";
    let game = Folder::of(&[("cards.jsonl", lines)]);
    game.build().ended(0);
    let index = game.path("own.index");
    let printed = ["a", "b", "c", "d"].map(|id| {
        let id = format!("tidewatch:{id}");
        let card = run(&["catalogue", "show", "--catalogue", &index, &id]).ended(0);
        let card: Value = serde_json::from_str(&card.out).expect("it is an object");
        let text = |member: &str| card[member].as_str().unwrap_or_default().to_owned();
        (text("number"), text("total"))
    });
    let expected = [
        ("TID/S53-E011", ""),
        ("12", "30"),
        ("098", "TW-P"),
        ("TG12", "TG30"),
    ];
    assert_eq!(printed, expected.map(|(n, t)| (n.to_owned(), t.to_owned())));
}

/// `game.csv` of a game with a second region.
const REGIONS: (&str, &str) = (
    "game.csv",
    "member,value,meaning,note\nfirst region,west,english,\nname,Tidewatch,,\nregion,east,japanese,\n",
);

#[test]
fn cards_of_a_second_region_are_found_by_number() {
    let card = |id: &str, member: &str, number: &str, name: &str| {
        format!(
            "{{{{\"id\":\"{id}\",\"set\":\"{id}\",\"region\":\"east\",\"{member}\":\"{number}\",\"names\":{{\"ja\":\"{name}\"}}}}\n"
        )
    };
    let lines = card("a", "number", "KW/S25-083", "こんぶの番人")
        + &card("b", "printedNumber", "KW/S25-084", "かもめの船長")
        + &card("c", "number", "017", "しおの笛");
    let lines = lines.replace("\"printedNumber\"", "\"number\":\"084\",\"printedNumber\"");
    let game = Folder::of(&[
        REGIONS,
        (
            "number_codes.csv",
            "pattern,example,note\n\"[a-z]{2}/s[0-9]{2}-[0-9]{3}\",KW/S25-083,\n",
        ),
        ("cards.jsonl", &lines),
    ]);
    game.finds(&[
        ("Tidewatch KW/S25-083", "a"),
        ("Tidewatch こんぶの番人 KW/S25-083", "a"),
        ("Tidewatch KW/S25-084 Japanese", "b"),
        ("Tidewatch しおの笛 #017", "c"),
    ]);
}

#[test]
fn letters_behind_a_number_are_part_of_it() {
    let numbers = ["KW50-064", "KW50-064a", "KW50-21S", "KW/S50-064b"];
    let game = Folder::of(&[
        (
            "number_codes.csv",
            "pattern,example,note\n\"[a-z]{2}/?s?[0-9]{2}-[0-9]{2,3}[a-z]?\",KW50-021b,\n",
        ),
        ("cards.jsonl", &numbered(&numbers)),
    ]);
    game.finds_numbered(&numbers);
}

#[test]
fn sets_that_only_cards_name_are_found_by_their_ids() {
    let cards = "\
{{\"id\":\"a\",\"set\":\"KW7\",\"number\":\"001\",\"names\":{\"en\":\"Kelp Warden\"}}
{{\"id\":\"b\",\"set\":\"KW8\",\"number\":\"001\",\"names\":{\"en\":\"Kelp Warden\"}}
";
    let game = Folder::of(&[("cards.jsonl", cards)]);
    game.finds(&[("Kelp Warden KW7 NM", "a"), ("Kelp Warden KW8 NM", "b")]);
}

const CODES: (&str, &str) = (
    "number_codes.csv",
    "pattern,example,note\n\"[a-z]{3}/s[0-9]{2}-e[0-9]{3}s?\",TID/S53-E011,\n",
);

#[test]
fn rarity_stands_behind_a_number() {
    let game = |ending: &str| {
        let rows = format!("member,value,meaning,note\n{ending}name,Tidewatch,,\n");
        let numbers = ["TID/S53-E011", "TID/S53-E012", "TID/S53-E012S"];
        Folder::of(&[
            ("game.csv", &rows),
            CODES,
            (
                "rarities.csv",
                "canonical,aliases,catalogue,when,note\nSigned,SSP,signed,upper,\nSilver,S,silver,upper,\n",
            ),
            ("cards.jsonl", &numbered(&numbers)),
        ])
    };
    let titles = [
        "Tidewatch TID/S53-E011SSP",
        "Tidewatch TID/S53-E011 SSP",
        "Tidewatch TID/S53-E011S NM",
        "Tidewatch TID/S53-E012S NM",
    ];
    let answers = game("code ending,rarity,,\n").answers(&titles);
    let read = answers.iter().map(|answer| {
        let (id, parsed) = (&answer["matches"][0]["cardId"], &answer["parsed"]);
        (
            id.as_str(),
            parsed["number"].as_str(),
            parsed["rarity"].as_str(),
        )
    });
    let (first, second) = ("tidewatch:TID/S53-E011", "tidewatch:TID/S53-E012S");
    let number = Some("TID/S53-E011");
    assert_eq!(
        read.collect::<Vec<_>>(),
        [
            (Some(first), number, Some("Signed")),
            (Some(first), number, Some("Signed")),
            (Some(first), number, Some("Silver")),
            // a card has these letters in its number
            (Some(second), Some("TID/S53-E012S"), None),
        ]
    );
    let answers = game("").answers(&titles[..1]);
    assert_eq!(answers[0]["outcome"]["type"], "not_a_card", "{answers:?}");
    let ran = game("code ending,letters,,\n").build().ended(1);
    let told = "game.csv:2: the `value` of `code ending` is `rarity`";
    assert!(ran.err.contains(told), "{}", ran.err);
}

/// Cards of a set whose code is a word of another game, in `common/games.csv`.
const OF_CODED_SET: &str = "\
{{\"id\":\"a\",\"set\":\"EB01\",\"number\":\"001\",\"names\":{\"en\":\"Kelp Warden\"}}
{{\"id\":\"b\",\"set\":\"EB02\",\"number\":\"001\",\"names\":{\"en\":\"Kelp Warden\"}}
";

#[test]
fn set_of_the_game_is_no_word_of_another() {
    let games = "canonical,aliases,kind,when,note\ntidewatch,Tidewatch,game,,\n";
    let game = Folder::of(&[("games.csv", games), ("cards.jsonl", OF_CODED_SET)]);
    game.finds(&[
        ("Tidewatch Kelp Warden EB01 NM", "a"),
        ("Tidewatch Kelp Warden EB02 NM", "b"),
    ]);
    // nothing says that it is not the other game's
    let answers = game.answers(&["EB01 booster box", "One Piece EB01 Roronoa Zoro"]);
    for answer in answers {
        assert_eq!(answer["outcome"]["type"], "other_game", "{answer}");
    }
}

#[test]
fn words_of_a_folder_win_over_those_that_all_games_share() {
    let games = "canonical,aliases,kind,when,note\ntidewatch,Battle Spirits Saga,game,,\n";
    let cards = numbered(&["001", "002"]);
    let titles = [
        "Battle Spirits Saga Kelp Warden NM",
        "Battle Spirits Kelp Warden NM",
    ];
    let game = Folder::of(&[("games.csv", games), ("cards.jsonl", &cards)]);
    let answers = game.answers(&titles);
    assert_eq!(answers[0]["outcome"]["type"], "match", "{}", answers[0]);
    assert_eq!(answers[0]["parsed"]["game"], "tidewatch");
    assert_eq!(answers[0]["parsed"]["gameInferred"], Value::Null);
    // a word that the folder has not is the other game's, unless the folder has its id
    assert_eq!(
        answers[1]["outcome"]["type"], "other_game",
        "{}",
        answers[1]
    );
    let game = Folder::called("battlespirits", &[("cards.jsonl", &cards)]);
    let answers = game.answers(&titles);
    for answer in answers {
        assert_eq!(answer["outcome"]["type"], "match", "{answer}");
    }
}

#[test]
fn prints_are_told_by_editions_and_treatments_of_the_folder() {
    let printings = "canonical,aliases,field,implies,labels,absent,when,note
alpha,Alpha|Alpha Print,edition,,,,,
alternate art,Parallel|Alt Art|AA,treatment,,parallel,,,
";
    let cards = "\
{{\"id\":\"a\",\"set\":\"SET\",\"number\":\"001\",\"names\":{\"en\":\"Kelp Warden\"},\"variants\":[{\"type\":\"normal\",\"editions\":[\"unlimited\",\"alpha\"]},{\"type\":\"foil\",\"editions\":[\"alpha\"]}]}
{{\"id\":\"b\",\"set\":\"SET\",\"number\":\"002\",\"names\":{\"en\":\"Gull Captain\"},\"variants\":[{\"type\":\"foil\"},{\"type\":\"foil\",\"looks\":\"parallel\"}]}
";
    let game = Folder::of(&[("printings.csv", printings), ("cards.jsonl", cards)]);
    let rows = [
        ("Tidewatch Kelp Warden Alpha NM", "Normal [alpha]"),
        ("Tidewatch Kelp Warden Alpha Foil", "Foil [alpha]"),
        ("Tidewatch Kelp Warden Unlimited", "Unlimited"),
        ("Tidewatch Kelp Warden NM", "Unlimited"),
        ("Tidewatch Gull Captain Parallel", "Foil [parallel]"),
        ("Tidewatch Gull Captain Alt Art", "Foil [parallel]"),
        ("Tidewatch Gull Captain AA Foil", "Foil [parallel]"),
        ("Tidewatch Gull Captain Foil", "Foil"),
    ];
    let answers = game.answers(&rows.map(|row| row.0));
    for ((title, printing), answer) in rows.iter().zip(answers) {
        let first = &answer["matches"][0];
        assert_eq!(first["printing"], *printing, "{title}: {answer}");
    }
}

#[test]
fn hit_points_are_read_where_cards_have_them() {
    let codes = (
        "number_codes.csv",
        "pattern,example,note\n\"[0-9][a-z]{2}[0-9]{3}\",1HP030,\n",
    );
    let cards = numbered(&["1HP030", "1HP040"]);
    let titles = ["Tidewatch 1HP030 NM", "Tidewatch Gull Captain 40 HP"];
    let game = Folder::of(&[codes, ("cards.jsonl", &cards)]);
    game.finds(&[(titles[0], "1HP030")]);
    let hp = |cards: &str| {
        let game = Folder::of(&[codes, ("cards.jsonl", cards)]);
        let answer = game.answers(&titles).remove(1);
        let spans = answer["parsed"]["spans"].as_array().expect("a list");
        spans.iter().any(|span| span["field"] == "hp")
    };
    assert!(!hp(&cards));
    assert!(hp(&cards.replacen("\"set\"", "\"hp\":40,\"set\"", 1)));
}

#[test]
fn languages_of_prints_are_read_and_checked() {
    let cards = "{{\"id\":\"a\",\"set\":\"SET\",\"number\":\"001\",\"names\":{\"en\":\"Kelp Warden\"},\"variants\":[{\"languages\":[\"en\",\"zh-CN\",\"en-gb\"]}]}\n";
    let game = Folder::of(&[("cards.jsonl", cards)]);
    let ran = game.build().ended(0);
    assert!(!ran.err.contains("not read"), "{}", ran.err);
    let game = Folder::of(&[("cards.jsonl", &cards.replace("en-gb", "sv"))]);
    let ran = game.build().ended(1);
    let told = "`variants.languages`: `sv` is not a language code that is known";
    assert!(ran.err.contains(told), "{}", ran.err);
}

#[test]
fn what_is_not_read_of_cards_is_said() {
    let cards = "\
{{\"id\":\"a\",\"set\":\"SET\",\"number\":\"001\",\"names\":{\"en\":\"Kelp Warden\"},\"raritty\":\"rare\",\"variants\":[{\"type\":\"Normal\"},{\"type\":\"FOIL\",\"edition\":\"first\"}]}
{{\"id\":\"b\",\"set\":\"SET\",\"names\":{\"en\":\"Gull Captain\"},\"pitch\":1,\"variants\":[{\"type\":\"shiny\"}]}
{{\"id\":\"c\",\"set\":\"SET\",\"number\":\"003\",\"names\":{\"en\":\"Salt Piper\"},\"pitch\":2,\"variants\":[{\"editions\":[\"1ST\",\"Unlimited\"]}]}
";
    let sets = "{{\"id\":\"SET\",\"names\":{\"en\":\"High Water\"},\"released\":\"2026\"}\n";
    let game = Folder::of(&[("cards.jsonl", cards), ("sets.jsonl", sets)]);
    let ran = game.build().ended(0);
    for note in [
        "sets.jsonl: members that are not read: `released` (1 line)\n",
        "cards.jsonl: members that are not read: `pitch` (2 lines), `raritty` (1 line), `variants.edition` (1 line)\n",
        "cards.jsonl: types of `variants` that become `Other`, being none of etched, foil,",
        ", reverse: `shiny` (1 line)\n",
        "cards.jsonl: cards without `number` and `printedNumber`: 1 line\n",
    ] {
        assert!(ran.err.contains(note), "{note}: {}", ran.err);
    }
    let index = game.path("own.index");
    let show = |id: &str| {
        let id = format!("tidewatch:{id}");
        let ran = run(&["catalogue", "show", "--catalogue", &index, &id]);
        let card: Value = serde_json::from_str(&ran.ended(0).out).expect("it is an object");
        let printings = card["printings"].as_array().expect("it has some");
        let labels = printings.iter().map(|one| one["printing"].as_str());
        let labels: Option<Vec<&str>> = labels.collect();
        labels.expect("each has a label").join(", ")
    };
    assert_eq!(show("a"), "Normal, Foil");
    assert_eq!(show("b"), "Other");
    assert_eq!(show("c"), "1st Edition, Unlimited");
}

#[test]
fn dash_and_space_of_a_code_are_one() {
    let pattern = "pattern,example,note\n\"kw[0-9]{1,2}[- ]?[0-9]{3}(?:_p1)?\",KW1-014,\n";
    let cards = numbered(&["KW1-014", "KW1-015_p1"]);
    let game = Folder::of(&[("number_codes.csv", pattern), ("cards.jsonl", &cards)]);
    game.finds(&[
        ("Tidewatch KW1-014 NM", "KW1-014"),
        ("Tidewatch KW1 014 NM", "KW1-014"),
        ("Tidewatch KW1014 NM", "KW1-014"),
    ]);
    let answers = game.answers(&["Tidewatch KW1-015_p1 NM"]);
    let outcome = &answers[0]["outcome"]["type"];
    assert_eq!(outcome, "not_in_catalogue", "{}", answers[0]);
}
