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
