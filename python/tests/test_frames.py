"""Polars, pandas and DuckDB give the answers of the matcher."""

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import titledex
import titledex.duckdb
import titledex.pandas
import titledex.polars

TITLES = ["Glurak 4/102 Holo Base Set", None, "ブラッキーVMAX SA s6a 095/069", "", "Pokemon booster box"]


@pytest.fixture(params=["full", "brief"])
def detail(request):
    return request.param


@pytest.fixture()
def expected(detail):
    return titledex.parse_batch(TITLES, result="arrow", detail=detail).to_pylist()


def test_polars(detail, expected):
    frame = pl.DataFrame({"title": TITLES * 40, "at": range(200)})
    read = pl.col("title").titledex.parse(detail=detail)
    assert frame.select(read)["title"].to_list() == expected * 40
    lazily = frame.lazy().filter(pl.col("at") >= 5).with_columns(read.alias("answer")).select("at", "answer")
    assert lazily.collect_schema()["answer"] == titledex.polars.data_type(detail)
    assert lazily.collect()["answer"].to_list() == expected * 39 == lazily.collect(engine="streaming").sort("at")["answer"].to_list()
    assert frame.clear().select(read).schema == frame.select(read).schema


@pytest.mark.parametrize("dtype", [object, "string[pyarrow]", "string", "category"])
def test_pandas(detail, expected, dtype):
    index = [f"row {at}" for at in range(5)]
    answers = titledex.pandas.parse(pd.Series(TITLES, index=index, name="sold", dtype=dtype), detail=detail)
    assert list(answers.index) == index and answers.name == "sold"
    assert pa.array(answers).to_pylist() == expected


def test_pandas_missing_in_every_way():
    answers = titledex.pandas.parse(pd.Series(["Glurak 4/102", None, float("nan"), pd.NA], dtype=object))
    assert answers.isna().tolist() == [False, True, True, True]


def test_duckdb(detail, expected):
    with duckdb.connect() as connection:
        titledex.duckdb.register(connection, detail=detail)
        frame = pa.table({"number": range(5 * 3000), "title": pa.array(TITLES * 3000)})
        read = connection.sql("SELECT titledex_parse(title) AS answer FROM frame ORDER BY number").to_arrow_table()
        assert read["answer"].to_pylist() == expected * 3000


def test_another_catalogue(small_index):
    [answer] = titledex.Matcher(small_index).parse_batch(["Glurak 4/102"], result="arrow", detail="brief").to_pylist()
    assert titledex.polars.parse(pl.Series(["Glurak 4/102"]), catalogue=small_index).to_list() == [answer]
    assert pa.array(titledex.pandas.parse(pd.Series(["Glurak 4/102"]), catalogue=small_index)).to_pylist() == [answer]
    with duckdb.connect() as connection:
        titledex.duckdb.register(connection, catalogue=small_index)
        assert connection.execute("SELECT titledex_parse('Glurak 4/102')").fetchall() == [(answer,)]


def test_games_and_spelling():
    title = "Sheoldred, the Apocalypse DMU 107"
    [answer] = titledex.Matcher(games=["pokemon"], fuzzy=False).parse_batch([title], result="arrow", detail="brief").to_pylist()
    assert answer != titledex.parse_batch([title], result="arrow", detail="brief")[0].as_py()
    settings = {"games": ["pokemon"], "fuzzy": False}
    assert titledex.polars.parse(pl.Series([title]), **settings).to_list() == [answer]
    assert pa.array(titledex.pandas.parse(pd.Series([title]), **settings)).to_pylist() == [answer]
    assert titledex.parse(title, **settings)["outcome"]["type"] == answer["outcome"]["type"] == "other_game"
    with pytest.raises(titledex.TitledexError, match="give a list of ids"):
        titledex.parse(title, games="pokemon")
    with duckdb.connect() as connection:
        titledex.duckdb.register(connection, **settings)
        assert connection.execute("SELECT titledex_parse(?)", [title]).fetchall() == [(answer,)]


def read_by_all(series, frame):
    """The answers to a Series of pandas and one of Polars, by their functions and in an expression."""
    yield pa.array(titledex.pandas.parse(series)).to_pylist()
    yield titledex.polars.parse(frame).to_list()
    yield pl.DataFrame({"t": frame}).select(pl.col("t").titledex.parse())["t"].to_list()
    for column in (series, frame):
        yield titledex.parse_batch(column, result="arrow", detail="brief").to_pylist()


def test_columns_of_nulls():
    for read in read_by_all(pd.Series([None, None], dtype=object), pl.Series([None, None])):
        assert read == [None, None]
    assert titledex.parse_batch(pl.Series([None, None])) == [None, None]
    with duckdb.connect() as connection:
        titledex.duckdb.register(connection)
        assert connection.execute("SELECT titledex_parse(NULL) FROM range(2)").fetchall() == [(None,), (None,)]


def test_categories():
    expected = titledex.parse_batch(TITLES, result="arrow", detail="brief").to_pylist()
    arrow = pa.array(TITLES).dictionary_encode()
    for series in (pd.Series(TITLES, dtype="category"), pd.Series(arrow, dtype=pd.ArrowDtype(arrow.type))):
        for frame in (pl.Series(TITLES, dtype=pl.Categorical), pl.Series(TITLES, dtype=pl.Enum([title for title in TITLES if title is not None]))):
            for read in read_by_all(series, frame):
                assert read == expected
    for column in (arrow, pa.chunked_array([arrow.slice(0, 2), arrow.slice(2)]), pa.array([title and title.encode() for title in TITLES]).dictionary_encode()):
        assert titledex.parse_batch(column, result="arrow", detail="brief").to_pylist() == expected
    none = pa.DictionaryArray.from_arrays(pa.array([None, None], pa.int8()), pa.array([], pa.string()))
    assert titledex.parse_batch(none) == [None, None]
    with duckdb.connect() as connection:
        titledex.duckdb.register(connection)
        frame = pa.table({"number": range(5), "title": arrow})
        read = connection.sql("SELECT titledex_parse(title) AS answer FROM frame ORDER BY number").to_arrow_table()
        assert read["answer"].to_pylist() == expected


def test_lone_surrogates_have_an_answer():
    titles = ["Glurak \ud800 4/102", None, float("nan"), pd.NA, "Glurak 4/102"]
    series = pd.Series(titles, dtype=object)
    expected = titledex.parse_batch(["Glurak \ud800 4/102", None, None, None, "Glurak 4/102"], result="arrow", detail="brief").to_pylist()
    assert expected[0]["error"]["code"] == "invalid_utf8"
    assert pa.array(titledex.pandas.parse(series)).to_pylist() == expected
    assert titledex.parse_batch(series, result="arrow", detail="brief").to_pylist() == expected


def test_bytes_that_are_no_text_have_an_answer():
    [answer, missing] = pa.array(titledex.pandas.parse(pd.Series([b"Glurak \xff 4/102", None], dtype=object))).to_pylist()
    assert answer["error"]["code"] == "invalid_utf8" and missing is None


def failed(call, *arguments, **options):
    with pytest.raises(titledex.TitledexError) as raised:
        call(*arguments, **options)
    assert raised.value.code == "bad_argument" and raised.value.message in str(raised.value).replace(" [bad_argument]", "")
    return raised.value.message


def test_other_types_are_refused():
    for series in (pd.Series([1, 2]), pd.Series([1.5]), pd.Series(["a", 5], dtype=object), pd.Series([["a"]], dtype=object)):
        assert "give" in failed(titledex.pandas.parse, series)
        failed(titledex.parse_batch, series)
    assert failed(titledex.pandas.parse, pd.Series(["a", None, 5], dtype=object)) == "title 2 is of type int; give str or None"
    for other in (["a"], pd.Index(["a"]), pd.DataFrame({"t": ["a"]}), "a", None):
        assert failed(titledex.pandas.parse, other).endswith("give a pandas Series")
        assert failed(titledex.polars.parse, other).endswith("give a Polars Series")
    for frame in (pl.Series([1]), pl.Series([["a"]]), pl.Series([1], dtype=pl.Object)):
        failed(titledex.polars.parse, frame)
        failed(titledex.parse_batch, frame)


def test_errors_of_polars_expressions_are_those_of_calls():
    frame = pl.DataFrame({"t": [1]})
    for collect in (lambda read: frame.select(read), lambda read: frame.lazy().select(read).collect(), lambda read: frame.lazy().select(read).collect(engine="streaming")):
        message = failed(collect, pl.col("t").titledex.parse())
        assert message.startswith("the titles are an Arrow column of Int64; cast it to") and 'col("t")' in message
        texts = pl.col("t").cast(pl.String).titledex
        assert failed(collect, texts.parse(games=["nosuch"])).startswith("the catalogue has no cards of the game `nosuch`")
        assert failed(collect, texts.parse(threads=0)).startswith("`threads` is 0")
        with pytest.raises(titledex.TitledexError) as raised:
            collect(texts.parse(catalogue="no/such.index"))
        assert raised.value.code == "unreadable"
    failed(lambda: pl.col("t").titledex.parse(detail="some"))


def test_games_that_are_named_twice():
    title = "Sheoldred, the Apocalypse DMU 107"
    once = titledex.Matcher(games=["pokemon"])
    twice = titledex.Matcher(games=["pokemon", "pokemon"])
    assert twice.info() == once.info() and once.info()["games"] == ["pokemon"]
    games = {"games": ["pokemon", "pokemon"]}
    answer = once.parse(title)
    assert titledex.parse(title, **games) == answer and titledex.parse_batch([title], **games) == [answer]
    [brief] = once.parse_batch([title], result="arrow", detail="brief").to_pylist()
    assert titledex.polars.parse(pl.Series([title]), **games).to_list() == [brief]
    assert pa.array(titledex.pandas.parse(pd.Series([title]), **games)).to_pylist() == [brief]
    with duckdb.connect() as connection:
        titledex.duckdb.register(connection, **games)
        assert connection.execute("SELECT titledex_parse(?)", [title]).fetchall() == [(brief,)]
