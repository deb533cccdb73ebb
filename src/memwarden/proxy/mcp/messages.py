"""JSON-RPC as lines: reading them strictly, and the few messages that the proxy says itself."""

from __future__ import annotations

import json
from typing import Final

from memwarden.stores.rows.payloads import Json

Message = dict[str, Json]

LONGEST: Final = 16 * 1024 * 1024
"""Bytes of a line. A longer one is refused before it is parsed."""

_INVALID: Final = -32600
_REFUSED: Final = -32601
_FAILED: Final = -32603


class NotAMessageError(ValueError):
    """A line that is no JSON-RPC message of one object. Says why, in no words of the line."""


def parsed(line: bytes) -> Message:
    """A line as a message. Raises NotAMessageError for anything but one JSON object."""
    if len(line) > LONGEST:
        raise NotAMessageError(f"a line of more than {LONGEST} bytes")
    try:
        message = json.loads(line.decode("utf-8"), parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise NotAMessageError("a line that is no JSON in UTF-8") from error
    if not isinstance(message, dict):
        raise NotAMessageError("a line that is no JSON object; batches are not part of MCP")
    return message


def _no_number(name: str) -> Json:
    raise ValueError(f"{name} is no JSON")


def line_of(message: Message) -> bytes:
    """A message as a line. What was read is written again, so nothing hides in its spelling."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode("utf-8") + b"\n"


def invalid(request_id: Json, why: str) -> Message:
    """The answer to a line that is no message."""
    return _error(request_id, _INVALID, f"memwarden: {why}")


def refused(request_id: Json, method: str) -> Message:
    """The answer to a method that nobody guards."""
    return _error(request_id, _REFUSED, f"memwarden does not guard {method!r}, so it is refused")


def failed(request_id: Json) -> Message:
    """The answer to a request that memwarden itself could not carry through."""
    return _error(request_id, _FAILED, "memwarden failed on this message; nothing was given out")


def _error(request_id: Json, code: int, said: str) -> Message:
    return {"jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": said}}


def tool_error(request_id: Json, said: str) -> Message:
    """A blocked call as a tool's own error, which the model reads and can react to."""
    content: Json = [{"type": "text", "text": said}]
    return {"jsonrpc": "2.0", "id": request_id, "result": {"content": content, "isError": True}}


def key_of(request_id: Json) -> tuple[str, str]:
    """An id that keeps 1 and "1" apart."""
    return type(request_id).__name__, str(request_id)
