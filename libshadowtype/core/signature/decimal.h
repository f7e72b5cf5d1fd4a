/* SPDX-License-Identifier: BSD-3-Clause */
/* Whole numbers as decimal digits: the core has no stdio. */
#ifndef ST_CORE_SIGNATURE_DECIMAL_H
#define ST_CORE_SIGNATURE_DECIMAL_H

#include <stddef.h>
#include <stdint.h>

#define ST_DECIMAL 21 /* a sign, 19 digits, the terminator */

/* Writes `number` and a terminator. Returns the length without the terminator. */
static inline size_t st_decimal(int64_t number, char text[ST_DECIMAL])
{
    char reversed[ST_DECIMAL];
    uint64_t left = number < 0 ? -(uint64_t)number : (uint64_t)number;
    size_t digits = 0, length = 0;
    do {
        reversed[digits++] = (char)('0' + left % 10);
        left /= 10;
    } while (left);
    if (number < 0) {
        text[length++] = '-';
    }
    while (digits) {
        text[length++] = reversed[--digits];
    }
    text[length] = '\0';
    return length;
}

#endif
