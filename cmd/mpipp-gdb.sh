#!/bin/sh
# mpipp-gdb: 'mpipp gdb' where a frontend wants one word for its debugger.
exec "$(dirname "$(readlink -f "$0")")/mpipp" gdb "$@"
