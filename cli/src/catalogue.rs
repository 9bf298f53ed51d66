//! `titledex catalogue`: builds or imports an index or a pack, describes a catalogue, prints cards.

use crate::import;
use clap::Subcommand;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use titledex::internals::build::{Selection, build_selected};
use titledex::internals::pack::pack;
use titledex::{CardView, Catalogue, MarketIds};
use titledex_command::catalogue::{
    Bound, CatalogueFile, engine, read_rows, refused, report_written, rows_of, stem, write_index,
};
use titledex_command::{Failure, files, output, shown};
use titledex_embedded::{FIRST_GAME, distinct_games};

pub(crate) const HELP: &str = "\
Examples:
  titledex catalogue info
  titledex catalogue info cards.index
  titledex catalogue show base1-4 asia:SV2a-201
  titledex catalogue build cards.csv -o cards.index";

const BUILD_HELP: &str = "\
Input files are recognised by their content, gzip or not:
  CSV         the price service's export, with the columns marketplaceId name
              setName setId cardNumber rarity language printing (others are
              ignored). A row is a printing; rows with the same set, number,
              name and language are one card
  JSON Lines  one card a line with id, set, number, names and further members;
              their sets come from --sets, else from the cards alone

If an input lacks a column, or has a bad row, a duplicate key, a card of a set that
--sets lacks, or an encoding other than UTF-8, nothing is written and the message
names the place.

Examples:
  titledex catalogue build cards_en.csv.gz cards_ja.csv.gz -o cards.index
  titledex catalogue build cards.jsonl.gz --sets sets.jsonl.gz -o cards.index
  titledex catalogue build --games pokemon,onepiece -o two-games.index";

const PACK_HELP: &str = "\
A pack is not compressed itself: serve it with `Content-Encoding: br` or gzip, or
compress it with gzip; both are read. Every --catalogue also takes a pack.

Examples:
  titledex catalogue pack -o all.pack
  titledex catalogue pack --languages english --since 2016 -o recent.pack
  titledex catalogue pack --games onepiece,digimon -o more.pack
  titledex catalogue pack cards.csv.gz --languages english,japanese -o cards.pack";

/// Build, inspect and pack catalogues.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Build an index from files of cards.
    #[command(after_help = BUILD_HELP)]
    Build {
        /// Files of cards: the export as CSV, or JSON Lines; gzip or not [default: the built-in
        /// catalogue].
        #[arg(value_name = "CARDS")]
        cards: Vec<PathBuf>,
        /// Only cards of these games of the built-in catalogue, by their ids with commas between
        /// them: pokemon, onepiece, magic, yugioh, lorcana, digimon [default: all].
        #[arg(
            long = "games",
            value_name = "GAMES",
            value_delimiter = ',',
            conflicts_with = "cards"
        )]
        built_in: Vec<String>,
        /// Sets as JSON Lines, gzip or not: names, codes, dates and counts that the cards do not
        /// state.
        #[arg(long, value_name = "FILE", requires = "cards")]
        sets: Option<PathBuf>,
        /// The dictionary of a game that is not built in: a folder, named by the id of the game,
        /// of CSV files as docs/GAMES.md describes them. The index carries it. May be given
        /// several times.
        #[arg(long = "game", value_name = "FOLDER", requires = "cards")]
        games: Vec<PathBuf>,
        /// The index to write; it is replaced whole, or left as it was. `-` is standard output.
        #[arg(long, short, value_name = "INDEX")]
        output: PathBuf,
        /// The name that `catalogue info` shows [default: the file's name].
        #[arg(long, requires = "cards")]
        name: Option<String>,
        #[command(flatten)]
        bound: Bound,
    },
    /// Read facts in the forms of public collections, and say what they change.
    #[command(after_help = import::HELP)]
    Import(Box<import::Import>),
    /// Write a pack, the form of a catalogue for browsers: a quarter of the size of the index.
    #[command(after_help = PACK_HELP)]
    Pack {
        /// Files of cards, as for `build` [default: the built-in catalogue].
        #[arg(value_name = "CARDS")]
        cards: Vec<PathBuf>,
        /// Sets as JSON Lines, gzip or not.
        #[arg(long, value_name = "FILE", requires = "cards")]
        sets: Option<PathBuf>,
        /// Only cards of these games of the built-in catalogue, by their ids with commas between
        /// them: pokemon, onepiece, magic, yugioh, lorcana, digimon.
        #[arg(
            long,
            value_name = "GAMES",
            value_delimiter = ',',
            default_value = FIRST_GAME,
            conflicts_with = "cards"
        )]
        games: Vec<String>,
        /// Only cards of these languages, as answers write them, with their names in these:
        /// english, japanese, chinese, indonesian, thai, korean.
        #[arg(long, value_name = "LANGUAGES", value_delimiter = ',')]
        languages: Vec<String>,
        /// Only cards of sets released in this year or later.
        #[arg(long, value_name = "YEAR")]
        since: Option<u16>,
        /// Only cards of sets of these series, as the sets name them: base, swsh, SV.
        #[arg(long, value_name = "SERIES", value_delimiter = ',')]
        eras: Vec<String>,
        /// The pack to write; it is replaced whole, or left as it was. `-` is standard output.
        #[arg(long, short, value_name = "PACK")]
        output: PathBuf,
        /// The name that `catalogue info` shows [default: the file's name].
        #[arg(long)]
        name: Option<String>,
        #[command(flatten)]
        bound: Bound,
    },
    /// Describe a catalogue: counts, languages, dates.
    Info {
        /// The index or pack [default: the built-in catalogue].
        #[arg(value_name = "FILE", conflicts_with = "catalogue")]
        file: Option<PathBuf>,
        #[command(flatten)]
        from: CatalogueFile,
    },
    /// Print cards as JSON.
    Show {
        /// Ids of cards (`base1-4`), of printings (`base1-4:shadowless-holofoil`), or of
        /// marketplaces' products (`tcgplayer:42382`, `cardmarket:273700`).
        #[arg(value_name = "ID", required = true)]
        ids: Vec<String>,
        #[command(flatten)]
        from: CatalogueFile,
    },
}

/// Writes the built-in catalogue of these games (all, where none is named) as an index, for
/// surfaces that take a file.
fn write_built_in(games: &[String], path: &Path) -> Result<(), Failure> {
    let engine = engine(&CatalogueFile {
        catalogue: None,
        games: games.to_vec(),
    })?;
    let catalogue = engine.catalogue();
    output::write_whole(path, catalogue.as_bytes())?;
    report_written(path, catalogue, catalogue.as_bytes().len());
    Ok(())
}

/// Runs one of the commands.
pub(crate) fn run(command: &Command) -> Result<(), Failure> {
    match command {
        Command::Build {
            cards,
            built_in,
            output,
            ..
        } if cards.is_empty() => write_built_in(built_in, output),
        Command::Build {
            cards,
            sets,
            games,
            output,
            name,
            bound,
            ..
        } => write_index(
            &read_rows(cards, sets.as_deref(), games, output, bound)?,
            output,
            name.as_deref(),
        ),
        Command::Pack {
            cards,
            sets,
            games,
            languages,
            since,
            eras,
            output,
            name,
            bound,
        } => {
            let selection = Selection {
                languages: languages.clone(),
                since: *since,
                series: eras.clone(),
            };
            let rows = || rows_of(cards, sets.as_deref(), games, output, bound);
            let whole = cards.is_empty() && selection.is_all() && name.is_none();
            let first = distinct_games(games) == [FIRST_GAME];
            let catalogue = if whole && first {
                Catalogue::open(titledex_embedded::INDEX)
            } else {
                let name = name.clone().unwrap_or_else(|| stem(output));
                build_selected(&rows()?, &name, &selection).and_then(Catalogue::open)
            };
            write_pack(&catalogue.map_err(refused)?, output)
        }
        Command::Import(args) => import::run(args),
        Command::Info { file, from } => info(&CatalogueFile {
            catalogue: file.clone().or_else(|| from.catalogue.clone()),
            games: from.games.clone(),
        }),
        Command::Show { ids, from } => show(ids, from),
    }
}

fn write_pack(catalogue: &Catalogue, output: &Path) -> Result<(), Failure> {
    let bytes = pack(catalogue.as_bytes()).map_err(refused)?;
    output::write_whole(output, &bytes)?;
    report_written(output, catalogue, bytes.len());
    Ok(())
}

fn info(from: &CatalogueFile) -> Result<(), Failure> {
    let engine = engine(from)?;
    let lines = engine.catalogue().describe();
    let width = lines
        .iter()
        .map(|(key, _)| key.len())
        .max()
        .unwrap_or_default();
    let mut out = io::stdout().lock();
    for (key, value) in lines {
        writeln!(out, "{key:width$}  {}", shown(&value))?;
    }
    Ok(out.flush()?)
}

/// What an id names.
enum Named<'c> {
    /// A card, or a card by one of its printings.
    Card(CardView<'c>),
    /// A printing that this card has not.
    Unprinted(CardView<'c>),
    Nothing,
}

impl<'c> Named<'c> {
    fn by(catalogue: &'c Catalogue, id: &str) -> Named<'c> {
        if let Some(card) = catalogue.card(id) {
            return Named::Card(card);
        }
        let of_printing = id.rsplit_once(':');
        let Some(card) = of_printing.and_then(|(card, _)| catalogue.card(card)) else {
            return Named::Nothing;
        };
        let mut printings = card.printings.iter();
        if printings.any(|printing| printing.marketplace_id == id) {
            Named::Card(card)
        } else {
            Named::Unprinted(card)
        }
    }
}

fn show(ids: &[String], from: &CatalogueFile) -> Result<(), Failure> {
    // an engine knows whether the games are there
    let engine = engine(from)?;
    let catalogue = engine.catalogue();
    let mut out = io::stdout().lock();
    let (mut missing, mut unprinted) = (Vec::new(), Vec::new());
    for id in ids {
        let mut cards = match MarketIds::named(id) {
            Some(product) => {
                let printings = catalogue.sold_as(product).into_iter();
                let card = |id: String| match Named::by(catalogue, &id) {
                    Named::Card(card) => Some(card),
                    _ => None,
                };
                printings.filter_map(card).collect()
            }
            None => match Named::by(catalogue, id) {
                Named::Card(card) => vec![card],
                Named::Unprinted(card) => {
                    unprinted.push((id.as_str(), card));
                    continue;
                }
                Named::Nothing => Vec::new(),
            },
        };
        cards.dedup_by(|a, b| a.id == b.id);
        if cards.is_empty() {
            missing.push(id.as_str());
        }
        for card in &cards {
            serde_json::to_writer_pretty(&mut out, card).map_err(io::Error::from)?;
            writeln!(out)?;
        }
    }
    out.flush()?;
    let name = match &from.catalogue {
        Some(path) => files::name(path),
        None if from.games.is_empty() => "the built-in catalogue".to_owned(),
        None => format!("the built-in catalogue of {}", from.games.join(", ")),
    };
    let mut lacks = Vec::new();
    if !missing.is_empty() {
        lacks.push(format!(
            "no card {} in {name}: an id is a set's id, a hyphen and a number, such as base1-4, or a marketplace's, such as tcgplayer:42382",
            missing.join(", ")
        ));
    }
    for (id, card) in unprinted {
        let printings = card.printings.iter();
        let printings: Vec<&str> = printings.map(|one| one.marketplace_id.as_str()).collect();
        lacks.push(format!(
            "no printing {id} in {name}: {} ({}) has {}",
            card.name,
            card.id,
            printings.join(", ")
        ));
    }
    if lacks.is_empty() {
        Ok(())
    } else {
        Err(Failure::new(lacks.join("\n")))
    }
}
