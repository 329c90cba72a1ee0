#!/usr/bin/env bash
# Builds the library and the tool a second time, as a shared library, and puts that through installation_test.sh. It
# takes minutes: only with CONELU_SLOW_TESTS=1. Exit code 77 means skipped.
#
#   shared_library_test.sh BUILD    works in BUILD/shared
set -euo pipefail

if [[ "${CONELU_SLOW_TESTS:-}" != 1 ]]; then
  echo "shared library: a second build takes minutes; set CONELU_SLOW_TESTS=1, as make test-all does"
  exit 77
fi
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(cd "$1" && pwd)
cached() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }

cmake=$(cached CMAKE_COMMAND)
"$cmake" -S "$here/../.." -B "$build/shared" -G "$(cached CMAKE_GENERATOR)" -DBUILD_SHARED_LIBS=ON \
  -DCMAKE_CXX_COMPILER="$(cached CMAKE_CXX_COMPILER)" -DCMAKE_BUILD_TYPE="$(cached CMAKE_BUILD_TYPE)" \
  -DCONELU_SANITIZE="$(cached CONELU_SANITIZE)" -DCONELU_BUILD_TESTS=OFF -DCONELU_BUILD_BENCHMARKS=OFF >/dev/null
"$cmake" --build "$build/shared" --parallel
"$here/installation_test.sh" "$build/shared"
