//! [`Described`]: the OpenAPI document, and the pages that are made of it. They name the open games,
//! of which a catalogue that is loaded later may have others.

use crate::config::Market;
use crate::openapi::Document;
use crate::pages::Pages;
use crate::plans::Plans;
use arc_swap::ArcSwap;
use std::fmt;
use std::sync::Arc;
use utoipa::openapi::OpenApi;

/// What describes the service.
pub struct Described {
    api: OpenApi,
    plans: Arc<Plans>,
    market: Market,
    now: ArcSwap<Description>,
}

/// The document and the pages of a service with these games.
#[derive(Debug)]
pub struct Description {
    games: Vec<String>,
    /// What is served as `/openapi.json`.
    pub document: Arc<Document>,
    /// The pages for people.
    pub pages: Arc<Pages>,
}

impl Description {
    fn new(api: &OpenApi, plans: &Plans, market: &Market, games: &[String]) -> Self {
        let document = Document::new(api, plans, games);
        let pages = Pages::new(&document, &market.companies, &market.images.origins());
        Self {
            games: games.to_vec(),
            document: Arc::new(document),
            pages: Arc::new(pages),
        }
    }
}

impl fmt::Debug for Described {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Described").finish_non_exhaustive()
    }
}

impl Described {
    /// Of a service with these handlers, plans, settings of the market, and open games.
    #[must_use]
    pub fn new(api: OpenApi, plans: Arc<Plans>, market: Market, games: &[String]) -> Self {
        let now = ArcSwap::from_pointee(Description::new(&api, &plans, &market, games));
        Self {
            api,
            plans,
            market,
            now,
        }
    }

    /// The description for these games: that of before, unless they are others.
    pub fn of(&self, games: &[String]) -> Arc<Description> {
        let now = self.now.load_full();
        if now.games == games {
            return now;
        }
        let made = Arc::new(Description::new(
            &self.api,
            &self.plans,
            &self.market,
            games,
        ));
        self.now.store(Arc::clone(&made));
        made
    }
}
