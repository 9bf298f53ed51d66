//! How a line of the text log is written: as `tracing-subscriber` writes it, with less work for what
//! each request writes. The library formats each value and the date anew, a fifth of what the
//! service adds to a request.

use std::cell::RefCell;
use std::fmt::{self, Debug};
use std::time::{SystemTime, UNIX_EPOCH};
use tracing::field::{Field, Visit};
use tracing_subscriber::field::{RecordFields, VisitOutput};
use tracing_subscriber::fmt::FormatFields;
use tracing_subscriber::fmt::format::{DefaultVisitor, Writer};
use tracing_subscriber::fmt::time::FormatTime;

thread_local! {
    /// The last second that this thread wrote, since 1970, and its text without the `Z`.
    static SECOND: RefCell<(u64, String)> = const { RefCell::new((u64::MAX, String::new())) };
}

/// The time in UTC, to the microsecond: `2026-11-25T15:24:40.537176Z`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Now;

impl FormatTime for Now {
    fn format_time(&self, out: &mut Writer<'_>) -> fmt::Result {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.unwrap_or_default();
        SECOND.with_borrow_mut(|(second, text)| {
            if *second != now.as_secs() {
                let moment = i64::try_from(now.as_secs()).ok();
                let moment = moment.and_then(|second| jiff::Timestamp::from_second(second).ok());
                *text = moment.unwrap_or_default().to_string();
                text.pop();
                *second = now.as_secs();
            }
            out.write_str(text)
        })?;
        let mut part = *b".000000Z";
        let mut left = now.subsec_micros();
        for digit in part[1..7].iter_mut().rev() {
            *digit += (left % 10) as u8;
            left /= 10;
        }
        out.write_str(std::str::from_utf8(&part).map_err(|_| fmt::Error)?)
    }
}

/// The fields of a line: ` request="4f…" status=200`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields;

impl<'w> FormatFields<'w> for Fields {
    fn format_fields<R: RecordFields>(&self, out: Writer<'w>, fields: R) -> fmt::Result {
        let mut writing = Writing {
            out,
            begun: false,
            result: Ok(()),
        };
        fields.record(&mut writing);
        writing.result
    }
}

struct Writing<'w> {
    out: Writer<'w>,
    /// Whether a field is written.
    begun: bool,
    result: fmt::Result,
}

/// Whether a field is of a record of the crate `log`, whose place and target are written elsewhere.
fn is_of_log(field: &Field) -> bool {
    field.name().starts_with("log.")
}

impl Writing<'_> {
    /// Writes a field by its name and its value.
    fn field(&mut self, field: &Field, value: impl FnOnce(&mut Writer<'_>) -> fmt::Result) {
        if self.result.is_err() || is_of_log(field) {
            return;
        }
        let name = field.name();
        let name = name.strip_prefix("r#").unwrap_or(name);
        let space = if self.begun { " " } else { "" };
        self.begun = true;
        self.result = self
            .out
            .write_str(space)
            .and_then(|()| self.out.write_str(name))
            .and_then(|()| self.out.write_char('='))
            .and_then(|()| value(&mut self.out));
    }

    /// Has a field written by the library: the message, and values of other types.
    fn other(&mut self, field: &Field, write: impl FnOnce(&mut DefaultVisitor<'_>)) {
        if self.result.is_err() || is_of_log(field) {
            return;
        }
        let mut library = DefaultVisitor::new(self.out.by_ref(), !self.begun);
        write(&mut library);
        self.result = library.finish();
        self.begun = true;
    }
}

impl Visit for Writing<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        let plain = |byte: u8| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\');
        if field.name() != "message" && value.bytes().all(plain) {
            self.field(field, |out| {
                out.write_char('"')?;
                out.write_str(value)?;
                out.write_char('"')
            });
        } else {
            self.other(field, |library| library.record_str(field, value));
        }
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.field(field, |out| write!(out, "{value}"));
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.field(field, |out| write!(out, "{value}"));
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.field(field, |out| write!(out, "{value}"));
    }

    fn record_error(&mut self, field: &Field, value: &(dyn std::error::Error + 'static)) {
        self.other(field, |library| library.record_error(field, value));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.other(field, |library| library.record_debug(field, value));
    }
}

#[cfg(test)]
mod tests {
    use super::{Fields, Now};
    use std::io::{self, Write};
    use std::sync::{Arc, Mutex};
    use tracing::subscriber::with_default;
    use tracing_subscriber::fmt::MakeWriter;

    /// Lines in memory.
    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<u8>>>);

    impl Write for Lines {
        fn write(&mut self, line: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("nobody panics").write(line)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl MakeWriter<'_> for Lines {
        type Writer = Self;

        fn make_writer(&self) -> Self {
            self.clone()
        }
    }

    impl Lines {
        /// The lines without the time, which has the same length in each.
        fn read(&self) -> Vec<String> {
            let bytes = self.0.lock().expect("nobody panics");
            let text = String::from_utf8(bytes.clone()).expect("lines are text");
            let line = |line: &str| {
                let (time, rest) = line.split_at("2026-11-25T15:24:40.537176Z".len());
                let second: jiff::Timestamp = time.parse().expect("it is a time");
                assert!(second.as_second() > 0 && time.ends_with('Z'), "{time}");
                rest.to_owned()
            };
            text.lines().map(line).collect()
        }
    }

    fn events() {
        let error = "x".parse::<u8>().expect_err("it is no number");
        let error = &error as &(dyn std::error::Error + 'static);
        for text in [
            "",
            "a word",
            "\"quoted\" \\",
            "a\u{1b}[31mb\tc",
            "カード",
            "\u{7f}",
        ] {
            tracing::info!(text, "answered");
            tracing::warn!(text, number = -7, "{text}");
            tracing::error!(%text, debug = ?text, "too much: {}", text.len());
        }
        let none: Option<&str> = None;
        tracing::info!(
            status = 200u16,
            micros = u64::MAX,
            account = Some(-3i64),
            none,
            flag = true,
            part = 0.5,
            "all"
        );
        tracing::info!(error, "failed");
        tracing::info!(alone = 1, r#type = 2u8);
        tracing::info!("no field");
    }

    #[test]
    fn lines_are_those_of_the_library() {
        let (ours, theirs) = (Lines::default(), Lines::default());
        let line = || tracing_subscriber::fmt().with_ansi(false);
        let own = line()
            .with_timer(Now)
            .fmt_fields(Fields)
            .with_writer(ours.clone());
        with_default(own.finish(), events);
        let library = line().with_writer(theirs.clone());
        with_default(library.finish(), events);
        assert_eq!(ours.read().len(), 22);
        assert_eq!(ours.read(), theirs.read());
    }
}
