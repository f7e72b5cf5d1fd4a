/* Comparisons (compare.h) of random datatypes and random types of a program, against marks on every byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/compare/compare.h"
#include "fixture.h"
#include "oracle.h"

enum { CASES = 3000, MOST_FIELDS = 40, MOST_BYTES = 4000, MOST_MARKS = 40000 };

/* --- random program types ----------------------------------------------------------------------
 */

struct program {
    struct st_field fields[MOST_FIELDS];
    struct st_nest_level dims[MOST_FIELDS][2];
    uint32_t count;
};

static const struct leaf {
    enum st_field_kind kind;
    int64_t size;
    const char *mpi;
} leaves[] = {
    {ST_FIELD_CHAR, 1, "MPI_CHAR"},  {ST_FIELD_SIGNED, 2, "MPI_SHORT"},
    {ST_FIELD_SIGNED, 4, "MPI_INT"}, {ST_FIELD_FLOAT, 8, "MPI_DOUBLE"},
    {ST_FIELD_UNSIGNED, 4, NULL},    {ST_FIELD_POINTER, 8, NULL},
};

/* A field at `offset`; where it ends. */
static int64_t draw_field(struct program *p, uint64_t *seed, int depth, int64_t offset)
{
    uint32_t mine = p->count++;
    struct st_field *field = &p->fields[mine];
    *field = (struct st_field){.offset = offset, .dim = p->dims[mine]};
    if (depth > 0 && p->count < MOST_FIELDS - 8 && image_between(seed, 0, 2)) {
        int64_t at = 0;
        field->kind = ST_FIELD_GROUP;
        for (int64_t n = image_between(seed, 1, 4); n > 0 && p->count < MOST_FIELDS - 4; n--) {
            at = draw_field(p, seed, depth - 1, at + image_between(seed, 0, 2) / 2 * 4);
        }
        field->size = at + image_between(seed, 0, 1) * 4;
        field->below = p->count - mine - 1;
    } else {
        const struct leaf *leaf = &leaves[image_between(seed, 0, 5)];
        field->kind = leaf->kind;
        field->size = leaf->size;
    }
    int64_t hull = field->size;
    for (uint32_t d = (uint32_t)image_between(seed, 0, 4) / 2; d-- > 0;) { /* 0, 0, 1, 1 or 2 */
        int64_t stride = hull + (image_between(seed, 0, 5) ? 0 : 8);
        int64_t length = image_between(seed, 0, 9) ? image_between(seed, 1, 4) : 0;
        memmove(p->dims[mine] + 1, p->dims[mine], sizeof p->dims[mine][0]);
        p->dims[mine][0] = (struct st_nest_level){length, stride};
        field->dims++;
        hull = length * stride;
    }
    return offset + hull;
}

/* A whole type; its size. */
static int64_t draw_program(struct program *p, uint64_t *seed)
{
    int64_t size;
    do {
        struct st_fields *tree;
        p->count = 0;
        draw_field(p, seed, 3, 0);
        assert_int_equal(st_fields_build(&tree, p->fields, p->count, 0, NULL), ST_OK);
        size = tree->size;
        st_fields_free(tree);
    } while (size > MOST_BYTES);
    return size;
}

/* --- marks ------------------------------------------------------------------------------------ */

/* Whose byte this is: field, and number of its element. */
struct owner {
    uint32_t field;
    int64_t index, start;
};

struct bytes {
    struct owner owner[MOST_BYTES];
    int64_t elements[MOST_FIELDS]; /* of each leaf */
    int64_t size;
};

static void own(struct bytes *bytes, const struct program *p, uint32_t field, int64_t base,
                int64_t above)
{
    const struct st_field *f = &p->fields[field];
    int64_t outer = f->dims > 0 ? f->dim[0].count : 1, inner = f->dims > 1 ? f->dim[1].count : 1;
    for (int64_t i = 0; i < outer * inner; i++) {
        int64_t at = base + f->offset + (f->dims > 0 ? i / inner * f->dim[0].stride : 0) +
                     (f->dims > 1 ? i % inner * f->dim[1].stride : 0);
        int64_t index = above * outer * inner + i;
        if (f->kind != ST_FIELD_GROUP) {
            bytes->elements[field]++;
            for (int64_t b = 0; b < f->size; b++) {
                assert_true(at + b < bytes->size);
                bytes->owner[at + b] = (struct owner){field, index, at};
            }
        }
        for (uint32_t c = field + 1; c <= field + f->below; c += p->fields[c].below + 1) {
            own(bytes, p, c, at, index);
        }
    }
}

/* One element of the type map over one element of a field. */
struct mark {
    uint32_t field;
    const struct st_basic *basic;
    enum st_field_verdict finding;
    int64_t index, offset, at;
};

struct marks {
    struct mark mark[MOST_MARKS];
    size_t count;
    bool padding;
};

static const struct leaf *leaf_of(const struct st_basic *basic)
{
    for (size_t i = 0; i < 4; i++) {
        if (strcmp(leaves[i].mpi, basic->name) == 0) {
            return &leaves[i];
        }
    }
    fail_msg("no such leaf: %s", basic->name);
    return NULL;
}

static void add_mark(struct marks *marks, struct mark mark)
{
    assert_true(marks->count < MOST_MARKS);
    marks->mark[marks->count++] = mark;
}

static void mark_entry(struct marks *marks, const struct bytes *bytes, const struct program *p,
                       const struct st_basic *basic, int64_t at)
{
    const struct leaf *leaf = leaf_of(basic);
    int64_t end = at + leaf->size;
    if (at < 0) {
        add_mark(marks, (struct mark){ST_NO_FIELD, basic, ST_FOUND_BEFORE, 0, at, at});
    }
    for (int64_t b = at < 0 ? 0 : at; b < end && b < bytes->size;) {
        struct owner owner = bytes->owner[b];
        if (owner.field == ST_NO_FIELD) {
            marks->padding = true;
            b++;
            continue;
        }
        const struct st_field *field = &p->fields[owner.field];
        enum st_field_verdict finding = ST_FOUND_WRONG_TYPE;
        if (field->kind == ST_FIELD_POINTER) {
            finding = ST_FOUND_NO_TYPE;
        } else if (field->kind == leaf->kind && field->size == leaf->size) {
            finding = at == owner.start ? ST_FOUND_MATCH : ST_FOUND_WRONG_OFFSET;
        } else if (at < owner.start) {
            finding = ST_FOUND_INSIDE;
        }
        add_mark(marks, (struct mark){owner.field, basic, finding, owner.index, owner.start, at});
        b = owner.start + field->size;
    }
    if (end > bytes->size) {
        int64_t from = at > bytes->size ? at : bytes->size;
        add_mark(marks, (struct mark){ST_NO_FIELD, basic, ST_FOUND_BEYOND, 0, from, at});
    }
}

static int by_mark(const void *a, const void *b)
{
    const struct mark *one = a, *two = b;
    if (one->field != two->field) {
        return one->field < two->field ? -1 : 1;
    }
    return (one->index > two->index) - (one->index < two->index);
}

/* --- checks ----------------------------------------------------------------------------------- */

static bool shown(const struct st_compare_row *row, const struct program *p, int64_t index)
{
    int64_t shape[ST_FIELD_DIMS];
    uint32_t dims = 0;
    bool in_one = false;
    for (uint32_t i = 0; i <= row->field; i += 1) { /* the dimensions of all it is in */
        const struct st_field *field = &p->fields[i];
        if (row->field > i + field->below) {
            continue;
        }
        for (uint32_t d = 0; d < field->dims; d++) {
            shape[dims++] = field->dim[d].count;
        }
    }
    assert_true(row->dims <= dims);
    for (int64_t b = 0; b < row->where.boxes && b < ST_COVER_BOXES; b++) {
        int64_t rest = index;
        bool in_box = true;
        for (uint32_t d = dims; d-- > 0;) {
            int64_t at = rest % shape[d];
            rest /= shape[d];
            if (d >= row->dims) {
                assert_int_equal(at, 0);
                continue;
            }
            const struct st_index_range *range = &row->where.box[b].dim[d];
            bool in_range = false;
            for (int64_t i = 0; i < range->count; i++) {
                int64_t from = range->first + i * range->step;
                in_range = in_range || (at >= from && at < from + range->run);
            }
            in_box = in_box && (in_range || range->count == 0);
        }
        in_one = in_one || in_box;
    }
    return in_one;
}

static void check_row(const struct st_compare_row *row, const struct marks *marks,
                      const struct program *p, const struct bytes *bytes)
{
    int64_t met = 0, last = -1, boxed = 0, lowest = INT64_MAX;
    bool again = false, begins = false, ends = false;
    for (size_t i = 0; i < marks->count; i++) {
        const struct mark *mark = &marks->mark[i];
        bool same = mark->field == row->field &&
                    (row->finding == ST_FOUND_NOT_SENT ||
                     (mark->finding == row->finding && mark->basic == row->mpi.basic));
        if (!same) {
            continue;
        }
        begins = begins || (mark->offset == row->offset && mark->at == row->displacement);
        ends = ends || mark->at == row->last;
        lowest = mark->offset < lowest ? mark->offset : lowest;
        again = again || mark->index == last;
        bool fresh = mark->index != last || row->field == ST_NO_FIELD;
        met += fresh;
        last = mark->index;
        if (fresh && row->field != ST_NO_FIELD) {
            boxed += shown(row, p, mark->index);
        }
    }
    if (row->finding == ST_FOUND_NOT_SENT) {
        assert_int_equal(row->elements, bytes->elements[row->field] - met);
        assert_int_equal(boxed, 0);
        assert_true(row->elements > 0);
        return;
    }
    assert_int_equal(row->elements, met);
    assert_int_equal(row->offset, lowest);
    assert_true(begins);
    assert_true(ends || row->finding == ST_FOUND_INSIDE || row->finding == ST_FOUND_NO_TYPE ||
                row->finding == ST_FOUND_WRONG_TYPE || row->finding == ST_FOUND_WRONG_OFFSET);
    if (row->field == ST_NO_FIELD) {
        return;
    }
    assert_true(row->located);
    assert_int_equal(row->all, bytes->elements[row->field]);
    if (row->where.boxes <= ST_COVER_BOXES) {
        assert_int_equal(boxed, met);
    }
    if (row->finding == ST_FOUND_MATCH) {
        assert_int_equal(row->again, again);
    }
}

/* Whether nothing at all is sent in a field, or anything below it. */
static bool silent(const struct marks *marks, const struct program *p, uint32_t field)
{
    for (size_t i = 0; i < marks->count; i++) {
        uint32_t marked = marks->mark[i].field;
        if (marked != ST_NO_FIELD && marked >= field && marked <= field + p->fields[field].below) {
            return false;
        }
    }
    return true;
}

static void check_fields(const struct st_comparison *found, const struct marks *marks,
                         const struct program *p, const struct bytes *bytes)
{
    int64_t fields = 0, different = 0, not_sent = 0, in_part = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        if (p->fields[i].kind == ST_FIELD_GROUP || !bytes->elements[i]) {
            continue;
        }
        int rows = 0;
        for (size_t r = 0; r < found->count; r++) {
            uint32_t field = found->rows[r].field;
            rows += field != ST_NO_FIELD && found->rows[r].finding == ST_FOUND_NOT_SENT &&
                    field <= i && i <= field + p->fields[field].below;
        }
        int64_t met = 0, last = -1;
        bool fault = false;
        for (size_t m = 0; m < marks->count; m++) {
            if (marks->mark[m].field == i) {
                met += marks->mark[m].index != last;
                last = marks->mark[m].index;
                fault = fault || st_is_fault(marks->mark[m].finding);
            }
        }
        assert_int_equal(rows, met < bytes->elements[i]);
        fields++;
        different += fault;
        not_sent += met == 0;
        in_part += met > 0 && met < bytes->elements[i];
    }
    assert_int_equal(found->fields, fields);
    assert_int_equal(found->different, different);
    assert_int_equal(found->not_sent, not_sent);
    assert_int_equal(found->in_part, in_part);
    assert_int_equal(found->padding, marks->padding);
}

/* How many different rows the marks ask for. */
static size_t kinds_of(const struct marks *marks)
{
    size_t kinds = 0;
    for (size_t i = 0; i < marks->count; i++) {
        bool first = true;
        for (size_t j = 0; j < i && first; j++) {
            first = marks->mark[j].field != marks->mark[i].field ||
                    marks->mark[j].finding != marks->mark[i].finding ||
                    marks->mark[j].basic != marks->mark[i].basic;
        }
        kinds += first;
    }
    return kinds;
}

static void check_case(struct fixture *f, uint32_t top, const struct map *map, int64_t count,
                       const struct program *p, int64_t start)
{
    static struct bytes bytes;
    static struct marks marks;
    struct st_comparison *found = NULL;
    struct st_fault fault = {0};
    const struct st_type *type = fixture_type(f, top);
    enum st_error error = st_compare(&found, type, count, p->fields, p->count,
                                     (struct st_compare_at){0, start}, ST_COMPARE_WORK, &fault);
    assert_int_equal(error, ST_OK);
    assert_true(found->complete);
    assert_int_equal(found->compared, count * (int64_t)map->count);
    memset(&bytes, 0, sizeof bytes);
    bytes.size = found->size;
    assert_true(bytes.size <= MOST_BYTES);
    for (int64_t i = 0; i < bytes.size; i++) {
        bytes.owner[i].field = ST_NO_FIELD;
    }
    own(&bytes, p, 0, 0, 0);
    marks.count = 0;
    marks.padding = false;
    for (int64_t r = 0; r < count; r++) {
        for (size_t i = 0; i < map->count; i++) {
            mark_entry(&marks, &bytes, p, &fixture_type(f, map->entries[i].leaf)->basic,
                       start + map->entries[i].at + r * (map->ub - map->lb));
        }
    }
    qsort(marks.mark, marks.count, sizeof(struct mark), by_mark);
    size_t rows = 0;
    for (size_t i = 0; i < found->count; i++) {
        const struct st_compare_row *row = &found->rows[i];
        if (row->finding == ST_FOUND_NOT_SENT) {
            if (p->fields[row->field].below || silent(&marks, p, row->field)) {
                assert_true(silent(&marks, p, row->field));
            } else {
                check_row(row, &marks, p, &bytes);
            }
        } else if (row->finding != ST_FOUND_PADDING) {
            check_row(row, &marks, p, &bytes);
            rows++;
        }
    }
    assert_int_equal(rows, kinds_of(&marks));
    check_fields(found, &marks, p, &bytes);
    st_comparison_free(found);
}

/* --- random comparisons ----------------------------------------------------------------------- */

static void random_types_against_random_programs(void **state)
{
    (void)state;
    uint64_t seed = image_seed(31337);
    for (int i = 0; i < CASES; i++) {
        struct fixture f;
        struct map map = {0};
        struct program p;
        draw_program(&p, &seed);
        fixture_init(&f);
        uint32_t top = oracle_random(&f.image, &seed, i % 5, &map);
        fixture_open(&f);
        int64_t start = i % 2 ? image_between(&seed, -40, 200) : 0;
        check_case(&f, top, &map, image_between(&seed, 0, 2), &p, start);
        map_deinit(&map);
        fixture_deinit(&f);
    }
}

/* The type that a careful programmer would make, and slips: a wrong type, a wrong offset, a field
 * too few. */
static void types_for_the_program_with_slips(void **state)
{
    (void)state;
    static const int64_t slips[] = {-4, 4, 8};
    uint64_t seed = image_seed(271828);
    for (int i = 0; i < CASES; i++) {
        static struct bytes bytes;
        struct fixture f;
        struct map map = {0};
        struct program p;
        uint32_t basic[4];
        int64_t offsets[MOST_BYTES], lengths[MOST_BYTES];
        uint32_t types[MOST_BYTES];
        int64_t count = 0;
        memset(&bytes, 0, sizeof bytes);
        bytes.size = draw_program(&p, &seed);
        own(&bytes, &p, 0, 0, 0);
        fixture_init(&f);
        for (size_t b = 0; b < 4; b++) {
            basic[b] = image_named(&f.image, leaves[b].mpi, leaves[b].size);
        }
        for (int64_t b = 0; b < bytes.size; b++) {
            struct owner owner = bytes.owner[b];
            const struct st_field *field = &p.fields[owner.field];
            if (owner.start != b || !bytes.elements[owner.field]) {
                continue;
            }
            size_t which = 0;
            while (which < 3 && leaves[which].size < field->size) {
                which++;
            }
            bool slip = image_between(&seed, 0, 40) == 0;
            which = slip ? (size_t)image_between(&seed, 0, 3) : which;
            offsets[count] = b + (slip ? slips[image_between(&seed, 0, 2)] : 0);
            lengths[count] = image_between(&seed, 0, 60) != 0;
            types[count] = basic[which];
            count++;
        }
        uint32_t top = image_struct(&f.image, count, offsets, lengths, types, 0, bytes.size, false);
        fixture_open(&f);
        map.entries = calloc((size_t)count + 1, sizeof(*map.entries));
        assert_non_null(map.entries);
        for (int64_t e = 0; e < count; e++) {
            if (lengths[e]) {
                map.entries[map.count++] = (struct entry){types[e], offsets[e], 0};
            }
        }
        check_case(&f, top, &map, 1, &p, i % 2 ? 8 * image_between(&seed, -3, 9) : 0);
        map_deinit(&map);
        fixture_deinit(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_types_against_random_programs),
        cmocka_unit_test(types_for_the_program_with_slips),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
