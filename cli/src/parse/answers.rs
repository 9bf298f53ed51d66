//! Answers to rows: found, filtered, counted and written.

use super::args::Parse;
use crate::counts::Counts;
use crate::input::{Mark, Room, Row, Rows, Title, decode};
use crate::output::Sheet;
use crate::resume::Standing;
use crate::target::Target;
use std::borrow::Cow;
use titledex::{Answer, Engine, Options, OutcomeType, Scratch, TitleError};
use titledex_command::progress::Bar;
use titledex_command::{Failure, say};

/// Which answers are written.
#[derive(Clone, Debug)]
pub(super) struct Filter {
    /// Those with one of these outcomes; all if there are none.
    only: Vec<OutcomeType>,
    /// Those that are at least so sure.
    least: f32,
}

impl Filter {
    pub(super) fn of(args: &Parse) -> Self {
        Self {
            only: args.only.clone(),
            least: args.min_confidence.unwrap_or(0.0),
        }
    }

    /// Whether an answer may be left out.
    fn is_set(&self) -> bool {
        !self.only.is_empty() || self.least > 0.0
    }

    fn keeps(&self, answer: &Answer<'_>) -> bool {
        let outcome = &answer.outcome;
        (self.only.is_empty() || self.only.contains(&outcome.kind))
            && outcome.confidence.get() >= self.least
    }
}

/// What answers are made with.
pub(super) struct Answering<'a> {
    pub(super) engine: &'a Engine,
    pub(super) options: &'a Options,
    pub(super) filter: &'a Filter,
    pub(super) sheet: &'a Sheet,
}

/// The answers to one batch, written out.
#[derive(Debug, Default)]
pub(super) struct Done {
    bytes: Vec<u8>,
    counts: Counts,
}

impl Answering<'_> {
    /// Answers the rows of a batch.
    pub(super) fn batch<B: Rows>(
        &self,
        (scratch, room): &mut (Scratch, Room),
        batch: &B,
        done: &mut Done,
    ) {
        self.rows(scratch, done, |answer| batch.each(room, answer));
    }

    /// Answers the rows that `each` shows.
    pub(super) fn rows(
        &self,
        scratch: &mut Scratch,
        done: &mut Done,
        each: impl FnOnce(&mut dyn FnMut(Row<'_>)),
    ) {
        done.bytes.clear();
        done.counts = Counts::default();
        let (counts, mut page) = (&mut done.counts, self.sheet.page(&mut done.bytes));
        each(&mut |row| {
            let (text, bad) = row
                .title
                .as_ref()
                .map_or((Cow::Borrowed(""), None), |title| decode(title.bytes));
            let mut answer = self.engine.answer_with(scratch, &text, self.options);
            match &row.title {
                Ok(title) => note(&mut answer, *title, bad),
                Err(why) => answer.error = Some(TitleError::new("bad_row", why.as_str())),
            }
            if let (None, Some(altered)) = (&answer.error, &row.altered) {
                answer.error = Some(TitleError::new("invalid_utf8", altered.as_str()));
            }
            counts.count(row.number, &answer);
            if self.filter.keeps(&answer) {
                counts.written += 1;
                page.add(&answer, row.carried);
            }
        });
        page.end();
    }
}

/// Records in the answer why the title could not be read as given.
pub(crate) fn note(answer: &mut Answer<'_>, title: Title<'_>, bad: Option<usize>) {
    if title.is_cut() {
        answer.error = Some(TitleError::too_long(title.length));
    } else if let (None, Some(at)) = (&answer.error, bad) {
        answer.error = Some(TitleError::new(
            "invalid_utf8",
            format!("byte {at} is not UTF-8; it was read as U+FFFD"),
        ));
    }
}

/// Writes batches of answers, counts them, and shows progress.
pub(super) struct Writer<'s> {
    sheet: &'s Sheet,
    target: Target,
    counts: Counts,
    /// Answers that an earlier run wrote.
    before: u64,
    /// How far the input is answered.
    at: Mark,
    bar: Option<Bar>,
    /// The name of a row: `line`, `row`.
    place: &'static str,
    filtered: bool,
}

impl<'s> Writer<'s> {
    /// Writes to `target`, which is at `standing`.
    pub(super) fn new(
        (sheet, filter): (&'s Sheet, &Filter),
        mut target: Target,
        standing: Standing,
        bar: Option<Bar>,
        place: &'static str,
    ) -> Result<Self, Failure> {
        if standing.written == 0 {
            target.write(sheet.head().as_bytes())?;
        }
        Ok(Self {
            sheet,
            target,
            before: standing.counts.answers,
            at: standing.at,
            counts: standing.counts,
            bar,
            place,
            filtered: filter.is_set(),
        })
    }

    /// Writes one batch, which ends at `at`.
    pub(super) fn write(&mut self, done: &Done, at: Mark, position: u64) -> Result<(), Failure> {
        if !done.bytes.is_empty() {
            if self.counts.written > 0 {
                self.target.write(self.sheet.between().as_bytes())?;
            }
            self.target.write(&done.bytes)?;
        }
        self.at = at;
        self.counts.add(&done.counts);
        self.target.hear(at, &self.counts)?;
        if let Some(bar) = &mut self.bar {
            bar.show(position, self.counts.answers - self.before);
        }
        Ok(())
    }

    /// Ends the process after a failure to write: the reading thread may be waiting for a line that
    /// never comes.
    pub(super) fn leave(&mut self, failure: Failure) -> ! {
        self.clear();
        self.target.discard();
        std::process::exit(match failure {
            Failure::Closed => 0,
            Failure::Said(message) | Failure::Usage(message) | Failure::Busy(message) => {
                say(&message);
                1
            }
        })
    }

    pub(super) fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.clear();
        }
    }

    pub(super) fn finish(mut self) -> Result<u64, Failure> {
        self.clear();
        self.target.write(self.sheet.tail().as_bytes())?;
        self.target.end(self.at, &self.counts)?;
        let Counts {
            answers,
            refused,
            first_refused,
            written,
            empty,
            first_empty,
        } = self.counts;
        let place = self.place;
        if self.filtered {
            say(&format!("{written} of {answers} answers pass the filter"));
        }
        if let Some(number) = first_empty {
            say(&format!(
                "{empty} of {answers} titles are empty, the first in {place} {number}: each is answered as not_a_card"
            ));
        }
        if let Some((number, code)) = first_refused {
            say(&format!(
                "{refused} of {answers} titles could not be read as given, the first in {place} {number} ({code}): see `error` in the answer"
            ));
        }
        Ok(refused)
    }
}
