#!/bin/bash
# mpipp in the home folder of a user who may write nowhere else, copied there from where it was installed, with MPI installations
# in folders of their own: copies of the system's, whose compiler wrappers and launchers name these folders. Both MPIs.
cd "$(dirname "$0")/../.." || exit 2
. tests/count.sh
. tests/cmd/says.sh

top=$PWD
BUILD=$(realpath "${BUILD:-build}")
all=$(TMPDIR=/tmp mktemp -d) # a folder that other users can enter
chmod 711 "$all"
trap 'rm -rf "$all"' EXIT
unset MPIPP_MPI MPIPP_GDB LD_PRELOAD

# opt MPI: $opt, a copy of what the system's wrapper, launcher and library are
opt() {
    local word words wrapper=mpicc.$1 launcher=mpirun.openmpi library=mpich
    opt=$all/opt/$1
    [ "$1" = mpich ] || library=mpi
    mkdir -p "$opt/bin" "$opt/lib" "$opt/include"
    "$wrapper" -show >/dev/null || return
    for word in $("$wrapper" -show); do
        [[ $word != -I* ]] || cp -rL "${word#-I}/." "$opt/include" || return
    done
    "$wrapper" -o "$all/asked" "$top/tests/cmd/probe.c" || return
    words=$(ldd "$all/asked" | awk -v name="lib$library.so." 'index($1, name) == 1 { print $1, $3; exit }')
    cp -L "${words#* }" "$opt/lib/${words% *}" && ln -s "${words% *}" "$opt/lib/lib$library.so" || return
    printf '#!/bin/sh\nexec gcc -I%s "$@" -L%s -Wl,-rpath,%s -l%s\n' "$opt/include" "$opt/lib" "$opt/lib" $library >"$opt/bin/mpicc"
    # A launcher that leaves a note of each start. Open MPI's own looks for its files where it was installed.
    if [ "$1" = mpich ]; then
        cp -L "$(command -v mpiexec.hydra)" "$(command -v hydra_pmi_proxy)" "$opt/bin" || return
        launcher=$opt/bin/mpiexec.hydra
    fi
    printf '#!/bin/sh\necho "$0" >>"$HOME/launched"\nexec %s "$@"\n' "$launcher" >"$opt/bin/mpiexec"
    chmod 755 "$opt"/bin/*
}

# written: the user has left no file outside of the home folder
written() {
    local found
    found=$(find /tmp /var/tmp /dev/shm /run /var/lock ! -path "$home/*" ! -path "$home" -newer "$all/begun" -user "$(stat -c %u "$home")" 2>/dev/null)
    [ -z "$found" ] || { echo "$found"; return 1; }
}

installed() {
    local mpi=$1
    opt "$mpi" || { ok "$mpi: a copy of the system's MPI" false; return; }
    ok "$mpi: the build would be for this copy" [ "$(cmd/setup/mpis.sh "$opt/bin/mpicc")" = "$mpi=$opt/bin/mpicc" ]
    cp "$top/tests/cmd/probe.c" "$top/examples/halo.c" "$top/examples/errors/datatype-recommitted.c" "$home"
    for program in probe halo datatype-recommitted; do
        ok "$mpi: mpicc $program" "${user[@]}" "$opt/bin/mpicc" -g -o $program $program.c
    done
    rm -f "$home/launched"
    ok "$mpi: mpipp run" times 3 'rank [0-2] of 3, loaded' "${user[@]}" mpipp run -n 3 ./probe
    ok "$mpi: by the launcher beside the MPI library" grep -qx "$opt/bin/mpiexec" "$home/launched"
    ok "$mpi: no sentence on another version" times 0 'was built for' "${user[@]}" mpipp run -n 1 ./probe
    ok "$mpi: a report with lines of the source" gives 0 \
        "^  call      MPI_Type_commit\(.*\)   datatype-recommitted.c:$line in main\(\)\$" \
        "${user[@]}" mpipp run -n 2 --report=errors.html --report=errors.sarif ./datatype-recommitted
    ok "$mpi: the files of reports" grep -q datatype-recommitted.c "$home/errors.html" "$home/errors.sarif"
    ok "$mpi: mpipp gdb -batch" gives 0 'kind = VECTOR, name = "column", count = 4,' "${user[@]}" mpipp gdb -n 1 -nx -batch \
        -ex 'break exchanged' -ex run -ex up -ex 'print column' ./halo
    ok "$mpi: mpipp gdb, two ranks" gives 0 '^0-1 +outside MPI ' "${user[@]}" mpipp gdb -n 2 -nx -batch \
        -ex 'break exchanged' -ex continue -ex 'mpi ranks' ./halo
    ok "$mpi: mpipp exec" gives 0 'rank 0 of 1, loaded' "${user[@]}" mpipp exec ./probe
}

begun=$all/begun
: >"$begun"
home=$all/home
mkdir -p "$home/tmp"
ok "make install" make -s SETUP=no BUILD="$BUILD" PREFIX=/opt/mpipp DESTDIR="$all/image" install
mv "$all/image/opt/mpipp" "$home/mpipp"
[ "$(id -u)" != 0 ] || chown -R 65534:65534 "$home"
# As the user, in the home folder.
user=(env -i -C "$home" PATH="$home/mpipp/bin:/usr/bin:/bin" HOME="$home" TMPDIR="$home/tmp" LANG=C.UTF-8
    HWLOC_PLUGINS_PATH=/none OMPI_MCA_pml=ob1)
[ "$(id -u)" != 0 ] || user=(setpriv --reuid 65534 --regid 65534 --clear-groups "${user[@]}")
line=$(grep -n 'error: datatype-recommitted' examples/errors/datatype-recommitted.c | cut -d: -f1)
for mpi in mpich openmpi; do
    installed $mpi
done
if "${user[@]}" /usr/bin/python3 -c 'import mpi4py' 2>/dev/null; then
    ok "mpi4py" times 2 'size 2$' "${user[@]}" mpipp run -n 2 /usr/bin/python3 -c \
        'from mpi4py import MPI; print("size", MPI.COMM_WORLD.size, flush=True)'
else
    skip "mpi4py" "it is not installed"
fi
ok "mpipp explain" gives 0 '^' "${user[@]}" mpipp explain datatype-freed
ok "pkg-config is right after the move" gives 0 "^-L$home/mpipp/lib/" env PKG_CONFIG_PATH="$home/mpipp/lib/pkgconfig" \
    pkg-config --libs shadowtype-mpich
if [ "$(id -u)" = 0 ]; then
    ok "nothing is written outside of the home folder" written
else
    skip "nothing is written outside of the home folder" "not root: other tests write there, too"
fi
finish
