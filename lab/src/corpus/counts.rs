//! [`Counts`]: how often each value of each parameter occurs in each group of venues.

use super::noise::{ALL, MEASURED, Noise};
use std::collections::BTreeMap;

/// A value that fewer titles show is left out: it may say more about one seller than about the
/// venue.
const LEAST: u64 = 3;
/// Most values that a parameter of a group keeps.
const VALUES: usize = 40;
/// Counts by group, parameter and value.
#[derive(Default)]
pub(super) struct Counts(BTreeMap<String, BTreeMap<String, BTreeMap<String, u64>>>);

impl Counts {
    /// Counts a value in a group and in the whole.
    pub(super) fn add(&mut self, group: &str, parameter: &str, value: &str) {
        for group in [group, ALL] {
            let table = self
                .0
                .entry(group.to_owned())
                .or_default()
                .entry(parameter.to_owned())
                .or_default();
            *table.entry(value.to_owned()).or_default() += 1;
        }
    }

    /// Counts a yes or a no.
    pub(super) fn yes(&mut self, group: &str, parameter: &str, yes: bool) {
        self.add(group, parameter, if yes { "yes" } else { "no" });
    }

    /// The file: frequent values only.
    pub(super) fn noise(self) -> Noise {
        let mut noise = Noise::default();
        for (group, tables) in self.0 {
            for (parameter, table) in tables {
                // Which venues and outcomes were read is kept whatever the count.
                let least = if matches!(parameter.as_str(), "venue" | "outcome") {
                    1
                } else {
                    LEAST
                };
                let mut rows: Vec<(String, u64)> =
                    table.into_iter().filter(|row| row.1 >= least).collect();
                rows.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
                let many = parameter == "next" || parameter.starts_with("fields");
                rows.truncate(if many { VALUES * 3 } else { VALUES });
                for (value, count) in rows {
                    noise.add(&group, &parameter, &value, count, MEASURED);
                }
            }
        }
        noise
    }
}
