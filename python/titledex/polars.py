"""Polars: importing this module adds ``pl.col("title").titledex.parse()``.

>>> import polars as pl, titledex.polars
>>> frame = pl.DataFrame({"title": ["Glurak 4/102 Holo Base Set", None], "price": [9, 4]})
>>> read = frame.with_columns(pl.col("title").titledex.parse().alias("answer"))
>>> read.select("price", pl.col("answer").struct.field("matches").list.first().struct.field("cardId")).rows()
[(9, 'base1-4'), (4, None)]
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import polars as pl

from . import _native
from ._errors import TitledexError
from ._matcher import Detail, _is_brief, _threads, matcher_for


@lru_cache(maxsize=2)
def data_type(detail: Detail = "brief") -> pl.DataType:
    """The Polars type of answers: :func:`titledex.arrow_type`, converted."""
    return pl.Series(_native.empty(_is_brief(detail))).dtype


def parse(
    titles: pl.Series,
    *,
    catalogue: str | os.PathLike[str] | None = None,
    detail: Detail = "brief",
    max_suggestions: int = 5,
    fuzzy: bool = True,
    games: Sequence[str] = (),
    threads: int | None = None,
) -> pl.Series:
    """The answers to a Series of titles, as a Series of structs; null for a null.

    >>> import polars as pl, titledex.polars
    >>> titledex.polars.parse(pl.Series("title", ["Glurak 4/102 Holo Base Set"])).struct.field("outcome").struct.field("type").to_list()
    ['match']
    """
    if not isinstance(titles, pl.Series):
        raise TitledexError("bad_argument", f"`titles` is of type {type(titles).__name__}; give a Polars Series")
    answers = matcher_for(catalogue, max_suggestions, fuzzy, games)._native.arrow(titles, _threads(threads), _is_brief(detail))
    return pl.Series(titles.name, answers, dtype=data_type(detail))


@pl.api.register_expr_namespace("titledex")
class TitledexExpressions:
    """The calls of ``pl.col("title").titledex``."""

    def __init__(self, expression: pl.Expr) -> None:
        self._expression = expression

    def parse(self, **options: Any) -> pl.Expr:
        """The answers as structs, with the options of :func:`parse`. Works in lazy and streaming queries, since a row's answer depends only on that row."""
        kind = data_type(options.get("detail", "brief"))
        return self._expression.map_batches(lambda titles: parse(titles, **options), return_dtype=kind, is_elementwise=True)
