//! [`Settings`]: the configuration of the service, from a TOML file and the command line.

mod imports;
mod limits;

use crate::cors::Cors;
use crate::images::Images;
use crate::limits::Limits;
use crate::market::Companies;
use crate::market::export::bucket::{Bucket, Named, TIMEOUT};
use crate::market::export::storage::StorageSettings;
use crate::number::{Number, set, set_time};
use crate::plans::{PlanSettings, Plans};
use crate::proxies::Proxies;
use crate::store::market::MarketplaceId;
pub use imports::Imports;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The most days of history on a page, more than there are prices of.
const MOST_PAGE_DAYS: i64 = 65_535;
/// The most seconds for a request to a bucket.
const MOST_TIMEOUT: i64 = 3_600;

/// The configuration of the service.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Address and port to listen on.
    pub listen: String,
    /// Address and port where metrics are read without a key. Off by default.
    pub metrics_listen: Option<String>,
    /// The database: `sqlite:FILE` or `postgres://…`.
    pub database: String,
    /// A catalogue index to use instead of the built-in one.
    pub catalogue: Option<PathBuf>,
    /// The games whose cards are found, by their ids; empty for Pokémon, or for all that a catalogue
    /// of one's own has.
    pub games: Vec<String>,
    /// The folder of the built playground, which is served at `/`. Off by default.
    pub playground: Option<PathBuf>,
    /// How logs are written.
    pub logs: Logs,
    /// What each plan allows.
    pub plans: Plans,
    /// What one caller may demand.
    pub limits: Limits,
    /// Which pages of other origins may read answers.
    pub cors: Cors,
    /// The trusted proxies.
    pub proxies: Proxies,
    /// The market.
    pub market: Market,
    /// What the service imports by itself.
    pub imports: Imports,
    /// The daily export.
    pub exports: Exports,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            listen: "127.0.0.1:8080".to_owned(),
            metrics_listen: None,
            database: "sqlite:titledex.db".to_owned(),
            catalogue: None,
            games: Vec::new(),
            playground: None,
            logs: Logs::Text,
            plans: Plans::default(),
            limits: Limits::default(),
            cors: Cors::default(),
            proxies: Proxies::default(),
            market: Market::default(),
            imports: Imports::default(),
            exports: Exports::default(),
        }
    }
}

/// How the daily export is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exports {
    /// Where its files lie.
    pub storage: StorageSettings,
    /// Whether it is made every day at 06:00 UTC.
    pub daily: bool,
}

impl Default for Exports {
    fn default() -> Self {
        Self {
            storage: StorageSettings::default(),
            daily: true,
        }
    }
}

/// How the market is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Market {
    /// Whether the store is seeded at start with the sets and cards of the catalogue that it lacks.
    pub fill: bool,
    /// Which company each grader is.
    pub companies: Companies,
    /// Which id stands as `marketplaceId`.
    pub marketplace_id: MarketplaceId,
    /// The order of the sources of headline prices.
    pub sources: Vec<String>,
    /// What a card's page shows without a key.
    pub page: Page,
    /// Where pictures of cards and sets lie.
    pub images: Arc<Images>,
}

/// What a card's page shows without a key. By default nothing that a plan sells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// Whether there are such pages.
    pub shown: bool,
    /// Days of price history.
    pub days: i64,
    /// Whether graded sales are shown.
    pub sales: bool,
    /// Whether populations are shown.
    pub population: bool,
    /// Whether marketplaces are linked to.
    pub links: bool,
}

impl Default for Market {
    fn default() -> Self {
        Self {
            fill: true,
            companies: Companies::default(),
            marketplace_id: MarketplaceId::default(),
            sources: Vec::new(),
            page: Page {
                shown: true,
                days: 3,
                sales: false,
                population: false,
                links: true,
            },
            images: Arc::default(),
        }
    }
}

/// How logs are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Logs {
    /// Plain lines.
    Text,
    /// One JSON object a line.
    Json,
}

/// The TOML file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct File {
    listen: Option<String>,
    metrics_listen: Option<String>,
    database: Option<String>,
    catalogue: Option<PathBuf>,
    games: Option<Vec<String>>,
    playground: Option<PathBuf>,
    logs: Option<Logs>,
    #[serde(default)]
    limits: limits::FileLimits,
    #[serde(default)]
    plans: BTreeMap<String, PlanSettings>,
    #[serde(default)]
    cors: FileCors,
    #[serde(default)]
    proxies: FileProxies,
    #[serde(default)]
    market: FileMarket,
    #[serde(default)]
    graders: FileGraders,
    #[serde(default)]
    imports: imports::FileImports,
    #[serde(default)]
    exports: FileExports,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct FileExports {
    folder: Option<PathBuf>,
    storage: Option<String>,
    endpoint: Option<String>,
    region: Option<String>,
    path_style: Option<bool>,
    timeout_seconds: Option<Number>,
    base_url: Option<String>,
    csv_safe: Option<bool>,
    daily: Option<bool>,
}

impl FileExports {
    fn bucket(
        &self,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Option<Bucket>, String> {
        let mut timeout = TIMEOUT;
        set_time(
            &mut timeout,
            self.timeout_seconds,
            "exports.timeout-seconds",
            MOST_TIMEOUT,
        )?;
        let Some(storage) = &self.storage else {
            return Ok(None);
        };
        let named = Named {
            storage: storage.clone(),
            endpoint: self.endpoint.clone(),
            region: self.region.clone(),
            path_style: self.path_style,
            timeout,
        };
        Bucket::of(&named, environment).map(Some)
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct FileMarket {
    fill: Option<bool>,
    sources: Option<Vec<String>>,
    page: Option<bool>,
    page_days: Option<Number>,
    marketplace_id: Option<MarketplaceId>,
    page_sales: Option<bool>,
    page_population: Option<bool>,
    page_links: Option<bool>,
    card_images: Option<String>,
    set_images: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct FileGraders {
    a: Option<String>,
    b: Option<String>,
    c: Option<String>,
    d: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct FileCors {
    #[serde(default)]
    origins: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct FileProxies {
    #[serde(default)]
    trusted: Vec<String>,
    header: Option<String>,
}

/// Why a configuration was refused.
#[derive(Debug)]
pub enum ConfigError {
    /// The file could not be read.
    File(PathBuf, std::io::Error),
    /// The file is not valid.
    Text(PathBuf, String),
}

impl fmt::Display for ConfigError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path, _) => write!(
                out,
                "cannot read the configuration {}: check the path and its permissions",
                path.display()
            ),
            Self::Text(path, message) => write!(out, "{}: {}", path.display(), message.trim_end()),
        }
    }
}

impl std::error::Error for ConfigError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::File(_, error) => Some(error),
            Self::Text(..) => None,
        }
    }
}

impl Settings {
    /// Reads the settings from a TOML file. Settings that it leaves out keep their defaults.
    ///
    /// # Errors
    /// If the file cannot be read, has an unknown key, or a value of the wrong type.
    pub fn read(path: &Path) -> Result<Self, ConfigError> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| ConfigError::File(path.to_owned(), error))?;
        Self::parse(&text).map_err(|message| ConfigError::Text(path.to_owned(), message))
    }

    /// Reads the settings from the text of a TOML file. The keys of a bucket come from the
    /// environment.
    ///
    /// # Errors
    /// A sentence that names the setting at fault.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::parse_in(text, &|name| std::env::var(name).ok())
    }

    /// Like [`Settings::parse`], with an environment that the caller supplies.
    ///
    /// # Errors
    /// A sentence that names the setting at fault.
    pub fn parse_in(
        text: &str,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, String> {
        let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
        let mut settings = Self::default();
        if let Some(listen) = file.listen {
            settings.listen = listen;
        }
        if let Some(database) = file.database {
            settings.database = database;
        }
        settings.metrics_listen = file.metrics_listen;
        settings.catalogue = file.catalogue;
        settings.games = file.games.unwrap_or_default();
        settings.playground = file.playground;
        settings.cors = Cors::new(file.cors.origins)?;
        settings.proxies = Proxies::new(&file.proxies.trusted, file.proxies.header.as_deref())?;
        settings.market.fill = file.market.fill.unwrap_or(settings.market.fill);
        settings.market.marketplace_id = file.market.marketplace_id.unwrap_or_default();
        settings.market.sources = file.market.sources.unwrap_or_default();
        let (cards, sets) = (&file.market.card_images, &file.market.set_images);
        settings.market.images = Arc::new(Images::read(cards.as_deref(), sets.as_deref())?);
        settings.imports = file.imports.read()?;
        settings.limits = file.limits.read()?;
        settings.limits.import_time = settings.imports.time;
        let page = &mut settings.market.page;
        page.shown = file.market.page.unwrap_or(page.shown);
        set(
            &mut page.days,
            file.market.page_days,
            "market.page-days",
            0..=MOST_PAGE_DAYS,
        )?;
        page.sales = file.market.page_sales.unwrap_or(page.sales);
        page.population = file.market.page_population.unwrap_or(page.population);
        page.links = file.market.page_links.unwrap_or(page.links);
        let exports = &mut settings.exports;
        exports.daily = file.exports.daily.unwrap_or(exports.daily);
        let storage = &mut exports.storage;
        storage.csv_safe = file.exports.csv_safe.unwrap_or(storage.csv_safe);
        storage.bucket = file.exports.bucket(environment)?;
        if let Some(folder) = file.exports.folder {
            storage.folder = folder;
        }
        if let Some(base) = file.exports.base_url {
            if !base.is_empty() && !base.starts_with("http://") && !base.starts_with("https://") {
                return Err(format!(
                    "exports.base-url is {base:?}: write the address that callers reach the service at, as https://prices.example"
                ));
            }
            base.trim_end_matches('/').clone_into(&mut storage.base_url);
        }
        let graders = [
            file.graders.a,
            file.graders.b,
            file.graders.c,
            file.graders.d,
        ];
        for (company, place) in graders.into_iter().zip(&mut settings.market.companies.0) {
            if let Some(company) = company {
                *place = company;
            }
        }
        if let Some(logs) = file.logs {
            settings.logs = logs;
        }
        for (name, plan) in &file.plans {
            settings.plans.alter(name, plan)?;
        }
        Ok(settings)
    }
}

#[cfg(test)]
mod tests {
    use super::Settings;

    #[test]
    fn file_changes_only_the_settings_it_names() {
        let settings = Settings::parse(
            "listen = '0.0.0.0:80'\n[plans.free]\ndaily-credits = 50\nkeys = 'unlimited'\n[limits]\nbody-bytes = 10\n",
        );
        let settings = settings.expect("it is right");
        assert_eq!(
            (settings.listen.as_str(), settings.limits.body_bytes),
            ("0.0.0.0:80", 10)
        );
        let free = settings.plans.get("free").expect("it is there");
        assert_eq!(
            (free.daily_credits, free.keys, free.minute_calls),
            (50, None, 60)
        );
    }

    #[test]
    fn origins_and_proxies_are_validated() {
        let right = "[cors]\norigins = ['https://shop.example']\n[proxies]\ntrusted = ['10.0.0.0/8']\nheader = 'x-real-ip'\n";
        assert!(Settings::parse(right).is_ok());
        for wrong in [
            "[cors]\norigins = ['shop']",
            "[proxies]\ntrusted = ['ten']",
            "[proxies]\nheader = 'a b'",
        ] {
            assert!(Settings::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn numbers_outside_their_range_are_refused() {
        for (section, setting, value, wanted) in [
            ("limits", "body-bytes", "0", "from 1 to 1073741824"),
            ("limits", "body-bytes", "-1", "from 1 to 1073741824"),
            ("limits", "body-bytes", "'many'", "a whole number"),
            ("limits", "requests", "0", "from 1 to 1073741824"),
            ("limits", "address-connections", "1073741825", "from 1 to"),
            ("limits", "header-seconds", "0", "from 1 to 86400"),
            ("limits", "stop-seconds", "86401", "from 1 to 86400"),
            ("limits", "wrong-keys", "0", "from 1 to 1073741824"),
            ("limits", "account-calls", "0", "from 1 to 1073741824"),
            ("limits", "keys-a-day", "-1", "from 0 to 1073741824"),
            ("imports", "body-mib", "0", "from 1 to 1048576"),
            ("imports", "rows", "0", "from 1 to 9007199254740992"),
            ("imports", "seconds", "86401", "from 1 to 86400"),
            ("imports", "settle-seconds", "3601", "from 1 to 3600"),
            ("exports", "timeout-seconds", "0", "from 1 to 3600"),
            ("market", "page-days", "65536", "from 0 to 65535"),
            (
                "plans.free",
                "daily-credits",
                "-1",
                "from 0 to 9007199254740992",
            ),
            ("plans.free", "minute-calls", "1.5", "a whole number"),
            (
                "plans.free",
                "history-points",
                "1",
                "from 2 to 9007199254740992",
            ),
            ("plans.free", "keys", "-1", "from 0 to 9007199254740992"),
            ("plans.free", "keys", "'many'", "a number, or \"unlimited\""),
            (
                "plans.free",
                "history-days",
                "true",
                "a number, or \"unlimited\"",
            ),
        ] {
            let text = format!("[{section}]\n{setting} = {value}\n");
            let message = Settings::parse(&text).expect_err("it is out of range");
            assert!(message.contains(setting), "{text}{message}");
            assert!(
                message.contains(value.trim_matches('\'')),
                "{text}{message}"
            );
            assert!(message.contains(wanted), "{text}{message}");
        }
        let none = Settings::parse("[limits]\nkeys-a-day = 0\n[market]\npage-days = 0\n");
        let none = none.expect("none is a number of them");
        assert_eq!((none.limits.keys_a_day, none.market.page.days), (0, 0));
    }

    #[test]
    fn unknown_setting_is_reported_with_its_line() {
        let message =
            Settings::parse("[plans.free]\ndaily-credit = 50\n").expect_err("it is misspelt");
        assert!(
            message.contains("daily-credit") && message.contains("line 2"),
            "{message}"
        );
    }
}
