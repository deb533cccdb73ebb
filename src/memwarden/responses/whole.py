"""A complete answer: every text in it scrubbed, everything else as it came."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Final, Protocol, TypeVar, cast

from memwarden.errors import UsageError
from memwarden.responses import names
from memwarden.responses.nodes import fields, get, rebuilt, relisted, word

T = TypeVar("T")


class Flowing(Protocol):
    """The state of one text that arrives in pieces."""

    @property
    def held(self) -> int: ...

    def feed(self, piece: str) -> str: ...

    def finish(self) -> str: ...


class Scrubs(Protocol):
    """What takes originals out of texts: a ``Scrubber``, or something that does more."""

    def scrub(self, text: str) -> str: ...

    def flow(self) -> Flowing: ...


def scrubbed(answer: T, scrubs: Scrubs) -> T:
    """``answer`` with every text in it scrubbed; of the same type, the same object if nothing is.

    A text, a provider's response, message or content block (objects or dictionaries), a list of
    them, or any other data that a model made. In a provider's own shapes identifiers and words of
    the protocol stay; in anything else every text and number is looked at. Token probabilities
    are left out. Raises UsageError for what cannot be looked into.
    """
    if isinstance(answer, str):
        return cast(T, scrubs.scrub(answer))
    if isinstance(answer, list | tuple):
        return cast(T, relisted(answer, [scrubbed(one, scrubs) for one in answer]))
    if fields(answer) is None:
        raise UsageError(f"a {type(answer).__name__} is no answer: give a text or a response")
    walk = node if known(answer) else document
    return cast(T, walk(answer, scrubs))


def known(answer: object) -> bool:
    """Whether this is a provider's response, message or block, by its fields."""
    given = fields(answer) or {}
    kind = word(answer, "type")
    return (
        isinstance(given.get("choices"), list)
        or word(answer, "object") == "response"
        or kind in names.TEXTS
        or kind.endswith(names.TEXT_ENDINGS)
        or (word(answer, "role") in names.ROLES and "content" in given)
    )


def node(one: object, scrubs: Scrubs) -> object:
    """A node of a provider's own shape."""
    if isinstance(one, str):
        return scrubs.scrub(one)
    if isinstance(one, list | tuple):
        return _list(one, scrubs)
    given = fields(one)
    return one if given is None else rebuilt(one, changes(given, scrubs))


def changes(
    given: Mapping[str, object], scrubs: Scrubs, apart: frozenset[str] = frozenset()
) -> dict[str, object]:
    """The fields of a node that are not to stay as they are; ``apart`` names those to leave."""
    kind = given.get("type")
    changed: dict[str, object] = {}
    for name, value in given.items():
        if name in apart or _kept(name, value, kind, given):
            continue
        new = _field(name, value, scrubs)
        if new is not value and new != value:
            changed[name] = new
    return changed


def _kept(name: str, value: object, kind: object, given: Mapping[str, object]) -> bool:
    if name in names.KEPT:
        return isinstance(value, str)
    if name == "data":
        return kind == "redacted_thinking" or "media_type" in given
    return name == "result" and kind == "image_generation_call"


def _field(name: str, value: object, scrubs: Scrubs) -> object:
    if name == names.PROBABILITIES:
        return [] if isinstance(value, list) else None
    if name in names.DOCUMENTS and not isinstance(value, str):
        return document(value, scrubs)
    if name == "audio":
        return _spoken(value, scrubs)
    return node(value, scrubs)


def _spoken(audio: object, scrubs: Scrubs) -> object:
    """Nobody can take a word out of a recording: if its transcript had to change, it goes."""
    changed = node(audio, scrubs)
    if word(changed, "transcript") == word(audio, "transcript"):
        return changed
    return rebuilt(changed, {"data": ""})


def _list(many: Sequence[object], scrubs: Scrubs) -> object:
    """Text blocks that stand beside each other are one text: providers cut it where they cite."""
    done: list[object] = []
    flow: Flowing | None = None
    for at, one in enumerate(many):
        if not is_text_block(one):
            flow = None
            done.append(node(one, scrubs))
            continue
        flow = flow or scrubs.flow()
        text = flow.feed(word(one, "text"))
        if at + 1 == len(many) or not is_text_block(many[at + 1]):
            text += flow.finish()
        rest = changes(fields(one) or {}, scrubs, frozenset(("text",)))
        if text != word(one, "text"):
            rest["text"] = text
        done.append(rebuilt(one, rest))
    return relisted(many, done)


def is_text_block(one: object) -> bool:
    """Whether this is a piece of the text of a message that has several."""
    return (
        not isinstance(one, str | list | tuple)
        and word(one, "type") == "text"
        and isinstance(get(one, "text"), str)
    )


def document(value: object, scrubs: Scrubs) -> object:
    """Data that a model filled in, looked at as the JSON text that it was written in, so that an
    original in several fields is found as well."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        return _data(value, scrubs)
    clean = scrubs.scrub(text)
    if clean == text:
        return value
    try:
        return json.loads(clean)
    except ValueError:
        return _data(value, scrubs)


_TRUE_TO_THEMSELVES: Final = (bool, type(None))


def _data(value: object, scrubs: Scrubs) -> object:
    """Data that is no JSON, field by field; a number that is an original becomes a text."""
    if isinstance(value, str):
        return scrubs.scrub(value)
    if isinstance(value, list | tuple):
        return relisted(value, [_data(one, scrubs) for one in value])
    given = fields(value)
    if isinstance(value, Mapping):
        return {scrubs.scrub(str(name)): _data(one, scrubs) for name, one in value.items()}
    if given is not None:
        new = {name: _data(one, scrubs) for name, one in given.items()}
        return rebuilt(value, {name: one for name, one in new.items() if one is not given[name]})
    if isinstance(value, _TRUE_TO_THEMSELVES):
        return value
    said = str(value)
    clean = scrubs.scrub(said)
    return value if clean == said else clean
