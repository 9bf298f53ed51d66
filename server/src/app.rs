//! [`App`]: the parts of the service, from which each handler takes those that it needs.

use crate::auth::Directory;
use crate::catalogue::Reader;
use crate::clock::Clock;
use crate::config::Settings;
use crate::credits::Ledger;
use crate::described::{Described, Description};
use crate::games::ClosedGames;
use crate::guard::PerMinute;
use crate::images::Images;
use crate::limits::Limits;
use crate::market::export::storage::Storage;
use crate::market::intake::Intake;
use crate::metrics::Metrics;
use crate::middleware::Gate;
use crate::openapi::Document;
use crate::pages::Pages;
use crate::plans::Plans;
use crate::playground::Playground;
use crate::store::Store;
use crate::turns::Turns;
use axum::extract::FromRef;
use std::net::IpAddr;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The state of the routers, cheap to clone.
///
/// Handlers do not take it whole. They name the parts that they use, each a [`FromRef`] of it.
#[derive(Clone, Debug)]
pub struct App(Arc<Parts>);

/// The parts of the service.
#[derive(Debug)]
pub struct Parts {
    /// The settings.
    pub settings: Settings,
    /// Accounts, keys, usage and the market.
    pub store: Store,
    /// What each plan allows.
    pub plans: Arc<Plans>,
    /// The keys in memory.
    pub directory: Arc<Directory>,
    /// Credits.
    pub ledger: Arc<Ledger>,
    /// The engine with its catalogue.
    pub reader: Arc<Reader>,
    /// Whether the store has sets of other games.
    pub closed_games: Arc<ClosedGames>,
    /// Who searches sealed products.
    pub product_searches: Arc<Turns>,
    /// The document and the pages.
    pub described: Described,
    /// What is served at `/`, if there is a playground.
    pub playground: Option<Arc<Playground>>,
    /// What every request passes.
    pub gate: Arc<Gate>,
    /// Pages of cards by address.
    pub card_pages: Arc<PerMinute<IpAddr>>,
    /// The files of the daily export.
    pub exports: Storage,
    /// What imports files.
    pub intake: Arc<Intake>,
    /// Counts of what happens.
    pub metrics: Arc<Metrics>,
    /// Set when the service stops and should get no new work.
    pub stopping: Arc<AtomicBool>,
}

impl App {
    /// An application of these parts.
    #[must_use]
    pub fn new(parts: Parts) -> Self {
        Self(Arc::new(parts))
    }
}

impl App {
    /// The document and the pages of the games that are open now.
    pub(crate) fn description(&self) -> Arc<Description> {
        self.described.of(self.reader.now().games().open())
    }
}

impl Deref for App {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

/// Parts that handlers take as they are.
macro_rules! parts {
    ($($part:ty: $app:ident => $value:expr;)*) => {$(
        impl FromRef<App> for $part {
            fn from_ref($app: &App) -> Self {
                $value
            }
        }
    )*};
}

parts! {
    Store: app => app.store.clone();
    Clock: app => app.ledger.clock().clone();
    Limits: app => app.settings.limits;
    Storage: app => app.exports.clone();
    Arc<Images>: app => Arc::clone(&app.settings.market.images);
    Arc<Intake>: app => Arc::clone(&app.intake);
    Arc<Ledger>: app => Arc::clone(&app.ledger);
    Arc<Reader>: app => Arc::clone(&app.reader);
    Arc<Pages>: app => Arc::clone(&app.description().pages);
    Arc<Document>: app => Arc::clone(&app.description().document);
    Option<Arc<Playground>>: app => app.playground.clone();
}
