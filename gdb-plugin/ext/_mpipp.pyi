# SPDX-License-Identifier: BSD-3-Clause
"""The C core (libshadowtype/core) for gdb's Python: reading a rank's registry, walking a type, showing a buffer.

Nothing here knows gdb. Target memory is read by one callable, `read(address, length)`, which returns `length` bytes or
raises: any exception means "these bytes cannot be read" (but KeyboardInterrupt and the like are passed on). Addresses,
handles and sizes are Python integers, never negative; sizes are in bytes.

All numbers that a damaged rank could spoil are checked. If one is wrong, an `Error` is raised, whose text is one
sentence for the user, in lower case, without the prefix "mpipp: ".
"""

from typing import Callable, Dict, Iterable, Iterator, NamedTuple, List, Optional, Tuple, Union

Read = Callable[[int, int], bytes]
Frames = Tuple[Union[int, str], ...]
"""A call site: return addresses, or "/path/script.py:12\\nfunction" for a line that an interpreter reported."""

VERSION: str
COMBINERS: Dict[str, Tuple[List[str], List[str]]]
"""For each kind, the names of the numbers and of the arrays of its constructor; the suffix "_bytes" says that the unit is bytes."""
LAYOUT_VERSION: int
ROOT_SYMBOL: str
"""The data symbol to look for: "shadowtype_registry"."""

class Error(Exception):
    """One sentence for the user."""

class Unreadable(Error):
    """Target memory that cannot be read. `address` is the first address that cannot; `partial` is the text up to there
    (render), or None."""

    address: int
    partial: Optional[str]
    path: str
    """with `partial`, and of Pack: the element that cannot be read, "[2][5]" below the root place"""

class Basic(NamedTuple):
    """A basic type of MPI.

    class_ is one of "char" (text), "signed", "unsigned", "float", "complex", "bool", "logical" (Fortran),
    "wchar", "byte" (MPI_BYTE), "packed", "pair" (a value and its location, two members), "marker" (MPI_LB,
    MPI_UB: no data) and "raw" (a type that this mpipp does not know: shown as bytes). size: bytes of one element in
    memory (of a pair, with the gap). first, second: (class_, size, offset) of a pair's members, else None."""

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
    """The rows of Registry.types(), 48 bytes each. A Summary is made when it is accessed. A Listing never changes."""

    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> Summary: ...
    def __iter__(self) -> Iterator[Summary]: ...
    def groups(
        self, *, live: Optional[bool] = None, tombstone: Optional[bool] = None, committed: Optional[bool] = None
    ) -> List["Listing"]:
        """The derived types for which all these conditions hold (None: no condition), one Listing for each call site."""
    kinds: Dict[str, int]
    """how many of each kind"""
    uncommitted: int
    """how many live derived types are not committed"""

class Buffer(NamedTuple):
    """A buffer of an Operation: `count` elements of a type from `address` on."""

    address: int
    count: int
    node: Optional[int]
    """the type's ordinal, for Registry.node(); None if not known"""
    sent: bool
    """MPI reads it"""
    received: bool
    """MPI writes to it"""
    active: bool
    """MPI may use it now, if the operation is active; False for a partition that was not marked ready"""

class Operation(NamedTuple):
    """A pending operation, with or without a request (core/model/registry.h, struct st_record)."""

    function: str
    """the function that started it: "MPI_Isend"; "" if not known"""
    request: bool
    """`handle` is a request; else the window or file, or 0"""
    handle: int
    comm: int
    """the communicator's handle, or that of the window or file; 0: none"""
    peer: int
    """rank of the peer, or of the root; -1: not known, -2: MPI_ANY_SOURCE, -3: MPI_PROC_NULL"""
    tag: int
    """-1: none, -2: MPI_ANY_TAG"""
    thread: int
    """the thread that started it, the kernel's number; 0: not known"""
    site: int
    """for Registry.site()"""
    active: bool
    """started, and MPI has not reported its completion"""
    possible: bool
    """its end cannot be seen (MPI_Request_free)"""
    persistent: bool
    running: bool
    """the call that makes it has not returned"""
    buffers: Tuple[Buffer, ...]
    variable: int
    """the address that the handle was stored at; 0: not known"""
    complete: Optional[bool]
    """whether MPI itself has completed it, according to its own memory; None: cannot be found out, or the completion was
    reported already"""

class MessageSide(NamedTuple):
    """A send or a receive that is pending (core/waits/state.h, struct st_wait_part)."""

    sends: bool
    function: str
    """the function that started it: "MPI_Irecv" """
    comm: int
    """the communicator's id, the same in all its ranks; 0: not known"""
    comm_name: str
    """ "MPI_COMM_WORLD"; "" if not known"""
    comm_handle: int
    peer: int
    """the other rank in the communicator; -1: not known, -2: MPI_ANY_SOURCE"""
    world: int
    """the same rank in MPI_COMM_WORLD"""
    process: int
    """its gpid, if `world` is a rank"""
    tag: int
    """-1: not known, -2: MPI_ANY_TAG"""
    site: int
    """of a request, for Registry.site(); else -1"""
    handle: int
    """of a request; else 0"""
    thread: int
    """of a blocking call, the kernel's number; else 0"""

class SentMessage(NamedTuple):
    """A message that was sent and not received (core/waits/messages.h)."""

    sender: int
    """the number of the rank in the list that was given"""
    receiver: int
    side: MessageSide
    number: int
    """among those of the sender's to this receiver, on this communicator with this tag; from 1 on"""
    frames: Frames
    data: str
    """ "8 x MPI_INT", "20 bytes"; "": it is not known"""

class Object(NamedTuple):
    """What is known of a handle, except datatypes and requests (core/model/registry.h, struct st_record)."""

    function: str
    """the function that made it: "MPI_Comm_split"; "" if not known, as for MPI_COMM_WORLD"""
    site: int
    """for Registry.site()"""
    name: Optional[str]
    """set by MPI_Comm_set_name or MPI_Win_set_name"""
    size: Optional[int]
    """ranks of a communicator or window; of an intercommunicator, in the remote group; None: not known"""
    rank: Optional[int]
    """the own one"""
    inter: bool
    """an intercommunicator"""
    members: Optional[List[Tuple[int, int, int]]]
    """the ranks of MPI_COMM_WORLD that are its ranks 0, 1, ..., as (first, step, count), 32 of them at most; None: not known,
    or not all of them are in this MPI_COMM_WORLD"""
    grid: Optional[List[Tuple[int, bool, int]]]
    """of a Cartesian communicator, for each dimension: its length, whether it is periodic, the own coordinate"""
    space: Optional[Tuple[int, int, int]]
    """the own memory of a window: base, bytes, bytes of a displacement unit; None: not known, or MPI_Win_create_dynamic"""
    callback: int
    """the address of the program's function of an operation; 0: not known"""

class Epoch(NamedTuple):
    """An epoch of a window that the rank is in (core/model/registry.h, struct st_win_epochs)."""

    kind: str
    """"fence": there was a fence, and nothing has ended its epoch; "used": the same, opened by this one-sided call;
    "access", "exposure" (MPI_Win_start, MPI_Win_post), "lock", "lock all" """
    function: str
    """the function that began it: "MPI_Win_lock"; "" if not known"""
    site: int
    """of that call, for Registry.site()"""
    targets: List[int]
    """ranks: that of a lock, or those of MPI_Win_start; empty if they are all ranks, or not known"""
    exclusive: bool
    """a lock of MPI_LOCK_EXCLUSIVE"""

class Registry:
    """The registry of one rank, decoded on demand and cached until it changes."""

    def __init__(self, read: Read, root: int) -> None:
        """root: address of ROOT_SYMBOL. Raises Error: no registry, another layout version, or unreadable."""
    def refresh(self) -> bool:
        """Reads the root again (one small read). If the rank has changed its types, drops all that may have changed: not
        the addresses of nodes, the predefined types, and the long arrays of types that still exist.
        Types that were returned before stay valid, unchanged. Returns whether anything has changed."""
    def forget(self) -> None:
        """Drops all that was read. To be called if someone else than the rank wrote to its memory."""
    mpi: str  # "MPICH" or "Open MPI"
    mpi_version: str
    state: str  # "loaded", "initialized", "finalized"
    world_rank: Optional[int]
    world_size: Optional[int]
    world: int
    """the name of its MPI_COMM_WORLD in gpids; 0: it has none"""
    arrival: Optional[int]
    """its number among the ranks of its node in the order in which they came; None: it shares no memory with them"""
    handle_bytes: int
    pointer_bytes: int
    live: int
    """derived types that have a handle"""
    types_bytes: int
    ring_bytes: int
    mapped_bytes: int
    reads: int
    """calls of read() so far, and the bytes that they read"""
    bytes_read: int
    def find(self, handle: int) -> Tuple[str, Optional["Type"]]:
        """("live", type), ("freed", the newest tombstone with this handle), or ("unknown", None)."""
    def node(self, ordinal: int, serial: int) -> "Type":
        """The type with this identity. Raises Error if it is gone."""
    def named(self, name: str) -> List["Type"]:
        """The live types with this set name or, for predefined types, this MPI name (exact)."""
    def from_fortran(self, index: int) -> Optional[int]:
        """The handle of the live type with this Fortran handle, or else of the freed one that had it last; None if there is
        none, or if MPI has given the handle of the freed one to another type."""
    def predefined(self) -> List[Tuple[str, int]]:
        """(name, handle) of the predefined types that were recorded when MPI was initialized, MPI_DATATYPE_NULL included.
        Reads little, however many types there are."""
    def types(self) -> Listing:
        """All recorded types: live ones, tombstones, and those that exist only below another; in order of creation. Damaged
        nodes are left out; `damage` then says so. Reads the whole registry, once between two changes."""
    damage: Optional[Error]
    """What types() could not read: "... at node 17 (...); 16 of 40 types read"."""
    def site(self, index: int) -> Frames:
        """A call site, innermost frame first; () for -1."""
    def operations(self) -> Tuple[Optional[Tuple[Operation, ...]], Optional[Error]]:
        """The pending operations, oldest first, and an error if some could not be read. None: nothing is checked in this
        rank. Reads them anew each time."""
    def messages(self) -> Tuple[int, Tuple["MessageSide", ...]]:
        """This process (its gpid), and its pending sends and receives: of requests whose completion was not reported, oldest
        first, and of blocking calls. Reads them anew each time."""
    def object(self, type: str, handle: int) -> Optional[Object]:
        """What is known now of a handle of the type "MPI_Comm", "MPI_Win", "MPI_Op" and so on; None if nothing is. Reads it
        anew each time."""
    def objects(self, type: str) -> Tuple[Optional[List[Tuple[int, Object]]], Optional[Error]]:
        """(handle, what is known of it) for all handles of the type that are alive, oldest first, and an error if some could
        not be read. The type is "MPI_Comm", "MPI_Op" and so on. None: nothing is recorded. Reads them anew each time."""
    def epochs(self) -> List[Tuple[int, List["Epoch"]]]:
        """(handle, its epochs) for all windows that are alive, oldest first. Windows that cannot be read are left out. Reads
        them anew each time."""
    def collectives(self) -> "Collectives":
        """The collective calls of the rank. Reads them anew each time."""
    def since(self, now: Optional[int]) -> Optional[Tuple[Optional[int], Optional[int]]]:
        """The least and the most number of seconds that the rank has been in its calls; None for a bound that is not known.
        now: CLOCK_MONOTONIC in milliseconds; None in a core file or on another machine. None: no `mpipp run` watches it."""
    def reports(self) -> List[Tuple[str, int]]:
        """The findings of the checker, oldest first: the JSON text of each record (report/report.h), and how often it was found."""

    def threads(self) -> List["Thread"]:
        """The threads that have called MPI and have not ended, newest first, as they are now."""
    def form(self, offset: int) -> "Form":
        """The function and parameters of a call: `offset` is its member `form`."""
    def form_of(self, function: str) -> Optional["Form"]:
        """The same for a function, "MPI_Recv"; None if its calls are not recorded."""
    def describe(self, function: str, values: Tuple[int, ...], has_begun: bool = False) -> str:
        """A call in one line: "MPI_Recv from 1, tag 7, MPI_COMM_WORLD" (core/waits/line.h). has_begun: the rank is in the call;
        a
        collective one then has its number: "MPI_Barrier #12 of rows"."""
    def names(self) -> List["Name"]:
        """The names of MPI's constants, except datatypes; empty before MPI_Init."""
    status: "StatusLayout"

class Call(NamedTuple):
    """A call of an MPI function, as its wrapper was called."""

    state: str
    """ "running" or "returned" """
    form: int
    """for Registry.form()"""
    pc: int
    """the address that it returns to"""
    sp: int
    """the stack pointer there"""
    result: Optional[int]
    """None while it runs"""
    values: Tuple[int, ...]
    """the arguments, 64 bits each; further values have no meaning"""
    site: int
    """for Registry.site(): the line of Python, if mpi4py calls; or -1"""
    user: Optional[Tuple[int, int]]
    """where a binding that has called MPI returns to the program, and the stack pointer there; None: no binding called, or
    not known"""

class Thread(NamedTuple):
    """A thread, by the kernel's number in the rank's name space, and its calls, outermost first."""

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
    """The name of a number or a handle: ("MPI_Comm", "MPI_COMM_WORLD", value); see struct st_name."""

    type: str
    name: str
    value: int

class WaitingCall(NamedTuple):
    """Ranks that are in the same call at the same place and wait for the same ranks, in words (core/waits/told.h)."""

    who: str
    """ "ranks 2-7" """
    call: str
    """ "MPI_Recv(source=1, tag=7, MPI_COMM_WORLD)" """
    place: str
    """as the callable returned it"""
    waits: str
    """ "waits for a message from rank 1 with tag 7"; "" if not known"""
    line: str
    """ "ranks 2-7 wait for them in MPI_Barrier(MPI_COMM_WORLD) (main.c:30)" """

class Counted(NamedTuple):
    """A communicator, window or file that is alive, and its collective calls."""

    kind: str
    """ "MPI_Comm", "MPI_Win", "MPI_File" """
    handle: int
    id: int
    """the same in all its ranks, and unique; 0: not known"""
    key: int
    """LoggedCall.comm of its calls; 0: not known"""
    begun: int
    """how many collective calls the rank has begun on it"""
    name: str
    """ "MPI_COMM_WORLD"; "" if it has no name"""
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
    """with the arguments on which the ranks must agree: "MPI_Bcast(data=8 x MPI_DOUBLE, root=0)" """
    digest: int
    """calls of other ranks with the same digest agree with it"""
    frames: Tuple[Union[int, str], ...]
    """where it was made, in the form of Registry.site(); (): not known"""

class WaitingFor(NamedTuple):
    """A collective call that a thread of the rank waits in, or whose request it waits for."""

    comm: int
    """index into Collectives.comms"""
    number: int
    """in the order of the communicator; 0: not known"""
    function: str
    thread: int
    """the kernel's number"""

class Collectives(NamedTuple):
    """The collective calls of a rank."""

    comms: Tuple[Counted, ...]
    waiting: Tuple[WaitingFor, ...]
    calls: Optional[Tuple[LoggedCall, ...]]
    """the last calls, grouped by communicator, in its order; None: they are not recorded"""

class Death(NamedTuple):
    """Ranks that can never go on, for one reason, in words."""

    subject: str
    """ "ranks 0 and 1" """
    message: str
    """ "wait for each other" """
    calls: Tuple[WaitingCall, ...]
    """the calls that they are in"""
    behind: Tuple[WaitingCall, ...]
    """the calls of other ranks that wait for them"""

def sent_messages(ranks: List["Registry"]) -> Tuple[List[SentMessage], List[bool]]:
    """Messages between these ranks of one MPI_COMM_WORLD, in the order in which each pair's were sent; and of each rank
    whether it shows all that it has sent (`mpipp run --check=p2p`). Reads them anew each time."""

def deadlocks(
    ranks: List[Tuple["Registry", Tuple[int, ...]]],
    worlds: Tuple[int, ...],
    place: Callable[[int, int, int, str, bool, Optional[Frames]], str],
) -> List[Death]:
    """Finds ranks that can never go on. ranks: stopped ranks, each once, with the kernel's numbers of
    all of their threads. worlds: the names of their MPI_COMM_WORLDs, the launcher's first. A rank that is not in the list is assumed to run.

    place(rank, thread, site, function, is_short, frames) returns where a call was made, "" if not known. rank: an index
    into `ranks`. function: that made a request, with its site for Registry.site() (-1: not known); "": the call that the
    thread is in. frames: the call site of a message that was sent; else None. is_short: "halo.c:57", else "halo.c:57 in
    exchange". Exceptions of `place` are passed on."""

def named_ranks(numbers: Iterable[int]) -> str:
    """ "rank 0", "ranks 0 and 1", "ranks 0-3,7"."""

def duration(least: Optional[int], most: Optional[int]) -> str:
    """The result of Registry.since() as text: "41 s", "<2 s", ">=41 s", "38-41 s", "-"."""

class StatusLayout(NamedTuple):
    """The size of an MPI_Status, and the offsets of its members, in bytes; 0, 0, 0, 0 before MPI_Init."""

    size: int
    source: int
    tag: int
    error: int

class Type:
    """A recorded datatype, immutable. Keeps the types below it alive."""

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
    """the old type (of all kinds that have exactly one)"""
    basic: Optional[Basic]
    """for a leaf of the type map: NAMED and F90_*"""
    def member(self, name: str) -> int:
        """A number of the constructor: count, blocklength, stride, ndims, size, rank, lb, extent, precision, range.
        (stride: in the constructor's unit.) order: 0 is C, 1 is FORTRAN. F90: an open precision or range is None.
        Raises KeyError if this kind has no such number."""
    def array(self, name: str, start: int = 0, stop: Optional[int] = None) -> bytes:
        """Numbers start..stop of an array of the constructor as int64_t in host order: lengths, offsets (in the
        constructor's unit), sizes, subsizes, starts, gsizes, distribs (0 NONE, 1 BLOCK, 2 CYCLIC), dargs
        (INT64_MIN: default), psizes. Raises KeyError if this kind has no such array."""
    entries: int
    """number of entries: blocks of (h)indexed(_block), members of a struct; dimensions; else 0"""
    def entry_type(self, index: int) -> "Type":
        """The type of a struct's entry; `base` for all other kinds."""
    # In bytes; None if the number does not fit in 64 bits
    size: Optional[int]
    lb: Optional[int]
    ub: Optional[int]
    extent: Optional[int]
    true_lb: Optional[int]
    true_ub: Optional[int]
    true_extent: Optional[int]
    elements: Optional[int]
    """number of basic elements that are sent"""
    depth: int
    """of the meta type-tree: 0 for a basic type"""

class Place:
    """A node of the expanded type-tree (the paper's IV.B) at an address: a type, or one of the intermediate stages
    between a type and its base. Children are computed when asked for; nothing is read."""

    def __init__(self, type: Type, address: int, count: Optional[int] = None) -> None:
        """count None: the type itself; else a stage of `count` repetitions, one extent apart.
        Raises Error for a negative count."""
    type: Type
    """the type that this place belongs to (without DUP)"""
    address: int
    leaf: Optional[Basic]
    """the basic type if this is a leaf"""
    opaque: bool
    """a type whose inside is not known (kind OPAQUE, or a tombstone without its arrays)"""
    struct: bool
    """children are the entries of a STRUCT, to be shown with their indices: {[0] = ..., [1] = ...}"""
    def __len__(self) -> int: ...
    def child(self, index: int) -> "Place":
        """Raises IndexError if out of range; Error if the address does not fit in 64 bits."""
    def fold(self) -> "Tuple[Place, int]":
        """The place that is shown in the place of this one, the first downwards that has not just one child, and the
        number of stages in between. Text and bounds (MPI_LB) keep their list of one."""
    stage: str
    """"type", or an intermediate stage: "block", "dimension", "repetition" """
    alike: bool
    """the children have the same shape: only their addresses differ"""
    run: Optional[Tuple[Basic, int]]
    """(basic, byte stride) if all children are leaves of one basic type at a constant stride"""
    def gather(self, read: Read, start: int, stop: int) -> bytes:
        """The bytes of the children start..stop of a run (or, for a leaf, of itself: 0, 1), packed one after the
        other, each Basic.size bytes. Raises Unreadable with the first address that cannot be read."""
    def path(self) -> str:
        """The path from the root place to here: "[2][5]", "{1}[0]"."""

def visible(text: str, *, lines: bool = False) -> str:
    """The text with replacements for characters that act on a terminal instead of being visible: controls, changes of the
    writing direction, and line ends unless `lines`; also for the surrogates of file names with invalid UTF-8. Texts of a
    rank that this module returns are visible already: this function is for texts from gdb and from the user."""

def stack_is_low() -> bool:
    """Whether three quarters of this thread's stack are used: further recursion may crash."""

def source_line(path: str, address: int) -> Optional[Tuple[str, int]]:
    """The file and the line of an instruction of the program or library at this path; `address` is the one in the file, as
    objdump shows it. None: it has no debug information, or there is no libdw. What was read stays open."""

def forget_source_lines() -> None:
    """Closes the files of source_line(): they may have changed."""

class Element(NamedTuple):
    """A node of the expanded type-tree below a root, and its element address. The root is a type at an address, or a
    repetition of one. Bytes are counted from the root's address, elements in the order in which MPI sends them, all from 0."""

    long: str
    """the address without its T: "{1}(STRUCT)[2][5](MPI_CHAR)" """
    short: str
    """ "{1}[2][5]" """
    place: Place
    type_place: Place
    """the innermost type at or above the node, and the indices from there"""
    way: Tuple[int, ...]
    address: int
    """address of the node's displacement 0; for a pair's member, of the member"""
    basic: Optional[Basic]
    """of a basic element; of a pair's member, its class and size"""
    member: Optional[int]
    """0 .first, 1 .second; None: not a member"""
    # None: the number does not fit in 64 bits
    displacement: Optional[int]
    low: Optional[int]
    """the data is in bytes low..high-1; equal: no data; None: no limit is known"""
    high: Optional[int]
    exact: bool
    """False: OPAQUE types count by their lb and ub"""
    # None: see `unknown`
    number: Optional[int]
    """of the node's first element"""
    byte: Optional[int]
    """its first byte in what MPI sends"""
    elements: Optional[int]
    total: Optional[int]
    """elements of the root"""
    unknown: str
    """why `number` is None: "inside" (an OPAQUE type is before it) or "64 bits"; else "" """
    within: int
    """of locate(): the byte's offset in the element"""

def element(type: Type, address: int, count: Optional[int], text: str, label: str) -> Element:
    """The node that an element address names; `text` is what follows T: "{1}[2][5]". count: number of types, None: any.
    label: the user's name of T, for the sentence of an Error."""

def splits(text: str) -> List[Tuple[str, str]]:
    """(T, the rest) for each place where T may end in an element address, in the order in which to try them. The rest is
    valid, as far as this can be checked without T."""

def locate(
    type: Type, address: int, count: Optional[int], byte: int, most: int, steps: int
) -> Tuple[List[Element], str]:
    """The elements that contain the byte at address `byte`, of a type at an address (count None), or of `count` of it: at
    most `most`, in no particular order. An Element without `basic` is a type whose inside is not known and that may
    contain the byte. The text is "" if these are all, "more" if there are more, "undecided" if `steps` were not enough.
    KeyboardInterrupt is passed on."""

class Entry(NamedTuple):
    """A basic element of a TypeMap, or a type whose inside is not known."""

    number: Optional[int]
    """None after a type whose inside is not known"""
    short: str
    """its element address without T"""
    displacement: Optional[int]
    """None: it does not fit in 64 bits"""
    name: str
    """ "MPI_INT"; "OPAQUE" """
    size: Optional[int]
    """bytes that are sent"""
    opaque: bool

class TypeMap:
    """An iterator over the basic elements of a type, or of `count` of it, in the order in which MPI sends them. It starts
    with number `first`, or, if that is not known, with the type that hides it. Nothing is unrolled. Raises Error if a
    displacement does not fit in 64 bits."""

    def __init__(self, type: Type, count: Optional[int], first: int) -> None: ...
    def __iter__(self) -> "TypeMap": ...
    def __next__(self) -> Entry: ...

class Standing(NamedTuple):
    """The element at a position of a type signature."""

    name: str
    """ "MPI_INT", "F90_REAL(15,307)"; "OPAQUE" """
    opaque: bool
    """a type whose inside is not known"""
    long: Optional[str]
    """its element address without T: "{1}(STRUCT)[0][1](MPI_INT)"; None: not known, or it does not fit in 64 bits"""

class Match(NamedTuple):
    """The result of match(). Index 0 is the first type, 1 the second."""

    verdict: str
    """ "equal", "prefix", "different"; "opaque": equal up to an unknown type; "too long": one has more than 2^63 - 1
    elements; "undecided": the work limit was reached"""
    bytes: bool
    """one is MPI_PACKED: `lengths` and `agreed` are in bytes; else in elements (a pair type has two)"""
    lengths: Tuple[Optional[int], Optional[int]]
    """None: not known"""
    agreed: Optional[int]
    """how many elements are the same, from the first one on"""
    longer: int
    """of "prefix": which of the two is longer"""
    at: Tuple[Optional[Standing], Optional[Standing]]
    """the element of each side that follows what they have in common; None: the side ends there (or they are equal, or in
    bytes)"""
    hashes: str
    """of "undecided": "equal", "different", or "" if not known"""

def match(type1: Type, count1: Optional[int], type2: Type, count2: Optional[int]) -> Match:
    """Compares two type signatures (MPI-4.0, 3.3.1), of one rank or of two. A count of None is 1. KeyboardInterrupt is
    passed on."""

class Diff(NamedTuple):
    """The result of diff(). Elements are those of the type signature, from 0 on: a pair has two."""

    compared: int
    """elements, or bytes"""
    different: int
    """of these"""
    number: Optional[int]
    """number of the first one that differs; None if none does"""
    first: Optional[Tuple[Element, Element]]
    """this element on both sides"""
    sizes: bool
    """the comparison ended at elements of the same type with different sizes"""
    unreadable: Optional[Unreadable]
    """with `path`: why the comparison ended early"""
    side: int
    """the side of `unreadable`: 0, 1"""

Operand = Tuple[Type, int, Optional[int], Read]
"""A buffer: type, address, count, and how its memory is read."""

def diff(one: Operand, other: Operand, most: int, as_bytes: bool = False) -> Diff:
    """Compares the data of two buffers, of one rank or of two: the first `most` elements in the order in which MPI sends
    them; with `as_bytes`, so many bytes. The bytes of elements are compared, without the gaps between them.
    KeyboardInterrupt is passed on; raises Error like Pack."""

class SignatureText(NamedTuple):
    """The text of a type signature."""

    text: str
    """ "(MPI_DOUBLE MPI_CHAR)2 MPI_DOUBLE MPI_CHAR*3"; "" for no elements"""
    elements: int
    """a pair type counts as two, a type whose inside is not known as one"""
    left_out: int
    """of these, those that the ellipsis at the end of the text replaces"""
    known: bool
    """False: it contains a type whose inside is not known"""

def signature_text(type: Type, count: Optional[int], most: int) -> SignatureText:
    """The signature with at most `most` names. Raises Error if there are too many elements or parts. KeyboardInterrupt is
    passed on."""

class Contiguous(NamedTuple):
    """A type that equals the result of MPI_Type_contiguous(count, unit)."""

    unit: Type
    count: int
    # In units; 0 if the copies are not made of chunks of one length and a shorter one
    chunk: int
    chunks: int
    remainder: int
    bigmpi: bool
    """the chunks have INT_MAX units: BigMPI's MPIX_Type_contiguous_x, or a variant of it"""

def contiguous(type: Type) -> Optional[Contiguous]:
    """None if the type is no such repetition, or was made by exactly this call."""

STEPS: int
"""The most work that a debugger may spend on one question about layouts: some seconds; Ctrl-C ends it sooner
(KeyboardInterrupt is passed on). Answers are never guessed: after so many `steps` the answer is "not known"."""

class Block(NamedTuple):
    """A strided block: the bytes displacement + i0 * stride0 + i1 * stride1 + ... + b, where each i is less than its
    count and b less than length."""

    displacement: int
    length: int
    levels: Tuple[Tuple[int, int], ...]
    """(count, stride in bytes), outermost first; (): one contiguous block"""

class Layout:
    """The bytes that a type, or `count` of it, covers, as a set: normalised nested strided blocks. Neither order nor basic
    types are kept, and a byte that is named twice counts once. Displacements are relative to the buffer's address. The
    layout of a type is made once, and shared by the layouts of all types above it."""

    def __init__(self, type: Type, count: Optional[int] = None) -> None: ...
    doubt: str
    """why nothing else is known: "its bytes do not lie within 64 bits", ...; "" if it is"""
    low: Optional[int]
    """the first byte, and the one after the last; equal: no bytes; None: see doubt"""
    high: Optional[int]
    alignment: Optional[Tuple[int, int]]
    """(modulus, remainder): every basic element is aligned, as its size requires, if and only if the address has this
    remainder; None: at no address, or see doubt"""
    def covered(self, steps: int = STEPS) -> Optional[int]:
        """The number of bytes; None: not counted."""
    def pieces(self, steps: int = STEPS) -> Optional[int]:
        """The number of contiguous pieces; None: not counted."""
    def blocks(self, most: int) -> Tuple[List[Block], bool]:
        """The first strided blocks, and whether there are more. A regular type is one block. Only these are unfolded."""
    def runs(self, low: int, high: int, most: int, steps: int = STEPS) -> Tuple[List[Tuple[int, int]], str]:
        """The contiguous pieces (from, to) among bytes low..high-1, cut to these, ascending. Bytes elsewhere cost nothing. The
        text is "" if these are all, "more" if there are more than `most` (if blocks interleave, these need not be the
        first), else why the others are not known."""

class Overlap(NamedTuple):
    """The result of overlap()."""

    overlaps: Optional[bool]
    """None: undecided"""
    doubt: str
    """why it is undecided"""
    address: int
    """some bytes that both cover: `length` from here on, within one element of each; 0: none"""
    length: int
    first: Optional[Element]
    """these elements (in a pair, the member); None: there is none, or it was not found within the steps"""
    second: Optional[Element]
    bytes: Optional[int]
    """number of bytes that both cover; None: not counted"""

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
    """The result of self_overlap()."""

    overlaps: Optional[bool]
    """whether the given count names a byte twice; None: undecided"""
    ever: Optional[bool]
    """whether any count does"""
    doubt: str
    """why one of them is undecided"""
    smallest: Optional[int]
    """the smallest count that does; None: there is none, or not known"""
    low: Optional[int]
    """displacement of `length` bytes that this count names twice, within one element each; None: as above"""
    first: Optional[Element]
    """these elements, in the order of the type map; of the repetition unless `smallest` is 1; None: not found within the
    steps"""
    second: Optional[Element]
    length: int

def self_overlap(type: Type, count: Optional[int], steps: int = STEPS) -> SelfOverlap:
    """Whether a type, or `count` of it, names a byte twice."""

def misaligned(
    type: Type, address: int, count: Optional[int], most: int, steps: int = STEPS
) -> Tuple[List[Element], str]:
    """The first basic elements, in the order of the type map, that are not aligned at their addresses as their sizes
    require: at most `most`, and at most 4096. The text is like that of Layout.runs()."""

class Pack:
    """An iterator over the result of MPI_Pack for a type at an address, or for `count` of it: the basic elements side by
    side, without gaps, in portions of at most 1 MiB. Raises Unreadable with `path`; Error if the inside of a type is not
    known, or if an address does not fit in 64 bits."""

    def __init__(self, type: Type, address: int, count: Optional[int], read: Read) -> None: ...
    def __iter__(self) -> "Pack": ...
    def __next__(self) -> bytes: ...

FormatRun = Callable[[Basic, bytes, int, bool], str]
"""(basic, data, n, is_array): returns gdb's text for n packed elements; is_array False: one scalar, without braces."""

EntryNames = Tuple[Type, int, Tuple[Tuple[int, int], ...], Tuple[Optional[str], ...]]
"""(type, origin, levels, names) of a STRUCT: the names of its entries (None: the index is shown) at the addresses
origin + i0 * stride0 + i1 * stride1 + ..., with i < count; levels: (count, stride), outermost first; count -1: no end."""

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
    stages: bool = True,
    fortran: bool = False,
    brief: bool = False,
    names: Tuple[EntryNames, ...] = (),
) -> str:
    """The text of a buffer as gdb would write it: {[0] = {MPI_LB}, [1] = {1, 2}, [2] = "ab"}.

    elements, repeats, max_depth, pretty, array, array_indexes: gdb's `print ...` settings of the same names;
    -1 is unlimited. With natural=True this function formats numbers (signed, unsigned, float up to double) with
    gdb's digits; format_run formats all else, and with natural=False everything. With stages=False, stages of one
    child are left out (Place.fold). With fortran=True, lists are in parentheses: (1, 2), ( a = 1, b = 2 ),
    and array indices begin at 1. With brief=True the text ends after some thousand letters. names: names for the
    entries of structs, in the place of their indices.
    Raises Unreadable with `partial` set; KeyboardInterrupt is passed on."""

Dims = Tuple[Tuple[int, int], ...]
Field = Tuple[str, int, int, int, Dims]
"""(kind, below, offset, size, dims) of a field of the program. The `below` fields inside it, at any depth, follow it.

kind: "group" (struct, class, derived type), "union", or of a leaf "signed", "unsigned", "enum", "char", "wchar",
"float", "quad", "complex", "quad complex", "bool", "logical", "pointer", "vtable", "descriptor", "bits", "other".
offset: in bytes from the start of the field that contains it. size: bytes of one element. dims: of an array, (count,
bytes between two), outermost first. The first count of the outermost field, or of the last field in it, may be -1: as
far as the datatype reaches."""

Range = Tuple[int, int, int, int, int]
"""(first, last, count, step, run): indices first + i * step + j of one dimension, i < count, j < run; count 0: some
indices from first to last."""

class ComparedRow(NamedTuple):
    """The result for some elements of a field, or for bytes that belong to no field. Numbers are bytes, except elements,
    all and boxes."""

    finding: str
    """"match", "bytes" (MPI_BYTE, MPI_PACKED), "unknown", "not sent", "elsewhere" (an absolute address); mismatches:
    "wrong type", "wrong offset", "inside" (the rest of an element that begins before the field), "piece" (some bytes of
    the field), "no type" (a pointer, ...), "padding", "before", "beyond" (the object)"""
    why: str
    """wrong type: "class", "size", "sign", "format" """
    kind: str
    """as in Field, or "padding" """
    field: Optional[int]
    """index; for padding, that of the field around it; None: outside of the object"""
    offset: int
    """of the row's first element"""
    size: int
    """of one element; outside: from the first byte to the last"""
    basic: Optional[Basic]
    """what is sent there; None: nothing"""
    member: Optional[int]
    """the number of a pair's member: 0, 1"""
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
    """bytes of the field's element that it is over"""
    again: bool
    """some elements are sent more than once"""
    all: int
    """number of elements of the field, over all arrays around it"""
    elements: int
    """number of elements of the row"""
    boxes: int
    """number of boxes of indices of these elements"""
    where: Optional[Tuple[Tuple[Range, ...], ...]]
    """the first boxes, a Range for each dimension (trailing ones with just one index may be missing); None: too expensive;
    `elements` is then a bound, a lower one for "not sent", else an upper one"""
    first: Optional[str]
    last: Optional[str]
    """what follows the type in the addresses of the MPI elements over the row's first and last element (equal unless the
    row is one box): "{1}[0][3]"; None: not found"""

class Comparison(NamedTuple):
    """The result of compare(). A field is a leaf of the program's type; an array or a union counts as one."""

    rows: List[ComparedRow]
    fields: int
    different: int
    not_sent: int
    """no byte of it is sent"""
    in_part: int
    """arrays of which some elements are not sent"""
    as_bytes: int
    unknown: int
    """fields, and parts of the datatype, that cannot be compared"""
    padding: bool
    outside: bool
    complete: bool
    """if False, only `compared` elements of the datatype were compared"""
    compared: int
    absolute: bool
    """the datatype has absolute addresses and was compared from MPI_BOTTOM"""
    size: int
    """of the object"""
    element: int
    """of one element of it"""

def compare(type: Type, fields: List[Field], count: int = 1, address: int = 0, start: int = 0) -> Comparison:
    """Compares `count` of a datatype with an object of the program at `address` (0: not known); the buffer begins at byte
    `start` of the object. Nothing is unrolled: arrays and repetitions are compared as strides.
    Raises Error if a size does not fit in 64 bits, or if there are more than 12 dimensions."""
