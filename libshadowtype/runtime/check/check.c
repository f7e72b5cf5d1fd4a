/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "runtime/check/check.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/groups.h"
#include "runtime/check/check_groups.h"
#include "runtime/check/concurrent.h"
#include "runtime/check/checks.h"
#include "runtime/wrap/constants.h"
#include "runtime/check/fatal.h"
#include "runtime/check/gone.h"
#include "runtime/report/finding.h"
#include "runtime/wrap/inside.h"
#include "runtime/wrap/last.h"
#include "runtime/wrap/progress.h"
#include "runtime/check/level.h"
#include "runtime/objects/handle_name.h"
#include "runtime/objects/operations.h"
#include "runtime/report/decoded.h"
#include "runtime/ranks/collective.h"
#include "runtime/check/messages.h"
#include "runtime/check/onesided.h"
#include "runtime/ranks/raced.h"
#include "runtime/ranks/node.h"
#include "runtime/check/outside.h"
#include "runtime/check/quick.h"
#include "runtime/check/synchronous.h"
#include "runtime/record/root.h"

atomic_bool st_check_on;

/* The process in which the checks were begun. A child made without fork() is another one, and may
 * share its memory. */
static pid_t process;

/* MPI is running, and has a world whose ranks must all call MPI_Finalize. */
static atomic_bool running;
static bool was_begun;

/* --- one call ------------------------------------------------------------------------------ */

static void begin_call(struct st_checked *checked, const struct st_form *form,
                       const struct st_call *call, const uint64_t *values)
{
    struct st_facts *facts = &checked->facts;
    st_facts_begin(facts, form, call, values);
    st_buffers_left(call->sp);
    st_check_gone(facts);
    checked->request_count = 0;
    checked->mapped = 0;
    checked->taken = checked->running = (struct st_record_name){.number = ST_NO_RECORD};
    st_uses_init(&checked->uses);
}

void st_check_before(struct st_checked *checked, const struct st_form *form,
                     const struct st_call *call, const uint64_t *values)
{
    begin_call(checked, form, call, values);
    st_check_groups_before(checked);
}

void st_check_after(struct st_checked *checked, bool succeeded)
{
    st_check_groups_after(checked, succeeded);
}

/* --- the run ------------------------------------------------------------------------------- */

static void say_wrong(void)
{
    char text[256];
    snprintf(text, sizeof text,
             "'" ST_CHECK_VARIABLE "=%.100s': it is " ST_CHECK_WORDS "; the calls are checked",
             secure_getenv(ST_CHECK_VARIABLE));
    st_findings_note(text);
}

/* All changes of st_check_on must go through this function: it tells the wrappers. */
static void switch_checks(bool is_on)
{
    atomic_store(&st_check_on, is_on);
    st_check_switch(is_on);
}

static void in_child(void)
{
    st_collectives_forget();
    st_concurrent_forget();
    st_messages_forget();
    st_onesided_end();
    switch_checks(false);
    atomic_store(&running, false);
    atomic_fetch_and(&st_detours, ST_DETOUR_TOOLS);
    st_findings_drop();
}

/* The attributes that the program attached to MPI_COMM_SELF are deleted: objects that are alive now
 * are never freed. */
static void find_leaks(void)
{
    if (atomic_load(&st_check_on)) {
        st_check_groups_end();
    }
    st_progress_leaves();
}

/* MPI-4.0, 11.4.1: these may be freed after MPI_Finalize, too. */
atomic_bool st_check_late;

/* Returns true if the user has asked for the comparison of collective calls, which is on by default. */
static bool names_collective(void)
{
    const char *list = secure_getenv(ST_CHECK_VARIABLE);
    return list && strstr(list, "collective");
}

/* Begins the checks that compare this rank with the others of its node. */
static void begin_ranks(unsigned groups, bool world)
{
    struct st_comm_facts facts;
    if (!world || !(groups & (ST_GROUP_COLLECTIVE | ST_GROUP_P2P))) {
        return;
    }
    if (groups & ST_GROUP_COLLECTIVE) {
        st_concurrent_begins();
    }
    if (!st_node_begin()) {
        if (groups & ST_GROUP_P2P || names_collective()) {
            st_findings_note("the ranks share no memory, as they do under 'mpipp run': what they "
                             "do together is not compared");
        }
        return;
    }
    if (groups & ST_GROUP_P2P && !st_messages_begin()) {
        st_findings_note("there is no memory for it: messages are not compared with their "
                         "receives");
    }
    st_comm_facts(st_numbers.comm_world, &facts); /* the quick path does not ask MPI */
    if (groups & ST_GROUP_COLLECTIVE) {
        st_collectives_begin();
    }
    if (!(groups & (ST_GROUP_RMA | ST_GROUP_RACE))) {
        return;
    }
    if (!st_onesided_begin(groups & ST_GROUP_RMA) ||
        (groups & ST_GROUP_RACE && !st_raced_begin())) {
        st_findings_note("there is no memory for it, or there are more than 128 ranks on a node: "
                         "one-sided calls are not compared with each other (--check=rma), and "
                         "messages not with those of other senders (--check=race)");
    }
}

void st_check_begins(bool world)
{
    unsigned groups;
    if (world) {
        st_synchronous_begins();
    }
    bool is_right = st_groups_of(secure_getenv(ST_CHECK_VARIABLE), &groups);
    if (!groups) {
        return;
    }
    st_constants_read(world);
    st_stack_begin();
    st_operations_begin();
    st_handles_begin(world);
    st_quick_begin(world);
    if (world && !atomic_exchange(&running, true)) {
        st_constants_at_end(find_leaks);
    }
    st_fatal_begin(world);
    if (was_begun) {
        begin_ranks(groups, world);
        st_level_begins();
        return;
    }
    was_begun = true;
    process = getpid();
    pthread_atfork(NULL, NULL, in_child);
    st_last_begin();
    st_decode_handle_name = st_put_handle_name;
    st_findings_begin();
    st_progress_counts((const void *)&st_check_calls);
    if (!is_right) {
        say_wrong();
    }
    st_check_groups_begin(groups);
    switch_checks(true);
    begin_ranks(groups, world);
    if (world) {
        st_level_begins();
    }
}

bool st_check_ended(void)
{
    if (!atomic_exchange(&running, false)) {
        return false;
    }
    bool was_on = atomic_load(&st_check_on);
    st_messages_end();
    st_onesided_end();
    st_collectives_end();
    st_concurrent_ends();
    switch_checks(false);
    if (was_on && st_check_handles_are_late()) {
        atomic_store(&st_check_late, true);
    }
    st_findings_end(true);
    return true;
}

static void end_without_finalize(void)
{
    switch_checks(false);
    st_find_at(&(struct st_found){.check = ST_FINALIZE_MISSING,
                                  .parameter = -1,
                                  .message = "ends without MPI_Finalize",
                                  .advice = "call MPI_Finalize in every rank before it ends, or "
                                            "MPI_Abort"},
               NULL, ST_NO_SITE, 1);
    st_findings_end(true);
}

/* Called when all of the process but its end has run. */
static void checks_end(void)
{
    if (getpid() != process) {
        return;
    }
    if (atomic_load(&running) && !st_mpi_gives_up()) {
        end_without_finalize();
    } else if (atomic_exchange(&st_check_late, false)) {
        st_findings_resume();
        st_check_handles_late();
        st_findings_end(false);
    }
}

static void end_checks(void)
{
    if (atomic_load(&running) && st_outside_is_finalized()) {
        st_check_ended(); /* MPI_Finalize was called without this library */
        return;
    }
    bool gives_up = st_mpi_gives_up();
    bool is_late = atomic_load(&st_check_late) ||
                   (st_root.state == ST_STATE_INITIALIZED && atomic_load(&running) && !gives_up);
    if (is_late) {
        if (!st_call_last(checks_end)) {
            checks_end();
        }
    } else if (st_root.state == ST_STATE_INITIALIZED) {
        if (!atomic_load(&running) && !gives_up) {
            find_leaks(); /* there were only sessions, and no MPI_Finalize */
            st_check_handles_late();
        }
        switch_checks(false);
        st_findings_end(!gives_up);
    }
}

/* The process ends by exit(). */
__attribute__((destructor)) static void leaves(void)
{
    int status;
    st_findings_close();
    if (!was_begun || getpid() != process) {
        return;
    }
    end_checks();
    if (st_last_status(&status)) {
        st_findings_exit(status);
    }
}
