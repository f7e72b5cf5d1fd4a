# shellcheck shell=bash
# Sourced by the tests of random one-sided programs, after job.sh.

# drawn SEED [ROUNDS]: exactly the conflicts of a random program that the model of races.py predicts
drawn() {
    local name=drawn-$1 ranks
    ranks=$(python3 -S "$here/races.py" ranks "$1")
    # All call sites have to fit into a rank's area (runtime/ranks/places.h): those without a build id are shorter.
    python3 -S "$here/races.py" make "$@" >"$name.c" &&
        "mpicc.$mpi" -std=c11 -g -w -I "$here" -Wl,--build-id=none -o "$name.run" "$name.c" &&
        job "$name" "$ranks" "../$name.run" && python3 -S "$here/races.py" judge "$1" "$name/found.jsonl" "${@:2}" && return
    tail -3 "$name/err"
    return 1
}
