//! `titledex-server market sales|prices|delete|merge|changes|undo`: what an operator corrects.

use crate::service::Service;
use clap::{Args, Subcommand, ValueEnum};
use titledex_command::Failure;
use titledex_server::admin::Task;
use titledex_server::admin::market::MarketTask;
use titledex_server::market::{Day, Grader};
use titledex_server::store::market::{PriceName, QuoteName, Undoing};

const DELETE_HELP: &str = "\
A change is printed with its number, by which `market undo` takes it back within thirty
days. A sale that is deleted stays known, so that a later file does not count it again; a
price or a population that a later file states comes back.

Examples:
  titledex-server market sales base1-4:unlimited-holofoil
  titledex-server market delete sale 17
  titledex-server market delete price base1-4:unlimited-holofoil 2026-11-20
  titledex-server market delete price base1-4 2026-11-20 --source tcgplayer --condition 'Near Mint'
  titledex-server market delete population base1-4:unlimited-holofoil --grader GRADER_B

Exit codes: 0 done, 1 refused, or the database did not answer, 2 usage";

const MERGE_HELP: &str = "\
Prices, sales, populations, marketplaces' ids and listings under review of the first card
become the other's, and its ids go on to answer as the other's. Printings of one name
become one; others move. What the other card has stays: the price of a day, the last
price of a source unless it is older, what a grader counted.

Examples:
  titledex-server market merge own-4 base1-4
  titledex-server market merge own-4 base1-4 --printing plain=unlimited-holofoil

Exit codes: 0 done, 1 refused, or the database did not answer, 2 usage";

/// Corrections of the market.
#[derive(Debug, Subcommand)]
pub(crate) enum Correction {
    /// List the sales of an item, with their numbers.
    Sales {
        /// A printing or product, by any of its ids.
        item: String,
        /// Only sales after this number.
        #[arg(long, value_name = "NUMBER", default_value_t = 0)]
        after: i64,
        /// At most this many.
        #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(i64).range(1..=100_000))]
        limit: i64,
        #[command(flatten)]
        service: Service,
    },
    /// Show all that is known of the prices of an item.
    Prices {
        /// A printing or product, by any of its ids.
        item: String,
        #[command(flatten)]
        service: Service,
    },
    /// Delete a sale, a price or a population.
    #[command(after_help = DELETE_HELP)]
    Delete(Delete),
    /// Make a card part of another.
    #[command(after_help = MERGE_HELP)]
    Merge {
        /// The id of the card that ends.
        from: String,
        /// The id of the card that stays.
        into: String,
        /// What a printing of the first is of the other, where the names do not tell; may be given
        /// several times.
        #[arg(long, value_name = "FROM=INTO", value_parser = pair)]
        printing: Vec<(String, String)>,
        #[command(flatten)]
        service: Service,
    },
    /// List imports, deletions, merges and decisions of reviews, newest first.
    Changes {
        /// At most this many.
        #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(i64).range(1..=1000))]
        limit: i64,
        /// Those before this number.
        #[arg(long, value_name = "CHANGE")]
        before: Option<i64>,
        #[command(flatten)]
        service: Service,
    },
    /// Put everything that a change altered back as it was.
    Undo {
        /// Its number.
        change: i64,
        #[command(flatten)]
        service: Service,
    },
}

/// The options of `titledex-server market delete`.
#[derive(Debug, Args)]
pub(crate) struct Delete {
    #[command(subcommand)]
    what: What,
    #[command(flatten)]
    service: Service,
}

/// What is deleted.
#[derive(Debug, Subcommand)]
enum What {
    /// A sale.
    Sale {
        /// Its number.
        sale: i64,
    },
    /// A price of a day.
    Price {
        /// A printing or product, by any of its ids.
        item: String,
        /// The day of the price, as 2026-11-20.
        #[arg(value_parser = day)]
        date: i64,
        /// Whose price it is [default: the headline's].
        #[arg(long, value_name = "SOURCE")]
        source: Option<String>,
        /// The condition that it is for.
        #[arg(long, value_name = "CONDITION")]
        condition: Option<String>,
        /// Its currency.
        #[arg(long, value_enum, default_value = "usd", ignore_case = true)]
        currency: Currency,
    },
    /// What graders counted.
    Population {
        /// A printing, by any of its ids.
        item: String,
        /// Only what this one counted, as GRADER_A.
        #[arg(long, value_name = "GRADER", value_parser = grader)]
        grader: Option<Grader>,
    },
}

/// A currency that prices are kept in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Currency {
    Usd,
    Eur,
}

fn day(text: &str) -> Result<i64, String> {
    let day = Day::parse(text).ok_or("write a day as 2026-11-20")?;
    Ok(day.0)
}

fn grader(text: &str) -> Result<Grader, String> {
    Grader::of_code(text).ok_or_else(|| "write GRADER_A, GRADER_B, GRADER_C or GRADER_D".to_owned())
}

fn pair(text: &str) -> Result<(String, String), String> {
    let (from, into) = text.split_once('=').ok_or("write FROM=INTO")?;
    Ok((from.to_owned(), into.to_owned()))
}

impl Correction {
    /// Runs it.
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let (service, task) = match self {
            Self::Sales {
                item,
                after,
                limit,
                service,
            } => {
                let (item, after, limit) = (item.clone(), *after, *limit);
                (service, MarketTask::ListSales { item, after, limit })
            }
            Self::Prices { item, service } => {
                let item = item.clone();
                (service, MarketTask::ListPrices { item })
            }
            Self::Delete(Delete { what, service }) => (service, what.task()),
            Self::Merge {
                from,
                into,
                printing,
                service,
            } => {
                let task = MarketTask::MergeCards {
                    from: from.clone(),
                    into: into.clone(),
                    printings: printing.iter().cloned().collect(),
                };
                (service, task)
            }
            Self::Changes {
                limit,
                before,
                service,
            } => {
                let task = MarketTask::ListChanges {
                    before: before.unwrap_or(i64::MAX),
                    limit: *limit,
                    which: Undoing::Any,
                };
                (service, task)
            }
            Self::Undo { change, service } => {
                let task = MarketTask::Undo {
                    change: *change,
                    which: Undoing::Any,
                };
                (service, task)
            }
        };
        service.print(Task::Market(task))
    }
}

impl What {
    fn task(&self) -> MarketTask {
        match self {
            Self::Sale { sale } => MarketTask::DeleteSale { sale: *sale },
            Self::Price {
                item,
                date,
                source,
                condition,
                currency,
            } => {
                let named = source.is_some() || condition.is_some();
                let quote = named.then(|| QuoteName {
                    source: source.clone().unwrap_or_default(),
                    condition: condition.clone().unwrap_or_default(),
                });
                MarketTask::DeletePrice {
                    price: PriceName {
                        item: item.clone(),
                        day: *date,
                        quote,
                        eur: *currency == Currency::Eur,
                    },
                }
            }
            Self::Population { item, grader } => MarketTask::DeletePopulation {
                item: item.clone(),
                grader: *grader,
            },
        }
    }
}
