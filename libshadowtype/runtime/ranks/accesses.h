/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The one-sided calls of this rank, written for the ranks whose memory they access
 * (core/agree/access.h). The caller holds the recorder's lock.
 */
#ifndef ST_RUNTIME_RANKS_ACCESSES_H
#define ST_RUNTIME_RANKS_ACCESSES_H

#include "core/agree/access.h"
#include "runtime/ranks/win_memory.h"

/* Returns what a function does at its target: enum st_access_kind. */
uint8_t st_access_kind_of(const struct st_facts *facts);

/* The lock of a target: enum st_access_epoch; 0: it has none. */
uint8_t st_access_lock_of(const struct st_win_peer *peer);

/* A call begins, the arguments of which are right as far as this rank can tell. Returns the number of what was left; 0:
 * nothing, it is not compared, or names no byte. PLACE: of the call. */
uint64_t st_access_leave(const struct st_facts *facts, struct st_win_memory *window,
                         uint32_t place);

/* To be called before each call of another sort: epochs may end, and windows. */
void st_access_forget_last(void);

/* All accesses of an epoch's sort (enum st_access_epoch) to a target, -1: to all, are complete: this rank's next tick, which
 * it returns. KIND: those alone that do this (enum st_access_kind); 0: all. What has given its value is complete at the target, too.
 * FACTS: of the call that completes them. */
uint32_t st_access_end(const struct st_facts *facts, const struct st_win_memory *window,
                       int64_t target, uint8_t epoch, uint8_t kind);
/* That of a number is, by a call (FACTS; NULL: not known); or MPI has refused it. */
void st_access_end_one(const struct st_facts *facts, uint64_t number);
void st_access_take_back(uint64_t number);

#endif
