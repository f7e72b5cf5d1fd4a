# SPDX-License-Identifier: BSD-3-Clause
"""A pointer or an array that is a buffer of an MPI call near the current position: as it is, and through the call's
datatype (the paper's X.D). `set mpipp buffers on` registers this printer; while it is off, gdb does not call it."""

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
_ARRAYS = (gdb.TYPE_CODE_ARRAY, gdb.TYPE_CODE_STRING)  # STRING: a CHARACTER of Fortran
_CODES = frozenset((gdb.TYPE_CODE_TYPEDEF, gdb.TYPE_CODE_PTR, *_ARRAYS, *_REFERENCES))
_ADDRESS_MASK = (1 << 64) - 1
_NATIVE = "native"
_MISNAMED = ("?",)


class ArgumentPrinter(Unfolding):
    """{MPI_Bcast.buffer = {1, 2, 3}, native = 0x7ffd5e48}: `native` is the value as gdb shows it, and unfolds it.

    The native value is last. A frontend may have unfolded the variable before it was a buffer. gdb then puts the first
    child in the place of the first old one, which has another type; unless the child has a printer, gdb 13 may end with
    an internal error there."""

    def __init__(self, value: gdb.Value, arguments: List[Argument]) -> None:
        """arguments: empty for a value that was a buffer before, in a frontend."""
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
            return argument.name, argument_value(argument, self._value)
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
        # As text: if a value takes its place, gdb leaves out the addresses.
        return native(self._value).format_string(summary=is_brief, **print_settings().options())

    def _names(self) -> Sequence[str]:
        return (*(argument.name for argument in self._arguments), _NATIVE)

    def _children_for_frontend(self) -> Children:
        """For a new variable gdb asks for the first child, then for the hint, and for more when it is unfolded. If it
        asks for more at once, and there was no printer before, the variable was unfolded by its type. The first child
        then has an old name, under which it is listed here, so that it disappears at the next update."""
        if self._is_misnamed and _has_access_labels(self._value.type):
            self._is_misnamed = False  # a child "public" accepts no second value: it disappears now
            self._list(_MISNAMED)
            return
        is_first = not (self._before or self._listed)
        for index, child in enumerate(super()._children_for_frontend()):
            self._is_misnamed |= is_first and index == 1 and not self._is_shown
            if self._is_misnamed and index == 1:
                self._list(_MISNAMED)
                if is_first:
                    # The children below it, of its old type, disappear at once.
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
        """Whether a frontend's variable with this printer may have this value now. gdb 13 ends with an internal error, one
        update later, if a pointer loses its printer: `var->print_value.empty ()'. An expression's pointer may have
        another address now, so only its type is compared. An array must keep its children (base.py)."""
        of = self._value.type
        if value.type != of:
            return False
        stripped = of.strip_typedefs()
        if stripped.code == gdb.TYPE_CODE_PTR:
            return True
        return bool(self._listed) and _place(value, stripped) == _place(self._value, stripped)


# The printers that gdb has. One that prints is freed when it has printed; the others belong to a frontend's variables.
_kept: "weakref.WeakSet[ArgumentPrinter]" = weakref.WeakSet()


def _nobody() -> None:
    return None


class Lookup(gdb.printing.PrettyPrinter):
    """Finds pointers and arrays that are buffers now."""

    def __init__(self) -> None:
        super().__init__("mpipp-buffers")
        self.is_on = True
        self._hider: Callable[[], Optional[Printer]] = _nobody

    def hide(self, hider: Printer) -> None:
        """While gdb writes a native value, nothing within it is shown through a datatype: from here on, as long as gdb
        keeps this printer."""
        self._hider = weakref.ref(hider)

    def __call__(self, value: gdb.Value) -> Optional[Printer]:
        # Like printers.Lookup: look at the type's code first, and return None for all that cannot be read.
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
    """The address of a value; None if it is not in memory. For an array it is that of its first element: for the array's
    own address, gdb might call malloc in the rank (calls.py)."""
    while of.code in _ARRAYS:
        first, last = of.range()
        if last < first or of.code == gdb.TYPE_CODE_STRING:
            return place_of(value)
        value = value[first]
        of = value.type.strip_typedefs()
    address = value.address
    return None if address is None else int(address) & _ADDRESS_MASK


def native(value: gdb.Value) -> gdb.Value:
    """The same value with a volatile type, which this printer leaves to gdb. An array type itself is never volatile, only
    its elements are; a pointer that the program declares volatile is left to gdb, too."""
    of = value.type.strip_typedefs()
    place = _place(value, of)
    marked = _marked(value.type)
    if place is None:
        return value.cast(marked)
    return gdb.Value(place).cast(marked.pointer()).dereference()


def _marked(of: gdb.Type) -> gdb.Type:
    """In C an array of arrays is rebuilt from such elements; gdb prints those of Fortran as a whole."""
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
    """Registers the printer after all others, so that those of the C++ library and of the user come first; or removes it,
    once no variable of a frontend uses it."""
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
