/* The calls that threads are in (runtime/wrap/threads.c): where they are written, and whose place is whose. */
#include "unit.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/wrap/events.h"
#include "runtime/record/root.h"
#include "runtime/wrap/threads.h"

const char st_forms[] = "";
const uint32_t st_forms_bytes = 0;

_Atomic uint32_t st_detours;
static uint32_t counted;

void st_event_thread(uint32_t count)
{
    counted = count;
}

/* The notes of threads that are in calls at the same time. */
static void *call_beside(void *note)
{
    struct st_thread_call other, *call = st_thread_call_begin((const void *)9000);
    st_thread_call_runs(call, 2, 7, (const void *)1, (const void *)9000);
    assert_true(st_threads_other(&other));
    assert_int_equal(other.form, 1);
    st_threads_leave_note(*(uint64_t *)note);
    st_thread_call_returned(call, 0);
    return NULL;
}

/* A call that returns with this stack pointer, as a wrapper writes it. */
static struct st_thread_call *call_at(uintptr_t sp)
{
    struct st_thread_call *call = st_thread_call_begin((const void *)sp);
    if (call) {
        assert_int_equal(call->state, ST_CALL_NONE);
        st_thread_call_runs(call, 1, 7, (const void *)1, (const void *)sp);
    }
    return call;
}

static unsigned places(void)
{
    unsigned count = 0;
    for (const struct st_thread *thread = st_pointer(st_root.threads); thread;
         thread = st_pointer(thread->next))
        count++;
    return count;
}

static void a_thread_finds_the_note_of_another_one(void **state)
{
    (void)state;
    uint64_t note = 5;
    pthread_t thread;
    struct st_thread_call other, *call = call_at(9000);
    assert_false(st_threads_other(&other));
    assert_int_equal(st_thread_take_note(), 0);
    pthread_create(&thread, NULL, call_beside, &note);
    pthread_join(thread, NULL);
    assert_true(counted > 1);
    assert_int_equal(st_thread_take_note(), 5);
    assert_int_equal(st_thread_take_note(), 0);
    assert_false(st_threads_other(&other));
    st_thread_call_returned(call, 0);

    /* A call that was left, and not returned from, is none that others were beside. */
    call = call_at(9000);
    st_threads_leave_note(6); /* not to itself */
    assert_int_equal(st_thread_take_note(), 0);
    pthread_create(&thread, NULL, call_beside, &note);
    pthread_join(thread, NULL);
    st_detours = ST_DETOUR_THREADS;
    call = call_at(9500);
    assert_int_equal(st_thread_take_note(), 0);
    assert_int_equal(st_thread_take_noted().note, 0);
    st_thread_call_returned(call, 0);
    st_detours = 0;
}

static void a_call_runs_and_returns(void **state)
{
    (void)state;
    struct st_thread_call *call = call_at(9000);
    assert_ptr_equal(call, &st_thread_here->calls[0]);
    assert_int_equal(st_thread_here->id, getpid());
    assert_int_equal(call->state, ST_CALL_RUNNING);
    assert_int_equal(call->site, 7);
    assert_null(st_thread_call_outermost());
    st_thread_call_returned(call, -1);
    assert_int_equal(call->state, (UINT64_C(0xFFFFFFFF) << 32) | ST_CALL_RETURNED);
    assert_ptr_equal(st_thread_call_outermost(), call);
}

static void a_callback_calls_on_a_level_of_its_own(void **state)
{
    (void)state;
    struct st_thread_call *calls[ST_THREAD_CALLS];
    for (int i = 0; i < ST_THREAD_CALLS; i++) {
        calls[i] = call_at(9000 - 100u * (unsigned)i);
        assert_ptr_equal(calls[i], &st_thread_here->calls[i]);
    }
    assert_null(call_at(100)); /* too deep */
    for (int i = 0; i < ST_THREAD_CALLS; i++)
        assert_int_equal(calls[i]->state, ST_CALL_RUNNING);
    for (int i = ST_THREAD_CALLS; i--;)
        st_thread_call_returned(calls[i], 0);
}

static void what_longjmp_left_gives_way(void **state)
{
    (void)state;
    struct st_thread_call *outer = call_at(9000), *inner = call_at(8000);
    assert_int_equal(inner->state, ST_CALL_RUNNING);
    assert_ptr_equal(call_at(9000), outer); /* the same frame calls again: both were left */
    assert_int_equal(inner->state, ST_CALL_NONE);
    st_thread_call_returned(outer, 0);
}

static void *call_once(void *running)
{
    struct st_thread_call *call = call_at(9000);
    if (!running)
        st_thread_call_returned(call, 0);
    return call;
}

static void a_place_is_taken_over(void **state)
{
    (void)state;
    void *first = NULL;
    unsigned before = places();
    for (int i = 0; i < 1000; i++) {
        pthread_t thread;
        void *place;
        pthread_create(&thread, NULL, call_once, i % 2 ? &first : NULL);
        pthread_join(thread, &place);
        first = first ? first : place;
        assert_ptr_equal(place, first);
        assert_int_equal(((struct st_thread_call *)place)->state, ST_CALL_NONE);
    }
    assert_int_equal(places(), before);
}

enum { MANY = 60 };
static pthread_barrier_t meet;

static void *stay(void *unused)
{
    (void)unused;
    struct st_thread_call *call = call_at(9000);
    pthread_barrier_wait(&meet);
    pthread_barrier_wait(&meet);
    return call;
}

static void threads_at_the_same_time_have_places_of_their_own(void **state)
{
    (void)state;
    pthread_t threads[MANY];
    pthread_barrier_init(&meet, NULL, MANY + 1);
    for (int i = 0; i < MANY; i++)
        pthread_create(&threads[i], NULL, stay, NULL);
    pthread_barrier_wait(&meet);
    unsigned running = 0;
    uint32_t number = 0;
    for (const struct st_thread *thread = st_pointer(st_root.threads); thread;
         thread = st_pointer(thread->next)) {
        assert_int_equal(thread->magic, ST_THREAD_MAGIC);
        assert_true(number == 0 || thread->number == number - 1);
        number = thread->number;
        running += thread->id && thread->calls[0].state == ST_CALL_RUNNING;
    }
    assert_int_equal(number, 1);
    assert_int_equal(running, MANY);
    pthread_barrier_wait(&meet);
    for (int i = 0; i < MANY; i++)
        pthread_join(threads[i], NULL);
}

static void a_child_has_one_thread(void **state)
{
    (void)state;
    pthread_t thread;
    pthread_barrier_init(&meet, NULL, 2);
    pthread_create(&thread, NULL, stay, NULL);
    pthread_barrier_wait(&meet);
    pid_t child = fork();
    if (child == 0) {
        unsigned known = 0;
        for (const struct st_thread *one = st_pointer(st_root.threads); one;
             one = st_pointer(one->next))
            known += one->id != 0;
        _exit(known == 1 && st_thread_here->id == (uint64_t)getpid() ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    pthread_barrier_wait(&meet);
    pthread_join(thread, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_runs_and_returns),
        cmocka_unit_test(a_callback_calls_on_a_level_of_its_own),
        cmocka_unit_test(what_longjmp_left_gives_way),
        cmocka_unit_test(a_place_is_taken_over),
        cmocka_unit_test(threads_at_the_same_time_have_places_of_their_own),
        cmocka_unit_test(a_child_has_one_thread),
        cmocka_unit_test(a_thread_finds_the_note_of_another_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
