/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/wrap/members.h"

#include <string.h>

#include "runtime/record/root.h"
#include "runtime/wrap/constants.h"
#include "runtime/wrap/function.h"
#include "runtime/wrap/mpi_side.h"

enum { PIECE = 64 }; /* ranks that are translated with one call */

typedef int ask_number(MPI_Comm, int *);
typedef int ask_group(MPI_Comm, MPI_Group *);
typedef int free_group(MPI_Group *);
typedef int translate_ranks(MPI_Group, int, const int *, MPI_Group, int *);

/* MPI's own functions, without the wrappers. */
struct st_questions {
    ask_number *size, *remote_size;
    ask_group *group, *remote_group;
    free_group *free;
    translate_ranks *translate;
};

static bool find_questions(struct st_questions *mpi)
{
    *mpi = (struct st_questions){
        .size = (ask_number *)st_mpi_function("PMPI_Comm_size"),
        .remote_size = (ask_number *)st_mpi_function("PMPI_Comm_remote_size"),
        .group = (ask_group *)st_mpi_function("PMPI_Comm_group"),
        .remote_group = (ask_group *)st_mpi_function("PMPI_Comm_remote_group"),
        .free = (free_group *)st_mpi_function("PMPI_Group_free"),
        .translate = (translate_ranks *)st_mpi_function("PMPI_Group_translate_ranks")};
    return mpi->size && mpi->remote_size && mpi->group && mpi->remote_group && mpi->free &&
           mpi->translate;
}

static MPI_Comm comm_of(uint64_t handle)
{
    MPI_Comm comm;
    memcpy(&comm, &handle, sizeof comm);
    return comm;
}

/* Stores the ranks of `count` members from `first` on in another group. Returns false if MPI gave
 * no answer. */
static bool translate_piece(const struct st_questions *mpi, MPI_Group group, MPI_Group place,
                            int first, int count, int *there)
{
    int ranks[PIECE] = {0};
    for (int i = 0; i < count; i++) {
        ranks[i] = first + i;
    }
    return mpi->translate(group, count, ranks, place, there) == MPI_SUCCESS;
}

static bool fits_stride(struct st_comm_group *group, int64_t number, uint64_t gpid)
{
    if (st_gpid_world(gpid) != group->world) {
        return false;
    }
    if (number == 1) {
        group->stride = st_gpid_rank(gpid) - group->first;
    }
    return st_gpid_rank(gpid) == group->first + number * group->stride;
}

/* Starts a list: the members so far had a constant stride, the next one has not. */
static bool begin_list(struct st_comm_members *members, int64_t count)
{
    members->bytes = (size_t)members->group.size * sizeof *members->list;
    members->list = st_map(members->bytes);
    if (!members->list) {
        return false;
    }
    for (int64_t i = 0; i < count; i++) {
        members->list[i] = st_gpid(members->group.world,
                                   (int32_t)(members->group.first + i * members->group.stride));
    }
    members->group.form = ST_GROUP_LISTED;
    return true;
}

static bool add_member(struct st_comm_members *members, int64_t number, uint64_t gpid)
{
    struct st_comm_group *group = &members->group;
    if (number == 0) {
        group->form = ST_GROUP_STRIDED;
        group->world = st_gpid_world(gpid);
        group->first = st_gpid_rank(gpid);
        group->stride = 1;
    }
    if (group->form == ST_GROUP_STRIDED && fits_stride(group, number, gpid)) {
        return true;
    }
    if (group->form == ST_GROUP_STRIDED && !begin_list(members, number)) {
        return false;
    }
    members->list[number] = gpid;
    return true;
}

/* A group of MPI in which processes may be found, and the gpids of its ranks. */
struct st_place_of_members {
    MPI_Group group;
    const struct st_known_group *known; /* NULL: the group of MPI_COMM_WORLD */
};
struct st_members_question {
    const struct st_questions *mpi;
    struct st_place_of_members places[1 + ST_MOST_KNOWN_GROUPS];
    size_t place_count;
};

static uint64_t gpid_at(const struct st_place_of_members *place, int rank)
{
    if (!place->known) {
        return st_gpid(st_root.world, rank);
    }
    return rank < place->known->size ? place->known->gpids[rank] : ST_NO_GPID;
}

/* Stores the gpids of `count` members from `first` on. Returns false if one is not found, or if MPI
 * gave no answer. */
static bool find_piece(const struct st_members_question *question, MPI_Group group, int first,
                       int count, uint64_t *gpids)
{
    int there[PIECE], left = count;
    for (int i = 0; i < count; i++) {
        gpids[i] = ST_NO_GPID;
    }
    for (size_t p = 0; p < question->place_count && left; p++) {
        const struct st_place_of_members *place = &question->places[p];
        if (!translate_piece(question->mpi, group, place->group, first, count, there)) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            if (gpids[i] == ST_NO_GPID && there[i] >= 0 && there[i] != MPI_UNDEFINED) {
                gpids[i] = gpid_at(place, there[i]);
                left -= gpids[i] != ST_NO_GPID;
            }
        }
    }
    return left == 0;
}

static bool add_all(const struct st_members_question *question, MPI_Group group,
                    struct st_comm_members *members)
{
    uint64_t gpids[PIECE];
    for (int first = 0; first < members->group.size; first += PIECE) {
        int count = members->group.size - first < PIECE ? members->group.size - first : PIECE;
        if (!find_piece(question, group, first, count, gpids)) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            if (!add_member(members, first + i, gpids[i])) {
                return false;
            }
        }
    }
    return true;
}

static void add_place(struct st_members_question *question, uint64_t comm,
                      const struct st_known_group *known)
{
    struct st_place_of_members *place = &question->places[question->place_count];
    ask_group *ask = known && known->remote ? question->mpi->remote_group : question->mpi->group;
    if (ask(comm_of(comm), &place->group) != MPI_SUCCESS) {
        return;
    }
    place->known = known;
    question->place_count++;
}

static bool ask_members(const struct st_questions *mpi, MPI_Comm comm, bool remote,
                        const struct st_known_group *groups, size_t count,
                        struct st_comm_members *members)
{
    struct st_members_question question = {.mpi = mpi};
    MPI_Group group;
    if ((remote ? mpi->remote_size : mpi->size)(comm, &members->group.size) != MPI_SUCCESS) {
        return false;
    }
    if (!st_numbers.comm_world || st_root.world_rank < 0) {
        return false;
    }
    add_place(&question, st_numbers.comm_world, NULL);
    for (size_t i = 0; i < count && i < ST_MOST_KNOWN_GROUPS; i++) {
        add_place(&question, groups[i].comm, &groups[i]);
    }
    bool known = (remote ? mpi->remote_group : mpi->group)(comm, &group) == MPI_SUCCESS;
    if (known) {
        known = add_all(&question, group, members);
        mpi->free(&group);
    }
    for (size_t i = 0; i < question.place_count; i++) {
        mpi->free(&question.places[i].group);
    }
    return known;
}

void st_members_ask_among(uint64_t comm, bool remote, const struct st_known_group *groups,
                          size_t count, struct st_comm_members *members)
{
    struct st_questions mpi;
    *members = (struct st_comm_members){.group = {.size = 0}};
    if (find_questions(&mpi) && ask_members(&mpi, comm_of(comm), remote, groups, count, members)) {
        return;
    }
    int32_t size = members->group.size;
    st_members_free(members);
    members->group.size = size;
}

void st_members_ask(uint64_t comm, bool remote, struct st_comm_members *members)
{
    st_members_ask_among(comm, remote, NULL, 0, members);
}

bool st_members_list(const uint64_t *gpids, int32_t count, struct st_comm_members *members)
{
    *members = (struct st_comm_members){.group = {.size = count}};
    for (int32_t i = 0; i < count; i++) {
        if (!add_member(members, i, gpids[i])) {
            st_members_free(members);
            return false;
        }
    }
    return true;
}

void st_members_free(struct st_comm_members *members)
{
    if (members->list) {
        st_unmap(members->list, members->bytes);
    }
    *members = (struct st_comm_members){.group = {.size = 0}};
}
