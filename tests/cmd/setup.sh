#!/bin/bash
# setup.sh, on machines that stand-ins for dpkg-query, apt-get, id and sudo make up.
cd "$(dirname "$0")/../.." || exit 2
. tests/count.sh

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export STATE=$folder INIT=init LISTS=$folder/lists LC_ALL=C.UTF-8
mkdir "$LISTS"

# stand_in NAME BODY
stand_in() {
    printf '#!/bin/sh\n%s\n' "$2" >"$folder/$1"
    chmod +x "$folder/$1"
}
# What is installed is in $STATE/installed; of other packages, dpkg-query says nothing.
stand_in dpkg-query 'while read -r p; do echo "installed $p"; done <"$STATE/installed"
echo "deinstall gdb"'
stand_in apt-get 'echo "apt-get $*" >>"$STATE/calls"; [ ! -e "$STATE/broken" ] ||
{ echo "E: broken" >&2; exit 100; }'
# Names in $STATE/unknown are in no list of packages. Its words are those of the user's language, here German.
stand_in apt-cache 'word=Candidate
[ "$LC_ALL" = C ] || word=Installationskandidat
grep -qxF "$2" "$STATE/unknown" || printf "%s:\n  %s: 1.0\n" "$2" "$word"'
stand_in sudo '[ -e "$STATE/may-sudo" ] || exit 1; echo "sudo" >>"$STATE/calls"; shift; exec "$@"'
all=$(awk '/^[a-z]/ { print $1 }' cmd/setup/packages)

# machine UID INSTALLED: what the next run of setup.sh finds
machine() {
    stand_in id "echo $1"
    echo "$2" >"$folder/installed"
    rm -f "$folder/calls" "$folder/broken" "$folder/may-sudo" "$folder/unknown"
    touch "$folder/calls" "$folder/unknown" "$LISTS/bookworm_Packages"
}

# setup STATUS PATTERN CALLS: its exit status and output, and what it had apt-get do
setup() {
    local output got
    output=$(PATH=$folder:$PATH cmd/setup/setup.sh 2>&1 </dev/null)
    got=$?
    [ "$got" = "$1" ] && grep -qE -e "$2" <<<"$output" && [ "$(cat "$folder/calls")" = "$3" ] &&
        return
    echo "wanted status $1, '$2', calls '$3', got status $got, calls '$(cat "$folder/calls")': $output"
    return 1
}

update='apt-get -qq update'
install='apt-get -qq -y --no-install-recommends install'
but_two=$(grep -vxE 'gdb|mpich' <<<"$all")

machine 0 "$all"
ok "nothing is missing" setup 0 '^$' ''
machine 0 "$but_two"
ok "root installs what is missing, and says so" setup 0 '^setup: installing mpich gdb$' "$update
$install mpich gdb"
machine 1000 "$but_two" && touch "$folder/may-sudo"
ok "so does sudo without a password" setup 0 '^setup: installing mpich gdb$' "sudo
sudo
$update
sudo
$install mpich gdb"
machine 1000 "$but_two"
ok "without either, it prints the line to run" setup 1 \
    "^sudo sh -c 'apt-get update && apt-get install -y --no-install-recommends mpich gdb'$" ''
machine 0 "$but_two" && touch "$folder/broken"
ok "apt-get fails: its words, and a failure" setup 1 '^E: broken$' "$update"
lacks_ddd='^setup: this system has no ddd: some tests are skipped$'
machine 0 "$(grep -vxE 'ddd|gdb' <<<"$all")" && echo ddd >"$folder/unknown"
ok "a test's package that this Debian does not have is left out" setup 0 "$lacks_ddd" "$update
$install gdb"
machine 0 "$(grep -vxE 'ddd|gdb' <<<"$all")" && echo ddd >"$folder/unknown" && rm "$LISTS/bookworm_Packages"
ok "which is known only by lists of packages" setup 0 'setup: installing gdb ddd$' "$update
$install gdb ddd"
machine 1000 "$(grep -vxF ddd <<<"$all")" && echo ddd >"$folder/unknown"
ok "nothing else is missing: it needs no root" setup 0 "$lacks_ddd" ''
machine 0 "$but_two" && echo mpich >"$folder/unknown"
ok "one that the build needs is asked for all the same" setup 0 'installing mpich gdb' "$update
$install mpich gdb"
machine 0 ''
ok "a bare machine: the whole list" setup 0 'installing gcc .* dejagnu' "$update
$install $(xargs <<<"$all")"
machine 0 "$but_two" && INIT=bash
ok "in a container, dpkg does not wait for the disk" setup 0 '^setup: installing mpich gdb$' "$update
${install% install} -o Dpkg::Options::=--force-unsafe-io install mpich gdb"
machine 0 '' && INIT=init
ok "nor does the demo read translations there" env INIT=bash bash -c 'PATH=$STATE:$PATH cmd/setup/setup.sh demo >"$STATE/out" &&
    grep -qx "apt-get -qq -o Acquire::Languages=none update" "$STATE/calls"'
machine 0 ''
ok "under systemd: none that would start a service" env INIT=systemd bash -c \
    'PATH=$STATE:$PATH cmd/setup/setup.sh >"$STATE/out" && ! grep -q openssh-server "$STATE/out"'
machine 0 "$(grep -v openssh-server <<<"$all")"
ok "and none is missing" env INIT=systemd bash -c \
    'PATH=$STATE:$PATH cmd/setup/setup.sh >"$STATE/out" && [ ! -s "$STATE/out" ]'

# Kinds of packages: 'make setup' installs what the build needs, and no MPI where one is named.
machine 0 ''
ok "for the build alone" bash -c 'PATH=$STATE:$PATH cmd/setup/setup.sh build >"$STATE/out" &&
    grep -q " mpich .* gdb " "$STATE/out" && ! grep -qE "dejagnu|ddd|sshd" "$STATE/out"'
ok "for the checker alone" bash -c 'PATH=$STATE:$PATH cmd/setup/setup.sh checker >"$STATE/out" &&
    grep -q " mpich .* libjansson-dev " "$STATE/out" && ! grep -qE " gdb | python3-dev | dejagnu " "$STATE/out"'
ok "with an MPI of the user's own" env MPICCS=/opt/mpi/bin/mpicc bash -c \
    'PATH=$STATE:$PATH cmd/setup/setup.sh build >"$STATE/out" && ! grep -qE "mpich|openmpi" "$STATE/out"'

# demo_installs PATTERN [MPI]: the packages of MPI libraries that 'make demo MPI=...' installs. setup.sh sees the compiler
# wrappers in $STATE/wrappers alone.
demo_installs() {
    local tool
    machine 0 ''
    for tool in awk cat dirname env grep ls mktemp rm sh; do
        ln -sf "$(command -v $tool)" "$STATE/$tool"
    done
    PATH=$STATE/wrappers:$STATE MPI=${2:-} cmd/setup/setup.sh demo >"$STATE/out" 2>&1 || { cat "$STATE/out"; return 1; }
    [ "$(grep -oE '(lib)?(mpich|openmpi)[a-z-]*' "$STATE/out" | xargs)" = "$1" ] && grep -q ' gdb ' "$STATE/out" && return
    cat "$STATE/out"
    return 1
}
mkdir "$folder/wrappers"
ok "for the demo, one MPI" demo_installs 'mpich libmpich-dev'
ok "for the demo, the MPI that is named" demo_installs 'openmpi-bin libopenmpi-dev' openmpi
stand_in wrappers/mpicc 'echo "#define OMPI_MAJOR_VERSION 4"'
ok "for the demo, one that is there" demo_installs ''
ok "for the demo, the same, named" demo_installs '' openmpi
ok "for the demo, another than is there" demo_installs 'mpich libmpich-dev' mpich
stand_in wrappers/mpicc.openmpi ''
ok "for the demo, what the one that is there lacks" demo_installs 'openmpi-bin libopenmpi-dev'
ok "for the demo, the MPI that is named, and not the one that is there" demo_installs 'mpich libmpich-dev' mpich

# Nor does make miss the packages of MPI libraries then; all others are missing on this machine.
misses() {
    local said
    said=$(PATH=$folder:$PATH make -n BUILD="$folder/build" "$@" all 2>&1)
    grep -q "these packages are missing: .*libjansson-dev" <<<"$said" || { echo "$said"; return 2; }
    grep -q " libmpich-dev " <<<"$said"
}
misses_not() {
    misses "$@"
    [ $? = 1 ]
}
ok "make, Debian's MPI libraries" misses
ok "make, an MPI of the user's own" misses_not MPICC=/opt/mpi/bin/mpicc

# mpis.sh: compiler wrappers that say which MPI they are by their mpi.h alone.
mkdir "$folder/bin" "$folder/opt"
# compiler PLACE MACRO
compiler() {
    printf '#!/bin/sh\necho "#define %s 4"\n' "$2" >"$folder/$1"
    chmod +x "$folder/$1"
}
# mpis STATUS OUTPUT COMPILER...: with what is in $folder/bin, and no other MPI, in PATH
for tool in sh cat; do ln -s "$(command -v $tool)" "$folder/bin/$tool"; done
mpis() {
    local status=$1 wanted=$2 output got
    shift 2
    output=$(PATH=$folder/bin cmd/setup/mpis.sh "$@" 2>&1)
    got=$?
    [ "$got" = "$status" ] && [ "$output" = "$wanted" ] && return
    echo "wanted status $status, '$wanted', got status $got, '$output'"
    return 1
}
ok "no MPI" mpis 0 ''
compiler bin/mpicc MPICH_VERSION
ok "mpicc in PATH" mpis 0 'mpich=mpicc'
compiler bin/mpicc OMPI_MAJOR_VERSION
ok "mpicc of the other MPI" mpis 0 'openmpi=mpicc'
compiler bin/mpicc.mpich MPICH_VERSION
ok "Debian's names come first" mpis 0 'mpich=mpicc.mpich'
compiler bin/mpicc.openmpi OMPI_MAJOR_VERSION
ok "both of them" mpis 0 'mpich=mpicc.mpich openmpi=mpicc.openmpi'
compiler opt/mpicc I_MPI_VERSION
ok "one that is named" mpis 0 "mpich=$folder/opt/mpicc" "$folder/opt/mpicc"
ok "one of each kind" mpis 0 "openmpi=mpicc mpich=$folder/opt/mpicc" mpicc "$folder/opt/mpicc"
ok "two of one kind" mpis 1 \
    "mpipp: two libraries of one kind: '$folder/opt/mpicc' is for mpich, as another one is" \
    mpicc.mpich "$folder/opt/mpicc"
compiler opt/mpicc GCC
ok "a compiler without MPI" mpis 1 "mpipp: '$folder/opt/mpicc' compiles no program of MPICH or Open MPI" \
    "$folder/opt/mpicc"
ok "a compiler that is not there" mpis 1 "mpipp: '/none/mpicc' compiles no program of MPICH or Open MPI" \
    /none/mpicc
# Spack's recipe, without Spack.
recipe() {
    local said
    said=$(tests/cmd/spack_recipe.py "$PWD/cmd/setup/spack/packages/mpipp/package.py") || return
    [ "$said" = "from file://$PWD main
needs c elfutils gdb gmake jansson libzmq mpi python xxhash
make SETUP=no MPICC=<mpi.mpicc> PYTHON=<python.command.path> GDB=<gdb.prefix.bin>/gdb PREFIX=<prefix> all
make SETUP=no MPICC=<mpi.mpicc> PYTHON=<python.command.path> GDB=<gdb.prefix.bin>/gdb PREFIX=<prefix> install" ] && return
    echo "$said"
    return 1
}
ok "Spack's recipe builds this tree for one MPI" recipe
ok "every package has a kind and a reason" \
    awk '/^[a-z]/ && ($2 !~ /^(build|mpi|plugin|test|service)$/ || NF < 4) { exit 1 }' cmd/setup/packages
finish
