# SPDX-License-Identifier: BSD-3-Clause
# Makes mpipp(1) of the help texts: awk -v version=... -f man.awk mpipp.txt run.txt ... > mpipp.1
# A line "WORDS:" alone becomes a heading; all else stays as it is laid out.
function heading(text)
{
    printf ".fi\n.SH %s\n.nf\n", toupper(text)
}
BEGIN {
    printf ".TH MPIPP 1 \"\" \"mpipp %s\" \"User Commands\"\n", version
    print ".SH NAME"
    print "mpipp \\- see MPI datatypes in a debugger as what they are"
    print ".SH SYNOPSIS\n.nf"
}
FNR == 1 && NR > 1 {
    topic = FILENAME
    sub(/.*\//, "", topic)
    sub(/\.txt$/, "", topic)
    heading("mpipp " topic)
}
{
    gsub(/\\/, "\\e")
    gsub(/-/, "\\-")
    gsub(/@PLUGIN@/, "/.../lib/mpipp/gdb/mpipp\\-gdb.py")
}
/^[A-Za-z ]+:$/ {
    sub(/:$/, "")
    if (FILENAME ~ /\/mpipp\.txt$/)
        heading($0)
    else
        printf ".SS %s\n.nf\n", $0
    next
}
/^[.']/ { printf "\\&" }
{ print }
