/*
 * A rank, one instruction after the other, through everything that the recorder does to the
 * registry; and at each stop, all that a debugger can read of it.
 *
 *     [STOP_CPU=N] [STOP_OVER=OFFSET] steps LIBRARY TOOL RANK
 *
 * The rank (steps_rank.c) says by a signal where a part begins and ends. In between it is stepped,
 * except through the code of MPI and of the tool (recorder/free_tool.c), which runs to its return; and
 * so does the function at OFFSET in the library, which is to be one that stores nothing that is read.
 * At every stop the types must read as they did before the change or as they do after it, and the
 * pending operations and the call in progress as pending.h says. A stop at which every byte that the
 * last reading looked at still stands is not read again: the same would come out. After an
 * instruction that stores nothing, or elsewhere (stores.h), that is not even asked; with STOP_ASK=1 in
 * the environment it is, and a change there has failed.
 *
 * The last line is "N passed, N failed": a part is a check, with no stop it has failed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "describe.h"
#include "pending.h"
#include "rank.h"
#include "stores.h"

#ifdef __x86_64__

/* --- where the rank is -------------------------------------------------------------------------
 */

enum place { OURS, BESIDE, FOREIGN }; /* the recorder; the program, the C library; anything else */

struct range {
    uint64_t low, high;
    enum place place;
    unsigned char *code; /* NULL: not needed */
};

struct walk {
    struct rank rank;
    struct range ranges[512];
    size_t range_count;
    uint64_t library;          /* where it is loaded */
    uint64_t over;             /* STOP_OVER; 0: none */
    const struct range *range; /* where the last address lay that was looked for; NULL: none */
    struct user_regs_struct registers;
    uint64_t was; /* the address of the next instruction at the last stop */
    bool asks;    /* STOP_ASK */
    struct known known;
    struct rank
        view; /* of the rank, for what is pending: it changes at other times than the types */
    struct pending pending;
    int passed, failed;

    /* The part that is being stepped through. */
    struct description before, after; /* after.text NULL: nothing changed yet */
    struct description settled, next; /* where the last change ended; what is new since then */
    struct description last;          /* at the last reading */
    uint64_t stops, readings, pending_readings, states;
    int complaints;
};

static enum place place_of(const char *path, const char *library, const char *program)
{
    const char *name = strrchr(path, '/');
    name = name ? name + 1 : path;
    if (strcmp(path, library) == 0) {
        return OURS;
    }
    bool beside = strcmp(path, program) == 0 || strncmp(name, "libc.so", 7) == 0 ||
                  strncmp(name, "libc-", 5) == 0 || strncmp(name, "ld-linux", 8) == 0;
    return beside ? BESIDE : FOREIGN;
}

static void forget_ranges(struct walk *walk)
{
    for (size_t i = 0; i < walk->range_count; i++) {
        free(walk->ranges[i].code);
    }
    walk->range_count = 0;
    walk->range = NULL;
}

/* The code of a range that is stepped through. */
static unsigned char *read_code(const struct walk *walk, const struct range *range)
{
    size_t length = range->high - range->low;
    unsigned char *code = range->place == FOREIGN ? NULL : malloc(length);
    if (code && pread(walk->rank.memory, code, length, (off_t)range->low) != (ssize_t)length) {
        free(code);
        return NULL;
    }
    return code;
}

static bool read_ranges(struct walk *walk, const char *library, const char *program)
{
    char path[64], line[PATH_MAX + 128];
    snprintf(path, sizeof path, "/proc/%d/maps", (int)walk->rank.pid);
    FILE *maps = fopen(path, "r");
    forget_ranges(walk);
    walk->library = 0;
    while (maps && fgets(line, sizeof line, maps)) {
        uint64_t low, high;
        char mode[8], file[PATH_MAX] = "";
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %*s %*s %*s %4095[^\n]", &low, &high, mode,
                   file) < 3) {
            continue;
        }
        enum place place = place_of(file, library, program);
        if (place == OURS && !walk->library) {
            walk->library = low;
        }
        if (mode[2] == 'x' && walk->range_count < sizeof walk->ranges / sizeof *walk->ranges) {
            struct range *range = &walk->ranges[walk->range_count++];
            *range = (struct range){.low = low, .high = high, .place = place};
            range->code = read_code(walk, range);
        }
    }
    if (maps) {
        fclose(maps);
    }
    return walk->library != 0;
}

static const struct range *range_of(struct walk *walk, uint64_t pc)
{
    if (walk->range && pc >= walk->range->low && pc < walk->range->high) {
        return walk->range;
    }
    for (size_t i = 0; i < walk->range_count; i++) {
        if (pc >= walk->ranges[i].low && pc < walk->ranges[i].high) {
            return walk->range = &walk->ranges[i];
        }
    }
    return NULL;
}

static enum place where(struct walk *walk, uint64_t pc)
{
    const struct range *range = range_of(walk, pc);
    return range ? range->place : FOREIGN;
}

/* What the instruction stores that is executed next. */
static struct store next_store(struct walk *walk)
{
    uint64_t pc = walk->registers.rip;
    const struct range *range = range_of(walk, pc);
    if (!range || !range->code || range->high - pc < LONGEST_INSTRUCTION) {
        return (struct store){.length = STORES_ANYWHERE};
    }
    return store_of(range->code + (pc - range->low), &walk->registers);
}

/* Whether a store may change what a reader has found. */
static bool may_be_seen(const struct rank *view, struct store store)
{
    return store.length == STORES_ANYWHERE || view->piece_count == 0 ||
           (store.length != 0 && rank_may_have_read(view, store.address, store.length));
}

/* --- what is seen at a stop --------------------------------------------------------------------
 */

static void complain(struct walk *walk, const char *what, const struct description *expected,
                     const struct description *found)
{
    if (walk->complaints++ >= 3) {
        return;
    }
    printf("    stop %" PRIu64 ", after the instruction at %s+0x%" PRIx64 ": %s\n", walk->stops,
           where(walk, walk->was) == OURS ? "libshadowtype" : "",
           where(walk, walk->was) == OURS ? walk->was - walk->library : walk->was, what);
    if (expected) {
        description_show_difference(expected, found);
    }
}

static void replace(struct description *old, struct description *by)
{
    free(old->text);
    *old = *by;
    *by = (struct description){0};
}

static struct description copy_of(const struct description *from)
{
    struct description copy = *from;
    copy.text = malloc(from->length + 1);
    if (!copy.text) {
        abort();
    }
    memcpy(copy.text, from->text, from->length + 1);
    return copy;
}

/* Over the whole part: the old, then the new, nothing else. */
static void check_part(struct walk *walk, const struct description *now)
{
    if (!walk->after.text && description_equal(now, &walk->before)) {
        return;
    }
    if (!walk->after.text) {
        walk->after = copy_of(now);
        walk->states++;
    } else if (!description_equal(now, &walk->after)) {
        complain(walk, "neither as before nor as after (seen since)", &walk->after, now);
    }
}

static void settle(struct walk *walk, const struct description *at)
{
    struct description state = copy_of(at), none = {0};
    replace(&walk->settled, &state);
    replace(&walk->next, &none);
}

/* The number of the change that a value of root.changes is in, or that it is the end of. */
static uint64_t change_of(uint64_t changes)
{
    return (changes + 1) / 2;
}

/* Within each change: the old, then the new, nothing else. */
static void check_change(struct walk *walk, struct description *now)
{
    if (change_of(now->changes) != change_of(walk->last.changes)) {
        settle(walk, &walk->last);
    }
    bool same = description_equal(now, &walk->settled);
    if (now->changes == walk->settled.changes && !same) {
        complain(walk, "another state though root.changes is the same", &walk->settled, now);
    }
    if (walk->next.text && !description_equal(now, &walk->next)) {
        complain(walk, "a third state within one change", &walk->next, now);
    } else if (!walk->next.text && !same) {
        walk->next = copy_of(now);
        walk->states++;
    }
    if (now->changes % 2 == 0) {
        settle(walk, now);
    }
    replace(&walk->last, now);
}

static void look_at_pending(struct walk *walk)
{
    if (rank_unchanged(&walk->view)) {
        return;
    }
    rank_forget(&walk->view);
    walk->pending_readings++;
    if (!pending_look(&walk->pending, rank_read, &walk->view, walk->rank.board->root)) {
        complain(walk, walk->pending.wrong, NULL, NULL);
    }
}

static void look_at_types(struct walk *walk)
{
    struct description now;
    if (rank_unchanged(&walk->rank)) {
        return;
    }
    rank_forget(&walk->rank);
    walk->readings++;
    if (!describe(&now, rank_read, &walk->rank, walk->rank.board->root, &walk->known)) {
        complain(walk, now.text, NULL, NULL);
    } else if (walk->rank.board->rule == STOP_CHANGES) {
        check_change(walk, &now);
    } else {
        check_part(walk, &now);
    }
    free(now.text);
}

static void look(struct walk *walk, struct store store)
{
    if (walk->asks || may_be_seen(&walk->rank, store)) {
        look_at_types(walk);
    }
    if (walk->asks || may_be_seen(&walk->view, store)) {
        look_at_pending(walk);
    }
}

/* --- moving on ---------------------------------------------------------------------------------
 */

enum { MARK = SIGUSR1 };

/* Goes on by `request` until the next stop that is ours. False: the rank has ended. */
static bool resume(struct walk *walk, enum __ptrace_request request, int *signal)
{
    int status;
    uintptr_t pass = 0;
    for (;;) {
        if (ptrace(request, walk->rank.pid, NULL, pass) != 0 ||
            waitpid(walk->rank.pid, &status, __WALL) != walk->rank.pid || !WIFSTOPPED(status)) {
            return false;
        }
        *signal = WSTOPSIG(status);
        if (*signal == SIGTRAP || *signal == MARK) {
            return ptrace(PTRACE_GETREGS, walk->rank.pid, NULL, &walk->registers) == 0;
        }
        pass = (uintptr_t)*signal;
    }
}

static bool set_pc(struct walk *walk, uint64_t pc)
{
    walk->registers.rip = pc;
    return ptrace(PTRACE_SETREGS, walk->rank.pid, NULL, &walk->registers) == 0;
}

/* From the first instruction of a function of MPI's to its return, at full speed. */
static bool run_to_return(struct walk *walk)
{
    static const unsigned char breakpoint = 0xcc;
    unsigned char instruction;
    uint64_t back, sp = walk->registers.rsp;
    int signal;
    if (pread(walk->rank.memory, &back, sizeof back, (off_t)sp) != sizeof back ||
        where(walk, back) == FOREIGN ||
        pread(walk->rank.memory, &instruction, 1, (off_t)back) != 1 ||
        !rank_write(&walk->rank, back, &breakpoint, 1)) {
        printf("    cannot run the call from 0x%" PRIx64 " to its return\n", walk->was);
        return false;
    }
    do {
        if (!resume(walk, PTRACE_CONT, &signal) || signal == MARK) {
            return false;
        }
        /* Deeper in a recursion: over the breakpoint, and on. */
        if (walk->registers.rip == back + 1 && walk->registers.rsp <= sp &&
            !(rank_write(&walk->rank, back, &instruction, 1) && set_pc(walk, back) &&
              resume(walk, PTRACE_SINGLESTEP, &signal) &&
              rank_write(&walk->rank, back, &breakpoint, 1))) {
            return false;
        }
    } while (walk->registers.rip != back + 1 || walk->registers.rsp <= sp);
    return rank_write(&walk->rank, back, &instruction, 1) && set_pc(walk, back);
}

static bool run_to_mark(struct walk *walk)
{
    int signal;
    do {
        if (!resume(walk, PTRACE_CONT, &signal)) {
            return false;
        }
    } while (signal != MARK);
    return true;
}

/* --- a part ------------------------------------------------------------------------------------
 */

/* STOP_ASK: what is left out for a store that nobody can see has not changed. */
static void check_store(struct walk *walk, struct store store)
{
    if ((!may_be_seen(&walk->rank, store) && !rank_unchanged(&walk->rank)) ||
        (!may_be_seen(&walk->view, store) && !rank_unchanged(&walk->view))) {
        complain(walk, "an instruction that was to store elsewhere has changed something", NULL,
                 NULL);
    }
}

static bool step_to_mark(struct walk *walk)
{
    for (;;) {
        int signal;
        struct store store = next_store(walk);
        walk->was = walk->registers.rip;
        if (!resume(walk, PTRACE_SINGLESTEP, &signal)) {
            return false;
        }
        if (signal == MARK) {
            return true;
        }
        if (where(walk, walk->registers.rip) == FOREIGN ||
            (walk->over && walk->registers.rip == walk->library + walk->over)) {
            store.length = STORES_ANYWHERE;
            if (!run_to_return(walk)) {
                return false;
            }
        }
        walk->stops += where(walk, walk->registers.rip) == OURS;
        if (walk->asks) {
            check_store(walk, store);
        }
        look(walk, store);
    }
}

static void finish_part(struct walk *walk, const char *part)
{
    struct description end;
    if (!describe(&end, rank_read, &walk->rank, walk->rank.board->root, &walk->known)) {
        complain(walk, end.text, NULL, NULL);
    }
    const struct description *last = walk->after.text ? &walk->after : &walk->before;
    if (walk->rank.board->rule != STOP_CHANGES && !description_equal(&end, last)) {
        complain(walk, "at the end it is another state again", last, &end);
    }
    if (walk->rank.board->rule == STOP_SAME && walk->after.text) {
        complain(walk, "nothing was to change", NULL, NULL);
    }
    if (walk->rank.board->rule != STOP_SAME && walk->states < 2) {
        complain(walk, "nothing has changed", NULL, NULL);
    }
    if (walk->stops == 0) {
        complain(walk, "no stop", NULL, NULL);
    }
    if (!pending_end(&walk->pending)) {
        complain(walk, walk->pending.wrong, NULL, NULL);
    }
    free(end.text);
    bool good = walk->complaints == 0;
    walk->passed += good;
    walk->failed += !good;
    printf("%s: %s: %" PRIu64 " stops, %" PRIu64
           " of them with something changed in types, %" PRIu64
           " in calls and operations; %zu types, %" PRIu64 " states\n",
           good ? "PASS" : "FAIL", part, walk->stops, walk->readings, walk->pending_readings,
           walk->before.types, walk->states);
}

static bool step_through_part(struct walk *walk)
{
    char part[sizeof walk->rank.board->part];
    snprintf(part, sizeof part, "%s", walk->rank.board->part);
    walk->stops = walk->readings = walk->pending_readings = 0;
    walk->states = 1;
    walk->complaints = 0;
    rank_forget(&walk->rank);
    if (!describe(&walk->before, rank_read, &walk->rank, walk->rank.board->root, &walk->known)) {
        complain(walk, walk->before.text, NULL, NULL);
    }
    rank_forget(&walk->view);
    if (!pending_begin(&walk->pending, &walk->rank.board->operations, rank_read, &walk->view,
                       walk->rank.board->root)) {
        complain(walk, walk->pending.wrong, NULL, NULL);
    }
    walk->settled = copy_of(&walk->before);
    walk->last = copy_of(&walk->before);
    bool done = step_to_mark(walk);
    if (done) {
        finish_part(walk, part);
    } else {
        printf("FAIL: %s: the rank was lost after %" PRIu64 " stops\n", part, walk->stops);
        walk->failed++;
    }
    struct description none = {0};
    replace(&walk->before, &none);
    replace(&walk->after, &none);
    replace(&walk->settled, &none);
    replace(&walk->next, &none);
    replace(&walk->last, &none);
    return done;
}

/* The n-th of those that we may run on. */
static void stay_on_cpu(unsigned long n)
{
    cpu_set_t all, one;
    if (sched_getaffinity(0, sizeof all, &all) != 0) {
        return;
    }
    n %= (unsigned long)CPU_COUNT(&all);
    for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (CPU_ISSET(cpu, &all) && n-- == 0) {
            CPU_ZERO(&one);
            CPU_SET(cpu, &one);
            sched_setaffinity(0, sizeof one, &one);
        }
    }
}

int main(int argc, char **argv)
{
    static struct walk walk;
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (argc != 4) {
        fputs("usage: steps LIBRARY TOOL RANK\n", stderr);
        return 2;
    }
    char *library = realpath(argv[1], NULL), *program = realpath(argv[3], NULL);
    char preload[2 * PATH_MAX];
    snprintf(preload, sizeof preload, "%s %s", argv[1], argv[2]);
    char *const rank_argv[] = {program, NULL};
    const char *cpu = getenv("STOP_CPU");
    const char *over = getenv("STOP_OVER");
    walk.over = over ? strtoull(over, NULL, 16) : 0;
    walk.asks = getenv("STOP_ASK") != NULL;
    stay_on_cpu(cpu ? strtoul(cpu, NULL, 10) : 0); /* with the rank: stepping is to and fro */
    bool started = library && program && rank_start(&walk.rank, preload, rank_argv, true);
    uint64_t stops = 0;
    while (started && run_to_mark(&walk) && !walk.rank.board->done) {
        if (!walk.view.board) {
            walk.view = rank_view(&walk.rank);
        }
        if (!read_ranges(&walk, library, program)) {
            puts("FAIL: the library is not preloaded");
            walk.failed++;
            break;
        }
        if (!step_through_part(&walk)) {
            break;
        }
        stops += walk.stops;
    }
    bool done = started && walk.rank.board->done;
    if (done) {
        siginfo_t info;
        ptrace(PTRACE_DETACH, walk.rank.pid, NULL, NULL);
        waitid(P_PID, (id_t)walk.rank.pid, &info, WEXITED | WNOWAIT);
    }
    pending_free(&walk.pending);
    rank_view_end(&walk.view);
    if (!rank_end(&walk.rank)) {
        puts(done ? "FAIL: the rank says that a part shows nothing"
                  : "FAIL: the rank did not come to its end");
        walk.failed++;
    }
    forget_ranges(&walk);
    free(walk.known.handles);
    free(library);
    free(program);
    printf("%" PRIu64 " stops in all\n%d passed, %d failed\n", stops, walk.passed, walk.failed);
    return walk.failed != 0 || walk.passed == 0;
}

#else

int main(void)
{
    puts("SKIP: steps (it knows the registers of x86-64 only)\n0 passed, 0 failed, 1 skipped");
    return 0;
}

#endif
