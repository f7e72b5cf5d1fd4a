/*
 * Wrong calls whose findings name elements, and calls that look like them and are right: marks as in
 * wrong.c. Runs as one rank, or two that do the same.
 *
 *     elements [CASE]
 */
#include <mpi.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

/* clang-format off */
static int data[64], more[64];

struct cell {
    double value[2];
    int kind;
    float weight;
};

static MPI_Datatype committed(MPI_Datatype type, const char *name)
{
    MPI_Type_set_name(type, name);
    MPI_Type_commit(&type);
    return type;
}

/* A struct cell; or one that is taken for other types of the same sizes. */
static MPI_Datatype make_cell_of(MPI_Datatype kind, MPI_Datatype weight)
{
    MPI_Datatype type, whole, types[3] = {MPI_DOUBLE, kind, weight};
    MPI_Aint places[3] = {offsetof(struct cell, value), offsetof(struct cell, kind), offsetof(struct cell, weight)};
    MPI_Type_create_struct(3, (int[]){2, 1, 1}, places, types, &type);
    MPI_Type_create_resized(type, 0, sizeof(struct cell), &whole);
    MPI_Type_free(&type);
    return committed(whole, "cell_t");
}

static MPI_Datatype make_cell(void)
{
    return make_cell_of(MPI_INT, MPI_FLOAT);
}

static MPI_Datatype indexed(int count, int *lengths, int *places, MPI_Datatype base)
{
    MPI_Datatype type;
    MPI_Type_indexed(count, lengths, places, base, &type);
    return committed(type, "list");
}

/* --- views --------------------------------------------------------------------------------- */

#define SET(etype, filetype) MPI_File_set_view(file, 0, etype, filetype, "native", MPI_INFO_NULL)

static void views(MPI_File file)
{
    MPI_Datatype type, inner, cell = make_cell();
    int sizes[3] = {8, 6, 4}, subsizes[3] = {2, 3, 2}, starts[3] = {3, 1, 2};

    type = indexed(3, (int[]){1, 2, 1}, (int[]){0, 8, 4}, MPI_INT);
    SET(MPI_INT, type);                                   /* file-view */ /* at (INDEXED)[1][1](MPI_INT)+36 (INDEXED)[2][0](MPI_INT)+16 */
    SET(type, type);                                      /* file-view */ /* at (INDEXED)[1][1](MPI_INT)+36 (INDEXED)[2][0](MPI_INT)+16 */
    MPI_Type_free(&type);
    type = indexed(2, (int[]){1, 2}, (int[]){4, -2}, MPI_INT);
    SET(MPI_INT, type);                                   /* file-view */ /* at (INDEXED)[1][0](MPI_INT)+-8 */
    MPI_Type_free(&type);
    SET(cell, cell);
    SET(cell, MPI_DOUBLE);                                /* file-view */
    MPI_Type_contiguous(3, MPI_DOUBLE, &inner);
    type = committed(inner, "three");
    SET(MPI_DOUBLE, type);
    SET(MPI_C_DOUBLE_COMPLEX, type);                      /* file-view */ /* at (CONTIGUOUS)[2](MPI_DOUBLE)+16 */
    MPI_Type_free(&type);

    /* As many bytes, and yet something else; in bytes, anything may be looked at. */
    MPI_Type_vector(4, 2, 3, MPI_FLOAT, &inner);
    type = committed(inner, "floats");
    SET(MPI_INT, type);                                   /* file-view */ /* at (VECTOR)[0][0](MPI_FLOAT)+0 */
    SET(MPI_BYTE, type);
    SET(MPI_FLOAT, type);
    MPI_Type_free(&type);
    inner = make_cell_of(MPI_INT, MPI_INT);
    MPI_Type_contiguous(3, inner, &type);
    type = committed(type, "cells");
    SET(cell, type);                                      /* file-view */ /* at (CONTIGUOUS)[0](RESIZED)[0](STRUCT)[2][0](MPI_INT)+20 */
    SET(inner, type);
    MPI_Type_free(&inner);
    MPI_Type_free(&type);

    /* Decreasing only from one repetition to the next, which are not the filetype's displacements. */
    type = indexed(2, (int[]){1, 1}, (int[]){0, 5}, MPI_INT);
    MPI_Type_create_resized(type, 0, 8, &inner);
    MPI_Type_commit(&inner);
    SET(MPI_INT, inner);
    MPI_Type_free(&inner);
    MPI_Type_free(&type);
    type = indexed(2, (int[]){2, 1}, (int[]){0, 1}, MPI_INT);
    SET(MPI_INT, type);                                   /* file-view */ /* at (INDEXED)[0][1](MPI_INT)+4 (INDEXED)[1][0](MPI_INT)+4 */
    MPI_Type_free(&type);
    /* Under Open MPI the bounds of the subarray are those of the struct, as in the standard: a second
     * filetype would begin at byte 64. Libraries access no more than the first one (PnetCDF). */
    MPI_Type_create_subarray(1, (int[]){16}, (int[]){4}, (int[]){0}, MPI_ORDER_C, MPI_INT, &inner);
    MPI_Type_create_struct(2, (int[]){128, 1}, (MPI_Aint[]){0, 128}, (MPI_Datatype[]){MPI_BYTE, inner}, &type);
    MPI_Type_free(&inner);
    MPI_Type_commit(&type);
    SET(MPI_BYTE, type); /* no error: a note, which is not compared here */
    MPI_Type_free(&type);
    /* Empty blocks stand nowhere; the same displacement twice is not a lower one. */
    type = indexed(3, (int[]){1, 0, 1}, (int[]){2, 0, 4}, MPI_INT);
    SET(MPI_INT, type);
    MPI_Type_free(&type);
    for (int order = 0; order < 2; order++) {
        MPI_Type_create_subarray(3, sizes, subsizes, starts, order ? MPI_ORDER_C : MPI_ORDER_FORTRAN, MPI_INT, &type);
        MPI_Type_commit(&type);
        SET(MPI_INT, type);
        MPI_Type_free(&type);
        for (int rank = 0; rank < 4; rank++) {
            int distribs[3] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE};
            int dargs[3] = {MPI_DISTRIBUTE_DFLT_DARG, 2, MPI_DISTRIBUTE_DFLT_DARG}, grid[3] = {2, 2, 1};
            MPI_Type_create_darray(4, rank, 3, sizes, distribs, dargs, grid, order ? MPI_ORDER_C : MPI_ORDER_FORTRAN, cell, &type);
            MPI_Type_commit(&type);
            SET(cell, type);
            SET(MPI_BYTE, type);
            MPI_Type_free(&type);
        }
    }
    MPI_Type_free(&cell);
}

/* --- communication ------------------------------------------------------------------------- */

static void communication(void)
{
    MPI_Datatype cell = make_cell(), type, one;
    struct cell cells[4];
    memset(cells, 0, sizeof cells);

    /* Four ints with a stride of three: the second element's first is the first element's last. */
    MPI_Type_vector(2, 1, 3, MPI_INT, &one);
    MPI_Type_create_resized(one, 0, 12, &type);
    MPI_Type_free(&one);
    type = committed(type, "teeth");
    MPI_Sendrecv(data, 2, MPI_INT, 0, 0, more, 1, type, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Sendrecv(data, 6, MPI_INT, 0, 0, more, 3, type, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE); /* datatype-self-overlap */ /* at {0}(RESIZED)[0](VECTOR)[1][0](MPI_INT)+12 {1}(RESIZED)[0](VECTOR)[0][0](MPI_INT)+12 */
    MPI_Sendrecv(more, 3, type, 0, 0, data, 6, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Type_free(&type);

    MPI_Bcast(cells, 4, cell, 0, MPI_COMM_SELF);
    MPI_Bcast((char *)cells + 4, 3, cell, 0, MPI_COMM_SELF);           /* datatype-suspicious */ /* at {0}(RESIZED)[0](STRUCT)[0][0](MPI_DOUBLE)+0 */
    MPI_Reduce_local(cells, cells + 2, 1, cell, MPI_MAX);              /* op-datatype */ /* at {0}(RESIZED)[0](STRUCT)[0][0](MPI_DOUBLE)+0 */
    MPI_Type_free(&cell);
}

static void nothing(void *in, void *out, int *count, MPI_Datatype *type)
{
    (void)in, (void)out, (void)count, (void)type;
}

/* Open MPI 4 has no windows of a rank alone. */
static void one_sided(void)
{
    MPI_Datatype ints, bytes;
    MPI_Win win;
    MPI_Op own;
    MPI_Op_create(nothing, 1, &own);
    MPI_Win_create(more, sizeof more, 1, MPI_INFO_NULL, MPI_COMM_SELF, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);                      /* handle-null (openmpi4) */
    MPI_Type_vector(2, 1, 2, MPI_INT, &ints);
    ints = committed(ints, "ints");
    MPI_Type_contiguous(2, MPI_CHAR, &bytes);
    bytes = committed(bytes, "chars");
    MPI_Win_fence(0, win);                                               /* handle-null (openmpi4) */
    MPI_Accumulate(data, 1, ints, 0, 0, 1, ints, MPI_SUM, win);          /* handle-null (openmpi4) */
    MPI_Accumulate(data, 1, bytes, 0, 0, 1, bytes, MPI_REPLACE, win);    /* handle-null (openmpi4) */
    MPI_Accumulate(data, 1, bytes, 0, 0, 1, bytes, MPI_SUM, win);      /* handle-null (openmpi4) */ /* op-datatype */ /* at {0}(CONTIGUOUS)[0](MPI_CHAR)+0 */
    MPI_Accumulate(data, 1, MPI_INT, 0, 0, 1, MPI_INT, own, win);      /* handle-null (openmpi4) */ /* op-datatype */
    MPI_Fetch_and_op(data, data + 8, MPI_INT, 0, 0, own, win);         /* handle-null (openmpi4) */ /* op-datatype */
    MPI_Accumulate(data, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, own, win); /* handle-null (openmpi4) */
    MPI_Win_fence(0, win);                                               /* handle-null (openmpi4) */
    MPI_Win_free(&win);                                                  /* handle-null (openmpi4) */
    MPI_Op_free(&own);
    MPI_Type_free(&bytes);
    MPI_Type_free(&ints);
}

/* --- that may be the end ------------------------------------------------------------------- */

static void ends_in(const char *name)
{
    MPI_Datatype cell = make_cell();
    struct cell cells[2];
    MPI_Win win;
    memset(cells, 0, sizeof cells);
    if (strcmp(name, "unlike") == 0) {
        MPI_Win_create(more, sizeof more, 1, MPI_INFO_NULL, MPI_COMM_SELF, &win);
        MPI_Win_fence(0, win);                                           /* handle-null (unlike, openmpi4) */
        MPI_Accumulate(cells, 1, cell, 0, 0, 1, cell, MPI_SUM, win);   /* handle-null (unlike, openmpi4) */ /* op-datatype (unlike) */ /* at {0}(RESIZED)[0](STRUCT)[0][0](MPI_DOUBLE)+0 {0}(RESIZED)[0](STRUCT)[1][0](MPI_INT)+16 */
    } else if (strcmp(name, "null-cells") == 0) {
        MPI_Bcast(NULL, 3, cell, 0, MPI_COMM_WORLD);                   /* buffer-null (null-cells) */ /* at {0}(RESIZED)[0](STRUCT)[0][0](MPI_DOUBLE)+0 */
    }
    _exit(0);
}

int main(int argc, char **argv)
{
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    if (argc > 1)
        ends_in(argv[1]);
    if (MPI_File_open(MPI_COMM_SELF, "elements.data", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                      MPI_INFO_NULL, &file) != MPI_SUCCESS)
        return 1;
    views(file);
    MPI_File_close(&file);
    communication();
    one_sided();
    MPI_Finalize();
    return 0;
}
