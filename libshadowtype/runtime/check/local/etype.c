#include "runtime/check/local/etype.h"

#include <string.h>

#include "core/signature/signature_match.h"
#include "runtime/record/layouts.h"
#include "runtime/record/lock.h"

enum { WORK = 1 << 20 }; /* some milliseconds at the very worst, once for a view */

static bool stands_for_all(const struct st_basic_element *element)
{
    return element->kind == ST_NAMED && strcmp(element->name, "MPI_BYTE") == 0;
}

static bool elements_differ(const struct st_match *match)
{
    return match->verdict == ST_MATCH_DIFFERENT && !match->bytes && match->at[0].present &&
           match->at[1].present && match->at[1].place.number >= 0 &&
           !stands_for_all(&match->at[0].element);
}

bool st_unlike_etype(uint64_t etype, uint64_t filetype, int64_t copies, struct st_unlike *unlike)
{
    _Static_assert(sizeof unlike->etype >= ST_ELEMENT_TEXT, "room for each name");
    bool unlike_it = false;
    if (etype == filetype)
        return false;
    bool locked = st_lock();
    const struct st_type *one = st_tree_of_handle(etype), *all = st_tree_of_handle(filetype);
    struct st_signatures *signatures = one && all ? st_signatures_new() : NULL;
    if (signatures) {
        struct st_match match;
        st_signatures_bound(signatures, WORK);
        st_match(signatures, one, copies, all, 1, &match);
        unlike_it = elements_differ(&match);
        if (unlike_it) {
            unlike->number = match.at[1].place.number;
            st_element_text(&match.at[0].element, unlike->etype);
            st_element_text(&match.at[1].element, unlike->filetype);
        }
        st_signatures_free(signatures);
    }
    st_unlock(locked);
    return unlike_it;
}
