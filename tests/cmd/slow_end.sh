#!/bin/bash
# slow_end.sh LAUNCHER OPTION...: starts MPICH's LAUNCHER, which ends its job slowly, as on a busy machine: on SIGTERM only
# rank 1 gets it, and is killed six seconds later.
"$@" &
launcher=$!

# to_rank_1 SIGNAL
to_rank_1() {
    local environment
    for environment in /proc/[0-9]*/environ; do
        if grep -qsazxF "MARK=$MARK" "$environment" && grep -qsazxF PMI_RANK=1 "$environment"; then
            kill "-$1" "$(basename "$(dirname "$environment")")"
        fi
    done
}

end_job() {
    to_rank_1 TERM
    sleep 6
    to_rank_1 KILL
}
trap end_job TERM
while kill -0 $launcher 2>/dev/null; do wait $launcher; done
