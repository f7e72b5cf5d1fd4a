/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "runtime/ranks/node.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/model/hash.h"
#include "runtime/objects/comm_ids.h"
#include "runtime/ranks/node_internal.h"
#include "runtime/record/lock.h"
#include "runtime/record/root.h"
#include "runtime/report/finding.h"
#include "runtime/wrap/spawned.h"
#include "runtime/wrap/threads.h"

struct st_ranks_node st_ranks_node;

/* The areas, and rooms for accesses, of the ranks; they stay mapped. */
const void *st_node_areas[ST_SEGMENT_RANKS], *st_node_access_rooms[ST_SEGMENT_RANKS];
static char path[64]; /* /proc/PID/fd/FD */

/* --- finding the memory -------------------------------------------------------------------- */

/* Reads host:PID:FD:nonce. Returns false if it is that of another host. */
static bool read_variable(const char *text, uint64_t *nonce)
{
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    size_t length = strlen(host);
    int pid, file;
    unsigned long long number;
    if (!text || strncmp(text, host, length) != 0 || text[length] != ':' ||
        sscanf(text + length + 1, "%d:%d:%llx", &pid, &file, &number) != 3) {
        return false;
    }
    snprintf(path, sizeof path, "/proc/%d/fd/%d", pid, file);
    *nonce = number;
    return true;
}

int st_node_open(int access)
{
    char target[32] = "";
    ssize_t length = readlink(path, target, sizeof target - 1);
    if (length <= 0 || strncmp(target, "/memfd:mpipp ", strlen("/memfd:mpipp ")) != 0) {
        return -1;
    }
    return open(path, access | O_CLOEXEC);
}

static bool is_right(const struct st_segment *segment, uint64_t nonce)
{
    return memcmp(segment->magic, ST_SEGMENT_MAGIC, sizeof segment->magic) == 0 &&
           segment->version == ST_SEGMENT_VERSION && segment->nonce == nonce &&
           segment->ranks_room == ST_SEGMENT_RANKS &&
           segment->log2_meetings == ST_SEGMENT_LOG2_MEETINGS &&
           segment->area_bytes == ST_AREA_BYTES && segment->bytes == st_segment_fixed_bytes();
}

void *st_node_map(int file, uint64_t from, uint64_t bytes, int access)
{
    void *memory = mmap(NULL, bytes, access, MAP_SHARED, file, (off_t)from);
    return memory == MAP_FAILED ? NULL : memory;
}

/* *log2_messages is valid whatever others write into the segment later. */
static struct st_segment *open_segment(int file, uint64_t nonce, uint32_t *log2_messages)
{
    struct stat state;
    uint64_t bytes = st_segment_fixed_bytes();
    if (fstat(file, &state) != 0 || (uint64_t)state.st_size < bytes) {
        return NULL;
    }
    struct st_segment *segment = st_node_map(file, 0, bytes, PROT_READ | PROT_WRITE);
    *log2_messages = segment ? __atomic_load_n(&segment->log2_messages, __ATOMIC_RELAXED) : 0;
    if (segment && (!is_right(segment, nonce) || !st_segment_is_log2_messages(*log2_messages))) {
        munmap(segment, bytes);
        return NULL;
    }
    return segment;
}

/* --- this rank ----------------------------------------------------------------------------- */

bool st_node_allocate(int file, uint64_t from, uint64_t bytes)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 ||
        (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < from + bytes)) {
        return false;
    }
    int error;
    do {
        error = posix_fallocate(file, (off_t)from, (off_t)bytes);
    } while (error == EINTR);
    return error == 0;
}

static void *make_memory(int file, uint64_t from, uint64_t bytes)
{
    return st_node_allocate(file, from, bytes)
               ? st_node_map(file, from, bytes, PROT_READ | PROT_WRITE)
               : NULL;
}

/* Returns the parent of a process, and stores the process' name. 0 if there is none. */
static int parent_of(int pid, char name[32])
{
    char file_name[32], text[256];
    snprintf(file_name, sizeof file_name, "/proc/%d/stat", pid);
    int file = open(file_name, O_RDONLY | O_CLOEXEC), parent = 0;
    ssize_t length = file >= 0 ? read(file, text, sizeof text - 1) : -1;
    if (file >= 0) {
        close(file);
    }
    text[length > 0 ? length : 0] = 0;
    const char *begin = strchr(text, '('), *end = strrchr(text, ')');
    if (!begin || !end || sscanf(end, ") %*c %d", &parent) != 1) {
        return 0;
    }
    snprintf(name, 32, "%.*s", (int)(end - begin - 1), begin + 1);
    return parent;
}

/* Finds the argument of a process that follows this one, and hashes it. Returns 0 if there is none. */
static uint64_t hash_argument(int pid, const char *name)
{
    static char text[4096]; /* too large for a small stack; called once */
    char file_name[32];
    snprintf(file_name, sizeof file_name, "/proc/%d/cmdline", pid);
    int file = open(file_name, O_RDONLY | O_CLOEXEC);
    ssize_t length = file >= 0 ? read(file, text, sizeof text - 1) : -1;
    if (file >= 0) {
        close(file);
    }
    text[length > 0 ? length : 0] = 0;
    for (ssize_t at = 0; at < length; at += (ssize_t)strlen(text + at) + 1) {
        const ssize_t next = at + (ssize_t)strlen(text + at) + 1;
        if (strcmp(text + at, name) == 0 && next < length) {
            return st_hash_text(1, text + next);
        }
    }
    return 0;
}

/* Returns a number of MPICH's launcher, which gives the job no name: each node has a process of its own that
 * starts the ranks, and all have the address of the launcher. */
static uint64_t find_launcher(void)
{
    char name[32];
    int pid = getppid();
    for (int i = 0; i < 32 && pid > 1; i++) {
        int parent = parent_of(pid, name);
        if (strcmp(name, "hydra_pmi_proxy") == 0) {
            const uint64_t address = hash_argument(pid, "--control-port"), itself = (uint64_t)pid;
            return address ? address : itself;
        }
        pid = parent;
    }
    return 0;
}

/* Returns true if there is a rank of the same name, started by another launcher: it must not be
 * taken for this one. */
static bool is_there_already(uint64_t gpid, uint32_t rank)
{
    for (uint32_t i = 0; i < rank; i++) {
        if (__atomic_load_n(&st_ranks_node.ranks[i].state, __ATOMIC_ACQUIRE) &&
            st_ranks_node.ranks[i].gpid == gpid) {
            return true;
        }
    }
    return false;
}

static struct st_shared_area shared;

void st_node_show(uint64_t messages)
{
    __atomic_store_n(&shared.messages, messages, __ATOMIC_RELEASE);
}

static void show_debugger(void)
{
    shared = (struct st_shared_area){.magic = ST_SHARED_MAGIC,
                                     .version = ST_SEGMENT_VERSION,
                                     .area = st_address(st_ranks_node.area),
                                     .job = st_ranks_node.job,
                                     .entry = st_address(&st_ranks_node.ranks[st_ranks_node.rank]),
                                     .rank = st_ranks_node.rank};
    __atomic_store_n(&st_root.shared, st_address(&shared), __ATOMIC_RELEASE);
}

static bool enter_rank(int file)
{
    struct st_segment *segment = st_ranks_node.segment;
    uint64_t gpid = st_gpid(st_root.world, st_root.world_rank);
    uint32_t rank = __atomic_fetch_add(&segment->rank_count, 1, __ATOMIC_ACQ_REL);
    if (rank >= ST_SEGMENT_RANKS || is_there_already(gpid, rank)) {
        return false;
    }
    st_ranks_node.area =
        make_memory(file, st_segment_area(rank, st_ranks_node.message_mask), ST_AREA_BYTES);
    if (!st_ranks_node.area) {
        return false;
    }
    struct st_segment_rank *entry = &st_ranks_node.ranks[rank];
    entry->gpid = gpid;
    entry->root = st_address(&st_root);
    entry->pid = getpid();
    st_ranks_node.rank = rank;
    st_node_areas[rank] = st_ranks_node.area;
    struct st_spawned spawned;
    st_ranks_node.job = st_spawned_read(&spawned)
                            ? spawned.job
                            : st_hash_word(find_launcher(), (uint32_t)st_root.world_size);
    entry->world_comm = st_hash_word(st_comm_id_of_world(), st_ranks_node.job);
    __atomic_store_n(&entry->state, ST_RANK_THERE, __ATOMIC_RELEASE);
    show_debugger();
    return true;
}

bool st_node_begin(void)
{
    int saved = errno;
    uint64_t nonce;
    uint32_t log2_messages;
    if (st_ranks_node.area) {
        return true;
    }
    if (!st_root.world || st_root.world_rank < 0 ||
        !read_variable(secure_getenv(ST_NODE_VARIABLE), &nonce)) {
        return false;
    }
    int file = st_node_open(O_RDWR);
    st_ranks_node.segment = file >= 0 ? open_segment(file, nonce, &log2_messages) : NULL;
    if (st_ranks_node.segment) {
        char *base = (char *)st_ranks_node.segment;
        st_ranks_node.message_mask = (1u << log2_messages) - 1;
        st_ranks_node.ranks = (struct st_segment_rank *)(void *)(base + ST_SEGMENT_HEAD);
        st_ranks_node.meetings =
            (struct st_meeting_point *)(void *)(st_ranks_node.ranks + ST_SEGMENT_RANKS);
        st_ranks_node.ended = (struct st_ended_set *)(void *)(base + st_segment_ended());
        st_ranks_node.firsts = st_ranks_node.segment->has_firsts
                                   ? st_node_map(file, st_segment_firsts(),
                                                 st_segment_firsts_bytes(), PROT_READ | PROT_WRITE)
                                   : NULL;
    }
    bool entered = st_ranks_node.segment && enter_rank(file);
    if (file >= 0) {
        close(file);
    }
    if (!entered) {
        st_findings_note(
            "the memory that the ranks of a node share cannot be had: what they do together "
            "is not compared");
    }
    errno = saved;
    return entered;
}

/* --- the others ---------------------------------------------------------------------------- */

uint32_t st_node_ranks(void)
{
    uint32_t count = __atomic_load_n(&st_ranks_node.segment->rank_count, __ATOMIC_ACQUIRE);
    return count < ST_SEGMENT_RANKS ? count : ST_SEGMENT_RANKS;
}

bool st_node_has(uint32_t rank)
{
    return rank < st_node_ranks() &&
           __atomic_load_n(&st_ranks_node.ranks[rank].state, __ATOMIC_ACQUIRE) != ST_RANK_NONE;
}

/* Maps memory of another rank, once. */
static const void *other_memory(const void **known, uint64_t from, uint64_t bytes)
{
    const void *memory = __atomic_load_n(known, __ATOMIC_ACQUIRE);
    if (memory) {
        return memory;
    }
    int file = st_node_open(O_RDONLY);
    memory = file >= 0 ? st_node_map(file, from, bytes, PROT_READ) : NULL;
    if (file >= 0) {
        close(file);
    }
    if (memory) {
        __atomic_store_n(known, memory, __ATOMIC_RELEASE);
    }
    return memory;
}

const struct st_rank_area *st_node_area(uint32_t rank)
{
    if (!st_node_has(rank)) {
        return NULL;
    }
    if (rank == st_ranks_node.rank) {
        return st_ranks_node.area;
    }
    return other_memory(&st_node_areas[rank], st_segment_area(rank, st_ranks_node.message_mask),
                        ST_AREA_BYTES);
}

/* Makes memory of this rank, and sets the flag that announces it to others. */
static void *make_mapped_room(uint64_t from, uint64_t bytes, uint32_t *has)
{
    int saved = errno;
    int file = st_node_open(O_RDWR);
    void *room = file >= 0 ? make_memory(file, from, bytes) : NULL;
    if (file >= 0) {
        close(file);
    }
    if (room) {
        __atomic_store_n(has, 1, __ATOMIC_RELEASE);
    }
    errno = saved;
    return room;
}

/* --- one-sided calls, and messages of other nodes ------------------------------------------ */

bool st_node_make_accesses(void)
{
    st_ranks_node.accesses = make_mapped_room(
        st_segment_accesses(st_ranks_node.rank, st_ranks_node.message_mask), ST_ACCESS_ROOM_BYTES,
        &st_ranks_node.ranks[st_ranks_node.rank].has_accesses);
    st_node_access_rooms[st_ranks_node.rank] = st_ranks_node.accesses;
    return st_ranks_node.accesses;
}

bool st_node_make_remote(void)
{
    st_ranks_node.remote =
        st_ranks_node.firsts
            ? make_mapped_room(st_segment_remote(st_ranks_node.rank, st_ranks_node.message_mask),
                               sizeof(struct st_remote_room),
                               &st_ranks_node.ranks[st_ranks_node.rank].has_remote)
            : NULL;
    return st_ranks_node.remote;
}

const struct st_access_room *st_node_accesses(uint32_t rank)
{
    if (!st_node_has(rank) ||
        !__atomic_load_n(&st_ranks_node.ranks[rank].has_accesses, __ATOMIC_ACQUIRE)) {
        return NULL;
    }
    if (rank == st_ranks_node.rank) {
        return st_ranks_node.accesses;
    }
    return other_memory(&st_node_access_rooms[rank],
                        st_segment_accesses(rank, st_ranks_node.message_mask),
                        ST_ACCESS_ROOM_BYTES);
}

uint32_t st_node_rank_of(uint64_t gpid)
{
    enum { KNOWN = 256 };
    static struct {
        uint64_t gpid;
        uint32_t rank;
    } known[KNOWN]; /* the ranks that were found last */
    const uint32_t at = (uint32_t)st_gpid_rank(gpid) % KNOWN;
    if (known[at].gpid == gpid && gpid) {
        return known[at].rank;
    }
    for (uint32_t i = 0, count = st_node_ranks(); i < count; i++) {
        if (st_node_has(i) && st_ranks_node.ranks[i].gpid == gpid) {
            known[at].rank = i;
            known[at].gpid = gpid;
            return i;
        }
    }
    return ST_NO_RANK;
}

int32_t st_node_world_rank(uint32_t rank)
{
    return st_node_has(rank) ? st_gpid_rank(st_ranks_node.ranks[rank].gpid) : -1;
}

uint32_t st_node_world(uint32_t rank)
{
    uint64_t worlds[ST_MOST_WORLDS];
    uint32_t count = 0;
    const uint64_t world = st_node_has(rank) ? st_gpid_world(st_ranks_node.ranks[rank].gpid) : 0;
    for (uint32_t i = 0; world && i <= rank && count < ST_MOST_WORLDS; i++) {
        const uint64_t other = st_node_has(i) ? st_gpid_world(st_ranks_node.ranks[i].gpid) : 0;
        uint32_t known = 0;
        while (known < count && worlds[known] != other) {
            known++;
        }
        if (other && known == count) {
            worlds[count++] = other;
        }
        if (other == world) {
            return known + 1;
        }
    }
    return 0;
}

/* --- calls that ranks have written --------------------------------------------------------- */

/* A place has room for some calls, and a new one replaces the oldest: calls of different
 * communicators may share a place. */
enum { WAYS = 1 << ST_AREA_LOG2_WAYS, LOG2_PLACES = ST_AREA_LOG2_CALLS - ST_AREA_LOG2_WAYS };
static uint8_t next_way[1 << LOG2_PLACES];

static uint32_t collective_place(const struct st_collective *call)
{
    return st_collective_place(call->comm, call->number, LOG2_PLACES);
}

struct st_meeting_point *st_node_meeting(const struct st_collective *call)
{
    return &st_ranks_node
                .meetings[st_collective_place(call->comm, call->number, ST_SEGMENT_LOG2_MEETINGS)];
}

void st_node_leave_call(uint64_t key, const struct st_collective *call)
{
    const uint32_t place = collective_place(call);
    const uint32_t way = next_way[place]++ % WAYS;
    st_rank_call_write(&st_ranks_node.area->calls[place * WAYS + way], key, call);
}

void st_node_name_function(const struct st_form *form)
{
    struct st_rank_function *list = st_ranks_node.area->functions;
    bool locked = st_lock();
    uint32_t i = 0;
    while (i < ST_AREA_FUNCTIONS && list[i].number && list[i].number != form->number + 1u) {
        i++;
    }
    if (i < ST_AREA_FUNCTIONS && !list[i].number) {
        strncpy(list[i].name, form->name, sizeof list[i].name - 1);
        __atomic_store_n(&list[i].number, form->number + 1u, __ATOMIC_RELEASE);
    }
    st_unlock(locked);
}

/* The last turn of all threads. */
static struct st_order_turn last_turn;

static __attribute__((noinline)) void begin_turn(const struct st_collective *call, uint64_t thread)
{
    last_turn = (struct st_order_turn){.comm = call->comm,
                                       .number = call->number,
                                       .before = last_turn.before,
                                       .thread = thread,
                                       .place = call->place,
                                       .called = call->called};
    st_order_note(&st_ranks_node.area->orders, &last_turn);
}

void st_node_leave_order(const struct st_collective *call)
{
    const uint64_t thread = st_thread_here ? st_thread_here->id : 0;
    if (__builtin_expect(last_turn.comm != call->comm || last_turn.thread != thread, 0)) {
        begin_turn(call, thread);
    }
    last_turn.before = call->number;
}

bool st_node_find_call(uint32_t rank, uint64_t key, const struct st_collective *like,
                       struct st_collective *call)
{
    const struct st_rank_area *area = st_node_area(rank);
    const struct st_rank_call *calls = area ? &area->calls[collective_place(like) * WAYS] : NULL;
    for (uint32_t way = 0; calls && way < WAYS; way++) {
        if (st_rank_call_read(&calls[way], key, call)) {
            return call->comm == like->comm && call->number == like->number;
        }
    }
    return false;
}
