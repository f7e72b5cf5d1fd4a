"""A pointer or an array that a call of MPI near the current position has as a buffer: as it is, and through the call's
datatype (the paper's X.D). `set mpipp buffers on` registers this; while it is off, gdb asks nothing here."""

import weakref
from typing import Callable, List, Optional, Sequence

import gdb
import gdb.printing

from .. import near
from ..calls import place_of
from ..fault import EXPECTED, let_quit
from ..near import Argument
from ..settings import is_fortran, print_settings
from .base import Child, Children, Printer, Text, Unfolding, error_value
from .blocks import argument_value

_REFERENCES = (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF)
_ARRAYS = (gdb.TYPE_CODE_ARRAY, gdb.TYPE_CODE_STRING)  # STRING: a CHARACTER of Fortran's
_CODES = frozenset((gdb.TYPE_CODE_TYPEDEF, gdb.TYPE_CODE_PTR, *_ARRAYS, *_REFERENCES))
_ADDRESS_MASK = (1 << 64) - 1
_NATIVE = "native"
_MISNAMED = ("?",)


class ArgumentPrinter(Unfolding):
    """{MPI_Bcast.buffer = {1, 2, 3}, native = 0x7ffd5e48}: `native` is the value as gdb shows it, and unfolds it.

    The native value is last: a frontend may have unfolded the variable before it was a buffer, and gdb puts the first
    child in the place of the first that it has, of another type; unless the child has a printer, gdb 13 may end with
    an internal error there."""

    def __init__(self, value: gdb.Value, arguments: List[Argument]) -> None:
        """arguments: none for what was one of them in a frontend."""
        super().__init__()
        self._value = value
        self._arguments = arguments
        self._is_shown = self._is_misnamed = False
        _kept.add(self)

    def _count(self) -> int:
        return len(self._arguments) + 1

    def _child(self, index: int) -> Child:
        if index == len(self._arguments):
            if self._declined:
                _lookup.hide(self)
            return _NATIVE, native(self._value)
        argument = self._arguments[index]
        try:
            return argument.name, argument_value(argument)
        except EXPECTED as error:
            let_quit(error)
            return argument.name, error_value(error)

    def _hint(self) -> Optional[str]:
        self._is_shown = True
        return None

    def _text(self) -> Text:
        is_brief = gdb.print_options()["summary"]  # the arguments of a frame in a backtrace
        if self._arguments and not is_brief:
            return None
        # As a text: of a value in its place gdb leaves the addresses away.
        return native(self._value).format_string(summary=is_brief, **print_settings().options())

    def _names(self) -> Sequence[str]:
        return (*(argument.name for argument in self._arguments), _NATIVE)

    def _children_for_frontend(self) -> Children:
        """Of a new variable gdb asks for the first child, then for the hint, and for more when it is unfolded. If it
        asks for more at once, and no printer was there before, the variable was unfolded as its type has it: then the
        first child has another's name, under which it is listed here, so that it goes at the next update."""
        if self._is_misnamed and _has_access_labels(self._value.type):
            self._is_misnamed = False  # a child "public" takes no second value: it goes now
            self._list(_MISNAMED)
            return
        is_first = not (self._before or self._listed)
        for index, child in enumerate(super()._children_for_frontend()):
            self._is_misnamed |= is_first and index == 1 and not self._is_shown
            if self._is_misnamed and index == 1:
                self._list(_MISNAMED)
                if is_first:
                    # What the child has below it, of its old type, goes at once.
                    below = Printer._newest()
                    if below is not None and below is not self:
                        below._succeed(_MISNAMED)
                    return
            yield child
        if self._is_misnamed:
            self._list(_MISNAMED)

    def _succeed(self, names: Sequence[str]) -> None:
        super()._succeed(names)
        self._is_shown = True

    def _may_precede(self, value: gdb.Value) -> bool:
        """Whether a frontend's variable that has this printer may have this value now. gdb 13 ends with an internal
        error, one update later, where a pointer loses its printer: `var->print_value.empty ()'. An expression's pointer
        may lie elsewhere now, so that it is told by its type alone. An array must keep its children (base.py)."""
        of = self._value.type
        if value.type != of:
            return False
        stripped = of.strip_typedefs()
        if stripped.code == gdb.TYPE_CODE_PTR:
            return True
        return bool(self._listed) and _place(value, stripped) == _place(self._value, stripped)


# Those that gdb has: one that prints is gone when it has printed, and the others are of a frontend's variables.
_kept: "weakref.WeakSet[ArgumentPrinter]" = weakref.WeakSet()


def _nobody() -> None:
    return None


class Lookup(gdb.printing.PrettyPrinter):
    """Pointers and arrays that are buffers now."""

    def __init__(self) -> None:
        super().__init__("mpipp-buffers")
        self.is_on = True
        self._hider: Callable[[], Optional[Printer]] = _nobody

    def hide(self, hider: Printer) -> None:
        """While gdb writes a native value, nothing within it shows through a datatype: from here on, as long as gdb has
        this printer."""
        self._hider = weakref.ref(hider)

    def __call__(self, value: gdb.Value) -> Optional[Printer]:
        # As printers.Lookup: the type's code first, and None for all that cannot be read.
        if value.type.code not in _CODES or self._hider() is not None:
            return None
        try:
            return self._printer(value)
        except EXPECTED as error:
            let_quit(error)
        return None

    def _printer(self, value: gdb.Value) -> Optional[Printer]:
        if value.type.code in _REFERENCES:
            value = value.referenced_value()
        found = self._found(value)
        if found or (_kept and not is_native(value.type) and any(one._may_precede(value) for one in _kept)):
            return ArgumentPrinter(value, found)
        if not self.is_on and not _kept:
            _take_back()
        return None

    def _found(self, value: gdb.Value) -> List[Argument]:
        try:
            return _arguments(value) if self.is_on else []
        except EXPECTED as error:
            let_quit(error)
            return []


def _arguments(value: gdb.Value) -> List[Argument]:
    """The buffers that a pointer or an array is."""
    of = value.type.strip_typedefs()
    if of.code != gdb.TYPE_CODE_PTR and of.code not in _ARRAYS:
        return []
    place = _place(value, of)
    near_by = near.arguments(place)
    if not near_by:
        return []
    if of.code == gdb.TYPE_CODE_PTR:
        start = int(value) & _ADDRESS_MASK
        found = [one for one in near_by if one.start == start]
    else:
        found = [one for one in near_by if one.start == place and (of.sizeof == 0 or one.fits(of.sizeof))]
    return found if found and not is_native(value.type) else []


def _place(value: gdb.Value, of: gdb.Type) -> Optional[int]:
    """Where a value lies; None: in no memory. An array lies where its first element does: asked for the array's own
    address, gdb might call malloc in the rank (calls.py)."""
    while of.code in _ARRAYS:
        first, last = of.range()
        if last < first or of.code == gdb.TYPE_CODE_STRING:
            return place_of(value)
        value = value[first]
        of = value.type.strip_typedefs()
    address = value.address
    return None if address is None else int(address) & _ADDRESS_MASK


def native(value: gdb.Value) -> gdb.Value:
    """The same value, which this printer leaves to gdb: its type is volatile. No array is so of itself, whose elements
    are; a pointer that the program has so declared is taken for one of these."""
    of = value.type.strip_typedefs()
    place = _place(value, of)
    marked = _marked(value.type)
    if place is None:
        return value.cast(marked)
    return gdb.Value(place).cast(marked.pointer()).dereference()


def _marked(of: gdb.Type) -> gdb.Type:
    """In C an array of arrays is made again, of such ones; those of Fortran gdb prints as a whole."""
    stripped = of.strip_typedefs()
    if stripped.code == gdb.TYPE_CODE_ARRAY and not is_fortran():
        element = stripped.target()
        if element.strip_typedefs().code == gdb.TYPE_CODE_ARRAY:
            return _marked(element).array(*stripped.range()).volatile()
    return of.volatile()


def is_native(of: gdb.Type) -> bool:
    """Whether a value is one of native(), or an element of one."""
    return of.volatile() == of


def _has_access_labels(of: gdb.Type) -> bool:
    """Whether gdb unfolds a pointer of this type into "public" and "private"."""
    of = of.strip_typedefs()
    is_class = of.code == gdb.TYPE_CODE_PTR and of.target().strip_typedefs().code == gdb.TYPE_CODE_STRUCT
    return is_class and gdb.current_language() == "c++"


_lookup = Lookup()


def switch(on: bool) -> None:
    """Registers the printer behind all others, so that those of the C++ library and the user's own come first; or takes
    it back, once no variable of a frontend has one of its."""
    _lookup.is_on = on
    if on and _lookup not in gdb.pretty_printers:
        gdb.pretty_printers.append(_lookup)
        near.follow(True)
    if not on and not _kept:
        _take_back()


def _take_back() -> None:
    if _lookup in gdb.pretty_printers:
        gdb.pretty_printers.remove(_lookup)
        near.follow(False)
