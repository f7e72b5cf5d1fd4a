/*
 * The pending one-sided operations that have a request (MPI_Rput and its like): what ends an epoch, or
 * flushes a window, ends them as well. They are listed here, so that nothing else that is pending has
 * to be looked at then: a call costs what the one-sided requests are, whatever else there is.
 *
 *     struct st_record *record;
 *     size_t rest = st_window_requests_all();
 *     while ((record = st_window_requests_next(&rest, window)))
 *         ... of the newest first ...
 *
 * The caller holds the recorder's lock. It may give it back between two steps.
 */
#ifndef ST_RUNTIME_OBJECTS_WINDOW_REQUESTS_H
#define ST_RUNTIME_OBJECTS_WINDOW_REQUESTS_H

#include "runtime/objects/records.h"

/* A record of kind REQUEST, which keeps its serial. */
void st_window_requests_add(const struct st_record *record);

/* One that was added is removed, or is no request any more. */
void st_window_requests_drop(void);

/* Where a walk begins. */
size_t st_window_requests_all(void);

/* The next one of this window; NULL: there are no more. */
struct st_record *st_window_requests_next(size_t *rest, uint64_t window);

#endif
