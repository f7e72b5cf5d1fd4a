#define _GNU_SOURCE
#include "runtime/check/check.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/check/checks.h"
#include "runtime/check/constants.h"
#include "runtime/check/finding.h"
#include "runtime/check/inside.h"
#include "runtime/check/quick.h"
#include "runtime/root.h"

atomic_bool st_check_on;
_Atomic uint64_t st_check_calls;

/* MPI runs, and has a world whose ranks must all call MPI_Finalize. */
static atomic_bool running;
static atomic_bool aborting;
static bool was_begun;

/* --- one call ------------------------------------------------------------------------------ */

void st_check_before(struct st_checked *checked, const struct st_form *form,
                     const struct st_call *call, const uint64_t *values)
{
    struct st_facts *facts = &checked->facts;
    facts->form = form;
    facts->call = call;
    facts->values = values;
    facts->has_comm = false;
    facts->found = 0;
    checked->request_count = 0;
    checked->mapped = 0;
    checked->taken = (struct st_record_name){.number = ST_NO_RECORD};
    if (form->looks & ST_LOOKS_COMMS)
        st_check_comms(facts);
    if (form->looks & ST_LOOKS_ARGUMENTS)
        st_check_arguments(facts);
    if (form->looks & ST_LOOKS_PARTS)
        st_check_parts(facts);
    if (form->looks & ST_LOOKS_TYPES)
        st_check_types(facts);
    if (form->is_constructor)
        st_check_constructor(facts);
    if (form->op >= 0)
        st_check_op(facts);
    if (form->is_view)
        st_check_view(facts);
    if (form->looks & ST_LOOKS_REQUESTS)
        st_check_requests(checked);
    if (form->looks & ST_LOOKS_HANDLES)
        st_check_handles(checked);
}

void st_check_after(struct st_checked *checked, bool succeeded)
{
    if (checked->facts.form->looks & ST_LOOKS_REQUESTS)
        st_check_requests_after(checked, succeeded);
    if (checked->facts.form->looks & ST_LOOKS_HANDLES)
        st_check_handles_after(checked, succeeded);
}

/* --- the run ------------------------------------------------------------------------------- */

/* MPIPP_CHECK is a list of groups; this library has the group "local", which is the default. */
static bool is_wanted(void)
{
    const char *list = getenv("MPIPP_CHECK");
    if (!list || !*list)
        return true;
    for (const char *word = list; *word;) {
        size_t length = strcspn(word, ",");
        if (length == 5 && strncmp(word, "local", 5) == 0)
            return true;
        word += length + (word[length] == ',');
    }
    return false;
}

static void in_child(void)
{
    atomic_store(&st_check_on, false);
    atomic_store(&running, false);
    st_findings_drop();
}

/* What the program attached to MPI_COMM_SELF is deleted: what lives now is never freed. */
static void find_leaks(void)
{
    if (!atomic_load(&st_check_on))
        return;
    st_check_requests_at_end();
    st_check_types_at_end();
    st_check_handles_at_end();
}

void st_check_begins(bool world)
{
    if (!is_wanted())
        return;
    st_constants_read(world);
    st_handles_begin(world);
    st_quick_begin(world);
    if (was_begun)
        return;
    was_begun = true;
    pthread_atfork(NULL, NULL, in_child);
    st_findings_begin();
    if (world)
        st_constants_at_end(find_leaks);
    atomic_store(&running, world);
    atomic_store(&st_check_on, true);
}

void st_check_ended(void)
{
    if (!atomic_exchange(&running, false))
        return;
    atomic_store(&st_check_on, false);
    st_findings_end(true);
}

void st_check_aborts(void)
{
    atomic_store(&aborting, true);
}

/* The process ends by exit(). */
__attribute__((destructor)) static void leaves(void)
{
    if (!was_begun || st_root.state != ST_STATE_INITIALIZED)
        return;
    bool gives_up = atomic_load(&aborting) || st_is_inside_mpi();
    atomic_store(&st_check_on, false);
    if (atomic_load(&running) && !gives_up)
        st_find_at(&(struct st_found){.check = ST_FINALIZE_MISSING,
                                      .parameter = -1,
                                      .message = "ends without MPI_Finalize",
                                      .advice = "call MPI_Finalize in every rank before it ends, "
                                                "or MPI_Abort"},
                   NULL, ST_NO_SITE, 1);
    st_findings_end(!gives_up);
}
