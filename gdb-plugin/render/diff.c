/* SPDX-License-Identifier: BSD-3-Clause */
#include "diff.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* The bytes of each side that one read takes. */
enum { ROOM = 1 << 20 };
/* `interrupted` is called after so many elements. */
enum { ASK = 1 << 16 };

bool st_diff_init(struct st_diff *diff, const struct st_diff_side sides[2])
{
    *diff = (struct st_diff){.first_number = -1};
    for (int i = 0; i < 2; i++) {
        st_pack_init(&diff->sides[i].pack, sides[i].indexes, sides[i].memory, &sides[i].root);
        diff->sides[i].data = malloc(ROOM);
    }
    return diff->sides[0].data && diff->sides[1].data;
}

void st_diff_deinit(struct st_diff *diff)
{
    for (int i = 0; i < 2; i++) {
        st_pack_deinit(&diff->sides[i].pack);
        free(diff->sides[i].data);
    }
}

/* --- elements -----------------------------------------------------------------------------------
 */

/* The bytes of an element. Only the first `used` of each `period` are compared. */
struct form {
    size_t size, period, used;
};

/* Returns true if long double is x87's: 10 bytes, and padding. */
static bool is_extended(const struct st_basic *basic)
{
    return LDBL_MANT_DIG == 64 && strstr(basic->name, "LONG_DOUBLE");
}

static struct form form_of(const struct st_basic *basic, enum st_class class_, size_t size)
{
    size_t period = class_ == ST_CLASS_COMPLEX ? size / 2 : size;
    bool real = class_ == ST_CLASS_FLOAT || class_ == ST_CLASS_COMPLEX;
    bool padded = real && period > 10 && is_extended(basic);
    return (struct form){size, padded ? period : size, padded ? 10 : size};
}

/* The elements of a leaf: one, or a pair's two. */
struct leaf_form {
    int members;
    struct form member[2];
    size_t size;
};

static struct leaf_form leaf_form(const struct st_basic *basic)
{
    struct leaf_form leaf = {.members = 1};
    if (basic->class_ == ST_CLASS_PAIR) {
        leaf.members = 2;
        for (int i = 0; i < 2; i++) {
            leaf.member[i] = form_of(basic, basic->members[i].class_, basic->members[i].size);
        }
    } else {
        leaf.member[0] = form_of(basic, basic->class_, (size_t)basic->size);
    }
    leaf.size = leaf.member[0].size + leaf.member[1].size;
    return leaf;
}

static bool same_form(const struct leaf_form *a, const struct leaf_form *b)
{
    return a->members == b->members && a->member[0].size == b->member[0].size &&
           a->member[1].size == b->member[1].size;
}

static bool equal(const unsigned char *a, const unsigned char *b, const struct form *form)
{
    for (size_t at = 0; at < form->size; at += form->period) {
        if (memcmp(a + at, b + at, form->used) != 0) {
            return false;
        }
    }
    return true;
}

/* --- the walk -----------------------------------------------------------------------------------
 */

static const unsigned char *data_at(const struct st_diff_walk *side)
{
    return side->data + side->at;
}

/* Returns the element of a leaf that is `within` bytes after its beginning. */
static int member_at(const struct leaf_form *leaf, size_t within)
{
    return leaf->members == 2 && within >= leaf->member[0].size;
}

/* Counts an element that differs; it is `ahead` bytes after the current position of both sides. */
static void note_difference(struct st_diff *diff, const struct leaf_form forms[2], int64_t number,
                            size_t ahead)
{
    diff->different++;
    if (diff->first_number >= 0) {
        return;
    }
    diff->first_number = number;
    for (int i = 0; i < 2; i++) {
        size_t at = diff->sides[i].at + ahead;
        int member = member_at(&forms[i], at % forms[i].size);
        diff->first[i] = (struct st_diff_place){
            .leaf = diff->sides[i].leaves + (int64_t)(at / forms[i].size),
            .member = forms[i].members == 2 ? member : -1,
        };
    }
}

static void pass_elements(struct st_diff *diff, size_t bytes, int64_t elements)
{
    diff->sides[0].at += bytes;
    diff->sides[1].at += bytes;
    diff->compared += elements;
}

/* Compares `leaves` leaves, which have the same form on both sides. */
static void compare_leaves(struct st_diff *diff, const struct leaf_form forms[2], size_t leaves)
{
    const struct leaf_form *form = &forms[0];
    const unsigned char *a = data_at(&diff->sides[0]), *b = data_at(&diff->sides[1]);
    size_t length = leaves * form->size;
    int64_t number = diff->compared;
    if (memcmp(a, b, length) != 0) {
        for (size_t at = 0; at < length;) {
            for (int i = 0; i < form->members; at += form->member[i++].size, number++) {
                if (!equal(a + at, b + at, &form->member[i])) {
                    note_difference(diff, forms, number, at);
                }
            }
        }
    }
    pass_elements(diff, length, (int64_t)leaves * form->members);
}

/* Compares one element, where one side has a pair or half of one. */
static void compare_one(struct st_diff *diff, const struct leaf_form forms[2])
{
    struct form of[2];
    for (int i = 0; i < 2; i++) {
        of[i] = forms[i].member[member_at(&forms[i], diff->sides[i].at % forms[i].size)];
    }
    if (of[0].size != of[1].size) {
        diff->sizes = true;
        return;
    }
    if (!equal(data_at(&diff->sides[0]), data_at(&diff->sides[1]), &of[0])) {
        note_difference(diff, forms, diff->compared, 0);
    }
    pass_elements(diff, of[0].size, 1);
}

/* Returns true if a byte of a leaf is not part of a value. */
static bool is_padding(const struct leaf_form *leaf, size_t within)
{
    int member = member_at(leaf, within);
    const struct form *form = &leaf->member[member];
    return (within - (member ? leaf->member[0].size : 0)) % form->period >= form->used;
}

static void compare_bytes(struct st_diff *diff, const struct leaf_form forms[2], size_t length)
{
    const unsigned char *a = data_at(&diff->sides[0]), *b = data_at(&diff->sides[1]);
    for (size_t i = memcmp(a, b, length) == 0 ? length : 0; i < length; i++) {
        if (a[i] != b[i] && !is_padding(&forms[0], (diff->sides[0].at + i) % forms[0].size) &&
            !is_padding(&forms[1], (diff->sides[1].at + i) % forms[1].size)) {
            note_difference(diff, forms, diff->compared + (int64_t)i, i);
        }
    }
    pass_elements(diff, length, (int64_t)length);
}

/* Compares the parts that both sides have read. */
static void compare_parts(struct st_diff *diff)
{
    struct st_diff_walk *a = &diff->sides[0], *b = &diff->sides[1];
    struct leaf_form forms[2] = {leaf_form(a->part.basic), leaf_form(b->part.basic)};
    size_t left[2] = {a->part.length - a->at, b->part.length - b->at};
    size_t length = left[0] < left[1] ? left[0] : left[1];
    int64_t most = diff->most - diff->compared;
    if (diff->bytes) {
        compare_bytes(diff, forms, (int64_t)length < most ? length : (size_t)most);
        return;
    }
    bool whole = a->at % forms[0].size == 0 && b->at % forms[1].size == 0;
    size_t leaves = whole && same_form(&forms[0], &forms[1]) ? length / forms[0].size : 0;
    int64_t most_leaves = most / forms[0].members;
    leaves = (int64_t)leaves < most_leaves ? leaves : (size_t)most_leaves;
    if (leaves) {
        compare_leaves(diff, forms, leaves);
    } else {
        compare_one(diff, forms);
    }
}

/* Reads the next part if the current one is done. */
static enum st_error refill(struct st_diff_walk *side, struct st_fault *fault)
{
    if (side->at < side->part.length) {
        return ST_OK;
    }
    side->leaves += side->part.count;
    side->at = 0;
    return st_pack_part(&side->pack, side->data, ROOM, &side->part, fault);
}

enum st_error st_diff_run(struct st_diff *diff, struct st_fault *fault)
{
    int64_t asked = 0;
    while (diff->compared < diff->most && !diff->sizes) {
        if (diff->interrupted && diff->compared - asked >= ASK) {
            asked = diff->compared;
            if (diff->interrupted(diff->context)) {
                return st_fail(fault, (struct st_fault){.error = ST_INTERRUPTED});
            }
        }
        for (diff->failed = 0; diff->failed < 2; diff->failed++) {
            enum st_error error = refill(&diff->sides[diff->failed], fault);
            if (error) {
                return error;
            }
        }
        if (!diff->sides[0].part.count || !diff->sides[1].part.count) {
            break;
        }
        compare_parts(diff);
    }
    return ST_OK;
}
