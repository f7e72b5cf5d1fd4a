#!/bin/sh
# The main job, for real: figure1.c as two ranks, each under gdb, stopped after the message.
#
#   demo.sh [mpich|openmpi]
#
# Shows what gdb shows on both ranks; exit status 0 if that is the paper's Figure 5.
set -eu

mpi=${1:-mpich}
here=$(cd "$(dirname "$0")" && pwd)
source=$here/../figure1.c
MPIPP=$(realpath "${MPIPP:-$here/../../build/bin/mpipp}")
export MPIPP

case $mpi in
mpich | openmpi) ;;
*) echo "demo: no MPI is called '$mpi': 'mpich' or 'openmpi'" >&2 && exit 2 ;;
esac

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

if command -v "mpicc.$mpi" >/dev/null; then mpicc=mpicc.$mpi; else mpicc=mpicc; fi
"$mpicc" -g -O0 "$source" -o "$folder/figure1"
line=$(awk '/stop here/ { print NR }' "$source")

# What counts is what the ranks show, below.
timeout 120 "$MPIPP" run --mpi="$mpi" -n 2 "$here/rank.sh" "$folder" "$line" \
    >"$folder/launcher" 2>&1 || true

# Without white space, which gdb's settings decide.
figure5='{kind=STRUCT,count=5,entries={'
figure5=$figure5'{blocklength=1,offset=-4,type="MPI_LB"},'
figure5=$figure5'{blocklength=5,offset=0,type="MPI_INT"},'
figure5=$figure5'{blocklength=7,offset=47,type="MPI_CHAR"},'
figure5=$figure5'{blocklength=2,offset=76,type="MPI_DOUBLE"},'
figure5=$figure5'{blocklength=1,offset=100,type="MPI_UB"}}}'
# gdb shows 3.14 with all the digits that a double has.
data='{[0]={MPI_LB},[1]={1,2,3,4,5},[2]="holisti",[3]={3.1400000000000001,2.71},[4]={MPI_UB}}'

status=0 before=
for rank in 0 1; do
    output=$folder/rank$rank
    if ! grep -q '^--- done' "$output" 2>/dev/null; then
        echo "=== rank $rank, $mpi"
        cat "$output" "$folder/launcher" 2>/dev/null || true
        echo "demo: rank $rank did not get to its end" >&2
        status=1
        continue
    fi
    shown=$(sed -n '/^--- stopped/,/^--- done/{/^---/!p;}' "$output")
    if [ "$rank" = 1 ] && [ "$shown" = "$before" ]; then
        printf '=== rank 1, %s: the same\n\n' "$mpi"
    else
        printf '=== rank %s, %s\n%s\n\n' "$rank" "$mpi" "$shown"
    fi
    before=$shown
    stripped=$(echo "$shown" | tr -d ' \n')
    for wanted in "$figure5" "$data"; do
        case $stripped in
        *"$wanted"*) ;;
        *) echo "demo: rank $rank does not show $wanted" >&2 && status=1 ;;
        esac
    done
done
[ "$status" = 0 ] && echo "demo: both ranks show the paper's Figure 5, and the buffer through it"
exit "$status"
