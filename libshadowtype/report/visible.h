/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which characters of a text from the program may be shown: in names of datatypes, files,
 * functions. Every output replaces, or escapes, characters that act on a terminal instead of being
 * visible. Python uses it as _mpipp.visible().
 */
#ifndef ST_REPORT_VISIBLE_H
#define ST_REPORT_VISIBLE_H

#include <stdbool.h>
#include <stdint.h>

/* Is shown in their place. */
enum { ST_REPLACEMENT_CODE = 0xfffd };
#define ST_REPLACEMENT "\xef\xbf\xbd"

/* Returns true if a character acts: controls of terminals (C0, DEL, C1), controls of the writing
 * direction, line ends. */
static inline bool st_text_acts(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x61c || code == 0x200e ||
           code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069);
}

#endif
