/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The checks, one group per file. Each looks at a call before MPI carries it out; some also after
 * it.
 */
#ifndef ST_RUNTIME_CHECK_CHECKS_H
#define ST_RUNTIME_CHECK_CHECKS_H

#include "runtime/check/check.h"
#include "runtime/report/finding.h"
#include "runtime/objects/pending.h"

/* nulls.c: null pointers, except those of buffers, of their arrays, and of datatype constructors. */
void st_check_nulls(struct st_facts *facts);
/* Reports a null pointer at a parameter. */
void st_find_null(struct st_facts *facts, int number, const char *advice);

/* arguments.c: communicators first, because the others need their sizes; ranks, tags, roots,
 * lengths of arrays. */
void st_check_comms(struct st_facts *facts);
void st_check_arguments(struct st_facts *facts);

/* groups.c: members of groups, and groups of communicators. */
void st_check_groups(struct st_facts *facts);
/* topology.c */
void st_check_topology(struct st_facts *facts);

/* parts.c: counts, buffers, and their types. */
void st_check_parts(struct st_facts *facts);
/* Returns the size in bytes of a part's elements, which has one count and one type. 0: it has none, or
 * their size is not known, or there is a finding on its count or type. */
int64_t st_part_bytes(const struct st_facts *facts, const struct st_part *part);
/* Returns elements of a buffer; of its first block, if it has a block for each rank. */
struct st_spot st_spot_in(const struct st_facts *facts, const struct st_part *part,
                          enum st_which which);

/* types.c */
enum st_type_use {
    ST_USE_ANY,      /* committed or not */
    ST_USE_TRANSFER, /* must be committed */
};
/* Checks the handle of parameter `number` (or of one of its members). Returns false if there was a
 * finding. */
bool st_check_type(struct st_facts *facts, int number, uint64_t type, enum st_type_use use);
void st_check_types(struct st_facts *facts);       /* sizes, extents and so on; commit, free */
void st_check_constructor(struct st_facts *facts); /* constructor.c */
void st_check_overflow(struct st_facts *facts);    /* overflow.c: of the result of a constructor */
void st_check_view(struct st_facts *facts);        /* view.c */

/* file_mode.c: the access mode of a file. */
bool st_depends_on_file_mode(const struct st_form *form);
void st_check_file_mode(struct st_facts *facts);
/* Stores bits of enum st_file_mode. Returns false if no such file is open, because MPI would call its
 * error handler. */
bool st_file_mode(uint64_t file, unsigned *mode);

/* asserts.c: what is asserted of a communicator by info. */
bool st_has_asserts(const struct st_form *form);
void st_check_asserts(struct st_facts *facts);
void st_asserts_after(struct st_checked *checked, bool succeeded);

/* split.c: MPI_File_..._begin and its _end. */
bool st_is_split_order(const struct st_form *form);
void st_check_split(struct st_facts *facts);
void st_check_split_after(const struct st_facts *facts, bool succeeded);

/* epochs.c: the epochs of windows, which are also recorded for a debugger. Returns true if the call
 * may change them, once MPI has carried it out. */
bool st_check_epochs(struct st_facts *facts);
void st_check_epochs_at_end(void);

/* ops.c */
void st_check_op(struct st_facts *facts);

/* requests.c */
void st_check_requests(struct st_checked *checked);
/* Parameter `number` is what the call may complete: `request_count` handles, for which there is room
 * (request_room.h). Finds their records. Nothing is wrong with requests that are active, or
 * MPI_REQUEST_NULL; returns false if there are others. */
bool st_requests_find_active(struct st_checked *checked, int number);
/* completed_requests.c */
void st_check_requests_after(struct st_checked *checked, bool succeeded);
/* lost_requests.c. Parameter `number` is the variable for a new request. If it holds another one
 * that is active, that is lost, unless it is completed by a copy of the handle. */
void st_requests_mark_lost(const struct st_facts *facts, int number);
void st_check_requests_at_end(void);

/* generalized.c: MPI_Grequest_complete of the request in parameter `number`. */
void st_check_fulfilled(struct st_facts *facts, int number);

/* partitioned.c: calls about single partitions. Parameter `number` names the request. */
void st_check_ready(struct st_checked *checked, int number, const struct st_record *record);
void st_check_arrived(struct st_checked *checked, int number, const struct st_record *record);
/* MPI has refused to take partitions, for another reason; MPI has said that one has arrived. */
void st_partitions_refused(struct st_checked *checked);
void st_partitions_arrived(struct st_checked *checked);
/* Returns true if a call makes a partitioned operation; the call has made this one. */
bool st_is_partitioned(const struct st_form *form);
void st_partitions_made(const struct st_facts *facts, struct st_record_name name);

/* local/dynamic.c: memory that is attached to windows. */
bool st_has_dynamic(const struct st_form *form);
void st_check_dynamic(struct st_facts *facts);
/* To be called after a call that succeeded. */
void st_check_dynamic_after(const struct st_facts *facts);

/* local/packed.c: MPI_Pack and MPI_Unpack. */
bool st_has_packed(const struct st_form *form);
void st_check_packed(struct st_facts *facts);

/* attached.c: the buffer of buffered sends. To be called after a call that succeeded. */
void st_check_attached(struct st_facts *facts);
void st_check_attached_after(const struct st_facts *facts);
/* Checks MPI_Start of the request of `record`, which parameter `number` names. */
void st_check_buffered_start(struct st_facts *facts, int number, const struct st_record *record);

/* buffers.c: compares the memory that the call uses with that of pending operations, and checks the
 * memory itself. */
void st_check_buffers(struct st_checked *checked);
/* The thread makes a call with the stack pointer `sp`. Calls of the same thread further in that
 * have not returned were left by longjmp() or an exception: removes their records. */
void st_buffers_left(const void *sp);
/* Compares checked->uses with the pending operations. With several threads they are pending from
 * here on. */
void st_check_uses(struct st_checked *checked);
void st_check_buffers_after(struct st_checked *checked, bool succeeded);
/* The call made this request: its operation is pending from now on, or may be started. Returns its
 * record. */
struct st_record_name st_buffers_of_request(struct st_checked *checked, uint64_t variable,
                                            uint64_t handle, bool persistent);
/* A persistent request is about to be started: parameter `number` of the call. */
void st_check_start(struct st_facts *facts, int number, struct st_record_name name);
/* Partitions low..high of a request are about to be marked as ready. */
void st_check_partitions(struct st_facts *facts, int number, struct st_record_name name,
                         int64_t low, int64_t high);
/* Removes the record of an operation. The caller holds the lock. */
void st_operation_remove(struct st_record *record);
/* The request was freed while it was active: its record stays as possibly active, for a debugger. */
void st_operation_release(struct st_record *record);

/* overlap.c: buffer-overlap. Reports a buffer of the call, at a parameter. */
void st_find_overlap(struct st_facts *facts, int parameter, const struct st_meeting *meeting,
                     const struct st_record_buffer *own);
/* modified.c: buffer-modified. The call has completed the operation of `record`: compares what it
 * sent with its seals, and reports a change at `parameter`. The caller holds the lock of the
 * operations, which is released meanwhile; `*locked` is updated. Returns the record, or NULL if it
 * is gone. */
struct st_record *st_check_modified(struct st_facts *facts, int parameter, int64_t member,
                                    struct st_record *record, bool *locked);
/* target.c: match-type, match-truncation, datatype-self-overlap of one-sided calls */
void st_check_target(struct st_facts *facts);
bool st_has_target_type(const struct st_form *form);
/* alias.c: buffer-alias */
void st_check_alias(struct st_facts *facts, const struct st_uses *uses);
bool st_may_alias(const struct st_form *form);

/* handles.c */
void st_check_handles(struct st_checked *checked);
void st_check_handles_after(struct st_checked *checked, bool succeeded);
/* Objects that must be freed before MPI_Finalize returns; objects that may be freed after it. */
void st_check_handles_at_end(void);
bool st_check_handles_are_late(void);
void st_check_handles_late(void);
void st_handles_begin(bool world);
/* Stores the facts of a communicator that is in use. Returns false if they are not known. */
bool st_comm_facts(uint64_t comm, struct st_comm_facts *facts);
bool st_win_facts(uint64_t win, struct st_comm_facts *facts);
/* Returns false if the window handle is wrong; the finding has been reported (handles.c). */
bool st_check_win(struct st_facts *facts);

/* message_handles.c: messages of MPI_Mprobe that are received twice */
bool st_has_message(const struct st_form *form);
void st_check_message(struct st_checked *checked);
void st_check_message_after(struct st_checked *checked, bool succeeded);

/* own_block.c: what a rank sends to itself in a collective call, and receives from itself */
bool st_has_own_block(const struct st_form *form);
void st_check_own_block(struct st_facts *facts);

/* adopt.c: functions that calls.table does not know. Handles that are passed to them are not used
 * to report errors any more; a handle that they return is in use. */
void st_adopt_before(struct st_checked *checked);
void st_adopt_after(struct st_checked *checked);

/* types.c */
void st_check_types_at_end(void);

#endif
