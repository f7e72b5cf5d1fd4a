"""A client of the Debug Adapter Protocol, as an editor is one: requests, and events as they come."""

import json
import os
import subprocess
from typing import Callable, Dict, Iterator, List, Optional

Message = Dict[str, object]


class Failed(Exception):
    """The adapter says no."""


class Client:
    """One debug session."""

    def __init__(self, command: List[str], log: str) -> None:
        self.log = open(log, "w", encoding="utf-8")
        self._errors = open(log + ".err", "w", encoding="utf-8")
        self._adapter = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, start_new_session=True
        )
        self._sequence = 0
        self._events: List[Message] = []
        self.output = ""

    def close(self) -> None:
        """Ends the adapter, as an editor that is closed does."""
        self._adapter.stdin.close()
        self._adapter.kill()
        self._adapter.wait()
        self.log.close()
        self._errors.close()

    def _read(self) -> Message:
        length = 0
        while True:
            line = self._adapter.stdout.readline()
            if not line:
                raise Failed("the adapter has ended")
            if line == b"\r\n":
                break
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        message = json.loads(self._adapter.stdout.read(length))
        self.log.write(f"<- {json.dumps(message)}\n")
        self.log.flush()
        if message.get("event") == "output" and message["body"].get("category") != "telemetry":
            self.output += message["body"]["output"]
        return message

    def send(self, command: str, **arguments: object) -> int:
        """A request; its number."""
        self._sequence += 1
        message = {"seq": self._sequence, "type": "request", "command": command, "arguments": arguments}
        self.log.write(f"-> {json.dumps(message)}\n")
        data = json.dumps(message).encode()
        self._adapter.stdin.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self._adapter.stdin.flush()
        return self._sequence

    def answer(self, number: int) -> Message:
        """The answer's body to a request."""
        while True:
            message = self._read()
            if message["type"] == "event":
                self._events.append(message)
            elif message["type"] == "response" and message["request_seq"] == number:
                if not message["success"]:
                    raise Failed(str(message.get("message")))
                return message.get("body") or {}

    def ask(self, command: str, **arguments: object) -> Message:
        """A request and its answer."""
        return self.answer(self.send(command, **arguments))

    def wait(self, event: str, matches: Callable[[Message], bool] = lambda body: True) -> Message:
        """The next event of a kind."""
        while True:
            for index, message in enumerate(self._events):
                if message["event"] == event and matches(message.get("body") or {}):
                    del self._events[: index + 1]
                    return message.get("body") or {}
            message = self._read()
            if message["type"] == "event":
                self._events.append(message)


class Stop:
    """What an editor shows of a program that has stopped."""

    def __init__(self, client: Client, body: Message) -> None:
        self.client = client
        self.reason = body["reason"]
        self.thread = body["threadId"]
        self.frames = client.ask("stackTrace", threadId=self.thread, levels=20)["stackFrames"]
        self.frame = self.frames[0]

    def where(self) -> str:
        """The frame and the line."""
        return f"{self.frame['name']} at line {self.frame['line']}"

    def locals(self) -> List[Message]:
        """What stands in the view of variables."""
        scopes = self.client.ask("scopes", frameId=self.frame["id"])["scopes"]
        return self.client.ask("variables", variablesReference=scopes[0]["variablesReference"])["variables"]

    def evaluate(self, expression: str, context: str) -> Message:
        """A watched expression, or one under the pointer."""
        return self.client.ask("evaluate", expression=expression, frameId=self.frame["id"], context=context)


def tree(client: Client, variable: Message, name: Optional[str] = None, depth: int = 0) -> Iterator[str]:
    """A variable with all that it unfolds to, as lines."""
    value = variable.get("value", variable.get("result"))
    yield f"{'  ' * depth}{name or variable['name']}: {value}"
    reference = variable.get("variablesReference", 0)
    if reference:
        for child in client.ask("variables", variablesReference=reference)["variables"]:
            yield from tree(client, child, None, depth + 1)


def stopped(client: Client) -> Stop:
    """The next stop."""
    return Stop(client, client.wait("stopped"))


def step(stop: Stop) -> Stop:
    """One line on."""
    stop.client.ask("next", threadId=stop.thread)
    return stopped(stop.client)


def evaluated(stop: Stop, expression: str, context: str = "watch") -> Iterator[str]:
    """A watched expression, or one under the pointer, all unfolded."""
    yield f"-- {context}"
    yield from tree(stop.client, stop.evaluate(expression, context), expression)
