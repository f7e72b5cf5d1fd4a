#include "change.h"

#include <stdlib.h>
#include <string.h>

#include "zoo.h"

/* What is interesting at a place depends on what stands there: addresses, counts, ordinals. */
static uint64_t changed(uint64_t old, uint8_t how, uint64_t value, uint64_t image_size)
{
    switch (how % 8) {
    case 0:
        return value;
    case 1:
        return old + (uint64_t)(int64_t)(int8_t)value;
    case 2:
        return UINT64_C(1) << (value % 64);
    case 3:
        return ~(UINT64_C(1) << (value % 64)) + 1;
    case 4:
        return IMAGE_BASE + value % (image_size + 64);
    case 5:
        return value % 32;
    case 6:
        return old ^ (UINT64_C(1) << (value % 64));
    default:
        return UINT64_MAX - value % 32;
    }
}

static void change(struct image *image, const uint8_t *data)
{
    uint16_t where;
    uint64_t value, old = 0;
    memcpy(&where, data, sizeof where);
    memcpy(&value, data + 4, sizeof value);
    size_t width = (size_t)1 << (data[3] % 4);
    size_t at = where % (image->size / width) * width;
    memcpy(&old, image->data + at, width);
    uint64_t fresh = changed(old, data[2], value, image->size);
    memcpy(image->data + at, &fresh, width);
}

struct image changed_zoo(const uint8_t *changes, size_t count)
{
    static struct image sound; /* made once */
    if (!sound.data) {
        image_init(&sound);
        zoo_fill(&sound);
        zoo_add_work(&sound);
        image_finish(&sound);
    }
    struct image image = sound;
    image.data = malloc(sound.size);
    if (image.data) {
        memcpy(image.data, sound.data, sound.size);
        for (size_t i = 0; i < count; i++) {
            change(&image, changes + i * CHANGE);
        }
    }
    return image;
}
