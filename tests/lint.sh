#!/bin/sh
# What 'make lint' looks at. A tool that is not installed is named, not an error.
cd "$(dirname "$0")/.." || exit 2
. tests/count.sh

sources=$(find cmd libshadowtype gdb-plugin examples tests -name '*.[ch]' | sort)
scripts=$(grep -rlE '^#!/bin/(ba)?sh' cmd examples tests .ci)

if command -v clang >/dev/null; then
    for source in $(echo "$sources" | grep '^cmd/.*c$'); do
        ok "clang $source" clang -std=c11 -D_GNU_SOURCE -Ilibshadowtype -DMPIPP_VERSION='""' -Wall -Wextra \
            -Wconversion -Werror -fsyntax-only -I"${BUILD:-build}/obj/cmd" "$source"
    done
    for source in $(echo "$sources" |
        grep -E '^(libshadowtype/core|libshadowtype/report|gdb-plugin/render|tests/unit/core|tests/fuzz)/.*c$'); do
        ok "clang $source" clang -std=c11 -Wall -Wextra -Wconversion -Werror -fsyntax-only \
            -Ilibshadowtype -Igdb-plugin/render -Itests/unit/core "$source"
    done
    python_include=$(gdb -nx -batch -ex \
        'python import sysconfig; print(sysconfig.get_config_var("INCLUDEPY"))' 2>/dev/null)
    for source in $(echo "$sources" | grep '^gdb-plugin/ext/.*c$'); do
        ok "clang $source" clang -std=c11 -DMPIPP_VERSION='""' -Wall -Wextra -Wconversion -Werror \
            -fsyntax-only -Ilibshadowtype -Igdb-plugin/render -isystem "$python_include" "$source"
    done
    for source in $(echo "$sources" | grep '^libshadowtype/heap/.*c$'); do
        ok "clang $source" clang -std=c11 -Wall -Wextra -Wconversion -Werror -fsyntax-only -Ilibshadowtype "$source"
    done
    for source in $(echo "$sources" | grep '^libshadowtype/runtime/.*c$'); do
        ok "clang $source (mpich)" env MPICH_CC=clang mpicc.mpich -DST_MPI=ST_MPI_MPICH \
            -std=c11 -Wall -Wextra -Wconversion -Werror -Wno-unused-command-line-argument -fsyntax-only \
            -Ilibshadowtype "$source"
        ok "clang $source (openmpi)" env OMPI_CC=clang mpicc.openmpi -DST_MPI=ST_MPI_OPENMPI \
            -std=c11 -Wall -Wextra -Wconversion -Werror -Wno-unused-command-line-argument -fsyntax-only \
            -Ilibshadowtype "$source"
    done
else
    skip clang "not installed"
fi
if command -v clang-format >/dev/null; then
    for source in $sources; do
        ok "clang-format $source" clang-format --dry-run --Werror "$source"
    done
else
    skip clang-format "not installed"
fi
if command -v shellcheck >/dev/null; then
    for script in $scripts; do
        ok "shellcheck $script" shellcheck -x -S warning "$script"
    done
else
    skip shellcheck "not installed"
fi
finish
