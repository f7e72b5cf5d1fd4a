/* The program of the sessions in sessions.md: the names there are its variables.
 *
 *     app          a halo of two faces goes from each rank to the next one
 *     app hang     rank 0 receives what nobody sends, the others wait for it in MPI_Barrier
 *     app wrong    a freed datatype is committed
 */
#define OMPI_OMIT_MPI1_COMPAT_DECLS 0
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#ifdef OPEN_MPI
#undef MPI_Type_struct
#undef MPI_LB
#undef MPI_UB
int MPI_Type_struct(int count, int blocklengths[], MPI_Aint displacements[], MPI_Datatype types[],
                    MPI_Datatype *newtype);
extern struct ompi_predefined_datatype_t ompi_mpi_lb;
extern struct ompi_predefined_datatype_t ompi_mpi_ub;
#define MPI_LB OMPI_PREDEFINED_GLOBAL(MPI_Datatype, ompi_mpi_lb)
#define MPI_UB OMPI_PREDEFINED_GLOBAL(MPI_Datatype, ompi_mpi_ub)
#endif

enum { N = 512 };

struct particle {
    int id;
    double place[3];
};

static double grid[2 * N][N][3];
static double a[N * N * 3];
extern double b[N * N * 3] __attribute__((alias("a"))); /* the same memory by another name */
static char buffer[104];
static int rank, size;

static MPI_Datatype struct_of(int first, MPI_Datatype one, int second, MPI_Datatype other,
                              MPI_Aint at)
{
    int lengths[] = {first, second};
    MPI_Aint offsets[] = {0, at};
    MPI_Datatype types[] = {one, other}, made;
    MPI_Type_create_struct(2, lengths, offsets, types, &made);
    MPI_Type_commit(&made);
    return made;
}

static MPI_Datatype paper(void)
{
    const int numbers[5] = {1, 2, 3, 4, 5};
    const double constants[2] = {3.14, 2.71};
    int lengths[] = {1, 5, 7, 2, 1};
    MPI_Aint offsets[] = {-4, 0, 47, 76, 100};
    MPI_Datatype types[] = {MPI_LB, MPI_INT, MPI_CHAR, MPI_DOUBLE, MPI_UB}, made;
    MPI_Type_struct(5, lengths, offsets, types, &made);
    MPI_Type_commit(&made);
    memcpy(buffer, numbers, sizeof numbers);
    memcpy(buffer + 47, "holisti", 7);
    memcpy(buffer + 76, constants, sizeof constants);
    return made;
}

static void hang(void)
{
    int nothing = 0;
    if (rank == 0) {
        MPI_Recv(&nothing, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* hangs: recv */
    } else {
        MPI_Barrier(MPI_COMM_WORLD); /* hangs: barrier */
    }
}

static void wrong(void)
{
    MPI_Datatype freed, copy;
    MPI_Type_contiguous(4, MPI_INT, &freed);
    copy = freed;
    MPI_Type_free(&freed);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Type_commit(&copy); /* wrong: commit */
}

static int exchange(MPI_Datatype T, double *buf, MPI_Comm comm)
{
    int to = (rank + 1) % size, from = (rank + size - 1) % size;
    MPI_Request request;
    MPI_Status status;
    MPI_Irecv(buf + 3, 1, T, from, 7, comm, &request);
    MPI_Send(buf, 1, T, to, 7, comm); /* stop: exchange */
    MPI_Wait(&request, &status);
    return status.MPI_TAG; /* stop: exchanged */
}

static void add(void *in, void *inout, int *count, MPI_Datatype *type)
{
    for (int i = 0; i < *count && *type != MPI_DATATYPE_NULL; i++) {
        ((int *)inout)[i] += ((int *)in)[i];
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 1 && strcmp(argv[1], "hang") == 0) {
        hang();
    }
    if (argc > 1 && strcmp(argv[1], "wrong") == 0) {
        wrong();
    }
    struct particle particles[4] = {{.id = 0}}, others[4] = {{.id = 1}};
    int early = rank, value = rank, sum = 0;
    MPI_Datatype struDT = paper(), face, point, column, stale, U, selfT, mixed, pair, tail, unready;
    MPI_Datatype garbage;
    MPI_Type_contiguous(3, MPI_DOUBLE, &point);
    MPI_Type_vector(N, 1, N, point, &face); /* made: face */
    MPI_Type_set_name(face, "face");
    MPI_Type_commit(&face);
    MPI_Type_vector(4, 2, 3, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    MPI_Datatype T = face;
    MPI_Type_create_resized(column, 0, 3 * (MPI_Aint)sizeof(double), &selfT);
    MPI_Type_dup(face, &U);
    MPI_Type_contiguous(2, MPI_INT, &unready);
    MPI_Datatype sendT = struct_of(2, MPI_INT, 2, MPI_DOUBLE, 8);
    MPI_Datatype recvT = struct_of(2, MPI_INT, 2, MPI_DOUBLE, 8);
    MPI_Datatype otherT = struct_of(2, MPI_INT, 3, MPI_DOUBLE, 8);
    MPI_Datatype particleT = struct_of(1, MPI_INT, 3, MPI_DOUBLE, offsetof(struct particle, place));
    pair = struct_of(1, MPI_DOUBLE, 1, MPI_CHAR, 8);
    tail = struct_of(1, MPI_DOUBLE, 3, MPI_CHAR, 8);
    mixed = struct_of(2, pair, 1, tail, 48);
    MPI_Datatype types[] = {face, MPI_INT, column};
#ifdef OPEN_MPI
    garbage = (MPI_Datatype)0x12345;
#else
    garbage = 0x12345;
#endif
    int ihandle = (int)MPI_Type_c2f(face);
    MPI_Comm comm;
    MPI_Group group;
    MPI_Op op;
    MPI_Win window;
    MPI_File file;
    MPI_Info info;
    MPI_Request request;
    MPI_Status status;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_name(comm, "halo");
    MPI_Comm_group(comm, &group);
    MPI_Op_create(add, 1, &op);
    MPI_Win_create(a, sizeof a, sizeof(double), MPI_INFO_NULL, comm, &window);
    MPI_Info_create(&info);
    MPI_Info_set(info, "access_style", "read_once");
    char name[64];
    snprintf(name, sizeof name, "app.%d.data", rank);
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  info, &file);
    MPI_Allreduce(&value, &sum, 1, MPI_INT, op, comm);
    memset(&status, 0, sizeof status);
    MPI_Sendrecv(&value, 1, MPI_INT, (rank + 1) % size, 5, &early, 1, MPI_INT, MPI_ANY_SOURCE, 5,
                 comm, &status);
    MPI_Irecv(particles, 4, particleT, (rank + 1) % size, 3, comm, &request);
    MPI_Send(buffer, 1, struDT, (rank + 1) % size, 9, comm);
    MPI_Type_vector(2, 1, 4, MPI_INT, &stale);
    MPI_Datatype kept = stale;
    MPI_Type_free(&stale); /* freed: stale */
    stale = kept;
    grid[0][0][0] = 10 + rank;
    value = MPI_Barrier(comm); /* stop: all */
    int tag = exchange(T, &grid[0][0][0], comm);
    MPI_Recv(buffer, 1, struDT, MPI_ANY_SOURCE, 9, comm, &status);
    MPI_Send(others, 4, particleT, (rank + size - 1) % size, 3, comm);
    MPI_Wait(&request, &status);
    if (rank == 0) {
        printf("sum %d, tag %d\n", sum, tag);
    }
    MPI_File_close(&file);
    MPI_Win_free(&window);
    MPI_Op_free(&op);
    MPI_Group_free(&group);
    MPI_Info_free(&info);
    MPI_Comm_free(&comm);
    MPI_Datatype *all[] = {&struDT, &face,  &point,  &column,    &selfT, &U,    &unready,
                           &sendT,  &recvT, &otherT, &particleT, &pair,  &tail, &mixed};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        MPI_Type_free(all[i]);
    }
    MPI_Finalize();
    return b[0] > 99 || garbage == types[0] || ihandle == 99999;
}
