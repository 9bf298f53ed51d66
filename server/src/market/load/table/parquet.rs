//! Rows of Parquet files: each column as text, whatever its type.
//!
//! A small file may expand without end: pages are compressed, a dictionary states a long text once
//! for millions of rows, and texts may share their beginnings. So the pages are measured one by one
//! before anything is decoded, no batch has more rows than fit into [`BATCH_BYTES`] if each has the
//! longest text of the file, and what is decoded is counted.

use super::members::MOST_COLUMNS;
use super::{Bounds, Table, Visit};
use crate::market::load::{Cells, FileError};
use ::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use ::parquet::basic::{Encoding, Type};
use ::parquet::column::page::Page;
use ::parquet::errors::ParquetError;
use ::parquet::file::reader::{FileReader, SerializedFileReader};
use arrow_array::cast::AsArray;
use arrow_array::{Array, StringArray};
use arrow_cast::cast;
use arrow_schema::DataType;
use std::fs::File;

/// Rows that are decoded at once.
const BATCH: usize = 4_096;
/// Bytes that a batch may have.
const BATCH_BYTES: usize = 64 << 20;
/// Bytes of a page. Those who write Parquet make pages of 1 MiB.
const MOST_PAGE: usize = 256 << 20;

/// Shows each row in turn, with its number, until `visit` has seen enough.
pub(super) fn rows(table: &Table<'_>, file: File, visit: Visit<'_>) -> Result<(), FileError> {
    let longest = longest_text(table, file.try_clone().map_err(FileError::Read)?)?;
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(damaged)?;
    let schema = builder.schema().clone();
    let places = table.places(schema.fields().iter().map(|field| field.name().as_str()))?;
    let rows = (BATCH_BYTES / longest.saturating_mul(places.len()).max(1)).clamp(1, BATCH);
    let (mut number, mut decoded) = (0, 0_u64);
    for batch in builder.with_batch_size(rows).build().map_err(damaged)? {
        let batch = batch.map_err(|error| damaged(error.into()))?;
        let mut columns: [Option<StringArray>; MOST_COLUMNS] = [const { None }; MOST_COLUMNS];
        for (column, place) in batch.columns().iter().zip(&places) {
            if let Some(place) = place {
                let text = cast(column, &DataType::Utf8).map_err(|error| damaged(error.into()))?;
                columns[*place] = text.as_string_opt().cloned();
            }
        }
        for row in 0..batch.num_rows() {
            number += 1;
            let mut cells: [&[u8]; MOST_COLUMNS] = [&[]; MOST_COLUMNS];
            for (cell, column) in cells.iter_mut().zip(&columns) {
                if let Some(column) = column.as_ref().filter(|column| !column.is_null(row)) {
                    *cell = column.value(row).as_bytes();
                    decoded += cell.len() as u64;
                }
            }
            within(table, decoded)?;
            let cells = Cells {
                columns: table.columns,
                cells: &cells[..table.columns.len()],
            };
            if !visit(number, number, Ok(cells))? {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Measures the pages of a file. Returns a length that no text of it exceeds.
fn longest_text(table: &Table<'_>, file: File) -> Result<usize, FileError> {
    let reader = SerializedFileReader::new(file).map_err(damaged)?;
    let stated = reader.metadata().row_groups().iter();
    let stated = stated.fold(0_u64, |sum, group| {
        sum.saturating_add(u64::try_from(group.total_byte_size()).unwrap_or(u64::MAX))
    });
    within(table, stated)?;
    let (mut bytes, mut longest) = (0_u64, 0);
    for group in 0..reader.num_row_groups() {
        let group = reader.get_row_group(group).map_err(damaged)?;
        for column in 0..group.num_columns() {
            let metadata = group.metadata().column(column);
            let is_text = metadata.column_type() == Type::BYTE_ARRAY;
            let fixed = usize::try_from(metadata.column_descr().type_length());
            longest = longest.max(fixed.unwrap_or(0));
            let mut pages = group.get_column_page_reader(column).map_err(damaged)?;
            while let Some(page) = pages.get_next_page().map_err(damaged)? {
                let length = page.buffer().len();
                if length > MOST_PAGE {
                    return Err(FileError::TooLarge(format!(
                        "has a page of {length} bytes, more than {MOST_PAGE}: write smaller pages"
                    )));
                }
                bytes = bytes.saturating_add(length as u64);
                within(table, bytes)?;
                if is_text {
                    longest = longest.max(longest_of(&page));
                }
            }
        }
    }
    Ok(longest)
}

/// A length that no text of a page exceeds, where texts take less room in it than when they are
/// decoded.
fn longest_of(page: &Page) -> usize {
    match page {
        Page::DictionaryPage { buf, .. } => longest_plain(buf),
        _ if page.encoding() == Encoding::DELTA_BYTE_ARRAY => page.buffer().len(),
        _ => 0,
    }
}

/// The longest of texts that are written one after another, each behind its length.
fn longest_plain(mut bytes: &[u8]) -> usize {
    let mut longest = 0;
    while let Some((length, rest)) = bytes.split_first_chunk() {
        let length = usize::try_from(u32::from_le_bytes(*length)).unwrap_or(usize::MAX);
        longest = longest.max(length.min(rest.len()));
        bytes = rest.get(length..).unwrap_or_default();
    }
    longest
}

/// Refuses a file that has more bytes than its bounds, decompressed and decoded.
fn within(table: &Table<'_>, bytes: u64) -> Result<(), FileError> {
    let Bounds { bytes: most, .. } = table.bounds;
    if bytes <= most {
        return Ok(());
    }
    Err(FileError::TooLarge(format!(
        "has more than {} MiB when decompressed: {}",
        most >> 20,
        table.words.bytes
    )))
}

fn damaged(error: ParquetError) -> FileError {
    FileError::Refused(format!("cannot be read as Parquet: {error}: write it anew"))
}
