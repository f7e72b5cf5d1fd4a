/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that is attached to windows of MPI_Win_create_dynamic: MPI-4.0, 12.2.4. */
#include <string.h>

#include "runtime/check/check_groups.h"
#include "runtime/check/checks.h"
#include "runtime/objects/records.h"
#include "runtime/record/lock.h"
#include "runtime/record/sites.h"
#include "runtime/report/finding.h"
#include "runtime/report/frames.h"

/* Changed under the recorder's lock. Once there was more memory than the array holds, nothing is
 * reported. */
enum { MOST_ATTACHED = 1024 };
static struct attached_memory {
    uint64_t win, from, to;
    uint32_t site;
} attached[MOST_ATTACHED];
static uint32_t attached_count;
static bool is_full;

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

/* Returns true if all calls with the window were seen. */
static bool is_window_known(uint64_t win)
{
    return !is_full && st_records_find(ST_KIND_WIN, win, 0) != NULL;
}

static void remove_at(uint32_t i)
{
    attached[i] = attached[--attached_count];
}

/* MPI_Win_free detaches all memory. */
static void forget_window(uint64_t win)
{
    bool locked = st_lock();
    for (uint32_t i = attached_count; i-- > 0;) {
        if (attached[i].win == win) {
            remove_at(i);
        }
    }
    st_unlock(locked);
}

/* Removes the memory that begins at this address. Returns true if none does that is attached to the
 * window, and the window is known. */
static bool is_detach_wrong(uint64_t win, uint64_t from)
{
    bool locked = st_lock();
    bool is_wrong = is_window_known(win);
    for (uint32_t i = 0; i < attached_count; i++) {
        if (attached[i].win == win && attached[i].from == from) {
            remove_at(i);
            is_wrong = false;
            break;
        }
    }
    st_unlock(locked);
    return is_wrong;
}

static bool find_overlapping(const struct attached_memory *memory, struct attached_memory *other)
{
    bool found = false;
    bool locked = st_lock();
    for (uint32_t i = 0; i < attached_count && !found; i++) {
        found = attached[i].win == memory->win && attached[i].from < memory->to &&
                memory->from < attached[i].to;
        if (found) {
            *other = attached[i];
        }
    }
    st_unlock(locked);
    return found;
}

static struct attached_memory memory_of(const struct st_facts *facts)
{
    const struct st_form *form = facts->form;
    const uint64_t from = facts->values[form->room];
    const int64_t bytes = (int64_t)facts->values[form->room_bytes];
    return (struct attached_memory){.win = facts->values[form->win],
                                    .from = from,
                                    .to = from + (bytes > 0 ? (uint64_t)bytes : 0)};
}

static void check_attach(struct st_facts *facts)
{
    const struct attached_memory memory = memory_of(facts);
    struct attached_memory other;
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
        forget_window(st_handle_at(facts, 0, 0));
    }
}

void st_check_dynamic_after(const struct st_facts *facts)
{
    if (!is_attach(facts->form)) {
        return;
    }
    struct attached_memory memory = memory_of(facts);
    memory.site = st_site_number(facts->call);
    bool locked = st_lock();
    if (attached_count < MOST_ATTACHED) {
        attached[attached_count++] = memory;
    } else {
        is_full = true;
    }
    st_unlock(locked);
}
