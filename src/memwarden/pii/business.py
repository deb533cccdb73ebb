"""Telling what belongs to a venue or company from what belongs to a person.

A restaurant's telephone is what a memory is for; a person's is not. A landline, an address or a
function's mailbox counts as public only where nothing speaks of a person; a mobile number only in a
venue's own entry.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from memwarden.pii.context import mentions, tokens
from memwarden.pii.found import Found
from memwarden.pii.load import document, listed, words
from memwarden.pii.names_zh import compounds, is_name, surnames
from memwarden.pii.pattern import WordList

_AROUND: Final = 300
"""Code points looked at on each side."""

_ENTRY: Final = 3
"""So many different words of a venue make its own entry, whatever name the venue has."""

_CLAUSE: Final = 24
_STOP: Final = re.compile("[，。；,;!！?？\n]")
_OWNER: Final = re.compile(r"([^\W\d_]{2,4})[ :\uff1a,\uff0c]{1,2}$")
_BESIDE: Final = 3
"""Code points between two numbers of one list."""

_PRIVATE: Final = frozenset({"PHONE_NUMBER", "EMAIL_ADDRESS", "CN_ID_CARD", "US_SSN", "ADDRESS"})
"""Types that make a birthday beside them a private person's."""

_PUBLIC: Final = {
    "PHONE_NUMBER": "BUSINESS_PHONE",
    "ADDRESS": "BUSINESS_ADDRESS",
    "EMAIL_ADDRESS": "BUSINESS_EMAIL",
}
_TITLE: Final = re.compile("《[^》]{1,60}》")
_SAID: Final = re.compile(r"(?:电话(?:就|号码)?(?:是|在|为)在?[:\uff1a]?$|地址(?:就)?(?:是|在|为))")
"""An answer about a place. Of their own address people say 我的, 我家 or 住."""

_FOOTER: Final = re.compile(
    r"(?:Inc|LLC|Ltd|Limited|Corp|GmbH|PLC|S\.A)\.?[\s,|]{1,4}$|有限公司[\s,，：:]{0,2}$"
)
"""A company's name right before an address: the foot of a letter."""

_FORM: Final = re.compile(r"[:=\uff1a][\s\"']*$")
"""A date behind a colon is a form's field, whoever else is spoken of."""

_FIELD: Final = re.compile(
    r"(?:(?:电话|传真|号码|联系方式|[Tt]el|[Pp]hone)[^0-9]{0,2}[:\uff1a\"]|座机|固话)[^0-9]{0,3}$"
)


@dataclass(frozen=True, slots=True)
class _Place:
    """What the text around one find speaks of. ``entry`` means the text is a venue's entry."""

    person: bool
    venue: bool
    entry: bool


@lru_cache(maxsize=1)
def _lists() -> Mapping[str, WordList]:
    body = document("business")
    made = {}
    for name in body:
        entry = body[name]
        if isinstance(entry, dict):
            made[name] = WordList(name, frozenset(words(entry, "en")), words(entry, "zh"))
    return made


def told_apart(found: Iterable[Found], text: str) -> list[Found]:
    """The finds: public ones renamed, birthdays of public figures left out."""
    every = list(found)
    private = any(one.entity in _PRIVATE for one in every)
    named = any(one.entity == "PERSON" and _has_surname(text[one.start :]) for one in every)
    told: list[Found] = []
    for one in every:
        if one.entity == "DATE_OF_BIRTH":
            if private or not _is_of_a_figure(text, one):
                told.append(one)
        elif one.entity in _PUBLIC and _is_public(text, one, told, named=named):
            told.append(replace(one, entity=_PUBLIC[one.entity]))
        else:
            told.append(one)
    return told


def _is_public(text: str, one: Found, before: Sequence[Found], *, named: bool) -> bool:
    if one.entity == "EMAIL_ADDRESS":
        return _is_function(text[one.start : one.end])
    place = _place(text, one)
    if one.entity == "ADDRESS":
        if _FOOTER.search(text[max(0, one.start - _CLAUSE) : one.start]):
            return True
        return (place.venue or _said(text, one)) and (place.entry or not place.person)
    if one.rule not in listed("business_lines"):
        return (place.entry and not place.person) or _goes_on(text, one, before)
    if place.venue:
        return place.entry or not place.person
    landline = one.rule.startswith("cn.landline") or _said(text, one)
    return landline and not named and _of_nobody(text, one, place)


def _of_nobody(text: str, one: Found, place: _Place) -> bool:
    """Whether a landline stands there without a person or a form's field that is somebody's."""
    lead = text[max(0, one.start - 8) : one.start]
    field = _FIELD.search(lead) is not None and not _said(text, one)
    owner = _OWNER.search(text[max(0, one.start - _CLAUSE) : one.start])
    somebody = owner is not None and is_name(owner[1])
    return not (place.person or field or somebody) and bool(lead.strip())


def _has_surname(name: str) -> bool:
    """Whether a find may be a person's name: venues (紫谷伊甸园) are taken for people too."""
    return not "\u3400" <= name[:1] <= "\u9fff" or name[0] in surnames() or name[:2] in compounds()


def _said(text: str, one: Found) -> bool:
    lead = text[max(0, one.start - _CLAUSE) : one.start]
    return _SAID.search(_STOP.split(lead)[-1] if one.entity == "ADDRESS" else lead[-8:]) is not None


def _goes_on(text: str, one: Found, before: Sequence[Found]) -> bool:
    """Whether a mobile number goes on a list that a public landline began."""
    last = before[-1] if before else None
    return (
        last is not None
        and last.entity == "BUSINESS_PHONE"
        and 0 < one.start - last.end <= _BESIDE
        and text[last.end : one.start].strip() in {",", ";", "、", "/", "，", "；"}
    )


def _place(text: str, one: Found) -> _Place:
    lists = _lists()
    around = text[max(0, one.start - _AROUND) : one.end + _AROUND]
    venue = lists["venue"]
    latin = tokens(around)
    count = sum(word in around for word in venue.zh)
    count += sum(f" {word} " in latin for word in venue.en)
    person = mentions(around, (lists["person"],))
    mine = person and mentions(around, (lists["own"],))
    return _Place(person, count > 0, count >= _ENTRY and not mine)


def _is_function(value: str) -> bool:
    """``support@company.com``: a desk of a company, unless the host gives mailboxes to anybody."""
    local, _, host = value.lower().rpartition("@")
    head = re.split(r"[.+_\-]", local)[0]
    return head in listed("mail_functions") and host not in listed("mail_hosts")


def _is_of_a_figure(text: str, one: Found) -> bool:
    if _FORM.search(text[max(0, one.start - 4) : one.start]):
        return False
    lists = _lists()
    around = _TITLE.sub("", text[max(0, one.start - _AROUND) : one.end + _AROUND])
    others = (lists["own"], lists["near"])
    return mentions(around, (lists["figure"],)) and not mentions(around, others)
