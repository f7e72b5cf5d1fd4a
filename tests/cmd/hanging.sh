# shellcheck shell=bash
# Sourced by tests of jobs that hang: runs "${program[@]}" with the name of a mode as its argument, and with
# "${options[@]}" of 'mpipp run'. Needs jobs.sh.

# line MARK: its line number, in the file of "${sources[@]}" that has it
line() {
    grep -hnE "hang: $1( |$)" "${sources[@]}" | cut -d: -f1
}

# job RANKS MODE [OPTION...]: one run; its output and exit status are in separate files
job() {
    local ranks=$1 mode=$2
    shift 2
    mkdir -p "$TMPDIR/$mode" # Open MPI's launchers fail where several make their folder in one at a time
    TMPDIR=$TMPDIR/$mode patiently -t 120 "${marked[@]}" "$mpipp" run -n "$ranks" --timeout=2 "${options[@]}" "$@" "${program[@]}" "$mode" >"$mode.out" 2>"$mode.err" </dev/null
    echo $? >"$mode.status"
}

# found MODE PATTERN...: the job was ended with 86, and lines of its report match
found() {
    local mode=$1 pattern
    shift
    [ "$(cat "$mode.status")" = 86 ] || { echo "status $(cat "$mode.status")"; cat "$mode.err"; return 1; }
    for pattern in "$@"; do
        grep -qE -e "$pattern" "$mode.err" || { echo "no '$pattern' in:"; cat "$mode.err"; return 1; }
    done
    # One finding, once.
    [ "$(grep -cE '^mpipp: (error|warning)' "$mode.err")" = 1 ] || { cat "$mode.err"; return 1; }
}

# silent MODE: it ended by itself, and nothing was reported
silent() {
    [ "$(cat "$1.status")" = 0 ] && grep -qE '^mpipp: no errors(, 1 note)?; ' "$1.err" &&
        ! grep -qE 'deadlock|collective-missing' "$1.err" && return
    echo "status $(cat "$1.status")"
    cat "$1.err"
    return 1
}

# side_by_side "RANKS MODE"...: several jobs at a time
side_by_side() {
    local one ranks mode running=0
    for one in "$@"; do
        read -r ranks mode <<<"$one"
        job "$ranks" "$mode" --fail-on=error &
        running=$((running + 1))
        [ $((running % 3)) = 0 ] && wait
    done
    wait
}
