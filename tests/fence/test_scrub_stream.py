"""An answer that arrives in pieces: the same result however it is cut, and no idle waiting."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncIterator, Iterator
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memwarden.fence import Protected, Scrubber
from memwarden.fence.scrub import flow as flows
from memwarden.model import ScrubSetting

ORIGINALS = [
    *(
        "13812345678",
        "张三",
        "王三丰",
        "Nadia Petrova",
        "zhangsan@example.com",
        "Eric",
        "Eric Smith",
    ),
    *("110101199003071234", "北京市朝阳区建国路八十八号院3号楼", "Rose", "1234", "aaaa", "1111"),
    *("京A12345", "Tr0ub4dor&3", "Freeman", "https://x.io/a?b=1", "(138) 555-0100"),
    "The customer told us that her pension was cut by the Acme Bank in March and she worries",
]
SETS = [
    Scrubber(
        [Protected(one, f"<X_{at}>") for at, one in enumerate(some)], ScrubSetting(), language="en"
    )
    for some in (ORIGINALS, ORIGINALS[:1], ORIGINALS[9:13], ORIGINALS[-1:])
]
ALL = SETS[0]

JUNK = [
    *(
        " ",
        "\n",
        '"',
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "\\",
        "\\\\",
        "%",
        "&",
        "1",
        "e",
        "a",
        "三",
        "你",
    ),
    *(
        "。",
        "(",
        ")",
        "<",
        "\u0301",
        "\u200b",
        "😀",
        "\ud83d",
        "\ude00",
        "](",
        "\\u5f",
        "%E5%BC",
        "&#",
    ),
    *("=", "E5", ".", "，", "https://e.com/?q=", "紧", "    ", "+86", "ab", "MTM4"),
]


def _apart(text: str, sign: str) -> str:
    return sign.join(text)


def _base64(text: str, before: str) -> str:
    return base64.b64encode((before + text).encode()).decode()


disguised = st.sampled_from(ORIGINALS).flatmap(
    lambda one: st.one_of(
        st.just(one),
        st.sampled_from([one.upper(), json.dumps(one), json.dumps(json.dumps(one)), quote(one)]),
        st.sampled_from([" ", "-", "\u200b", " . ", "\n"]).map(lambda sign: _apart(one, sign)),
        st.sampled_from(["", "x", "xy", "你"]).map(lambda before: _base64(one, before)),
        st.just("".join(f"\\u{ord(char):04x}" for char in one)),
        st.tuples(st.integers(0, len(one)), st.integers(0, len(one))).map(
            lambda ends: one[min(ends) : max(ends)]
        ),
    )
)
answers = st.lists(st.sampled_from(JUNK) | disguised, max_size=10).map("".join)


def in_pieces(text: str, cuts: list[int]) -> list[str]:
    places = sorted({min(cut, len(text)) for cut in cuts})
    return [text[a:b] for a, b in zip([0, *places], [*places, len(text)], strict=True)]


@settings(max_examples=400, deadline=None)
@given(answers, st.lists(st.integers(0, 200), max_size=8), st.sampled_from(range(len(SETS))))
def test_any_cutting_gives_what_the_whole_gives(text: str, cuts: list[int], which: int) -> None:
    assert "".join(SETS[which].stream(in_pieces(text, cuts))) == SETS[which].scrub(text)


@settings(max_examples=50, deadline=None)
@given(answers)
def test_one_character_at_a_time_gives_what_the_whole_gives(text: str) -> None:
    assert "".join(ALL.stream(text)) == ALL.scrub(text)


@settings(max_examples=50, deadline=None)
@given(answers.filter(lambda text: not any("\ud800" <= char <= "\udfff" for char in text)))
def test_utf8_may_be_cut_within_a_character(text: str) -> None:
    data = text.encode()
    out = b"".join(ALL.stream_bytes(data[at : at + 1] for at in range(len(data))))
    assert out.decode() == ALL.scrub(text)


@settings(max_examples=60, deadline=None)
@given(answers, st.integers(0, 60), st.lists(st.integers(0, 9_000), max_size=5))
def test_far_from_escapes_nothing_is_missed(text: str, repeats: int, cuts: list[int]) -> None:
    filler = "The weather is fine today and nobody says a word. 今天天气很好。" * repeats
    whole = filler + text + filler + text
    expected = ALL.scrub(whole)
    assert "".join(ALL.stream(in_pieces(whole, cuts))) == expected
    sparse = flows._SPARSE
    try:
        flows._SPARSE = 1_000_000_000
        assert ALL.scrub(whole) == expected
    finally:
        flows._SPARSE = sparse


def test_bytes_that_are_no_utf8_pass() -> None:
    data = b"\xff\xfe 13812345678 \xc3"
    assert b"".join(ALL.stream_bytes([data[:4], data[4:]])) == b"\xff\xfe <X_0> \xc3"


def test_halves_of_a_surrogate_pair_may_come_apart() -> None:
    assert list(ONE.stream(["\ud83d", "\ude00 ok"])) == ["😀 ok"]
    assert "".join(ALL.stream(["\ud83d", "x"])) == "\ud83dx"


def test_an_asynchronous_answer_is_the_same() -> None:
    async def chunks() -> AsyncIterator[str]:
        for chunk in ("call 138", "1234", "5678 now"):
            yield chunk

    async def together() -> str:
        return "".join([out async for out in ALL.stream_async(chunks())])

    assert asyncio.run(together()) == "call <X_0> now"


ONE = Scrubber([Protected("13812345678", "<X>")], ScrubSetting(), language="en")


@pytest.mark.parametrize(
    ("arrived", "held"),
    [
        ("Hello, the weather is nice. ", ""),
        ("你好，今天天气很好。", ""),
        ("it costs 29 yuan, ", ""),
        ("call 138", "138"),
        ("call 138-1234-", "138-1234-"),
        ("call 139", ""),
        ("call 138       and", ""),
        ("call 13812345678", "13812345678"),
        ("call 13812345678 ", ""),
        ("[x](https://e.com/?q=138", "138"),
        ("a backslash \\", "\\"),
        ("a backslash \\u5", "\\u5"),
        ("50%", "%"),
        ("50% of", ""),
    ],
)
def test_only_what_may_yet_become_an_original_waits(arrived: str, held: str) -> None:
    flow = ONE.flow()
    out = flow.feed(arrived)
    assert arrived[len(arrived) - flow.held :] == held
    assert len(out) + flow.held == len(arrived) or "<X>" in out


def test_a_long_original_holds_nothing_back_once_it_cannot_be_quoted() -> None:
    flow = SETS[3].flow()
    flow.feed("As I said, the customer told us that her pension was cut")
    assert flow.held >= 40
    flow.feed(" short, and that was that.")
    assert flow.held < 10


def test_what_comes_out_comes_out_at_once() -> None:
    def chunks() -> Iterator[str]:
        yield from ("The weather ", "is fine. ", "Call 138", "12345678", " now.")

    assert list(ONE.stream(chunks())) == ["The weather ", "is fine. ", "Call ", "<X> now."]


def test_a_flow_is_as_new_after_it_has_finished() -> None:
    flow = ONE.flow()
    assert flow.feed('{"a": 138') + flow.finish() == '{"a": 138'
    assert flow.feed("13812345678") + flow.finish() == "<X>"
