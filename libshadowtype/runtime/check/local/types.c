/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>

#include "runtime/record/arena.h"
#include "runtime/objects/converted.h"
#include "runtime/check/checks.h"
#include "runtime/wrap/constants.h"
#include "runtime/report/finding.h"
#include "runtime/record/lock.h"
#include "runtime/record/record.h"
#include "runtime/record/meaning.h"
#include "runtime/objects/operations.h"
#include "runtime/wrap/threads.h"

/* Returns true if no MPI library uses such bits for a datatype. */
static bool is_garbage(uint64_t handle)
{
    if (st_root.handle_bytes == 4) {
        uint32_t sort = (uint32_t)handle >> 26 & 0xf, where = (uint32_t)handle >> 30;
        return sort != 3 || where == 0;
    }
    return handle < 4096 || handle % 8 != 0;
}

static const char *type_verb(const struct st_facts *facts, int number)
{
    for (int i = 0; i < facts->form->part_count; i++) {
        const struct st_part *part = &facts->form->parts[i];
        if (part->type == number && part->access & ST_READ) {
            return facts->form->comm >= 0 ? "sends" : "writes";
        }
        if (part->type == number && part->access & ST_WRITE) {
            return facts->form->comm >= 0 ? "receives" : "reads";
        }
    }
    return NULL;
}

/* Returns the index of the datatype in an array; -1 if the parameter is no array. */
static int64_t member_of(const struct st_facts *facts, int number, uint64_t type)
{
    enum st_role role = facts->form->parameters[number].role;
    int64_t member = 0;
    if (role != ST_ROLE_TYPES && role != ST_ROLE_BASES) {
        return -1;
    }
    while (st_handle_at(facts, number, member) != type) { /* it is certainly one of them */
        member++;
    }
    return member;
}

/* Reports the datatype that is passed; its handle is that of MPI in C.
 *   type  the datatype that the report shows; 0: none */
static void find_type(struct st_facts *facts, int number, uint64_t passed, uint64_t type,
                      enum st_check check, const char *what, const char *advice)
{
    char message[200];
    const char *verb = type_verb(facts, number);
    int64_t member = member_of(facts, number, passed);
    if (member >= 0) {
        snprintf(message, sizeof message, "passes %s as '%s'[%lld]", what,
                 facts->form->parameters[number].name, (long long)member);
    } else if (verb) {
        snprintf(message, sizeof message, "%s with %s", verb, what);
    } else {
        snprintf(message, sizeof message, "passes %s as '%s' to %s", what,
                 facts->form->parameters[number].name, facts->form->name);
    }
    struct st_found found = {
        .check = check, .parameter = number, .message = message, .advice = advice, .type = type};
    if (check == ST_DATATYPE_UNKNOWN && !is_garbage(type)) {
        found.severity = ST_SEVERITY_WARNING;
    }
    st_find(facts, &found);
}

/* MPI may call back with a datatype long after MPI_Type_free: an operation, until the reductions that
 * use the datatype are complete; a delete callback, when nothing refers to the datatype any more. It is
 * valid until the callback has returned. */
static bool is_given_by_mpi(const struct st_facts *facts)
{
    return (st_record_has_attributes() || st_operations.callbacks & ST_CALLBACK_OP) &&
           st_thread_is_called_back(facts->call->sp);
}

static void find_freed(struct st_facts *facts, int number, uint64_t passed, uint64_t type)
{
    find_type(facts, number, passed, type, ST_DATATYPE_FREED, "a datatype that was freed",
              "use it before MPI_Type_free, or free it later: MPI completes what is pending");
}

static void find_unknown(struct st_facts *facts, int number, uint64_t type, const char *what)
{
    find_type(facts, number, type, type, ST_DATATYPE_UNKNOWN, what,
              "pass a handle that a constructor gave, or a predefined one; is the variable set?");
}

/* Reports a datatype of Fortran for which MPI has no object. If one had this number before, it was
 * freed. Returns false if it is not one. */
static bool find_not_converted(struct st_facts *facts, int number)
{
    struct st_conversion conversion;
    if (!st_conversion_failed(facts, ST_KIND_TYPE, &conversion)) {
        return false;
    }
    if (conversion.last) {
        struct st_meaning state;
        bool locked = st_lock();
        st_type_meaning(conversion.last, &state);
        st_unlock(locked);
        find_freed(facts, number, 0, state.life == ST_FREED_TYPE ? conversion.last : 0);
    } else {
        char what[80];
        snprintf(what, sizeof what, "a handle (%d) that is no datatype of this program",
                 conversion.number);
        find_unknown(facts, number, 0, what);
    }
    return true;
}

bool st_check_type(struct st_facts *facts, int number, uint64_t type, enum st_type_use use)
{
    if (st_found_at(facts, number) || (!type && find_not_converted(facts, number))) {
        return false;
    }
    if (type == st_numbers.datatype_null) {
        find_type(facts, number, type, 0, ST_DATATYPE_NULL, "MPI_DATATYPE_NULL",
                  "pass the datatype of the elements; MPI_Type_free sets the variable that it is "
                  "given to MPI_DATATYPE_NULL");
        return false;
    }
    struct st_meaning state;
    bool locked = st_lock();
    st_type_meaning(type, &state);
    bool committed = state.node && state.node->flags & (ST_COMMITTED | ST_COMMIT_UNDEFINED);
    st_unlock(locked);
    if (state.life == ST_FREED_TYPE && is_given_by_mpi(facts)) {
        return true;
    }
    if (state.life == ST_FREED_TYPE) {
        find_freed(facts, number, type, type);
        return false;
    }
    if (state.life == ST_NO_TYPE) {
        find_unknown(facts, number, type, "a handle that is no datatype of this program");
        return false;
    }
    if (use == ST_USE_TRANSFER && !committed) {
        find_type(facts, number, type, type, ST_DATATYPE_UNCOMMITTED,
                  "a datatype that is not committed",
                  "call MPI_Type_commit before the datatype is used in communication");
        return false;
    }
    return true;
}

/* --- commit, free --------------------------------------------------------------------------- */

struct st_pointed {
    uint64_t type;
    uint8_t flags;      /* the node's */
    uint32_t committed; /* the call site; ST_NO_SITE: not known */
    bool copy;          /* made as a copy of another type */
};

/* Looks up the type that the argument points to. Returns false if it cannot be used; that was reported. */
static bool look_at_pointed(struct st_facts *facts, int number, struct st_pointed *pointed)
{
    struct st_meaning state;
    if (!facts->values[number]) {
        return false;
    }
    *pointed = (struct st_pointed){.type = st_handle_at(facts, number, 0), .committed = ST_NO_SITE};
    if (!st_check_type(facts, number, pointed->type, ST_USE_ANY)) {
        return false;
    }
    bool locked = st_lock();
    st_type_meaning(pointed->type, &state);
    if (state.node) {
        pointed->flags = state.node->flags;
        pointed->committed = state.node->committed;
        pointed->copy = state.node->combiner == ST_DUP;
    }
    st_unlock(locked);
    return true;
}

static void check_commit(struct st_facts *facts, int number)
{
    struct st_pointed pointed;
    if (!look_at_pointed(facts, number, &pointed)) {
        return;
    }
    bool predefined = pointed.flags & ST_PREDEFINED;
    /* A copy may have its state from the old type: no error. */
    if (!(pointed.flags & ST_COMMITTED) || pointed.copy) {
        return;
    }
    st_find(facts, &(struct st_found){
                       .check = ST_DATATYPE_RECOMMITTED,
                       .parameter = number,
                       .message = predefined ? "commits a predefined datatype"
                                             : "commits a datatype that is committed already",
                       .advice = "one MPI_Type_commit is enough; a predefined datatype needs none",
                       .type = pointed.type,
                       .other_call =
                           predefined || pointed.committed == ST_NO_SITE ? NULL : "MPI_Type_commit",
                       .other_site = pointed.committed});
}

static void check_free(struct st_facts *facts, int number)
{
    struct st_pointed pointed;
    if (look_at_pointed(facts, number, &pointed) && pointed.flags & ST_PREDEFINED) {
        st_find(facts, &(struct st_found){
                           .check = ST_DATATYPE_PREDEFINED_FREED,
                           .parameter = number,
                           .message = "frees a predefined datatype",
                           .advice = "free only what a constructor of the program gave; what "
                                     "MPI_Type_create_f90_* and MPI_Type_match_size give is "
                                     "predefined",
                           .type = pointed.type});
    }
}

/* View arguments may be uncommitted nowhere: MPI-4.0, 14.3, the filetype must be committed. */
void st_check_types(struct st_facts *facts)
{
    const struct st_form *form = facts->form;
    for (int i = 0; i < form->parameter_count; i++) {
        switch (form->parameters[i].role) {
        case ST_ROLE_TYPED:
        case ST_ROLE_BASE:
            st_check_type(facts, i, facts->values[i], ST_USE_ANY);
            break;
        case ST_ROLE_VIEW:
            st_check_type(facts, i, facts->values[i], ST_USE_TRANSFER);
            break;
        case ST_ROLE_COMMIT:
            check_commit(facts, i);
            break;
        case ST_ROLE_TAKES:
            if (form->parameters[i].kind == ST_KIND_TYPE) {
                check_free(facts, i);
            }
            break;
        default:
            break;
        }
    }
}

/* --- leaks ---------------------------------------------------------------------------------- */

void st_check_types_at_end(void)
{
    for (uint32_t i = 0; i < st_root.nodes_used; i++) {
        bool locked = st_lock();
        const struct st_node *node = st_node_at(i);
        bool leaks = node->serial && node->handles && node->combiner != ST_OPAQUE &&
                     !(node->flags & (ST_PREDEFINED | ST_FREED)) && node->created != ST_NO_SITE;
        uint32_t site = node->created;
        st_unlock(locked);
        if (leaks) {
            st_find_at(&(struct st_found){.check = ST_DATATYPE_LEAK,
                                          .parameter = -1,
                                          .message = "never frees a datatype that it made",
                                          .advice = "call MPI_Type_free when the datatype is no "
                                                    "longer needed, at the latest before "
                                                    "MPI_Finalize",
                                          .type_node = i,
                                          .has_node = true},
                       NULL, site, 1);
        }
    }
}
