/* A file's view: MPI-4.0, 14.3 and 14.1.1 (etype, filetype). */
#include "runtime/check/checks.h"
#include "runtime/check/constants.h"
#include "runtime/check/finding.h"
#include "runtime/check/layouts.h"
#include "runtime/check/records.h"
#include "runtime/lock.h"

static void find(struct st_facts *facts, int number, const char *message, const char *advice)
{
    st_find(facts, &(struct st_found){.check = ST_FILE_VIEW,
                                      .parameter = number,
                                      .message = message,
                                      .type = facts->values[number],
                                      .advice = advice});
}

/* A file repeats its filetype without end: any count that names a byte twice is one too many. */
static bool overlaps(uint64_t type)
{
    struct st_shape shape;
    return st_shape_of(type, &shape) && shape.overlaps_at > 0;
}

/* False as well where the file is none that is open: MPI would call its error handler. */
static bool is_writable(uint64_t file)
{
    bool locked = st_lock();
    bool is_open = st_records_find(ST_KIND_FILE, file, 0) != NULL;
    st_unlock(locked);
    return is_open && st_ask_writable(file);
}

void st_check_view(struct st_facts *facts)
{
    const struct st_form *form = facts->form;
    int types[2] = {-1, -1};
    for (int i = form->parameter_count - 1; i >= 0; i--)
        if (form->parameters[i].role == ST_ROLE_VIEW) {
            types[1] = types[0];
            types[0] = i;
        }
    if (types[1] < 0 || st_found_at(facts, types[0]) || st_found_at(facts, types[1]))
        return;
    int64_t element = st_ask_size(facts->values[types[0]]);
    int64_t all = st_ask_size(facts->values[types[1]]);
    int64_t lb, extent;
    if (element > 0 && all >= 0 && all % element != 0)
        find(facts, types[1], "sets a view whose filetype is not made of whole etypes",
             "build the filetype from the etype that is passed");
    else if (st_ask_true_extent(facts->values[types[1]], &lb, &extent) && extent > 0 && lb < 0)
        find(facts, types[1], "sets a view with a negative displacement in its filetype",
             "the displacements of a filetype are 0 or more, and do not decrease");
    else if (overlaps(facts->values[types[1]]) && is_writable(facts->values[0]))
        find(facts, types[1], "sets a view whose filetype names a byte of the file twice",
             "a filetype of a file that is written may not overlap itself nor its repetitions");
}
