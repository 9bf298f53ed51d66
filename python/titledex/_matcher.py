"""Matcher: reads titles and matches them with the cards of one catalogue."""

from __future__ import annotations

import gc
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, overload

from . import _native
from ._answers import Answer, CatalogueInfo
from ._errors import TitledexError
from ._needs import need

if TYPE_CHECKING:
    import pyarrow

Detail = Literal["full", "brief"]


def _cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _threads(threads: int | None) -> int:
    if threads is None:
        return _cores()
    if isinstance(threads, bool) or not isinstance(threads, int) or not 1 <= threads <= 1024:
        raise TitledexError("bad_argument", f"`threads` is {threads!r}; give a whole number from 1 to 1024, or None for all cores")
    return threads


def _is_brief(detail: str) -> bool:
    if detail not in ("full", "brief"):
        raise TitledexError("bad_argument", f"`detail` is {detail!r}; give 'full' or 'brief'")
    return detail == "brief"


def _checked(catalogue: object, max_suggestions: object, games: object) -> tuple[str | None, tuple[str, ...]]:
    """The path of the catalogue and the ids of the games, of arguments that have the right types."""
    if isinstance(max_suggestions, bool) or not isinstance(max_suggestions, int) or not 1 <= max_suggestions <= _native.MAX_SUGGESTIONS:
        raise TitledexError("bad_argument", f"`max_suggestions` is {max_suggestions!r}; give a whole number from 1 to {_native.MAX_SUGGESTIONS}")
    if catalogue is not None and not isinstance(catalogue, (str, os.PathLike)):
        raise TitledexError("bad_argument", f"`catalogue` is of type {type(catalogue).__name__}; give a path, or None")
    ids: tuple[Any, ...] = tuple(games) if isinstance(games, Iterable) and not isinstance(games, str) else (None,)
    if not all(isinstance(game, str) for game in ids):
        raise TitledexError("bad_argument", f"`games` is {games!r}; give a list of ids, as ['pokemon']")
    return None if catalogue is None else os.fspath(catalogue), ids


@contextmanager
def _no_collection() -> Iterator[None]:
    """Pauses the garbage collector, which would walk millions of new dicts again and again although they are all in use.

    The first collection afterwards would still walk all of them: they join the oldest generation unseen, unless the program keeps objects
    frozen, which would thaw with them.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            if gc.get_freeze_count() == 0:
                gc.freeze()
                gc.unfreeze()
            gc.enable()


class Matcher:
    """Reads titles and matches them with the cards of one catalogue.

    Make it once; any number of threads can use it. It can be pickled (with its settings, not the catalogue).

    :param catalogue: the path of an index from ``titledex catalogue build``, or of a pack; None for the built-in catalogue.
    :param mmap: map the index, so that processes share its memory (the file must not be changed in place); False reads it.
    :param max_suggestions: the most cards in an answer, 1 to 50.
    :param fuzzy: look for names, sets and words that are misspelt, cut off or sound alike; with False they are read only as they are spelled.
    :param confidence: return probabilities; with False they are 0.
    :param games: find cards of these games only, by their ids (``["pokemon", "magic"]``); of all that the catalogue holds if none is given.

    >>> matcher = Matcher()
    >>> matcher.info()["cards"] > 50_000
    True
    >>> matcher.parse("Glurak 4/102 Holo Base Set")["matches"][0]["cardId"]
    'base1-4'
    """

    def __init__(
        self,
        catalogue: str | os.PathLike[str] | None = None,
        *,
        mmap: bool = True,
        max_suggestions: int = 5,
        fuzzy: bool = True,
        confidence: bool = True,
        games: Sequence[str] = (),
    ) -> None:
        path, ids = _checked(catalogue, max_suggestions, games)
        self._settings = (path, bool(mmap), max_suggestions, bool(fuzzy), bool(confidence), list(ids))
        self._native = _native.Matcher(*self._settings)

    def __reduce__(self) -> tuple[Any, ...]:
        return _remade, self._settings

    def __repr__(self) -> str:
        return f"<titledex.Matcher of {self.info()['name']!r}, {self.info()['cards']} cards>"

    def info(self) -> CatalogueInfo:
        """The contents of the catalogue: ``{"name", "format", "cards", "sets", "printings", "bytes", "games"}``."""
        info: CatalogueInfo = json.loads(self._native.info())
        return info

    def parse(self, title: str) -> Answer:
        """The answer to a title: the JSON of ``titledex parse``, as a dict.

        Every string has an answer. A lone surrogate, which UTF-8 cannot hold, is read as U+FFFD and noted in ``error``.

        >>> answer = Matcher().parse("1999 Pokemon Base Set Charizard 4/102 Holo PSA 9")
        >>> answer["outcome"]["type"], answer["matches"][0]["cardId"]
        ('match', 'base1-4')
        >>> answer["parsed"]["grade"]
        {'grader': 'PSA', 'graderCode': 'GRADER_A', 'value': 9}
        """
        if not isinstance(title, str):
            raise TitledexError("bad_argument", f"`title` is of type {type(title).__name__}; give str")
        answer: Answer = self._native.dicts([title], 1, False)[0]
        return answer

    @overload
    def parse_batch(
        self, titles: object, *, result: Literal["dicts"] = "dicts", threads: int | None = None, detail: Detail = "full"
    ) -> list[Answer | None]: ...
    @overload
    def parse_batch(
        self, titles: object, *, result: Literal["json"], threads: int | None = None, detail: Detail = "full"
    ) -> list[str | None]: ...
    @overload
    def parse_batch(
        self, titles: object, *, result: Literal["arrow", "arrow_json"], threads: int | None = None, detail: Detail = "full"
    ) -> pyarrow.ChunkedArray: ...
    def parse_batch(
        self,
        titles: Sequence[str | None] | object,
        *,
        result: Literal["dicts", "json", "arrow", "arrow_json"] = "dicts",
        threads: int | None = None,
        detail: Detail = "full",
    ) -> Any:
        """The answers to many titles, in their order; None stays None.

        :param titles: a list or tuple of ``str`` and ``None``, or an Arrow column of text or bytes: a pyarrow Array or
            ChunkedArray, a polars or pandas Series, categories among them. Strings are not copied; bytes that are not UTF-8 are read as U+FFFD
            and noted in ``error``.
        :param result: ``"dicts"``: as :meth:`parse`. ``"json"``: the lines of ``titledex parse``, as str. ``"arrow"``: a
            ``pyarrow.ChunkedArray`` of structs of the type :func:`titledex.arrow_type`. ``"arrow_json"``: one of the lines, as text.
        :param threads: the most threads; None for all cores. Python's lock is released. Answers do not depend on it.
        :param detail: ``"full"`` has everything; ``"brief"`` does not say how a title was read and weighed, and takes less time: spans, alternatives,
            unread words, printings other than the likeliest and evidence are empty (JSON is that of ``titledex parse --brief``). Arrow structs lack
            these members, printings and the title, which suits tables.

        >>> matcher = Matcher()
        >>> titles = ["Glurak 4/102 Holo Base Set", None, "Pokemon booster box"]
        >>> [answer and answer["outcome"]["type"] for answer in matcher.parse_batch(titles)]
        ['match', None, 'sealed']
        >>> matcher.parse_batch(titles, result="json")[0][:43]
        '{"title":"Glurak 4/102 Holo Base Set","pars'
        >>> answers = matcher.parse_batch(titles, result="arrow", detail="brief")
        >>> answers.null_count, answers[0]["outcome"]["type"].as_py()
        (1, 'match')
        """
        if isinstance(titles, (str, bytes)):
            raise TitledexError("bad_argument", "`titles` is one title; give a list of them, or use parse")
        count = _threads(threads)
        brief = _is_brief(detail)
        if result in ("arrow", "arrow_json"):
            arrow = need("pyarrow", "an Arrow result")
            make = self._native.arrow if result == "arrow" else self._native.arrow_json
            return arrow.chunked_array(make(titles, count, brief))
        if result not in ("dicts", "json"):
            raise TitledexError("bad_argument", f"`result` is {result!r}; give 'dicts', 'json', 'arrow' or 'arrow_json'")
        if result == "json":
            return self._native.json(titles, count, brief)
        with _no_collection():
            return self._native.dicts(titles, count, brief)


def _remade(path: str | None, mmap: bool, max_suggestions: int, fuzzy: bool, confidence: bool, games: list[str]) -> Matcher:
    return Matcher(path, mmap=mmap, max_suggestions=max_suggestions, fuzzy=fuzzy, confidence=confidence, games=games)


@lru_cache(maxsize=4)
def matcher(path: str | None, max_suggestions: int, fuzzy: bool, games: tuple[str, ...]) -> Matcher:
    """The matcher for a catalogue and settings, made once per process."""
    return Matcher(path, max_suggestions=max_suggestions, fuzzy=fuzzy, games=games)


def matcher_for(
    catalogue: str | os.PathLike[str] | None = None, max_suggestions: int = 5, fuzzy: bool = True, games: Sequence[str] = ()
) -> Matcher:
    """:func:`matcher` for settings as callers give them: the same settings are the same matcher."""
    # before they are looked up: the cache takes no lists, and True for 1
    path, ids = _checked(catalogue, max_suggestions, games)
    return matcher(path, max_suggestions, bool(fuzzy), ids)


def parse(
    title: str,
    *,
    catalogue: str | os.PathLike[str] | None = None,
    max_suggestions: int = 5,
    fuzzy: bool = True,
    games: Sequence[str] = (),
) -> Answer:
    """The answer to a title, by a matcher that the first call makes; see :class:`Matcher` and :meth:`Matcher.parse`.

    >>> import titledex
    >>> titledex.parse("【PSA10】ブラッキーVMAX SA s6a 095/069")["matches"][0]["name"]
    'Umbreon VMAX'
    """
    return matcher_for(catalogue, max_suggestions, fuzzy, games).parse(title)


@overload
def parse_batch(
    titles: object,
    *,
    result: Literal["dicts"] = "dicts",
    threads: int | None = None,
    detail: Detail = "full",
    catalogue: str | os.PathLike[str] | None = None,
    max_suggestions: int = 5,
    fuzzy: bool = True,
    games: Sequence[str] = (),
) -> list[Answer | None]: ...
@overload
def parse_batch(
    titles: object,
    *,
    result: Literal["json"],
    threads: int | None = None,
    detail: Detail = "full",
    catalogue: str | os.PathLike[str] | None = None,
    max_suggestions: int = 5,
    fuzzy: bool = True,
    games: Sequence[str] = (),
) -> list[str | None]: ...
@overload
def parse_batch(
    titles: object,
    *,
    result: Literal["arrow", "arrow_json"],
    threads: int | None = None,
    detail: Detail = "full",
    catalogue: str | os.PathLike[str] | None = None,
    max_suggestions: int = 5,
    fuzzy: bool = True,
    games: Sequence[str] = (),
) -> pyarrow.ChunkedArray: ...
def parse_batch(
    titles: Sequence[str | None] | object,
    *,
    result: Literal["dicts", "json", "arrow", "arrow_json"] = "dicts",
    threads: int | None = None,
    detail: Detail = "full",
    catalogue: str | os.PathLike[str] | None = None,
    max_suggestions: int = 5,
    fuzzy: bool = True,
    games: Sequence[str] = (),
) -> Any:
    """The answers to many titles, by a matcher that the first call makes; see :class:`Matcher` and :meth:`Matcher.parse_batch`.

    >>> import titledex
    >>> len(titledex.parse_batch(["Glurak 4/102"] * 3))
    3
    >>> [answer["outcome"]["type"] for answer in titledex.parse_batch(["Sheoldred, the Apocalypse DMU 107"], games=["pokemon"])]
    ['other_game']
    """
    # the call is checked by `result`, which type checkers cannot follow
    kind: Any = result
    return matcher_for(catalogue, max_suggestions, fuzzy, games).parse_batch(titles, result=kind, threads=threads, detail=detail)


def arrow_type(detail: Detail = "full") -> pyarrow.StructType:
    """The Arrow type of answers: JSON's members by name, null where JSON leaves one out.

    It only grows, and ``titledex.SCHEMA_VERSION`` rises with it.

    >>> import titledex
    >>> [field.name for field in titledex.arrow_type("brief")]
    ['parsed', 'outcome', 'conflicts', 'matches', 'error']
    """
    return need("pyarrow", "the Arrow type").chunked_array(_native.empty(_is_brief(detail))).type
