/* SPDX-License-Identifier: BSD-3-Clause */
/* Which basic types a predefined operation accepts: MPI-4.0, 6.9.2 and 6.9.4; for one-sided calls
 * 12.3.4. */
#include <stdio.h>
#include <string.h>

#include "core/model/basic.h"
#include "runtime/record/arena.h"
#include "runtime/objects/alive.h"
#include "runtime/check/checks.h"
#include "runtime/wrap/constants.h"
#include "runtime/report/finding.h"
#include "runtime/check/quick.h"
#include "runtime/objects/records.h"
#include "runtime/record/meaning.h"
#include "runtime/record/lock.h"
#include "runtime/record/table.h"

enum st_op_group {
    C_INTEGER = 1,
    FORTRAN_INTEGER = 2,
    FLOATING = 4,
    LOGICAL = 8,
    COMPLEX = 16,
    BYTE = 32,
    MULTI_LANGUAGE = 64, /* MPI_AINT, MPI_OFFSET, MPI_COUNT */
    PAIR = 128,
    NO_GROUP = 256, /* MPI_CHAR, MPI_WCHAR, MPI_PACKED: no operation */
    ANY_GROUP = 1023
};

#define ORDERED (C_INTEGER | FORTRAN_INTEGER | FLOATING | MULTI_LANGUAGE)
#define BITS (C_INTEGER | FORTRAN_INTEGER | BYTE | MULTI_LANGUAGE)

static const struct {
    const char *name;
    unsigned groups;
} operations[] = {
    {"MPI_MAX", ORDERED},
    {"MPI_MIN", ORDERED},
    {"MPI_SUM", ORDERED | COMPLEX},
    {"MPI_PROD", ORDERED | COMPLEX},
    {"MPI_LAND", C_INTEGER | LOGICAL},
    {"MPI_LOR", C_INTEGER | LOGICAL},
    {"MPI_LXOR", C_INTEGER | LOGICAL},
    {"MPI_BAND", BITS},
    {"MPI_BOR", BITS},
    {"MPI_BXOR", BITS},
    {"MPI_MAXLOC", PAIR},
    {"MPI_MINLOC", PAIR},
    {"MPI_REPLACE", ANY_GROUP},
    {"MPI_NO_OP", ANY_GROUP},
};

static unsigned group_of_name(const char *name, int64_t size)
{
    static const char *const several[] = {"MPI_AINT", "MPI_OFFSET", "MPI_COUNT", NULL};
    for (int i = 0; several[i]; i++) {
        if (strcmp(name, several[i]) == 0) {
            return MULTI_LANGUAGE;
        }
    }
    switch (st_basic_of(name, size).class_) {
    case ST_CLASS_SIGNED:
    case ST_CLASS_UNSIGNED:
        return strncmp(name, "MPI_INTEGER", 11) == 0 ? FORTRAN_INTEGER : C_INTEGER;
    case ST_CLASS_CHAR:
        return strstr(name, "SIGNED_CHAR") ? C_INTEGER : NO_GROUP;
    case ST_CLASS_FLOAT:
        return FLOATING;
    case ST_CLASS_COMPLEX:
        return COMPLEX;
    case ST_CLASS_BOOL:
    case ST_CLASS_LOGICAL:
        return LOGICAL;
    case ST_CLASS_BYTE:
        return BYTE;
    case ST_CLASS_PAIR:
        return PAIR;
    case ST_CLASS_RAW:
        return ANY_GROUP; /* not in the standard: the MPI library decides */
    default:
        return NO_GROUP;
    }
}

/* Returns 0 if the node is no basic type. */
static unsigned group_of_node(const struct st_node *node)
{
    char name[64] = "";
    const struct st_block *block = st_pointer(node->name);
    switch (node->combiner) {
    case ST_F90_REAL:
        return FLOATING;
    case ST_F90_COMPLEX:
        return COMPLEX;
    case ST_F90_INTEGER:
        return FORTRAN_INTEGER;
    case ST_OPAQUE:
        return ANY_GROUP;
    case ST_NAMED:
        if (!block || block->bytes >= sizeof name) {
            return ANY_GROUP;
        }
        memcpy(name, block + 1, (size_t)block->bytes);
        return group_of_name(name, node->args[1] > 0 ? node->args[1] : node->args[0]);
    default:
        return 0;
    }
}

/* Returns the ordinal of the only basic type below a node; ST_NO_NODE if there are several, or none. */
static uint32_t only_basic(uint32_t ordinal)
{
    for (int depth = 0; depth < 1000 && ordinal != ST_NO_NODE; depth++) {
        const struct st_node *node = st_node_at(ordinal);
        if (group_of_node(node)) {
            return ordinal;
        }
        if (node->combiner != ST_STRUCT) {
            ordinal = node->base;
            continue;
        }
        /* Members of one basic type each, all equal; deeper nesting is not examined. */
        const struct st_block *block = st_pointer(node->block);
        if (!block || node->args[0] <= 0) {
            return ST_NO_NODE;
        }
        const uint32_t *end = (const uint32_t *)((const char *)(block + 1) + block->bytes);
        const uint32_t *types = end - node->args[0];
        for (int64_t i = 1; i < node->args[0]; i++) {
            if (types[i] != types[0]) {
                return ST_NO_NODE;
            }
        }
        ordinal = types[0];
    }
    return ordinal;
}

static const char *allowed_text(unsigned groups)
{
    if (groups == (ORDERED)) {
        return "it is defined for integers and floating point numbers";
    }
    if (groups == (ORDERED | COMPLEX)) {
        return "it is defined for integers, floating point and complex numbers";
    }
    if (groups == (C_INTEGER | LOGICAL)) {
        return "it is defined for C integers and logicals";
    }
    if (groups == (BITS)) {
        return "it is defined for integers and MPI_BYTE";
    }
    return "it is defined for the pair types, as MPI_DOUBLE_INT";
}

static void find_op(struct st_facts *facts, uint64_t type, enum st_which which, const char *message,
                    const char *advice)
{
    struct st_spot spot = {.which = ST_NO_ELEMENT};
    for (int i = 0; i < facts->form->part_count && type && spot.which == ST_NO_ELEMENT; i++) {
        const struct st_part *part = &facts->form->parts[i];
        if (part->type >= 0 && !part->types && facts->values[part->type] == type) {
            spot = st_spot_in(facts, part, which);
        }
    }
    st_find(facts, &(struct st_found){.check = ST_OP_DATATYPE,
                                      .parameter = facts->form->op,
                                      .message = message,
                                      .type = type,
                                      .spot = spot,
                                      .advice = advice});
}

struct st_local_verdict {
    bool derived, several;
    unsigned group;
    char name[64];
};

static void look_at(uint64_t type, struct st_local_verdict *verdict)
{
    *verdict = (struct st_local_verdict){.group = ANY_GROUP};
    bool locked = st_lock();
    uint32_t ordinal = st_table_find(type);
    if (ordinal != ST_NO_NODE) {
        const struct st_node *node = st_node_at(ordinal);
        while (node->combiner == ST_DUP && node->base != ST_NO_NODE) {
            node = st_node_at(node->base);
        }
        verdict->derived = group_of_node(node) == 0;
        uint32_t basic = only_basic(ordinal);
        verdict->several = basic == ST_NO_NODE;
        if (!verdict->several) {
            const struct st_block *name = st_pointer(st_node_at(basic)->name);
            verdict->group = group_of_node(st_node_at(basic));
            if (name && name->bytes < sizeof verdict->name) {
                memcpy(verdict->name, name + 1, (size_t)name->bytes);
            }
        }
    }
    st_unlock(locked);
}

/* Returns true if the operation is allowed for the type. */
static bool check_one(struct st_facts *facts, const char *op, unsigned groups, bool accumulate,
                      uint64_t type)
{
    struct st_local_verdict verdict;
    char message[160];
    look_at(type, &verdict);
    if (accumulate && verdict.several) {
        snprintf(message, sizeof message, "accumulates with a datatype of several basic types");
        find_op(facts, type, ST_ELEMENTS_UNLIKE, message,
                "MPI-4.0, 12.3.4: all elements of an accumulate are of one basic type");
    } else if (!accumulate && verdict.derived) {
        snprintf(message, sizeof message, "reduces with %s and a derived datatype", op);
        find_op(facts, type, ST_FIRST_ELEMENT, message,
                "predefined operations take predefined datatypes; MPI_Op_create makes one for a "
                "derived datatype");
    } else if (!(verdict.group & groups)) {
        snprintf(message, sizeof message, "uses %s on %s", op, verdict.name);
        find_op(facts, type, ST_FIRST_ELEMENT, message, allowed_text(groups));
    } else {
        return true;
    }
    return false;
}

static bool is_made(uint64_t op)
{
    bool locked = st_lock();
    bool found = st_records_find(ST_KIND_OP, op, 0) != NULL;
    st_unlock(locked);
    return found;
}

static bool is_for_nobody(const struct st_facts *facts)
{
    const struct st_form *form = facts->form;
    for (int i = 0; i < form->part_count; i++) {
        if (form->parts[i].peer >= 0 &&
            (int64_t)facts->values[form->parts[i].peer] == st_numbers.proc_null) {
            return true;
        }
    }
    return false;
}

/* Returns the type of the part that is read, or of the first part: in a reduction all have the
 * same. -1: there is none. */
static int type_of(const struct st_form *form)
{
    for (int i = 0; i < form->part_count; i++) {
        if (form->parts[i].type >= 0) {
            return form->parts[i].type;
        }
    }
    return -1;
}

/* MPI_Fetch_and_op and MPI_Compare_and_swap: one element of a predefined datatype; a compare needs
 * one that is no floating-point number. Returns false if that was wrong, and reported. */
static bool check_single(struct st_facts *facts)
{
    const struct st_form *form = facts->form;
    const unsigned compared = C_INTEGER | FORTRAN_INTEGER | LOGICAL | MULTI_LANGUAGE | BYTE;
    struct st_local_verdict verdict;
    char message[160];
    int type = form->parts[0].type;
    if (type < 0 || form->parameters[form->there].role != ST_ROLE_ONE_THERE) {
        return true;
    }
    look_at(facts->values[type], &verdict);
    bool is_wrong = form->op < 0 && !(verdict.group & compared);
    if (st_found_at(facts, type) || is_for_nobody(facts) || !(verdict.derived || is_wrong)) {
        return true;
    }
    if (verdict.derived) {
        snprintf(message, sizeof message, "passes a derived datatype to %s", form->name);
    } else {
        snprintf(message, sizeof message, "compares %s",
                 *verdict.name ? verdict.name : "floating point numbers");
    }
    st_find(facts, &(struct st_found){
                       .check = ST_OP_DATATYPE,
                       .parameter = type,
                       .message = message,
                       .type = facts->values[type],
                       .advice = verdict.derived
                                     ? "the call takes one element of a predefined datatype"
                                     : "MPI-4.0, 12.3.4: it is defined for integers, logicals and "
                                       "MPI_BYTE"});
    return false;
}

/* MPI_NO_OP in a one-sided call. */
static void check_no_op(struct st_facts *facts)
{
    const struct st_form *form = facts->form;
    for (int i = 0; i < form->part_count; i++) {
        if (form->parts[i].access & ST_WRITE) {
            return;
        }
    }
    char message[100];
    snprintf(message, sizeof message, "uses MPI_NO_OP in %s", form->name);
    find_op(facts, 0, ST_NO_ELEMENT, message,
            "MPI-4.0, 12.3.4: it is for calls that also read, such as MPI_Get_accumulate");
}

void st_check_op(struct st_facts *facts)
{
    const struct st_form *form = facts->form;
    if ((form->there >= 0 && !check_single(facts)) || form->op < 0) {
        return;
    }
    uint64_t op = facts->values[form->op];
    bool accumulate = form->parameters[form->op].role == ST_ROLE_ACCUMULATE;
    int type = type_of(form);
    uint64_t pair = type < 0 ? 0 : st_quick_pair(op, facts->values[type], accumulate);
    if (pair && st_quick_is_right(pair)) {
        return;
    }
    if (form->root >= 0 && (int64_t)facts->values[form->root] == st_numbers.proc_null) {
        return; /* a rank of an intercommunicator that takes no part */
    }
    if (op == st_numbers.null[ST_KIND_OP]) {
        find_op(facts, 0, ST_NO_ELEMENT, "passes MPI_OP_NULL",
                "pass a predefined operation, or a created one");
        return;
    }
    const char *name = st_constant_name(ST_KIND_OP, op);
    unsigned groups = 0;
    if (!name && st_find_dead(facts, form->op, op, ST_PASSES)) {
        return;
    }
    for (size_t i = 0; name && i < sizeof operations / sizeof *operations; i++) {
        if (strcmp(operations[i].name, name) == 0) {
            groups = operations[i].groups;
        }
    }
    if (accumulate && !name && is_made(op) && !is_for_nobody(facts)) {
        find_op(facts, 0, ST_NO_ELEMENT, "accumulates with an operation of the program's own",
                "MPI-4.0, 12.3.4: one-sided communication takes predefined operations alone");
    }
    if (!groups) {
        return;
    }
    if (!accumulate && groups == ANY_GROUP) {
        char message[100];
        snprintf(message, sizeof message, "uses %s outside of one-sided communication", name);
        find_op(facts, 0, ST_NO_ELEMENT, message,
                "MPI_REPLACE and MPI_NO_OP are for MPI_Accumulate and its like");
        return;
    }
    if (type < 0 || st_found_at(facts, type) || is_for_nobody(facts)) {
        return;
    }
    if (accumulate && strcmp(name, "MPI_NO_OP") == 0) {
        check_no_op(facts);
        return;
    }
    if (check_one(facts, name, groups, accumulate, facts->values[type]) &&
        st_quick_type(facts->values[type])) {
        atomic_store_explicit(&st_quick_right[pair >> (64 - ST_LOG2_RIGHT)], pair,
                              memory_order_relaxed);
    }
}
