//! `titledex parse` on Parquet files.

use crate::batch::{parse_file, seen};
use crate::support::{run_on, small_index};
use ::parquet::arrow::ArrowWriter;
use ::parquet::file::properties::WriterProperties;
use arrow_array::types::Int8Type;
use arrow_array::{
    ArrayRef, BinaryArray, BooleanArray, Date32Array, DictionaryArray, Float64Array, Int64Array,
    ListArray, RecordBatch, StringArray, StringViewArray,
};
use serde_json::json;
use std::sync::Arc;

fn written(columns: Vec<(&str, ArrayRef)>) -> Vec<u8> {
    let batch = RecordBatch::try_from_iter_with_nullable(
        columns
            .into_iter()
            .map(|(name, column)| (name, column, true)),
    );
    let batch = batch.expect("columns of one length");
    let properties = WriterProperties::builder()
        .set_max_row_group_row_count(Some(700))
        .build();
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties))
        .expect("a schema that Parquet has");
    writer.write(&batch).expect("memory");
    writer.into_inner().expect("memory")
}

/// A file of titles and ids.
pub(crate) fn parquet_file(titles: &[Option<&str>]) -> Vec<u8> {
    let ids = (0..).take(titles.len()).collect::<Vec<i64>>();
    written(vec![
        ("id", Arc::new(Int64Array::from(ids))),
        (
            "title",
            Arc::new(titles.iter().copied().collect::<StringArray>()),
        ),
    ])
}

#[test]
fn parquet_columns_are_carried_by_type() {
    let texts = [Some("one"), None, Some("three \"3\"")];
    let lists = ListArray::from_iter_primitive::<arrow_array::types::Int32Type, _, _>([
        Some(vec![Some(1), None]),
        None,
        Some(vec![]),
    ]);
    let file = written(vec![
        (
            "whole",
            Arc::new(Int64Array::from(vec![Some(i64::MAX), None, Some(-1)])),
        ),
        ("title", Arc::new(StringArray::from(texts.to_vec()))),
        (
            "half",
            Arc::new(Float64Array::from(vec![0.5, f64::NAN, 1e300])),
        ),
        ("yes", Arc::new(BooleanArray::from(vec![true, false, true]))),
        ("day", Arc::new(Date32Array::from(vec![0, 1, 20_000]))),
        (
            "word",
            Arc::new(StringArray::from(vec![Some("a\"b"), None, Some("")])),
        ),
        ("list", Arc::new(lists)),
    ]);
    let ran = parse_file("a.parquet", &file, &[]).ended(3);
    let rows = seen(&ran);
    let first = json!({"whole": i64::MAX, "half": 0.5, "yes": true, "day": "1970-01-01", "word": "a\"b", "list": [1, null]});
    assert_eq!((rows[0].0.as_str(), &rows[0].1), ("one", &first));
    assert!(
        rows[1].2.starts_with("row 2 has null as its title"),
        "{}",
        rows[1].2
    );
    assert_eq!(rows[1].1["word"], json!(null));
    assert!(
        rows[1]
            .1
            .as_object()
            .is_some_and(|row| row.contains_key("half")),
        "null is carried too"
    );
    assert_eq!(
        (rows[2].0.as_str(), &rows[2].1["list"]),
        ("three \"3\"", &json!([]))
    );
    let ran = parse_file("a.parquet", &file, &["--format", "csv"]).ended(3);
    assert!(ran.out.lines().nth(1).is_some_and(|line| {
        line.ends_with(",9223372036854775807,0.5,true,1970-01-01,\"a\"\"b\",\"[1,null]\"")
    }));
    let ran = parse_file("a.parquet", &file, &["--column", "whole"]).ended(1);
    assert!(
        ran.err.contains("`whole`") && ran.err.contains("Int64") && ran.err.contains("--column"),
        "{}",
        ran.err
    );
    let ran = parse_file("a.parquet", &file, &["--column", "name"]).ended(1);
    assert!(
        ran.err
            .contains("no column `name` (it has `whole`, `title`"),
        "{}",
        ran.err
    );
    let ran = parse_file("a.parquet", &file[..file.len() / 2], &[]).ended(1);
    assert!(ran.err.contains("a.parquet as Parquet"), "{}", ran.err);
}

#[test]
fn titles_may_have_any_text_type_of_arrow() {
    let texts = ["one", "two", "one"];
    let same: [ArrayRef; 3] = [
        Arc::new(StringViewArray::from(texts.to_vec())),
        Arc::new(texts.into_iter().collect::<DictionaryArray<Int8Type>>()),
        Arc::new(BinaryArray::from(texts.map(str::as_bytes).to_vec())),
    ];
    for column in same {
        let ran = parse_file("a.parquet", &written(vec![("title", column)]), &[]).ended(0);
        assert_eq!(
            seen(&ran)
                .iter()
                .map(|(title, ..)| title.as_str())
                .collect::<Vec<_>>(),
            texts
        );
    }
    let bytes = BinaryArray::from(vec![&b"a\xff"[..]]);
    let ran = parse_file("a.parquet", &written(vec![("title", Arc::new(bytes))]), &[]).ended(3);
    assert!(seen(&ran)[0].2.contains("byte 1 is not UTF-8"));
    assert_eq!(
        parse_file("a.parquet", &parquet_file(&[]), &[])
            .ended(0)
            .out,
        ""
    );
}

#[test]
fn parquet_on_standard_input_is_refused() {
    let ran = run_on(
        &["parse", "--from", "parquet", "--catalogue", small_index()],
        b"PAR1",
    )
    .ended(1);
    assert!(ran.err.contains("--input"), "{}", ran.err);
}
