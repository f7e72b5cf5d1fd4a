/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a wrapper passes to the checks: the function (a form, generated from calls.table) and the
 * arguments of the call as 64-bit numbers.
 */
#ifndef ST_RUNTIME_WRAP_FACTS_H
#define ST_RUNTIME_WRAP_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/model/registry.h"
#include "runtime/wrap/function.h"

/* The role of a parameter: the words of calls.table, which explains them. */
enum st_role {
    ST_ROLE_NONE,
    ST_ROLE_READ,
    ST_ROLE_WRITE,
    ST_ROLE_BCAST,
    ST_ROLE_SWAP,
    ST_ROLE_THERE,
    ST_ROLE_COUNT,
    ST_ROLE_COUNTS,
    ST_ROLE_DISPLS,
    ST_ROLE_TYPE,
    ST_ROLE_TYPES,
    ST_ROLE_DEST,
    ST_ROLE_SOURCE,
    ST_ROLE_TARGET,
    ST_ROLE_ROOT,
    ST_ROLE_RANK,
    ST_ROLE_TAG,
    ST_ROLE_ANYTAG,
    ST_ROLE_COMM,
    ST_ROLE_INTRA,
    ST_ROLE_INTER,
    ST_ROLE_CART,
    ST_ROLE_GRAPH,
    ST_ROLE_DISTGRAPH,
    ST_ROLE_OP,
    ST_ROLE_ACCUMULATE,
    ST_ROLE_WIN,
    ST_ROLE_FILE,
    ST_ROLE_N,
    ST_ROLE_NEW_REQUEST,
    ST_ROLE_NEW_PERSISTENT,
    ST_ROLE_FLAG,
    ST_ROLE_INDEX,
    ST_ROLE_OUTCOUNT,
    ST_ROLE_INDICES,
    ST_ROLE_DONE,
    ST_ROLE_DONES,
    ST_ROLE_START,
    ST_ROLE_STARTS,
    ST_ROLE_CANCEL,
    ST_ROLE_RELEASE,
    ST_ROLE_ASK,
    ST_ROLE_PREADY,
    ST_ROLE_ARRIVED,
    ST_ROLE_PARTITION,
    ST_ROLE_PARTITIONS,
    ST_ROLE_MESSAGE,
    ST_ROLE_TYPED,
    ST_ROLE_TYPEDS,
    ST_ROLE_SIZE,
    ST_ROLE_SIZES,
    ST_ROLE_ARRAY,
    ST_ROLE_NDIMS,
    ST_ROLE_EXTENTS,
    ST_ROLE_SUBSIZES,
    ST_ROLE_STARTS_AT,
    ST_ROLE_ORDER,
    ST_ROLE_PROCS,
    ST_ROLE_ME,
    ST_ROLE_DIMS,
    ST_ROLE_DISTRIBS,
    ST_ROLE_DARGS,
    ST_ROLE_GRID,
    ST_ROLE_BASE,
    ST_ROLE_BASES,
    ST_ROLE_COMMIT,
    ST_ROLE_VIEW,
    ST_ROLE_LATER,
    ST_ROLE_GIVES, /* out: a handle of parameter.kind */
    ST_ROLE_TAKES, /* in: the handle is given back */
    ST_ROLE_SHOWS, /* out: a handle that need not be freed */
    ST_ROLE_MEMORY,
    ST_ROLE_UNMEMORY,
    ST_ROLE_NAMES,  /* the name of a communicator or window */
    ST_ROLE_STATUS, /* this and the next ones may be special constants, and are not checked
                       further */
    ST_ROLE_STATUSES,
    ST_ROLE_WEIGHTS,
    ST_ROLE_ERRCODES,
    ST_ROLE_ARGV,
    ST_ROLE_ARGVS,
    ST_ROLE_UNDEFINED,
    ST_ROLE_SPLIT_TYPE,
    ST_ROLE_LOCK,
    ST_ROLE_ROOM,
    ST_ROLE_BYTES,
    ST_ROLE_ONE_THERE,
    ST_ROLE_HANDLE,
    ST_ROLE_OPTIONAL,
    ST_ROLE_MEMBERS,
    ST_ROLE_OPT,
    ST_ROLE_MUST,
    ST_ROLE_LIST,
    ST_ROLE_GIVEN,  /* a status that MPI reads */
    ST_ROLE_ADOPT,  /* of an unknown function: a handle that it may return, or end */
    ST_ROLE_ADOPTS, /* an array of requests; the parameter before is its length */
    ST_ROLE_RANGES,
    ST_ROLE_TRANSLATED,
    ST_ROLE_SUBGROUP,
    ST_ROLE_COLOR,
    ST_ROLE_MODE,
    ST_ROLE_UNIT,
    ST_ROLE_OFFSET,
    ST_ROLE_WHENCE,
    ST_ROLE_POSITION,
    ST_ROLE_PEER,
    ST_ROLE_LEADER,
    ST_ROLE_INFOKEY,
    ST_ROLE_INFOVALUE,
    ST_ROLE_DIMENSIONS,
    ST_ROLE_CARTDIMS,
    ST_ROLE_GIVENDIMS,
    ST_ROLE_DIRECTION,
    ST_ROLE_COORDS,
    ST_ROLE_NODES,
    ST_ROLE_NODEINDEX,
    ST_ROLE_EDGES,
    ST_ROLE_DEGREES,
    ST_ROLE_NEIGHBOURS,
    ST_ROLE_KEYVAL,
    ST_ROLE_FULFIL, /* a generalized request that the program completes */
    ST_ROLE_MOST
};

enum { ST_ROLE_WORDS = 2 };
_Static_assert(ST_ROLE_MOST <= 64 * ST_ROLE_WORDS, "each role has a bit in st_form.roles");

/* The bit of a role in word `word` of st_form.roles; 0 if it has its bit in another word. */
#define ST_ROLE_BIT(word, role) ((role) / 64 == (word) ? UINT64_C(1) << (role) % 64 : 0)

/* Why a pointer must not be null. */
enum st_needed {
    ST_NEEDED_NOT,
    ST_NEEDED_ALWAYS,
    ST_NEEDED_MEMBERS,    /* it is an array, and parameter `length` is greater than 0 */
    ST_NEEDED_DIMENSIONS, /* an array with a member for each dimension of the communicator */
    ST_NEEDED_STATUS,     /* MPI_STATUS_IGNORE is allowed and is not null */
    ST_NEEDED_STATUSES,   /* MPI_STATUSES_IGNORE is allowed and is not null, and `length` is
                             greater than 0 */
    ST_NEEDED_GIVEN       /* MPI_STATUS_IGNORE is as wrong as null */
};

struct st_parameter {
    const char *name;
    uint8_t role; /* enum st_role */
    uint8_t kind; /* enum st_kind of the handle that it is, or points to */
    bool pointer;
    uint8_t width;  /* bytes of the number or handle that it is, or points to */
    uint8_t needed; /* enum st_needed */
    int8_t length;  /* the parameter with the length of the array; -1: it is no array */
    bool at_root;   /* significant only at the root */
};

/* How long MPI may use the buffers. */
enum st_lasts { ST_LASTS_CALL, ST_LASTS_REQUEST, ST_LASTS_EPOCH, ST_LASTS_SPLIT };
enum st_when { ST_ALWAYS, ST_AT_ROOT, ST_AT_LEAF, ST_AT_MEMBER };
enum st_in_place { ST_NEVER, ST_EVERYWHERE, ST_AT_THE_ROOT };

/* A buffer with its count and type, as numbers of parameters; -1: there is none. */
struct st_part {
    int8_t buffer; /* -1: the memory at the target of a one-sided call */
    int8_t count;  /* -1: one element */
    int8_t displs;
    int8_t type;
    int8_t peer;      /* the rank, or message, that the data goes to or comes from */
    uint8_t access;   /* enum st_access; 0: at the target */
    uint8_t when;     /* enum st_when: where it is significant */
    uint8_t in_place; /* enum st_in_place: where it may be MPI_IN_PLACE */
    bool counts;      /* `count` is an array with a member for each rank or neighbour */
    bool types;
    int8_t times;   /* the number of partitions of `count` elements; -1: one */
    bool each;      /* `count` elements for each rank or neighbour, one block after the other */
    bool not_first; /* rank 0 of the communicator has no such buffer */
};

/* How a call uses the buffer of buffered sends. */
enum st_attached {
    ST_ATTACHED_NOT,
    ST_ATTACHED_NEEDED,
    ST_ATTACHED_LATER, /* at MPI_Start */
    ST_ATTACHED_NEW,
    ST_ATTACHED_GONE,
    ST_ATTACHED_OTHERWISE /* of a communicator, or session */
};

/* How all processes of a new communicator compute the same id (objects/comm_ids.h). */
enum st_identity {
    ST_IDENTITY_NONE,
    ST_IDENTITY_CHILD,   /* from the collective call on its parent */
    ST_IDENTITY_MEMBERS, /* from its parent, if it has one, its processes and a tag */
    ST_IDENTITY_PAIR,    /* from its two groups and a tag */
    ST_IDENTITY_MET,     /* from its two groups, which have met at a port or a socket */
    ST_IDENTITY_SPAWNED, /* from the call that spawns; the children get it from their
                            environment: */
    ST_IDENTITY_PARENT
};

/* What a call does to the epochs of a window (objects/epochs.h). */
enum st_sync {
    ST_SYNC_NONE,
    ST_SYNC_ACCESS,  /* MPI_Put, MPI_Get, ... */
    ST_SYNC_REQUEST, /* MPI_Rput, MPI_Rget, ... */
    ST_SYNC_FLUSH,   /* of one target */
    ST_SYNC_FLUSH_LOCAL,
    ST_SYNC_FLUSH_ALL, /* and MPI_Win_flush_local_all */
    ST_SYNC_FENCE,
    ST_SYNC_START,
    ST_SYNC_COMPLETE,
    ST_SYNC_POST,
    ST_SYNC_WAIT,
    ST_SYNC_TEST,
    ST_SYNC_LOCK,
    ST_SYNC_UNLOCK,
    ST_SYNC_LOCK_ALL,
    ST_SYNC_UNLOCK_ALL,
    ST_SYNC_FREE
};

struct st_form {
    const char *name; /* "MPI_Send" */
    uint16_t number;  /* its index in st_form_table */
    uint32_t line;    /* the offset of its line in st_forms */
    const struct st_parameter *parameters;
    const struct st_part *parts;
    uint8_t parameter_count;
    uint8_t part_count;
    uint64_t roles[ST_ROLE_WORDS]; /* bit set: a parameter has the role */
    uint32_t pointers;             /* bit set: the parameters that must not be null */
    uint8_t lasts;                 /* enum st_lasts: its buffers */
    int8_t comm, win, root, op, n; /* numbers of parameters, -1: there is none */
    int8_t file, tag;
    int8_t room, room_bytes; /* memory that the program passes, and its size */
    int8_t target, there;    /* a rank of a window, and a displacement there */
    int8_t collective;       /* the communicator whose collective calls it counts for */
    uint8_t identity;        /* enum st_identity of the communicator that it makes */
    int8_t ends;             /* the window or file whose operations end with the call */
    uint8_t attached;        /* enum st_attached */
    uint8_t sync;            /* enum st_sync */
    bool neighbours;         /* arrays have a member for each neighbour */
    bool is_constructor;     /* of a datatype */
    bool is_view;            /* MPI_File_set_view */
    bool is_ready;           /* MPI_Rsend, MPI_Irsend, MPI_Rsend_init */
    bool quick_message;      /* its calls that take the quick path (runtime/check/quick.h) send a
                                message, receive one, or both */
    bool quick_access; /* such calls of it access a window: MPI_Put, MPI_Get, MPI_Accumulate */
    bool is_anywhere;  /* may be called in any thread, before MPI_Init and after MPI_Finalize */
};

/* The members of a form that has no such parameters, for an initializer. */
#define ST_FORM_WITHOUT_PARAMETERS                                                                 \
    .comm = -1, .collective = -1, .win = -1, .root = -1, .op = -1, .n = -1, .file = -1, .tag = -1, \
    .room = -1, .room_bytes = -1, .target = -1, .there = -1, .ends = -1

/* All forms, in the order of their names; written by the generator. */
extern const struct st_form *const st_form_table[] __attribute__((visibility("hidden")));
extern const uint16_t st_form_count __attribute__((visibility("hidden")));
/* Their functions, and the groups of checks that want them (check_groups.h), in the same order. */
extern struct st_function *const st_form_functions[] __attribute__((visibility("hidden")));
extern uint32_t st_form_groups[] __attribute__((visibility("hidden")));

/* The facts of a communicator. */
struct st_comm_facts {
    int32_t size; /* of the remote group of an intercommunicator */
    int32_t rank;
    bool inter;
};

/* One call that is being checked. */
struct st_facts {
    const struct st_form *form;
    const struct st_call *call;
    const uint64_t *values; /* by parameter: numbers sign-extended, handles zero-extended */
    bool has_comm;          /* the facts of the communicator or window are known */
    struct st_comm_facts comm;
    uint32_t found; /* by parameter: it has a finding already, and is not checked further */
};

/* Describes a call of which nothing is known yet but its arguments. */
static inline void st_facts_begin(struct st_facts *facts, const struct st_form *form,
                                  const struct st_call *call, const uint64_t *values)
{
    facts->form = form;
    facts->call = call;
    facts->values = values;
    facts->has_comm = false;
    facts->found = 0;
}

/* Returns the number of the first parameter with this role; -1 if there is none. */
static inline int st_parameter_of(const struct st_form *form, enum st_role role)
{
    for (int i = 0; i < form->parameter_count; i++) {
        if (form->parameters[i].role == role) {
            return i;
        }
    }
    return -1;
}

/* Returns member `index` of the array that parameter `number` points to. */
static inline int64_t st_number_at(const struct st_facts *facts, int number, int64_t index)
{
    const void *array = (const void *)(uintptr_t)facts->values[number];
    return facts->form->parameters[number].width == 4 ? ((const int32_t *)array)[index]
                                                      : ((const int64_t *)array)[index];
}

static inline uint64_t st_handle_at(const struct st_facts *facts, int number, int64_t index)
{
    const void *array = (const void *)(uintptr_t)facts->values[number];
    return facts->form->parameters[number].width == 4 ? ((const uint32_t *)array)[index]
                                                      : ((const uint64_t *)array)[index];
}

static inline bool st_found_at(const struct st_facts *facts, int number)
{
    return facts->found >> number & 1;
}

#endif
