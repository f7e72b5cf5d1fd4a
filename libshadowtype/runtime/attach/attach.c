#define _GNU_SOURCE
#include "runtime/attach/attach.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "report/on_error.h"
#include "report/writer.h"
#include "runtime/attach/helper.h"
#include "runtime/attach/hold.h"
#include "runtime/attach/traced.h"
#include "runtime/attach/turn.h"
#include "runtime/root.h"

__attribute__((visibility("default"))) volatile int32_t shadowtype_held;

static enum st_on_error what;
static unsigned most = ST_MAX_DEBUGGERS_DEFAULT;
static void (*say_to_user)(const char *sentence);

static void say(const char *first, const char *second, const char *third)
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
    const char *word = getenv(ST_ON_ERROR_VARIABLE);
    const char *number = getenv(ST_MAX_DEBUGGERS_VARIABLE);
    what = word && *word ? st_on_error_find(word) : ST_ON_ERROR_REPORT;
    if (what == ST_ON_ERROR_COUNT) {
        what = ST_ON_ERROR_REPORT;
        say(ST_ON_ERROR_VARIABLE "=", word, ": it is " ST_ON_ERROR_WORDS);
    }
    most = number && *number ? st_max_debuggers(number) : ST_MAX_DEBUGGERS_DEFAULT;
    if (!most) {
        most = ST_MAX_DEBUGGERS_DEFAULT;
        say(ST_MAX_DEBUGGERS_VARIABLE "=", number, ": it is " ST_MAX_DEBUGGERS_WORDS);
    }
}

bool st_attach_wanted(void)
{
    return what != ST_ON_ERROR_REPORT;
}

/* With a turn taken. */
static void start_and_hold(int64_t number, int32_t thread)
{
    static unsigned times;
    const struct st_helper_of of = {.what = st_on_error_word(what),
                                    .rank = st_root.world_rank,
                                    .thread = thread,
                                    .number = number,
                                    .times = ++times};
    int error = 0;
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    shadowtype_held = thread;
    int helper = st_helper_start(&of, &error);
    if (helper >= 0) {
        st_hold(helper);
    } else {
        what = ST_ON_ERROR_REPORT;
        say("cannot start '", st_helper_path(),
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
    say("'--max-debuggers' is ", number,
        ": other ranks with errors get no debugger, and wait while one is held");
}

void st_attach_at(int64_t number)
{
    int saved = errno, cancel;
    if (st_is_traced()) /* it stops in mpipp_error, if it is to */
        return;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    if (st_turn_take(most)) {
        start_and_hold(number, (int32_t)syscall(SYS_gettid));
        st_turn_end();
    } else {
        if (st_turn_tells())
            say_most();
        st_turn_wait(most);
    }
    pthread_setcancelstate(cancel, NULL);
    errno = saved;
}
