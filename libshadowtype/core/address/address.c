/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/address/address_internal.h"

#include <string.h>

/* --- names --------------------------------------------------------------------------------------
 */

const char *st_address_name(const struct st_place *place)
{
    const struct st_type *type = place->type;
    if (place->kind != ST_STAGE_TYPE) {
        return NULL;
    }
    bool named = type->combiner == ST_NAMED && type->basic.name && *type->basic.name;
    return named ? type->basic.name : st_combiner_name(type->combiner);
}

/* Returns true if the name fits this place: with MPI_ or without; for a leaf, also its combiner. */
static bool is_name_of(const char *text, size_t length, const struct st_place *place)
{
    static const char prefix[] = "MPI_";
    const char *name = st_address_name(place);
    return st_same_name(text, length, name) ||
           (strncmp(name, prefix, strlen(prefix)) == 0 &&
            st_same_name(text, length, name + strlen(prefix))) ||
           (place->leaf && st_same_name(text, length, st_combiner_name(place->type->combiner)));
}

/* --- from a text to a node ----------------------------------------------------------------------
 */

static enum st_address_error go_down(struct st_route *route, const struct st_token *token,
                                     struct st_address_fault *fault)
{
    const struct st_place place = route->place;
    enum st_error error = st_route_down(route, token->number);
    if (!error) {
        return ST_ADDRESS_OK;
    }
    fault->index = token->number;
    fault->children = place.count;
    if (error == ST_NO_MEMORY) {
        return ST_ADDRESS_NO_MEMORY;
    }
    if (error == ST_OVERFLOW) {
        return ST_ADDRESS_OVERFLOW;
    }
    if (place.leaf || place.opaque) {
        return place.leaf ? ST_ADDRESS_LEAF : ST_ADDRESS_INSIDE;
    }
    return token->kind == ST_TOKEN_REPETITION ? ST_ADDRESS_REPETITION : ST_ADDRESS_INDEX;
}

/* Applies one token to the node. `before` is the kind of the token before it. */
static enum st_address_error take_token(struct st_route *route, const char *text,
                                        const struct st_token *token, enum st_token_kind before,
                                        struct st_address_fault *fault)
{
    const struct st_place *place = &route->place;
    if (before == ST_TOKEN_MEMBER || token->kind == ST_TOKEN_WRONG ||
        (token->kind == ST_TOKEN_NAME && before == ST_TOKEN_NAME)) {
        return ST_ADDRESS_SYNTAX;
    }
    switch (token->kind) {
    case ST_TOKEN_TOO_LARGE:
        return ST_ADDRESS_NUMBER;
    case ST_TOKEN_REPETITION:
        return place->kind == ST_STAGE_REPEAT ? go_down(route, token, fault) : ST_ADDRESS_SYNTAX;
    case ST_TOKEN_INDEX:
        return go_down(route, token, fault);
    case ST_TOKEN_NAME:
        if (!st_address_name(place)) {
            return ST_ADDRESS_STAGE;
        }
        return is_name_of(text + token->at, token->length, place) ? ST_ADDRESS_OK : ST_ADDRESS_NAME;
    default: /* ST_TOKEN_MEMBER */
        if (!place->leaf || place->type->basic.class_ != ST_CLASS_PAIR) {
            return ST_ADDRESS_MEMBER;
        }
        route->member = (int)token->number;
        return ST_ADDRESS_OK;
    }
}

enum st_address_error st_address_resolve(struct st_route *route, const struct st_type *type,
                                         uint64_t address, int64_t count, const char *text,
                                         size_t length, struct st_address_fault *fault)
{
    struct st_address_fault scratch;
    fault = fault ? fault : &scratch;
    *fault = (struct st_address_fault){0};
    size_t at = 0;
    struct st_token token = st_next_token(text, length, &at);
    struct st_place root = st_place_of(type, address);
    if (token.kind == ST_TOKEN_REPETITION) {
        root = st_place_repeat(type, address, count == ST_ANY_COUNT ? INT64_MAX : count);
    }
    st_route_restart(route, &root);
    enum st_token_kind before = ST_TOKEN_END;
    while (token.kind != ST_TOKEN_END && !fault->error) {
        fault->at = token.at;
        fault->length = token.length;
        fault->error = take_token(route, text, &token, before, fault);
        before = token.kind;
        token = st_next_token(text, length, &at);
    }
    return fault->error;
}

/* --- from a node to a text ----------------------------------------------------------------------
 */

struct st_output {
    char *buffer;
    size_t size, length;
};

static void put_letter(struct st_output *output, char letter)
{
    if (output->length + 1 < output->size) {
        output->buffer[output->length] = letter;
    }
    output->length++;
}

static void put_text(struct st_output *output, const char *text)
{
    while (*text) {
        put_letter(output, *text++);
    }
}

static void put_number(struct st_output *output, int64_t number)
{
    char digits[20];
    int count = 0;
    do {
        digits[count++] = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    while (count) {
        put_letter(output, digits[--count]);
    }
}

static void put_name(struct st_output *output, const struct st_place *place)
{
    const char *name = st_address_name(place);
    if (name) {
        put_letter(output, '(');
        put_text(output, name);
        put_letter(output, ')');
    }
}

size_t st_address_format(const struct st_route *route, enum st_address_form form, char *buffer,
                         size_t size)
{
    struct st_output output = {buffer, size, 0};
    for (size_t i = 0; i < route->depth; i++) {
        const struct st_step *step = &route->steps[i];
        bool repeat = step->place.kind == ST_STAGE_REPEAT;
        if (form == ST_ADDRESS_LONG) {
            put_name(&output, &step->place);
        }
        put_letter(&output, repeat ? '{' : '[');
        put_number(&output, step->index);
        put_letter(&output, repeat ? '}' : ']');
    }
    if (form == ST_ADDRESS_LONG) {
        put_name(&output, &route->place);
    }
    if (route->member >= 0) {
        put_text(&output, route->member ? ".second" : ".first");
    }
    if (size) {
        buffer[output.length < size ? output.length : size - 1] = 0;
    }
    return output.length;
}
