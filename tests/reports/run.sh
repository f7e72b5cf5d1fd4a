#!/bin/bash
# The reports of 'mpipp run': text, files, exit status, and the behaviour if something fails. The ranks
# run rank.c, which sends reports as the checker does, under either launcher.
cd "$(dirname "$0")/../.." || exit 2
. tests/count.sh
. tests/cmd/says.sh
. tests/cmd/jobs.sh

unset MPIPP_CHECK MPIPP_REPORTS MPIPP_MAX_REPORTS NO_COLOR DEBUGINFOD_URLS
in_folder reports
build=(gcc -std=c11 -D_GNU_SOURCE -O2 -I"$top/libshadowtype")
"${build[@]}" -g -Wall -Wextra -Werror -o rank "$top/tests/reports/rank.c" "$top"/libshadowtype/report/*.c -ldl || exit 2
objcopy --strip-all rank stripped || exit 2
line_inlined=$(grep -n 'marker: inlined' "$top/tests/reports/rank.c" | cut -d: -f1)
line_caller=$(grep -n 'marker: caller' "$top/tests/reports/rank.c" | cut -d: -f1)
run=("$mpipp" run --mpi=mpich -n 3)

# reports STATUS FILE COMMAND...: the exit status; standard error, without what the launcher says of
# killed ranks, is FILE's, without the lines that name processes
reports() {
    local status=$1 file=$2 got
    shift 2
    for _ in 1 2 3; do
        patiently "$@" >out 2>err </dev/null
        got=$?
        [ "$got" = 141 ] || break # MPICH's launcher was ended by SIGPIPE (says.sh)
    done
    grep -E '^(mpipp:|  )' err >said
    [ "$got" = "$status" ] && diff said "$file" && return
    echo "wanted status $status, got $got"
    return 1
}

report="mpipp: error datatype-null: each of ranks 0-2 sends with MPI_DATATYPE_NULL
  send      MPI_Send(buf=0x7ffd1000, count=1, datatype=<cell & \"t\">)   rank.c:$line_inlined in inlined()
    called from rank.c:$line_caller in exchange()
    element cell_t[0](MPI_INT), byte 4
  type      cell_t 0x8c000005: created at rank.c:$line_inlined in inlined()
    {kind = STRUCT}
  advice    pass the datatype of the elements"
echo "mpipp: no errors; 303 calls checked on 3 ranks" >clean.txt
printf '%s\nmpipp: 1 error; 303 calls checked on 3 ranks\n' "$report" >same.txt
echo "mpipp: no errors, 1 suppressed; 303 calls checked on 3 ranks" >suppressed.txt

openmpi=("$mpipp" run --mpi=openmpi -n 3)
ok "clean" reports 0 clean.txt "${run[@]}" ./rank clean
ok "standard output is the program's" test "$(sort -u out)" = "the program's own words"
ok "one report for all ranks, inlined frames" reports 0 same.txt "${run[@]}" ./rank same
ok "under Open MPI's launcher" reports 0 same.txt "${openmpi[@]}" ./rank same
worldless() {
    patiently env RANK_WORLDLESS=yes "${run[@]}" --report=worldless.txt ./rank same >out 2>err </dev/null
    head -n 1 worldless.txt
    grep -q '^mpipp: error datatype-null: each of 3 processes sends with MPI_DATATYPE_NULL$' worldless.txt
}
ok "processes without a world" worldless
ok "the exit status is the program's" reports 7 clean.txt "${run[@]}" ./rank exit 7
{ sed '$d' same.txt && echo "mpipp: ranks 0-2 were on other hosts, which no option of the launcher named (such as -hosts): what they do together with others was not checked" &&
    tail -n 1 same.txt; } >elsewhere.txt
ok "from another host" reports 0 elsewhere.txt env RANK_HOST=elsewhere "${run[@]}" ./rank same
ok "from another host, Open MPI" reports 0 elsewhere.txt \
    env RANK_HOST=elsewhere "${openmpi[@]}" -x RANK_HOST ./rank same
ok "10^7 times" gives 0 'datatype-null.* \(?30000000 times' "${run[@]}" ./rank again 10000000

# What happens to the other ranks, and the exit status, then depend on the launcher.
# dies FOUND COMMAND...: fails; the report names the end of a rank, the last line the findings until then
dies() {
    local found=$1
    shift
    patiently "$@" >out 2>err </dev/null && echo "exit status 0" && return 1
    grep -qE '^mpipp: ranks? [0-2][-,0-2]*( \(process [0-9]+\))? did not come to (its|their) end: ' err &&
        tail -n 1 err | grep -qE "^mpipp: $found" && ! grep -q 'no errors' err && return
    cat err
    return 1
}
some='[0-9]+ calls checked on [12] of 3 ranks; nothing more is known: [12] ranks? ended early$'
all='nothing (more )?is known: all ranks ended early$'
ok "a killed rank" dies "(nothing was found; $some|$all)" "${run[@]}" ./rank killed
ok "all ranks killed" dies "$all" "${run[@]}" ./rank killed all
ok "a rank that aborts while others report" dies "1 error; ($some|$all)" "${run[@]}" ./rank abort
ok "a rank that aborts: its report is there" grep -qE '^mpipp: error datatype-null: .* sends with' err
ok "a killed rank, Open MPI" dies "(nothing was found; $some|$all)" "${openmpi[@]}" ./rank killed
ok "all ranks killed, Open MPI" dies "$all" "${openmpi[@]}" ./rank killed all
# kills_launcher COMMAND...: once its ranks are there
kills_launcher() {
    local child status i
    : >out
    "$@" >out 2>err </dev/null &
    child=$!
    for ((i = 0; i < 600; i++)); do [ "$(grep -c waits out)" = 3 ] && break || sleep 0.1; done
    kill -KILL "$(pgrep -P $child)"
    wait $child
    status=$?
    [ $status = 137 ] && [ "$(tail -n 1 err)" = 'mpipp: nothing is known: all ranks ended early' ] && return
    echo "status $status"
    cat err
    return 1
}
ok "the launcher killed" kills_launcher "${run[@]}" ./rank launcher
ok "the launcher killed, Open MPI" kills_launcher "${openmpi[@]}" ./rank launcher

# The program's own lines between reports are not changed, even if they look like reports.
noise() {
    env "$@" "${run[@]}" ./rank noise 2>err >out
    grep -v '^mpipp:' err | grep -c '^@mpipp noise [0-9]* of rank [0-2]$' >count
    [ "$(cat count)" = 600 ] && [ "$(grep -c 'error datatype-null' err)" = 1 ] && return
    echo "$(cat count) of 600 lines; others and their neighbours:"
    grep -n -B 2 -A 2 -v '^@mpipp noise [0-9]* of rank [0-2]$' err
    return 1
}
ok "the program's lines pass through" noise A=B
ok "the program's lines pass through, among records" noise RANK_HOST=elsewhere

# Lines that look like records, but belong to another run, are the program's.
forged() {
    local line='@mpipp:17-9f3a22c1:0:0.{"record":"end","calls":99}' old='@mpipp:17-9f3a22c1-00000000:0:0+{'
    "${run[@]}" /bin/sh -c 'printf "%s\n%s\n" "$0" "$1" >&2; exec ./rank same' "$line" "$old" 2>err >out
    [ "$(grep -cxF "$line" err)" = 3 ] && [ "$(grep -cxF "$old" err)" = 3 ] &&
        ! grep -q 'could not be read' err && grep -q '^mpipp: 1 error; 303 calls checked on 3 ranks$' err && return
    cat err
    return 1
}
ok "forged records pass through" forged
RANK_HOST=elsewhere ok "forged records pass through, among records" forged
ok "forged records pass through, with no folder" env TMPDIR=/nowhere bash -c "$(declare -f forged)"'; run=("$@"); forged' - "${run[@]}"
# Both streams in one file: no line is cut by another, a last line without an end is there, and a
# prompt without one comes at once.
whole_lines() {
    patiently "$@" ./rank both 400 >both 2>&1 </dev/null
    [ "$(grep -c '^error line$' both)" = 400 ] && [ "$(grep -cE '^Oo{2998}$' both)" = 400 ] &&
        grep -qx 'no end' both && tail -n 1 both | grep -q '^mpipp: no errors; ' && return
    grep -avE '^(error line|Oo{2998})$' both | cut -c1-100 | head
    return 1
}
ok "whole lines" whole_lines "$mpipp" run --mpi=mpich -n 1
# The launcher of Open MPI 5.0.7 breaks long lines in pieces.
if patiently mpirun.openmpi -n 1 ./rank both 400 >bare 2>/dev/null </dev/null
    [ "$(grep -cE '^Oo{2998}$' bare)" = 400 ]; then
    ok "whole lines, Open MPI" whole_lines "$mpipp" run --mpi=openmpi -n 1
else
    skip "whole lines, Open MPI" "the launcher breaks lines without mpipp"
fi
answered() {
    mkfifo answer && : >asked
    "$@" ./rank prompt >asked 2>&1 <answer &
    exec 9>answer
    until_there '^name[?] $' asked && echo x >&9
    exec 9>&-
    rm answer
    wait $!
}
ok "a prompt without an end" answered "$mpipp" run --mpi=mpich -n 1
ok "nobody reads it" sh -c '"$@" ./rank both 4000 2>&1 | head -n 1 | grep -q .' - "$mpipp" run --mpi=mpich -n 1
little_stack() {
    (ulimit -s 128 && reports "$@")
}
ok "128 KiB of stack" little_stack 0 same.txt "${run[@]}" ./rank same

ok "--check=none: nothing is said" times 0 'mpipp: ' "${run[@]}" --check=none /bin/true
ok "--check reaches the ranks" gives 0 '^none 7$' "$mpipp" run --mpi=mpich --check=none \
    --max-reports=7 -n 1 /bin/sh -c 'echo $MPIPP_CHECK $MPIPP_MAX_REPORTS'
# Not /bin/true: if ranks end at once, SIGPIPE sometimes kills MPICH's launcher.
ok "nothing checked is not called clean" gives 0 \
    "^mpipp: nothing was checked: no process has called MPI_Init under 'mpipp run'\$" \
    "${run[@]}" sleep 1
ok "--fail-on=error" gives 86 'error datatype-null' "${run[@]}" --fail-on=error ./rank same
ok "--fail-on=error, a warning" gives 0 'no errors, 1 warning;' "${run[@]}" --fail-on=error ./rank warning
ok "--fail-on=warning" gives 86 '1 warning;' "${run[@]}" --fail-on=warning ./rank warning
ok "--fail-on=warning, clean" gives 0 'no errors;' "${run[@]}" --fail-on=warning ./rank clean
ok "--severity=error" times 0 'warning' "${run[@]}" --severity=error ./rank warning
ok "--max-reports" times 4 'argument-tag' "${run[@]}" --max-reports=3 ./rank many 20
ok "1000 different findings" gives 0 '^mpipp: 1000 errors; 303 calls' \
    "${run[@]}" --max-reports=1000 --report=many.jsonl ./rank many 1000
ok "1000 different findings: whole, each once" test "$(grep -c 'error argument-tag: each of' <<<"$(
    "${run[@]}" --max-reports=1000 ./rank many 1000 2>&1 >/dev/null)")" = 1000
ok "1000 different findings: the file" test "$(python3 -c 'import json, sys
print(len({json.loads(line)["message"] for line in sys.stdin}))' <many.jsonl)" = 1000
# soon SECONDS COMMAND...: it and its children take no more processor time
soon() {
    local seconds=$1 used
    shift
    used=$({ TIMEFORMAT=%U && time patiently "$@" >out 2>err </dev/null; } 2>&1)
    [ "${used%%.*}" -lt "$seconds" ] && return
    echo "$used s"
    return 1
}
ok "20,000 different findings: their cost grows with their number" soon 6 \
    "$mpipp" run --mpi=mpich -n 1 --max-reports=20000 ./rank many 20000
ok "20,000 different findings: whole" grep -q '^mpipp: 20000 errors; 100 calls' err

printf '# none of ours\ndatatype-*:fun:exch*\n' >suppress
ok "--suppress" reports 0 suppressed.txt "${run[@]}" --suppress=suppress --fail-on=error ./rank same
"${run[@]}" --gen-suppressions=generated ./rank same >/dev/null 2>&1
ok "--gen-suppressions" reports 0 suppressed.txt "${run[@]}" --suppress=generated ./rank same
ok "--gen-suppressions: on standard error" gives 0 '^datatype-null:fun:inlined$' \
    "${run[@]}" --gen-suppressions ./rank same

"${run[@]}" --report=a.jsonl --report=a.html --report=a.sarif --report=a.xml --report=a.txt ./rank same >/dev/null 2>&1
"${run[@]}" --report=overlap.html ./rank overlap >/dev/null 2>&1
# shellcheck disable=SC2016 # RANK_TEXT is for the page
ok "report files" python3 "$top/tests/reports/files.py" "$line_inlined"
RANK_TEXT='</code><script>&' "${run[@]}" --report=b.html ./rank same >/dev/null 2>&1
ok "the page escapes" sh -c '! grep -q "<script" b.html && grep -q "&lt;/code&gt;&lt;script&gt;&amp;" b.html'
# What XML may not have at all, and a run that is not whole.
RANK_TEXT=$'</failure>]]>&\x01\xef\xbf\xbf' "${run[@]}" --report=b.xml ./rank same >/dev/null 2>&1
ok "JUnit escapes" python3 -c 'import xml.etree.ElementTree as e; assert "</failure>]]>& \ufffd\n" in e.parse("b.xml").findtext(".//failure")'
"${run[@]}" --report=c.xml ./rank killed >/dev/null 2>&1
ok "JUnit: a rank that was killed is an error" python3 -c 'import xml.etree.ElementTree as e
[suite] = e.parse("c.xml").getroot(); [error] = suite.iter("error")
assert suite.get("errors") == "1" and "ended early" in error.text, error.text'
ok "a report file is written anew" sh -c '"$0" run --mpi=mpich -n 1 --report=a.txt ./rank clean 2>/dev/null >&2
    test "$(cat a.txt)" = "mpipp: no errors; 100 calls checked on 1 rank"' "$mpipp"

# on_terminal COMMAND...: its output on a terminal, without carriage returns
on_terminal() {
    TERM=xterm script -qec "$*" /dev/null </dev/null | tr -d '\r'
}
ok "colour on a terminal" grep -q $'mpipp: \033\[1;31merror\033\[0m' <<<"$(on_terminal "${run[@]}" ./rank same)"
ok "NO_COLOR" grep -q 'mpipp: error datatype-null' <<<"$(NO_COLOR=1 on_terminal "${run[@]}" ./rank same)"

# What fails.
sed -e 's/rank\.c:[0-9]* in inlined()/PLACE/' -e '/called from/d' same.txt >places.txt
stripped() {
    "${run[@]}" "$@" 2>err >out
    sed -E -e 's/ (stripped|rank)\+0x[0-9a-f]+/ PLACE/' err | diff - places.txt
}
ok "a stripped program: module and offset" stripped ./stripped same
mkdir broken && : >broken/libdw.so.1
ok "no libdw: module and offset" sh -c '
    LD_LIBRARY_PATH=$PWD/broken "$@" 2>err >/dev/null
    test "$(grep -c "^mpipp: places have no file and line: .*libdw" err)" = 1 &&
    grep -q "   rank+0x" err && grep -q "1 error; 303 calls" err' - "${run[@]}" ./rank same
ln -s /dev/full full.jsonl
ln -s /dev/full full.html
ok "a report file on a full disk" gives 87 \
    "^mpipp: cannot write the report 'full.jsonl': No space left on device" \
    "${run[@]}" --report=full.jsonl ./rank same
ok "the other report file is written" gives 87 \
    "^mpipp: cannot write the report 'full.html': No space left on device" \
    "${run[@]}" --report=full.html --report=c.txt ./rank same
ok "the other report file, whole" test "$(tail -n 1 c.txt)" = "mpipp: 1 error; 303 calls checked on 3 ranks"
unopened="mpipp: cannot write the report 'no/such.html': No such file or directory"
ok "a report file in no folder: the program runs" gives 87 '^mpipp: 1 error; 303 calls' \
    "${run[@]}" --report=no/such.html --report=d.txt ./rank same
ok "a report file in no folder: the other is written" test "$(tail -n 1 d.txt)" = "mpipp: 1 error; 303 calls checked on 3 ranks"
ok "a report file in no folder: it is said once, before anything runs" sh -c '
    "$@" 2>err >out; test "$(head -n 1 err)" = "$0" && test "$(grep -c "such.html" err)" = 1' \
    "$unopened" "${run[@]}" --report=no/such.html ./rank same
ok "a report file that is a folder" gives 87 "^mpipp: cannot write the report 'd.sarif': Is a directory" \
    sh -c 'mkdir -p d.sarif; exec "$@"' - "${run[@]}" --report=d.sarif ./rank clean
ok "a report file and the program fails" gives 87 "such.html" "${run[@]}" --report=no/such.html ./rank exit 7
ok "a report file and --fail-on" gives 87 "such.html" "${run[@]}" --fail-on=error --report=no/such.html ./rank same
ok "suppressions in no folder" gives 87 "^mpipp: cannot write the suppressions to 'no/such': No such file" \
    "${run[@]}" --gen-suppressions=no/such ./rank same
ok "the ranks' folder cannot be made" gives 0 '^mpipp: 1 error; 303 calls checked on 3 ranks' \
    env TMPDIR=/nowhere "${run[@]}" ./rank same
# The ranks cannot write to the folder: each falls back to standard error, and one message says so.
ok "the ranks' disk is full" times 1 'cannot write reports to .*; they go to standard error' \
    "${run[@]}" /bin/sh -c 'rm -rf "${MPIPP_REPORTS#*:}"; exec ./rank same'
ok "the ranks' disk is full: all is reported" gives 0 '^mpipp: 1 error; 303 calls checked on 3 ranks' \
    "${run[@]}" /bin/sh -c 'rm -rf "${MPIPP_REPORTS#*:}"; exec ./rank same'
ok "standard input is closed: nothing is said of it" times 1 '^mpipp: ' sh -c '"$@" <&-' - "${run[@]}" ./rank clean
ok "standard error is closed" sh -c '"$@" 2>&- >out && grep -q "own words" out' - "${run[@]}" ./rank same
ok "no file of ours stays" none_left

# Bad input. The words of --check are those that the help names, and at least these two.
words=$("$mpipp" help gdb | sed -n 's/^  --check=WHAT *what the ranks check: //p')
ok "the words of --check" grep -qE '^local, .* or none$' <<<"$words"
ok "--check, no such" says 2 "'--check=frob': it is $words" "${run[@]}" --check=frob ./rank
ok "MPIPP_CHECK, no such" says 2 "'MPIPP_CHECK=frob': it is $words" \
    env MPIPP_CHECK=frob "${run[@]}" ./rank same
ok "--check, none and more" says 2 "'--check=none,modified': it is $words" \
    "${run[@]}" --check=none,modified ./rank
ok "--check, a list with a hole" says 2 "'--check=local,,modified': it is $words" \
    "${run[@]}" --check=local,,modified ./rank
ok "MPIPP_CHECK, no such, but an option" gives 0 'error datatype-null' \
    env MPIPP_CHECK=frob "${run[@]}" --check=local ./rank same
ok "MPIPP_CHECK, no such, for gdb" says 2 "'MPIPP_CHECK=frob': it is $words" \
    env MPIPP_CHECK=frob "$mpipp" gdb -n 1 ./rank
ok "MPIPP_MAX_REPORTS, no number" says 2 \
    "'MPIPP_MAX_REPORTS=0': it is a number of reports, 1 to 1000000" \
    env MPIPP_MAX_REPORTS=0 "$mpipp" exec --mpi=mpich /bin/true
ok "MPIPP_CALLERS, no number" says 2 "'MPIPP_CALLERS=no': it is a number of frames, 1 to 16" \
    env MPIPP_CALLERS=no "${run[@]}" ./rank same
ok "gdb --check, no such" says 2 "'--check=frob': it is $words" "$mpipp" gdb --check=frob ./rank
ok "gdb --check reaches the rank" gives 0 '^none 7$' "$mpipp" gdb --mpi=mpich -nx --check=none \
    --max-reports=7 -n 1 -batch -ex run --args /bin/sh -c 'echo $MPIPP_CHECK $MPIPP_MAX_REPORTS'
ok "--report, no such form" says 2 "'--report=x.pdf': its name ends in .jsonl, .html, .sarif, .xml or .txt" \
    "${run[@]}" --report=x.pdf ./rank
ok "--report, no name" says 2 "'--report=.txt': its name ends in .jsonl, .html, .sarif, .xml or .txt" \
    "${run[@]}" --report=.txt ./rank
ok "--fail-on, no such" says 2 "'--fail-on=all': it is error or warning" "${run[@]}" --fail-on=all ./rank
ok "--severity, no such" says 2 "'--severity=': it is error, warning or note" "${run[@]}" --severity= ./rank
for most in 0 -1 x 1x '' 99999999999999999999; do
    ok "--max-reports=$most" says 2 \
        "'--max-reports=$most': it is a number of reports, 1 to 1000000" "${run[@]}" --max-reports="$most" ./rank
done
ok "--suppress, no such file" says 2 "cannot read the suppressions in 'no': No such file or directory" \
    "${run[@]}" --suppress=no ./rank
ok "--suppress, a folder" says 2 "cannot read the suppressions in '.': Is a directory" \
    "${run[@]}" --suppress=. ./rank
printf '\nno-such-id\n' >wrong
ok "--suppress, no such check" says 2 \
    "wrong:2: no check is called 'no-such-id'; 'mpipp explain' lists them" "${run[@]}" --suppress=wrong ./rank
printf 'datatype-null:\n' >wrong
ok "--suppress, no pattern" says 2 "wrong:1: no pattern follows the ':'" "${run[@]}" --suppress=wrong ./rank
ok "--check=none with --report" says 2 "'--check=none' leaves nothing to report" \
    "${run[@]}" --check=none --report=x.txt ./rank

# mpipp explain: each check has its text and its program, which has the marker but where the place is no call of
# the rank that tells it.
explained() {
    local id
    for id in $("$mpipp" explain | cut -d' ' -f1); do
        "$mpipp" explain "$id" >text || return 1
        grep -q '^Fix:$' text && grep -q '^    int main' text && [ -s "$top/cmd/explain/$id.txt" ] &&
            { [[ $id = @(finalize-missing|match-lost) ]] || grep -q "/\* [a-z]*: $id \*/" text; } || {
            echo "$id"
            return 1
        }
    done
}
ok "explain: every check" explained
ok "explain: nothing besides" test "$("$mpipp" explain | wc -l)" = "$(find "$top/examples/errors" -name '*.c' | wc -l)"
ok "explain: no such" says 2 "no check is called 'frob'; 'mpipp explain' lists them" "$mpipp" explain frob
ok "docs/checks.md is made of the texts" sh -c \
    'cd "$1" && "$0" explain | awk -f cmd/explain/checks.awk | diff - docs/checks.md' "$mpipp" "$top"
finish
