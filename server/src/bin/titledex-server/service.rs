//! [`Service`]: the database and the settings that every command takes.

use clap::Args;
use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;
use titledex_command::Failure;
use titledex_server::admin::{self, Task};
use titledex_server::config::Settings;

/// The database and the settings; the command line takes precedence over the file.
#[derive(Debug, Args)]
pub(crate) struct Service {
    /// The database, `sqlite:FILE` or `postgres://USER@HOST/DATABASE`
    /// [default: sqlite:titledex.db].
    #[arg(long, value_name = "URL", global = true)]
    database: Option<String>,
    /// A file of settings: plans, limits, and everything that has an option.
    #[arg(long, value_name = "FILE", global = true)]
    config: Option<PathBuf>,
    /// Find cards of these games only, by their ids with commas between them: pokemon, onepiece,
    /// magic, yugioh, lorcana, digimon [default: pokemon; all of a catalogue of one's own].
    #[arg(long, value_name = "GAMES", value_delimiter = ',', global = true)]
    games: Vec<String>,
}

impl Service {
    /// The settings of the file, and the database that was named.
    pub(crate) fn settings(&self) -> Result<Settings, Failure> {
        let mut settings = match &self.config {
            Some(path) => Settings::read(path).map_err(|error| failure(&error))?,
            None => Settings::default(),
        };
        if let Some(database) = &self.database {
            settings.database.clone_from(database);
        }
        if !self.games.is_empty() {
            settings.games.clone_from(&self.games);
        }
        Ok(settings)
    }

    /// Runs one task in the database and prints its answers, one a line.
    pub(crate) fn print(&self, task: Task) -> Result<(), Failure> {
        let settings = self.settings()?;
        let mut out = io::stdout().lock();
        for line in admin::run(&settings, task).map_err(|error| failure(&error))? {
            writeln!(out, "{line}")?;
        }
        Ok(out.flush()?)
    }
}

/// A failure with the message of an error of the service, and its cause.
pub(crate) fn failure(error: &dyn Error) -> Failure {
    match error.source() {
        Some(cause) => Failure::new(format!("{error} ({cause})")),
        None => Failure::new(error.to_string()),
    }
}
