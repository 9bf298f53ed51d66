//! `titledex catalogue`: what is built, what is refused, and that nothing is written then.

use crate::support::{fixture, run, small_index};
use serde_json::Value;
use std::fs;
use std::path::Path;

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("the path is UTF-8")
}

fn entries(path: &Path) -> usize {
    fs::read_dir(path).expect("readable").count()
}

#[test]
fn csv_and_json_lines_build_and_match() {
    let folder = folder();
    let (cards, sets) = (fixture("cards.jsonl"), fixture("sets.jsonl"));
    let inputs: [(&str, Vec<&str>); 2] = [
        ("export.index", vec![]),
        ("lines.index", vec![&cards, "--sets", &sets]),
    ];
    let export = fixture("export.csv");
    for (name, arguments) in inputs {
        let index = folder.path().join(name);
        let arguments = if arguments.is_empty() {
            vec![export.as_str()]
        } else {
            arguments
        };
        let ran = run(&[
            &["catalogue", "build"],
            arguments.as_slice(),
            &["-o", text(&index), "--name", "eleven cards"],
        ]
        .concat())
        .ended(0);
        assert!(
            ran.err.contains("11 cards") && ran.err.contains("6 sets") && ran.err.contains("bytes"),
            "{}",
            ran.err
        );
        assert_eq!(ran.out, "");
        let ran = run(&[
            "parse",
            "--catalogue",
            text(&index),
            "1999 Pokemon Base Set Charizard 4/102 Holo PSA 9",
        ])
        .ended(0);
        assert_eq!(ran.answers()[0]["matches"][0]["cardId"], "base1-4");
        let ran = run(&["catalogue", "info", "--catalogue", text(&index)]).ended(0);
        assert!(
            ran.out.contains("eleven cards") && ran.out.contains("11"),
            "{}",
            ran.out
        );
    }
    assert_eq!(
        entries(folder.path()),
        2,
        "nothing else is left in the folder"
    );
}

#[test]
fn gzip_is_recognised_by_content() {
    let folder = folder();
    let packed = folder.path().join("cards");
    let file = fs::File::create(&packed).expect("writable");
    let mut packer = flate2::write::GzEncoder::new(file, flate2::Compression::default());
    std::io::Write::write_all(
        &mut packer,
        &fs::read(fixture("export.csv")).expect("readable"),
    )
    .expect("writable");
    packer.finish().expect("writable");
    let index = folder.path().join("cards.index");
    run(&["catalogue", "build", text(&packed), "-o", text(&index)]).ended(0);
    let plain = folder.path().join("plain.index");
    run(&[
        "catalogue",
        "build",
        &fixture("export.csv"),
        "-o",
        text(&plain),
        "--name",
        "cards",
    ])
    .ended(0);
    assert!(
        fs::read(&index).expect("readable") == fs::read(&plain).expect("readable"),
        "the same cards make the same bytes"
    );

    let bytes = fs::read(&packed).expect("readable");
    fs::write(&packed, &bytes[..bytes.len() / 2]).expect("writable");
    let ran = run(&["catalogue", "build", text(&packed), "-o", text(&index)]).ended(1);
    assert!(ran.err.contains("cut short"), "{}", ran.err);
}

#[test]
fn bad_sources_are_refused_by_file_line_and_column_and_nothing_is_written() {
    let cases: [(&str, &[&str]); 10] = [
        ("missing-column.csv", &["missing-column.csv:1:", "setId"]),
        ("row-without-name.csv", &["row-without-name.csv:4:", "name"]),
        ("short-row.csv", &["short-row.csv:4:"]),
        (
            "duplicate.csv",
            &["duplicate.csv:5:", "base1-2:1st-edition-holofoil"],
        ),
        ("utf16.csv", &["utf16.csv:1:1:", "UTF-16"]),
        ("latin1.csv", &["latin1.csv:3:", "UTF-8"]),
        ("cut.jsonl", &["cut.jsonl:2:"]),
        ("array.jsonl", &["array.jsonl:2:1:"]),
        ("without-id.jsonl", &["without-id.jsonl:2:", "id"]),
        ("duplicate.jsonl", &["duplicate.jsonl:3:", "base1-2"]),
    ];
    let folder = folder();
    let index = folder.path().join("never.index");
    for (name, expected) in cases {
        let ran = run(&[
            "catalogue",
            "build",
            &fixture(&format!("broken/{name}")),
            "-o",
            text(&index),
        ])
        .ended(1);
        for part in expected {
            assert!(ran.err.contains(part), "{name}: no {part} in {}", ran.err);
        }
        assert!(ran.err.starts_with("titledex: ") && ran.out.is_empty());
        assert_eq!(entries(folder.path()), 0, "{name}: something was written");
    }
}

#[test]
fn failed_build_leaves_the_index_unchanged() {
    let folder = folder();
    let index = folder.path().join("cards.index");
    run(&[
        "catalogue",
        "build",
        &fixture("export.csv"),
        "-o",
        text(&index),
    ])
    .ended(0);
    let before = fs::read(&index).expect("readable");
    run(&[
        "catalogue",
        "build",
        &fixture("export.csv"),
        &fixture("broken/short-row.csv"),
        "-o",
        text(&index),
    ])
    .ended(1);
    assert!(fs::read(&index).expect("readable") == before);
    assert_eq!(entries(folder.path()), 1);
}

#[test]
fn unwritable_output_is_named() {
    let folder = folder();
    let export = fixture("export.csv");
    for output in [
        folder.path().join("no/such/folder/x.index"),
        folder.path().to_owned(),
    ] {
        let ran = run(&["catalogue", "build", &export, "-o", text(&output)]).ended(1);
        assert!(ran.err.contains(text(&output)), "{}", ran.err);
    }
    let copy = folder.path().join("copy.csv");
    fs::copy(&export, &copy).expect("writable");
    let ran = run(&["catalogue", "build", text(&copy), "-o", text(&copy)]).ended(1);
    assert!(ran.err.contains("input"), "{}", ran.err);
    assert!(fs::read(&copy).expect("readable") == fs::read(&export).expect("readable"));
}

#[test]
fn damaged_indexes_are_refused_with_a_remedy() {
    let folder = folder();
    let good = fs::read(small_index()).expect("readable");
    let altered = |at: usize| {
        let mut bytes = good.clone();
        bytes[at] ^= 0x40;
        bytes
    };
    let mut newer = good.clone();
    newer[8..12].copy_from_slice(&99_u32.to_le_bytes());
    let mut longer = good.clone();
    longer.push(0);
    let cases: [(&str, Vec<u8>, &str); 9] = [
        ("empty", Vec::new(), "index"),
        ("cut in its header", good[..20].to_vec(), "index"),
        ("cut by one byte", good[..good.len() - 1].to_vec(), "bytes"),
        ("cut to half", good[..good.len() / 2].to_vec(), "bytes"),
        ("longer by one byte", longer, "bytes"),
        ("altered in the middle", altered(good.len() / 2), "checksum"),
        ("altered at the end", altered(good.len() - 1), "checksum"),
        ("of another version", newer, "99"),
        (
            "no index",
            b"marketplaceId,name\n".to_vec(),
            "not a titledex index",
        ),
    ];
    for (what, bytes, expected) in cases {
        let path = folder.path().join("damaged.index");
        fs::write(&path, bytes).expect("writable");
        for command in [
            &["parse", "x"][..],
            &["explain", "x"],
            &["catalogue", "info"],
            &["catalogue", "show", "base1-4"],
        ] {
            let ran = run(&[command, &["--catalogue", text(&path)]].concat()).ended(1);
            assert!(
                ran.err.contains(expected) && ran.err.contains("damaged.index"),
                "{what}: {}",
                ran.err
            );
            assert!(
                ran.err.contains("titledex catalogue build"),
                "{what}: the message does not say what to do: {}",
                ran.err
            );
            assert_eq!(ran.out, "", "{what}");
        }
    }
}

#[test]
fn cards_are_shown_as_json() {
    let ran = run(&["catalogue", "show", "--catalogue", small_index(), "base1-4"]).ended(0);
    let card: Value = serde_json::from_str(&ran.out).expect("one JSON object");
    assert!(
        card.is_object() && ran.out.contains("base1-4") && ran.out.contains("Charizard"),
        "{}",
        ran.out
    );
    let by_printing = run(&[
        "catalogue",
        "show",
        "--catalogue",
        small_index(),
        "base1-4:unlimited-holofoil",
    ])
    .ended(0);
    assert_eq!(by_printing.out, ran.out);
    let unknown = run(&[
        "catalogue",
        "show",
        "--catalogue",
        small_index(),
        "--games",
        "foo",
        "base1-4",
    ])
    .ended(1);
    assert!(
        unknown.err.contains("no cards of the game `foo`"),
        "{}",
        unknown.err
    );
    let both = run(&[
        "catalogue",
        "show",
        "--catalogue",
        small_index(),
        "asia:SV2a-201",
        "base1-4",
    ])
    .ended(0);
    assert!(both.out.contains("リザードンex") && both.out.ends_with(&ran.out));

    let ran = run(&[
        "catalogue",
        "show",
        "--catalogue",
        small_index(),
        "base1-4",
        "base9-999",
    ])
    .ended(1);
    assert!(ran.err.contains("no card base9-999"), "{}", ran.err);
    assert!(ran.out.contains("Charizard"), "the others are shown");
}

#[test]
fn printing_that_a_card_lacks_is_missing() {
    let show = |ids: &[&str]| {
        let from = ["catalogue", "show", "--catalogue", small_index()];
        run(&[&from, ids].concat())
    };
    let ran = show(&["base1-4:nosuch", "base1-2"]).ended(1);
    let said = "no printing base1-4:nosuch in ";
    assert!(ran.err.contains(said), "{}", ran.err);
    let has = "Charizard (base1-4) has base1-4:";
    assert!(ran.err.contains(has), "{}", ran.err);
    assert!(ran.err.contains(":shadowless-holofoil"), "{}", ran.err);
    assert!(!ran.out.contains("Charizard"), "{}", ran.out);
    assert!(ran.out.contains("Blastoise"), "the others are shown");
    let ran = show(&["nosuch:1", "base1-4:nosuch"]).ended(1);
    assert!(ran.err.contains("no card nosuch:1"), "{}", ran.err);
    assert!(ran.err.contains(said), "{}", ran.err);
}

/// The heading of CSV.
const HEADING: &str = "marketplaceId,name,setName,setId,cardNumber,rarity,language,printing\n";

#[test]
fn rows_of_several_files_make_cards_as_those_of_one() {
    let folder = folder();
    let rows = [
        "x1:a,Foo,My Set,my1,1/9,,english,Normal\n",
        "x1:b,Foo,My Set,my1,1/9,,english,Holofoil\nx2:a,Fuh,Mein Set,my1,1/9,,german,Normal\n",
    ];
    let built = |name: &str, texts: &[String]| {
        let index = folder.path().join(name);
        let mut args = vec!["catalogue".to_owned(), "build".to_owned()];
        for (at, text) in texts.iter().enumerate() {
            let file = folder.path().join(format!("{name}-{at}.csv"));
            fs::write(&file, text).expect("writable");
            args.push(text_of(&file));
        }
        args.extend(["--name", "x", "-o"].map(str::to_owned));
        args.push(text_of(&index));
        run(&args.iter().map(String::as_str).collect::<Vec<_>>()).ended(0);
        fs::read(&index).expect("written")
    };
    let apart = built("apart", &rows.map(|rows| format!("{HEADING}{rows}")));
    let together = built("together", &[format!("{HEADING}{}", rows.concat())]);
    assert!(apart == together);
    // the set is found by the names of both languages
    let index = folder.path().join("apart");
    for (title, card) in [("Foo 1/9 My Set", "x1"), ("Fuh 1/9 Mein Set", "x2")] {
        let ran = run(&["parse", "--catalogue", text(&index), title]).ended(0);
        let answer = &ran.answers()[0];
        assert_eq!(answer["parsed"]["set"]["id"], "my1", "{title}");
        assert_eq!(answer["matches"][0]["cardId"], card, "{title}");
    }
}

fn text_of(path: &Path) -> String {
    text(path).to_owned()
}

#[test]
fn twins_in_csv_are_refused_for_what_they_are() {
    let folder = folder();
    let (one, two) = (folder.path().join("one.csv"), folder.path().join("two.csv"));
    let row = "x1:a,Foo,My Set,my1,1/9,,english,Normal\n";
    fs::write(&one, format!("{HEADING}{row}")).expect("writable");
    let refused = |files: &[&Path]| {
        let mut args = vec!["catalogue", "build"];
        args.extend(files.iter().map(|file| text(file)));
        args.extend(["-o", "/tmp/never.index"]);
        run(&args).ended(1).err
    };
    let said = refused(&[&one, &one]);
    assert!(
        said.contains("one.csv:2: column `marketplaceId`: `x1:a` is given twice"),
        "{said}"
    );
    for (rows, expected) in [
        (
            format!("{row}x2:a,Bar,Other Name,my1,2/9,,english,Normal\n"),
            "two.csv:3: column `setName`: set `my1` has two names: `Other Name`, and in line 2 `My Set`",
        ),
        (
            format!("{row}x1:b,Bar,My Set,my1,2/9,,english,Normal\n"),
            "two.csv:3: column `marketplaceId`: card `x1` has two names, numbers, sets or languages",
        ),
    ] {
        fs::write(&two, format!("{HEADING}{rows}")).expect("writable");
        let said = refused(&[&two]);
        assert!(said.contains(expected), "{said}");
    }
    fs::write(
        &two,
        format!("{HEADING}x2:a,Bar,Other Name,my1,2/9,,english,\n"),
    )
    .expect("writable");
    let said = refused(&[&one, &two]);
    assert!(said.contains("two.csv:2: column `setName`: set `my1` has two names: `Other Name`, and in a file before `My Set`"), "{said}");
    // letter case and punctuation make no other name
    fs::write(
        &two,
        format!("{HEADING}{row}x2:a,Bar,MY-SET,my1,2/9,,english,\n"),
    )
    .expect("writable");
    let index = folder.path().join("two.index");
    run(&["catalogue", "build", text(&two), "-o", text(&index)]).ended(0);
}

#[test]
fn built_in_catalogue_has_all_cards() {
    let ran = run(&["catalogue", "info"]).ended(0);
    assert!(
        ran.out.contains("52174") || ran.out.contains("52,174"),
        "{}",
        ran.out
    );
}

#[test]
fn built_in_games_are_built_into_an_index() {
    let folder = folder();
    let index = folder.path().join("two.index");
    let build = |games: &str| {
        let to = text(&index);
        run(&["catalogue", "build", "--games", games, "-o", to])
    };
    build("pokemon,digimon").ended(0);
    let ran = run(&["catalogue", "info", text(&index)]).ended(0);
    let games = ran.out.lines().find(|line| line.starts_with("games"));
    let games = games.expect("the games are listed");
    for (game, held) in [("digimon", true), ("pokemon", true), ("magic", false)] {
        assert_eq!(games.contains(game), held, "{game}: {games}");
    }
    let ran = build("pokemon,chess").ended(1);
    assert!(
        ran.err.contains("no cards of the game `chess`"),
        "{}",
        ran.err
    );
    let ran = run(&["catalogue", "info", "--games", "chess"]).ended(1);
    assert!(
        ran.err.contains("no cards of the game `chess`"),
        "{}",
        ran.err
    );
}

#[test]
fn pack_gives_the_answers_of_its_index() {
    let folder = folder();
    let (cards, sets) = (fixture("cards.jsonl"), fixture("sets.jsonl"));
    let [whole, english] = ["whole.pack", "english.pack"].map(|name| folder.path().join(name));
    run(&[
        "catalogue",
        "pack",
        &cards,
        "--sets",
        &sets,
        "-o",
        text(&whole),
    ])
    .ended(0);
    let ran = run(&[
        "catalogue",
        "pack",
        &cards,
        "--sets",
        &sets,
        "--languages",
        "english",
        "-o",
        text(&english),
    ])
    .ended(0);
    assert!(
        ran.err.contains("cards") && !ran.err.contains("11 cards"),
        "{}",
        ran.err
    );
    let titles = [
        "1999 Pokemon Base Set Charizard 4/102 Holo PSA 9",
        "リザードンex 201/165 SAR",
    ];
    let said = |catalogue: &str| {
        run(&[&["parse", "--catalogue", catalogue], &titles[..]].concat())
            .ended(0)
            .out
    };
    assert_eq!(said(text(&whole)), said(small_index()));
    assert!(said(text(&english)).contains("\"cardId\":\"base1-4\""));
    fs::write(&whole, b"TITLPACK and no more").expect("writable");
    run(&["catalogue", "info", "--catalogue", text(&whole)]).ended(1);
    run(&["catalogue", "pack", "--sets", &sets, "-o", text(&english)]).ended(2);
}
