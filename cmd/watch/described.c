/* SPDX-License-Identifier: BSD-3-Clause */
#include "described.h"

#include <inttypes.h>
#include <stdlib.h>

#include "../clock.h"
#include "../stacks/mpi_calls.h"
#include "../words.h"
#include "core/waits/since.h"
#include "core/waits/told.h"
#include "spots.h"

static void add_place(json_t *object, struct looked *rank)
{
    const struct st_wait_thread *thread = st_told_thread(&rank->waits);
    if (thread != NULL) {
        json_object_set_new(object, "call", json_string(thread->function));
        json_object_set_new(object, "site", spots_of_call(rank, &thread->call));
    }
}

json_t *described_rank(struct looked *rank)
{
    const uint64_t world = rank->waits.world != 0 ? rank->waits.world : rank->process->world;
    struct st_wait_since since = {-1, -1};
    char *name = text_of("%" PRIx64, world);
    json_t *object = json_pack("{s:I, s:s}", "pid", (json_int_t)rank->process->pid, "world", name);
    free(name);
    if (rank->state != LOOKED_RUNS || rank->identity == 0) {
        return object;
    }
    struct mpi_calls *calls = mpi_calls_of(rank->registry);
    char *line = mpi_calls_line(calls);
    json_object_set_new(object, "line", json_string(line));
    free(line);
    mpi_calls_free(calls);
    st_wait_since(rank->registry, clock_ms(), &since);
    json_object_set_new(object, "since",
                        json_pack("[I, I]", (json_int_t)since.least, (json_int_t)since.most));
    add_place(object, rank);
    return object;
}

char *described_place(const json_t *site, const char *call)
{
    struct place place = spots_place(site, call);
    if (place.file == NULL) {
        return text_of("%s", place.function != NULL ? place.function : "");
    }
    return text_of("%s:%d%s%s", text_base_name(place.file), place.line,
                   place.function != NULL ? " " : "", place.function != NULL ? place.function : "");
}
