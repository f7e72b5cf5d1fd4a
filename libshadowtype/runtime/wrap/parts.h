/*
 * A buffer of a call with its count and type, as calls.table says what they are in this rank.
 */
#ifndef ST_RUNTIME_WRAP_PARTS_H
#define ST_RUNTIME_WRAP_PARTS_H

#include "runtime/wrap/facts.h"

/* Whether this rank is a root; false as well where that is not known. */
bool st_is_root(const struct st_facts *facts);

/* Whether a part's arguments mean something in this rank. */
bool st_part_is_significant(const struct st_facts *facts, const struct st_part *part);

/* How many members the arrays of a part have; -1: not known. Asks MPI. */
int64_t st_part_members(const struct st_facts *facts, const struct st_part *part);

int64_t st_part_count(const struct st_facts *facts, const struct st_part *part, int64_t member);
uint64_t st_part_type(const struct st_facts *facts, const struct st_part *part, int64_t member);

/* What a one-sided call names at its target: count and type. In calls of one element the type is the origin's, and there is no
 * count. */
struct st_part st_part_at_target(const struct st_form *form);

/* Whether its address is 0 and its data lies at addresses of its own: the buffer is MPI_BOTTOM. The
 * arguments may be wrong otherwise. Asks MPI. */
bool st_part_is_absolute(const struct st_facts *facts, const struct st_part *part);

/* No program has memory below: a displacement from address 0 that ends up here is no address. */
enum { ST_LOWEST_ADDRESS = 65536 };

/* In a v collective the displacements may be absolute addresses, too, times the extent. */
bool st_part_is_shifted(const struct st_facts *facts, const struct st_part *part, int64_t member);

#endif
