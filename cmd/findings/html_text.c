/* SPDX-License-Identifier: BSD-3-Clause */
#include "html_text.h"

#include <stdbool.h>
#include <stdint.h>

#include "report/writer.h"

/* XML 1.0, 2.2. */
static bool is_no_character(uint32_t code)
{
    return code == 0xfffe || code == 0xffff;
}

/* Replaces characters that act on a terminal: HTML cannot escape all of them. */
void html_put(FILE *file, const char *text)
{
    for (size_t length; *text != '\0'; text += length) {
        length = st_text_character(text);
        uint32_t code = length != 0 ? st_text_code(text, length) : 0;
        bool seen =
            length != 0 && (*text == '\n' || !(st_text_acts(code) || is_no_character(code)));
        length = length == 0 ? 1 : length;
        if (!seen) {
            fputs(ST_REPLACEMENT, file);
            continue;
        }
        switch (*text) {
        case '<':
            fputs("&lt;", file);
            break;
        case '>':
            fputs("&gt;", file);
            break;
        case '&':
            fputs("&amp;", file);
            break;
        case '"':
            fputs("&quot;", file);
            break;
        default:
            fwrite(text, 1, length, file);
        }
    }
}
