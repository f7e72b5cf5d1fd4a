# Makes docs/checks.md of 'mpipp explain' and the texts:
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
    print "Made of the texts of `mpipp explain`; a test compares. An *error* is what the standard forbids; a"
    print "*warning* is allowed, yet rarely meant, and `--severity=error` leaves it out. Each check has a program"
    print "that it finds wrong in [examples/errors](../examples/errors)."
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
            severities[id] == "error" ? "Error" : "Warning", titles[id], id, part(id, "", "Fix:"),
            part(id, "Fix:", "")
    }
}
