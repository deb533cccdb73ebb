"""The small language of rule patterns.

A pattern is an RE2 expression over folded text (lower case, simplified Chinese, plain quotes) in
which ``{name}`` puts in the word list ``name`` of the pattern's language, and these stand for what
may be between two words:

    {_}      a space, or the punctuation that stands in for one
    {near}   a few words of the same clause
    {gap}    some words of the same sentence
    {far}    up to a few sentences
    {imp}    the place where a command begins: a clause, or after "please", "you must", 请 ...

English patterns begin and end at word boundaries by themselves. ``\\b`` is refused: it is wrong
beside Chinese.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from memwarden.rules.literals import GAP
from memwarden.rules.model import Form, Lang, Pattern

GAPS: Final = ("_", "near", "gap", "far", "imp")

_IN_BRACES: Final = frozenset("{" + name + "}" for name in GAPS)
_PUNCTUATION: Final = r"""[\s"'*_,:()\[\]\-]"""
_STOP: Final = r".!?\n。"

_ENGLISH_OPENERS: Final = (
    "please|now|then|and|but|so|also|just|must|should|shall|will|you|always|"
    "henceforth|kindly|instead|simply|immediately|hereby|okay|ok|hey|hello|hi|first|next|finally|"
    "lastly|important|attention|note|assistant|system|ai|bot|model|agent|chatgpt|claude|gpt|"
    "completely|entirely|totally|fully|therefore|thus|hence|actually|again|or|either|"
    "whatever|secondly|let's|lets"
)
_BOUND_TO: Final = (
    r"(?:you|must|need|needs|have|has|required|instructed|ordered|told|asked|supposed|free|allowed|"
    r"going|is|are|was|were|order|want|wish|like|hereby)\s(?:you\s|it\s)?to"
)
_CHINESE_OPENERS: Final = (
    "请|请你|你|你们|应|应该|应当|须|必须|务必|现在|立即|立刻|马上|并|并且|然后|接着|接下来|"
    "从现在起|从现在开始|需要|要|可以|直接|完全|彻底|全部|都|就|先|再|也|一律|必需|得|会|将|把|"
    "助手|模型|系统|机器人|智能体|助理|给我|帮我|麻烦|让我们|让|命令|要求|以及|或|但|但是|而|不要|别"
)

_EXACT: Final = {
    Lang.EN: {
        "_": _PUNCTUATION + "{1,3}",
        "near": rf"[^a-z0-9{_STOP}](?:[^{_STOP},;:]{{0,24}}[^a-z0-9{_STOP}])?",
        "gap": rf"[^a-z0-9{_STOP}](?:[^{_STOP}]{{0,48}}[^a-z0-9{_STOP}])?",
        "far": r"[^a-z0-9](?:(?s:.{0,160})[^a-z0-9])?",
        "imp": (
            r"(?:^|[^a-z0-9\s_,]\s{0,3}|[\n,]\s{0,3}"
            rf"|(?:^|[^a-z0-9_])(?:{_ENGLISH_OPENERS}|{_BOUND_TO})[\s,:]{{1,3}})"
        ),
    },
    Lang.ZH: {
        "_": r"[\s\"',:()\[\]*_\-]{0,3}",
        "near": rf"[^{_STOP},;:]{{0,12}}",
        "gap": rf"[^{_STOP}]{{0,24}}",
        "far": r"(?s:.{0,80})",
        "imp": rf"(?:^|[^\p{{L}}\p{{N}}]|{_CHINESE_OPENERS})",
    },
}
_SQUEEZED: Final = {
    "_": _PUNCTUATION + "{0,3}",
    "near": rf"[^{_STOP},;:]{{0,24}}",
    "gap": rf"[^{_STOP}]{{0,48}}",
    "far": r"(?s:.{0,160})",
    "imp": "",
}

_REFERENCE: Final = re.compile(r"(?<!\\)(?<!\\[pPx])\{([a-z_][a-z0-9_-]*)\}")
_COUNT: Final = re.compile(r"\{[01],\d+\}")
_BOUNDARY_LEFT: Final = r"(?:^|[^a-z0-9_])"
_BOUNDARY_RIGHT: Final = r"(?:$|[^a-z0-9_])"


def references(pattern: str) -> list[str]:
    """The names in braces that a pattern uses."""
    return [match[1] for match in _REFERENCE.finditer(pattern)]


def pieces(pattern: str) -> list[tuple[str, bool]]:
    """Cut a pattern into (fragment, is a name in braces)."""
    result: list[tuple[str, bool]] = []
    position = 0
    for match in _REFERENCE.finditer(pattern):
        result += ((pattern[position : match.start()], False), (match[1], True))
        position = match.end()
    result.append((pattern[position:], False))
    return [piece for piece in result if piece[0]]


def render(pattern: Pattern, form: Form) -> str:
    """The RE2 expression of a pattern in one form; group 1 is the span to report."""
    return _rendered(pattern, form, _gaps(pattern.lang, form))


def render_loose(pattern: Pattern, form: Form) -> str:
    """The same with gaps of any length: finds all that the strict one finds, and a little more.

    Counting how long a gap has been makes an automaton large; asking this one first keeps the
    strict one for the few texts that may hold a match.
    """
    loose = {name: _uncounted(gap) for name, gap in _gaps(pattern.lang, form).items()}
    return _rendered(pattern, form, loose)


def _uncounted(gap: str) -> str:
    return _COUNT.sub(lambda count: "+" if count[0].startswith("{1") else "*", gap)


def _rendered(pattern: Pattern, form: Form, gaps: Mapping[str, str]) -> str:
    opener = ""
    if pattern.source[0] == "{imp}":
        opener = gaps["imp"]
        pattern = replace(pattern, source=pattern.source[1:])
    body = _body(pattern, gaps)
    if pattern.lang is not Lang.EN or form is Form.SQUEEZED:
        return f"{opener}({body})"
    return f"{opener or _BOUNDARY_LEFT}({body}){_BOUNDARY_RIGHT}"


def demanded(pattern: Pattern, form: Form) -> str:
    """The expression to ask for the literals of a pattern. Where words stand whole, gaps say so."""
    if not whole_words(pattern, form):
        return render(pattern, form)
    body = "".join(GAP if piece in _IN_BRACES else piece for piece in pattern.source)
    return f"{GAP}{body}{GAP}"


def whole_words(pattern: Pattern, form: Form) -> bool:
    """Whether the words of a pattern stand whole, between signs and blanks."""
    return pattern.lang is Lang.EN and form is Form.EXACT


def _body(pattern: Pattern, gaps: Mapping[str, str]) -> str:
    return "".join(
        f"(?:{gaps[piece[1:-1]]})" if piece in _IN_BRACES else piece for piece in pattern.source
    )


def _gaps(lang: Lang, form: Form) -> dict[str, str]:
    if form is Form.EXACT:
        return _EXACT[Lang.EN if lang is Lang.EN else Lang.ZH]
    return _SQUEEZED if lang is Lang.EN else {**_EXACT[Lang.ZH], "imp": ""}
