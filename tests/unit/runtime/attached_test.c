/* Memory that is attached to windows, against a byte by byte model. */
#include "unit/runtime/unit.h"

#include "runtime/objects/attached.h"
#include "runtime/objects/records.h"

enum { WINDOWS = 2, BYTES = 48, STEPS = 900, LOOKS = 40, FIRST = 1000, MOST_BYTES = 9 };

/* Of each byte: how much memory with it is attached, was when its window was freed, or ever was. */
static struct {
    int now, freed, ever;
} model[WINDOWS][BYTES];
static struct {
    int window, from, bytes;
    bool is_there;
} made[STEPS];

static uint64_t handle(int window)
{
    return (uint64_t)window + 1;
}

static void mark(int one, int change)
{
    for (int i = 0; i < made[one].bytes; i++) {
        model[made[one].window][made[one].from + i].now += change;
        model[made[one].window][made[one].from + i].ever = 1;
    }
    made[one].is_there = change > 0;
}

static bool is_free(int window, int from, int bytes)
{
    for (int i = 0; i < bytes; i++)
        if (model[window][from + i].now)
            return false;
    return true;
}

static void attach(int one)
{
    const int window = (int)random_below(WINDOWS), bytes = 1 + (int)random_below(MOST_BYTES);
    const int from = (int)random_below((uint32_t)(BYTES - bytes));
    const bool fits = is_free(window, from, bytes);
    const uint64_t first = FIRST + (uint64_t)from, end = first + (uint64_t)bytes;
    assert_int_equal(!st_attached_find(handle(window), first, end), fits);
    if (fits) {
        made[one].window = window, made[one].from = from, made[one].bytes = bytes;
        st_attached_add(
            &(struct st_attached_memory){.win = handle(window), .from = first, .to = end});
        mark(one, 1);
    }
}

static void detach(int one)
{
    const uint64_t first = FIRST + (uint64_t)made[one].from;
    if (made[one].is_there) {
        assert_true(st_attached_remove(handle(made[one].window), first));
        mark(one, -1);
    }
}

static void free_window(int window)
{
    st_attached_free(handle(window));
    for (int i = 0; i < STEPS; i++)
        if (made[i].is_there && made[i].window == window)
            made[i].is_there = false;
    for (int i = 0; i < BYTES; i++) {
        model[window][i].freed += model[window][i].now;
        model[window][i].now = 0;
    }
}

static enum st_attachment expected_of(int window, int first, int last, bool is_dense)
{
    for (int i = first; i <= last; i++)
        if ((is_dense || i == first || i == last) && !model[window][i].now &&
            !model[window][i].freed)
            return model[window][i].ever ? ST_ATTACHMENT_ENDED : ST_ATTACHMENT_NEVER;
    return ST_ATTACHMENT_FITS;
}

static void look(void)
{
    const struct st_attached_memory *nearest;
    const int window = (int)random_below(WINDOWS), first = (int)random_below(BYTES - 12);
    const int last = first + (int)random_below(12);
    const bool is_dense = random_below(2);
    assert_int_equal(st_attached_judge(handle(window), FIRST + (uint64_t)first,
                                       FIRST + (uint64_t)last, is_dense, &nearest),
                     expected_of(window, first, last, is_dense));
}

static void like_the_model(void **state)
{
    (void)state;
    const struct st_attached_memory *nearest;
    for (int i = 0; i < WINDOWS; i++)
        assert_non_null(
            st_records_add(&(struct st_record){.kind = ST_KIND_WIN, .handle = handle(i)}));
    assert_int_equal(st_attached_judge(1, FIRST, FIRST, true, &nearest), ST_ATTACHMENT_NEVER);
    assert_null(nearest);
    for (int step = 0; step < STEPS; step++) {
        if (random_below(2) || !step)
            attach(step);
        else
            detach((int)random_below((uint32_t)step));
        if (step % 300 == 299)
            free_window((int)random_below(WINDOWS));
        for (int i = 0; i < LOOKS; i++)
            look();
    }
    assert_int_equal(st_attached_judge(99, FIRST, FIRST, true, &nearest), ST_ATTACHMENT_FITS);
}

static void beyond_the_address_space(void **state)
{
    (void)state;
    const struct st_attached_memory *nearest;
    assert_int_equal(st_attached_judge(1, UINT64_MAX - 3, 3, true, &nearest), ST_ATTACHMENT_NEVER);
    assert_int_equal(st_attached_judge(1, 0, 3, true, &nearest), ST_ATTACHMENT_NEVER);
    assert_int_equal(nearest->win, 1);
}

/* What was detached long ago is forgotten: then nothing is known of memory that is not attached. */
static void more_than_is_remembered(void **state)
{
    (void)state;
    const struct st_attached_memory *nearest;
    for (int i = 0; i < 3000; i++) {
        st_attached_add(&(struct st_attached_memory){.win = 1, .from = 50, .to = 60});
        assert_true(st_attached_remove(1, 50));
        assert_false(st_attached_remove(1, 50));
    }
    assert_int_equal(st_attached_judge(1, 0, 3, true, &nearest), ST_ATTACHMENT_FITS);
    assert_true(st_attached_are_all(1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(like_the_model),
        cmocka_unit_test(beyond_the_address_space),
        cmocka_unit_test(more_than_is_remembered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
