"""What the Python scripts share: where things lie, programs, Debian packages, virtual environments, checks that cannot be run, and tables of figures."""
import os
import shutil
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


# the package that has a program
PACKAGES = {"titledex": "titledex-cli", "titledex-server": "titledex-server", "titledex-lab": "titledex-lab"}


def say(text):
    """Prints to standard error under the script's name."""
    print(f"{Path(sys.argv[0]).name}: {text}", file=sys.stderr, flush=True)


def not_run(text):
    """Ends a check that cannot be run here, with the status that .ci/run and .ci/full show as "not run"."""
    print(f"{Path(sys.argv[0]).name}: {text}: not run", flush=True)
    sys.exit(77)


def need_shared(*paths, what="labelled titles"):
    """The files of ../shared, which are not in the repository: without them the check is not run."""
    missing = [path for path in paths if not (SHARED / path).is_file()]
    if missing or not SHARED.is_dir():
        not_run(f"needs ../shared ({what}, not in the repository{'; ' + missing[0] + ' is not there' if missing else ''})")


def install(*packages):
    """Installs packages of Debian, and says so before."""
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        sys.exit(f"{Path(sys.argv[0]).name}: needs these packages of Debian (or what they hold): {' '.join(packages)}")
    say(f"installs packages of Debian: {' '.join(packages)}")
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", "update", "-q"], check=True, stdout=sys.stderr)
    subprocess.run(["apt-get", "install", "-q", "-y", "--no-install-recommends", *packages], check=True, env=environment, stdout=sys.stderr)


def virtual_environment(folder, *requirements):
    """The programs of a virtual environment with what these files pin; made anew where they changed."""
    pinned = "".join(file.read_text() for file in requirements)
    stamp = folder / "installed.txt"
    if not stamp.exists() or stamp.read_text() != pinned:
        if subprocess.run([sys.executable, "-c", "import ensurepip"], stderr=subprocess.DEVNULL).returncode != 0:
            install("python3-venv")
        say(f"makes the environment {folder.name}, from PyPI")
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        for file in requirements:
            subprocess.run([folder / "bin/pip", "install", "-q", "--disable-pip-version-check", "--require-hashes", "-r", file], check=True)
        stamp.write_text(pinned)
    return folder / "bin"


def program(name, *options, profile="release"):
    """The path of a program: the one that TITLEDEX, TITLEDEX_SERVER or TITLEDEX_LAB names, else it is built."""
    named = os.environ.get(name.upper().replace("-", "_"))
    if named:
        return Path(named).resolve()
    built = ["cargo", "build", "--profile", "dev" if profile == "debug" else profile, "--quiet", "--locked", "--package", PACKAGES[name], "--bin", name, *options]
    subprocess.run(built, cwd=ROOT, check=True, env=os.environ | {"CARGO_TARGET_DIR": str(TARGET)})
    return TARGET / profile / name


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
