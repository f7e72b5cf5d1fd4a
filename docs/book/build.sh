#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Builds the book: build.sh MPIPP FOLDER. FOLDER/html has its pages, which load nothing from elsewhere; FOLDER/mpipp.pdf is
# made where WeasyPrint is installed. A warning of Sphinx is an error.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mpipp=$1 folder=$2

if ! command -v sphinx-build >/dev/null; then
    echo "build.sh: no sphinx-build: the book needs Debian's python3-sphinx and python3-myst-parser" >&2
    exit 2
fi
"$here/collect.py" "$mpipp" "$folder/source"
sphinx-build -q -W --keep-going -b html "$folder/source" "$folder/html"
if command -v weasyprint >/dev/null; then
    sphinx-build -q -W --keep-going -b singlehtml -t print "$folder/source" "$folder/single"
    weasyprint -q -s "$here/print.css" "$folder/single/index.html" "$folder/mpipp.pdf"
fi
