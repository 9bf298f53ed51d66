//! Times the core on a file of lines, without any surface: the lower bound for
//! `benches/python/run`.

use crate::{Failure, open};
use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;
use titledex::{Engine, Options, Scratch};

/// Titles that a thread takes at a time.
const CHUNK: usize = 256;

static INDEX: OnceLock<Vec<u8>> = OnceLock::new();

/// Answers each line of `file` from the cards of `index` on `threads` threads, as JSON in memory or
/// not written at all, and prints what it took, without opening the files.
pub(crate) fn run(index: &str, file: &Path, threads: &str, json: bool) -> Result<(), Failure> {
    let threads: usize = threads
        .parse()
        .map_err(|_| format!("{threads} is not a number of threads"))?;
    let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let titles: Vec<&str> = text.lines().collect();
    let engine = Engine::new(open(index, &INDEX)?);
    let _ = black_box(engine.answer("warm", &Options::default()));
    let next = AtomicUsize::new(0);
    let work = || {
        let (mut scratch, mut line) = (Scratch::default(), Vec::new());
        while let Some(chunk) = titles
            .chunks(CHUNK)
            .nth(next.fetch_add(1, Ordering::Relaxed))
        {
            for title in chunk {
                let answer =
                    black_box(engine.answer_with(&mut scratch, title, &Options::default()));
                if json {
                    line.clear();
                    answer.write_json(&mut line);
                    black_box(&line);
                }
            }
        }
    };
    let (begun, before) = (Instant::now(), spent()?);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    let row = serde_json::json!({ "titles": titles.len(), "wall": begun.elapsed().as_secs_f64(), "cpu": spent()? - before });
    println!("{row}");
    Ok(())
}

/// Processor time of this process in seconds. Linux counts it in hundredths.
fn spent() -> Result<f64, Failure> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    // user and system time are the 14th and 15th words; the second, the program's name in brackets,
    // may hold anything
    let words = stat
        .rsplit_once(')')
        .ok_or("/proc/self/stat has no name")?
        .1
        .split_whitespace()
        .skip(11)
        .take(2);
    let ticks = words.map(str::parse::<f64>).sum::<Result<f64, _>>()?;
    Ok(ticks / 100.0)
}
