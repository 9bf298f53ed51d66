//! [`Table`]: answers as a Parquet file, with the columns of CSV by type.

use super::columns::{COLUMNS, Type};
use super::{Carried, Chosen, Sheet};
use crate::target::Whole;
use ::parquet::arrow::ArrowWriter;
use ::parquet::basic::{Compression, ZstdLevel};
use ::parquet::file::properties::WriterProperties;
use arrow_json::reader::{Decoder, ReaderBuilder};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use std::fmt::Display;
use std::path::Path;
use std::sync::Arc;
use titledex_command::{Failure, files};

/// Rows of a row group: what is in memory before it is written.
const GROUP_ROWS: usize = 1 << 16;
/// Rows that are decoded together.
const BATCH_ROWS: usize = 1 << 12;

impl Sheet {
    /// The types of the columns.
    pub(crate) fn schema(&self) -> SchemaRef {
        let fields = self.columns.iter().map(|(chosen, place)| {
            let kind = match (chosen, &self.carried) {
                (Chosen::Answer(at), _) => match COLUMNS[*at].kind {
                    Type::Text => DataType::Utf8,
                    Type::Whole => DataType::Int64,
                    Type::Decimal => DataType::Float64,
                    Type::Texts => {
                        DataType::List(Arc::new(Field::new_list_field(DataType::Utf8, true)))
                    }
                },
                (Chosen::Member(_), Carried::Typed(carried)) => place
                    .and_then(|place| carried.get(place))
                    .map_or(DataType::Utf8, |field| written(field.data_type())),
                (Chosen::Member(_) | Chosen::Row, _) => DataType::Utf8,
            };
            Field::new(chosen.heading(), kind, true)
        });
        Arc::new(Schema::new(fields.collect::<Vec<_>>()))
    }
}

/// The type that values of this type are written in.
fn written(kind: &DataType) -> DataType {
    match kind {
        DataType::Dictionary(_, value) => written(value),
        kind => kind.clone(),
    }
}

/// A file of answers that is being written.
pub(crate) struct Table {
    decoder: Decoder,
    writer: ArrowWriter<Whole>,
    name: String,
}

impl Table {
    /// Starts the file in `out`, which messages call by its `path`.
    pub(crate) fn create(out: Whole, path: &Path, schema: SchemaRef) -> Result<Self, Failure> {
        let name = files::name(path);
        let decoder = ReaderBuilder::new(Arc::clone(&schema))
            .with_batch_size(BATCH_ROWS)
            .build_decoder()
            .map_err(|error| {
                Failure::new(format!(
                    "cannot write {name} as Parquet: {error}: leave the column out with --columns"
                ))
            })?;
        let properties = WriterProperties::builder()
            .set_max_row_group_row_count(Some(GROUP_ROWS))
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_created_by(concat!("titledex ", env!("CARGO_PKG_VERSION")).to_owned())
            .build();
        let writer = ArrowWriter::try_new(out, schema, Some(properties));
        Ok(Self {
            decoder,
            writer: writer.map_err(|error| refused(&name, &error))?,
            name,
        })
    }

    /// Writes answers, which are flat JSON objects with the columns of the schema.
    pub(crate) fn write(&mut self, mut lines: &[u8]) -> Result<(), Failure> {
        while !lines.is_empty() {
            let read = self
                .decoder
                .decode(lines)
                .map_err(|error| refused(&self.name, &error))?;
            lines = &lines[read..];
            // it stops where a batch is full
            if !lines.is_empty() {
                self.flush()?;
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Failure> {
        let batch = self
            .decoder
            .flush()
            .map_err(|error| refused(&self.name, &error))?;
        if let Some(batch) = batch {
            let written = self.writer.write(&batch);
            written.map_err(|error| refused(&self.name, &error))?;
        }
        Ok(())
    }

    /// Completes the file.
    pub(crate) fn end(mut self) -> Result<(), Failure> {
        self.flush()?;
        let out = self.writer.into_inner();
        out.map_err(|error| refused(&self.name, &error))?.complete()
    }
}

fn refused(name: &str, error: &dyn Display) -> Failure {
    Failure::new(format!(
        "cannot write {name} as Parquet: {error}: write CSV or JSON Lines instead (-o FILE.csv)"
    ))
}
