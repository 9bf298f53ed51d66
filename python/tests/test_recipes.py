"""The recipes of docs/PYTHON.md, word for word, on titles of our own."""

import json
import re

import duckdb
import polars as pl
import pyarrow as pa
import pytest
from conftest import ROOT

import titledex
import titledex.duckdb

TEXT = (ROOT / "docs/PYTHON.md").read_text()


def block(heading, language):
    section = TEXT.split(f"## {heading}\n")[1].split("\n## ")[0]
    [found] = re.findall(rf"```{language}\n(.*?)```", section, re.S)
    return found


def test_data_frames(capsys):
    exec(block("Data frames", "python"), {})
    assert "base1-4" in capsys.readouterr().out


def test_group_by_card():
    titles = ["Glurak 4/102 Holo Base Set PSA 9"] * 3 + ["Dracaufeu 4/102 Set de Base PSA 9", "Pikachu", "Pokemon Evolving Skies booster box sealed", "x" * 5000, None]
    frame = pa.table({"title": titles})
    with duckdb.connect() as connection:
        titledex.duckdb.register(connection)
        connection.register("titles", frame)
        connection.execute(block("Recipe: group titles by card, and a queue for review", "sql"))
        rows = connection.execute("SELECT queue, card, copies FROM grouped").fetchall()
        groups = connection.execute("SELECT card, sum(copies), list(title) FROM grouped WHERE queue = 'card' GROUP BY card").fetchall()
    queues = {queue: copies for queue, _, copies in rows}
    assert len(rows) == 6 and sum(copies for _, _, copies in rows) == len(titles)
    assert set(queues) == {"card", "review", "sealed", "bad row"}
    [(card, copies, members)] = groups
    assert (card, copies, len(members)) == ("base1-4", 4, 2)


def test_own_labels():
    """Our own labels: titles of one known card, and titles without a card."""
    rows = [json.loads(line) for path in sorted((ROOT / "fixtures/golden").glob("*.jsonl")) for line in path.read_text().splitlines()]
    known = [(row["title"], row["expect"]["cards"][0]) for row in rows if len(row["expect"].get("cards", [])) == 1 and row["expect"].get("outcome") == "match"]
    none = [(row["title"], None) for row in rows if row["expect"].get("outcome") in ("lot", "sealed", "not_a_card")]
    assert len(known) > 100 and len(none) > 10
    names = {"labels": pl.DataFrame(known + none, schema=["title", "card"], orient="row")}
    exec(block("Recipe: how well it does on your own labels", "python"), names)
    figures = names["figures"]
    assert figures["titles"].unique().to_list() == [len(known + none)]
    for row in figures.iter_rows(named=True):
        # titles that are neither answered nor missed have no card
        assert row["answered"] - row["wrong"] + row["missed"] <= len(known) <= row["answered"] + row["missed"]
    assert figures["answered"].is_sorted(descending=True) and figures["missed"].is_sorted()
    assert figures["wrong"][2] <= 0.05 * figures["answered"][2] and figures["answered"][2] > 0.5 * len(known)


@pytest.mark.spark
def test_daily_sales_of_graded_cards(tmp_path):
    pytest.importorskip("pyspark")
    from test_spark import session

    import titledex.spark

    charizard, umbreon = "1999 Pokemon Base Set Charizard 4/102 Holo PSA 9", "【PSA10】ブラッキーVMAX SA s6a 095/069 イーブイヒーローズ"
    rows = [
        ("a", charizard, 100.0, "USD", "2026-05-01 10:00:00", 1),
        ("a", charizard, 110.0, "USD", "2026-05-01 10:00:00", 2),  # seen again, at another price
        ("a", charizard, 110.0, "USD", "2026-05-01 10:00:00", 2),  # and collected twice
        ("b", "Glurak 4/102 Holo Base Set PSA 9", 130.0, "USD", "2026-05-01 23:59:59", 1),
        ("c", charizard, 90.0, "EUR", "2026-05-01 11:00:00", 1),
        ("d", charizard, 150.0, "USD", "2026-05-02 00:00:00", 1),
        ("e", umbreon, 900.0, "USD", "2026-05-02 00:00:01", 1),
        ("f", "Charizard 4/102 Base Set raw NM", 50.0, "USD", "2026-05-01 10:00:00", 1),  # not graded
        ("g", "Pokemon Evolving Skies booster box sealed", 500.0, "USD", "2026-05-01 10:00:00", 1),
        ("h", None, 1.0, "USD", "2026-05-01 10:00:00", 1),
    ]
    spark = session("local[2]", **{"spark.sql.warehouse.dir": str(tmp_path)})
    try:
        frame = spark.createDataFrame(rows, "sale_id STRING, title STRING, price DOUBLE, currency STRING, sold_at STRING, seen_at INT")
        frame.selectExpr("*", "CAST(sold_at AS TIMESTAMP) AS sold").drop("sold_at").withColumnRenamed("sold", "sold_at").createOrReplaceTempView("collected")
        heading = "Recipe: daily sales of graded cards"
        exec(block(heading, "python"), {"spark": spark, "parse_titles": titledex.spark.parse_titles})
        daily = [tuple(row) for row in spark.sql(block(heading, "sql")).drop("printing").collect()]
    finally:
        spark.stop()
    assert [(str(day), *rest) for day, *rest in daily] == [
        ("2026-05-01", "base1-4", "PSA", 9.0, "EUR", 1, 90.0, 90.0, 90.0),
        ("2026-05-01", "base1-4", "PSA", 9.0, "USD", 2, 110.0, 120.0, 130.0),
        ("2026-05-02", "asia:S6a-095", "PSA", 10.0, "USD", 1, 900.0, 900.0, 900.0),
        ("2026-05-02", "base1-4", "PSA", 9.0, "USD", 1, 150.0, 150.0, 150.0),
    ]
