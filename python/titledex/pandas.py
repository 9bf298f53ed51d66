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
    # also converts Python objects; NaN and NA become nulls
    column = pa.array(titles, type=None if isinstance(titles.dtype, pd.ArrowDtype) else pa.large_string(), from_pandas=True)
    answers = matcher_for(catalogue, max_suggestions, fuzzy, games).parse_batch(column, result="arrow", threads=threads, detail=detail)
    return pd.Series(pd.arrays.ArrowExtensionArray(answers), index=titles.index, name=titles.name)
