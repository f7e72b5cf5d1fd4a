"""What all printers share.

Two things that gdb does not do by itself are done here.

A text and children. For what it prints, gdb asks a printer for display_hint(), to_string() and children(), in that
order, and writes both; for a variable of a frontend it asks for children() alone, and gdb 14 and later would show what
to_string() says beside them. Here the text says all - the core has written it at once, or it is a value that gdb writes
better than children - and the children are for frontends, where nothing may be read that nobody unfolds. So who asks
for display_hint() first gets a text and no children; gdb, when it does not, gets no text.

A successor. When a frontend's variable changes, gdb keeps its children by their places: the third stays the third,
under its old name. And a variable that has unfolded, and has no children now, gdb takes for one of C: a pointer to a
struct with fewer fields than it had children ends gdb 13 and 16 with an internal error. But a variable's new printer is
made, and asked nothing, when its old one goes. So the new one is told what the frontend has, and for once gives no
children but those that keep their names: the others go, and come back under their new names when they are asked for
again.
"""

import sys
import weakref
from types import FrameType
from typing import Callable, Iterator, Optional, Sequence, Tuple, Union

import gdb

from .. import names, synth
from ..fault import EXPECTED, let_quit, sentence
from ..settings import print_settings

Child = Tuple[str, gdb.Value]
Children = Iterator[Child]
Text = Union[str, gdb.Value, None]
Caller = Tuple[Optional[FrameType], int]

# gdb itself, not called from a script.
_GDB: Caller = (None, 0)


# gdb 14 and later take a ValuePrinter's num_children() and child() for what a frontend asks one by one (DAP). Whoever
# derives from it may have no attribute of its own without an underscore.
class Printer(getattr(gdb, "ValuePrinter", object)):  # type: ignore[misc]
    """All of ours."""

    _newest: "Callable[[], Optional[Printer]]" = staticmethod(lambda: None)
    _unfolded = 0  # printers whose children a frontend has
    _given: Optional[gdb.Value] = None  # the child that a frontend got last

    def __init__(self) -> None:
        self._asked = False
        Printer._newest = weakref.ref(self)

    def _succeed(self, names: Sequence[str]) -> None:
        """A frontend has children of these names, which were this one's predecessor's."""
        raise NotImplementedError


class Leaf(Printer):
    """A value that does not unfold."""

    def to_string(self) -> Text:
        """Called by gdb."""
        self._asked = True
        return self._text()

    def _text(self) -> Text:
        raise NotImplementedError

    def _succeed(self, names: Sequence[str]) -> None:
        self.children = lambda: iter(())


class Unfolding(Printer):
    """A value that unfolds in a frontend, and is one text in what gdb prints."""

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

    # gdb looks whether there is such an attribute before it calls it.

    @property
    def display_hint(self) -> Callable[[], Optional[str]]:
        """Called by gdb."""
        if not self._asked:
            self._hint_first = _caller()
        self._asked = True
        return self._hint

    @property
    def to_string(self) -> Callable[[], Text]:
        """Called by gdb: a text, or a value that gdb prints in place of this one."""
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
            return 1  # child() says what is wrong

    def child(self, index: int) -> Child:
        """Called by gdb 14 and later; an error becomes a child, as in guarded()."""
        try:
            return self._child(index)
        except EXPECTED as error:
            let_quit(error)
            return "error", error_value(error)

    def _count(self) -> int:
        """How many children there are."""
        raise NotImplementedError

    def _child(self, index: int) -> Child:
        """One of them."""
        raise NotImplementedError

    def _hint(self) -> Optional[str]:
        return None

    def _text(self) -> Text:
        """None: gdb is to write the children."""
        raise NotImplementedError

    def _text_of_children(self) -> str:
        """What gdb writes then."""
        options = print_settings().options()
        pairs = (self.child(index) for index in range(self.num_children()))
        return "{" + ", ".join(f"{name} = {value.format_string(**options)}" for name, value in pairs) + "}"

    def _names(self) -> Sequence[str]:
        """The children's names; of a list what they depend on."""
        raise NotImplementedError

    def _give_text(self) -> Text:
        caller = _caller()
        text = "{...}" if self._is_brief else self._text()
        if text is None and caller != self._hint_first and _is_dap(caller):
            return self._text_of_children()
        if text is None:
            self._declined = True
            return None
        # The caller's place is remembered: a script's two calls are in two places, and each gets what it asks for.
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


def installed(printer: Optional[Printer], value: gdb.Value) -> Optional[Printer]:
    """The same printer, which gdb gets for a value. gdb 13 prints each child once that it gives a frontend, and forgets
    the text: a few letters will do."""
    given, Printer._given = Printer._given, None
    if given is not None and isinstance(printer, Unfolding):
        printer._is_brief = names.same(given, value)
    return printer


def frontend_has_children() -> bool:
    """Whether some variable of a frontend has unfolded: then its value must not lose its printer."""
    return Printer._unfolded > 0


def _caller() -> Caller:
    """The place in a script that called the method that asks, or _GDB."""
    frame = sys._getframe(1).f_back
    return (frame, frame.f_lasti) if frame is not None else _GDB


def _is_dap(caller: Caller) -> bool:
    """Whether gdb's own DAP server may ask, which takes any answer of to_string() for the text."""
    return caller != _GDB and "gdb.dap" in sys.modules


def guarded(children: Children) -> Children:
    """The same children; an error becomes a child that says it: an exception would fail a frontend's whole request."""
    try:
        yield from children
    except EXPECTED as error:
        let_quit(error)
        yield "error", error_value(error)


def remark(error: Exception) -> str:
    """What stands where the text of a value should be."""
    return f"<{sentence(error)}>"


def error_value(error: Exception) -> gdb.Value:
    """The same as a value."""
    return synth.word(remark(error))
