# SPDX-License-Identifier: BSD-3-Clause
"""Layouts in words: a strided block, how dense a type is, how it must be aligned."""

from typing import Iterator, Optional

from .. import _mpipp

# The most work for one line of `mpi type': a tenth of a second.
QUICK = 1 << 20


def block(one: "_mpipp.Block") -> str:
    """ "8 bytes, 512 times every 4096 bytes", the innermost level first."""
    text = plural(one.length, "byte")
    levels = [f"{count} times every {plural(stride, 'byte')}" for count, stride in reversed(one.levels)]
    return f"{text}, {', and that '.join(levels)}" if levels else text


def one_line(layout: "_mpipp.Layout") -> str:
    """The strided blocks that fit in a line."""
    blocks, more = layout.blocks(_LINE_MOST)
    if layout.doubt:
        return f"not known: {layout.doubt}"
    if not blocks:
        return "no bytes"
    return "; ".join(f"at {one.displacement}: {block(one)}" for one in blocks) + ("; ..." if more else "")


_LINE_MOST = 4


def density(layout: "_mpipp.Layout", steps: int = _mpipp.STEPS) -> Optional[str]:
    """ "46.7 %: 43 of the 92 bytes from 0 to 92, in 3 contiguous pieces"; None if there are no bytes, or if their addresses
    are not known."""
    if layout.low is None or layout.high is None or layout.low == layout.high:
        return None
    span = layout.high - layout.low
    where = f"the {plural(span, 'byte')} from {layout.low} to {layout.high}"
    covered, pieces = layout.covered(steps), layout.pieces(steps)
    if covered is None:
        return f"not counted, {where} being covered in part"
    percent = _percent(covered, span)
    in_pieces = "pieces not counted" if pieces is None else f"in {plural(pieces, 'contiguous piece')}"
    return f"{percent}: {'all' if covered == span else f'{covered}'} of {where}, {in_pieces}"


def _percent(covered: int, span: int) -> str:
    """Never 100 % if there is a gap, never 0 % if there is a byte."""
    tenths = round(1000 * covered / span)
    if covered < span and tenths == 1000:
        return "over 99.9 %"
    if tenths == 0:
        return "under 0.1 %"
    return f"{tenths // 10} %" if tenths % 10 == 0 else f"{tenths / 10} %"


def alignment(layout: "_mpipp.Layout") -> Optional[str]:
    """The addresses at which all elements are aligned; None if not known."""
    if layout.doubt or layout.low == layout.high:
        return None
    if layout.alignment is None:
        return "at no address is every element aligned"
    modulus, remainder = layout.alignment
    if modulus == 1:
        return "every element is aligned at any address"
    more = f"{remainder} more than " if remainder else ""
    return f"every element is aligned where the address is {more}a multiple of {modulus}"


def blocks(layout: "_mpipp.Layout", most: int) -> Iterator[str]:
    """A line for each strided block."""
    shown, more = layout.blocks(most)
    width = max((len(str(one.displacement)) for one in shown), default=0)
    for one in shown:
        yield f"at {one.displacement:>{width}}  {block(one)}"
    if more:
        yield "<more: 'set print elements' shows them>"


def plural(number: int, noun: str) -> str:
    """ "1 byte", "2 bytes" """
    return f"{number} {noun}" + ("" if number == 1 else "s")
