"""What the scripts that measure share: where things lie, the command, catalogues with holes, and tables of figures in a page."""
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"
TARGET = Path(os.environ.get("CARGO_TARGET_DIR") or "target")
TARGET = TARGET if TARGET.is_absolute() else ROOT / TARGET
# the weights of each fold
FOLDS = TARGET / "held-out"
ACCURACY = ROOT / "docs" / "ACCURACY.md"


def build():
    """The command `titledex`, built."""
    subprocess.run(["cargo", "build", "--release", "--quiet", "--package", "titledex-cli"], cwd=ROOT, check=True)
    return TARGET / "release" / "titledex"


def build_lab():
    """The program `titledex-lab`, built without the synthetic market, which needs the service."""
    subprocess.run(["cargo", "build", "--release", "--quiet", "--package", "titledex-lab", "--no-default-features"], cwd=ROOT, check=True)
    return TARGET / "release" / "titledex-lab"


def catalogue_with_holes(cli, seed):
    """Labels and index of a catalogue that lacks a fifth of the cards and one set in twenty, for the titles of dev and silver."""
    folder = TARGET / "holes" / str(seed)
    titles = SHARED / "titles"
    made = [sys.executable, SHARED / "eval/leave_out.py", "--seed", str(seed), "--out", folder, titles / "dev.jsonl", titles / "silver.jsonl.gz"]
    subprocess.run(made, check=True, stderr=subprocess.DEVNULL)
    index = folder / "holes.index"
    subprocess.run([cli, "catalogue", "build", folder / "cards.jsonl", "--sets", SHARED / "catalogue/sets.jsonl.gz", "-o", index], check=True, stderr=subprocess.DEVNULL)
    return folder / "labels.jsonl", index


def show(value):
    """A figure with four digits."""
    return "–" if value is None else f"{value:.4f}"


def table(head, rows):
    """The lines of a Markdown table, its figures to the right."""
    lines = ["| " + " | ".join(head) + " |", "|---" + "|---:" * (len(head) - 1) + "|"]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


def write_section(name, lines):
    """Writes lines between the markers `<!-- name:begin -->` and `<!-- name:end -->` of docs/ACCURACY.md."""
    begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
    text = ACCURACY.read_text(encoding="utf-8")
    if begin not in text or end not in text:
        sys.exit(f"{name}: {ACCURACY.relative_to(ROOT)} lacks the markers {begin} and {end}")
    head, rest = text.split(begin, 1)
    ACCURACY.write_text(head + begin + "\n" + "\n".join(lines) + "\n" + end + rest.split(end, 1)[1], encoding="utf-8")
