#!/usr/bin/env bash
# Makes a virtual environment with those that we compare ourselves with, at the versions of benchmarks/requirements.txt.
#
#   scripts/benchmarks.sh [BUILD]     BUILD/benchmarks/venv; BUILD is `build` unless given
#
# One package at a time: of some there is no build for this machine, and the others race without them. The list is
# complete, so that nothing is fetched that it does not name.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

home=$PWD/${1:-build}/benchmarks
venv=$home/venv
list=benchmarks/requirements.txt
mkdir -p "$home"
if [[ -e $home/fetched && ! $list -nt $home/fetched ]]; then
  exit 0
fi
echo "benchmarks: making $venv (packages from PyPI, some minutes)"
python3 -m venv "$venv"
while read -r package; do
  # PyTorch's own index has builds without gigabytes of CUDA.
  index=()
  [[ $package == torch==* && -n ${TORCH_INDEX:-} ]] && index=(--index-url "$TORCH_INDEX")
  "$venv/bin/pip" install --quiet --disable-pip-version-check --no-deps "${index[@]}" "$package" ||
    echo "benchmarks: $package could not be installed; who needs it does not take part" >&2
done < <(grep -v '^#' "$list")
touch "$home/fetched"
