"""The C core (libshadowtype/core) for gdb's Python: reading a rank's registry, walking a type, showing a buffer.

Nothing here knows gdb. Target memory is reached through one callable, `read(address, length)`, which
returns `length` bytes or raises: any exception means "these bytes cannot be read" (KeyboardInterrupt and
its like pass through). Addresses, handles and sizes are in bytes and are Python integers, never negative.

All numbers that a damaged rank could spoil are checked: what is wrong is an `Error` whose text is one
sentence for the user, lower case, without the prefix "mpipp: ".
"""

from typing import Callable, Dict, Iterable, Iterator, NamedTuple, List, Optional, Tuple, Union

Read = Callable[[int, int], bytes]
Frames = Tuple[Union[int, str], ...]
"""A call site: return addresses, or "/path/script.py:12\\nfunction" where an interpreter told a line."""

VERSION: str
COMBINERS: Dict[str, Tuple[List[str], List[str]]]
"""By kind the names of the numbers and of the arrays that its constructor takes; "_bytes" at the end of one says its unit."""
LAYOUT_VERSION: int
ROOT_SYMBOL: str
"""The data symbol to look for: "shadowtype_registry"."""

class Error(Exception):
    """One sentence for the user."""

class Unreadable(Error):
    """Target memory that cannot be read. `address` is the first address that cannot, `partial` the text up to
    there (render) or None."""

    address: int
    partial: Optional[str]
    path: str
    """with `partial`, and of Pack: the element that cannot be read, "[2][5]" below the root place"""

class Basic(NamedTuple):
    """A basic type as MPI's type map has it.

    class_ is one of "char" (text), "signed", "unsigned", "float", "complex", "bool", "logical" (Fortran),
    "wchar", "byte" (MPI_BYTE), "packed", "pair" (a value and its location, two members), "marker" (MPI_LB,
    MPI_UB: no data) and "raw" (a type this mpipp does not know: shown as bytes). size: bytes of one element in
    memory (a pair: with the gap). For a pair: (class_, size, offset) of its two members, else None."""

    name: str
    class_: str
    size: int
    first: Optional[Tuple[str, int, int]]
    second: Optional[Tuple[str, int, int]]

class Summary(NamedTuple):
    """A row of Registry.types()."""

    ordinal: int
    serial: int
    handle: int
    kind: str
    committed: bool
    predefined: bool
    live: bool
    """has a handle that the user did not free"""
    tombstone: bool
    """is in the ring of the last freed types"""
    created: int
    """call site: an index for Registry.site(), or -1"""
    references: int

class Listing:
    """The rows of Registry.types(): 48 bytes each; a Summary is made when it is asked for. Stays as it was."""

    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> Summary: ...
    def __iter__(self) -> Iterator[Summary]: ...
    def groups(
        self, *, live: Optional[bool] = None, tombstone: Optional[bool] = None, committed: Optional[bool] = None
    ) -> List["Listing"]:
        """The derived types for which all these hold (None: either way), a Listing for each call site."""
    kinds: Dict[str, int]
    """how many of each kind"""
    uncommitted: int
    """how many live derived types are not committed"""

class Buffer(NamedTuple):
    """A buffer of an Operation: `count` elements of a type from `address` on."""

    address: int
    count: int
    node: Optional[int]
    """the type's ordinal, for Registry.node(); None: not known"""
    sent: bool
    """MPI reads it"""
    received: bool
    """MPI writes to it"""
    active: bool
    """MPI may use it now, if the operation is active: not so a partition that was not told ready"""

class Operation(NamedTuple):
    """A request, or an operation without one, that has not ended (core/model/registry.h, struct st_record)."""

    function: str
    """that made it: "MPI_Isend"; "" if not known"""
    request: bool
    """`handle` is a request; else the window or file, or 0"""
    handle: int
    comm: int
    """the communicator's handle, or that of the window or file; 0: none"""
    peer: int
    """rank of the other side, or of the root; -1: none, -2: MPI_ANY_SOURCE, -3: MPI_PROC_NULL"""
    tag: int
    """-1: none, -2: MPI_ANY_TAG"""
    thread: int
    """that made it, as the kernel numbers it; 0: not known"""
    site: int
    """for Registry.site()"""
    active: bool
    """started, and its completion was not reported"""
    possible: bool
    """nobody can tell whether it has ended (MPI_Request_free)"""
    persistent: bool
    running: bool
    """the call that makes it has not returned"""
    buffers: Tuple[Buffer, ...]
    variable: int
    """the address that the handle was written to; 0: not known"""
    complete: Optional[bool]
    """whether MPI itself has completed it, by what its own memory shows; None: nothing shows it, or the
    program was told already"""

class MessageSide(NamedTuple):
    """A send or a receive that is pending (core/waits/state.h, struct st_wait_part)."""

    sends: bool
    function: str
    """that made it: "MPI_Irecv" """
    comm: int
    """the communicator's id, the same in all its ranks; 0: not known"""
    comm_name: str
    """ "MPI_COMM_WORLD"; "": none is known"""
    comm_handle: int
    peer: int
    """the other rank in the communicator; -1: not known, -2: MPI_ANY_SOURCE"""
    world: int
    """the same in MPI_COMM_WORLD"""
    process: int
    """its gpid, where `world` is a rank"""
    tag: int
    """-1: not known, -2: MPI_ANY_TAG"""
    site: int
    """of a request, for Registry.site(); else -1"""
    handle: int
    """of a request; else 0"""
    thread: int
    """of a blocking call, as the kernel numbers it; else 0"""

class Object(NamedTuple):
    """What a handle stands for, but for datatypes and requests (core/model/registry.h, struct st_record)."""

    function: str
    """that gave it out: "MPI_Comm_split"; "" if not known, as of MPI_COMM_WORLD"""
    site: int
    """for Registry.site()"""
    name: Optional[str]
    """by MPI_Comm_set_name or MPI_Win_set_name"""
    size: Optional[int]
    """ranks of a communicator or window; of an intercommunicator, in the other group; None: not known"""
    rank: Optional[int]
    """the own one"""
    inter: bool
    """an intercommunicator"""

class Epoch(NamedTuple):
    """An epoch of a window that the rank is in (core/model/registry.h, struct st_win_epochs)."""

    kind: str
    """"fence": there was a fence, and nothing has ended what follows it; "used": by this one-sided call first;
    "access", "exposure" (MPI_Win_start, MPI_Win_post), "lock", "lock all" """
    function: str
    """that began it: "MPI_Win_lock"; "": not known"""
    site: int
    """of that call, for Registry.site()"""
    targets: List[int]
    """ranks: the one of a lock, those of MPI_Win_start; empty where they are all, or not known"""
    exclusive: bool
    """a lock of MPI_LOCK_EXCLUSIVE"""

class Registry:
    """The registry of one rank, decoded on demand and cached until it changes."""

    def __init__(self, read: Read, root: int) -> None:
        """root: address of ROOT_SYMBOL. Raises Error: no registry, another layout version, unreadable."""
    def refresh(self) -> bool:
        """Reads the root again (one small read). If the rank changed its types, drops what may have changed: not
        the addresses of nodes, the predefined types and the long arrays of types that still are there.
        Types got before stay valid as they were. Returns whether anything changed."""
    def forget(self) -> None:
        """Drops all that was read: somebody else than the rank wrote to its memory."""
    mpi: str  # "MPICH" or "Open MPI"
    mpi_version: str
    state: str  # "loaded", "initialized", "finalized"
    world_rank: Optional[int]
    world_size: Optional[int]
    handle_bytes: int
    pointer_bytes: int
    live: int
    """derived types that have a handle"""
    types_bytes: int
    ring_bytes: int
    mapped_bytes: int
    reads: int
    """calls of read() so far, and the bytes they asked for"""
    bytes_read: int
    def find(self, handle: int) -> Tuple[str, Optional["Type"]]:
        """("live", type), ("freed", the newest tombstone with this handle), or ("unknown", None)."""
    def node(self, ordinal: int, serial: int) -> "Type":
        """The type with this identity. Error if it is gone."""
    def named(self, name: str) -> List["Type"]:
        """The live types with this set name or, for predefined types, this MPI name (exact)."""
    def from_fortran(self, index: int) -> Optional[int]:
        """The handle of the live type with this Fortran handle; None if there is none."""
    def predefined(self) -> List[Tuple[str, int]]:
        """(name, handle) of the predefined types that were recorded when MPI began, MPI_DATATYPE_NULL included.
        Reads little, however many types there are."""
    def types(self) -> Listing:
        """Every recorded type: live, tombstone, or alive only below another; in order of creation. A damaged
        node is left out: `damage` then says so. Reads the whole registry, once between two changes."""
    damage: Optional[Error]
    """What types() could not read: "... at node 17 (...); 16 of 40 types read"."""
    def site(self, index: int) -> Frames:
        """A call site, innermost frame first; () for -1."""
    def operations(self) -> Tuple[Optional[Tuple[Operation, ...]], Optional[Error]]:
        """The operations that have not ended, oldest first, and what could not be read of them. None: nothing is
        checked in this rank. Reads them anew each time."""
    def messages(self) -> Tuple[int, Tuple["MessageSide", ...]]:
        """The own process (its gpid), and the sends and receives that are pending: of requests that are not told complete, the
        oldest first, and of blocking calls. Reads them anew each time."""
    def object(self, type: str, handle: int) -> Optional[Object]:
        """What is known now of a handle of the type "MPI_Comm", "MPI_Win", "MPI_Op" and so on; None: nothing is. Reads
        it anew each time."""
    def objects(self, type: str) -> Tuple[Optional[List[Tuple[int, Object]]], Optional[Error]]:
        """(handle, what it stands for) of all that are alive of the type "MPI_Comm", "MPI_Op" and so on, oldest first, and
        what of them could not be read. None: nothing is recorded. Reads them anew each time."""
    def epochs(self) -> List[Tuple[int, List["Epoch"]]]:
        """(handle, its epochs) of all windows that are alive, oldest first. What cannot be read is left out. Reads them
        anew each time."""
    def collectives(self) -> "Collectives":
        """The collective calls of the rank. Reads them anew each time."""
    def reports(self) -> List[Tuple[str, int]]:
        """What the checker found, oldest first: the JSON text of each record (report/report.h), and how often."""

    def threads(self) -> List["Thread"]:
        """The threads that have called MPI and have not ended, newest first, as they are now."""
    def form(self, offset: int) -> "Form":
        """What the values of a call are: `offset` is its member `form`."""
    def form_of(self, function: str) -> Optional["Form"]:
        """The same for a function, "MPI_Recv"; None: its calls are not recorded."""
    def describe(self, function: str, values: Tuple[int, ...], has_begun: bool = False) -> str:
        """A call in one line: "MPI_Recv from 1, tag 7, MPI_COMM_WORLD" (core/waits/line.h). has_begun: the rank is in
        it; a collective one has its number then: "MPI_Barrier #12 of rows"."""
    def names(self) -> List["Name"]:
        """What MPI's constants are called here, but for datatypes; none before MPI_Init."""
    status: "StatusLayout"

class Call(NamedTuple):
    """A call of an MPI function: what its wrapper was told."""

    state: str
    """ "running" or "returned" """
    form: int
    """for Registry.form()"""
    pc: int
    """the address that it returns to"""
    sp: int
    """the stack pointer then"""
    result: Optional[int]
    """None: it runs"""
    values: Tuple[int, ...]
    """the arguments, 64 bits each, and more that mean nothing"""
    site: int
    """for Registry.site(): the line of Python, where mpi4py calls; or -1"""
    user: Optional[Tuple[int, int]]
    """where a binding that has called MPI returns to the program, and the stack pointer then; None: no binding's call,
    or not known"""

class Thread(NamedTuple):
    """A thread, by the kernel's number in the rank's name space, and its calls: the outermost one first."""

    id: int
    calls: List[Call]

class Parameter(NamedTuple):
    """A parameter: its role (libshadowtype/runtime/wrap/calls.table), its C type, its name."""

    role: str
    type: str
    name: str

class Form(NamedTuple):
    """A function, "MPI_Recv", and its parameters."""

    function: str
    parameters: Tuple[Parameter, ...]

class Name(NamedTuple):
    """What a number or a handle is called: ("MPI_Comm", "MPI_COMM_WORLD", value); see struct st_name."""

    type: str
    name: str
    value: int

class WaitingCall(NamedTuple):
    """Ranks that are in the same call at the same place and wait for the same, in words (core/waits/told.h)."""

    who: str
    """ "ranks 2-7" """
    call: str
    """ "MPI_Recv(source=1, tag=7, MPI_COMM_WORLD)" """
    place: str
    """as the callable gave it"""
    waits: str
    """ "waits for a message from rank 1 with tag 7"; "": for nothing that is known"""
    line: str
    """ "ranks 2-7 wait for them in MPI_Barrier(MPI_COMM_WORLD) (main.c:30)" """

class Counted(NamedTuple):
    """A communicator, window or file that is alive, and its collective calls."""

    kind: str
    """ "MPI_Comm", "MPI_Win", "MPI_File" """
    handle: int
    id: int
    """the same in all its ranks, and no other one's; 0: not known"""
    key: int
    """LoggedCall.comm of its calls; 0: not known"""
    begun: int
    """how many collective calls the rank has begun on it"""
    name: str
    """ "MPI_COMM_WORLD"; "": it has none"""
    size: Optional[int]
    """ranks; None: not known"""
    inter: bool

class LoggedCall(NamedTuple):
    """A collective call that the rank has begun."""

    comm: int
    """Counted.key"""
    number: int
    """in the order of the communicator, from 1 on"""
    function: str
    text: str
    """with what the ranks must agree on: "MPI_Bcast(data=8 x MPI_DOUBLE, root=0)" """
    digest: int
    """calls of other ranks that have the same one agree with it"""
    frames: Tuple[Union[int, str], ...]
    """where it was made, as Registry.site() has it; (): not known"""

class WaitingFor(NamedTuple):
    """A collective call that a thread of the rank waits in, or whose request it waits for."""

    comm: int
    """index into Collectives.comms"""
    number: int
    """in the order of the communicator; 0: not known"""
    function: str
    thread: int
    """as the kernel numbers it"""

class Collectives(NamedTuple):
    """The collective calls of a rank."""

    comms: Tuple[Counted, ...]
    waiting: Tuple[WaitingFor, ...]
    calls: Optional[Tuple[LoggedCall, ...]]
    """the last ones, those of one communicator side by side in their order; None: they are not recorded"""

class Death(NamedTuple):
    """Ranks that can never go on for one reason, in words."""

    subject: str
    """ "ranks 0 and 1" """
    message: str
    """ "wait for each other" """
    calls: Tuple[WaitingCall, ...]
    """that they are in"""
    behind: Tuple[WaitingCall, ...]
    """that those are in who wait for them"""

def deadlocks(
    ranks: List[Tuple["Registry", Tuple[int, ...]]], place: Callable[[int, int, int, str, bool], str]
) -> List[Death]:
    """Who can never go on. ranks: of one MPI_COMM_WORLD, each once, that stand still, with the kernel's numbers of all
    of their threads. A rank that is not given runs.

    place(rank, thread, site, function, is_short): where a call was made, "" if that is not known. rank: its number in
    `ranks`. function: that made a request, with its site for Registry.site() (-1: not known); "": the call that the
    thread is in is meant. is_short: "halo.c:57", else "halo.c:57 in exchange". What it raises is passed on."""

def named_ranks(numbers: Iterable[int]) -> str:
    """ "rank 0", "ranks 0 and 1", "ranks 0-3,7"."""

class StatusLayout(NamedTuple):
    """The size of an MPI_Status, and where its members lie, in bytes; 0, 0, 0, 0 before MPI_Init."""

    size: int
    source: int
    tag: int
    error: int

class Type:
    """A recorded datatype, immutable; keeps what is below it alive."""

    registry: Registry
    ordinal: int
    serial: int
    handle: int
    kind: str
    """NAMED, DUP, CONTIGUOUS, VECTOR, ... OPAQUE: MPI_COMBINER_ without its prefix"""
    name: Optional[str]
    """set by MPI_Type_set_name; for NAMED the type's own name, "MPI_INT" """
    committed: bool
    commit_undefined: bool
    predefined: bool
    freed: bool
    elided: bool
    """a tombstone whose arrays were too large to keep"""
    references: int
    fortran: int
    created_at: Frames
    """innermost first; () if unknown"""
    committed_at: Frames
    freed_at: Frames
    base: Optional["Type"]
    """the old type (all kinds that have exactly one)"""
    basic: Optional[Basic]
    """for a leaf of the type map: NAMED and F90_*"""
    def member(self, name: str) -> int:
        """A number of the constructor, by the names of SESSIONS.md's table: count, blocklength, stride,
        ndims, size, rank, lb, extent, precision, range. (stride: in the constructor's own unit.)
        order: 0 is C, 1 is FORTRAN. F90: an open precision or range is None. KeyError if this kind has none."""
    def array(self, name: str, start: int = 0, stop: Optional[int] = None) -> bytes:
        """Numbers start..stop of an array of the constructor as int64_t in host order: lengths, offsets (in the
        constructor's own unit), sizes, subsizes, starts, gsizes, distribs (0 NONE, 1 BLOCK, 2 CYCLIC), dargs
        (INT64_MIN: default), psizes. KeyError if this kind has none."""
    entries: int
    """how many entries: blocks of (h)indexed(_block), members of a struct; dimensions; else 0"""
    def entry_type(self, index: int) -> "Type":
        """The type of a struct's entry; `base` for every other kind."""
    # In bytes; None if the number leaves 64 bits
    size: Optional[int]
    lb: Optional[int]
    ub: Optional[int]
    extent: Optional[int]
    true_lb: Optional[int]
    true_ub: Optional[int]
    true_extent: Optional[int]
    elements: Optional[int]
    """how many basic elements are sent"""
    depth: int
    """of the meta type-tree: 0 for a basic type"""

class Place:
    """A node of the expanded type-tree (the paper's IV.B) at an address: a type, or one of the intermediate
    stages between a type and its base. Children are computed when asked for; nothing is read."""

    def __init__(self, type: Type, address: int, count: Optional[int] = None) -> None:
        """count None: the type itself; else a stage of `count` repetitions, extent by extent.
        Error for a negative count."""
    type: Type
    """the type this place belongs to (DUP stripped)"""
    address: int
    leaf: Optional[Basic]
    """the basic type if this is a leaf"""
    opaque: bool
    """a type whose inside is not known (kind OPAQUE, or a tombstone without its arrays)"""
    struct: bool
    """children are the entries of a STRUCT, to be shown with their indices: {[0] = ..., [1] = ...}"""
    def __len__(self) -> int: ...
    def child(self, index: int) -> "Place":
        """IndexError out of range; Error where the address leaves 64 bits."""
    stage: str
    """"type", or an intermediate stage: "block", "dimension", "repetition" """
    alike: bool
    """the children have the same shape: they differ only in where they stand"""
    run: Optional[Tuple[Basic, int]]
    """(basic, byte stride) if all children are leaves of one basic type at a constant stride"""
    def gather(self, read: Read, start: int, stop: int) -> bytes:
        """The bytes of the children start..stop of a run (or, for a leaf, of itself: 0, 1), packed one after the
        other, each Basic.size bytes. Raises Unreadable with the first address that cannot be read."""
    def path(self) -> str:
        """How one gets here from the root place: "[2][5]", "{1}[0]"."""

def visible(text: str, *, lines: bool = False) -> str:
    """The text, where what acts on a terminal instead of being seen is replaced: controls, what turns the direction of
    writing, and ends of lines unless `lines`; and the surrogates of file names that are no UTF-8. All texts of a rank
    that come from here are visible already: this is for those that gdb gives, and the user."""

def stack_is_low() -> bool:
    """Whether three quarters of this thread's stack are used: who recurses further may crash."""
class Element(NamedTuple):
    """A node of the expanded type-tree below a root, and its element address. The root is a type at an address, or a
    repetition of one. Bytes are counted from the root's address, elements as MPI sends them, all from 0."""

    long: str
    """the address without its T: "{1}(STRUCT)[2][5](MPI_CHAR)" """
    short: str
    """ "{1}[2][5]" """
    place: Place
    type_place: Place
    """the innermost type at or above the node, and the indices from there"""
    way: Tuple[int, ...]
    address: int
    """where the node's displacement 0 stands; of a pair's member, the member"""
    basic: Optional[Basic]
    """of a basic element; of a pair's member, its class and size"""
    member: Optional[int]
    """0 .first, 1 .second; None: not a member"""
    # None: the number leaves 64 bits
    displacement: Optional[int]
    low: Optional[int]
    """data: bytes low..high-1; equal: no data; None: no limit is known"""
    high: Optional[int]
    exact: bool
    """False: what is OPAQUE counts by its lb and ub"""
    # None: see `unknown`
    number: Optional[int]
    """of the node's first element"""
    byte: Optional[int]
    """the first byte of what MPI sends of it"""
    elements: Optional[int]
    total: Optional[int]
    """elements of the root"""
    unknown: str
    """why `number` is None: "inside" (an OPAQUE type is before it) or "64 bits"; else "" """
    within: int
    """locate(): the byte's place in the element"""

def element(type: Type, address: int, count: Optional[int], text: str, label: str) -> Element:
    """The node that an element address names: what follows T in `text`, "{1}[2][5]". count: how many of the type there
    are, None: any. label: what the user calls T, for the sentence of an Error."""

def splits(text: str) -> List[Tuple[str, str]]:
    """(T, the rest) for every place where T may end in an element address, in the order in which they are to be tried.
    The rest is sound as far as that can be told without T."""

def locate(
    type: Type, address: int, count: Optional[int], byte: int, most: int, steps: int
) -> Tuple[List[Element], str]:
    """The elements of a type at an address (count None), or of so many of it, that hold the byte at address `byte`: at
    most `most`, in no particular order. An Element without `basic` is a type whose inside is not known and that may hold
    it. The text is "" if that are all, "more" if there are more, "undecided" if so many `steps` were not enough.
    KeyboardInterrupt passes."""

class Entry(NamedTuple):
    """A basic element of a TypeMap, or a type whose inside is not known."""

    number: Optional[int]
    """None behind a type whose inside is not known"""
    short: str
    """its element address without T"""
    displacement: Optional[int]
    """None: it leaves 64 bits"""
    name: str
    """ "MPI_INT"; "OPAQUE" """
    size: Optional[int]
    """bytes that are sent"""
    opaque: bool

class TypeMap:
    """An iterator over the basic elements of a type, or of `count` of it, in the order in which MPI sends them, from
    number `first` on; or, if that is not known, from the type on that hides it. Nothing is unrolled. Raises Error where
    a displacement leaves 64 bits."""

    def __init__(self, type: Type, count: Optional[int], first: int) -> None: ...
    def __iter__(self) -> "TypeMap": ...
    def __next__(self) -> Entry: ...

class Standing(NamedTuple):
    """What stands at a place of a type signature."""

    name: str
    """ "MPI_INT", "F90_REAL(15,307)"; "OPAQUE" """
    opaque: bool
    """a type whose inside is not known"""
    long: Optional[str]
    """its element address without T: "{1}(STRUCT)[0][1](MPI_INT)"; None: not known, or it stands past 64 bits"""

class Match(NamedTuple):
    """What match() found. Index 0 is the first type, 1 the second."""

    verdict: str
    """ "equal", "prefix", "different"; "opaque": equal up to what is not known; "too long": one has more than 2^63 - 1
    elements; "undecided": past the bound on work"""
    bytes: bool
    """one is MPI_PACKED: `lengths` and `agreed` are in bytes, else in elements, a pair type being two"""
    lengths: Tuple[Optional[int], Optional[int]]
    """None: not known"""
    agreed: Optional[int]
    """how many are the same, from the first one on"""
    longer: int
    """prefix: which of the two goes on"""
    at: Tuple[Optional[Standing], Optional[Standing]]
    """what stands on each side behind what is the same; None: it ends there (or it is equal, or in bytes)"""
    hashes: str
    """undecided: "equal", "different", or "" if not known"""

def match(type1: Type, count1: Optional[int], type2: Type, count2: Optional[int]) -> Match:
    """Compares the type signatures (MPI-4.0, 3.3.1), of one rank or of two. A count of None is 1. KeyboardInterrupt
    passes."""

class Diff(NamedTuple):
    """What diff() found. Elements are those of the type signature, from 0 on: a pair is two."""

    compared: int
    """elements, or bytes"""
    different: int
    """of these"""
    number: Optional[int]
    """of the first that differs; None: none does"""
    first: Optional[Tuple[Element, Element]]
    """it"""
    sizes: bool
    """the comparison ended at elements of the same type and different sizes"""
    unreadable: Optional[Unreadable]
    """with `path`: why the comparison ended before its end"""
    side: int
    """of `unreadable`: 0, 1"""

Operand = Tuple[Type, int, Optional[int], Read]
"""A buffer: type, address, count, and how its memory is read."""

def diff(one: Operand, other: Operand, most: int, as_bytes: bool = False) -> Diff:
    """Compares the data of two buffers, of one rank or of two: the first `most` elements as MPI sends them; with
    `as_bytes` so many bytes of them. The bytes of elements are compared, and nothing that is between them. KeyboardInterrupt
    passes; Error as of Pack."""

class SignatureText(NamedTuple):
    """A type signature, written."""

    text: str
    """ "(MPI_DOUBLE MPI_CHAR)2 MPI_DOUBLE MPI_CHAR*3"; "" for no element"""
    elements: int
    """a pair type is two; a type whose inside is not known, one"""
    left_out: int
    """of these, behind the ellipsis at the end of the text"""
    known: bool
    """no such type is in it"""

def signature_text(type: Type, count: Optional[int], most: int) -> SignatureText:
    """The signature with at most `most` names. Error: too many elements or parts. KeyboardInterrupt passes."""

class Contiguous(NamedTuple):
    """A type that is what MPI_Type_contiguous(count, unit) makes."""

    unit: Type
    count: int
    # In units; 0 if the copies are not put together of chunks of one length and a shorter one
    chunk: int
    chunks: int
    remainder: int
    bigmpi: bool
    """the chunks are of INT_MAX: BigMPI's MPIX_Type_contiguous_x, or a variant of it"""

def contiguous(type: Type) -> Optional[Contiguous]:
    """None if the type is no such repetition, or was made by just this one call."""

STEPS: int
"""What a debugger may spend on one question about layouts: some seconds in the worst case; Ctrl-C ends it sooner
(KeyboardInterrupt passes). What is asked for is never guessed: past so many `steps` the answer is not known."""

class Block(NamedTuple):
    """A strided block: the bytes displacement + i0 * stride0 + i1 * stride1 + ... + b, where each i is less than its
    count and b less than length."""

    displacement: int
    length: int
    levels: Tuple[Tuple[int, int], ...]
    """(count, stride in bytes), outermost first; (): one contiguous block"""

class Layout:
    """The bytes that a type, or `count` of it, cover, as a set: nested strided blocks, normalised. Neither order nor
    basic types are kept, and a byte that is named twice counts once. Displacements are from the buffer's address. The
    layout of a type is made once, and those of all types above it share it."""

    def __init__(self, type: Type, count: Optional[int] = None) -> None: ...
    doubt: str
    """why nothing else is known: "its bytes do not lie within 64 bits", ...; "" if it is"""
    low: Optional[int]
    """the first byte, and the one behind the last; equal: no bytes; None: see doubt"""
    high: Optional[int]
    alignment: Optional[Tuple[int, int]]
    """(modulus, remainder): every basic element is aligned, as its size asks for, exactly at the addresses that have
    this remainder; None: at none, or see doubt"""
    def covered(self, steps: int = STEPS) -> Optional[int]:
        """How many bytes there are; None: not counted."""
    def pieces(self, steps: int = STEPS) -> Optional[int]:
        """How many contiguous pieces; None: not counted."""
    def blocks(self, most: int) -> Tuple[List[Block], bool]:
        """The first strided blocks, and whether there are more. A regular type is one; no more than these is unfolded."""
    def runs(self, low: int, high: int, most: int, steps: int = STEPS) -> Tuple[List[Tuple[int, int]], str]:
        """The contiguous pieces (from, to) among bytes low..high-1, cut to these, ascending: what lies elsewhere costs
        nothing. The text is "" if that are all, "more" if there are more than `most` (where blocks stand between one
        another, these need not be the first), else why the others are not known."""

class Overlap(NamedTuple):
    """What overlap() found."""

    overlaps: Optional[bool]
    """None: undecided"""
    doubt: str
    """why"""
    address: int
    """some bytes that both name: `length` from here on, within one element of each; 0: none"""
    length: int
    first: Optional[Element]
    """those elements (of a pair, the member); None: there is none, or it was not found within the steps"""
    second: Optional[Element]
    bytes: Optional[int]
    """how many bytes they share in all; None: not counted"""

def overlap(
    type: Type,
    address: int,
    count: Optional[int],
    other: Type,
    other_address: int,
    other_count: Optional[int],
    steps: int = STEPS,
) -> Overlap:
    """Whether two buffers share memory. Addresses are modulo 2^64."""

class SelfOverlap(NamedTuple):
    """What self_overlap() found."""

    overlaps: Optional[bool]
    """whether the count that was asked for names a byte twice; None: undecided"""
    ever: Optional[bool]
    """whether any count does"""
    doubt: str
    """why one of them is undecided"""
    smallest: Optional[int]
    """the smallest count that does; None: there is none, or it is not known"""
    low: Optional[int]
    """displacement of `length` bytes that so many name twice, within one element each; None: as above"""
    first: Optional[Element]
    """these elements, in the order of the type map; of the repetition unless `smallest` is 1; None: not found within
    the steps"""
    second: Optional[Element]
    length: int

def self_overlap(type: Type, count: Optional[int], steps: int = STEPS) -> SelfOverlap:
    """Whether a type, or `count` of it, names a byte twice."""

def misaligned(
    type: Type, address: int, count: Optional[int], most: int, steps: int = STEPS
) -> Tuple[List[Element], str]:
    """The first basic elements, in the order of the type map, that are not aligned at their addresses as their sizes
    ask for: at most `most`, and 4096. The text is as in Layout.runs()."""

class Pack:
    """An iterator over what MPI_Pack would make of a type at an address, or of `count` of it: the basic elements side by
    side, without gaps, in portions of at most 1 MiB. Raises Unreadable with `path`; Error: what is inside of a type is
    not known, an address leaves 64 bits."""

    def __init__(self, type: Type, address: int, count: Optional[int], read: Read) -> None: ...
    def __iter__(self) -> "Pack": ...
    def __next__(self) -> bytes: ...

FormatRun = Callable[[Basic, bytes, int, bool], str]
"""(basic, data, n, is_array): gdb's text for n packed elements; is_array False: one scalar, no braces."""

def render(
    place: Place,
    read: Read,
    *,
    elements: int = 200,
    repeats: int = 10,
    max_depth: int = 20,
    pretty: bool = False,
    array: bool = False,
    array_indexes: bool = False,
    format_run: Optional[FormatRun] = None,
    natural: bool = True,
) -> str:
    """The text of a buffer as gdb would write it: {[0] = {MPI_LB}, [1] = {1, 2}, [2] = "ab"}.

    elements, repeats, max_depth, pretty, array, array_indexes: gdb's `print ...` settings of the same names;
    -1 is unlimited. With natural=True numbers (signed, unsigned, float up to double) are formatted here, with
    gdb's digits; everything else, and everything with natural=False, by format_run.
    Raises Unreadable with `partial` set; KeyboardInterrupt passes."""

Dims = Tuple[Tuple[int, int], ...]
Field = Tuple[str, int, int, int, Dims]
"""(kind, below, offset, size, dims) of a field of the program, followed by the `below` fields in it, direct or deeper.

kind: "group" (struct, class, derived type), "union", or of a leaf "signed", "unsigned", "enum", "char", "wchar",
"float", "quad", "complex", "quad complex", "bool", "logical", "pointer", "vtable", "descriptor", "bits", "other".
offset: in bytes from the start of what it is in, size: bytes of one element. dims: of an array, (count, bytes between
two), outermost first; the first count of the outermost field, or of the last one in it, may be -1: as far as the
datatype reaches."""

Range = Tuple[int, int, int, int, int]
"""(first, last, count, step, run): indices first + i * step + j of one dimension, i < count, j < run; count 0: some of
those from first to last."""

class ComparedRow(NamedTuple):
    """What was found for some elements of a field, or for bytes that are no field's. Numbers are bytes but for
    elements, all and boxes."""

    finding: str
    """"match", "bytes" (MPI_BYTE, MPI_PACKED), "unknown", "not sent", "elsewhere" (an absolute address); what does not
    match: "wrong type", "wrong offset", "inside" (the rest of an element that begins before), "piece" (some bytes of
    it), "no type" (a pointer, ...), "padding", "before", "beyond" (the object)"""
    why: str
    """wrong type: "class", "size", "sign", "format" """
    kind: str
    """as in Field, or "padding" """
    field: Optional[int]
    """index; of padding: of what it is in; None: outside of the object"""
    offset: int
    """of the row's first element"""
    size: int
    """of one element; outside: from the first byte to the last"""
    basic: Optional[Basic]
    """what is sent there; None: nothing"""
    member: Optional[int]
    """of a pair: 0, 1"""
    half: bool
    """one complex number is sent for two fields of real ones"""
    part: str
    """"real", "imaginary": a real number is sent for this part of a complex one; else "" """
    sent: int
    """bytes of the MPI element, or of the pair's member"""
    displacement: int
    """of the first MPI element"""
    begin: int
    end: int
    """which bytes of the field's element it is over"""
    again: bool
    """some elements are sent more than once"""
    all: int
    """elements that the field has, arrays of arrays multiplied out"""
    elements: int
    """those that the row is about"""
    boxes: int
    """how many boxes of indices these are"""
    where: Optional[Tuple[Tuple[Range, ...], ...]]
    """the first boxes, a Range for each dimension (trailing ones that have just one index may be missing); None: it
    would have cost too much; `elements` is then a bound, from below for "not sent", else from above"""
    first: Optional[str]
    last: Optional[str]
    """what follows the type in the addresses of the MPI elements over the row's first element and over its last one
    (the same as first unless the row is one box): "{1}[0][3]"; None: not found"""

class Comparison(NamedTuple):
    """What compare() found. A field is a leaf of the program's type; an array or a union counts as one."""

    rows: List[ComparedRow]
    fields: int
    different: int
    not_sent: int
    """not a byte of it"""
    in_part: int
    """of an array, not all elements"""
    as_bytes: int
    unknown: int
    """fields, and parts of the datatype, of which nothing can be said"""
    padding: bool
    outside: bool
    complete: bool
    """else only `compared` elements of the datatype were compared"""
    compared: int
    absolute: bool
    """the datatype holds absolute addresses and was compared from MPI_BOTTOM"""
    size: int
    """of the object"""
    element: int
    """of one element of it"""

def compare(type: Type, fields: List[Field], count: int = 1, address: int = 0, start: int = 0) -> Comparison:
    """`count` of a datatype against an object of the program at `address` (0: not known), in which the buffer begins at
    byte `start`. Nothing is unrolled: arrays and repetitions are compared as strides.
    Error: a size that leaves 64 bits, more than 12 dimensions."""
