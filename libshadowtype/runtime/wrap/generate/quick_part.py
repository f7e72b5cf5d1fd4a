# SPDX-License-Identifier: BSD-3-Clause
"""The quick path: under this condition nothing can be wrong with a call, and its wrapper calls MPI at once
(runtime/check/quick.h). It is worked out from the roles of calls.table."""

from __future__ import annotations

from check_part import COMMS, NUMBERS, Entry, Part, attached, base_type, find, is_pointer, needed, value
from mpi_header import Function

# The condition for each role under which nothing can be wrong with the parameter. {0} is the parameter's name, {1}
# the parameter as a number, {comm} the function's communicator as a number. An empty text: no condition. The conditions
# of ranks and buffers cover the other roles: communicator, count, datatype, operation.
QUICK = {
    "dest": "st_quick_rank({0}, {comm})",
    "root": "st_quick_rank({0}, {comm})",
    "source": "st_quick_source({0}, {comm})",
    "tag": "st_quick_tag({0})",
    "anytag": "st_quick_anytag({0})",
    "comm": "st_quick_comm({1}, false)",
    "intra": "st_quick_comm({1}, true)",
    "typed": "st_quick_type({1})",
    "base": "st_quick_type({1})",
    "size": "st_quick_number({0})",
    "type+": "{0}",
    "must": "",
    "opt": "",
    "-": "",
    "readkey": "{0} != MPI_KEYVAL_INVALID",
    "undefined": "",
    "status": "st_quick_status({0})",
    "given": "st_quick_given({0})",
    "commit": "{0} && st_quick_without(ST_VALUE(*{0}), ST_COMMITTED | ST_PREDEFINED)",
    "type-": "{0} && st_quick_without(ST_VALUE(*{0}), ST_PREDEFINED)",
    "request+": "{0} && ST_VALUE(*{0}) == st_quick.request_null",
}
RANKED = ("dest", "source", "root")


def is_plain(part: Part) -> bool:
    """Whether the part has blocks of `count` elements: one, or one for each rank."""
    arrays = part.counts or part.types or part.displs >= 0 or part.times >= 0
    return part.buffer >= 0 and part.count >= 0 and part.type >= 0 and not arrays


# The condition for collective calls with two buffers, by what they say of each: access, MPI_IN_PLACE, where it is used,
# and whether it has a block for each rank.
QUICK_BLOCKS = {
    (("ST_READ", "ST_AT_THE_ROOT", "ST_AT_LEAF", False), ("ST_WRITE", "ST_NEVER", "ST_AT_ROOT", True)): "gathered({}, {root}, {comm})",
    (("ST_READ", "ST_NEVER", "ST_AT_ROOT", True), ("ST_WRITE", "ST_AT_THE_ROOT", "ST_AT_LEAF", False)): "scattered({}, {root}, {comm})",
    (("ST_READ", "ST_EVERYWHERE", "ST_ALWAYS", False), ("ST_WRITE", "ST_NEVER", "ST_ALWAYS", True)): "from_all({}, {comm}, false)",
    (("ST_READ", "ST_EVERYWHERE", "ST_ALWAYS", True), ("ST_WRITE", "ST_NEVER", "ST_ALWAYS", True)): "from_all({}, {comm}, true)",
    (("ST_READ", "ST_AT_THE_ROOT", "ST_AT_LEAF", False), ("ST_WRITE", "ST_NEVER", "ST_AT_ROOT", False)):
        "reduced_at({}, {op}, {root}, {comm})",
    (("ST_READ", "ST_EVERYWHERE", "ST_ALWAYS", True), ("ST_WRITE", "ST_NEVER", "ST_ALWAYS", False)): "reduced_blocks({}, {op}, {comm})",
}


def quick_blocks(entry: Entry, bare: list[str], numbers: list[str]) -> tuple[str, set[int]] | None:
    """The condition for a collective call on MPI_Comm with blocks for ranks, and the parameters that it covers but the root."""
    shape = tuple((part.access, part.in_place, part.when, part.each) for part in entry.parts)
    condition = QUICK_BLOCKS.get(shape)
    if condition is None or entry.collective < 0 or bare[entry.collective] != "comm":
        return None
    if not all(is_plain(part) for part in entry.parts) or ("op" in bare) != ("{op}" in condition) or ("root" in bare) != ("{root}" in condition):
        return None
    first, second = entry.parts
    arguments = [first.buffer, first.count, first.type, second.buffer, second.count, second.type]
    if "op" in bare:
        if (first.count, first.type) != (second.count, second.type):
            return None
        arguments = [first.buffer, second.buffer, first.count, first.type]
    names = {role: numbers[find(bare, role)] for role in ("op", "root", "comm") if role in bare}
    about = {*arguments, entry.collective} | ({find(bare, "op")} if "op" in bare else set())
    return "st_quick_" + condition.format(", ".join(numbers[i] for i in arguments), **names), about


# The condition for collective calls with a count and a displacement for each rank, by what they say of each of the two
# buffers: access, MPI_IN_PLACE, where it is used, and whether it has such arrays (runtime/check/quick_arrays.h).
QUICK_ARRAYS = {
    (("ST_READ", "ST_AT_THE_ROOT", "ST_AT_LEAF", False), ("ST_WRITE", "ST_NEVER", "ST_AT_ROOT", True)): "gathered_arrays({}, {root}, {comm})",
    (("ST_READ", "ST_NEVER", "ST_AT_ROOT", True), ("ST_WRITE", "ST_AT_THE_ROOT", "ST_AT_LEAF", False)): "scattered_arrays({}, {root}, {comm})",
    (("ST_READ", "ST_EVERYWHERE", "ST_ALWAYS", False), ("ST_WRITE", "ST_NEVER", "ST_ALWAYS", True)): "exchanged_arrays({}, {comm})",
    (("ST_READ", "ST_EVERYWHERE", "ST_ALWAYS", True), ("ST_WRITE", "ST_NEVER", "ST_ALWAYS", True)): "exchanged_arrays({}, {comm})",
}


def quick_side(part: Part, numbers: list[str]) -> str:
    """One side of such a call, for C."""
    arguments = [part.buffer, part.count, *([part.displs] if part.counts else []), part.type]
    return f"ST_QUICK_{'ARRAYS' if part.counts else 'BLOCK'}({', '.join(numbers[i] for i in arguments)})"


def quick_arrays(entry: Entry, bare: list[str], numbers: list[str]) -> tuple[str, set[int]] | None:
    """As quick_blocks()."""
    parts = entry.parts
    shape = tuple((part.access, part.in_place, part.when, part.counts) for part in parts)
    condition = QUICK_ARRAYS.get(shape)
    if condition is None or entry.collective < 0 or bare[entry.collective] != "comm" or "op" in bare:
        return None
    if any(part.each or part.types or part.counts != (part.displs >= 0) for part in parts) or ("root" in bare) != ("{root}" in condition):
        return None
    names = {role: numbers[find(bare, role)] for role in ("root", "comm") if role in bare}
    about = {i for part in parts for i in (part.buffer, part.count, part.displs, part.type) if i >= 0} | {entry.collective}
    return "st_quick_" + condition.format(", ".join(quick_side(part, numbers) for part in parts), **names), about


def quick_buffers(entry: Entry, bare: list[str], numbers: list[str]) -> tuple[str, set[int]] | None:
    """The condition for all buffers, and the parameters that it covers; None if there is no such condition."""
    parts = entry.parts
    if not parts:
        return "", set()
    blocks = quick_blocks(entry, bare, numbers) or quick_arrays(entry, bare, numbers)
    if blocks or not all(is_plain(part) and not part.each for part in parts):
        return blocks
    first = parts[0]
    about = {first.buffer, first.count, first.type}
    if len(parts) == 1 and first.in_place == "ST_NEVER" and set(bare) & set(RANKED):
        access = "ST_READ" if first.access == "ST_READ" else "ST_WRITE"
        buffer, count, type_ = numbers[first.buffer], numbers[first.count], numbers[first.type]
        data = f"st_quick_data({buffer}, {count}, {type_}, {access})"
        if first.access == "ST_BCAST":  # Fortran's MPI_IN_PLACE is another address
            data += f" && !st_is_in_place((uint64_t)(uintptr_t){buffer})"
        return data, about
    exchange = [(part.access, part.in_place, part.when) for part in parts]
    if exchange == [("ST_READ", "ST_NEVER", "ST_ALWAYS"), ("ST_WRITE", "ST_NEVER", "ST_ALWAYS")] and {"dest", "source"} <= set(bare):
        arguments = [number for part in parts for number in (part.buffer, part.count, part.type)]
        if first.buffer == parts[1].buffer:  # the received data replace the sent ones
            return f"st_quick_data({', '.join(numbers[i] for i in arguments[:3])}, ST_WRITE)", about
        return f"st_quick_apart({', '.join(numbers[i] for i in arguments)})", set(arguments)
    both = [(part.access, part.in_place, part.when, part.count, part.type) for part in parts]
    reduction = [
        ("ST_READ", "ST_EVERYWHERE", "ST_ALWAYS", first.count, first.type),
        ("ST_WRITE", "ST_NEVER", "ST_ALWAYS", first.count, first.type),
    ]
    if both == reduction and "op" in bare:
        op, comm = find(bare, "op"), find(bare, *COMMS)
        about |= {parts[1].buffer, op, comm}
        arguments = [first.buffer, parts[1].buffer, first.count, first.type, op, comm]
        intra = "true" if bare[comm] == "intra" else "false"
        return f"st_quick_reduced({', '.join(numbers[i] for i in arguments)}, {intra})", about
    return None


def quick_condition(function: Function, entry: Entry) -> str:
    """The condition under which nothing can be wrong: such calls take the quick path. Empty if a role has no condition."""
    bare = [word.split(":")[0] for word in entry.roles]
    numbers = [value(p) for p in function.parameters]
    buffers = quick_buffers(entry, bare, [
        p.name if is_pointer(p) or base_type(p) in NUMBERS else number for p, number in zip(function.parameters, numbers)
    ])
    ranked = set(bare) & set(RANKED)
    # A request on the quick path (check/quick_request.c) has one buffer, and one peer.
    is_request = "request+" in bare and not (len(entry.parts) == 1 and ranked & {"dest", "source"})
    if attached(entry) != "NOT" or buffers is None or is_request:
        return ""
    makes = "base" in bare and "size" in bare
    comm = find(bare, *COMMS)
    conditions = []
    for i, word in enumerate(bare):
        if i in buffers[1] or (i == comm and ranked and word == "comm"):
            continue
        if word not in QUICK:
            return ""
        name = function.parameters[i].name
        condition = QUICK[word].format(name, numbers[i], comm=numbers[comm])
        if word in ("-", "must") and needed(function, entry, i).why == "ST_NEEDED_ALWAYS":
            condition = name
        elif word == "-" and makes:
            condition = f"st_quick_stride({name})"
        if condition:
            conditions.append(condition)
    if buffers[0]:
        conditions.append(buffers[0])
        conditions += [] if "request+" in bare else ["st_quick_alone()"]
    return " && ".join(conditions)


def sends_quick(function: Function, entry: Entry) -> bool:
    """Whether its calls on the quick path send one message, or receive one, or both (check/messages.h)."""
    parts = entry.parts
    if not 1 <= len(parts) <= 2 or any(part.peer < 0 for part in parts):
        return False
    if function.name.startswith("P") or not quick_condition(function, entry):
        return False
    return all(entry.roles[part.peer] in ("dest", "source") for part in parts)


# The parameters of a call that completes requests.
REQUESTS = ("done", "dones")
COMPLETING = {*REQUESTS, "n", "flag", "index", "outcount", "indices", "status", "statuses"}


def completes_quick(function: Function, entry: Entry) -> int:
    """The requests of MPI_Wait, MPI_Test and the like (check/quick_completion.c): the number of the parameter; -1 for other functions."""
    requests = find(entry.roles, *REQUESTS)
    return requests if set(entry.roles) <= COMPLETING else -1


def completion_condition(function: Function, entry: Entry) -> str:
    """The condition under which nothing can be wrong with its arguments but the requests."""
    return " && ".join(
        f"st_quick_status({p.name})" if role in ("status", "statuses") else p.name
        for p, role in zip(function.parameters, entry.roles)
        if role != "n"
    )


def completed(function: Function, entry: Entry) -> str:
    """What is not 0 after the call if it may have completed a request."""
    number = find(entry.roles, "flag", "outcount")
    return "checked.request_count" + (f" && *{function.parameters[number].name}" if number >= 0 else "")
