//! `titledex catalogue`: builds an index, says what one holds, prints cards, writes the text tables.

use crate::args::{Catalogue as Command, From};
use crate::failure::{Failure, say};
use crate::files;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use titledex::internals::build::input;
use titledex::internals::build::rows::Rows;
use titledex::internals::build::{Selection, build, build_selected};
use titledex::internals::pack::{is_pack, pack, unpack};
use titledex::{Catalogue, Engine};
use xxhash_rust::xxh3::xxh3_64;

/// The catalogue in `path`, or the built-in one.
pub(crate) fn open(path: Option<&Path>) -> Result<Catalogue, Failure> {
    match path {
        Some(path) => opened(path),
        None => titledex_embedded::catalogue()
            .map_err(|error| Failure::new(format!("the built-in catalogue: {error}"))),
    }
}

/// The catalogue of the index in `path`, or of the one that the pack there stands for.
fn opened(path: &Path) -> Result<Catalogue, Failure> {
    let bytes = files::map(path)?;
    if is_pack(&bytes) {
        unpack(&bytes).and_then(Catalogue::open)
    } else {
        Catalogue::open(bytes)
    }
    .map_err(|error| Failure::of(path, &error))
}

/// An engine for the catalogue in `path`, or for the built-in one.
pub(crate) fn engine(path: Option<&Path>) -> Result<Engine, Failure> {
    open(path).map(Engine::new)
}

/// A number that stands for the catalogue in `path`, or for the built-in one: another catalogue has another.
///
/// The header of an index has the checksum of all the rest.
pub(crate) fn fingerprint(path: Option<&Path>) -> Result<u64, Failure> {
    const HEADER_BYTES: usize = 32;
    let of = |index: &[u8]| xxh3_64(&index[..index.len().min(HEADER_BYTES)]);
    path.map_or_else(
        || Ok(of(titledex_embedded::INDEX)),
        |path| files::map(path).map(|index| of(&index)),
    )
}

/// Runs one of the commands.
pub(crate) fn run(command: &Command) -> Result<(), Failure> {
    match command {
        Command::Build {
            cards,
            sets,
            output,
            name,
        } => build_index(cards, sets.as_deref(), output, name.as_deref()),
        Command::Pack {
            cards,
            sets,
            languages,
            since,
            eras,
            output,
            name,
        } => {
            let selection = Selection {
                languages: languages.clone(),
                since: *since,
                series: eras.clone(),
            };
            write_pack(cards, sets.as_deref(), &selection, output, name.as_deref())
        }
        Command::Info(from) => info(from),
        Command::Show { ids, from } => show(ids, from),
        Command::Tables {
            cards,
            sets,
            output,
        } => tables(cards, sets, output),
    }
}

fn build_index(
    cards: &[PathBuf],
    sets: Option<&Path>,
    output: &Path,
    name: Option<&str>,
) -> Result<(), Failure> {
    write_index(&read_rows(cards, sets, output)?, output, name)
}

/// Builds an index of `rows` and puts it in its place.
pub(crate) fn write_index(rows: &Rows, output: &Path, name: Option<&str>) -> Result<(), Failure> {
    let bytes = build(rows, name.unwrap_or(&stem(output))).map_err(said)?;
    let catalogue = Catalogue::open(bytes).map_err(said)?;
    files::write_whole(output, catalogue.as_bytes())?;
    say_written(output, &catalogue, catalogue.as_bytes());
    Ok(())
}

fn write_pack(
    cards: &[PathBuf],
    sets: Option<&Path>,
    selection: &Selection,
    output: &Path,
    name: Option<&str>,
) -> Result<(), Failure> {
    let catalogue = if cards.is_empty() && selection.is_all() && name.is_none() {
        Catalogue::open(titledex_embedded::INDEX)
    } else {
        let rows = rows_of(cards, sets, output)?;
        build_selected(&rows, name.unwrap_or(&stem(output)), selection).and_then(Catalogue::open)
    }
    .map_err(said)?;
    let bytes = pack(catalogue.as_bytes()).map_err(said)?;
    files::write_whole(output, &bytes)?;
    say_written(output, &catalogue, &bytes);
    Ok(())
}

/// Says what was written to `output`.
fn say_written(output: &Path, catalogue: &Catalogue, bytes: &[u8]) {
    say(&format!(
        "{}: {} cards, {} sets, {} bytes",
        output.display(),
        catalogue.card_count(),
        catalogue.set_count(),
        bytes.len()
    ));
}

/// The rows of files, or of the built-in catalogue where none is given.
pub(crate) fn rows_of(
    cards: &[PathBuf],
    sets: Option<&Path>,
    output: &Path,
) -> Result<Rows, Failure> {
    if cards.is_empty() {
        embedded_rows()
    } else {
        read_rows(cards, sets, output)
    }
}

/// The rows of the built-in catalogue.
fn embedded_rows() -> Result<Rows, Failure> {
    let [cards, sets] = titledex_embedded::TABLES.map(files::unpacked);
    input::tables(("cards.csv", &cards?), ("sets.csv", &sets?)).map_err(said)
}

fn stem(output: &Path) -> String {
    output
        .file_stem()
        .map(|stem| stem.to_string_lossy().into_owned())
        .unwrap_or_default()
}

fn read_rows(cards: &[PathBuf], sets: Option<&Path>, output: &Path) -> Result<Rows, Failure> {
    if let Some(path) = cards
        .iter()
        .map(PathBuf::as_path)
        .chain(sets)
        .find(|path| files::same(path, output))
    {
        return Err(Failure::new(format!(
            "{}: the index would take the place of an input: give -o another name",
            path.display()
        )));
    }
    let mut rows = Rows::default();
    if let Some(path) = sets {
        let bytes = files::read(path)?;
        input::jsonl_sets(&files::name(path), &bytes, &mut rows).map_err(said)?;
    }
    for path in cards {
        let bytes = files::read(path)?;
        let file = files::name(path);
        match Shape::of(path, &bytes) {
            Shape::JsonLines => input::jsonl_cards(&file, &bytes, &mut rows),
            Shape::Csv => input::export_csv(&file, &bytes, &mut rows),
        }
        .map_err(said)?;
    }
    Ok(rows)
}

/// A message of the core that names its place itself.
fn said(error: titledex::Error) -> Failure {
    Failure::new(error.to_string())
}

/// How a file of cards is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    JsonLines,
    Csv,
}

impl Shape {
    /// By the first character; by the name where that is no bracket, so that a file in another encoding is refused as what it should be.
    fn of(path: &Path, bytes: &[u8]) -> Self {
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let first = text.iter().find(|byte| !byte.is_ascii_whitespace());
        let name = files::name(path).to_lowercase();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        let named = [".jsonl", ".json", ".ndjson"]
            .iter()
            .any(|ending| name.ends_with(ending));
        if named || matches!(first, Some(b'{' | b'[')) {
            Self::JsonLines
        } else {
            Self::Csv
        }
    }
}

fn info(from: &From) -> Result<(), Failure> {
    let catalogue = open(from.catalogue.as_deref())?;
    let lines = catalogue.describe();
    let width = lines
        .iter()
        .map(|(key, _)| key.len())
        .max()
        .unwrap_or_default();
    let mut out = io::stdout().lock();
    for (key, value) in lines {
        writeln!(out, "{key:width$}  {value}")?;
    }
    Ok(out.flush()?)
}

fn show(ids: &[String], from: &From) -> Result<(), Failure> {
    let catalogue = open(from.catalogue.as_deref())?;
    let mut out = io::stdout().lock();
    let mut missing = Vec::new();
    for id in ids {
        let of_printing = || {
            id.rsplit_once(':')
                .and_then(|(card, _)| catalogue.card(card))
        };
        let Some(card) = catalogue.card(id).or_else(of_printing) else {
            missing.push(id.as_str());
            continue;
        };
        serde_json::to_writer_pretty(&mut out, &card).map_err(io::Error::from)?;
        writeln!(out)?;
    }
    out.flush()?;
    if missing.is_empty() {
        return Ok(());
    }
    let catalogue = match &from.catalogue {
        Some(path) => path.display().to_string(),
        None => "the built-in catalogue".to_owned(),
    };
    Err(Failure::new(format!(
        "no card {} in {catalogue}: an id is a set's id, a hyphen and a number, such as base1-4",
        missing.join(", ")
    )))
}

fn tables(cards: &Path, sets: &Path, output: &Path) -> Result<(), Failure> {
    let mut rows = Rows::default();
    let bytes = files::read(sets)?;
    input::jsonl_sets(&files::name(sets), &bytes, &mut rows).map_err(said)?;
    let bytes = files::read(cards)?;
    input::jsonl_cards(&files::name(cards), &bytes, &mut rows).map_err(said)?;
    let (card_table, set_table) = input::write_tables(&rows);
    std::fs::create_dir_all(output).map_err(|error| Failure::file("make", output, &error))?;
    files::write_whole(&output.join("cards.csv"), &card_table)?;
    files::write_whole(&output.join("sets.csv"), &set_table)?;
    say(&format!(
        "{}: {} cards, {} sets",
        output.display(),
        rows.cards.len(),
        rows.sets.len()
    ));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Shape;
    use std::path::Path;

    #[test]
    fn tells_inputs_apart() {
        let shape = |name: &str, bytes: &[u8]| Shape::of(Path::new(name), bytes);
        assert_eq!(shape("cards", b" {\"id\":1}"), Shape::JsonLines);
        assert_eq!(shape("cards.csv", b"\xef\xbb\xbf{}"), Shape::JsonLines);
        assert_eq!(shape("cards.jsonl.gz", b"\xff\xfe{\0"), Shape::JsonLines);
        assert_eq!(shape("cards", b"marketplaceId,name"), Shape::Csv);
        assert_eq!(shape("cards.csv.gz", b"\xff\xfem\0"), Shape::Csv);
        assert_eq!(shape("empty", b""), Shape::Csv);
    }
}
