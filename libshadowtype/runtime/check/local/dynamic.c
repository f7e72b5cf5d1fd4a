/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that is attached to windows of MPI_Win_create_dynamic: MPI-4.0, 12.2.4. */
#include <string.h>

#include "runtime/check/check_groups.h"
#include "runtime/check/checks.h"
#include "runtime/objects/attached.h"
#include "runtime/ranks/clocks.h"
#include "runtime/ranks/owner.h"
#include "runtime/record/lock.h"
#include "runtime/record/sites.h"
#include "runtime/report/finding.h"
#include "runtime/report/frames.h"

static bool is_attach(const struct st_form *form)
{
    return strcmp(form->name, "MPI_Win_attach") == 0;
}

static bool is_detach(const struct st_form *form)
{
    return strcmp(form->name, "MPI_Win_detach") == 0;
}

bool st_has_dynamic(const struct st_form *form)
{
    return is_attach(form) || is_detach(form) || st_form_has_kind(form, ST_ROLE_TAKES, ST_KIND_WIN);
}

/* MPI_Win_free detaches all memory. */
static void free_window(uint64_t win)
{
    bool locked = st_lock();
    st_attached_free(win);
    st_unlock(locked);
}

/* The memory is detached from here on, for all accesses that begin later. Returns true if it was not attached, and
 * the window is known. */
static bool is_detach_wrong(uint64_t win, uint64_t from)
{
    bool locked = st_lock();
    if (st_clocks_are_on()) {
        st_owner_listen();
    }
    const bool is_wrong = !st_attached_remove(win, from) && st_attached_are_all(win);
    st_unlock(locked);
    return is_wrong;
}

static bool find_overlapping(const struct st_attached_memory *memory,
                             struct st_attached_memory *other)
{
    bool locked = st_lock();
    if (st_clocks_are_on()) {
        st_owner_listen(); /* to what was accessed before it is attached */
    }
    const struct st_attached_memory *found =
        st_attached_find(memory->win, memory->from, memory->to);
    if (found) {
        *other = *found;
    }
    st_unlock(locked);
    return found;
}

static struct st_attached_memory memory_of(const struct st_facts *facts)
{
    const struct st_form *form = facts->form;
    const uint64_t from = facts->values[form->room];
    const int64_t bytes = (int64_t)facts->values[form->room_bytes];
    return (struct st_attached_memory){.win = facts->values[form->win],
                                       .from = from,
                                       .to = from + (bytes > 0 ? (uint64_t)bytes : 0)};
}

static void check_attach(struct st_facts *facts)
{
    const struct st_attached_memory memory = memory_of(facts);
    struct st_attached_memory other;
    if (find_overlapping(&memory, &other)) {
        st_find(facts,
                &(struct st_found){
                    .check = ST_BUFFER_ATTACH,
                    .parameter = facts->form->room,
                    .message = "attaches memory that overlaps what is attached to the window",
                    .advice = "detach the other memory before, by MPI_Win_detach",
                    .other_call = "MPI_Win_attach",
                    .other_site = other.site});
    }
}

static void check_detach(struct st_facts *facts)
{
    if (is_detach_wrong(facts->values[facts->form->win], facts->values[1])) {
        st_find(facts,
                &(struct st_found){.check = ST_BUFFER_ATTACH,
                                   .parameter = 1,
                                   .message = "detaches memory that is not attached to the window",
                                   .advice = "pass the address that was passed to MPI_Win_attach, "
                                             "once"});
    }
}

void st_check_dynamic(struct st_facts *facts)
{
    if (is_attach(facts->form)) {
        check_attach(facts);
    } else if (is_detach(facts->form)) {
        check_detach(facts);
    } else if (facts->values[0]) {
        free_window(st_handle_at(facts, 0, 0));
    }
}

void st_check_dynamic_after(const struct st_facts *facts)
{
    if (!is_attach(facts->form)) {
        return;
    }
    struct st_attached_memory memory = memory_of(facts);
    memory.site = st_site_number(facts->call);
    bool locked = st_lock();
    st_attached_add(&memory);
    st_unlock(locked);
}
