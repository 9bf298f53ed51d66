//! The search for the title that costs most a byte.
//!
//! Titles of one length are bred: the costliest are spliced, cut, repeated and grown with words of
//! the vocabulary. A new title that costs more than the cheapest one kept replaces it. Cost is
//! time, the least of several runs, since counters of instructions are not available everywhere;
//! callgrind (`scripts/instructions`) confirms what is found. A title that never ends is printed
//! too. A seed determines the draws, but the clock decides which titles are kept.

use crate::pieces::Pieces;
use crate::random::Random;
use crate::spec::{Spec, repeated};
use crate::{Failure, open, titles};
use std::fs;
use std::hint::black_box;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};
use std::{process, thread};
use titledex::internals::Stage;
use titledex::{Engine, Options, Scratch};

/// Titles kept of each length.
const KEPT: usize = 24;
/// Share of the time spent on titles that repeat one piece, before breeding begins.
const SINGLE_SHARE: f64 = 0.25;
/// Timed runs of a title that may be kept.
const RUNS: usize = 4;

/// Timed runs of a kept title before it is shown.
const CONFIRMED: usize = 5;
/// A title that takes longer never ends.
const ENDLESS: Duration = Duration::from_secs(10);

/// The parameters of a search.
pub(crate) struct Wanted {
    seed: u64,
    seconds: u64,
    lengths: Vec<usize>,
    /// The last stage to run; `None` runs the whole answer.
    stage: Option<Stage>,
    show: usize,
    /// Titles with any of these in them are not tried: they are known.
    without: Vec<String>,
    out: Option<PathBuf>,
}

impl Wanted {
    /// Reads the arguments.
    pub(crate) fn read(args: &[&str]) -> Result<Wanted, Failure> {
        let mut wanted = Wanted {
            seed: 1,
            seconds: 60,
            lengths: vec![8, 64, 512, 4096],
            stage: None,
            show: 5,
            without: Vec::new(),
            out: None,
        };
        for pair in args.chunks(2) {
            let [name, value] = pair else {
                return Err(crate::USAGE.into());
            };
            match *name {
                "--seed" => wanted.seed = value.parse()?,
                "--seconds" => wanted.seconds = value.parse()?,
                "--lengths" => {
                    wanted.lengths = value.split(',').map(str::parse).collect::<Result<_, _>>()?
                }
                "--stage" => {
                    wanted.stage = Some(match *value {
                        "normalise" => Stage::Normalise,
                        "tokenise" => Stage::Tokenise,
                        "tag" => Stage::Tag,
                        "read" => Stage::Read,
                        "retrieve" => Stage::Retrieve,
                        "score" => Stage::Score,
                        _ => return Err(crate::USAGE.into()),
                    });
                }
                "--show" => wanted.show = value.parse()?,
                "--without" => wanted.without.push((*value).to_owned()),
                "--out" => wanted.out = Some(value.into()),
                _ => return Err(crate::USAGE.into()),
            }
        }
        Ok(wanted)
    }
}

/// The title that is being timed, and since when.
type Now = Arc<Mutex<(Instant, String)>>;

/// Ends the search at a title that does not end by itself, and prints it.
fn watch(now: Now) {
    thread::spawn(move || {
        loop {
            thread::sleep(Duration::from_secs(1));
            let now = now
                .lock()
                .expect("no thread panics while it holds the lock");
            if now.0.elapsed() > ENDLESS {
                eprintln!(
                    "titledex-cost: no answer within {} s: {:?}",
                    ENDLESS.as_secs(),
                    now.1
                );
                process::exit(1);
            }
        }
    });
}

/// Times titles.
struct Clock {
    engine: Engine,
    options: Options,
    scratch: Scratch,
    stage: Option<Stage>,
    now: Now,
}

impl Clock {
    fn once(&mut self, title: &str) -> Duration {
        if let Ok(mut now) = self.now.lock() {
            now.0 = Instant::now();
            now.1.clear();
            now.1.push_str(title);
        }
        let start = Instant::now();
        match self.stage {
            Some(stage) => {
                self.engine
                    .run_to(&mut self.scratch, black_box(title), &self.options, stage)
            }
            None => drop(black_box(self.engine.answer_with(
                &mut self.scratch,
                black_box(title),
                &self.options,
            ))),
        }
        start.elapsed()
    }

    /// Nanoseconds per byte. Takes more runs if the first is above `worth`.
    fn cost(&mut self, title: &str, worth: f64) -> f64 {
        let a_byte = |time: Duration| time.as_secs_f64() * 1e9 / title.len().max(1) as f64;
        let mut cost = a_byte(self.once(title));
        for _ in 1..RUNS {
            if cost <= worth {
                break;
            }
            cost = cost.min(a_byte(self.once(title)));
        }
        cost
    }
}

/// A title that is kept.
struct Bred {
    title: String,
    cost: f64,
}

/// The kept titles of one length, costliest first.
#[derive(Default)]
struct Herd(Vec<Bred>);

impl Herd {
    /// The cost that a title must reach to be kept.
    fn worth(&self) -> f64 {
        self.0.get(KEPT - 1).map_or(0.0, |last| last.cost)
    }

    fn offer(&mut self, title: String, cost: f64) {
        if cost > self.worth() && self.0.iter().all(|bred| bred.title != title) {
            let at = self.0.partition_point(|bred| bred.cost >= cost);
            self.0.insert(at, Bred { title, cost });
            self.0.truncate(KEPT);
        }
    }
}

/// Cuts `title` to `bytes` between characters, or fills it up with words.
fn fitted(mut title: String, bytes: usize, pieces: &Pieces, random: &mut Random) -> String {
    while title.len() < bytes {
        let piece = pieces.draw(random);
        title.push_str(&piece);
        if random.below(2) == 0 {
            title.push(' ');
        }
    }
    let mut end = bytes;
    while !title.is_char_boundary(end) {
        end -= 1;
    }
    title.truncate(end);
    title
}

/// A place in `title` between two characters.
fn place(title: &str, random: &mut Random) -> usize {
    let mut at = random.below(title.len() + 1);
    while !title.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Two places in `title`, in order, near each other as often as far apart.
fn stretch(title: &str, random: &mut Random) -> (usize, usize) {
    let from = place(title, random);
    let reach = [8, 32, 128, title.len()][random.below(4)];
    let mut to = (from + random.below(reach + 1)).min(title.len());
    while !title.is_char_boundary(to) {
        to -= 1;
    }
    (from, to.max(from))
}

/// A title spliced from kept ones.
fn child(herd: &Herd, pieces: &Pieces, random: &mut Random, bytes: usize) -> String {
    if herd.0.is_empty() || random.below(12) == 0 {
        let (one, two) = (pieces.draw(random), pieces.draw(random));
        let joint = ["", " ", "/", "-"][random.below(4)];
        return repeated(&format!("{one}{joint}{two}{joint}"), bytes);
    }
    let mut title = random.pick(&herd.0).title.clone();
    for _ in 0..1 + random.below(3) {
        let (from, to) = stretch(&title, random);
        match random.below(7) {
            // another word in place of a stretch
            0 | 1 => title.replace_range(from..to, &pieces.draw(random)),
            // a word between
            2 => title.insert_str(from, &pieces.draw(random)),
            // a stretch over and over
            3 => {
                let piece = title[from..to].to_owned();
                title = repeated(&piece, bytes);
            }
            // a stretch of another title
            4 => {
                let other = &random.pick(&herd.0).title;
                let (a, b) = stretch(other, random);
                title.replace_range(from..to, &other[a..b]);
            }
            // other letters
            5 => {
                let piece = if random.below(2) == 0 {
                    title[from..to].to_uppercase()
                } else {
                    title[from..to].to_lowercase()
                };
                title.replace_range(from..to, &piece);
            }
            // nothing
            _ => title.replace_range(from..to, ""),
        }
        if title.is_empty() {
            title = pieces.draw(random);
        }
    }
    fitted(title, bytes, pieces, random)
}

/// Nanoseconds a byte of the pool, or of made-up titles: the median title.
fn median(clock: &mut Clock, titles: &[String]) -> f64 {
    let mut costs: Vec<f64> = titles.iter().map(|title| clock.cost(title, 0.0)).collect();
    costs.sort_unstable_by(f64::total_cmp);
    costs[costs.len() / 2]
}

static INDEX: OnceLock<Vec<u8>> = OnceLock::new();

/// Searches for the titles that cost most against the cards of `index`, and prints them.
pub(crate) fn run(index: &str, wanted: &Wanted) -> Result<(), Failure> {
    let engine = Engine::new(open(index, &INDEX)?);
    let pieces = Pieces::of(engine.catalogue());
    let several = engine.catalogue().info().games.len() > 1;
    let now = Arc::new(Mutex::new((Instant::now(), String::new())));
    let mut clock = Clock {
        engine,
        options: Options::default(),
        scratch: Scratch::default(),
        stage: wanted.stage,
        now: Arc::clone(&now),
    };
    watch(now);
    let usual = titles::load();
    let middle = median(&mut clock, &usual.titles);
    println!(
        "median of {} {}: {middle:.0} ns a byte",
        usual.titles.len(),
        usual.source
    );
    let mut random = Random::new(wanted.seed);
    let mut found: Vec<Spec> = Vec::new();
    let mut last = Herd::default();
    for &bytes in &wanted.lengths {
        let (start, end) = (Instant::now(), Duration::from_secs(wanted.seconds));
        let mut herd = Herd::default();
        let mut tried = 0usize;
        let known = |title: &str| {
            wanted
                .without
                .iter()
                .any(|text| title.contains(text.as_str()))
        };
        // the costliest of the length before
        for bred in &last.0 {
            let title = repeated(&bred.title, bytes);
            let cost = clock.cost(&title, herd.worth());
            herd.offer(title, cost);
        }
        // one word over and over, in an order that the seed draws
        let mut singles: Vec<&String> = pieces.all().collect();
        while start.elapsed() < end.mul_f64(SINGLE_SHARE) && !singles.is_empty() {
            let piece = singles.swap_remove(random.below(singles.len()));
            let joint = [" ", ""][random.below(2)];
            let title = repeated(&format!("{piece}{joint}"), bytes);
            if known(&title) {
                continue;
            }
            let cost = clock.cost(&title, herd.worth());
            herd.offer(title, cost);
            tried += 1;
        }
        while start.elapsed() < end {
            let title = child(&herd, &pieces, &mut random, bytes);
            if known(&title) {
                continue;
            }
            let cost = clock.cost(&title, herd.worth());
            herd.offer(title, cost);
            tried += 1;
        }
        // a title timed while something else ran looks costly
        for bred in &mut herd.0 {
            for _ in 0..CONFIRMED {
                bred.cost = bred.cost.min(clock.cost(&bred.title, 0.0));
            }
        }
        herd.0.sort_by(|a, b| b.cost.total_cmp(&a.cost));
        println!("\n{bytes} bytes: {tried} titles tried");
        for bred in herd.0.iter().take(wanted.show) {
            let shown: String = bred.title.chars().take(160).collect();
            println!(
                "{:8.1} × median  {:8.0} ns a byte  {:9.1} µs  {shown:?}",
                bred.cost / middle,
                bred.cost,
                bred.cost * bytes as f64 / 1000.0
            );
            found.push(Spec {
                piece: bred.title.clone(),
                bytes,
                why: format!("{:.0} × the median", bred.cost / middle),
                games: several,
            });
        }
        last = herd;
    }
    if let Some(path) = &wanted.out {
        let lines: Vec<String> = found
            .iter()
            .map(serde_json::to_string)
            .collect::<Result<_, _>>()?;
        fs::write(path, lines.join("\n") + "\n")
            .map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}
