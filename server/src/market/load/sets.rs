//! Imports sets, with their legality and images.

use super::cell::{Cells, Column, Form, Wrong, needed, optional};
use crate::market::load_index::LoadIndex;
use crate::store::StoreError;
use crate::store::market::{Loader, SetRecord};
use std::collections::BTreeMap;

/// The columns of set files.
pub(super) const COLUMNS: &[Column] = &[
    needed("id"),
    needed("name"),
    needed("language"),
    optional("printedName"),
    optional("code"),
    optional("series"),
    optional("releaseDate"),
    optional("printedTotal").number(),
    optional("total").number(),
    optional("legality").form(Form::Object),
    optional("images").form(Form::Object),
];

/// The sets not yet written, by key. Of two rows of a set, the later one wins.
#[derive(Debug, Default)]
pub(super) struct Sets(BTreeMap<i64, SetRecord>);

impl Sets {
    pub(super) fn row(&mut self, known: &mut LoadIndex, cells: &Cells<'_>) -> Result<(), Wrong> {
        let (id, name, language) = (cells.id(0)?, cells.needed(1)?, cells.language(2)?);
        let game = known
            .games
            .open_of(id)
            .map_err(|what| cells.wrong(0, what))?;
        let owned = |text: Option<&str>| text.map(str::to_owned);
        let mut record = SetRecord {
            id: id.to_owned(),
            game: game.to_owned(),
            language,
            name: name.to_owned(),
            printed_name: owned(cells.text(3)?),
            code: owned(cells.text(4)?),
            series: owned(cells.text(5)?),
            released: owned(cells.text(6)?),
            printed_total: cells.count(7)?,
            total: cells.count(8)?,
            legality: owned(cells.object(9)?),
            images: owned(cells.object(10)?),
            ..SetRecord::default()
        };
        if let Some(released) = &record.released {
            let whole = match released.len() {
                4 => format!("{released}-01-01"),
                7 => format!("{released}-01"),
                _ => released.clone(),
            };
            if released.len() > 10 || crate::market::Day::parse(&whole).is_none() {
                return Err(cells.wrong(6, "is not a date: write 1999, 1999-01 or 1999-01-09"));
            }
        }
        (record.key, record.slug, _) = known.set(
            id,
            language,
            name,
            record.code.as_deref().unwrap_or_default(),
        );
        self.0.insert(record.key, record);
        Ok(())
    }

    pub(super) async fn flush(&mut self, loader: &mut Loader) -> Result<(), StoreError> {
        let sets: Vec<SetRecord> = std::mem::take(&mut self.0).into_values().collect();
        loader.put_sets(&sets).await
    }
}
