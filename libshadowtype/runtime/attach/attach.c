/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "runtime/attach/attach.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "report/on_error.h"
#include "report/writer.h"
#include "runtime/attach/helper.h"
#include "runtime/attach/hold.h"
#include "runtime/attach/traced.h"
#include "runtime/attach/turn.h"
#include "runtime/record/root.h"

static enum st_on_error what;
static unsigned most = ST_MAX_DEBUGGERS_DEFAULT;
static void (*say_to_user)(const char *sentence);

/* This process, and its parent when it began. The parent may end while the rank waits for its turn. */
static pid_t parent, self;

static void say_line(const char *first, const char *second, const char *third)
{
    char text[1024];
    struct st_writer writer = {text, sizeof text - 1, 0};
    st_put(&writer, first);
    st_put(&writer, second);
    st_put(&writer, third);
    text[writer.length < writer.room ? writer.length : writer.room] = 0;
    say_to_user(text);
}

void st_attach_begin(void (*say_sentence)(const char *))
{
    say_to_user = say_sentence;
    self = getpid();
    parent = getppid();
    const char *word = secure_getenv(ST_ON_ERROR_VARIABLE);
    const char *number = secure_getenv(ST_MAX_DEBUGGERS_VARIABLE);
    what = word && *word ? st_on_error_find(word) : ST_ON_ERROR_REPORT;
    if (what == ST_ON_ERROR_COUNT) {
        what = ST_ON_ERROR_REPORT;
        say_line(ST_ON_ERROR_VARIABLE "=", word, ": it is " ST_ON_ERROR_WORDS);
    }
    most = number && *number ? st_max_debuggers(number) : ST_MAX_DEBUGGERS_DEFAULT;
    if (!most) {
        most = ST_MAX_DEBUGGERS_DEFAULT;
        say_line(ST_MAX_DEBUGGERS_VARIABLE "=", number, ": it is " ST_MAX_DEBUGGERS_WORDS);
    }
}

bool st_attach_wanted(void)
{
    return what != ST_ON_ERROR_REPORT;
}

/* Starts the helper and holds the rank. The rank has a turn. */
static void start_and_hold(int64_t number, int32_t thread)
{
    static unsigned times;
    const struct st_helper_of of = {.what = st_on_error_word(what),
                                    .rank = st_root.world_rank,
                                    .thread = thread,
                                    .number = number,
                                    .parent = getpid() == self ? parent : getppid(),
                                    .times = ++times};
    int error = 0;
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    shadowtype_held = thread;
    int helper = st_helper_start(&of, &error);
    if (helper >= 0) {
        st_hold(helper);
    } else {
        what = ST_ON_ERROR_REPORT;
        say_line("cannot start '", st_helper_path(),
                 error == ENOENT ? "': it is not there" : "' for '--on-error'");
    }
    shadowtype_held = 0;
    prctl(PR_SET_PTRACER, 0, 0, 0, 0);
}

static void say_most(void)
{
    char number[16];
    struct st_writer writer = {number, sizeof number - 1, 0};
    st_put_number(&writer, most);
    number[writer.length] = 0;
    say_line("'--max-debuggers' is ", number,
             ": other ranks with errors get no debugger, and wait while one is held");
}

/* --- one thread at a time ------------------------------------------------------------------ */

/* The thread that is held, and the address of its frame; 0: no thread is. */
static _Atomic int32_t holder;
static const char *_Atomic holder_frame;

static void end_abandoned(void)
{
    shadowtype_held = 0;
    st_hold_drop();
    st_turn_end();
}

/* Waits until another thread has left. Returns true if it left without clearing `holder`, by a
 * longjmp() out of a signal handler: a held thread counts a beat every 50 ms, unless a debugger has
 * stopped it. */
static bool wait_for_holder(int32_t other)
{
    enum { MOST_STILL = 100 };
    const struct timespec short_time = {.tv_nsec = 50000000};
    uint32_t last = st_hold_beats();
    for (int still = 0; still < MOST_STILL; still++) {
        nanosleep(&short_time, NULL);
        if (atomic_load(&holder) != other) {
            return false;
        }
        uint32_t beats = st_hold_beats();
        if (beats != last || st_is_traced()) {
            still = 0;
        }
        last = beats;
    }
    return true;
}

/* Becomes the holder. Returns false if this thread is held already, below a signal handler. */
static bool come_alone(int32_t thread, const char *frame)
{
    for (;;) {
        int32_t other = 0;
        if (atomic_compare_exchange_strong(&holder, &other, thread)) {
            break;
        }
        if (other == thread && frame <= atomic_load(&holder_frame)) {
            return false;
        }
        if ((other == thread || wait_for_holder(other)) &&
            atomic_compare_exchange_strong(&holder, &other, thread)) {
            end_abandoned();
            break;
        }
    }
    atomic_store(&holder_frame, frame);
    return true;
}

void st_attach_at(int64_t number)
{
    int saved = errno, cancel;
    int32_t thread = (int32_t)syscall(SYS_gettid);
    if (st_is_traced()) { /* a debugger stops it in mpipp_error, if the user wants that */
        return;
    }
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    if (come_alone(thread, __builtin_frame_address(0))) {
        bool has_turn = st_turn_take(most);
        if (has_turn) {
            start_and_hold(number, thread);
            st_turn_end();
        } else if (st_turn_tells()) {
            say_most();
        }
        atomic_store(&holder, 0);
        if (!has_turn) {
            st_turn_wait(most);
        }
    }
    pthread_setcancelstate(cancel, NULL);
    errno = saved;
}
