/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/report/type_text.h"

#include <string.h>

#include "core/model/combiners.h"

/* How much of a type is shown: members of each list, and types below types. */
struct st_detail {
    int64_t members; /* at least 2: the first and the last */
    int depth;
};

/* The first that fits is taken. */
static const struct st_detail details[] = {{64, 8}, {16, 8}, {8, 8}, {8, 3}, {4, 8},
                                           {4, 3},  {2, 3},  {4, 1}, {2, 1}, {2, 0}};

/* Writing stops soon after this length: the text is too long anyway. */
static bool is_full(const struct st_writer *writer)
{
    return writer->length > ST_MOST_TYPE_TEXT;
}

static void put_inside(struct st_writer *writer, const struct st_type *type,
                       struct st_detail detail);

static void put_below(struct st_writer *writer, const struct st_type *type, struct st_detail detail)
{
    if (type->name || type->leaf) {
        st_put(writer, "\"");
        st_put(writer, type->name ? type->name : type->basic.name);
        st_put(writer, "\"");
    } else if (detail.depth > 0) {
        detail.depth--;
        put_inside(writer, type, detail);
    } else {
        st_put(writer, "{kind = ");
        st_put(writer, st_combiner_name(type->combiner));
        st_put(writer, ", ...}");
    }
}

/* A member of the list `name`. */
static void put_member(struct st_writer *writer, const char *name, int64_t number)
{
    static const char *const distributions[] = {[ST_DISTRIBUTE_NONE] = "NONE",
                                                [ST_DISTRIBUTE_BLOCK] = "BLOCK",
                                                [ST_DISTRIBUTE_CYCLIC] = "CYCLIC"};
    bool is_distribution = strcmp(name, "distribs") == 0;
    if (is_distribution && number >= 0 && number <= ST_DISTRIBUTE_CYCLIC) {
        st_put(writer, distributions[number]);
    } else if (strcmp(name, "dargs") == 0 && number == ST_DARG_DEFAULT) {
        st_put(writer, "DEFAULT");
    } else {
        st_put_number(writer, number);
    }
}

/* Returns the next member after `index` that is shown; writes the text between the two. */
static int64_t put_gap(struct st_writer *writer, int64_t index, int64_t count,
                       struct st_detail detail)
{
    if (index + 1 < count) {
        st_put(writer, ", ");
    }
    if (count <= detail.members || index + 1 != detail.members - 1) {
        return index + 1;
    }
    st_put(writer, "..., ");
    return count - 1;
}

static void put_numbers(struct st_writer *writer, const char *name, const int64_t *numbers,
                        int64_t count, struct st_detail detail)
{
    st_put(writer, ", ");
    st_put(writer, name);
    st_put(writer, " = {");
    for (int64_t i = 0; i < count && !is_full(writer); i = put_gap(writer, i, count, detail)) {
        put_member(writer, name, numbers[i]);
    }
    st_put(writer, "}");
}

/* {{blocklength = 1, offset = 0, type = "MPI_INT"}, ...} */
static void put_entries(struct st_writer *writer, const struct st_type *type,
                        struct st_detail detail)
{
    st_put(writer, ", entries = {");
    for (int64_t i = 0; i < type->entries && !is_full(writer);
         i = put_gap(writer, i, type->entries, detail)) {
        st_put(writer, "{blocklength = ");
        st_put_number(writer, type->lengths[i]);
        st_put(writer, type->combiner == ST_HINDEXED ? ", offset_bytes = " : ", offset = ");
        st_put_number(writer, type->offsets[i]);
        if (type->combiner == ST_STRUCT) {
            st_put(writer, ", type = ");
            put_below(writer, type->types[i], detail);
        }
        st_put(writer, "}");
    }
    st_put(writer, "}");
}

static void put_lists(struct st_writer *writer, const struct st_type *type, struct st_detail detail)
{
    switch (type->combiner) {
    case ST_INDEXED:
    case ST_HINDEXED:
    case ST_STRUCT:
        put_entries(writer, type, detail);
        break;
    case ST_INDEXED_BLOCK:
    case ST_HINDEXED_BLOCK:
        put_numbers(writer, st_combiner_array(type->combiner, 0), type->offsets, type->entries,
                    detail);
        break;
    case ST_SUBARRAY:
    case ST_DARRAY:
        for (int i = 0; i < ST_COMBINER_ARRAYS && st_combiner_array(type->combiner, i); i++) {
            put_numbers(writer, st_combiner_array(type->combiner, i), type->dims[i], type->entries,
                        detail);
        }
        st_put(writer, ", order = ");
        st_put(writer, type->flags & ST_FORTRAN_ORDER ? "FORTRAN" : "C");
        break;
    default:
        break;
    }
}

/* The numbers of F90_* and OPAQUE may be unknown: only their kind is shown. */
static bool has_parameters(const struct st_type *type)
{
    return st_has_base(type->combiner) || type->combiner == ST_STRUCT;
}

static void put_inside(struct st_writer *writer, const struct st_type *type,
                       struct st_detail detail)
{
    st_put(writer, "{kind = ");
    st_put(writer, st_combiner_name(type->combiner));
    for (int i = 0; i < ST_COMBINER_ARGUMENTS && has_parameters(type); i++) {
        const char *name = st_combiner_argument(type->combiner, i);
        if (!name) {
            break;
        }
        st_put(writer, ", ");
        st_put(writer, name);
        st_put(writer, " = ");
        st_put_number(writer, type->args[i]);
    }
    if (st_elided(type)) {
        st_put(writer, ", ...");
    } else if (has_parameters(type)) {
        put_lists(writer, type, detail);
    }
    if (type->base) {
        st_put(writer, ", type = ");
        put_below(writer, type->base, detail);
    }
    st_put(writer, "}");
}

void st_put_type(struct st_writer *writer, const struct st_type *type)
{
    size_t last = sizeof details / sizeof *details - 1;
    for (size_t i = 0; i <= last; i++) {
        char bytes[ST_MOST_TYPE_TEXT];
        struct st_writer trial = {bytes, sizeof bytes, 0};
        put_inside(&trial, type, details[i]);
        if (!is_full(&trial) || i == last) {
            st_put_bytes(writer, bytes, is_full(&trial) ? sizeof bytes : trial.length);
            return;
        }
    }
}
