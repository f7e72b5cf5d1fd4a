#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# mpipp-gdb: 'mpipp gdb' where a frontend wants one word for its debugger.
exec "$(dirname "$(readlink -f "$0")")/mpipp" gdb "$@"
