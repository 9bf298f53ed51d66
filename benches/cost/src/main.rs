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
use std::process::ExitCode;

/// Every error ends the program with its message.
type Failure = Box<dyn Error>;

const USAGE: &str = "usage: titledex-cost count FOLDER
       titledex-cost hostile [--seed N] [--seconds N] [--lengths 8,64,512,4096] [--stage read] [--without TEXT]…
                             [--show N] [--out FILE.jsonl]
       titledex-cost bare FILE.txt THREADS [json]

count    runs the fixed titles and the hostile ones of FOLDER (fixtures) through each stage; scripts/instructions runs it under callgrind
hostile  breeds titles for cost: so many seconds at each length; prints the dearest beside the pool's median a byte
bare     answers each line of a file, and prints the seconds that it took; with `json` it writes each answer as JSON into memory";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args[..] {
        ["count", folder] => count::run(folder.as_ref()),
        ["bare", file, threads] => bare::run(file.as_ref(), threads, false),
        ["bare", file, threads, "json"] => bare::run(file.as_ref(), threads, true),
        ["hostile", ref rest @ ..] => {
            hostile::Wanted::read(rest).and_then(|wanted| hostile::run(&wanted))
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
