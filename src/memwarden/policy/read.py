"""Reads one YAML text into a tree, within bounds, and lists what is wrong with it.

The events of libyaml are put together here rather than by PyYAML's composer, because that one
recurses (a file of brackets overflows the stack), expands aliases without bound and forgets
duplicate keys.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final, NoReturn

import yaml

from memwarden.errors import Mistake
from memwarden.policy.scalars import Trap, resolve
from memwarden.policy.tree import Branch, Leaf, Node, Place, Row

MAX_BYTES: Final = 1_048_576
MAX_DEPTH: Final = 16
MAX_NODES: Final = 50_000

_Loader: Final = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
_STR_TAG: Final = "tag:yaml.org,2002:str"
_UNPRINTABLE: Final = re.compile(
    "[^\x09\x0a\x0d\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
)


class _Stop(Exception):
    """The rest of the file cannot be read."""


@dataclass(slots=True)
class _Open:
    """A mapping or list that is still being read."""

    place: Place
    is_map: bool
    anchor: str | None
    items: dict[str, Node] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    row: list[Node] = field(default_factory=list)
    key: str | None = None
    key_place: Place | None = None
    weight: int = 1

    def closed(self) -> Node:
        if self.is_map:
            return Branch(self.items, self.place, self.places)
        return Row(tuple(self.row), self.place)


def read_bytes(data: bytes, file: str) -> tuple[Branch | None, list[Mistake]]:
    """Read a whole file. The tree is None when nothing of it can be used."""
    start = Place(file, 1, 1)
    if len(data) > MAX_BYTES:
        return None, [start.mistake(f"the file is larger than {MAX_BYTES} bytes", "split it")]
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        place = Place(file, line, 1)
        return None, [place.mistake("the file is not UTF-8 text", "save it as UTF-8")]
    return read_text(text, file)


def read_text(text: str, file: str) -> tuple[Branch | None, list[Mistake]]:
    """Read YAML text whose top level is one mapping."""
    bad = _UNPRINTABLE.search(text)
    if bad:
        return None, [_unprintable(text, bad.start(), file)]
    reader = _Reader(file)
    try:
        reader.read(text)
    except _Stop:
        return None, reader.mistakes
    root = reader.root
    if isinstance(root, Branch):
        return root, reader.mistakes
    place = root.place if root else Place(file, 1, 1)
    if root is None or (isinstance(root, Leaf) and root.value is None):
        reader.mistakes.append(place.mistake("the file is empty", "start with `extends: base`"))
    else:
        reader.mistakes.append(place.mistake("the file should be a mapping of `key: value` lines"))
    return None, reader.mistakes


def _unprintable(text: str, at: int, file: str) -> Mistake:
    line = text.count("\n", 0, at) + 1
    column = at - (text.rfind("\n", 0, at) + 1) + 1
    return Place(file, line, column).mistake(
        f"the character U+{ord(text[at]):04X} is not allowed in YAML", "remove it"
    )


class _Reader:
    """Puts events together, with an explicit stack."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.root: Node | None = None
        self.mistakes: list[Mistake] = []
        self._open: list[_Open] = []
        self._anchors: dict[str, tuple[Node, int]] = {}

    def read(self, text: str) -> None:
        documents = 0
        try:
            for event in yaml.parse(text, Loader=_Loader):
                if isinstance(event, yaml.DocumentStartEvent):
                    documents += 1
                    if documents > 1:
                        self._stop(event, "a second document begins here", "use one file each")
                else:
                    self._take(event)
        except yaml.MarkedYAMLError as error:
            self._syntax(error)
        except yaml.YAMLError:
            self.mistakes.append(Place(self.file, 1, 1).mistake("the file is not readable YAML"))
            raise _Stop from None

    def _take(self, event: yaml.Event) -> None:
        if isinstance(event, yaml.ScalarEvent):
            self._scalar(event)
        elif isinstance(event, yaml.AliasEvent):
            self._alias(event)
        elif isinstance(event, yaml.CollectionStartEvent):
            self._begin(event)
        elif isinstance(event, yaml.CollectionEndEvent):
            done = self._open.pop()
            self._put(done.closed(), done.weight, done.anchor, self._place(event))

    def _begin(self, event: yaml.CollectionStartEvent) -> None:
        if len(self._open) >= MAX_DEPTH:
            self._stop(event, f"nested deeper than {MAX_DEPTH} levels", "flatten it")
        self._refuse_tag(event)
        self._open.append(
            _Open(self._place(event), isinstance(event, yaml.MappingStartEvent), event.anchor)
        )

    def _scalar(self, event: yaml.ScalarEvent) -> None:
        place = self._place(event)
        top = self._open[-1] if self._open else None
        if top is not None and top.is_map and top.key is None:
            self._key(event, top, place)
            return
        quoted = not event.implicit[0]
        if event.tag not in (None, _STR_TAG):
            self._refuse_tag(event)
        value = event.value if quoted else resolve(event.value)
        if isinstance(value, Trap):
            self.mistakes.append(place.mistake(value.message, value.hint))
            value = event.value
        self._put(Leaf(value, place, event.value, quoted), 1, event.anchor, place)

    def _key(self, event: yaml.ScalarEvent, top: _Open, place: Place) -> None:
        if event.value == "<<" and event.implicit[0]:
            self.mistakes.append(
                place.mistake("merge keys (`<<`) are not supported", "use `extends`")
            )
        elif event.value in top.items:
            first = top.places[event.value].line
            self.mistakes.append(
                place.mistake(
                    f"duplicate key `{event.value}`", f"it already stands in line {first}"
                )
            )
        top.key, top.key_place = event.value, place

    def _alias(self, event: yaml.AliasEvent) -> None:
        anchor = event.anchor or ""
        if any(part.anchor == anchor for part in self._open):
            self._stop(event, f"`*{anchor}` refers to itself", "write the value out")
        if anchor not in self._anchors:
            self._stop(event, f"`*{anchor}` names no anchor", f"define `&{anchor}` before it")
        if self._open and self._open[-1].is_map and self._open[-1].key is None:
            self._stop(event, "an alias cannot be a key", "write the key out")
        node, weight = self._anchors[anchor]
        self._put(node, weight, None, self._place(event))

    def _put(self, node: Node, weight: int, anchor: str | None, place: Place) -> None:
        if anchor is not None:
            self._anchors[anchor] = (node, weight)
        if not self._open:
            self.root = node
            return
        top = self._open[-1]
        top.weight += weight
        if top.weight > MAX_NODES:
            self._refuse(place, f"the file unfolds to more than {MAX_NODES} values", "shorten it")
        if not top.is_map:
            top.row.append(node)
        elif top.key is None or top.key_place is None:
            self._refuse(node.place, "a list or mapping cannot be a key", "write plain text")
        else:
            if top.key not in top.items and top.key != "<<":
                top.items[top.key] = node
                top.places[top.key] = top.key_place
            top.key = None

    def _refuse_tag(self, event: yaml.NodeEvent) -> None:
        tag = getattr(event, "tag", None)
        if tag is not None:
            shown = str(tag).replace("tag:yaml.org,2002:", "!!")
            self.mistakes.append(
                self._place(event).mistake(f"the tag `{shown}` is not supported", "remove it")
            )

    def _place(self, event: yaml.Event) -> Place:
        mark = event.start_mark
        return Place(self.file, mark.line + 1, mark.column + 1) if mark else Place(self.file, 1, 1)

    def _stop(self, event: yaml.Event, message: str, hint: str) -> NoReturn:
        self._refuse(self._place(event), message, hint)

    def _refuse(self, place: Place, message: str, hint: str) -> NoReturn:
        self.mistakes.append(place.mistake(message, hint))
        raise _Stop

    def _syntax(self, error: yaml.MarkedYAMLError) -> None:
        mark = error.problem_mark or error.context_mark
        place = Place(self.file, mark.line + 1, mark.column + 1) if mark else Place(self.file, 1, 1)
        problem = error.problem or "not readable YAML"
        if "cannot start any token" in problem:
            hint = "indent with spaces, and quote a value that begins with @, ` or %"
        elif "mapping values are not allowed" in problem:
            hint = "quote a value that contains `: `"
        elif "nesting depth" in problem:
            hint = "flatten it"
        else:
            hint = error.context or ""
        self.mistakes.append(place.mistake(f"not readable as YAML: {problem}", hint))
        raise _Stop
