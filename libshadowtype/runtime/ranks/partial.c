/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/ranks/partial.h"

#include "runtime/record/lock.h"
#include "runtime/record/root.h"

enum { MOST_KEPT = 64, MOST_ASKED = 16 };

/* The status of a message may be copied, so it is recognized by what it says. */
static struct st_asked_message {
    int32_t source, tag;
    int64_t bytes;
} asked[MOST_ASKED]; /* the last ones; the program may ask by the status of a probe */
static uint32_t asked_count;

static struct st_misfit *kept; /* MOST_KEPT */
static uint32_t kept_count;

bool st_partial_is(const struct st_message_space *space, int64_t bytes)
{
    return space->data.element > 1 && bytes % space->data.element != 0;
}

static bool is_message(const struct st_misfit *misfit, const struct st_asked_message *message)
{
    return misfit->source == message->source && misfit->sent.tag == message->tag &&
           misfit->sent.bytes == message->bytes;
}

/* The caller holds the lock. */
static bool was_asked(const struct st_misfit *misfit)
{
    for (uint32_t i = 0; i < asked_count && i < MOST_ASKED; i++) {
        if (is_message(misfit, &asked[i])) {
            return true;
        }
    }
    return false;
}

bool st_partial_was_asked(const struct st_misfit *misfit)
{
    bool locked = st_lock();
    const bool was = was_asked(misfit);
    st_unlock(locked);
    return was;
}

static bool is_same(const struct st_misfit *one, const struct st_misfit *other)
{
    return one->taker.place == other->taker.place && one->source == other->source &&
           one->sent.tag == other->sent.tag && one->sent.bytes == other->sent.bytes;
}

static bool is_kept(const struct st_misfit *misfit)
{
    for (uint32_t i = 0; i < kept_count; i++) {
        if (is_same(&kept[i], misfit)) {
            return true;
        }
    }
    return false;
}

void st_partial_keep(const struct st_misfit *misfit)
{
    bool locked = st_lock();
    if (!kept) {
        kept = st_map(MOST_KEPT * sizeof *kept);
    }
    if (kept && kept_count < MOST_KEPT && !is_kept(misfit)) {
        kept[kept_count++] = *misfit;
    }
    st_unlock(locked);
}

void st_partial_asked(const struct st_status_facts *status)
{
    const struct st_asked_message message = {status->source, status->tag, status->bytes};
    uint32_t left = 0;
    bool locked = st_lock();
    asked[asked_count % MOST_ASKED] = message;
    asked_count += asked_count < 2 * MOST_ASKED - 1 ? 1u : 1u - MOST_ASKED;
    for (uint32_t i = 0; i < kept_count; i++) {
        if (!is_message(&kept[i], &message)) {
            kept[left++] = kept[i];
        }
    }
    kept_count = left;
    st_unlock(locked);
}

void st_partial_tell(void)
{
    for (uint32_t i = 0; i < kept_count; i++) {
        st_misfit_tell(NULL, &kept[i]);
    }
    kept_count = 0;
}
