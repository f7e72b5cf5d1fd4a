/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * collective-type within one rank: in MPI_Gather, MPI_Scatter, MPI_Allgather, MPI_Alltoall and their
 * forms a rank, or the root, sends a block to itself. Both of its sides are arguments of one call.
 *
 * If the ranks compare their calls (runtime/ranks/paired.h), that comparison finds it in functions
 * with an array of counts, together with what the other ranks send.
 */
#include "report/writer.h"
#include "runtime/check/checks.h"
#include "runtime/ranks/collective.h"
#include "runtime/ranks/paired.h"
#include "runtime/ranks/words.h"
#include "runtime/report/finding.h"
#include "runtime/wrap/constants.h"
#include "runtime/wrap/parts.h"

enum { MOST_WORDS = 240 };

struct st_block_of_self {
    uint64_t type;
    int64_t count;
};

bool st_has_own_block(const struct st_form *form)
{
    return form->collective >= 0 && form->collective == form->comm && form->part_count == 2 &&
           form->op < 0 && !form->neighbours && form->parts[0].access == ST_READ &&
           form->parts[1].access == ST_WRITE;
}

/* Returns false if this rank has no such block, or if an argument of it is wrong. */
static bool read_block(const struct st_facts *facts, const struct st_part *part,
                       struct st_block_of_self *block)
{
    if (!st_part_is_significant(facts, part) || st_is_in_place(facts->values[part->buffer]) ||
        st_found_at(facts, part->count) || st_found_at(facts, part->type) ||
        (part->counts && !facts->values[part->count]) ||
        (part->types && !facts->values[part->type])) {
        return false;
    }
    block->count = st_part_count(facts, part, facts->comm.rank);
    block->type = block->count ? st_part_type(facts, part, facts->comm.rank) : 0;
    return block->count >= 0;
}

static bool is_compared_elsewhere(const struct st_facts *facts)
{
    return facts->form->parts[0].counts + facts->form->parts[1].counts &&
           atomic_load_explicit(&st_collectives_on, memory_order_relaxed) && facts->comm.size > 1;
}

/* Zero elements have no datatype. */
static struct st_rank_pair sign_block(const struct st_block_of_self *block)
{
    if (!block->count) {
        return (struct st_rank_pair){.flags = ST_COLLECTIVE_SIGNATURE | ST_COLLECTIVE_UNIFORM};
    }
    return st_pair_of(block->type, block->count);
}

static void put_block(struct st_writer *writer, const struct st_rank_pair *pair)
{
    st_put_elements(writer, pair->length, pair->hash[0], pair->flags & ST_COLLECTIVE_UNIFORM);
}

static void find_unequal(struct st_facts *facts, const struct st_rank_pair *sent,
                         const struct st_rank_pair *received)
{
    char bytes[MOST_WORDS];
    struct st_texts texts = {bytes, sizeof bytes, 0};
    struct st_writer writer = st_texts_begin(&texts);
    st_put(&writer, "sends ");
    put_block(&writer, sent);
    st_put(&writer, " to itself in ");
    st_put(&writer, facts->form->name);
    st_put(&writer, ", and receives ");
    put_block(&writer, received);
    const bool is_long = sent->length > received->length;
    const struct st_part *part = &facts->form->parts[is_long ? 0 : 1];
    st_find(facts, &(struct st_found){
                       .check = ST_COLLECTIVE_TYPE,
                       .parameter = sent->length == received->length ? part->type : part->count,
                       .message = st_texts_end(&texts, &writer),
                       .advice = "what a rank sends and what it receives from itself must "
                                 "be the same number of the same basic datatypes; the "
                                 "counts are those of one rank, not of all"});
}

void st_check_own_block(struct st_facts *facts)
{
    const struct st_form *form = facts->form;
    struct st_block_of_self send, receive;
    if (!facts->has_comm || facts->comm.inter || is_compared_elsewhere(facts) ||
        !read_block(facts, &form->parts[0], &send) ||
        !read_block(facts, &form->parts[1], &receive)) {
        return;
    }
    if (send.count == receive.count && send.type == receive.type) {
        return;
    }
    const struct st_rank_pair sent = sign_block(&send);
    const struct st_rank_pair received = sign_block(&receive);
    if (st_pairs_differ(&sent, &received)) {
        find_unequal(facts, &sent, &received);
    }
}
