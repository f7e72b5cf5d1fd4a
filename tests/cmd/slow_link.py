#!/usr/bin/env python3
"""slow_link.py COMMAND...: becomes a launcher whose agents reach `mpipp run' through a slow link: 200 ms one way, and of 20 pieces
one is lost, and comes 600 ms later, with all that follow it, as over TCP. It needs no rights, unlike tc netem.
With LATE=SECONDS in the environment the second agent is let through so much later.

The link is a process of its own, which ends two seconds after its last connection."""

from __future__ import annotations

import asyncio
import os
import random
import re
import socket
import sys

DELAY, LOSS, AGAIN = 0.2, 0.05, 0.6
MOST = 300  # seconds, whatever happens
LATE = float(os.environ.get("LATE", "0"))


async def pass_on(source: asyncio.StreamReader, to: asyncio.StreamWriter) -> None:
    """Passes on what comes, later, and in its order."""
    loop, due = asyncio.get_running_loop(), 0.0
    pieces: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

    async def send() -> None:
        while True:
            when, piece = await pieces.get()
            await asyncio.sleep(max(0.0, when - loop.time()))
            if not piece:
                break
            to.write(piece)
        to.close()

    sender = asyncio.create_task(send())
    data = b"-"
    while data:
        try:
            data = await source.read(1400)
        except OSError:
            data = b""
        late = AGAIN if random.random() < LOSS else 0.0
        due = max(due, loop.time() + DELAY + late)
        pieces.put_nowait((due, data))
    await sender


async def relay(listening: socket.socket, host: str, port: int) -> None:
    """Until there has been a connection, and there is none for two seconds."""
    count = served = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal count, served
        count += 1
        number = count + served
        try:
            if number == 2:
                await asyncio.sleep(LATE)
            there_reader, there_writer = await asyncio.open_connection(host, port)
            await asyncio.gather(pass_on(reader, there_writer), pass_on(there_reader, writer), return_exceptions=True)
        except OSError:
            writer.close()
        count -= 1
        served += 1

    async with await asyncio.start_server(serve, sock=listening):
        idle = 0.0
        for _ in range(MOST * 10):
            idle = idle + 0.1 if served and not count else 0.0
            if idle > 2:
                break
            await asyncio.sleep(0.1)


def main(command: list[str]) -> None:
    gather = os.environ["MPIPP_GATHER"]
    found = re.search(r"tcp://([0-9.]+):([0-9]+)", gather)
    assert found, gather
    listening = socket.create_server(("127.0.0.1", 0))
    if os.fork() == 0:
        os.setsid()
        null = os.open("/dev/null", os.O_RDWR)
        for file in range(3):
            os.dup2(null, file)
        random.seed(7)
        asyncio.run(relay(listening, found[1], int(found[2])))
        return
    port = listening.getsockname()[1]
    listening.close()
    os.environ["MPIPP_GATHER"] = gather[: found.start()] + f"tcp://127.0.0.1:{port}" + gather[found.end() :]
    os.execvp(command[0], command)


main(sys.argv[1:])
