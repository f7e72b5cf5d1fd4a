# SPDX-License-Identifier: BSD-3-Clause
"""The picture of the operands of mpi draw."""

from typing import List, Optional

from .. import _mpipp, covered, operands
from ..commands import layout_text, summary
from ..fault import fault
from ..rank import Rank
from .array import ArrayPicture, find_array
from .array_svg import ArraySvg
from .parts import Part
from .rows import Picture
from .svg import BytesSvg, Svg


def drawn(rank: Rank, given: List[List[str]], usage: str) -> Svg:
    """Returns the picture for the words of a type, of one buffer, or of two. Raises gdb.GdbError for others."""
    if len(given) == 1 and len(given[0]) <= 3:
        return _of_one(rank, given[0], usage)
    if len(given) == 2 and all(2 <= len(words) <= 3 for words in given):
        return _of_two(rank, given)
    raise fault(f"it takes a type, a buffer or two buffers, and a file, with commas between them: {usage}")


def _of_one(rank: Rank, words: List[str], usage: str) -> Svg:
    of, label, address, count = operands.repeated_at(rank, words, usage)
    part = Part(of, label, address, count)
    found = _mpipp.self_overlap(of, count)
    near = [found.low] if found.overlaps and found.low is not None else []
    title = " ".join(words)
    lines = [summary.built(of), f"size {of.size}, extent {of.extent}, lb {of.lb}; {_dense(part)}"]
    if found.overlaps is not False:
        lines.append("overlaps itself" if found.overlaps else f"whether it overlaps itself is undecided: {found.doubt}")
    if address is None:
        return BytesSvg(Picture([part], near), title, lines, addresses=False)
    covers = covered.line(of, count, words[1], address)
    lines = ([] if covers is None else [covers]) + lines
    return _in_array([part], words[1:2], title, lines) or BytesSvg(Picture([part], near), title, lines, addresses=False)


def _in_array(parts: List[Part], buffers: List[str], title: str, lines: List[str]) -> Optional[Svg]:
    """The array that contains the buffers; None: they are not in the same array."""
    array = find_array(parts, buffers)
    return None if array is None else ArraySvg(ArrayPicture(parts, array), title, lines)


def _of_two(rank: Rank, given: List[List[str]]) -> Svg:
    buffers = [operands.buffer(rank, words) for words in given]
    parts = [Part(one.type, one.label, one.address, one.count) for one in buffers]
    first, second = buffers
    found = _mpipp.overlap(first.type, first.address, first.count, second.type, second.address, second.count)
    near = []
    if found.overlaps and found.length:
        near.append(_signed(found.address - first.address))
    lines = [f"{' '.join(words)}: {summary.built(one.type)}" for words, one in zip(given, buffers)]
    covers = [covered.line(one.type, one.count, one.text, one.address) for one in buffers]
    lines += [f"{' '.join(words)} {text}" for words, text in zip(given, covers) if text is not None]
    lines.append(_shared(found))
    title = " and ".join(" ".join(words) for words in given)
    array = _in_array(parts, [one.text for one in buffers], title, lines)
    return array or BytesSvg(Picture(parts, near), title, lines, addresses=True)


def _dense(part: Part) -> str:
    return layout_text.density(part.layout) or "no data"


def _shared(found: "_mpipp.Overlap") -> str:
    if found.overlaps is None:
        return f"whether they overlap is undecided: {found.doubt}"
    if not found.overlaps:
        return "they do not overlap"
    return "they overlap" + ("" if found.bytes is None else f": {layout_text.plural(found.bytes, 'byte')} in all")


def _signed(difference: int) -> int:
    difference %= 1 << 64
    return difference - (1 << 64) if difference >> 63 else difference
