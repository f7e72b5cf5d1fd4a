/*
 * The paper's own overlap checks (VII: block lists; VIII: single-level strided blocks), as a
 * measure for those of the core. With its slips corrected: ends that are one short, the `and` of
 * Procedure 6, the greatest end so far in Algorithm 3. For the benchmark only: types of vector,
 * hvector, contiguous, subarray, hindexed, basic.
 *
 *     struct blocklist list;
 *     blocklist_of(&list, type, BLOCKLIST_STRIDED);
 *     ... blocklists_overlap(&list, 0x1000, &other, 0x2000) ...
 *     blocklist_deinit(&list);
 */
#ifndef TESTS_BLOCKLIST_H
#define TESTS_BLOCKLIST_H

#include "core/model/type.h"

enum blocklist_kind { BLOCKLIST_PLAIN, BLOCKLIST_STRIDED };

/* count blocks of `length` bytes, `stride` apart, the first at `begin`; a plain block has count 1.
 */
struct strided {
    int64_t begin, length, count, stride;
};

/* Sorted by `begin`. */
struct blocklist {
    struct strided *blocks;
    size_t count, capacity;
};

void blocklist_of(struct blocklist *list, const struct st_type *type, enum blocklist_kind kind);
void blocklist_deinit(struct blocklist *list);

/* Algorithm 4, with the test of VIII.B for each pair. */
bool blocklists_overlap(const struct blocklist *a, int64_t a_at, const struct blocklist *b,
                        int64_t b_at);

#endif
