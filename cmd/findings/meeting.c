/* SPDX-License-Identifier: BSD-3-Clause */
#include "meeting.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../words.h"
#include "html_text.h"
#include "picture.h"

enum {
    WIDTH = 900,
    EDGE = 4,
    TOP = 30,
    HEIGHT = 26,
    LANE = HEIGHT + 24, /* from one buffer to the other */
    MOST_PIECES = 1 << 16,
    MOST_DRAWN = 500 /* pieces of a buffer: of more, each column of the picture is one */
};

struct span {
    int64_t from, to; /* bytes from the picture's address on, `to` excluded */
    size_t colour;
};

/* A buffer. */
struct lane {
    const struct st_element *element;
    const struct st_reported_type *type; /* NULL: a basic type */
    uint64_t address;
    int64_t count;
    struct span *spans; /* ascending */
    size_t span_count;
};

struct drawing {
    struct lane lanes[2];
    uint64_t address; /* that byte 0 lies at */
    int64_t first, last;
    struct legend legend;
};

/* --- what is known of a buffer ------------------------------------------------------------- */

static const char *argument_of(const struct st_argument *list, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (list[i].name != NULL && strcmp(list[i].name, name) == 0) {
            return list[i].value;
        }
    }
    return NULL;
}

/* The count beside a buffer argument: "sendcount" of "sendbuf", else "count". */
static int64_t count_beside(const struct st_argument *list, size_t count, const char *buffer)
{
    static const char *const prefixes[] = {"send",     "recv", "origin_", "result_",
                                           "compare_", "in",   ""};
    size_t prefix = 0;
    while (!text_begins(buffer, prefixes[prefix])) {
        prefix++;
    }
    const char *value = argument_of(list, count, text_of("%scount", prefixes[prefix]));
    if (value == NULL) {
        value = argument_of(list, count, "count");
    }
    return value != NULL ? strtoll(value, NULL, 10) : 0;
}

/* Finds how many elements the buffer has; 0: it is not known. */
static int64_t find_count(const struct st_finding *finding, size_t number)
{
    const struct st_element *element = &finding->elements[number];
    const struct st_argument *list = finding->arguments;
    size_t count = finding->argument_count;
    if (argument_of(list, count, element->of) != NULL) { /* two buffers of one call */
        return count_beside(list, count, element->of);
    }
    if (number == 1) {
        list = finding->other_count != 0 ? finding->others[0].arguments : NULL;
        count = list != NULL ? finding->others[0].argument_count : 0;
    }
    uint64_t address = element->at - (uint64_t)element->byte;
    for (size_t i = 0; i < count; i++) {
        const char *value = list[i].value;
        if (list[i].name != NULL && value != NULL && text_begins(value, "0x") &&
            strtoull(value, NULL, 16) == address) {
            return count_beside(list, count, list[i].name);
        }
    }
    return 0;
}

static bool begins_with_name(const char *address, const char *name)
{
    return name != NULL && text_begins(address, name) &&
           strchr("({[", address[strlen(name)]) != NULL && address[strlen(name)] != '\0';
}

static const struct st_reported_type *find_type(const struct st_finding *finding,
                                                const char *address)
{
    for (size_t i = 0; i < finding->type_count; i++) {
        const struct st_reported_type *type = &finding->types[i];
        if (begins_with_name(address, type->name) || begins_with_name(address, type->handle)) {
            return type;
        }
    }
    return NULL;
}

/* What is farther away is no buffer of one process: so no sum of a few leaves 64 bits. */
static bool is_near(int64_t bytes)
{
    return bytes > -(INT64_C(1) << 47) && bytes < INT64_C(1) << 47;
}

/* All pieces are known, and there are not too many. */
static bool is_drawable(const struct st_reported_type *type, int64_t count)
{
    if (!type->measured || type->blocks.count == 0 || type->blocks.left_out != 0 ||
        count > MOST_PIECES / (int64_t)type->blocks.count || !is_near(type->extent) ||
        (count > 1 && !is_near(count * type->extent))) {
        return false;
    }
    for (size_t i = 0; i < type->blocks.count; i++) {
        if (!is_near(type->blocks.list[i].offset) || !is_near(type->blocks.list[i].length)) {
            return false;
        }
    }
    return true;
}

static bool read_lane(struct lane *lane, const struct st_finding *finding, size_t number)
{
    const struct st_element *element = &finding->elements[number];
    if (!element->in_memory || element->nowhere || element->address == NULL ||
        element->of == NULL) {
        return false;
    }
    lane->element = element;
    lane->address = element->at - (uint64_t)element->byte;
    lane->count = find_count(finding, number);
    lane->type = find_type(finding, element->address);
    if (lane->count <= 0) {
        return false;
    }
    if (lane->type != NULL) {
        return is_drawable(lane->type, lane->count);
    }
    return element->size > 0 && element->size < 1 << 16 && is_near(lane->count) &&
           is_near(lane->count * element->size) && element->type != NULL &&
           text_begins(element->address, element->type);
}

/* --- its bytes ----------------------------------------------------------------------------- */

static int compare_spans(const void *a, const void *b)
{
    const struct span *x = a, *y = b;
    return (x->from > y->from) - (x->from < y->from);
}

/* Adds bytes; of one colour with those right before them, they are one span. */
static void add_span(struct lane *lane, int64_t from, int64_t length, size_t colour)
{
    struct span *last = lane->span_count != 0 ? &lane->spans[lane->span_count - 1] : NULL;
    if (last != NULL && last->to == from && last->colour == colour) {
        last->to += length;
    } else {
        lane->spans[lane->span_count++] = (struct span){from, from + length, colour};
    }
}

static void spread_lane(struct drawing *drawing, struct lane *lane)
{
    const int64_t start = (int64_t)(lane->address - drawing->address);
    const struct st_reported_type *type = lane->type;
    if (type == NULL) {
        lane->spans = zeroed(1, sizeof *lane->spans);
        add_span(lane, start, lane->count * lane->element->size,
                 legend_colour(&drawing->legend, lane->element->type));
        return;
    }
    lane->spans = zeroed((size_t)lane->count * type->blocks.count, sizeof *lane->spans);
    for (int64_t i = 0; i < lane->count; i++) {
        for (size_t k = 0; k < type->blocks.count; k++) {
            const struct st_piece *block = &type->blocks.list[k];
            add_span(lane, start + i * type->extent + block->offset, block->length,
                     legend_colour(&drawing->legend, block->type));
        }
    }
    qsort(lane->spans, lane->span_count, sizeof *lane->spans, compare_spans);
}

static void measure_drawing(struct drawing *drawing)
{
    drawing->first = INT64_MAX;
    drawing->last = INT64_MIN;
    for (int i = 0; i < 2; i++) {
        const struct lane *lane = &drawing->lanes[i];
        for (size_t k = 0; k < lane->span_count; k++) {
            if (lane->spans[k].from < drawing->first) {
                drawing->first = lane->spans[k].from;
            }
            if (lane->spans[k].to > drawing->last) {
                drawing->last = lane->spans[k].to;
            }
        }
    }
}

/* --- the picture --------------------------------------------------------------------------- */

static double x_of(const struct drawing *drawing, int64_t byte)
{
    return EDGE + (double)(byte - drawing->first) * (WIDTH - 2 * EDGE) /
                      (double)(drawing->last - drawing->first);
}

static void put_box(FILE *file, const char *class, double from, double to, int y, int height)
{
    fprintf(file, "<rect class=\"%s\" x=%.2f y=%d width=%.2f height=%d", class, from, y,
            to - from < 0.75 ? 0.75 : to - from, height);
}

/* Spans that begin in the same column are one. */
static void put_lane(FILE *file, const struct drawing *drawing, const struct lane *lane, int y)
{
    const bool is_exact = lane->span_count <= MOST_DRAWN;
    fprintf(file, "<rect class=gap x=%d y=%d width=%d height=%d />\n", EDGE, y, WIDTH - 2 * EDGE,
            HEIGHT);
    for (size_t i = 0, next; i < lane->span_count; i = next) {
        const struct span *span = &lane->spans[i];
        double from = x_of(drawing, span->from), to = x_of(drawing, span->to);
        for (next = i + 1;
             !is_exact && next < lane->span_count && lane->spans[next].colour == span->colour &&
             x_of(drawing, lane->spans[next].from) < to + 1;
             next++) {
            to = x_of(drawing, lane->spans[next].to);
        }
        put_box(file, text_of("c%zu", span->colour), from, to, y, HEIGHT);
        if (is_exact) {
            fprintf(file, "><title>bytes %lld to %lld</title></rect>\n", (long long)span->from,
                    (long long)span->to - 1);
        } else {
            fputs(" />\n", file);
        }
    }
    fprintf(file, "<text x=%d y=%d>", EDGE, y - 6);
    html_put(file, text_of("%s: %lld x %s at 0x%llx", lane->element->of, (long long)lane->count,
                           lane->type == NULL         ? lane->element->type
                           : lane->type->name != NULL ? lane->type->name
                                                      : lane->type->handle,
                           (unsigned long long)lane->address));
    fputs("</text>\n", file);
}

static void put_shared(FILE *file, const struct drawing *drawing)
{
    const struct lane *a = &drawing->lanes[0], *b = &drawing->lanes[1];
    double drawn = -1;
    for (size_t i = 0, k = 0; i < a->span_count && k < b->span_count;) {
        const struct span *x = &a->spans[i], *y = &b->spans[k];
        int64_t from = x->from > y->from ? x->from : y->from;
        int64_t to = x->to < y->to ? x->to : y->to;
        if (from < to && x_of(drawing, to) > drawn) {
            double right = x_of(drawing, to);
            right = right < x_of(drawing, from) + 2 ? x_of(drawing, from) + 2 : right;
            for (int lane = 0; lane < 2; lane++) {
                put_box(file, "both", x_of(drawing, from), right, TOP + lane * LANE, HEIGHT);
                fputs(">", file);
                if (lane == 0) {
                    fprintf(file, "<title>both: bytes %lld to %lld</title>", (long long)from,
                            (long long)to - 1);
                }
                fputs("</rect>\n", file);
            }
            drawn = right;
        }
        if (x->to < y->to) {
            i++;
        } else {
            k++;
        }
    }
}

bool meeting_put(FILE *file, const struct st_finding *finding)
{
    struct drawing drawing = {0};
    struct lane *lanes = drawing.lanes;
    if (finding->element_count != 2 || !read_lane(&lanes[0], finding, 0) ||
        !read_lane(&lanes[1], finding, 1)) {
        return false;
    }
    drawing.address = lanes[0].address < lanes[1].address ? lanes[0].address : lanes[1].address;
    if (!is_near((int64_t)(lanes[0].address - drawing.address)) ||
        !is_near((int64_t)(lanes[1].address - drawing.address))) {
        return false;
    }
    spread_lane(&drawing, &lanes[0]);
    spread_lane(&drawing, &lanes[1]);
    measure_drawing(&drawing);
    const int bottom = TOP + LANE + HEIGHT;
    fprintf(file,
            "<div class=picture tabindex=0><svg viewBox=\"0 0 %d %d\" role=img aria-label=\"the "
            "two buffers; what both have is "
            "hatched\">\n",
            WIDTH, bottom + LEGEND_HEIGHT);
    put_lane(file, &drawing, &lanes[0], TOP);
    put_lane(file, &drawing, &lanes[1], TOP + LANE);
    put_shared(file, &drawing);
    legend_put(file, &drawing.legend, EDGE, bottom + 20);
    fputs("</svg></div>\n", file);
    fprintf(
        file, "<p class=site>bytes %lld to %lld from 0x%llx on; what both have is hatched</p>\n",
        (long long)drawing.first, (long long)drawing.last - 1, (unsigned long long)drawing.address);
    free(lanes[0].spans);
    free(lanes[1].spans);
    return true;
}
