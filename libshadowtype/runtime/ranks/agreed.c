/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/ranks/agreed.h"

#include "core/agree/rules.h"
#include "core/model/hash.h"
#include "runtime/objects/comm_ids.h"
#include "runtime/objects/records.h"
#include "runtime/ranks/arguments.h"
#include "runtime/ranks/signed.h"
#include "runtime/record/lock.h"
#include "runtime/wrap/constants.h"
#include "runtime/wrap/parts.h"

/* --- operations ---------------------------------------------------------------------------- */

/* The predefined operations by name: an operation's handle differs between processes, its name does
 * not. */
enum { MOST_OPERATIONS = 32 };
static struct st_named_operation {
    uint64_t handle, hash;
    const char *name;
} operations[MOST_OPERATIONS];
static size_t operation_count;

void st_agreed_begin(void)
{
    for (const struct st_constant *constant = st_constants; constant->name; constant++) {
        uint64_t handle = constant->kind == ST_KIND_OP ? st_constant_handle(constant) : 0;
        if (handle && handle != st_numbers.null[ST_KIND_OP] && operation_count < MOST_OPERATIONS) {
            operations[operation_count++] = (struct st_named_operation){
                handle, st_hash_text(1, constant->name), constant->name};
        }
    }
}

uint64_t st_agreed_hash(uint64_t handle)
{
    for (size_t i = 0; i < operation_count; i++) {
        if (operations[i].handle == handle) {
            return operations[i].hash;
        }
    }
    return 0;
}

/* As in st_collective.operation. */
static uint64_t name_operation(uint64_t handle)
{
    const uint64_t hash = st_agreed_hash(handle);
    if (hash) {
        return hash;
    }
    bool locked = st_lock();
    const bool is_own = st_records_find(ST_KIND_OP, handle, 0) != NULL;
    st_unlock(locked);
    return is_own ? ST_OPERATION_OF_PROGRAM : 0;
}

const char *st_agreed_operation(uint64_t operation)
{
    for (size_t i = 0; i < operation_count; i++) {
        if (operations[i].hash == operation || (uint32_t)operations[i].hash == operation) {
            return operations[i].name;
        }
    }
    return NULL;
}

/* --- elements, root ----------------------------------------------------------------------------- */

static void sign_part(const struct st_stated_call *made, int number)
{
    const struct st_part *part = &made->form->parts[number];
    /* This rank of an intercommunicator takes no part. */
    if (made->call->flags & ST_COLLECTIVE_ROOT && made->call->root == ST_ROOT_NONE) {
        return;
    }
    if (number < made->form->part_count && part->count >= 0 && !part->counts && !part->types) {
        st_sign(made->call, made->values[part->type], (int64_t)made->values[part->count]);
    }
}

/* On an intercommunicator the data is that of add_total(). */
static void add_counts(const struct st_stated_call *made)
{
    const struct st_part *part = &made->form->parts[made->form->part_count - 1];
    if (!made->values[part->count]) {
        return;
    }
    st_arguments_add_numbers(made, part->count, made->comm->group.size);
    if (!(made->comm->flags & ST_COMM_INTER)) {
        st_sign(made->call, made->values[part->type], 1);
    }
}

static void add_in_place(const struct st_stated_call *made)
{
    const uint64_t buffer = made->values[made->form->parts[0].buffer];
    made->call->flags |= ST_COLLECTIVE_IN_PLACE;
    if (st_is_in_place(buffer)) {
        made->call->flags |= ST_COLLECTIVE_PLACED;
    }
}

static void add_root(const struct st_stated_call *made)
{
    const int64_t root = (int64_t)made->values[made->form->root];
    const bool inter = made->comm->flags & ST_COMM_INTER;
    made->call->root = (int32_t)root;
    made->call->flags |= ST_COLLECTIVE_ROOT;
    if (inter && root < 0) {
        made->call->root = root == st_numbers.root ? ST_ROOT_SELF : ST_ROOT_NONE;
    }
    if (made->call->root == (inter ? ST_ROOT_SELF : made->comm->rank)) {
        made->call->flags |= ST_COLLECTIVE_IS_ROOT;
    }
}

/* --- intercommunicators ------------------------------------------------------------------------- */

uint32_t st_agreed_inter_rules(uint32_t rules)
{
    const uint32_t known = ST_RULE_BLOCK | ST_RULE_ROOT | ST_RULE_OPERATION | ST_RULE_ALL |
                           ST_RULE_GATHER | ST_RULE_SCATTER | ST_RULE_PAIRS | ST_RULE_HIGH |
                           ST_RULE_COUNTS | ST_RULE_GROUP;
    /* The two directions are independent: what one group receives is what the other one sends. */
    if (rules & ST_RULE_EACH) {
        return ST_RULE_PAIRS;
    }
    if (rules & ST_RULE_BLOCK) {
        rules &= ~(uint32_t)ST_RULE_ALL;
    }
    return rules & known;
}

/* Adds the sum of the counts of all ranks of the local group. */
static void add_total(const struct st_stated_call *made)
{
    const struct st_facts facts = {.form = made->form, .values = made->values};
    const struct st_part *part = &made->form->parts[made->form->part_count - 1];
    int64_t total = 0;
    if (part->counts && !made->values[part->count]) {
        return;
    }
    for (int32_t i = 0; i < made->comm->group.size; i++) {
        if (__builtin_add_overflow(total, st_part_count(&facts, part, i), &total)) {
            return;
        }
    }
    st_sign(made->call, made->values[part->type], total);
}

/* Adds which of the two groups is the local one. Returns false if that is not known. */
static bool add_side(const struct st_stated_call *made)
{
    const uint64_t own = st_comm_ids_member(&made->comm->group, 0);
    const uint64_t other = st_comm_ids_member(&made->comm->remote, 0);
    if (own == ST_NO_GPID || other == ST_NO_GPID) {
        return false;
    }
    made->call->flags |= ST_COLLECTIVE_INTER;
    if (own > other) {
        made->call->flags |= ST_COLLECTIVE_SECOND;
    }
    return true;
}

void st_agreed_fill(const struct st_form *form, const struct st_comm *comm, const uint64_t *values,
                    uint32_t rules, struct st_collective *call)
{
    const struct st_stated_call made = {form, comm, values, call};
    if (comm->flags & ST_COMM_INTER && rules && !(rules & ST_RULE_HIGH) && !add_side(&made)) {
        call->flags = ST_COLLECTIVE_VAGUE;
        return;
    }
    if (rules & ST_RULE_ROOT) {
        add_root(&made);
    }
    const bool is_root = call->flags & ST_COLLECTIVE_IS_ROOT;
    if (rules & ST_RULE_OPERATION) {
        call->operation = name_operation(values[form->op]);
    }
    if (rules & ST_RULE_IN_PLACE) {
        add_in_place(&made);
    }
    if (rules & ST_RULE_ALL) {
        sign_part(&made, 0);
    }
    if (rules & ST_RULE_EACH) {
        sign_part(&made, 1);
    }
    if (rules & ST_RULE_GATHER) {
        sign_part(&made, is_root ? 1 : 0);
    }
    if (rules & ST_RULE_SCATTER) {
        sign_part(&made, is_root ? 0 : 1);
    }
    if (rules & ST_RULE_BLOCK && comm->flags & ST_COMM_INTER) {
        add_total(&made);
    }
    if (rules & ST_RULE_COUNTS) {
        add_counts(&made);
    }
    st_arguments_fill(&made, rules);
}
