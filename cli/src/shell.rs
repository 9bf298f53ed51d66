//! `titledex completions` and `titledex man`: what a shell and `man` know of the command.

use crate::args::Args as Arguments;
use clap::{Args, CommandFactory};
use clap_complete::{Shell, generate};
use clap_mangen::Man as Page;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use titledex_command::{Failure, files, output};

pub(crate) const COMPLETIONS_HELP: &str = "\
Examples:
  titledex completions bash > ~/.local/share/bash-completion/completions/titledex
  titledex completions zsh > ~/.zfunc/_titledex      # with fpath+=~/.zfunc in ~/.zshrc
  titledex completions fish > ~/.config/fish/completions/titledex.fish
  titledex completions powershell >> $PROFILE";

pub(crate) const MAN_HELP: &str = "\
Example:
  titledex man ~/.local/share/man/man1 && man titledex-parse";

/// The options of `titledex completions`.
#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell.
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

/// The options of `titledex man`.
#[derive(Debug, Args)]
pub(crate) struct Man {
    /// The folder of the pages; it is made if it is missing.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

/// Prints what the shell runs to complete words.
pub(crate) fn completions(args: &Completions) -> Result<(), Failure> {
    let mut script = Vec::new();
    let mut command = Arguments::command();
    let name = command.get_name().to_owned();
    generate(args.shell, &mut command, name, &mut script);
    let mut out = io::stdout().lock();
    out.write_all(&script)?;
    Ok(out.flush()?)
}

/// Writes a manual page for each command.
pub(crate) fn man(args: &Man) -> Result<(), Failure> {
    let folder = &args.folder;
    std::fs::create_dir_all(folder).map_err(|error| Failure::file("make", folder, &error))?;
    let mut command = Arguments::command();
    // this names the commands under it: titledex-catalogue-build
    command.build();
    let written = pages(&command, folder)?;
    titledex_command::say(&format!("{}: {written} pages", files::name(folder)));
    Ok(())
}

/// Writes the page of a command, and those of the commands under it; returns how many.
fn pages(command: &clap::Command, folder: &Path) -> Result<usize, Failure> {
    let source = concat!("titledex ", env!("CARGO_PKG_VERSION"));
    let page = Page::new(command.clone()).source(source).manual("titledex");
    let mut text = Vec::new();
    page.render(&mut text)?;
    let text = set_as_it_is(&String::from_utf8_lossy(&text));
    output::write_whole(&folder.join(page.get_filename()), text.as_bytes())?;
    let shown = |below: &&clap::Command| below.get_name() != "help" && !below.is_hide_set();
    let below = command.get_subcommands().filter(shown);
    below
        .map(|below| pages(below, folder))
        .try_fold(1, |sum, pages| Ok(sum + pages?))
}

/// The page with its examples and lists set as they are, not as running text.
fn set_as_it_is(page: &str) -> String {
    const HEADING: &str = "\n.SH EXTRA\n";
    let Some((before, extra)) = page.split_once(HEADING) else {
        return page.to_owned();
    };
    let end = extra.find("\n.SH ").unwrap_or(extra.trim_end().len());
    let (extra, after) = extra.split_at(end);
    format!("{before}\n.SH NOTES\n.nf\n{extra}\n.fi{after}")
}
