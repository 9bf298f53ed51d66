//! The log never stops the service, whatever becomes of standard error.

use crate::client::Call;
use crate::database::Database;
use crate::{Process, account, call, plan};
use std::fs::OpenOptions;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Waits for the end of a process, but not for ever.
fn ends(process: &mut Process) -> bool {
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(20) {
        if let Some(status) = process.child.try_wait().expect("it can be asked") {
            return status.success();
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    false
}

/// Answers requests, says how many lines it dropped, and ends when it is told to.
fn outlives(log: Stdio, requests: usize) -> bool {
    let database = Database::sqlite();
    let folder = tempfile::tempdir().expect("a folder can be made");
    let config = plan(folder.path(), 1_000_000);
    let mut process = Process::logging(&database, &["--config", &config], log);
    let admin = process.printed[0]
        .rsplit(' ')
        .next()
        .expect("it is shown")
        .to_owned();
    let key = account(&database);
    for at in 0..requests {
        let answered = call(&key)
            .try_send(process.address)
            .map(|reply| reply.status);
        assert_eq!(answered.ok(), Some(200), "request {at}");
    }
    let metrics = Call::new("GET", "/metrics")
        .key(&admin)
        .send(process.address);
    let dropped = metrics
        .text()
        .lines()
        .find_map(|line| line.strip_prefix("titledex_log_lines_dropped_total "))
        .expect("they are counted")
        .to_owned();
    process.signal("-TERM");
    assert!(ends(&mut process), "SIGTERM does not end it");
    dropped != "0"
}

#[test]
fn closed_standard_error_does_not_stop_the_service() {
    let (ours, theirs) = std::io::pipe().expect("a pipe can be made");
    drop(ours);
    assert!(outlives(theirs.into(), 200));
}

#[test]
fn unread_standard_error_does_not_stop_the_service() {
    let (ours, theirs) = std::io::pipe().expect("a pipe can be made");
    // as many lines wait as the queue takes, and only what is beyond them is dropped
    outlives(theirs.into(), 2_000);
    drop(ours);
}

#[test]
fn full_disk_under_the_log_does_not_stop_the_service() {
    let full = OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .expect("Linux has it");
    assert!(outlives(full.into(), 200));
}
