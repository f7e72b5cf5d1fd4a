/*
 * Correct programs with error handlers of their own, and what they rely on: handlers are compared, kept, set
 * again and freed; errors are returned, and looked at. Nothing may be reported, and each sees what the standard
 * says. Runs as two ranks.
 */
#include <mpi.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, ints[64], more[64], called, last_class;
static MPI_Comm last_comm;

static void require(int holds, const char *what, int line)
{
    if (!holds) {
        fprintf(stderr, "handlers.c:%d: %s\n", line, what);
        exit(1);
    }
}
#define REQUIRE(condition) require(condition, #condition, __LINE__)

static int class_of(int code)
{
    int error_class;
    MPI_Error_class(code, &error_class);
    return error_class;
}

static void count(MPI_Comm *comm, int *code, ...)
{
    called++;
    last_comm = *comm;
    last_class = class_of(*code);
}

static void count_win(MPI_Win *win, int *code, ...)
{
    (void)win;
    called++;
    last_class = class_of(*code);
}

static void count_file(MPI_File *file, int *code, ...)
{
    (void)file;
    called++;
    last_class = class_of(*code);
}

/* A message that is too long. Returns what MPI_Recv does. */
static int truncate(MPI_Comm comm)
{
    MPI_Request request;
    int me;
    MPI_Comm_rank(comm, &me);
    MPI_Isend(ints, 8, MPI_INT, me, 1, comm, &request);
    int code = MPI_Recv(more, 2, MPI_INT, me, 1, comm, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return code;
}

static void is_fatal(MPI_Comm comm)
{
    MPI_Errhandler handler;
    MPI_Comm_get_errhandler(comm, &handler);
    REQUIRE(handler == MPI_ERRORS_ARE_FATAL);
    MPI_Errhandler_free(&handler);
    REQUIRE(handler == MPI_ERRHANDLER_NULL);
}

/* --- the predefined ones are what they are ------------------------------------------------------- */

static void defaults(void)
{
    is_fatal(MPI_COMM_WORLD);
    is_fatal(MPI_COMM_SELF);
    for (int i = 0; i < 100; i++)
        is_fatal(MPI_COMM_WORLD);
}

#ifdef MPICH
/* Where nobody has set a handler that of MPI_COMM_WORLD holds, also one that is set later. */
static void unset(void)
{
    MPI_Comm copy;
    MPI_Errhandler own;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    REQUIRE(class_of(truncate(copy)) == MPI_ERR_TRUNCATE);
    REQUIRE(class_of(truncate(MPI_COMM_SELF)) == MPI_ERR_TRUNCATE);
    MPI_Comm_create_errhandler(count, &own);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, own);
    MPI_Errhandler_free(&own);
    called = 0;
    REQUIRE(class_of(truncate(copy)) == MPI_ERR_TRUNCATE);
    REQUIRE(class_of(truncate(MPI_COMM_SELF)) == MPI_ERR_TRUNCATE);
    REQUIRE(called == 2 && last_class == MPI_ERR_TRUNCATE);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_free(&copy);
}
#endif

static void never_freed(void)
{
    MPI_Errhandler handler;
    for (int i = 0; i < 10; i++)
        MPI_Comm_get_errhandler(MPI_COMM_SELF, &handler);
    REQUIRE(handler == MPI_ERRORS_ARE_FATAL);
}

static void inherited(void)
{
    MPI_Comm copy, part, cart, twin;
    MPI_Group group;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    is_fatal(copy);
    MPI_Comm_split(copy, rank, 0, &part);
    is_fatal(part);
    MPI_Cart_create(copy, 1, (int[]){2}, (int[]){0}, 0, &cart);
    is_fatal(cart);
    MPI_Comm_group(copy, &group);
    MPI_Comm_create(copy, group, &twin);
    is_fatal(twin);
    MPI_Group_free(&group);
    MPI_Comm_free(&twin);
    MPI_Comm_free(&cart);
    MPI_Comm_free(&part);
    MPI_Comm_free(&copy);
}

static void inherited_returning(void)
{
    MPI_Comm copy, again;
    MPI_Errhandler handler;
    MPI_Comm_dup(MPI_COMM_SELF, &copy);
    MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
    MPI_Comm_dup(copy, &again);
    MPI_Comm_get_errhandler(again, &handler);
    REQUIRE(handler == MPI_ERRORS_RETURN);
    MPI_Errhandler_free(&handler);
    REQUIRE(class_of(truncate(again)) == MPI_ERR_TRUNCATE);
    MPI_Comm_free(&again);
    MPI_Comm_free(&copy);
}

static void between(void)
{
    MPI_Comm mine, inter, both;
    MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &mine);
    MPI_Intercomm_create(mine, 0, MPI_COMM_WORLD, 1 - rank, 5, &inter);
    is_fatal(inter);
    MPI_Intercomm_merge(inter, 0, &both);
    is_fatal(both);
    MPI_Comm_free(&both);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&mine);
}

static void set_and_get(void)
{
    MPI_Errhandler handler;
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_get_errhandler(MPI_COMM_SELF, &handler);
    REQUIRE(handler == MPI_ERRORS_RETURN);
    MPI_Errhandler_free(&handler);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
    is_fatal(MPI_COMM_SELF);
}

static void saved_and_restored(void)
{
    for (int i = 0; i < 50; i++) {
        MPI_Errhandler before;
        MPI_Comm_get_errhandler(MPI_COMM_SELF, &before);
        MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
        REQUIRE(class_of(truncate(MPI_COMM_SELF)) == MPI_ERR_TRUNCATE);
        MPI_Comm_set_errhandler(MPI_COMM_SELF, before);
        MPI_Errhandler_free(&before);
        is_fatal(MPI_COMM_SELF);
    }
}

#if defined MPI_ERRORS_ABORT && !defined MPICH /* MPICH 4.0 fails */
static void abort_handler(void)
{
    MPI_Errhandler handler;
    MPI_Comm copy;
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ABORT);
    MPI_Comm_get_errhandler(MPI_COMM_SELF, &handler);
    REQUIRE(handler == MPI_ERRORS_ABORT);
    MPI_Errhandler_free(&handler);
    MPI_Comm_dup(MPI_COMM_SELF, &copy);
    MPI_Comm_get_errhandler(copy, &handler);
    REQUIRE(handler == MPI_ERRORS_ABORT);
    MPI_Errhandler_free(&handler);
    MPI_Comm_free(&copy);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
}
#endif

/* Both are held at a time, and freed in another order. */
static void many_references(void)
{
    MPI_Errhandler fatal[8], returning[8];
    MPI_Comm copies[2];
    MPI_Comm_dup(MPI_COMM_SELF, &copies[0]);
    MPI_Comm_dup(MPI_COMM_SELF, &copies[1]);
    MPI_Comm_set_errhandler(copies[1], MPI_ERRORS_RETURN);
    for (int i = 0; i < 8; i++) {
        MPI_Comm_get_errhandler(copies[0], &fatal[i]);
        MPI_Comm_get_errhandler(copies[1], &returning[i]);
    }
    MPI_Comm_free(&copies[0]);
    MPI_Comm_free(&copies[1]);
    for (int i = 0; i < 8; i++) {
        MPI_Errhandler_free(&fatal[7 - i]);
        MPI_Errhandler_free(&returning[i]);
    }
    is_fatal(MPI_COMM_SELF);
}

/* --- handlers of the program's ----------------------------------------------------------------- */

static void own_handler(void)
{
    MPI_Errhandler own, got;
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_SELF, &copy);
    MPI_Comm_create_errhandler(count, &own);
    MPI_Comm_set_errhandler(copy, own);
    MPI_Comm_get_errhandler(copy, &got);
    REQUIRE(got == own);
    MPI_Errhandler_free(&got);
    MPI_Errhandler_free(&own);
    called = 0;
    REQUIRE(class_of(truncate(copy)) == MPI_ERR_TRUNCATE);
    REQUIRE(called == 1 && last_comm == copy && last_class == MPI_ERR_TRUNCATE);
    MPI_Comm_set_errhandler(copy, MPI_ERRORS_ARE_FATAL);
    is_fatal(copy);
    MPI_Comm_free(&copy);
}

static void called_by_hand(void)
{
    MPI_Errhandler own;
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_SELF, &copy);
    MPI_Comm_create_errhandler(count, &own);
    MPI_Comm_set_errhandler(copy, own);
    MPI_Errhandler_free(&own);
    called = 0;
    MPI_Comm_call_errhandler(copy, MPI_ERR_OTHER);
    REQUIRE(called == 1 && last_class == MPI_ERR_OTHER);
    MPI_Comm_free(&copy);
}

static void own_codes(void)
{
    int error_class, code, length;
    char text[MPI_MAX_ERROR_STRING];
    MPI_Errhandler own;
    MPI_Comm copy;
    MPI_Add_error_class(&error_class);
    MPI_Add_error_code(error_class, &code);
    MPI_Add_error_string(code, "of the program's");
    MPI_Error_string(code, text, &length);
    REQUIRE(strcmp(text, "of the program's") == 0 && class_of(code) == error_class);
    MPI_Comm_dup(MPI_COMM_SELF, &copy);
    MPI_Comm_create_errhandler(count, &own);
    MPI_Comm_set_errhandler(copy, own);
    MPI_Errhandler_free(&own);
    MPI_Comm_call_errhandler(copy, code);
    REQUIRE(last_class == error_class);
    MPI_Comm_free(&copy);
}

static jmp_buf back;

static void jump(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    longjmp(back, 1);
}

static void jumps(void)
{
    MPI_Errhandler own;
    MPI_Comm copy;
    static int jumped;
    MPI_Comm_dup(MPI_COMM_SELF, &copy);
    MPI_Comm_create_errhandler(jump, &own);
    MPI_Comm_set_errhandler(copy, own);
    MPI_Errhandler_free(&own);
    for (jumped = 0; jumped < 3;) {
        if (setjmp(back) == 0)
            MPI_Send(ints, 1, MPI_INT, MPI_PROC_NULL, 0, copy),
                MPI_Comm_call_errhandler(copy, MPI_ERR_OTHER);
        else
            jumped++;
        MPI_Bcast(ints, 1, MPI_INT, 0, copy);
    }
    MPI_Comm_set_errhandler(copy, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_free(&copy);
}

/* A handler that calls MPI. */
static void chatty(MPI_Comm *comm, int *code, ...)
{
    char text[MPI_MAX_ERROR_STRING];
    MPI_Errhandler handler;
    int length, me;
    MPI_Error_string(*code, text, &length);
    MPI_Comm_rank(*comm, &me);
    MPI_Comm_get_errhandler(*comm, &handler);
    MPI_Errhandler_free(&handler);
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler);
    REQUIRE(handler == MPI_ERRORS_ARE_FATAL);
    MPI_Errhandler_free(&handler);
    called++;
}

static void handler_that_calls(void)
{
    MPI_Errhandler own;
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_SELF, &copy);
    MPI_Comm_create_errhandler(chatty, &own);
    MPI_Comm_set_errhandler(copy, own);
    MPI_Errhandler_free(&own);
    called = 0;
    truncate(copy);
    REQUIRE(called == 1);
    MPI_Comm_free(&copy);
}

/* --- errors that are returned ------------------------------------------------------------------- */

static void returned(void)
{
    MPI_Comm copy;
    MPI_Request requests[2];
    MPI_Status statuses[2];
    MPI_Comm_dup(MPI_COMM_SELF, &copy);
    MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
    for (int i = 0; i < 300; i++)
        REQUIRE(class_of(truncate(copy)) == MPI_ERR_TRUNCATE);
    /* MPICH takes the handler of another communicator. */
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    for (int i = 0; i < 20; i++) {
        MPI_Irecv(more, 2, MPI_INT, 0, 1, copy, &requests[0]);
        MPI_Irecv(more + 8, 8, MPI_INT, 0, 2, copy, &requests[1]);
        MPI_Send(ints, 8, MPI_INT, 0, 1, copy);
        MPI_Send(ints, 8, MPI_INT, 0, 2, copy);
        int code = MPI_Waitall(2, requests, statuses);
        REQUIRE(code == MPI_SUCCESS || class_of(code) == MPI_ERR_IN_STATUS ||
                class_of(code) == MPI_ERR_TRUNCATE);
        for (int k = 0; k < 2; k++) /* MPI_ERR_PENDING: MPI has not looked at it yet */
            MPI_Wait(&requests[k], MPI_STATUS_IGNORE);
    }
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_free(&copy);
}

static void names_and_files(void)
{
    MPI_File file;
    char port[MPI_MAX_PORT_NAME];
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    REQUIRE(MPI_File_open(MPI_COMM_SELF, "there/is/none", MPI_MODE_RDONLY, MPI_INFO_NULL, &file) !=
            MPI_SUCCESS);
    REQUIRE(MPI_File_delete("there/is/none", MPI_INFO_NULL) != MPI_SUCCESS);
    REQUIRE(MPI_Lookup_name("nobody", MPI_INFO_NULL, port) != MPI_SUCCESS);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

/* --- windows and files ---------------------------------------------------------------------------- */

static void windows(void)
{
    MPI_Errhandler handler, own;
    MPI_Win win;
    MPI_Win_create(ints, sizeof ints, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    for (int i = 0; i < 3; i++) {
        MPI_Win_get_errhandler(win, &handler);
        REQUIRE(handler == MPI_ERRORS_ARE_FATAL);
        MPI_Errhandler_free(&handler);
    }
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_get_errhandler(win, &handler);
    REQUIRE(handler == MPI_ERRORS_RETURN);
    MPI_Errhandler_free(&handler);
    MPI_Win_create_errhandler(count_win, &own);
    MPI_Win_set_errhandler(win, own);
    MPI_Win_get_errhandler(win, &handler);
    REQUIRE(handler == own);
    MPI_Errhandler_free(&handler);
    MPI_Errhandler_free(&own);
    called = 0;
    MPI_Win_call_errhandler(win, MPI_ERR_OTHER);
    REQUIRE(called == 1 && last_class == MPI_ERR_OTHER);
    MPI_Win_set_errhandler(win, MPI_ERRORS_ARE_FATAL);
    MPI_Win_get_errhandler(win, &handler);
    REQUIRE(handler == MPI_ERRORS_ARE_FATAL);
    MPI_Errhandler_free(&handler);
    MPI_Win_free(&win);
}

static void files(void)
{
    MPI_Errhandler handler, own;
    MPI_File file;
    MPI_File_get_errhandler(MPI_FILE_NULL, &handler);
    REQUIRE(handler == MPI_ERRORS_RETURN);
    MPI_Errhandler_free(&handler);
    MPI_File_open(MPI_COMM_SELF, rank ? "handlers.1" : "handlers.0",
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_get_errhandler(file, &handler);
    REQUIRE(handler == MPI_ERRORS_RETURN);
    MPI_Errhandler_free(&handler);
    MPI_File_set_errhandler(file, MPI_ERRORS_ARE_FATAL);
    MPI_File_get_errhandler(file, &handler);
    REQUIRE(handler == MPI_ERRORS_ARE_FATAL);
    MPI_Errhandler_free(&handler);
    MPI_File_create_errhandler(count_file, &own);
    MPI_File_set_errhandler(file, own);
    MPI_Errhandler_free(&own);
    called = 0;
    MPI_File_call_errhandler(file, MPI_ERR_OTHER);
    REQUIRE(called == 1 && last_class == MPI_ERR_OTHER);
    MPI_File_close(&file);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    defaults();
#ifdef MPICH
    unset();
#endif
    never_freed();
    inherited();
    inherited_returning();
    between();
    set_and_get();
    saved_and_restored();
#if defined MPI_ERRORS_ABORT && !defined MPICH /* MPICH 4.0 fails */
    abort_handler();
#endif
    many_references();
    own_handler();
    called_by_hand();
    own_codes();
    jumps();
    handler_that_calls();
    returned();
    names_and_files();
    windows();
    files();
    defaults();
    MPI_Finalize();
    return 0;
}
