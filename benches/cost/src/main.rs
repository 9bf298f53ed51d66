//! Measures the cost of titles.
//!
//! `titledex-cost count` runs fixed titles through each stage for `scripts/instructions`, which
//! counts the instructions. `titledex-cost hostile` searches for the titles that cost most per
//! byte. `titledex-cost bare` times the core by itself on a file of titles.

mod bare;
mod count;
mod hostile;
mod pieces;
mod random;
mod spec;
#[path = "../../titles/mod.rs"]
mod titles;

use std::error::Error;
use std::fs;
use std::process::ExitCode;
use std::sync::OnceLock;
use titledex::Catalogue;

/// Every error ends the program with its message.
type Failure = Box<dyn Error>;

const USAGE: &str = "usage: titledex-cost count FOLDER INDEX ALL-GAMES-INDEX
       titledex-cost hostile INDEX [--seed N] [--seconds N] [--lengths 8,64,512,4096] [--stage read] [--without TEXT]…
                             [--show N] [--out FILE.jsonl]
       titledex-cost bare INDEX FILE.txt THREADS [json]

count    runs the fixed titles and the hostile ones of FOLDER (fixtures) through each stage; scripts/instructions runs it under callgrind
hostile  breeds titles for cost: so many seconds at each length; prints the dearest beside the pool's median a byte
bare     answers each line of a file, and prints the seconds that it took; with `json` it writes each answer as JSON into memory

An index is made by `titledex catalogue build --games pokemon -o INDEX`, that of all games without --games.";

/// Opens an index and keeps its bytes in `kept` for as long as the program runs: so it is read as
/// fast as the one that `titledex` carries. The program does not carry it itself, because building
/// it would compile the core a second time.
fn open(index: &str, kept: &'static OnceLock<Vec<u8>>) -> Result<Catalogue, Failure> {
    let bytes = fs::read(index).map_err(|error| format!("{index}: {error}"))?;
    let bytes: &'static [u8] = kept.get_or_init(|| bytes);
    Catalogue::open(bytes).map_err(|error| format!("{index}: {error}").into())
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args[..] {
        ["count", folder, index, games] => count::run(folder.as_ref(), index, games),
        ["bare", index, file, threads] => bare::run(index, file.as_ref(), threads, false),
        ["bare", index, file, threads, "json"] => bare::run(index, file.as_ref(), threads, true),
        ["hostile", index, ref rest @ ..] => {
            hostile::Wanted::read(rest).and_then(|wanted| hostile::run(index, &wanted))
        }
        _ => Err(USAGE.into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("titledex-cost: {failure}");
            ExitCode::FAILURE
        }
    }
}
