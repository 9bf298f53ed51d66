//! A service over loopback, on a database of its own.

use crate::client::{Call, Reply};
pub(crate) use crate::database::Database;
use proptest::test_runner::Config;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::OnceLock;
use std::time::Duration;
use titledex::Engine;
use titledex_server::clock::{Clock, Moment};
use titledex_server::config::Settings;
use titledex_server::serve::Server;
use tokio::runtime::Runtime;

/// Noon of some day, so that neither day nor minute turns unless a test turns them.
pub(crate) const NOON: i64 = 20_000 * 86_400_000 + 43_200_000 + 10_000;

/// A title that was made up.
pub(crate) const TITLE: &str = "Pikachu 58/102 Base Set PSA 9";

/// The game of most tests: Pokémon's catalogue is read and written sooner than that of all games.
pub(crate) fn first_game() -> Vec<String> {
    vec!["pokemon".to_owned()]
}

/// A body with [`TITLE`].
pub(crate) fn one_title() -> String {
    json!({"title": TITLE}).to_string()
}

/// So many cases of a property, or fewer or more, as `PROPTEST_CASES` is to the 256 of proptest.
pub(crate) fn cases(many: u32) -> Config {
    let usual = Config::default();
    Config {
        cases: (many * usual.cases).div_ceil(256),
        failure_persistence: None,
        ..usual
    }
}

/// Runs a test on SQLite, and on PostgreSQL if it is installed.
pub(crate) fn on_each_database(test: impl Fn(&Database)) {
    let sqlite = Database::sqlite();
    eprintln!("on {}", sqlite.kind);
    test(&sqlite);
    if let Some(postgres) = Database::postgres() {
        eprintln!("on {}", postgres.kind);
        test(&postgres);
    }
}

/// A service that answers.
pub(crate) struct Service {
    runtime: Runtime,
    server: Option<Server>,
    pub(crate) address: SocketAddr,
    /// An administrator's key; empty if an earlier start printed it.
    pub(crate) admin: String,
    pub(crate) clock: Clock,
}

impl Service {
    /// On SQLite, at noon.
    pub(crate) fn start() -> (Self, Database) {
        let database = Database::sqlite();
        (Self::on(&database), database)
    }

    /// On this database, at noon.
    pub(crate) fn on(database: &Database) -> Self {
        Self::with(database, |_| {})
    }

    /// With other settings.
    pub(crate) fn with(database: &Database, alter: impl FnOnce(&mut Settings)) -> Self {
        let clock = Clock::standing(Moment::from_millis(NOON));
        let mut settings = Settings {
            listen: "127.0.0.1:0".to_owned(),
            database: database.address.clone(),
            ..Settings::default()
        };
        // writing the whole catalogue takes seconds, and few tests ask for it
        settings.market.fill = false;
        settings.games = first_game();
        settings.exports.daily = false;
        settings.imports.folder = match database.address.strip_prefix("sqlite:") {
            Some(file) => std::path::Path::new(file).with_extension("imports"),
            None => std::env::temp_dir().join("titledex-test-imports"),
        };
        alter(&mut settings);
        let runtime = Runtime::new().expect("a runtime can be made");
        let server = runtime
            .block_on(Server::start(settings, clock.clone()))
            .expect("it starts");
        let (address, admin) = (
            server.address,
            server.first_admin_key.clone().unwrap_or_default(),
        );
        Self {
            runtime,
            server: Some(server),
            address,
            admin,
            clock,
        }
    }

    pub(crate) fn send(&self, call: &Call) -> Reply {
        call.send(self.address)
    }

    /// Sends a request with the administrator's key.
    pub(crate) fn ask(&self, method: &'static str, path: &str, body: &Value) -> Reply {
        let call = Call::new(method, format!("/api/admin{path}")).key(&self.admin);
        self.send(&if body.is_null() {
            call
        } else {
            call.json(body.to_string())
        })
    }

    /// An account on `plan`, with a key.
    pub(crate) fn account(&self, name: &str, plan: &str) -> Holder {
        let made = self.ask("POST", "/accounts", &json!({"name": name, "plan": plan}));
        assert_eq!(made.status, 201, "{made:?}");
        let id = made.json()["data"]["id"].as_i64().expect("it has a number");
        let made = self.ask(
            "POST",
            &format!("/accounts/{id}/keys"),
            &json!({"name": "first"}),
        );
        assert_eq!(made.status, 201, "{made:?}");
        let made = made.json();
        let text = |member: &str| {
            made["data"][member]
                .as_str()
                .expect("it is text")
                .to_owned()
        };
        Holder {
            id,
            key: text("key"),
            key_id: made["data"]["id"].as_i64().expect("it has a number"),
        }
    }

    /// Credits that the database has as charged today, without unspent leases.
    pub(crate) fn used(&self, holder: &Holder) -> (i64, i64) {
        let server = self.server.as_ref().expect("it runs");
        let row = self
            .runtime
            .block_on(
                server
                    .app
                    .store
                    .usage_on(holder.id, 2, self.clock.now().day()),
            )
            .expect("it answers");
        (row.used - row.leased, row.leased)
    }

    /// Credits charged today once all leases are given back and no charge may still be refunded: a
    /// caller may see its connection end a moment before the server drops the charge of a request
    /// that it did not answer.
    pub(crate) fn charged(&self, holder: &Holder) -> i64 {
        let ledger = &self.server().app.ledger;
        for _ in 0..100 {
            self.runtime.block_on(ledger.close());
            let all_returned = ledger.active() == 0;
            // another process may have a lease too
            let (used, leased) = self.used(holder);
            if all_returned && leased == 0 {
                return used;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!(
            "credits stay leased, or charges open, though nothing is under way: {:?}, {}",
            self.used(holder),
            ledger.active()
        );
    }

    pub(crate) fn server(&self) -> &Server {
        self.server.as_ref().expect("it runs")
    }

    pub(crate) fn runtime(&self) -> &Runtime {
        &self.runtime
    }

    /// Stops as a signal would.
    pub(crate) fn stop(mut self) {
        if let Some(server) = self.server.take() {
            self.runtime.block_on(server.stop());
        }
    }
}

/// An account with a key.
pub(crate) struct Holder {
    pub(crate) id: i64,
    pub(crate) key: String,
    pub(crate) key_id: i64,
}

/// The core's answer to a title: the bytes that the command line prints.
pub(crate) fn printed(title: &str, options: &titledex::Options) -> String {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    let engine =
        ENGINE.get_or_init(|| Engine::new(titledex_embedded::catalogue().expect("it opens")));
    serde_json::to_string(&engine.answer(title, options)).expect("an answer is JSON")
}

/// Sends calls at once, each on a thread of its own.
pub(crate) fn at_once(calls: &[(SocketAddr, Call)]) -> Vec<Reply> {
    std::thread::scope(|scope| {
        let threads: Vec<_> = calls
            .iter()
            .map(|(address, call)| scope.spawn(move || call.send(*address)))
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().expect("it is answered"))
            .collect()
    })
}
