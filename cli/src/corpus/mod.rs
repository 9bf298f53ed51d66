//! `titledex corpus`: counts how titles are written, and writes such titles with labels that are true by construction.
//!
//! `fit` reads titles ([`fit`], [`surface`]) and writes counts ([`noise`]). `generate` draws cards ([`deck`]), writes the fields of each
//! ([`render`], [`copy`], [`spoil`]), puts them into a row ([`layout`]), and finds the cards that agree with what was written ([`label`]);
//! [`refuse`] writes what is no card of the catalogue. `docs/CORPUS.md` says what is counted and why labels are true.

mod compare;
mod copy;
mod deck;
mod fit;
mod generate;
mod label;
mod layout;
mod noise;
mod random;
mod refuse;
mod render;
mod slot;
mod spoil;
mod surface;
mod words;

use crate::args::{Corpus, CorpusFit, CorpusGenerate};
use crate::catalogue;
use crate::failure::{Failure, say};
use crate::files;
use crate::score::read_lines;
use compare::Looks;
use fit::{Counts, Fitter, Venues};
use generate::{Generator, Order};
use noise::Noise;
use render::Sources;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use titledex::{Engine, Options, Scratch};
use words::Words;

/// The counts of this build.
const BUILTIN: (&str, &str) = ("cli/data/noise.csv", include_str!("../../data/noise.csv"));
/// What cannot be counted.
const DEFAULTS: (&str, &str) = (
    "cli/data/noise_defaults.csv",
    include_str!("../../data/noise_defaults.csv"),
);

/// Runs one of the commands.
pub(crate) fn run(command: &Corpus) -> Result<(), Failure> {
    match command {
        Corpus::Fit(args) => fit(args),
        Corpus::Generate(args) => generate(args),
    }
}

/// The titles of a file with venue and language.
fn titles(path: &Path) -> Result<Vec<[String; 3]>, Failure> {
    let mut out = Vec::new();
    for (line, row) in read_lines(path)? {
        let Some(title) = row["title"].as_str() else {
            return Err(Failure::new(format!(
                "{}:{line}: a row without `title`: add it as text",
                path.display()
            )));
        };
        let text = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
        out.push([title.to_owned(), text("venue"), text("lang")]);
    }
    Ok(out)
}

fn fit(args: &CorpusFit) -> Result<(), Failure> {
    let engine = catalogue::engine(args.from.catalogue.as_deref())?;
    let venues = Venues::builtin()?;
    let pool = titles(&args.pool)?;
    if let Some(other) = &args.compare {
        let other = titles(other)?;
        return compare(&engine, &venues, &pool, &other);
    }
    let words = Words::builtin()?;
    let mut fitter = Fitter {
        engine: &engine,
        words: &words,
        counts: Counts::default(),
        scratch: Scratch::default(),
    };
    let mut read = 0;
    for [title, venue, language] in &pool {
        if let Some(group) = venues.group(venue, language) {
            fitter.title(group, venue, title);
            read += 1;
        }
    }
    let mut noise = fitter.counts.noise();
    noise.fill(&Noise::read(DEFAULTS.0, DEFAULTS.1.as_bytes())?);
    let Some(output) = &args.output else {
        return Err(Failure::new(
            "say with -o where the counts go, or with --compare what to compare",
        ));
    };
    files::write_whole(output, &noise.write())?;
    say(&format!(
        "{}: {read} of {} titles counted",
        output.display(),
        pool.len()
    ));
    Ok(())
}

fn compare(
    engine: &Engine,
    venues: &Venues,
    pool: &[[String; 3]],
    other: &[[String; 3]],
) -> Result<(), Failure> {
    let mut tables: BTreeMap<String, [Looks; 2]> = BTreeMap::new();
    let mut scratch = Scratch::default();
    for (column, titles) in [pool, other].into_iter().enumerate() {
        for [title, venue, language] in titles {
            let Some(group) = venues.group(venue, language) else {
                continue;
            };
            let answer = engine.answer_with(&mut scratch, title, &Options::default());
            let script = if surface::is_japanese(title) {
                "Japanese script"
            } else {
                "Latin letters"
            };
            for key in ["all", script, group] {
                tables.entry(key.to_owned()).or_default()[column].add(title, &answer);
            }
        }
    }
    let mut out = io::stdout().lock();
    for (name, [pool, other]) in &tables {
        out.write_all(compare::table(name, [("pool", pool), ("titles", other)]).as_bytes())?;
    }
    Ok(out.flush()?)
}

fn generate(args: &CorpusGenerate) -> Result<(), Failure> {
    let (file, bytes) = match &args.noise {
        Some(path) => (files::name(path).into_owned(), files::read(path)?),
        None => (BUILTIN.0.to_owned(), BUILTIN.1.as_bytes().to_vec()),
    };
    let noise = Noise::read(&file, &bytes)?;
    for group in &args.venue {
        if !noise.groups().any(|own| own == group) {
            let known: Vec<&str> = noise.groups().collect();
            return Err(Failure::new(format!(
                "no venue {group:?} in {file}: it has {}",
                known.join(", ")
            )));
        }
    }
    let catalogue = catalogue::open(args.from.catalogue.as_deref())?;
    let words = Words::builtin()?;
    let deck = deck::Deck::new(&catalogue, &words);
    let sources = Sources {
        noise,
        words,
        deck,
        catalogue: catalogue.clone(),
    };
    let order = Order {
        seed: args.seed,
        groups: args.venue.clone(),
        refusals: args.refusals.thousandths(),
        uniform: args.uniform,
    };
    let generator = Generator::new(&sources, order);
    let mut out = Vec::new();
    let mut missing = 0;
    for index in 0..args.titles {
        match generator.title(index) {
            Some(row) => {
                serde_json::to_writer(&mut out, &row).map_err(io::Error::from)?;
                out.push(b'\n');
            }
            None => missing += 1,
        }
    }
    if missing > 0 {
        say(&format!(
            "{missing} of {} titles could not be written: the catalogue has no card that their venue's habits fit",
            args.titles
        ));
    }
    match &args.output {
        Some(path) => files::write_whole(path, &out),
        None => {
            let mut stdout = io::stdout().lock();
            stdout.write_all(&out)?;
            Ok(stdout.flush()?)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{BUILTIN, DEFAULTS, Noise, Venues};

    #[test]
    fn the_counts_of_this_build_are_canonical() {
        for (file, text) in [BUILTIN, DEFAULTS] {
            let noise =
                Noise::read(file, text.as_bytes()).unwrap_or_else(|error| panic!("{error:?}"));
            assert_eq!(
                String::from_utf8(noise.write()).expect("UTF-8"),
                text,
                "{file}"
            );
        }
    }

    #[test]
    fn every_group_has_what_its_titles_need() {
        let noise = Noise::read(BUILTIN.0, BUILTIN.1.as_bytes())
            .unwrap_or_else(|error| panic!("{error:?}"));
        Venues::builtin().unwrap_or_else(|error| panic!("{error:?}"));
        assert!(noise.groups().count() > 5);
        for group in noise.groups() {
            for parameter in [
                "venue",
                "draw",
                "fields international",
                "next",
                "number",
                "name",
                "set",
                "refusal",
            ] {
                assert!(
                    !noise.table(group, parameter).is_empty(),
                    "{group}: {parameter}"
                );
            }
        }
    }
}
