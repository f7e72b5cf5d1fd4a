/* SPDX-License-Identifier: BSD-3-Clause */
#include "scopes.h"

#include <stdbool.h>
#include <stdlib.h>

static bool first_child(const struct dwarf *dwarf, Dwarf_Die *die, Dwarf_Die *child)
{
    return dwarf->dwarf_child(die, child) == 0;
}

static bool next_child(const struct dwarf *dwarf, Dwarf_Die *child)
{
    Dwarf_Die next;
    if (dwarf->dwarf_siblingof(child, &next) != 0) {
        return false;
    }
    *child = next;
    return true;
}

/* Finds the function that is declared somewhere inside DIE and contains ADDRESS. A contained
 * procedure of Fortran may be declared in one whose code is elsewhere. */
static bool find_function(const struct dwarf *dwarf, Dwarf_Die *die, Dwarf_Addr address,
                          unsigned depth, Dwarf_Die *found)
{
    enum { MOST_DEPTH = 16 };
    Dwarf_Die child;
    if (depth == MOST_DEPTH || !first_child(dwarf, die, &child)) {
        return false;
    }
    do {
        int tag = dwarf->dwarf_tag(&child);
        if (tag == DW_TAG_subprogram && dwarf->dwarf_haspc(&child, address) == 1) {
            *found = child;
            return true;
        }
        if ((tag == DW_TAG_subprogram || tag == DW_TAG_module) &&
            find_function(dwarf, &child, address, depth + 1, found)) {
            return true;
        }
    } while (next_child(dwarf, &child));
    return false;
}

/* Moves *SCOPE down to the innermost block, or inlined function, that contains ADDRESS. */
static void descend(const struct dwarf *dwarf, Dwarf_Die *scope, Dwarf_Addr address)
{
    Dwarf_Die child;
    bool has_next = first_child(dwarf, scope, &child);
    while (has_next) {
        int tag = dwarf->dwarf_tag(&child);
        if ((tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine) &&
            dwarf->dwarf_haspc(&child, address) == 1) {
            *scope = child;
            has_next = first_child(dwarf, scope, &child);
        } else {
            has_next = next_child(dwarf, &child);
        }
    }
}

int scopes_at(const struct dwarf *dwarf, Dwarf *debug, Dwarf_Die *unit, Dwarf_Addr address,
              Dwarf_Die **scopes)
{
    Dwarf_Die innermost;
    *scopes = NULL;
    int count = dwarf->dwarf_getscopes(unit, address, scopes);
    Dwarf_Off offset = count > 0 ? dwarf->dwarf_dieoffset(&(*scopes)[0]) : 0;
    free(*scopes);
    *scopes = NULL;
    if (count > 0) {
        if (dwarf->dwarf_offdie(debug, offset, &innermost) == NULL) {
            return 0;
        }
    } else {
        if (!find_function(dwarf, unit, address, 0, &innermost)) {
            return 0;
        }
        descend(dwarf, &innermost, address);
    }
    count = dwarf->dwarf_getscopes_die(&innermost, scopes);
    return count > 0 ? count : 0;
}
