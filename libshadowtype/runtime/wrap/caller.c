/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "runtime/wrap/caller.h"

#include <link.h>
#include <stdbool.h>
#include <string.h>
#include <unwind.h>

#include "runtime/wrap/function.h"
#include "runtime/wrap/python.h"
#include "runtime/record/root.h"
#include "stack/unwind.h"

_Atomic(const struct st_range *) st_hot_range;
_Atomic(const struct st_range *) st_hot_binding;

/* The executable ranges of all loaded objects, in order of address. A published snapshot is never
 * unmapped, and only its `loads` changes, because other threads may be reading it. */
struct st_snapshot {
    struct st_snapshot *older;         /* in the list `snapshots` */
    _Atomic(unsigned long long) loads; /* the loader's counter when the objects last were like
                                          this */
    size_t bytes;
    size_t count;
    struct st_range ranges[];
};

static _Atomic(struct st_snapshot *) current;

/* All snapshots ever published, the newest first. A program that opens and closes the same
 * libraries again and again comes back to one of them. */
static _Atomic(struct st_snapshot *) snapshots;

static bool starts_with_one_of(const char *name, const char *const *prefixes)
{
    for (; *prefixes; prefixes++) {
        if (strncmp(name, *prefixes, strlen(*prefixes)) == 0) {
            return true;
        }
    }
    return false;
}

static enum st_caller caller_by_name(const char *path)
{
    static const char *const bindings[] = {"libmpichfort.",
                                           "libmpifort.",
                                           "libmpichf90.",
                                           "libmpi_mpifh",
                                           "libmpi_usempi",
                                           "libmpichcxx.",
                                           "libmpicxx.",
                                           "libmpi_cxx.",
                                           "libmpi++.",
                                           "libmpi_java.",
                                           "libmpi_f77.",
                                           "libmpi_f90.",
                                           NULL};
    static const char *const own[] = {"libmpi.",      "libopen_mpi.",  "libpmpi.", "libmpich.",
                                      "libopen-rte.", "libopen-pal.",  "libmca_",  "mca_",
                                      "libprrte.",    "libpmix.",      "libompi",  "liboshmem.",
                                      "libromio",     "libompitrace.", NULL};
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    if (strncmp(name, "MPI.", 4) == 0 && strstr(path, "/mpi4py/")) {
        return ST_CALLER_PYTHON;
    }
    if (starts_with_one_of(name, bindings)) {
        return ST_CALLER_BINDING;
    }
    return starts_with_one_of(name, own) ? ST_CALLER_MPI : ST_CALLER_USER;
}

static bool contains(const struct dl_phdr_info *object, uintptr_t address)
{
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type == PT_LOAD &&
            address - (object->dlpi_addr + segment->p_vaddr) < segment->p_memsz) {
            return true;
        }
    }
    return false;
}

static enum st_caller caller_by_object(const struct dl_phdr_info *object, uintptr_t mpi)
{
    /* A call that returns into this library came through it, and is recorded there: MPICH's
     * MPI_Type_struct ends in a jump to MPI_Type_create_struct. */
    if (contains(object, (uintptr_t)&st_caller_slow)) {
        return ST_CALLER_MPI;
    }
    if (contains(object, mpi)) {
        return ST_CALLER_MPI;
    }
    return caller_by_name(object->dlpi_name ? object->dlpi_name : "");
}

static int read_loads(struct dl_phdr_info *object, size_t size, void *context)
{
    (void)size;
    *(unsigned long long *)context = object->dlpi_adds;
    return 1;
}

static int count_segments(struct dl_phdr_info *object, size_t size, void *context)
{
    (void)size;
    *(size_t *)context += object->dlpi_phnum;
    return 0;
}

struct st_filling {
    struct st_snapshot *snapshot;
    size_t room;
    uintptr_t mpi; /* an address in the MPI library */
};

/* Inserts a range in order. qsort() is not used, because it may allocate on the program's heap. */
static void add_range(struct st_snapshot *to, struct st_range range)
{
    size_t at = to->count++;
    for (; at > 0 && to->ranges[at - 1].low > range.low; at--) {
        to->ranges[at] = to->ranges[at - 1];
    }
    to->ranges[at] = range;
}

static int add_object(struct dl_phdr_info *object, size_t size, void *context)
{
    struct st_filling *filling = context;
    struct st_snapshot *to = filling->snapshot;
    (void)size;
    enum st_caller caller = caller_by_object(object, filling->mpi);
    for (int i = 0; i < object->dlpi_phnum && to->count < filling->room; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type == PT_LOAD && (segment->p_flags & PF_X)) {
            add_range(to, (struct st_range){object->dlpi_addr + segment->p_vaddr, segment->p_memsz,
                                            caller});
        }
    }
    atomic_store_explicit(&to->loads, object->dlpi_adds, memory_order_relaxed);
    return 0;
}

static struct st_snapshot *take_snapshot(void)
{
    /* Looked up before the walk: within it the loader holds a lock, and a lookup takes another. */
    uintptr_t mpi = (uintptr_t)st_mpi_function("PMPI_Init");
    size_t room = 0;
    dl_iterate_phdr(count_segments, &room);
    size_t bytes = sizeof(struct st_snapshot) + room * sizeof(struct st_range);
    struct st_snapshot *fresh = st_map(bytes);
    if (!fresh) {
        return NULL;
    }
    fresh->bytes = bytes;
    struct st_filling filling = {fresh, room, mpi};
    dl_iterate_phdr(add_object, &filling);
    return fresh;
}

static const struct st_range *find_range(const struct st_snapshot *in, uintptr_t pc)
{
    size_t low = 0, high = in ? in->count : 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (pc < in->ranges[middle].low) {
            high = middle;
        } else if (pc - in->ranges[middle].low < in->ranges[middle].bytes) {
            return &in->ranges[middle];
        } else {
            low = middle + 1;
        }
    }
    return NULL;
}

static bool same_ranges(const struct st_snapshot *a, const struct st_snapshot *b)
{
    if (a->count != b->count) {
        return false;
    }
    for (size_t i = 0; i < a->count; i++) {
        if (a->ranges[i].low != b->ranges[i].low || a->ranges[i].bytes != b->ranges[i].bytes ||
            a->ranges[i].caller != b->ranges[i].caller) {
            return false;
        }
    }
    return true;
}

/* Publishes the newest view of the loaded objects: an equal older snapshot if there is one, else
 * *fresh. Returns it. */
static struct st_snapshot *publish_snapshot(struct st_snapshot *fresh)
{
    struct st_snapshot *newest = atomic_load_explicit(&snapshots, memory_order_acquire);
    struct st_snapshot *same = newest;
    while (same && !same_ranges(same, fresh)) {
        same = same->older;
    }
    if (same) {
        atomic_store_explicit(&same->loads, fresh->loads, memory_order_relaxed);
        st_unmap(fresh, fresh->bytes);
        fresh = same;
    } else {
        /* Another thread may publish an equal one meanwhile; then there are two. */
        do {
            fresh->older = newest;
        } while (!atomic_compare_exchange_weak(&snapshots, &newest, fresh));
    }
    atomic_store_explicit(&current, fresh, memory_order_release);
    return fresh;
}

static const struct st_range *range_of(uintptr_t pc)
{
    struct st_snapshot *known = atomic_load_explicit(&current, memory_order_acquire);
    const struct st_range *range = find_range(known, pc);
    if (range) {
        return range;
    }
    /* Code compiled at run time is in no object: look again only after a dlopen. */
    unsigned long long loads = 0;
    dl_iterate_phdr(read_loads, &loads);
    if (known && atomic_load_explicit(&known->loads, memory_order_relaxed) == loads) {
        return NULL;
    }
    struct st_snapshot *fresh = take_snapshot();
    return fresh ? find_range(publish_snapshot(fresh), pc) : NULL;
}

enum st_caller st_caller_slow(uintptr_t pc)
{
    const struct st_range *range = range_of(pc);
    if (!range) {
        return ST_CALLER_USER;
    }
    if (range->caller == ST_CALLER_USER) {
        atomic_store_explicit(&st_hot_range, range, memory_order_release);
    }
    if (range->caller == ST_CALLER_BINDING) {
        atomic_store_explicit(&st_hot_binding, range, memory_order_release);
    }
    return range->caller;
}

struct st_site_walk {
    struct st_site *site;
    uint32_t frames;
    bool inside; /* the current frame is one of the user's */
};

static _Unwind_Reason_Code visit_frame(struct _Unwind_Context *context, void *data)
{
    struct st_site_walk *walk = data;
    uintptr_t pc = _Unwind_GetIP(context);
    if (!pc) {
        return _URC_END_OF_STACK;
    }
    if (!walk->inside) {
        const struct st_range *range = range_of(pc);
        walk->inside =
            !range || range->caller == ST_CALLER_USER || range->caller == ST_CALLER_PYTHON;
    }
    if (walk->inside) {
        walk->site->frames[walk->frames++] = pc;
    }
    return walk->frames == st_root.site_frames ? _URC_END_OF_STACK : _URC_NO_REASON;
}

struct st_user_frame st_user_frame_of(const void *pc, const void *sp)
{
    struct st_user_frame frame = {(uintptr_t)pc, (uintptr_t)sp};
    for (int depth = 0; depth < 8; depth++) {
        const struct st_frame_rule *rule = st_frame_rule_of(frame.pc);
        if (!rule) {
            break;
        }
        memcpy(&frame.pc, (const void *)(frame.sp + (uintptr_t)rule->slot), sizeof frame.pc);
        frame.sp += (uintptr_t)rule->size;
        if (st_caller_of((const void *)frame.pc) == ST_CALLER_USER) {
            return frame;
        }
    }
    return (struct st_user_frame){0};
}

void st_site_found(const void *pc, const void *sp, enum st_caller caller, struct st_site *site)
{
    if (__builtin_expect(st_root.site_frames == 1, 1)) {
        if (caller == ST_CALLER_PYTHON) {
            st_python_frames(site->frames, 1);
            return;
        }
        site->frames[0] = st_user_frame_of(pc, sp).pc;
        if (site->frames[0]) {
            return;
        }
    }
    memset(site, 0, sizeof *site);
    if (caller == ST_CALLER_PYTHON && st_python_frames(site->frames, st_root.site_frames)) {
        return;
    }
    struct st_site_walk walk = {.site = site};
    _Unwind_Backtrace(visit_frame, &walk);
    if (!walk.frames) {
        site->frames[0] = (uintptr_t)pc;
    }
}
