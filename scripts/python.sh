#!/usr/bin/env bash
# Makes a virtual environment with the Python package in it, built against the library that is already there.
#
#   scripts/python.sh [BUILD]     BUILD/python/venv; BUILD is `build` unless given
#
# Packages come from PyPI, once, and again when pyproject.toml changes; a change of sources is compiled and no more.
# `pip install .` needs none of this: it compiles the library, too.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

build=$PWD/${1:-build}
home=$build/python
venv=$home/venv
fetched=$home/fetched

if [[ ! -e $fetched || pyproject.toml -nt $fetched ]]; then
  echo "python: making $venv (packages from PyPI, a minute or so)"
  python3 -m venv "$venv"
  mapfile -t packages < <("$venv/bin/python" - <<'PYTHON'
import tomllib

with open("pyproject.toml", "rb") as file:
    project = tomllib.load(file)
needed = project["build-system"]["requires"] + project["project"]["dependencies"]
print(*needed, *project["project"]["optional-dependencies"]["test"], sep="\n")
PYTHON
  )
  if ! "$venv/bin/pip" install --quiet --disable-pip-version-check "${packages[@]}"; then
    echo "python: the packages above could not be had from PyPI, so the Python package is neither built nor tested." >&2
    echo "        The library, the tool and their tests do without; everything else needs a network here." >&2
    exit 1
  fi
  touch "$fetched"
fi

# Each version of vnnlib reads one version of the language: one folder a version, beside the environment.
for parser in 1.0:vnnlib==0.0.1 "2.0:vnnlib>=1,<2"; do
  folder=$home/vnnlib-${parser%%:*}
  [[ -d $folder ]] && continue
  "$venv/bin/pip" install --quiet --disable-pip-version-check --no-deps --target "$folder" "${parser#*:}" ||
    echo "python: without ${parser#*:} from PyPI, the test of exported properties is skipped" >&2
done

cmake --install "$build" --prefix "$home/prefix" >"$home/install.log"
# No dependencies and no build environment: both are here. The folder is kept, so that only changes are compiled.
"$venv/bin/pip" install --quiet --disable-pip-version-check --no-deps --no-build-isolation . \
  --config-settings=cmake.source-dir=python --config-settings=build-dir="$home/module" \
  --config-settings=cmake.define.CMAKE_PREFIX_PATH="$home/prefix"
