#define _GNU_SOURCE
#include "describe.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/decode/decode.h"

struct work {
    struct st_registry *registry;
    FILE *out;
    char *wrong; /* NULL: all is well */
};

__attribute__((format(printf, 2, 3))) static void wrong(struct work *work, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!work->wrong && vasprintf(&work->wrong, format, arguments) < 0) {
        abort();
    }
    va_end(arguments);
}

static void wrong_read(struct work *work, const char *what, const struct st_fault *fault)
{
    wrong(work, "%s: error %d, node %" PRIu32 ", %s %" PRIu64 ", address 0x%" PRIx64, what,
          (int)fault->error, fault->node, fault->field ? fault->field : "-", fault->value,
          fault->address);
}

/* --- one type ----------------------------------------------------------------------------------
 */

static void put_site(struct work *work, const char *what, uint32_t site)
{
    uint64_t frames[16];
    size_t count;
    struct st_fault fault = {0};
    if (site == ST_NO_SITE) {
        return;
    }
    if (st_registry_site(work->registry, site, frames, 16, &count, &fault)) {
        wrong_read(work, "a call site", &fault);
        return;
    }
    if (count == 0) {
        wrong(work, "call site %" PRIu32 " is empty", site);
    }
    fprintf(work->out, " %s", what);
    for (size_t i = 0; i < count; i++) {
        fprintf(work->out, "%c%" PRIx64, i ? ',' : '@', frames[i]);
    }
}

static void put_numbers(struct work *work, const char *what, const int64_t *numbers, int64_t count)
{
    if (!numbers) {
        return;
    }
    fprintf(work->out, " %s", what);
    uint64_t hash = 0;
    for (int64_t i = 0; i < count; i++) {
        if (i < 16) {
            fprintf(work->out, " %" PRId64, numbers[i]);
        }
        hash = (hash ^ (uint64_t)numbers[i]) * UINT64_C(0x9E3779B97F4A7C15);
    }
    if (count > 16) {
        fprintf(work->out, " ... %" PRIx64, hash);
    }
}

static void put_type(struct work *work, const struct st_type *type)
{
    FILE *out = work->out;
    fprintf(out, " #%" PRIu64 " handle %" PRIx64 " %s args %" PRId64 " %" PRId64 " %" PRId64,
            type->serial, type->handle, st_combiner_name(type->combiner), type->args[0],
            type->args[1], type->args[2]);
    fprintf(out, " bounds %" PRId64 " %" PRId64 " flags %" PRIx32 " fortran %" PRId32, type->lb,
            type->extent, type->flags, type->fortran);
    if (type->name) {
        fprintf(out, " name \"%s\"", type->name);
    }
    put_site(work, "created", type->created);
    put_site(work, "committed", type->committed);
    put_site(work, "freed", type->freed);
    put_numbers(work, "offsets", type->offsets, type->entries);
    put_numbers(work, "lengths", type->lengths, type->entries);
    for (int i = 0; i < 4; i++) {
        put_numbers(work, "dims", type->dims[i], type->entries);
    }
    for (int64_t i = 0; type->types && i < type->entries; i++) {
        fprintf(out, " of #%" PRIu64, type->types[i]->serial);
    }
    if (type->base) {
        fprintf(out, " of #%" PRIu64, type->base->serial);
    }
    fputc('\n', out);
}

/* --- the rows ----------------------------------------------------------------------------------
 */

static void put_row(struct work *work, const char *what, const struct st_row *row)
{
    const struct st_type *type;
    struct st_fault fault = {0};
    fputs(what, work->out);
    if (st_registry_type(work->registry, row->ordinal, row->serial, &type, &fault)) {
        wrong_read(work, "a listed type", &fault);
        return;
    }
    put_type(work, type);
}

static int by_handle(const void *a, const void *b)
{
    uint64_t x = (*(const struct st_row *const *)a)->handle;
    uint64_t y = (*(const struct st_row *const *)b)->handle;
    return (x > y) - (x < y);
}

static void put_live(struct work *work, const struct st_row *rows, size_t count)
{
    const struct st_row **live = calloc(count + 1, sizeof *live);
    size_t n = 0;
    if (!live) {
        abort();
    }
    for (size_t i = 0; i < count; i++) {
        if (rows[i].live) {
            live[n++] = &rows[i];
        }
    }
    qsort(live, n, sizeof *live, by_handle);
    for (size_t i = 0; i < n; i++) {
        if (i && live[i]->handle == live[i - 1]->handle) {
            wrong(work, "two live types have the handle %" PRIx64, live[i]->handle);
        }
        if (live[i]->flags & ST_FREED) {
            wrong(work, "the live type #%" PRIu64 " is marked as freed", live[i]->serial);
        }
        put_row(work, "live", live[i]);
    }
    free(live);
}

static void add_known(struct known *known, uint64_t handle)
{
    size_t low = 0, high = known->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (known->handles[middle] < handle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low < known->count && known->handles[low] == handle) {
        return;
    }
    if (known->count == known->capacity) {
        known->capacity = known->capacity ? known->capacity * 2 : 256;
        known->handles = realloc(known->handles, known->capacity * sizeof *known->handles);
        if (!known->handles) {
            abort();
        }
    }
    memmove(known->handles + low + 1, known->handles + low,
            (known->count - low) * sizeof *known->handles);
    known->handles[low] = handle;
    known->count++;
}

/* What every handle means; a listed type must be found under its own. */
static void put_handles(struct work *work, const struct st_row *rows, size_t count,
                        struct known *known)
{
    static const char *const means[] = {[ST_LIVE] = "live", [ST_TOMBSTONE] = "freed"};
    for (size_t i = 0; i < count; i++) {
        add_known(known, rows[i].handle);
    }
    for (size_t i = 0; i < known->count; i++) {
        const struct st_type *type = NULL;
        struct st_fault fault = {0};
        enum st_handle_state found =
            st_registry_find(work->registry, known->handles[i], &type, &fault);
        if (found == ST_FIND_FAILED) {
            wrong_read(work, "a handle", &fault);
        } else if (found != ST_UNKNOWN_HANDLE) {
            fprintf(work->out, "handle %" PRIx64 ": %s #%" PRIu64 "\n", known->handles[i],
                    means[found], type->serial);
        }
    }
    for (size_t i = 0; i < count; i++) {
        const struct st_type *type = NULL;
        if (rows[i].live &&
            (st_registry_find(work->registry, rows[i].handle, &type, NULL) != ST_LIVE ||
             type->ordinal != rows[i].ordinal)) {
            wrong(work, "the live type #%" PRIu64 " is not found under its handle", rows[i].serial);
        }
    }
}

static void put_sites(struct work *work)
{
    const struct st_root *root = st_registry_root(work->registry);
    char *text = NULL;
    size_t length = 0;
    FILE *out = work->out;
    work->out = open_memstream(&text, &length); /* read and checked; types name those that matter */
    for (uint32_t site = 0; site < root->sites_used; site++) {
        put_site(work, "", site);
    }
    fclose(work->out);
    free(text);
    work->out = out;
}

static void put_counters(struct work *work, const struct st_row *rows, size_t count)
{
    const struct st_root *root = st_registry_root(work->registry);
    uint32_t live = 0;
    for (size_t i = 0; i < count; i++) {
        live += rows[i].live && !(rows[i].flags & ST_PREDEFINED);
    }
    if (root->changes % 2 == 0 && root->live != live) {
        wrong(work, "root.live is %" PRIu32 ", there are %" PRIu32, root->live, live);
    }
}

static void put_root(struct work *work)
{
    const struct st_root *root = st_registry_root(work->registry);
    fprintf(work->out, "state %" PRIu32 " rank %" PRId32 " of %" PRId32 " version '%.104s'\n",
            root->state, root->world_rank, root->world_size, root->mpi_version);
}

static void put_all(struct work *work, struct known *known, size_t *types)
{
    struct st_row *rows = NULL;
    size_t count;
    struct st_damage damage;
    struct st_fault fault = {0};
    if (st_registry_rows(work->registry, &rows, &count, &damage, &fault)) {
        wrong_read(work, "the list of types", &fault);
        return;
    }
    if (damage.fault.error) {
        wrong_read(work, "a node", &damage.fault);
    }
    *types = count;
    put_root(work);
    put_live(work, rows, count);
    for (size_t i = count; i-- > 0;) { /* in order of creation: by identity, not by place */
        if (rows[i].tombstone) {
            put_row(work, "freed", &rows[i]);
        } else if (!rows[i].live) {
            put_row(work, "below", &rows[i]);
        }
    }
    put_handles(work, rows, count, known);
    put_sites(work);
    put_counters(work, rows, count);
    free(rows);
}

bool describe(struct description *description, st_read_fn read, void *context, uint64_t root,
              struct known *known)
{
    struct work work = {0};
    struct st_fault fault = {0};
    *description = (struct description){0};
    work.out = open_memstream(&description->text, &description->length);
    if (!work.out) {
        abort();
    }
    if (st_registry_open(&work.registry, read, context, root, &fault)) {
        wrong_read(&work, "the root", &fault);
    } else {
        description->changes = st_registry_root(work.registry)->changes;
        put_all(&work, known, &description->types);
    }
    fclose(work.out);
    st_registry_close(work.registry);
    if (work.wrong) {
        free(description->text);
        description->text = work.wrong;
        description->length = strlen(work.wrong);
    }
    return !work.wrong;
}

bool description_equal(const struct description *a, const struct description *b)
{
    return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

/* Lines that the other text has not got, a few of them. */
static void show_missing(const char *mark, const struct description *in,
                         const struct description *from)
{
    int shown = 0;
    for (const char *line = in->text; *line && shown < 4;) {
        size_t length = strcspn(line, "\n");
        const char *there = memmem(from->text, from->length, line, length + (line[length] != 0));
        if (!there) {
            printf("    %s %.*s\n", mark, (int)(length < 300 ? length : 300), line);
            shown++;
        }
        line += length + (line[length] != 0);
    }
}

void description_show_difference(const struct description *a, const struct description *b)
{
    show_missing("-", a, b);
    show_missing("+", b, a);
}
