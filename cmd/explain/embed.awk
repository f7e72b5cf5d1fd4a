# SPDX-License-Identifier: BSD-3-Clause
# Generates C from the texts and example programs of the checks:
# awk -f embed.awk ID.txt ... ID.c ... > explain_texts.h
# The line "Fix:" of a text separates what the check means from what to do.
function begin(part)
{
    if (open)
        print "    ;"
    open = 1
    printf "static const char %s_%s[] =\n", name, part
}
FNR == 1 {
    id = FILENAME
    sub(/.*\//, "", id)
    program = id ~ /\.c$/
    sub(/\.[a-z]*$/, "", id)
    name = id
    gsub(/-/, "_", name)
    if (!program)
        ids[++count] = id
    begin(program ? "program" : "meaning")
}
!program && $0 == "Fix:" {
    begin("fix")
    next
}
{
    gsub(/\\/, "\\\\")
    gsub(/"/, "\\\"")
    printf "    \"%s\\n\"\n", $0
}
END {
    print "    ;"
    print "static const struct {"
    print "    const char *id, *meaning, *program, *fix;"
    print "} explain_texts[] = {"
    for (i = 1; i <= count; i++) {
        name = ids[i]
        gsub(/-/, "_", name)
        printf "    {\"%s\", %s_meaning, %s_program, %s_fix},\n", ids[i], name, name, name
    }
    print "};"
}
