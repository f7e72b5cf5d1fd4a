/*
 * The decoder: a rank's registry (registry.h), read through a callback, as types (type.h).
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
 * Nothing that is read is trusted: every pointer, count and index is checked before it is used,
 * every walk is bounded by what the registry can hold, and what is wrong is a fault, never a crash
 * (tests/fuzz).
 *
 * Memory taken: what has been read pays for it. Between two changes of the rank, all that is taken at
 * a time, pages and rows included, is at most ST_FREE_BYTES and ST_PER_BYTE for each byte that the
 * target has delivered since (memory.h); a registry that claims more than it shows is damaged. So is
 * what the algebra makes of these types (tests/unit/core/budget_test.c, tests/fuzz). Long arrays that
 * cannot have changed are kept from before: 256 MiB at most.
 *
 * Not thread-safe; a registry belongs to one reader.
 */
#ifndef ST_CORE_DECODE_DECODE_H
#define ST_CORE_DECODE_DECODE_H

#include "core/model/error.h"
#include "core/model/memory.h"
#include "core/model/registry.h"
#include "core/model/type.h"

/* The largest block the decoder takes for sound: 4 GiB of arrays in one datatype. */
#define ST_MOST_BLOCK (UINT64_C(1) << 32)
/* The largest basic type it takes for sound, in bytes; those of MPI end at 32. */
#define ST_MOST_BASIC 4096

struct st_registry;

/* Reads and checks the root at `address`. *out belongs to the caller. */
enum st_error st_registry_open(struct st_registry **out, st_read_fn read, void *context,
                               uint64_t address, struct st_fault *fault);

/* Frees the registry; types that came from it live on with the st_types they belong to. */
void st_registry_close(struct st_registry *registry);

/* The root as it was read last. */
const struct st_root *st_registry_root(const struct st_registry *registry);

/* Reads the root again: one small read. If the rank changed anything since, *changed is true and
 * what is cached is dropped, but for what such a change cannot have touched (registry.h, "what
 * never changes"). */
enum st_error st_registry_refresh(struct st_registry *registry, bool *changed,
                                  struct st_fault *fault);

/* Drops all that is cached: somebody else than the rank wrote to its memory. */
enum st_error st_registry_forget(struct st_registry *registry, struct st_fault *fault);

/* Decoded types, shared by all who got one from the registry between two changes. */
struct st_types;
struct st_types *st_registry_types(struct st_registry *registry); /* takes a reference */
struct st_types *st_types_ref(struct st_types *types);
void st_types_release(struct st_types *types);

enum st_handle_state {
    ST_UNKNOWN_HANDLE, /* neither recorded nor in the ring */
    ST_LIVE,
    ST_TOMBSTONE,  /* the newest type that had this handle and was freed */
    ST_FIND_FAILED /* see fault */
};

/* What a handle means now. *type is valid as long as the st_types of now. */
enum st_handle_state st_registry_find(struct st_registry *registry, uint64_t handle,
                                      const struct st_type **type, struct st_fault *fault);

/* The type with this identity; serial 0: whatever type is there. */
enum st_error st_registry_type(struct st_registry *registry, uint32_t ordinal, uint64_t serial,
                               const struct st_type **out, struct st_fault *fault);

/* One row of a listing: what a node says by itself (struct st_node), undecoded. */
struct st_row {
    uint64_t serial, handle;
    uint64_t name; /* for st_registry_name() */
    uint32_t ordinal;
    uint32_t created;
    uint32_t references;
    int32_t fortran;
    uint8_t combiner;
    uint8_t flags;
    bool live;      /* stands in the table under its handle */
    bool tombstone; /* stands in the ring */
};

/* How much of a registry could be read, in types. */
struct st_damage {
    size_t read, all;      /* the difference: nodes that cannot be read, or only in part */
    struct st_fault fault; /* what was wrong with the first; error ST_OK: nothing */
};

/* All recorded types in order of creation: in the table, in the ring, or below one of these.
 * *rows (of *count) is the caller's to free(): 48 bytes each. The whole registry is read, in large
 * pieces past the cache. A node that cannot be read is left out; *damage tells of it, and the return
 * value is still ST_OK. */
enum st_error st_registry_rows(struct st_registry *registry, struct st_row **rows, size_t *count,
                               struct st_damage *damage, struct st_fault *fault);

/* The predefined types that were recorded when MPI began, in the same form: the first nodes alone
 * are read, however many types there are. */
enum st_error st_registry_predefined(struct st_registry *registry, struct st_row **out,
                                     size_t *count, struct st_fault *fault);

/* The frames of a call site, innermost first: at most `most`, *count of them. */
enum st_error st_registry_site(struct st_registry *registry, uint32_t site, uint64_t *pcs,
                               size_t most, size_t *count, struct st_fault *fault);

/* The text of a frame that has the bit ST_SITE_TEXT, as a new string (the caller's to free()). */
enum st_error st_registry_frame_text(struct st_registry *registry, uint64_t frame, char **text,
                                     struct st_fault *fault);

/* Something that the checker found. *address: where it lies, root.reports for the first one; then
 * that of the next one, 0 after the last. `number`: 1 for the first one, and so on. *json is a new
 * string (the caller's to free()), *count how often it was found. */
enum st_error st_registry_report(struct st_registry *registry, uint64_t *address, uint32_t number,
                                 char **json, uint64_t *count, struct st_fault *fault);

/* A request, or an operation without one, that has not ended, as the checker recorded it. */
struct st_operation {
    struct st_record record;
    char function[ST_FUNCTION_BYTES]; /* that made it: "MPI_Isend"; "": not known */
    size_t first_buffer, buffer_count;
};

struct st_operation_list {
    bool is_checked;    /* else nothing was recorded */
    uint32_t callbacks; /* enum st_callback: what the program has ever made */
    uint32_t undecided;
    struct st_operation *operations; /* oldest first */
    size_t count;
    struct st_record_buffer *buffers; /* of all of them */
    size_t buffer_count;
};

/* The pending operations of now. What cannot be read is left out; *damage tells of it, and the return
 * value is still ST_OK. The list is the caller's: st_operations_free(), not after an error. */
enum st_error st_registry_operations(struct st_registry *registry, struct st_operation_list *list,
                                     struct st_damage *damage, struct st_fault *fault);
void st_operations_free(struct st_operation_list *list);

/* A handle that is alive, but for datatypes, as the checker recorded it. Of a communicator the record has
 * handle, serial, site and function alone: st_registry_comm() has the rest. */
struct st_object {
    struct st_record record;          /* serial 0: it is not known */
    char function[ST_FUNCTION_BYTES]; /* that gave it out: "MPI_Comm_split"; "": not known */
    char *name; /* of a communicator or window, the caller's to free(); NULL: none */
};

/* What is known now of a handle of this sort. */
enum st_error st_registry_object(struct st_registry *registry, enum st_kind kind, uint64_t handle,
                                 struct st_object *object, struct st_fault *fault);

/* All handles of this sort that are alive, but for communicators, oldest first: those have st_registry_comms(). What cannot be
 * read is left out; *damage tells of it, and the return value is still ST_OK. The list is the caller's: st_objects_free(). */
enum st_error st_registry_objects(struct st_registry *registry, enum st_kind kind,
                                  struct st_object **found, size_t *count, struct st_damage *damage,
                                  struct st_fault *fault);
void st_objects_free(struct st_object *objects, size_t count);

/* The name of a function by its number, as a collective call of the rank's area has it; "": there is no such function. */
enum st_error st_registry_function(struct st_registry *registry, uint32_t number,
                                   char name[ST_FUNCTION_BYTES], struct st_fault *fault);

/* Bytes of the rank's memory as they are now, and not as they were kept: what a call points to. */
enum st_error st_registry_peek(struct st_registry *registry, uint64_t address, void *buffer,
                               size_t length, struct st_fault *fault);

/* A communicator that is alive, as the checker recorded it. */
struct st_communicator {
    struct st_comm comm;              /* serial 0: it is not known */
    char function[ST_FUNCTION_BYTES]; /* that gave it out: "MPI_Comm_split"; "": not known */
    char *name;                       /* NULL: none */
    uint64_t *members[2];             /* gpids of comm.group and comm.remote, if they are LISTED */
    struct st_win_peer *peers;        /* of a window: comm.group.size of them; NULL: none */
};

/* The communicator that a handle stands for now: *comm is the caller's, st_communicator_deinit(). */
enum st_error st_registry_comm(struct st_registry *registry, uint64_t handle,
                               struct st_communicator *comm, struct st_fault *fault);

/* All communicators, windows and files of now (comm.kind), oldest first. What cannot be read is left out; *damage tells of it, and
 * the return value is still ST_OK. The list is the caller's: st_communicators_free(). */
enum st_error st_registry_comms(struct st_registry *registry, struct st_communicator **comms,
                                size_t *count, struct st_damage *damage, struct st_fault *fault);
void st_communicator_deinit(struct st_communicator *comm);
void st_communicators_free(struct st_communicator *comms, size_t count);

/* Which process has a rank of a communicator (remote: of the other group of an intercommunicator): its
 * gpid; ST_NO_GPID: not known, or there is no such rank. */
uint64_t st_communicator_member(const struct st_communicator *comm, bool remote, int64_t rank);

/* The name of a node as a new string (the caller's to free()); NULL without a fault: no name.
 * `address`: the node's or the row's member `name`. */
enum st_error st_registry_name(struct st_registry *registry, uint32_t ordinal, uint64_t address,
                               char **name, struct st_fault *fault);

#endif
