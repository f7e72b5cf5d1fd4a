#!/bin/bash
# Who called: --callers keeps more frames of a call, --skip-frames passes over wrappers.
cd "$(dirname "$0")/../.." || exit 2
. tests/count.sh
. tests/cmd/says.sh
. tests/cmd/jobs.sh

unset MPIPP_CHECK MPIPP_REPORTS MPIPP_MAX_REPORTS MPIPP_CALLERS MPIPP_SKIP_FRAMES NO_COLOR DEBUGINFOD_URLS
in_folder callers
here=$top/tests/reports

# line_of NAME [FILE]: of the marker
line_of() {
    grep -n "marker: $1\b" "$here/${2-wrapped.c}" | cut -d: -f1
}

# at MARKER FUNCTION: as a report shows the place
at() {
    echo "wrapped.c:$(line_of "$1") in $2()"
}

# shows_sites EXPECTED COMMAND...: where the calls of the reports stand, and the callers, are these
# lines, in any order
shows_sites() {
    local expected=$1 shown
    shift
    patiently "$@" >out 2>err </dev/null
    shown=$(sed -nE -e 's/^  (send|receive|call) .*\)   (wrapped.*)/\2/p' -e 's/^    called from (wrapped.*)/from \1/p' err)
    [ -n "$shown" ] && [ "$(sort <<<"$shown")" = "$(sort <<<"$expected")" ] && return
    printf 'wanted:\n%s\ngot:\n%s\n' "$expected" "$shown"
    cat err
    return 1
}

# says_lines COMMAND...: the patterns of standard input are all in standard error, each in a line
says_lines() {
    local pattern
    patiently "$@" >out 2>err </dev/null
    while read -r pattern; do
        grep -qE -e "$pattern" err && continue
        echo "no '$pattern' in:" && cat err
        return 1
    done
}

# in_wrapper: the wrapper's line alone. callers: those who called it, through wrappers or not
in_wrapper=$(at bcast wrap_bcast)
callers=$(at first first; at second second; at third third)

# of_calls MPI LEVEL
of_calls() {
    local mpi=$1 run=("$mpipp" run "--mpi=$1" -n 2)
    local program=./wrapped-$1-$2 two name="$1 -$2"
    two=$(printf '%s\nfrom %s\n' "$in_wrapper" "$(at first first)" "$in_wrapper" "$(at wrap wrap_wrapped)" \
        "$in_wrapper" "$(at inlined wrap_inlined)")
    two+=$'\n'"from $(at third third)"
    ok "$name: one frame" shows_sites "$in_wrapper" "${run[@]}" "$program"
    ok "$name: the callers of calls" shows_sites "$two" "${run[@]}" --callers=2 "$program"
    ok "$name: a wrapper is passed over" shows_sites "$callers" "${run[@]}" --skip-frames='wrap_*' "$program"
    ok "$name: a report for each caller" grep -q '^mpipp: 3 errors; ' err
    ok "$name: patterns with commas" shows_sites "$callers" \
        "${run[@]}" --skip-frames=wrap_bcast,wrap_wrapped,wrap_in??ned "$program"
    ok "$name: patterns one by one" shows_sites "$callers" \
        "${run[@]}" --skip-frames=wrap_bcast --skip-frames wrap_wrapped --skip-frames='*inlined' "$program"
    ok "$name: patterns of the environment" shows_sites "$callers" \
        env MPIPP_SKIP_FRAMES='wrap_*' "${run[@]}" "$program"
    ok "$name: an option comes before the environment" shows_sites "$in_wrapper" \
        env MPIPP_SKIP_FRAMES='wrap_*' "${run[@]}" --skip-frames=other "$program"
    ok "$name: a name that is a part of it" shows_sites "$in_wrapper" "${run[@]}" --skip-frames=wrap_,bcast "$program"
    ok "$name: one of the wrappers" shows_sites \
        "$(at first first; at wrap wrap_wrapped; at inlined wrap_inlined; echo "from $(at third third)")" \
        "${run[@]}" --skip-frames=wrap_bcast "$program"
    ok "$name: all frames match" shows_sites "$in_wrapper" "${run[@]}" --skip-frames='*' "$program"
    ok "$name: with --callers" shows_sites \
        "$callers"$'\n'"from $(at main main)"$'\n'"from $(at last main)" \
        "${run[@]}" --callers=3 --skip-frames='wrap_*' "$program"
    ok "$name: --callers leaves no caller" shows_sites "$in_wrapper" \
        "${run[@]}" --callers=1 --skip-frames='wrap_*' "$program"
    "${run[@]}" --skip-frames='wrap_*' --report=a.jsonl "$program" >/dev/null 2>&1
    ok "$name: the site in a file" test "$(sed 's/.*"site":{"file":[^,]*,"line":\([0-9]*\).*/\1/' a.jsonl | sort)" = \
        "$(printf '%s\n' "$(line_of first)" "$(line_of second)" "$(line_of third)" | sort)"
}

# of_types MPI LEVEL: where a type was made, and the other call; and whose elements they are
of_types() {
    local run=("$mpipp" run "--mpi=$1" -n 1) program=./wrapped-$1-$2 name="$1 -$2"
    ok "$name: a type and another call, in wrappers" says_lines "${run[@]}" "$program" types <<END
^  receive +MPI_Irecv[(].*request=0x.*   $(at receive 'wrap_receive[(][)]')\$
^  type .*: created at $(at type 'wrap_type[(][)]'), committed at
END
    ok "$name: the elements of two buffers" says_lines "${run[@]}" "$program" types <<'END'
^    element .*[(]VECTOR[)]\[0]\[0][(]MPI_INT[)], byte 0, of this call's buffer$
^    element .*[(]VECTOR[)]\[0]\[0][(]MPI_INT[)], byte 0, of the buffer of the pending MPI_Irecv$
END
    ok "$name: a type and another call, through wrappers" says_lines \
        "${run[@]}" --skip-frames='wrap_*' "$program" types <<END
^  receive .*   $(at again 'use_types[(][)]')\$
^  receive .*   $(at begun 'use_types[(][)]')\$
^  type .*: created at $(at made 'use_types[(][)]'), committed at
END
}

# finds_lines MPI: the reports name the marked lines of lines.f90, and no others
finds_lines() {
    patiently "$mpipp" run --mpi="$1" -n 1 "./lines-$1" >out 2>err </dev/null
    sed -nE 's/^  (call|at) +.*   (lines.f90:[0-9]+) in [a-z_]+[(][)]$/\2/p; s/^  at +(lines.f90:[0-9]+) .*/\1/p' err | sort -u >shown
    grep -n '! named$' "$here/lines.f90" | sed 's/\([0-9]*\):.*/lines.f90:\1/' | sort >wanted
    diff wanted shown && return
    cat err
    return 1
}

for mpi in mpich openmpi; do
    for level in O0 O2; do
        "mpicc.$mpi" -g -$level -o wrapped-$mpi-$level "$here/wrapped.c" || exit 2
        of_calls $mpi $level
        of_types $mpi $level
    done
    "mpif90.$mpi" -g -O0 -J "$folder" -o fortran-$mpi "$here/wrapped.f90" || exit 2
    fortran="wrapped.f90:$(line_of first wrapped.f90) in wrapped()
wrapped.f90:$(line_of second wrapped.f90) in wrapped()"
    ok "$mpi: Fortran, one frame" shows_sites "wrapped.f90:$(line_of bcast wrapped.f90) in wrap_bcast()" \
        "$mpipp" run --mpi=$mpi -n 2 ./fortran-$mpi
    ok "$mpi: Fortran, a wrapper is passed over" shows_sites "$fortran" \
        "$mpipp" run --mpi=$mpi -n 2 --skip-frames='wrap_*' ./fortran-$mpi
    "mpif90.$mpi" -g -O0 -w -J "$folder" -o lines-$mpi "$here/lines.f90" || exit 2
    ok "$mpi: Fortran, calls whose arguments are all variables" finds_lines $mpi
done

for patterns in '' ',' 'a,' ',a' 'a,,b'; do
    ok "--skip-frames=$patterns" says 2 "'--skip-frames=$patterns': a pattern is empty" \
        "$mpipp" run --skip-frames=$patterns ./wrapped-mpich-O0
done
ok "MPIPP_SKIP_FRAMES=a,,b" says 2 "'MPIPP_SKIP_FRAMES=a,,b': a pattern is empty" \
    env MPIPP_SKIP_FRAMES=a,,b "$mpipp" run ./wrapped-mpich-O0
finish
