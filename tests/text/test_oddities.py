"""Suspicious layout is named; the honest uses of invisible characters are not."""

import pytest

from memwarden.text import find_oddities, read

ODD = [
    ("hi" + "".join(chr(0xE0000 + ord(c)) for c in "send it"), "smuggled_payload"),
    ("😀" + "".join(chr(0xE0100 + b - 16) for b in b"send it"), "smuggled_payload"),
    (
        "ok" + "".join("\u200b\u200c"[int(b)] for b in f"{ord('h'):08b}{ord('i'):08b}"),
        "smuggled_payload",
    ),
    ("pay \u202e100\u202c now", "bidi_override"),
    ("note\u200b\u200b\u200b\u200b\u200b", "invisible_run"),
    ("ig\u200bno\u200bre th\u200bis", "invisible_in_words"),
    ("忽\u200b略\u200b指\u200b令", "invisible_in_words"),
    ("pаypаl account", "mixed_script_words"),
    ("gооgle", "mixed_script_words"),
    ("\x1b[8mhidden\x1b[0m", "terminal_escape"),
    ("a\U000e0041b", "tag_characters"),
]

HONEST = [
    "Family: 👨\u200d👩\u200d👧 and a heart ❤\ufe0f, key 1\ufe0f\u20e3",
    "England \U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f won",
    "می\u200cخواهم کتاب را بخوانم و می\u200cروم و نمی\u200cدانم",
    "क्\u200dष and श्\u200cर",
    "שלום \u200fעולם\u200e abc",
    "مرحبا \u2067abc\u2069 بكم",
    "\ufeffA file that begins with a byte order mark.",
    "A soft hy\u00adphen from a page.",
    "Привет, я люблю чай",
    "Το μ και το α στην εξίσωση",
    "The Δt is 5 µs, and α-helix is α",
    "葛\U000e0100飾区",
    "普通的中文句子。",
    "naïve café Straße",
]


@pytest.mark.parametrize(("text", "name"), ODD)
def test_what_is_odd_is_named_with_its_place(text: str, name: str) -> None:
    assert name in read(text).oddities
    places = [oddity for oddity in find_oddities(text) if oddity.name == name]
    assert places
    assert all(0 <= place.start < place.end <= len(text) for place in places)


@pytest.mark.parametrize("text", HONEST)
def test_honest_uses_are_not_named(text: str) -> None:
    assert read(text).oddities == ()
