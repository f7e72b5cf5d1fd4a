/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A buffer of a call with its count and type, by the roles in calls.table, in this rank.
 */
#ifndef ST_RUNTIME_WRAP_PARTS_H
#define ST_RUNTIME_WRAP_PARTS_H

#include "runtime/wrap/facts.h"

/* Returns true if this rank is a root; false also if that is not known. */
bool st_is_root(const struct st_facts *facts);

/* Returns true if the arguments of a part are significant in this rank. */
bool st_part_is_significant(const struct st_facts *facts, const struct st_part *part);

/* Returns the number of members that the arrays of a part have; -1 if not known. Asks MPI. */
int64_t st_part_members(const struct st_facts *facts, const struct st_part *part);

int64_t st_part_count(const struct st_facts *facts, const struct st_part *part, int64_t member);
uint64_t st_part_type(const struct st_facts *facts, const struct st_part *part, int64_t member);

/* Returns the part at the target of a one-sided call: count and type. In calls of one element the
 * type is that of the origin, and there is no count. */
struct st_part st_part_at_target(const struct st_form *form);

/* Returns true if the address is 0 and the data is at absolute addresses: the buffer is MPI_BOTTOM.
 * If not, the arguments may be wrong. Asks MPI. */
bool st_part_is_absolute(const struct st_facts *facts, const struct st_part *part);

/* No program has memory below this address: a displacement from address 0 that ends below it is not
 * an absolute address. */
enum { ST_LOWEST_ADDRESS = 65536 };

/* Returns true if the member's displacement in a v collective is so large that it may, times the
 * extent, be an absolute address. */
bool st_part_is_shifted(const struct st_facts *facts, const struct st_part *part, int64_t member);

#endif
