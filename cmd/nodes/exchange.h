/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The messages that the ranks of this node exchange with those of other nodes
 * (libshadowtype/core/agree/remote.h): their sums while the job runs, and the last messages themselves when sums
 * differ.
 *
 * On the way a list of messages is JSON:
 *     {"pid": 4711, "node": name of its memory, "state": enum st_remote_state, "unsure": false, "sums": the bytes of struct st_remote_sums,
 *      "messages": the bytes of struct st_message (sent) or struct st_remote_message (received)[] in hexadecimal,
 *      "places": {"8": frames as shared_frames() makes them, ...}, "functions": {"2": "MPI_Recv", ...},
 *      "beginnings": {hash: the bytes of struct st_beginning, ...}, "comms": {id: "MPI_COMM_WORLD", ...}}
 */
#ifndef MPIPP_NODES_EXCHANGE_H
#define MPIPP_NODES_EXCHANGE_H

#include <jansson.h>
#include <stddef.h>

#include "core/agree/remote.h"
#include "core/agree/runs.h"
#include "protocol.h"

struct exchange_scan;

struct exchange_scan *exchange_scan_new(void);

/* Lists the sums that have changed since the last time, or that belong to a rank which has ended since. The list
 * belongs to the scan, and is there until the next time. */
const struct far_sums *exchange_scan_take(struct exchange_scan *scan, size_t *count);

/* The last messages of a rank of this node that the question names. NULL: the rank is not on this node. */
json_t *exchange_list(const struct far_question *question);

/* The lists of messages, read: valid as long as the JSON is. */
struct exchanged {
    const json_t *json;
    struct st_remote_sums sums;
    uint32_t state; /* enum st_remote_state */
    bool is_unsure;
    struct st_message *sent; /* of the sender, or ... */
    struct st_remote_message *received;
    size_t count;
};
/* Returns false if it is damaged. */
bool exchange_read(const json_t *json, bool is_sender, struct exchanged *list);
void exchange_free(struct exchanged *list);

json_t *exchange_frames(const struct exchanged *list, uint32_t place);
const char *exchange_function(const struct exchanged *list, const struct st_message *message);
/* NULL: it is not known. */
const char *exchange_comm(const struct exchanged *list, uint64_t comm);
/* The beginning of data that has several basic types. Returns false if it is not known. */
bool exchange_beginning(const struct exchanged *list, const uint64_t hash[2],
                        struct st_beginning *beginning);

#endif
