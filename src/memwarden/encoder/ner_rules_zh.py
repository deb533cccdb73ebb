"""What rules mend in LAC's answers: names cut at an interpunct, pieces of a place, departments."""

from __future__ import annotations

import re
from typing import Final

from memwarden.encoder.ner_zh import Word, tagger
from memwarden.model import Entity
from memwarden.pii.load import listed

_TYPES: Final = {"PER": "PERSON", "LOC": "LOCATION", "ORG": "ORGANIZATION"}
_JOINTS: Final = frozenset({"·", "•", "・", " ", "-", "."})
_BODY: Final = re.compile(
    r"^(.*(?:公司|集团|大学|学院|银行|医院|中学|小学|研究院|研究所|委员会|协会|报社|出版社))(.+)$"
)
_DEPARTMENT: Final = re.compile(r"^.{1,6}(?:部|处|科|室|组|中心|办公室|系|分部|事业部)$")
_HAN: Final = re.compile(r"[\u3400-\u9fff]")
_SCORE: Final = 0.8


def entities(text: str) -> list[Entity]:
    """People, places and organisations in a clean Chinese text."""
    words = _joined(text, tagger().words(text))
    found = [_entity(text, word) for word in words if word.tag in _TYPES]
    return [one for one in found if one is not None]


def _joined(text: str, words: list[Word]) -> list[Word]:
    """Join pieces: places that touch, and names whose parts an interpunct or blank divides."""
    out: list[Word] = []
    for word in words:
        if out and _belongs(text, out[-1], word):
            out[-1] = out[-1]._replace(end=word.end)
        elif (
            len(out) > 1
            and text[out[-1].start : out[-1].end] in _JOINTS
            and _named(text, out[-2], word)
        ):
            joint = out.pop()
            out[-1] = out[-1]._replace(end=max(word.end, joint.end))
        else:
            out.append(word)
    return out


def _belongs(text: str, before: Word, word: Word) -> bool:
    if before.end != word.start:
        return False
    if before.tag == word.tag and word.tag in ("LOC", "ORG"):
        return True
    piece = text[before.start : before.end]
    return before.tag == "PER" and "·" in piece and word.end - word.start == 1 and word.tag != "w"


def _named(text: str, first: Word, second: Word) -> bool:
    """Whether two PER words are one name: ``John Smith``, ``阿卜杜拉·买买提``."""
    if first.tag != "PER" or second.tag not in ("PER", "nz", "n"):
        return False
    joint = text[first.end : second.start]
    latin = not _HAN.search(text[first.start : first.end]) and not _HAN.search(
        text[second.start : second.end]
    )
    if joint == "." and not latin:
        return second.tag == "PER"  # 比尔．盖茨
    return second.tag == "PER" and latin if joint in " .-" else not latin


def _entity(text: str, word: Word) -> Entity | None:
    start, end = word.start, word.end
    value = text[start:end]
    if word.tag == "PER" and not _is_person(value):
        return None
    if word.tag == "ORG":
        body = _BODY.match(value)
        if body and _DEPARTMENT.match(body.group(2)):
            end = start + len(body.group(1))
    return Entity(_TYPES[word.tag], start, end, _SCORE, "lac")


def _is_person(value: str) -> bool:
    bare = value.strip(" ·.-@:：")
    if len(bare) < 2 or bare in listed("zh_not_people") or any(char.isdigit() for char in bare):
        return False
    return bool(_HAN.search(bare)) or bare[:1].isupper()
