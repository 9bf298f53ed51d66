"""The types of an answer, for type checkers: the JSON of `titledex parse`, as dicts.

Members that the title does not state are absent: read them with ``.get``.
"""

from typing import Literal, TypedDict


class Reading(TypedDict):
    """One reading of some bytes of the title, in UTF-8."""

    field: str
    value: str
    start: int
    end: int
    text: str
    confidence: float


class Unread(TypedDict):
    """Words that no rule explains."""

    start: int
    end: int
    text: str


class _Set(TypedDict):
    name: str
    id: str


class SetReading(_Set, total=False):
    """The set that a title names."""

    alternatives: list[str]


class PrintingReading(TypedDict, total=False):
    """The attributes that distinguish printings of one card."""

    edition: str
    finish: str
    pattern: str
    stamps: list[str]
    treatment: list[str]
    errors: list[str]
    size: str


class _Grade(TypedDict):
    grader: str


class Grade(_Grade, total=False):
    """The grade on a slab."""

    graderCode: str
    value: float
    label: str
    qualifier: str
    certNumber: str
    autograph: float


class _Parsed(TypedDict):
    kind: Literal["single", "lot", "sealed", "other"]
    spans: list[Reading]
    unread: list[Unread]


class Parsed(_Parsed, total=False):
    """The attributes that the title states."""

    game: str
    name: str
    number: str
    total: str
    set: SetReading
    year: int
    language: str
    printing: PrintingReading
    rarity: str
    grade: Grade
    condition: str
    quantity: int
    alternatives: list[Reading]
    gameInferred: bool


class Evidence(TypedDict):
    """One reason for or against a card or an outcome, in log-odds."""

    field: str
    weight: float
    note: str


class _Outcome(TypedDict):
    type: Literal["match", "ambiguous", "not_in_catalogue", "lot", "sealed", "other_game", "not_a_card"]
    confidence: float
    notInCatalogue: float


class Outcome(_Outcome, total=False):
    """The answer's type and confidence."""

    ambiguousOn: list[str]
    evidence: list[Evidence]


class Conflict(TypedDict):
    """What the title states and the first card contradicts."""

    field: str
    stated: str
    held: str


class PrintingMatch(TypedDict):
    """A printing of a matched card."""

    marketplaceId: str
    printing: str
    confidence: float


class MarketIds(TypedDict, total=False):
    """The numbers that marketplaces give a printing."""

    tcgplayer: int
    cardmarket: int


class _Match(TypedDict):
    cardId: str
    name: str
    setName: str
    setId: str
    cardNumber: str
    language: str
    confidence: float
    marketplaceId: str
    evidence: list[Evidence]
    game: str


class Match(_Match, total=False):
    """A catalogue card that the title can mean."""

    nameSource: str
    printedName: str
    rarity: str
    printing: str
    printings: list[PrintingMatch]
    ids: MarketIds


class TitleError(TypedDict):
    """The reason why a title was not read, or not as given."""

    code: str
    message: str


class _Answer(TypedDict):
    title: str
    parsed: Parsed
    outcome: Outcome
    matches: list[Match]


class Answer(_Answer, total=False):
    """All that titledex says about one title."""

    conflicts: list[Conflict]
    error: TitleError


class CatalogueInfo(TypedDict):
    """The contents of a catalogue."""

    name: str
    format: int
    cards: int
    sets: int
    printings: int
    bytes: int
    games: list[str]
