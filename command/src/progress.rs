//! [`Bar`]: a progress bar on the terminal.

use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use std::time::{Duration, Instant};

/// No bar is drawn before this: most runs are finished by then.
const QUIET: Duration = Duration::from_secs(1);
/// The bar is redrawn at most this often.
const PAUSE: Duration = Duration::from_millis(100);

/// A bar that appears after a second, with the rate and the time left.
#[derive(Debug)]
pub struct Bar {
    started: Instant,
    shown: Instant,
    /// Where the run began, and where it will end if known, in bytes or rows of the input.
    from: u64,
    length: Option<u64>,
    /// The unit that is counted: `titles`, `rows`.
    what: &'static str,
    bar: Option<ProgressBar>,
}

impl Bar {
    /// A bar that counts titles, for a run that begins at `from` and ends at `length`.
    pub fn new(from: u64, length: Option<u64>) -> Self {
        Self::of("titles", from, length)
    }

    /// A bar that counts `what`.
    pub fn of(what: &'static str, from: u64, length: Option<u64>) -> Self {
        let now = Instant::now();
        Self {
            started: now,
            shown: now,
            from,
            length,
            what,
            bar: None,
        }
    }

    /// Shows that the run is at `position` of the input, with `count` done.
    pub fn show(&mut self, position: u64, count: u64) {
        let now = Instant::now();
        let elapsed = now - self.started;
        if elapsed < QUIET || now - self.shown < PAUSE {
            return;
        }
        self.shown = now;
        let bar = self
            .bar
            .get_or_insert_with(|| bar(self.from, self.length, elapsed));
        bar.set_position(position);
        let rate = count as f64 / elapsed.as_secs_f64();
        bar.set_message(format!(
            "{} {}  {} a second",
            HumanCount(count),
            self.what,
            HumanCount(rate as u64)
        ));
    }

    /// Removes the bar.
    pub fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn bar(from: u64, length: Option<u64>, elapsed: Duration) -> ProgressBar {
    let (bar, template) = match length {
        Some(length) => (
            ProgressBar::new(length),
            "{bar:30} {percent:>3} %  {msg}  {eta} left",
        ),
        None => (ProgressBar::new_spinner(), "{spinner} {elapsed}  {msg}"),
    };
    let bar = bar.with_position(from).with_elapsed(elapsed);
    bar.reset_eta();
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
