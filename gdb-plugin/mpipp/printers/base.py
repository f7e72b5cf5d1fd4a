# SPDX-License-Identifier: BSD-3-Clause
"""The base of all printers.

It does two things that gdb does not do itself.

A text and children. To print a value, gdb calls display_hint(), to_string() and children() of a printer, in that order,
and writes both results. For a variable of a frontend it calls only children(); but gdb 14 and later would show the result
of to_string() beside them. Here the text is complete - the core has written it at once, or it is a value that gdb writes
better than children - and the children are for frontends, where nothing may be read that is not unfolded. So a caller of
display_hint() gets a text and no children; if gdb does not call it, it gets no text.

A successor. When a frontend's variable changes, gdb keeps its children by their positions: the third stays the third,
under its old name. And if a variable was unfolded, and has no children now, gdb treats it as a C variable: for a pointer
to a struct with fewer fields than it had children gdb 13 and 16 end with an internal error. But a variable's new printer
is created, before any call, when its old one is freed. So the new one gets the names of the frontend's children, and for
once returns only children that keep their names: the others disappear, and come back under their new names when they are
asked for again.
"""

import re
import sys
import weakref
from types import FrameType
from typing import Callable, Iterator, Optional, Sequence, Tuple, Union

import gdb

from .. import names, synth
from ..fault import EXPECTED, let_quit, sentence
from ..settings import brief_texts, print_settings

Child = Tuple[str, gdb.Value]
Children = Iterator[Child]
Text = Union[str, gdb.Value, None]
Caller = Tuple[Optional[FrameType], int]

# gdb itself, not a call from a script.
_GDB: Caller = (None, 0)


# gdb 14 and later use num_children() and child() of a ValuePrinter when a frontend asks for single children (DAP).
# Attributes of derived classes must begin with an underscore.
class Printer(getattr(gdb, "ValuePrinter", object)):  # type: ignore[misc]
    """The base class."""

    _newest: "Callable[[], Optional[Printer]]" = staticmethod(lambda: None)
    _unfolded = 0  # number of printers whose children a frontend has
    _given: Optional[gdb.Value] = None  # the last child that a frontend got

    def __init__(self) -> None:
        self._asked = False
        Printer._newest = weakref.ref(self)

    def _succeed(self, names: Sequence[str]) -> None:
        """A frontend has children of these names from this printer's predecessor."""
        raise NotImplementedError


class Leaf(Printer):
    """A value that does not unfold."""

    def to_string(self) -> Text:
        """Called by gdb; an error becomes a text: gdb would report an exception by its Python name."""
        self._asked = True
        try:
            return self._text()
        except EXPECTED as error:
            let_quit(error)
            return remark(error)

    def _text(self) -> Text:
        raise NotImplementedError

    def _succeed(self, names: Sequence[str]) -> None:
        self.children = lambda: iter(())


class Unfolding(Printer):
    """A value that unfolds in a frontend, and is one text in gdb's output."""

    _is_brief = False
    _hint_first: Optional[Caller] = None
    _text_for: Optional[Caller] = None
    _declined = False
    _before: Sequence[str] = ()
    _listed: Sequence[str] = ()

    def __del__(self) -> None:
        if not self._listed:
            return
        Printer._unfolded -= 1
        newest = Printer._newest()
        if newest is not None and not newest._asked:
            newest._succeed(self._listed)

    # gdb checks that this attribute exists before it calls it.

    @property
    def display_hint(self) -> Callable[[], Optional[str]]:
        """Called by gdb."""
        if not self._asked:
            self._hint_first = _caller()
        self._asked = True
        return self._hint

    @property
    def to_string(self) -> Callable[[], Text]:
        """Called by gdb: returns a text, or a value that gdb prints in the place of this one."""
        self._asked = True
        caller = _caller()
        if caller == _GDB != self._hint_first:
            raise AttributeError("to_string")
        return self._give_text

    @property
    def children(self) -> Callable[[], Children]:
        """Called by gdb."""
        self._asked = True
        return self._give_children

    def num_children(self) -> int:
        """Called by gdb 14 and later, for each value that it shows."""
        try:
            return self._count()
        except EXPECTED as error:
            let_quit(error)
            return 1  # child() reports the error

    def child(self, index: int) -> Child:
        """Called by gdb 14 and later; an error becomes a child, as in guarded()."""
        try:
            return self._child(index)
        except EXPECTED as error:
            let_quit(error)
            return "error", error_value(error)

    def _count(self) -> int:
        """The number of children."""
        raise NotImplementedError

    def _child(self, index: int) -> Child:
        """Returns one child."""
        raise NotImplementedError

    def _hint(self) -> Optional[str]:
        return None

    def _text(self) -> Text:
        """Returns the text, or a value; None: gdb must write the children."""
        raise NotImplementedError

    def _title(self) -> str:
        """A word before the children: the kind of a type."""
        name, value = self.child(0)
        return value.format_string() if name == "kind" else "..."

    def _text_of_children(self) -> str:
        """The text that gdb writes then."""
        options = print_settings().options()
        pairs = (self.child(index) for index in range(self.num_children()))
        return "{" + ", ".join(f"{name} = {value.format_string(**options)}" for name, value in pairs) + "}"

    def _names(self) -> Sequence[str]:
        """The names of the children; for a list, what they depend on."""
        raise NotImplementedError

    def _give_text(self) -> Text:
        caller = _caller()
        if _is_libstdcxx(caller):
            return self._title()
        with brief_texts(_is_dap(caller)):
            text = "{...}" if self._is_brief else self._text()
            if text is None and caller != self._hint_first and _is_dap(caller):
                return self._text_of_children()
        if text is None:
            self._declined = True
            return None
        # The caller's position is remembered: two calls of a script come from two positions, and each gets the right answer.
        self._text_for = caller if caller == self._hint_first else None
        return text

    def _give_children(self) -> Children:
        caller = _caller()
        if caller == self._text_for:
            return iter(())
        if caller == _GDB and not self._declined:
            return guarded(self._children_for_frontend())
        return guarded(map(self.child, range(self.num_children())))

    def _children_for_frontend(self) -> Children:
        names, before = self._names(), self._before
        self._before = ()
        count = self._count()
        for place, (name, name_before) in enumerate(zip(names, before)):
            if name != name_before:
                count = place
                break
        for index in range(count):
            if index > 0:  # gdb asks for one more than it shows
                self._list(names[:index])
            child = self._child(index)
            Printer._given = child[1]
            yield child
        self._list(names[:count])

    def _list(self, names: Sequence[str]) -> None:
        Printer._unfolded += bool(names) - bool(self._listed)
        self._listed = names

    def _succeed(self, names: Sequence[str]) -> None:
        self._before = names


def installed(printer: Optional[object], value: gdb.Value) -> Optional[object]:
    """The printer that gdb gets for a child's value. gdb 13 prints each child once that it gives to a frontend, and discards
    the text: so a few letters are enough."""
    given, Printer._given = Printer._given, None
    if given is not None and isinstance(printer, Unfolding):
        printer._is_brief = names.same(given, value)
    return printer


def frontend_has_children() -> bool:
    """Whether a frontend has unfolded a variable: its value must then keep its printer."""
    return Printer._unfolded > 0


def _caller() -> Caller:
    """The position in a script of the call of this method, or _GDB."""
    frame = sys._getframe(1).f_back
    return (frame, frame.f_lasti) if frame is not None else _GDB


def _is_libstdcxx(caller: Caller) -> bool:
    """Whether the caller is the printer of a std::optional or the like, which writes a title, and then the children."""
    return caller[0] is not None and "libstdcxx" in caller[0].f_code.co_filename


def _is_dap(caller: Caller) -> bool:
    """Whether gdb's own DAP server may be the caller, which takes any result of to_string() for the text."""
    return caller != _GDB and "gdb.dap" in sys.modules


def guarded(children: Children) -> Children:
    """The same children; an error becomes a child with its text: an exception would fail a frontend's whole request."""
    try:
        yield from children
    except EXPECTED as error:
        let_quit(error)
        yield "error", error_value(error)


_NOTHING = re.compile(r"([{(]|\s|(\[\d+\]|\(\d+\)|[A-Za-z_]\w*) = )*")  # what precedes the first element


def has_data(text: str) -> bool:
    """Whether the text of a buffer that cannot be read to its end has at least one element."""
    return not _NOTHING.fullmatch(text)


def remark(error: Exception) -> str:
    """The text in the place of a value that cannot be shown."""
    return f"<{sentence(error)}>"


def error_value(error: Exception) -> gdb.Value:
    """The same as a value."""
    return synth.word(remark(error))
