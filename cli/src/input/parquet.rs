//! [`Columns`]: batches of rows of a Parquet file. Pages are read as needed, never a whole row
//! group.

use super::{
    BATCH_ROWS, Input, Mark, Room, Row, Rows, Title, begin_member, distinct, end_members,
    find_column, json_keys,
};
use ::parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BinaryArray, RecordBatch, new_empty_array};
use arrow_cast::cast;
use arrow_json::writer::{EncoderOptions, make_encoder};
use arrow_schema::{DataType, FieldRef};
use std::fmt::Display;
use std::fs::File;
use std::sync::Arc;
use titledex_command::Failure;

/// The columns of the file.
#[derive(Debug)]
struct Schema {
    /// The place of the title among them.
    title: usize,
    fields: Vec<FieldRef>,
    /// The name of each as a JSON key.
    keys: Vec<Box<str>>,
    options: EncoderOptions,
}

/// Some consecutive rows.
#[derive(Debug, Default)]
pub(crate) struct ColumnBatch {
    filled: Option<(Arc<Schema>, BinaryArray, Vec<ArrayRef>)>,
    /// Rows before this batch.
    before: u64,
    end: Mark,
}

impl Rows for ColumnBatch {
    fn each(&self, room: &mut Room, mut visit: impl FnMut(Row<'_>)) {
        let Some((schema, titles, columns)) = &self.filled else {
            return;
        };
        let mut carried: Vec<_> = schema
            .fields
            .iter()
            .zip(columns)
            .zip(&schema.keys)
            .enumerate()
            .filter(|(at, _)| *at != schema.title)
            .map(|(_, ((field, column), key))| {
                (
                    key,
                    make_encoder(field, column, &schema.options)
                        .expect("`Columns::open` made one for each column"),
                )
            })
            .collect();
        for (at, number) in (0..titles.len()).zip(self.before + 1..) {
            room.carried.clear();
            for (key, encoder) in &mut carried {
                begin_member(&mut room.carried);
                room.carried.extend_from_slice(key.as_bytes());
                if encoder.is_null(at) {
                    room.carried.extend_from_slice(b"null");
                } else {
                    encoder.encode(at, &mut room.carried);
                }
            }
            end_members(&mut room.carried);
            let title = if titles.is_null(at) {
                Err(format!(
                    "row {number} has null as its title: give it a title or leave the row out"
                ))
            } else {
                Ok(Title::of(titles.value(at)))
            };
            visit(Row {
                number,
                title,
                carried: &room.carried,
                altered: None,
            });
        }
    }

    fn end(&self) -> Mark {
        self.end
    }
}

/// Reads batches of rows.
pub(crate) struct Columns {
    reader: ParquetRecordBatchReader,
    name: String,
    schema: Arc<Schema>,
    at: Mark,
    /// Rows of the file.
    pub(crate) rows: u64,
}

impl Columns {
    /// Rows of `file`, named `name` in messages, from `at` on; `title` names the column of titles.
    pub(crate) fn open(file: File, name: &str, title: &str, at: Mark) -> Result<Self, Failure> {
        let refused = |error: &dyn Display| {
            Failure::new(format!(
                "cannot read {name} as Parquet: {error}: write it again, or see --from"
            ))
        };
        let builder =
            ParquetRecordBatchReaderBuilder::try_new(file).map_err(|error| refused(&error))?;
        let fields: Vec<FieldRef> = builder.schema().fields().iter().cloned().collect();
        let names = || fields.iter().map(|field| field.name().as_str());
        let place = find_column(names(), title, name)?;
        if !is_text(fields[place].data_type()) {
            let kind = fields[place].data_type();
            return Err(Failure::new(format!(
                "column `{title}` of {name} has the type {kind}, not text: name the column of the titles with --column"
            )));
        }
        let options = EncoderOptions::default().with_explicit_nulls(true);
        for field in &fields {
            make_encoder(field, &new_empty_array(field.data_type()), &options).map_err(|error| {
                let column = field.name();
                Failure::new(format!("column `{column}` of {name} cannot be carried as JSON ({error}): leave it out of the file"))
            })?;
        }
        let rows = u64::try_from(builder.metadata().file_metadata().num_rows()).unwrap_or_default();
        let builder = builder
            .with_batch_size(BATCH_ROWS)
            .with_offset(usize::try_from(at.rows).unwrap_or(usize::MAX));
        let reader = builder.build().map_err(|error| refused(&error))?;
        let keys = json_keys(names());
        let schema = Arc::new(Schema {
            title: place,
            keys,
            fields,
            options,
        });
        Ok(Self {
            reader,
            name: name.to_owned(),
            schema,
            at,
            rows,
        })
    }

    /// The other columns, with names that differ.
    pub(crate) fn carried(&self) -> Vec<FieldRef> {
        let fields = &self.schema.fields;
        let names = distinct(fields.iter().map(|field| field.name().as_str()));
        let columns = names.into_iter().zip(fields).enumerate();
        columns
            .filter(|(at, _)| *at != self.schema.title)
            .map(|(_, (name, field))| Arc::new(field.as_ref().clone().with_name(name)))
            .collect()
    }

    fn refused(&self, error: &dyn Display) -> Failure {
        let (name, rows) = (&self.name, self.at.rows);
        Failure::new(format!(
            "cannot read {name} after row {rows}: {error}: the file may be damaged, write it again"
        ))
    }
}

impl Input for Columns {
    type Batch = ColumnBatch;

    fn fill(&mut self, batch: &mut ColumnBatch) -> Result<bool, Failure> {
        let Some(rows) = self.reader.next() else {
            return Ok(false);
        };
        let rows: RecordBatch = rows.map_err(|error| self.refused(&error))?;
        let titles = cast(rows.column(self.schema.title), &DataType::Binary)
            .map_err(|error| self.refused(&error))?;
        batch.before = self.at.rows;
        self.at.rows += rows.num_rows() as u64;
        batch.end = self.at;
        batch.filled = Some((
            Arc::clone(&self.schema),
            titles.as_binary().clone(),
            rows.columns().to_vec(),
        ));
        Ok(true)
    }
}

/// Whether values of this type can be titles; untyped bytes can, because some writers store text
/// so.
fn is_text(kind: &DataType) -> bool {
    match kind {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView => true,
        DataType::Dictionary(_, value) => is_text(value),
        _ => false,
    }
}
