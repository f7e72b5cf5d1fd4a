/*
 * MPI sessions: handles that are never freed are reported when the process ends, as there is no
 * MPI_Finalize; a world that comes after a session is checked like any other. A line with a finding says so.
 *
 *     sessions          a session alone
 *     sessions world    MPI_Init after MPI_Session_init
 *     sessions handlers correct calls: silent
 *     sessions groups   wrong groups: the program's error handler is called as often as without the library
 *     sessions threads  several threads of a session that allows them: silent
 *     sessions beside-world   the same beside a world that does not: silent
 *
 * Runs as one rank.
 */
#include <mpi.h>
#include <pthread.h>
#include <string.h>

static int called;

/* A session's handler is what the program has set. */
static void count(MPI_Session *session, int *code, ...)
{
    (void)session;
    called += *code == MPI_ERR_OTHER;
}

static int has_handlers(void)
{
    MPI_Session session;
    MPI_Errhandler own, got;
    int right;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Session_get_errhandler(session, &got);
    right = got == MPI_ERRORS_ARE_FATAL;
    MPI_Errhandler_free(&got);
    MPI_Session_create_errhandler(count, &own);
    MPI_Session_set_errhandler(session, own);
    MPI_Session_get_errhandler(session, &got);
    right = right && got == own;
    MPI_Errhandler_free(&got);
    MPI_Errhandler_free(&own);
    MPI_Session_call_errhandler(session, MPI_ERR_OTHER);
    MPI_Session_set_errhandler(session, MPI_ERRORS_ARE_FATAL);
    MPI_Session_get_errhandler(session, &got);
    right = right && got == MPI_ERRORS_ARE_FATAL;
    MPI_Errhandler_free(&got);
    MPI_Session_finalize(&session);
    return right && called == 1;
}

static int errors;

static void count_error(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
    errors++;
}

/* Returns true if each wrong call is one error. */
static int has_wrong_groups(void)
{
    MPI_Errhandler own;
    MPI_Group group;
    MPI_Comm comm;
    MPI_Init(NULL, NULL);
    MPI_Comm_create_errhandler(count_error, &own);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, own);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, own);
    MPI_Comm_group(MPI_COMM_SELF, &group);
    MPI_Intercomm_create_from_groups(MPI_GROUP_NULL, 0, group, 0, "", MPI_INFO_NULL, own, &comm);
    MPI_Intercomm_create_from_groups(group, 0, MPI_GROUP_NULL, 0, "", MPI_INFO_NULL, own, &comm);
    MPI_Comm_create_from_group(MPI_GROUP_NULL, "", MPI_INFO_NULL, own, &comm);
    MPI_Comm_create_group(MPI_COMM_WORLD, MPI_GROUP_NULL, 0, &comm);
    MPI_Group_free(&group);
    MPI_Errhandler_free(&own);
    MPI_Finalize();
    return errors == 4;
}

/* MPICH 4.0 guards nothing where the world's level needs no guard: beside such a world its threads take turns. */
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static int take_turns;

static void *talk(void *of)
{
    MPI_Comm comm = *(MPI_Comm *)of, copy;
    int rank, number = 1, other = 0;
    for (int i = 0; i < 200; i++) {
        if (take_turns)
            pthread_mutex_lock(&turn);
        MPI_Comm_rank(comm, &rank);
        MPI_Sendrecv(&number, 1, MPI_INT, rank, 0, &other, 1, MPI_INT, rank, 0, comm,
                     MPI_STATUS_IGNORE);
        MPI_Comm_dup(comm, &copy);
        MPI_Comm_free(&copy);
        if (take_turns)
            pthread_mutex_unlock(&turn);
    }
    return NULL;
}

/* A session has a thread level of its own, whatever the world's is. Returns 0 if all was right. */
static int call_at_a_time(void)
{
    enum { THREADS = 3 };
    pthread_t threads[THREADS];
    MPI_Comm comms[THREADS];
    MPI_Session session;
    MPI_Group group;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "thread_level", "MPI_THREAD_MULTIPLE");
    MPI_Session_init(info, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Info_free(&info);
    MPI_Group_from_session_pset(session, "mpi://SELF", &group);
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_create_from_group(group, "abc" + i, MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL,
                                   &comms[i]);
    MPI_Group_free(&group);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, talk, &comms[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_free(&comms[i]);
    return MPI_Session_finalize(&session) != MPI_SUCCESS;
}

static int call_beside_world(void)
{
    int provided, result;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
    take_turns = 1;
    result = call_at_a_time();
    MPI_Finalize();
    return result;
}

/* A call and the id of what is wrong with it stand on one line. */
/* clang-format off */
int main(int argc, char **argv)
{
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    MPI_Datatype type, kept;
    int rank, number = 0, other;
    if (argc > 1 && strcmp(argv[1], "handlers") == 0)
        return has_handlers() ? 0 : 9;
    if (argc > 1 && strcmp(argv[1], "groups") == 0)
        return has_wrong_groups() ? 0 : 9;
    if (argc > 1 && strcmp(argv[1], "threads") == 0)
        return call_at_a_time();
    if (argc > 1 && strcmp(argv[1], "beside-world") == 0)
        return call_beside_world();
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    if (argc > 1 && strcmp(argv[1], "world") == 0) {
        MPI_Init(&argc, &argv);
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        MPI_Send(&number, 1, MPI_INT, 7, 0, MPI_COMM_WORLD);             /* argument-rank (world) */
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);                             /* handle-leak (world) */
        MPI_Session_finalize(&session);
        MPI_Finalize();
        return 0;
    }
    MPI_Group_from_session_pset(session, "mpi://SELF", &group);          /* handle-leak */
    MPI_Comm_create_from_group(group, "a session", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
    MPI_Comm_rank(comm, &rank);
    MPI_Send(&number, 1, MPI_INT, rank + 7, 0, comm);                    /* argument-rank */
    MPI_Type_contiguous(3, MPI_INT, &type);                              /* datatype-leak */
    MPI_Type_contiguous(2, MPI_INT, &kept);
    MPI_Type_free(&kept);
    MPI_Allreduce(&number, &other, 1, MPI_INT, MPI_SUM, comm);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
    return 0;
}
