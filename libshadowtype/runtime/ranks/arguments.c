/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/ranks/arguments.h"

#include <ctype.h>
#include <strings.h>

#include "core/agree/rules.h"
#include "core/model/hash.h"
#include "runtime/objects/comm_ids.h"
#include "runtime/wrap/constants.h"

/* --- topologies ---------------------------------------------------------------------------- */

/* Number `index` of the array that a parameter points to. */
static uint64_t number_at(const struct st_stated_call *made, int parameter, int64_t index)
{
    const struct st_facts facts = {.form = made->form, .values = made->values};
    return (uint64_t)st_number_at(&facts, parameter, index);
}

static uint64_t hash_array(const struct st_stated_call *made, uint64_t hash, int parameter,
                           int64_t count, bool logical)
{
    for (int64_t i = 0; i < count; i++) {
        uint64_t number = number_at(made, parameter, i);
        hash = st_hash_word(hash, logical ? number != 0 : number);
    }
    return hash;
}

static void add_arguments(const struct st_stated_call *made, uint64_t hash)
{
    made->call->arguments = hash;
    made->call->flags |= ST_COLLECTIVE_ARGUMENTS;
}

/* MPI_Cart_create(comm, ndims, dims, periods, reorder, new) */
static void add_grid(const struct st_stated_call *made)
{
    const int64_t count = (int64_t)made->values[1];
    if (count < 0 || (count > 0 && (!made->values[2] || !made->values[3]))) {
        return;
    }
    uint64_t hash = hash_array(made, (uint64_t)count, 2, count, false);
    hash = hash_array(made, hash, 3, count, true);
    add_arguments(made, st_hash_word(hash, made->values[4] != 0));
}

/* MPI_Graph_create(comm, nnodes, index, edges, reorder, new) */
static void add_graph(const struct st_stated_call *made)
{
    const int64_t count = (int64_t)made->values[1];
    if (count < 0 || (count > 0 && !made->values[2])) {
        return;
    }
    const int64_t edges = count ? (int64_t)number_at(made, 2, count - 1) : 0;
    if (edges > 0 && !made->values[3]) {
        return;
    }
    uint64_t hash = hash_array(made, (uint64_t)count, 2, count, false);
    hash = hash_array(made, hash, 3, edges, false);
    add_arguments(made, st_hash_word(hash, made->values[4] != 0));
}

/* MPI_Cart_sub(comm, remain_dims, new) */
static void add_remaining(const struct st_stated_call *made)
{
    const int64_t count = st_ask_dimensions(made->values[0]);
    if (count < 0 || (count > 0 && !made->values[1])) {
        return;
    }
    add_arguments(made, hash_array(made, (uint64_t)count, 1, count, true));
    made->call->flags |= ST_COLLECTIVE_MAY;
}

/* Whether it is the function with an info. */
static void add_info(const struct st_stated_call *made)
{
    add_arguments(made, made->call->called != made->call->function);
    made->call->flags |= ST_COLLECTIVE_MAY;
}

static void add_split_type(const struct st_stated_call *made)
{
    if ((int64_t)made->values[1] != st_numbers.undefined) {
        add_arguments(made, st_hash_word(1, made->values[1]));
    }
}

/* MPI_Dist_graph_create(comm, n, sources, degrees, destinations, weights, info, reorder, new)
 * MPI_Dist_graph_create_adjacent(comm, indegree, sources, sourceweights, outdegree, destinations, destweights, ...) */
static void add_weights(const struct st_stated_call *made)
{
    const bool adjacent = made->form->parameters[3].role == ST_ROLE_WEIGHTS;
    const int weights = adjacent ? 3 : 5;
    /* A rank without edges has no weights. */
    if (!made->values[1] && !(adjacent && made->values[4])) {
        return;
    }
    const uint64_t unweighted = st_numbers.unweighted;
    add_arguments(made, st_hash_word(1, made->values[weights] == unweighted));
}

/* --- groups -------------------------------------------------------------------------------- */

/* MPI_Comm_create(comm, group, new) */
static void add_group(const struct st_stated_call *made)
{
    const uint64_t group = made->values[1], comm = made->values[0];
    const int64_t size = st_ask_group_size(group);
    uint64_t hash = 1;
    int places[ST_MOST_TRANSLATED];
    for (int64_t first = 0; first < size; first += ST_MOST_TRANSLATED) {
        const int count =
            size - first < ST_MOST_TRANSLATED ? (int)(size - first) : ST_MOST_TRANSLATED;
        if (!st_ask_places(group, (int)first, count, comm, places)) {
            return;
        }
        for (int i = 0; i < count; i++) {
            hash = st_hash_word(hash, (uint64_t)places[i]);
            if (places[i] >= 0 && places[i] < 128) {
                made->call->hash[places[i] / 64] |= UINT64_C(1) << places[i] % 64;
            }
        }
    }
    if (size < 0) {
        return;
    }
    made->call->arguments = hash;
    made->call->flags |= ST_COLLECTIVE_GROUP;
}

/* MPI_Intercomm_create(local_comm, local_leader, peer_comm, remote_leader, tag, new). The standard
 * does not require the same tag in ranks that are no leaders. */
static void add_leader(const struct st_stated_call *made)
{
    add_arguments(made, st_hash_word(1, made->values[1]));
}

/* MPI_Intercomm_merge(comm, high, new) */
static void add_high(const struct st_stated_call *made)
{
    const uint64_t side = st_comm_ids_member(&made->comm->group, 0);
    if (side == ST_NO_GPID) {
        return;
    }
    made->call->hash[0] = side;
    made->call->arguments = made->values[1] != 0;
    made->call->flags |= ST_COLLECTIVE_SIDE;
}

/* --- windows and files --------------------------------------------------------------------- */

/* MPI_File_set_view(file, disp, etype, filetype, datarep, info). Some libraries accept names of
 * data representations in upper and lower case. For representations other than "native" the extent
 * in the file is not known here. */
static void add_view(const struct st_stated_call *made)
{
    const char *name = (const char *)(uintptr_t)made->values[4];
    int64_t lb, extent = 0;
    if (!name ||
        (strcasecmp(name, "native") == 0 && !st_ask_extent(made->values[2], &lb, &extent))) {
        return;
    }
    uint64_t hash = st_hash_word(1, (uint64_t)extent);
    for (; *name; name++) {
        hash = st_hash_word(hash, (uint64_t)tolower((unsigned char)*name));
    }
    add_arguments(made, hash);
}

void st_arguments_add_numbers(const struct st_stated_call *made, int parameter, int64_t count)
{
    add_arguments(made, hash_array(made, 1, parameter, count, false));
}

void st_arguments_fill(const struct st_stated_call *made, uint32_t rules)
{
    const uint64_t *values = made->values;
    if (rules & ST_RULE_GRID) {
        add_grid(made);
    }
    if (rules & ST_RULE_REMAIN) {
        add_remaining(made);
    }
    if (rules & ST_RULE_INFO) {
        add_info(made);
    }
    if (rules & ST_RULE_GRAPH) {
        add_graph(made);
    }
    if (rules & ST_RULE_SPLIT_TYPE) {
        add_split_type(made);
    }
    if (rules & ST_RULE_WEIGHTS) {
        add_weights(made);
    }
    if (rules & ST_RULE_GROUP) {
        add_group(made);
    }
    if (rules & ST_RULE_LEADER) {
        add_leader(made);
    }
    if (rules & ST_RULE_HIGH) {
        add_high(made);
    }
    if (rules & ST_RULE_FENCE) {
        add_arguments(made, values[0] & (uint64_t)st_numbers.fence_assertions);
    }
    if (rules & ST_RULE_AMODE) {
        add_arguments(made, values[2]);
    }
    if (rules & ST_RULE_SIZE) {
        add_arguments(made, values[1]);
    }
    if (rules & ST_RULE_FLAG) {
        add_arguments(made, values[1] != 0);
    }
    if (rules & ST_RULE_SEEK) {
        add_arguments(made, st_hash_word(st_hash_word(1, values[1]), values[2]));
    }
    if (rules & ST_RULE_VIEW) {
        add_view(made);
    }
}
