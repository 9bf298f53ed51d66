"""Accepted input, refused input, and the errors."""

import gc
import json
import pickle
import sys
import threading

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import titledex

MATCHER = titledex.Matcher()
ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()))  # lone surrogates too


def code(call, *arguments, **options):
    with pytest.raises(titledex.TitledexError) as raised:
        call(*arguments, **options)
    assert raised.value.message and raised.value.message in str(raised.value)
    return raised.value.code


@pytest.mark.parametrize(
    "titles",
    [
        ["Glurak 4/102", None, "ブラッキー"],
        ("Glurak 4/102", None, "ブラッキー"),
        pa.array(["Glurak 4/102", None, "ブラッキー"]),
        pa.array(["lost", "Glurak 4/102", None, "ブラッキー", "lost"], pa.large_string()).slice(1, 3),
        pa.array(["lost", "Glurak 4/102", None, "ブラッキー"], pa.string_view()).slice(1),
        pa.array([b"Glurak 4/102", None, "ブラッキー".encode()]),
        pa.chunked_array([["Glurak 4/102"], [], [None, "ブラッキー"]]),
        pl.Series(["Glurak 4/102", None, "ブラッキー"]),
        pd.Series(["Glurak 4/102", None, "ブラッキー"], dtype="string[pyarrow]"),
    ],
    ids=lambda titles: f"{type(titles).__module__}.{type(titles).__name__}-{getattr(titles, 'type', '')}",
)
def test_kinds_of_input(titles):
    answers = MATCHER.parse_batch(titles)
    assert [answer and answer["title"] for answer in answers] == ["Glurak 4/102", None, "ブラッキー"]
    assert MATCHER.parse_batch(titles, result="json")[1] is None
    arrow = MATCHER.parse_batch(titles, result="arrow")
    assert arrow.type == titledex.arrow_type() and [answer["title"].as_py() for answer in arrow] == ["Glurak 4/102", None, "ブラッキー"]


def test_lines_of_json_are_cut_into_chunks_by_their_bytes(hostile):
    """Arrow counts the bytes of a chunk in 31 bits, which 16,384 answers to the longest titles are not: here with a smaller limit."""
    titles = [None, *hostile[:8], None, "Glurak 4/102", *hostile[8:16], None]
    expected = MATCHER.parse_batch(titles, result="json")
    longest = max(len(line.encode()) for line in expected if line)
    for most in (1, 10_000, longest, 2 * longest):
        for threads in (1, 2):
            made = pa.chunked_array(MATCHER._native.arrow_json(titles, threads, False, most))
            assert made.to_pylist() == expected
            sizes = [(len(chunk) - chunk.null_count, sum(len(line.encode()) for line in chunk.to_pylist() if line)) for chunk in made.chunks]
            assert all(size <= most or lines == 1 for lines, size in sizes), (most, sizes)
            assert len(sizes) > 1
    assert MATCHER.parse_batch(titles, result="arrow_json").num_chunks == 1


def test_nothing_gives_nothing():
    for empty in ([], pa.array([], pa.string()), pa.chunked_array([], pa.string())):
        assert MATCHER.parse_batch(empty) == [] and MATCHER.parse_batch(empty, result="json") == []
        assert MATCHER.parse_batch(empty, result="arrow").equals(pa.chunked_array([], titledex.arrow_type()))
        assert MATCHER.parse_batch(empty, result="arrow_json").equals(pa.chunked_array([], pa.string()))
    assert MATCHER.parse_batch([None] * 3) == [None] * 3 == MATCHER.parse_batch(pa.nulls(3))
    for result in ("arrow", "arrow_json"):
        assert MATCHER.parse_batch(pa.nulls(3), result=result).null_count == 3


def test_refusals(tmp_path):
    assert code(MATCHER.parse, b"Glurak") == "bad_argument"
    assert code(MATCHER.parse_batch, "Glurak") == "bad_argument"
    assert code(MATCHER.parse_batch, 7) == "bad_argument"
    assert code(MATCHER.parse_batch, ["Glurak", 7]) == "bad_argument"
    assert code(MATCHER.parse_batch, pa.array([1, 2])) == "bad_argument"
    assert code(MATCHER.parse_batch, ["Glurak"], result="xml") == "bad_argument"
    assert code(MATCHER.parse_batch, ["Glurak"], result="arrow", detail="some") == "bad_argument"
    for threads in (0, -1, 2.0, True, "2"):
        assert code(MATCHER.parse_batch, ["Glurak"], threads=threads) == "bad_argument"
    for most in (0, 51, 2.0, True):
        assert code(titledex.Matcher, max_suggestions=most) == "bad_argument"
    assert code(titledex.Matcher, 7) == "bad_argument"
    for games in (["foo"], ["pokemon", "foo"], "pokemon", ["pokemon", 7], None, 7):
        assert code(titledex.Matcher, games=games) == "bad_argument"
        assert code(titledex.parse, "Glurak", games=games) == "bad_argument"
    titledex.parse("Glurak", max_suggestions=1)
    for most in ([1], {}, 2.5, True, None, 51):
        assert code(titledex.parse, "Glurak", max_suggestions=most) == "bad_argument"
    assert code(titledex.parse, "Glurak", catalogue=["x"]) == "bad_argument"
    assert code(titledex.Matcher, tmp_path / "nothing") == "unreadable"
    assert code(titledex.Matcher, tmp_path) == "unreadable"


def test_bad_catalogues(small_index, tmp_path):
    good = small_index.read_bytes()
    bad = tmp_path / "bad.index"
    for text, expected in [(b"", "not_a_catalogue"), (b"marketplaceId,name", "not_a_catalogue"), (good[:-9], "corrupt"), (good[:-9] + bytes(9), "corrupt")]:
        bad.write_bytes(text)
        for mmap in (True, False):
            assert code(titledex.Matcher, bad, mmap=mmap) == expected
    bad.write_bytes(good[:8] + b"\xff\xff\xff\xff" + good[12:])
    assert code(titledex.Matcher, bad) == "version"


def test_options():
    title = "Pikachu"
    assert len(titledex.Matcher(max_suggestions=1).parse(title)["matches"]) == 1
    assert len(titledex.Matcher(max_suggestions=20).parse(title)["matches"]) == 20
    assert titledex.Matcher(confidence=False).parse(title)["outcome"]["confidence"] == 0


def test_errors_of_one_text():
    """Some callers make an error anew from its text: code and message are found in it."""
    error = titledex.TitledexError("version", "the index has format 3")
    again = titledex.TitledexError(f"{error}\nin a query")
    assert (again.code, again.message) == ("version", "the index has format 3\nin a query")
    assert titledex.TitledexError("all else").code == "internal" and "all else" in str(titledex.TitledexError("all else"))


def test_settings_of_a_batch(small_index):
    title = "Sheoldred, the Apocalypse DMU 107"
    for settings in ({"games": ["pokemon"], "fuzzy": False}, {"catalogue": small_index, "max_suggestions": 1}):
        expected = titledex.Matcher(**settings).parse_batch([title], result="json")
        assert titledex.parse_batch([title], result="json", **settings) == expected
    assert code(titledex.parse_batch, [title], games="pokemon") == "bad_argument"


def test_pickled(small_index):
    again = pickle.loads(pickle.dumps(titledex.Matcher(small_index, max_suggestions=2)))
    assert again.info() == titledex.Matcher(small_index).info() and again.info()["cards"] < 100
    assert pickle.loads(pickle.dumps(titledex.TitledexError("version", "old"))).code == "version"


def test_other_threads_run_meanwhile():
    """A batch lets go of Python's lock. Threads take no turns here, so nothing else could."""
    ended, seen = [], []

    def parse(begun):
        begun.set()
        MATCHER.parse_batch(["Glurak 4/102 Holo Base Set"] * 5_000, result="arrow", threads=1)
        ended.append(True)

    turns = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    try:
        # once is enough; on a busy machine this thread may be called too late
        while not seen and len(ended) < 200:
            begun = threading.Event()
            parser = threading.Thread(target=parse, args=[begun])
            before = len(ended)
            parser.start()
            begun.wait()
            if len(ended) == before:
                seen.append("the batch is under way")
            parser.join()
    finally:
        sys.setswitchinterval(turns)
    assert seen


def test_collector_is_as_before():
    """The answers are old for the collector, which goes on; a program that paused it or froze objects finds both as before."""
    titles = ["Glurak 4/102 Holo Base Set"] * 100
    answers = MATCHER.parse_batch(titles)
    assert gc.isenabled() and gc.get_freeze_count() == 0
    assert any(old is answers for old in gc.get_objects(generation=2))
    gc.disable()
    try:
        MATCHER.parse_batch(titles)
        assert not gc.isenabled()
    finally:
        gc.enable()
    gc.freeze()
    try:
        frozen = gc.get_freeze_count()
        answers = MATCHER.parse_batch(titles)
        assert gc.isenabled() and gc.get_freeze_count() > frozen // 2
        assert not any(old is answers for old in gc.get_objects(generation=2))
    finally:
        gc.unfreeze()


def test_surrogates_are_read_and_noted():
    assert "error" not in MATCHER.parse("\ud83d\ude00 4/102".encode("utf-16", "surrogatepass").decode("utf-16"))
    for title in ("Glurak \ud800 4/102", "\udfff\ud800", "\ud800"):
        answer = MATCHER.parse(title)
        assert answer["error"]["code"] == "invalid_utf8" and len(answer["title"]) == len(title)
    assert MATCHER.parse("Glurak \ud800 4/102")["title"] == "Glurak \ufffd 4/102"
    assert MATCHER.parse("Glurak \ud83d\ude00")["title"] == "Glurak 😀"


def test_bytes_that_are_no_text(command):
    bad = b"Glurak \xff 4/102"
    # Utf8 columns whose producer did not check, as Spark's
    column = pa.Array.from_buffers(pa.string(), 1, pa.array([bad]).buffers())
    [line] = MATCHER.parse_batch(column, result="json")
    assert line == MATCHER.parse_batch(pa.array([bad]), result="json")[0] == command("parse", given=bad).strip()
    assert json.loads(line)["error"]["code"] == "invalid_utf8"


@settings(max_examples=300, deadline=None)
@given(st.lists(st.none() | ANY_TEXT, max_size=12))
def test_any_text_has_an_answer(titles):
    answers = MATCHER.parse_batch(titles)
    assert [answer is None for answer in answers] == [title is None for title in titles]
    assert [json.loads(line) if line else None for line in MATCHER.parse_batch(titles, result="json")] == answers
    for title, answer in zip(titles, answers):
        if answer is not None:
            assert MATCHER.parse(title) == answer
            text = answer["title"].encode()
            for span in answer["parsed"]["spans"]:
                assert text[span["start"] : span["end"]].decode() == span["text"]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.none() | st.binary(max_size=80), max_size=12))
def test_any_bytes_have_an_answer(titles):
    answers = MATCHER.parse_batch(pa.array(titles, pa.binary()), result="arrow")
    assert [answer.as_py() is None for answer in answers] == [title is None for title in titles]


def test_hostile_titles(hostile):
    answers = MATCHER.parse_batch([*hostile, "x" * 1_000_000])
    assert answers[-1]["error"]["code"] == "too_long" and all(answer["outcome"] for answer in answers)
