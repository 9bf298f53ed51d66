//! What an administrator does to the market on the command line.

use super::{refused, shown};
use crate::clock::Moment;
use crate::config::Settings;
use crate::error::ApiError;
use crate::market::Grader;
use crate::routes::market_changes::{Corrections, MergeBody, undone};
use crate::routes::market_shown::{Change, ItemPrices, Sale};
use crate::routes::review::{self, AcceptBody, Review};
use crate::routes::review_bulk::decide_all;
use crate::run::RunError;
use crate::store::market::{BulkVerdict, MOST_DECIDED, PriceName, ReviewFilter, Undoing};
use crate::store::{Actor, Store};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A task.
#[derive(Clone, Debug)]
pub enum MarketTask {
    /// Show the sold listings under review that fit.
    ListReview {
        /// Which.
        filter: ReviewFilter,
        /// Those after this number.
        after: i64,
        /// At most this many.
        limit: i64,
    },
    /// Show one of them.
    ShowReview {
        /// Its number.
        id: i64,
    },
    /// Accept it as a sale.
    AcceptReview {
        /// Its number.
        id: i64,
        /// What was sold; the best guess by default.
        marketplace_id: Option<String>,
        /// Its grade; by default as read.
        grade: Option<String>,
    },
    /// Reject it.
    RejectReview {
        /// Its number.
        id: i64,
    },
    /// Decide about all open listings that fit.
    DecideAll {
        /// Which.
        filter: ReviewFilter,
        /// What they are.
        verdict: BulkVerdict,
        /// How many there are.
        expect: i64,
    },
    /// Show imports, and with `deeds` what administrators did, newest first.
    ListChanges {
        /// Those with a number below.
        before: i64,
        /// At most this many.
        limit: i64,
        /// Which.
        which: Undoing,
    },
    /// Put everything that a change altered back as it was.
    Undo {
        /// Its number.
        change: i64,
        /// What it may be.
        which: Undoing,
    },
    /// Show the sales of an item.
    ListSales {
        /// What it is called.
        item: String,
        /// Those after this number.
        after: i64,
        /// At most this many.
        limit: i64,
    },
    /// Show the prices of an item.
    ListPrices {
        /// What it is called.
        item: String,
    },
    /// Remove a sale.
    DeleteSale {
        /// Its number.
        sale: i64,
    },
    /// Remove a price.
    DeletePrice {
        /// Which.
        price: PriceName,
    },
    /// Remove a population.
    DeletePopulation {
        /// What the item is called.
        item: String,
        /// What this grader counted; what all did by default.
        grader: Option<Grader>,
    },
    /// Make a card part of another.
    MergeCards {
        /// The id of the card that ends.
        from: String,
        /// The id of the card that stays.
        into: String,
        /// What printings of the first are of the second.
        printings: BTreeMap<String, String>,
    },
}

pub(super) async fn perform(
    settings: &Settings,
    store: &Store,
    task: MarketTask,
    now: Moment,
) -> Result<Vec<Value>, RunError> {
    let by = Actor::Operator;
    let of = Corrections {
        store: store.clone(),
        sources: settings.market.sources.clone(),
        scheme: settings.market.marketplace_id,
    };
    Ok(match task {
        MarketTask::ListReview {
            filter,
            after,
            limit,
        } => {
            let page = store.reviews(&filter, after, limit).await?;
            let rows = page.rows.iter();
            rows.map(|row| shown(Review::from(row))).collect()
        }
        MarketTask::ShowReview { id } => vec![shown(Review::from(
            &review::find(store, id).await.map_err(refused)?,
        ))],
        MarketTask::AcceptReview {
            id,
            marketplace_id,
            grade,
        } => {
            let asked = AcceptBody {
                marketplace_id,
                grade,
            };
            let row = review::accepted(store, id, asked, by, now).await;
            vec![shown(Review::from(&row.map_err(refused)?))]
        }
        MarketTask::RejectReview { id } => {
            let row = review::rejected(store, id, by, now).await;
            vec![shown(Review::from(&row.map_err(refused)?))]
        }
        MarketTask::DecideAll {
            filter,
            verdict,
            expect,
        } => {
            let page = store.reviews(&filter, 0, 1).await?;
            if page.total != expect {
                return Err(RunError::Refused(format!(
                    "{} listings fit, not {expect}: list them again (at most {MOST_DECIDED} are decided at once)",
                    page.total
                )));
            }
            let snapshot = &page.snapshot.id;
            let done = decide_all(store, &filter, verdict, snapshot, by, now).await;
            vec![shown(done.map_err(refused)?)]
        }
        MarketTask::ListChanges {
            before,
            limit,
            which,
        } => {
            let rows = match which {
                Undoing::Imports => store.imports(before, limit).await?,
                Undoing::Any | Undoing::Decisions => store.changes_before(before, limit).await?,
            };
            rows.iter().map(|row| shown(Change::from(row))).collect()
        }
        MarketTask::Undo { change, which } => {
            let row = undone(store, change, which, by, now).await;
            let row = row.map_err(|error| refused_undo(error, change, which))?;
            vec![shown(Change::from(&row))]
        }
        MarketTask::ListSales { item, after, limit } => {
            let rows = of.sales(&item, after, limit).await.map_err(refused)?;
            rows.iter().map(|row| shown(Sale::from(row))).collect()
        }
        MarketTask::ListPrices { item } => {
            let known = of.prices(&item).await.map_err(refused)?;
            vec![shown(ItemPrices::from(&known))]
        }
        MarketTask::DeleteSale { sale } => {
            let done = of.delete_sale(sale, by, now).await;
            vec![shown(done.map_err(refused)?)]
        }
        MarketTask::DeletePrice { price } => {
            let done = of.delete_price(price, by, now).await;
            vec![shown(done.map_err(refused)?)]
        }
        MarketTask::DeletePopulation { item, grader } => {
            let done = of.delete_population(&item, grader, by, now).await;
            vec![shown(done.map_err(refused)?)]
        }
        MarketTask::MergeCards {
            from,
            into,
            printings,
        } => {
            let asked = MergeBody {
                from,
                into,
                printings,
            };
            let report = of.merge(asked, by, now).await.map_err(refused)?;
            vec![json!(report)]
        }
    })
}

/// A refusal to undo, in the words of what was to be undone.
fn refused_undo(error: ApiError, change: i64, which: Undoing) -> RunError {
    let what = match which {
        Undoing::Any => "change",
        Undoing::Imports => "import",
        Undoing::Decisions => "decision",
    };
    match error.code {
        "not_found" => RunError::Refused(format!("there is no {what} {change}: list them")),
        _ => refused(error),
    }
}
