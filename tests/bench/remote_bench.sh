#!/bin/bash
# What `print T` asks of a rank under gdbserver: round trips, and what the plugin has read since the stop.
#
#   remote_bench.sh MPIPP PROGRAM SOURCE     exit status 1: it asks more than LIMIT times
set -u
mpipp=$1 program=$2 source=$3
LIMIT=10

if ! command -v gdbserver >/dev/null; then
    echo "print T over gdbserver: gdbserver is not installed"
    exit 0
fi

# line MARKER
line() {
    echo "$(basename "$source"):$(grep -n "stop: $1" "$source" | cut -d: -f1)"
}

# Each is a stop: its name, and the commands that lead there.
look=(-ex 'set debug remote 1' -ex 'print t19' -ex 'set debug remote 0' -ex 'mpi status')
"$mpipp" gdb -nx -batch -iex 'set sysroot /' \
    -ex "target remote | gdbserver --once --wrapper $mpipp exec -- - $program" -ex "tbreak $(line steps)" \
    -ex continue -ex 'echo @stop:at the first stop\n' "${look[@]}" \
    -ex next -ex 'echo @stop:at the next\n' "${look[@]}" \
    -ex "tbreak $(line changed)" -ex continue -ex 'echo @stop:after a change of the types\n' "${look[@]}" \
    -ex kill "$program" 2>&1 | awk -v limit=$LIMIT '
    /^@stop:/ { sub(/^@stop:/, ""); stop[++stops] = $0 }
    /Sending packet: / { trips[stops]++ }
    /= .*VECTOR.*count = 20/ { shown++ }
    /read by gdb.* since the last stop/ { bytes[stops] = $4 }
    END {
        for (i = 1; i <= stops; i++) {
            most = trips[i] > most ? trips[i] : most
            text = text (i > 1 ? ", " : "") \
                sprintf("%s %d (%d bytes read since)", stop[i], trips[i], bytes[i])
        }
        print "print T over gdbserver: round trips " text "; at most " limit " wanted"
        exit shown != 3 || most > limit
    }'
