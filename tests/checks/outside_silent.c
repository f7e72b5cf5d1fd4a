/*
 * Calls that may come before MPI_Init or after MPI_Finalize, and programs in which MPI is initialized in a
 * way of its own: nothing is to be said.
 *
 *     outside_silent CASE
 *
 * Runs as one rank.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int number;

static void call(void)
{
    int rank;
    MPI_Datatype type;
    for (int i = 0; i < 3; i++) {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Send(&number, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
        MPI_Type_contiguous(2, MPI_INT, &type);
        MPI_Type_commit(&type);
        MPI_Type_free(&type);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

static void call_anytime(void)
{
    int flag, version, length;
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    MPI_Initialized(&flag);
    MPI_Finalized(&flag);
    MPI_Get_version(&version, &length);
    MPI_Get_library_version(text, &length);
#ifndef OPEN_MPI /* version 4.1 ends the process */
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "key", "value");
    MPI_Info_get_nkeys(info, &length);
    MPI_Info_free(&info);
#endif
}

/* --- before main() ------------------------------------------------------------------------- */

static int in_constructor;

__attribute__((constructor)) static void begin(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "constructor") == 0) {
        MPI_Init(&argc, &argv);
        in_constructor = 1;
    }
}

/* --- at the end ---------------------------------------------------------------------------- */

static int deleted(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm, (void)keyval, (void)value, (void)extra;
    call();
    return MPI_SUCCESS;
}

static void attach(void)
{
    int keyval;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, deleted, &keyval, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, keyval, NULL);
    MPI_Comm_free_keyval(&keyval);
}

static void at_exit(void)
{
    int finalized;
    MPI_Finalized(&finalized);
    if (!finalized) {
        call();
        MPI_Finalize();
    }
    call_anytime();
}

/* Past all wrappers. */
static void *real(const char *name)
{
    Dl_info info;
    void *version = dlsym(RTLD_DEFAULT, "MPI_Get_version");
    void *library = dladdr(version, &info) ? dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    return library ? dlsym(library, name) : NULL;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    call_anytime();
    if (strcmp(name, "anytime") == 0) {
        MPI_Init(&argc, &argv);
        call();
        MPI_Finalize();
        call_anytime();
    } else if (strcmp(name, "constructor") == 0) {
        call();
        MPI_Finalize();
    } else if (strcmp(name, "pmpi") == 0) {
        PMPI_Init(&argc, &argv);
        call();
        PMPI_Finalize();
    } else if (strcmp(name, "attribute") == 0) {
        MPI_Init(&argc, &argv);
        attach();
        call();
        MPI_Finalize();
    } else if (strcmp(name, "at-exit") == 0) {
        atexit(at_exit);
        MPI_Init(&argc, &argv);
        call();
    } else if (strcmp(name, "unseen") == 0) {
        int (*init)(int *, char ***) = (int (*)(int *, char ***))real("MPI_Init");
        int (*finalize)(void) = (int (*)(void))real("MPI_Finalize");
        init(&argc, &argv);
        call();
        finalize();
        call_anytime();
    } else if (strcmp(name, "unseen-init") == 0) {
        int (*init)(int *, char ***) = (int (*)(int *, char ***))real("MPI_Init");
        init(&argc, &argv);
        call();
        MPI_Finalize();
    } else if (strcmp(name, "no-mpi") == 0) {
        return 0;
    } else if (strcmp(name, "asked") == 0) {
        int initialized;
        MPI_Initialized(&initialized);
        if (initialized)
            call();
        return 0;
    }
#if MPI_VERSION >= 4
    if (strcmp(name, "session") == 0) {
        MPI_Session session;
        MPI_Group group;
        MPI_Comm comm;
        MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
        MPI_Group_from_session_pset(session, "mpi://SELF", &group);
        MPI_Comm_create_from_group(group, "a session", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
        MPI_Send(&number, 1, MPI_INT, MPI_PROC_NULL, 0, comm);
        MPI_Comm_free(&comm);
        MPI_Group_free(&group);
        MPI_Session_finalize(&session);
        call_anytime();
    }
#endif
    return 0;
}
