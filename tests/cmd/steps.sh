#!/bin/bash
# Steps of one rank of a job under one gdb: the others do not run, unless the step needs them.
cd "$(dirname "$0")/../.." || exit 2
. tests/count.sh
. tests/cmd/says.sh
. tests/cmd/jobs.sh

# line NAME: the number of the line with that comment
line() {
    grep -n "/\* $1 \*/" "$top/tests/cmd/steps.c" | cut -d : -f 1
}

# session NAME COMMAND...: runs gdb on two ranks that are at 'begin', with rank 0 selected. Its answers to
# the commands are in NAME.1, NAME.2, ...
session() {
    local name=$1 command words=()
    shift
    for command in "break $(line begin)" continue delete 'inferior 1' "$@"; do
        words+=(-ex 'echo ---\n' -ex "$command")
    done
    patiently "${gdb[@]}" -n 2 "${words[@]}" "$program" >"$name" 2>&1 </dev/null
    awk -v "name=$name" '/^---$/ { n++; next } n > 4 { print >(name "." n - 4) }' "$name"
}

# told FILE PATTERN: the pattern is gdb's answer, with [...] for any text; it may have several lines
told() {
    grep -v '^\[' "$1" >told
    grep -qzP -e "^(?s:$2)\n$" told && return
    echo "wanted '$2', got: $(cat told)"
    return 1
}

# On a terminal, where gdb reads the next command before one has ended.
cat >"$all/terminal.exp" <<'END'
lassign $argv mark mpipp program begin
set timeout 600
set prompt "\n?\\(gdb\\) " ;# not at the end: what a rank prints may come after it
proc ask {command} {
    global prompt
    send -- "$command\r"
    expect -re $prompt
    return [regsub -all {\[New [^\n]*\n} $expect_out(buffer) ""]
}
log_user 0
spawn env MARK=$mark TERM=dumb $mpipp gdb -nx -q -n 2 -ex "set confirm off" -ex "set width 0" $program
expect_after timeout { puts "\nno answer"; exit 1 }
expect -re $prompt
foreach command [list "break $begin" continue delete "inferior 1"] { ask $command }
foreach command {"set mpi-gather 30" next "break mark" "until barrier_line" next next "set mpi-step-alone unlimited"} {
    puts "<[ask [string map [list barrier_line [lindex $argv 4]] $command]]>"
}
send "next\r"
sleep 2
send "\003"
expect -re $prompt
puts "<$expect_out(buffer)>"
puts "<[ask "show schedule-multiple"]>"
puts "<[ask "info threads"]>"
log_user 1
send "quit\r"
expect eof
puts "all done"
END

at_terminal() {
    patiently expect "$all/terminal.exp" "$mark" "$mpipp" "$program" "$(line begin)" "$(line barrier)" 2>&1 </dev/null |
        tr -d '\r' >terminal
    grep -qx "all done" terminal && none_left && return
    cat terminal
    return 1
}

# in_mi: a frontend's step over a call that needs the other rank ends
in_mi() {
    {
        printf '%s\n' "-break-insert -c rank==0 $(line barrier)" -exec-continue
        until_there 'stopped,reason="breakpoint-hit"' mi >&2
        printf '%s\n' '-break-delete' '-exec-next --thread 1'
        until_there 'stopped,reason="end-stepping-range"' mi >&2
        echo -gdb-exit
    } | patiently "${marked[@]}" "$mpipp" gdb -nx -q -i=mi -n 2 "$program" >mi 2>&1
    grep -q 'stopped,reason="end-stepping-range".*line="'"$(line exchange)"'".*thread-id="1"' mi && none_left && return
    grep -F -e '*' -e '^' mi
    return 1
}

# step_tests MPI
step_tests() {
    local mpi=$1 program alone late
    in_folder "$mpi"
    "mpicc.$mpi" -g -O0 -o steps-$mpi "$top/tests/cmd/steps.c" || exit 2
    program=$folder/steps-$mpi
    alone='set mpi-step-alone unlimited' # on a slow machine a line may take a second

    session alone "$alone" next step finish "until $(line third)" "advance $(line fourth)" \
        stepi 'inferior 2' 'thread apply 2.1 1.1 next' finish stepi 'show schedule-multiple'
    ok "$mpi: next moves one rank" told alone.2 "[0-9]+\t[^\n]* second \*/"
    ok "$mpi: step goes into a function" told alone.3 "work \(milliseconds=2\) at .*"
    ok "$mpi: finish comes out of it" told alone.4 "(0x[0-9a-f]+ in )?main .* second \*/\nValue returned is .* = 2"
    ok "$mpi: until" told alone.5 "main .* third \*/"
    ok "$mpi: advance" told alone.6 "main .* fourth \*/"
    ok "$mpi: the other rank stays" told alone.8 "#0  main .* begin \*/"
    ok "$mpi: each rank in turn" told alone.9 "\nThread 2.1 .* second \*/\n\nThread 1.1 .*"
    ok "$mpi: a step that cannot begin" told alone.10 ".finish. not meaningful in the outermost frame\."
    ok "$mpi: gdb's own setting is put back" told alone.12 "Resuming the execution of threads of all processes is on\."
    ok "$mpi: nothing is left" none_left

    session needs 'set mpi-gather 30' "until $(line barrier)" next 'break mark' 'break mark_early' next next 'show schedule-multiple' \
        'set mpi-gather 2' next delete continue 'info inferiors'
    ran="The other ranks ran, too, after 1 s \(see 'help set mpi-step-alone'\)"
    ok "$mpi: a step that needs the other rank" told needs.3 "[0-9]+\t[^\n]* exchange \*/\n$ran"
    ok "$mpi: the other rank comes to a breakpoint, and the step to its end" told needs.6 \
        "\nThread 2.1 [^\n]* hit Breakpoint 2.*, mark \(value=300\).*\n#0  main .* again \*/"
    ok "$mpi: and again, from there" told needs.7 "\nThread 2.1 [^\n]* mark \(value=301\).*\n#0  main .* late \*/"
    ok "$mpi: gdb's own setting, after that" told needs.8 "Resuming the execution of threads of all processes is on\."
    late="\nThread 2.1 [^\n]* mark_early .*\n#0 .*\ninferior 1: 'next' has not come to its end"
    ok "$mpi: a step that waits for a rank at a breakpoint" told needs.10 "$late"
    ok "$mpi: and the job goes on to its end" told needs.13 ".* 1 +<null> .* 2 +<null> .*"
    ok "$mpi: nothing is left of that" none_left

    session finish 'set mpi-gather 30' "tbreak take_and_work" continue 'break mark' finish next next next 'tbreak take' next
    ok "$mpi: a finish is cut short, and comes to its end" told finish.5 \
        "\nThread 2.1 [^\n]* mark \(value=300\).*\n#0 .* exchange .*"
    ok "$mpi: a breakpoint inside of a step" told finish.10 "\nThread 1.1 [^\n]* Temporary breakpoint 4[^\n]*, take .*"

    session together 'set mpi-step-alone 0' "until $(line barrier)" next
    ok "$mpi: the others run from the start" told together.3 "[0-9]+\t[^\n]* exchange \*/"
    ok "$mpi: at a terminal" at_terminal
    ok "$mpi: in MI" in_mi
}

in_both step_tests

# gdb crashes at its end if events that were posted to it are still pending.
in_folder end
ok "gdb ends though a step was about to need the others" gives 3 '^the end' "$mpipp" gdb -nx -batch -ex \
    'python from mpipp.ranks_control import Later; import time; Later(0, print); time.sleep(0.5); print("the end")' -ex 'quit 3'
cd / && finish
