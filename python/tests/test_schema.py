"""The Arrow struct of answers is what each version recorded, and only grows: `UPDATE=1` writes the current one."""

import os
import typing
from pathlib import Path

import pyarrow as pa
import pytest

import titledex
from titledex._answers import Answer

FOLDER = Path(__file__).parent / "schema"


def members(kind, path=""):
    """Every member with its type, `matches[].cardId string`."""
    if pa.types.is_struct(kind):
        for field in kind:
            yield from members(field.type, f"{path}.{field.name}" if path else field.name)
    elif pa.types.is_list(kind):
        yield from members(kind.value_type, f"{path}[]")
    else:
        yield f"{path} {kind}"


@pytest.mark.parametrize("detail", ["full", "brief"])
def test_only_grows(detail):
    present = list(members(titledex.arrow_type(detail)))
    record = FOLDER / f"{detail}-{titledex.SCHEMA_VERSION}.txt"
    if os.environ.get("UPDATE") == "1":
        record.parent.mkdir(exist_ok=True)
        record.write_text("".join(f"{line}\n" for line in present))
    assert record.read_text().splitlines() == present, "raise VERSION in python/src/schema.rs, then UPDATE=1"
    for version in range(1, titledex.SCHEMA_VERSION):
        before = (FOLDER / f"{detail}-{version}.txt").read_text().splitlines()
        # earlier members are still there, in their order
        assert [line for line in present if line in set(before)] == before


def names(kind):
    """Every member of a type for type checkers, `matches[].cardId`."""
    (inner,) = typing.get_args(kind) if typing.get_origin(kind) is list else (kind,)
    end = "[]" if inner is not kind else ""
    if typing.is_typeddict(inner):
        for member, of in typing.get_type_hints(inner).items():
            yield from (f"{end}.{member}{rest}" for rest in names(of))
    else:
        yield end


def test_types_have_the_members_of_the_struct():
    of_types = {name.removeprefix(".") for name in names(Answer)}
    of_struct = {line.split()[0] for line in members(titledex.arrow_type("full"))}
    assert of_types == of_struct
