#!/bin/sh
# into_file.sh FILE LAUNCHER...: runs a launcher; what it prints, or its ranks, is in FILE.
#
# On gdb's terminal it may come at any time: after the prompt, or in the midst of an answer.
file=$1
shift
exec "$@" >>"$file" 2>&1
