/* Texts one after the other (writer.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "report/writer.h"

static const char *add(struct st_texts *texts, const char *text)
{
    struct st_writer writer = st_texts_begin(texts);
    st_put(&writer, text);
    return st_texts_end(texts, &writer);
}

static void texts_stand_behind_each_other(void **state)
{
    char bytes[32];
    struct st_texts texts = {bytes, sizeof bytes, 0};
    (void)state;
    const char *first = add(&texts, "rank 3"), *second = add(&texts, ""),
               *third = add(&texts, "MPI_Bcast");
    assert_string_equal(first, "rank 3");
    assert_string_equal(second, "");
    assert_string_equal(third, "MPI_Bcast");
    assert_true(second == first + 7 && third == second + 1);
}

/* Whatever the room: nothing is written past it, and each text has an end. */
static void what_has_no_room_is_cut(void **state)
{
    (void)state;
    for (size_t room = 2; room < 20; room++) {
        char bytes[32];
        memset(bytes, '#', sizeof bytes);
        struct st_texts texts = {bytes, room, 0};
        for (int i = 0; i < 6; i++) {
            const char *text = add(&texts, "abcdef");
            assert_true(text >= bytes && text + strlen(text) < bytes + room);
            assert_memory_equal(text, "abcdef", strlen(text));
        }
        for (size_t i = room; i < sizeof bytes; i++)
            assert_int_equal(bytes[i], '#');
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_stand_behind_each_other),
        cmocka_unit_test(what_has_no_room_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
