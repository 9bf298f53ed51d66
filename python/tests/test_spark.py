"""On a real Spark: the answers are the matcher's, in every order of work, even if an executor dies in the middle."""

import json
import os
import signal
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.spark
pyspark = pytest.importorskip("pyspark")

import pyarrow as pa  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402
from pyspark.sql import types as t  # noqa: E402

import titledex  # noqa: E402
import titledex.spark  # noqa: E402
from titledex.spark import parse_titles  # noqa: E402


def session(master, **settings):
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_HOME"] = str(Path(pyspark.__file__).parent)
    builder = SparkSession.builder.master(master).appName("titledex")
    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.shuffle.partitions": "4",
        "spark.sql.session.timeZone": "UTC",
    } | settings
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


@pytest.fixture(scope="module")
def spark(tmp_path_factory):
    made = session("local[2]", **{"spark.sql.warehouse.dir": str(tmp_path_factory.mktemp("warehouse"))})
    yield made
    made.stop()


def plain(row):
    return json.loads(json.dumps(row.asDict(recursive=True)))


def expected(titles, detail="brief", **settings):
    return titledex.Matcher(**settings).parse_batch(titles, result="arrow", detail=detail).to_pylist()


@pytest.mark.parametrize("detail", ["full", "brief"])
@pytest.mark.parametrize("parts", [1, 7])
def test_answers_and_other_columns(spark, golden, detail, parts):
    titles = [*golden, None, "", "x" * 5000]
    rows = [(at, title, {"price": [at / 4]}) for at, title in enumerate(titles)]
    frame = spark.createDataFrame(rows, "at INT, title STRING, sale STRUCT<price: ARRAY<DOUBLE>>").repartition(parts)
    read = parse_titles(frame, detail=detail)
    assert read.columns == ["at", "title", "sale", "answer"] and read.schema["answer"].dataType == titledex.spark.answer_type(detail)
    collected = [plain(row) for row in read.orderBy("at").collect()]
    answers = expected(titles, detail)
    assert [row["answer"] for row in collected] == answers
    assert [(row["at"], row["title"], row["sale"]) for row in collected] == rows
    assert read.where("answer.error IS NOT NULL").count() == 1 and read.where("answer IS NULL").count() == 1


@pytest.mark.parametrize("detail", ["full", "brief"])
def test_answers_as_json(spark, golden, detail):
    titles = [*golden, None, "", "x" * 5000]
    frame = spark.createDataFrame([(at, title) for at, title in enumerate(titles)], "at INT, title STRING").repartition(3)
    read = parse_titles(frame, result="json", detail=detail)
    assert read.schema["answer"].dataType == t.StringType()
    lines = [row.answer for row in read.orderBy("at").collect()]
    assert lines == titledex.parse_batch(titles, result="json", detail=detail)
    kinds = read.selectExpr("get_json_object(answer, '$.outcome.type') AS kind").distinct()
    assert {"match", "sealed", "lot", None} <= {row.kind for row in kinds.collect()}
    for arguments in ({"like": titledex.spark.answer_type()}, {"result": "text"}):
        with pytest.raises(titledex.TitledexError) as raised:
            parse_titles(frame, **{"result": "json"} | arguments)
        assert raised.value.code == "bad_argument"


def test_strings_that_are_no_text(spark):
    frame = spark.sql("SELECT CAST(X'476C7572616BFF20342F313032' AS STRING) AS title, X'FF' AS raw")
    assert parse_titles(frame.select("title")).first().answer.error.code == "invalid_utf8"
    assert parse_titles(frame.select("raw"), "raw").first().answer.error.code == "invalid_utf8"


@pytest.mark.parametrize("ship", [True, False])
def test_another_catalogue(spark, small_index, ship):
    frame = spark.createDataFrame([("Glurak 4/102",)], "title STRING")
    read = parse_titles(frame, catalogue=small_index, ship=ship, max_suggestions=1)
    assert [plain(row)["answer"] for row in read.collect()] == expected(["Glurak 4/102"], catalogue=small_index, max_suggestions=1)


def test_games(spark):
    title = "Sheoldred, the Apocalypse DMU 107"
    read = parse_titles(spark.createDataFrame([(title,)], "title STRING"), games=["pokemon"], fuzzy=False)
    assert [plain(row)["answer"] for row in read.collect()] == expected([title], games=["pokemon"], fuzzy=False)
    with pytest.raises(Exception, match="give a list of ids"):
        parse_titles(read.select("title"), games="pokemon").collect()


def test_an_engine_a_process(golden):
    """The work of an executor, task after task: one matcher is made for all of them."""
    from titledex._matcher import matcher

    matcher.cache_clear()
    batch = pa.RecordBatch.from_pydict({"n": range(100), "title": golden[:100]})
    settings = (1, "answer", None, True, "struct", "brief", None, 5)
    for _task in range(3):
        read = list(titledex.spark._answers(settings, [batch, batch.slice(0, 0), batch.slice(50)]))
        assert [part.num_rows for part in read] == [100, 50] and read[0]["answer"].to_pylist() == expected(golden[:100])
    assert matcher.cache_info().misses == 1


def test_refusals(spark):
    frame = spark.createDataFrame([("Glurak", 1)], "title STRING, answer INT")
    for arguments in ({"title": "name"}, {"title": "answer", "output": "read"}, {}):
        with pytest.raises(titledex.TitledexError) as raised:
            parse_titles(frame, **arguments)
        assert raised.value.code == "bad_argument"


def without(field, name):
    """The field without one of its members."""
    if isinstance(field.dataType, t.StructType):
        return t.StructField(field.name, t.StructType([member for member in field.dataType.fields if member.name != name]))
    return field


def test_a_table_outlives_a_version(spark, golden, tmp_path):
    """A table of an older version, with fewer members, is continued unchanged, or grows; a table of a newer version is written unchanged."""
    frame = spark.createDataFrame([(title,) for title in golden[:50]], "title STRING")
    older = t.StructType([without(field, "notInCatalogue") for field in titledex.spark.answer_type().fields if field.name != "error"])
    newer = titledex.spark.answer_type().add("later", "string")
    for like in (older, newer):
        read = parse_titles(frame, like=like)
        assert read.schema["answer"].dataType == like
        read.write.mode("append").parquet(str(tmp_path / "table"))
    parse_titles(frame).write.mode("append").parquet(str(tmp_path / "table"))
    table = spark.read.option("mergeSchema", "true").parquet(str(tmp_path / "table"))
    assert table.count() == 150 and "later" in table.schema["answer"].dataType.names
    cards = {(row.title, row.card) for row in table.selectExpr("title", "answer.matches[0].cardId AS card").collect()}
    assert len(cards) == len(set(golden[:50]))
    assert table.where("answer.outcome.notInCatalogue IS NULL").count() == 50
    grown = parse_titles(frame, like=older).unionByName(parse_titles(frame), allowMissingColumns=True)
    assert grown.schema["answer"].dataType.names == [*older.names, "error"]


def test_an_executor_that_dies(golden, tmp_path):
    """Two executors; one is killed in the middle of its work. Every row is answered, once."""
    SparkSession.getActiveSession() and SparkSession.getActiveSession().stop()
    marker = str(tmp_path / "killed")

    def kill_once(batches):
        for number, batch in enumerate(batches):
            if number == 1:
                try:
                    os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
                except FileExistsError:
                    pass
                else:
                    # the parent of Python's workers is their daemon, whose parent is the executor
                    daemon = Path(f"/proc/{os.getppid()}/stat").read_text()
                    os.kill(int(daemon.rpartition(")")[2].split()[1]), signal.SIGKILL)
            yield batch

    cluster = session("local-cluster[2,1,1024]", **{"spark.executor.memory": "1g", "spark.sql.execution.arrow.maxRecordsPerBatch": "200"})
    try:
        count = 8_000
        rows = [(at, golden[at % len(golden)]) for at in range(count)]
        frame = cluster.createDataFrame(rows, "at INT, title STRING").repartition(8, "at")
        read = parse_titles(frame).mapInArrow(kill_once, parse_titles(frame).schema)
        read.write.parquet(str(tmp_path / "answers"))
        assert Path(marker).exists()
        collected = [plain(row) for row in cluster.read.parquet(str(tmp_path / "answers")).orderBy("at").collect()]
    finally:
        cluster.stop()
    assert [(row["at"], row["title"]) for row in collected] == rows
    answers = expected(golden)
    assert all(row["answer"] == answers[row["at"] % len(golden)] for row in collected)
