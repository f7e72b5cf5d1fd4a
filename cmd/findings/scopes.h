/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions and blocks that contain an address.
 */
#ifndef MPIPP_FINDINGS_SCOPES_H
#define MPIPP_FINDINGS_SCOPES_H

#include "../dwarf.h"

/* Sets *SCOPES, which the caller frees, to the scopes around ADDRESS in UNIT, the innermost first.
 * They are nested as in the code, not as in the source. Returns their number; 0 if none is known. */
int scopes_at(const struct dwarf *dwarf, Dwarf *debug, Dwarf_Die *unit, Dwarf_Addr address,
              Dwarf_Die **scopes);

#endif
