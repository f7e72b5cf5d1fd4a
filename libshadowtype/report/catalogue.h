/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The checks, each once: the rank, the command and the docs use this one table. An id never changes
 * once released, because users filter and count by it.
 *
 *     X(ST_DATATYPE_NULL, "datatype-null", ST_SEVERITY_ERROR, "MPI_DATATYPE_NULL where ...")
 */
#ifndef ST_REPORT_CATALOGUE_H
#define ST_REPORT_CATALOGUE_H

enum st_severity {
    ST_SEVERITY_NOTE = 1, /* useful to know; shown only if the user asks for it */
    ST_SEVERITY_WARNING,  /* legal or harmless today, but rarely intended */
    ST_SEVERITY_ERROR     /* the standard forbids it */
};

/* X(name, id, severity, title): titles begin in lower case and end without a full stop. */
#define ST_CHECKS(X)                                                                               \
    X(ST_DATATYPE_NULL, "datatype-null", ST_SEVERITY_ERROR,                                        \
      "MPI_DATATYPE_NULL where a datatype is needed")                                              \
    X(ST_DATATYPE_FREED, "datatype-freed", ST_SEVERITY_ERROR,                                      \
      "a datatype used, committed or freed after MPI_Type_free")                                   \
    X(ST_DATATYPE_UNKNOWN, "datatype-unknown", ST_SEVERITY_ERROR,                                  \
      "a handle that is not a datatype: neither predefined nor created by the program")            \
    X(ST_DATATYPE_UNCOMMITTED, "datatype-uncommitted", ST_SEVERITY_ERROR,                          \
      "a datatype used in communication before MPI_Type_commit")                                   \
    X(ST_DATATYPE_RECOMMITTED, "datatype-recommitted", ST_SEVERITY_WARNING,                        \
      "MPI_Type_commit of a datatype that is committed already")                                   \
    X(ST_DATATYPE_PREDEFINED_FREED, "datatype-predefined-freed", ST_SEVERITY_ERROR,                \
      "MPI_Type_free of a predefined datatype")                                                    \
    X(ST_DATATYPE_ARGUMENT, "datatype-argument", ST_SEVERITY_ERROR,                                \
      "an argument of a datatype constructor that the standard does not allow")                    \
    X(ST_DATATYPE_OVERFLOW, "datatype-overflow", ST_SEVERITY_ERROR,                                \
      "a size, an extent or a displacement that exceeds its integer type")                         \
    X(ST_DATATYPE_SELF_OVERLAP, "datatype-self-overlap", ST_SEVERITY_ERROR,                        \
      "a receive that writes the same byte twice")                                                 \
    X(ST_DATATYPE_SUSPICIOUS, "datatype-suspicious", ST_SEVERITY_WARNING,                          \
      "a datatype that is legal, but probably not intended")                                       \
    X(ST_DATATYPE_LEAK, "datatype-leak", ST_SEVERITY_WARNING, "derived datatypes never freed")     \
    X(ST_ARGUMENT_COUNT, "argument-count", ST_SEVERITY_ERROR,                                      \
      "a negative count or size, or a partition that an operation does not have")                  \
    X(ST_ARGUMENT_RANK, "argument-rank", ST_SEVERITY_ERROR,                                        \
      "a rank that the communicator or group does not have")                                       \
    X(ST_ARGUMENT_TAG, "argument-tag", ST_SEVERITY_ERROR, "a tag out of range")                    \
    X(ST_ARGUMENT_ROOT, "argument-root", ST_SEVERITY_ERROR,                                        \
      "a root that the communicator does not have")                                                \
    X(ST_ARGUMENT_COMM, "argument-comm", ST_SEVERITY_ERROR,                                        \
      "a communicator that is null, freed or of the wrong kind")                                   \
    X(ST_ARGUMENT_IN_PLACE, "argument-in-place", ST_SEVERITY_ERROR,                                \
      "MPI_IN_PLACE where it is not allowed")                                                      \
    X(ST_ARGUMENT_NULL, "argument-null", ST_SEVERITY_ERROR,                                        \
      "a null pointer where MPI writes a result, or reads an array")                               \
    X(ST_ARGUMENT_TOPOLOGY, "argument-topology", ST_SEVERITY_ERROR,                                \
      "a grid or graph of processes that cannot exist")                                            \
    X(ST_ARGUMENT_COLOR, "argument-color", ST_SEVERITY_ERROR, "a negative color")                  \
    X(ST_ARGUMENT_LOCK, "argument-lock", ST_SEVERITY_ERROR,                                        \
      "an unknown lock type or assertion of one-sided communication")                              \
    X(ST_OP_DATATYPE, "op-datatype", ST_SEVERITY_ERROR,                                            \
      "a predefined operation on a datatype that it is not defined for")                           \
    X(ST_BUFFER_NULL, "buffer-null", ST_SEVERITY_ERROR, "a null buffer with data to transfer")     \
    X(ST_BUFFER_OVERLAP, "buffer-overlap", ST_SEVERITY_ERROR,                                      \
      "memory of a pending operation used by another call, and one of the two writes")             \
    X(ST_BUFFER_ALIAS, "buffer-alias", ST_SEVERITY_ERROR,                                          \
      "memory used twice by one collective, MPI_Sendrecv or one-sided call, and written")          \
    X(ST_BUFFER_SIZE, "buffer-size", ST_SEVERITY_ERROR,                                            \
      "a buffer that extends beyond its memory block")                                             \
    X(ST_BUFFER_MODIFIED, "buffer-modified", ST_SEVERITY_ERROR,                                    \
      "a buffer that is being sent, changed before the send was complete")                         \
    X(ST_BUFFER_GONE, "buffer-gone", ST_SEVERITY_ERROR,                                            \
      "memory that MPI may still use, of a function that has returned, or freed")                  \
    X(ST_BUFFER_ATTACH, "buffer-attach", ST_SEVERITY_ERROR,                                        \
      "a buffered send with no buffer or too small a one, or a buffer attached or detached twice") \
    X(ST_FILE_VIEW, "file-view", ST_SEVERITY_ERROR,                                                \
      "a file view that the standard does not allow")                                              \
    X(ST_FILE_MODE, "file-mode", ST_SEVERITY_ERROR,                                                \
      "a call that the access mode of its file does not allow")                                    \
    X(ST_REQUEST_NULL, "request-null", ST_SEVERITY_ERROR,                                          \
      "MPI_REQUEST_NULL where a request is needed")                                                \
    X(ST_REQUEST_UNKNOWN, "request-unknown", ST_SEVERITY_ERROR,                                    \
      "a handle that is not, or no longer, a request of the kind that is needed")                  \
    X(ST_REQUEST_INACTIVE, "request-inactive", ST_SEVERITY_WARNING,                                \
      "a request that is waited for, cancelled or marked as ready without being started")          \
    X(ST_REQUEST_ACTIVE_START, "request-active-start", ST_SEVERITY_ERROR,                          \
      "MPI_Start of a request, or MPI_Pready of a partition, that is active already")              \
    X(ST_REQUEST_ACTIVE_FREE, "request-active-free", ST_SEVERITY_WARNING,                          \
      "MPI_Request_free of an active request")                                                     \
    X(ST_REQUEST_LOST, "request-lost", ST_SEVERITY_ERROR,                                          \
      "a variable that held an active request, used for another one")                              \
    X(ST_REQUEST_LEAK, "request-leak", ST_SEVERITY_WARNING, "requests never completed or freed")   \
    X(ST_HANDLE_NULL, "handle-null", ST_SEVERITY_ERROR,                                            \
      "a null window, file, group or other handle where one is needed")                            \
    X(ST_HANDLE_UNKNOWN, "handle-unknown", ST_SEVERITY_ERROR,                                      \
      "a handle that is not a communicator, group, operation, window, file or info object")        \
    X(ST_HANDLE_FREED, "handle-freed", ST_SEVERITY_ERROR,                                          \
      "a group, operation, window, file, info object or error handler used after it was freed")    \
    X(ST_HANDLE_PREDEFINED_FREED, "handle-predefined-freed", ST_SEVERITY_ERROR,                    \
      "MPI_Op_free of a predefined operation")                                                     \
    X(ST_HANDLE_LEAK, "handle-leak", ST_SEVERITY_WARNING,                                          \
      "communicators, groups, windows and other handles never freed")                              \
    X(ST_MPI_ERROR, "mpi-error", ST_SEVERITY_ERROR, "a call that MPI refuses")                     \
    X(ST_FINALIZE_MISSING, "finalize-missing", ST_SEVERITY_WARNING,                                \
      "the process ends without MPI_Finalize")                                                     \
    X(ST_INIT_MISSING, "init-missing", ST_SEVERITY_ERROR,                                          \
      "MPI called before MPI_Init, or after MPI_Finalize; MPI_Init called twice")                  \
    X(ST_THREAD_LEVEL, "thread-level", ST_SEVERITY_ERROR,                                          \
      "a call from a thread that the level of thread support does not allow")                      \
    X(ST_COLLECTIVE_CALL, "collective-call", ST_SEVERITY_ERROR,                                    \
      "ranks that make different collective calls at the same time")                               \
    X(ST_COLLECTIVE_OTHER_ROOT, "collective-root", ST_SEVERITY_ERROR,                              \
      "ranks that pass different roots to one collective call")                                    \
    X(ST_COLLECTIVE_OP, "collective-op", ST_SEVERITY_ERROR,                                        \
      "ranks that pass different operations to one reduction")                                     \
    X(ST_COLLECTIVE_TYPE, "collective-type", ST_SEVERITY_ERROR,                                    \
      "ranks whose counts and datatypes do not match in one collective call")                      \
    X(ST_COLLECTIVE_OTHER_PLACE, "collective-in-place", ST_SEVERITY_ERROR,                         \
      "MPI_IN_PLACE on some ranks of a collective call only")                                      \
    X(ST_COLLECTIVE_ARGUMENT, "collective-argument", ST_SEVERITY_ERROR,                            \
      "ranks that pass different arguments to one collective call")                                \
    X(ST_COLLECTIVE_CONCURRENT, "collective-concurrent", ST_SEVERITY_ERROR,                        \
      "two threads of a rank in collective calls on one communicator at the same time")            \
    X(ST_FILE_SPLIT_ORDER, "file-split-order", ST_SEVERITY_ERROR,                                  \
      "split collective calls of a file out of order")                                             \
    X(ST_RMA_EPOCH_MISSING, "rma-epoch-missing", ST_SEVERITY_ERROR,                                \
      "a one-sided call to a target for which no epoch is open")                                   \
    X(ST_RMA_EPOCH_NESTED, "rma-epoch-nested", ST_SEVERITY_ERROR,                                  \
      "an epoch of a window begun within another one")                                             \
    X(ST_RMA_EPOCH_END, "rma-epoch-end", ST_SEVERITY_ERROR,                                        \
      "the end of an epoch, or lock, of a window that is not open")                                \
    X(ST_RMA_EPOCH_OPEN, "rma-epoch-open", ST_SEVERITY_ERROR,                                      \
      "MPI_Win_free or MPI_Finalize within an epoch of a window")                                  \
    X(ST_RMA_ASSERT, "rma-assert", ST_SEVERITY_ERROR,                                              \
      "an assertion on one-sided communication that is not true")                                  \
    X(ST_RMA_CONFLICT, "rma-conflict", ST_SEVERITY_ERROR,                                          \
      "two one-sided calls on the same memory, one of which writes, that are not ordered")         \
    X(ST_RMA_LOCAL, "rma-local", ST_SEVERITY_ERROR,                                                \
      "memory of a window that a one-sided call accesses while its own rank passes it to MPI")     \
    X(ST_RMA_ATOMIC, "rma-atomic", ST_SEVERITY_ERROR,                                              \
      "accumulates on the same memory at the same time that are not atomic together")              \
    X(ST_RMA_RANGE, "rma-range", ST_SEVERITY_ERROR,                                                \
      "a one-sided call on memory that is not attached to its dynamic window")                     \
    X(ST_MATCH_TYPE, "match-type", ST_SEVERITY_ERROR,                                              \
      "a message, or one-sided transfer, whose basic types differ from those of its receiver")     \
    X(ST_MATCH_TRUNCATION, "match-truncation", ST_SEVERITY_ERROR,                                  \
      "a message, or one-sided transfer, that is longer than its receive buffer")                  \
    X(ST_MATCH_PARTIAL, "match-partial", ST_SEVERITY_WARNING,                                      \
      "a message that ends inside an element of the receive's datatype")                           \
    X(ST_MATCH_READY, "match-ready", ST_SEVERITY_ERROR,                                            \
      "a ready send that began before its receive was posted")                                     \
    X(ST_MATCH_ASSERT, "match-assert", ST_SEVERITY_ERROR,                                          \
      "a receive that breaks an assertion of its communicator's info")                             \
    X(ST_MATCH_LOST, "match-lost", ST_SEVERITY_WARNING, "a message that is never received")        \
    X(ST_MATCH_RACE, "match-race", ST_SEVERITY_WARNING,                                            \
      "a receive from any source that could have got another rank's message")                      \
    X(ST_DEADLOCK, "deadlock", ST_SEVERITY_ERROR,                                                  \
      "ranks that wait for each other, and can never go on")                                       \
    X(ST_DEADLOCK_POTENTIAL, "deadlock-potential", ST_SEVERITY_WARNING,                            \
      "sends that complete only if MPI buffers them")                                              \
    X(ST_COLLECTIVE_MISSING, "collective-missing", ST_SEVERITY_ERROR,                              \
      "ranks that wait in a collective call for one that has left")                                \
    X(ST_COLLECTIVE_ORDER, "collective-order", ST_SEVERITY_ERROR,                                  \
      "collective calls on several communicators in an order that goes in a circle")               \
    X(ST_NO_PROGRESS, "no-progress", ST_SEVERITY_NOTE,                                             \
      "ranks that have waited for a long time, and no error can be shown")

enum st_check {
#define X(name, id, severity, title) name,
    ST_CHECKS(X)
#undef X
        ST_CHECK_COUNT
};

struct st_check_row {
    const char *id;
    enum st_severity severity;
    const char *title;
};

/* Indexed by enum st_check. */
extern const struct st_check_row st_check_rows[ST_CHECK_COUNT];

/* Returns the check with this id; ST_CHECK_COUNT if there is none. */
enum st_check st_check_find(const char *id);

/* "error", "warning" or "note". */
const char *st_severity_name(enum st_severity severity);

#endif
