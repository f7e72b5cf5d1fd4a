/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/agree/message_advice.h"

const char *st_message_advice(enum st_check check)
{
    switch (check) {
    case ST_MATCH_TRUNCATION:
        return "receive into a buffer that has room for the whole message, or send less";
    case ST_MATCH_ASSERT:
        return "let the receive be as long as the message, or do not set that info";
    case ST_MATCH_PARTIAL:
        return "send whole elements, or get the length by MPI_Get_elements: MPI_Get_count says "
               "MPI_UNDEFINED";
    case ST_MATCH_READY:
        return "post the receive, and let the sender know, before MPI_Rsend is called; or use "
               "MPI_Send";
    case ST_DEADLOCK_POTENTIAL:
        return "let one of them receive first, or use MPI_Sendrecv or MPI_Irecv; larger messages, "
               "or "
               "another MPI, may hang";
    case ST_MATCH_RACE:
        return "if it matters which message is received, name the source, or let the two messages "
               "have different tags";
    case ST_MATCH_LOST:
        return "receive each message before MPI_Finalize: compare ranks, tags and communicators";
    default:
        return "let both sides name the same basic types in the same order";
    }
}
