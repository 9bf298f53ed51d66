//! `titledex-server import`, `review`, `export` and `market catalogue` as processes, on a database
//! of their own.

mod corrections;
#[path = "../service/few_sets.rs"]
mod few_sets;
mod files;
mod refresh;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;
use titledex::Options;
use titledex_command::catalogue::{CatalogueFile, engine, open};
use titledex_server::market::Day;
use titledex_server::market::load::Kind;
use titledex_server::market::synthetic::{Plan, generate};

/// Output of a command, and its exit code.
struct Ran {
    code: Option<i32>,
    out: String,
    said: String,
}

/// Runs the program on the cards of a few sets, unless the arguments name other settings.
fn server(folder: &TempDir, arguments: &[&str]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_titledex-server"));
    command.args(arguments).args(["--games", "pokemon"]);
    let settings = tempfile::NamedTempFile::new().expect("a file can be made");
    if !arguments.contains(&"--config") {
        fs::write(settings.path(), of_few_sets()).expect("writable");
        command.arg("--config").arg(settings.path());
    }
    let done = command
        .current_dir(folder.path())
        .output()
        .expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it is text");
    Ran {
        code: done.status.code(),
        out: text(done.stdout),
        said: text(done.stderr),
    }
}

/// The settings for the cards of a few sets.
fn of_few_sets() -> String {
    format!("catalogue = '{}'\n", few_sets::index().display())
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder can be made")
}

fn write(folder: &TempDir, name: &str, text: &str) {
    let path = folder.path().join(name);
    if Path::new(name).extension().is_some_and(|end| end == "gz") {
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(text.as_bytes()).expect("memory");
        fs::write(path, packed.finish().expect("memory")).expect("writable");
    } else {
        fs::write(path, text).expect("writable");
    }
}

#[cfg(feature = "parquet")]
fn parquet(folder: &TempDir, name: &str) {
    use arrow_array::{ArrayRef, Date32Array, Float64Array, RecordBatch, StringArray};
    use parquet::arrow::ArrowWriter;
    use std::sync::Arc;
    let ids: ArrayRef = Arc::new(StringArray::from(vec!["base1-4:unlimited-holofoil"; 2]));
    let days: ArrayRef = Arc::new(Date32Array::from(vec![20_400, 20_401]));
    let prices: ArrayRef = Arc::new(Float64Array::from(vec![Some(12.5), None]));
    let lows: ArrayRef = Arc::new(Float64Array::from(vec![None, Some(11.25)]));
    let columns = [
        ("marketplaceId", ids),
        ("date", days),
        ("marketPrice", prices),
        ("lowPrice", lows),
    ];
    let rows = RecordBatch::try_from_iter(columns).expect("columns are of one length");
    let file = fs::File::create(folder.path().join(name)).expect("writable");
    let mut writer = ArrowWriter::try_new(file, rows.schema(), None).expect("it can be written");
    writer.write(&rows).expect("it can be written");
    writer.close().expect("it can be written");
}

/// Writes a row of texts as Parquet.
#[cfg(feature = "parquet")]
fn parquet_of<'t>(folder: &TempDir, name: &str, cells: impl Iterator<Item = (&'t str, &'t str)>) {
    use arrow_array::{ArrayRef, RecordBatch, StringArray};
    use parquet::arrow::ArrowWriter;
    use std::sync::Arc;
    let columns = cells.map(|(name, cell)| {
        let column: ArrayRef = Arc::new(StringArray::from(vec![cell]));
        (name, column)
    });
    let rows = RecordBatch::try_from_iter(columns).expect("columns are of one length");
    let file = fs::File::create(folder.path().join(name)).expect("writable");
    let mut writer = ArrowWriter::try_new(file, rows.schema(), None).expect("it can be written");
    writer.write(&rows).expect("it can be written");
    writer.close().expect("it can be written");
}

/// Writes a synthetic market as files, one for each kind of rows.
fn invent(folder: &TempDir) {
    let plan = Plan {
        seed: 1,
        days: 5,
        until: Day::parse("2026-11-20").expect("it is a day"),
        cards: Some(200),
        others: false,
        printings: 2,
        sales: 300,
    };
    let few = CatalogueFile {
        catalogue: Some(few_sets::index()),
        ..CatalogueFile::default()
    };
    let catalogue = open(&few).unwrap_or_else(|failure| panic!("{failure:?}"));
    let mut files: BTreeMap<&str, csv::Writer<fs::File>> = BTreeMap::new();
    generate(&plan, &catalogue, &mut |kind, cells| {
        let name = match kind {
            Kind::Cards => "cards",
            Kind::Sets => "sets",
            Kind::Sealed => "sealed",
            Kind::Prices => "prices",
            Kind::Sales => "sales",
            Kind::Population => "population",
            Kind::Rates => "rates",
        };
        let file = files.entry(name).or_insert_with(|| {
            let path = folder.path().join(format!("synthetic_{name}.csv"));
            let mut file = csv::Writer::from_path(path).expect("writable");
            file.write_record(kind.columns().iter().map(|column| column.name))
                .expect("writable");
            file
        });
        file.write_record(cells)
    })
    .expect("writable");
    for file in files.values_mut() {
        file.flush().expect("writable");
    }
}

/// The same prices in each form, packed or not.
#[test]
fn files_of_every_format_are_imported() {
    let folder = folder();
    let csv = "marketplaceId,date,marketPrice,lowPrice\r\nbase1-4:unlimited-holofoil,2025-11-08,12.50,\r\n";
    write(&folder, "a.csv", &format!("\u{feff}{csv}"));
    write(&folder, "b.csv.gz", csv);
    write(&folder, "c.tsv", &csv.replace(',', "\t"));
    let line = r#"{"marketplaceId":"base1-4:unlimited-holofoil","date":"2025-11-08","marketPrice":12.50,"lowPrice":null}"#;
    write(
        &folder,
        "d.jsonl",
        &format!("{line}\n\n{}\n", line.replace("12.50", "\"12.50\"")),
    );
    let mut files = vec!["a.csv", "b.csv.gz", "c.tsv", "d.jsonl"];
    if cfg!(feature = "parquet") {
        #[cfg(feature = "parquet")]
        parquet(&folder, "e.parquet");
        files.push("e.parquet");
    }
    let ran = server(&folder, &[&["import", "prices"], files.as_slice()].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.said);
    let lines: Vec<_> = ran.out.lines().collect();
    assert_eq!(
        lines[..4],
        [
            "a.csv: 1 rows imported (import 1)",
            "b.csv.gz: 1 rows imported (import 2)",
            "c.tsv: 1 rows imported (import 3)",
            "d.jsonl: 2 rows imported (import 4)"
        ]
    );
    let ran = server(&folder, &["import", "prices", "a.csv", "--dry-run"]);
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (Some(0), "a.csv: 1 rows checked, nothing kept\n")
    );
}

/// Each wrong row is named by file, line, column and value; a file that cannot be understood says
/// why.
#[test]
fn wrong_rows_and_files_are_reported_with_their_place() {
    let folder = folder();
    write(
        &folder,
        "a.csv",
        "marketplaceId,date,marketPrice\nbase1-4:unlimited-holofoil,2025-11-08,12,50\nbase1-4:x,2025-11-08,1\nbase1-4:unlimited-holofoil,8.11.2025,1\n",
    );
    let ran = server(&folder, &["import", "prices", "a.csv", "--strict"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(3), ""));
    let said: Vec<_> = ran.said.lines().collect();
    assert_eq!(
        said,
        [
            "titledex-server: a.csv: row 2: has 4 cells and the header 3, so cell 4 has no column: quote cells that contain the separator",
            "titledex-server: a.csv: row 3: marketplaceId \"base1-4:x\" is not in the store: import its card or product first",
            "titledex-server: a.csv: row 4: date \"8.11.2025\" is not a day or moment in UTC from 1970-01-01 on: write 2026-11-20 or 2026-11-20T06:00:00Z",
            "titledex-server: a.csv: 3 of 3 rows are wrong: nothing of the file was kept",
        ]
    );
    // otherwise they are set aside, and the rest goes in
    write(
        &folder,
        "right.csv",
        "marketplaceId,date,marketPrice\nbase1-4:x,2025-11-08,1\nbase1-4:unlimited-holofoil,2025-11-08,12\nbase1-4:unlimited-holofoil,2025-11-09,\"1,400.00\"\n",
    );
    let ran = server(&folder, &["import", "prices", "right.csv"]);
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (Some(3), "right.csv: 1 rows imported (import 1)\n")
    );
    assert!(
        ran.said.ends_with(
            "right.csv: 2 of 3 rows are wrong: they were set aside in right.csv.rejected.csv\n"
        ),
        "{}",
        ran.said
    );
    let aside =
        std::fs::read_to_string(folder.path().join("right.csv.rejected.csv")).expect("it is there");
    let lines: Vec<_> = aside.lines().collect();
    assert_eq!(lines.len(), 3, "{aside}");
    assert!(
        lines[0].starts_with("row,reason,marketplaceId,date,marketPrice"),
        "{aside}"
    );
    assert!(
        lines[1].starts_with("2,\"marketplaceId \"\"base1-4:x\"\" is not in the store"),
        "{aside}"
    );
    assert!(lines[2].contains("\"1,400.00\""), "{aside}");
    let ran = server(&folder, &["import", "list"]);
    assert!(ran.out.contains("\"name\":\"right.csv\""), "{}", ran.out);
    // in the shape of /api/admin/changes
    assert!(ran.out.contains("\"madeAt\":\"20"), "{}", ran.out);
    assert!(ran.out.contains("\"undoneAt\":null"), "{}", ran.out);
    let ran = server(&folder, &["import", "prices", "."]);
    assert!(
        ran.said.contains("it is a folder: name a file in it"),
        "{}",
        ran.said
    );
    let ran = server(&folder, &["import", "undo", "1"]);
    assert_eq!(ran.code, Some(0), "{}", ran.said);
    assert!(ran.out.contains("\"undoneAt\":\"20"), "{}", ran.out);
    let ran = server(&folder, &["import", "undo", "1"]);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.said
            .contains("change 1 is not undone: it was undone before"),
        "{}",
        ran.said
    );
    write(&folder, "b.csv", "marketplaceId,date,colour\n");
    write(&folder, "c.csv", "marketplaceId,marketPrice\n");
    write(&folder, "d.csv", "marketplaceId,date,date\n");
    write(&folder, "e.txt", "x\n");
    write(&folder, "f.jsonl", "[1]\n");
    for (file, code, why) in [
        (
            "b.csv",
            1,
            "b.csv has the column \"colour\", which is not known",
        ),
        ("c.csv", 1, "c.csv has no column \"date\": add it"),
        ("d.csv", 1, "d.csv has the column \"date\" twice"),
        ("e.txt", 1, "e.txt has no known ending"),
        ("gone.csv", 1, "cannot read gone.csv"),
        (
            "f.jsonl",
            3,
            "f.jsonl: row 1: invalid type: sequence, expected an object: correct the line",
        ),
    ] {
        let ran = server(&folder, &["import", "prices", file]);
        assert_eq!(ran.code, Some(code), "{file}");
        assert!(ran.said.contains(why), "{file}: {}", ran.said);
    }
    write(&folder, "g.csv", "marketplaceId,date,colour\n");
    assert_eq!(
        server(&folder, &["import", "prices", "g.csv", "--ignore-columns"]).code,
        Some(0)
    );
}

/// A synthetic market of the built-in catalogue as files: all of it is imported, reviewed and
/// exported.
#[test]
fn synthetic_market_is_imported_reviewed_and_exported() {
    let folder = folder();
    invent(&folder);
    // of a few sets no invented listing fits several cards
    write(
        &folder,
        "vague.csv",
        "title,price,currency,date,url\nCharizard holo,90,USD,2026-11-18,https://www.ebay.com/itm/400400000001\n",
    );
    let synthetic = ["cards", "sealed", "prices", "population", "sales"];
    let files = synthetic.map(|kind| (kind, format!("synthetic_{kind}.csv")));
    for (kind, file) in files.into_iter().chain([("sales", "vague.csv".to_owned())]) {
        let ran = server(&folder, &["import", kind, &file]);
        assert_eq!(ran.code, Some(0), "{}", ran.said);
    }
    let list = server(&folder, &["review", "list", "--limit", "2"]);
    assert_eq!(list.code, Some(0), "{}", list.said);
    let first: Value =
        serde_json::from_str(list.out.lines().next().expect("some wait")).expect("it is JSON");
    let id = first["id"].to_string();
    let accepted = server(
        &folder,
        &[
            "review",
            "accept",
            &id,
            "--card",
            "base1-4:unlimited-holofoil",
            "--grade",
            "GRADER_A_9",
        ],
    );
    let accepted: Value = serde_json::from_str(&accepted.out).expect("it is JSON");
    assert_eq!(
        (&accepted["status"], &accepted["grade"]),
        (&"accepted".into(), &"GRADER_A_9".into())
    );
    let again = server(&folder, &["review", "reject", &id]);
    assert_eq!(again.code, Some(1));
    assert!(again.said.contains("was accepted before"), "{}", again.said);
    let ran = server(&folder, &["export"]);
    assert_eq!(ran.code, Some(0), "{}", ran.said);
    let lines: Vec<Value> = ran
        .out
        .lines()
        .map(|line| serde_json::from_str(line).expect("it is JSON"))
        .collect();
    assert_eq!(lines.len(), 4);
    for line in lines {
        let file = folder
            .path()
            .join("titledex-exports")
            .join(line["file"].as_str().expect("it has a name"));
        let bytes = fs::metadata(file).expect("it is there").len();
        assert_eq!(line["bytes"], bytes);
        assert!(
            line["records"].as_i64().is_some_and(|records| records > 0),
            "{line}"
        );
    }
}

/// Cards that the store has in addition to the catalogue are read from titles with an index of
/// both.
#[test]
fn index_includes_the_cards_of_the_store() {
    let folder = folder();
    write(
        &folder,
        "own.csv",
        "marketplaceId,name,setName,setId,cardNumber,language,printing\nown-7:holo,Glitterzard,Home Made,own,7/10,english,Holo\n",
    );
    let ran = server(&folder, &["import", "cards", "own.csv"]);
    assert_eq!(ran.code, Some(0), "{}", ran.said);
    let ran = server(&folder, &["market", "catalogue", "-o", "cards.index"]);
    assert_eq!(ran.code, Some(0), "{}", ran.said);
    assert!(
        ran.said
            .ends_with("titledex-server: 1 of them are cards of the store alone\n"),
        "{}",
        ran.said
    );
    let index = folder.path().join("cards.index");
    let from = CatalogueFile {
        catalogue: Some(index),
        ..CatalogueFile::default()
    };
    let engine = engine(&from).unwrap_or_else(|failure| panic!("{failure:?}"));
    let answer = |title: &str| -> Value {
        let mut json = Vec::new();
        engine
            .answer(title, &Options::default())
            .write_json(&mut json);
        serde_json::from_slice(&json).expect("it is JSON")
    };
    let answers = [
        answer("Glitterzard 7/10 Home Made"),
        answer("Glurak 4/102 Holo Base Set"),
    ];
    let best = answers.each_ref().map(|answer| {
        (
            answer["outcome"]["type"].as_str(),
            answer["matches"][0]["marketplaceId"].as_str(),
        )
    });
    assert_eq!(best[0], (Some("match"), Some("own-7:holo")), "{answers:?}");
    assert_eq!(answers[1]["matches"][0]["cardId"], "base1-4", "{answers:?}");
}

#[test]
fn help_fits_a_screen() {
    let folder = folder();
    let ran = server(&folder, &["--help"]);
    assert_eq!(ran.code, Some(0));
    assert!(ran.out.lines().count() <= 24, "{}", ran.out);
    assert!(
        ran.out.lines().all(|line| line.chars().count() <= 100),
        "{}",
        ran.out
    );
}

#[cfg(not(feature = "parquet"))]
#[test]
fn parquet_is_refused_with_how_to_install_it() {
    let folder = folder();
    write(&folder, "a.parquet", "PAR1");
    let ran = server(&folder, &["import", "prices", "a.parquet"]);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.said
            .contains("cargo install --locked --path server --features parquet"),
        "{}",
        ran.said
    );
}
