#!/bin/bash
# Children of a rank: those of the other MPI run as if nothing were preloaded, and those without MPI
# keep nothing of the library.
cd "$(dirname "$0")/../.." || exit 2
. tests/count.sh
. tests/cmd/says.sh
. tests/cmd/jobs.sh

in_folder aside
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
cat >late.c <<'END_OF_C'
#include <dlfcn.h>
#include <stdio.h>
int main(int count, char **arguments)
{
    void *module = dlopen(arguments[count - 1], RTLD_NOW | RTLD_LOCAL);
    char *words[] = {arguments[0], NULL};
    return module ? ((int (*)(int, char **))dlsym(module, "aside"))(1, words) : !!puts(dlerror());
}
END_OF_C
gcc -o late late.c -ldl || exit 2
for mpi in mpich openmpi; do
    "mpicc.$mpi" -g -o aside-$mpi "$top/tests/cmd/aside.c" &&
        "mpicc.$mpi" -g -Wl,-z,now -o now-$mpi "$top/tests/cmd/aside.c" &&
        "mpicc.$mpi" -DMODULE -shared -fPIC -o module-$mpi.so "$top/tests/cmd/aside.c" || exit 2
done
# A child is no rank of its parent's job.
alone='env -u PMI_RANK -u PMI_SIZE -u PMI_FD -u PMI_PORT'

# runs PARENT COMMAND: both compute what is right; the parent alone is checked
runs() {
    patiently "$mpipp" run -n 2 $check "./aside-$1" "$alone $2" >out 2>err </dev/null &&
        grep -q '^a copy of child: 1 0 3, tag 7$' out &&
        [ "$(grep -c '^a copy of parent: 1 0 6, tag 7$' out)" = 2 ] &&
        grep -qE '^mpipp: no errors; [0-9]+ calls checked on 2 ranks$' err && return
    cat out err
    return 1
}

for mpi in mpich openmpi; do
    other=openmpi
    [ $mpi = mpich ] || other=mpich
    for check in '' --check=local,modified,size --callers=3; do
        ok "$mpi: a child of the other MPI $check" runs $mpi "./aside-$other"
    done
    check=
    ok "$mpi: a child of the other MPI, bound at its start" runs $mpi "./now-$other"
    ok "$mpi: a child that opens the other MPI late" runs $mpi "./late ./module-$other.so"
    ok "$mpi: a script with a program of the other MPI" gives 0 '^a copy of child: 1 0 3, tag 7$' \
        "$mpipp" run --mpi=$mpi -n 1 /bin/sh -c "$alone ./aside-$other; exit 0"
    ok "$mpi: a script with a program of each MPI" gives 0 \
        '^mpipp: no errors; 1[0-9] calls checked on 1 rank$' \
        "$mpipp" run --mpi=$mpi -n 1 /bin/sh -c "$alone ./aside-$other; exec ./aside-$mpi"
    ok "$mpi: children without MPI: one thread" gives 0 '^Threads:.1$' \
        "$mpipp" run -n 1 ./aside-$mpi "grep Threads: /proc/self/status"
    ok "$mpi: children without MPI: no output, their status" gives 0 '^said 3$' \
        "$mpipp" run -n 1 ./aside-$mpi "test \"\$(sh -c 'echo said; exit 3' 2>&1)\" = said && sh -c 'exit 3' 2>&1 || echo said \$?"
    ok "$mpi: children without MPI: a compiler, Python" runs $mpi \
        "sh -c 'gcc -o compiled late.c && python3 -c 1 && ./aside-$other'"
done
finish
