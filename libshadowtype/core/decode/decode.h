/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The decoder: reads a rank's registry (registry.h) through a callback, and makes types (type.h) of
 * it.
 *
 *     struct st_fault fault;
 *     struct st_registry *registry;
 *     if (st_registry_open(&registry, read, context, address_of_root, &fault)) { ... fault ... }
 *     const struct st_type *type;
 *     switch (st_registry_find(registry, handle, &type, &fault)) {
 *     case ST_LIVE: printf("size %lld\n", (long long)type->measure.size); ...
 *     }
 *     st_registry_close(registry);
 *
 * It trusts nothing that it reads: it checks every pointer, count and index before use. What a
 * registry can contain bounds every walk. Wrong data are a fault, never a crash (tests/fuzz).
 *
 * Memory is limited by what was read. Between two changes of the rank, all memory in use, cached
 * pages and rows included, is at most ST_FREE_BYTES plus ST_PER_BYTE for each byte read from the
 * target since (memory.h); a registry that claims more than it shows is damaged. The same limit
 * holds for what the algebra makes of these types (tests/unit/core/budget_test.c, tests/fuzz). Long
 * arrays that cannot have changed are kept longer: at most 256 MiB.
 *
 * Not thread-safe; a registry belongs to one reader.
 */
#ifndef ST_CORE_DECODE_DECODE_H
#define ST_CORE_DECODE_DECODE_H

#include "core/model/error.h"
#include "core/model/memory.h"
#include "core/model/registry.h"
#include "core/model/type.h"

/* The largest block that the decoder accepts: 4 GiB of arrays in one datatype. */
#define ST_MOST_BLOCK (UINT64_C(1) << 32)
/* The largest basic type that it accepts, in bytes; MPI's are at most 32. */
#define ST_MOST_BASIC 4096

struct st_registry;

/* Reads and checks the root at `address`. The caller must close *out. */
enum st_error st_registry_open(struct st_registry **out, st_read_fn read, void *context,
                               uint64_t address, struct st_fault *fault);

/* Frees the registry. Its types live on with the st_types that they belong to. */
void st_registry_close(struct st_registry *registry);

/* Returns the root as it was last read. */
const struct st_root *st_registry_root(const struct st_registry *registry);

/* Reads the root again: one small read. If the rank changed anything since, sets *changed and drops
 * what is cached, except what cannot have changed (registry.h, "These never change"). */
enum st_error st_registry_refresh(struct st_registry *registry, bool *changed,
                                  struct st_fault *fault);

/* Drops all that is cached. To be called if someone else than the rank wrote to its memory. */
enum st_error st_registry_forget(struct st_registry *registry, struct st_fault *fault);

/* Decoded types, shared by all users that got them from the registry between two changes. */
struct st_types;
struct st_types *st_registry_types(struct st_registry *registry); /* returns a new reference */
struct st_types *st_types_ref(struct st_types *types);
void st_types_release(struct st_types *types);

enum st_handle_state {
    ST_UNKNOWN_HANDLE, /* neither recorded nor in the ring */
    ST_LIVE,
    ST_TOMBSTONE,  /* the newest freed type that had this handle */
    ST_FIND_FAILED /* see fault */
};

/* Finds what a handle means now. *type is valid as long as the current st_types. */
enum st_handle_state st_registry_find(struct st_registry *registry, uint64_t handle,
                                      const struct st_type **type, struct st_fault *fault);

/* Decodes the type with this identity; serial 0: whatever type the node has now. */
enum st_error st_registry_type(struct st_registry *registry, uint32_t ordinal, uint64_t serial,
                               const struct st_type **out, struct st_fault *fault);

/* One row of a listing: the members of struct st_node, without what is below it. */
struct st_row {
    uint64_t serial, handle;
    uint64_t name; /* for st_registry_name() */
    uint32_t ordinal;
    uint32_t created;
    uint32_t references;
    int32_t fortran;
    uint8_t combiner;
    uint8_t flags;
    bool live;      /* in the table under its handle */
    bool tombstone; /* in the ring */
};

/* How much of a registry could be read, in types. */
struct st_damage {
    size_t read, all;      /* all - read: nodes that cannot be read, or only in part */
    struct st_fault fault; /* of the first such node; error ST_OK: there is none */
};

/* Lists all recorded types in order of creation: in the table, in the ring, or below one of these.
 * The caller must free() *rows, 48 bytes for each of *count. Reads the whole registry in large
 * pieces, without the cache. Leaves out nodes that cannot be read, and counts them in *damage; the
 * result is still ST_OK. */
enum st_error st_registry_rows(struct st_registry *registry, struct st_row **rows, size_t *count,
                               struct st_damage *damage, struct st_fault *fault);

/* Lists the predefined types that were recorded when MPI was initialized, in the same form. Reads
 * only the first nodes, however many types there are. */
enum st_error st_registry_predefined(struct st_registry *registry, struct st_row **out,
                                     size_t *count, struct st_fault *fault);

/* Reads the frames of a call site, innermost first: *count of them, at most `most`. */
enum st_error st_registry_site(struct st_registry *registry, uint32_t site, uint64_t *pcs,
                               size_t most, size_t *count, struct st_fault *fault);

/* Reads the text of a frame that has the bit ST_SITE_TEXT. The caller must free() *text. */
enum st_error st_registry_frame_text(struct st_registry *registry, uint64_t frame, char **text,
                                     struct st_fault *fault);

/* Reads a finding of the checker.
 * *address  in: root.reports for the first; out: the address of the next one, 0 after the last
 * number    1 for the first one, and so on
 * *json     a new string, which the caller must free()
 * *count    how often it was found */
enum st_error st_registry_report(struct st_registry *registry, uint64_t *address, uint32_t number,
                                 char **json, uint64_t *count, struct st_fault *fault);

/* A pending operation, with or without a request, as the checker recorded it. */
struct st_operation {
    struct st_record record;
    char function[ST_FUNCTION_BYTES]; /* the function that started it: "MPI_Isend"; "": not known */
    size_t first_buffer, buffer_count;
};

struct st_operation_list {
    bool is_checked;    /* if false, nothing was recorded */
    uint32_t callbacks; /* enum st_callback: the kinds of callback that the program has ever
                           registered */
    uint32_t undecided;
    struct st_operation *operations; /* oldest first */
    size_t count;
    struct st_record_buffer *buffers; /* of all operations */
    size_t buffer_count;
};

/* Lists the operations that are pending now. Leaves out what cannot be read, and counts it in
 * *damage; the result is still ST_OK. The caller must st_operations_free() the list, but not after
 * an error. */
enum st_error st_registry_operations(struct st_registry *registry, struct st_operation_list *list,
                                     struct st_damage *damage, struct st_fault *fault);
void st_operations_free(struct st_operation_list *list);

/* A handle that is alive (not a datatype), as the checker recorded it. For a communicator, window or
 * file only the handle, kind, serial, site and function of the record are set: st_registry_comm()
 * has the rest. */
struct st_object {
    struct st_record record;          /* serial 0: the handle is not known */
    char function[ST_FUNCTION_BYTES]; /* the function that made it: "MPI_Comm_split"; "": not
                                         known */
    char *name; /* of a communicator or window, the caller must free() it; NULL: no name was set */
};

/* Finds what is known now about a handle of this kind. */
enum st_error st_registry_object(struct st_registry *registry, enum st_kind kind, uint64_t handle,
                                 struct st_object *object, struct st_fault *fault);

/* Lists all handles of this kind that are alive, oldest first, without names. For communicators,
 * windows and files use st_registry_comms(). Leaves out what cannot be read, and counts it in *damage; the result is
 * still ST_OK. The caller must st_objects_free() the list. */
enum st_error st_registry_objects(struct st_registry *registry, enum st_kind kind,
                                  struct st_object **found, size_t *count, struct st_damage *damage,
                                  struct st_fault *fault);
void st_objects_free(struct st_object *objects, size_t count);

/* Reads the name of a function by its number in a collective call of the rank's area; "" if there
 * is no such function. */
enum st_error st_registry_function(struct st_registry *registry, uint32_t number,
                                   char name[ST_FUNCTION_BYTES], struct st_fault *fault);

/* Reads bytes of the rank's memory as they are now, without the cache: for example what an argument
 * points to. */
enum st_error st_registry_peek(struct st_registry *registry, uint64_t address, void *buffer,
                               size_t length, struct st_fault *fault);

/* A communicator, window or file that is alive, as the checker recorded it. */
struct st_communicator {
    struct st_comm comm;              /* serial 0: it is not known */
    char function[ST_FUNCTION_BYTES]; /* the function that made it: "MPI_Comm_split"; "": not
                                         known */
    char *name;                       /* NULL: no name was set */
    uint64_t *members[2];             /* gpids of comm.group and comm.remote, if they are LISTED */
    struct st_win_peer *peers;        /* of a window: comm.group.size of them; NULL: not recorded */
    struct st_dimension *grid;        /* of a Cartesian communicator; NULL for others */
    size_t dimensions;
    struct st_freed_call
        *freed; /* ST_MOST_FREED_CALLS; NULL: no persistent collective call was freed */
};

/* Finds the communicator, window or file that a handle means now. The caller must
 * st_communicator_deinit() *comm.
 * kind  ST_KIND_COMM, ST_KIND_WIN or ST_KIND_FILE */
enum st_error st_registry_comm(struct st_registry *registry, enum st_kind kind, uint64_t handle,
                               struct st_communicator *comm, struct st_fault *fault);

/* Returns true if objects of this kind have a struct st_comm. */
static inline bool st_kind_has_comm(enum st_kind kind)
{
    return kind == ST_KIND_COMM || kind == ST_KIND_WIN || kind == ST_KIND_FILE;
}

/* Lists all communicators, windows and files of now (comm.kind), oldest first. Leaves out what
 * cannot be read, and counts it in *damage; the result is still ST_OK. The caller must
 * st_communicators_free() the list. */
enum st_error st_registry_comms(struct st_registry *registry, struct st_communicator **comms,
                                size_t *count, struct st_damage *damage, struct st_fault *fault);
void st_communicator_deinit(struct st_communicator *comm);
void st_communicators_free(struct st_communicator *comms, size_t count);

/* Returns the gpid of a rank of a communicator (remote: of the remote group of an
 * intercommunicator); ST_NO_GPID if it is not known, or if there is no such rank. */
uint64_t st_communicator_member(const struct st_communicator *comm, bool remote, int64_t rank);

/* Reads the name of a node; *name is NULL without a fault if no name was set. The caller must
 * free() it. `address` is the member `name` of the node or row. */
enum st_error st_registry_name(struct st_registry *registry, uint32_t ordinal, uint64_t address,
                               char **name, struct st_fault *fault);

#endif
