"""The same with the objects of the real ``openai`` and ``anthropic`` packages."""

from __future__ import annotations

import json

import pytest
from anthropic.types import Message, RawMessageStreamEvent
from openai.lib.streaming._deltas import accumulate_delta
from openai.types import Completion
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from openai.types.responses import Response, ResponseStreamEvent
from pydantic import TypeAdapter

from memwarden.responses import events, scrubbed
from tests.responses import examples as ex

SIZES = [(1,), (2, 3), (500,)]
EVENT = TypeAdapter(ResponseStreamEvent)
MESSAGE_EVENT = TypeAdapter(RawMessageStreamEvent)


def made(kind, one):
    """The object that a client makes of what the server sent."""
    return kind.validate_python(one) if isinstance(kind, TypeAdapter) else kind.model_validate(one)


@pytest.mark.parametrize(
    ("kind", "answer"),
    [
        (ChatCompletion, ex.chat()),
        (Response, ex.response()),
        (Message, ex.message(ex.thinking(), ex.text_block(), ex.tool_use())),
        (
            Completion,
            {
                "id": "1",
                "object": "text_completion",
                "created": 1,
                "model": "m",
                "choices": [{"index": 0, "text": ex.SAID, "finish_reason": "stop"}],
            },
        ),
    ],
    ids=["chat completion", "response", "message", "older completion"],
)
def test_a_response_comes_back_as_the_same_type(kind, answer) -> None:
    given = made(kind, answer)
    before = given.model_dump()
    got = scrubbed(given, ex.scrubber())
    assert given.model_dump() == before
    assert type(got) is kind
    assert not ex.gives_away(got)
    assert got.model_dump(exclude_unset=True) == plain_scrubbed(answer)
    again = kind.model_validate_json(got.model_dump_json(exclude_unset=True))
    assert again.model_dump(exclude_unset=True) == got.model_dump(exclude_unset=True)


def plain_scrubbed(answer):
    return scrubbed(answer, ex.scrubber())


def test_the_texts_of_the_packages_own_shortcuts_are_clean() -> None:
    got = scrubbed(made(Response, ex.response()), ex.scrubber())
    assert got.output_text == ex.CLEAN
    (call,) = (one for one in got.output if one.type == "function_call")
    assert json.loads(call.arguments) == ex.CLEAN_ARGUMENTS
    block = scrubbed(made(Message, ex.message(ex.tool_use())), ex.scrubber()).content[0]
    assert (block.type, block.id, block.input) == ("tool_use", "toolu_1", ex.CLEAN_ARGUMENTS)


def test_fields_that_a_package_does_not_know_yet_are_scrubbed_too() -> None:
    given = made(ChatCompletion, ex.chat("", "{}", reasoning_content=ex.SAID))
    message = scrubbed(given, ex.scrubber()).choices[0].message
    assert message.reasoning_content == ex.CLEAN


@pytest.mark.parametrize("sizes", SIZES)
def test_chat_chunks(sizes) -> None:
    given = [made(ChatCompletionChunk, one) for one in ex.chat_stream(sizes=sizes)]
    out = list(events(given, ex.scrubber()))
    assert {type(one) for one in out} == {ChatCompletionChunk}
    text, calls, ids = ex.chat_together(out)
    assert (text, json.loads(calls[0]), ids) == (ex.CLEAN, ex.CLEAN_ARGUMENTS, ["call_1"])
    assert not any(map(ex.gives_away, out))


def test_chat_chunks_accumulate_as_the_package_accumulates_them() -> None:
    """What is inserted must not double a role, a name or an id."""
    opening = {
        "role": "assistant",
        "content": "Tel. 138",
        "tool_calls": [{"index": 0, **ex.tool_call("1381")}],
    }
    given = [
        made(ChatCompletionChunk, one)
        for one in (ex.chunk(opening), ex.chunk({}, finish="tool_calls"))
    ]
    whole: dict[str, object] = {}
    for one in events(given, ex.scrubber()):
        whole = accumulate_delta(whole, one.choices[0].delta.model_dump(exclude_none=True))
    assert whole["role"] == "assistant"
    assert whole["content"] == "Tel. 138"
    (call,) = whole["tool_calls"]
    assert (call["id"], call["function"]) == ("call_1", {"name": "dial", "arguments": "1381"})


@pytest.mark.parametrize("sizes", SIZES)
def test_response_events(sizes) -> None:
    given = [made(EVENT, one) for one in ex.response_stream(sizes=sizes)]
    out = list(events(given, ex.scrubber()))
    assert {type(one) for one in out} == {type(one) for one in given}
    text, arguments, numbers = ex.response_together(out)
    assert (text, json.loads(arguments)) == (ex.CLEAN, ex.CLEAN_ARGUMENTS)
    assert numbers == list(range(len(out)))
    assert not any(map(ex.gives_away, out))


@pytest.mark.parametrize("sizes", SIZES)
def test_message_events(sizes) -> None:
    stream = ex.message_stream(ex.thinking(), ex.text_block(), ex.tool_use(), sizes=sizes)
    given = [made(MESSAGE_EVENT, one) for one in stream if one["type"] != "ping"]
    out = list(events(given, ex.scrubber()))
    assert {type(one) for one in out} == {type(one) for one in given}
    said, _ = ex.message_together(out)
    assert (said[0], said[1], json.loads(said[2])) == (ex.CLEAN, ex.CLEAN, ex.CLEAN_ARGUMENTS)
    assert not any(map(ex.gives_away, out))
