#!/bin/sh
# into_file.sh FILE LAUNCHER...: runs a launcher, and writes its output and that of its ranks to FILE.
#
# On gdb's terminal this output could come at any time: after the prompt, or within an answer.
file=$1
shift
exec "$@" >>"$file" 2>&1
