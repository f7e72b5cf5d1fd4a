# SPDX-License-Identifier: BSD-3-Clause
# Generates docs/checks.md from the list of 'mpipp explain' and the texts:
# mpipp explain | awk -f cmd/explain/checks.awk > docs/checks.md
function part(id, from, to,    file, line, on, text)
{
    file = "cmd/explain/" id ".txt"
    on = from == ""
    text = ""
    while ((getline line < file) > 0) {
        if (to != "" && line == to)
            break
        if (on)
            text = text line "\n"
        if (line == from)
            on = 1
    }
    close(file)
    sub(/\n+$/, "\n", text)
    return text
}
BEGIN {
    print "# What is checked"
    print ""
    print "Generated from the texts of `mpipp explain`; a test compares the two. An *error* violates the MPI"
    print "standard. A *warning* is allowed, but rarely intended; `--severity=error` hides it. A *note* is no fault;"
    print "`--severity=note` shows it. For each check, [examples/errors](../examples/errors) has a program."
    print ""
    print "| id | severity | what |"
    print "|---|---|---|"
}
{
    id = ids[++count] = $1
    severities[id] = $2
    title = $0
    sub(/^[^ ]+ +[a-z]+ +/, "", title)
    titles[id] = title
    printf "| [%s](#%s) | %s | %s |\n", id, id, $2, title
}
END {
    for (i = 1; i <= count; i++) {
        id = ids[i]
        printf "\n## %s\n\n%s: %s. [Example](../examples/errors/%s.c)\n\n%s\nWhat to do: %s", id,
            toupper(substr(severities[id], 1, 1)) substr(severities[id], 2), titles[id], id, part(id, "", "Fix:"),
            part(id, "Fix:", "")
    }
}
