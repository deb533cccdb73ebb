"""Complete answers in providers' shapes come back as the same type, without the originals."""

from __future__ import annotations

import copy
import json
from dataclasses import dataclass

import pytest
from pydantic import BaseModel

from memwarden.errors import UsageError
from memwarden.responses import scrubbed
from tests.responses import examples as ex


def test_a_text_is_scrubbed_as_ever() -> None:
    assert scrubbed(ex.SAID, ex.scrubber()) == ex.CLEAN


def test_a_chat_completion_keeps_its_form() -> None:
    given = ex.chat(refusal=ex.SAID)
    before = copy.deepcopy(given)
    got = scrubbed(given, ex.scrubber())
    assert given == before
    message = got["choices"][0]["message"]
    assert (message["content"], message["refusal"]) == (ex.CLEAN, ex.CLEAN)
    called = message["tool_calls"][0]
    assert (called["id"], called["function"]["name"]) == ("call_1", "dial")
    assert json.loads(called["function"]["arguments"]) == ex.CLEAN_ARGUMENTS
    assert {**got, "choices": 0} == {**given, "choices": 0}


def test_a_response_keeps_its_form() -> None:
    got = scrubbed(ex.response(), ex.scrubber())
    thought, message, called = got["output"]
    assert thought["summary"][0]["text"] == ex.CLEAN
    assert message["content"][0]["text"] == ex.CLEAN
    assert json.loads(called["arguments"]) == ex.CLEAN_ARGUMENTS
    assert (called["call_id"], called["name"], got["id"]) == ("call_1", "dial", "resp_1")


def test_a_message_of_blocks_keeps_its_form() -> None:
    given = ex.message(ex.thinking(), ex.text_block(), ex.tool_use())
    thought, said, called = scrubbed(given, ex.scrubber())["content"]
    assert thought == {"type": "thinking", "thinking": ex.CLEAN, "signature": "c2lnbmVk"}
    assert said == ex.text_block(ex.CLEAN)
    assert called == {**ex.tool_use(), "input": ex.CLEAN_ARGUMENTS}


OTHERS = {
    "the older completions": {
        "id": "cmpl-1",
        "object": "text_completion",
        "choices": [{"index": 0, "text": ex.SAID, "finish_reason": "stop", "logprobs": None}],
    },
    "a single message": {"role": "assistant", "content": ex.SAID},
    "a single block": ex.text_block(),
    "a single item": {"type": "mcp_call", "id": "mcp_1", "name": "x", "arguments": ex.ARGUMENTS,
                      "output": ex.SAID, "server_label": "s"},
    "a function call of old": {"role": "assistant", "content": None,
                               "function_call": {"name": "dial", "arguments": ex.ARGUMENTS}},
    "thoughts beside the content": {"role": "assistant", "content": "", "reasoning_content":
                                    ex.SAID, "reasoning_details": [{"text": ex.SAID}]},
    "a custom tool": {"type": "custom_tool_call", "call_id": "c", "input": ex.SAID, "name": "x"},
    "code and its output": {"type": "code_interpreter_call", "code": f"print('{ex.SAID}')",
                            "outputs": [{"type": "logs", "logs": ex.SAID}]},
    "a search": {"type": "file_search_call", "queries": [ex.SAID],
                 "results": [{"file_id": "f", "filename": f"{ex.NAME}.pdf", "text": ex.SAID}]},
    "commands": {"type": "local_shell_call", "action": {"command": ["call", ex.PHONE],
                                                        "env": {"WHO": ex.NAME}}},
    "citations": {**ex.text_block(), "citations": [{"type": "char_location", "cited_text": ex.SAID,
                                                    "document_title": ex.NAME}]},
    "annotations": {"role": "assistant", "content": ex.SAID, "annotations": [
        {"type": "url_citation", "url_citation": {"url": f"https://x.example/?p={ex.PHONE}",
                                                  "title": ex.NAME, "start_index": 0,
                                                  "end_index": 3}}]},
    "what a tool gave back": {"type": "web_search_tool_result", "tool_use_id": "t",
                              "content": [{"type": "web_search_result", "title": ex.NAME,
                                           "url": "https://x.example", "page_age": ex.PHONE}]},
    "several messages": [{"role": "assistant", "content": ex.SAID}, ex.SAID],
    "data of an application's own": {"id": ex.PHONE, "name": ex.NAME, ex.NAME_ZH: [1, None, True]},
    "numbers": {"answer": {"phone": 13812345678}},
}  # fmt: skip


@pytest.mark.parametrize("name", OTHERS)
def test_no_corner_of_an_answer_gives_an_original_away(name: str) -> None:
    given = OTHERS[name]
    assert ex.gives_away(given)
    got = scrubbed(given, ex.scrubber())
    assert not ex.gives_away(got)
    assert type(got) is type(given)


def test_token_probabilities_say_the_text_again_and_are_left_out() -> None:
    given = ex.chat()
    tokens = [{"token": "138", "logprob": -0.1, "bytes": [49], "top_logprobs": []}]
    given["choices"][0]["logprobs"] = {"content": tokens}
    assert scrubbed(given, ex.scrubber())["choices"][0]["logprobs"] is None
    part = {**ex.empty_part(), "logprobs": tokens}
    assert scrubbed(part, ex.scrubber())["logprobs"] == []


@pytest.mark.parametrize(
    ("transcript", "data"), [("Hello there.", "UklGRg"), (ex.SAID, "")], ids=["clean", "secret"]
)
def test_a_recording_goes_if_its_transcript_had_to_change(transcript: str, data: str) -> None:
    audio = {"id": "audio_1", "data": "UklGRg", "expires_at": 1, "transcript": transcript}
    got = scrubbed(ex.chat(audio=audio), ex.scrubber())["choices"][0]["message"]["audio"]
    assert got["data"] == data
    assert not ex.gives_away(got)


def test_an_original_in_two_text_blocks_beside_each_other_is_found() -> None:
    given = ex.message(ex.text_block("call 138-12"), ex.text_block("34-5678 now"))
    first, second = scrubbed(given, ex.scrubber())["content"]
    assert first["text"] + second["text"] == "call <PHONE_1> now"


def test_what_holds_no_original_comes_back_as_the_very_same_object() -> None:
    for given in (
        ex.chat("Fine.", '{"n": 1}'),
        ex.response("Fine.", "{}"),
        ex.message(ex.text_block("Fine."), ex.text_block("Really.")),
        {"any": ["data", 1, 2.5, None]},
    ):
        assert scrubbed(given, ex.scrubber()) is given


def test_identifiers_of_the_protocol_are_never_rewritten() -> None:
    given = ex.chat("Fine.", "{}")
    given["id"] = given["choices"][0]["message"]["tool_calls"][0]["id"] = ex.PHONE
    assert scrubbed(given, ex.scrubber()) == given


class Model(BaseModel):
    role: str
    content: str
    parsed: object = None


class Filled(BaseModel):
    id: str
    phone: int


@dataclass(frozen=True)
class Plain:
    text: str
    n: int = 1


def test_models_and_dataclasses_come_back_as_what_they_are() -> None:
    filled = Filled(id=ex.NAME, phone=int(ex.PHONE))
    got = scrubbed(Model(role="assistant", content=ex.SAID, parsed=filled), ex.scrubber())
    assert isinstance(got, Model)
    assert isinstance(got.parsed, Filled)
    assert (got.content, got.parsed.id, got.parsed.phone) == (ex.CLEAN, "<PERSON_1>", "<PHONE_1>")
    assert scrubbed(Plain(ex.SAID), ex.scrubber()) == Plain(ex.CLEAN)


@pytest.mark.parametrize("given", [7, None, b"bytes", object(), {"choices": [object()]}])
def test_what_cannot_be_looked_into_is_refused(given: object) -> None:
    with pytest.raises(UsageError):
        scrubbed(given, ex.scrubber())
