# shellcheck shell=bash
# Sourced by the tests of messages and of one-sided calls: common settings, and a job whose findings they read.

. tests/count.sh
. tests/cmd/says.sh
. tests/cmd/jobs.sh
unset MPIPP_CHECK MPIPP_REPORTS MPIPP_MAX_REPORTS DEBUGINFOD_URLS
here=$top/tests/ranks
read -r python python_mpi < <(sh "$top/tests/python.sh")

# job NAME RANKS PROGRAM ARGUMENT...: runs it in a separate folder, with --check=$check
job() {
    local name=$1 ranks=$2
    shift 2
    mkdir -p "$name/tmp"
    (cd "$name" && TMPDIR=$PWD/tmp patiently "${marked[@]}" "$mpipp" run -n "$ranks" --check="$check" --max-reports=100000 \
        --report=found.jsonl "$@" >out 2>err </dev/null)
}
