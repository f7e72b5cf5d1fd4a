/* SPDX-License-Identifier: BSD-3-Clause */
/* The buffer of buffered sends: MPI-4.0, 3.6. */
#include <stdio.h>

#include "runtime/record/arena.h"
#include "runtime/check/checks.h"
#include "runtime/wrap/constants.h"
#include "runtime/report/frames.h"
#include "runtime/record/lock.h"
#include "runtime/record/sites.h"
#include "runtime/record/table.h"

/* Changed under the recorder's lock. */
static struct {
    bool is_there;
    bool is_unknown; /* MPI-4.1: MPI allocates it, or communicators and sessions have other ones */
    int64_t bytes;
    uint32_t site;
} attached;

static void report_attached(struct st_facts *facts, int number, const char *message,
                            const char *advice)
{
    bool is_other = attached.is_there;
    st_find(facts, &(struct st_found){.check = ST_BUFFER_ATTACH,
                                      .parameter = number,
                                      .message = message,
                                      .advice = advice,
                                      .other_call = is_other ? "MPI_Buffer_attach" : NULL,
                                      .other_site = attached.site});
}

static void report_unattached(struct st_facts *facts, int number)
{
    report_attached(facts, number, "sends in buffered mode, and no buffer is attached",
                    "attach one by MPI_Buffer_attach before the first MPI_Bsend");
}

static void check_send(struct st_facts *facts)
{
    const struct st_part *part = &facts->form->parts[0];
    int64_t bytes = st_part_bytes(facts, part), overhead = st_numbers.bsend_overhead;
    if (attached.is_unknown || !bytes ||
        (int64_t)facts->values[part->peer] == st_numbers.proc_null) {
        return;
    }
    if (!attached.is_there) {
        report_unattached(facts, part->buffer);
    } else if (bytes > attached.bytes - overhead) {
        char message[160];
        snprintf(message, sizeof message,
                 "sends %lld bytes in buffered mode with a buffer of %lld bytes", (long long)bytes,
                 (long long)attached.bytes);
        report_attached(
            facts, part->buffer, message,
            "each message needs what MPI_Pack_size says and MPI_BSEND_OVERHEAD besides");
    }
}

void st_check_buffered_start(struct st_facts *facts, int number, const struct st_record *record)
{
    if (st_form_table[record->function]->attached == ST_ATTACHED_LATER && !attached.is_unknown &&
        !attached.is_there) {
        report_unattached(facts, number);
    }
}

void st_check_attached(struct st_facts *facts)
{
    switch (facts->form->attached) {
    case ST_ATTACHED_NEEDED:
        check_send(facts);
        break;
    case ST_ATTACHED_NEW:
        if (attached.is_there) {
            report_attached(facts, 0, "attaches a buffer where one is attached already",
                            "call MPI_Buffer_detach before: a process has one buffer");
        }
        break;
    case ST_ATTACHED_GONE:
        if (!attached.is_there && !attached.is_unknown) {
            report_attached(facts, 0, "detaches a buffer, but none is attached",
                            "call MPI_Buffer_detach once for each MPI_Buffer_attach");
        }
        break;
    default:
        break;
    }
}

void st_check_attached_after(const struct st_facts *facts)
{
    struct st_site site;
    st_site_of_call(facts->call, &site);
    bool locked = st_lock();
    switch (facts->form->attached) {
    case ST_ATTACHED_NEW:
        attached.is_there = true;
        attached.bytes = (int64_t)facts->values[1];
        attached.site = st_site_intern(site.frames);
        attached.is_unknown = attached.is_unknown || st_is_automatic(facts->values[0]);
        break;
    case ST_ATTACHED_GONE:
        attached.is_there = false;
        break;
    case ST_ATTACHED_OTHERWISE:
        attached.is_unknown = true;
        break;
    default:
        break;
    }
    st_unlock(locked);
}
