"""titledex reads the title of a collectible-card listing and says what is being sold, and which catalogue card it is.

>>> import titledex
>>> answer = titledex.parse("【PSA10】ブラッキーVMAX SA s6a 095/069 イーブイヒーローズ")
>>> answer["outcome"]["type"], answer["matches"][0]["name"], answer["matches"][0]["cardNumber"]
('match', 'Umbreon VMAX', '095/069')

Many titles at once: :meth:`Matcher.parse_batch`. In data frames and databases: ``titledex.polars``, ``titledex.pandas``, ``titledex.duckdb``,
``titledex.spark``, each imported by name and each needing its package.
"""

from . import _answers as answers
from ._answers import Answer
from ._errors import TitledexError
from ._matcher import Matcher, arrow_type, parse, parse_batch
from ._native import MAX_TITLE_BYTES, SCHEMA_VERSION
from ._native import VERSION as __version__

__all__ = [
    "MAX_TITLE_BYTES",
    "SCHEMA_VERSION",
    "Answer",
    "Matcher",
    "TitledexError",
    "__version__",
    "answers",
    "arrow_type",
    "parse",
    "parse_batch",
]
