#include "runtime/wrap/members.h"

#include <string.h>

#include "runtime/record/root.h"
#include "runtime/wrap/constants.h"
#include "runtime/wrap/function.h"
#include "runtime/wrap/mpi_side.h"

enum { PIECE = 128 }; /* ranks that are translated at a time */

typedef int ask_number(MPI_Comm, int *);
typedef int ask_group(MPI_Comm, MPI_Group *);
typedef int free_group(MPI_Group *);
typedef int translate_ranks(MPI_Group, int, const int *, MPI_Group, int *);

/* MPI's own functions, past all wrappers. */
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

/* The ranks of `count` members from `first` on in the world. False: MPI gave no answer. */
static bool translate_piece(const struct st_questions *mpi, MPI_Group group, MPI_Group world,
                            int first, int count, int *there)
{
    int ranks[PIECE] = {0};
    for (int i = 0; i < count; i++)
        ranks[i] = first + i;
    return mpi->translate(group, count, ranks, world, there) == MPI_SUCCESS;
}

static bool fits_stride(struct st_comm_group *group, int64_t number, uint64_t gpid)
{
    if (st_gpid_world(gpid) != group->world)
        return false;
    if (number == 1)
        group->stride = st_gpid_rank(gpid) - group->first;
    return st_gpid_rank(gpid) == group->first + number * group->stride;
}

/* The members so far had one stride; from here on they are listed. */
static bool begin_list(struct st_comm_members *members, int64_t count)
{
    members->bytes = (size_t)members->group.size * sizeof *members->list;
    members->list = st_map(members->bytes);
    if (!members->list)
        return false;
    for (int64_t i = 0; i < count; i++)
        members->list[i] = st_gpid(members->group.world,
                                   (int32_t)(members->group.first + i * members->group.stride));
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
    if (group->form == ST_GROUP_STRIDED && fits_stride(group, number, gpid))
        return true;
    if (group->form == ST_GROUP_STRIDED && !begin_list(members, number))
        return false;
    members->list[number] = gpid;
    return true;
}

static bool add_all(const struct st_questions *mpi, MPI_Group group, MPI_Group world,
                    struct st_comm_members *members)
{
    int there[PIECE];
    for (int first = 0; first < members->group.size; first += PIECE) {
        int count = members->group.size - first < PIECE ? members->group.size - first : PIECE;
        if (!translate_piece(mpi, group, world, first, count, there))
            return false;
        for (int i = 0; i < count; i++)
            if (there[i] < 0 || there[i] == MPI_UNDEFINED ||
                !add_member(members, first + i, st_gpid(st_root.world, there[i])))
                return false;
    }
    return true;
}

static bool ask_members(const struct st_questions *mpi, MPI_Comm comm, bool remote,
                        struct st_comm_members *members)
{
    MPI_Group group, world;
    if ((remote ? mpi->remote_size : mpi->size)(comm, &members->group.size) != MPI_SUCCESS)
        return false;
    if (!st_numbers.comm_world || st_root.world_rank < 0 ||
        mpi->group(comm_of(st_numbers.comm_world), &world) != MPI_SUCCESS)
        return false;
    bool known = (remote ? mpi->remote_group : mpi->group)(comm, &group) == MPI_SUCCESS;
    if (known) {
        known = add_all(mpi, group, world, members);
        mpi->free(&group);
    }
    mpi->free(&world);
    return known;
}

void st_members_ask(uint64_t comm, bool remote, struct st_comm_members *members)
{
    struct st_questions mpi;
    *members = (struct st_comm_members){.group = {.size = 0}};
    if (find_questions(&mpi) && ask_members(&mpi, comm_of(comm), remote, members))
        return;
    int32_t size = members->group.size;
    st_members_free(members);
    members->group.size = size;
}

void st_members_free(struct st_comm_members *members)
{
    if (members->list)
        st_unmap(members->list, members->bytes);
    *members = (struct st_comm_members){.group = {.size = 0}};
}
