/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One side of a message, from its call: what it sends or may receive, and to or from which rank.
 */
#ifndef ST_RUNTIME_RANKS_MESSAGE_ENDS_H
#define ST_RUNTIME_RANKS_MESSAGE_ENDS_H

#include "core/agree/message.h"
#include "core/agree/numbering.h"
#include "runtime/wrap/facts.h"

struct st_message_end {
    const struct st_comm *comm; /* may be gone: then it has another serial */
    uint64_t serial;
    uint64_t id;       /* id of the communicator in this job */
    int32_t own;       /* the own rank in it */
    int32_t peer, tag; /* may be ST_NUMBERING_ANY */
    /* For a posted receive: st_beyond_last() (beyond.h) and st_buffered_sends() (buffered.h) at that time. */
    uint32_t begun_before;
    uint64_t sends_before;
    uint64_t process;   /* the process of `peer`; 0: not known */
    uint64_t posted;    /* its number among the receives that were posted */
    uint32_t completed; /* for a receive from any source, if races are sought (raced.h): the rank's
                           tick at its end; else 0 */
    struct st_message_space space;
    uint32_t kept;     /* a number of its own if it is kept (known_messages.h); else 0 */
    uint32_t place;    /* call site, in the area (places.h) */
    uint32_t site;     /* the same in the registry, for a call that may return before it is
                          reported */
    uint16_t function; /* number of the form */
    bool sends;
    bool is_ready : 1;  /* MPI_Rsend, MPI_Irsend, ... */
    bool is_waited : 1; /* a posted receive that MPI_Wait or MPI_Waitall completes */
    bool is_vague : 1;  /* a posted receive whose status may say nothing (message_forms.h) */
    bool is_exact : 1;  /* a posted receive on a communicator with mpi_assert_exact_length */
};

/* Returns true if a part of a call sends, or receives, a message that is numbered
 * (core/agree/numbering.h). Messages of partitioned communication are
 * numbered apart (partitions_matched.h). */
bool st_message_part(const struct st_form *form, const struct st_part *part);

/* Reads the peer of a call from parameter `peer`. *none: the peer is MPI_PROC_NULL. Returns false
 * if the message cannot be compared. The arguments must be right as far as this rank can tell. */
bool st_message_end_read(const struct st_facts *facts, int peer, struct st_message_end *end,
                         bool *none);
/* Adds the data, by the part's count and datatype. */
void st_message_end_sign(const struct st_facts *facts, const struct st_part *part,
                         struct st_message_end *end);

/* Does the same for a call that receives a message which another call has found. */
void st_message_end_call(const struct st_facts *facts, const struct st_part *part,
                         struct st_message_end *end);

/* Compares a message that ends within an element of the datatype of a receive of this rank with what that begins
 * with. Returns ST_MESSAGE_ENDS_INSIDE if that is not known. */
enum st_message_fit st_message_end_fits_inside(const struct st_message *sent,
                                               const struct st_message_space *received);

/* Does the same as st_message_fits() for any message that a receive of this rank has taken. */
static inline enum st_message_fit st_message_end_fits(const struct st_message *sent,
                                                      const struct st_message_space *received)
{
    const enum st_message_fit fit = st_message_fits(sent, received);
    return __builtin_expect(fit == ST_MESSAGE_ENDS_INSIDE, 0)
               ? st_message_end_fits_inside(sent, received)
               : fit;
}

/* Returns the process of a rank of the communicator (of the remote group of an intercommunicator);
 * 0 if not known. Once the communicator is gone only that of `peer` is known. */
uint64_t st_message_peer(const struct st_message_end *end, int32_t rank);

#endif
