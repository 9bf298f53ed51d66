//! `titledex catalogue import`: each form, what it changes, and what is refused where.

use crate::support::{Ran, run};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// Files of a source, invented for the test.
struct Source(tempfile::TempDir);

impl Source {
    fn of(files: &[(&str, &str)]) -> Source {
        let source = Source(tempfile::tempdir().expect("a temporary folder"));
        for (name, text) in files {
            let path = source.path(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
            fs::write(path, text).expect("writable");
        }
        source
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn import(&self, form: &str, paths: &[&str], more: &[&str]) -> Ran {
        let paths: Vec<PathBuf> = paths.iter().map(|name| self.path(name)).collect();
        let mut arguments = vec!["catalogue", "import", "--from", form];
        arguments.extend(paths.iter().map(|path| text(path)));
        run(&[&arguments, more].concat())
    }

    /// The cards and sets that an import of everything writes.
    fn lines(&self, form: &str) -> (Vec<Value>, Vec<Value>) {
        let (cards, sets) = (self.path("out.jsonl"), self.path("out.sets.jsonl"));
        let more = ["-o", text(&cards), "--sets", text(&sets)];
        self.import(form, &["in"], &more).ended(0);
        let read = |path: &Path| {
            let written = fs::read_to_string(path).expect("readable");
            let lines = written.lines().map(serde_json::from_str);
            lines.collect::<Result<Vec<Value>, _>>().expect("JSON")
        };
        let out = (read(&cards), read(&sets));
        // what is written can be read again
        let index = self.path("out.index");
        let built = [
            "catalogue",
            "build",
            text(&cards),
            "--sets",
            text(&sets),
            "-o",
            text(&index),
        ];
        run(&built).ended(0);
        out
    }
}

fn text(path: &Path) -> &str {
    path.to_str().expect("the path is UTF-8")
}

const TCGDEX: [(&str, &str); 4] = [
    (
        "in/en/cards.json",
        r#"[{"id":"zz1-007","localId":"007","name":"Pikachu","category":"Pokemon","dexId":[25],"hp":60,
            "rarity":"Common","illustrator":"A. Painter","set":{"id":"zz1","cardCount":{"official":90}},
            "variants_detailed":[{"type":"holo","foil":"cosmos","size":"standard"},{"type":"normal","stamp":["staff"]}]},
           {"id":"P1-1","localId":1,"name":"Pocket","set":{"id":"P1","serie":{"id":"tcgp"}}}]"#,
    ),
    (
        "in/fr/cards.json",
        r#"[{"id":"zz1-007","localId":"007","name":"Pikachou","rarity":"Commune","set":{"id":"zz1","name":"Nouveau"},"variants":{"holo":true}}]"#,
    ),
    (
        "in/en/sets.json",
        r#"[{"id":"zz1","name":"New Set","serie":{"id":"zz"},"releaseDate":"2027-01-02","cardCount":{"official":90}}]"#,
    ),
    (
        "in/ja/cards.json",
        r#"{"id":"ZZ1-7","localId":7,"name":"ピカチュウ","set":{"id":"ZZ1"},"variants":{"normal":true,"reverse":true,"holo":true}}"#,
    ),
];

#[test]
fn tcgdex_joins_languages_and_keeps_the_trees_apart() {
    let (cards, sets) = Source::of(&TCGDEX).lines("tcgdex");
    assert_eq!(
        cards,
        [
            json!({"id":"asia:ZZ1-7","region":"asia","set":"asia:ZZ1","number":"7","printedNumber":"7",
                "names":{"ja":"ピカチュウ"}}),
            json!({"id":"zz1-007","region":"international","set":"zz1","number":"007",
                "printedNumber":"007/090","denominator":"090","names":{"en":"Pikachu","fr":"Pikachou"},
                "category":"Pokemon","dexId":[25],"rarity":"Common","illustrator":"A. Painter","hp":60,
                "variants":[{"type":"holo","foil":["cosmos"]},{"type":"normal","stamp":["staff"]}]}),
        ]
    );
    assert_eq!(
        sets,
        [
            json!({"id":"asia:ZZ1","code":"ZZ1","region":"asia","names":{}}),
            json!({"id":"zz1","code":"zz1","region":"international","names":{"en":"New Set","fr":"Nouveau"},
                "serie":"zz","releaseDate":"2027-01-02","officialCount":90}),
        ]
    );
}

#[test]
fn pokemon_tcg_data_gets_our_sets_and_counts_of_its_own() {
    let source = Source::of(&[
        (
            "in/cards/en/swsh45.json",
            r#"[{"id":"swsh45-1","name":"Yanma","supertype":"Pokémon","hp":"70","number":"1","artist":"A. Painter",
                "rarity":"Common","nationalPokedexNumbers":[193],"tcgplayer":{"prices":{"normal":{},"1stEditionHolofoil":{}}}}]"#,
        ),
        (
            "in/sets/en.json",
            r#"[{"id":"swsh45","name":"Shining Fates","series":"Sword & Shield","printedTotal":72,"releaseDate":"2021/02/19"}]"#,
        ),
    ]);
    let (cards, sets) = source.lines("pokemon-tcg-data");
    let card = &cards[0];
    assert_eq!(
        (&card["id"], &card["printedNumber"], &card["category"]),
        (&json!("swsh4.5-1"), &json!("1/72"), &json!("Pokemon"))
    );
    assert_eq!(
        card["variants"],
        json!([{"type":"holo","stamp":["1st-edition"]},{"type":"normal"}])
    );
    assert_eq!(sets[0]["releaseDate"], "2021-02-19");
}

#[test]
fn scryfall_is_streamed_with_the_sets_that_its_cards_name() {
    let card = |number: &str, more: &str| {
        format!(
            r#"{{"name":"Grey Bird","lang":"en","set":"zzz","set_name":"Zeds","released_at":"2027-02-03",
                "collector_number":"{number}","rarity":"rare","finishes":["nonfoil","etched"],"type_line":"Legendary Creature — Bird"{more}}}"#
        )
    };
    let bulk = format!(
        "[\n{},\n{},\n{}\n]\n",
        card("1", r#","tcgplayer_id":5"#),
        card("2", r#","digital":true"#),
        card("1", "").replace(r#""lang":"en""#, r#""lang":"zhs","printed_name":"灰鸟""#)
    );
    let (cards, sets) = Source::of(&[("in/default-cards.json", &bulk)]).lines("scryfall");
    assert_eq!(
        cards,
        [
            json!({"id":"zzz-1","game":"magic","region":"international","set":"zzz","number":"1","printedNumber":"1",
            "names":{"en":"Grey Bird","zh-cn":"灰鸟"},"category":"Creature","rarity":"rare","tcgplayerIds":[5],
            "variants":[{"type":"nonfoil"},{"type":"etched"}]})
        ]
    );
    assert_eq!((&sets[0]["code"], sets.len()), (&json!("ZZZ"), 1));
}

#[test]
fn ygojson_joins_sets_with_cards_in_each_part_of_the_world() {
    let source = Source::of(&[
        (
            "in/cards/a.json",
            r#"{"id":"a","cardType":"spell","text":{"en":{"name":"Tall Wall"},"zh-CN":{"name":"高墙"},"ja_romaji":{"name":"Takai"}}}"#,
        ),
        (
            "in/sets/s.json",
            r#"{"id":"s","name":{"en":"Walls"},"locales":{"na":{"language":"en","prefix":"WALL-EN","date":"2027-01-02"},
                "de":{"language":"de","prefix":"WALL-DE"},"jp":{"language":"ja","prefix":"WALL-JP"},"kr":{"language":"ko"}},
                "contents":[{"locales":["de","na","jp","kr"],"cards":[{"card":"a","suffix":"001","rarity":"common"},{"card":"gone","suffix":"002"}]}]}"#,
        ),
        ("in/cards.json", r#"["a"]"#),
    ]);
    let (cards, sets) = source.lines("ygojson");
    let ids: Vec<&Value> = cards.iter().map(|card| &card["id"]).collect();
    assert_eq!(ids, ["WALL-001", "ocg:WALL-001"]);
    assert_eq!(cards[0]["names"], json!({"en":"Tall Wall","zh-cn":"高墙"}));
    assert_eq!(cards[1]["printedNumber"], "WALL-JP001");
    assert_eq!(sets.len(), 2);
}

#[test]
fn changes_against_a_catalogue_are_reported_and_merged() {
    let card = |id: &str, number: &str, name: &str, more: &str| {
        format!(
            r#"{{"id":"{id}","region":"international","set":"swsh4.5","number":"{number}","printedNumber":"{number}/072","names":{{"en":"{name}"}}{more}}}"#
        )
    };
    let held = [
        card("swsh4.5-001", "001", "Yanma", ""),
        card("swsh4.5-002", "002", "Mew", r#","hp":60"#),
    ];
    let theirs = |number: &str, name: &str| {
        format!(r#"{{"id":"swsh45-{number}","name":"{name}","number":"{number}","hp":"70"}}"#)
    };
    let new = [
        theirs("1", "Yanma"),
        theirs("2", "Mew"),
        theirs("3", "Eevee"),
    ];
    let source = Source::of(&[
        ("held.jsonl", &held.join("\n")),
        (
            "held.sets.jsonl",
            r#"{"id":"swsh4.5","region":"international","names":{"en":"Shining Fates"}}"#,
        ),
        ("in/new.json", &format!("[{}]", new.join(","))),
    ]);
    let [index, report, held, sets] =
        ["new.index", "report.csv", "held.jsonl", "held.sets.jsonl"].map(|name| source.path(name));
    let more = [
        "--against",
        text(&held),
        "--against-sets",
        text(&sets),
        "--merge",
        "--report",
        text(&report),
        "-o",
        text(&index),
    ];
    let ran = source
        .import("pokemon-tcg-data", &["in/new.json"], &more)
        .ended(0);
    for said in [
        "new: 1 cards: swsh4.5 (1)",
        "filled: 1 facts: hp 1",
        "contradictory: 1 facts: hp 1",
    ] {
        assert!(ran.err.contains(said), "{said}: {}", ran.err);
    }
    assert_eq!(
        fs::read_to_string(&report).expect("readable"),
        "card,kind,fact,ours,theirs\nswsh4.5-3,new,,,\nswsh4.5-001,filled,hp,,70\nswsh4.5-002,contradictory,hp,60,70\n"
    );
    let shown = run(&[
        "catalogue",
        "show",
        "swsh4.5-001",
        "swsh4.5-3",
        "--catalogue",
        text(&index),
    ]);
    assert!(shown.ended(0).out.contains("Eevee"));
}

#[test]
fn wrong_input_is_refused_with_its_place_and_nothing_is_written() {
    let card = r#"{"id":"a-1","localId":"1","name":"A","set":{"id":"a"}}"#;
    let rows = [
        (
            "tcgdex",
            format!("[{card},\n{{\"id\":7}}]"),
            ":2:7: invalid type",
        ),
        ("tcgdex", format!("[{card},\n{card}"), "cut short"),
        ("tcgdex", "[1]".to_owned(), ":1: met `1`"),
        ("tcgdex", format!("{card}\n]"), ":2: met `]`"),
        ("tcgdex", "[]".to_owned(), "no card found"),
        (
            "tcgdex",
            card.replace("a-1", &"a".repeat(300)),
            "write at most 256",
        ),
        (
            "pokemon-tcg-data",
            r#"{"id":"a","name":"A","number":"1"}"#.to_owned(),
            "names no set",
        ),
        (
            "scryfall",
            r#"{"name":"A"}"#.to_owned(),
            ":1:12: missing field `lang`",
        ),
        ("ygojson", r#"{"id":"a"}"#.to_owned(), "neither a card"),
        (
            "ygojson",
            r#"{"id":"a","locales":{"moon":{"language":"en"}},"contents":[{"cards":[]}]}"#
                .to_owned(),
            "locale `moon` is unknown",
        ),
    ];
    for (form, file, said) in rows {
        let source = Source::of(&[("in.json", &file)]);
        let output = source.path("out.index");
        let ran = source
            .import(form, &["in.json"], &["-o", text(&output)])
            .ended(1);
        assert!(ran.err.contains(said), "{form} {file}: {}", ran.err);
        assert!(!output.exists());
    }
}

#[test]
fn typescript_and_empty_folders_are_refused_with_a_remedy() {
    let source = Source::of(&[("in/data/1.ts", "export default 1"), ("other/a.txt", "")]);
    let output = source.path("out.index");
    for (folder, said) in [("in", "compile the database"), ("other", "name the folder")] {
        let ran = source
            .import("tcgdex", &[folder], &["-o", text(&output)])
            .ended(1);
        assert!(ran.err.contains(said), "{}", ran.err);
    }
}

#[test]
fn outputs_that_do_not_fit_are_refused() {
    let source = Source::of(&TCGDEX);
    let lines = source.path("out.jsonl");
    let merged = ["--against", "default", "--merge", "-o", text(&lines)];
    let ran = source.import("tcgdex", &["in"], &merged).ended(1);
    assert!(ran.err.contains("--merge writes an index"), "{}", ran.err);
    let own = source.path("in/en/cards.json");
    let ran = source
        .import("tcgdex", &["in"], &["-o", text(&own)])
        .ended(1);
    assert!(
        fs::read_to_string(&own).expect("readable").starts_with('['),
        "{}",
        ran.err
    );
    // what an import compares with is read, too, and no output takes the place of another
    let held = source.path("held.jsonl");
    let before = "{}";
    fs::write(&held, before).expect("writable");
    let [held, lines] = [text(&held), text(&lines)];
    for more in [
        ["--against", held, "--report", held, "-o", lines].as_slice(),
        &["--against", held, "--sets", held, "-o", lines],
        &["--against", "default", "--against-sets", held, "-o", held],
    ] {
        let ran = source.import("tcgdex", &["in"], more).ended(1);
        assert!(ran.err.contains("overwrite an input"), "{}", ran.err);
    }
    assert_eq!(fs::read_to_string(held).expect("readable"), before);
    let ran = source
        .import("tcgdex", &["in"], &["--sets", lines, "-o", lines])
        .ended(1);
    assert!(ran.err.contains("would be one file"), "{}", ran.err);
    assert!(!Path::new(lines).exists());
}
