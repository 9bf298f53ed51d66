//! The program as a process, and what its commands print.

use crate::database::Database;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};

pub(crate) fn server() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_titledex-server"));
    command.env_remove("RUST_LOG");
    command
}

/// Output of `titledex-server admin`, line by line.
pub(crate) fn admin(database: &Database, arguments: &[&str]) -> Vec<Value> {
    let done = server()
        .arg("admin")
        .args(arguments)
        .args(["--database", &database.address])
        .output()
        .expect("it runs");
    assert!(
        done.status.success(),
        "{arguments:?}: {}",
        String::from_utf8_lossy(&done.stderr)
    );
    String::from_utf8(done.stdout)
        .expect("it is text")
        .lines()
        .map(|line| serde_json::from_str(line).expect("it is JSON"))
        .collect()
}

/// A serving process. It is killed if a test ends early.
pub(crate) struct Process {
    pub(crate) child: Child,
    pub(crate) address: SocketAddr,
    /// Its output before it listened.
    pub(crate) printed: Vec<String>,
}

impl Process {
    pub(crate) fn start(database: &Database, more: &[&str]) -> Self {
        Self::logging(database, more, Stdio::null())
    }

    /// With its log somewhere.
    pub(crate) fn logging(database: &Database, more: &[&str], log: Stdio) -> Self {
        let mut command = server();
        command
            .args(["serve", "--listen", "127.0.0.1:0", "--games", "pokemon"])
            .args(["--database", &database.address])
            .args(more)
            .stderr(log);
        Self::started(&mut command)
    }

    /// What a command starts.
    pub(crate) fn started(command: &mut Command) -> Self {
        let child = command.stdout(Stdio::piped()).spawn().expect("it starts");
        // dropping it ends the process, whatever it prints
        let mut process = Self {
            child,
            address: SocketAddr::from(([0; 4], 0)),
            printed: Vec::new(),
        };
        for line in BufReader::new(process.child.stdout.take().expect("it is piped")).lines() {
            let line = line.expect("it is text");
            if let Some(address) = line.strip_prefix("listening on http://") {
                process.address = address.parse().expect("it is an address");
                return process;
            }
            process.printed.push(line);
        }
        panic!("it ended: {:?}", process.printed);
    }

    pub(crate) fn signal(&self, name: &str) {
        let done = Command::new("kill")
            .args([name, &self.child.id().to_string()])
            .status()
            .expect("kill is there");
        assert!(done.success());
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A configuration under which only `credits` a day bound an account on the plan `free`, and the
/// store has no cards: writing the catalogue takes seconds.
pub(crate) fn plan(folder: &Path, credits: i64) -> String {
    let path = folder.join("td.toml");
    std::fs::write(
        &path,
        format!(
            "[plans.free]\ndaily-credits = {credits}\nminute-calls = 1000000000\n\
             [market]\nfill = false\n"
        ),
    )
    .expect("it can be written");
    path.display().to_string()
}

pub(crate) fn account(database: &Database) -> String {
    let made = admin(
        database,
        &[
            "account", "create", "site", "--plan", "free", "--key", "first",
        ],
    );
    made[1]["key"].as_str().expect("it is shown").to_owned()
}

/// Credits charged today, and those of them that are leased.
pub(crate) fn used(database: &Database) -> (i64, i64) {
    let days = admin(database, &["usage", "1", "--days", "2"]);
    let sum = |member: &str| {
        days.iter()
            .filter_map(|day| day[member].as_i64())
            .sum::<i64>()
    };
    (
        sum("creditsUsed") + sum("creditsReserved"),
        sum("creditsReserved"),
    )
}
