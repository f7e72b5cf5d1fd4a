# SPDX-License-Identifier: BSD-3-Clause
"""What the checker needs to know of a call: calls.table, compared with the installed mpi.h.

For each function it writes one `struct st_form` (runtime/wrap/facts.h), and the code of its wrapper that
passes the arguments on: as 64-bit numbers, in order.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from constants import KINDS
from mpi_header import BuildError, Function, Parameter

# Functions with a handle among their parameters that need no check.
UNCHECKED = re.compile(r"T_|\w+_(c2f|f2c)$|Status_|Abort$|\w*_errhandler$")

# How a function uses the buffer of buffered sends.
ATTACHED = {"buffered": "NEEDED", "later": "LATER", "attach": "NEW", "detach": "GONE", "otherwise": "OTHERWISE"}
# Functions that MPI-4 allows before MPI_Init, after MPI_Finalize and in any thread: conversions of handles, info objects,
# error handlers and classes, sessions, MPI_T. Some are not in its list, or not in all versions, but are harmless.
ANYWHERE = re.compile(
    r"\w+_(c2f|f2c|c2f08|f082c|f082f|f2f08)$|Info_|Session_|T_|Errhandler_|\w+_create_errhandler$"
    r"|(Add|Remove)_error_|Error_(class|string)$|Initialized$|Finalized$|Query_thread$|Is_thread_main$"
    r"|Get_(library_)?version$|Get_hw_resource_info$|Abi_|\w+_(from|to)int$"
    r"|MPIX_|Wtime$|Wtick$|Aint_|Get_address$|Address$|Pcontrol$|Abort$|(?i:\w*(dup|null_copy|null_delete|conversion_fn_null)\w*_fn)"
)

QUALIFIERS = {"root": "ST_AT_ROOT", "leaf": "ST_AT_LEAF", "member": "ST_AT_MEMBER"}
BUFFERS = {"read": "ST_READ", "write": "ST_WRITE", "bcast": "ST_BCAST", "swap": "ST_READ", "there": "0"}
RANKS = ("dest", "source", "target", "message")
COMMS = ("comm", "intra", "inter", "cart", "graph", "distgraph")
ROLE_WORDS = 2  # ST_ROLE_WORDS
KIND_NAMES = {"comm", "group", "op", "win", "file", "info", "errhandler", "keyval", "type"}
ROLES = (
    "- read write bcast swap there count counts displs type types dest source target root rank "
    "tag anytag comm intra inter cart graph distgraph op accumulate win file n request+ persistent+ flag index outcount "
    "indices done dones start starts cancel release ask pready arrived partition partitions message typed typeds size sizes array ndims "
    "extents subsizes starts_at order procs me dims distribs dargs grid base bases commit view "
    "later memory unmemory names status statuses weights errcodes argv argvs undefined split_type lock "
    "room bytes one_there handle optional members opt must list given adopt adopts "
    "ranges translated subgroup color mode unit offset whence position peer leader infokey infovalue dimensions cartdims givendims direction coords "
    "nodes nodeindex edges degrees neighbours keyval readkey fulfil"
).split()
# Pointers with one of these roles must not be null; nor must those that return or take back a handle.
MUST = ("must", "flag", "index", "outcount", "done", "start", "cancel", "release", "message", "memory", "later",
        "commit", "names", "infokey", "infovalue", "position")
LISTS = ("list", "dones", "starts", "members", "indices", "partitions", "weights", "statuses",
         "ranges", "translated", "cartdims", "givendims", "coords", "nodeindex", "degrees", "neighbours")
LENGTHS = ("n", "dimensions", "nodes")


@dataclass
class Part:
    """A buffer with its count and type."""

    buffer: int = -1
    count: int = -1
    displs: int = -1
    type: int = -1
    peer: int = -1
    times: int = -1
    access: str = "0"
    when: str = "ST_ALWAYS"
    in_place: str = "ST_NEVER"
    counts: bool = False
    types: bool = False
    each: bool = False
    not_first: bool = False
    first: int = 0  # its index in the line


@dataclass
class Needed:
    """Why a pointer must not be null."""

    why: str = "ST_NEEDED_NOT"
    length: int = -1  # the parameter with the number of members
    at_root: bool = False


@dataclass
class Entry:
    roles: list[str]
    parts: list[Part] = field(default_factory=list)
    collective: int = -1  # the communicator that its calls are counted on
    identity: str = "NONE"  # how the id of a new communicator is derived


def is_role(word: str) -> bool:
    bare = word.split(":")[0]
    return bare in ROLES or (bare[-1:] in "+-?" and bare[:-1] in KIND_NAMES)


def parts_of(words: list[str]) -> list[Part]:
    parts: list[Part] = []
    waiting: list[Part] = []  # buffers that have no type yet
    for i, word in enumerate(words):
        bare, *qualifiers = word.split(":")
        if bare in BUFFERS:
            part = Part(access=BUFFERS[bare], first=i)
            if bare != "there":
                part.buffer = i
            for qualifier in qualifiers:
                if qualifier in QUALIFIERS:
                    part.when = QUALIFIERS[qualifier]
                elif qualifier == "each":
                    part.each = True
                elif qualifier == "notfirst":
                    part.not_first = True
                elif qualifier in ATTACHED:
                    pass
                else:
                    part.in_place = {"inplace": "ST_EVERYWHERE", "inplace-root": "ST_AT_THE_ROOT"}[qualifier]
            if bare == "there" and waiting:
                waiting = []
            waiting.append(part)
            parts.append(part)
        for part in waiting:
            if bare in ("count", "counts"):
                part.count, part.counts = i, bare == "counts"
            elif bare == "displs":
                part.displs = i
            elif bare == "n":
                part.times = i
            elif bare in ("type", "types"):
                part.type, part.types = i, bare == "types"
        if bare in ("type", "types"):
            waiting = []
    ranks = [i for i, word in enumerate(words) if word in RANKS]
    for part in parts:
        after = [i for i in ranks if i > part.first]
        part.peer = (after or ranks[-1:] or [-1])[0]
    if "swap" in words:
        (read,) = parts
        parts.append(Part(**{**read.__dict__, "access": "ST_WRITE", "peer": ranks[-1]}))
    return parts


IDENTITIES = {"child": "CHILD", "members": "MEMBERS", "pair": "PAIR", "met": "MET",
              "spawned": "SPAWNED", "parent": "PARENT"}


def entry_from(words: list[str]) -> Entry:
    """The roles of a line, without those of communicators' ids."""
    entry = Entry([])
    for i, word in enumerate(words):
        bare, colon, qualifier = word.rpartition(":")
        if colon and qualifier == "collective":
            entry.collective, word = i, bare
        elif colon and qualifier in IDENTITIES:
            entry.identity, word = IDENTITIES[qualifier], bare
        entry.roles.append(word)
    entry.parts = parts_of(entry.roles)
    return entry


def collective_comm(function: Function, entry: Entry) -> str:
    """The communicator that a call is counted on, as a number; "" if there is none."""
    if entry.collective < 0:
        return ""
    parameter = function.parameters[entry.collective]
    name = parameter.name
    return f"{name} ? ST_VALUE(*{name}) : 0" if is_pointer(parameter) else value(parameter)


def read_table(path: str) -> dict[str, Entry]:
    table = {}
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            words = line.split("#")[0].split()
            if not words:
                continue
            name, roles = words[0], words[1:]
            for word in roles:
                if not is_role(word):
                    raise BuildError(f"{path}:{number}: '{word}' is no role")
            table[name] = entry_from(roles)
    return table


# The parameter type that a role requires; the other roles allow any.
NEEDS = {
    **dict.fromkeys(COMMS, r"MPI_Comm"), "type": r"MPI_Datatype", "op": r"MPI_Op", "request+": r"MPI_Request \*",
    "persistent+": r"MPI_Request \*", "read": r".*\*", "write": r".*\*", "count": r"int|MPI_Count",
    "comm+": r"MPI_Comm \*", "group+": r"MPI_Group \*", "info+": r"MPI_Info \*",
}


def agrees(entry: Entry, function: Function) -> bool:
    """Whether an extension has the parameters of the standard's function."""
    return len(entry.roles) == len(function.parameters) and all(
        re.fullmatch(NEEDS.get(role.split(":")[0], ".*"), p.type) for role, p in zip(entry.roles, function.parameters)
    )


def is_array(parameter: Parameter) -> bool:
    return "[" in parameter.text


def adopted(function: Function) -> Entry | None:
    """The roles in an unknown function: the handles that it may return, or end."""
    roles = ["opt" if is_pointer(parameter) else "-" for parameter in function.parameters]
    if function.result != "int" or UNCHECKED.match(function.name) or function.name.endswith(("_fn", "_function", "_FN")):
        return None
    for i, parameter in enumerate(function.parameters):
        base = base_type(parameter)
        is_counted = i > 0 and function.parameters[i - 1].type == "int"
        if base == "MPI_Request" and is_array(parameter) and is_counted and "adopts" not in roles:
            roles[i] = "adopts"
        elif (base in KINDS or base == "MPI_Datatype") and parameter.type == f"{base} *" and not is_array(parameter):
            roles[i] = "adopt"
    return Entry(roles) if any(role.startswith("adopt") for role in roles) else None


def entry_of(table: dict[str, Entry], function: Function, recorded: bool) -> Entry | None:
    """The roles of a function; recorded: record_part.py knows it."""
    entry = table.get(function.name) or table.get(function.stem)
    if not entry and function.public == function.name:
        entry = table.get(function.stem.removeprefix("MPIX_"))
        entry = entry if entry and agrees(entry, function) else None
    if not entry:
        return None if recorded else adopted(function)
    if entry and len(entry.roles) != len(function.parameters):
        raise BuildError(
            f"mpi.h: '{function.public}' has {len(function.parameters)} parameters,"
            f" calls.table knows {len(entry.roles)}"
        )
    if entry:
        entry = Entry([implied(function, *pair) for pair in zip(entry.roles, function.parameters)],
                      entry.parts, entry.collective, entry.identity)
    if entry and all(word == "-" for word in entry.roles) and not pointers(function, entry):
        return None
    return entry


def is_result(parameter: Parameter) -> bool:
    """Whether it is a pointer through which MPI writes: not a callback, and not void *, which may be anything."""
    base = base_type(parameter)
    return (
        is_pointer(parameter)
        and "const" not in parameter.type
        and base != "void"
        and not re.search(r"function|_fn\b|errhandler_f", base)
        and parameter.type.count("*") == 1
    )


def needed(function: Function, entry: Entry, number: int) -> Needed:
    """Why parameter `number` must not be null."""
    bare, *qualifiers = entry.roles[number].split(":")
    parameter = function.parameters[number]
    if not is_pointer(parameter) or "opt" in (bare, *qualifiers):
        return Needed()
    if bare in LISTS:
        lengths = [i for i, word in enumerate(entry.roles[:number]) if word in LENGTHS]
        given = [int(q[2:]) for q in qualifiers if q.startswith("of")]
        if "dims" in qualifiers:
            return Needed("ST_NEEDED_DIMENSIONS")
        if not (given or lengths):
            raise BuildError(f"calls.table: '{function.name}' says nowhere how long '{parameter.name}' is")
        why = "ST_NEEDED_STATUSES" if bare == "statuses" else "ST_NEEDED_MEMBERS"
        return Needed(why, (given or lengths[-1:])[0])
    if bare in ("status", "given"):
        return Needed("ST_NEEDED_" + bare.upper())
    makes = any(word in ("base", "bases") for word in entry.roles)
    gives = bare[-1] in "+-?" and bare not in ("-", "type+" if makes else "-")
    if gives or bare in MUST or (bare == "-" and is_result(parameter)):
        return Needed("ST_NEEDED_ALWAYS", at_root="root" in qualifiers)
    return Needed()


def pointers(function: Function, entry: Entry) -> int:
    """A bit for each parameter that must not be null."""
    return sum(1 << i for i in range(len(entry.roles)) if needed(function, entry, i).why != "ST_NEEDED_NOT")


# The info argument is significant only at the root.
AT_ROOT = re.compile(r"Comm_(spawn|spawn_multiple|accept|connect)$")


def implied(function: Function, role: str, parameter: Parameter) -> str:
    """A handle that has no role is in use, or null."""
    is_handle = parameter.type in ("MPI_Info", "MPI_File", "MPI_Errhandler")
    return "optional" if role == "-" and is_handle and not AT_ROOT.match(function.name) else role


def unknown_functions(table: dict[str, Entry], functions: dict[str, Function]) -> list[str]:
    """Functions of the standard with a datatype, a request or a communicator that nothing checks."""
    watched = re.compile(r"\bMPI_(Datatype|Request|Comm)\b")
    return sorted(
        name
        for name, function in functions.items()
        if function.public != name
        and name not in table
        and function.stem not in table
        and not UNCHECKED.match(name)
        and any(watched.search(p.type) for p in function.parameters)
    )


def base_type(parameter: Parameter) -> str:
    return parameter.type.replace("const", "").replace("*", "").strip()


NUMBERS = ("int", "unsigned", "long", "size_t", "MPI_Aint", "MPI_Count", "MPI_Offset", "MPI_Fint")


def is_pointer(parameter: Parameter) -> bool:
    return "*" in parameter.type


def value(parameter: Parameter) -> str:
    if is_pointer(parameter):
        return f"(uint64_t)(uintptr_t){parameter.name}"
    base = base_type(parameter)
    if base in NUMBERS:
        return f"(uint64_t)(int64_t){parameter.name}"
    return f"ST_VALUE({parameter.name})" if base.startswith("MPI_") else "0"  # a type of an extension


def role_name(word: str) -> str:
    bare = word.split(":")[0]
    if bare == "-":
        return "ST_ROLE_NONE"
    if bare in ("request+", "persistent+"):
        return "ST_ROLE_NEW_" + bare[:-1].upper()
    if bare[-1] in "+-?":
        return {"+": "ST_ROLE_GIVES", "-": "ST_ROLE_TAKES", "?": "ST_ROLE_SHOWS"}[bare[-1]]
    return "ST_ROLE_" + ("KEYVAL" if bare == "readkey" else bare.upper())


def kind_of(word: str, parameter: Parameter) -> str:
    """The kind of handle that a parameter is, or points to."""
    bare = word.split(":")[0]
    if bare in ("keyval", "keyval+", "keyval-", "readkey"):
        return "ST_KIND_KEYVAL"
    base = base_type(parameter)
    if base == "MPI_Datatype":
        return "ST_KIND_TYPE"
    if base in KINDS:
        return f"ST_KIND_{KINDS[base]}"
    return "ST_KIND_NONE"


def parameter_row(function: Function, entry: Entry, number: int) -> str:
    word, parameter = entry.roles[number].split(":")[0], function.parameters[number]
    null = needed(function, entry, number)
    pointer = "true" if is_pointer(parameter) else "false"
    base = base_type(parameter)
    if base in ("void", "char") or "function" in base or "[" in base or base.startswith("MPI_F08"):
        width = "0"
    else:
        width = f"sizeof({base})"
    return (
        f'{{"{parameter.name.rstrip("_")}", {role_name(word)}, {kind_of(word, parameter)}, {pointer}, {width}, '
        f"{null.why}, {null.length}, {'true' if null.at_root else 'false'}}}"
    )


def part_row(part: Part) -> str:
    flag = {True: "true", False: "false"}
    return (
        f"{{{part.buffer}, {part.count}, {part.displs}, {part.type}, {part.peer}, {part.access}, "
        f"{part.when}, {part.in_place}, {flag[part.counts]}, {flag[part.types]}, {part.times}, "
        f"{flag[part.each]}, {flag[part.not_first]}}}"
    )


def find(words: list[str], *wanted: str) -> int:
    return next((i for i, word in enumerate(words) if word in wanted), -1)


def role_bits(words: list[str], number: int) -> str:
    """The roles of a function's parameters that have their bits in this word of st_form.roles."""
    return " | ".join(f"ST_ROLE_BIT({number}, {name})" for name in sorted({role_name(word) for word in words}))


def ends(entry: Entry) -> int:
    """The window or file whose operations end with the call."""
    return next((i for i, word in enumerate(entry.roles) if word.endswith(":ends")), -1)


def lasts(function: Function, entry: Entry) -> str:
    """How long MPI may use the buffers."""
    if any(word in ("request+", "persistent+") for word in entry.roles):
        return "ST_LASTS_REQUEST"
    if "win" in entry.roles:
        return "ST_LASTS_EPOCH"
    return "ST_LASTS_SPLIT" if function.stem.endswith("_begin") else "ST_LASTS_CALL"


AFTER = (
    "done", "dones", "start", "starts", "release", "ask", "pready", "arrived", "memory", "names", "adopt", "adopts"
)


def attached(entry: Entry) -> str:
    """How the call uses the buffer of buffered sends."""
    return next((ATTACHED[q] for word in entry.roles for q in word.split(":")[1:] if q in ATTACHED), "NOT")


def needs_after(entry: Entry) -> bool:
    attaches = "win" in entry.roles and "room" in entry.roles  # MPI_Win_attach
    return attaches or ends(entry) >= 0 or attached(entry) in ("NEW", "GONE", "OTHERWISE") or any(
        word[-1] in "+-?" and word != "-" and word not in ("type+", "type-")
        or word in AFTER
        for word in entry.roles
    )


SYNCS = {
    "Win_flush_local_all": "FLUSH_ALL",
    **{f"Win_{name}": name.upper() for name in (
        "flush", "flush_local", "flush_all", "fence", "start", "complete", "post", "wait", "test", "lock", "unlock",
        "lock_all", "unlock_all", "free")},
}


def sync(function: Function, entry: Entry) -> str:
    """What the call does to the epochs of a window."""
    if any(word in ("there", "one_there") for word in entry.roles):
        return "REQUEST" if "request+" in entry.roles else "ACCESS"
    return SYNCS.get(function.stem, "NONE")


def with_statuses(entry: Entry, arguments: list[str], checked: str = "checked") -> list[str]:
    """The arguments for MPI: a check may pass statuses where the program passes none. checked: the struct st_checked."""
    return [
        f"ST_STATUSES({checked}, {argument})" if role in ("status", "statuses") else argument
        for role, argument in zip(entry.roles, arguments)
    ]


def begins_access(function: Function, entry: Entry) -> bool:
    """Whether it accesses a window with one buffer of its own (check/quick_access.c): MPI_Put, MPI_Get, MPI_Accumulate."""
    own, there = entry.parts if len(entry.parts) == 2 else (None, None)
    is_access = "there" in entry.roles and lasts(function, entry) == "ST_LASTS_EPOCH"
    return bool(own and own.buffer >= 0 and there.buffer < 0 and is_access)


def form(function: Function, entry: Entry, number: int, line: int, is_quick_message: bool) -> str:
    """line: the offset of its line in the text of forms."""
    words = [word.split(":")[0] for word in entry.roles]
    rows = ",\n    ".join(parameter_row(function, entry, i) for i in range(len(words)))
    text = f"static const struct st_parameter parameters_{function.name}[] = {{\n    {rows}}};\n"
    parts = "NULL"
    if entry.parts:
        parts = f"parts_{function.name}"
        rows = ",\n    ".join(part_row(part) for part in entry.parts)
        text += f"static const struct st_part {parts}[] = {{\n    {rows}}};\n"
    numbers = ", ".join(
        f".{name} = {find(words, *roles)}"
        for name, roles in (
            ("comm", COMMS),
            ("win", ("win",)),
            ("root", ("root",)),
            ("op", ("op", "accumulate")),
            ("file", ("file",)),
            ("tag", ("tag", "anytag")),
            ("n", ("n",)),
            ("room", ("room",)),
            ("room_bytes", ("bytes",)),
            ("target", ("target",)),
            ("there", ("there", "one_there")),
        )
    )
    numbers += f", .collective = {entry.collective}, .identity = ST_IDENTITY_{entry.identity}"
    numbers += f", .attached = ST_ATTACHED_{attached(entry)}, .sync = ST_SYNC_{sync(function, entry)}"
    numbers += f", .ends = {ends(entry)}, .lasts = {lasts(function, entry)}"
    waits = ", .neighbours = true" if "eighbor_" in function.name else ""
    combiner = ", .is_constructor = true" if "base" in words or "bases" in words else ""
    combiner += ", .is_view = true" if "view" in words else ""
    combiner += ", .is_ready = true" if re.match(r"I?rsend(_init)?(_c)?$", function.name, re.I) else ""
    combiner += ", .quick_message = true" if is_quick_message else ""
    combiner += ", .quick_access = true" if begins_access(function, entry) else ""
    combiner += ", .is_anywhere = true" if ANYWHERE.match(function.name) else ""
    roles = ", ".join(role_bits(words, number) for number in range(ROLE_WORDS)) if words else "0"
    return (
        f"{text}static const struct st_form form_{function.name} = {{\n"
        f'    .name = "{function.public}", .number = {number}, .line = {line}, .parameters = parameters_{function.name}, '
        f".parameter_count = {len(words)},\n    .parts = {parts}, .part_count = {len(entry.parts)},\n"
        f"    .roles = {{{roles}}},\n"
        f"    .pointers = {pointers(function, entry):#x},\n"
        f"    {numbers}{waits}{combiner}}};\n"
    )


def values(function: Function) -> str:
    return ", ".join(value(p) for p in function.parameters) or "0"
