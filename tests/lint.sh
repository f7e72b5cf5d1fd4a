#!/bin/sh
# The checks of 'make lint'. A tool that is not installed is reported, but is no error.
cd "$(dirname "$0")/.." || exit 2
. tests/count.sh

BUILD=${BUILD:-build}
sources=$(find cmd libshadowtype gdb-plugin examples tests -name '*.[ch]' | sort)
scripts=$(grep -rlE '^#!/bin/(ba)?sh' cmd examples tests .ci)

# warns FOLDERS COMPILER FLAGS...: the same warnings from clang, for all sources below these folders
warns() {
    folders=$1
    shift
    # shellcheck disable=SC2086,SC2046 # folders, and files, are words
    "$@" -std=c11 -Wall -Wextra -Wconversion -Werror -fsyntax-only $(find $folders -name '*.c' | sort)
}

# tidy FOLDERS FLAGS...: the checks of .clang-tidy
tidy() {
    folders=$1
    shift
    # shellcheck disable=SC2086,SC2046
    clang-tidy --quiet $(find $folders -name '*.c' | sort) -- -std=c11 "$@"
}

python_include=$(gdb -nx -batch -ex \
    'python import sysconfig; print(sysconfig.get_config_var("INCLUDEPY"))' 2>/dev/null)
if command -v clang >/dev/null; then
    ok "clang: cmd" warns cmd clang -D_GNU_SOURCE -DMPIPP_VERSION='""' -DMPIPP_MULTIARCH='""' -Ilibshadowtype -I"$BUILD/obj/cmd"
    ok "clang: core, report, heap, stack" \
        warns "libshadowtype/core libshadowtype/report libshadowtype/heap libshadowtype/stack" clang -Ilibshadowtype
    ok "clang: render, the tests of core" warns "gdb-plugin/render tests/unit/core tests/fuzz" \
        clang -Ilibshadowtype -Igdb-plugin/render -Itests/unit/core
    ok "clang: ext" warns gdb-plugin/ext clang -DMPIPP_VERSION='""' -Ilibshadowtype -Igdb-plugin/render \
        -isystem "$python_include"
    ok "clang: runtime (mpich)" warns libshadowtype/runtime env MPICH_CC=clang mpicc.mpich \
        -DST_MPI=ST_MPI_MPICH -Wno-unused-command-line-argument -Ilibshadowtype
    ok "clang: runtime (openmpi)" warns libshadowtype/runtime env OMPI_CC=clang mpicc.openmpi \
        -DST_MPI=ST_MPI_OPENMPI -Wno-unused-command-line-argument -Ilibshadowtype
else
    skip clang "not installed"
fi
if command -v clang-tidy >/dev/null; then
    mpi_include=$(mpicc.mpich -show | grep -o ' -I[^ ]*' | sed 's/^ -I/-isystem /')
    ok "clang-tidy: cmd" tidy cmd -D_GNU_SOURCE -DMPIPP_VERSION='""' -DMPIPP_MULTIARCH='""' -Ilibshadowtype -I"$BUILD/obj/cmd"
    ok "clang-tidy: core, report, heap, stack" \
        tidy "libshadowtype/core libshadowtype/report libshadowtype/heap libshadowtype/stack" -Ilibshadowtype
    ok "clang-tidy: ext, render" tidy "gdb-plugin/ext gdb-plugin/render" -DMPIPP_VERSION='""' \
        -Ilibshadowtype -Igdb-plugin/render -isystem "$python_include"
    # shellcheck disable=SC2086 # flags are words
    ok "clang-tidy: runtime" tidy libshadowtype/runtime -DST_MPI=ST_MPI_MPICH -Ilibshadowtype $mpi_include
else
    skip clang-tidy "not installed"
fi
# Debian 12 has version 19 under this name only.
format=$(command -v clang-format-19 || command -v clang-format)
# shellcheck disable=SC2086 # files are words
if [ -n "$format" ] && "$format" --version | grep -q 'version 19\.'; then
    ok clang-format "$format" --dry-run --Werror $sources
else
    skip clang-format "no version 19: others format otherwise"
fi
# frames LIBRARY: no function takes more than 2 KiB of a stack, which may have 16 KiB. When the library is linked, the compiler
# puts functions into their callers, after it has measured their frames.
frames() {
    functions=$(objdump -d --no-show-raw-insn "$1") || return
    echo "$functions" | grep -q '<MPI_Send>:$' || { echo "no functions are found"; return 1; }
    echo "$functions" | python3 -c '
import re, sys

name, wide = "", []
for line in sys.stdin:
    if found := re.match(r"[0-9a-f]+ <(.*)>:$", line):
        name = found[1]
    elif (found := re.search(r"\bsub +\$0x([0-9a-f]+),%rsp", line)) and 2048 < int(found[1], 16) < 1 << 31:
        wide.append(f"{name}: {int(found[1], 16)} bytes")
print("\n".join(wide))
sys.exit(bool(wide))'
}
if [ "$(uname -m)" = x86_64 ]; then
    for library in "$BUILD"/lib/mpipp/debug/libshadowtype-*.so; do
        ok "stack frames of $(basename "$library")" frames "$library"
    done
else
    skip "stack frames" "reads instructions of x86-64"
fi
# What builds and is the plugin; the recipe is Spack's.
older() {
    # shellcheck disable=SC2046 # files are words
    tests/older_python.py $(find libshadowtype gdb-plugin -name '*.py' | sort)
}
ok "Python 3.9 reads the plugin, and what builds the library" older
# shellcheck disable=SC2086
if command -v shellcheck >/dev/null; then
    ok shellcheck shellcheck -x -S warning $scripts
else
    skip shellcheck "not installed"
fi
finish
