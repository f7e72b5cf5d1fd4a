/* SPDX-License-Identifier: BSD-3-Clause */
#include "hexadecimal.h"

#include <string.h>

#include "../words.h"

static const char digits[] = "0123456789abcdef";

char *hexadecimal(const void *object, size_t size)
{
    char *text = zeroed(2 * size + 1, 1);
    const unsigned char *bytes = object;
    for (size_t i = 0; i < size; i++) {
        text[2 * i] = digits[bytes[i] >> 4];
        text[2 * i + 1] = digits[bytes[i] & 15];
    }
    return text;
}

bool read_hexadecimal(const char *text, void *object, size_t size)
{
    if (text == NULL || strlen(text) != 2 * size || strspn(text, digits) != 2 * size) {
        return false;
    }
    for (size_t i = 0; i < size; i++) {
        const size_t high = (size_t)(strchr(digits, text[2 * i]) - digits),
                     low = (size_t)(strchr(digits, text[2 * i + 1]) - digits);
        ((unsigned char *)object)[i] = (unsigned char)(high << 4 | low);
    }
    return true;
}
