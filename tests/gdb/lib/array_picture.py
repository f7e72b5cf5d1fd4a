"""Holds a picture of an array by `mpi draw' against the type map that gdb wrote, and against its own pixels.

    array_picture.py FILE.svg PIXELS ORDER SIZES START {LABEL MAP.txt}

PIXELS is yes or no, as in picture.py. ORDER is C or Fortran. SIZES are the array's lengths with the lower bounds, in the
program's order, and the bytes of an element: 0:10,0:8,0:7,8. START is the buffer's first byte in the array. A map is the output of
`mpi map LABEL'. Prints how many elements are drawn, and in how many rows, or what is wrong.
"""

import re
import sys
import xml.etree.ElementTree
from typing import Dict, List, Tuple

from picture import Box, check_pixels, type_map


def indices_of(name: str) -> List[int]:
    """The indices in grid[1][2] and grid(3,4)."""
    return [int(index) for index in re.findall(r"(?<=[\[(,])-?\d+(?=[\]),])", name)]


def offset(name: str, order: str, dims: List[Tuple[int, int]], size: int) -> int:
    """The first byte of an element of the array."""
    indices = indices_of(name)
    pairs = list(zip(indices, dims))
    assert len(indices) == len(dims), f"{name} has {len(indices)} indices"
    number = 0
    for index, (lower, length) in pairs if order == "C" else reversed(pairs):
        number = number * length + index - lower
    return number * size


def columns_of(texts: List[xml.etree.ElementTree.Element]) -> Dict[int, int]:
    """The number above the column in which a pixel is, by the middle of the column."""
    first = min(int(item.get("y")) for item in texts if item.get("class") == "small middle")
    return {
        int(float(item.get("x"))): int(item.text)
        for item in texts
        if item.get("class") == "small middle" and int(item.get("y")) == first
    }


def check(file: str, with_pixels: bool, order: str, sizes: str, start: int, label: str, map_file: str) -> str:
    """How much is drawn."""
    root = xml.etree.ElementTree.parse(file).getroot()
    *texts, size = sizes.split(",")
    dims = [(int(text.split(":")[0]), int(text.split(":")[1])) for text in texts]
    known = type_map(label, start, map_file)
    words = [item for item in root.iter() if item.tag.endswith("}text")]
    columns = columns_of(words)
    rows = {int(item.get("y")) - 13: item.text for item in words if item.get("class") == "small end"}
    fast = -1 if order == "C" else 0
    found, drawn = [], set()
    for item in (item for item in root.iter() if item.tag.endswith("}rect") and len(item)):
        x, y, wide = (int(item.get(key)) for key in ("x", "y", "width"))
        box = Box(item.get("class"), x, y, 0, wide, item[0].text)
        found.append(box)
        name = box.title.split("\n")[0].split(":")[0]
        at = offset(name, order, dims, int(size))
        middle = min(columns, key=lambda column: abs(column - x - wide // 2))
        assert columns[middle] == indices_of(name)[fast], f"{name} is in column {columns[middle]}"
        row = rows[max(top for top in rows if top <= y)]
        others = indices_of(name)[:-1] if order == "C" else indices_of(name)[1:]
        assert indices_of(row.replace(":,", "")) == others, f"{name} is in row {row}"
        inside = {element for element, (byte, _) in known.items() if at <= byte < at + int(size)}
        if box.sign == "gap":
            assert not inside, f"{name} is covered"
        elif re.fullmatch(r"t\d", box.sign):
            element = re.sub(r"\([^()]*\)", "", box.title.split("\n")[1])
            assert element in inside, f"{element} is not in {name}"
            drawn.add(element)
    if with_pixels:
        check_pixels(file, found, next(item.text for item in root.iter() if item.tag.endswith("}style")))
    return f"{len(drawn)} of {len(known)} elements, {len(rows)} rows"


if __name__ == "__main__":
    try:
        print(check(sys.argv[1], sys.argv[2] == "yes", *sys.argv[3:5], int(sys.argv[5]), *sys.argv[6:]))
    except (AssertionError, KeyError, ValueError) as error:
        print("wrong:", type(error).__name__, error)
