"""Holds a picture of `mpi draw' against the type maps that gdb wrote, and against its own pixels.

    picture.py FILE.svg PIXELS {LABEL BASE MAP.txt}...

PIXELS is yes or no: whether the picture, rendered, has the boxes' colours where they should be. A map is the output of
`mpi map LABEL', complete or of what is drawn alone; BASE is the buffer's address, 0 where rows are named by
displacements. Prints how many elements are drawn, or what is wrong.
"""

import itertools
import re
import struct
import subprocess
import sys
import xml.etree.ElementTree
import zlib
from collections import Counter
from typing import Dict, List, NamedTuple, Tuple

SIZES = {"INT": 4, "CHAR": 1, "DOUBLE": 8, "FLOAT": 4, "SHORT": 2, "C_DOUBLE_COMPLEX": 16, "DOUBLE_PRECISION": 8, "LB": 0, "UB": 0}
PAIR = {".first": (0, 8), ".second": (8, 4)}  # of MPI_DOUBLE_INT
LEFT, LANE, BASELINE = 140, 18, 13


class Box(NamedTuple):
    """A rectangle: its class, its place in the picture, its first byte, how many bytes, and its title."""

    sign: str
    x: int
    y: int
    byte: int
    length: int
    title: str


def boxes(root: xml.etree.ElementTree.Element) -> Tuple[List[Box], Dict[int, int], int]:
    """All of them; the first bytes of the rows by their y; bytes in a row."""
    texts = [item for item in root.iter() if item.tag.endswith("}text")]
    names = [item for item in texts if item.get("class") == "small end" and re.fullmatch(r"-?\d+|0x\w+", item.text)]
    rows = {int(item.get("y")) - BASELINE: int(item.text, 0) for item in names}
    found = []
    shapes = [item for item in root.iter() if item.tag.endswith("}rect") and len(item)]
    cell = pixels_of_byte(texts)
    for item in shapes:
        x, y = int(item.get("x")), int(item.get("y"))
        top = max(row for row in rows if row <= y)
        byte, rest = divmod(x - LEFT, cell)
        assert rest == 0, "a box between two bytes"
        found.append(Box(item.get("class"), x, y, rows[top] + byte, int(item.get("width")) // cell, item[0].text))
    width = max(box.byte + box.length - rows[max(row for row in rows if row <= box.y)] for box in found)
    return found, rows, width


def pixels_of_byte(texts: List[xml.etree.ElementTree.Element]) -> int:
    """From the scale above the rows."""
    ticks = [(int(item.text[1:]), int(float(item.get("x")))) for item in texts if re.fullmatch(r"\+\d+", item.text or "")]
    return (ticks[1][1] - ticks[0][1]) // (ticks[1][0] - ticks[0][0])


def type_map(label: str, base: int, file: str) -> Dict[str, Tuple[int, int]]:
    """Address and bytes of each element, a pair's members each."""
    found = {}
    with open(file, encoding="utf-8") as lines:
        for line in lines:
            match = re.fullmatch(r"(\S+) +(-?\d+)  MPI_(\w+)", line.strip())
            if match is None:
                continue
            name, at = match[1], base + int(match[2])
            if match[3] == "DOUBLE_INT":
                for member, (offset, size) in PAIR.items():
                    found[name + member] = (at + offset, size)
            else:
                found[name] = (at, SIZES[match[3]])
    assert found, f"no map of {label}"
    return found


def check(file: str, with_pixels: bool, maps: List[str]) -> int:
    """How many elements are drawn."""
    root = xml.etree.ElementTree.parse(file).getroot()
    assert not [item for item in root.iter() if item.tag.endswith("}script")], "a script"
    known: Dict[str, Tuple[int, int]] = {}
    for label, base, map_file in zip(maps[::3], maps[1::3], maps[2::3]):
        known.update(type_map(label, int(base, 0), map_file))
    found, rows, width = boxes(root)
    covered: Counter = Counter()
    drawn: Dict[str, List[int]] = {}
    for box in found:
        if not re.fullmatch(r"t\d", box.sign):
            continue
        name = re.sub(r"\([^()]*\)", "", box.title.split("\n")[0])
        at, size = known[name]
        bytes_ = range(box.byte, box.byte + box.length)
        assert at <= bytes_[0] and bytes_[-1] < at + size, f"{name} is at {at}, not at {bytes_[0]}"
        drawn.setdefault(name, []).extend(bytes_)
        covered.update(bytes_)
    in_rows = {byte for start in rows.values() for byte in range(start, start + width)}
    for name, (at, size) in known.items():
        wanted = [byte for byte in range(at, at + size) if byte in in_rows]
        assert sorted(drawn.get(name, [])) == wanted, f"{name} is drawn in part"
    for sign, is_so in (("gap", lambda byte: covered[byte] == 0), ("overlap", lambda byte: covered[byte] > 1)):
        marked = {byte for box in found if box.sign == sign for byte in range(box.byte, box.byte + box.length)}
        assert marked == {byte for byte in in_rows if is_so(byte)}, f"{sign} is elsewhere"
    if with_pixels:
        check_pixels(file, found, next(item.text for item in root.iter() if item.tag.endswith("}style")))
    return len(drawn)


def check_pixels(file: str, found: List[Box], style: str) -> None:
    """Each box of its own shows its colour near its corner, where there is no number."""
    half = ["rsvg-convert", "--zoom=0.5", file]  # a quarter of the pixels
    width, step, image = pixels(subprocess.run(half, stdout=subprocess.PIPE, check=True).stdout)
    hatched = [box for box in found if box.sign == "overlap"]
    for box in found:
        colour = re.search(rf"^\.{box.sign} {{ fill: #(\w+)", style, re.MULTILINE)
        if box in hatched or colour is None or any(other.x <= box.x < other.x + 99 for other in hatched):
            continue
        at = step * ((box.y + 4) // 2 * width + (box.x + 4) // 2)
        assert image[at : at + 3].hex() == colour[1], f"{box} is {image[at:at + 3].hex()}, not {colour[1]}"


def pixels(png: bytes) -> Tuple[int, int, bytes]:
    """Width, bytes of a pixel, and pixels of a PNG file."""
    width, height, depth, kind = struct.unpack(">2I2B", png[16:26])
    assert depth == 8, "another kind of PNG"
    step = {2: 3, 6: 4}[kind]
    data, at = b"", 8
    while at < len(png):
        length, name = struct.unpack(">I4s", png[at : at + 8])
        data += png[at + 8 : at + 8 + length] if name == b"IDAT" else b""
        at += 12 + length
    raw, stride = zlib.decompress(data), step * width
    image, above = bytearray(), bytearray(stride)
    for y in range(height):
        way, line = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1 : (y + 1) * (stride + 1)])
        unfilter(way, line, above, step)
        image += line
        above = line
    return width, step, bytes(image)


def unfilter(way: int, line: bytearray, above: bytearray, step: int) -> None:
    """A row of a PNG file: most of them are of the first two filters, which are sums."""
    if way == 1:
        for channel in range(step):
            line[channel::step] = bytes(total & 255 for total in itertools.accumulate(line[channel::step]))
    elif way == 2:
        line[:] = bytes((one + up) & 255 for one, up in zip(line, above))
    elif way == 3:
        for x, (one, up) in enumerate(zip(bytes(line), above)):
            line[x] = (one + ((line[x - step] if x >= step else 0) + up) // 2) & 255
    elif way == 4:
        corners = bytes(step) + bytes(above)
        for x, (one, up, corner) in enumerate(zip(bytes(line), above, corners)):
            left = line[x - step] if x >= step else 0
            if left == corner:
                line[x] = (one + up) & 255
            elif up == corner:
                line[x] = (one + left) & 255
            else:
                line[x] = (one + paeth(left, up, corner)) & 255


def paeth(left: int, up: int, corner: int) -> int:
    """PNG's fourth filter."""
    guess = left + up - corner
    return min((left, up, corner), key=lambda one: abs(guess - one))


if __name__ == "__main__":
    try:
        print(check(sys.argv[1], sys.argv[2] == "yes", sys.argv[3:]), "elements")
    except (AssertionError, KeyError) as error:
        print("wrong:", type(error).__name__, error)
