#!/bin/bash
# 'make bench': what the algebra costs, what recording costs the program, and what showing costs in
# gdb, under both MPIs.
# Figures are minima of interleaved runs, so that a machine that changes its speed does not matter. Each
# has its limit beside it; the exit status is 1 if one is missed, and the last line says how many parts
# that concerns.
set -u
export HWLOC_COMPONENTS=-gl # the MPI libraries look for graphics cards by X displays, and complain
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
cd "$(dirname "$0")/../.." || exit 2
BUILD=${BUILD:-build}
mpipp=$BUILD/bin/mpipp

# from_fortran MPI: the same calls from C and from Fortran, without and with the recorder, in turns
from_fortran() {
    for _ in {1..12}; do
        echo "bare $("$BUILD/tests/bench/fortran_bench-$1")"
        echo "recorded $("$mpipp" exec "$BUILD/tests/bench/fortran_bench-$1")"
        "$mpipp" exec "$BUILD/tests/bench/recorder_bench-$1" times |
            sed -n '1s/.* bare \([0-9.]*\) ns, recorded \([0-9.]*\) ns.*/c_bare \1\nc_recorded \2/p'
    done | awk '!($1 in best) || $2 < best[$1] { best[$1] = $2 } END {
        fortran = best["recorded"] - best["bare"]; c = best["c_recorded"] - best["c_bare"]
        more = (fortran - c) / 3
        printf "from Fortran: bare %.1f ns, recorded %.1f ns, added %.1f ns, and from C %.1f ns: a call costs " \
            "%.1f ns more (limit 10)\n", best["bare"], best["recorded"], fortran, c, more
        exit more > 10 }'
}

# calls MPI: what a call costs bare, with the recorder alone, checked, and with opt-in checks, in turns
calls() {
    local checks
    for _ in 1 2 3; do
        for checks in none local modified size local,collective local,p2p local,rma; do
            "$mpipp" run --check="$checks" -n 2 "$BUILD/tests/bench/calls_bench-$1" 2>/dev/null | sed "s/^/$checks /"
        done
    done | awk '
        function least(key, time) { if (!(key in best) || time < best[key]) best[key] = time }
        { least("bare " $2, $3); least($1 " " $2, $4) }
        function row(name, text, limit, added) {
            bare = best["bare " name]; checked = best["local " name]
            if (!checked) { print text ": no figures"; missed = 1; return }
            printf "%s: bare %.0f ns, recorder %.0f ns, checked %.0f ns", text, bare, best["none " name], checked
            if (added) printf "; added %.1f ns%s\n", checked - bare, limit ? " (limit " limit ")" : ""
            else printf "; %.2f x%s\n", checked / bare, limit ? " (limit " limit ")" : ""
            if (limit && (added ? checked - bare : checked / bare) > limit) missed = 1
        }
        function opted(check, name, text, limit,    bare, checked) {
            bare = best["bare " name]; checked = best[check " " name]
            if (!checked) { print text ", --check=" check ": no figures"; missed = 1; return }
            printf "%s, --check=%s: bare %.0f ns, checked %.0f ns; %.2f x%s\n", text, check, bare, checked,
                checked / bare, limit ? " (limit " limit ")" : ""
            if (limit && checked / bare > limit) missed = 1
        }
        # What it costs that ranks are compared, over the checks of one rank alone.
        function over(check, name, text, limit, ways,    local, checked) {
            local = best["local " name]; checked = best["local," check " " name]
            if (!checked) { print text ", --check=" check ": no figures"; missed = 1; return }
            printf "%s, --check=%s: with --check=local %.0f ns, added %.1f ns (limit %s)\n", text, check, local / ways,
                (checked - local) / ways, limit
            if ((checked - local) / ways > limit) missed = 1
        }
        END {
            row("rank", "a call without a datatype", 5, 1)
            row("allreduce", "8 bytes, MPI_Allreduce on one rank", 60, 1)
            row("allreduce2", "8 bytes, MPI_Allreduce on two ranks", 0, 1)
            row("stream", "8 bytes, MPI_Send and MPI_Recv in a stream", 1.4)
            row("pingpong", "8 bytes there and back", 1.1)
            row("sendrecv", "8 bytes to itself, MPI_Sendrecv", 2)
            row("requests", "MPI_Isend or MPI_Irecv, and its share of MPI_Waitall", 0)
            row("test", "MPI_Test of a receive that is not complete", 0)
            row("pending", "MPI_Isend or MPI_Irecv of 1 KiB, 64 pending, with MPI_Waitall", 2)
            row("types", "create + commit + free of a vector", 1.8)
            row("stencil", "a stencil with nonblocking halos of a derived type", 1.02)
            opted("size", "stream", "8 bytes, MPI_Send and MPI_Recv in a stream", 0)
            opted("size", "pingpong", "8 bytes there and back", 0)
            opted("size", "stencil", "a stencil with nonblocking halos of a derived type", 1.05)
            opted("size", "malloc", "malloc and free, 16 bytes to 4 KiB", 0)
            row("exchange8", "8 bytes each way, nonblocking", 0)
            opted("modified", "exchange8", "8 bytes each way, nonblocking", 0)
            row("exchange1k", "1 KiB each way, nonblocking", 0)
            opted("modified", "exchange1k", "1 KiB each way, nonblocking", 0)
            row("exchange1m", "1 MiB each way, nonblocking", 0)
            opted("modified", "exchange1m", "1 MiB each way, nonblocking", 0)
            opted("modified", "stencil", "a stencil with nonblocking halos of a derived type", 0)
            over("collective", "bcast", "8 bytes, MPI_Bcast on two ranks", 40, 1)
            over("collective", "allreduce2", "8 bytes, MPI_Allreduce on two ranks", 100, 1)
            over("collective", "barrier", "MPI_Barrier on two ranks", 100, 1)
            over("p2p", "pingpong", "8 bytes, one way there and back", 45, 2)
            over("p2p", "stream", "8 bytes, MPI_Send and MPI_Recv in a stream", 12, 1)
            row("put", "8 bytes, MPI_Put from one place", 60, 1)
            row("puteach", "8 bytes, MPI_Put from 64 places", 0, 1)
            over("rma", "put", "8 bytes, MPI_Put from one place", 60, 1)
            over("rma", "puteach", "8 bytes, MPI_Put from 64 places", 60, 1)
            exit missed
        }'
}

# pending MPI: one more pending operation, in time and memory; planes of a large array
pending() {
    local what
    for _ in 1 2 3; do
        for what in times basic derived collective; do
            "$mpipp" run -n 1 "$BUILD/tests/bench/pending_bench-$1" $what 2>/dev/null
        done
    done | awk '
        function least(key, figure) { if (!(key in best) || figure < best[key]) best[key] = figure }
        { least("bare " $1, $2); least("checked " $1, $3) }
        function both(name) { return sprintf("bare %.0f ns, checked %.0f ns", best["bare " name], best["checked " name]) }
        function row(text, name, base, limit) {
            if (!best["checked " name] || !best["checked " base]) { print text ": no figures"; missed = 1; return }
            ratio = best["checked " name] / best["checked " base]
            printf "%s: %s; %s; %.2f x (limit %s)\n", text, both(base), both(name), ratio, limit
            if (ratio > limit) missed = 1
        }
        function bytes(text, name) {
            more = best["checked bytes-" name] - best["bare bytes-" name]
            if (!more) { print text ": no figures"; missed = 1; return }
            printf "%s: %.0f bytes (limit 256)\n", text, more
            if (more > 256) missed = 1
        }
        END {
            row("one more receive, with its share of MPI_Waitall, with 100 and with 10,000 pending", "at-10000", "at-100", 2)
            row("the same of a vector", "derived-at-10000", "derived-at-100", 2)
            row("8 MiB, 32 pending, as doubles and as a contiguous type", "contiguous", "buffers", 1.2)
            row("a contiguous type, planes of 1024^3 doubles across the first axis", "plane-xy", "contiguous", 1.1)
            row("the same, across the second", "plane-xz", "contiguous", 1.1)
            row("the same, across the third", "plane-yz", "contiguous", 1.1)
            bytes("a pending receive, of 100,000", "basic")
            bytes("the same of a vector", "derived")
            bytes("a pending collective with two buffers, of 10,000", "collective")
            exit missed
        }'
}

# children MPI: what a frontend on GDB/MI waits for
children() {
    "$mpipp" gdb -n 1 -nx -batch -ex "break mi_bench.c:$(grep -n 'stop: steps' $source | cut -d: -f1)" -ex run \
        -ex 'source tests/bench/unfold_bench.py' "$BUILD/tests/bench/mi_bench-$1" 2>&1 | sed -n '/children/p; /Error/p'
    return "${PIPESTATUS[0]}"
}

unfolding() {
    local source=tests/bench/mi_bench.c
    measure "$1, lists of children" children "$1"
    measure "$1, a step" tests/bench/mi_bench.py "$1" "$mpipp" "$BUILD/tests/bench/mi_bench-$1" $source
    measure "$1, over gdbserver" tests/bench/remote_bench.sh "$mpipp" "$BUILD/tests/bench/mi_bench-$1" $source
}

# measure NAME COMMAND...: a part, which fails if it misses a limit or comes to nothing
measure() {
    local name=$1
    shift
    "$@" && return
    missed+=("$name")
}

# row LEFT RIGHT
row() {
    local left=$1
    if [ ${#left} -gt 62 ] || [ -z "$2" ]; then
        echo "  $left"
        left=
    fi
    [ -n "$2" ] || return
    printf '  %-62s %s\n' "$left" "$2"
}

# What is measured on the left, figures on the right.
table() {
    local line left
    while IFS= read -r line; do
        if [[ $line == "== "* ]]; then
            printf '\n%s\n' "${line#== }"
        elif [[ $line =~ ^(.*[^ ])"   "\ *([^ ].*)$ ]]; then
            row "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
        elif [[ $line == *": "* ]]; then
            left=${line%%: *} line=${line#*: }
            while [[ $line == *"; "* ]]; do
                row "$left" "${line%%; *}"
                left='' line=${line#*; }
            done
            row "$left" "$line"
        elif [ -n "$line" ]; then
            row "$line" ""
        fi
    done
}

in_gdb() {
    "$mpipp" gdb -n 1 -nx -batch -ex 'break ready' -ex run -ex 'source tests/bench/gdb_bench.py' \
        "$BUILD/tests/bench/gdb_bench-$1" 2>&1 | sed -nE '/^(1[0-9,]*,000 |mpipp)/p'
    return "${PIPESTATUS[0]}"
}

everything() {
    local missed=() mpi
    echo "== element addresses"
    measure "element addresses" "$BUILD/tests/bench/element_bench"
    echo "== matching type signatures"
    measure "matching" "$BUILD/tests/bench/match_bench"
    echo "== overlap"
    measure "overlap" "$BUILD/tests/bench/overlap_bench"
    for mpi in mpich openmpi; do
        command -v "mpicc.$mpi" >/dev/null || continue
        echo "== $mpi, recording"
        measure "$mpi, recording" "$mpipp" run -n 1 "$BUILD/tests/bench/recorder_bench-$mpi"
        measure "$mpi, calls" calls "$mpi"
        measure "$mpi, pending operations" pending "$mpi"
        if [ -x "$BUILD/tests/bench/fortran_bench-$mpi" ]; then
            measure "$mpi, from Fortran" from_fortran "$mpi"
        fi
        echo "== $mpi, in gdb"
        measure "$mpi, in gdb" in_gdb "$mpi"
        unfolding "$mpi"
    done
    echo "== limits"
    if [ ${#missed[@]} = 0 ]; then
        echo "all are kept"
        return
    fi
    printf 'missed: %s\n' "${missed[@]}"
    return 1
}

everything | table
exit "${PIPESTATUS[0]}"
