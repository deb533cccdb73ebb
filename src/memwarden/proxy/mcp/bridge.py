"""The two directions of one connection: what the client says, and what the server says."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, cast

from memwarden.errors import CannotDecide
from memwarden.proxy.mcp.answers import Answers
from memwarden.proxy.mcp.calls import Allowed, Calls, Refused
from memwarden.proxy.mcp.messages import (
    Message,
    NotAMessageError,
    failed,
    invalid,
    key_of,
    line_of,
    parsed,
    refused,
    tool_error,
)
from memwarden.proxy.mcp.tools import Role
from memwarden.stores.rows.payloads import Payload

Send = Callable[[bytes], None]

_PASSED: Final = frozenset(
    {
        "completion/complete",
        "initialize",
        "logging/setLevel",
        "ping",
        "prompts/get",
        "prompts/list",
        "resources/list",
        "resources/read",
        "resources/subscribe",
        "resources/templates/list",
        "resources/unsubscribe",
        "server/discover",
        "tools/list",
    }
)
"""Methods of a client that write no memory, in both eras of the protocol."""

_UNVETTED: Final = frozenset({"initialize", "ping", "server/discover", "tools/list"})
"""Answers that describe the server itself: its author's words, not a memory."""

_PATIENCE: Final = 60.0
"""Seconds that the desk waits for the server to perform an approved call."""


@dataclass(slots=True)
class _Pending:
    """A request under way. ``answered`` is set for the desk's own calls."""

    method: str
    allowed: Allowed | None = None
    answered: threading.Event | None = None
    good: bool = False


@dataclass(slots=True)
class Bridge:
    """Judges what goes to the server and vets what comes back. Each direction has one thread."""

    calls: Calls
    answers: Answers
    to_client: Send = field(repr=False)
    to_server: Send = field(repr=False)
    say: Callable[[str], None] = field(repr=False)
    _pending: dict[tuple[str, str], _Pending] = field(default_factory=dict, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    # -- from the client -------------------------------------------------------------------------

    def from_client(self, line: bytes) -> None:
        """One line of the client: passed on, judged, or answered with a refusal."""
        try:
            message = parsed(line)
        except NotAMessageError as error:
            self.to_client(line_of(invalid(None, str(error))))
            return
        try:
            self._said_by_client(message)
        except Exception as error:  # noqa: BLE001 one message must not end the connection
            self._failed(message, error)

    def _failed(self, message: Message, error: Exception) -> None:
        """Fail closed and go on: nothing of the message goes further, and its asker is told."""
        self.say(f"memwarden: a message failed with {type(error).__name__}; it was not passed on")
        if message.get("id") is not None:
            self.to_client(line_of(failed(message["id"])))

    def _said_by_client(self, message: Message) -> None:
        method = message.get("method")
        if method is None:
            self.to_server(line_of(message))  # the answer to a question of the server
        elif not isinstance(method, str):
            self.to_client(line_of(invalid(message.get("id"), "a method is a text")))
        elif "id" not in message:
            self._notified(message, method)
        elif key_of(message["id"]) in self._pending:
            self.to_client(line_of(invalid(message["id"], "this id is in use")))
        elif method == "tools/call":
            self._called(message)
        elif method in _PASSED:
            self._pass(message, _Pending(method))
        else:
            self.to_client(line_of(refused(message["id"], method)))

    def _notified(self, message: Message, method: str) -> None:
        if method.startswith("notifications/"):
            self.to_server(line_of(message))

    def _called(self, message: Message) -> None:
        given = message.get("params")
        params = given if isinstance(given, dict) else {}
        tool, arguments = params.get("name"), params.get("arguments") or {}
        if not isinstance(tool, str) or not isinstance(arguments, dict):
            self.to_client(line_of(invalid(message["id"], "a call names a tool and arguments")))
            return
        role = self.calls.tools.role(tool)
        if role is Role.DENY:
            self.to_client(line_of(tool_error(message["id"], f"memwarden refuses {tool}")))
        elif role is not Role.WRITE:
            self._pass(message, _Pending("tools/call"))
        else:
            self._judged(message, params, tool, arguments)

    def _judged(self, message: Message, params: Payload, tool: str, arguments: Payload) -> None:
        verdict = self.calls.judge(tool, arguments)
        if isinstance(verdict, Refused):
            self.to_client(line_of(tool_error(message["id"], verdict.message)))
            return
        changed = {**message, "params": {**params, "arguments": verdict.arguments}}
        self._pass(changed, _Pending("tools/call", verdict))

    def _pass(self, message: Message, pending: _Pending) -> None:
        with self._lock:
            self._pending[key_of(message["id"])] = pending
        self.to_server(line_of(message))

    # -- from the server -------------------------------------------------------------------------

    def from_server(self, line: bytes) -> None:
        """One line of the server: vetted and passed on. What is no message is dropped."""
        try:
            message = parsed(line)
        except NotAMessageError as error:
            self.say(f"memwarden: the memory server wrote {error}; it was dropped")
            return
        try:
            self._said_by_server(message)
        except Exception as error:  # noqa: BLE001 one message must not end the connection
            self._failed({} if "method" in message else message, error)

    def _said_by_server(self, message: Message) -> None:
        if "method" in message:
            params = message.get("params")
            vetted = (
                message if params is None else {**message, "params": self.answers.named(params)}
            )
            self.to_client(line_of(vetted))
            return
        with self._lock:
            pending = self._pending.pop(key_of(message.get("id")), None)
        if pending is None:
            self.say("memwarden: the memory server answered what nobody asked; it was dropped")
            return
        self._answered(message, pending)

    def _answered(self, message: Message, pending: _Pending) -> None:
        result = message.get("result")
        good = isinstance(result, dict) and not result.get("isError")
        if pending.answered is not None:
            pending.good = good
            pending.answered.set()
            return
        if pending.allowed is not None:
            self.calls.done(pending.allowed, stored=good)
        self.to_client(line_of(self._vetted(message, pending.method)))

    def _vetted(self, message: Message, method: str) -> Message:
        if method in _UNVETTED:
            return message
        made = dict(message)
        if "error" in made:
            made["error"] = self.answers.value(made["error"])
        result = made.get("result")
        if isinstance(result, dict):
            listing = method.endswith("/list")
            made["result"] = self.answers.named(result) if listing else self.answers.result(result)
        return made

    # -- from the desk ---------------------------------------------------------------------------

    def call(self, tool: str, arguments: Payload) -> bool:
        """Call a tool for the review desk and wait. Raises CannotDecide where no answer comes."""
        waiting = _Pending("tools/call", answered=threading.Event())
        params: Payload = {"name": tool, "arguments": arguments}
        message: Message = {
            "jsonrpc": "2.0",
            "id": f"memwarden-{uuid.uuid4()}",
            "method": "tools/call",
            "params": params,
        }
        self._pass(message, waiting)
        if not cast("threading.Event", waiting.answered).wait(_PATIENCE):
            raise CannotDecide("the memory server did not answer the approved call")
        return waiting.good

    def close(self) -> None:
        """The connection ended: what nobody answered did not happen, as far as anybody knows."""
        with self._lock:
            left = [one.allowed for one in self._pending.values() if one.allowed is not None]
            self._pending.clear()
        for allowed in left:
            self.calls.done(allowed, stored=False)
