"""docs/tasks/tracker.md, as it is printed, in an empty folder. The other pages there need no package: cli/tests runs them."""

import os
import re
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest
from conftest import ROOT

PAGE = (ROOT / "docs/tasks/tracker.md").read_text()


def follow(folder, command, headings):
    """Writes the programs of these sections and runs their commands; what they print."""
    programs = folder / "bin"
    programs.mkdir()
    (programs / "titledex").symlink_to(Path(command).resolve())
    path = os.pathsep.join([str(programs), str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = os.environ | {"PATH": path}
    printed = {}
    for section in PAGE.split("\n## ")[1:]:
        heading = section.splitlines()[0]
        if heading not in headings:
            continue
        for language, text in re.findall(r"^```(\w+)\n(.*?)^```$", section, re.S | re.M):
            if language == "python":
                (folder / re.match(r"# (\S+), run by: ", text)[1]).write_text(text)
                continue
            assert language == "sh"
            ran = subprocess.run(["bash", "-euo", "pipefail", "-c", text], cwd=folder, env=environment, capture_output=True, text=True)
            assert ran.returncode == 0, f"{heading}\n{ran.stdout}\n{ran.stderr}"
            printed[heading] = ran.stdout
    assert list(printed) == list(headings)
    return printed


@pytest.fixture
def titledex():
    path = os.environ.get("TITLEDEX_COMMAND")
    if path is None:
        pytest.skip("TITLEDEX_COMMAND does not name the command; scripts/python does")
    return path


def test_tracker(titledex, tmp_path):
    printed = follow(tmp_path, titledex, ("The listings", "DuckDB", "The command alone"))
    assert "base1-4:" in printed["DuckDB"] and "sealed" in printed["DuckDB"]
    prices = duckdb.sql(f"SELECT grader, grade, median(median), sum(sales) FROM '{tmp_path}/prices.parquet' WHERE card = 'base1-4' GROUP BY ALL").fetchall()
    medians = {(grader, grade): median for grader, grade, median, _ in prices}
    # a PSA 10 is invented to cost five times a PSA 9
    assert 3.5 < medians["PSA", 10] / medians["PSA", 9] < 7
    # the command reads each row, and a sale that was seen twice has two
    rows = duckdb.sql(f"SELECT count(*), count(DISTINCT \"row.sale_id\") FROM read_csv('{tmp_path}/answers.csv.gz')").fetchall()[0]
    assert rows[0] > rows[1] > 15_000


@pytest.mark.spark
def test_tracker_on_spark(titledex, tmp_path):
    pytest.importorskip("pyspark")
    printed = follow(tmp_path, titledex, ("The listings", "Spark"))
    assert int(re.search(r"^(\d+) rows$", printed["Spark"], re.M)[1]) > 300
