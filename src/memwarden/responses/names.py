"""The field names of providers' answers that are not treated as text."""

from __future__ import annotations

from typing import Final

KEPT: Final = frozenset(
    (
        # what a machine looks things up by
        *("id", "index", "call_id", "tool_call_id", "tool_use_id", "item_id", "response_id"),
        *("previous_response_id", "file_id", "container_id", "approval_request_id", "server_label"),
        *("source_id", "encrypted_index", "name"),
        # words of the protocol
        *("object", "type", "role", "model", "status", "finish_reason", "stop_reason"),
        *("stop_sequence", "system_fingerprint", "service_tier", "media_type", "phase", "format"),
        # what nobody but the provider can read: changing it would break it
        *("signature", "encrypted_content", "obfuscation", "b64_json", "partial_image_b64"),
    )
)
"""Kept as they are, where they hold a text. ``name`` is a tool's: what was called must be found."""

DOCUMENTS: Final = frozenset(
    ("input", "args", "arguments", "parsed", "parsed_arguments", "parsed_output")
)
"""Data that the model filled in. Nothing in it is an identifier of the protocol."""

PROBABILITIES: Final = "logprobs"
"""Says the text over again, token by token, with what might have stood there instead."""

COMPLETE: Final = frozenset(("annotations", "annotation", "citations", "citation"))
"""Arrive whole, also where the text around them arrives in pieces."""

TEXTS: Final = frozenset(
    (
        *("message", "text", "thinking", "redacted_thinking", "tool_use", "server_tool_use"),
        *("mcp_tool_use", "output_text", "refusal", "reasoning", "function", "custom"),
        *("ai", "AIMessageChunk"),
    )
)
TEXT_ENDINGS: Final = ("_call", "_call_output", "_tool_result", "_tool_use")
"""Types of messages, blocks and items, by which a single one of them is known."""

ROLES: Final = frozenset(("assistant", "model", "tool"))
