/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of calls on the quick path (quick.h). */
#include "runtime/check/left_messages.h"
#include "runtime/check/messages_internal.h"
#include "runtime/check/repeated_messages.h"

/* For a call on the quick path. */
#define QUICK_CALL(pc_, sp_) {.pc = (pc_), .sp = (sp_), .caller = ST_CALLER_USER, .record = true}

static __attribute__((noinline)) uint32_t begin_quick(const struct st_form *form, const void *pc,
                                                      const void *sp, const uint64_t *values)
{
    const struct st_call call = QUICK_CALL(pc, sp);
    struct st_facts facts = {.form = form, .call = &call, .values = values};
    struct st_misfits found;
    struct st_unreturned unreturned = st_messages_new_call(&facts);
    struct st_sent_name sent;
    found.count = 0;
    st_left_messages_forget(sp, &found);
    for (int i = 0; i < form->part_count; i++) {
        st_messages_begin_part(&facts, &form->parts[i], &unreturned, &sent, &found);
    }
    st_messages_keep_call(&unreturned);
    st_messages_tell(&facts, &found);
    return unreturned.receive;
}

/* Both functions are one piece of code each, with all that they call: a tenth of their instructions were calls. */
__attribute__((flatten)) uint32_t st_message_begins_quick(const struct st_form *form,
                                                          const void *pc, const void *sp,
                                                          const uint64_t *values)
{
    /* There are no threads on the quick path. */
    const bool repeats = form->part_count == 1 && st_repeated_message_begins(form, pc, sp, values);
    return repeats ? ST_REPEATED_MESSAGE : begin_quick(form, pc, sp, values);
}

static __attribute__((noinline)) void end_quick(const struct st_form *form, const void *pc,
                                                const void *sp, const uint64_t *values,
                                                uint32_t receive, const void *status,
                                                bool succeeded)
{
    const struct st_call call = QUICK_CALL(pc, sp);
    struct st_facts facts = {.form = form, .call = &call, .values = values};
    struct st_misfits found;
    const bool repeats = receive == ST_REPEATED_MESSAGE;
    if (st_messages_off()) {
        return;
    }
    found.count = 0;
    if (repeats && st_repeated_message_ends(sp, values, status, succeeded, &receive, &found)) {
        st_messages_tell(&facts, &found);
        return;
    }
    st_left_messages_return(sp, &found);
    if (!succeeded) {
        st_messages_end_refused(&facts);
    }
    if (receive != ST_NO_RECEIVE) {
        st_messages_end_receive(&facts, status, receive, succeeded, &found);
    }
    if (succeeded && !repeats) {
        st_messages_keep_repeated(&facts);
    }
    st_messages_tell(&facts, &found);
}

__attribute__((flatten)) void st_message_ends_quick(const struct st_form *form, const void *pc,
                                                    const void *sp, const uint64_t *values,
                                                    uint32_t receive, const void *status,
                                                    bool succeeded)
{
    if (receive != ST_REPEATED_MESSAGE || !succeeded ||
        !st_repeated_message_ends_plain(values, status)) {
        end_quick(form, pc, sp, values, receive, status, succeeded);
    }
}
