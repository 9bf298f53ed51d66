"""Answers are those of the command `titledex parse`, through every kind of input and output."""

import json

import pyarrow as pa
import pytest

import titledex


def by_command(command, titles, folder):
    """A line for each title; as JSON Lines, so that a title may hold line breaks."""
    given = folder / "titles.jsonl"
    given.write_text("".join(json.dumps({"title": title}) + "\n" for title in titles))
    lines = command("parse", "--input", given).splitlines()
    assert len(lines) == len(titles)
    return lines


def without_nulls(value):
    """An Arrow answer in the form of its JSON: nulls are left out."""
    if isinstance(value, dict):
        return {name: without_nulls(member) for name, member in value.items() if member is not None}
    return [without_nulls(item) for item in value] if isinstance(value, list) else value


def compare(titles, lines):
    matcher = titledex.Matcher()
    assert matcher.parse_batch(titles, result="json") == lines
    # the same members in the same order, the same numbers of the same types
    for title, answer, line in zip(titles, matcher.parse_batch(titles), lines, strict=True):
        expected = repr(json.loads(line))
        assert repr(answer) == expected and (len(title) > 200 or repr(matcher.parse(title)) == expected)
    for kind in (pa.string(), pa.large_string(), pa.string_view()):
        column = pa.chunked_array([titles[:7], [], titles[7:]], type=kind)
        assert matcher.parse_batch(column, result="json") == lines
        assert matcher.parse_batch(column, result="arrow_json").to_pylist() == lines
    at = 0
    for chunk in matcher.parse_batch(titles, result="arrow").chunks:
        for answer in chunk:
            assert without_nulls(answer.as_py()) == json.loads(lines[at])
            at += 1
    assert at == len(titles)


def test_golden_and_hostile_titles(command, golden, hostile, tmp_path):
    # the command bounds a line, and so reports another length for a longer one
    titles = golden + [title for title in hostile if len(title) < 100_000]
    compare(titles, by_command(command, titles, tmp_path))


def test_all_real_titles(command, pool, tmp_path):
    compare(pool, by_command(command, pool, tmp_path))


def test_another_catalogue(command, small_index, golden):
    given = "\n".join(golden).encode()
    lines = command("parse", "--catalogue", small_index, given=given).splitlines()
    for mmap in (True, False):
        assert titledex.Matcher(small_index, mmap=mmap).parse_batch(golden, result="json") == lines
    assert titledex.parse(golden[0], catalogue=small_index) == json.loads(lines[0])


def test_options(command, golden):
    given = "\n".join(golden).encode()
    lines = command("parse", "--no-fuzzy", "--max-suggestions", 2, given=given).splitlines()
    assert titledex.Matcher(fuzzy=False, max_suggestions=2).parse_batch(golden, result="json") == lines
    assert titledex.Matcher(max_suggestions=2).parse_batch(golden, result="json") != lines


def test_brief_answers_are_those_of_the_command(command, golden):
    lines = command("parse", "--brief", given="\n".join(golden).encode()).splitlines()
    assert titledex.parse_batch(golden, result="json", detail="brief") == lines
    assert titledex.parse_batch(golden, detail="brief") == [json.loads(line) for line in lines]


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_threads_change_nothing(golden, threads):
    matcher = titledex.Matcher()
    titles = golden * 3
    assert matcher.parse_batch(titles, threads=threads, result="json") == matcher.parse_batch(titles, threads=1, result="json")
    arrow = matcher.parse_batch(titles, threads=threads, result="arrow")
    assert arrow.equals(matcher.parse_batch(titles, threads=1, result="arrow"))


def test_brief_is_part_of_full(golden):
    def part(full, kind):
        if full is None:
            return None
        if pa.types.is_struct(kind):
            return {field.name: part(full[field.name], field.type) for field in kind}
        return [part(item, kind.value_type) for item in full] if pa.types.is_list(kind) else full

    full = titledex.parse_batch(golden, result="arrow").to_pylist()
    brief = titledex.parse_batch(golden, result="arrow", detail="brief").to_pylist()
    assert brief == [part(answer, titledex.arrow_type("brief")) for answer in full]
