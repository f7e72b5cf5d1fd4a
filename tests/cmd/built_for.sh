#!/bin/bash
# What each libshadowtype was built for, and programs of another version of that MPI: fakes of its library.
cd "$(dirname "$0")/../.." || exit 2
. tests/count.sh
. tests/cmd/says.sh

top=$PWD
BUILD=$(realpath "${BUILD:-build}")
mpipp=$BUILD/bin/mpipp
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 2
unset MPIPP_MPI LD_PRELOAD

# Another MPI library: the real one with another name, and perhaps another version.
cat >other.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>
int MARK; /* how mpipp knows the kind */
int PMPI_Init(int *count, char ***words);
int PMPI_Init(int *count, char ***words)
{
    int (*real)(int *, char ***) = (int (*)(int *, char ***))dlsym(RTLD_NEXT, "PMPI_Init");
    return real == NULL || real(count, words);
}
#ifdef SAID
int PMPI_Get_library_version(char *version, int *length);
int PMPI_Get_library_version(char *version, int *length)
{
    strcpy(version, SAID);
    *length = (int)strlen(SAID);
    return 0;
}
#endif
END

# other SONAME [VERSION]: ./other, a program of such an MPI
other() {
    "mpicc.$mpi" -shared -fPIC -DMARK=$mark -Wl,-soname,"$1" ${2:+-DSAID="\"$2\""} -Wl,--no-as-needed -o "$1" other.c -ldl &&
        "mpicc.$mpi" -g -o other "$top/tests/cmd/probe.c" -Wl,--no-as-needed "./$1" -Wl,-rpath,"$folder"
}

for mpi in mpich openmpi; do
    "mpicc.$mpi" -g -o $mpi "$top/tests/cmd/probe.c" || exit 2
    case $mpi in
        mpich) title=MPICH newer='MPICH Version:	99.1' mark=MPIR_mark ;;
        *) title='Open MPI' newer='Open MPI v99.1, package: none' mark=ompi_mark ;;
    esac
    # The wrapper's own macros and its own program are the oracle.
    version=$(printf '#include <mpi.h>\n%s\n' "$([ $mpi = mpich ] && echo MPICH_VERSION ||
        echo 'OMPI_MAJOR_VERSION OMPI_MINOR_VERSION OMPI_RELEASE_VERSION')" |
        "mpicc.$mpi" -E -P -x c - | tail -n 1 | tr -d '"' | tr ' ' .)
    library=$(ldd $mpi | sed -n 's/^[ \t]*\(libmpi\(ch\)\{0,1\}\.so\.[0-9]*\) .*/\1/p')
    ok "$mpi: --version" gives 0 "^libshadowtype-$mpi.so: built for $title $version, $library\$" "$mpipp" --version
    ok "$mpi: the same version says nothing" times 0 'was built for' "$mpipp" run -n 2 ./$mpi

    same=libmpi_other.so.${library##*.}
    other "$same" "$newer" || exit 2
    ok "$mpi: another major version says so, once" times 1 \
        "^mpipp: the ranks use $title 99.1, and this libshadowtype was built for $title $version: MPI functions that only one of them has are not checked" \
        "$mpipp" run -n 2 ./other
    ok "$mpi: and its calls are checked" gives 0 '^mpipp: no errors; [0-9]+ calls checked on 2 ranks' \
        "$mpipp" run -n 2 ./other
    other "$same" "${newer/99.1/${version%%.*}.99}" || exit 2
    ok "$mpi: another minor version says nothing" times 0 'was built for' "$mpipp" run -n 2 ./other
    other "$same" "Intel(R) MPI Library 2021.9 for Linux* OS" || exit 2
    ok "$mpi: another product says nothing" times 0 'was built for' "$mpipp" run -n 2 ./other

    other libmpi.so.99 || exit 2
    ok "$mpi: another number of the soname says so, once" times 1 \
        "^mpipp: './other' uses libmpi.so.99, and this mpipp was built for $title $version, $library: it may report" \
        "$mpipp" run -n 2 ./other
    ok "$mpi: and the program runs" times 2 'rank [01] of 2, loaded' "$mpipp" run -n 2 ./other
    # Cray's MPI has such a name.
    other "libmpi_gnu_91.so.${library##*.}" || exit 2
    ok "$mpi: another soname with the same number says nothing" times 0 'was built for' "$mpipp" run -n 2 ./other
done
ok "a compiler that links no MPI: its name is not known" gives 0 '^$' "$top/cmd/setup/soname.sh" gcc

cd / && finish
