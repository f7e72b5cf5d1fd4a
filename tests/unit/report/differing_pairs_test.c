/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether all ranks have made a call in which ranks exchange data with each other (cmd/watch/differing.h): for each set of ranks that
 * may have come, against the definition. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "../../../cmd/watch/differing.h"
#include "core/agree/pairs.h"

/* Instead of shared.c: the calls are of other nodes. */
json_t *shared_frames(const struct shared *shared, uint32_t rank, uint32_t place)
{
    (void)shared, (void)rank, (void)place;
    return NULL;
}

const struct st_rank_area *shared_area(const struct shared *shared, uint32_t rank)
{
    (void)shared, (void)rank;
    return NULL;
}

char *shared_function(const struct shared *shared, uint32_t rank, uint32_t function)
{
    (void)shared, (void)rank, (void)function;
    return NULL;
}

enum { MOST = 6 };

/* How many ranks the communicator has, or the first group of an intercommunicator; and its second group, 0 if there is none. */
struct group_sizes {
    unsigned first, second;
};

static struct st_rank_pairs *pairs_of(uint32_t sends, uint32_t receives)
{
    struct st_rank_pairs *pairs =
        calloc(1, sizeof *pairs + (sends + receives) * sizeof *pairs->list);
    pairs->sends = sends;
    pairs->receives = receives;
    return pairs;
}

/* The call of the rank of this index: those of the second group follow those of the first one. ROOT: index; negative: no root. */
static struct published_call call_of(struct group_sizes sizes, unsigned index, const char *function,
                                     int root)
{
    const bool is_inter = sizes.second != 0, is_second = index >= sizes.first;
    const unsigned others = !is_inter ? sizes.first : is_second ? sizes.first : sizes.second;
    const bool is_root = (int)index == root;
    const bool is_aside = is_inter && root >= 0 && ((unsigned)root >= sizes.first) == is_second;
    struct published_call one = {.rank = (int)index, .function = function};
    one.call.member = (int32_t)(is_second ? index - sizes.first : index);
    one.call.flags =
        (uint16_t)((root >= 0 ? ST_COLLECTIVE_ROOT : 0) | (is_inter ? ST_COLLECTIVE_INTER : 0) |
                   (is_inter && is_second ? ST_COLLECTIVE_SECOND : 0));
    if (root < 0) {
        one.pairs = pairs_of(others, others);
    } else if (is_root) { /* as in MPI_Gatherv */
        one.call.root = is_inter ? ST_ROOT_SELF : root;
        one.pairs = pairs_of(!is_inter, others);
    } else if (is_aside) {
        one.call.root = ST_ROOT_NONE;
    } else {
        one.call.root = is_inter && (unsigned)root >= sizes.first ? root - (int)sizes.first : root;
        one.pairs = pairs_of(1, 0);
    }
    return one;
}

/* The definition: of each two ranks that exchange data both have come, if one has. */
static bool are_all_there(struct group_sizes sizes, unsigned came, int root)
{
    const unsigned size = sizes.first + sizes.second;
    for (unsigned one = 0; one < size; one++) {
        for (unsigned other = 0; other < size; other++) {
            const bool may = sizes.second == 0 || (one >= sizes.first) != (other >= sizes.first);
            const bool exchange = may && (root < 0 || (int)one == root || (int)other == root);
            if (exchange && came >> one & 1 && !(came >> other & 1)) {
                return false;
            }
        }
    }
    return true;
}

static void each_set(struct group_sizes sizes, const char *function, int root)
{
    const unsigned size = sizes.first + sizes.second;
    for (unsigned came = 1; came < 1u << size; came++) {
        struct published_call list[MOST];
        size_t count = 0;
        for (unsigned i = size; i-- > 0;) {
            if (came >> i & 1) {
                list[count++] = call_of(sizes, i, function, root);
            }
        }
        assert_int_equal(differing_known_pairs(list, count), are_all_there(sizes, came, root)
                                                                 ? DIFFERING_PAIRS_ALL
                                                                 : DIFFERING_PAIRS_TO_COME);
        if (list[0].pairs != NULL) {
            free(list[0].pairs);
            list[0].pairs = NULL;
            assert_int_equal(differing_known_pairs(list, count), DIFFERING_PAIRS_GONE);
        }
        for (size_t i = 0; i < count; i++) {
            free(list[i].pairs);
        }
    }
}

static void without_root(void **state)
{
    (void)state;
    for (unsigned size = 1; size <= MOST; size++) {
        each_set((struct group_sizes){size, 0}, "MPI_Alltoallv", -1);
    }
}

static void with_root(void **state)
{
    (void)state;
    for (unsigned size = 1; size <= MOST; size++) {
        for (unsigned root = 0; root < size; root++) {
            each_set((struct group_sizes){size, 0}, "MPI_Gatherv", (int)root);
        }
    }
}

static void between_groups(void **state)
{
    (void)state;
    for (unsigned first = 1; first < MOST; first++) {
        for (unsigned second = 1; first + second <= MOST; second++) {
            each_set((struct group_sizes){first, second}, "MPI_Alltoallv", -1);
            for (unsigned root = 0; root < first + second; root++) {
                each_set((struct group_sizes){first, second}, "MPI_Gatherv", (int)root);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_root),
        cmocka_unit_test(with_root),
        cmocka_unit_test(between_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
