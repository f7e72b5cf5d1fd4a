/*
 * Hostile texts for the parser of element addresses, and lookups in hostile types. An input is
 *
 *     u8 changes (modulo 4)   as many changes to the zoo (change.h)   the rest: a text, and numbers
 *
 * What is found is checked where it can be: an address leads back to its element, a number to its
 * own, and an element that was located holds the byte.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/address/address.h"
#include "change.h"
#include "core/decode/decode.h"
#include "heap.h"
#include "core/address/locate.h"
#include "core/address/typemap.h"

enum { MOST_CHANGES = 4, ENTRIES = 20, HITS = 20, STEPS = 400, NUMBERS = 6 };

const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1:max_allocation_size_mb=512:quarantine_size_mb=8";
}

static void check(bool ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "%s\n", what);
        abort();
    }
}

/* --- texts --------------------------------------------------------------------------------------
 */

/* A letter of the input as a part of an address, so that most texts are nearly sound. */
static size_t spell(uint8_t letter, char *to)
{
    static const char *const parts[] = {
        "[",
        "]",
        "[0]",
        "[1]",
        "[2]",
        "[0][0]",
        "{",
        "}",
        "{0}",
        "{7}",
        "(",
        ")",
        "(STRUCT)",
        "(VECTOR)",
        "(MPI_INT)",
        "(DOUBLE)",
        ".first",
        ".second",
        " ",
        "-",
        "T",
        "\"",
        "'",
        "\\",
        "[9223372036854775807]",
        "[9223372036854775808]",
        "{9223372036854775807}",
        "0",
        "(INDEXED)",
    };
    const size_t count = sizeof parts / sizeof *parts;
    if (letter >= count * 8) {
        *to = (char)(letter * 7);
        return 1;
    }
    const char *part = parts[letter % count];
    memcpy(to, part, strlen(part));
    return strlen(part);
}

/* A text of its own, without terminator, exactly as long. */
static char *text_of(const uint8_t *data, size_t size, size_t *length)
{
    char *text = malloc(size * 24 + 1);
    *length = 0;
    for (size_t i = 0; text && i < size; i++) {
        *length += spell(data[i], text + *length);
    }
    char *exact = text ? malloc(*length ? *length : 1) : NULL;
    if (exact) {
        memcpy(exact, text, *length);
    }
    free(text);
    return exact;
}

/* The address of a node leads to the node. */
static void there_and_back(const struct st_route *route, const struct st_type *type)
{
    bool repeat = route->depth && route->steps[0].place.kind == ST_STAGE_REPEAT;
    int64_t count = repeat ? route->steps[0].place.count : ST_ANY_COUNT;
    struct st_route again = {0};
    for (int form = ST_ADDRESS_SHORT; form <= ST_ADDRESS_LONG; form++) {
        size_t length = st_address_format(route, (enum st_address_form)form, NULL, 0);
        char *text = malloc(length + 1);
        if (!text) {
            continue;
        }
        check(st_address_format(route, (enum st_address_form)form, text, length + 1) == length,
              "an address has two lengths");
        enum st_address_error error =
            st_address_resolve(&again, type, 0, count, text, length, NULL);
        /* a name may be anything in a damaged rank, parentheses too */
        check(form == ST_ADDRESS_LONG || !error, "an address is no address");
        check(error || (again.depth == route->depth && again.member == route->member &&
                        again.displacement.value == route->displacement.value),
              "an address leads elsewhere");
        free(text);
    }
    st_route_deinit(&again);
}

static void read_text(const struct st_type *type, const char *text, size_t length)
{
    size_t splits[ST_ADDRESS_SPLITS], count = st_address_splits(text, length, splits);
    struct st_route route = {0};
    struct st_address_fault fault;
    check(count <= ST_ADDRESS_SPLITS, "too many splits");
    for (size_t i = 0; i <= count; i++) {
        size_t from = i < count ? splits[i] : 0;
        check(from <= length, "a split past the end");
        if (!st_address_resolve(&route, type, 0, ST_ANY_COUNT, text + from, length - from,
                                &fault)) {
            there_and_back(&route, type);
        } else {
            check(fault.at + fault.length <= length - from, "a fault past the end");
        }
    }
    st_route_deinit(&route);
}

/* --- lookups ------------------------------------------------------------------------------------
 */

static void look_up(struct st_indexes *indexes, const struct st_type *type,
                    const struct st_place *root, int64_t number)
{
    struct st_route route;
    int64_t rest;
    st_route_init(&route, root);
    for (int unit = ST_SENT_ELEMENTS; unit <= ST_SENT_BYTES; unit++) {
        if (!st_route_at(&route, indexes, (enum st_unit)unit, number, &rest)) {
            struct st_amount back = st_route_number(&route, indexes, (enum st_unit)unit);
            check(!back.error && back.value == number - rest, "a number leads elsewhere");
            there_and_back(&route, type);
        }
    }
    st_route_deinit(&route);
}

static void go_through(struct st_indexes *indexes, const struct st_place *root, int64_t number)
{
    struct st_typemap map;
    st_typemap_init(&map, indexes, root);
    enum st_error error = st_typemap_seek(&map, number);
    for (int i = 0; i < ENTRIES && !error; i++) {
        struct st_amount at = st_route_number(&map.route, indexes, ST_SENT_ELEMENTS);
        check(map.number.error || at.value == map.number.value, "an entry has two numbers");
        error = st_typemap_next(&map);
    }
    st_typemap_deinit(&map);
}

static void locate_byte(struct st_indexes *indexes, const struct st_type *type,
                        const struct st_place *root, int64_t byte)
{
    struct st_locate locate;
    enum st_located found;
    st_locate_init(&locate, indexes, root, byte);
    locate.steps = STEPS;
    for (int i = 0; i < HITS; i++) {
        found = st_locate_next(&locate);
        if (found != ST_LOCATED && found != ST_LOCATED_UNKNOWN) {
            break;
        }
        if (found == ST_LOCATED) {
            struct st_bounds bounds = st_route_bounds(&locate.route);
            int64_t at = locate.route.displacement.value;
            check(locate.route.displacement.laps == 0 && at + bounds.low <= byte &&
                      byte - at < bounds.high,
                  "an element does not hold the byte");
        }
        there_and_back(&locate.route, type);
    }
    st_locate_deinit(&locate);
}

static void look_at(const struct st_type *type, const char *text, size_t length,
                    const int64_t *numbers)
{
    struct st_indexes indexes;
    st_indexes_init(&indexes);
    read_text(type, text, length);
    for (int i = 0; i < NUMBERS; i++) {
        struct st_place root = st_place_of(type, 0);
        if (i % 3 == 2) {
            root = st_place_repeat(type, 0, i == 2 ? 3 : INT64_MAX);
        }
        look_up(&indexes, type, &root, numbers[i]);
        go_through(&indexes, &root, numbers[i]);
        locate_byte(&indexes, type, &root, numbers[i]);
    }
    st_indexes_deinit(&indexes);
}

/* A number near the interesting ones. */
static int64_t number_of(const uint8_t *data, size_t size, size_t which)
{
    uint64_t number = 0;
    for (size_t i = 0; i < 8 && which * 8 + i < size; i++) {
        number = number << 8 | data[which * 8 + i];
    }
    switch (number % 4) {
    case 0:
        return (int64_t)(number / 4);
    case 1:
        return (int64_t)(number / 4 % 4096) - 1024;
    case 2:
        return (int64_t)(number / 4 % 64);
    default:
        return (int64_t)((UINT64_C(1) << (number / 4 % 64)) - number / 256 % 4);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t count = size ? data[0] % MOST_CHANGES : 0, length;
    if (size < 1 + count * CHANGE) {
        return 0;
    }
    struct image image = changed_zoo(data + 1, count);
    data += 1 + count * CHANGE;
    size -= 1 + count * CHANGE;
    char *text = text_of(data, size, &length);
    size_t before = heap_watch();
    struct st_registry *registry;
    struct st_fault fault;
    if (image.data && text &&
        !st_registry_open(&registry, image_read, &image, image.root, &fault)) {
        int64_t numbers[NUMBERS];
        for (size_t i = 0; i < NUMBERS; i++) {
            numbers[i] = number_of(data, size, i);
        }
        for (uint32_t i = 0; i < image.node_count; i++) {
            const struct st_type *type;
            if (!st_registry_type(registry, i, 0, &type, &fault)) {
                look_at(type, text, length, numbers);
            }
        }
        st_registry_close(registry);
    }
    heap_must_be_paid(before, image.bytes);
    free(text);
    free(image.data);
    return 0;
}
