/*
 * A message and the receive that takes it do not fit, as a finding: with both calls.
 */
#ifndef ST_RUNTIME_RANKS_MISFITS_H
#define ST_RUNTIME_RANKS_MISFITS_H

#include "report/report.h"
#include "runtime/ranks/message_ends.h"

struct st_misfit {
    enum st_check check;
    enum st_severity severity; /* 0: the catalogue's */
    struct st_message sent;
    uint32_t sender; /* its place in the table of ranks */
    int32_t source;  /* the sender's rank in the communicator */
    struct st_message_end
        taker;     /* the receive; of DEADLOCK_POTENTIAL the own send; not of MATCH_LOST */
    int64_t times; /* of MATCH_LOST: so many of one call */
};

/* FACTS: of the receive's own call, where that is running; NULL: it has returned. */
void st_misfit_tell(struct st_facts *facts, const struct st_misfit *misfit);

#endif
