/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/signature/element.h"

#include <string.h>

#include "core/signature/decimal.h"
#include "core/signature/parts.h"

/* Synonyms of MPI-4.0, table 3.2: "(as a synonym)". The second name is the one that the recorder
 * uses. */
static const struct {
    const char *name, *recorded;
} synonyms[] = {
    {"MPI_LONG_LONG", "MPI_LONG_LONG_INT"},
    {"MPI_C_FLOAT_COMPLEX", "MPI_C_COMPLEX"},
    {"MPI_CXX_COMPLEX", "MPI_CXX_FLOAT_COMPLEX"},
};

/* Pair types of MPI-4.0, 6.9.4: "equivalent to" a struct, or a contiguous type, of these. */
static const struct {
    const char *name, *members[2];
} pairs[] = {
    {"MPI_FLOAT_INT", {"MPI_FLOAT", "MPI_INT"}},
    {"MPI_DOUBLE_INT", {"MPI_DOUBLE", "MPI_INT"}},
    {"MPI_LONG_INT", {"MPI_LONG", "MPI_INT"}},
    {"MPI_SHORT_INT", {"MPI_SHORT", "MPI_INT"}},
    {"MPI_LONG_DOUBLE_INT", {"MPI_LONG_DOUBLE", "MPI_INT"}},
    {"MPI_2INT", {"MPI_INT", "MPI_INT"}},
    {"MPI_2INTEGER", {"MPI_INTEGER", "MPI_INTEGER"}},
    {"MPI_2REAL", {"MPI_REAL", "MPI_REAL"}},
    {"MPI_2DOUBLE_PRECISION", {"MPI_DOUBLE_PRECISION", "MPI_DOUBLE_PRECISION"}},
    {"MPI_2COMPLEX", {"MPI_COMPLEX", "MPI_COMPLEX"}},
    {"MPI_2DOUBLE_COMPLEX", {"MPI_DOUBLE_COMPLEX", "MPI_DOUBLE_COMPLEX"}},
};

static struct st_basic_element named(const char *name)
{
    for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms; i++) {
        if (strcmp(synonyms[i].name, name) == 0) {
            name = synonyms[i].recorded;
        }
    }
    return (struct st_basic_element){.kind = ST_NAMED, .name = name};
}

static int elements_of_named(const struct st_type *type, struct st_basic_element elements[2])
{
    const char *name = type->name;
    if (!name || !*name || strcmp(name, "MPI_DATATYPE_NULL") == 0) {
        elements[0] = (struct st_basic_element){.kind = ST_OPAQUE, .opaque = type};
        return 1;
    }
    /* A size of -1 is not yet known: that is not size 0. */
    if (type->basic.class_ == ST_CLASS_MARKER || type->args[0] == 0) {
        return 0;
    }
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (strcmp(pairs[i].name, name) == 0) {
            elements[0] = named(pairs[i].members[0]);
            elements[1] = named(pairs[i].members[1]);
            return 2;
        }
    }
    elements[0] = named(name);
    return 1;
}

static bool is_empty(const struct st_type *type)
{
    return !(type->measure.unknown & ST_UNKNOWN_SIZE) && type->measure.size == 0;
}

int st_elements_of(const struct st_type *leaf, struct st_basic_element elements[2])
{
    switch (leaf->combiner) {
    case ST_NAMED:
        return elements_of_named(leaf, elements);
    case ST_F90_REAL:
    case ST_F90_COMPLEX:
        elements[0] = (struct st_basic_element){
            .kind = leaf->combiner, .precision = leaf->args[0], .range = leaf->args[1]};
        return 1;
    case ST_F90_INTEGER:
        elements[0] = (struct st_basic_element){.kind = leaf->combiner, .range = leaf->args[1]};
        return 1;
    default:
        elements[0] = (struct st_basic_element){.kind = ST_OPAQUE, .opaque = leaf};
        return !is_empty(leaf);
    }
}

bool st_element_same(const struct st_basic_element *a, const struct st_basic_element *b)
{
    if (a->kind != b->kind) {
        return false;
    }
    if (a->kind == ST_NAMED) {
        return strcmp(a->name, b->name) == 0;
    }
    return a->precision == b->precision && a->range == b->range && a->opaque == b->opaque;
}

static uint64_t mixed(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ (hash >> 29);
}

uint64_t st_element_hash(const struct st_basic_element *element)
{
    uint64_t hash = mixed(UINT64_C(0x243F6A8885A308D3), (uint64_t)element->kind);
    if (element->kind == ST_NAMED) {
        for (const char *c = element->name; *c; c++) {
            hash = mixed(hash, (unsigned char)*c);
        }
    }
    hash = mixed(hash, (uint64_t)element->precision);
    hash = mixed(hash, (uint64_t)element->range);
    return mixed(hash, element->opaque ? element->opaque->serial : 0);
}

/* --- text ------------------------------------------------------------------------------------ */

static void append_text(char text[ST_ELEMENT_TEXT], const char *more)
{
    size_t length = strlen(text), left = ST_ELEMENT_TEXT - 1 - length;
    size_t part = strlen(more) < left ? strlen(more) : left;
    memcpy(text + length, more, part);
    text[length + part] = '\0';
}

static void append_parameter(char text[ST_ELEMENT_TEXT], int64_t parameter)
{
    char digits[ST_DECIMAL];
    st_decimal(parameter, digits);
    append_text(text, parameter == ST_F90_UNDEFINED ? "MPI_UNDEFINED" : digits);
}

void st_element_text(const struct st_basic_element *element, char text[ST_ELEMENT_TEXT])
{
    text[0] = '\0';
    append_text(text, element->kind == ST_NAMED ? element->name : st_combiner_name(element->kind));
    if (element->kind == ST_NAMED || element->kind == ST_OPAQUE) {
        return;
    }
    append_text(text, "(");
    if (element->kind != ST_F90_INTEGER) {
        append_parameter(text, element->precision);
        append_text(text, ",");
    }
    append_parameter(text, element->range);
    append_text(text, ")");
}
