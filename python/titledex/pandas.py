"""pandas: a Series of titles in, a Series of structs out, on the same index.

>>> import pandas as pd, titledex.pandas
>>> titles = pd.Series(["Glurak 4/102 Holo Base Set", None], index=["a", "b"])
>>> answers = titledex.pandas.parse(titles)
>>> answers.struct.field("outcome").struct.field("type").to_dict()["a"]
'match'
>>> bool(answers.isna()["b"])
True
"""

from __future__ import annotations

import os
from collections.abc import Sequence

import pandas as pd
import pyarrow as pa

from ._errors import TitledexError
from ._matcher import Detail, matcher_for


def parse(
    titles: pd.Series,
    *,
    catalogue: str | os.PathLike[str] | None = None,
    detail: Detail = "brief",
    max_suggestions: int = 5,
    fuzzy: bool = True,
    games: Sequence[str] = (),
    threads: int | None = None,
) -> pd.Series:
    """The answers to a Series of titles, as a Series of Arrow structs with the same index and name; missing titles stay missing.

    >>> import pandas as pd, titledex.pandas
    >>> cards = titledex.pandas.parse(pd.Series(["Glurak 4/102"])).struct.field("matches").list[0].struct.field("cardId")
    >>> cards.tolist()
    ['base1-4']
    """
    if not isinstance(titles, pd.Series):
        raise TitledexError("bad_argument", f"`titles` is of type {type(titles).__name__}; give a pandas Series")
    answers = matcher_for(catalogue, max_suggestions, fuzzy, games).parse_batch(_column(titles), result="arrow", threads=threads, detail=detail)
    return pd.Series(pd.arrays.ArrowExtensionArray(answers), index=titles.index, name=titles.name)


def _column(titles: pd.Series) -> object:
    """The titles as an Arrow column, or as a list where Arrow cannot hold them: lone surrogates, and what is no text."""
    if isinstance(titles.dtype, pd.ArrowDtype):
        return pa.array(titles, from_pandas=True)
    # objects of Python are converted; NaN and NA become nulls
    kinds = (pa.large_string(), pa.large_binary()) if titles.dtype == object else (pa.large_string(),)
    for kind in kinds:
        try:
            return pa.array(titles, type=kind, from_pandas=True)
        except (pa.ArrowException, UnicodeError):
            continue
    return [None if missing else title for title, missing in zip(titles, titles.isna(), strict=True)]
