#!/bin/bash
# The extension under the sanitizers, in the Python that gdb has.
#
#   ext.sh [SCRIPT]     a test of tests/unit/core: ext_test.py (the default), or another ext_..._test.py
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/count.sh

folder=${BUILD:-build}/tests/unit-asan
python=$("${GDB:-gdb}" -nx -batch -ex 'python
import sysconfig
print(sysconfig.get_config_var("BINDIR") + "/python" + sysconfig.get_config_var("VERSION"))' 2>/dev/null)
if ! [ -x "$python" ]; then
    skip ext "gdb's Python ${python:-(none)} is not installed as a program"
    finish
fi
image=$(mktemp)
deep=$(mktemp)
output=$(mktemp)
trap 'rm -f "$image" "$deep" "$output"' EXIT

addresses=$("$folder/dump_image" "$image") || addresses=
deep_addresses=$("$folder/dump_image" "$deep" 100000) || deep_addresses=
# shellcheck disable=SC2086 # three words
LD_PRELOAD="$(${CC:-cc} -print-file-name=libasan.so) $(${CC:-cc} -print-file-name=libubsan.so)" \
    ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:quarantine_size_mb=16 \
    PYTHONPATH=$folder/ext PYTHONMALLOC=malloc PYTHONDONTWRITEBYTECODE=1 \
    tests/patiently -t $((600 + ${ST_SECONDS:-0})) "$python" -I -c "import sys; sys.path[:0] = ['$folder/ext', 'tests/unit/core']
sys.argv = sys.argv[1:]
exec(compile(open(sys.argv[0]).read(), sys.argv[0], 'exec'))" \
    "tests/unit/core/${1:-ext_test.py}" "$image" $addresses "$deep" $deep_addresses >"$output" 2>&1
status=$?

passed=$(grep -c '^ok ' "$output")
failed=$(grep -c '^not ok ' "$output")
grep '^# ' "$output"
sed -nE 's/^ok [0-9]+ - /PASS: /p; s/^not ok [0-9]+ - /FAIL: /p' "$output"
if [ "$((passed + failed))" != "$(sed -n 's/^1\.\.//p' "$output")" ] ||
    { [ "$status" != 0 ] && [ "$failed" = 0 ]; }; then
    failed=$((failed + 1))
    echo "FAIL: ended after $((passed + failed - 1)) tests, exit status $status"
fi
[ "$failed" = 0 ] || grep -v '^ok ' "$output" | sed 's/^/    /'
finish
