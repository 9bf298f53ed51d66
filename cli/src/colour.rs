//! [`Colours`]: whether output is coloured, and the colours.

use clap::ValueEnum;
use std::env;
use std::io::{self, IsTerminal};

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    /// On terminals, unless NO_COLOR or CLICOLOR_FORCE says otherwise.
    #[default]
    Auto,
    /// In files and pipes too.
    Always,
    /// Nowhere.
    Never,
}

/// A colour, named by its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Paint {
    /// As the terminal writes.
    Plain,
    /// Headings.
    Strong,
    /// Details.
    Faint,
    /// Evidence for a card.
    For,
    /// Evidence against a card.
    Against,
    /// Unread words and uncertain outcomes.
    Unsure,
    /// The name of a card.
    Name,
    /// Its number.
    Number,
    /// Its set, year and language.
    Origin,
    /// Its printing.
    Printing,
    /// Its grade or condition.
    State,
}

impl Paint {
    fn code(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Strong => "1",
            Self::Faint => "2",
            Self::For => "32",
            Self::Against => "31",
            Self::Unsure => "33",
            Self::Name => "1;32",
            Self::Number => "1;33",
            Self::Origin => "36",
            Self::Printing => "34",
            Self::State => "35",
        }
    }
}

/// Whether output is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Colours {
    on: bool,
}

impl Colours {
    /// The colours of standard output.
    pub(crate) fn for_stdout(when: When) -> Self {
        Self {
            on: decide(
                when,
                |name| env::var_os(name).map(|value| value.to_string_lossy().into_owned()),
                io::stdout().is_terminal(),
            ),
        }
    }

    /// No colours.
    #[cfg(test)]
    pub(crate) fn none() -> Self {
        Self { on: false }
    }

    /// `text` in a colour, if colours are on.
    pub(crate) fn paint(self, paint: Paint, text: &str) -> String {
        if self.on && !text.is_empty() && paint != Paint::Plain {
            format!("\x1b[{}m{text}\x1b[0m", paint.code())
        } else {
            text.to_owned()
        }
    }
}

/// `--color` takes precedence, then NO_COLOR, then CLICOLOR_FORCE, then CLICOLOR and the terminal.
/// An empty variable is ignored.
fn decide(when: When, variable: impl Fn(&str) -> Option<String>, terminal: bool) -> bool {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty());
    match when {
        When::Always => true,
        When::Never => false,
        When::Auto if set("NO_COLOR").is_some() => false,
        When::Auto if set("CLICOLOR_FORCE").is_some_and(|value| value != "0") => true,
        When::Auto => {
            terminal
                && set("CLICOLOR").as_deref() != Some("0")
                && set("TERM").as_deref() != Some("dumb")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Colours, Paint, When, decide};

    fn with(set: &'static [(&'static str, &'static str)]) -> impl Fn(&str) -> Option<String> {
        move |name| {
            set.iter()
                .find(|(key, _)| *key == name)
                .map(|(_, value)| (*value).to_owned())
        }
    }

    #[test]
    fn option_overrides_environment() {
        assert!(decide(When::Always, with(&[("NO_COLOR", "1")]), false));
        assert!(!decide(When::Never, with(&[("CLICOLOR_FORCE", "1")]), true));
    }

    #[test]
    fn environment_overrides_terminal() {
        assert!(decide(When::Auto, with(&[]), true));
        assert!(!decide(When::Auto, with(&[]), false));
        assert!(!decide(
            When::Auto,
            with(&[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")]),
            true
        ));
        assert!(decide(When::Auto, with(&[("NO_COLOR", "")]), true));
        assert!(decide(When::Auto, with(&[("CLICOLOR_FORCE", "1")]), false));
        assert!(!decide(When::Auto, with(&[("CLICOLOR_FORCE", "0")]), false));
        assert!(!decide(When::Auto, with(&[("CLICOLOR", "0")]), true));
        assert!(!decide(When::Auto, with(&[("TERM", "dumb")]), true));
    }

    #[test]
    fn paint_is_plain_if_colours_are_off() {
        assert_eq!(Colours::none().paint(Paint::For, "x"), "x");
        assert_eq!(
            Colours { on: true }.paint(Paint::For, "x"),
            "\x1b[32mx\x1b[0m"
        );
    }
}
