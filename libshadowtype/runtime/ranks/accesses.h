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

/* To be called when a call begins; its arguments must be right as far as this rank can tell. Writes
 * its access. Returns the access' number; 0 if nothing was written, because it is not compared, or
 * covers no byte. PLACE is the call site. */
uint64_t st_access_leave(const struct st_facts *facts, struct st_win_memory *window,
                         uint32_t place);

/* All accesses in epochs of a kind (enum st_access_epoch) to a target (-1: to all) are complete.
 * KIND: only those that do this (enum st_access_kind); 0: all. Returns this rank's next tick, from
 * which on this holds. An access that has returned its value is also complete at the target. */
uint32_t st_access_end(const struct st_win_memory *window, int64_t target, uint8_t epoch,
                       uint8_t kind);
/* The access of this number is complete, or MPI has refused it. */
void st_access_end_one(uint64_t number);
void st_access_take_back(uint64_t number);

#endif
