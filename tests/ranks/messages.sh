#!/bin/bash
# Compares messages with their receives (--check=p2p): all that do not match are reported, and nothing else.
cd "$(dirname "$0")/../.." || exit 2
check=p2p
. tests/ranks/job.sh

# put_in RANKS SEED ROUNDS WRONG [PROGRAM]: exactly the errors that the random messages contain are reported; all are
# compared
put_in() {
    local name=random-$RANDOM
    job "$name" "$1" "../${5:-messages}" "$2" "$3" "$4" && (cd "$name" && python3 -S "$here/added.py" found.jsonl deadlock-potential) &&
        ! grep -q 'could not be compared' "$name/err" && { [ "$4" = 0 ] || grep -qv ' 0$' "$name"/put-in.*; } && return
    head -50 "$name/err"
    return 1
}

# finds IDS RANKS COMMAND...: reports with exactly these ids, in this order
finds() {
    local ids=$1 name=finds-$RANDOM
    shift
    job "$name" "$@"
    [ "$(sed 's/.*"id":"\([a-z-]*\)".*/\1/' "$name/found.jsonl" | tr '\n' ' ')" = "$ids" ] && return
    cat "$name/err"
    return 1
}

# says_both SOURCE SENTENCE LINE...: a report with this sentence, and both calls at marked lines of the source
says_both() {
    local source=$1 sentence=$2 name=both-$RANDOM place
    job "$name" 2 "${@:4}"
    grep -qE "^mpipp: (error|warning|note) [a-z-]+: $sentence( \([0-9]+ times\))?\$" "$name/err" &&
        for place in " $3: send" " $3: receive"; do
            place=$(grep -n "$place" "$source" | cut -d: -f1)
            grep -qE "^  rank [01]  .*$(basename "$source"):$place( in .*)?\$" "$name/err" || { echo "not at $place"; cat "$name/err"; return 1; }
        done && return
    cat "$name/err"
    return 1
}

# only_local: without --check=p2p, in a call of the quick path
only_local() {
    local check=local
    finds 'match-assert ' 2 ../asserted probe
}

# jumps CASE COUNT IDS [TIMES]: calls that an error handler has left by longjmp(): so many messages of so many are not
# compared, and these are found
jumps() {
    local name=jumps-$1-${4:-1}
    job "$name" 2 ../jumps "$1" ${4:+"$4"}
    [ "$(sed 's/.*"id":"\([a-z-]*\)".*/\1/' "$name/found.jsonl" | sort | tr '\n' ' ')" = "$3" ] &&
        grep -q "^mpipp: $2 messages could not be compared with what was sent\$" "$name/err" && return
    cat "$name/err"
    return 1
}

# beyond RANKS SEED STEPS WRONG: of random messages and collective calls those in different orders are reported
beyond() {
    local name=beyond-$1-$2
    job "$name" "$1" ../beyond random "$2" "$3" "$4" && (cd "$name" && python3 -S "$here/added.py" found.jsonl) &&
        { [ "$4" = 0 ] || grep -qv ' 0$' "$name"/put-in.*; } && return
    head -50 "$name/err"
    return 1
}

# places_beyond: a report names the receive, the send and the collective call, each at its line
places_beyond() {
    local case sentence call place
    for case in call_first send_first; do
        case $case in
        call_first) sentence='rank 1 waits for what rank 0 sends after MPI_Bcast, and calls that later: it may wait for all ranks' call=MPI_Bcast ;;
        send_first) sentence="rank 1 receives after MPI_Barrier what rank 0 sends before it: only MPI's buffers let that pass" call=MPI_Barrier ;;
        esac
        job "places-$case" 2 ../beyond $case
        grep -qx "mpipp: warning deadlock-potential: $sentence" "places-$case/err" || { cat "places-$case/err"; return 1; }
        for call in MPI_Recv MPI_Send $call; do
            place=$(grep -n "$call(" "$here/beyond.c" | head -1 | cut -d: -f1)
            grep -qE "^  rank [01] +$call.* beyond.c:$place in " "places-$case/err" || { echo "not $call at $place"; cat "places-$case/err"; return 1; }
        done
    done
}

# unsafe RANKS SEED: random programs; reported are those that only buffers let pass, if two sends face each other
unsafe() {
    local name=unsafe-$1-$2
    python3 -S "$here/buffered.py" make "$1" 40 "$2" >"$name.c" && "mpicc.$mpi" -g -Wno-stringop-overflow -o "$name.run" "$name.c" || return
    job "$name" "$1" "../$name.run"
    python3 -S "$here/buffered.py" judge "$1" 40 "$2" "$name/found.jsonl"
}

# in_ring RANKS SUBJECT: sends in a ring are one report, whichever rank finds it, with all their calls
in_ring() {
    local place name=ring-$1
    place=synchronous.c:$(grep -n 'hang: ring' "$top/tests/cmd/synchronous.c" | cut -d: -f1)
    job "$name" "$1" ../synchronous ring
    [ "$(grep -c "^  rank [0-9]    MPI_Send(data=1 x MPI_INT, dest=[0-9], tag=7)   $place in ring()" "$name/err")" = $(($1 < 8 ? $1 : 8)) ] &&
        grep -q "^mpipp: warning deadlock-potential: $2 each send to the next before they receive: " "$name/err" &&
        grep -q '^mpipp: no errors, 1 warning; ' "$name/err" && return
    cat "$name/err"
    return 1
}

# many ARGUMENT...: $line says how many of very many messages are never received (then MPICH 4.2 fails in MPI_Finalize,
# also without mpipp)
many() {
    local name=many-$#-$2-$3
    job "$name" 2 ../many "$@"
    grep -qF "$line" "$name/err" && return
    tail -5 "$name/err"
    return 1
}

# late DROPPED ALL RANKS OPTION...: of messages that are received late so many cannot be compared with what was sent
late() {
    local name=late-$RANDOM line="mpipp: $1 of $2 messages could not be compared with what was sent"
    job "$name" "$3" "${@:4}" ../many 9000 0 receive &&
        if [ "$1" = 0 ]; then ! grep -q 'could not be compared' "$name/err"; else grep -qx "$line" "$name/err"; fi && return
    cat "$name/err"
    return 1
}

# match_memory: how much memory the descriptions of messages may take
match_memory() {
    local size
    ok "$mpi: messages that are received late" late 808 9000 2
    ok "$mpi: messages that are received late, and more memory" late 0 9000 2 --match-memory=2M
    ok "$mpi: messages that are received late, and less memory" late 4904 9000 2 --match-memory 288K
    export MPIPP_MATCH_MEMORY=2M
    ok "$mpi: messages that are received late, and the variable" late 0 9000 2
    ok "$mpi: messages that are received late, and the option beside the variable" late 4904 9000 2 --match-memory=300000
    export MPIPP_NODE_SIZE=2 MPIPP_MATCH_MEMORY=
    ok "$mpi: messages that are received late, on two nodes" late 1616 18000 4
    ok "$mpi: messages that are received late, on two nodes, and more memory" late 0 18000 4 --match-memory=1G
    unset MPIPP_NODE_SIZE MPIPP_MATCH_MEMORY
    ok "$mpi: memory that is not used is not taken" takes_little --match-memory=1G
    ok "$mpi: memory that cannot be had" no_memory
    for size in '' 0 -1 +1M ' 1M' 1.5M 1MB 5Q 287K 294911 1025M 2G 18446744073709551616 18014398509481985K; do
        ok "$mpi: --match-memory=$size" says 2 "'--match-memory=$size': it is a size, 288K to 1G, such as 256M" \
            "$mpipp" run -n 2 --match-memory="$size" ./many
    done
    ok "$mpi: a wrong MPIPP_MATCH_MEMORY" says 2 "'MPIPP_MATCH_MEMORY=1': it is a size, 288K to 1G, such as 256M" \
        env MPIPP_MATCH_MEMORY=1 "$mpipp" run -n 2 ./many
}

# takes_little OPTION...: the memory that the ranks of a node share takes less than 8 MiB
takes_little() {
    local name=little-$RANDOM
    job "$name" 1 "$@" --mpi="$mpi" sh -c '../many 0 && IFS=: read -r _ process file _ <<END && stat -Lc "%s %b %B" "/proc/$process/fd/$file"
$MPIPP_NODE
END'
    awk 'NF == 3 { if ($1 > 600e6 && $2 * $3 < 8 * 2 ^ 20 && $2 > 0) fits = 1 } END { exit !fits }' "$name/out" && return
    cat "$name/out" "$name/err"
    return 1
}

# flooded NUMBER: so many messages that are not received at once block nobody, take no more than 4 MiB of a rank, and are
# counted: by those that cannot be compared, and by those that are never received
flooded() {
    local number=$1 how
    check=local job flooded-bare 2 ../many "$number" 0 receive
    job flooded-late 2 ../many "$number" 0 receive
    job flooded-lost 2 ../many "$number" 0
    if grep -qx "mpipp: $((number - 8192)) of $number messages could not be compared with what was sent" flooded-late/err &&
        grep -qx "mpipp: warning match-lost: rank 1 never receives what rank 0 sends with tag 7, $number messages" flooded-lost/err; then
        for how in late lost; do
            # By rank: the most kilobytes it has had.
            join <(sort flooded-bare/out) <(sort "flooded-$how/out") |
                awk 'NF == 3 { ranks++; more += $3 - $2 > 4096 } END { exit ranks != 2 || more }' ||
                { tail flooded-bare/out "flooded-$how/out"; return 1; }
        done
        return
    fi
    cat flooded-late/err flooded-lost/err
    return 1
}

# no_memory: a table cannot get memory for messages beyond the first ones: these are counted, and the user is told once
no_memory() {
    local sentence='there is no memory for the descriptions of more messages, as --match-memory allows: some are not compared'
    job no-memory 2 --match-memory=64M ../many 9000 1 files &&
        [ "$(grep -cE "^mpipp: (note: )?$sentence" no-memory/err)" = 1 ] && ! grep -q '"id":"match-' no-memory/found.jsonl &&
        grep -qE '^mpipp: [0-9]+ of 9001 messages could not be compared with what was sent$' no-memory/err && return
    cat no-memory/err
    return 1
}

# once_both: two sends head to head are one report, whichever rank reports them
once_both() {
    local place
    place=synchronous.c:$(grep -n 'hang: head_to_head' "$top/tests/cmd/synchronous.c" | cut -d: -f1)
    job head 2 ../synchronous head_to_head
    [ "$(grep -c "^  rank [01]    MPI_Send(data=1 x MPI_INT, dest=[01], tag=7)   $place in head_to_head()" head/err)" = 2 ] &&
        grep -q '^mpipp: warning deadlock-potential: ranks 0 and 1 send to each other before they receive: ' head/err &&
        grep -q '^mpipp: no errors, 1 warning; ' head/err && return
    cat head/err
    return 1
}

# nested PAIRS SEED: of random pairs of datatypes those that do not match are reported, with the first element that differs
nested() {
    local name=nested-$2
    python3 -S "$here/nested.py" make "$1" "$2" >nested.h &&
        "mpicc.$mpi" -std=gnu11 -g -I"$here" -I. -o nested "$here/nested.c" || return
    job "$name" 2 ../nested
    python3 -S "$here/nested.py" judge "$1" "$2" nested.h "$name/found.jsonl"
}

# compared COUNT COMMAND...: nothing is reported, and all messages but COUNT are compared
compared() {
    local name=compared-$RANDOM count
    job "$name" 2 "${@:2}"
    count=$(sed -n 's/^mpipp: \([0-9]*\) of [0-9]* messages could not be compared .*/\1/p' "$name/err")
    [ ! -s "$name/found.jsonl" ] && [ "${count:-0}" = "$1" ] && return
    cat "$name/err"
    return 1
}

# overtaken: messages that overtake each other, where the info allows it
overtaken() {
    local seed
    "mpicc.$mpi" -g -shared -fPIC -o libovertakes.so "$here/overtakes.c" &&
        "mpicc.$mpi" -std=gnu11 -g -o overtaken "$here/overtaken.c" -L. "-Wl,-rpath,$PWD,--no-as-needed" -lovertakes || return
    ok "$mpi: messages that may not overtake each other" compared 0 ../overtaken never 1
    for seed in 1 2; do
        ok "$mpi: messages that overtake each other, $seed" finds '' 2 ../overtaken always $seed
        # Open MPI 4.1.4 loses messages, also without mpipp.
        [ "$mpi" = openmpi ] || ok "$mpi: messages that overtake each other at times, $seed" finds '' 2 ../overtaken changing $seed
    done
    [ "$mpi" = mpich ] || skip "$mpi: messages that overtake each other at times" "this MPI loses messages when the info changes"
    ok "$mpi: a wrong message besides those that overtake each other" says_both "$here/overtaken.c" \
        'rank 1 receives 2 x MPI_INT where rank 0 sends 2 x MPI_FLOAT' wrong ../overtaken besides 1
}

# lost_at PLACE COMMAND...: nothing is reported but a message that is never received, with the place of its call
lost_at() {
    local place=$1 name=lost-$RANDOM
    job "$name" 2 "${@:2}"
    [ "$(grep -c '"id":' "$name/found.jsonl")" = 1 ] && grep -q '"id":"match-lost"' "$name/found.jsonl" &&
        grep -qE "^mpipp: warning match-lost: rank 1 never receives what rank 0 sends with tag 7\$" "$name/err" &&
        grep -qE "^  rank 0  .*$place( in .*)?\$" "$name/err" && return
    cat "$name/err"
    return 1
}

# of_binding NAME INT REAL MARK SOURCE COMMAND...: MARK is what the marks of the source have before the case
of_binding() {
    local name=$1 int=$2 real=$3 mark=$4 source=$5
    local handled=()
    shift 5
    [ "$name" != mpi4py ] || handled=(--severity=note) # an exception
    ok "$mpi: $name, another type" says_both "$source" "rank 1 receives 6 x $real where rank 0 sends 6 x $int" "${mark}type" "$@" type
    ok "$mpi: $name, too long" says_both "$source" "rank 1 has room for 5 x $int where rank 0 sends 6 x $int" "${mark}long" \
        "${handled[@]}" "$@" long
    ok "$mpi: $name, never received" lost_at "$(basename "$source"):$(grep -n " ${mark}lost: send" "$source" | cut -d: -f1)" "$@" lost
    ok "$mpi: $name, right" finds '' 2 "$@" right
}

# bindings: the same messages by the three bindings of Fortran, and in Python
bindings() {
    local name
    for name in OLD MODULE F08; do
        "mpif90.$mpi" -g -O0 -w -fallow-argument-mismatch -D$name -o bindings-$name "$here/bindings.F90" || return
        of_binding "Fortran, $name" MPI_INTEGER MPI_REAL '! Fortran ' "$here/bindings.F90" ../bindings-$name
    done
    [ "$python_mpi" != "$mpi" ] || of_binding mpi4py MPI_INT MPI_FLOAT '# ' "$here/bindings.py" "$python" "$here/bindings.py"
}

# mpi4: MPI_Isendrecv and partitioned communication
mpi4() {
    local name
    echo '#include <mpi.h>' >mpi.c
    if ! "mpicc.$mpi" -E mpi.c | grep -q '\<MPI_Isendrecv\>'; then
        skip "$mpi: MPI_Isendrecv and partitioned communication" "this MPI has none"
        return
    fi
    for name in sendrecv partitioned; do
        "mpicc.$mpi" -std=gnu11 -g -Wno-stringop-overflow -o $name "$here/$name.c" -lpthread || return
    done
    ok "$mpi: MPI_Isendrecv" compared 0 ../sendrecv right
    # Of each exchange two messages of each rank, and then all: MPICH does not say which were received.
    ok "$mpi: MPI_Isendrecv from any source" compared "$([ "$mpi" = mpich ] && echo 22 || echo 0)" ../sendrecv any
    ok "$mpi: a wrong MPI_Isendrecv" says_both "$here/sendrecv.c" 'rank 1 receives 4 x MPI_INT where rank 0 sends 4 x MPI_FLOAT' wrong ../sendrecv wrong
    export MPIPP_NODE_SIZE=1
    ok "$mpi: MPI_Isendrecv between nodes" compared 0 ../sendrecv right
    ok "$mpi: many of MPI_Isendrecv between nodes" finds '' 2 ../sendrecv many
    ok "$mpi: a wrong MPI_Isendrecv between nodes" says_both "$here/sendrecv.c" 'rank 1 receives 4 x MPI_INT where rank 0 sends 4 x MPI_FLOAT' wrong ../sendrecv wrong
    unset MPIPP_NODE_SIZE
    ok "$mpi: a wrong MPI_Isendrecv_replace" says_both "$here/sendrecv.c" 'rank 1 receives 4 x MPI_INT where rank 0 sends 4 x MPI_FLOAT' \
        replace ../sendrecv replace
    if ! patiently -t 20 env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "${marked[@]}" "mpirun.$mpi" -n 2 \
        ./partitioned right >/dev/null 2>&1 </dev/null; then
        skip "$mpi: partitioned communication" "without mpipp it hangs under this MPI"
        return
    fi
    ok "$mpi: partitioned communication" compared 0 ../partitioned right
    ok "$mpi: partitioned communication, another type" says_both "$here/partitioned.c" \
        'rank 1 receives 8 x MPI_LONG where rank 0 sends 8 x MPI_DOUBLE' type ../partitioned type
    ok "$mpi: partitioned communication, too long" says_both "$here/partitioned.c" \
        'rank 1 has room for 4 x MPI_DOUBLE where rank 0 sends 8 x MPI_DOUBLE' long ../partitioned long
    ok "$mpi: partitioned communication, too long, and the program handles it" noted match-truncation ../partitioned handled
    ok "$mpi: partitioned communication, partitions of several threads" compared 0 ../partitioned parts
    ok "$mpi: partitioned communication, requests of several threads" says_both "$here/partitioned.c" \
        'rank 1 receives 8 x MPI_LONG where rank 0 sends 8 x MPI_DOUBLE' threads ../partitioned threads
    export MPIPP_NODE_SIZE=1
    ok "$mpi: partitioned communication between nodes is not compared, but counted" compared 3 ../partitioned right
    ok "$mpi: partitioned communication between nodes, another type" compared 2 ../partitioned type
    unset MPIPP_NODE_SIZE
}

# noted ID COMMAND...: this finding is a note
noted() {
    local name=noted-$RANDOM id=$1
    shift
    job "$name" 2 --severity=note "$@"
    grep "\"id\":\"$id\"" "$name/found.jsonl" | grep -q '"severity":"note"' && return
    cat "$name/err"
    return 1
}

# handled CASE: the program handles MPI's error: a note, with both sides, and nothing else
handled() {
    local name=handled-$1
    says_both "$here/misfits.c" 'rank 1 has room for 2 x MPI_INT where rank 0 sends 6 x MPI_INT' "$1" --severity=note ../misfits "$1" handled || return
    job "$name" 2 --severity=note ../misfits "$1" handled
    [ "$(grep -c '"id":' "$name/found.jsonl")" = 1 ] && grep -q '"severity":"note"' "$name/found.jsonl" && return
    cat "$name/found.jsonl"
    return 1
}

# compared_then CASE: so the messages after it are compared, too
compared_then() {
    local name=then-$1
    job "$name" 2 --severity=note ../misfits "$1" "then"
    [ "$(grep -o '"id":"[^"]*"' "$name/found.jsonl" | sort | xargs)" = 'id:match-truncation id:match-type' ] &&
        ! grep -q 'could not be compared' "$name/err" && return
    cat "$name/found.jsonl" "$name/err"
    return 1
}

# handed CASE: threads receive messages of MPI_Mprobe: all are compared, and are right; in some cases MPI gives a
# handle out again (MPICH's MPI_Imrecv makes a request of it)
handed() {
    local name=handed-$1
    job "$name" 2 ../handed "$1" && [ ! -s "$name/found.jsonl" ] && ! grep -q 'could not be compared' "$name/err" &&
        case $1$mpi in stress* | imrecvmpich) ;; *) grep -q '^again: 1$' "$name/out" ;; esac && return
    cat "$name/out" "$name/err"
    return 1
}

messages() {
    local mpi=$1 rounds=300 name both
    in_folder "$mpi"
    ranks_yield "$mpi"
    # MPICH's ranks never release the processor while they wait.
    [ "$mpi" = mpich ] && rounds=60
    for name in messages resent after_others fits misfits jumps many waited partial asserted threaded beyond; do
        "mpicc.$mpi" -std=gnu11 -g -Wno-stringop-overflow -o $name "$here/$name.c" -lpthread -ldl || return
    done
    "mpicc.$mpi" -g -shared -fPIC -o libmeanwhile.so "$here/meanwhile.c" &&
        "mpicc.$mpi" -std=gnu11 -g -o handed "$here/handed.c" -L. "-Wl,-rpath,$PWD,--no-as-needed" -lmeanwhile -lpthread || return
    "mpicc.$mpi" -std=gnu11 -g -Wno-stringop-overflow -o synchronous "$top/tests/cmd/synchronous.c" || return
    "mpif90.$mpi" -g -o sent "$here/sent.f90" || return
    "mpif90.$mpi" -g -o beyond-fortran "$here/beyond.f90" || return
    ok "$mpi: random messages, 2 ranks" put_in 2 1 $rounds 0
    ok "$mpi: random messages, 3 ranks" put_in 3 2 $rounds 0
    ok "$mpi: random messages with wrong ones, 2 ranks" put_in 2 3 $rounds 10
    ok "$mpi: random messages with wrong ones, 4 ranks" put_in 4 4 $rounds 20
    ok "$mpi: messages that repeat others, 2 ranks" put_in 2 5 2000 0 resent
    ok "$mpi: messages that repeat others, with wrong ones, 2 ranks" put_in 2 6 2000 20 resent
    ok "$mpi: messages that repeat others, with wrong ones, 3 ranks" put_in 3 7 2000 20 resent
    for name in 'unsafe deadlock-potential' 'safe' 'ready match-ready' 'lost match-lost' 'type match-type'; do
        both=${name#* }
        [ "$name" = safe ] && both=''
        ok "$mpi: the last of messages that repeat others: ${name% *}" finds "${both:+$both }" 2 ../after_others "${name% *}"
    done
    ok "$mpi: messages that only look wrong" finds 'request-active-free ' 2 ../fits
    ok "$mpi: a message that the program sees to be cut" finds '' 2 ../fits cut
    for name in recv irecv waitall mprobe swap persistent self inter freed; do
        ok "$mpi: $name" says_both "$here/misfits.c" 'rank [01] receives 6 x MPI_INT where (rank 0|it) sends 6 x MPI_FLOAT' \
            $name ../misfits $name
    done
    ok "$mpi: a message that ends inside a basic element" says_both "$here/misfits.c" \
        'rank 1 receives 3 x several basic types where rank 0 sends 2 x MPI_LONG' inside ../misfits inside
    ok "$mpi: 1000 random pairs of nested datatypes" nested 1000 1
    ok "$mpi: a message that is too long" says_both "$here/misfits.c" 'rank 1 has room for 2 x MPI_INT where rank 0 sends 6 x MPI_INT' \
        long ../misfits long
    ok "$mpi: a message that is too long, in MPI_Wait" says_both "$here/misfits.c" \
        'rank 1 has room for 2 x MPI_INT where rank 0 sends 6 x MPI_INT' wait ../misfits wait
    for name in waits some; do
        ok "$mpi: a message that is too long, without statuses, $name" says_both "$here/misfits.c" \
            'rank 1 has room for 2 x MPI_INT where rank 0 sends 6 x MPI_INT' $name ../misfits $name
    done
    ok "$mpi: a message that is too long, in MPI_Test" says_both "$here/misfits.c" \
        'rank 1 has room for 2 x MPI_INT where rank 0 sends 6 x MPI_INT' test ../misfits test
    for name in long wait waits test; do
        ok "$mpi: a message that is too long, and the program handles it, $name" handled "$name"
        # MPI_Waitall does not tell what became of the other request.
        [ $name = waits ] || ok "$mpi: and the next message is compared, $name" compared_then "$name"
    done
    ok "$mpi: a receive from any source is left" jumps receive '6 of 7' 'match-type '
    ok "$mpi: a receive from one source is left" jumps known '6 of 7' 'match-type '
    ok "$mpi: a send is left" jumps send '5 of 6' 'buffer-null match-type '
    ok "$mpi: a receive in an error handler is left" jumps inside '7 of 8' 'match-type '
    ok "$mpi: a receive from one source is left, after others at its line" jumps known '6 of 9' 'match-type ' 3
    ok "$mpi: a receive in an error handler is left, after others at the line" jumps inside '7 of 10' 'match-type ' 3
    for name in blocking waited probed counted; do
        ok "$mpi: a message that ends inside an element, $name" says_both "$here/partial.c" \
            'rank 1 receives elements of 12 bytes where rank 0 sends 4 x MPI_INT, 16 bytes: the last element is not complete' \
            $name ../partial $name
    done
    ok "$mpi: messages that may end inside an element" finds '' 2 ../partial right
    for name in source tag later made; do
        [ "$name$mpi" = madeopenmpi ] || # Open MPI 4.1 has no MPI_Comm_idup_with_info
            ok "$mpi: a wildcard that the info excludes, $name" finds 'match-assert ' 2 ../asserted $name
    done
    ok "$mpi: the same, without --check=p2p" only_local
    ok "$mpi: a message that is not as long as its receive" says_both "$here/asserted.c" \
        "rank 1 has room for 4 x MPI_INT where rank 0 sends 2 x MPI_INT, although the communicator's info says mpi_assert_exact_length" \
        exact ../asserted exact
    for name in right overtaking; do
        ok "$mpi: what is asserted is true: $name" finds '' 2 ../asserted $name
    done
    ok "$mpi: a ready send" finds 'match-ready ' 2 ../misfits ready
    ok "$mpi: messages that are never received" finds 'match-lost match-lost ' 2 ../misfits lost
    match_memory
    local line='rank 1 never receives what rank 0 sends with tag 7, 9000 messages'
    ok "$mpi: very many messages that are never received" many 9000
    ok "$mpi: 100,000 messages that are not received" flooded 100000
    line='rank 1 never receives what rank 0 sends with tag 7, 8900 messages'
    ok "$mpi: very many messages of which some are received" many 9000 100
    line='rank 1 never receives what rank 0 sends with tag 7, 1000 messages or more'
    ok "$mpi: very many messages of two calls that are never received" many 9000 0 two
    ok "$mpi: a receive that is never completed" finds 'request-leak ' 2 ../misfits leaked
    for name in head_to_head later_wait persistent started safe; do
        case $name in head_to_head | later_wait | persistent | started) both='deadlock-potential ' ;; *) both='' ;; esac
        ok "$mpi: sends that only buffers let pass, and others: $name" finds "$both" 2 ../synchronous $name
    done
    for name in ring both_ways mixed repeated posted_late; do
        ok "$mpi: nonblocking sends that only buffers let pass: $name" finds 'deadlock-potential ' 2 ../waited $name
        ok "$mpi: nonblocking sends that only buffers let pass, 4 ranks: $name" finds 'deadlock-potential ' 4 ../waited $name
    done
    for name in waits_later posted_before tests any one_receives_first buffered answers pipeline; do
        ok "$mpi: nonblocking sends: $name" finds '' 3 ../waited $name
    done
    for name in call_first request_first send_first on_copy; do
        ok "$mpi: a message and a collective call in different orders: $name" finds 'deadlock-potential ' 3 ../beyond $name
    done
    ok "$mpi: a message and a collective call in different orders, Fortran" finds 'deadlock-potential ' 2 ../beyond-fortran
    ok "$mpi: the places of both, and of the collective call" places_beyond
    for name in posted_before started_before waits_later tests probes probes_matched any other_comm; do
        ok "$mpi: a message and a collective call that are right: $name" finds '' 3 ../beyond $name
    done
    ok "$mpi: random messages and collective calls" beyond 3 1 500 0
    ok "$mpi: some of them in different orders, 2 ranks" beyond 2 2 300 5
    ok "$mpi: some of them in different orders, 4 ranks" beyond 4 3 300 5
    ok "$mpi: both sends are told once" once_both
    ok "$mpi: sends in a ring of 3" in_ring 3 'ranks 0, 1 and 2'
    ok "$mpi: sends in a ring of 9" in_ring 9 '9 ranks'
    ok "$mpi: random blocking sends, 2 ranks" unsafe 2 1
    ok "$mpi: random blocking sends, 3 ranks" unsafe 3 3
    ok "$mpi: random blocking sends, 4 ranks" unsafe 4 2
    mpi4
    overtaken
    if [ "$mpi" = mpich ]; then
        skip "mpich: a parent and its child" "MPI_Comm_spawn does not work everywhere"
    elif ! can_spawn "$mpi"; then
        skip "$mpi: a parent and its child" "this MPI's do not reach each other here"
    else
        "mpicc.$mpi" -std=gnu11 -g -o spawned "$here/spawned.c" || return
        ok "$mpi: a parent and its child" finds 'match-type ' 1 ../spawned
        ok "$mpi: which of them is which" \
            grep -q ': rank 0 of world 2 receives 1 x MPI_FLOAT where rank 0 sends 1 x MPI_INT$' finds-*/err
    fi
    ok "$mpi: without mpipp run" gives 0 '^mpipp: the ranks share no memory, .* what they do together is not compared' \
        env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 MPIPP_CHECK=p2p "${marked[@]}" "mpirun.$mpi" -n 2 "$mpipp" exec ./misfits recv
    ok "$mpi: threads" finds '' 2 ../misfits threads
    for name in tags comms; do
        ok "$mpi: threads that have their own $name" says_both "$here/threaded.c" \
            'rank 1 receives 2 x MPI_INT where rank 0 sends 2 x MPI_FLOAT' wrong ../threaded $name
    done
    ok "$mpi: threads are not told" [ "$(cat both-*/err | grep -c MPI_THREAD_MULTIPLE)" = 0 ]
    for name in shared wild probes; do
        ok "$mpi: threads that are not ordered: $name" finds '' 2 ../threaded $name
    done
    for name in mrecv imrecv inside stress; do
        ok "$mpi: threads receive messages of MPI_Mprobe: $name" handed $name
    done
    ok "$mpi: threads receive messages of MPI_Mprobe, and a wrong one" says_both "$here/handed.c" \
        'rank 1 receives 2 x MPI_INT where rank 0 sends 2 x MPI_FLOAT' wrong ../handed wrong
    ok "$mpi: threads are told" grep -q 'MPI_THREAD_MULTIPLE.*messages are not compared' finds-*/err
    ok "$mpi: Fortran" says_both "$here/sent.f90" 'rank 1 receives 4 x MPI_INTEGER where rank 0 sends 4 x MPI_REAL' sent ../sent
    ok "$mpi: Fortran, the end of a message" says_both "$here/sent.f90" \
        'rank 1 receives elements of 8 bytes where rank 0 sends 3 x MPI_INTEGER, 12 bytes: the last element is not complete' partial ../sent
    ok "$mpi: Fortran, nothing else but a wildcard" finds 'match-type match-partial match-assert ' 2 ../sent
    bindings
    if [ "$python_mpi" = "$mpi" ]; then
        ok "$mpi: mpi4py" says_both "$here/sent.py" \
            'rank 1 receives 4 x MPI_INT where rank 0 sends 2 x MPI_DOUBLE' sent "$python" "$here/sent.py"
        ok "$mpi: mpi4py, the end of a message" says_both "$here/sent.py" \
            'rank 1 receives elements of 8 bytes where rank 0 sends 3 x MPI_INT, 12 bytes: the last element is not complete' \
            partial "$python" "$here/sent.py"
        ok "$mpi: mpi4py, nothing else but a wildcard" finds 'match-type match-partial match-assert ' 2 "$python" "$here/sent.py"
    fi
    ok "$mpi: nothing is left" none_left
}

in_both messages
finish
