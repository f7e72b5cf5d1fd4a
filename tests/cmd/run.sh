#!/bin/bash
# The shell command as a user sees it: run, exec and gdb under both MPIs, options and streams that pass
# through unchanged, bad input, and the tree when it is installed and moved.
cd "$(dirname "$0")/../.." || exit 2
. tests/count.sh
. tests/cmd/says.sh

top=$PWD
BUILD=$(realpath "${BUILD:-build}")
mpipp=$BUILD/bin/mpipp
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 2
unset MPIPP_MPI MPIPP_GDB LD_PRELOAD
export HOME=$folder

# reads_little: up to main(), gdb has read the details of few of the library's files
reads_little() {
    local count
    patiently "$mpipp" gdb -n 1 --mpi="$mpi" -nx -batch -ex 'break main' -ex run -ex 'maint info symtabs' "$probe" \
        >symtabs 2>&1 </dev/null
    count=$(grep -c '{ symtab .*libshadowtype/' symtabs)
    grep -q '{ symtab ' symtabs && [ "$count" -lt 10 ] && return
    echo "$count files"
    return 1
}

# same FILE COMMAND...: the command, with FILE as its standard input, prints FILE
same() {
    local file=$1
    shift
    patiently "$@" <"$file" 2>err | diff - "$file"
}

# passes SAID EXPECTED COMMAND...: the command writes EXPECTED, which differs from SAID
passes() {
    local said=$1 expected=$2
    shift 2
    ! cmp -s "$said" "$expected" && patiently "$@" </dev/null | diff - "$expected"
}

# no_rank_runs: all ranks have ended, or do so soon
no_rank_runs() {
    local i
    for ((i = 0; i < 300; i++)); do
        grep -qsa "^$folder/probe-" /proc/[0-9]*/cmdline || return 0
        sleep 0.1
    done
    echo "a rank still runs"
    return 1
}

# ends_by SIGNAL COMMAND...: the signal ends the command and all processes that it started
ends_by() {
    local i child signal=$1
    shift
    : >asleep # an earlier command's
    env --default-signal="$signal" "$@" >asleep 2>&1 </dev/null &
    child=$!
    for ((i = 0; i < 600; i++)); do grep -q asleep asleep && break || sleep 0.1; done
    kill "-$signal" "$child"
    wait "$child"
    no_rank_runs
}

# leaves_none PATTERN COMMAND...: it ends as by SIGTERM with this output, and leaves no rank behind
leaves_none() {
    gives 143 "$@" && no_rank_runs
}

gdb=("$mpipp" gdb -n 1 -nx -batch)
prompt=(-ex 'break MPI_Finalize' -ex run -ex 'info sharedlibrary libshadowtype')

cc -shared -fPIC -o late_threads.so "$top/tests/cmd/late_threads.c" || exit 2
for mpi in mpich openmpi; do
    "mpicc.$mpi" -g -o probe-$mpi "$top/tests/cmd/probe.c" || exit 2
    probe=$folder/probe-$mpi
    title=MPICH
    [ $mpi = mpich ] || title='Open MPI'

    ok "$mpi: run" times 3 'rank [012] of 3, loaded' "$mpipp" run -n 3 "$probe"
    for ranks in 0,1,0 0,4,1 1,4,0; do # rank, processes, number of warnings
        IFS=, read -r rank size told <<<"$ranks"
        ok "$mpi: run under srun, rank $rank of $size" times "$told" \
            "^mpipp: 'srun' has started $size of 'mpipp run', and each starts a job: 'mpipp run --launcher=srun' starts one" \
            env "SLURM_PROCID=$rank" "SLURM_STEP_NUM_TASKS=$size" "$mpipp" run -n 1 "$probe"
    done
    # srun --mpi=pmi2 gives its tasks what MPICH's launcher gives its ranks.
    ok "$mpi: run under srun --mpi=pmi2" times 1 "^mpipp: 'srun' has started 2 of 'mpipp run'" \
        env SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=2 PMI_RANK=0 PMI_SIZE=2 "$mpipp" run --launcher=env "$probe"
    ok "$mpi: run under MPICH's launcher in a task of srun" times 1 "^mpipp: 'mpiexec' has started 2 of 'mpipp run'" \
        env SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=2 PMI_RANK=0 PMI_SIZE=2 HYDI_CONTROL_FD=9 "$mpipp" run --launcher=env "$probe"
    ok "$mpi: run -np, more ranks than cores" \
        times 5 'rank . of 5, loaded' "$mpipp" run -np 5 "$probe"
    ok "$mpi: run, arguments unchanged" \
        gives 0 "^rank 0 of 1, loaded \[a b\] \[\] \[q'\"\\\$x\] \[\*\] \[-n\] \[--\]\$" \
        "$mpipp" run -n 1 "$probe" args 'a b' '' "q'\"\$x" '*' -n --
    # The launcher of Open MPI 5.0.7 crashes.
    if [ $mpi = openmpi ] && ! timeout 60 mpirun.openmpi -n 1 true : -n 1 true >bare 2>&1 &&
        ! grep -q allow-run-as-root bare; then
        skip "$mpi: run, several programs" "mpirun of this Open MPI crashes without mpipp"
    else
        ok "$mpi: run, several programs" \
            times 3 'rank . of 3, loaded' "$mpipp" run -n 1 "$probe" : -n 2 "$probe"
    fi
    ok "$mpi: run --" gives 0 'rank 0 of 1, loaded' "$mpipp" run -n 1 -- "$probe"
    ok "$mpi: run, the name of a program in this folder" \
        gives 0 'rank 0 of 1, loaded' "$mpipp" run -n 1 "probe-$mpi"
    ok "$mpi: run -wdir" gives 0 'rank 0 of 1, loaded' \
        env -C / "$mpipp" run -wdir "$folder" -n 1 "./probe-$mpi"
    ok "$mpi: run, exit status" gives 7 '' "$mpipp" run -n 1 "$probe" exit 7
    ok "$mpi: run, standard input" same "$top/tests/cmd/run.sh" "$mpipp" run -n 1 "$probe" cat
    for signal in TERM HUP INT; do
        ok "$mpi: run, SIG$signal" ends_by $signal "$mpipp" run -n 2 "$probe" sleep
    done
    launcher=mpiexec.mpich
    [ $mpi = mpich ] || launcher='mpirun.openmpi --allow-run-as-root'
    ok "$mpi: run --launcher" \
        times 2 'rank . of 2, loaded' "$mpipp" run --launcher="$launcher -n 2" "$probe"
    printf '#!/bin/sh\ntrap "" TERM\n%s "$@"\nexec sleep 1000\n' "$launcher" >"$folder/stuck"
    printf '#!/bin/sh\ntrap "" TERM\nkill -TERM $PPID\nexec sleep 1000\n' >"$folder/told"
    printf '#!/bin/sh\ntrap : TERM\nkill -TERM $PPID\n%s "$@"\n' "$launcher" >"$folder/slow"
    printf '#!/bin/sh\ntrap "" TERM\nkill -TERM $PPID\n%s "$@"\n' "$launcher" >"$folder/deaf"
    printf '#!/bin/sh\ntrap : TERM\nkill -TERM $PPID\nsleep 2\nkill -TERM $PPID\n%s "$@"\n' "$launcher" >"$folder/twice"
    printf '#!/bin/sh\nsleep 13\nexec %s exit 7\n' "$probe" >"$folder/saving"
    # shellcheck disable=SC2016 # the variables are those of the script
    printf '#!/bin/bash\n%s "$@"\nend=$((SECONDS + 14))\nwhile [ $SECONDS -lt $end ]; do :; done\nexit 5\n' "$launcher" >"$folder/busy"
    chmod +x "$folder/busy" "$folder/stuck" "$folder/told" "$folder/slow" "$folder/deaf" "$folder/twice" "$folder/saving"
    for deaf in deaf twice; do
        ok "$mpi: run, a launcher that does not end when it is told to, and its ranks, $deaf" \
            leaves_none 'the launcher and its ranks were killed: told to end by signal 15 \(Terminated\), it had not ended after 10 s$' \
            "$mpipp" run --launcher="$folder/$deaf -n 2" "$probe" sleep
    done
    for status in 0 7; do
        ok "$mpi: run, a launcher that does not end after its ranks, which end with $status" gives $status \
            "^mpipp: the launcher was killed: it had not ended 10 s after its ranks; the exit status is that of the ranks, $status\$" \
            "$mpipp" run --launcher="$folder/stuck -n 2" "$probe" exit $status
    done
    ok "$mpi: run, a launcher that does not end after its ranks, one of which was killed" \
        gives 137 '^mpipp: the launcher was killed: it had not ended 10 s after its ranks$' \
        "$mpipp" run --launcher="$folder/stuck -n 1" "$probe" signal 9
    ok "$mpi: run, a launcher that works for long after its ranks" \
        gives 5 '' "$mpipp" run --launcher="$folder/busy -n 2" "$probe"
    ok "$mpi: run, a launcher that does not end when it is told to" \
        gives 143 'told to end by signal 15 \(Terminated\), it had not ended 10 s after its ranks$' \
        "$mpipp" run --launcher="$folder/told" "$probe"
    ok "$mpi: run, ranks that live on after a signal" \
        gives 7 '' "$mpipp" run --mpi=$mpi --launcher="$folder/slow -n 1" "$folder/saving"
    ok "$mpi: run, a rank that lives on and has changed its title" \
        gives 8 '' "$mpipp" run --launcher="$folder/slow -n 1" "$probe" retitle 8
    ok "$mpi: run, a signal before its threads run" \
        gives 7 '' env LD_PRELOAD="$folder/late_threads.so" "$mpipp" run --launcher="$folder/slow -n 1" "$probe" exit 7

    ok "$mpi: exec" gives 0 '^rank 0 of 1, loaded \[a b\] \[\]$' "$mpipp" exec "$probe" args 'a b' ''
    ok "$mpi: exec under a launcher" \
        times 2 'rank . of 2, loaded' $launcher -n 2 "$mpipp" exec "$probe"
    other=mpiexec.mpich
    other_mpi=mpich other_title=MPICH
    [ $mpi = openmpi ] || other='mpirun.openmpi --allow-run-as-root --oversubscribe' other_mpi=openmpi other_title='Open MPI'
    ok "$mpi: exec under the launcher of the other MPI says so, once" times 1 \
        "^mpipp: '.*/probe-$mpi' uses .*, but the launcher of another MPI started it: each rank is alone" \
        $other -n 3 "$mpipp" exec "$probe"
    ok "$mpi: gdb under the launcher of the other MPI says so, before the program runs" \
        gives 0 "mpipp: '.*/probe-$mpi' uses .*, but the launcher of another MPI started it: each rank is alone" \
        $other -n 2 "${gdb[@]}" -ex 'break main' -ex run -ex kill "$probe"
    for command in run gdb; do
        ok "$mpi: $command --launcher, the other MPI's" says 2 \
            "'${other%% *}' is the launcher of another MPI, and '$probe' uses $title: each rank would be alone" \
            "$mpipp" $command --launcher="$other -n 2" "$probe"
        ok "$mpi: $command --mpi, another MPI" says 2 "'$probe' uses $title, not $other_title: leave out --mpi" \
            "$mpipp" $command --mpi=$other_mpi -n 2 "$probe"
        ok "$mpi: $command MPIPP_MPI, another MPI" says 2 "'$probe' uses $title, not $other_title: unset MPIPP_MPI" \
            env MPIPP_MPI=$other_mpi "$mpipp" $command -n 2 "$probe"
    done
    ok "$mpi: exec, exit status" gives 7 '' "$mpipp" exec "$probe" exit 7
    ok "$mpi: exec, killed by SIGUSR1" gives 138 '' \
        bash -c '"$@"; exit $?' - "$mpipp" exec "$probe" signal 10
    ok "$mpi: exec, standard input" same "$top/tests/cmd/run.sh" "$mpipp" exec "$probe" cat
    ok "$mpi: exec through a shell" gives 0 'rank 0 of 1, loaded' \
        "$mpipp" exec --mpi=$mpi /bin/sh -c "exec $probe"
    ok "$mpi: exec, MPIPP_MPI" gives 0 'rank 0 of 1, loaded' \
        env MPIPP_MPI=$mpi "$mpipp" exec /bin/sh -c "exec $probe"
    library=$(realpath /lib/*/libz.so.1 2>/dev/null | head -n 1)
    ok "$mpi: exec keeps what is preloaded" \
        gives 0 "^$BUILD/lib/libshadowtype-$mpi.so:$library\$" env LD_PRELOAD="$library" \
        "$mpipp" exec --mpi=$mpi /bin/sh -c 'echo $LD_PRELOAD'
    ok "$mpi: exec within exec preloads once" gives 0 "^$BUILD/lib/libshadowtype-$mpi.so\$" \
        "$mpipp" exec --mpi=$mpi "$mpipp" exec --mpi=$mpi /bin/sh -c 'echo $LD_PRELOAD'
    heap=$BUILD/lib/libshadowtype-heap.so
    ok "$mpi: exec --check=size preloads the library of blocks, too" \
        gives 0 "^$BUILD/lib/libshadowtype-$mpi.so:$heap:$library\$" env LD_PRELOAD="$library" \
        "$mpipp" exec --mpi=$mpi --check=size /bin/sh -c 'echo $LD_PRELOAD'
    ok "$mpi: the same within exec, and without it" gives 0 "^$BUILD/lib/libshadowtype-$mpi.so:$heap\$" \
        "$mpipp" exec --mpi=$mpi "$mpipp" exec --mpi=$mpi --check=size /bin/sh -c 'echo $LD_PRELOAD'
    ok "$mpi: exec within exec --check=size" gives 0 "^$BUILD/lib/libshadowtype-$mpi.so\$" \
        "$mpipp" exec --mpi=$mpi --check=size "$mpipp" exec --mpi=$mpi --check=local /bin/sh -c 'echo $LD_PRELOAD'
    ok "$mpi: run --check=size" gives 0 "^$BUILD/lib/libshadowtype-$mpi.so:$heap size\$" \
        "$mpipp" run --mpi=$mpi --check=size -n 1 /bin/sh -c 'echo $LD_PRELOAD $MPIPP_CHECK'

    ok "$mpi: --callers reaches the ranks" gives 0 '^3$' \
        "$mpipp" run --mpi=$mpi --callers=3 -n 1 /bin/sh -c 'echo $MPIPP_CALLERS'

    ok "$mpi: gdb" gives 0 "$BUILD/lib/libshadowtype-$mpi.so" "${gdb[@]}" "${prompt[@]}" "$probe"
    ok "$mpi: gdb reads little of the library's debug information at its start" reads_little
    ok "$mpi: gdb --check=size" gives 0 "$heap" "$mpipp" gdb --mpi=$mpi -nx --check=size -n 1 -batch \
        -ex run --args /bin/sh -c 'echo $LD_PRELOAD'
    ok "$mpi: gdb, arguments" gives 0 'loaded \[a b\] \[\] \[q'\''"x\]$' \
        "${gdb[@]}" -ex run "$probe" args 'a b' '' "q'\"x"
    printf 'one\ntwo\n' >input
    ok "$mpi: gdb, run < file" gives 0 '^two$' "${gdb[@]}" -ex 'run cat < input' "$probe"
    ok "$mpi: gdb under a launcher, one for each rank" times 2 'rank . of 2, loaded' \
        $launcher -n 2 "${gdb[@]}" -ex run "$probe"
    ok "$mpi: gdb under 'mpipp run'" times 2 'rank . of 2, loaded' \
        "$mpipp" run --mpi=$mpi -n 2 "${gdb[@]}" -ex run "$probe"
    ok "$mpi: gdb in MI" gives 0 'stopped,reason="breakpoint-hit"' bash -c \
        ': >said
        { printf "%s\n" "-break-insert main" -exec-run
          for ((i = 0; i < 3000; i++)); do grep -q stopped said && break || sleep 0.1; done
          echo -gdb-exit; } | "$0" gdb -nx -q -i=mi "$1" | tee said' "$mpipp" "$probe"

    for core in core.0 core.1; do
        "${gdb[@]}" -ex 'break main' -ex run -ex "generate-core-file $core" "$probe" >/dev/null 2>&1
    done
    ok "$mpi: gdb, a core file" gives 0 '^#0  main ' "${gdb[@]:0:2}" -nx -batch -ex bt "$probe" core.0
    ok "$mpi: gdb, two core files" gives 0 '^  2 .*\(core\)' \
        "$mpipp" gdb -nx -batch -ex 'info inferiors' "$probe" core.0 core.1
    ok "$mpi: gdb, core files without their program" times 2 '^[* ] [12] .*\(core\)' \
        "$mpipp" gdb -nx -batch -ex 'info inferiors' core.0 core.1
    ok "$mpi: gdb, core files without their program, says how" gives 0 \
        '^mpipp: without the program of core.0, gdb shows neither its lines nor its variables: mpipp gdb PROGRAM core.0$' \
        "$mpipp" gdb -nx -batch core.0
    ok "$mpi: gdb --args, a core file as argument" gives 0 'loaded \[core.0\]' \
        "$mpipp" gdb -nx -batch -ex run --args "$probe" args core.0
done

# An MPICH that starts by PMIx has no launcher that is wrong for certain.
gcc -shared -fPIC -Wl,-soname,libpmix.so.2 -o libpmix.so.2 -x c - <<<'int pmix = 1;'
mpicc.mpich -o by-pmix "$top/tests/cmd/probe.c" -Wl,--no-as-needed ./libpmix.so.2 -Wl,-rpath,"$folder"
ok "PMIx: run --launcher, Open MPI's" times 2 'rank 0 of 1, loaded' \
    "$mpipp" run --launcher='mpirun.openmpi --allow-run-as-root --oversubscribe -n 2' ./by-pmix
ok "PMIx: nothing is said" times 0 'mpipp:' \
    mpirun.openmpi --allow-run-as-root --oversubscribe -n 2 "$mpipp" exec --mpi=mpich ./by-pmix

# Open MPI 5 loads PMIx itself. MPICH's launcher does not speak it.
if ldd probe-openmpi | grep -q libpmix; then
    cp probe-openmpi needs-pmix
else
    mpicc.openmpi -o needs-pmix "$top/tests/cmd/probe.c" -Wl,--no-as-needed ./libpmix.so.2 -Wl,-rpath,"$folder"
fi
ok "PMIx, Open MPI: run --launcher, MPICH's" says 2 \
    "'mpiexec.mpich' is the launcher of another MPI, and './needs-pmix' uses Open MPI: each rank would be alone" \
    "$mpipp" run --launcher='mpiexec.mpich -n 2' ./needs-pmix
ok "PMIx, Open MPI: exec under MPICH's launcher says so, once" times 1 \
    "^mpipp: './needs-pmix' uses Open MPI, but the launcher of another MPI started it: each rank is alone" \
    mpiexec.mpich -n 3 "$mpipp" exec ./needs-pmix

# Python programs with and without mpi4py. mpipp only examines its compiled module, so that a
# substitute is enough.
python=$(command -v /usr/bin/python3)
mkdir -p with/mpi4py without/mpi4py && : >with/mpi4py/__init__.py && : >without/mpi4py/__init__.py
mpicc.mpich -shared -fPIC -o with/mpi4py/MPI.so -x c - <<<'#include <mpi.h>
int f(void); int f(void) { return MPI_Finalize(); }'
printf '#!/usr/bin/env python3\nimport os\nprint(os.environ["LD_PRELOAD"])\n' >script.py
chmod +x script.py
ok "python, mpi4py" gives 0 "^$BUILD/lib/libshadowtype-mpich.so\$" \
    env PYTHONPATH="$folder/with" PATH="/usr/bin:$PATH" "$mpipp" exec ./script.py
ok "python, no mpi4py" says 2 \
    "'$python' is linked with no MPI library: if it loads one as it runs, say --mpi=mpich or --mpi=openmpi" \
    env PYTHONPATH="$folder/without" "$mpipp" exec "$python" -c 'print(1)'

# Bad input: the same for each command.
echo 'int main(void) { return 0; }' >nothing.c
gcc -o nothing nothing.c
gcc -static -o static nothing.c
gcc -c -o object nothing.c && chmod +x object
printf '\177ELF\001\001' >foreign && head -c 200 /dev/zero >>foreign && chmod +x foreign
head -c 700 probe-mpich >./cut && chmod +x cut
head -c 3000 probe-mpich >./half && chmod +x half
echo text >text && cp text text-x && chmod +x text-x
mkdir directory
: >empty && mkfifo pipe && chmod +x empty pipe
python3 - <<'END' && chmod +x foreign64
data = bytearray(open("nothing", "rb").read())
data[18] ^= 1  # e_machine
open("foreign64", "wb").write(data)
END
echo 'int gone(void) { return 0; }' >gone.c && gcc -shared -fPIC -o libgone.so gone.c &&
    echo 'int gone(void); int main(void) { return gone(); }' >lacking.c && gcc -o lacking lacking.c -L. -lgone && rm libgone.so
printf '#!/no/interpreter -x\n' >no-file
printf '#!/usr/bin/env -S A=1 no-interpreter -x\n' >no-name
printf '#!%s/text-x\n' "$folder" >no-program
printf '#!%s/endless\n' "$folder" >endless
printf '#!/bin/sh\r\nexit 0\r\n' >carriage
chmod +x no-file no-name no-program endless carriage
printf '#!/bin/sh\nexit 0\n' >script && chmod +x script
for command in run exec gdb; do
    ok "$command: no such program" says 127 "no such program: './none'" "$mpipp" $command ./none
    ok "$command: none in PATH" says 127 "no such program: 'none'" "$mpipp" $command none
    ok "$command: a name that acts on a terminal" says 127 "no such program: './a [31mb c�d�e�f'" \
        "$mpipp" $command $'./a\e[31mb\nc\u009bd\u202ee\xfff'
    ok "$command: an empty name" says 127 "no such program: ''" "$mpipp" $command ''
    ok "$command: a directory" says 126 "'./directory' is a directory" "$mpipp" $command ./directory
    ok "$command: not executable" says 126 "'./text' is not executable" "$mpipp" $command ./text
    for file in text-x object empty pipe; do
        ok "$command: $file" says 126 \
            "'./$file' is neither an ELF program nor a script that begins with '#!'" \
            "$mpipp" $command ./$file
    done
    for file in foreign foreign64; do
        ok "$command: $file" says 126 "'./$file' is built for another kind of machine" "$mpipp" $command ./$file
    done
    while read -r file why; do
        ok "$command: $file" says 126 "the script './$file' cannot be run: $why" "$mpipp" $command ./$file
    done <<END
no-file its interpreter '/no/interpreter' is not there
no-name its interpreter 'no-interpreter' is not in PATH
no-program its interpreter '$folder/text-x' is no program
endless its interpreter '$folder/endless' is no program
carriage its first line ends in a carriage return
END
    ok "$command: cut off" says 126 "'./cut' is a damaged ELF file" "$mpipp" $command ./cut
    for callers in 0 17 two ''; do
        ok "$command: --callers=$callers" says 2 "'--callers=$callers': it is a number of frames, 1 to 16" \
            "$mpipp" $command --callers=$callers "$probe"
    done
    ok "$command: no MPI is called so" says 2 "no MPI is called 'lam': 'mpich' or 'openmpi'" \
        "$mpipp" $command --mpi=lam "$probe"
    ok "$command: MPIPP_MPI is wrong" says 2 \
        "no MPI is called 'lam' (in MPIPP_MPI): 'mpich' or 'openmpi'" \
        env MPIPP_MPI=lam "$mpipp" $command "$probe"
    ok "$command: a value is missing" says 2 "option '--mpi' needs a value" "$mpipp" $command --mpi
done
# A program of the MPI standard's ABI, with a substitute for MPICH's library.
echo 'int MPIR_Version; int PMPI_Init(int *c, char ***v) { return !c + !v; }' >abi.c
echo 'int PMPI_Init(int *, char ***); int main(int c, char **v) { return PMPI_Init(&c, &v); }' >abi_main.c
gcc -shared -fPIC -Wl,-soname,libmpi_abi.so.1 abi.c -o libmpi_abi.so.1 &&
    gcc abi_main.c ./libmpi_abi.so.1 -Wl,-rpath,"$folder" -o abi || exit 2
abi="'./abi' uses the MPI standard's ABI (libmpi_abi), which mpipp does not know: compile it with mpicc.mpich or mpicc.openmpi"
ok "run: the MPI standard's ABI" says 2 "$abi" "$mpipp" run ./abi
ok "run: the MPI standard's ABI, with --mpi" says 2 "$abi" "$mpipp" run --mpi=mpich ./abi
ok "exec: the MPI standard's ABI" says 2 "$abi" "$mpipp" exec ./abi
ok "exec: the MPI standard's ABI, where it is no fault" gives 0 '^$' "$mpipp" exec --optional -- ./abi
ok "gdb: the MPI standard's ABI: gdb starts, with the sentence" gives 0 "^mpipp: ${abi//[()]/.}" \
    "$mpipp" gdb -nx -batch ./abi
static="'./static' is linked statically, so that nothing can be preloaded: link it with shared libraries"
nothing="'./nothing' is linked with no MPI library: if it loads one as it runs, say --mpi=mpich or --mpi=openmpi"
unclear="cannot tell which MPI the script './script' will use: say --mpi=mpich or --mpi=openmpi"
for command in run exec; do
    ok "$command: no program" says 2 "no program given to 'mpipp $command'" "$mpipp" $command
    ok "$command: no program after --" says 2 "no program given to 'mpipp $command'" "$mpipp" $command --
    ok "$command: static" says 126 "$static" "$mpipp" $command ./static
    ok "$command: static, with --mpi" says 126 "$static" "$mpipp" $command --mpi=mpich ./static
    ok "$command: no MPI" says 2 "$nothing" "$mpipp" $command ./nothing
    ok "$command: a script" says 2 "$unclear" "$mpipp" $command ./script
    ok "$command: half a program" says 2 \
        "the dynamic loader refuses './half': it is damaged, or for another machine" \
        "$mpipp" $command ./half
    ok "$command: a library is missing" says 2 \
        "the dynamic loader cannot load './lacking': libgone.so: cannot open shared object file: No such file or directory" \
        "$mpipp" $command ./lacking
done
ok "gdb: static: gdb starts, with the sentence" \
    gives 0 "^mpipp: $static" "$mpipp" gdb -nx -batch ./static
ok "gdb: no MPI: gdb starts, with the sentence" \
    gives 0 "^mpipp: $nothing" "$mpipp" gdb -nx -batch ./nothing
ok "gdb: no MPI: the program runs" \
    gives 0 'exited normally' "$mpipp" gdb -nx -batch -ex run ./nothing
ok "gdb: no program" gives 0 '^1234$' "$mpipp" gdb -nx -batch -ex 'output 1234'
for mpi in mpich openmpi; do
    ok "$mpi: gdb: a program that gdb is told of later" gives 0 'rank 0 of 1, loaded' \
        "$mpipp-gdb" -nx -batch -ex "file ./probe-$mpi" -ex run
done
ok "gdb: no MPI, told of later: the program runs" gives 0 'exited normally' \
    "$mpipp-gdb" -nx -batch -ex 'file ./static' -ex run
ok "mpipp-gdb is a gdb" gives 0 '^GNU gdb ' "$mpipp-gdb" --version
ok "a gdb of a frontend's own, with ddd-integration/eclipse/gdbinit" gives 0 'rank 0 of 1, loaded' \
    env PATH="$BUILD/bin:$PATH" gdb -nx -batch -x "$top/ddd-integration/eclipse/gdbinit" \
    -ex 'file ./probe-mpich' -ex run
ok "the same without mpipp on the PATH" gives 0 "^mpipp: no 'mpipp' on the PATH of this gdb" \
    env PATH=/usr/bin:/bin gdb -nx -batch -x "$top/ddd-integration/eclipse/gdbinit"
ok "gdb: no such frontend" says 2 "'--frontend=emacs': the one that needs it is cdt-gdb-adapter" \
    "$mpipp" gdb --frontend=emacs "$probe"
# A fake gdb that prints a file, and what an adapter then reads.
cat >gdb-says <<'END'
#!/bin/sh
case $* in *-batch*) echo 'mpipp:version 13.1' ;; *) cat said ;; esac
END
chmod +x gdb-says
python3 "$top/tests/cmd/unfold.py" said expected
ok "gdb: --frontend=cdt-gdb-adapter: what unfolds has a child" \
    passes said expected "$mpipp" gdb --frontend=cdt-gdb-adapter --gdb=./gdb-says
mpicc.mpich -g -o other-root -x c - <<<'#include <mpi.h>
int main(int argc, char **argv)
{
    int number = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Bcast(&number, 1, MPI_INT, 3, MPI_COMM_SELF);
    MPI_Finalize();
    return 0;
}' || exit 2
ok "run: one rank is no ranks" gives 0 '^mpipp: error argument-root: rank 0 passes root 3, in a communicator of 1 rank$' \
    "$mpipp" run -n 1 ./other-root
# Names of files are bytes: Latin-1's e with an accent is no UTF-8.
latin=$folder/caf$(printf '\351')
mkdir "$latin"
cp "$top/examples/halo.c" "$latin/h$(printf '\351').c"
(cd "$latin" && mpicc.mpich -g h?.c -o h) || exit 2
ok "gdb: names that are no UTF-8" gives 0 '^h�\.c:55 in main: 1 VECTOR' \
    env -C "$latin" "$mpipp" gdb -nx -batch -ex 'break exchanged' -ex run -ex up -ex 'gcore h.core' -ex 'mpi types' ./h
# gdb 14 and later find the program by the core file.
ok "gdb: names that are no UTF-8, in a core file alone" gives 0 '^h(\+0x[0-9a-f]+|�\.c:55 in main): 1 VECTOR' \
    env -C "$latin" "$mpipp-gdb" -nx -batch -ex 'core h.core' -ex 'mpi types'
# A fake DDD that prints how it was called.
printf '#!/bin/sh\nprintf "<%%s> " "$@" "$DDD_STATE"\n' >ddd-says && chmod +x ddd-says
ok "ddd: options of gdb go to gdb, the program's to the program" \
    gives 0 "<--trace> <--gdb> <--debugger> <'$mpipp' gdb '-n' '2' '--mpi' 'mpich' '-ex' 'echo a'> <-xrm> .*MPI Types.*<\./probe> <-n> <a b> <$folder/.ddd/mpipp> " \
    "$mpipp" ddd --ddd='./ddd-says --trace' -n 2 --mpi mpich -ex 'echo a' ./probe -n 'a b'
ok "ddd: gdb's own -n has no value" gives 0 "<'$mpipp' gdb '-n'> .*<\./probe> <7>" \
    "$mpipp" ddd --ddd=./ddd-says -n ./probe 7
ok "ddd: no rank" says 2 "'-n 0': it is a number of ranks, 1 or more" "$mpipp" ddd -n 0 ./probe
ok "ddd: the user's own settings" gives 0 "<./probe> <here> " env DDD_STATE=here "$mpipp" ddd --ddd ./ddd-says ./probe
ok "ddd: no program" says 2 "no program given to 'mpipp ddd'" "$mpipp" ddd -n 2
ok "ddd: no DDD" says 127 "no such program: './none': DDD has to be installed" "$mpipp" ddd --ddd=./none ./probe
ok "ddd: a quote" says 2 "'--ddd=a \"b': it is a program, with options" "$mpipp" ddd --ddd='a "b' ./probe
ok "gdb: no such gdb" says 127 "no such gdb: './none'" "$mpipp" gdb --gdb=./none "$probe"
ok "gdb: not a gdb" says 1 "'/bin/true' does not work as a gdb" \
    env MPIPP_GDB=/bin/true "$mpipp" gdb "$probe"
printf '#!/bin/sh\necho "Python scripting is not supported in this copy of GDB."\n' >gdb-bare
printf '#!/bin/sh\necho "mpipp:version 12.1"\n' >gdb-old
chmod +x gdb-bare gdb-old
ok "gdb: one without Python" says 1 "'./gdb-bare' is built without Python" \
    "$mpipp" gdb --gdb=./gdb-bare "$probe"
ok "gdb: one too old" says 1 "'./gdb-old' is gdb 12.1: mpipp needs 13 or later" \
    "$mpipp" gdb --gdb=./gdb-old "$probe"
head -c 1000000 "$(command -v gdb)" >gdb-cut && chmod +x gdb-cut
ok "gdb: the beginning of one" says 1 "'./gdb-cut' does not work as a gdb" "$mpipp" gdb --gdb=./gdb-cut "$probe"
# One that is linked with Python is not asked: it notices itself.
ok "gdb: one too old, which loads the plugin" says 1 "this gdb is too old: it is 12.1, and 13 or later is needed" \
    gdb -nx -batch -iex 'python mpipp_required = True; gdb.VERSION = "12.1"' -iex "source $BUILD/lib/mpipp/gdb/mpipp-gdb.py" \
    -ex 'echo still there' "$probe"
ok "gdb: one too old, where the user's gdb has loaded the plugin" gives 0 "still there" \
    gdb -nx -batch -iex 'python gdb.VERSION = "12.1"' -iex "source $BUILD/lib/mpipp/gdb/mpipp-gdb.py" \
    -ex 'echo still there' "$probe"
ok "gdb: no rank" says 2 "'-n 0': it is a number of ranks, 1 or more" "$mpipp" gdb -n 0 "$probe"
ok "exec: unknown option" says 2 "'mpipp exec' has no option '--frob'" "$mpipp" exec --frob "$probe"
ok "run: an option without its value" says 2 "option '-n' needs a value" "$mpipp" run -n
for ranks in 0 00 -1 two ""; do
    ok "run: '$ranks' ranks" says 2 "'-np $ranks': it is a number of ranks, 1 or more" \
        "$mpipp" run -np "$ranks" "$probe"
done
ok "run: unknown option, then no program" says 127 "no program given to 'mpipp run': './none' is not a program" \
    "$mpipp" run --frob ./none
ok "run: no launcher" says 127 "no launcher of Open MPI in PATH: name one by --launcher" \
    env PATH=/none "$mpipp" run "$probe"
ok "run: no such launcher" says 127 "cannot run the launcher './none': No such file or directory" \
    "$mpipp" run --launcher=./none "$probe"
ok "run: an open quote" says 2 "a quote is not closed in the launcher \"srun 'x\"" \
    "$mpipp" run --launcher="srun 'x" "$probe"
# The commands that the help lists, each once.
commands=$("$mpipp" help | sed -n 's/^mpipp \([a-z]*\) .*/\1/p' | uniq | paste -sd, | sed 's/,/, /g')
topics=${commands%, help}
ok "no command" says 2 "no command given: $commands or version" "$mpipp"
ok "unknown command" says 2 "no command is called 'frob': $commands or version" "$mpipp" frob
ok "help: unknown topic" says 2 "no help on 'frob': ${topics%, *} or ${topics##*, }" "$mpipp" help frob
ok "help: two topics" says 2 "'mpipp help' takes one topic: 'gdb' is too much" "$mpipp" help run gdb
ok "explain: two checks" says 2 "'mpipp explain' takes one check: 'op-datatype' is too much" "$mpipp" explain datatype-null op-datatype

# Help and version.
for topic in run exec gdb ddd attach ranks explain; do
    ok "help $topic" gives 0 "^mpipp $topic " "$mpipp" help $topic
    ok "$topic --help" gives 0 "^mpipp $topic " "$mpipp" $topic --help
done
ok "help" gives 0 '^mpipp run ' "$mpipp" help
ok "--help" gives 0 '^mpipp run ' "$mpipp" --help
ok "--version" gives 0 "^mpipp [0-9.]+ \($mpipp\)$" "$mpipp" --version
line=$("$mpipp" help gdb | sed -n 's/^ *\(source .*\)/\1/p')
ok "help gdb: the line for plain gdb works" gives 0 '^1234$' \
    gdb -nx -batch -ex "$line" -ex 'output 1234'
if command -v groff >/dev/null; then
    for page in man1/mpipp.1 man1/mpipp-gdb.1 man3/shadowtype.3; do
        ok "the man page ${page#*/} has no error" \
            gives 0 '^$' bash -c 'groff -ww -man -z "$0" && echo' "$BUILD/share/man/$page"
        ok "the man page ${page#*/} fits 80 columns" \
            gives 0 '^$' bash -c 'groff -man -Tascii -P-cbou -rLL=80n "$0" | awk "length > 80" && echo' "$BUILD/share/man/$page"
    done
else
    skip "the man pages have no error" "groff is not installed"
fi

# completes EXPECTED WORD...: what bash offers for the last word; a '=' is a word, as for bash
completes() {
    local expected=$1 got
    shift
    got=$(PATH=$BUILD/bin:$PATH bash -c '. "$0/share/bash-completion/completions/mpipp"
        COMP_WORDS=(mpipp "$@") COMP_CWORD=$# && _mpipp 2>/dev/null; echo "${COMPREPLY[*]}"' "$BUILD" "$@")
    [ "$got" = "$expected" ] && return
    echo "wanted '$expected', got '$got'"
    return 1
}
ok "completion: commands" completes "run exec gdb ddd attach ranks stacks explain help --version --help" ''
ok "completion: a command" completes stacks st
ok "completion: options" completes "--on-hang= --on-error=" run --on
ok "completion: an option's values" completes "error warning" run --fail-on = ''
ok "completion: in a list" completes "local,modified" run --check = local,m
ok "completion: of another command, as of run" completes "wait" exec --on-error = w
ok "completion: --on-hang" completes "end gdb wait report" run --on-hang =
ok "completion: where = is no word" completes "openmpi" gdb --mpi=o
ok "completion: checks" completes "datatype-leak" explain datatype-l
ok "completion: a program is a file" completes "" run ./pro
# Each option of 'mpipp help' is completed, and no other.
for command in run exec gdb attach stacks; do
    options=$("$mpipp" help $command | sed -n -e 's/\[=/=/' -e '/^Options:/,/^$/s/^  \(--[a-z-]*=\{0,1\}\).*/\1/p')
    ok "completion: all options of $command" completes "$(xargs <<<"$options")" $command --
done
if command -v zsh >/dev/null; then
    ok "completion: zsh" zsh -n "$BUILD/share/zsh/site-functions/_mpipp"
else
    skip "completion: zsh" "zsh is not installed"
fi

# Installed and moved: mpipp finds all files relative to itself.
ok "make install" make -s -C "$top" SETUP=no BUILD="$BUILD" DESTDIR="$folder/root" PREFIX=/opt/m install
for place in root/opt/m moved; do
    [ $place = moved ] && mv root/opt/m moved
    installed=$folder/$place
    ok "$place: run" gives 0 'rank 0 of 1, loaded' "$installed/bin/mpipp" run -n 1 "$probe"
    ok "$place: gdb" gives 0 "$installed/lib/libshadowtype-openmpi.so" \
        "$installed/bin/mpipp" gdb -nx -batch "${prompt[@]}" "$probe"
    ok "$place: the plugin is compiled for this gdb" gives 0 '^True$' \
        env -u PYTHONPYCACHEPREFIX PYTHONDONTWRITEBYTECODE=yes "$installed/bin/mpipp" gdb -nx -batch -ex \
        'python import os, mpipp.rank; print(os.path.exists(mpipp.rank.__cached__))' "$probe"
    ok "$place: version" gives 0 "\($installed/bin/mpipp\)" "$installed/bin/mpipp" --version
done
# Libraries may lie elsewhere than in PREFIX/lib.
mpicc.mpich -g -o uncommitted "$top/examples/errors/datatype-uncommitted.c" || exit 2
other() {
    make -s -C "$top" SETUP=no BUILD="$BUILD" DESTDIR="$folder/other" PREFIX=/opt/m "$@"
}
for libdir in lib64 "lib/$(gcc -print-multiarch)"; do
    ok "make install LIBDIR=$libdir" other LIBDIR="/opt/m/$libdir" install
    ok "$libdir: run" gives 0 'rank 0 of 1, loaded' other/opt/m/bin/mpipp run -n 1 "$probe"
    ok "$libdir: gdb" gives 0 "other/opt/m/$libdir/libshadowtype-openmpi.so" \
        other/opt/m/bin/mpipp gdb -nx -batch "${prompt[@]}" "$probe"
    ok "$libdir: a rank starts mpipp at its error" times 1 "^mpipp: rank 0 at its errors, as gdb shows it: 'mpipp-gdb.0.txt'" \
        other/opt/m/bin/mpipp run --on-error=gdb -n 1 ./uncommitted
    rm -f mpipp-gdb.0.txt
    ok "make uninstall LIBDIR=$libdir" other LIBDIR="/opt/m/$libdir" uninstall
    ok "$libdir: nothing is left" [ -z "$(find other ! -type d)" ]
done
ok "another LIBDIR is refused" gives 2 'LIBDIR is one of /opt/m/lib /opt/m/lib64' \
    make -s -C "$top" SETUP=no BUILD="$BUILD" DESTDIR="$folder/other" PREFIX=/opt/m LIBDIR=/opt/frob install
ln -s "$folder/moved/bin/mpipp" link
ok "by a symbolic link" gives 0 'rank 0 of 1, loaded' ./link exec "$probe"
rm moved/lib/libshadowtype-openmpi.so
ok "an MPI that this mpipp was not built for" says 1 \
    "'$folder/moved/lib/libshadowtype-openmpi.so' is missing: this mpipp was built without Open MPI" \
    moved/bin/mpipp run -n 2 "$probe"
mv moved 'with blank'
ok "a place with a blank in its name" says 1 \
    "'$folder/with blank/lib/libshadowtype-mpich.so' cannot be preloaded: a blank or a colon is in its path" \
    'with blank/bin/mpipp' run -n 2 "$folder/probe-mpich"

cd / && finish
