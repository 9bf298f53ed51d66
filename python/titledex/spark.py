"""Spark: adds a column of answers to a data frame, with ``mapInArrow``.

``parse_titles(sales, "title")`` returns ``sales`` with a column ``answer`` of structs, or of JSON text. Each Python process of Spark makes its engine once and reads its
batches on one thread, because Spark runs one process per core. ``docs/PYTHON.md`` has the settings, and recipes in SQL.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Literal

import pyarrow as pa
from pyspark import SparkFiles
from pyspark.sql import DataFrame
from pyspark.sql import types as spark_types

from ._errors import TitledexError
from ._matcher import Detail, arrow_type, matcher_for
from ._native import SCHEMA_VERSION

_PLAIN = {
    pa.string(): spark_types.StringType(),
    pa.int32(): spark_types.IntegerType(),
    pa.float64(): spark_types.DoubleType(),
    pa.bool_(): spark_types.BooleanType(),
}


def answer_type(detail: Detail = "brief") -> spark_types.StructType:
    """The Spark type of answers: :func:`titledex.arrow_type`, converted. It only grows.

    >>> import titledex.spark
    >>> titledex.spark.answer_type()["outcome"].dataType.simpleString()
    'struct<type:string,confidence:double,ambiguousOn:array<string>,notInCatalogue:double>'
    """
    made: spark_types.StructType = _spark(arrow_type(detail))
    return made


def parse_titles(
    frame: DataFrame,
    title: str = "title",
    *,
    output: str = "answer",
    catalogue: str | os.PathLike[str] | None = None,
    ship: bool = True,
    result: Literal["struct", "json"] = "struct",
    detail: Detail = "brief",
    like: spark_types.StructType | None = None,
    max_suggestions: int = 5,
    fuzzy: bool = True,
    games: Sequence[str] = (),
) -> DataFrame:
    """``frame`` with a last column ``output``: the answers to its column ``title``. All other columns are kept.

    A row's answer depends on it alone, however rows are partitioned, repeated or retried. A null title has a null answer. A title that is too long,
    or not UTF-8, has an answer with ``error``: ``WHERE answer.error IS NOT NULL`` finds them.

    :param catalogue: an index for every worker; None for the built-in catalogue. With ``ship`` it is a file of the driver, which
        Spark copies to each machine; without, a path that each machine has. The processes of a machine map it and share its memory.
    :param result: ``"struct"``: members are columns of Spark. ``"json"``: the lines of ``titledex parse``, as strings, for storage, queues and Spark 4's
        ``parse_json``. Spark carries full answers at less than half the cost so: it copies one text, and not some sixty nested members.
    :param detail: ``"brief"`` suits tables; ``"full"`` also has title, spans, alternatives, unread words, printings and evidence.
    :param like: the type of answers in an existing table, to keep writing exactly that type under any version. Members that
        this version does not know are null.
    """
    if title not in frame.columns:
        raise TitledexError("bad_argument", f"there is no column {title!r}; there are {', '.join(frame.columns)}")
    if frame.columns.count(title) > 1:
        raise TitledexError("bad_argument", f"two columns are called {title!r}; rename one")
    kind = frame.schema[title].dataType
    if not isinstance(kind, (spark_types.StringType, spark_types.BinaryType)):
        raise TitledexError("bad_argument", f"the column {title!r} is {kind.simpleString()}; cast it to string")
    if output in frame.columns:
        raise TitledexError("bad_argument", f"there is a column {output!r}; give another name as `output`")
    path = None if catalogue is None else os.fspath(catalogue)
    if path is not None and ship:
        frame.sparkSession.sparkContext.addFile(path)
        path = os.path.basename(path)
    if result not in ("struct", "json"):
        raise TitledexError("bad_argument", f"`result` is {result!r}; give 'struct' or 'json'")
    if result == "json" and like is not None:
        raise TitledexError("bad_argument", "`like` is the type of structs; leave it out for JSON, which has one type")
    wanted = None if like is None else _arrow(like)
    made = spark_types.StringType() if result == "json" else like or answer_type(detail)
    schema = spark_types.StructType([*frame.schema.fields, spark_types.StructField(output, made, True, {"titledex.schema": SCHEMA_VERSION})])
    settings = (frame.columns.index(title), output, path, ship, result, detail, wanted, max_suggestions, fuzzy, games)
    answers: Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]] = partial(_answers, settings)
    return frame.mapInArrow(answers, schema)


def _answers(settings: tuple[Any, ...], batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The batches, each with its answers. This runs on the executors."""
    at, output, path, shipped, result, detail, wanted, *reading = settings
    kind: Literal["arrow", "arrow_json"] = "arrow_json" if result == "json" else "arrow"
    reader = matcher_for(SparkFiles.get(path) if path is not None and shipped else path, *reading)
    for batch in batches:
        answers = reader.parse_batch(batch.column(at), result=kind, threads=1, detail=detail)
        start = 0
        for chunk in answers.chunks:
            rows = batch.slice(start, len(chunk))
            start += len(chunk)
            yield pa.RecordBatch.from_arrays([*rows.columns, _fit(chunk, wanted)], names=[*batch.schema.names, output])


def _fit(array: pa.Array, wanted: pa.DataType | None) -> pa.Array:
    """The array in another version of its type: members by name, missing ones null, others left out."""
    if wanted is None or array.type == wanted:
        return array
    if pa.types.is_struct(wanted) and pa.types.is_struct(array.type):
        has = {field.name: number for number, field in enumerate(array.type)}
        members = [
            _fit(array.field(has[field.name]), field.type) if field.name in has else pa.nulls(len(array), field.type) for field in wanted
        ]
        return pa.StructArray.from_arrays(members, fields=list(wanted), mask=array.is_null())
    if pa.types.is_list(wanted) and pa.types.is_list(array.type):
        return pa.ListArray.from_arrays(array.offsets, _fit(array.values, wanted.value_type), type=wanted, mask=array.is_null())
    return array.cast(wanted)


def _spark(kind: pa.DataType) -> Any:
    """The Spark type of an Arrow type."""
    if pa.types.is_struct(kind):
        return spark_types.StructType([spark_types.StructField(field.name, _spark(field.type)) for field in kind])
    if pa.types.is_list(kind):
        return spark_types.ArrayType(_spark(kind.value_type))
    return _PLAIN[kind]


def _arrow(kind: Any) -> pa.DataType:
    """The Arrow type of a Spark type."""
    if isinstance(kind, spark_types.StructType):
        return pa.struct([pa.field(field.name, _arrow(field.dataType)) for field in kind.fields])
    if isinstance(kind, spark_types.ArrayType):
        return pa.list_(_arrow(kind.elementType))
    for plain, same in _PLAIN.items():
        if kind == same:
            return plain
    raise TitledexError("bad_argument", f"`like` has a {kind.simpleString()}, which answers never have: give the type of a column of answers")
