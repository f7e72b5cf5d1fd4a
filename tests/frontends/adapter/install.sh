#!/bin/sh
# Installs Eclipse CDT.cloud's adapter for the tests, as package-lock.json pins it; keeps it there.
#
#   install.sh FOLDER      prints the program that node runs; fails where there is no npm, or the registry is not reached
set -eu
here=$(dirname "$0")
command -v npm >/dev/null || { echo "npm is not installed" >&2 && exit 1; }
folder=$1
program=$folder/node_modules/cdt-gdb-adapter/dist/debugAdapter.js

if ! cmp -s "$here/package-lock.json" "$folder/installed"; then
    rm -rf "$folder"
    mkdir -p "$folder"
    cp "$here/package.json" "$here/package-lock.json" "$folder"
    # Its scripts build what it opens a terminal for programs with: not needed here.
    (cd "$folder" && npm ci --ignore-scripts --no-audit --no-fund --fetch-retries=1 >&2)
    cp "$folder/package-lock.json" "$folder/installed"
fi
echo "$program"
