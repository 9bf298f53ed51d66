//! `titledex-lab train`: fits the weights of the evidence, and those of what is being sold, to
//! labelled titles, and reports the loss on titles held out of the fit.

mod sold;

use crate::folds::fold;
use clap::Args;
use serde_json::Value;
use std::path::{Path, PathBuf};
use titledex::internals::build::rows::FIRST_GAME;
use titledex::internals::train::temperature::{self, Top};
use titledex::internals::train::{EvidenceList, Example, Fit, Loss, check, fit, fit_slips, tops};
use titledex::{Engine, Options, OutcomeType, Scratch, Weights};
use titledex_command::Failure;
use titledex_command::catalogue::{CatalogueFile, engine};
use titledex_command::output::{refuse_outputs, write_whole};
use titledex_command::score::read_lines;

pub(crate) const HELP: &str = "\
The weights are compiled into the program (`dictionaries/weights.csv` and
`dictionaries/outcome_weights.csv`): review the files, put them there, and build again.

Example:
  titledex-lab train labels.jsonl fixtures/golden/*.jsonl -o weights.csv

Exit codes: 0 done, 1 a file or catalogue was refused, 2 usage";

/// The options of `titledex-lab train`.
#[derive(Debug, Args)]
pub(crate) struct Train {
    /// Labelled titles, or rows of fixtures.
    #[arg(value_name = "LABELS", required = true)]
    labels: Vec<PathBuf>,
    /// Where to write the weights.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Where to write the weights of what is being sold.
    #[arg(long, value_name = "FILE")]
    outcome: Option<PathBuf>,
    /// Further labelled titles of which only what is being sold is learnt.
    #[arg(long, value_name = "LABELS")]
    sold: Vec<PathBuf>,
    /// Labelled titles of any game that is built in, answered with all of them open.
    #[arg(long, value_name = "LABELS")]
    across_games: Vec<PathBuf>,
    /// Number of parts that take turns to be held out of a fit and checked; 0 for none.
    #[arg(long, value_name = "N", default_value_t = 5)]
    folds: u64,
    /// Also write the weights fitted without each fold, as 0.csv, 1.csv and so on, for
    /// `titledex-lab held-out`.
    #[arg(long, value_name = "DIR")]
    held_out: Option<PathBuf>,
    /// Labels for a catalogue that lacks cards, and its index; may be given several times.
    #[arg(long, value_name = "LABELS=INDEX")]
    missing: Vec<Missing>,
    /// Titles that state one thing wrongly, of `titledex-lab corpus generate --slips`: only the
    /// weights of slips learn from them, after the others are fitted.
    #[arg(long, value_name = "LABELS")]
    slips: Vec<PathBuf>,
    /// Fit only the weights of slips; the others stay those of this build.
    #[arg(long, requires = "slips")]
    only_slips: bool,
    /// Share of each title that counts with its right card removed.
    #[arg(long, value_name = "SHARE", default_value_t = 0.07)]
    holes: f64,
    /// Strength of the pull towards neutral weights.
    #[arg(long, value_name = "STRENGTH", default_value_t = 0.15)]
    pull: f64,
    #[command(flatten)]
    from: CatalogueFile,
}

/// Each file of labels counts as this many titles, so that a large file does not drown a small one.
const FILE_WEIGHT: f64 = 800.0;
/// No title of a file of labels counts less or more than this.
const TITLE_WEIGHT: std::ops::RangeInclusive<f64> = 0.1..=3.0;
/// A fixture counts less: it is there for the trap in it, not because it is typical.
const FIXTURE_WEIGHT: f64 = 0.5;
/// Listings are of cards that the catalogue has so many times more often than the titles of the
/// fit, for which a fifth of the cards is taken away: chosen on titles of `dev` that the weights had
/// not seen, of which a factor of 4 refuses 2.8% of the cards that are held and 96.6% of what is no
/// such card, one of 11 1.7% and 95.4%.
const HELD_MORE_OFTEN: f32 = 10.0;
/// A title with its fold, and the evidence of its candidates.
struct Title {
    fold: u64,
    fixture: bool,
    example: Example,
}

/// What the weights are fitted to.
struct Labelled {
    engine: Engine,
    /// Of titles of any game, where there are some.
    all_games: Option<Engine>,
    titles: Vec<Title>,
    slips: Vec<Title>,
}

impl Labelled {
    /// Reads all files of labels, each by its engine.
    fn read(args: &Train) -> Result<Self, Failure> {
        let engine = engine(&args.from.or_first_game())?;
        let mut titles: Vec<Title> = Vec::new();
        for path in &args.labels {
            read(path, &engine, args.folds, 1.0, &mut titles)?;
        }
        for Missing { labels, index } in &args.missing {
            let engine = titledex_command::catalogue::engine_of(index)?;
            let share = 1.0 / args.missing.len() as f64;
            read(labels, &engine, args.folds, share, &mut titles)?;
        }
        let all_games = match args.across_games.as_slice() {
            [] => None,
            _ => Some(titledex_command::catalogue::engine(&args.from)?),
        };
        if let Some(all_games) = &all_games {
            let first = titles.len();
            for path in &args.across_games {
                read(path, all_games, args.folds, 1.0, &mut titles)?;
            }
            let cards = engine.catalogue().card_count();
            let own = all_games.catalogue().card_count();
            for title in &mut titles[first..] {
                title.example = std::mem::take(&mut title.example).among(own, cards);
            }
        }
        let mut slips: Vec<Title> = Vec::new();
        for path in &args.slips {
            read(path, &engine, args.folds, 1.0, &mut slips)?;
        }
        Ok(Self {
            engine,
            all_games,
            titles,
            slips,
        })
    }

    /// Cards of the catalogue whose weights are fitted.
    fn cards(&self) -> usize {
        self.engine.catalogue().card_count()
    }

    /// The evidence of the titles to keep.
    fn part(&self, keep: impl Fn(&Title) -> bool) -> Vec<&Example> {
        let kept = self.titles.iter().filter(|title| keep(title));
        kept.map(|title| &title.example).collect()
    }

    /// The evidence of all titles and slips but those of a fold.
    fn with_slips(&self, but: Option<u64>) -> Vec<&Example> {
        let all = self.titles.iter().chain(&self.slips);
        all.filter(|title| Some(title.fold) != but)
            .map(|title| &title.example)
            .collect()
    }
}

/// Fits, checks by folds, and writes the files.
pub(crate) fn run(args: &Train) -> Result<(), Failure> {
    refuse(args)?;
    let labelled = Labelled::read(args)?;
    let cards = labelled.cards();
    let options = Fit {
        holes: args.holes,
        pull: args.pull,
        ..Fit::default()
    };
    let all = labelled.part(|_| true);
    let build = Weights::builtin().map_err(|e| Failure::new(e.to_string()))?;
    eprintln!(
        "{} titles; weights of this build: {}",
        all.len(),
        say(check(&all, &build, cards, args.holes))
    );
    let folds: Vec<u64> = if args.folds > 1 {
        (0..args.folds).collect()
    } else {
        Vec::new()
    };
    let (mut whole, mut by_fold) = if args.only_slips {
        (build.clone(), vec![build; folds.len()])
    } else {
        fit_folds(&labelled, &folds, options)?
    };
    if !folds.is_empty() && !args.only_slips {
        // Fixtures are not typical, and the catalogues that lack cards have removed some already.
        let real: Vec<Vec<&Example>> = folds
            .iter()
            .map(|fold| labelled.part(|t| t.fold == *fold && !t.fixture))
            .collect();
        calibrate(&real, &mut whole, &mut by_fold, cards);
    }
    if !labelled.slips.is_empty() {
        // a number whose card is only hidden would still be taken
        let options = Fit {
            holes: 0.0,
            ..options
        };
        whole = fit_slips(&labelled.with_slips(None), cards, options, &whole);
        for (fold, weights) in folds.iter().zip(&mut by_fold) {
            *weights = fit_slips(&labelled.with_slips(Some(*fold)), cards, options, weights);
        }
    }
    if let Some(folder) = &args.held_out {
        std::fs::create_dir_all(folder)?;
    }
    sold::fit(args, &labelled.engine, labelled.all_games.as_ref(), &folds)?;
    check_folds(args, &labelled, &folds, &by_fold)?;
    eprintln!(
        "fitted to all: {}",
        say(check(&all, &whole, cards, args.holes))
    );
    write_whole(
        &args.output,
        whole.to_csv("fitted by `titledex-lab train`").as_bytes(),
    )
}

/// Refuses outputs that are inputs or one another.
fn refuse(args: &Train) -> Result<(), Failure> {
    let catalogue = args.from.catalogue.as_deref();
    let missing = args.missing.iter();
    let missing = missing.flat_map(|missing| [&missing.labels, &missing.index]);
    let labels = [&args.labels, &args.sold, &args.across_games, &args.slips];
    let inputs = labels.into_iter().flatten().chain(missing);
    let inputs = inputs.map(PathBuf::as_path).chain(catalogue);
    let outputs = [&args.output].into_iter().chain(&args.outcome);
    let outputs: Vec<&Path> = outputs.map(PathBuf::as_path).collect();
    refuse_outputs(&outputs, inputs)
}

/// The weights that fit all titles, and those that fit all but each fold: fitted in parallel.
fn fit_folds(
    labelled: &Labelled,
    folds: &[u64],
    options: Fit,
) -> Result<(Weights, Vec<Weights>), Failure> {
    let cards = labelled.cards();
    let mut fitted: Vec<Weights> = std::thread::scope(|scope| {
        let parts = folds
            .iter()
            .map(|fold| labelled.part(|t| t.fold != *fold))
            .chain([labelled.part(|_| true)]);
        let fits: Vec<_> = parts
            .map(|examples| scope.spawn(move || fit(&examples, cards, options)))
            .collect();
        fits.into_iter()
            .map(|f| {
                f.join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            })
            .collect()
    });
    let whole = fitted.pop();
    let whole = whole.ok_or_else(|| Failure::new("nothing was fitted"))?;
    Ok((whole, fitted))
}

/// Reports the loss on the titles of each fold by the weights that have not seen them, and writes
/// these.
fn check_folds(
    args: &Train,
    labelled: &Labelled,
    folds: &[u64],
    by_fold: &[Weights],
) -> Result<(), Failure> {
    let mut unseen = Loss::default();
    for (fold, weights) in folds.iter().zip(by_fold) {
        let examples = labelled.part(|t| t.fold == *fold);
        let found = check(&examples, weights, labelled.cards(), args.holes);
        unseen.log_loss += found.log_loss * found.weight;
        unseen.right += found.right * found.weight;
        unseen.weight += found.weight;
        if let Some(folder) = &args.held_out {
            let note = format!(
                "fitted by `titledex-lab train` without fold {fold} of {}",
                args.folds
            );
            write_whole(
                &folder.join(format!("{fold}.csv")),
                weights.to_csv(&note).as_bytes(),
            )?;
        }
    }
    if unseen.weight > 0.0 {
        let mean = Loss {
            log_loss: unseen.log_loss / unseen.weight,
            right: unseen.right / unseen.weight,
            ..unseen
        };
        eprintln!(
            "titles of each of {} folds, by weights fitted to the others: {}",
            args.folds,
            say(mean)
        );
    }
    Ok(())
}

/// Sets temperature and prior, for each fold's weights by the other folds and for the whole by all,
/// each title judged by weights that have not seen it. Reports the loss of other maps.
fn calibrate(parts: &[Vec<&Example>], whole: &mut Weights, by_fold: &mut [Weights], cards: usize) {
    let cooled = |weights: &Weights, (t, shift): (f64, f64)| {
        let mut cooled = weights.clone();
        (cooled.temperature, cooled.prior) = (t as f32, cooled.prior + shift as f32);
        cooled
    };
    let tops_at = |fold: usize, weights: &Weights, by: (f64, f64)| {
        tops(&parts[fold], &cooled(weights, by), cards, 0.0)
    };
    let best = |but: Option<usize>| {
        temperature::temperature(|t, shift| {
            let others = (0..parts.len()).filter(|fold| Some(*fold) != but);
            temperature::log_loss(
                &others
                    .flat_map(|fold| tops_at(fold, &by_fold[fold], (t, shift)))
                    .collect::<Vec<_>>(),
            )
        })
    };
    let plain: Vec<Vec<Top>> = (0..parts.len())
        .map(|fold| tops_at(fold, &by_fold[fold], (1.0, 0.0)))
        .collect();
    let mut losses = temperature::compare(&plain);
    let found: Vec<(f64, f64)> = (0..parts.len()).map(|fold| best(Some(fold))).collect();
    let held_out: Vec<Top> = found
        .iter()
        .enumerate()
        .flat_map(|(fold, &by)| tops_at(fold, &by_fold[fold], by))
        .collect();
    losses.push(("temperature and prior", temperature::log_loss(&held_out)));
    let all = best(None);
    let losses: Vec<String> = losses
        .iter()
        .map(|(name, loss)| format!("{name} {loss:.4}"))
        .collect();
    eprintln!(
        "log loss of the first card on unseen titles, by map: {}",
        losses.join(", ")
    );
    let say = |(t, shift): &(f64, f64)| format!("{t:.2} {shift:+.2}");
    eprintln!(
        "temperature and shift of the prior: {}; of the folds {}",
        say(&all),
        found.iter().map(say).collect::<Vec<_>>().join(", ")
    );
    for (weights, by) in by_fold.iter_mut().zip(&found) {
        *weights = cooled(weights, *by);
    }
    *whole = cooled(whole, all);
    for weights in by_fold.iter_mut().chain([whole]) {
        weights.prior += weights.temperature * HELD_MORE_OFTEN.ln();
    }
}

fn say(loss: Loss) -> String {
    format!("log loss {:.4}, right {:.4}", loss.log_loss, loss.right)
}

/// Labels and the index that they are labels for.
#[derive(Clone, Debug)]
pub(crate) struct Missing {
    labels: PathBuf,
    index: PathBuf,
}

impl std::str::FromStr for Missing {
    type Err = String;

    fn from_str(text: &str) -> Result<Missing, String> {
        let (labels, index) = text.split_once('=').ok_or("write it as LABELS=INDEX")?;
        Ok(Missing {
            labels: labels.into(),
            index: index.into(),
        })
    }
}

/// The ids of a label's cards; labels of other games than the first leave their game out.
fn cards_of(label: &Value) -> Vec<String> {
    let game = label["game"].as_str().filter(|game| *game != FIRST_GAME);
    let id = |id: &str| match game {
        Some(game) => format!("{game}:{id}"),
        None => id.to_owned(),
    };
    let cards = label["cards"].as_array().map(Vec::as_slice);
    let ids = cards.unwrap_or_default().iter().filter_map(Value::as_str);
    ids.map(id).collect()
}

/// Reads labels (or fixtures, whose labels are under `expect`) and collects the evidence of each
/// title's candidates.
fn read(
    path: &Path,
    engine: &Engine,
    folds: u64,
    share: f64,
    titles: &mut Vec<Title>,
) -> Result<(), Failure> {
    let rows = read_lines(path)?;
    let mut scratch = Scratch::default();
    let mut found: Vec<(&str, bool, Example)> = Vec::new();
    for (_, row) in &rows {
        let fixture = row.get("expect");
        let label = fixture.unwrap_or(row);
        let ids = cards_of(label);
        let known = match label["outcome"].as_str() {
            Some("match") => ids.len() == 1,
            Some("ambiguous") => !ids.is_empty() && label.get("many").is_none(),
            Some("not_in_catalogue") => true,
            _ => false,
        };
        let (true, Some(title)) = (known, row["title"].as_str()) else {
            continue;
        };
        // What is refused by its words (a championship deck, a jumbo card) agrees in everything
        // else: it would teach that agreement is worthless.
        if ids.is_empty() {
            let outcome = engine
                .answer_with(&mut scratch, title, &Options::default())
                .outcome;
            let by_evidence = matches!(outcome.kind, OutcomeType::Match | OutcomeType::Ambiguous);
            let of_kind =
                outcome.kind == OutcomeType::NotInCatalogue && !outcome.evidence.is_empty();
            if of_kind || !by_evidence && outcome.not_in_catalogue.get() < 0.3 {
                continue;
            }
        }
        let candidates: Vec<(EvidenceList, bool)> = engine
            .evidence(&mut scratch, title, &Options::default())
            .into_iter()
            .map(|(id, evidence)| (evidence, ids.contains(&id)))
            .collect();
        // A card that was not even a candidate would teach the wrong lesson.
        if !ids.is_empty() && !candidates.iter().any(|c| c.1) {
            continue;
        }
        found.push((title, fixture.is_some(), Example::new(candidates, 1.0)));
    }
    let weight = (FILE_WEIGHT / found.len().max(1) as f64)
        .clamp(*TITLE_WEIGHT.start(), *TITLE_WEIGHT.end())
        * share;
    titles.extend(found.into_iter().map(|(title, fixture, example)| {
        let weight = if fixture { FIXTURE_WEIGHT } else { weight };
        Title {
            fold: fold(title, folds),
            fixture,
            example: example.weighing(weight),
        }
    }));
    Ok(())
}
