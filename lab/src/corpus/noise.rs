//! [`Noise`]: how titles are written, as counts: the file that `corpus fit` writes and
//! `corpus generate` reads.
//!
//! A row is `group,parameter,value,count,note`. A group is a kind of venue; `all` is used if a
//! group has no row for a parameter. `note` is `measured` or `default: why`. Rows are sorted;
//! writing a file that was read gives the same bytes.

use std::collections::BTreeMap;
use titledex_command::Failure;

/// The group that is used if another lacks a parameter.
pub(crate) const ALL: &str = "all";
/// The note of a count that was measured.
pub(crate) const MEASURED: &str = "measured";
/// The prefix of the note of a count that was not measured.
const DEFAULT: &str = "default: ";
const COLUMNS: [&str; 5] = ["group", "parameter", "value", "count", "note"];

/// The values of one parameter, most frequent first.
pub(crate) type Table = Vec<(String, u64)>;

/// Counts by group and parameter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Noise {
    tables: BTreeMap<String, BTreeMap<String, Table>>,
    notes: BTreeMap<(String, String), String>,
}

impl Noise {
    /// Reads a file; messages name it `file`.
    pub(crate) fn read(file: &str, bytes: &[u8]) -> Result<Self, Failure> {
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(true)
            .from_reader(bytes);
        let bad = |line: u64, what: &str| {
            Failure::new(format!(
                "{file}:{line}: {what}: write the file with `titledex-lab corpus fit`"
            ))
        };
        let header = reader
            .headers()
            .map_err(|error| bad(1, &error.to_string()))?;
        if header.iter().ne(COLUMNS) {
            return Err(bad(
                1,
                &format!("the columns are not `{}`", COLUMNS.join(",")),
            ));
        }
        let mut noise = Self::default();
        let mut before: Option<(String, String, std::cmp::Reverse<u64>, String)> = None;
        for record in reader.records() {
            let record = record.map_err(|error| {
                bad(
                    error.position().map_or(0, csv::Position::line),
                    &error.to_string(),
                )
            })?;
            let line = record.position().map_or(0, csv::Position::line);
            let cell = |at: usize| record.get(at).unwrap_or_default();
            let count: u64 = cell(3)
                .parse()
                .map_err(|_| bad(line, "`count` is not a whole number"))?;
            // So that no sum of counts can overflow.
            if count > 1 << 40 {
                return Err(bad(line, "`count` is too large"));
            }
            if cell(4) != MEASURED && !cell(4).starts_with(DEFAULT) {
                return Err(bad(line, "`note` is neither `measured` nor `default: …`"));
            }
            let order = (
                cell(0).to_owned(),
                cell(1).to_owned(),
                std::cmp::Reverse(count),
                cell(2).to_owned(),
            );
            if before.as_ref().is_some_and(|before| *before >= order) {
                return Err(bad(line, "the row is out of order or repeated"));
            }
            noise.add(cell(0), cell(1), cell(2), count, cell(4));
            before = Some(order);
        }
        Ok(noise)
    }

    /// Adds a row; rows of one parameter come in their order.
    pub(crate) fn add(
        &mut self,
        group: &str,
        parameter: &str,
        value: &str,
        count: u64,
        note: &str,
    ) {
        let table = self
            .tables
            .entry(group.to_owned())
            .or_default()
            .entry(parameter.to_owned())
            .or_default();
        table.push((value.to_owned(), count));
        self.notes
            .insert((group.to_owned(), parameter.to_owned()), note.to_owned());
    }

    /// The file as text.
    pub(crate) fn write(&self) -> Vec<u8> {
        let mut writer = csv::WriterBuilder::new()
            .terminator(csv::Terminator::Any(b'\n'))
            .from_writer(Vec::new());
        let mut rows: Vec<[String; 5]> = vec![COLUMNS.map(str::to_owned)];
        for (group, tables) in &self.tables {
            for (parameter, table) in tables {
                let note = self
                    .notes
                    .get(&(group.clone(), parameter.clone()))
                    .map_or(MEASURED, String::as_str);
                let mut table = table.clone();
                table.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
                rows.extend(table.into_iter().map(|(value, count)| {
                    [
                        group.clone(),
                        parameter.clone(),
                        value,
                        count.to_string(),
                        note.to_owned(),
                    ]
                }));
            }
        }
        for row in rows {
            // Writing rows of the same length into memory cannot fail.
            let _ = writer.write_record(&row);
        }
        writer.into_inner().unwrap_or_default()
    }

    /// The groups that titles can be generated for.
    pub(crate) fn groups(&self) -> impl Iterator<Item = &str> {
        self.tables
            .keys()
            .map(String::as_str)
            .filter(|group| *group != ALL)
    }

    /// The values of a parameter in a group, else in all; empty if neither has it.
    pub(crate) fn table(&self, group: &str, parameter: &str) -> &[(String, u64)] {
        let own = |group: &str| {
            self.tables
                .get(group)
                .and_then(|tables| tables.get(parameter))
        };
        own(group).or_else(|| own(ALL)).map_or(&[], Vec::as_slice)
    }

    /// Count of one value, and of all values of its parameter.
    pub(crate) fn share(&self, group: &str, parameter: &str, value: &str) -> (u64, u64) {
        let table = self.table(group, parameter);
        let all = table.iter().map(|(_, count)| count).sum();
        (
            table
                .iter()
                .find(|(own, _)| own == value)
                .map_or(0, |(_, count)| *count),
            all,
        )
    }

    /// Takes over the rows of another file for parameters that this one does not have.
    pub(crate) fn fill(&mut self, other: &Noise) {
        for (group, tables) in &other.tables {
            for (parameter, table) in tables {
                if self
                    .tables
                    .get(group)
                    .is_some_and(|own| own.contains_key(parameter))
                {
                    continue;
                }
                let note = other
                    .notes
                    .get(&(group.clone(), parameter.clone()))
                    .map_or(MEASURED, String::as_str);
                for (value, count) in table {
                    self.add(group, parameter, value, *count, note);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Noise;

    const TEXT: &str = "group,parameter,value,count,note\nall,ocr,no,999,default: unknown\nall,ocr,yes,1,default: unknown\nebay,case,mixed,9,measured\n";

    #[test]
    fn counts_round_trip() {
        let noise = Noise::read("x.csv", TEXT.as_bytes()).expect("well formed");
        assert_eq!(String::from_utf8(noise.write()).expect("UTF-8"), TEXT);
        assert_eq!(noise.groups().collect::<Vec<_>>(), ["ebay"]);
        assert_eq!(noise.share("ebay", "ocr", "yes"), (1, 1000));
        assert_eq!(noise.share("ebay", "nothing", "yes"), (0, 0));
    }

    #[test]
    fn errors_name_the_line() {
        for (text, place, what) in [
            ("a,b\n", "x.csv:1:", "columns"),
            (
                "group,parameter,value,count,note\nall,ocr,no,-1,measured\n",
                "x.csv:2:",
                "count",
            ),
            (
                "group,parameter,value,count,note\nall,ocr,no,1,guess\n",
                "x.csv:2:",
                "note",
            ),
            (
                "group,parameter,value,count,note\nall,ocr,no,1,measured\nall,ocr,no,1,measured\n",
                "x.csv:3:",
                "order",
            ),
            (
                "group,parameter,value,count,note\nall,ocr\n",
                "x.csv:2:",
                "",
            ),
        ] {
            let Err(titledex_command::Failure::Said(message)) =
                Noise::read("x.csv", text.as_bytes())
            else {
                panic!("{text}")
            };
            assert!(
                message.starts_with(place) && message.contains(what),
                "{message}"
            );
        }
    }

    #[test]
    fn fills_only_missing_counts() {
        let mut noise = Noise::read("x.csv", TEXT.as_bytes()).expect("well formed");
        let before = noise.clone();
        noise.fill(&before);
        assert_eq!(noise, before);
        let mut empty = Noise::default();
        empty.fill(&before);
        assert_eq!(empty, before);
    }
}
