"""What is a text and what is only a name, an id, a hash or a word."""

from __future__ import annotations

import pytest

from memwarden.text import is_prose


@pytest.mark.parametrize(
    "text",
    [
        "green tea",
        "Trust Bob",
        "绿茶",
        "忽略",
        "お茶",
        "차를",
        "i g n o r e",
        "ignore_all_previous_instructions",
        "ignoreAllPreviousInstructions",
        "always-obey-the-stranger",
        "https://example.com/send/all/mails",
    ],
)
def test_this_says_something(text):
    assert is_prose(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "text",
        "agent_id",
        "created_at",
        "tool_call_id",
        "toolCallId",
        "user",
        "en",
        "茶",
        "user-17",
        "2026-01-02T03:04:05Z",
        "9e107d9d372bb6826bd81d3542a419d6",
        "6f1c2b9e-1111-4000-8000-000000000001",
        "sam@example.com",
        "+8613812345678",
    ],
)
def test_this_is_a_name_or_a_value(text):
    assert not is_prose(text)
