/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/check/left_messages.h"

#include "runtime/check/messages.h"
#include "runtime/check/repeated_messages.h"
#include "runtime/check/unreturned.h"
#include "runtime/record/lock.h"

void st_left_messages_stop(void)
{
    bool locked = st_lock();
    st_matched_stop();
    st_unlock(locked);
    atomic_store(&st_messages_on, false);
}

/* It is not known whether the call has sent or received anything. */
static void forget_call(const struct st_unreturned *call, struct st_misfits *found)
{
    if (call->begins) {
        st_left_messages_stop(); /* it is not known which of them have begun */
    }
    bool locked = st_lock();
    if (call->sends) {
        st_matched_silence(call->comm);
    }
    if (call->receive != ST_NO_RECEIVE) {
        st_matched_receive(call->receive, NULL, found);
    }
    if (call->probed) {
        st_matched_probed(call->probed, NULL, found);
    }
    st_unlock(locked);
}

void st_left_messages_enter(void)
{
    struct st_repeated_message repeated;
    if (!st_repeated_message_runs(&repeated)) {
        return;
    }
    const struct st_unreturned call = {.pc = repeated.pc,
                                       .sp = repeated.sp,
                                       .receive = repeated.receive,
                                       .sends = repeated.end->sends,
                                       .comm = repeated.end->id};
    st_unreturned_add(&call);
}

void st_left_messages_forget(const void *sp, struct st_misfits *found)
{
    struct st_unreturned left;
    st_left_messages_enter();
    while (st_unreturned_left(sp, &left)) {
        forget_call(&left, found);
    }
}

void st_left_messages_return(const void *sp, struct st_misfits *found)
{
    struct st_unreturned left;
    while (st_unreturned_left_inside(sp, &left)) {
        forget_call(&left, found);
    }
}
