# SPDX-License-Identifier: BSD-3-Clause
# Makes C of the help texts: awk -f embed.awk mpipp.txt run.txt ... > help_texts.h
BEGIN {
    print "static const struct {"
    print "    const char *topic;"
    print "    const char *text;"
    print "} help_texts[] = {"
}
FNR == 1 {
    if (NR > 1)
        print "    },"
    topic = FILENAME
    sub(/.*\//, "", topic)
    sub(/\.txt$/, "", topic)
    printf "    {\n        \"%s\",\n", topic
}
{
    gsub(/\\/, "\\\\")
    gsub(/"/, "\\\"")
    printf "        \"%s\\n\"\n", $0
}
END {
    print "    },"
    print "};"
}
