//! `titledex parse` on inputs that are known by their content: compressed, in UTF-16, JSON, CSV with
//! other separators; and on what holds no titles.

use crate::batch::{parse_file, seen};
use crate::support::{Ran, run_on, small_index};
use serde_json::{Value, json};
use std::io::Write;

const TITLES: &str = "Charizard 4/102 Base Set\nPikachu 58/102\n";

fn on(input: &[u8], args: &[&str]) -> Ran {
    run_on(
        &[&["parse", "--catalogue", small_index()], args].concat(),
        input,
    )
}

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(content).expect("memory");
    packer.finish().expect("memory")
}

fn utf16(text: &str) -> Vec<u8> {
    let units = "\u{feff}".encode_utf16().chain(text.encode_utf16());
    units.flat_map(u16::to_le_bytes).collect()
}

fn titles(ran: &Ran) -> Vec<String> {
    let titles = ran.answers();
    let title = |answer: &Value| answer["title"].as_str().unwrap_or_default().to_owned();
    titles.iter().map(title).collect()
}

#[test]
fn compressed_and_wide_titles_are_read_from_pipes_and_files() {
    let plain = on(TITLES.as_bytes(), &[]).ended(0).out;
    for bytes in [
        gzip(TITLES.as_bytes()),
        utf16(&TITLES.replace('\n', "\r\n")),
        gzip(&utf16(TITLES)),
        TITLES.replace('\n', "\r").into_bytes(),
        gzip(TITLES.replace('\n', "\r").as_bytes()),
        [
            gzip(b"Charizard 4/102 Base Set\n"),
            gzip(b"Pikachu 58/102\n"),
        ]
        .concat(),
    ] {
        assert_eq!(on(&bytes, &[]).ended(0).out, plain, "{:?}", &bytes[..8]);
        assert_eq!(parse_file("titles.txt", &bytes, &[]).ended(0).out, plain);
    }
    let long = "Pikachu 58/102\n".repeat(20_000);
    assert_eq!(
        on(&gzip(long.as_bytes()), &[]).ended(0).out.lines().count(),
        20_000
    );
    // what could be unpacked is answered, and the end is an error
    let cut = gzip(long.as_bytes());
    let ran = on(&cut[..cut.len() - 20], &[]).ended(1);
    assert!(
        ran.err.contains("cannot read standard input"),
        "{}",
        ran.err
    );
}

#[test]
fn csv_is_read_in_utf16_and_with_other_separators() {
    let rows = [("titel", "Charizard 4/102"), ("notiz", "a,b")];
    for (separator, encode) in [
        (';', false),
        ('\t', false),
        ('|', false),
        ('\t', true),
        (';', true),
    ] {
        let text = format!(
            "{}{separator}{}\r\n{}{separator}\"{}\"\r\n",
            rows[0].0, rows[1].0, rows[0].1, rows[1].1
        );
        let bytes = if encode {
            utf16(&text)
        } else {
            text.into_bytes()
        };
        for ran in [
            parse_file("listings.csv", &bytes, &["--column", "titel"]),
            on(&bytes, &["--column", "titel"]),
        ] {
            assert_eq!(
                seen(&ran.ended(0)),
                [(
                    "Charizard 4/102".to_owned(),
                    json!({"notiz": "a,b"}),
                    String::new()
                )],
                "{separator}"
            );
        }
    }
    let odd = "a^title\n1^Charizard 4/102\n";
    for ran in [
        parse_file("odd.csv", odd.as_bytes(), &["--delimiter", "^"]),
        on(odd.as_bytes(), &["--delimiter", "^"]),
    ] {
        assert_eq!(seen(&ran.ended(0))[0].1, json!({"a": "1"}));
    }
    let tabs = parse_file("a.csv", b"title\tid\nx\t1\n", &["--delimiter", "tab"]).ended(0);
    assert_eq!(seen(&tabs)[0].1, json!({"id": "1"}));
    // marketplaces write `Title`
    let exported = b"Item number;Title\n1;Charizard 4/102\n";
    for ran in [parse_file("listings.csv", exported, &[]), on(exported, &[])] {
        assert_eq!(seen(&ran.ended(0))[0].1, json!({"Item number": "1"}));
    }
    // the message names the columns, not the line
    let ran = parse_file("listings.csv", b"titel;preis\nx;1\n", &[]).ended(1);
    assert!(ran.err.contains("it has `titel`, `preis`"), "{}", ran.err);
    let ran = on(b"{\"title\":\"x\"}\n", &["--delimiter", ";"]).ended(1);
    assert!(ran.err.contains("no delimiter"), "{}", ran.err);
    for wrong in ["", ";;", "\"", "é"] {
        on(b"", &["--delimiter", wrong]).ended(2);
    }
}

#[test]
fn json_is_read_as_values_wherever_lines_end() {
    let objects = json!([
        {"title": "Charizard 4/102 Base Set", "price": 12.5},
        {"price": [1, {"a": "]"}], "title": "Pikachu 58/102"},
    ]);
    let rows = [json!({"price": 12.5}), json!({"price": [1, {"a": "]"}]})];
    let pretty = serde_json::to_string_pretty(&objects).expect("JSON");
    let stream = format!(
        "{}\n{}\n",
        serde_json::to_string_pretty(&objects[0]).expect("JSON"),
        serde_json::to_string_pretty(&objects[1]).expect("JSON")
    );
    let lines = format!("{}\n{}\n", objects[0], objects[1]);
    for text in [objects.to_string(), pretty, stream, lines] {
        for ran in [
            on(text.as_bytes(), &[]),
            on(&gzip(text.as_bytes()), &[]),
            parse_file("listings.json", text.as_bytes(), &[]),
            parse_file("listings.txt", text.as_bytes(), &[]),
        ] {
            let seen = seen(&ran.ended(0));
            assert_eq!(seen[0].0, "Charizard 4/102 Base Set", "{text}");
            assert_eq!(
                seen.iter()
                    .map(|(_, row, _)| row.clone())
                    .collect::<Vec<_>>(),
                rows
            );
        }
    }
    let array = parse_file("listings.jsonl", objects.to_string().as_bytes(), &[]).ended(0);
    assert_eq!(titles(&array).len(), 2);
    let texts = on(b"[\"Charizard 4/102 Base Set\",\n \"Pikachu 58/102\"]", &[]).ended(0);
    assert_eq!(texts.out, on(TITLES.as_bytes(), &[]).ended(0).out);
    assert_eq!(on(b"[]", &[]).ended(0).out, "");
    // wrong values are answered by their number, and an array that is cut short is an error
    let ran = on(b"[{\"title\":\"x\"}, 7, {\"name\":\"y\"}]", &[]).ended(3);
    let messages: Vec<String> = seen(&ran)
        .into_iter()
        .map(|(_, _, message)| message)
        .collect();
    assert!(messages[1].starts_with("value 2, column"), "{messages:?}");
    assert!(
        messages[2].starts_with("value 3 has no member `title`"),
        "{messages:?}"
    );
    let ran = on(b"[{\"title\":\"x\"},\n{\"title\":", &[]).ended(1);
    assert!(ran.err.contains("cut short"), "{}", ran.err);
    // titles that look a little like it are titles
    for title in [
        "[Holo] Charizard 4/102",
        "[\"Holo\"] Charizard",
        "{Lot} Pikachu",
    ] {
        assert_eq!(titles(&on(title.as_bytes(), &[]).ended(0)), [title]);
        assert_eq!(
            titles(&on(b"[\"x\"]", &["--from", "lines"]).ended(0)),
            ["[\"x\"]"]
        );
    }
}

#[test]
fn what_holds_no_titles_is_refused_and_never_answered() {
    for (bytes, hint) in [
        (&b"\xfd7zXZ\0\0\x04"[..], "xz -dc"),
        (b"BZh91AY&SY\x12\x34", "bzip2 -dc"),
        (b"PK\x03\x04\x14\0\x06\0", "save the sheet as CSV"),
        (b"%PDF-1.7\n", "CSV"),
        #[cfg(not(feature = "parquet"))]
        (b"\x28\xb5\x2f\xfd\x04\x58", "zstd -dc"),
        (b"PAR1\x15\x04", "--input"),
    ] {
        let parquet = bytes.starts_with(b"PAR1");
        if parquet && cfg!(not(feature = "parquet")) {
            continue;
        }
        for args in [&[][..], &["--from", "csv"]] {
            let ran = on(bytes, args);
            if parquet && !args.is_empty() {
                continue;
            }
            let ran = ran.ended(1);
            assert_eq!(ran.out, "");
            assert!(ran.err.contains(hint), "{}", ran.err);
        }
        if !parquet {
            let ran = parse_file("listings.txt", bytes, &[]).ended(1);
            assert!(
                ran.err.contains("listings.txt") && ran.err.contains(hint),
                "{}",
                ran.err
            );
        }
    }
}

#[cfg(feature = "parquet")]
#[test]
fn zstd_and_parquet_are_known_by_content() {
    let packed = [
        // a raw block of 15 bytes: `Pikachu 58/102\n`
        &b"\x28\xb5\x2f\xfd\x20\x0f\x79\x00\x00"[..],
        b"Pikachu 58/102\n",
    ]
    .concat();
    let plain = on(b"Pikachu 58/102\n", &[]).ended(0).out;
    assert_eq!(on(&packed, &[]).ended(0).out, plain);
    assert_eq!(parse_file("titles.zst", &packed, &[]).ended(0).out, plain);
    let table = crate::parquet::parquet_file(&[Some("Pikachu 58/102")]);
    let ran = parse_file("listings.bin", &table, &[]).ended(0);
    assert_eq!(titles(&ran), ["Pikachu 58/102"]);
}

#[test]
fn empty_titles_are_answered_in_their_place_and_reported() {
    let ran = on(b"x\n\n  \ny\n", &[]).ended(0);
    assert_eq!(titles(&ran), ["x", "", "  ", "y"]);
    assert!(
        ran.err
            .contains("2 of 4 titles are empty, the first in line 2"),
        "{}",
        ran.err
    );
    assert_eq!(on(b"x\n", &[]).ended(0).err, "");
    let ran = crate::support::run(&["explain", "--catalogue", small_index(), " "]).ended(2);
    assert!(ran.err.contains("the title is empty"), "{}", ran.err);
}
