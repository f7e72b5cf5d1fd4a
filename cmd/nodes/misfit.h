/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The record of a finding about messages between ranks of different nodes, with the words of a rank that compares
 * them itself (libshadowtype/runtime/ranks/misfits.h).
 */
#ifndef MPIPP_NODES_MISFIT_H
#define MPIPP_NODES_MISFIT_H

#include <jansson.h>

#include "exchange.h"
#include "report/catalogue.h"

struct misfit {
    enum st_check check;
    bool is_handled; /* the program sees the error */
    const struct exchanged *sender, *receiver;
    const struct st_message *sent;            /* NULL: it is not known which one */
    const struct st_remote_message *received; /* NULL, also for ST_MATCH_LOST */
    int32_t from, to;                         /* ranks in MPI_COMM_WORLD */
    uint64_t times;                           /* messages of the same two calls */
    uint64_t number;                          /* of the finding */
};

json_t *misfit_record(const struct misfit *misfit);

#endif
