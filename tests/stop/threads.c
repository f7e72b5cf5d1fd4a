/*
 * A rank with two threads that create and free types, stopped at random, and read; then read while
 * it runs.
 *
 *     [ST_SEED=N] [ST_STOPS=N] threads LIBRARY RANK
 *
 * At every stop all that the registry holds must decode, and agree with what the threads
 * (threads_rank.c) say of themselves: a type that is there for its thread is found under its handle
 * with its parameters, commit state and name; one whose free has returned is not among the live.
 * Of a rank that runs, nothing can be promised but a sentence and an end.
 *
 * The last line is "N passed, N failed": a stop is a check.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/decode/calls.h"
#include "core/decode/decode.h"
#include "describe.h"
#include "image.h"
#include "rank.h"

enum {
    STOPS = 5000,
    DESCRIBED = 10, /* every so many stops are read down to the last site */
    READINGS = 500, /* while it runs */
    COMPLAINTS = 5
};

struct watch {
    struct rank rank;
    struct stop_held held[STOP_THREADS][STOP_HELD]; /* at the stop */
    uint64_t passed, failed, halfway, types, running;
    bool good; /* this stop */
};

static void complain(struct watch *watch, const char *what, const struct stop_held *held)
{
    if (watch->good && watch->failed < COMPLAINTS) {
        printf("FAIL: stop %" PRIu64 ": %s", watch->passed + watch->failed + 1, what);
        if (held) {
            printf(" (type %" PRIu32 ", handle %" PRIx64 ", phase %" PRIu32 ")", held->id,
                   held->handle, held->phase);
        }
        putchar('\n');
    }
    watch->good = false;
}

/* --- a type and its thread ---------------------------------------------------------------------
 */

/* Where make() of threads_rank.c puts the id; 0: in no type of its. */
static int64_t id_of(const struct st_type *type)
{
    switch (type->combiner) {
    case ST_CONTIGUOUS:
        return type->args[0];
    case ST_VECTOR:
        return type->args[2];
    case ST_INDEXED:
    case ST_STRUCT:
        return type->entries == 2 ? type->lengths[1] : 0;
    case ST_INDEXED_BLOCK:
        return type->entries == 3 && type->offsets[2] == 2 * type->offsets[0] ? type->offsets[0]
                                                                              : 0;
    default:
        return 0;
    }
}

static const struct stop_held *held_of(const struct watch *watch, int64_t id)
{
    for (int thread = 0; thread < STOP_THREADS; thread++) {
        for (int i = 0; i < STOP_HELD; i++) {
            const struct stop_held *held = &watch->held[thread][i];
            if (held->phase != STOP_NONE && held->id == id) {
                return held;
            }
        }
    }
    return NULL;
}

static void check_held(struct watch *watch, struct st_registry *registry,
                       const struct stop_held *held)
{
    const struct st_type *type;
    char name[32];
    if (held->phase < STOP_CREATED || held->phase > STOP_NAMED) {
        return;
    }
    if (st_registry_find(registry, held->handle, &type, NULL) != ST_LIVE) {
        complain(watch, "a type in use is not found", held);
        return;
    }
    snprintf(name, sizeof name, "type %" PRIu32, held->id);
    if (id_of(type) != held->id) {
        complain(watch, "the handle is another type's", held);
    }
    if (held->phase >= STOP_COMMITTED && !(type->flags & ST_COMMITTED)) {
        complain(watch, "a committed type is not", held);
    }
    if (held->phase < STOP_COMMITTING && (type->flags & ST_COMMITTED)) {
        complain(watch, "a type is committed that nobody committed", held);
    }
    if (((type->flags & ST_COMMITTED) != 0) != (type->committed != ST_NO_SITE)) {
        complain(watch, "commit state and place do not agree", held);
    }
    if (held->phase == STOP_NAMED && (!type->name || strcmp(type->name, name) != 0)) {
        complain(watch, "a type has not its name", held);
    }
    if (held->phase < STOP_NAMING && type->name) {
        complain(watch, "a type has a name that nobody gave it", held);
    }
    if (type->created == ST_NO_SITE || type->freed != ST_NO_SITE) {
        complain(watch, "a type in use has not its places", held);
    }
}

static void check_live(struct watch *watch, struct st_registry *registry)
{
    struct st_row *rows = NULL;
    size_t count;
    struct st_damage damage;
    struct st_fault fault = {0};
    if (st_registry_rows(registry, &rows, &count, &damage, &fault)) {
        complain(watch, "the types cannot be listed", NULL);
        return;
    }
    if (damage.fault.error) {
        complain(watch, "the list of types is damaged", NULL);
    }
    watch->types += count;
    for (size_t i = 0; i < count; i++) {
        const struct st_type *type;
        if (st_registry_type(registry, rows[i].ordinal, rows[i].serial, &type, &fault)) {
            complain(watch, "a listed type cannot be read", NULL);
        } else if (rows[i].live && !(type->flags & ST_PREDEFINED) && id_of(type) != STOP_BASE &&
                   !held_of(watch, id_of(type))) {
            complain(watch, "a type is live that its thread has freed", NULL);
        } else if (rows[i].tombstone && (type->freed == ST_NO_SITE || !(type->flags & ST_FREED))) {
            complain(watch, "a tombstone does not say where it was freed", NULL);
        }
    }
    free(rows);
}

/* The calls that the threads are in. */
static void check_calls(struct watch *watch, struct st_registry *registry)
{
    uint64_t address = st_registry_root(registry)->threads;
    for (uint32_t number = 0; address;) {
        struct st_thread thread;
        struct st_call_form form;
        if (st_registry_thread(registry, &address, &number, &thread, NULL)) {
            complain(watch, "a thread cannot be read", NULL);
            return;
        }
        for (int i = 0; i < ST_THREAD_CALLS; i++) {
            const struct st_thread_call *call = &thread.calls[i];
            uint32_t state = (uint32_t)call->state;
            if (state == ST_CALL_NONE) {
                continue;
            }
            if (state > ST_CALL_RETURNED || !call->pc ||
                st_registry_form(registry, call->form, &form, NULL) ||
                strncmp(form.function, "MPI_", 4) != 0) {
                complain(watch, "a call is not one of MPI's", NULL);
            } else if (state == ST_CALL_RUNNING) {
                watch->running++;
            }
        }
    }
}

static void check_operations(struct watch *watch, struct st_registry *registry)
{
    struct st_operation_list list;
    struct st_damage damage;
    if (st_registry_operations(registry, &list, &damage, NULL)) {
        complain(watch, "the operations cannot be read", NULL);
        return;
    }
    if (damage.fault.error || damage.read != damage.all) {
        complain(watch, "the list of operations is damaged", NULL);
    }
    st_operations_free(&list);
}

/* --- stops -------------------------------------------------------------------------------------
 */

static void look(struct watch *watch)
{
    struct st_registry *registry;
    struct st_fault fault = {0};
    struct description all;
    const struct stop_board *board = watch->rank.board;
    watch->good = true;
    memcpy(watch->held, board->held, sizeof watch->held);
    rank_forget(&watch->rank);
    if (st_registry_open(&registry, rank_read, &watch->rank, board->root, &fault)) {
        complain(watch, "the registry cannot be opened", NULL);
    } else {
        watch->halfway += st_registry_root(registry)->changes % 2;
        check_live(watch, registry);
        check_calls(watch, registry);
        check_operations(watch, registry);
        for (int i = 0; i < STOP_THREADS * STOP_HELD; i++) {
            check_held(watch, registry, &watch->held[i / STOP_HELD][i % STOP_HELD]);
        }
        st_registry_close(registry);
    }
    if ((watch->passed + watch->failed) % DESCRIBED == 0) {
        struct known known = {0};
        if (!describe(&all, rank_read, &watch->rank, board->root, &known)) {
            complain(watch, all.text, NULL);
        }
        free(all.text);
        free(known.handles);
    }
    watch->passed += watch->good;
    watch->failed += !watch->good;
}

static bool stop(struct watch *watch)
{
    int status;
    return kill(watch->rank.pid, SIGSTOP) == 0 &&
           waitpid(watch->rank.pid, &status, WUNTRACED) == watch->rank.pid && WIFSTOPPED(status);
}

static bool watch_stops(struct watch *watch, uint64_t stops, uint64_t *seed)
{
    for (uint64_t i = 0; i < stops; i++) {
        struct timespec pause = {.tv_nsec = image_between(seed, 0, 100000)};
        nanosleep(&pause, NULL);
        if (!stop(watch)) {
            puts("FAIL: the rank was lost");
            watch->failed++;
            return false;
        }
        look(watch);
        kill(watch->rank.pid, SIGCONT);
    }
    return true;
}

static void watch_running(struct watch *watch)
{
    int whole = 0;
    struct known known = {0};
    for (int i = 0; i < READINGS; i++) {
        struct description all;
        rank_forget(&watch->rank);
        whole += describe(&all, rank_read, &watch->rank, watch->rank.board->root, &known);
        free(all.text);
        known.count = 0;
    }
    free(known.handles);
    watch->passed++;
    printf("read %d times while it ran: %d times a sound registry came out\n", READINGS, whole);
}

static bool wait_for_root(const struct watch *watch)
{
    for (int i = 0; i < 6000 && !__atomic_load_n(&watch->rank.board->root, __ATOMIC_ACQUIRE); i++) {
        usleep(10000);
    }
    return watch->rank.board->root != 0;
}

static void wait_for_end(struct watch *watch)
{
    __atomic_store_n(&watch->rank.board->done, 1, __ATOMIC_RELEASE);
    siginfo_t info = {0};
    for (int i = 0; i < 6000 && !info.si_pid; i++) {
        usleep(10000);
        waitid(P_PID, (id_t)watch->rank.pid, &info, WEXITED | WNOHANG | WNOWAIT);
    }
}

int main(int argc, char **argv)
{
    static struct watch watch;
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (argc != 3) {
        fputs("usage: threads LIBRARY RANK\n", stderr);
        return 2;
    }
    const char *wanted = getenv("ST_STOPS");
    uint64_t stops = wanted ? strtoull(wanted, NULL, 10) : STOPS, seed = image_seed(314159);
    char *const rank_argv[] = {argv[2], NULL};
    if (!rank_start(&watch.rank, argv[1], rank_argv, false) || !wait_for_root(&watch)) {
        puts("FAIL: the rank does not come up");
        watch.failed++;
    } else if (watch.rank.board->unsupported) {
        wait_for_end(&watch);
        rank_end(&watch.rank);
        puts("SKIP: threads (this MPI has no MPI_THREAD_MULTIPLE)\n0 passed, 0 failed, 1 skipped");
        return 0;
    } else if (watch_stops(&watch, stops, &seed)) {
        watch_running(&watch);
        wait_for_end(&watch);
    }
    printf("%" PRIu64 " stops, %" PRIu64 " of them in the middle of a change, %" PRIu64
           " types read, %" PRIu64 " calls under way; the threads made %" PRIu64 " and %" PRIu64
           " steps\n",
           stops, watch.halfway, watch.types, watch.running, watch.rank.board->rounds[0],
           watch.rank.board->rounds[1]);
    if (watch.halfway == 0) {
        puts("FAIL: no stop was in the middle of a change: this shows nothing");
        watch.failed++;
    }
    if (watch.running == 0) {
        puts("FAIL: no stop was in the middle of a call: this shows nothing");
        watch.failed++;
    }
    if (!rank_end(&watch.rank)) {
        puts("FAIL: the rank has not ended well");
        watch.failed++;
    }
    printf("%" PRIu64 " passed, %" PRIu64 " failed\n", watch.passed, watch.failed);
    return watch.failed != 0 || watch.passed == 0;
}
