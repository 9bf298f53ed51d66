//! The names of all games in several structures: what an exact look-up costs, and what it costs to
//! find the name that a misspelt word means. The figures are in docs/DESIGN.md.

use crate::Failure;
use aho_corasick::{AhoCorasick, AhoCorasickKind};
use fst::automaton::Levenshtein;
use fst::raw::{CompiledAddr, Fst};
use fst::{IntoStreamer, Map, Set};
use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::{Duration, Instant};
use titledex::internals::normalise::normalise;
use titledex::internals::token::tokenize;
use titledex::internals::trie;
use titledex::{Catalogue, Engine, Scratch};

/// Finds the names that a word may mean.
type Find<'f> = Box<dyn FnMut(&str) -> Vec<String> + 'f>;

/// Passes of each; the fastest counts.
const PASSES: usize = 5;
/// Words that are misspelt, drawn evenly from the English names.
const WORDS: usize = 400;

/// Measures both on the titles of a file, one a line.
pub(crate) fn run(titles: &str) -> Result<(), Failure> {
    let catalogue = titledex_embedded::all_games()?;
    exact(&catalogue, titles)?;
    misspelt(&catalogue)
}

/// The fastest of several passes.
fn fastest(mut pass: impl FnMut()) -> Duration {
    let times = (0..PASSES).map(|_| {
        let start = Instant::now();
        pass();
        start.elapsed()
    });
    times.min().unwrap_or_default()
}

fn row(what: &str, found: usize, each: Duration, of: usize, bytes: usize, built: Duration) {
    let nanos = each.as_secs_f64() * 1e9 / of as f64;
    let (size, built) = (bytes as f64 / 1e6, built.as_secs_f64() * 1e3);
    println!("| {what} | {found} | {nanos:.0} ns | {size:.1} MB | {built:.0} ms |");
}

/// Every key of the lexicon that begins at a token of a title.
fn exact(catalogue: &Catalogue, titles: &str) -> Result<(), Failure> {
    let mut sorted: BTreeMap<Vec<u8>, u32> = BTreeMap::new();
    catalogue.for_each_key(|key, place| {
        sorted.insert(key.to_vec(), place);
    });
    let keys: Vec<(Vec<u8>, u32)> = sorted.into_iter().collect();
    let text = std::fs::read_to_string(titles)?;
    let lines: Vec<_> = text
        .lines()
        .map(|title| tokenize(&normalise(title)))
        .collect();
    let of = lines.len().max(1);
    println!(
        "{} keys of the lexicon, {of} titles, the fastest of {PASSES} passes\n",
        keys.len()
    );
    println!("| exact | found | a title | size | built in |\n|---|---:|---:|---:|---:|");

    let start = Instant::now();
    let columns = trie::build(&keys);
    let built = start.elapsed();
    let own = columns.trie();
    let mut found = 0;
    let each = fastest(|| {
        found = 0;
        for line in &lines {
            for token in line.tokens() {
                for (_, place) in own.walk(&line.key()[token.at as usize..]) {
                    black_box(place);
                    found += 1;
                }
            }
        }
    });
    row("own double array", found, each, of, own.size(), built);

    let start = Instant::now();
    let map = Map::from_iter(keys.iter().map(|(key, place)| (key, u64::from(*place))))?;
    let built = start.elapsed();
    let fst = map.as_fst();
    let each = fastest(|| {
        found = 0;
        for line in &lines {
            for token in line.tokens() {
                found += walk(fst, &line.key()[token.at as usize..]);
            }
        }
    });
    row("`fst`", found, each, of, fst.as_bytes().len(), built);

    let start = Instant::now();
    let automaton = AhoCorasick::builder()
        .kind(Some(AhoCorasickKind::ContiguousNFA))
        .build(keys.iter().map(|(key, _)| key))?;
    let built = start.elapsed();
    let each = fastest(|| {
        found = 0;
        for line in &lines {
            let hits = automaton.find_overlapping_iter(line.key());
            found += hits
                .filter(|hit| begins(line.tokens(), hit.start()))
                .count();
        }
    });
    row(
        "`aho-corasick`, contiguous NFA",
        found,
        each,
        of,
        automaton.memory_usage(),
        built,
    );

    let start = Instant::now();
    let any: Vec<String> = keys
        .iter()
        .map(|(key, _)| regex::escape(&String::from_utf8_lossy(key)))
        .collect();
    let any = regex::RegexBuilder::new(&any.join("|"))
        .size_limit(4 << 30)
        .build()?;
    let built = start.elapsed();
    let start = Instant::now();
    let found: usize = lines
        .iter()
        .map(|line| any.find_iter(line.text(0, line.key().len())).count())
        .sum();
    row(
        "`regex`, one of them at each place, one pass",
        found,
        start.elapsed(),
        of,
        0,
        built,
    );
    Ok(())
}

fn begins(tokens: &[titledex::internals::token::Token], at: usize) -> bool {
    tokens
        .binary_search_by_key(&(at as u32), |token| token.at)
        .is_ok()
}

/// The number of keys that `text` begins with.
fn walk(fst: &Fst<Vec<u8>>, text: &[u8]) -> usize {
    let (mut node, mut output, mut found) = (fst.root(), 0, 0);
    for &byte in text {
        let Some(at) = node.find_input(byte) else {
            break;
        };
        let transition = node.transition(at);
        output += transition.out.value();
        node = fst.node(transition.addr);
        if node.is_final() {
            black_box(output + node.final_output().value());
            found += 1;
        }
    }
    found
}

/// A word with the name that it was made of, and the name's place.
struct Word {
    word: String,
    name: String,
    place: u32,
}

fn misspelt(catalogue: &Catalogue) -> Result<(), Failure> {
    let engine = Engine::new(catalogue.clone());
    let mut scratch = Scratch::default();
    let start = Instant::now();
    // the first word makes the names ready
    black_box(engine.names_like(&mut scratch, "charzard"));
    let first = start.elapsed();
    let mut keys: Vec<(String, u32)> = Vec::new();
    catalogue.for_each_key(|key, place| {
        keys.push((String::from_utf8_lossy(key).into_owned(), place));
    });
    // those that ours finds by their own spelling
    keys.retain(|(key, place)| {
        key.chars().count() >= 4 && engine.names_like(&mut scratch, key).contains(place)
    });
    keys.sort_unstable();
    let words = words(&keys);
    let names: Vec<String> = keys.into_iter().map(|(key, _)| key).collect();
    println!(
        "\n{} names, {} misspelt words; ours ready in {:.1} ms\n",
        names.len(),
        words.len(),
        first.as_secs_f64() * 1e3
    );
    println!(
        "| misspelt | the name is found | names found a word | a word |\n|---|---:|---:|---:|"
    );
    let of = words.len() as f64;
    let print = |what: &str, right: usize, found: usize, each: Duration| {
        println!(
            "| {what} | {:.1} % | {:.1} | {:.1} µs |",
            right as f64 * 100.0 / of,
            found as f64 / of,
            each.as_secs_f64() * 1e6 / of
        );
    };
    let (mut right, mut found) = (0, 0);
    let each = fastest(|| {
        (right, found) = (0, 0);
        for word in &words {
            let near = engine.names_like(&mut scratch, &word.word);
            found += near.len();
            right += usize::from(near.contains(&word.place));
        }
    });
    print("ours", right, found, each);
    let print = |what: &str, mut find: Find<'_>| {
        let (mut right, mut found) = (0, 0);
        let each = fastest(|| {
            (right, found) = (0, 0);
            for word in &words {
                let near = find(&word.word);
                found += near.len();
                right += usize::from(near.contains(&word.name));
            }
        });
        print(what, right, found, each);
    };
    let set = Set::from_iter(&names)?;
    println!(
        "| the `fst` of the names | | | {:.1} MB |",
        set.as_fst().as_bytes().len() as f64 / 1e6
    );
    for most in [1, 2] {
        let find = |word: &str| {
            let Ok(automaton) = Levenshtein::new(word, most) else {
                return Vec::new();
            };
            set.search(automaton)
                .into_stream()
                .into_strs()
                .unwrap_or_default()
        };
        print(
            &format!("`fst`, Levenshtein automaton of {most}"),
            Box::new(find),
        );
    }
    let light = light();
    print(
        "`fst`, walked with our weights",
        Box::new(|word| {
            let mut search = Search {
                fst: set.as_fst(),
                word: word.as_bytes(),
                light: &light,
                most: if word.len() < 7 {
                    10
                } else if word.len() < 9 {
                    16
                } else {
                    22
                },
                key: Vec::new(),
                found: Vec::new(),
            };
            search.run();
            search.found
        }),
    );
    let by_length = by_length(&names);
    print(
        "`strsim::osa_distance` with each name of about the length",
        Box::new(|word| {
            let most = if word.len() < 7 { 1 } else { 2 };
            let lengths = word.len().saturating_sub(most)..=word.len() + most;
            let near = lengths.filter_map(|len| by_length.get(len)).flatten();
            near.filter(|name| strsim::osa_distance(word, name) <= most)
                .map(|name| (*name).to_owned())
                .collect()
        }),
    );
    Ok(())
}

fn by_length(names: &[String]) -> Vec<Vec<&str>> {
    let mut lengths: Vec<Vec<&str>> = Vec::new();
    for name in names {
        let len = name.chars().count();
        lengths.resize(lengths.len().max(len + 1), Vec::new());
        lengths[len].push(name);
    }
    lengths
}

/// Words that are a slip away from names of ASCII letters, of 5 to 16 of them: a letter lacks, comes
/// twice, is another or has changed places, in turn.
fn words(names: &[(String, u32)]) -> Vec<Word> {
    let letters = |(name, _): &&(String, u32)| {
        (5..=16).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_lowercase())
    };
    let names: Vec<&(String, u32)> = names.iter().filter(letters).collect();
    let step = (names.len() / WORDS).max(1);
    let spoilt = names
        .iter()
        .step_by(step)
        .enumerate()
        .map(|(turn, (name, place))| {
            let mut word = name.as_bytes().to_vec();
            // not the first letter, which is hardly ever wrong
            let at = 1 + (turn * 7) % (word.len() - 2);
            match turn % 4 {
                0 => drop(word.remove(at)),
                1 => word.insert(at, word[at]),
                2 => word[at] = b'a' + (word[at] - b'a' + 5) % 26,
                _ => word.swap(at, at + 1),
            }
            Word {
                word: String::from_utf8_lossy(&word).into_owned(),
                name: name.clone(),
                place: *place,
            }
        });
    spoilt.filter(|spoilt| spoilt.word != spoilt.name).collect()
}

/// For each letter those that a light slip makes of it, by dictionaries/common/confusions.csv.
fn light() -> [u32; 26] {
    let mut light = [0; 26];
    let text = include_str!("../../../dictionaries/common/confusions.csv");
    let place = |text: &str| match text.as_bytes() {
        [letter @ b'a'..=b'z'] => Some(usize::from(letter - b'a')),
        _ => None,
    };
    for row in csv::Reader::from_reader(text.as_bytes())
        .into_records()
        .map_while(Result::ok)
    {
        if let Some(one) = row.get(0).and_then(place) {
            for other in row.get(1).unwrap_or("").split('|').filter_map(place) {
                light[one] |= 1 << other;
                light[other] |= 1 << one;
            }
        }
    }
    light
}

/// A walk through an `fst` with a row of weighted distances for each byte, in tenths.
struct Search<'s> {
    fst: &'s Fst<Vec<u8>>,
    word: &'s [u8],
    light: &'s [u32; 26],
    most: u32,
    key: Vec<u8>,
    found: Vec<String>,
}

/// Longer words are not searched for.
const LONGEST: usize = 24;
type Row = [u32; LONGEST + 1];

impl Search<'_> {
    fn run(&mut self) {
        let mut first: Row = [u32::MAX / 2; LONGEST + 1];
        first[0] = 0;
        for j in 0..self.word.len() {
            first[j + 1] = first[j] + self.single(self.word, j);
        }
        self.beneath(self.fst.root().addr(), &first, &[u32::MAX / 2; LONGEST + 1]);
    }

    /// A letter that repeats the one before it comes and goes easily.
    fn single(&self, word: &[u8], at: usize) -> u32 {
        if at > 0 && word[at] == word[at - 1] {
            6
        } else {
            10
        }
    }

    fn is_light(&self, a: u8, b: u8) -> bool {
        a.is_ascii_lowercase()
            && b.is_ascii_lowercase()
            && self.light[usize::from(a - b'a')] >> (b - b'a') & 1 == 1
    }

    fn beneath(&mut self, addr: CompiledAddr, above: &Row, before: &Row) {
        let fst = self.fst;
        let node = fst.node(addr);
        if node.is_final() && above[self.word.len()] <= self.most {
            self.found
                .push(String::from_utf8_lossy(&self.key).into_owned());
        }
        for transition in node.transitions() {
            self.key.push(transition.inp);
            let i = self.key.len() - 1;
            let letter = transition.inp;
            let mut row: Row = [u32::MAX / 2; LONGEST + 1];
            row[0] = above[0] + self.single(&self.key, i);
            let mut nearest = row[0];
            for j in 0..self.word.len() {
                let other = self.word[j];
                let first = if i == 0 && j == 0 && letter != other {
                    5
                } else {
                    0
                };
                let replaced = if letter == other {
                    0
                } else if self.is_light(letter, other) {
                    6
                } else {
                    10
                };
                let mut least = above[j] + replaced + first;
                least = least
                    .min(above[j + 1] + self.single(&self.key, i))
                    .min(row[j] + self.single(self.word, j));
                if i > 0
                    && j > 0
                    && letter == self.word[j - 1]
                    && self.key[i - 1] == other
                    && letter != other
                {
                    least = least.min(before[j - 1] + 6);
                }
                row[j + 1] = least;
                nearest = nearest.min(least);
            }
            if nearest <= self.most + 6 {
                self.beneath(transition.addr, &row, above);
            }
            self.key.pop();
        }
    }
}
