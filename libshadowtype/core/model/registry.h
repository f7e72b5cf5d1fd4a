/*
 * The registry: what a debugger reads in the memory of an MPI rank.
 *
 * The recorder (libshadowtype/runtime) writes these structures; the decoder (decode.h) reads them
 * through a callback, from a live process, a core file or a test's byte array. This header is the
 * contract between the two, and it is the whole of it: no other symbol, no debug information, no
 * call into the rank is needed.
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
 *       │                   call.site → a line of Python, where mpi4py calls
 *       ├─ names        → struct st_name[name_count]: what MPI's constants are here
 *       ├─ progress     → struct st_progress: for a watch from outside
 *       ├─ shared       → struct st_shared_area: what it tells the other ranks of its node
 *       └─ operations   → struct st_operations: the MPI operations that are pending
 *             ├─ record_chunks → [address] → struct st_record[records_per_chunk]
 *             ├─ buffer_chunks → [address] → struct st_record_buffer[buffers_per_chunk]
 *             ├─ comm_chunks   → [address] → struct st_comm[comms_per_chunk]: the communicators
 *             │                    comm.name → struct st_block: the set name
 *             │                    comm.group.members → struct st_block: uint64_t gpids
 *             └─ functions     → char name[function_count][ST_FUNCTION_BYTES]
 *
 * Rules, each of which a test holds (tests/unit):
 *   - A reader may come at any instruction, and finds the types as they were before a change or as
 *     they are after it. The writer fills a structure first and publishes it last, by one aligned
 *     store (a table slot, root.table, a count); what is published is not moved. For this,
 *       - while the table closes a gap a node may stand in two slots: the first on its probe wins;
 *       - a type is live while its node stands in the table under its handle: ST_FREED, `freed` and
 *         a place in the ring mean nothing before it has left the table, which takes one store;
 *       - the slot root.ring_next of the ring is empty, or has a node that is about to leave the
 *         table. Once that has left, it is the newest tombstone, and the one in the slot after it,
 *         the oldest, is none any more;
 *       - `committed` counts with ST_COMMITTED; the args of a NAMED with args[1], root.world_size
 *         with root.world_rank, and root.mpi_version with another root.state than LOADED.
 *     Counters (references, handles, root.live and the numbers of bytes) may lag while root.changes
 *     is odd.
 *   - A thread's calls are no part of that: they change without root.changes, and each is as its
 *     state says. What else a call has means nothing while its state is ST_CALL_NONE.
 *   - A record counts while its serial is not 0: that is stored last, and withdrawn first. Of a
 *     record that counts only its flags and starts change, of COMM and WIN `comm`, too, and of its buffers
 *     `active`, each by one store; peer and tag of a WIN before the flag that says so. The
 *     same holds for a communicator (struct st_comm): its name, id and count of collective calls
 *     change, each by one store; its rank and groups are written before the flag that says so. The
 *     operations have a counter of changes of their own: a program communicates more often than it
 *     makes types. They add to the references of the types that they use without counting in
 *     root.changes.
 *   - Nodes are named by their ordinal (0, 1, 2, ...), everything else by its address. All
 *     addresses are 64 bits wide whatever the width of a pointer; all structures have the same
 *     layout on every ABI (natural alignment, no padding that matters).
 *   - All numbers are in the rank's byte order; root.byte_order shows which.
 *   - Nothing here lies in the program's heap.
 *   - What never changes, so that a reader may keep it from one stop to the next: an address in
 *     node_chunks or site_chunks; the frames of a call site; while its serial stands, a node's
 *     handle, combiner, args and the data of its block (but the block may be let go: ST_ELIDED);
 *     all of a NAMED node but its references, once MPI is initialized and args[0] is known; a
 *     report but for its next and its count; root.forms; the address and the next of a thread.
 *
 * A change of any structure below is a change of ST_LAYOUT_VERSION; tests/unit/layout_test.c
 * compares the field list with the structs.
 */
#ifndef ST_CORE_MODEL_REGISTRY_H
#define ST_CORE_MODEL_REGISTRY_H

#include <stdint.h>

#include "core/model/combiners.h"

#define ST_MAGIC "shadowty" /* 8 bytes, no terminator */
#define ST_LAYOUT_VERSION 9u
#define ST_BYTE_ORDER 0x01020304u
#define ST_ROOT_SYMBOL "shadowtype_registry"

/* st_node.flags */
enum st_node_flag {
    ST_COMMITTED = 0x01,
    ST_PREDEFINED = 0x02,    /* MPI's: freeing it is an error, never a leak (f90 types included) */
    ST_FORTRAN_ORDER = 0x04, /* SUBARRAY, DARRAY: MPI_ORDER_FORTRAN */
    ST_OFFSETS_64 = 0x08,    /* the block's offsets are int64_t, else int32_t */
    ST_LENGTHS_64 = 0x10,    /* the block's lengths are int64_t, else int32_t */
    ST_ELIDED = 0x20,        /* a tombstone with too much below it to keep: no block, no base */
    ST_FREED = 0x40, /* the user freed the handle; the node lives below another or in the ring */
    ST_COMMIT_UNDEFINED = 0x80 /* from MPI_Type_get_contents: the standard leaves the state open */
};

/* The distributions of a DARRAY's block. ST_DARG_DEFAULT stands for MPI_DISTRIBUTE_DFLT_DARG. */
enum st_distribution { ST_DISTRIBUTE_NONE = 0, ST_DISTRIBUTE_BLOCK = 1, ST_DISTRIBUTE_CYCLIC = 2 };
#define ST_DARG_DEFAULT INT64_MIN
/* F90_*: a precision or range that the program left open (MPI_UNDEFINED). */
#define ST_F90_UNDEFINED INT64_MIN

/* Bounds that MPI was not asked for. */
#define ST_EXTENT_UNKNOWN INT64_MIN

/* No node: the base of a type without one, an entry that could not be recorded. */
#define ST_NO_NODE UINT32_MAX
/* No call site: never committed, not yet freed, unknown. */
#define ST_NO_SITE UINT32_MAX

/*
 * A datatype: 104 bytes. What args, base and block hold, by combiner: combiners.h.
 *
 * offsets and lengths have `count` members of the width that the flags name, types has `count`
 * uint32_t node ordinals.
 *
 * lb and extent are the MPI library's own answer at creation. They follow from the parameters only
 * in part: the padding at the end is the implementation's (MPI-4.0, 5.1, "epsilon": both libraries
 * pad a struct, Open MPI pads hindexed and hindexed_block too), and so are the bounds of a type
 * without data. All that stands on a type is spaced by its extent.
 */
struct st_node {
    uint64_t handle; /* as the program holds it; MPICH's int is zero-extended */
    uint64_t serial; /* identity: counts from 1 in order of creation; 0: the node is not in use */
    int64_t args[3]; /* see above */
    int64_t lb,
        extent; /* bytes; extent ST_EXTENT_UNKNOWN: not asked (NAMED, F90_*, OPAQUE: see args) */
    uint64_t block;   /* address of the st_block with the arrays; 0: none */
    uint64_t name;    /* address of the st_block with the name, no terminator; 0: none */
    uint32_t base;    /* ordinal of the old type; ST_NO_NODE: none */
    uint32_t created; /* call sites (index into the site table) or ST_NO_SITE */
    uint32_t committed;
    uint32_t freed;
    uint32_t references; /* nodes built on this one, plus one while it has a handle, plus one in the
                            ring */
    uint32_t handles; /* how often the user must free the handle (MPI_Type_get_contents adds one) */
    int32_t fortran;  /* MPI_Type_c2f, -1: unknown (MPICH: same bits as the handle) */
    uint8_t combiner; /* enum st_combiner */
    uint8_t flags;    /* enum st_node_flag */
    uint16_t spare;   /* the recorder's own */
};

/* A frame of a call site is a return address; or, with this bit, the address of an st_block with
 * what an interpreter said, where a return address says nothing: "/path/script.py:12\nfunction". */
#define ST_SITE_TEXT (UINT64_C(1) << 63)

/* Variable data of a node; the name of a communicator or window, the members of a communicator. `bytes` counts the data that follow
 * this header. */
#define ST_BLOCK_MAGIC 0x4b4c4253u /* "SBLK" */
struct st_block {
    uint32_t magic;
    uint32_t size_class; /* the recorder's own */
    uint64_t bytes;
};

/* handle → node. A slot is 0 (empty) or a node's ordinal + 1. The probe for a handle starts at
 * st_table_home() and goes up by one, modulo the number of slots, to the first empty slot. At
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

/* Something that the checker found: the JSON text of the record that left the rank for it
 * (report/report.h), `bytes` long, no terminator, right behind this header. */
#define ST_REPORT_MAGIC 0x54525053u /* "SPRT" */
struct st_report {
    uint32_t magic;
    uint32_t number; /* from 1 on, in this order */
    uint64_t next;   /* address of the next one; 0: the last one */
    uint64_t count;  /* how often it was found; may lag */
    uint64_t bytes;
};

/*
 * A call of an MPI function by the program: what its wrapper was told.
 *
 * The wrapper writes it before MPI gets the call: state NONE, all else, state RUNNING; and when MPI
 * has returned, the result and state RETURNED. So it stays until this thread's next call on the
 * same level. A call that was left by longjmp() or an exception stays RUNNING: the frame that it
 * returns to is not on the stack then, with the stack pointer `sp`.
 */
enum st_call_state { ST_CALL_NONE = 0, ST_CALL_RUNNING = 1, ST_CALL_RETURNED = 2 };
/* What the checker notes of a call while it runs: a finding was reported; its requests are known. */
#define ST_CALL_FOUND (UINT64_C(1) << 32)
#define ST_CALL_REQUESTS (UINT64_C(2) << 32)
#define ST_CALL_VALUES 16
struct st_thread_call {
    uint64_t
        state; /* enum st_call_state; of one that RETURNED, its result in the upper 32 bits; of one
                     * that is RUNNING, flags of the checker's */
    uint32_t form; /* where its line begins in root.forms, bytes from there */
    uint32_t site; /* what an interpreter said of where it is called, a call site; or ST_NO_SITE */
    uint64_t pc;   /* the address that the call returns to: the program's, or a binding's */
    uint64_t sp;   /* the stack pointer then */
    uint64_t
        user_pc; /* where the binding returns to the program, if `pc` is a binding's; 0: not known */
    uint64_t user_sp;                /* the stack pointer then */
    uint64_t values[ST_CALL_VALUES]; /* the arguments: numbers sign-extended, handles zero-extended,
                                        pointers; as the C function gets them */
};

/* A thread that has called MPI. calls[0] is the outermost one; a callback that MPI runs may call MPI
 * in its turn. Deeper ones than there is room for are not recorded. */
#define ST_THREAD_MAGIC 0x44524854u /* "THRD" */
#define ST_THREAD_CALLS 4
struct st_thread {
    uint32_t magic;
    uint32_t number; /* 1: the oldest; one more than that of the next one */
    uint64_t next;   /* address of the one that was made before it; 0: none */
    uint64_t id; /* as the kernel numbers threads, in the rank's own name space; 0: it has ended */
    struct st_thread_call calls[ST_THREAD_CALLS];
};

/*
 * root.forms is a text: a line for each function that is recorded, which ends with \n:
 *
 *     MPI_Recv:write|void *|buf,count|int|count,type|MPI_Datatype|datatype,...,-|MPI_Status *|status
 *
 * For each parameter its role (runtime/wrap/calls.table; "-": none), its C type, an array being a
 * pointer, and its name. No line has more than ST_CALL_VALUES parameters.
 */

/* What a number or a handle is called: the type and name of the standard ("MPI_Comm",
 * "MPI_COMM_WORLD"). Ranks have the type "rank", sources "source", roots "root", tags "tag",
 * addresses "address". Both texts end with a 0. */
struct st_name {
    uint64_t value; /* as in st_thread_call.values */
    char type[16];
    char name[40];
};

/* The sorts of handles that a record can be of. */
enum st_kind {
    ST_KIND_NONE = 0,
    ST_KIND_TYPE = 1, /* has no record but a node */
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
    /* An operation that is pending and has no request: one-sided until its epoch ends, split I/O
     * until its end, the blocking call of a thread while it runs. */
    ST_KIND_OPERATION = 12,
    ST_KIND_END = 13
};

/* st_record.flags */
enum st_record_flag {
    ST_RECORD_ACTIVE = 0x01, /* started, and its completion was not reported */
    ST_RECORD_PERSISTENT = 0x02,
    ST_RECORD_RUNNING = 0x04,   /* the call that makes it has not returned */
    ST_RECORD_POSSIBLE = 0x08,  /* possibly active: nobody can tell when it ends (MPI_Request_free,
                                * a handle that several requests shared) */
    ST_RECORD_TOLD = 0x10,      /* something was found with it: its end is no second finding */
    ST_RECORD_SHOWN = 0x20,     /* not the program's to free */
    ST_RECORD_CANCELLED = 0x40, /* REQUEST: MPI_Cancel was called since it was started */
    ST_RECORD_FACTS = 0x40,     /* WIN: peer and tag are known */
    ST_RECORD_INTER = 0x80      /* WIN: an intercommunicator */
};

/* st_record.peer and .tag: none, not known; a wildcard; MPI_PROC_NULL. */
enum { ST_PEER_NONE = -1, ST_PEER_ANY = -2, ST_PEER_NULL = -3 };

/* The recorder's own. */
struct st_record_link {
    uint32_t next, previous;
};
enum { ST_RECORD_CHAINS = 2 };

/* A handle that is alive, but for datatypes, or an operation without a handle: 88 bytes. */
struct st_record {
    uint64_t serial;     /* identity; 0: not in use */
    uint64_t handle;     /* as the program holds it; OPERATION: that of the window or file, or 0 */
    uint64_t variable;   /* REQUEST: the address that the handle was written to */
    uint64_t comm;       /* REQUEST, OPERATION: communicator, window or file; 0: none. WIN: address
                          * of the st_block with the name, no terminator; 0: none. COMM: address of
                          * its struct st_comm; 0: there was no memory for it */
    uint32_t site;       /* of the call that made it, or ST_NO_SITE */
    uint32_t other_site; /* REQUEST: of the call that took the variable for another one */
    int32_t peer;        /* REQUEST, OPERATION: rank of the other side, or of the root; WIN:
                          * number of ranks (of the other group) */
    int32_t tag;         /* WIN: the own rank */
    uint32_t thread;     /* that made it, as the operating system numbers it; 0: not known */
    uint32_t buffers; /* its first buffer's number + 1; WIN, FILE: its struct st_comm's; 0: none */
    struct st_record_link links[ST_RECORD_CHAINS];
    uint32_t number;   /* its place: records_per_chunk * chunk + index */
    uint16_t function; /* index into the names of functions; ST_NO_FUNCTION */
    uint8_t kind;      /* enum st_kind */
    uint8_t flags;     /* enum st_record_flag */
    /* REQUEST of a collective call; they mean nothing of other functions. */
    uint32_t order;  /* the call's place in the order of the communicator: the low 32 bits of
                      * st_comm.collectives just after it began; 0 with an unknown communicator */
    uint32_t starts; /* of a persistent one: how many times it was started */
};
#define ST_NO_FUNCTION UINT16_MAX

/*
 * A process of MPI is named by a 64-bit number, its gpid: the upper 40 bits name its MPI_COMM_WORLD,
 * the lower 24 bits are its rank there. A world without a name has 0, and its processes are told
 * apart by their rank alone.
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

/* Which processes a group has. */
enum st_group_form {
    ST_GROUP_UNKNOWN = 0, /* some may be in a world that nobody knows; the size may be known */
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
    uint32_t site;     /* ST_NO_SITE: there was none yet */
    uint16_t function; /* index into the names of functions */
    uint16_t spare;
};

/* st_win_epochs.open */
enum st_epoch_flag {
    ST_EPOCH_FENCE = 0x01,    /* behind an MPI_Win_fence without MPI_MODE_NOSUCCEED */
    ST_EPOCH_USED = 0x02,     /* there, one-sided calls were made: the fence has opened an epoch */
    ST_EPOCH_START = 0x04,    /* between MPI_Win_start and MPI_Win_complete */
    ST_EPOCH_POST = 0x08,     /* between MPI_Win_post and MPI_Win_wait, or MPI_Win_test */
    ST_EPOCH_LOCK = 0x10,     /* MPI_Win_lock has locked `locks` targets: st_win_peer.lock */
    ST_EPOCH_LOCK_ALL = 0x20, /* between MPI_Win_lock_all and MPI_Win_unlock_all */
    ST_EPOCH_UNSURE = 0x40    /* the targets of START or LOCK are not known */
};

/* The epochs of a window at its own process. Each call counts while its flag is set in `open`; the two that
 * have ended one count always. 56 bytes. */
struct st_win_epochs {
    uint32_t open; /* enum st_epoch_flag */
    uint32_t locks;
    struct st_epoch_call fence;    /* the last MPI_Win_fence: counts always */
    struct st_epoch_call used;     /* the first one-sided call behind it */
    struct st_epoch_call access;   /* of START, LOCK_ALL; the last one of LOCK */
    struct st_epoch_call exposure; /* of POST */
    struct st_epoch_call access_end, exposure_end;
};

/* A communicator, window or file that is alive: 192 bytes. A window has the processes of the communicator that
 * it was made of, and so has a file. */
struct st_comm {
    uint64_t serial;      /* identity, that of its st_record; 0: not in use */
    uint64_t handle;      /* as the program holds it; several may have it: the newest counts */
    uint64_t id;          /* the same in all its processes, no other communicator's; 0: not known */
    uint64_t collectives; /* how many collective calls the program has begun on it */
    uint64_t name;        /* address of the st_block with the name, no terminator; 0: none */
    struct st_comm_group group;
    struct st_comm_group remote; /* the other group of an intercommunicator; else size 0 */
    int32_t rank;                /* the own one, in `group` */
    uint32_t site;               /* of the call that made it, or ST_NO_SITE */
    uint32_t number;             /* its place: comms_per_chunk * chunk + index */
    uint16_t function;           /* index into the names of functions; ST_NO_FUNCTION */
    uint8_t flags;               /* enum st_comm_flag */
    uint8_t kind;                /* 0: a communicator; ST_KIND_WIN, ST_KIND_FILE */
    uint32_t next;               /* the recorder's own */
    uint32_t caller;             /* the recorder's own: number of a thread */
    uint64_t
        peers; /* WIN: address of an st_block, struct st_win_peer[group.size]; 0: there is none yet */
    struct st_win_epochs epochs; /* WIN; each number of it changes by one store */
};

/* What a process has done with each other one of a window: counters of epochs, and a lock. Each changes by one store.
 * Of more processes than ST_MOST_WIN_PEERS none is kept. */
enum { ST_MOST_WIN_PEERS = 4096 };
struct st_win_peer {
    uint32_t started;   /* times that MPI_Win_start has named it as a target */
    uint32_t completed; /* of these, MPI_Win_complete has begun */
    uint32_t posted;    /* times that MPI_Win_post has named it as an origin */
    uint32_t
        lock; /* enum st_win_lock: the own one of it as a target; other bits are the recorder's */
    uint32_t site; /* of the MPI_Win_lock that `lock` is of */
};
enum st_win_lock {
    ST_LOCK_SHARED = 1,
    ST_LOCK_EXCLUSIVE = 2,
    ST_LOCK_HELD = 4 /* MPI has shown that it has the lock, and it is not giving it back */
};

/* st_record_buffer.access */
enum st_access { ST_READ = 1, ST_WRITE = 2, ST_BCAST = 4 /* never in a record */ };

/* One buffer of an operation: `count` elements of a type from `address` on. A v or w collective has
 * one for each block. 32 bytes. */
struct st_record_buffer {
    uint64_t address;
    int64_t count;
    uint32_t type;   /* a node; ST_NO_NODE: not known */
    uint32_t next;   /* number + 1 of the next buffer of the same record; 0: the last one */
    uint32_t record; /* number of the record; counts while active */
    uint8_t access;  /* enum st_access: what MPI does with it */
    uint8_t active;  /* MPI may use it now, if the record is active, too: a partition that was told
                      * ready, or has not arrived */
    uint16_t spare;  /* the recorder's own */
};

/* The pending operations. A reader walks the records 0 .. records_used-1 and takes those of the kinds
 * REQUEST and OPERATION whose serial is not 0; none has more buffers than buffers_used. */
#define ST_OPERATIONS_MAGIC 0x5245504fu /* "OPER" */
enum { ST_FUNCTION_BYTES = 40 };
struct st_operations {
    uint32_t magic;
    uint32_t in_use;        /* records; may lag while changes is odd */
    uint64_t changes;       /* grows with every change of the rest and of the records. Odd: the stop
                             * is in the middle of one */
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
    uint32_t undecided;   /* comparisons of two buffers that would have cost too much */
    uint64_t comm_chunks; /* address of uint64_t[comm_chunk_count] */
    uint32_t comm_chunk_count;
    uint32_t comms_per_chunk;
    uint32_t comms_used; /* a reader walks 0 .. comms_used-1 and takes those with a serial */
    uint32_t callbacks;  /* enum st_callback: what the program has ever made */
};

/* Functions of the program's that MPI may call while another call runs. */
enum st_callback {
    ST_CALLBACK_OP = 1,    /* of an operation: reductions */
    ST_CALLBACK_KEYVAL = 2 /* of an attribute: copying and freeing communicators and their like */
};

/* What tells a watch from outside whether the rank goes on. It changes without root.changes, and each
 * member by one store. Threads are numbered as in struct st_thread. */
#define ST_PROGRESS_MAGIC 0x474f5250u /* "PROG" */
enum { ST_OWN_THREADS = 13 };
struct st_progress {
    uint32_t magic;
    uint32_t
        level; /* of thread support: 1 SINGLE, 2 FUNNELED, 3 SERIALIZED, 4 MULTIPLE; 0: not known */
    uint64_t
        calls; /* address of a uint64_t that grows with each call that is checked; 0: none is */
    uint32_t leaving;   /* 1: MPI_Finalize has called the last callback of the program's */
    uint32_t own_count; /* threads that MPI_Init has started: MPI's own */
    uint64_t own[ST_OWN_THREADS];
};

/* What the rank tells the other ranks of its node of its collective calls: its area of the memory that they share
 * (core/agree/segment.h). It changes without root.changes, by that memory's own rules. */
#define ST_SHARED_MAGIC 0x44524853u /* "SHRD" */
struct st_shared_area {
    uint32_t magic;
    uint32_t version; /* of that memory's layout */
    uint64_t area;    /* address of the rank's own area */
    uint64_t job;     /* what the ids of communicators are hashed with there */
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
    uint64_t changes;     /* grows with every change of the rest: equal means nothing to re-read.
                           * Odd: the stop is in the middle of a change, keep nothing for later */
    uint64_t table;       /* address of a struct st_table; 0: nothing recorded yet */
    uint64_t node_chunks; /* address of uint64_t[node_chunk_count] */
    uint32_t node_chunk_count;
    uint32_t nodes_per_chunk;
    uint32_t nodes_used;  /* ordinals below this one have been handed out */
    uint32_t live;        /* derived types with a handle */
    uint64_t site_chunks; /* address of uint64_t[site_chunk_count] */
    uint32_t site_chunk_count;
    uint32_t sites_per_chunk;
    uint32_t sites_used;
    uint32_t site_frames; /* frames a site, innermost first; 0 fills up (ST_SITE_TEXT) */
    uint64_t ring;        /* address of uint32_t[ring_slots]: node ordinal + 1, 0: empty */
    uint32_t ring_slots;
    uint32_t ring_next;    /* the slot that is written next; the newest tombstone is before it, the
                              oldest in the second one after it */
    uint64_t types_bytes;  /* memory for nodes, blocks (all of them) and table in use, in bytes */
    uint64_t ring_bytes;   /* of these, what only tombstones hold */
    uint64_t mapped_bytes; /* address space mapped for the registry */
    char mpi_version[104]; /* first line of MPI_Get_library_version, 0-terminated */
    uint64_t reports;      /* address of the first struct st_report; 0: none */
    uint64_t report_count; /* a report is there before it is counted */
    uint64_t threads;      /* address of the newest struct st_thread; 0: none */
    uint64_t forms;        /* address of the text */
    uint64_t names;        /* address of struct st_name[name_count]; before MPI_Init: none */
    uint32_t forms_bytes;
    uint32_t name_count; /* counts with another state than LOADED */
    /* MPI_Status: its size, and where its members MPI_SOURCE, MPI_TAG, MPI_ERROR lie, in bytes */
    uint16_t status_bytes, status_source, status_tag, status_error;
    uint64_t operations; /* address of a struct st_operations; 0: nothing is checked */
    uint64_t world;      /* the name of MPI_COMM_WORLD in gpids; 0: it has none */
    uint64_t progress;   /* address of a struct st_progress; 0: MPI_Init has not returned */
    uint64_t shared; /* address of a struct st_shared_area; 0: collective calls are not compared */
};

#endif
