#!/usr/bin/env bash
# Checks that a shared library exports what the public headers declare, and nothing else.
#
#   exports_test.sh LIBRARY HEADERS
set -euo pipefail
library=$1 headers=$2

fail() {
  echo "exports: $1" >&2
  echo "$2" >&2
  exit 1
}

# One header that forgets it hides all that it declares.
closed=$(grep -L 'namespace CONELU_API conelu {' "$headers"/*.hpp | grep -v '/export.hpp$' || true)
[[ -z "$closed" ]] || fail "headers without CONELU_API:" "$closed"

# Mangled names: [vtable, type information, static inside of] a name in `conelu` or in `std`. The latter are templates
# of the standard library, which insist on being visible; they are weak, so that any program's own do as well.
ours='^[A-Za-z] _Z(T[VIS]|GV|Z)?(N[VK]*)?6conelu'
standard='^[VWu] _Z(T[VIS]|GV|Z)?(N[VK]*)?S'
symbols=$(nm --dynamic --defined-only "$library" | cut -d ' ' -f 2-)
grep -qE "$ours" <<<"$symbols" || fail "nothing is exported" ""
foreign=$(grep -vE -e "$ours" -e "$standard" <<<"$symbols" | c++filt || true)
[[ -z "$foreign" ]] || fail "not ours:" "$foreign"

# The outermost name inside `conelu`, a function or a class, is one of the headers' words.
names=$(grep -E "$ours" <<<"$symbols" | c++filt |
  grep -oP '^[A-Za-z] (vtable for |typeinfo (name )?for )?conelu::\K\w+' | sort -u)
internal=$(grep -vxF -f <(grep -ohE '\w+' "$headers"/*.hpp | sort -u) <<<"$names" || true)
[[ -z "$internal" ]] || fail "declared in no public header:" "$internal"
echo "$(wc -l <<<"$names") names of the public headers are exported"
