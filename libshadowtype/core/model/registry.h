/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The registry: the data structures that a debugger reads in the memory of an MPI rank.
 *
 * The recorder (libshadowtype/runtime) writes them. The decoder (decode.h) reads them through a
 * callback, from a live process, a core file or a test's byte array. This header is the whole
 * contract between the two: the decoder needs no other symbol, no debug information and no call
 * into the rank.
 *
 *     shadowtype_registry (struct st_root, an exported data symbol)
 *       ├─ table        → struct st_table: handle → node, open addressing, 32-bit slots
 *       ├─ node_chunks  → [address] → struct st_node[nodes_per_chunk]
 *       │                   node.block → struct st_block: the constructor's arrays
 *       │                   node.name  → struct st_block: the set name
 *       ├─ ring         → uint32_t[ring_slots]: the last freed nodes (tombstones)
 *       ├─ site_chunks  → [address] → uint64_t frame[sites_per_chunk][site_frames]
 *       ├─ reports      → struct st_report → next → ...: what the checker found, oldest first
 *       ├─ threads      → struct st_thread → next → ...: the calls that each thread is in
 *       │                   call.form → a line of root.forms: its function and parameters
 *       │                   call.site → a line of Python, if mpi4py calls
 *       ├─ names        → struct st_name[name_count]: the values of MPI's constants
 *       ├─ progress     → struct st_progress: for a watch from outside
 *       ├─ shared       → struct st_shared_area: what the rank publishes to the ranks of its node
 *       └─ operations   → struct st_operations: the MPI operations that are pending
 *             ├─ record_chunks → [address] → struct st_record[records_per_chunk]
 *             ├─ buffer_chunks → [address] → struct st_record_buffer[buffers_per_chunk]
 *             ├─ comm_chunks   → [address] → struct st_comm[comms_per_chunk]: the communicators
 *             │                    comm.name → struct st_block: the set name
 *             │                    comm.group.members → struct st_block: uint64_t gpids
 *             │                    comm.grid → struct st_block: struct st_dimension[dimensions]
 *             │                    comm.freed → struct st_block: struct st_freed_call[ST_MOST_FREED_CALLS]
 *             └─ functions     → char name[function_count][ST_FUNCTION_BYTES]
 *
 * Rules, each checked by a test (tests/unit):
 *   - A reader may come at any instruction. It finds the types as they were before a change, or as
 *     they are after it. The writer fills a structure first and publishes it last, by one aligned
 *     store (a table slot, root.table, a count). It never moves a published structure. Therefore:
 *       - While the table closes a gap, a node may be in two slots: the first on its probe counts.
 *       - A type is live while its node is in the table under its handle. ST_FREED, `freed` and a
 *         place in the ring mean nothing until one store has removed the node from the table.
 *       - The slot root.ring_next of the ring is empty, or has a node that is about to leave the
 *         table. When that node has left, it is the newest tombstone, and the node in the slot
 *         after it, the oldest, is no tombstone any more.
 *       - Some members mean nothing until another one is set: `committed` until ST_COMMITTED; the
 *         args of a NAMED until args[1]; root.world_size until root.world_rank; root.mpi_version
 *         until root.state is not LOADED any more.
 *     Counters (references, handles, root.live and the numbers of bytes) may lag while root.changes
 *     is odd.
 *   - The calls of a thread change without root.changes; the state of a call says which of its
 *     members are valid. None is while the state is ST_CALL_NONE.
 *   - A record is valid while its serial is not 0: the serial is stored last, and cleared first.
 *     In a valid record only these change, each by one store: its flags, its starts, `comm` of
 *     COMM, WIN and FILE, and `active` of its buffers. The same holds for a communicator, window or
 *     file (struct st_comm): its name, id (of a gathering its handle) and count of
 *     collective calls change, each by one store; its rank, groups and grid are written before the flag
 *     that says so. The operations have their own counter of changes, because a program
 *     communicates more often than it makes types. They add to the references of the types that
 *     they use, without counting in root.changes.
 *   - Nodes are named by their ordinal (0, 1, 2, ...), everything else by its address. All
 *     addresses are 64 bits wide, whatever the width of a pointer is. All structures have the same
 *     layout on every ABI (natural alignment, no padding that matters).
 *   - All numbers are in the rank's byte order; root.byte_order shows which.
 *   - Nothing here is in the program's heap.
 *   - These never change, so that a reader may keep them from one stop to the next: an address in
 *     node_chunks or site_chunks; the frames of a call site; a node's handle, combiner, args and the
 *     data of its block, as long as its serial stays (but the block may be freed: ST_ELIDED); all of
 *     a NAMED node except its references, once MPI is initialized and args[0] is known; a report
 *     except its next and its count; root.forms; the address and the next of a thread.
 *
 * Each change of a structure below changes ST_LAYOUT_VERSION; tests/unit/layout_test.c compares the
 * field list with the structs.
 */
#ifndef ST_CORE_MODEL_REGISTRY_H
#define ST_CORE_MODEL_REGISTRY_H

#include <stdint.h>

#include "core/model/combiners.h"

#define ST_MAGIC "shadowty" /* 8 bytes, no terminator */
#define ST_LAYOUT_VERSION 14u
#define ST_BYTE_ORDER 0x01020304u
#define ST_ROOT_SYMBOL "shadowtype_registry"

/* st_node.flags */
enum st_node_flag {
    ST_COMMITTED = 0x01,
    ST_PREDEFINED = 0x02,    /* MPI owns it: freeing it is an error, and it is never a leak (f90
                                types included) */
    ST_FORTRAN_ORDER = 0x04, /* SUBARRAY, DARRAY: MPI_ORDER_FORTRAN */
    ST_OFFSETS_64 = 0x08,    /* the block's offsets are int64_t; if not set, int32_t */
    ST_LENGTHS_64 = 0x10,    /* the block's lengths are int64_t; if not set, int32_t */
    ST_ELIDED = 0x20,        /* a tombstone with too many types below it to keep: it has no block
                                and no base */
    ST_FREED = 0x40, /* the user freed the handle; the node is kept as a base of another, or in
                        the ring */
    ST_COMMIT_UNDEFINED = 0x80 /* made by MPI_Type_get_contents: the standard leaves open whether
                                  it is committed */
};

/* The distributions in a DARRAY's block. There ST_DARG_DEFAULT means MPI_DISTRIBUTE_DFLT_DARG. */
enum st_distribution { ST_DISTRIBUTE_NONE = 0, ST_DISTRIBUTE_BLOCK = 1, ST_DISTRIBUTE_CYCLIC = 2 };
#define ST_DARG_DEFAULT INT64_MIN
/* F90_*: the program passed MPI_UNDEFINED as precision or range. */
#define ST_F90_UNDEFINED INT64_MIN

/* The bounds were not asked of MPI. */
#define ST_EXTENT_UNKNOWN INT64_MIN

/* No node: the type has no base, or the entry could not be recorded. */
#define ST_NO_NODE UINT32_MAX
/* No call site: never committed, not yet freed, or unknown. */
#define ST_NO_SITE UINT32_MAX

/*
 * A datatype: 104 bytes. combiners.h says what args, base and block mean for each combiner.
 *
 * offsets and lengths have `count` members, of the width that the flags name. types has `count`
 * uint32_t node ordinals.
 *
 * lb and extent are the MPI library's answer at creation. They do not follow from the parameters
 * alone: the padding at the end is the implementation's choice (MPI-4.0, 5.1, "epsilon": both
 * libraries pad a struct, Open MPI pads hindexed and hindexed_block too), and so are the bounds of
 * a type without data. Types that are built on this one are spaced by its extent.
 */
struct st_node {
    uint64_t handle; /* as the program has it; MPICH's int is zero-extended */
    uint64_t serial; /* identity: counts from 1 in order of creation; 0: the node is not in use */
    int64_t args[3]; /* see above */
    int64_t lb,
        extent; /* bytes; extent ST_EXTENT_UNKNOWN: not asked (NAMED, F90_*, OPAQUE: see args) */
    uint64_t block;   /* address of the st_block with the arrays; 0: none */
    uint64_t name;    /* address of the st_block with the name, no terminator; 0: no name was set */
    uint32_t base;    /* ordinal of the old type; ST_NO_NODE: none */
    uint32_t created; /* call sites (index into the site table) or ST_NO_SITE */
    uint32_t committed;
    uint32_t freed;
    uint32_t references; /* nodes built on this one, plus 1 while it has a handle, plus 1 in the
                            ring */
    uint32_t handles; /* how often the user must free the handle (MPI_Type_get_contents adds 1) */
    int32_t fortran;  /* MPI_Type_c2f; -1: unknown (MPICH: same bits as the handle) */
    uint8_t combiner; /* enum st_combiner */
    uint8_t flags;    /* enum st_node_flag */
    uint16_t spare;   /* for the recorder only */
};

/* A frame of a call site is a return address, or, with this bit set, the address of an st_block
 * with the place that an interpreter reported, where a return address says nothing:
 * "/path/script.py:12\nfunction". */
#define ST_SITE_TEXT (UINT64_C(1) << 63)

/* Data of variable length: the arrays of a node, the name of a communicator or window, the members
 * of a communicator. `bytes` is the length of the data after this header. */
#define ST_BLOCK_MAGIC 0x4b4c4253u /* "SBLK" */
struct st_block {
    uint32_t magic;
    uint32_t size_class; /* for the recorder only */
    uint64_t bytes;
};

/* handle → node. A slot is 0 (empty) or a node's ordinal + 1. To find a handle, begin at
 * st_table_home() and go up by one slot, modulo the number of slots, to the first empty slot. At
 * least one slot in four is empty. */
#define ST_TABLE_MAGIC 0x4c424154u /* "TABL" */
struct st_table {
    uint32_t magic;
    uint32_t log2_slots;
    uint32_t slots[];
};

static inline uint32_t st_table_home(uint64_t handle, uint32_t log2_slots)
{
    return (uint32_t)((handle * UINT64_C(0x9E3779B97F4A7C15)) >> (64u - log2_slots));
}

/* A finding of the checker: the JSON text of the record that left the rank for it
 * (report/report.h), `bytes` long, no terminator, right after this header. */
#define ST_REPORT_MAGIC 0x54525053u /* "SPRT" */
struct st_report {
    uint32_t magic;
    uint32_t number; /* counts from 1 */
    uint64_t next;   /* address of the next one; 0: this is the last one */
    uint64_t count;  /* how often it was found; may lag */
    uint64_t bytes;
};

/*
 * A call of an MPI function by the program, as its wrapper was called.
 *
 * Before the wrapper calls MPI it stores the state NONE, then all else, then the state RUNNING.
 * When MPI has returned it stores the result and the state RETURNED. The entry stays until this
 * thread's next call on the same level. A call that was left by longjmp() or an exception stays
 * RUNNING. A reader recognizes it: no frame on the stack returns to `pc` with the stack pointer
 * `sp`.
 */
enum st_call_state { ST_CALL_NONE = 0, ST_CALL_RUNNING = 1, ST_CALL_RETURNED = 2 };
/* Flags of the checker for a running call: a finding was reported; its requests are known. */
#define ST_CALL_FOUND (UINT64_C(1) << 32)
#define ST_CALL_REQUESTS (UINT64_C(2) << 32)
#define ST_CALL_VALUES 16
struct st_thread_call {
    uint64_t state;   /* enum st_call_state; upper 32 bits: the result if it RETURNED, flags of the
                  checker if it is RUNNING */
    uint32_t form;    /* offset in bytes of its line in root.forms */
    uint32_t site;    /* call site: the calling line that an interpreter reported; or ST_NO_SITE */
    uint64_t pc;      /* address that the call returns to: in the program, or in a binding */
    uint64_t sp;      /* the stack pointer there */
    uint64_t user_pc; /* where the binding returns to the program, if `pc` is in a binding; 0: not
                    known */
    uint64_t user_sp; /* the stack pointer there */
    uint64_t values[ST_CALL_VALUES]; /* the arguments as the C function gets them: numbers
                                        sign-extended, handles zero-extended, pointers */
};

/* A thread that has called MPI. calls[0] is the outermost call; a callback that MPI runs may call
 * MPI again. Calls that are nested too deeply for the array are not recorded. */
#define ST_THREAD_MAGIC 0x44524854u /* "THRD" */
#define ST_THREAD_CALLS 4
struct st_thread {
    uint32_t magic;
    uint32_t number; /* 1: the oldest; one more than that of the next thread in the list */
    uint64_t next;   /* address of the thread made before it; 0: none */
    uint64_t id;     /* the kernel's number of the thread, in the rank's own name space; 0: it has
                    ended */
    struct st_thread_call calls[ST_THREAD_CALLS];
};

/*
 * root.forms is a text with one line for each recorded function; each line ends with \n:
 *
 *     MPI_Recv:write|void *|buf,count|int|count,type|MPI_Datatype|datatype,...,-|MPI_Status *|status
 *
 * Each parameter has its role (runtime/wrap/calls.table; "-": none), its C type (an array is a
 * pointer), and its name. No line has more than ST_CALL_VALUES parameters.
 */

/* The name of a number or a handle: the type and name in the standard ("MPI_Comm",
 * "MPI_COMM_WORLD"). Ranks have the type "rank", sources "source", roots "root", tags "tag",
 * addresses "address", classes of errors "error". Both texts end with a 0. */
struct st_name {
    uint64_t value; /* as in st_thread_call.values */
    char type[16];
    char name[40];
};

/* The kinds of handles that a record can describe. */
enum st_kind {
    ST_KIND_NONE = 0,
    ST_KIND_TYPE = 1, /* never in a record: types have a node */
    ST_KIND_REQUEST = 2,
    ST_KIND_COMM = 3,
    ST_KIND_GROUP = 4,
    ST_KIND_OP = 5,
    ST_KIND_WIN = 6,
    ST_KIND_FILE = 7,
    ST_KIND_INFO = 8,
    ST_KIND_ERRHANDLER = 9,
    ST_KIND_KEYVAL = 10,
    ST_KIND_MESSAGE = 11,
    /* A pending operation without a request: one-sided until its epoch ends, split I/O until its
     * end call, the blocking call of a thread while it runs. */
    ST_KIND_OPERATION = 12,
    ST_KIND_END = 13
};

/* st_record.flags */
enum st_record_flag {
    ST_RECORD_ACTIVE = 0x01, /* started, and MPI has not reported its completion */
    ST_RECORD_PERSISTENT = 0x02,
    ST_RECORD_RUNNING = 0x04,   /* the call that makes it has not returned */
    ST_RECORD_POSSIBLE = 0x08,  /* possibly active: its end cannot be seen (MPI_Request_free, or
                                   several requests shared the handle) */
    ST_RECORD_TOLD = 0x10,      /* a finding was reported for it: do not report its end as well */
    ST_RECORD_SHOWN = 0x20,     /* the program need not free it */
    ST_RECORD_CANCELLED = 0x40, /* REQUEST: MPI_Cancel was called since it was started */
    ST_RECORD_ATTACHED = 0x80,  /* KEYVAL: an attribute was set */
    ST_RECORD_FULFILLED = 0x80  /* REQUEST: MPI_Grequest_complete was called */
};

/* st_record.peer and .tag: no value or not known; a wildcard; MPI_PROC_NULL. */
enum { ST_PEER_NONE = -1, ST_PEER_ANY = -2, ST_PEER_NULL = -3 };

/* For the recorder only. */
struct st_record_link {
    uint32_t next, previous;
};
enum { ST_RECORD_CHAINS = 2 };

/* A handle that is alive (datatypes have nodes instead), or an operation without a handle: 88
 * bytes. */
struct st_record {
    uint64_t serial;     /* identity; 0: not in use */
    uint64_t handle;     /* as the program has it; OPERATION: that of the window or file, or 0 */
    uint64_t variable;   /* REQUEST: the address that the handle was written to. OP: the program's
                            function */
    uint64_t comm;       /* REQUEST, OPERATION: communicator, window or file; 0: none. COMM, WIN,
                            FILE: address of its struct st_comm; 0: there was no memory for it */
    uint32_t site;       /* of the call that made it, or ST_NO_SITE */
    uint32_t other_site; /* REQUEST: of the call that stored another request in the variable */
    int32_t peer;        /* REQUEST, OPERATION: rank of the peer, or of the root */
    int32_t tag;         /* REQUEST, OPERATION */
    uint32_t thread;     /* that made it, the operating system's number; 0: not known */
    uint32_t buffers;    /* REQUEST, OPERATION: number + 1 of its first buffer; 0: none */
    struct st_record_link links[ST_RECORD_CHAINS];
    uint32_t number;   /* its position: records_per_chunk * chunk + index */
    uint16_t function; /* index into the names of functions; ST_NO_FUNCTION */
    uint8_t kind;      /* enum st_kind */
    uint8_t flags;     /* enum st_record_flag */
    /* Only for a REQUEST of a collective call; without meaning for other functions. */
    uint32_t order;  /* place of the call in the order of the communicator: the low 32 bits of
                        st_comm.collectives just after the call began; 0 if the communicator is
                        unknown */
    uint32_t starts; /* of a persistent one: how often it was started */
};
#define ST_NO_FUNCTION UINT16_MAX

/*
 * A process of MPI is named by a 64-bit number, its gpid: the upper 40 bits name its
 * MPI_COMM_WORLD, the lower 24 bits are its rank there. The upper bits are 0 for a world without a
 * name: only their ranks distinguish its processes.
 */
#define ST_GPID_RANK_BITS 24
#define ST_NO_GPID UINT64_MAX

static inline uint64_t st_gpid(uint64_t world, int32_t rank)
{
    return world << ST_GPID_RANK_BITS | (uint32_t)rank;
}

static inline uint64_t st_gpid_world(uint64_t gpid)
{
    return gpid >> ST_GPID_RANK_BITS;
}

static inline int32_t st_gpid_rank(uint64_t gpid)
{
    return (int32_t)(gpid & ((1u << ST_GPID_RANK_BITS) - 1));
}

/* How the processes of a group are stored. */
enum st_group_form {
    ST_GROUP_UNKNOWN = 0, /* some may be in a world that is not known; the size may be known */
    ST_GROUP_STRIDED = 1, /* rank i of the group is rank first + i * stride of `world` */
    ST_GROUP_LISTED = 2   /* `members` is the address of an st_block: uint64_t gpid[size] */
};
struct st_comm_group {
    uint64_t world;   /* STRIDED: the upper 40 bits of a gpid */
    uint64_t members; /* LISTED */
    int32_t size;
    int32_t first, stride; /* STRIDED */
    uint32_t form;         /* enum st_group_form */
};

/* st_comm.flags */
enum st_comm_flag {
    ST_COMM_KNOWN = 0x01, /* rank, group and remote are known */
    ST_COMM_INTER = 0x02  /* an intercommunicator */
};

/* A call that began or ended an epoch. */
struct st_epoch_call {
    uint32_t site;     /* ST_NO_SITE: no such call yet */
    uint16_t function; /* index into the names of functions */
    uint16_t spare;
};

/* st_win_epochs.open */
enum st_epoch_flag {
    ST_EPOCH_FENCE = 0x01,    /* after an MPI_Win_fence without MPI_MODE_NOSUCCEED */
    ST_EPOCH_USED = 0x02,     /* one-sided calls were made after that fence: it has opened an
                                 epoch */
    ST_EPOCH_START = 0x04,    /* between MPI_Win_start and MPI_Win_complete */
    ST_EPOCH_POST = 0x08,     /* between MPI_Win_post and MPI_Win_wait, or MPI_Win_test */
    ST_EPOCH_LOCK = 0x10,     /* MPI_Win_lock has locked `locks` targets: st_win_peer.lock */
    ST_EPOCH_LOCK_ALL = 0x20, /* between MPI_Win_lock_all and MPI_Win_unlock_all */
    ST_EPOCH_UNSURE = 0x40    /* the targets of START or LOCK are not known */
};

/* The epochs of a window at its own process. A call is valid while its flag is set in `open`;
 * `fence`, and the ends of epochs, are always valid. 56 bytes. */
struct st_win_epochs {
    uint32_t open; /* enum st_epoch_flag */
    uint32_t locks;
    struct st_epoch_call fence;    /* the last MPI_Win_fence: always valid */
    struct st_epoch_call used;     /* the first one-sided call after it */
    struct st_epoch_call access;   /* of START or LOCK_ALL; for LOCK, the last one */
    struct st_epoch_call exposure; /* of POST */
    struct st_epoch_call access_end, exposure_end;
};

/* The memory of a window at its own process, as the call that made it has it. */
struct st_win_space {
    uint64_t base, bytes;
    uint32_t unit; /* bytes of a displacement unit; 0: not known, or MPI_Win_create_dynamic */
    uint32_t spare;
};

/* A dimension of a Cartesian communicator. */
struct st_dimension {
    int32_t processes;
    int32_t periodic; /* 0 or 1 */
    int32_t here;     /* the coordinate of the own rank */
};

/* A communicator, window or file that is alive: 224 bytes. A window or a file has the processes of
 * the communicator that it was made from.
 *
 * Or a group whose members make a communicator: it says who has to come to the call. Its `id` is the
 * same in all members, and `collectives` is how many such calls the process has begun with this group
 * and tag. It remains after the call, until it is the oldest. */
struct st_comm {
    uint64_t serial; /* identity, the same as in its st_record; 0: not in use. GROUP: a number
                             among those of this kind, which no record has */
    uint64_t handle; /* as the program has it; several may have it: the newest counts. GROUP: the
                             stack pointer of the call (st_thread_call.sp); | 1: of the two leaders
                             that meet in MPI_Intercomm_create_from_groups; 0: of no call any more */
    uint64_t id;     /* the same in all its processes, and unique; 0: not known */
    uint64_t collectives; /* number of collective calls that the program has begun on it */
    uint64_t name;        /* address of the st_block with the name, no terminator; 0: none */
    struct st_comm_group group;
    struct st_comm_group remote; /* the remote group of an intercommunicator; else size 0 */
    int32_t rank;                /* the own rank, in `group` */
    uint32_t site;               /* of the call that made it, or ST_NO_SITE */
    uint32_t number;             /* its position: comms_per_chunk * chunk + index */
    uint16_t function;           /* index into the names of functions; ST_NO_FUNCTION */
    uint8_t flags;               /* enum st_comm_flag */
    uint8_t kind;                /* 0: a communicator; ST_KIND_WIN, ST_KIND_FILE, ST_KIND_GROUP */
    uint32_t next;               /* for the recorder only */
    uint32_t caller;             /* number of a thread; for the recorder only */
    uint64_t
        peers; /* WIN: address of an st_block, struct st_win_peer[group.size]; 0: not made yet */
    struct st_win_epochs epochs; /* WIN; each of its numbers changes by one store */
    struct st_win_space space;   /* WIN; its unit is written last */
    uint64_t grid; /* address of an st_block, struct st_dimension[]; 0: no Cartesian communicator */
    uint64_t
        freed; /* address of an st_block, struct st_freed_call[ST_MOST_FREED_CALLS]; 0: none was freed */
};

/* A persistent collective call whose request was freed. Others may have started it more often, and wait.
 * Stored by one store, at the index `order` % ST_MOST_FREED_CALLS: a later one may take its place. */
enum { ST_MOST_FREED_CALLS = 64 };
struct st_freed_call {
    uint32_t order;  /* of its record; 0: this entry is empty */
    uint32_t starts; /* of its record */
};

/* What a process has done with each other process of a window: counters of epochs, and a lock. Each
 * changes by one store. Windows of more than ST_MOST_WIN_PEERS processes have no such table. */
enum { ST_MOST_WIN_PEERS = 4096 };
struct st_win_peer {
    uint32_t started;   /* how often MPI_Win_start has named it as a target */
    uint32_t completed; /* for how many of these MPI_Win_complete has begun */
    uint32_t posted;    /* how often MPI_Win_post has named it as an origin */
    uint32_t
        lock; /* enum st_win_lock: our lock of it as a target; other bits are for the recorder */
    uint32_t site; /* of the MPI_Win_lock that set `lock` */
};
enum st_win_lock {
    ST_LOCK_SHARED = 1,
    ST_LOCK_EXCLUSIVE = 2,
    ST_LOCK_HELD = 4,     /* we have the lock for sure, and are not giving it back */
    ST_LOCK_NO_CHECK = 16 /* with MPI_MODE_NOCHECK: MPI may take no lock */
};

/* st_record_buffer.access */
enum st_access { ST_READ = 1, ST_WRITE = 2, ST_BCAST = 4 /* never in a record */ };

/* One buffer of an operation: `count` elements of a type from `address` on. A v or w collective has
 * one for each block. 32 bytes. */
struct st_record_buffer {
    uint64_t address;
    int64_t count;
    uint32_t type;   /* a node; ST_NO_NODE: not known */
    uint32_t next;   /* number + 1 of the next buffer of the same record; 0: this is the last one */
    uint32_t record; /* number of the record; valid while active */
    uint8_t access;  /* enum st_access: how MPI uses it */
    uint8_t active;  /* MPI may use it now, if the record is active, too. Not set for a partition
                        that was marked ready, or has not arrived */
    uint16_t spare;  /* for the recorder only */
};

/* The pending operations. A reader visits the records 0 .. records_used-1 and takes those of the
 * kinds REQUEST and OPERATION whose serial is not 0. No record has more than buffers_used buffers. */
#define ST_OPERATIONS_MAGIC 0x5245504fu /* "OPER" */
enum { ST_FUNCTION_BYTES = 40 };
struct st_operations {
    uint32_t magic;
    uint32_t in_use;        /* number of records in use; may lag while changes is odd */
    uint64_t changes;       /* grows with every change of the rest and of the records. Odd: the
                               rank stopped within a change */
    uint64_t record_chunks; /* address of uint64_t[record_chunk_count] */
    uint64_t buffer_chunks; /* address of uint64_t[buffer_chunk_count] */
    uint64_t functions;     /* address of char[function_count][ST_FUNCTION_BYTES]: "MPI_Isend" */
    uint32_t record_chunk_count;
    uint32_t records_per_chunk;
    uint32_t records_used;
    uint32_t buffer_chunk_count;
    uint32_t buffers_per_chunk;
    uint32_t buffers_used;
    uint32_t function_count;
    uint32_t undecided;   /* comparisons of two buffers that were too expensive to decide */
    uint64_t comm_chunks; /* address of uint64_t[comm_chunk_count] */
    uint32_t comm_chunk_count;
    uint32_t comms_per_chunk;
    uint32_t comms_used; /* a reader visits 0 .. comms_used-1 and takes those with a serial */
    uint32_t callbacks;  /* enum st_callback: the kinds of callback that the program has ever
                            registered */
};

/* Functions of the program that MPI may call while another call runs. */
enum st_callback {
    ST_CALLBACK_OP = 1,    /* of an operation (MPI_Op_create): reductions */
    ST_CALLBACK_KEYVAL = 2 /* of an attribute: copying and freeing of communicators, windows and
                              types */
};

/* Shows a watch from outside whether the rank makes progress. It changes without root.changes, each
 * member by one store. Threads are numbered as in struct st_thread. */
#define ST_PROGRESS_MAGIC 0x474f5250u /* "PROG" */
enum { ST_OWN_THREADS = 13 };
struct st_progress {
    uint32_t magic;
    uint32_t
        level; /* thread support: 1 SINGLE, 2 FUNNELED, 3 SERIALIZED, 4 MULTIPLE; 0: not known */
    uint64_t calls;     /* address of a uint64_t that grows with each checked call; 0: calls are not
                  checked */
    uint32_t leaving;   /* 1: MPI_Finalize has called the last callback of the program */
    uint32_t own_count; /* threads that MPI_Init has started: they belong to MPI */
    uint64_t own[ST_OWN_THREADS];
};

/* What the rank publishes to the other ranks of its node about its collective calls and messages:
 * its area of the memory that they share (core/agree/segment.h). It changes without root.changes, by
 * the rules of that memory. */
#define ST_SHARED_MAGIC 0x44524853u /* "SHRD" */
struct st_shared_area {
    uint32_t magic;
    uint32_t version; /* of that memory's layout */
    uint64_t area;    /* address of the rank's own area */
    uint64_t job;     /* the seed of the hashes that identify communicators there */
    /* Address of a struct st_shared_messages (core/agree/message.h); 0: messages are not compared. */
    uint64_t messages;
    uint64_t entry; /* address of its struct st_segment_rank */
    uint32_t rank;  /* its number in that memory */
    uint32_t spare;
};

enum st_mpi { ST_MPI_MPICH = 1, ST_MPI_OPENMPI = 2 };
enum st_state { ST_STATE_LOADED = 0, ST_STATE_INITIALIZED = 1, ST_STATE_FINALIZED = 2 };

struct st_root {
    char magic[8];          /* ST_MAGIC */
    uint32_t layout;        /* ST_LAYOUT_VERSION */
    uint32_t byte_order;    /* ST_BYTE_ORDER */
    uint16_t pointer_bytes; /* of the rank */
    uint16_t handle_bytes;  /* sizeof(MPI_Datatype) */
    uint16_t root_bytes;    /* sizeof(struct st_root) */
    uint16_t node_bytes;    /* sizeof(struct st_node) */
    uint32_t mpi;           /* enum st_mpi */
    uint32_t state;         /* enum st_state */
    int32_t world_rank;     /* -1: no world (before MPI_Init, MPI sessions) */
    int32_t world_size;
    uint64_t changes;     /* grows with every change of the rest: if it is the same, nothing need
                             be read again. Odd: the rank stopped within a change, keep nothing
                             for later */
    uint64_t table;       /* address of a struct st_table; 0: nothing recorded yet */
    uint64_t node_chunks; /* address of uint64_t[node_chunk_count] */
    uint32_t node_chunk_count;
    uint32_t nodes_per_chunk;
    uint32_t nodes_used;  /* all ordinals in use are below this one */
    uint32_t live;        /* derived types with a handle */
    uint64_t site_chunks; /* address of uint64_t[site_chunk_count] */
    uint32_t site_chunk_count;
    uint32_t sites_per_chunk;
    uint32_t sites_used;
    uint32_t site_frames; /* frames per site, innermost first; filled up with 0 (ST_SITE_TEXT) */
    uint64_t ring;        /* address of uint32_t[ring_slots]: node ordinal + 1, 0: empty */
    uint32_t ring_slots;
    uint32_t ring_next;    /* the slot that is written next; the newest tombstone is in the slot
                              before it, the oldest in the second slot after it */
    uint64_t types_bytes;  /* bytes of memory in use for nodes, blocks (all of them) and table */
    uint64_t ring_bytes;   /* of these, bytes that only tombstones use */
    uint64_t mapped_bytes; /* address space mapped for the registry */
    char mpi_version[104]; /* first line of MPI_Get_library_version, 0-terminated */
    uint64_t reports;      /* address of the first struct st_report; 0: none */
    uint64_t report_count; /* counted after the report is there */
    uint64_t threads;      /* address of the newest struct st_thread; 0: none */
    uint64_t forms;        /* address of the text */
    uint64_t names;        /* address of struct st_name[name_count]; not set before MPI_Init */
    uint32_t forms_bytes;
    uint32_t name_count; /* valid once the state is not LOADED */
    /* MPI_Status: its size, and the offsets of MPI_SOURCE, MPI_TAG, MPI_ERROR, in bytes */
    uint16_t status_bytes, status_source, status_tag, status_error;
    uint64_t operations; /* address of a struct st_operations; 0: no checks are active */
    uint64_t world;      /* the name of MPI_COMM_WORLD in gpids; 0: it has no name */
    uint64_t progress;   /* address of a struct st_progress; 0: MPI_Init has not returned */
    uint64_t shared; /* address of a struct st_shared_area; 0: collective calls are not compared */
};

#endif
