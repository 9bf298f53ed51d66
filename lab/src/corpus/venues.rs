//! [`Venues`]: the groups that venues are counted in.

use titledex_command::Failure;

/// The groups of venues: `venues.csv`.
pub(super) struct Venues(Vec<[String; 3]>);

impl Venues {
    /// The groups compiled into the program.
    pub(super) fn builtin() -> Result<Self, Failure> {
        let bad = |error: csv::Error| Failure::new(format!("venues.csv: {error}"));
        let mut reader = csv::Reader::from_reader(include_str!("../../data/venues.csv").as_bytes());
        let rows = reader.records().map(|record| {
            record.map(|r| [0, 1, 2].map(|at| r.get(at).unwrap_or_default().to_owned()))
        });
        rows.collect::<Result<_, _>>().map(Self).map_err(bad)
    }

    /// The group of a venue for titles in a language; `None` if such titles are not counted.
    pub(super) fn group(&self, venue: &str, language: &str) -> Option<&str> {
        let row = |language: &str| {
            self.0
                .iter()
                .find(|row| row[0] == venue && row[1] == language)
        };
        row(language)
            .or_else(|| row(""))
            .map_or(Some("other"), |row| {
                Some(row[2].as_str()).filter(|group| !group.is_empty())
            })
    }
}

#[cfg(test)]
mod tests {
    use super::Venues;

    #[test]
    fn venue_and_language_decide_the_group() {
        let venues = Venues::builtin().expect("the file of this build");
        assert_eq!(venues.group("ebay", "en"), Some("ebay"));
        assert_eq!(venues.group("ebay", "de"), Some("european"));
        assert_eq!(venues.group("test-fixture", "en"), None);
        assert_eq!(venues.group("somewhere new", "en"), Some("other"));
    }
}
