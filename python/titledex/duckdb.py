"""DuckDB: the SQL function ``titledex_parse(title)``, after :func:`register`.

>>> import duckdb, titledex.duckdb
>>> connection = duckdb.connect()
>>> titledex.duckdb.register(connection)
>>> connection.sql("SELECT titledex_parse('Glurak 4/102 Holo Base Set').matches[1].cardId").fetchall()
[('base1-4',)]
"""

from __future__ import annotations

import os
from collections.abc import Sequence

import duckdb
import pyarrow as pa

from ._matcher import Detail, arrow_type, matcher_for


def register(
    connection: duckdb.DuckDBPyConnection,
    name: str = "titledex_parse",
    *,
    catalogue: str | os.PathLike[str] | None = None,
    detail: Detail = "brief",
    max_suggestions: int = 5,
    fuzzy: bool = True,
    games: Sequence[str] = (),
    threads: int | None = None,
) -> None:
    """Registers the SQL function ``name(title VARCHAR)``, which returns a STRUCT, and NULL for NULL.

    It receives some thousands of titles at a time, as Arrow columns. ``threads`` is that of :meth:`titledex.Matcher.parse_batch`.

    >>> import duckdb, titledex.duckdb
    >>> connection = duckdb.connect()
    >>> titledex.duckdb.register(connection, "read")
    >>> connection.sql("SELECT read(t).outcome.type FROM (VALUES ('Glurak 4/102 Holo Base Set'), (NULL)) AS titles(t)").fetchall()
    [('match',), (None,)]
    """
    reader = matcher_for(catalogue, max_suggestions, fuzzy, games)

    def parse(titles: pa.ChunkedArray) -> pa.ChunkedArray:
        return reader.parse_batch(titles, result="arrow", threads=threads, detail=detail)

    kind = _type(arrow_type(detail))
    connection.create_function(name, parse, ["VARCHAR"], kind, type="arrow", null_handling="special")


def _type(kind: pa.DataType) -> str:
    """The SQL name of a type."""
    if pa.types.is_struct(kind):
        return "STRUCT(" + ", ".join(f'"{field.name}" {_type(field.type)}' for field in kind) + ")"
    if pa.types.is_list(kind):
        return _type(kind.value_type) + "[]"
    names = {pa.string(): "VARCHAR", pa.int32(): "INTEGER", pa.float64(): "DOUBLE", pa.bool_(): "BOOLEAN"}
    return names[kind]
