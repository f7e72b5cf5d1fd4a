/*
 * Whether a filetype is made of its etype (MPI-4.0, 14.1.1): its type signature is the etype's, over
 * and over.
 *
 * An etype of MPI_BYTE stands for whatever there is: files are often looked at as bytes, and no
 * library takes that amiss, though MPI_BYTE matches only itself.
 */
#ifndef ST_RUNTIME_CHECK_LOCAL_ETYPE_H
#define ST_RUNTIME_CHECK_LOCAL_ETYPE_H

#include <stdbool.h>
#include <stdint.h>

enum { ST_UNLIKE_TEXT = 128 };

struct st_unlike {
    int64_t number; /* of the filetype's basic element, from 0; a pair type is one */
    char filetype[ST_UNLIKE_TEXT], etype[ST_UNLIKE_TEXT]; /* what each has there: "MPI_INT" */
};

/* Returns true if `filetype` is not `copies` times `etype`, and puts the first difference into `unlike`.
 * Returns false if it is, or if that is not known. The sizes of both handles' types must agree. Takes the
 * recorder's lock. */
bool st_unlike_etype(uint64_t etype, uint64_t filetype, int64_t copies, struct st_unlike *unlike);

#endif
