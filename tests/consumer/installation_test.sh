#!/usr/bin/env bash
# Installs a build as it is, moves the installation, and uses it as a stranger would: runs the tool, finds the library
# with find_package and, apart from that, with pkg-config.
#
#   installation_test.sh BUILD    works in BUILD/installation
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(cd "$1" && pwd)
scratch=$build/installation
prefix=$scratch/moved

cached() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }
cmake=$(cached CMAKE_COMMAND)
compiler=$(cached CMAKE_CXX_COMPILER)
version=$(cached CMAKE_PROJECT_VERSION)
flags=()
case "$(cached CONELU_SANITIZE)" in
  address) flags=(-fsanitize=address,undefined) ;;
  thread) flags=(-fsanitize=thread) ;;
esac

fail() {
  echo "installation: $*" >&2
  exit 1
}
expect() {  # expect OUTPUT COMMAND...
  local output
  output=$("${@:2}") || fail "$2 failed"
  [[ "$output" == "$1" ]] || fail "$2 said '$output', expected '$1'"
}

rm -rf "$scratch"
"$cmake" --install "$build" --prefix "$scratch/first" >/dev/null
mv "$scratch/first" "$prefix"
pc=$(find "$prefix" -name conelu.pc)
libdir=$(dirname "$(dirname "$pc")")

echo "-- nothing installed knows where it was built, or names what only building it takes"
if grep -rIl -e "$scratch/first" -e "$build" -e "$(cached CMAKE_HOME_DIRECTORY)" "$prefix"; then
  fail "these files hold a path of the build"
fi
if grep -rIl -e nlohmann -e conelu_warnings -e Werror "$prefix"; then fail "these files name a private matter"; fi
for binary in "$prefix"/bin/conelu "$libdir"/*.so; do
  [[ -e "$binary" ]] || continue
  if readelf --dynamic "$binary" | grep -E 'R(UN)?PATH' | grep -F -e "$build" -e "$scratch/first"; then
    fail "$binary looks for libraries in the build"
  fi
done

echo "-- the tool runs"
expect "conelu $version" "$prefix/bin/conelu" --version

echo "-- find_package"
consume() {  # consume VERSION
  "$cmake" -S "$here" -B "$scratch/cmake" -G "$(cached CMAKE_GENERATOR)" -DCMAKE_CXX_COMPILER="$compiler" \
    -DCMAKE_CXX_FLAGS="${flags[*]}" -DCMAKE_PREFIX_PATH="$prefix" -DCONSUMER_WANTS="$1"
}
consume "$version" >/dev/null
grep -q "^conelu_DIR:PATH=$prefix/" "$scratch/cmake/CMakeCache.txt" || fail "find_package found another conelu"
"$cmake" --build "$scratch/cmake" >/dev/null
expect "conelu $version: optimal" "$scratch/cmake/consumer"

echo "-- find_package refuses the next minor version"
IFS=. read -r major minor _ <<<"$version"
rm -rf "$scratch/cmake"
if refusal=$(consume "$major.$((minor + 1))" 2>&1); then fail "version $version passed for its successor"; fi
[[ "$refusal" == *"version: $version"* ]] || fail "expected a word about the version, got: $refusal"

# Compiled for this very processor, unlike the library: both must agree on how matrices lie in memory.
echo "-- pkg-config"
export PKG_CONFIG_PATH=$libdir/pkgconfig
read -r -a needed <<<"$(pkg-config --static --cflags --libs conelu)"
"$compiler" -std=c++20 -march=native "${flags[@]}" "$here/consumer.cpp" "${needed[@]}" -Wl,-rpath,"$libdir" \
  -o "$scratch/consumer"
expect "conelu $version: optimal" "$scratch/consumer"

if [[ -e "$libdir/libconelu.so" ]]; then
  echo "-- the shared library exports what the headers declare"
  "$here/exports_test.sh" "$libdir/libconelu.so" "$prefix/include/conelu"
fi
