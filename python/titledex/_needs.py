"""Packages that only some calls need."""

from importlib import import_module
from typing import Any

from ._errors import TitledexError


def need(package: str, why: str) -> Any:
    """The package, or a TitledexError that says how to install it."""
    try:
        return import_module(package)
    except ImportError as error:
        raise TitledexError("missing_package", f"{why} needs {package}, which cannot be imported ({error}): install it with pip") from error
