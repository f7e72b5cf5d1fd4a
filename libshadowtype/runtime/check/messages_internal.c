/* SPDX-License-Identifier: BSD-3-Clause */
/* What all calls need that send, receive or complete messages. */
#include "runtime/check/messages_internal.h"

#include "runtime/check/message_forms.h"
#include "runtime/check/message_threads.h"
#include "runtime/check/repeated_messages.h"
#include "runtime/objects/asserted.h"
#include "runtime/ranks/partial.h"
#include "runtime/ranks/places.h"
#include "runtime/report/finding.h"
#include "runtime/report/frames.h"
#include "runtime/wrap/constants.h"

atomic_bool st_messages_on;

bool st_messages_off(void)
{
    return !atomic_load_explicit(&st_messages_on, memory_order_acquire);
}

bool st_messages_followed(void)
{
    return !st_messages_off() && st_message_thread_is_alone();
}

/* --- findings ------------------------------------------------------------------------------ */

/* Reports a message that ends inside an element, or keeps it if the program can still ask how many
 * elements there are. */
static void tell_partial(struct st_facts *facts, struct st_misfit *misfit, bool is_own)
{
    const int status = is_own ? st_message_form(facts->form)->status : -1;
    if (st_partial_was_asked(misfit)) {
        return;
    }
    if (status >= 0 && facts->values[status] == st_numbers.status_ignore) {
        st_misfit_tell(facts, misfit);
        return;
    }
    if (is_own) {
        misfit->taker.site = st_site_number(facts->call);
    }
    st_partial_keep(misfit);
}

/* Reports misfits. FACTS are those of the running call. A finding about another call, whose receive
 * it completes, is reported without them. */
void st_messages_tell(struct st_facts *facts, struct st_misfits *found)
{
    for (size_t i = 0; i < found->count; i++) {
        struct st_misfit *misfit = &found->list[i];
        bool is_own = facts->form->number == misfit->taker.function &&
                      st_place_of_call(facts->call) == misfit->taker.place;
        if (misfit->check == ST_MATCH_PARTIAL) {
            tell_partial(facts, misfit, is_own);
        } else {
            st_misfit_tell(is_own ? facts : NULL, misfit);
        }
    }
    found->count = 0;
}

/* --- what a call says ----------------------------------------------------------------------- */

const struct st_status_facts *st_messages_status(const struct st_facts *facts, const void *own,
                                                 int64_t index, struct st_status_facts *status)
{
    const struct st_message_form *known = st_message_form(facts->form);
    const int number = known->status >= 0 ? known->status : known->statuses;
    const void *statuses = own;
    if (number >= 0 && !statuses && facts->values[number] != st_numbers.status_ignore &&
        facts->values[number] != st_numbers.statuses_ignore) {
        statuses = (const void *)(uintptr_t)facts->values[number];
    }
    return statuses && st_status_read(statuses, index, status) ? status : NULL;
}

bool st_messages_read_part(const struct st_facts *facts, const struct st_part *part,
                           struct st_message_end *end)
{
    bool none;
    if (!st_message_end_read(facts, part->peer, end, &none)) {
        return false;
    }
    st_message_end_sign(facts, part, end);
    return true;
}

__attribute__((noinline)) void st_messages_keep_repeated(const struct st_facts *facts)
{
    struct st_message_end end;
    if (st_repeated_message_may(facts) &&
        st_messages_read_part(facts, &facts->form->parts[0], &end) &&
        !st_asserted_of(end.comm->handle, end.serial)) {
        st_repeated_message_keep(facts, &end);
    }
}
