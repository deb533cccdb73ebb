"""Streams of events: together what the whole would be, event by event what the provider sends."""

from __future__ import annotations

import asyncio
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memwarden.errors import UsageError
from memwarden.responses import EventFlow, events, events_async, scrubbed
from tests.responses import examples as ex

SIZES = [(1,), (2, 3), (7,), (500,)]


def scrub(stream):
    return list(events(stream, ex.scrubber()))


@pytest.mark.parametrize("sizes", SIZES)
def test_texts(sizes) -> None:
    out = scrub(ex.pieces(ex.SAID, sizes))
    assert "".join(out) == ex.CLEAN
    assert "" not in out


@pytest.mark.parametrize("sizes", SIZES)
def test_chat_chunks(sizes) -> None:
    text, calls, ids = ex.chat_together(scrub(ex.chat_stream(sizes=sizes)))
    assert text == ex.CLEAN
    assert {at: json.loads(said) for at, said in calls.items()} == {0: ex.CLEAN_ARGUMENTS}
    assert ids == ["call_1"]


@pytest.mark.parametrize("sizes", SIZES)
def test_response_events(sizes) -> None:
    out = scrub(ex.response_stream(sizes=sizes))
    text, arguments, numbers = ex.response_together(out)
    assert text == ex.CLEAN
    assert json.loads(arguments) == ex.CLEAN_ARGUMENTS
    assert numbers == list(range(len(out)))
    assert not any(map(ex.gives_away, out))
    assert out[-1]["response"] == scrubbed(ex.response(), ex.scrubber())
    (done,) = (one for one in out if one["type"] == "response.output_text.done")
    assert done["text"] == text


@pytest.mark.parametrize("sizes", SIZES)
def test_message_events(sizes) -> None:
    stream = ex.message_stream(ex.thinking(), ex.text_block(), ex.tool_use(), sizes=sizes)
    said, order = ex.message_together(scrub(stream))
    assert (said[0], said[1]) == (ex.CLEAN, ex.CLEAN)
    assert json.loads(said[2]) == ex.CLEAN_ARGUMENTS
    starts = [at for at, (kind, _) in enumerate(order) if kind == "content_block_start"]
    stops = [at for at, (kind, _) in enumerate(order) if kind == "content_block_stop"]
    assert all(start < stop for start, stop in zip(starts, stops, strict=True))
    for at, (kind, index) in enumerate(order):
        if kind == "content_block_delta":
            assert starts[index] < at < stops[index]


def test_the_end_of_a_text_that_was_held_back_comes_before_what_ends_it() -> None:
    for stream, ends in (
        (ex.chat_stream("call 13812", "{}"), lambda one: one["choices"][0].get("finish_reason")),
        (ex.response_stream("call 13812", "{}"), lambda one: one["type"].endswith("text.done")),
        (ex.message_stream(ex.text_block("call 13812")), lambda one: "stop" in one["type"]),
    ):
        out = []
        for event in scrub(stream):
            if event.get("choices") != [] and ends(event):
                break
            out.append(event)
        said = "".join(json.dumps(one) for one in out)
        assert "13812" in said


def test_an_original_in_two_text_blocks_beside_each_other_is_found() -> None:
    blocks = ex.text_block("call 138-12"), ex.text_block("34-5678 now")
    said, order = ex.message_together(scrub(ex.message_stream(*blocks)))
    assert "".join(said.values()) == "call <PHONE_1> now"
    assert [kind for kind, _ in order].count("content_block_stop") == 2
    apart = blocks[0], ex.tool_use(), blocks[1]
    said, _ = ex.message_together(scrub(ex.message_stream(*apart)))
    assert (said[0], said[2]) == ("call 138-12", "34-5678 now")


def test_choices_and_tool_calls_are_texts_of_their_own() -> None:
    first, second = ex.pieces(ex.SAID, (1,)), ex.pieces("I know nothing of 13812 at all", (1,))
    stream = []
    for at in range(max(len(first), len(second))):
        for index, said in enumerate((first, second)):
            if at < len(said):
                stream.append(ex.chunk({"content": said[at]}, index))
    stream += [ex.chunk({}, 1, "stop"), ex.chunk({}, 0, "stop")]
    said = {0: "", 1: ""}
    for one in scrub(stream):
        (choice,) = one["choices"]
        said[choice["index"]] += choice["delta"].get("content") or ""
    assert said == {0: ex.CLEAN, 1: "I know nothing of 13812 at all"}

    def call(index, piece):
        return ex.chunk({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})

    turns = zip(ex.ARGUMENTS, ex.ARGUMENTS, strict=True)
    stream = [call(index, piece) for pair in turns for index, piece in enumerate(pair)]
    _, calls, _ = ex.chat_together(scrub([*stream, ex.chunk({}, finish="tool_calls")]))
    assert [json.loads(calls[at]) for at in (0, 1)] == [ex.CLEAN_ARGUMENTS] * 2


def test_a_last_chunk_that_still_says_something_says_all_of_it() -> None:
    stream = [ex.chunk({"content": "call 138"}), ex.chunk({"content": "12345"}, finish="length")]
    out = scrub(stream)
    assert len(out) == 2
    assert ex.chat_together(out)[0] == "call 13812345"


def test_a_stream_that_breaks_off_gives_out_what_it_held() -> None:
    for stream, together in (
        ([ex.chunk({"content": "call 13812"})], lambda out: ex.chat_together(out)[0]),
        (list(ex.response_stream("call 13812"))[:8], lambda out: ex.response_together(out)[0]),
        (
            list(ex.message_stream(ex.text_block("call 13812")))[:-2],
            lambda out: ex.message_together(out)[0][0],
        ),
        (["call 13812"], "".join),
    ):
        whole = together(stream)
        assert together(scrub(stream)) == whole


def test_what_is_inserted_repeats_nothing_that_is_said_once() -> None:
    opening = {
        "role": "assistant",
        "content": "138",
        "tool_calls": [{"index": 0, **ex.tool_call("138")}],
    }
    stream = [
        ex.chunk(opening, usage={"total_tokens": 3}),
        ex.chunk({}, finish="stop"),
    ]
    _, *inserted, last = scrub(stream)
    assert len(inserted) == 2
    for one in inserted:
        assert not one.get("usage")
        assert "role" not in one["choices"][0]["delta"]
        assert "call_1" not in json.dumps(one)
        assert "dial" not in json.dumps(one)
    assert last == ex.chunk({}, finish="stop")


def test_the_older_completions_stream_too() -> None:
    def piece(text, finish=None):
        return {"id": "1", "choices": [{"index": 0, "text": text, "finish_reason": finish}]}

    stream = [*map(piece, ex.SAID), piece("", "stop")]
    assert "".join(one["choices"][0]["text"] for one in scrub(stream)) == ex.CLEAN


def test_token_probabilities_are_left_out() -> None:
    logprobs = {"content": [{"token": "13812345678", "logprob": -1.0}]}
    one = ex.chunk({"content": "call "})
    one["choices"][0]["logprobs"] = logprobs
    assert not ex.gives_away(scrub([one, ex.chunk({}, finish="stop")]))
    assert all(not one.get("logprobs") for one in scrub(ex.response_stream()))


def test_what_arrives_whole_beside_the_pieces_is_scrubbed_whole() -> None:
    cited = {"type": "citations_delta", "citation": {"cited_text": ex.SAID, "title": ex.NAME}}
    event = {"type": "content_block_delta", "index": 0, "delta": cited}
    (got,) = scrub([event])
    assert got["delta"]["citation"] == {"cited_text": ex.CLEAN, "title": "<PERSON_1>"}
    noted = ex.chunk({"annotations": [{"url_citation": {"title": ex.NAME}}]})
    assert not ex.gives_away(scrub([noted]))


def test_several_texts_of_one_delta_are_kept_apart() -> None:
    def shell(**delta):
        at = {"item_id": "s", "output_index": 0, "command_index": 0, "sequence_number": 0}
        return {"type": "response.shell_call_output_content.delta", **at, "delta": delta}

    out = scrub([shell(stdout="138123", stderr="nadia "), shell(stdout="45678", stderr="petrova")])
    said = {"stdout": "", "stderr": ""}
    for one in out:
        for name, text in one["delta"].items():
            said[name] += text
    assert said == {"stdout": "<PHONE_1>", "stderr": "<PERSON_1>"}


def test_nothing_is_held_back_where_nothing_may_begin() -> None:
    flow = EventFlow(ex.scrubber())
    for event in ex.chat_stream("好的，没问题。", "{}"):
        assert flow.feed(event) == [event]
    assert flow.finish() == []


TEXT = st.lists(
    st.sampled_from(
        ["13812345678", "138-1234", " 5678", "Nadia ", "petrova", "張三", "丰", " ", "x"]
    ),
    max_size=8,
).map("".join)


@settings(max_examples=60)
@given(TEXT, st.lists(st.integers(1, 5), min_size=1, max_size=4))
def test_a_stream_gives_what_the_whole_gives_however_it_is_cut(text, sizes) -> None:
    arguments = json.dumps({"a": text, "b": [text]}, ensure_ascii=False)
    clean = ex.scrubber()
    whole = scrubbed(ex.chat(text, arguments), clean)["choices"][0]["message"]
    said, calls, _ = ex.chat_together(events(ex.chat_stream(text, arguments, sizes), clean))
    assert said == whole["content"]
    assert calls.get(0, "") == whole["tool_calls"][0]["function"]["arguments"]

    out = list(events(ex.response_stream(text, arguments, sizes), clean))
    said, calls, numbers = ex.response_together(out)
    assert (said, calls) == (whole["content"], whole["tool_calls"][0]["function"]["arguments"])
    assert numbers == list(range(len(out)))

    blocks = ex.text_block(text), ex.text_block(text), ex.thinking(text)
    content = scrubbed(ex.message(*blocks), clean)["content"]
    said, _ = ex.message_together(events(ex.message_stream(*blocks, sizes=sizes), clean))
    both = content[0]["text"] + content[1]["text"]
    assert said.get(0, "") + said.get(1, "") == both
    assert said.get(2, "") == content[2]["thinking"]


def test_an_asynchronous_stream_gives_the_same() -> None:
    async def source():
        for event in ex.chat_stream():
            yield event

    async def run():
        return [event async for event in events_async(source(), ex.scrubber())]

    assert asyncio.run(run()) == scrub(ex.chat_stream())


@pytest.mark.parametrize(
    "event",
    [
        {"type": "text", "text": "1", "snapshot": "1"},
        {"type": "something.else", "delta": "138"},
        {"delta": "138"},
        7,
        {"type": "response.audio.delta", "delta": "UklGRg"},
        ex.chunk({"audio": {"data": "UklGRg"}}),
    ],
)
def test_what_could_not_be_vouched_for_is_refused(event) -> None:
    with pytest.raises(UsageError):
        scrub([event])
