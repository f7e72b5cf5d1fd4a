/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What each function of MPI does with messages, as far as messages.h must know.
 */
#ifndef ST_RUNTIME_CHECK_MESSAGE_FORMS_H
#define ST_RUNTIME_CHECK_MESSAGE_FORMS_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/wrap/facts.h"

/* Parameters are numbers; -1: none. */
struct st_message_form {
    int8_t status, statuses, indices, outcount, message, request, persistent;
    uint8_t parts;       /* bit set: its parts that send or receive at once */
    bool begins;         /* its parameters name requests whose operations begin, or are cancelled or
                       freed */
    bool completes;      /* its parameters name requests that it completes */
    bool is_partitioned; /* MPI_Psend_init, MPI_Precv_init */
    bool is_vague;       /* MPI_Isendrecv with MPICH: 4.0.2 says source, tag and length 0 */
    bool probes;         /* MPI_Mprobe, MPI_Improbe */
    bool asks;           /* MPI_Get_elements, MPI_Get_count */
    bool waits;          /* MPI_Wait, MPI_Waitall */
    bool may_wait;       /* its request is a send that MPI may complete only when it is received */
};

/* To be called first. Returns false if there is no memory. */
bool st_message_forms_begin(void);
const struct st_message_form *st_message_form(const struct st_form *form);

/* Returns true if the function sends, receives, or completes a message. Needs no begin. */
bool st_messages_want(const struct st_form *form);

#endif
