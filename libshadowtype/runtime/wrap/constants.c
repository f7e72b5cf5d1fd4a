/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "runtime/wrap/constants.h"

#include <dlfcn.h>
#include <string.h>

#include "runtime/wrap/mpi_side.h"

enum { MOST_CONSTANTS = 128 };
static uint64_t handles[MOST_CONSTANTS];
struct st_numbers st_numbers;

/* Like in predefined.c: the program's own copy of an object comes first. */
uint64_t st_constant_handle(const struct st_constant *constant)
{
    if (!constant->symbol) {
        return constant->handle;
    }
    void *object = dlsym(RTLD_DEFAULT, constant->symbol);
    return st_address(object ? object : st_mpi_function(constant->symbol));
}

uint64_t st_constant_named(const char *name)
{
    for (int i = 0; st_constants[i].name && i < MOST_CONSTANTS; i++) {
        if (strcmp(st_constants[i].name, name) == 0) {
            return handles[i];
        }
    }
    return 0;
}

static void find_nulls(void)
{
    for (int i = 0; st_constants[i].name && i < MOST_CONSTANTS; i++) {
        size_t length = strlen(st_constants[i].name);
        if (length > 5 && strcmp(st_constants[i].name + length - 5, "_NULL") == 0) {
            st_numbers.null[st_constants[i].kind] = handles[i];
        }
    }
}

static int64_t read_tag_ub(void)
{
    typedef int ask(MPI_Comm, int, void *, int *);
    ask *get = (ask *)st_mpi_function("PMPI_Comm_get_attr");
    void *value = NULL;
    int found = 0;
    uint64_t world = st_numbers.comm_world;
    MPI_Comm comm;
    memcpy(&comm, &world, sizeof comm);
    if (!get || get(comm, MPI_TAG_UB, &value, &found) != MPI_SUCCESS || !found || !value) {
        return INT32_MAX;
    }
    return *(int *)value;
}

static const uint64_t nowhere;
struct st_fortran_in_place st_fortran_in_place = {.variable = &nowhere};

static void find_fortran_in_place(void)
{
    const uint64_t *variable = dlsym(RTLD_DEFAULT, "MPIR_F_MPI_IN_PLACE");
    st_fortran_in_place.object = st_address(dlsym(RTLD_DEFAULT, "mpi_fortran_in_place_"));
    st_fortran_in_place.variable = variable ? variable : &nowhere;
}

bool st_is_automatic(uint64_t address)
{
#ifdef MPI_BUFFER_AUTOMATIC
    return address == (uint64_t)(uintptr_t)MPI_BUFFER_AUTOMATIC;
#else
    (void)address;
    return false;
#endif
}

/* In MPICH it is the value of a variable of the library. */
static uint64_t read_unweighted(void)
{
#ifdef OPEN_MPI
    return st_address(MPI_UNWEIGHTED);
#else
    int *const *variable = (int *const *)st_mpi_function("MPI_UNWEIGHTED");
    return variable ? st_address(*variable) : 0;
#endif
}

void st_constants_read(bool world)
{
    for (int i = 0; st_constants[i].name && i < MOST_CONSTANTS; i++) {
        handles[i] = st_constant_handle(&st_constants[i]);
    }
    struct st_numbers *n = &st_numbers;
    n->proc_null = MPI_PROC_NULL;
    n->any_source = MPI_ANY_SOURCE;
    n->root = MPI_ROOT;
    n->any_tag = MPI_ANY_TAG;
    n->undefined = MPI_UNDEFINED;
    n->order_c = MPI_ORDER_C;
    n->order_fortran = MPI_ORDER_FORTRAN;
    n->block = MPI_DISTRIBUTE_BLOCK;
    n->cyclic = MPI_DISTRIBUTE_CYCLIC;
    n->none = MPI_DISTRIBUTE_NONE;
    n->default_arg = MPI_DISTRIBUTE_DFLT_DARG;
    n->bsend_overhead = MPI_BSEND_OVERHEAD;
    n->keyval_invalid = MPI_KEYVAL_INVALID;
    n->has_fortran = dlsym(RTLD_DEFAULT, "mpi_init_") != NULL;
    n->in_place = (uint64_t)(uintptr_t)MPI_IN_PLACE;
    n->status_ignore = st_address(MPI_STATUS_IGNORE);
    n->statuses_ignore = st_address(MPI_STATUSES_IGNORE);
    find_fortran_in_place();
    find_nulls();
    n->comm_world = st_constant_named("MPI_COMM_WORLD");
    n->comm_self = st_constant_named("MPI_COMM_SELF");
    n->message_no_proc = st_constant_named("MPI_MESSAGE_NO_PROC");
    n->op_no_op = st_constant_named("MPI_NO_OP");
    const struct st_predefined *null = &st_predefined[0];
    void *object = null->symbol ? dlsym(RTLD_DEFAULT, null->symbol) : NULL;
    n->datatype_null = !null->symbol ? null->handle
                       : object      ? st_address(object)
                                     : st_address(st_mpi_function(null->symbol));
    n->most_name = MPI_MAX_OBJECT_NAME - 1;
    n->most_key = MPI_MAX_INFO_KEY;
    n->most_value = MPI_MAX_INFO_VAL;
    n->assertions = MPI_MODE_NOCHECK | MPI_MODE_NOSTORE | MPI_MODE_NOPUT | MPI_MODE_NOPRECEDE |
                    MPI_MODE_NOSUCCEED;
    n->no_precede = MPI_MODE_NOPRECEDE;
    n->no_put = MPI_MODE_NOPUT;
    n->no_succeed = MPI_MODE_NOSUCCEED;
    n->no_check = MPI_MODE_NOCHECK;
    n->seek_set = MPI_SEEK_SET;
    n->seek_cur = MPI_SEEK_CUR;
    n->seek_end = MPI_SEEK_END;
    n->displacement_current = MPI_DISPLACEMENT_CURRENT;
    n->fence_assertions = n->no_precede | n->no_succeed;
    n->unweighted = read_unweighted();
    n->tag_ub = world ? read_tag_ub() : INT32_MAX;
}

const char *st_constant_name(enum st_kind kind, uint64_t handle)
{
    for (int i = 0; st_constants[i].name && i < MOST_CONSTANTS; i++) {
        if (st_constants[i].kind == kind && handles[i] == handle &&
            (handle || !st_constants[i].symbol)) { /* MPICH's MPI_FILE_NULL is 0 */
            return st_constants[i].name;
        }
    }
    return NULL;
}

/* --- questions ---------------------------------------------------------------------------- */

static MPI_Comm comm_of(uint64_t handle)
{
    MPI_Comm comm;
    memcpy(&comm, &handle, sizeof comm);
    return comm;
}

static MPI_Group group_of(uint64_t handle)
{
    MPI_Group group;
    memcpy(&group, &handle, sizeof group);
    return group;
}

static void *question(_Atomic(void *) *slot, const char *name)
{
    void *found = atomic_load_explicit(slot, memory_order_acquire);
    if (!found) {
        found = st_mpi_function(name);
        atomic_store_explicit(slot, found, memory_order_release);
    }
    return found;
}

bool st_ask_comm(uint64_t handle, struct st_comm_facts *facts)
{
    typedef int ask(MPI_Comm, int *);
    static _Atomic(void *) slots[4];
    ask *inter = (ask *)question(&slots[0], "PMPI_Comm_test_inter");
    ask *rank = (ask *)question(&slots[1], "PMPI_Comm_rank");
    ask *size = (ask *)question(&slots[2], "PMPI_Comm_size");
    ask *remote = (ask *)question(&slots[3], "PMPI_Comm_remote_size");
    MPI_Comm comm = comm_of(handle);
    int is_inter = 0, me = 0, ranks = 0;
    if (!inter || !rank || !size || !remote || inter(comm, &is_inter) != MPI_SUCCESS ||
        rank(comm, &me) != MPI_SUCCESS || (is_inter ? remote : size)(comm, &ranks) != MPI_SUCCESS) {
        return false;
    }
    *facts = (struct st_comm_facts){.size = ranks, .rank = me, .inter = is_inter != 0};
    return true;
}

int64_t st_ask_group_size(uint64_t handle)
{
    typedef int ask(MPI_Group, int *);
    static _Atomic(void *) slot;
    ask *size = (ask *)question(&slot, "PMPI_Group_size");
    int ranks = 0;
    return size && size(group_of(handle), &ranks) == MPI_SUCCESS ? ranks : -1;
}

enum st_topology st_ask_topology(uint64_t handle)
{
    typedef int ask(MPI_Comm, int *);
    static _Atomic(void *) slot;
    ask *test = (ask *)question(&slot, "PMPI_Topo_test");
    int topology = MPI_UNDEFINED;
    if (!test || test(comm_of(handle), &topology) != MPI_SUCCESS) {
        return ST_NO_TOPOLOGY;
    }
    return topology == MPI_CART         ? ST_CARTESIAN
           : topology == MPI_GRAPH      ? ST_GRAPH
           : topology == MPI_DIST_GRAPH ? ST_DISTRIBUTED_GRAPH
                                        : ST_NO_TOPOLOGY;
}

int64_t st_ask_dimensions(uint64_t handle)
{
    typedef int ask(MPI_Comm, int *);
    static _Atomic(void *) slot;
    ask *get = (ask *)question(&slot, "PMPI_Cartdim_get");
    int dimensions = 0;
    return get && get(comm_of(handle), &dimensions) == MPI_SUCCESS ? dimensions : -1;
}

int64_t st_ask_grid(uint64_t handle, int *sides, int *periods, int *here)
{
    typedef int ask(MPI_Comm, int, int *, int *, int *);
    static _Atomic(void *) slot;
    ask *get = (ask *)question(&slot, "PMPI_Cart_get");
    int64_t dimensions = st_ask_dimensions(handle);
    bool known = get && dimensions >= 0 && dimensions <= ST_MOST_DIMENSIONS &&
                 get(comm_of(handle), (int)dimensions, sides, periods, here) == MPI_SUCCESS;
    return known ? dimensions : -1;
}

/* Returns the first of `count` ranks from `rank` on, at most 64, that is not in the other group; -1
 * if there is none. */
static int64_t first_outside(MPI_Group group, int rank, int count, MPI_Group other)
{
    typedef int translate_t(MPI_Group, int, const int *, MPI_Group, int *);
    static _Atomic(void *) slot;
    translate_t *translate = (translate_t *)question(&slot, "PMPI_Group_translate_ranks");
    int ranks[64] = {0}, there[64]; /* gcc 14 does not see that count is at least 1 */
    for (int i = 0; i < count; i++) {
        ranks[i] = rank + i;
    }
    if (!translate || translate(group, count, ranks, other, there) != MPI_SUCCESS) {
        return -1;
    }
    for (int i = 0; i < count; i++) {
        if (there[i] == MPI_UNDEFINED) {
            return rank + i;
        }
    }
    return -1;
}

/* Gets the group of a communicator or window. Returns false if MPI does not say. */
static bool ask_group(enum st_kind kind, uint64_t handle, MPI_Group *group)
{
    typedef int of_comm(MPI_Comm, MPI_Group *);
    typedef int of_win(MPI_Win, MPI_Group *);
    static _Atomic(void *) slots[2];
    if (kind == ST_KIND_WIN) {
        of_win *get = (of_win *)question(&slots[0], "PMPI_Win_get_group");
        MPI_Win win;
        memcpy(&win, &handle, sizeof win);
        return get && get(win, group) == MPI_SUCCESS;
    }
    of_comm *get = (of_comm *)question(&slots[1], "PMPI_Comm_group");
    return get && get(comm_of(handle), group) == MPI_SUCCESS;
}

int64_t st_ask_outside(uint64_t group, int64_t size, enum st_kind kind, uint64_t handle)
{
    typedef int free_t(MPI_Group *);
    static _Atomic(void *) slot;
    free_t *give_back = (free_t *)question(&slot, "PMPI_Group_free");
    MPI_Group other;
    int64_t outside = -1;
    if (!give_back || !ask_group(kind, handle, &other)) {
        return -1;
    }
    for (int64_t rank = 0; rank < size && outside < 0; rank += 64) {
        outside = first_outside(group_of(group), (int)rank,
                                size - rank < 64 ? (int)(size - rank) : 64, other);
    }
    give_back(&other);
    return outside;
}

bool st_ask_places(uint64_t group, int first, int count, uint64_t comm, int *places)
{
    typedef int ask(MPI_Comm, MPI_Group *);
    typedef int free_t(MPI_Group *);
    typedef int translate_t(MPI_Group, int, const int *, MPI_Group, int *);
    static _Atomic(void *) slots[3];
    ask *get = (ask *)question(&slots[0], "PMPI_Comm_group");
    free_t *give_back = (free_t *)question(&slots[1], "PMPI_Group_free");
    translate_t *translate = (translate_t *)question(&slots[2], "PMPI_Group_translate_ranks");
    int ranks[ST_MOST_TRANSLATED];
    MPI_Group all;
    if (!get || !give_back || !translate || get(comm_of(comm), &all) != MPI_SUCCESS) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        ranks[i] = first + i;
    }
    const bool known = translate(group_of(group), count, ranks, all, places) == MPI_SUCCESS;
    give_back(&all);
    return known;
}

int64_t st_ask_neighbours(uint64_t handle, bool out)
{
    typedef int ask(MPI_Comm, int *);
    typedef int ask_rank(MPI_Comm, int, int *);
    typedef int ask_three(MPI_Comm, int *, int *, int *);
    static _Atomic(void *) slots[3];
    ask *cartdim = (ask *)question(&slots[0], "PMPI_Cartdim_get");
    ask_rank *graph = (ask_rank *)question(&slots[1], "PMPI_Graph_neighbors_count");
    ask_three *dist = (ask_three *)question(&slots[2], "PMPI_Dist_graph_neighbors_count");
    MPI_Comm comm = comm_of(handle);
    struct st_comm_facts facts;
    int count = 0, other = 0, weighted = 0;
    if (!cartdim || !graph || !dist) {
        return -1;
    }
    switch (st_ask_topology(handle)) {
    case ST_CARTESIAN:
        return cartdim(comm, &count) == MPI_SUCCESS ? 2 * (int64_t)count : -1;
    case ST_GRAPH:
        return st_ask_comm(handle, &facts) && graph(comm, facts.rank, &count) == MPI_SUCCESS ? count
                                                                                             : -1;
    case ST_DISTRIBUTED_GRAPH:
        return dist(comm, &count, &other, &weighted) == MPI_SUCCESS ? (out ? other : count) : -1;
    default:
        return -1;
    }
}

bool st_ask_neighbour_null(uint64_t handle, int64_t which)
{
    typedef int ask_shift(MPI_Comm, int, int, int *, int *);
    static _Atomic(void *) slot;
    ask_shift *shift = (ask_shift *)question(&slot, "PMPI_Cart_shift");
    int ranks[2];
    return shift && st_ask_topology(handle) == ST_CARTESIAN &&
           shift(comm_of(handle), (int)(which / 2), 1, &ranks[0], &ranks[1]) == MPI_SUCCESS &&
           ranks[which % 2] == MPI_PROC_NULL;
}

bool st_ask_true_extent(uint64_t type, int64_t *lb, int64_t *extent)
{
    struct st_measures measures;
    st_query_measures(st_datatype(type), &measures);
    *lb = measures.true_lb;
    *extent = measures.true_extent;
    return measures.true_extent >= 0;
}

bool st_ask_extent(uint64_t type, int64_t *lb, int64_t *extent)
{
    st_query_extent(st_datatype(type), lb, extent);
    return *extent != ST_EXTENT_UNKNOWN;
}

int64_t st_ask_size(uint64_t type)
{
    struct st_measures measures;
    st_query_measures(st_datatype(type), &measures);
    return measures.size;
}

static bool query_shared(uint64_t handle, int rank, MPI_Aint *bytes, int *unit, void **base)
{
    typedef int ask(MPI_Win, int, MPI_Aint *, int *, void *);
    static _Atomic(void *) slot;
    ask *query = (ask *)question(&slot, "PMPI_Win_shared_query");
    MPI_Win win;
    memcpy(&win, &handle, sizeof win);
    return query && query(win, rank, bytes, unit, base) == MPI_SUCCESS && *bytes >= 0;
}

bool st_ask_shared(uint64_t handle, int rank, uint64_t *base, uint64_t *bytes)
{
    MPI_Aint size = 0;
    int unit;
    void *address = NULL;
    if (!query_shared(handle, rank, &size, &unit, &address)) {
        return false;
    }
    *base = st_address(address);
    *bytes = (uint64_t)size;
    return true;
}

/* Returns what an attribute of a window points to; NULL if it has no such attribute. */
static const void *window_attribute(uint64_t handle, int keyval)
{
    typedef int ask(MPI_Win, int, void *, int *);
    static _Atomic(void *) slot;
    ask *get = (ask *)question(&slot, "PMPI_Win_get_attr");
    MPI_Win win;
    void *value = NULL;
    int found = 0;
    memcpy(&win, &handle, sizeof win);
    return get && get(win, keyval, &value, &found) == MPI_SUCCESS && found ? value : NULL;
}

bool st_ask_dynamic(uint64_t win)
{
    const int *flavor = window_attribute(win, MPI_WIN_CREATE_FLAVOR);
    return !flavor || *flavor == MPI_WIN_FLAVOR_DYNAMIC;
}

bool st_ask_base(uint64_t win, uint64_t *base)
{
    /* MPI returns the base itself, not its address (MPI-4.0, 12.2.6). */
    const void *value = window_attribute(win, MPI_WIN_BASE);
    *base = (uint64_t)(uintptr_t)value;
    return value;
}

bool st_ask_is_shared(uint64_t win)
{
    const int *flavor = window_attribute(win, MPI_WIN_CREATE_FLAVOR);
    return !flavor || *flavor == MPI_WIN_FLAVOR_SHARED;
}

bool st_ask_mixes_operations(uint64_t handle)
{
    typedef int ask_info(MPI_Win, MPI_Info *);
    typedef int ask_value(MPI_Info, const char *, int, char *, int *);
    typedef int give(MPI_Info *);
    static _Atomic(void *) slots[3];
    ask_info *get_info = (ask_info *)question(&slots[0], "PMPI_Win_get_info");
    ask_value *get_value = (ask_value *)question(&slots[1], "PMPI_Info_get");
    give *give_back = (give *)question(&slots[2], "PMPI_Info_free");
    MPI_Win win;
    MPI_Info info;
    char value[32] = "";
    int found = 0;
    memcpy(&win, &handle, sizeof win);
    if (!get_info || !get_value || !give_back || get_info(win, &info) != MPI_SUCCESS) {
        return true;
    }
    if (get_value(info, "accumulate_ops", sizeof value - 1, value, &found) != MPI_SUCCESS) {
        found = 0;
    }
    give_back(&info);
    return found && strcmp(value, "same_op_no_op") != 0 && strcmp(value, "same_op") != 0;
}

bool st_ask_window(uint64_t win, int rank, int own, int64_t *bytes, int64_t *unit)
{
    const int *flavor = window_attribute(win, MPI_WIN_CREATE_FLAVOR);
    if (!flavor || *flavor == MPI_WIN_FLAVOR_DYNAMIC) {
        return false;
    }
    if (*flavor == MPI_WIN_FLAVOR_SHARED) {
        MPI_Aint size = 0;
        int displacement = 0;
        void *base;
        bool known = query_shared(win, rank, &size, &displacement, &base);
        *bytes = size;
        *unit = displacement;
        return known && *unit > 0;
    }
    const MPI_Aint *size = rank == own ? window_attribute(win, MPI_WIN_SIZE) : NULL;
    const int *displacement = size ? window_attribute(win, MPI_WIN_DISP_UNIT) : NULL;
    if (!displacement) {
        return false;
    }
    *bytes = *size;
    *unit = *displacement;
    return *bytes >= 0 && *unit > 0;
}

bool st_ask_file_mode(uint64_t handle, unsigned *mode)
{
    typedef int ask(MPI_File, int *);
    static _Atomic(void *) slot;
    ask *amode = (ask *)question(&slot, "PMPI_File_get_amode");
    MPI_File file;
    int bits = 0;
    memcpy(&file, &handle, sizeof file);
    const bool known = amode && amode(file, &bits) == MPI_SUCCESS;
    *mode = (bits & MPI_MODE_RDONLY ? ST_FILE_RDONLY : 0u) |
            (bits & MPI_MODE_WRONLY ? ST_FILE_WRONLY : 0u) |
            (bits & MPI_MODE_SEQUENTIAL ? ST_FILE_SEQUENTIAL : 0u);
    return known;
}

/* --- the end ------------------------------------------------------------------------------ */

static void (*at_end)(void);

/* The attribute is not copied to copies of MPI_COMM_SELF. */
static int not_copied(MPI_Comm comm, int keyval, void *state, void *value, void *copy, int *flag)
{
    (void)comm;
    (void)keyval;
    (void)state;
    (void)value;
    (void)copy;
    *flag = 0;
    return MPI_SUCCESS;
}

static int attribute_deleted(MPI_Comm comm, int keyval, void *value, void *state)
{
    (void)comm;
    (void)keyval;
    (void)value;
    (void)state;
    at_end();
    return MPI_SUCCESS;
}

void st_constants_at_end(void (*ends)(void))
{
    typedef int create_t(MPI_Comm_copy_attr_function *, MPI_Comm_delete_attr_function *, int *,
                         void *);
    typedef int set_t(MPI_Comm, int, void *);
    typedef int free_t(int *);
    create_t *create = (create_t *)st_mpi_function("PMPI_Comm_create_keyval");
    set_t *set = (set_t *)st_mpi_function("PMPI_Comm_set_attr");
    free_t *give_back = (free_t *)st_mpi_function("PMPI_Comm_free_keyval");
    int keyval;
    if (!create || !set || !give_back ||
        create(not_copied, attribute_deleted, &keyval, NULL) != MPI_SUCCESS) {
        return;
    }
    at_end = ends;
    set(comm_of(st_numbers.comm_self), keyval, NULL);
    give_back(&keyval); /* lives as long as the attribute */
}
