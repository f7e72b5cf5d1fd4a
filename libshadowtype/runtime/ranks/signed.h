/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The signature of `count` elements of a datatype in the form in which ranks compare it
 * (core/agree/collective.h).
 */
#ifndef ST_RUNTIME_RANKS_SIGNED_H
#define ST_RUNTIME_RANKS_SIGNED_H

#include "core/agree/collective.h"
#include "core/agree/message.h"
#include "report/writer.h"

/* Fills hash, length and the flags SIGNATURE and UNIFORM of a call. If the signature is not known,
 * too long, or that of MPI_PACKED, which matches others of the same length in bytes, nothing is
 * filled in: it is not compared. */
void st_sign(struct st_collective *call, uint64_t type, int64_t count);

/* Does the same for a message, sent or to be received, and stores how many bytes it has. */
void st_sign_message(struct st_message_space *space, uint64_t type, int64_t count);

/* Returns true if the datatype is predefined: its signature never changes. */
bool st_sign_stays(uint64_t type);

/* Stores the signature of the first `length` elements of copies of a datatype of this rank, by the
 * signature of one, which has several basic types. Returns false if the datatype was not used
 * lately, or is gone. */
bool st_sign_begin(const struct st_signature *type, int64_t length, struct st_signature *begin);

/* Writes the name of the predefined datatype for the hash of a uniform signature. Returns false if
 * there is none. */
bool st_put_signed_element(struct st_writer *writer, uint64_t hash);

#endif
