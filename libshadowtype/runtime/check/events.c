#include "runtime/wrap/events.h"

#include "runtime/check/check.h"
#include "runtime/check/level.h"
#include "runtime/check/outside.h"

void st_event_begins(bool world)
{
    st_outside_begins(world);
    if (!world)
        st_level_session();
}

void st_event_recorded(bool world)
{
    st_check_begins(world);
}

void st_event_ended(void)
{
    if (st_check_ended())
        st_outside_ends();
}

void st_event_thread(uint32_t count)
{
    st_level_thread(count);
}
