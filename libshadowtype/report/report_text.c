/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A report for people:
 *
 *     mpipp: error datatype-null: rank 0 sends with MPI_DATATYPE_NULL
 *       send      MPI_Send(buf=0x7ffd1230, count=1, datatype=MPI_DATATYPE_NULL)   halo.c:58 in main()
 *       advice    pass the datatype of the buffer's elements
 *
 * Each fact is a line. The rank has no debug information: it writes places as exchange()+0x1c or
 * app+0x1234.
 */
#include "report/report.h"

#include <string.h>

#include "report/writer.h"

struct st_text_report {
    struct st_writer writer;
    const struct st_look *look;
};

static void put_safe(struct st_text_report *text, const char *bytes)
{
    st_put_visible(&text->writer, bytes);
}

static void put_coloured(struct st_text_report *text, const char *code, const char *words)
{
    if (text->look->colour) {
        st_put(&text->writer, "\033[");
        st_put(&text->writer, code);
        st_put(&text->writer, "m");
    }
    put_safe(text, words);
    if (text->look->colour) {
        st_put(&text->writer, "\033[0m");
    }
}

static void put_label(struct st_text_report *text, const char *label)
{
    enum { WIDTH = 10 };
    st_put(&text->writer, "  ");
    put_coloured(text, "1", label);
    size_t length = strlen(label);
    st_put_bytes(&text->writer, "          ", length < WIDTH ? WIDTH - length : 1);
}

static void put_frame(struct st_text_report *text, const struct st_frame *frame)
{
    if (frame->text != NULL) {
        put_safe(text, frame->text);
    } else if (frame->symbol != NULL) {
        put_safe(text, frame->symbol);
        st_put(&text->writer, "()+");
        st_put_hex(&text->writer, frame->symbol_offset);
    } else if (frame->module != NULL) {
        const char *slash = strrchr(frame->module, '/');
        put_safe(text, slash != NULL ? slash + 1 : frame->module);
        st_put(&text->writer, "+");
        st_put_hex(&text->writer, frame->offset);
    } else {
        st_put(&text->writer, "an unknown place");
    }
}

static void put_site(struct st_text_report *text, const struct st_frames *site)
{
    if (site->count == 0) {
        return;
    }
    st_put(&text->writer, "   ");
    put_frame(text, &site->list[0]);
}

static void put_callers(struct st_text_report *text, const struct st_frames *site)
{
    for (size_t i = 1; i < site->count; i++) {
        st_put(&text->writer, "    called from ");
        put_frame(text, &site->list[i]);
        st_put(&text->writer, "\n");
    }
}

/* Returns "send" or "receive" for calls that only do that. */
static const char *label_of(const char *call)
{
    if (strstr(call, "Sendrecv") != NULL) {
        return "call";
    }
    if (strstr(call, "send") != NULL || strstr(call, "Send") != NULL) {
        return "send";
    }
    if (strstr(call, "recv") != NULL || strstr(call, "Recv") != NULL) {
        return "receive";
    }
    return "call";
}

static void put_title(struct st_text_report *text, const struct st_finding *finding)
{
    enum st_severity severity = st_finding_severity(finding);
    st_put(&text->writer, "mpipp: ");
    put_coloured(text,
                 severity == ST_SEVERITY_ERROR     ? "1;31"
                 : severity == ST_SEVERITY_WARNING ? "1;33"
                                                   : "1;36",
                 st_severity_name(severity));
    st_put(&text->writer, " ");
    put_coloured(text, "1", st_check_rows[finding->check].id);
    st_put(&text->writer, ": ");
    if (finding->subject != NULL) {
        put_safe(text, finding->subject);
    } else if (text->look->subject != NULL) {
        put_safe(text, text->look->subject);
    } else if (finding->rank >= 0) {
        st_put(&text->writer, "rank ");
        st_put_number(&text->writer, finding->rank);
    } else {
        st_put(&text->writer, "process ");
        st_put_number(&text->writer, finding->process);
    }
    st_put(&text->writer, " ");
    put_safe(text,
             finding->message != NULL ? finding->message : st_check_rows[finding->check].title);
    if (finding->count > 1) {
        st_put(&text->writer, " (");
        st_put_number(&text->writer, finding->count);
        st_put(&text->writer, " times)");
    }
    st_put(&text->writer, "\n");
}

static void put_arguments(struct st_text_report *text, const struct st_argument *arguments,
                          size_t count)
{
    st_put(&text->writer, "(");
    for (size_t i = 0; i < count; i++) {
        if (i != 0) {
            st_put(&text->writer, ", ");
        }
        if (arguments[i].name != NULL) {
            put_safe(text, arguments[i].name);
            st_put(&text->writer, "=");
        }
        put_safe(text, arguments[i].value != NULL ? arguments[i].value : "?");
    }
    st_put(&text->writer, ")");
}

static void put_call(struct st_text_report *text, const struct st_finding *finding)
{
    if (finding->call == NULL) {
        if (finding->site.count != 0) {
            put_label(text, "at");
            put_frame(text, &finding->site.list[0]);
            st_put(&text->writer, "\n");
        }
    } else {
        put_label(text, label_of(finding->call));
        put_safe(text, finding->call);
        put_arguments(text, finding->arguments, finding->argument_count);
        put_site(text, &finding->site);
        st_put(&text->writer, "\n");
    }
    put_callers(text, &finding->site);
}

static void put_elements(struct st_text_report *text, const struct st_finding *finding)
{
    for (size_t i = 0; i < finding->element_count; i++) {
        const struct st_element *element = &finding->elements[i];
        st_put(&text->writer, "    element ");
        put_safe(text, element->address != NULL ? element->address : "?");
        if (!element->nowhere) {
            st_put(&text->writer, ", byte ");
            st_put_number(&text->writer, element->byte);
        }
        if (element->rank >= 0 && element->rank != finding->rank) {
            st_put(&text->writer, ", rank ");
            st_put_number(&text->writer, element->rank);
        }
        if (element->of != NULL) {
            st_put(&text->writer, ", of ");
            put_safe(text, element->of);
        }
        st_put(&text->writer, "\n");
    }
}

static void put_event(struct st_text_report *text, const char *what, const struct st_frames *site,
                      const char **separator)
{
    if (site->count == 0) {
        return;
    }
    st_put(&text->writer, *separator);
    st_put(&text->writer, what);
    st_put(&text->writer, " at ");
    put_frame(text, &site->list[0]);
    *separator = ", ";
}

/* Returns how many bytes of TEXT go on a line of `width` bytes: up to the last comma
 * in it, if possible one after a member in braces. */
static size_t line_length(const char *text, size_t width)
{
    size_t length = strlen(text), end = 0, closed = 0;
    if (length <= width) {
        return length;
    }
    for (size_t i = 0; i + 1 < length && (i < width || end == 0); i++) {
        if (text[i] != ',' || text[i + 1] != ' ') {
            continue;
        }
        end = i + 1;
        if (i > width / 2 && text[i - 1] == '}') {
            closed = end;
        }
    }
    return closed != 0 ? closed : end != 0 ? end : length;
}

/* A datatype, on as many lines as it takes. */
static void put_folded(struct st_text_report *text, const char *type)
{
    enum { WIDTH = 100, ROOM = 512 };
    while (*type != '\0') {
        size_t length = line_length(type, WIDTH);
        char line[ROOM];
        size_t kept = st_text_cut(type, length < ROOM ? length : ROOM - 1);
        memcpy(line, type, kept);
        line[kept] = '\0';
        st_put(&text->writer, "\n    ");
        put_safe(text, line);
        type += kept;
        type += *type == ' ';
    }
}

static void put_types(struct st_text_report *text, const struct st_finding *finding)
{
    for (size_t i = 0; i < finding->type_count; i++) {
        const struct st_reported_type *type = &finding->types[i];
        const char *separator = ": ";
        put_label(text, "type");
        if (type->name != NULL) {
            put_safe(text, type->name);
            st_put(&text->writer, type->handle != NULL ? " " : "");
        }
        if (type->handle != NULL) {
            put_safe(text, type->handle);
        }
        put_event(text, "created", &type->created, &separator);
        put_event(text, "committed", &type->committed, &separator);
        put_event(text, "freed", &type->freed, &separator);
        if (type->text != NULL) {
            put_folded(text, type->text);
        }
        st_put(&text->writer, "\n");
    }
}

static void put_others(struct st_text_report *text, const struct st_finding *finding)
{
    for (size_t i = 0; i < finding->other_count; i++) {
        const struct st_other_call *other = &finding->others[i];
        const char *call = other->call != NULL ? other->call : "a call";
        put_label(text, other->label != NULL ? other->label : label_of(call));
        put_safe(text, call);
        if (other->arguments != NULL) {
            put_arguments(text, other->arguments, other->argument_count);
        }
        put_site(text, &other->site);
        if (other->label == NULL && other->rank >= 0 && other->rank != finding->rank) {
            st_put(&text->writer, ", rank ");
            st_put_number(&text->writer, other->rank);
        }
        st_put(&text->writer, "\n");
        if (other->remark != NULL) {
            st_put(&text->writer, "            ");
            put_safe(text, other->remark);
            st_put(&text->writer, "\n");
        }
    }
}

static void put_lines(struct st_text_report *text, const struct st_finding *finding)
{
    for (size_t i = 0; i < finding->line_count; i++) {
        put_label(text, finding->lines[i].label);
        put_safe(text, finding->lines[i].text);
        st_put(&text->writer, "\n");
    }
}

static void put_last(struct st_text_report *text, const struct st_finding *finding)
{
    if (finding->advice != NULL) {
        put_label(text, "advice");
        put_safe(text, finding->advice);
        st_put(&text->writer, "\n");
    }
    if (text->look->attach != NULL) {
        put_label(text, "look");
        st_put(&text->writer, "mpipp attach ");
        put_safe(text, text->look->attach);
        if (text->look->remark != NULL) {
            st_put(&text->writer, "   (");
            put_safe(text, text->look->remark);
            st_put(&text->writer, ")");
        }
        st_put(&text->writer, "\n");
    }
}

/* Returns the length of what fits, up to the last line end. */
static size_t whole_lines(const struct st_writer *writer)
{
    if (writer->length <= writer->room) {
        return writer->length;
    }
    size_t length = writer->room;
    while (length > 0 && writer->bytes[length - 1] != '\n') {
        length--;
    }
    return length;
}

size_t st_finding_text(const struct st_finding *finding, const struct st_look *look, char *bytes,
                       size_t room)
{
    struct st_text_report text = {{bytes, room, 0}, look};
    put_title(&text, finding);
    if (finding->subject == NULL) {
        put_call(&text, finding);
    }
    put_elements(&text, finding);
    put_types(&text, finding);
    put_others(&text, finding);
    put_lines(&text, finding);
    put_last(&text, finding);
    return whole_lines(&text.writer);
}
