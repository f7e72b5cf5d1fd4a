/*
 * The checks, a group a file. Each looks at a call before MPI does it; some see its end, too.
 */
#ifndef ST_RUNTIME_CHECK_CHECKS_H
#define ST_RUNTIME_CHECK_CHECKS_H

#include "runtime/check/check.h"
#include "runtime/report/finding.h"
#include "runtime/objects/pending.h"

/* nulls.c: null pointers; not those of buffers, of the arrays that belong to them, and of datatype
 * constructors. */
void st_check_nulls(struct st_facts *facts);
/* A null pointer at a parameter. */
void st_find_null(struct st_facts *facts, int number, const char *advice);

/* arguments.c: communicators first, as the rest needs to know their sizes; ranks, tags, roots,
 * lengths of arrays. */
void st_check_comms(struct st_facts *facts);
void st_check_arguments(struct st_facts *facts);

/* groups.c: members of groups, and groups of communicators. */
void st_check_groups(struct st_facts *facts);
/* topology.c */
void st_check_topology(struct st_facts *facts);

/* parts.c: counts, buffers, the types that go with them. */
void st_check_parts(struct st_facts *facts);
/* Elements of a buffer, of its first block where it has a block for each rank. */
struct st_spot st_spot_in(const struct st_facts *facts, const struct st_part *part,
                          enum st_which which);

/* types.c */
enum st_type_use {
    ST_USE_ANY,      /* committed or not */
    ST_USE_TRANSFER, /* must be committed */
};
/* The handle of parameter `number` (or of one of its members). False: something was found. */
bool st_check_type(struct st_facts *facts, int number, uint64_t type, enum st_type_use use);
void st_check_types(struct st_facts *facts);       /* sizes, extents and the like; commit, free */
void st_check_constructor(struct st_facts *facts); /* constructor.c */
void st_check_overflow(struct st_facts *facts);    /* overflow.c: of a constructor's result */
void st_check_view(struct st_facts *facts);        /* view.c */

/* split.c: MPI_File_..._begin and its _end. */
bool st_is_split_order(const struct st_form *form);
void st_check_split(struct st_facts *facts);
void st_check_split_after(const struct st_facts *facts, bool succeeded);

/* epochs.c: the epochs of windows. Notes them for a debugger, too. Returns true if the call, once MPI has carried
 * it out, may change them. */
bool st_check_epochs(struct st_facts *facts);
void st_check_epochs_at_end(void);

/* ops.c */
void st_check_op(struct st_facts *facts);

/* requests.c */
void st_check_requests(struct st_checked *checked);
void st_check_requests_after(struct st_checked *checked, bool succeeded);
void st_check_requests_at_end(void);

/* partitioned.c: what calls say of single partitions. The request that parameter `number` names. */
void st_check_ready(struct st_checked *checked, int number, const struct st_record *record);
void st_check_arrived(struct st_checked *checked, int number, const struct st_record *record);
/* MPI has refused to take partitions, for a reason of its own; it says that one is there. */
void st_partitions_refused(struct st_checked *checked);
void st_partitions_arrived(struct st_checked *checked);
/* Whether a call makes a partitioned operation; it has made this one. */
bool st_is_partitioned(const struct st_form *form);
void st_partitions_made(const struct st_facts *facts, struct st_record_name name);

/* attached.c: the buffer of buffered sends. After a call that has succeeded. */
void st_check_attached(struct st_facts *facts);
void st_check_attached_after(const struct st_facts *facts);
/* MPI_Start of the request of `record`, which parameter `number` names. */
void st_check_buffered_start(struct st_facts *facts, int number, const struct st_record *record);

/* buffers.c: what memory the call uses, against the pending operations and by itself. */
void st_check_buffers(struct st_checked *checked);
/* The thread makes a call with the stack pointer `sp`: calls of its own further in, which MPI has not
 * returned from, were left by longjmp() or an exception. Their records are removed. */
void st_buffers_left(const void *sp);
/* checked->uses against the pending operations; with threads they are pending from here on. */
void st_check_uses(struct st_checked *checked);
void st_check_buffers_after(struct st_checked *checked, bool succeeded);
/* The call gave this request: its operation is pending from now on, or may be started. Its record. */
struct st_record_name st_buffers_of_request(struct st_checked *checked, uint64_t variable,
                                            uint64_t handle, bool persistent);
/* A persistent request is about to be started: parameter `number` of the call. */
void st_check_start(struct st_facts *facts, int number, struct st_record_name name);
/* Partitions low..high of one are about to be told ready. */
void st_check_partitions(struct st_facts *facts, int number, struct st_record_name name,
                         int64_t low, int64_t high);
/* Takes an operation's record out; under the lock. */
void st_operation_remove(struct st_record *record);
/* Its request was freed while it was active: it stays as possibly active, for a debugger. */
void st_operation_release(struct st_record *record);

/* overlap.c: buffer-overlap. What the call does with a buffer, at a parameter. */
void st_find_overlap(struct st_facts *facts, int parameter, const struct st_meeting *meeting,
                     const struct st_record_buffer *own);
/* modified.c: buffer-modified. The call has completed the operation of `record`: what it sent is held
 * against what it was, and a finding is at `parameter`. Under the lock of the operations, which is
 * given back meanwhile, and `*locked` with it; the record, or NULL: it is gone. */
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
/* Those that must be freed before MPI_Finalize returns; those that may be freed after it. */
void st_check_handles_at_end(void);
bool st_check_handles_are_late(void);
void st_check_handles_late(void);
void st_handles_begin(bool world);
/* The facts of a communicator that is in use; false: not known. */
bool st_comm_facts(uint64_t comm, struct st_comm_facts *facts);
bool st_win_facts(uint64_t win, struct st_comm_facts *facts);
/* False: the call's window is none, and that was said (handles.c). */
bool st_check_win(struct st_facts *facts);

/* adopt.c: functions that calls.table does not know. What they are handed is theirs from now on, and no
 * error's cause; a handle that they give out is in use. */
void st_adopt_before(struct st_checked *checked);
void st_adopt_after(struct st_checked *checked);

/* types.c */
void st_check_types_at_end(void);

#endif
