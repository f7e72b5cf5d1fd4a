/*
 * Handles that are no handles any more, or never were; and those that look so and live.
 *
 *     handles          correct calls: silent
 *     handles CASE     one wrong call, which may be the end of the process
 *     handles left     two ranks: a message that is never received
 */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* clang-format off */
#define SELF MPI_COMM_SELF
static int ints[64], more[64], members, flag;

static void sums(void *in, void *out, int *count, MPI_Datatype *type)
{
    (void)in, (void)out, (void)count, (void)type;
}

static void handler(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
}

static void win_handler(MPI_Win *win, int *code, ...)
{
    (void)win, (void)code;
}

static int freed(const char *name)
{
    if (strcmp(name, "group") == 0) {
        MPI_Group group, copy;
        MPI_Comm_group(SELF, &group);
        MPI_Group_incl(group, 0, NULL, &copy);
        MPI_Group_free(&copy);
        MPI_Group_incl(group, 1, (int[]){0}, &copy);
        MPI_Group_free(&group);
        group = copy;
        MPI_Group_free(&copy);
        MPI_Group_size(group, &members);                            /* handle-freed (group) */
    } else if (strcmp(name, "group-twice") == 0) {
        MPI_Group group, copy;
        MPI_Comm_group(MPI_COMM_WORLD, &group);
        MPI_Group_incl(group, 1, (int[]){0}, &copy);
        MPI_Group_free(&group);
        group = copy;
        MPI_Group_free(&copy);
        MPI_Group_free(&group);                                     /* handle-freed (group-twice) */
    } else if (strcmp(name, "op") == 0) {
        MPI_Op op, copy;
        MPI_Op_create(sums, 1, &op);
        copy = op;
        MPI_Allreduce(ints, more, 4, MPI_INT, op, SELF);
        MPI_Op_free(&op);
        MPI_Allreduce(ints, more, 4, MPI_INT, copy, SELF);          /* handle-freed (op) */
    } else if (strcmp(name, "window") == 0) {
        MPI_Win win, copy;
        int *memory;
        MPI_Win_allocate(64, 4, MPI_INFO_NULL, SELF, &memory, &win);
        copy = win;
        MPI_Win_free(&win);
        MPI_Win_fence(0, copy);                                     /* handle-freed (window) */
    } else if (strcmp(name, "put") == 0) {
        MPI_Win win, copy;
        int *memory;
        MPI_Win_allocate(64, 4, MPI_INFO_NULL, SELF, &memory, &win);
        copy = win;
        MPI_Win_free(&win);
        MPI_Put(more, 1, MPI_INT, 0, 0, 1, MPI_INT, copy);          /* handle-freed (put) */
    } else if (strcmp(name, "info") == 0) {
        MPI_Info info, copy;
        MPI_Info_create(&info);
        copy = info;
        MPI_Info_free(&info);
        MPI_Info_set(copy, "key", "value");                         /* handle-freed (info) */
    } else if (strcmp(name, "hints") == 0) {
        MPI_Info info, copy;
        MPI_Comm comm;
        MPI_Info_create(&info);
        copy = info;
        MPI_Info_free(&info);
        MPI_Comm_dup_with_info(SELF, copy, &comm);                  /* handle-freed (hints) */
    } else if (strcmp(name, "handler") == 0) {
        MPI_Errhandler one, copy;
        MPI_Comm_create_errhandler(handler, &one);
        copy = one;
        MPI_Errhandler_free(&one);
        MPI_Comm_set_errhandler(SELF, copy);                        /* handle-freed (handler) */
    } else if (strcmp(name, "file") == 0) {
        MPI_File file, copy;
        char path[64];
        MPI_Offset bytes;
        snprintf(path, sizeof path, "handles-%d", (int)getpid());
        MPI_File_open(SELF, path, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
        copy = file;
        MPI_File_close(&file);
        MPI_File_get_size(copy, &bytes);                            /* handle-freed (file) */
    } else if (strcmp(name, "keyval") == 0) {
        int keyval, copy;
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
        copy = keyval;
        MPI_Comm_free_keyval(&keyval);
        MPI_Comm_free_keyval(&copy);                                /* handle-freed (keyval) */
    } else if (strcmp(name, "keyval-used") == 0) {
        int keyval, copy;
        MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &keyval, NULL);
        copy = keyval;
        MPI_Type_free_keyval(&keyval);
        MPI_Type_set_attr(MPI_INT, copy, ints);                     /* handle-freed (keyval-used) */
    } else if (strcmp(name, "keyval-null") == 0) {
        MPI_Comm_get_attr(SELF, MPI_KEYVAL_INVALID, &more, &flag);  /* handle-null (keyval-null) */
    } else if (strcmp(name, "keyval-old") == 0) {
        MPI_Attr_delete(SELF, MPI_KEYVAL_INVALID);                  /* handle-null (keyval-old) */
    } else if (strcmp(name, "keyval-kind") == 0) {
        int keyval;
        MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &keyval, NULL);
        MPI_Comm_set_attr(SELF, keyval, ints);                      /* handle-unknown (keyval-kind) */
    } else if (strcmp(name, "handler-kind") == 0) {
        MPI_Errhandler got;
        MPI_File_get_errhandler(MPI_FILE_NULL, &got);
        MPI_Comm_set_errhandler(SELF, got);
        MPI_Errhandler_free(&got);
        MPI_Win_create_errhandler(win_handler, &got);
        MPI_Comm_set_errhandler(SELF, got);                         /* handle-unknown (handler-kind) */
    } else if (strcmp(name, "keyval-own") == 0) {
        MPI_Comm_set_attr(SELF, MPI_TAG_UB, ints);                  /* handle-unknown (keyval-own) */
    } else if (strcmp(name, "keyval-deleted") == 0) {
        MPI_Comm_delete_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE);    /* handle-unknown (keyval-deleted) */
    } else if (strcmp(name, "keyval-unknown") == 0) {
        MPI_Comm_get_attr(SELF, 4711, &more, &flag);                /* handle-unknown (keyval-unknown) */
    } else if (strcmp(name, "keyval-returns") == 0) {
        MPI_Comm_set_errhandler(SELF, MPI_ERRORS_RETURN);
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        MPI_Comm_delete_attr(SELF, 4711);                           /* handle-unknown (keyval-returns) */
    } else if (strcmp(name, "comm-twice") == 0) {
        MPI_Comm comm, copy;
        MPI_Comm_dup(SELF, &comm);
        copy = comm;
        MPI_Comm_free(&comm);
        MPI_Comm_free(&copy);                                       /* argument-comm (comm-twice) */
    } else {
        return 0;
    }
    _exit(0);
}

/* 0, and memory that nobody has set. */
static int garbage(const char *name)
{
    MPI_Comm comm;
    MPI_Group group;
    MPI_Op op;
    MPI_Win win;
    MPI_File file;
    MPI_Info info;
    MPI_Request request;
    MPI_Offset bytes;
    int byte = strstr(name, "-0") ? 0 : 0x11;
    memset(&comm, byte, sizeof comm);
    memset(&group, byte, sizeof group);
    memset(&op, byte, sizeof op);
    memset(&win, byte, sizeof win);
    memset(&file, byte, sizeof file);
    memset(&info, byte, sizeof info);
    memset(&request, byte, sizeof request);
    if (strcmp(name, "comm-0") == 0)
        MPI_Barrier(comm);                                          /* handle-unknown (comm-0) */
    else if (strcmp(name, "send-0") == 0)
        MPI_Send(ints, 1, MPI_INT, 0, 0, comm);                     /* handle-unknown (send-0) */
    else if (strcmp(name, "group-0") == 0)
        MPI_Group_size(group, &members);                            /* handle-unknown (group-0) */
    else if (strcmp(name, "op-0") == 0)
        MPI_Allreduce(ints, more, 4, MPI_INT, op, SELF);            /* handle-unknown (op-0) */
    else if (strcmp(name, "window-0") == 0)
        MPI_Win_fence(0, win);                                      /* handle-unknown (window-0) */
    else if (strcmp(name, "file-0") == 0)
        MPI_File_get_size(file, &bytes);                            /* handle-null (file-0, mpich) */ /* handle-unknown (file-0, openmpi) */
    else if (strcmp(name, "info-0") == 0)
        MPI_Info_set(info, "key", "value");                         /* handle-unknown (info-0) */
    else if (strcmp(name, "request-0") == 0)
        MPI_Wait(&request, MPI_STATUS_IGNORE);                      /* request-unknown (request-0) */
    else if (strcmp(name, "free-0") == 0)
        MPI_Comm_free(&comm);                                       /* handle-unknown (free-0) */
    else if (strcmp(name, "comm-unset") == 0)
        MPI_Barrier(comm);                                          /* handle-unknown (comm-unset) */
    else if (strcmp(name, "isend-unset") == 0)
        MPI_Isend(ints, 1, MPI_INT, 0, 0, comm, &request);          /* handle-unknown (isend-unset) */
    else if (strcmp(name, "group-unset") == 0)
        MPI_Comm_create(SELF, group, &comm);                        /* handle-unknown (group-unset) */
    else if (strcmp(name, "op-unset") == 0)
        MPI_Reduce(ints, more, 4, MPI_INT, op, 0, SELF);            /* handle-unknown (op-unset) */
    else if (strcmp(name, "window-unset") == 0)
        MPI_Win_lock_all(0, win);                                   /* handle-unknown (window-unset) */
    else if (strcmp(name, "info-unset") == 0)
        MPI_Win_create(ints, sizeof ints, 4, info, SELF, &win);     /* handle-unknown (info-unset) */
    else if (strcmp(name, "request-unset") == 0)
        MPI_Wait(&request, MPI_STATUS_IGNORE);                      /* request-unknown (request-unset) */
    else if (strcmp(name, "kind") == 0) {
        MPI_Comm_group(SELF, &group);
        memcpy(&comm, &group, sizeof comm);
        MPI_Barrier(comm);                                          /* handle-unknown (kind) */
    } else
        return 0;
    _exit(0);
}

#ifdef MPICH
/* Numbers with the bits of a kind, of objects that are not there. MPICH refuses some, and aborts at others:
 * 4.2 at more of them. */
static int looks_right(const char *name)
{
    MPI_Comm comm, copy;
    MPI_Group group;
    if (strcmp(name, "builtin") == 0)
        MPI_Send(ints, 1, MPI_INT, 0, 0, (MPI_Comm)0x44ffff00);     /* handle-unknown (builtin, mpich) */
    else if (strcmp(name, "builtin-next") == 0)
        MPI_Send(ints, 1, MPI_INT, 0, 0, (MPI_Comm)0x44000008);     /* handle-unknown (builtin-next, mpich) */
    else if (strcmp(name, "first-made") == 0)
        MPI_Send(ints, 1, MPI_INT, 0, 0, (MPI_Comm)0x87ffffff);     /* handle-unknown (first-made, mpich) */
    else if (strcmp(name, "first-made-group") == 0)
        MPI_Group_size((MPI_Group)0x8bffffff, &members);            /* handle-unknown (first-made-group, mpich) */
    else if (strcmp(name, "builtin-group") == 0)
        MPI_Group_size((MPI_Group)0x48000100, &members);            /* handle-unknown (builtin-group, mpich) */
    else if (strcmp(name, "builtin-op") == 0)
        MPI_Allreduce(ints, more, 4, MPI_INT, (MPI_Op)0x580000ff, SELF); /* handle-unknown (builtin-op, mpich) */
    else if (strcmp(name, "refused") == 0)
        MPI_Send(ints, 1, MPI_INT, 0, 0, (MPI_Comm)0x84000077);     /* handle-unknown (refused, mpich4_0) */
    else if (strcmp(name, "refused-rank") == 0)
        MPI_Comm_rank((MPI_Comm)0xc4000100, ints);                  /* handle-unknown (refused-rank, mpich) */
    else if (strcmp(name, "refused-group") == 0)
        MPI_Group_size((MPI_Group)0xc8000100, &members);            /* handle-unknown (refused-group, mpich) */
    else if (strcmp(name, "refused-fatal") == 0) {
        comm = 0x84000077;
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
        MPI_Comm_set_errhandler(SELF, MPI_ERRORS_ARE_FATAL);
        MPI_Comm_free(&comm);                                       /* handle-unknown (refused-fatal, mpich4_0) */
    } else if (strcmp(name, "known") == 0) {
        /* Refused for another reason than its handles. */
        MPI_Comm_group(SELF, &group);
        MPI_Comm_dup(SELF, &comm);
        MPI_Comm_create_group(comm, group, 1 << 30, &copy);        /* argument-tag (known, mpich) */
    } else
        return 0;
    _exit(0);
}
#endif

/* A message that is too long for its receive is received: MPICH leaves its handle. */
static void truncated(void)
{
    MPI_Message message;
    MPI_Request request;
    MPI_Isend(ints, 4, MPI_INT, 0, 0, SELF, &request);
    MPI_Mprobe(0, 0, SELF, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(more, 2, MPI_INT, &message, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Two handles of one group, of which one is freed; numbers that come again; what is freed and lives on. */
static void correct(void)
{
    MPI_Group first, second, part, parts[8];
    MPI_Comm comm, old, none = MPI_COMM_NULL;
    MPI_Errhandler one, got;
    MPI_Info info, hints;
    MPI_Op op;
    MPI_Win win;
    MPI_Request request;
    int keyval, value = 3, *at;
    MPI_Comm_group(SELF, &first);
    MPI_Comm_group(SELF, &second);
    MPI_Group_free(&first);
    MPI_Group_size(second, &members);
    MPI_Group_free(&second);
    MPI_Comm_group(SELF, &first);
    for (int i = 0; i < 8; i++) {
        MPI_Group_incl(first, 1, (int[]){0}, &parts[i]);
        MPI_Group_union(parts[i], MPI_GROUP_EMPTY, &part);
        MPI_Group_compare(part, first, &flag);
        MPI_Group_free(&part);
    }
    for (int i = 0; i < 8; i++)
        MPI_Group_free(&parts[i]);
    MPI_Group_excl(first, 1, (int[]){0}, &part);
    if (part != MPI_GROUP_EMPTY)
        MPI_Group_free(&part);
    MPI_Group_free(&first);
    for (int i = 0; i < 200; i++) {
        MPI_Comm_dup(SELF, &comm);
        old = comm;
        MPI_Comm_free(&comm);
        MPI_Comm_dup(SELF, &comm);
        if (comm == old)
            MPI_Barrier(old);
        MPI_Comm_free(&comm);
    }
    /* The communicator keeps the handler, and hands it out again. */
    MPI_Comm_create_errhandler(handler, &one);
    MPI_Comm_dup(SELF, &comm);
    MPI_Comm_set_errhandler(comm, one);
    MPI_Errhandler_free(&one);
    MPI_Comm_get_errhandler(comm, &got);
    MPI_Comm_set_errhandler(SELF, got);
    MPI_Errhandler_free(&got);
    /* It was made by a call that is not seen, as Open MPI's bindings for C++ make it. */
    int (*create)(MPI_Comm_errhandler_function *, MPI_Errhandler *) =
        (int (*)(MPI_Comm_errhandler_function *, MPI_Errhandler *))dlsym(dlopen(MPI_LIBRARY, RTLD_NOW), "PMPI_Comm_create_errhandler");
    create(handler, &one);
    MPI_Comm_set_errhandler(SELF, one);
    MPI_Comm_get_errhandler(SELF, &got);
    MPI_Errhandler_free(&got);
    MPI_Errhandler_free(&one);
    MPI_Comm_set_errhandler(SELF, MPI_ERRORS_RETURN);
    /* A key that is in use may be freed, and its attributes deleted after that. */
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
    MPI_Comm_set_attr(comm, keyval, &value);
    int key = keyval;
    MPI_Comm_free_keyval(&keyval);
    MPI_Comm_get_attr(comm, key, &at, &flag);
    MPI_Comm_delete_attr(comm, key);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &at, &flag);
    for (int i = 0; i < 20; i++) { /* their numbers come again, for other objects, too */
        MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &keyval, NULL);
        MPI_Type_get_attr(MPI_INT, keyval, &at, &flag);
        MPI_Type_free_keyval(&keyval);
        MPI_Keyval_create(MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, &keyval, NULL);
        MPI_Attr_put(comm, keyval, &value);
        MPI_Comm_get_attr(comm, keyval, &at, &flag);
        MPI_Attr_delete(comm, keyval);
        MPI_Keyval_free(&keyval);
    }
    /* Hints may be freed at once; so may an operation, and a communicator, that pending calls use. */
    MPI_Info_create(&info);
    MPI_Info_set(info, "key", "value");
    MPI_Win_allocate(64, 4, info, comm, &at, &win);
    MPI_Info_free(&info);
    MPI_Win_get_info(win, &hints);
    MPI_Win_set_info(win, hints);
    MPI_Info_free(&hints);
    MPI_Win_free(&win);
    MPI_Op_create(sums, 1, &op);
    MPI_Iallreduce(ints, more, 4, MPI_INT, op, comm, &request);
    MPI_Op_free(&op);
    MPI_Comm_free(&comm);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    /* Null where that is allowed, and where it is not looked at. */
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
    MPI_Comm_split(SELF, MPI_UNDEFINED, 0, &none);
    MPI_Comm_dup_with_info(SELF, MPI_INFO_NULL, &comm);
    MPI_Comm_free(&comm);
}

/* Rank 0 sends to rank 1: MPICH waits in MPI_Finalize for a message to the rank itself. */
static void leave_message(void)
{
    MPI_Message message;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(ints, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Send(ints, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        return;
    }
    MPI_Mprobe(0, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);  /* handle-leak (left) */
    for (flag = 0; !flag;)
        MPI_Improbe(0, 1, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(more, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    if (argc > 1 && strcmp(argv[1], "left") == 0)
        leave_message();
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(SELF, MPI_ERRORS_RETURN);
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
    if (argc > 1) {
        freed(argv[1]);
        garbage(argv[1]);
#ifdef MPICH
        looks_right(argv[1]);
#endif
    }
    correct();
    truncated();
    MPI_Finalize();
    return 0;
}
