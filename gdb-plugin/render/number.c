/* SPDX-License-Identifier: BSD-3-Clause */
#include "number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool st_number_native(const struct st_basic *basic)
{
    switch (basic->class_) {
    case ST_CLASS_SIGNED:
    case ST_CLASS_UNSIGNED:
        return basic->size <= 8;
    case ST_CLASS_FLOAT:
        return basic->size == 4 || basic->size == 8;
    default:
        return false;
    }
}

static void integer(struct st_text *text, bool is_signed, int64_t size, const void *data)
{
    uint64_t bits = 0;
    memcpy(&bits, data, (size_t)size); /* little endian: the registry's byte order was checked */
    unsigned unused = 64u - (unsigned)size * 8u;
    if (is_signed) {
        int64_t value = (int64_t)(bits << unused) >> unused;
        st_text_decimal(text, value < 0 ? 0 - (uint64_t)value : (uint64_t)value, value < 0);
    } else {
        st_text_decimal(text, bits, false);
    }
}

/* gdb shows a NaN's mantissa in hexadecimal, in groups of 32 bits from the least significant one. */
static void nan_of(struct st_text *text, bool negative, uint64_t mantissa, bool two_groups)
{
    char word[40];
    int length = two_groups ? snprintf(word, sizeof word, "%snan(0x%lx%08lx)", negative ? "-" : "",
                                       (unsigned long)(mantissa >> 32),
                                       (unsigned long)(mantissa & 0xffffffffu))
                            : snprintf(word, sizeof word, "%snan(0x%lx)", negative ? "-" : "",
                                       (unsigned long)mantissa);
    st_text_append(text, word, (size_t)length);
}

static void floating(struct st_text *text, int64_t size, const void *data)
{
    char word[40];
    double value;
    uint64_t bits = 0;
    memcpy(&bits, data, (size_t)size);
    if (size == 4) {
        float narrow;
        memcpy(&narrow, data, sizeof narrow);
        value = (double)narrow;
        if (isnan(narrow)) {
            nan_of(text, bits >> 31, bits & 0x7fffffu, false);
            return;
        }
    } else {
        memcpy(&value, data, sizeof value);
        if (isnan(value)) {
            nan_of(text, bits >> 63, bits & UINT64_C(0xfffffffffffff), true);
            return;
        }
    }
    int length = snprintf(word, sizeof word, size == 4 ? "%.9g" : "%.17g", value);
    st_text_append(text, word, (size_t)length);
}

void st_number(struct st_text *text, const struct st_basic *basic, const void *data)
{
    if (basic->class_ == ST_CLASS_FLOAT) {
        floating(text, basic->size, data);
    } else {
        integer(text, basic->class_ == ST_CLASS_SIGNED, basic->size, data);
    }
}
