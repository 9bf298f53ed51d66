"""titledex reads the title of a card listing and says which catalogue card is for sale: of Pokémon, Magic, Yu-Gi-Oh!, Digimon, Lorcana or One Piece.

>>> import titledex
>>> answer = titledex.parse("【PSA10】ブラッキーVMAX SA s6a 095/069 イーブイヒーローズ")
>>> answer["outcome"]["type"], answer["matches"][0]["name"], answer["matches"][0]["cardNumber"]
('match', 'Umbreon VMAX', '095/069')

For many titles use :meth:`Matcher.parse_batch`. ``titledex.polars``, ``titledex.pandas``, ``titledex.duckdb`` and ``titledex.spark`` work with
data frames and databases; import each by name, and install its package.
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
