/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Probe and MPI_Iprobe. */
#include "runtime/check/looked_messages.h"

#include <string.h>

#include "runtime/check/messages_internal.h"
#include "runtime/ranks/beyond.h"
#include "runtime/ranks/clocks.h"
#include "runtime/record/lock.h"
#include "runtime/report/frames.h"
#include "runtime/wrap/constants.h"

enum { SOURCE = 0, FLAG = 3 };

static bool is_iprobe(const struct st_form *form)
{
    return strcmp(form->name, "MPI_Iprobe") == 0;
}

bool st_looks_for_message(const struct st_form *form)
{
    return is_iprobe(form) || strcmp(form->name, "MPI_Probe") == 0;
}

void st_looked_before(struct st_checked *checked)
{
    const struct st_facts *facts = &checked->facts;
    const int status = st_message_form(facts->form)->status;
    if (!st_messages_off() && facts->values[status] == st_numbers.status_ignore) {
        checked->statuses = st_statuses_new(1);
    }
}

/* The message is there: the rank has learnt that it was sent. */
static void look_at_message(struct st_checked *checked)
{
    const struct st_facts *facts = &checked->facts;
    struct st_misfits found;
    found.count = 0;
    struct st_status_facts status;
    struct st_message_end end;
    bool none = false;
    const bool is_known = st_messages_followed() &&
                          st_messages_status(facts, checked->statuses, 0, &status) &&
                          st_message_end_read(facts, SOURCE, &end, &none);
    if (none) {
        return;
    }
    if (is_known) {
        end.site = st_site_number(facts->call);
    }
    bool locked = st_lock();
    if (is_known) {
        st_matched_looked(&end, &status, &found);
    } else {
        st_clocks_join_all();
    }
    st_unlock(locked);
    st_messages_tell(&checked->facts, &found);
}

void st_looked_after(struct st_checked *checked, bool succeeded)
{
    const struct st_facts *facts = &checked->facts;
    const bool is_found = succeeded && (!is_iprobe(facts->form) ||
                                        (facts->values[FLAG] && st_number_at(facts, FLAG, 0)));
    if (is_found && is_iprobe(facts->form)) {
        bool locked = st_lock();
        st_beyond_polls();
        st_unlock(locked);
    }
    if (is_found && st_clocks_are_on()) {
        look_at_message(checked);
    }
    st_statuses_free(checked->statuses);
}
