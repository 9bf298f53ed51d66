"""What scripts/train and scripts/held-out share: where things lie, the command, and catalogues with holes."""
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


def build():
    """The command, built."""
    subprocess.run(["cargo", "build", "--release", "--quiet", "--package", "titledex-cli"], cwd=ROOT, check=True)
    return TARGET / "release" / "titledex"


def catalogue_with_holes(cli, seed):
    """Labels and index of a catalogue that lacks a fifth of the cards and one set in twenty, for the titles of dev and silver."""
    folder = TARGET / "holes" / str(seed)
    titles = SHARED / "titles"
    made = [sys.executable, SHARED / "eval/leave_out.py", "--seed", str(seed), "--out", folder, titles / "dev.jsonl", titles / "silver.jsonl.gz"]
    subprocess.run(made, check=True, stderr=subprocess.DEVNULL)
    index = folder / "holes.index"
    subprocess.run([cli, "catalogue", "build", folder / "cards.jsonl", "--sets", SHARED / "catalogue/sets.jsonl.gz", "-o", index], check=True, stderr=subprocess.DEVNULL)
    return folder / "labels.jsonl", index
