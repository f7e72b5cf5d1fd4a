/*
 * The memory of a datatype in a row: blocks coloured by basic type, gaps between them grey, lb and
 * ub as a dashed frame. Blocks that would be too small to see have a minimal width.
 */
#include "picture.h"

#include <stdbool.h>
#include <string.h>

#include "html_text.h"

enum { WIDTH = 900, TOP = 18, HEIGHT = 34, LEGEND = 20, COLOURS = 8, MOST_NAMES = 64 };

static const char *const colours[COLOURS] = {"#4493f8", "#3fb950", "#d29922", "#db61a2",
                                             "#a371f7", "#39c5cf", "#f0883e", "#8b949e"};

struct picture {
    const struct st_reported_type *type;
    double first, last; /* bytes */
    const char *names[MOST_NAMES];
    size_t name_count;
};

static size_t name_index(struct picture *picture, const char *name)
{
    for (size_t i = 0; i < picture->name_count; i++) {
        if (strcmp(picture->names[i], name) == 0)
            return i;
    }
    if (picture->name_count == MOST_NAMES)
        return MOST_NAMES - 1;
    picture->names[picture->name_count] = name;
    return picture->name_count++;
}

static const char *name_of(const struct st_piece *block)
{
    return block->type != NULL ? block->type : "?";
}

static double place_of_byte(const struct picture *picture, double byte)
{
    return 4 + (byte - picture->first) * (WIDTH - 8) / (picture->last - picture->first);
}

static void widen_picture(struct picture *picture, double from, double to)
{
    if (from < picture->first)
        picture->first = from;
    if (to > picture->last)
        picture->last = to;
}

static void measure_picture(struct picture *picture)
{
    const struct st_reported_type *type = picture->type;
    const struct st_piece *list = type->blocks.list;
    picture->first = (double)list[0].offset;
    picture->last = picture->first + 1;
    for (size_t i = 0; i < type->blocks.count; i++)
        widen_picture(picture, (double)list[i].offset,
                      (double)list[i].offset + (double)list[i].length);
    if (!type->measured || type->blocks.left_out != 0)
        return; /* the beginning of a type that is not shown completely */
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
        size_t colour = name_index(picture, name_of(block)) % COLOURS;
        fprintf(file, "<rect x=%.2f y=%d width=%.2f height=%d fill=\"%s\"", from, TOP,
                width < 0.75 ? 0.75 : width, HEIGHT, colours[colour]);
        fprintf(file, " fill-opacity=.8><title>bytes %lld to %lld: ", (long long)block->offset,
                (long long)block->offset + (long long)block->length - 1);
        html_put(file, name_of(block));
        fputs("</title></rect>\n", file);
    }
}

static void put_scale(FILE *file, const struct picture *picture)
{
    const struct st_reported_type *type = picture->type;
    fprintf(file, "<text x=4 y=12>byte %.0f</text>", picture->first);
    fprintf(file, "<text x=%d y=12 text-anchor=end>%.0f</text>\n", WIDTH - 4, picture->last);
    if (!type->measured || type->blocks.left_out != 0)
        return;
    double lb = place_of_byte(picture, (double)type->lb);
    double ub = place_of_byte(picture, (double)type->lb + (double)type->extent);
    fprintf(file,
            "<rect class=bounds x=%.2f y=%d width=%.2f height=%d><title>lb to ub</title></rect>\n",
            lb < ub ? lb : ub, TOP - 3, lb < ub ? ub - lb : lb - ub, HEIGHT + 6);
}

static void put_legend(FILE *file, const struct picture *picture)
{
    int x = 4, y = TOP + HEIGHT + LEGEND;
    for (size_t i = 0; i < picture->name_count && x < WIDTH - 150; i++) {
        fprintf(file, "<rect x=%d y=%d width=10 height=10 fill=\"%s\" /><text x=%d y=%d>", x, y - 9,
                colours[i % COLOURS], x + 15, y);
        html_put(file, picture->names[i]);
        fputs("</text>\n", file);
        x += 30 + 7 * (int)strlen(picture->names[i]);
    }
}

void picture_put(FILE *file, const struct st_reported_type *type)
{
    struct picture picture = {.type = type};
    if (type->measured)
        fprintf(file,
                "<p class=site>size %lld · lb %lld · extent %lld · true lb %lld · true extent %lld "
                "bytes</p>\n",
                (long long)type->size, (long long)type->lb, (long long)type->extent,
                (long long)type->true_lb, (long long)type->true_extent);
    if (type->blocks.count == 0)
        return;
    measure_picture(&picture);
    fprintf(file, "<svg viewBox=\"0 0 %d %d\" role=img aria-label=\"the datatype's bytes\">\n",
            WIDTH, TOP + HEIGHT + LEGEND + 8);
    put_blocks(file, &picture);
    put_scale(file, &picture);
    put_legend(file, &picture);
    fputs("</svg>\n", file);
    if (type->blocks.left_out != 0)
        fprintf(file, "<p class=site>%zu blocks; others, of %lld bytes, are not shown</p>\n",
                type->blocks.count, (long long)type->blocks.left_out);
}
