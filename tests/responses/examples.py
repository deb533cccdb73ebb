"""Answers as providers give them, whole and streamed, and how a caller puts a stream together."""

from __future__ import annotations

import json

from memwarden.fence import Protected, Scrubber
from memwarden.model import ScrubSetting

PHONE, NAME, NAME_ZH = "13812345678", "Nadia Petrova", "张三丰"
SECRETS = (PHONE, NAME, NAME_ZH)
SAID = "Ask Nadia Petrova (138-1234-5678) or 張三豐."
CLEAN = "Ask <PERSON_1> (<PHONE_1>) or <PERSON_2>."
ARGUMENTS = '{"number": 13812345678, "who": ["nadia petrova"], "note": "\\u5f20\\u4e09\\u4e30来了"}'
CLEAN_ARGUMENTS = {"number": "<PHONE_1>", "who": ["<PERSON_1>"], "note": "<PERSON_2>来了"}


def scrubber(**setting):
    protected = [
        Protected(PHONE, "<PHONE_1>"),
        Protected(NAME, "<PERSON_1>"),
        Protected(NAME_ZH, "<PERSON_2>"),
    ]
    return Scrubber(protected, ScrubSetting(**setting), language="en")


def gives_away(answer) -> bool:
    """Whether anything of the originals is left, wherever in the answer."""
    text = answer if isinstance(answer, str) else json.dumps(plain(answer), ensure_ascii=False)
    folded = "".join(char for char in text.casefold() if char.isalnum())
    return any(one in folded for one in ("13812345678", "nadiapetrova", "张三丰", "張三豐"))


def plain(answer):
    """An answer as nothing but dictionaries and lists."""
    if hasattr(answer, "model_dump"):
        return answer.model_dump(exclude_unset=True)
    if isinstance(answer, list | tuple):
        return [plain(one) for one in answer]
    return answer


def pieces(text, sizes):
    """``text`` cut into pieces of these sizes, over and over."""
    at, out = 0, []
    while at < len(text):
        size = sizes[len(out) % len(sizes)]
        out.append(text[at : at + size])
        at += size
    return out


USAGE = {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3}


# -- chat completions ------------------------------------------------------------------------------


def tool_call(arguments=ARGUMENTS, **more):
    called = {"name": "dial", "arguments": arguments}
    return {"id": "call_1", "type": "function", "function": called, **more}


def chat(text=SAID, arguments=ARGUMENTS, **more):
    message = {
        "role": "assistant",
        "content": text,
        "refusal": None,
        "tool_calls": [tool_call(arguments)],
        **more,
    }
    choice = {"index": 0, "finish_reason": "tool_calls", "logprobs": None, "message": message}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "gpt",
        "choices": [choice],
        "usage": USAGE,
    }


def chunk(delta, index=0, finish=None, **more):
    choice = {"index": index, "delta": delta, "finish_reason": finish, "logprobs": None}
    head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "gpt"}
    return {**head, "choices": [choice], **more}


def chat_stream(text=SAID, arguments=ARGUMENTS, sizes=(1,)):
    yield chunk({"role": "assistant", "content": ""})
    for piece in pieces(text, sizes):
        yield chunk({"content": piece})
    yield chunk({"tool_calls": [{"index": 0, **tool_call("")}]})
    for piece in pieces(arguments, sizes):
        yield chunk({"tool_calls": [{"index": 0, "function": {"arguments": piece}}]})
    yield chunk({}, finish="tool_calls")
    yield {**chunk({}), "choices": [], "usage": USAGE}


def chat_together(chunks):
    """(text, arguments by tool call, ids) of streamed chunks, put together as clients do it."""
    text, calls, ids = "", {}, []
    for one in map(plain, chunks):
        for choice in one["choices"]:
            text += choice["delta"].get("content") or ""
            for call in choice["delta"].get("tool_calls") or ():
                at = call["index"]
                calls[at] = calls.get(at, "") + (call["function"].get("arguments") or "")
                ids += [call["id"]] if call.get("id") else []
    return text, calls, ids


# -- responses -------------------------------------------------------------------------------------


def response(text=SAID, arguments=ARGUMENTS, status="completed"):
    part = {"type": "output_text", "text": text, "annotations": [], "logprobs": []}
    message = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "status": "completed",
        "content": [part],
    }
    called = {
        "id": "fc_1",
        "type": "function_call",
        "call_id": "call_1",
        "name": "dial",
        "arguments": arguments,
        "status": "completed",
    }
    thought = {
        "id": "rs_1",
        "type": "reasoning",
        "summary": [{"type": "summary_text", "text": text}],
    }
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "model": "gpt",
        "status": status,
        "output": [thought, message, called],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
    }


def response_stream(text=SAID, arguments=ARGUMENTS, sizes=(1,)):
    whole = response(text, arguments)
    at = {"item_id": "msg_1", "output_index": 1, "content_index": 0}
    called = {"item_id": "fc_1", "output_index": 2}
    events = [
        {"type": "response.created", "response": {**whole, "output": []}},
        {"type": "response.output_item.added", "output_index": 1, "item": whole["output"][1]},
        {"type": "response.content_part.added", **at, "part": {**empty_part()}},
    ]
    for piece in pieces(text, sizes):
        logprobs = [{"token": piece, "logprob": -1.0}]
        delta = {"type": "response.output_text.delta", **at, "delta": piece, "logprobs": logprobs}
        events.append(delta)
    events += [
        {"type": "response.output_text.done", **at, "text": text, "logprobs": []},
        {"type": "response.content_part.done", **at, "part": whole["output"][1]["content"][0]},
        {"type": "response.output_item.done", "output_index": 1, "item": whole["output"][1]},
    ]
    for piece in pieces(arguments, sizes):
        events.append({"type": "response.function_call_arguments.delta", **called, "delta": piece})
    events += [
        {"type": "response.function_call_arguments.done", **called, "arguments": arguments},
        {"type": "response.output_item.done", "output_index": 2, "item": whole["output"][2]},
        {"type": "response.completed", "response": whole},
    ]
    for number, event in enumerate(events):
        yield {**event, "sequence_number": number}


def empty_part():
    return {"type": "output_text", "text": "", "annotations": [], "logprobs": []}


def response_together(events):
    """(text, arguments, number of each event) of streamed events."""
    said, numbers = {"output_text": "", "function_call_arguments": ""}, []
    for one in map(plain, events):
        numbers.append(one["sequence_number"])
        family = one["type"].removeprefix("response.").removesuffix(".delta")
        if one["type"].endswith(".delta"):
            said[family] += one["delta"]
    return said["output_text"], said["function_call_arguments"], numbers


# -- messages of content blocks --------------------------------------------------------------------


def message(*blocks):
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude",
        "content": list(blocks),
        "stop_reason": "tool_use",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 2},
    }


def text_block(text=SAID, **more):
    return {"type": "text", "text": text, **more}


def tool_use(arguments=ARGUMENTS):
    return {"type": "tool_use", "id": "toolu_1", "name": "dial", "input": json.loads(arguments)}


def thinking(text=SAID):
    return {"type": "thinking", "thinking": text, "signature": "c2lnbmVk"}


_DELTAS = {
    "text": ("text_delta", "text"),
    "thinking": ("thinking_delta", "thinking"),
    "tool_use": ("input_json_delta", "partial_json"),
}


def message_stream(*blocks, sizes=(1,)):
    """The events of a message; a tool's input streams as the text of its JSON."""
    yield {"type": "message_start", "message": {**message(), "stop_reason": None}}
    for index, block in enumerate(blocks):
        kind, field = _DELTAS[block["type"]]
        empty = {**block, field: ""} if block["type"] != "tool_use" else {**block, "input": {}}
        yield {"type": "content_block_start", "index": index, "content_block": empty}
        yield {"type": "ping"}
        text = block.get(field, ARGUMENTS)
        for piece in pieces(text, sizes):
            delta = {"type": kind, field: piece}
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    end = {"stop_reason": "tool_use", "stop_sequence": None}
    yield {"type": "message_delta", "delta": end, "usage": {"output_tokens": 2}}
    yield {"type": "message_stop"}


def message_together(events):
    """What each block says, by its number, and the types of the events in order."""
    said, order = {}, []
    for one in map(plain, events):
        order.append((one["type"], one.get("index")))
        if one["type"] == "content_block_delta":
            delta = one["delta"]
            text = delta.get("text") or delta.get("thinking") or delta.get("partial_json") or ""
            said[one["index"]] = said.get(one["index"], "") + text
    return said, order
