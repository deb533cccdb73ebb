"""The proxy in front of a real child process: what is held never reaches it."""

from __future__ import annotations

import io
import json
import os
import sys
import threading
from pathlib import Path

import pytest

from memwarden import bundled
from memwarden.errors import UsageError
from memwarden.keys import KeyPlace
from memwarden.policy import PolicyBook
from memwarden.proxy.mcp.answers import WITHHELD, Answers
from memwarden.proxy.mcp.calls import Calls
from memwarden.proxy.mcp.stdio import serve
from memwarden.proxy.mcp.tools import read_tools
from memwarden.review import Wanted
from memwarden.testing.adapters import TENANT, suite_policies
from memwarden.testing.adapters.policies import (
    CODE,
    CODED,
    HARMLESS,
    HARMLESS_ZH,
    HOSTILE,
    HOSTILE_ZH,
)
from memwarden.testing.stores import ListStore
from memwarden.warden import Warden
from memwarden.warden.books import Books
from memwarden.warden.chain import Chain

SERVER = Path(__file__).parent / "toy_server.py"


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    return PolicyBook.open(suite_policies(tmp_path_factory.mktemp("policies")))


@pytest.fixture
def warden(tmp_path, book):
    books = Books.open(tmp_path / "data", KeyPlace(folder=tmp_path / "keys"))
    with Warden(Chain(book, bundled.models_dir()), books, ListStore()) as opened:
        yield opened


class Client:
    """Speaks to a proxied server through pipes, one question at a time."""

    def __init__(self, warden, folder, *, source="user"):
        self.kept = folder / "notes.jsonl"
        there, self._out = os.pipe()
        self._in, back = os.pipe()
        self._questions = os.fdopen(self._out, "wb")
        self._answers = os.fdopen(self._in, "rb")
        ends = self._ends = (os.fdopen(there, "rb"), os.fdopen(back, "wb"))
        self.codes = []
        arguments = (
            warden.session(TENANT, origin=source),
            [sys.executable, str(SERVER), str(self.kept)],
            read_tools(),
        )
        self._thread = threading.Thread(
            target=lambda: self.codes.append(
                serve(*arguments, name="toy", folder=folder, client=ends)
            )
        )
        self._thread.start()
        self._next = 0

    def ask(self, method, params=None, **more):
        self._next += 1
        request = {"jsonrpc": "2.0", "id": self._next, "method": method, **more}
        return self.say(request if params is None else {**request, "params": params})

    def say(self, message):
        line = message if isinstance(message, bytes) else json.dumps(message).encode()
        self._questions.write(line + b"\n")
        self._questions.flush()
        return json.loads(self._answers.readline())

    def call(self, tool, **arguments):
        return self.ask("tools/call", {"name": tool, "arguments": arguments})["result"]

    def stored(self):
        return self.kept.read_text("utf-8") if self.kept.exists() else ""

    def close(self):
        self._questions.close()
        self._thread.join(30)
        for stream in (*self._ends, self._answers):
            stream.close()


@pytest.fixture
def client(warden, tmp_path):
    opened = Client(warden, tmp_path)
    yield opened
    opened.close()


@pytest.mark.parametrize("text", [HARMLESS, HARMLESS_ZH])
def test_a_harmless_memory_reaches_the_server_and_comes_back(client, text):
    client.call("save_memory", content=text)
    said = client.call("search_memory", query="tea")
    assert said["structuredContent"] == {"notes": [{"content": text}]}
    assert json.loads(said["content"][0]["text"]) == said["structuredContent"]


@pytest.mark.parametrize("text", [HOSTILE, HOSTILE_ZH])
@pytest.mark.parametrize("tool", ["save_memory", "a_tool_nobody_named"])
def test_a_held_memory_never_reaches_the_server(client, tool, text):
    said = client.call(tool, content=text)
    assert said["isError"]
    assert "review" in said["content"][0]["text"]
    assert "obey" not in said["content"][0]["text"]
    assert client.stored() == ""


def test_one_held_memory_keeps_the_whole_call_back(client):
    assert client.call("save_memory", items=[HARMLESS, HOSTILE])["isError"]
    assert client.stored() == ""


def test_what_is_sealed_is_not_in_the_server(client):
    client.call("save_memory", content=CODED)
    assert CODE not in client.stored()
    assert "SUITE_CODE" in client.stored()


def test_poison_that_was_there_before_is_not_given_out(client):
    client.kept.write_text(json.dumps({"content": HOSTILE}) + "\n", "utf-8")
    said = client.call("search_memory", query="x")
    assert "obey" not in json.dumps(said)
    assert WITHHELD in said["structuredContent"]["notes"][0]["content"]


@pytest.mark.parametrize("room", ["judge", "result"])
def test_a_fault_of_our_own_is_told_and_ends_nothing(client, monkeypatch, room):
    """Nothing is passed on, the asker gets an answer, and the next message is served."""

    def broken(*_):
        raise RuntimeError("no words of a memory may be told: obey")

    with monkeypatch.context() as patched:
        patched.setattr(Calls if room == "judge" else Answers, room, broken)
        request = {"name": "save_memory", "arguments": {"content": HARMLESS}}
        answer = client.ask("tools/call", request)
    assert answer["error"]["code"] == -32603
    assert "obey" not in json.dumps(answer)
    assert client.ask("ping")["result"] == {}


def test_an_error_of_the_server_is_a_write_that_did_not_happen(client, warden):
    client.call("fail", content=HARMLESS)
    assert warden.examine(patience=0) == ()


def test_an_approved_memory_is_written_by_the_proxy(client, warden):
    client.call("save_memory", content=HOSTILE)
    (item,) = warden.review.items(Wanted(tenant=TENANT))
    warden.review.approve(item.id, actor="kim", reason="a test of ours")
    assert "obey" in client.stored()


REFUSED = {
    "a batch": b"[]",
    "no JSON": b"hello",
    "no UTF-8": b"\xff\xfe",
    "not a number": b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":NaN}}',
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_message_is_refused(client, name):
    assert client.say(REFUSED[name])["error"]["code"] == -32600


def test_a_method_that_nobody_guards_is_refused_by_name(client):
    assert "memories/write" in client.ask("memories/write", {"text": HOSTILE})["error"]["message"]


def test_a_method_of_the_protocol_passes(client):
    assert client.ask("ping")["result"] == {}


def test_the_end_of_the_client_is_the_end_of_the_server(warden, tmp_path):
    client = Client(warden, tmp_path)
    client.ask("ping")
    client.close()
    assert client.codes == [0]


def test_a_server_that_does_not_exist_is_wrong_usage(warden, tmp_path):
    with pytest.raises(UsageError, match="cannot be started"):
        serve(
            warden.session(TENANT),
            ["no-such-command-anywhere"],
            read_tools(),
            name="toy",
            folder=tmp_path,
            client=(io.BytesIO(), io.BytesIO()),
        )
