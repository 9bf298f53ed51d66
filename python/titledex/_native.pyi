"""The compiled module. `titledex` wraps it; its shape may change in any release."""

from collections.abc import Callable
from typing import Any

SCHEMA_VERSION: int
VERSION: str
MAX_TITLE_BYTES: int

class Chunks:
    """Hands out Arrow arrays; never made by name."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

class Matcher:
    def __new__(
        cls, catalogue: str | None, mmap: bool, max_suggestions: int, fuzzy: bool, confidence: bool
    ) -> Matcher: ...
    def info(self) -> str: ...
    def json(self, titles: object, threads: int, make: Callable[[str], Any] | None) -> list[Any]: ...
    def arrow(self, titles: object, threads: int, brief: bool) -> Chunks: ...

def empty(brief: bool) -> Chunks: ...
