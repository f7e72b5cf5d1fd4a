/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The picture: a box for ranks that wait in the same way, on an ellipse, in an order in which each
 * waits for the next if possible. An arrow leads from a box to each that it waits for.
 */
#include "hang_html.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "../words.h"
#include "html_text.h"
#include "merged.h"

enum { WIDTH = 900, BOX_WIDTH = 210, BOX_HEIGHT = 40, MOST_NODES = 16, MOST_LETTERS = 30 };

struct point {
    double x, y;
};

struct drawing {
    const json_t *nodes, *edges;
    size_t count; /* of nodes that are drawn */
    double height;
    size_t order[MOST_NODES]; /* of the nodes around the ellipse */
    struct point centers[MOST_NODES];
};

/* --- where the boxes are ------------------------------------------------------------------- */

static bool edge_of(const struct drawing *drawing, size_t number, size_t *from, size_t *to)
{
    const json_t *edge = json_array_get(drawing->edges, number);
    *from = (size_t)json_integer_value(json_array_get(edge, 0));
    *to = (size_t)json_integer_value(json_array_get(edge, 1));
    return *from < drawing->count && *to < drawing->count;
}

/* Returns the first node that NODE waits for and that has no place yet, or COUNT. */
static size_t next_of(const struct drawing *drawing, size_t node, const bool *is_placed)
{
    for (size_t i = 0; i < json_array_size(drawing->edges); i++) {
        size_t from, to;
        if (edge_of(drawing, i, &from, &to) && from == node && !is_placed[to]) {
            return to;
        }
    }
    return drawing->count;
}

static void order_nodes(struct drawing *drawing)
{
    bool is_placed[MOST_NODES] = {false};
    size_t placed = 0;
    for (size_t start = 0; start < drawing->count; start++) {
        for (size_t node = start; node < drawing->count && !is_placed[node];
             node = next_of(drawing, node, is_placed)) {
            is_placed[node] = true;
            drawing->order[placed++] = node;
        }
    }
}

static void place_nodes(struct drawing *drawing)
{
    static const double pi = 3.14159265358979323846;
    double rows = (double)(drawing->count + 1) / 2;
    double radius_x = drawing->count == 1 ? 0 : (WIDTH - BOX_WIDTH) / 2.0 - 20;
    double radius_y = drawing->count <= 2 ? 0 : rows * (BOX_HEIGHT + 16) / 2;
    drawing->height = 2 * radius_y + BOX_HEIGHT + 90;
    for (size_t i = 0; i < drawing->count; i++) {
        double angle = pi + 2 * pi * (double)i / (double)drawing->count;
        drawing->centers[drawing->order[i]] = (struct point){
            WIDTH / 2.0 + radius_x * cos(angle), drawing->height / 2 + radius_y * sin(angle)};
    }
}

/* --- drawing ------------------------------------------------------------------------------- */

/* Returns where the line from a box' center to POINT leaves the box, GAP further out. */
static struct point leave_box(struct point center, struct point point, double gap)
{
    double x = point.x - center.x, y = point.y - center.y;
    double wide = fabs(x) / (BOX_WIDTH / 2.0 + gap), high = fabs(y) / (BOX_HEIGHT / 2.0 + gap);
    double scale = wide > high ? wide : high;
    if (scale <= 0) {
        return center;
    }
    return (struct point){center.x + x / scale, center.y + y / scale};
}

/* Curved, so that two that wait for each other have two arrows. */
static void put_arrow(FILE *file, const struct drawing *drawing, size_t from, size_t to)
{
    enum { BEND = 40, GAP = 7 };
    struct point a = drawing->centers[from], b = drawing->centers[to];
    if (from == to) {
        fprintf(file, "<path class=waits d=\"M%.1f %.1f c-40 -50 40 -50 8 -%d\"/>\n", a.x - 20,
                a.y - BOX_HEIGHT / 2.0, GAP);
        return;
    }
    double x = b.x - a.x, y = b.y - a.y, length = hypot(x, y);
    struct point middle = {(a.x + b.x) / 2 - y / length * BEND,
                           (a.y + b.y) / 2 + x / length * BEND};
    struct point begin = leave_box(a, middle, 0), end = leave_box(b, middle, GAP);
    fprintf(file, "<path class=waits d=\"M%.1f %.1f Q%.1f %.1f %.1f %.1f\"/>\n", begin.x, begin.y,
            middle.x, middle.y, end.x, end.y);
}

static void put_text(FILE *file, double x, double y, const char *text)
{
    size_t length = text != NULL ? strlen(text) : 0;
    fprintf(file, "<text x=%.1f y=%.1f text-anchor=middle>", x, y);
    html_put(file, length > MOST_LETTERS ? text_of("%.*s...", MOST_LETTERS - 3, text)
                                         : text_of("%s", length != 0 ? text : ""));
    fputs("</text>\n", file);
}

static void put_box(FILE *file, const struct drawing *drawing, size_t number)
{
    const json_t *node = json_array_get(drawing->nodes, number);
    const char *state = facts_text(node, "state"), *who = facts_text(node, "who");
    const char *call = facts_text(node, "call");
    struct point center = drawing->centers[number];
    fprintf(file, "<rect class=\"rank %s\" x=%.1f y=%.1f width=%d height=%d rx=6><title>",
            state != NULL && strcmp(state, "left") == 0     ? "left"
            : state != NULL && strcmp(state, "behind") == 0 ? "behind"
                                                            : "core",
            center.x - BOX_WIDTH / 2.0, center.y - BOX_HEIGHT / 2.0, BOX_WIDTH, BOX_HEIGHT);
    html_put(file, call != NULL ? call : "");
    fputs("</title></rect>\n", file);
    put_text(file, center.x, center.y - 4, who);
    put_text(file, center.x, center.y + 11, call);
}

static void put_picture(FILE *file, const json_t *waits)
{
    struct drawing drawing = {.nodes = json_object_get(waits, "nodes"),
                              .edges = json_object_get(waits, "edges")};
    size_t all = json_array_size(drawing.nodes), from, to;
    drawing.count = all < MOST_NODES ? all : MOST_NODES;
    if (drawing.count == 0) {
        return;
    }
    order_nodes(&drawing);
    place_nodes(&drawing);
    fprintf(file,
            "<svg class=hang viewBox=\"0 0 %d %.0f\" role=img aria-label=\"who waits for whom\">\n"
            "<defs><marker id=arrow viewBox=\"0 0 8 8\" refX=6 refY=4 markerWidth=8 markerHeight=8 "
            "orient=auto><path d=\"M0 0 L8 4 L0 8 z\"/></marker></defs>\n",
            WIDTH, drawing.height);
    for (size_t i = 0; i < json_array_size(drawing.edges); i++) {
        if (edge_of(&drawing, i, &from, &to)) {
            put_arrow(file, &drawing, from, to);
        }
    }
    for (size_t i = 0; i < drawing.count; i++) {
        put_box(file, &drawing, i);
    }
    fputs("</svg>\n", file);
    if (all > drawing.count) {
        fprintf(file, "<p class=count>The picture has the first %zu of %zu groups of ranks.</p>\n",
                drawing.count, all);
    }
}

/* --- stacks -------------------------------------------------------------------------------- */

/* "ranks 0-3,7" */
static char *ranks_text(const json_t *ranks)
{
    struct report named = {0};
    const json_t *number;
    size_t i;
    json_array_foreach(ranks, i, number) report_add_rank(&named, (int)json_integer_value(number));
    return text_of("rank%s %s", named.rank_count == 1 ? "" : "s", report_ranks(&named));
}

static void put_frame(FILE *file, const json_t *frame)
{
    const char *function = facts_text(frame, "function"), *source = facts_text(frame, "file");
    const char *module = facts_text(frame, "module");
    const char *place = source != NULL   ? text_of("%s:%lld", text_base_name(source),
                                                   (long long)facts_number(frame, "line"))
                        : module != NULL ? text_base_name(module)
                                         : "";
    fputs("<code title=\"", file);
    html_put(file, source != NULL ? source : module != NULL ? module : "");
    fputs("\">", file);
    html_put(file, function != NULL ? function : "?");
    fputs("</code>", file);
    if (json_is_null(json_object_get(frame, "call")) && place[0] != '\0') {
        fputs(" <span class=site>", file);
        html_put(file, place);
        fputs("</span>", file);
    }
}

/* Writes a tree: the frames that ranks have in common, and below them the branches. */
static void put_tree(FILE *file, const json_t *tree)
{
    const json_t *frames = json_object_get(tree, "frames"), *frame, *branch;
    size_t i;
    fputs("<li>", file);
    html_put(file, ranks_text(json_object_get(tree, "ranks")));
    fputs(": ", file);
    json_array_foreach(frames, i, frame)
    {
        fputs(i == 0 ? "" : " &gt; ", file);
        put_frame(file, frame);
    }
    if (json_array_size(json_object_get(tree, "branches")) != 0) {
        fputs("\n<ul>", file);
        json_array_foreach(json_object_get(tree, "branches"), i, branch) put_tree(file, branch);
        fputs("</ul>", file);
    }
    fputs("</li>\n", file);
}

void hang_html_put(FILE *file, const struct facts *facts)
{
    if (facts->waits != NULL) {
        put_picture(file, facts->waits);
    }
    if (facts->stacks != NULL) {
        fputs("<details open class=stacks><summary>stacks</summary>\n<ul>", file);
        put_tree(file, facts->stacks);
        fputs("</ul></details>\n", file);
    }
}
