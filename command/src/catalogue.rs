//! Opening catalogues, and building indexes from files of cards.

use crate::output::{refuse_inputs, write_whole};
use crate::{Failure, files, say, shown};
use clap::Args;
use std::path::{Path, PathBuf};
use titledex::internals::build::input;
use titledex::internals::build::rows::Rows;
use titledex::internals::build::{build, contradictions};
use titledex::internals::pack::{is_pack, unpack};
use titledex::{Catalogue, Engine};
use titledex_embedded::distinct_games;
use xxhash_rust::xxh3::xxh3_64;

/// Which catalogue a command uses.
#[derive(Clone, Debug, Default, Args)]
pub struct CatalogueFile {
    /// Use this index or pack instead of the built-in catalogue. It is memory-mapped: replace the
    /// file, never change it in place.
    #[arg(long, value_name = "FILE")]
    pub catalogue: Option<PathBuf>,
    /// Find cards of these games only, by their ids with commas between them: pokemon, onepiece,
    /// magic, yugioh, lorcana, digimon. Default: all that the catalogue holds.
    #[arg(long, value_name = "GAMES", value_delimiter = ',')]
    pub games: Vec<String>,
}

impl CatalogueFile {
    /// The same, with the first game alone where neither a catalogue nor games are given: for
    /// programs whose figures are of that game, whatever games the program carries.
    #[must_use]
    pub fn or_first_game(&self) -> Self {
        let mut from = self.clone();
        if from.catalogue.is_none() && from.games.is_empty() {
            from.games = vec![titledex_embedded::FIRST_GAME.to_owned()];
        }
        from
    }
}

/// Opens the catalogue that is given, or a built-in one.
///
/// # Errors
/// If the file cannot be read or is not a catalogue.
pub fn open(from: &CatalogueFile) -> Result<Catalogue, Failure> {
    match &from.catalogue {
        Some(path) => opened(path),
        None => titledex_embedded::catalogue_of(&from.games)
            .map_err(|error| Failure::new(format!("the built-in catalogue: {error}"))),
    }
}

/// The catalogue in `path`, unpacked if it is a pack.
fn opened(path: &Path) -> Result<Catalogue, Failure> {
    let bytes = files::map(path)?;
    if is_pack(&bytes) {
        unpack(&bytes).and_then(Catalogue::open)
    } else {
        Catalogue::open(bytes)
    }
    .and_then(|catalogue| Ok(catalogue.with_dictionary(titledex_embedded::dictionary()?)))
    .map_err(|error| Failure::of(path, &error))
}

/// An engine for the catalogue in `path`.
///
/// # Errors
/// If the file cannot be read, is not a catalogue, or brings a dictionary that cannot be read.
pub fn engine_of(path: &Path) -> Result<Engine, Failure> {
    let engine = Engine::builder(opened(path)?).build();
    engine.map_err(|error| Failure::of(path, &error))
}

/// An engine for the catalogue that is given, or for a built-in one.
///
/// # Errors
/// If the file cannot be read or is not a catalogue, or lacks a game that is asked for.
pub fn engine(from: &CatalogueFile) -> Result<Engine, Failure> {
    let games = from.games.iter().map(String::as_str);
    let engine = Engine::builder(open(from)?).games(games).build();
    engine.map_err(|error| Failure::new(error.to_string()))
}

/// A hash that identifies the catalogue that is given, or a built-in one, and the games asked for.
///
/// Only the header is hashed: it holds a checksum of all the rest.
///
/// # Errors
/// If the file cannot be read.
pub fn fingerprint(from: &CatalogueFile) -> Result<u64, Failure> {
    const HEADER_BYTES: usize = 32;
    let of = |index: &[u8]| {
        let mut known = index[..index.len().min(HEADER_BYTES)].to_vec();
        known.extend(distinct_games(&from.games).join(",").bytes());
        xxh3_64(&known)
    };
    match &from.catalogue {
        Some(path) => files::map(path).map(|index| of(&index)),
        None => Ok(of(titledex_embedded::index_of(&from.games))),
    }
}

/// Builds an index of `rows`, writes it to `output`, and reports its size.
///
/// # Errors
/// If the rows make no catalogue, or the file cannot be written.
pub fn write_index(rows: &Rows, output: &Path, name: Option<&str>) -> Result<(), Failure> {
    let catalogue = build(rows, name.unwrap_or(&stem(output)))
        .and_then(Catalogue::open)
        .map_err(refused)?;
    write_whole(output, catalogue.as_bytes())?;
    report_contradictions(rows)?;
    report_written(output, &catalogue, catalogue.as_bytes().len());
    Ok(())
}

/// Says on standard error which names and numbers of `rows` contradict each other, and how an index
/// is built with them.
///
/// # Errors
/// If the dictionaries of this build are damaged.
pub fn report_contradictions(rows: &Rows) -> Result<(), Failure> {
    const SHOWN: usize = 3;
    let report = |all: &[String], what: &str| {
        if !all.is_empty() {
            let more = if all.len() > SHOWN { " …" } else { "" };
            let shown = all[..all.len().min(SHOWN)].join(", ");
            say(&format!("{} {what}: {shown}{more}", all.len()));
        }
    };
    let found = contradictions(rows).map_err(refused)?;
    let names: Vec<String> = found
        .names
        .iter()
        .map(|name| shown(&format!("{} {} {}", name.card, name.language, name.name)))
        .collect();
    report(
        &names,
        "names left out, since they are those of other cards",
    );
    report(
        &found.numbers,
        "cards get the subjects of their own names, which contradict those that the source states",
    );
    Ok(())
}

/// Says on standard error what was written to `output`: the counts of `catalogue`, and the size of
/// the file in `bytes`.
pub fn report_written(output: &Path, catalogue: &Catalogue, bytes: usize) {
    say(&format!(
        "{}: {} cards, {} sets, {bytes} bytes",
        files::name(output),
        catalogue.card_count(),
        catalogue.set_count()
    ));
}

/// The bound on files that a catalogue is made of.
#[derive(Debug, Args)]
pub struct Bound {
    /// Refuse a file of more than this, decompressed: it is read into memory.
    #[arg(long, value_name = "MIB", default_value_t = files::DEFAULT_MIB)]
    pub max_mib: u64,
}

impl Default for Bound {
    fn default() -> Self {
        Self {
            max_mib: files::DEFAULT_MIB,
        }
    }
}

/// The rows of files of cards, or those of `games` in the built-in catalogue if there are none.
///
/// # Errors
/// As for [`read_rows`]; and if the program does not carry one of the games.
pub fn rows_of(
    cards: &[PathBuf],
    sets: Option<&Path>,
    games: &[String],
    output: &Path,
    bound: &Bound,
) -> Result<Rows, Failure> {
    if cards.is_empty() {
        built_in_rows(games)
    } else {
        read_rows(cards, sets, &[], output, bound)
    }
}

/// The rows of these games in the built-in catalogue.
fn built_in_rows(games: &[String]) -> Result<Rows, Failure> {
    let mut rows = Rows::default();
    for game in distinct_games(games) {
        rows.extend(built_in_game(game)?);
    }
    Ok(rows)
}

/// The rows of one of the games that the program carries.
fn built_in_game(game: &str) -> Result<Rows, Failure> {
    let rows_of = |cards: &[u8], sets: &[u8]| {
        let (cards, sets) = (files::unpacked(cards)?, files::unpacked(sets)?);
        input::tables(("cards.csv", &cards), ("sets.csv", &sets)).map_err(refused)
    };
    if game == titledex_embedded::FIRST_GAME {
        let [cards, sets] = titledex_embedded::TABLES;
        return rows_of(cards, sets);
    }
    #[cfg(feature = "games")]
    if let Some((_, [cards, names, sets])) = titledex_embedded::GAME_TABLES
        .iter()
        .find(|(id, _)| *id == game)
    {
        let mut rows = rows_of(cards, sets)?;
        input::give_names("names.csv", &files::unpacked(names)?, &mut rows).map_err(refused)?;
        return Ok(rows);
    }
    let catalogue = titledex_embedded::catalogue_of::<&str>(&[]).map_err(refused)?;
    Err(Failure::new(format!(
        "this program has no cards of the game `{game}`; it has: {}",
        catalogue.info().games.join(", ")
    )))
}

/// The name of a file without its ending, which names a catalogue by default; `catalogue` for
/// standard output.
#[must_use]
pub fn stem(output: &Path) -> String {
    output
        .file_stem()
        .map(|stem| stem.to_string_lossy().into_owned())
        .filter(|stem| stem != "-")
        .unwrap_or_else(|| "catalogue".to_owned())
}

/// The rows of files of cards and of a file of sets, none of which may be `output`.
///
/// # Errors
/// If a file cannot be read, is longer than `bound`, or a row is bad; the message names the place.
pub fn read_rows(
    cards: &[PathBuf],
    sets: Option<&Path>,
    games: &[PathBuf],
    output: &Path,
    bound: &Bound,
) -> Result<Rows, Failure> {
    refuse_inputs(output, cards.iter().map(PathBuf::as_path).chain(sets))?;
    let read = |path: &Path| {
        let remedy = "give --max-mib more if it is a catalogue of that size";
        files::read_within(path, bound.max_mib, remedy)
    };
    let mut rows = Rows::default();
    for folder in games {
        add_game(folder, &mut rows)?;
    }
    if let Some(path) = sets {
        let bytes = read(path)?;
        input::jsonl_sets(&files::name(path), &bytes, &mut rows).map_err(refused)?;
    }
    for path in cards {
        let bytes = read(path)?;
        let file = files::name(path);
        match Shape::of(path, &bytes) {
            Shape::JsonLines => input::jsonl_cards(&file, &bytes, &mut rows),
            Shape::Csv => input::export_csv(&file, &bytes, &mut rows),
        }
        .map_err(refused)?;
    }
    rows.notes.iter().for_each(|note| say(&shown(note)));
    Ok(rows)
}

/// Makes the game of a folder known, whose name is its id.
fn add_game(folder: &Path, rows: &mut Rows) -> Result<(), Failure> {
    let id = folder
        .file_name()
        .map(|name| name.to_string_lossy().into_owned());
    let Some(id) = id.filter(|id| is_id(id)) else {
        return Err(Failure::new(format!(
            "{}: the name of the folder is the id of the game: small letters and digits, as swu",
            folder.display()
        )));
    };
    let listed = |error: std::io::Error| Failure::file("read", folder, &error);
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(listed)? {
        let path = entry.map_err(listed)?.path();
        if path.extension().is_some_and(|ending| ending == "csv") {
            let text = std::fs::read_to_string(&path)
                .map_err(|error| Failure::file("read", &path, &error))?;
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            files.push((name.into_owned(), text));
        }
    }
    files.sort();
    // the message names the file as the dictionaries of this build do
    rows.add_game(&id, &files).map_err(|error| {
        let built_in = format!("dictionaries/{id}");
        Failure::new(
            error
                .to_string()
                .replace(&built_in, &folder.display().to_string()),
        )
    })
}

/// Whether a text can be the id of a game.
fn is_id(text: &str) -> bool {
    let known = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    !text.is_empty() && text.bytes().all(known)
}

/// An error of the core whose message already names the place.
#[must_use]
pub fn refused(error: titledex::Error) -> Failure {
    Failure::new(error.to_string())
}

/// How a file of cards is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    JsonLines,
    Csv,
}

impl Shape {
    /// By the first character. If that is not a bracket, by the name, so that a file in another
    /// encoding is refused for its encoding.
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

#[cfg(test)]
mod tests {
    use super::Shape;
    use std::path::Path;

    #[test]
    fn shape_is_known_by_content_then_by_name() {
        let shape = |name: &str, bytes: &[u8]| Shape::of(Path::new(name), bytes);
        assert_eq!(shape("cards", b" {\"id\":1}"), Shape::JsonLines);
        assert_eq!(shape("cards.csv", b"\xef\xbb\xbf{}"), Shape::JsonLines);
        assert_eq!(shape("cards.jsonl.gz", b"\xff\xfe{\0"), Shape::JsonLines);
        assert_eq!(shape("cards", b"marketplaceId,name"), Shape::Csv);
        assert_eq!(shape("cards.csv.gz", b"\xff\xfem\0"), Shape::Csv);
        assert_eq!(shape("empty", b""), Shape::Csv);
    }
}
