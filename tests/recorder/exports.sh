#!/bin/sh
# exports.sh LIBRARY: the names that leave the library are MPI's, PMPI's (and of MPI's extensions), some of Fortran's, and those that the list of
# Debian's package has (debian/*.symbols); its soname is the list's;
# its debug information has no types but st_*, no lines and no path of this machine; it needs no MPI library; every MPI_ name has its
# PMPI_ twin, and to a debugger both names are at both places. Says what is wrong, or nothing.
names=$(nm -D --defined-only "$1" | awk '{ print $NF }' | sed 's/@.*//') || exit 1
status=0

list=debian/$(basename "$1" .so).symbols
ours=$(echo "$names" | grep -vE '^P?MPIX?_[A-Z][A-Za-z0-9_]*$|^p?mpi_[a-z0-9_]*_$' | sort)
listed=$(sed -n 's/^ \([a-z_]*\)@Base .*/\1/p' "$list" | sort)
if [ "$ours" != "$listed" ]; then
    echo "$1 exports:" $ours
    echo "$list has:" $listed
    status=1
fi
soname=$(readelf -d "$1" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
if [ "$soname" != "$(sed -n '1s/ .*//p' "$list")" ] || [ "$soname" != "$(readlink "$1")" ]; then
    echo "the soname of $1 is $soname; it is a link to $(readlink "$1"), and $list has $(head -n 1 "$list")"
    status=1
fi
for name in $(echo "$names" | grep -E "^MPIX?_"); do
    echo "$names" | grep -qx "P$name" || { echo "$name without P$name in $1"; status=1; }
done
if readelf -d "$1" | grep NEEDED | grep -E 'mpi|open-'; then
    echo "$1 needs an MPI library"
    status=1
fi

# `step' enters what has lines. The developers' copy has them.
readelf -SW "$1" | grep -F .debug_line' ' && { echo "lines in $1"; status=1; }
# And gdb shows the line of a declaration where a function begins with an inlined one.
readelf --debug-dump=abbrev "$1" | grep -F DW_TAG_inlined && { echo "inlined functions in $1"; status=1; }
copy=$(dirname "$1")/mpipp/debug/$(basename "$1")
readelf -SW "$copy" | grep -qF .debug_line' ' || { echo "no lines in $copy"; status=1; }
strings "$1" "$copy" | grep -F "$PWD" && status=1
places=$(nm --defined-only "$1" | grep -cE ' T P?MPI_Send$')
[ "$places" = 4 ] || { echo "MPI_Send and PMPI_Send are at $places places of $1, not at 2 each"; status=1; }

# Nor does a name of ours stand for a type in the debugger: to gdb, `row' would be ours in a Fortran
# program that has a variable of that name.
gdb -nx -batch -ex 'info types .' "$1" 2>/dev/null |
    awk '$2 ~ /^(struct|enum|union)$/ { sub(";", "", $3); print $3 }' | sort -u | grep -v '^st_' |
    while read -r name; do
        grep -rE "^[[:space:]]*(struct|enum|union) $name \{" libshadowtype --include='*.[ch]'
    done | sed "s|^|a type in the debug information of $1 without st_: |" | grep . && status=1
# Nor for a variable: gdb would show ours wherever the program has none of that name in scope.
gdb -nx -batch -ex 'info variables .' "$1" 2>/dev/null |
    sed -nE 's/^[0-9]+:.*[ *]\(?\*?([A-Za-z_0-9]+)(\)?[][(].*)?;$/\1/p; s/^0x[0-9a-f]+ +//p' | grep -vE '^(st|form|_?shadowtype)_' |
    sed "s|^|a variable in $1 without st_: |" | grep . && status=1
# Nor for a function that the program may have, too.
gdb -nx -batch -ex 'info functions -n .' "$1" 2>/dev/null |
    sed -nE 's/^[0-9]+:.*[ *]([A-Za-z_0-9.]+)\(.*;$/\1/p; s/^0x[0-9a-f]+ +//p' |
    grep -vE '^(_|st_|wrap_|P?MPIX?_|p?mpix?_|shadowtype_|mpipp_)|^[a-z0-9]+$|\.' |
    sed "s|^|a function in $1 without st_: |" | grep . && status=1
exit $status
