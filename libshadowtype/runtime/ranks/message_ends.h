/*
 * One side of a message, as its call names it: what it sends or may receive, to or from whom.
 */
#ifndef ST_RUNTIME_RANKS_MESSAGE_ENDS_H
#define ST_RUNTIME_RANKS_MESSAGE_ENDS_H

#include "core/agree/message.h"
#include "core/agree/numbering.h"
#include "runtime/wrap/facts.h"

struct st_message_end {
    const struct st_comm *comm; /* it may be gone: then it has another serial */
    uint64_t serial;
    uint64_t id;       /* of the communicator, of this job */
    int32_t own;       /* the own rank in it */
    int32_t peer, tag; /* ST_NUMBERING_ANY */
    uint64_t process;  /* that `peer` is; 0: not known */
    /* Of a posted receive: st_buffered_sends() then (buffered.h). */
    uint64_t sends_before;
    struct st_message_space space;
    uint32_t place;    /* of the call, in the area (places.h) */
    uint32_t site;     /* and in the registry, where the call may return before it is told */
    uint16_t function; /* the form's number */
    bool sends;
    bool is_ready; /* MPI_Rsend and its like */
};

/* Whether a part of a call sends, or receives, a message that is numbered (core/agree/numbering.h): those of
 * partitioned communication are not. */
bool st_message_part(const struct st_form *form, const struct st_part *part);

/* To or from whom the call communicates, by the rank that parameter `peer` is. *none: with nobody, it is
 * MPI_PROC_NULL. Returns false if it cannot be compared. The arguments are right as far as this rank can tell. */
bool st_message_end_read(const struct st_facts *facts, int peer, struct st_message_end *end,
                         bool *none);
/* And what, by the part's count and datatype. */
void st_message_end_sign(const struct st_facts *facts, const struct st_part *part,
                         struct st_message_end *end);

/* The same of a call that receives a message which another call has found. */
void st_message_end_call(const struct st_facts *facts, const struct st_part *part,
                         struct st_message_end *end);

/* The process of a rank of the communicator, of the other group of an intercommunicator; 0: not known. Once the
 * communicator is gone only that of `peer` is. */
uint64_t st_message_peer(const struct st_message_end *end, int32_t rank);

#endif
