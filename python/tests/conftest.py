"""Shared by the tests: titles, the command that answers are compared with, and the fixed rows of the repository."""

import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def _titles(folder):
    for path in sorted((ROOT / "fixtures" / folder).glob("*.jsonl")):
        for line in path.read_text().splitlines():
            yield json.loads(line)["title"]


@pytest.fixture(scope="session")
def golden():
    """Titles of our own, of every kind."""
    titles = [*_titles("golden"), *_titles("negative")]
    assert len(titles) > 500
    return titles


@pytest.fixture(scope="session")
def hostile():
    """The costliest titles, and texts that are hardly titles."""
    made = []
    for line in (ROOT / "fixtures/hostile.jsonl").read_text().splitlines():
        row = json.loads(line)
        text = (row["piece"] * row["bytes"]).encode()[: row["bytes"]]
        made += [text.decode(errors="ignore"), row["piece"] * 40]
    return [*made, "", " ", "\0", "a\0b", "\u202e4/102\u202c", "😀" * 500, "ﷺ" * 200, "x" * 4096, "x" * 4097, "4/102 " * 200_000, "\ufeff\ufffe", "e\u0301" * 900]


@pytest.fixture(scope="session")
def command():
    """`titledex`, as scripts/python built it."""
    path = os.environ.get("TITLEDEX_COMMAND")
    if path is None:
        pytest.skip("TITLEDEX_COMMAND does not name the command; scripts/python does")

    def run(*arguments, given=None):
        ended = subprocess.run([path, *map(str, arguments)], input=given, capture_output=True)
        # 3: done, but some title could not be read as given
        assert ended.returncode in (0, 3), ended.stderr.decode()
        return ended.stdout.decode()

    return run


@pytest.fixture(scope="session")
def small_index(command, tmp_path_factory):
    """An index of a few cards."""
    folder = ROOT / "fixtures/catalogue-small"
    path = tmp_path_factory.mktemp("index") / "small.index"
    command("catalogue", "build", folder / "cards.jsonl", "--sets", folder / "sets.jsonl", "-o", path)
    return path


@pytest.fixture(scope="session")
def pool():
    """Real titles, if they are available."""
    import gzip

    path = Path(os.environ.get("TITLEDEX_POOL", ROOT.parent / "shared/titles/pool.jsonl.gz"))
    if not path.exists():
        pytest.skip("the pool of real titles is not here")
    with gzip.open(path, "rt") as lines:
        return [json.loads(line)["title"] for line in lines]
