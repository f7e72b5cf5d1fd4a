/*
 * Null pointers, and what looks like them and is right. Those of the quick path, too. One rank.
 */
#include <mpi.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A call and what is found in it stand on one line. */
/* clang-format off */
#define SELF MPI_COMM_SELF
static int ints[16], more[16];
static char room[4096];

/* The MPI library may crash, or give up. */
static sigjmp_buf next;
static void crashed(int number) { (void)number; siglongjmp(next, 1); }
void exit(int status) { (void)status; siglongjmp(next, 1); }
void _exit(int status) { (void)status; siglongjmp(next, 1); }
#define TRY(call) do { if (sigsetjmp(next, 1) == 0) (void)(call); } while (0)

/* Nothing is found here, of that function and parameter. */
static void right(void)
{
    int number, flag, index[2], *tag_ub;
    char text[MPI_MAX_INFO_VAL + 1];
    MPI_Comm point, graph;
    MPI_Group group, none;
    MPI_Info info;
    MPI_Datatype type;
    MPI_Status status;
    MPI_Win win;
    MPI_Aint address;
    void *buffer;
    /* Arrays of no members. */
    MPI_Waitall(0, NULL, NULL);
    MPI_Testall(0, NULL, &flag, MPI_STATUSES_IGNORE);
    MPI_Waitany(0, NULL, &number, MPI_STATUS_IGNORE);
    MPI_Waitsome(0, NULL, &number, NULL, MPI_STATUSES_IGNORE);
    MPI_Startall(0, NULL);
    MPI_Comm_group(SELF, &group);
    MPI_Group_incl(group, 0, NULL, &none);
    if (none != MPI_GROUP_EMPTY)
        MPI_Group_free(&none);
    MPI_Group_translate_ranks(group, 0, NULL, group, NULL);
    MPI_Group_free(&group);
    MPI_Cart_create(SELF, 0, NULL, NULL, 0, &point);
    MPI_Cart_get(point, 0, NULL, NULL, NULL);
    MPI_Cart_coords(point, 0, 0, NULL);
    MPI_Cart_rank(point, NULL, &number);
    MPI_Comm_free(&point);
    MPI_Dist_graph_create_adjacent(SELF, 0, NULL, MPI_WEIGHTS_EMPTY, 0, NULL, MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, 0, &graph);
    MPI_Dist_graph_neighbors(graph, 0, NULL, NULL, 0, NULL, NULL);
    MPI_Comm_free(&graph);
    MPI_Dist_graph_create(SELF, 0, NULL, NULL, NULL, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    MPI_Comm_free(&graph);
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_get_contents(type, 1, 0, 1, index, NULL, &(MPI_Datatype){MPI_DATATYPE_NULL});
    MPI_Type_free(&type);
    MPI_Type_create_struct(0, NULL, NULL, NULL, &type);
    MPI_Type_free(&type);
    MPI_Get_address(NULL, &address);
    /* No data. */
#ifdef OPEN_MPI /* MPICH reads them all the same */
    MPI_Gatherv(NULL, 0, MPI_INT, NULL, (int[]){0}, NULL, MPI_INT, 0, SELF);
#endif
    number = 0;
    MPI_Pack(NULL, 0, MPI_INT, NULL, 0, &number, SELF);
    MPI_Unpack(NULL, 0, &number, NULL, 0, MPI_INT, SELF);
    if (MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, SELF, &win) == MPI_SUCCESS)
        MPI_Win_free(&win);
    /* Callbacks and their state, values of attributes, constants. */
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &number, NULL);
    MPI_Comm_set_attr(SELF, number, NULL);
    MPI_Comm_delete_attr(SELF, number);
    MPI_Comm_free_keyval(&number);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &tag_ub, &flag);
    MPI_Sendrecv(ints, 1, MPI_INT, 0, 0, more, 1, MPI_INT, 0, 0, SELF, &status);
    MPI_Get_count(&status, MPI_INT, &number);
    MPI_Info_create(&info);
    MPI_Info_set(info, "key", "value");
#if MPI_VERSION >= 4
    number = 0;
    MPI_Info_get_string(info, "key", &number, NULL, &flag);
#endif
    MPI_Info_get(info, "key", MPI_MAX_INFO_VAL, text, &flag);
    MPI_Info_free(&info);
    MPI_Buffer_attach(room, sizeof room); /* MPICH refuses one without space for a message */
    MPI_Buffer_detach(&buffer, &number);
    MPI_Initialized(&flag);
}

static void wrong(void)
{
    MPI_Comm ring, made;
    MPI_Win win;
    MPI_Request request;
    int number = 0;
    /* Functions of the quick path. */
    MPI_Isend(ints, 1, MPI_INT, 0, 0, SELF, &request);
    TRY(MPI_Recv(more, 1, MPI_INT, 0, 0, SELF, NULL));                   /* argument-null (mpich) */
    TRY(MPI_Wait(&request, NULL));                                       /* argument-null (mpich) */
    TRY(MPI_Comm_rank(SELF, NULL));                                      /* argument-null */
    TRY(MPI_Comm_size(MPI_COMM_WORLD, NULL));                            /* argument-null */
    TRY(MPI_Type_size(MPI_INT, NULL));                                   /* argument-null */
    TRY(MPI_Isend(ints, 1, MPI_INT, 0, 0, SELF, NULL));              /* argument-null */
    TRY(MPI_Irecv(ints, 1, MPI_INT, 0, 0, SELF, NULL));              /* argument-null */
    TRY(MPI_Comm_dup(SELF, NULL));                                   /* argument-null */
    TRY(MPI_Get_count(MPI_STATUS_IGNORE, MPI_INT, &number));         /* argument-null */
    TRY(MPI_Alltoallw(ints, (int[]){1}, (int[]){0}, NULL, more, (int[]){1}, (int[]){0}, &(MPI_Datatype){MPI_INT}, SELF)); /* argument-null */
    TRY(MPI_Cart_create(SELF, 1, NULL, (int[]){1}, 0, &made));       /* argument-null */
    TRY(MPI_Wait(NULL, MPI_STATUS_IGNORE));                          /* argument-null */
    /* Arrays. */
    TRY(MPI_Waitall(2, NULL, MPI_STATUSES_IGNORE));                      /* argument-null */
    TRY(MPI_Alltoallv(ints, (int[]){1}, NULL, MPI_INT, more, (int[]){1}, (int[]){0}, MPI_INT, SELF)); /* argument-null */
    TRY(MPI_Cart_create(SELF, 1, (int[]){1}, NULL, 0, &made));           /* argument-null */
    MPI_Cart_create(SELF, 1, (int[]){1}, (int[]){1}, 0, &ring);
    MPI_Comm_set_errhandler(ring, MPI_ERRORS_RETURN);
    TRY(MPI_Cart_sub(ring, NULL, &made));                                /* argument-null */
    TRY(MPI_Cart_rank(ring, NULL, &number));                             /* argument-null */
    MPI_Comm_free(&ring);
    /* Memory. */
    TRY(MPI_Win_create(NULL, 8, 1, MPI_INFO_NULL, SELF, &win));          /* buffer-null */
    number = 0;
    TRY(MPI_Pack(ints, 1, MPI_INT, NULL, 8, &number, SELF));             /* buffer-null */
    TRY(MPI_Unpack(NULL, 8, &number, ints, 1, MPI_INT, SELF));           /* buffer-null */
    TRY(MPI_Buffer_attach(NULL, 8));                                     /* buffer-null */
    TRY(MPI_Comm_set_name(SELF, NULL));                                  /* argument-null */
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(SELF, MPI_ERRORS_RETURN);
    right();
    struct sigaction on_crash = {.sa_handler = crashed, .sa_flags = SA_NODEFER};
    sigaction(SIGSEGV, &on_crash, NULL);
    wrong();
    syscall(SYS_exit_group, 0);
}
