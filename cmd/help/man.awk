# SPDX-License-Identifier: BSD-3-Clause
# Makes mpipp(1) of the help texts: awk -v version=... -f man.awk mpipp.txt run.txt ... > mpipp.1
#
# The help texts are laid out for the eye. Here their parts are told apart again, so that a page fits any width:
#
#   WORDS:               alone in a line: a heading
#   NAME  text           two blanks or more between them: an item; lines that are indented more belong to it
#   -NAME                alone in a line: the same
#   indented by 4        without an item: stays as it is
#   a line of a synopsis or of examples: a line of its own, which may be broken
#   all other lines      paragraphs; an empty line ends one
function close_items(indent)
{
    while (depth > 0 && indents[depth] >= indent) {
        if (depth > 1)
            print ".RE"
        depth--
    }
}
function heading(macro, text)
{
    close_items(0)
    print macro " " text
    are_commands = text ~ /^Examples$|^SYNOPSIS$|^MPIPP /
    is_open = 1
}
function put(text)
{
    if (text ~ /^[.']/)
        text = "\\&" text
    print text
}
function put_command(text)
{
    close_items(0)
    if (had_items)
        print ".PP"
    print ".br\n.in +4n\n.ti -4n"
    put(text)
    print ".br\n.in -4n"
}
# The item and its text. What is a command has its item in bold.
function put_item(indent, name, text)
{
    close_items(indent)
    if (depth > 0)
        print ".RS 8"
    indents[++depth] = indent
    print ".TP 8"
    print ".B " (name ~ /^[.']/ ? "\\&" : "") name
    if (text != "")
        put(text)
    had_items = 1
}
BEGIN {
    printf ".TH MPIPP 1 \"\" \"mpipp %s\" \"User Commands\"\n", version
    print ".nh\n.ad l" # names are not broken
    print ".SH NAME"
    print "mpipp \\- see MPI datatypes in a debugger as what they are"
    heading(".SH", "SYNOPSIS")
}
FNR == 1 && NR > 1 {
    flush()
    topic = FILENAME
    sub(/.*\//, "", topic)
    sub(/\.txt$/, "", topic)
    heading(".SH", "MPIPP " toupper(topic))
}
# A command may go on in the next line, which is indented more.
function flush()
{
    if (command != "")
        put_command(command)
    command = ""
}
{
    gsub(/\\/, "\\e")
    gsub(/-/, "\\-")
    gsub(/@PLUGIN@/, "/.../lib/mpipp/gdb/mpipp\\-gdb.py")
}
/^[A-Za-z][A-Za-z ]*:$/ {
    flush()
    sub(/:$/, "")
    if (FILENAME ~ /\/mpipp\.txt$/)
        heading(".SH", toupper($0))
    else
        heading(".SS", $0)
    next
}
/^ *$/ {
    flush()
    close_items(0)
    if (!is_open)
        print ".PP"
    is_open = 1
    next
}
{
    match($0, /^ */)
    indent = RLENGTH
    text = substr($0, indent + 1)
    has_item = match(text, /[^ ]   *[^ ]/)
    item = substr(text, 1, RSTART)
    rest = substr(text, RSTART + RLENGTH - 1)
    is_open = 0
}
text ~ /^\\-[^ ]+$/ {
    put_item(indent, text, "")
    next
}
has_item && (!are_commands || FILENAME ~ /\/mpipp\.txt$/) {
    put_item(indent, item, rest)
    next
}
are_commands && command != "" && indent > command_indent {
    command = command " " text
    next
}
are_commands {
    flush()
    command = text
    command_indent = indent
    next
}
{
    close_items(indent)
    if (depth == 0 && indent >= 4)
        put_command(text)
    else {
        if (depth == 0 && had_items)
            print ".PP"
        put(text)
    }
}
{ had_items = depth > 0 }
END { flush() }
