/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "runtime/check/fatal.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unwind.h>

#include "runtime/wrap/caller.h"
#include "runtime/check/check.h"
#include "runtime/wrap/constants.h"
#include "runtime/check/refused.h"
#include "runtime/record/root.h"
#include "runtime/wrap/inside.h"
#include "runtime/wrap/threads.h"

/* The objects that have error handlers, and the functions of each. MPI_Session gets a number here. */
enum st_owner { COMM, WIN, FILES, SESSION, OBJECTS };
/* UNSET: no handler was set. MPICH then returns MPI_ERRORS_ARE_FATAL, but see falls_back(). */
enum st_way { ARE_FATAL, ABORT, UNSET, WAYS };

static const struct {
    const char *get, *set, *call, *create;
    const char *fatal; /* Open MPI's own handler; it gets the function's name */
} names[OBJECTS] = {
#define OBJECT(name)                                                                               \
    .get = "PMPI_" name "_get_errhandler", .set = "PMPI_" name "_set_errhandler",                  \
    .call = "PMPI_" name "_call_errhandler", .create = "PMPI_" name "_create_errhandler"
    [COMM] = {OBJECT("Comm"), .fatal = "ompi_mpi_errors_are_fatal_comm_handler"},
    [WIN] = {OBJECT("Win"), .fatal = "ompi_mpi_errors_are_fatal_win_handler"},
    [FILES] = {OBJECT("File"), .fatal = "ompi_mpi_errors_are_fatal_file_handler"},
    [SESSION] = {OBJECT("Session"), .fatal = ""},
#undef OBJECT
};

/* The replacement for a predefined handler. MPI's handles have 4 or 8 bytes, here 8. */
struct st_stand_in {
    uint64_t handler;    /* 0: there is none */
    atomic_int borrowed; /* references that the program has, as references to the predefined
                            handler */
};
static struct st_stand_in stand_ins[OBJECTS][WAYS];
static uint64_t predefined[WAYS];
static atomic_bool begun;
static bool ends_late; /* the wrapper ends the job, not the handler */

/* What the program has set for MPI_COMM_SELF and MPI_COMM_WORLD; WAYS: a handler that returns. */
static atomic_int chosen[2] = {UNSET, UNSET};

static uint64_t value_of(MPI_Errhandler handler)
{
    return ST_VALUE(handler);
}

static MPI_Errhandler handler_of(uint64_t value)
{
    MPI_Errhandler handler;
    memcpy(&handler, &value, sizeof handler);
    return handler;
}

/* A handle is a number of 4 bytes or a pointer. */
static bool is_wide(enum st_owner object)
{
    return object == COMM    ? sizeof(MPI_Comm) == 8
           : object == WIN   ? sizeof(MPI_Win) == 8
           : object == FILES ? sizeof(MPI_File) == 8
                             : sizeof(MPI_Errhandler) == 8;
}

typedef int st_get_number(int, MPI_Errhandler *);
typedef int st_get_pointer(void *, MPI_Errhandler *);
typedef int st_set_number(int, MPI_Errhandler);
typedef int st_set_pointer(void *, MPI_Errhandler);
typedef int st_call_number(int, int);
typedef int st_call_pointer(void *, int);

/* Returns false if MPI does not say. */
static bool get_handler(enum st_owner object, uint64_t handle, MPI_Errhandler *handler)
{
    void *get = st_mpi_function(names[object].get);
    if (!get) {
        return false;
    }
    return (is_wide(object) ? ((st_get_pointer *)get)((void *)(uintptr_t)handle, handler)
                            : ((st_get_number *)get)((int)handle, handler)) == MPI_SUCCESS;
}

static void set_handler(enum st_owner object, uint64_t handle, uint64_t handler)
{
    void *set = st_mpi_function(names[object].set);
    if (!set) {
        return;
    }
    if (is_wide(object)) {
        ((st_set_pointer *)set)((void *)(uintptr_t)handle, handler_of(handler));
    } else {
        ((st_set_number *)set)((int)handle, handler_of(handler));
    }
}

static void call_handler(enum st_owner object, uint64_t handle, int code)
{
    void *call = st_mpi_function(names[object].call);
    if (!call) {
        return;
    }
    if (is_wide(object)) {
        ((st_call_pointer *)call)((void *)(uintptr_t)handle, code);
    } else {
        ((st_call_number *)call)((int)handle, code);
    }
}

/* --- when MPI refuses a call ------------------------------------------------------------------- */

/* A call that is not recorded: the innermost MPI function that the program called. */
struct st_local_unseen {
    const void *pc; /* where it returns to */
    const void *function;
};

static _Unwind_Reason_Code visit_frame(struct _Unwind_Context *context, void *data)
{
    struct st_local_unseen *unseen = data;
    const void *pc = (const void *)_Unwind_GetIP(context);
    if (!pc) {
        return _URC_END_OF_STACK;
    }
    if (st_caller_of(pc) == ST_CALLER_MPI) {
        unseen->function = pc;
        return _URC_NO_REASON;
    }
    unseen->pc = pc;
    return _URC_END_OF_STACK;
}

static void tell_unseen(int code)
{
    struct st_local_unseen unseen = {0};
    Dl_info info;
    _Unwind_Backtrace(visit_frame, &unseen);
    if (!unseen.pc || !unseen.function || !dladdr(unseen.function, &info) || !info.dli_sname) {
        return;
    }
    const char *name = info.dli_sname;
    name += strncmp(name, "PMPI_", 5) == 0;
    st_refused_unseen(strncmp(name, "MPI_", 4) == 0 ? name : "a function of MPI", unseen.pc, code);
}

/* Reports the refused call. Returns the name of its function, or NULL if it is not known. */
static const char *tell_refusal(int code, char name[64])
{
    const struct st_thread_call *shown = st_thread_call_innermost(__builtin_frame_address(0));
    if (!shown) {
        tell_unseen(code);
        return NULL;
    }
    st_refused((struct st_thread_call *)(uintptr_t)shown, code, true);
    const char *line = st_forms + shown->form;
    size_t length = strcspn(line, ":");
    memcpy(name, line, length < 63 ? length : 63);
    name[length < 63 ? length : 63] = 0;
    return name;
}

static void end_now(enum st_owner kind, enum st_way way, uint64_t handle, int code)
{
    set_handler(kind, handle, predefined[way]);
    call_handler(kind, handle, code);
}

/* What this thread must do when MPI returns to the wrapper. */
static _Thread_local struct st_local_end {
    bool wanted;
    enum st_owner kind;
    enum st_way way;
    uint64_t handle;
    int code;
} late __attribute__((tls_model("initial-exec")));

void st_fatal_refused(struct st_thread_call *shown, int code)
{
    if (late.wanted) {
        late.wanted = false;
        end_now(late.kind, late.way, late.handle, late.code);
    }
    st_refused(shown, code, false);
}

/* MPI-IO of MPICH calls MPI functions itself, and may hide that one has failed. */
static bool can_be_late(const char *function)
{
    return ends_late && function && strncmp(function, "MPI_File_", 9) != 0;
}

typedef void st_own_fatal(void *handle, int *code, ...);

static bool is_mpich_4_2(void)
{
    int major = 0, minor = 0;
    return sscanf(st_root.mpi_version, "MPICH Version: %d.%d", &major, &minor) == 2 &&
           (major > 4 || (major == 4 && minor >= 2));
}

/*
 * An object of MPICH without a handler uses that of MPI_COMM_WORLD, also if it is set later. From
 * 4.2 on it uses that of MPI_COMM_SELF, if one was set. Calls that handler. Returns false if the
 * job must be ended.
 */
static bool falls_back(uint64_t handle, int code)
{
    for (int i = is_mpich_4_2() ? 0 : 1; i < 2; i++) {
        uint64_t comm = i == 0 ? st_numbers.comm_self : st_numbers.comm_world;
        int way = atomic_load(&chosen[i]);
        if (way == UNSET || handle == comm) {
            continue;
        }
        if (way == WAYS) {
            call_handler(COMM, comm, code);
        }
        return way == WAYS;
    }
    return false;
}

/* Does what the predefined handler does; `object` points to a handle. */
static void end_job(enum st_owner kind, enum st_way way, void *object, int *code)
{
    char name[64];
    uint64_t handle = 0;
    memcpy(&handle, object, is_wide(kind) ? 8 : 4);
    if (way == UNSET && falls_back(handle, *code)) {
        return;
    }
    const char *function = tell_refusal(*code, name);
    st_mpi_aborts();
    st_own_fatal *fatal = (st_own_fatal *)st_mpi_function(names[kind].fatal);
    if (fatal && way == ARE_FATAL) {
        fatal(object, code, function ? function : "MPI", NULL);
    }
    if (can_be_late(function)) {
        late = (struct st_local_end){true, kind, way, handle, *code};
    } else {
        end_now(kind, way, handle, *code);
    }
}

#define HANDLER(name, kind, way, type)                                                             \
    static void name(type *object, int *code, ...)                                                 \
    {                                                                                              \
        end_job(kind, way, object, code);                                                          \
    }
HANDLER(comm_fatal, COMM, ARE_FATAL, MPI_Comm)
HANDLER(comm_abort, COMM, ABORT, MPI_Comm)
HANDLER(comm_unset, COMM, UNSET, MPI_Comm)
HANDLER(win_fatal, WIN, ARE_FATAL, MPI_Win)
HANDLER(win_abort, WIN, ABORT, MPI_Win)
HANDLER(win_unset, WIN, UNSET, MPI_Win)
HANDLER(file_fatal, FILES, ARE_FATAL, MPI_File)
HANDLER(file_abort, FILES, ABORT, MPI_File)
HANDLER(file_unset, FILES, UNSET, MPI_File)
HANDLER(session_fatal, SESSION, ARE_FATAL, MPI_Errhandler)
HANDLER(session_abort, SESSION, ABORT, MPI_Errhandler)
HANDLER(session_unset, SESSION, UNSET, MPI_Errhandler)

/* --- which handler an object has ---------------------------------------------------------------- */

static enum st_owner object_of(enum st_kind kind)
{
    return kind == ST_KIND_COMM   ? COMM
           : kind == ST_KIND_WIN  ? WIN
           : kind == ST_KIND_FILE ? FILES
                                  : SESSION;
}

/* Returns WAYS if it is not one of the predefined ones that end the job. */
static enum st_way way_of(MPI_Errhandler handler)
{
    for (int way = 0; way < WAYS; way++) {
        if (predefined[way] && value_of(handler) == predefined[way]) {
            return (enum st_way)way;
        }
    }
    return WAYS;
}

static void create_handler(enum st_owner object, enum st_way way, void *function)
{
    typedef int create_t(void *function, MPI_Errhandler *handler);
    create_t *make = (create_t *)st_mpi_function(names[object].create);
    MPI_Errhandler handler;
    if (predefined[way] && make && make(function, &handler) == MPI_SUCCESS) {
        stand_ins[object][way].handler = value_of(handler);
    }
}

static bool locks_while_it_calls(void)
{
    typedef int question(int *);
    question *ask = (question *)st_mpi_function("PMPI_Query_thread");
    int level;
    return ST_MPI == ST_MPI_MPICH &&
           (!ask || ask(&level) != MPI_SUCCESS || level == MPI_THREAD_MULTIPLE);
}

static void create_handlers(void)
{
    void *const functions[OBJECTS][WAYS] = {
        [COMM] = {(void *)comm_fatal, (void *)comm_abort, (void *)comm_unset},
        [WIN] = {(void *)win_fatal, (void *)win_abort, (void *)win_unset},
        [FILES] = {(void *)file_fatal, (void *)file_abort, (void *)file_unset},
        [SESSION] = {(void *)session_fatal, (void *)session_abort, (void *)session_unset},
    };
    predefined[ARE_FATAL] = st_constant_named("MPI_ERRORS_ARE_FATAL");
    predefined[ABORT] = st_constant_named("MPI_ERRORS_ABORT");
    predefined[UNSET] = ST_MPI == ST_MPI_MPICH ? predefined[ARE_FATAL] : 0;
    for (int object = 0; object < OBJECTS; object++) {
        for (int way = 0; way < WAYS; way++) {
            create_handler((enum st_owner)object, (enum st_way)way, functions[object][way]);
        }
    }
}

/* The reference that MPI returns is kept if the handler was replaced: so MPI's own count is right. */
void st_fatal_adopt(enum st_kind kind, uint64_t handle)
{
    enum st_owner object = object_of(kind);
    MPI_Errhandler handler;
    typedef int free_t(MPI_Errhandler *);
    free_t *give_back = (free_t *)st_mpi_function("PMPI_Errhandler_free");
    if (!atomic_load_explicit(&begun, memory_order_acquire) || !give_back ||
        !get_handler(object, handle, &handler)) {
        return;
    }
    enum st_way way = way_of(handler);
    if (way == ARE_FATAL && stand_ins[object][UNSET].handler) {
        way = UNSET;
    }
    if (way != WAYS && stand_ins[object][way].handler) {
        set_handler(object, handle, stand_ins[object][way].handler);
    } else {
        give_back(&handler);
    }
}

void st_fatal_begin(bool world)
{
    if (!atomic_load(&begun)) {
        create_handlers();
        ends_late = locks_while_it_calls();
        atomic_store_explicit(&begun, true, memory_order_release);
    }
    if (world) {
        st_fatal_adopt(ST_KIND_COMM, st_numbers.comm_world);
        st_fatal_adopt(ST_KIND_COMM, st_numbers.comm_self);
    }
}

MPI_Errhandler st_fatal_stand_in(enum st_kind kind, MPI_Errhandler handler)
{
    if (!atomic_load_explicit(&begun, memory_order_acquire)) {
        return handler;
    }
    enum st_way way = way_of(handler);
    uint64_t own = way == WAYS ? 0 : stand_ins[object_of(kind)][way].handler;
    return own ? handler_of(own) : handler;
}

MPI_Errhandler st_fatal_set(MPI_Comm comm, MPI_Errhandler handler)
{
    uint64_t handle = ST_VALUE(comm);
    if (handle == st_numbers.comm_self || handle == st_numbers.comm_world) {
        atomic_store(&chosen[handle == st_numbers.comm_world], (int)way_of(handler));
    }
    return st_fatal_stand_in(ST_KIND_COMM, handler);
}

void st_fatal_hide(MPI_Errhandler *handler)
{
    if (!handler || !atomic_load_explicit(&begun, memory_order_acquire)) {
        return;
    }
    for (int object = 0; object < OBJECTS; object++) {
        for (int way = 0; way < WAYS; way++) {
            if (stand_ins[object][way].handler == value_of(*handler) &&
                stand_ins[object][way].handler) {
                atomic_fetch_add(&stand_ins[object][way].borrowed, 1);
                *handler = handler_of(predefined[way]);
                return;
            }
        }
    }
}

static bool take_one(atomic_int *count)
{
    int now = atomic_load(count);
    while (now > 0) {
        if (atomic_compare_exchange_weak(count, &now, now - 1)) {
            return true;
        }
    }
    return false;
}

static bool lent(enum st_way way, MPI_Errhandler *own)
{
    for (int object = 0; object < OBJECTS; object++) {
        if (take_one(&stand_ins[object][way].borrowed)) {
            *own = handler_of(stand_ins[object][way].handler);
            return true;
        }
    }
    return false;
}

bool st_fatal_lent(const MPI_Errhandler *handler, MPI_Errhandler *own)
{
    if (!handler || !atomic_load_explicit(&begun, memory_order_acquire)) {
        return false;
    }
    enum st_way way = way_of(*handler);
    return way != WAYS && (lent(way, own) || (way == ARE_FATAL && lent(UNSET, own)));
}
