//! Rows of Parquet files: each column as text, whatever its type.

use crate::table::{MOST_COLUMNS, Row, Table};
use ::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use arrow_array::cast::AsArray;
use arrow_array::{Array, StringArray};
use arrow_cast::cast;
use arrow_schema::DataType;
use std::fs::File;
use titledex_command::Failure;
use titledex_server::market::load::Cells;

/// Rows that are decoded at once.
const BATCH: usize = 4_096;

/// Shows each row in turn, with its number, until `visit` has seen enough.
pub(crate) fn rows(
    table: &Table<'_>,
    visit: &mut dyn FnMut(u64, u64, Row<'_>) -> Result<bool, Failure>,
) -> Result<(), Failure> {
    let refused = |error: &dyn std::fmt::Display| {
        table.refused(format_args!(
            "cannot be read as Parquet: {error}: write it anew"
        ))
    };
    let file = File::open(table.path).map_err(|error| Failure::file("read", table.path, &error))?;
    let builder =
        ParquetRecordBatchReaderBuilder::try_new(file).map_err(|error| refused(&error))?;
    let schema = builder.schema().clone();
    let places = table.places(schema.fields().iter().map(|field| field.name().as_str()))?;
    let mut number = 0;
    for batch in builder
        .with_batch_size(BATCH)
        .build()
        .map_err(|error| refused(&error))?
    {
        let batch = batch.map_err(|error| refused(&error))?;
        let mut columns: [Option<StringArray>; MOST_COLUMNS] = [const { None }; MOST_COLUMNS];
        for (column, place) in batch.columns().iter().zip(&places) {
            if let Some(place) = place {
                let text = cast(column, &DataType::Utf8).map_err(|error| refused(&error))?;
                columns[*place] = text.as_string_opt().cloned();
            }
        }
        for row in 0..batch.num_rows() {
            number += 1;
            let mut cells: [&[u8]; MOST_COLUMNS] = [&[]; MOST_COLUMNS];
            for (cell, column) in cells.iter_mut().zip(&columns) {
                if let Some(column) = column.as_ref().filter(|column| !column.is_null(row)) {
                    *cell = column.value(row).as_bytes();
                }
            }
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
