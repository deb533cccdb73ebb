"""English names that rules can be sure of: behind a label or a title, a speaker's line, a record.

A model finds the others; common first names are a net beneath it. All of it is soft.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import re2

from memwarden.pii.found import Found
from memwarden.pii.load import document, words

_CAP: Final = r"\p{Lu}[\p{Ll}\p{M}]+(?:['’\-]\p{Lu}[\p{Ll}\p{M}]+)?|(?:Mc|Mac|O['’]|D['’])\p{Lu}\p{Ll}+"
_FULL: Final = rf"(?:{_CAP})(?: (?:\p{{Lu}}\.? )?(?:(?:van|von|de|der|den|da|di|la|le|bin|al|el|del|dos|y) ){{0,2}}(?:{_CAP})){{0,3}}"
_AMBIGUOUS: Final = frozenset(
    "will may june april august summer autumn grace joy faith hope rose mark bill frank art rob pat sue jack jordan "
    "georgia virginia florence austin dallas paris sydney chelsea lance dean dale glen max ray robin ruby ginger amber "
    "crystal jade daisy violet iris hazel ivy misty penny christian jesus carol earl don lee long victoria charlotte "
    "savannah madison jackson lincoln washington houston alexandria santiago milan ian francisco angel mercedes "
    "harvey stella melody sierra sandy dawn blake kent chad kay jan gene guy cliff clay rusty randy stormy heather "
    "olive kai don adrian rosa gloria".split()
)


@lru_cache(maxsize=1)
def _not_people() -> frozenset[str]:
    names = document("names_en")
    return frozenset(words(names, "not_people")) | frozenset(words(names, "leads"))


@lru_cache(maxsize=1)
def firsts() -> frozenset[str]:
    """Common first names in lower case."""
    return frozenset(words(document("names_en"), "firsts"))


@lru_cache(maxsize=1)
def _patterns() -> tuple[tuple[str, float, re2._Regexp], ...]:
    options = re2.Options()
    options.log_errors = False
    names = document("names_en")
    titles = "|".join(sorted((t for t in words(names, "titles") if "." not in t), key=len, reverse=True))
    labels = "|".join(label.replace("_", "[ _]?") for label in words(names, "labels"))
    rules = (
        ("labelled", 0.88, rf"(?i:(?:^|[^\p{{L}}])(?:{labels}))[\"']? ?[:=] ?[\"']?((?:(?:{titles})\.? )?{_FULL})"),
        ("said", 0.88, rf"(?i:my name is|my name's|name is|i am called|i'm called|people call me|you can call me|call me|last name\? ?|first name\? ?|nicknamed|formerly known as|on behalf of|signed by|sincerely,?|kind regards,?|best regards,?|yours truly,?)[ \n]+({_FULL})"),
        ("said_low", 0.7, r"(?i:my name is|my name's) ([a-z]{3,15}(?: [a-z]{3,15})?)(?:[.,!?\n]|\z| and )"),
        ("titled", 0.85, rf"(?:^|[^\p{{L}}])(?:{titles})\.? ({_FULL})"),
        ("kin", 0.75, rf"(?i:my|his|her|our|their) (?i:wife|husband|son|daughter|kid|brother|sister|mother|father|mom|mum|dad|friend|boss|colleague|girlfriend|boyfriend|partner|neighbou?r|teacher|doctor|uncle|aunt|cousin|nephew|niece|grandson|granddaughter|roommate|dog|cat),? ((?:{_CAP})(?: (?:{_CAP}))?)"),
        ("speaker", 0.7, rf"(?m:^)>? ?({_FULL}): ?[\"“'A-Z¿¡]"),
        ("first", 0.62, rf"(?:^|[^\p{{L}}])({_FULL})"),
    )
    return tuple((name, score, re2.compile(rule, options)) for name, score, rule in rules)


def find(text: str) -> list[Found]:
    """Names in a clean reading."""
    found: list[Found] = []
    for rule, score, regex in _patterns():
        for match in regex.finditer(text):
            start, end = match.span(1)
            value = text[start:end]
            if rule == "first":
                found += _known(text, start, end, score)
            elif _plausible(value, rule):
                found.append(Found("PERSON", f"en.name.{rule}", start, end, score, soft=True))
    return found


def _plausible(value: str, rule: str) -> bool:
    parts = value.lower().split()
    if any(part in _not_people() for part in parts):
        return False
    return rule != "speaker" or parts[0] in firsts() or len(parts) == 2


def _known(text: str, start: int, end: int, score: float) -> list[Found]:
    """A run of capitalised words, from the first that is a common first name on."""
    at = start
    for word in text[start:end].split(" "):
        low = word.lower()
        if low in firsts() and at + len(word) <= end:
            alone = at + len(word) == end
            if low in _AMBIGUOUS and (alone or not _surname(text[at + len(word) + 1 : end])):
                return []
            return [Found("PERSON", "en.name.first", at, end, score if alone else score + 0.1, soft=True)]
        at += len(word) + 1
    return []


def _surname(rest: str) -> bool:
    return rest.split(" ")[0].lower() not in _not_people()


def is_name(field: str) -> bool:
    """Whether a field of a record consists of nothing but an English name."""
    parts = [part for part in field.replace(".", "").split() if part not in ("Dr", "Mr", "Mrs", "Ms", "Miss")]
    if not 2 <= len(parts) <= 3 or not all(part[:1].isupper() and part.isalpha() for part in parts):
        return False
    return parts[0].lower() in firsts()
