"""Taking spans out of a text and putting them back: pure rendering, no detection.

``redact`` turns parts and slots into stored parts and the record of what was done; ``restore``
puts originals back from that record alone, never by looking for patterns, so that a placeholder
somebody wrote into a text reveals nobody.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from memwarden.errors import UsageError
from memwarden.masking import mask
from memwarden.model import Part, PartRole, Redaction, Slot, Treatment

NumberFor = Callable[[str, str], int]
"""(entity, value) -> its number in the tenant. Equal values get equal numbers."""

REVERSIBLE: Final = frozenset({Treatment.SEAL, Treatment.PSEUDONYM})
"""Treatments whose original may be seen again by those who are allowed to."""

_TEXTUAL: Final = frozenset({"PERSON", "ADDRESS", "LOCATION", "ORGANIZATION"})
_EXACT: Final = frozenset({"SECRET", "PASSWORD", "PRIVATE_KEY", "CONNECTION_STRING", "WECHAT_ID"})


@dataclass(frozen=True, slots=True)
class Redacted:
    """Stored parts, and by position what stands where and what stood there."""

    parts: tuple[Part, ...]
    redactions: tuple[Redaction, ...] = ()
    originals: tuple[str, ...] = field(default=(), repr=False)


def redact(
    parts: Iterable[Part], slots: Sequence[Slot], number_for: NumberFor, *, seal: str = ""
) -> Redacted:
    """Fill the slots. Pure but for ``number_for``.

    Slots of one part must ascend and not overlap; kept slots are left as they are. ``seal`` names
    the blob in the vault that will hold the originals of reversible treatments. Raises UsageError
    for slots that do not fit the parts.
    """
    whole = tuple(parts)
    taken = "\n".join(part.text for part in whole)
    stored: list[Part] = []
    redactions: list[Redaction] = []
    originals: list[str] = []
    by_part = _by_part(whole, slots)
    for part in whole:
        text, done, cut = _fill(part, by_part.get(part.path, []), number_for, taken, seal)
        stored.append(part if not done else Part(part.path, text, part.role))
        redactions += done
        originals += cut
    return Redacted(tuple(stored), tuple(redactions), tuple(originals))


def restore(
    parts: Iterable[Part], redactions: Sequence[Redaction], originals: Sequence[str]
) -> tuple[Part, ...]:
    """The parts as they were. Originals stand by position of their redactions.

    Raises UsageError if a placeholder does not stand where the record says, which means that the
    stored text was changed since.
    """
    if len(redactions) != len(originals):
        raise UsageError("restoring needs one original for every redaction, in the same order")
    todo: dict[str, list[tuple[Redaction, str]]] = {}
    for redaction, original in zip(redactions, originals, strict=True):
        todo.setdefault(redaction.part, []).append((redaction, original))
    return tuple(
        Part(part.path, _refill(part, todo[part.path]), part.role) if part.path in todo else part
        for part in parts
    )


_SPELLED: Final = str.maketrans(
    "零〇洞一壹幺二贰貳两三叁參四肆五伍六陆陸七柒拐八捌九玖勾", "0001112222333445566677788999"
)
_AT_DOT: Final = re.compile(
    r" ?(?:(艾特|圈a|小老鼠|\(at\)|\[at\]|\{at\}| at )|(点|點|\(dot\)|\[dot\]|\{dot\}| dot )) ?"
)
_ABROAD: Final = re.compile(r"(?:00)?86(?=1[3-9][0-9]{9}$)")


def canonical(entity: str, value: str) -> str:
    """The form of a value under which it is numbered: ``138 1234 5678`` is ``13812345678``, and so
    are ``一三八一二三四五六七八`` and ``+86 138…``."""
    plain = unicodedata.normalize("NFKC", value)
    if entity in _EXACT:
        return plain
    plain = plain.casefold()
    if entity == "EMAIL_ADDRESS":
        joined = _AT_DOT.sub(lambda match: "@" if match[1] else ".", plain)
        return "".join(char for char in joined if char.isprintable() and not char.isspace())
    if entity in _TEXTUAL or entity.startswith("SPECIAL_"):
        return " ".join(plain.split())
    bare = "".join(char for char in plain.translate(_SPELLED) if char.isalnum()) or plain
    return _ABROAD.sub("", bare) if entity == "PHONE_NUMBER" else bare


def _by_part(parts: Sequence[Part], slots: Sequence[Slot]) -> Mapping[str, list[Slot]]:
    known = {part.path: part for part in parts}
    grouped: dict[str, list[Slot]] = {}
    for slot in slots:
        part = known.get(slot.part)
        if part is None or part.role is not PartRole.TEXT:
            raise UsageError("a slot names a part that is not there or may not be rewritten")
        before = grouped.setdefault(slot.part, [])
        floor = before[-1].end if before else 0
        if not floor <= slot.start < slot.end <= len(part.text):
            raise UsageError("slots of one part must ascend inside it without overlapping")
        before.append(slot)
    return grouped


def _fill(
    part: Part, slots: Sequence[Slot], number_for: NumberFor, taken: str, seal: str
) -> tuple[str, list[Redaction], list[str]]:
    pieces: list[str] = []
    redactions: list[Redaction] = []
    originals: list[str] = []
    read = written = 0
    for slot in slots:
        if slot.treatment is Treatment.KEEP:
            continue
        value = part.text[slot.start : slot.end]
        shown = _shown(slot, value, number_for, taken)
        pieces += (part.text[read : slot.start], shown)
        at = written + slot.start - read
        read, written = slot.end, at + len(shown)
        sealed = seal if slot.treatment in REVERSIBLE else ""
        redactions.append(
            Redaction(part.path, at, written, slot.entity, slot.treatment, shown, sealed)
        )
        originals.append(value)
    return "".join((*pieces, part.text[read:])), redactions, originals


def _shown(slot: Slot, value: str, number_for: NumberFor, taken: str) -> str:
    """What stands in the text instead of ``value``."""
    if slot.treatment is Treatment.MASK:
        return mask(slot.entity, value)
    if slot.treatment is Treatment.REPLACE:
        return f"<{slot.entity}>"
    if slot.treatment in REVERSIBLE:
        return _unused(slot.entity, number_for(slot.entity, canonical(slot.entity, value)), taken)
    raise UsageError(f"{slot.treatment.value} decides about a whole memory and fills no slot")


def _unused(entity: str, number: int, taken: str) -> str:
    """``<PERSON_3>``, or ``<PERSON_3.2>`` where somebody wrote ``<PERSON_3>`` into the text."""
    placeholder, again = f"<{entity}_{number}>", 2
    while placeholder in taken:
        placeholder, again = f"<{entity}_{number}.{again}>", again + 1
    return placeholder


def _refill(part: Part, todo: Iterable[tuple[Redaction, str]]) -> str:
    pieces: list[str] = []
    read = 0
    for redaction, original in sorted(todo, key=lambda pair: pair[0].start):
        if part.text[redaction.start : redaction.end] != redaction.placeholder:
            raise UsageError(
                f"the stored part {part.path} was changed since it was redacted: "
                "nothing is restored from a record that does not fit"
            )
        pieces += (part.text[read : redaction.start], original)
        read = redaction.end
    return "".join((*pieces, part.text[read:]))
