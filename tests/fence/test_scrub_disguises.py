"""Every original in every disguise is taken out, and nothing beside it.

A generated set: originals of many sorts x disguises x sentences around them, in both languages.
"""

from __future__ import annotations

import base64
import random
from collections.abc import Callable

import pytest

from memwarden.fence import Protected, Scrubber
from memwarden.model import ScrubSetting

FIRST = [
    "Nadia",
    "Tomasz",
    "Ingrid",
    "Rashid",
    "Beatriz",
    "Oleksandr",
    "Priya",
    "Kwame",
    "Yusuf",
    "Marguerite",
]
LAST = [
    "Petrova",
    "Kowalczyk",
    "Sandvik",
    "Al-Amin",
    "Figueiredo",
    "O'Halloran",
    "Raghunathan",
    "Mensah",
]
SURNAMES = "王李张刘陈杨赵黄周吴欧阳"
GIVEN = "晓明建国雅婷浩然思远梓涵淑芬鹏飞静怡"
TRADITIONAL = str.maketrans(
    "张刘陈杨赵黄吴欧阳晓国远涵鹏飞静号楼门东区", "張劉陳楊趙黃吳歐陽曉國遠涵鵬飛靜號樓門東區"
)
NUMERALS = str.maketrans("0123456789", "〇一二三四五六七八九")
FORMAL = str.maketrans("0123456789", "零壹贰叁肆伍陆柒捌玖")


def _digits(dice: random.Random, count: int) -> str:
    return "".join(dice.choice("0123456789") for _ in range(count))


ORIGINALS: dict[str, Callable[[random.Random], str]] = {
    "english name": lambda dice: f"{dice.choice(FIRST)} {dice.choice(LAST)}",
    "chinese name": lambda dice: dice.choice(SURNAMES) + dice.choice(GIVEN) + dice.choice(GIVEN),
    "mobile": lambda dice: "1" + dice.choice("3578") + _digits(dice, 9),
    "phone": lambda dice: f"{_digits(dice, 3)} (555) {_digits(dice, 4)}",
    "identity card": lambda dice: "110105" + _digits(dice, 11) + dice.choice("0123456789X"),
    "bank card": lambda dice: "62" + _digits(dice, 17),
    "e-mail": lambda dice: f"{dice.choice(FIRST).lower()}.{_digits(dice, 2)}@example.com",
    "address": lambda dice: (
        f"杭州市西湖区文三路{dice.randint(100, 999)}号{dice.randint(2, 9)}号楼东门"
    ),
    "street": lambda dice: f"{dice.randint(100, 999)} Willow Creek Road, Apt {dice.randint(2, 9)}",
    "passport": lambda dice: "E" + _digits(dice, 8),
    "plate": lambda dice: "京A" + _digits(dice, 5),
    "password": lambda dice: f"tr0ub4dor&{_digits(dice, 3)}",
}


def _apart(sign: str) -> Callable[[random.Random, str], str]:
    return lambda dice, text: sign.join(text)


def _wide(dice: random.Random, text: str) -> str:
    return "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in text)


def _sprinkled(dice: random.Random, text: str) -> str:
    return "".join(char + dice.choice(("", "\u200b", "\u2060", "\ufeff")) for char in text)


def _grouped(dice: random.Random, text: str) -> str:
    sign = dice.choice((" ", "-", ".", " - ", "\u00a0", "/"))
    return sign.join(text[at : at + 4] for at in range(0, len(text), 4))


DISGUISES: dict[str, Callable[[random.Random, str], str]] = {
    "as it is": lambda dice, text: text,
    "upper case": lambda dice, text: text.upper(),
    "lower case": lambda dice, text: text.lower(),
    "mixed case": lambda dice, text: "".join(dice.choice((c.upper(), c.lower())) for c in text),
    "spaced": _apart(" "),
    "spaced wide": _apart("  "),
    "hyphenated": _apart("-"),
    "dotted": _apart("."),
    "marked": _apart("·"),
    "on lines": _apart("\n"),
    "sprinkled": _sprinkled,
    "full-width": _wide,
    "full-width and spaced": lambda dice, text: "　".join(_wide(dice, text)),
    "json escapes": lambda dice, text: "".join(f"\\u{ord(c):04x}" for c in text),
    "percent escapes": lambda dice, text: "".join(f"%{b:02X}" for b in text.encode()),
    "entities": lambda dice, text: "".join(f"&#{ord(c)};" for c in text),
    "without separators": lambda dice, text: "".join(filter(str.isalnum, text)),
}
FOR_DIGITS: dict[str, Callable[[random.Random, str], str]] = {
    "chinese numerals": lambda dice, text: text.translate(NUMERALS),
    "formal numerals": lambda dice, text: text.translate(FORMAL),
    "numerals apart": lambda dice, text: " ".join(text.translate(NUMERALS)),
    "grouped": _grouped,
}
FOR_HAN: dict[str, Callable[[random.Random, str], str]] = {
    "traditional": lambda dice, text: text.translate(TRADITIONAL),
    "traditional, spaced": lambda dice, text: " ".join(text.translate(TRADITIONAL)),
}
AROUND = [
    ("Her details: ", ", as you asked."),
    ("<b>", "</b>"),
    ("> ", "\n"),
    ("联系方式是", "。"),
    ("客户资料：", "，请查收"),
    ("(", ")"),
    ("|", "|"),
    ("**", "**"),
]
DIGITS_ONLY = ("mobile", "bank card")
HAN_ONLY = ("chinese name", "address")


def cases(sort: str, seed: int) -> list[tuple[str, str, str, str, str]]:
    """(disguise, original, left, disguised, right)."""
    dice = random.Random(f"{sort}:{seed}")
    found = []
    ways = dict(DISGUISES)
    ways.update(FOR_DIGITS if sort in DIGITS_ONLY else {})
    ways.update(FOR_HAN if sort in HAN_ONLY else {})
    for name, way in ways.items():
        original = ORIGINALS[sort](dice)
        left, right = dice.choice(AROUND)
        found.append((name, original, left, way(dice, original), right))
    return found


@pytest.mark.parametrize("sort", ORIGINALS)
def test_a_disguised_original_is_replaced_and_nothing_else(sort: str) -> None:
    missed = []
    for seed in range(40):
        for name, original, left, disguised, right in cases(sort, seed):
            scrubber = Scrubber([Protected(original, "<X_1>")], ScrubSetting(), language="en")
            out = scrubber.scrub(left + disguised + right)
            inside = out.removeprefix(left).removesuffix(right)
            if len(inside) == len(out) or inside.strip("()（）.·- 　\n") != "<X_1>":
                missed.append((name, original, left + disguised + right, out))
    assert not missed


SENTENCES = [
    "{x}",
    "The number is {x}.",
    "请拨打{x}联系她",
    "ab{x}",
    "a: {x}\nb: 2",
    '{{"a":"{x}"}}',
]


@pytest.mark.parametrize("sort", ORIGINALS)
@pytest.mark.parametrize("safe", [False, True])
def test_an_original_inside_base64_cannot_be_decoded_any_more(sort: str, safe: bool) -> None:
    encode = base64.urlsafe_b64encode if safe else base64.b64encode
    dice = random.Random(sort)
    missed = []
    for _ in range(40):
        original = ORIGINALS[sort](dice)
        spelling = dice.choice((str, str.lower, str.upper))(original)
        sentence = (
            dice.choice(SENTENCES).replace("{x}", spelling).replace("{{", "{").replace("}}", "}")
        )
        scrubber = Scrubber([Protected(original, "<X_1>")], ScrubSetting(), language="en")
        out = scrubber.scrub(f"Here: {encode(sentence.encode()).decode()} ok")
        if (
            "<X_1>" not in out
            or not out.startswith("Here: ")
            or not out.rstrip("=").endswith(" ok")
        ):
            missed.append((sentence, out))
    assert not missed
