"""Street addresses written in Latin letters: number, street, unit, town, state and code.

An address is anchored at a street suffix behind a number (12 Main Street), at a unit (Apt. 4), at a
military or post-office box, or at a street name of another language with its number behind it. From
the anchor it is grown over the unit, town, state and code that follow.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import re2

from memwarden.pii.found import Found
from memwarden.pii.load import document, words

_GAP: Final = r"[ \t]*[,>]?[ \t]*\n?[ \t>]*,?[ \t>]*"
_WORD: Final = r"[\p{Lu}0-9][\p{L}\p{M}0-9.'’\-]*"
_UNIT: Final = (
    r"(?i:(?:apt|apartment|suite|ste|unit|floor|fl|room|rm|bldg|building|flat)\.? ?#? ?[0-9A-Za-z\-]{1,6}"
    r"|# ?[0-9A-Za-z\-]{1,6})"
)
_STATE: Final = (
    "A[KLRZAEP]|C[AOT]|D[CE]|F[LM]|G[AU]|HI|I[ADLN]|K[SY]|LA|M[ADEHINOPST]|N[CDEHJMVY]|O[HKR]|P[ARW]|RI|S[CD]|"
    "T[NX]|UT|V[AIT]|W[AIVY]|MP|AS"
)
_CODE: Final = r"[0-9]{5}(?:-[0-9]{4})?|[A-Z]{1,2}[0-9][0-9A-Z]? ?[0-9][A-Z]{2}|[0-9]{4,6}"
_TOWN: Final = rf"{_WORD}(?:[ \-](?:{_WORD}|of|the|de|la|upon|am|an der|sur)){{0,3}}"
_PLACE: Final = (
    rf"(?:{_GAP}{_UNIT})?(?:{_GAP}{_TOWN}{_GAP}(?:{_STATE}){_GAP}(?:{_CODE})|{_GAP}{_TOWN}(?:{_GAP}{_TOWN})?"
    rf"[ ,\n]{{1,4}}(?:{_CODE})|{_GAP}(?:{_STATE}) (?:{_CODE}))?"
)
_MIN: Final = 6


@lru_cache(maxsize=1)
def _grammar() -> tuple[tuple[str, float, re2._Regexp], ...]:
    options = re2.Options()
    options.log_errors = False
    options.max_mem = 64 << 20
    places = document("places_en")
    suffix = "|".join(sorted(words(places, "suffixes"), key=len, reverse=True))
    foreign = "|".join(sorted(words(places, "foreign"), key=len, reverse=True))
    ending = "|".join(sorted(words(places, "endings"), key=len, reverse=True))
    number = r"[0-9]{1,6}[A-Za-z]?(?:[\-/][0-9]{1,5}[A-Za-z]?)?"
    street = rf"(?:[NSEW]\.? |North |South |East |West )?(?:{_WORD} ){{1,4}}?(?i:{suffix})\.?(?: (?:[NSEW]{{1,2}}))?"
    rules = (
        ("street", 0.86, rf"{number}(?: {number})? {street}(?:[ ,]|\z|[^\p{{L}}]){_PLACE}"),
        ("unit", 0.86, rf"(?:{number} )?(?:{number} )?(?:{_WORD} ){{1,5}}?(?:{number}[ ,]{{0,2}})?{_GAP}{_UNIT}(?:[^\p{{L}}]|\z){_PLACE}"),
        ("box", 0.9, rf"(?i:(?:psc|unit) [0-9]{{1,5}},? box [0-9]{{1,5}}|(?:usns|usnv|uss|uscgc) [\p{{L}}]{{2,20}}){_GAP}(?i:[af]po|dpo),? (?i:a[aep]) [0-9]{{5}}"),
        ("pobox", 0.85, rf"(?i:p\.? ?o\.? ?box [0-9]{{1,6}}){_PLACE}"),
        ("foreign", 0.8, rf"(?:{number} )?(?:(?i:{foreign})\.? (?:(?i:de|du|des|della|del|la|le|el|los|les|d') ?)?(?:{_WORD} ){{1,3}}|[\p{{Lu}}][\p{{L}}]{{1,20}}(?:{ending}) )[0-9]{{1,4}}[A-Za-z]?(?:[^\p{{L}}0-9]|\z){_PLACE}"),
        ("zip", 0.8, rf"{number} (?:{_WORD} ){{1,4}}?{_WORD}, {_TOWN}, (?:{_STATE}) [0-9]{{5}}(?:-[0-9]{{4}})?"),
    )
    return tuple((name, score, re2.compile(rule, options)) for name, score, rule in rules)


@lru_cache(maxsize=1)
def _look() -> re2._Set:
    options = re2.Options()
    options.log_errors = False
    options.max_mem = 64 << 20
    chosen = re2.Set.SearchSet(options)
    for _, _, regex in _grammar():
        chosen.Add(regex.pattern)
    chosen.Compile()
    return chosen


def find(text: str) -> list[Found]:
    """Addresses in a clean reading. Without a digit there is none."""
    if not any("0" <= char <= "9" for char in text):
        return []
    found = []
    grammar = _grammar()
    for index in _look().Match(text) or ():
        name, score, regex = grammar[index]
        for match in regex.finditer(text):
            start, end = match.span()
            while end > start and not text[end - 1].isalnum():
                end -= 1
            if end - start >= _MIN and not (start and text[start - 1].isalnum()):
                found.append(Found("ADDRESS", f"en.address.{name}", start, end, score, soft=True))
    return found
