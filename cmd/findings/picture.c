/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The memory of a datatype in a row: blocks coloured by basic type, gaps between them grey, lb and
 * ub as a dashed frame. Blocks that would be too small to see have a minimal width.
 */
#include "picture.h"

#include <stdbool.h>
#include <string.h>

#include "html_text.h"

enum { WIDTH = 900, TOP = 18, HEIGHT = 34, LEGEND = 20 };

struct picture {
    const struct st_reported_type *type;
    double first, last; /* bytes */
    struct legend legend;
};

static size_t name_index(struct legend *legend, const char *name)
{
    for (size_t i = 0; i < legend->count; i++) {
        if (strcmp(legend->names[i], name) == 0) {
            return i;
        }
    }
    if (legend->count == LEGEND_NAMES) {
        return LEGEND_NAMES - 1;
    }
    legend->names[legend->count] = name;
    return legend->count++;
}

static const char *shown_name(const char *name)
{
    return name != NULL && name[0] != '\0' ? name : "?";
}

size_t legend_colour(struct legend *legend, const char *name)
{
    return name_index(legend, shown_name(name)) % LEGEND_COLOURS;
}

void legend_put(FILE *file, const struct legend *legend, int x, int y)
{
    for (size_t i = 0; i < legend->count && x < WIDTH - 150; i++) {
        fprintf(file, "<rect class=c%zu x=%d y=%d width=10 height=10 /><text x=%d y=%d>",
                i % LEGEND_COLOURS, x, y - 9, x + 15, y);
        html_put(file, legend->names[i]);
        fputs("</text>\n", file);
        x += 30 + 7 * (int)strlen(legend->names[i]);
    }
}

static double place_of_byte(const struct picture *picture, double byte)
{
    return 4 + (byte - picture->first) * (WIDTH - 8) / (picture->last - picture->first);
}

static void widen_picture(struct picture *picture, double from, double to)
{
    if (from < picture->first) {
        picture->first = from;
    }
    if (to > picture->last) {
        picture->last = to;
    }
}

static void measure_picture(struct picture *picture)
{
    const struct st_reported_type *type = picture->type;
    const struct st_piece *list = type->blocks.list;
    picture->first = (double)list[0].offset;
    picture->last = picture->first + 1;
    for (size_t i = 0; i < type->blocks.count; i++) {
        widen_picture(picture, (double)list[i].offset,
                      (double)list[i].offset + (double)list[i].length);
    }
    if (!type->measured || type->blocks.left_out != 0) {
        return; /* the beginning of a type that is not shown completely */
    }
    double lb = (double)type->lb, ub = lb + (double)type->extent;
    widen_picture(picture, lb < ub ? lb : ub, lb < ub ? ub : lb);
}

static void put_blocks(FILE *file, struct picture *picture)
{
    const struct st_reported_type *type = picture->type;
    fprintf(file, "<rect class=gap x=4 y=%d width=%d height=%d />\n", TOP, WIDTH - 8, HEIGHT);
    for (size_t i = 0; i < type->blocks.count; i++) {
        const struct st_piece *block = &type->blocks.list[i];
        double from = place_of_byte(picture, (double)block->offset);
        double width = place_of_byte(picture, (double)block->offset + (double)block->length) - from;
        size_t colour = legend_colour(&picture->legend, block->type);
        fprintf(file, "<rect class=c%zu x=%.2f y=%d width=%.2f height=%d", colour, from, TOP,
                width < 0.75 ? 0.75 : width, HEIGHT);
        fprintf(file, "><title>bytes %lld to %lld: ", (long long)block->offset,
                (long long)block->offset + (long long)block->length - 1);
        html_put(file, shown_name(block->type));
        fputs("</title></rect>\n", file);
    }
}

static void put_scale(FILE *file, const struct picture *picture)
{
    const struct st_reported_type *type = picture->type;
    fprintf(file, "<text x=4 y=12>byte %.0f</text>", picture->first);
    fprintf(file, "<text x=%d y=12 text-anchor=end>%.0f</text>\n", WIDTH - 4, picture->last);
    if (!type->measured || type->blocks.left_out != 0) {
        return;
    }
    double lb = place_of_byte(picture, (double)type->lb);
    double ub = place_of_byte(picture, (double)type->lb + (double)type->extent);
    fprintf(file,
            "<rect class=bounds x=%.2f y=%d width=%.2f height=%d><title>lb to ub</title></rect>\n",
            lb < ub ? lb : ub, TOP - 3, lb < ub ? ub - lb : lb - ub, HEIGHT + 6);
}

void picture_put(FILE *file, const struct st_reported_type *type)
{
    struct picture picture = {.type = type};
    if (type->measured) {
        fprintf(file,
                "<p class=site>size %lld · lb %lld · extent %lld · true lb %lld · true extent %lld "
                "bytes</p>\n",
                (long long)type->size, (long long)type->lb, (long long)type->extent,
                (long long)type->true_lb, (long long)type->true_extent);
    }
    if (type->blocks.count == 0) {
        return;
    }
    measure_picture(&picture);
    fprintf(file,
            "<div class=picture tabindex=0><svg viewBox=\"0 0 %d %d\" role=img aria-label=\"the "
            "datatype's bytes\">\n",
            WIDTH, TOP + HEIGHT + LEGEND + 8);
    put_blocks(file, &picture);
    put_scale(file, &picture);
    legend_put(file, &picture.legend, 4, TOP + HEIGHT + LEGEND);
    fputs("</svg></div>\n", file);
    if (type->blocks.left_out != 0) {
        fprintf(file, "<p class=site>%zu blocks; others, of %lld bytes, are not shown</p>\n",
                type->blocks.count, (long long)type->blocks.left_out);
    }
}
