#!/bin/sh
# generate.sh: what generate.py says to an mpi.h with a constructor that its tables do not know, or
# with one whose parameters changed. Says what is wrong, or nothing.
generate=libshadowtype/runtime/wrap/generate/generate.py
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
status=0

# expect WORDS DECLARATION
expect() {
    echo "#define MPI_INT ((MPI_Datatype)0x4c000405)
          typedef int MPI_Datatype; $2" >"$folder/mpi.h"
    said=$(${PYTHON:-python3} $generate ${CC:-cc} -I"$folder" -- "$folder/a.c" "$folder/b.c" 2>&1)
    code=$?
    if [ "$1" = nothing ]; then
        [ $code = 0 ] && [ -z "$said" ] && return
    elif [ $code = 1 ] && echo "$said" | grep -q "$1" && [ "$(echo "$said" | wc -l)" = 1 ]; then
        return
    fi
    echo "for '$2', exit status $code: $said"
    status=1
}

expect nothing 'int MPI_Type_dup(MPI_Datatype oldtype, MPI_Datatype *newtype);'
expect "'MPI_Type_create_spiral' gives out a datatype" \
    'int MPI_Type_create_spiral(int turns, MPI_Datatype oldtype, MPI_Datatype *newtype);'
expect "'MPI_Type_dup' has 3 parameters" \
    'int MPI_Type_dup(int how, MPI_Datatype oldtype, MPI_Datatype *newtype);'
expect 'no predefined datatype' '
#undef MPI_INT
'
exit $status
