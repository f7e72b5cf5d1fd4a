/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/ranks/message_ends.h"

#include <string.h>

#include "core/model/hash.h"
#include "runtime/objects/collectives.h"
#include "runtime/ranks/members.h"
#include "runtime/ranks/node.h"
#include "runtime/ranks/places.h"
#include "runtime/ranks/signed.h"
#include "runtime/record/root.h"
#include "runtime/wrap/constants.h"

bool st_message_part(const struct st_form *form, const struct st_part *part)
{
    if (part->peer < 0 || strncmp(form->name, "MPI_P", 5) == 0) {
        return false;
    }
    const uint8_t role = form->parameters[part->peer].role;
    return (role == ST_ROLE_DEST || role == ST_ROLE_SOURCE) && form->comm >= 0 && form->win < 0;
}

static bool read_peer(int64_t peer, struct st_message_end *end)
{
    const struct st_comm *comm = end->comm;
    const int32_t size = comm->flags & ST_COMM_INTER ? comm->remote.size : comm->group.size;
    if (!end->sends && peer == st_numbers.any_source) {
        end->peer = ST_NUMBERING_ANY;
        return true;
    }
    end->peer = (int32_t)peer;
    return peer >= 0 && peer < size;
}

static bool read_tag(const struct st_facts *facts, struct st_message_end *end)
{
    const int number = st_parameter_of(facts->form, end->sends ? ST_ROLE_TAG : ST_ROLE_ANYTAG);
    if (number < 0) {
        return false;
    }
    const int64_t tag = (int64_t)facts->values[number];
    if (!end->sends && tag == st_numbers.any_tag) {
        end->tag = ST_NUMBERING_ANY;
        return true;
    }
    end->tag = (int32_t)tag;
    return tag >= 0;
}

static void read_call(const struct st_facts *facts, struct st_message_end *end)
{
    end->function = facts->form->number;
    end->is_ready = facts->form->is_ready;
    end->place = st_place_of_call(facts->call);
    end->site = ST_NO_SITE;
}

bool st_message_end_read(const struct st_facts *facts, int peer, struct st_message_end *end,
                         bool *none)
{
    const struct st_form *form = facts->form;
    const int64_t rank = (int64_t)facts->values[peer];
    *none = rank == st_numbers.proc_null;
    const struct st_comm *comm = *none ? NULL : st_comm_of_handle(facts->values[form->comm]);
    if (!comm || comm->kind || !comm->id || !(comm->flags & ST_COMM_KNOWN)) {
        return false;
    }
    *end = (struct st_message_end){
        .comm = comm,
        .serial = comm->serial,
        .id = st_hash_word(comm->id, st_ranks_node.job),
        .own = comm->rank,
        .sends = form->parameters[peer].role == ST_ROLE_DEST,
    };
    if (!read_peer(rank, end) || !read_tag(facts, end)) {
        return false;
    }
    end->process = st_message_peer(end, end->peer);
    read_call(facts, end);
    return true;
}

void st_message_end_sign(const struct st_facts *facts, const struct st_part *part,
                         struct st_message_end *end)
{
    if (part->count >= 0 && part->type >= 0) {
        st_sign_message(&end->space, facts->values[part->type],
                        (int64_t)facts->values[part->count]);
    }
}

void st_message_end_call(const struct st_facts *facts, const struct st_part *part,
                         struct st_message_end *end)
{
    read_call(facts, end);
    st_message_end_sign(facts, part, end);
}

enum st_message_fit st_message_end_fits_inside(const struct st_message *sent,
                                               const struct st_message_space *received)
{
    struct st_signature begin, all;
    if (!st_sign_begin(&received->one, sent->length, &begin)) {
        return ST_MESSAGE_ENDS_INSIDE;
    }
    if (!(st_message_flags(sent) & ST_MESSAGE_UNIFORM)) {
        return begin.hash.high == sent->hash[0] && begin.hash.low == sent->hash[1]
                   ? ST_MESSAGE_FITS
                   : ST_MESSAGE_OTHER_TYPE;
    }
    const struct st_signature one = st_signature_hashed(sent->hash[0]);
    return st_signature_repeat(&all, &one, sent->length) && !st_signature_equal(&all, &begin)
               ? ST_MESSAGE_OTHER_TYPE
               : ST_MESSAGE_FITS;
}

uint64_t st_message_peer(const struct st_message_end *end, int32_t rank)
{
    const struct st_comm *comm = end->comm;
    const struct st_comm_group *group = comm->flags & ST_COMM_INTER ? &comm->remote : &comm->group;
    if (rank == end->peer && end->process) {
        return end->process;
    }
    return comm->serial == end->serial ? st_group_process(group, rank) : 0;
}
