/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "runtime/check/outside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/groups.h"
#include "runtime/check/check.h"
#include "runtime/wrap/constants.h"
#include "runtime/report/finding.h"
#include "runtime/wrap/mpi_side.h"

static atomic_bool has_sessions;

void st_outside_begins(bool world)
{
    if (!world) {
        atomic_store(&has_sessions, true);
    }
    atomic_fetch_and(&st_detours, ~(uint32_t)ST_DETOUR_OUTSIDE);
}

void st_outside_ends(void)
{
    if (!atomic_load(&has_sessions)) {
        atomic_fetch_or(&st_detours, ST_DETOUR_OUTSIDE);
    }
}

static bool is_wanted(void)
{
    unsigned groups;
    st_groups_of(secure_getenv(ST_CHECK_VARIABLE), &groups);
    return groups != 0;
}

/* Calls PMPI_Initialized or PMPI_Finalized. Returns true if MPI cannot be asked. */
static bool ask_mpi(const char *name)
{
    typedef int question(int *);
    question *function = (question *)st_mpi_function(name);
    int yes = 1;
    return !function || function(&yes) != MPI_SUCCESS || yes;
}

bool st_outside_is_finalized(void)
{
    return ask_mpi("PMPI_Finalized");
}

static bool is_init(const struct st_form *form)
{
    return strcmp(form->name, "MPI_Init") == 0 || strcmp(form->name, "MPI_Init_thread") == 0;
}

static void find_before(struct st_facts *facts)
{
    st_constants_read(false);
    st_findings_reopen();
    st_find(facts, &(struct st_found){.check = ST_INIT_MISSING,
                                      .parameter = -1,
                                      .message = "calls MPI before MPI_Init",
                                      .advice = "call MPI_Init or MPI_Init_thread first"});
}

static void find_after(struct st_facts *facts)
{
    st_findings_reopen();
    st_find(facts, &(struct st_found){.check = ST_INIT_MISSING,
                                      .parameter = -1,
                                      .message = "calls MPI after MPI_Finalize",
                                      .advice = "move the call before MPI_Finalize; MPI_Finalized "
                                                "tells whether it is too late"});
}

void st_check_init_again(const struct st_call *call, const struct st_form *form,
                         const uint64_t *values)
{
    struct st_facts facts = {.form = form, .call = call, .values = values};
    char message[64];
    if (!call->record || !atomic_load(&st_check_on) || !ask_mpi("PMPI_Initialized")) {
        return;
    }
    snprintf(message, sizeof message, "calls %s, and MPI is initialized already", form->name);
    st_find(&facts, &(struct st_found){.check = ST_INIT_MISSING,
                                       .parameter = -1,
                                       .message = message,
                                       .advice = "call it once; MPI_Initialized tells whether it "
                                                 "was called"});
}

void st_check_outside(struct st_facts *facts)
{
    if (!is_wanted() || st_mpi_is_other()) {
        st_outside_begins(true);
    } else if (!ask_mpi("PMPI_Initialized")) {
        if (!is_init(facts->form) && !atomic_load(&has_sessions)) {
            find_before(facts);
        }
    } else if (st_root.state != ST_STATE_FINALIZED && !st_outside_is_finalized()) {
        st_mpi_ask_began();
        st_outside_begins(true);
    } else if (st_root.state == ST_STATE_FINALIZED) {
        find_after(facts);
    }
}
