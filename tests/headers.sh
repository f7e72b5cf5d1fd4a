#!/bin/sh
# Every header compiles alone, with warnings as errors: so it includes all that it needs. All headers of
# the library also compile in one file: so no tag, enumerator or function is defined twice.
cd "$(dirname "$0")/.." || exit 2
. tests/count.sh

python_include=$(gdb -nx -batch -ex \
    'python import sysconfig; print(sysconfig.get_config_var("INCLUDEPY"))' 2>/dev/null)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# compiles HEADER COMPILER FLAGS...: also twice in one file, to test its include guard
compiles() {
    header=$1
    shift
    printf '#include "%s"\n#include "%s"\n' "$header" "$header" >"$folder/alone.c"
    "$@" -std=c11 -D_GNU_SOURCE -Wall -Wextra -Wconversion -Werror -fsyntax-only \
        -I. -Ilibshadowtype -Igdb-plugin -Igdb-plugin/render -Itests/unit/core \
        "$folder/alone.c"
}

# compile_together COMPILER: all headers of the library, in one file
compile_together() {
    find libshadowtype -name '*.h' | sort | sed 's|libshadowtype/\(.*\)|#include "\1"|' \
        >"$folder/together.c"
    "$1" -std=c11 -D_GNU_SOURCE -Wall -Wextra -Wconversion -Werror -fsyntax-only \
        -Ilibshadowtype "$folder/together.c"
}

for mpi in mpich openmpi; do
    ok "all headers of libshadowtype in one file ($mpi)" compile_together "mpicc.$mpi"
done
ok "each tag of libshadowtype is defined once" python3 tests/tags.py libshadowtype
ok "calls.table marks what is collective" python3 tests/collective.py
ok "no include leads upward, no two files are a circle" python3 tests/floors.py
ok "each static function's name has its noun" python3 tests/verbs.py
ok "no file is too long" python3 tests/lengths.py

for header in $(find cmd libshadowtype gdb-plugin tests -name '*.h' | sort); do
    case $header in
    libshadowtype/runtime/*)
        for mpi in mpich openmpi; do
            ok "$header ($mpi)" compiles "$header" "mpicc.$mpi"
        done
        ;;
    tests/recorder/* | tests/random/* | tests/ranks/* | tests/slow/*)
        for mpi in mpich openmpi; do
            ok "$header ($mpi)" compiles "$header" "mpicc.$mpi"
        done
        ;;
    gdb-plugin/ext/*) ok "$header" compiles "$header" "${CC:-cc}" -isystem "$python_include" ;;
    *) ok "$header" compiles "$header" "${CC:-cc}" ;;
    esac
done
finish
