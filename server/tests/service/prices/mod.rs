//! Cards, sets, sealed products and populations over HTTP: the endpoints on a small market.

mod cards;
mod cost;
mod history;
mod limits;
mod lists;
mod orders;
mod pages;
mod population;
mod searches;
pub(crate) mod shop;
mod sources;
mod v1;

use crate::client::{Call, Reply};
use crate::support::{Database, Holder, Service};
use titledex_server::config::Settings;

/// A service with the market of [`shop`].
pub(crate) struct Shop {
    pub(crate) service: Service,
    pub(crate) holder: Holder,
    _database: Option<Database>,
}

impl Shop {
    /// On SQLite, with an account on `plan`.
    pub(crate) fn open(plan: &str) -> Self {
        let database = Database::sqlite();
        Self {
            _database: None,
            ..Self::on(&database, plan)
        }
        .with(database)
    }

    fn with(self, database: Database) -> Self {
        Self {
            _database: Some(database),
            ..self
        }
    }

    pub(crate) fn on(database: &Database, plan: &str) -> Self {
        Self::with_settings(database, plan, |_| {})
    }

    /// With other settings.
    pub(crate) fn with_settings(
        database: &Database,
        plan: &str,
        alter: impl FnOnce(&mut Settings),
    ) -> Self {
        let service = Service::with(database, alter);
        shop::stock(&service);
        let holder = service.account("shop", plan);
        Self {
            service,
            holder,
            _database: None,
        }
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        self.service
            .send(&Call::new("GET", format!("/api{path}")).key(&self.holder.key))
    }

    /// The body of an answer with status 200, and its cost.
    pub(crate) fn ok(&self, path: &str) -> (serde_json::Value, i64) {
        let reply = self.get(path);
        assert_eq!(reply.status, 200, "{path}: {reply:?}");
        let cost = reply
            .header("x-ratelimit-cost")
            .map_or(0, |cost| cost.parse().expect("it is a number"));
        (reply.json(), cost)
    }

    /// An error: status, code and field.
    pub(crate) fn refused(&self, path: &str) -> (u16, String, String) {
        let reply = self.get(path);
        assert_eq!(
            reply.header("x-ratelimit-cost").unwrap_or("0"),
            "0",
            "{path}: {reply:?}"
        );
        let field = reply.json()["error"]["field"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        (reply.status, reply.code(), field)
    }
}

/// The members `name` of a list.
pub(crate) fn each(body: &serde_json::Value, name: &str) -> Vec<String> {
    let text = |item: &serde_json::Value| {
        item[name]
            .as_str()
            .unwrap_or_else(|| panic!("no {name} in {item}"))
            .to_owned()
    };
    body["data"]
        .as_array()
        .unwrap_or_else(|| panic!("no list: {body}"))
        .iter()
        .map(text)
        .collect()
}
