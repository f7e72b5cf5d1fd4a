/* SPDX-License-Identifier: BSD-3-Clause */
/* match-assert: wildcards on a communicator that is asserted to see none (MPI-4.0, 7.4.4). */
#include <string.h>

#include "runtime/check/check_groups.h"
#include "runtime/check/checks.h"
#include "runtime/check/quick.h"
#include "runtime/objects/asserted.h"
#include "runtime/objects/collectives.h"
#include "runtime/report/finding.h"
#include "runtime/report/frames.h"
#include "runtime/wrap/constants.h"
#include "runtime/wrap/infos.h"

static const struct st_assertion_key {
    uint32_t assertion;
    const char *key;
} keys[] = {
    {ST_ASSERT_NO_ANY_TAG, "mpi_assert_no_any_tag"},
    {ST_ASSERT_NO_ANY_SOURCE, "mpi_assert_no_any_source"},
    {ST_ASSERT_EXACT_LENGTH, "mpi_assert_exact_length"},
    {ST_ASSERT_ALLOW_OVERTAKING, "mpi_assert_allow_overtaking"},
};

/* --- what is asserted ----------------------------------------------------------------------- */

static int parameter_named(const struct st_form *form, const char *name)
{
    for (int i = 0; i < form->parameter_count; i++) {
        if (strcmp(form->parameters[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

static int comm_made_by(const struct st_form *form)
{
    for (int i = 0; i < form->parameter_count; i++) {
        const struct st_parameter *parameter = &form->parameters[i];
        if ((parameter->role == ST_ROLE_GIVES || parameter->role == ST_ROLE_LATER) &&
            parameter->kind == ST_KIND_COMM) {
            return i;
        }
    }
    return -1;
}

/* Those whose info is that of the communicator. */
static bool takes_info(const struct st_form *form)
{
    static const char *const names[] = {
        "MPI_Comm_set_info",          "MPI_Comm_dup_with_info",
        "MPI_Comm_idup_with_info",    "MPI_Comm_split_type",
        "MPI_Dist_graph_create",      "MPI_Dist_graph_create_adjacent",
        "MPI_Comm_create_from_group", "MPI_Intercomm_create_from_groups"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(form->name, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

static int comm_freed_by(const struct st_form *form)
{
    for (int i = 0; i < form->parameter_count; i++) {
        if (form->parameters[i].role == ST_ROLE_TAKES && form->parameters[i].kind == ST_KIND_COMM) {
            return i;
        }
    }
    return -1;
}

static bool receives(const struct st_form *form)
{
    return ST_FORM_HAS(form, ST_ROLE_SOURCE, ST_ROLE_ANYTAG);
}

bool st_has_asserts(const struct st_form *form)
{
    return takes_info(form) || comm_made_by(form) >= 0 || comm_freed_by(form) >= 0 ||
           receives(form);
}

/* MPI-4.0 does not let MPI_Comm_dup copy the info; before that it did. */
static uint32_t inherited_by(const struct st_facts *facts)
{
    const struct st_form *form = facts->form;
    const struct st_comm *parent =
        form->comm >= 0 ? st_comm_of_handle(facts->values[form->comm]) : NULL;
    return parent ? st_asserted_of(parent->handle, parent->serial) & ST_ASSERT_ALLOW_OVERTAKING : 0;
}

static void read_info(const struct st_facts *facts, uint32_t *set, uint32_t *clear)
{
    const int info = takes_info(facts->form) ? parameter_named(facts->form, "info") : -1;
    for (size_t i = 0; info >= 0 && i < sizeof keys / sizeof *keys; i++) {
        switch (st_info_says(facts->values[info], keys[i].key)) {
        case ST_INFO_SAYS_TRUE:
            *set |= keys[i].assertion;
            break;
        case ST_INFO_SAYS_FALSE:
            *clear |= keys[i].assertion;
            break;
        case ST_INFO_SAYS_NOTHING:
            break;
        }
    }
}

/* Calls that the quick path has found right may not be right any more. It sees no wildcards from
 * now on, and looks at each communicator again. */
static void end_quick(void)
{
    __atomic_store_n(&st_quick.any_source, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&st_quick.any_tag, 0, __ATOMIC_RELAXED);
    atomic_fetch_add(&st_quick_epoch, 1);
}

void st_asserts_after(struct st_checked *checked, bool succeeded)
{
    const struct st_facts *facts = &checked->facts;
    const struct st_form *form = facts->form;
    const int made = comm_made_by(form);
    uint32_t set = 0, clear = 0;
    const bool is_made = made >= 0;
    if (!succeeded || (!is_made && !takes_info(form)) || (is_made && !facts->values[made])) {
        return;
    }
    const uint64_t handle = is_made ? st_handle_at(facts, made, 0) : facts->values[form->comm];
    read_info(facts, &set, &clear);
    if (is_made) {
        st_asserted_forget(handle);
        set |= inherited_by(facts);
    }
    if (!(set | clear) || handle == st_numbers.null[ST_KIND_COMM]) {
        return;
    }
    const struct st_comm *comm = st_comm_of_handle(handle);
    const struct st_asserted change = {.handle = handle,
                                       .serial = comm ? comm->serial : 0,
                                       .site = st_site_number(facts->call),
                                       .function = form->number};
    st_asserted_change(&change, set, clear);
    end_quick();
}

/* --- what is received ----------------------------------------------------------------------- */

static void check_wildcard(struct st_facts *facts, enum st_role role,
                           const struct st_asserted *asserted)
{
    const bool is_tag = role == ST_ROLE_ANYTAG;
    const int number = st_parameter_of(facts->form, role);
    if (number < 0 ||
        (int64_t)facts->values[number] != (is_tag ? st_numbers.any_tag : st_numbers.any_source) ||
        !(asserted->set & (is_tag ? ST_ASSERT_NO_ANY_TAG : ST_ASSERT_NO_ANY_SOURCE))) {
        return;
    }
    st_find(facts,
            &(struct st_found){
                .check = ST_MATCH_ASSERT,
                .parameter = number,
                .message = is_tag ? "passes MPI_ANY_TAG with a communicator whose info says "
                                    "mpi_assert_no_any_tag"
                                  : "passes MPI_ANY_SOURCE with a communicator whose info says "
                                    "mpi_assert_no_any_source",
                .advice = is_tag ? "name the tag, or do not set that info"
                                 : "name the source, or do not set that info",
                .made_call = st_form_table[asserted->function]->name,
                .made_site = asserted->site,
            });
}

void st_check_asserts(struct st_facts *facts)
{
    const struct st_form *form = facts->form;
    struct st_asserted asserted;
    if (!atomic_load_explicit(&st_asserted_count, memory_order_relaxed)) {
        return;
    }
    const int freed = comm_freed_by(form);
    if (freed >= 0 && facts->values[freed]) {
        st_asserted_forget(st_handle_at(facts, freed, 0));
    }
    if (form->comm < 0 || !receives(form)) {
        return;
    }
    const struct st_comm *comm = st_comm_of_handle(facts->values[form->comm]);
    if (comm && st_asserted_find(comm->handle, comm->serial, &asserted)) {
        check_wildcard(facts, ST_ROLE_SOURCE, &asserted);
        check_wildcard(facts, ST_ROLE_ANYTAG, &asserted);
    }
}
