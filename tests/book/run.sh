#!/bin/bash
# The book: its sessions come back as they are shown, and it builds without a warning.
cd "$(dirname "$0")/../.." || exit 2
. tests/count.sh
BUILD=$(realpath "${BUILD:-build}")
here=tests/book
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
PATH=$BUILD/bin:$PATH

# replays PAGE FILE...: with these files
replays() {
    rm -rf "$folder/session" && mkdir "$folder/session" && cp "${@:2}" "$folder/session" &&
        tests/patiently "$here/replay.py" "docs/book/$1" "$folder/session"
}

# notices: a page that shows something else is noticed
notices() {
    sed 's/^heat: 971.163/heat: 971.164/' docs/book/tutorial.md >"$folder/wrong.md"
    rm -rf "$folder/session" && mkdir "$folder/session" && cp examples/tutorial/heat.c "$folder/session"
    ! tests/patiently "$here/replay.py" "$folder/wrong.md" "$folder/session" >"$folder/said" &&
        grep -q '^9 passed, 2 failed$' "$folder/said" && grep -q '^heat: 971.164$' "$folder/said" && return
    cat "$folder/said"
    return 1
}

# builds: each page is there, and loads nothing from elsewhere
builds() {
    docs/book/build.sh "$BUILD/bin/mpipp" "$folder/book" || return
    local page
    for page in docs/*.md docs/book/*.md; do
        page=$folder/book/html/$(basename "$page" .md).html
        [ -s "$page" ] || { echo "no $page"; return 1; }
    done
    ! grep -rl –check "$folder/book/html" || return
    ! grep -rlE '<(script|img|link)[^>]*(src|href)="(https?:)?//' "$folder/book/html"
}

# names_what_is_missing: a link to a file that is not there
names_what_is_missing() {
    local copy=$folder/copy
    mkdir -p "$copy/docs/book" && cp README.md "$copy" && cp docs/book/* "$copy/docs/book" &&
        echo '[x](nowhere.c)' >"$copy/README.md" &&
        ! "$copy/docs/book/collect.py" "$BUILD/bin/mpipp" "$folder/none" 2>"$folder/said" &&
        grep -qx 'collect.py: README.md names nowhere.c, which does not exist' "$folder/said"
}

ok "the tutorial's sessions" replays tutorial.md examples/tutorial/heat.c
ok "batch systems: the sessions" replays ../batch.md examples/errors/datatype-recommitted.c
ok "a page that shows something else" notices
if command -v sphinx-build >/dev/null; then
    ok "the book" builds
else
    skip "the book" "sphinx-build is not installed"
fi
ok "a link to nothing" names_what_is_missing
finish
