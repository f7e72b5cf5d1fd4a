# SPDX-License-Identifier: BSD-3-Clause
"""A buffer for which a call has arrays of counts and displacements: {[0] = {1, 2}, [1] = {3}}, by rank."""

from typing import Iterator, List, NamedTuple

import gdb

from .. import _mpipp, names, synth
from ..call_buffers import Block, Buffers, described
from ..call_values import Values
from ..entry_names import buffer_of, find_by_value
from ..fault import EXPECTED, let_quit
from ..near import Argument
from ..rank import Rank, ranks
from ..settings import UNLIMITED, cut_list, enclosed, print_settings
from .base import Printer, Text, remark
from .buffer import buffer_text, buffer_value
from .listing import Members, Range, Source, folded


def argument_value(argument: Argument, shown: gdb.Value) -> gdb.Value:
    """A buffer argument of a call as a value that unfolds; shown: the pointer or the array of the program that it is."""
    buffers = argument.buffers()
    if buffers.has_blocks(argument.part):
        length = buffers.length(argument.part)
        rank, form, values, part = argument
        return names.value("mpipp_blocks", names.Blocks(rank.number, form, values, part, 0, length))
    whole = buffers.whole(argument.part)
    assert whole is not None  # checked by near.py
    rank, of = argument.rank, described(argument.rank, whole)[0]
    if of is not None:
        place = _mpipp.Place(of, whole.address, whole.count)
        find_by_value(buffer_of(rank, of, whole.address, whole.count), place, shown)
    return _block_value(rank, whole)


def blocks_printer(value: gdb.Value) -> Printer:
    """mpipp_blocks"""
    return Members(value, _open)


def _open(value: gdb.Value) -> Range:
    named = names.thing(value)
    assert isinstance(named, names.Blocks)
    rank = ranks.number(named.rank)
    if rank is None:
        raise gdb.error(names.GONE)
    buffers = Buffers(rank, Values(rank, named.form, named.values))
    listed = _Blocks(rank, buffers, named)
    source = Source(buffers.length(named.part), 1, listed.values, listed.part, "blocks", listed.text)
    return Range(source, named.first, named.last)


class _Blocks(NamedTuple):
    """The blocks of one buffer."""

    rank: Rank
    buffers: Buffers
    named: names.Blocks

    def values(self, start: int, stop: int) -> List[gdb.Value]:
        """listing.Source"""
        return [_block_value(self.rank, block) for block in self.buffers.blocks(self.named.part, start, stop)]

    def part(self, start: int, stop: int) -> gdb.Value:
        """listing.Source"""
        return names.value("mpipp_blocks", self.named._replace(first=start, last=stop))

    def text(self) -> Text:
        """listing.Source"""
        settings = print_settings()
        length = self.buffers.length(self.named.part)
        shown = length if settings.elements == UNLIMITED else min(length, settings.elements)
        texts, are_all = folded(self._texts(shown), settings)
        return enclosed(cut_list(texts, are_all and shown == length), True)

    def _texts(self, count: int) -> Iterator[str]:
        for index, block in enumerate(self.buffers.blocks(self.named.part, 0, count)):
            yield f"[{index}] = {self._text_of(block)}"

    def _text_of(self, block: Block) -> str:
        of, why = described(self.rank, block)
        if of is None:
            return f"<{why}>"
        try:
            return buffer_text(_mpipp.Place(of, block.address, block.count), self.rank, print_settings())
        except EXPECTED as error:
            let_quit(error)
            return remark(error)


def _block_value(rank: Rank, block: Block) -> gdb.Value:
    of, why = described(rank, block)
    if of is None:
        return synth.word(f"<{why}>")
    return buffer_value(rank, of, block.address, block.count)
