/*
 * Which characters of a text that comes from the program may be shown: names of datatypes, of files,
 * of functions. Every output replaces, or escapes, those that act instead of being seen. For Python
 * it is _mpipp.visible().
 */
#ifndef ST_REPORT_VISIBLE_H
#define ST_REPORT_VISIBLE_H

#include <stdbool.h>
#include <stdint.h>

/* What is shown instead. */
enum { ST_REPLACEMENT_CODE = 0xfffd };
#define ST_REPLACEMENT "\xef\xbf\xbd"

/* True if a code point does something: controls of terminals (C0, DEL, C1), controls of the direction
 * of writing, ends of lines. */
static inline bool st_text_acts(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x61c || code == 0x200e ||
           code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069);
}

#endif
