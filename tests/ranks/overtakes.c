/* A tool between `overtaken` and MPI: while `overtakes` is set, a message of MPI_Send may leave after the next one, as
 * mpi_assert_allow_overtaking allows. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int overtakes;
int sending; /* kind of the message of the next MPI_Send */
int left_kinds[2][1000],
    left_count[2]; /* by tag: of all messages, in the order in which they left */

static struct {
    void *data;
    int count, dest, tag, kind;
    MPI_Datatype type;
    MPI_Comm comm;
} held;

static void note_left(int tag, int kind)
{
    left_kinds[tag][left_count[tag]++] = kind;
}

/* Sends what is still here. */
void send_held(void)
{
    if (held.data) {
        PMPI_Send(held.data, held.count, held.type, held.dest, held.tag, held.comm);
        note_left(held.tag, held.kind);
    }
    free(held.data);
    held.data = NULL;
}

int MPI_Send(const void *data, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    int size;
    if (!overtakes || held.data || rand() % 2) {
        int result = PMPI_Send(data, count, type, dest, tag, comm);
        note_left(tag, sending);
        send_held();
        return result;
    }
    PMPI_Type_size(type, &size);
    held.data = malloc((size_t)size * (size_t)count + 1);
    memcpy(held.data, data, (size_t)size * (size_t)count);
    held.count = count;
    held.type = type;
    held.dest = dest;
    held.tag = tag;
    held.kind = sending;
    held.comm = comm;
    return MPI_SUCCESS;
}
