"""A memory server as a child process, and the lines between it and the client."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Final

from memwarden.errors import MemwardenError, UsageError
from memwarden.proxy.mcp.answers import Answers
from memwarden.proxy.mcp.bridge import Bridge
from memwarden.proxy.mcp.calls import Calls
from memwarden.proxy.mcp.known import KnownTexts
from memwarden.proxy.mcp.place import McpPlace
from memwarden.proxy.mcp.tools import Tools
from memwarden.stores.rows.guarding import RowGuard
from memwarden.stores.rows.options import RowOptions
from memwarden.warden.session import Session

_FAREWELL: Final = 5.0
"""Seconds that a server has to end after its input ended."""

_TURN: Final = 2.0
"""Seconds between looks for approved calls that wait for this proxy."""


def serve(
    session: Session,
    command: Sequence[str],
    tools: Tools,
    *,
    name: str,
    folder: Path,
    client: tuple[IO[bytes], IO[bytes]],
) -> int:
    """Guard a server until client or server ends; returns the server's exit code.

    ``client`` is what is read from and written to. Nothing else is ever written there: it is the
    protocol. Raises UsageError where the server cannot be started.
    """
    try:
        child = subprocess.Popen(  # noqa: S603 the command is the owner's own
            list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
    except OSError as error:
        raise UsageError(f"the memory server cannot be started: {error}") from error
    known = KnownTexts(folder / "mcp-texts.db")
    bridge = _bridge(session, tools, name, known, (client[1], child))
    ended = threading.Event()
    threads = [
        threading.Thread(target=_listen, args=(client[0], bridge, child), daemon=True),
        threading.Thread(target=_apply, args=(session, ended), daemon=True),
    ]
    for thread in threads:
        thread.start()
    try:
        _each_line(child.stdout, bridge.from_server)
        return child.wait()
    finally:
        ended.set()
        threads[1].join(_FAREWELL)
        bridge.close()
        known.close()
        _end(child)


def _end(child: subprocess.Popen[bytes]) -> None:
    child.kill()
    child.wait()
    for stream in (child.stdin, child.stdout):
        if stream is not None:
            with contextlib.suppress(BrokenPipeError):
                stream.close()


def _bridge(
    session: Session,
    tools: Tools,
    name: str,
    known: KnownTexts,
    ends: tuple[IO[bytes], subprocess.Popen[bytes]],
) -> Bridge:
    output, child = ends
    options = RowOptions(name=name, identifier_fields=tools.identifiers, subject_field="")
    place = McpPlace(name, lambda tool, arguments: bridge.call(tool, arguments))
    guard = RowGuard(session, options, place)
    bridge = Bridge(
        Calls(guard, tools, known),
        Answers(guard, known),
        to_client=_writer(output),
        to_server=_writer(child.stdin),
        say=lambda said: print(said, file=sys.stderr, flush=True),
    )
    guard.store()
    return bridge


def _writer(stream: IO[bytes] | None) -> Callable[[bytes], None]:
    lock = threading.Lock()

    def write(line: bytes) -> None:
        if stream is None:
            return
        with lock, contextlib.suppress(BrokenPipeError, ValueError):
            stream.write(line)
            stream.flush()

    return write


def _each_line(stream: IO[bytes] | None, do: Callable[[bytes], None]) -> None:
    if stream is None:
        return
    for line in iter(stream.readline, b""):
        if line.strip():
            do(line)


def _listen(source: IO[bytes], bridge: Bridge, child: subprocess.Popen[bytes]) -> None:
    """Read the client to its end, then let the server finish what it has."""
    _each_line(source, bridge.from_client)
    with contextlib.suppress(BrokenPipeError):
        if child.stdin is not None:
            child.stdin.close()
    try:
        child.wait(_FAREWELL)
    except subprocess.TimeoutExpired:
        child.terminate()


def _apply(session: Session, ended: threading.Event) -> None:
    """Carry out what a desk elsewhere approved, as long as the proxy runs."""
    while not ended.wait(_TURN):
        with contextlib.suppress(MemwardenError):  # it stays approved, awaiting the writer
            session.warden.review.apply_waiting()
