//! `titledex market catalogue`: an index of a catalogue and of the cards that the store has beside it.

use super::args::WithStore;
use crate::catalogue::{rows_of, write_index};
use crate::failure::{Failure, say};
use crate::serve::{said, settings};
use titledex_server::market::extend_catalogue::extend_catalogue;
use titledex_server::market::load::session::Session;

/// Writes the index.
pub(crate) fn run(args: &WithStore) -> Result<(), Failure> {
    let mut rows = rows_of(&args.cards, args.sets.as_deref(), &args.output)?;
    let mut settings = settings(&args.service)?;
    // the index of the settings may be the one that is to be written
    settings.catalogue = None;
    settings.market.fill = false;
    let session = Session::open(settings).map_err(|error| said(&error))?;
    let added = session
        .wait(extend_catalogue(&session.store, &mut rows))
        .map_err(|error| said(&error));
    session.close();
    let added = added?;
    write_index(&rows, &args.output, args.name.as_deref())?;
    say(&format!("{added} of them are cards of the store alone"));
    Ok(())
}
