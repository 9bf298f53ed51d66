"""Holds what is built in against deny.toml, without cargo-deny: licences, sources, crates that are not wanted, doubled versions; and the hashes of
what npm and pip install. `scripts/deny` runs it. UPDATE=1 records fewer doubled versions in fixtures/doubled-versions.json.
"""
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

from lib import ROOT

CRATES_IO = "registry+https://github.com/rust-lang/crates.io-index"
DOUBLED = ROOT / "fixtures/doubled-versions.json"
# install scripts run what they like: each is named here with its reason
SCRIPTS = {"esbuild": "puts the program for this machine in its place", "fsevents": "macOS alone"}


def metadata(targets):
    """The packages, and those of them that are built for one of the targets."""
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--offline", "--all-features"]
    run = lambda *more: json.loads(subprocess.run([*command, *more], cwd=ROOT, check=True, capture_output=True).stdout)
    packages, built = {}, set()
    for target in targets:
        read = run("--filter-platform", target)
        packages |= {package["id"]: package for package in read["packages"]}
        built |= {node["id"] for node in read["resolve"]["nodes"]}
    return packages, [packages[at] for at in sorted(built)]


def allows(expression, allowed):
    """Whether an SPDX expression is met by the licences that are allowed."""
    words = re.findall(r"[()]|[^\s()/]+|/", expression)
    at = 0

    def one():
        nonlocal at
        word = words[at]
        at += 1
        if word == "(":
            met = either()
            at += 1
            return met
        if at < len(words) and words[at] == "WITH":
            word = f"{word} WITH {words[at + 1]}"
            at += 2
        return word in allowed

    def both():
        nonlocal at
        met = one()
        while at < len(words) and words[at] == "AND":
            at += 1
            met = one() and met
        return met

    def either():
        nonlocal at
        met = both()
        # "/" is how old manifests write OR
        while at < len(words) and words[at] in ("OR", "/"):
            at += 1
            met = both() or met
        return met

    met = either()
    if at != len(words):
        raise ValueError(f"{expression!r} is not understood")
    return met


def crates(rules):
    """What is wrong with the crates; the names that have several versions, with how many more than one."""
    packages, built = metadata(rules["graph"]["targets"])
    allowed, denied = set(rules["licenses"]["allow"]), {entry["crate"]: entry["reason"] for entry in rules["bans"]["deny"]}
    wrong, versions = [], {}
    for package in built:
        name = f"{package['name']} {package['version']}"
        if package["source"] is None:
            wrong += [f"{name}: {dependency['name']} has no version: name one" for dependency in package["dependencies"] if dependency["req"] == "*" and not dependency["path"]]
            continue
        if package["source"] != CRATES_IO:
            wrong.append(f"{name} comes from {package['source']}: take it from crates.io")
        if not package["license"]:
            wrong.append(f"{name} states no licence: read what it has, or do without it")
        elif not allows(package["license"], allowed):
            wrong.append(f"{name} has the licence {package['license']}, which deny.toml does not allow")
        if package["name"] in denied:
            wrong.append(f"{name} is not wanted: {denied[package['name']]}")
        versions.setdefault(package["name"], set()).add(package["version"])
    print(f"{len(built)} crates, {sum(package['source'] is not None for package in built)} of them of others")
    return wrong, {name: len(of) - 1 for name, of in sorted(versions.items()) if len(of) > 1}


def doubled(found):
    """Each further version of a crate is code that is built and reviewed twice: their number may only fall."""
    known = json.loads(DOUBLED.read_text()) if DOUBLED.exists() else {}
    more = [f"{name} has {count + 1} versions, which is {count - known.get(name, 0)} more than before: take one that is there" for name, count in found.items() if count > known.get(name, 0)]
    print(f"{sum(found.values())} doubled versions of {len(found)} crates")
    if found != known and os.environ.get("UPDATE") and (not more or not known):
        DOUBLED.write_text(json.dumps(found, indent=2) + "\n")
        return []
    if found != known and not more:
        return ["there are fewer doubled versions than fixtures/doubled-versions.json has: record it with UPDATE=1 scripts/deny"]
    return more


def lock_files():
    """Cargo.lock: everything of crates.io with its checksum. package-lock.json: everything with its hash, and no unknown install script."""
    wrong = []
    tracked = subprocess.run(["git", "ls-files", "*Cargo.lock", "*package-lock.json", "*requirements*.txt"], cwd=ROOT, check=True, capture_output=True, text=True)
    for name in tracked.stdout.split():
        path, file = ROOT / name, Path(name).name
        if file == "Cargo.lock":
            for package in tomllib.loads(path.read_text())["package"]:
                if "source" in package and (package["source"] != CRATES_IO or "checksum" not in package):
                    wrong.append(f"{name}: {package['name']} {package['version']} is not of crates.io, or has no checksum")
        elif file == "package-lock.json":
            for where, package in json.loads(path.read_text())["packages"].items():
                package_name = where.rpartition("node_modules/")[2]
                if not where or package.get("link"):
                    continue
                if "integrity" not in package or not re.fullmatch(r"\d+\.\d+\.\d+\S*", package.get("version", "")):
                    wrong.append(f"{name}: {package_name} has no exact version and hash: run npm install")
                if package.get("hasInstallScript") and package_name not in SCRIPTS:
                    wrong.append(f"{name}: {package_name} runs a script when it is installed: read it, and name it in scripts/dependencies.py")
        else:
            # lines that go on are joined: a requirement with its hashes
            for line in path.read_text().replace("\\\n", " ").splitlines():
                line = line.partition(" #")[0].strip()
                if line and not line.startswith("#") and not re.match(r"[\w.\-\[\]]+==[^\s;]+( ;.*?)?(\s+--hash=sha256:[0-9a-f]{64})+$", line):
                    wrong.append(f"{name}: {line.split()[0]} has no exact version and hashes: run uv pip compile --generate-hashes")
    return wrong


def images():
    """Images of containers, with a digest or counted."""
    lines = (ROOT / "deploy/Dockerfile").read_text().splitlines() + (ROOT / "deploy/compose.yaml").read_text().splitlines()
    named = [match[1] for line in lines if (match := re.match(r"\s*(?:FROM|image:)\s+(\S+)", line))]
    loose = [image for image in named if "@sha256:" not in image and (":" in image and "/" in image or re.match(r"(rust|postgres):", image))]
    if loose:
        print(f"{len(loose)} images by tag, without a digest: {', '.join(loose)}")


def main():
    rules = tomllib.loads((ROOT / "deny.toml").read_text())
    wrong, found = crates(rules)
    wrong += doubled(found) + lock_files()
    images()
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
