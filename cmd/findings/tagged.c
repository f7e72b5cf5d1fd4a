/* SPDX-License-Identifier: BSD-3-Clause */
#include "tagged.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "report/sink.h"
#include "../say.h"
#include "../words.h"

static const char tag[] = "@mpipp:";
enum { TAG = sizeof tag - 1 };

/* A record of which some pieces have arrived. */
struct unfinished {
    char *key;
    unsigned long line;
    unsigned long next; /* number of the next piece */
    char *text;
    size_t length;
    bool broken;
};

struct piece {
    const char *key;
    size_t key_length;
    unsigned long line, number;
    bool last;
    const char *payload;
};

static bool read_number(const char **text, unsigned long *number)
{
    char *end;
    if (!isdigit((unsigned char)**text)) {
        return false;
    }
    *number = strtoul(*text, &end, 10);
    *text = end;
    return true;
}

static bool is_of_this_run(const struct tagged *tagged, const struct piece *piece)
{
    size_t length = strlen(tagged->nonce);
    const char *end = piece->key + piece->key_length;
    return length == 0 || (piece->key_length > length && end[-(ptrdiff_t)length - 1] == '-' &&
                           memcmp(end - length, tagged->nonce, length) == 0);
}

/* HELD is a line with a 0 in the place of its line end. */
static bool read_piece(const struct tagged *tagged, const char *held, struct piece *piece)
{
    const char *at = held + TAG;
    piece->key = at;
    piece->key_length = strcspn(at, ":");
    if (piece->key_length == 0 || piece->key_length >= ST_SINK_KEY) {
        return false;
    }
    for (size_t i = 0; i < piece->key_length; i++) {
        if (!isxdigit((unsigned char)at[i]) && at[i] != '-') {
            return false;
        }
    }
    if (!is_of_this_run(tagged, piece)) {
        return false;
    }
    at += piece->key_length;
    if (*at++ != ':' || !read_number(&at, &piece->line) || *at++ != ':' ||
        !read_number(&at, &piece->number) || (*at != '+' && *at != '.')) {
        return false;
    }
    piece->last = *at == '.';
    piece->payload = at + 1;
    return true;
}

static struct unfinished *record_of(struct tagged *tagged, const struct piece *piece)
{
    for (size_t i = 0; i < tagged->unfinished_count; i++) {
        struct unfinished *record = &tagged->unfinished[i];
        if (record->line == piece->line && strlen(record->key) == piece->key_length &&
            memcmp(record->key, piece->key, piece->key_length) == 0) {
            return record;
        }
    }
    size_t size = (tagged->unfinished_count + 1) * sizeof *tagged->unfinished;
    tagged->unfinished = realloc(tagged->unfinished, size);
    if (tagged->unfinished == NULL) {
        fail(1, "out of memory");
    }
    struct unfinished *record = &tagged->unfinished[tagged->unfinished_count++];
    *record = (struct unfinished){.key = text_of("%.*s", (int)piece->key_length, piece->key),
                                  .line = piece->line};
    return record;
}

static void forget_record(struct tagged *tagged, struct unfinished *record)
{
    free(record->key);
    free(record->text);
    *record = tagged->unfinished[--tagged->unfinished_count];
}

static void take_piece(struct tagged *tagged, const struct piece *piece)
{
    struct unfinished *record = record_of(tagged, piece);
    size_t length = strlen(piece->payload);
    record->broken = record->broken || piece->number != record->next;
    record->next = piece->number + 1;
    record->text = realloc(record->text, record->length + length + 1);
    if (record->text == NULL) {
        fail(1, "out of memory");
    }
    memcpy(record->text + record->length, piece->payload, length);
    record->length += length;
    if (!piece->last) {
        return;
    }
    if (record->broken) {
        tagged->lost++;
    } else {
        tagged->line(tagged->context, record->key, record->text, record->length);
    }
    forget_record(tagged, record);
}

/* Adds BYTE to the held bytes. Returns how many bytes were written to OUT: all that were held, or
 * none. */
static size_t hold_byte(struct tagged *tagged, char byte, char *out)
{
    struct piece piece;
    tagged->held[tagged->held_length++] = byte;
    if (tagged->held_length <= TAG) {
        if (byte == tag[tagged->held_length - 1]) {
            return 0;
        }
    } else if (byte == '\n') {
        tagged->held[tagged->held_length - 1] = '\0';
        /* A 0 within would hide the rest. */
        if (strlen(tagged->held) == tagged->held_length - 1 &&
            read_piece(tagged, tagged->held, &piece)) {
            take_piece(tagged, &piece);
            tagged->held_length = 0;
            return 0;
        }
        tagged->held[tagged->held_length - 1] = '\n';
    } else if (tagged->held_length < sizeof tagged->held) {
        return 0;
    }
    /* The byte that ended this attempt may begin another one. */
    size_t length = tagged->held_length;
    bool again = byte == tag[0] && length > 1;
    if (again) {
        length--;
    }
    memcpy(out, tagged->held, length);
    tagged->held_length = 0;
    if (again) {
        tagged->held[tagged->held_length++] = byte;
    }
    return length;
}

size_t tagged_filter(struct tagged *tagged, const char *bytes, size_t length, char *out)
{
    size_t passed = 0;
    for (size_t i = 0; i < length; i++) {
        if (tagged->held_length == 0 && bytes[i] != tag[0]) {
            out[passed++] = bytes[i];
        } else {
            passed += hold_byte(tagged, bytes[i], out + passed);
        }
    }
    return passed;
}

size_t tagged_finish(struct tagged *tagged, char *out)
{
    size_t length = tagged->held_length;
    memcpy(out, tagged->held, length);
    tagged->held_length = 0;
    while (tagged->unfinished_count != 0) {
        tagged->lost++;
        forget_record(tagged, &tagged->unfinished[0]);
    }
    free(tagged->unfinished);
    tagged->unfinished = NULL;
    return length;
}
