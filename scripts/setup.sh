#!/usr/bin/env bash
# Installs the Debian packages that building needs and that are missing.
#
#   scripts/setup.sh                   what the library, the tool, the tests, the benchmarks and the Python package need
#   scripts/setup.sh format            what `make format` needs
#   scripts/setup.sh docs              what `make docs` needs
#   scripts/setup.sh kernels           what `make bench-kernels` needs beside the first
#   scripts/setup.sh sanitize-thread   what the preset of that name needs beside the first; so does `fuzz`
#
# Asks dpkg alone when nothing is missing: no apt, no network, a few milliseconds.
set -euo pipefail

case "${1:-build}" in
  build)
    packages=(
      g++ make cmake ninja-build pkg-config
      libeigen3-dev libopenblas-openmp-dev zlib1g-dev
      libcli11-dev libfmt-dev nlohmann-json3-dev
      libgtest-dev librapidcheck-dev python3 python3-numpy python3-cvxopt coinor-cbc
      python3-dev python3-venv
    )
    ;;
  format) packages=(clang-format) ;;
  docs) packages=(doxygen python3) ;;
  kernels) packages=(libbenchmark-dev) ;;
  # Without recommended packages Clang comes without the run-time libraries of its sanitizers.
  sanitize-thread | fuzz) packages=(clang-16 libclang-rt-16-dev libomp-16-dev) ;;
  *)
    echo "setup: unknown purpose '$1' (known: build, docs, format, fuzz, kernels, sanitize-thread)" >&2
    exit 2
    ;;
esac

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "setup: this is not Debian, so nothing was checked or installed. Needed, by their Debian names:" >&2
  echo "  ${packages[*]}" >&2
  exit 0
fi

# A package that was removed but not purged is still known to dpkg, hence the status.
installed=" $(dpkg-query -W -f '${db:Status-Status}=${Package} ' "${packages[@]}" 2>/dev/null || true)"
missing=()
for package in "${packages[@]}"; do
  [[ "$installed" == *" installed=$package "* ]] || missing+=("$package")
done
if ((${#missing[@]} == 0)); then
  exit 0
fi

as_root=()
if ((EUID != 0)); then
  if ! command -v sudo >/dev/null; then
    as_root=(false)
  elif [[ -t 0 ]]; then
    as_root=(sudo)
  else
    as_root=(sudo --non-interactive)
  fi
fi
if ((EUID != 0)) && ! "${as_root[@]}" true; then
  echo "setup: packages are missing and neither root nor sudo is at hand. As root, run:" >&2
  echo "  apt-get install --no-install-recommends ${missing[*]}" >&2
  exit 1
fi

# Waits for another apt instead of failing; `env` because sudo drops the environment. Errors stay visible.
apt_get() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 "$@" </dev/null >/dev/null
}

echo "setup: installing ${missing[*]} (apt-get, a minute or so)"
apt_get update || echo "setup: apt-get update failed; trying with the package lists that are there" >&2
apt_get install --yes --no-install-recommends "${missing[@]}"
