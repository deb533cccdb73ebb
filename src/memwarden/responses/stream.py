"""An answer that arrives as a provider's events: what comes out is together what ``scrubbed``
gives for the whole, event by event, with nothing held back but what may yet become an original."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator
from functools import partial
from typing import Final, Generic, TypeVar, cast

from memwarden.errors import UsageError
from memwarden.responses import names
from memwarden.responses.lanes import Inserted, Key, Lanes
from memwarden.responses.nodes import Path, fields, get, items, leaves, only, put, rebuilt, word
from memwarden.responses.whole import Scrubs, changes, is_text_block, node

T = TypeVar("T")

Alone = Callable[[object, Path, Path, str], object]
"""(event, way to its delta, way to a text in it, text): an event that says this text alone."""

_BLOCKS: Final = "content_block_"
_MESSAGES: Final = frozenset(("message_start", "message_delta", "message_stop", "ping", "error"))
_WHERE: Final = ("item_id", "content_index", "summary_index", "command_index")
_ENDED: Final = frozenset(("response.completed", "response.failed", "response.incomplete"))
_SKIPPED: Final = names.KEPT | names.COMPLETE | {names.PROBABILITIES}
_NUMBER: Final = "sequence_number"


def events(stream: Iterable[T], scrubs: Scrubs) -> Iterator[T]:
    """The events of ``stream``, scrubbed: texts, chat or response chunks, message events."""
    flow: EventFlow[T] = EventFlow(scrubs)
    for event in stream:
        yield from flow.feed(event)
    yield from flow.finish()


async def events_async(stream: AsyncIterable[T], scrubs: Scrubs) -> AsyncIterator[T]:
    """The same for an asynchronous stream."""
    flow: EventFlow[T] = EventFlow(scrubs)
    async for event in stream:
        for one in flow.feed(event):
            yield one
    for one in flow.finish():
        yield one


class EventFlow(Generic[T]):
    """The state of one streamed answer. ``feed`` gives what may go out after an event, of the
    same types; ``finish`` what is left when no more will come.

    Where a text ends that still has something held back, one more event of its kind goes out
    before the one that ends it; numbered events are numbered anew. Raises UsageError for events
    of an unknown shape: what they carry could not be vouched for.
    """

    def __init__(self, scrubs: Scrubs) -> None:
        self._scrubs = scrubs
        self._lanes = Lanes(scrubs)
        self._inserted = 0
        self._last = -1
        self._stopped: list[object] = []

    def feed(self, event: T) -> list[T]:
        return cast(list[T], self._numbered(list(self._fed(event))))

    def finish(self) -> list[T]:
        """What was held back; then nothing of this answer is left."""
        return cast(list[T], self._numbered([*self._lanes.end(()), *self._released()]))

    def _fed(self, event: object) -> Iterator[object]:
        if isinstance(event, str):
            if out := self._lanes.fed(("text",), event, str):
                yield out
            return
        given = fields(event)
        kind = word(event, "type")
        if given is None or "snapshot" in given:
            raise UsageError(_UNKNOWN if given is None else _SNAPSHOT)
        if isinstance(given.get("choices"), list):
            yield from self._chunk(event)
        elif kind.startswith(_BLOCKS) or kind in _MESSAGES:
            yield from self._message_event(event, kind)
        elif kind.startswith("response."):
            yield from self._response_event(event, kind)
        else:
            raise UsageError(_UNKNOWN)

    # -- chat completions, and the older completions ---------------------------------------------

    def _chunk(self, event: object) -> Iterator[object]:
        before: list[Inserted] = []
        for at, choice in enumerate(items(event, "choices")):
            inner = "text" if get(choice, "delta") is None else "delta"
            group: Key = ("choice", str(get(choice, "index")))
            rest = changes(fields(choice) or {}, self._scrubs, frozenset((inner,)))
            event = put(event, ("choices", at), rebuilt(choice, rest))
            event, fed = self._pieces(event, ("choices", at, inner), group, _chunk_alone)
            if get(choice, "finish_reason"):
                before += self._lanes.end(group, fed)
                for key, leaf in fed.items():
                    event = put(event, leaf, f"{_at(event, leaf)}{self._lanes.rest(key)}")
        yield from before
        yield rebuilt(event, changes(fields(event) or {}, self._scrubs, frozenset(("choices",))))

    def _pieces(
        self, event: object, path: Path, group: Key, alone: Alone
    ) -> tuple[object, dict[Key, Path]]:
        """The event with every text below ``path`` replaced by what may go out of it, and where
        each of them stands."""
        below, done = _at(event, path), event
        if word(get_if(below, "audio"), "data"):
            raise UsageError(_SPOKEN)
        fed: dict[Key, Path] = {}
        for leaf, text in leaves(below, _SKIPPED):
            key = (*group, *_lane(below, leaf))
            fed[key] = (*path, *leaf)
            said = self._lanes.fed(key, text, partial(alone, event, path, leaf))
            done = put(done, fed[key], said)
        for name in names.COMPLETE & set(fields(below) or ()):
            done = put(done, (*path, name), node(get(below, name), self._scrubs))
        return done, fed

    # -- messages of content blocks --------------------------------------------------------------

    def _message_event(self, event: object, kind: str) -> Iterator[object]:
        goes_on = kind == "content_block_start" and is_text_block(get(event, "content_block"))
        if goes_on:
            yield from self._released()
        elif self._stopped or kind not in ("content_block_delta", "content_block_stop", "ping"):
            yield from self._lanes.end(("text",))
            yield from self._released()
        place = str(get(event, "index"))
        if kind == "content_block_delta":
            spoken = word(get(event, "delta"), "type") == "text_delta"
            group: Key = ("text",) if spoken else ("block", place)
            yield self._pieces(event, ("delta",), group, _delta_alone)[0]
            return
        if kind == "content_block_stop":
            yield from self._lanes.end(("block", place))
        done = node(event, self._scrubs)
        if kind == "content_block_stop" and self._lanes.holds(("text",)):
            self._stopped.append(done)
        else:
            yield done

    def _released(self) -> list[object]:
        released, self._stopped = self._stopped, []
        return released

    # -- responses -------------------------------------------------------------------------------

    def _response_event(self, event: object, kind: str) -> Iterator[object]:
        if kind == "response.audio.delta":
            raise UsageError(_SPOKEN)
        family, _, ending = kind.rpartition(".")
        group: Key = (str(get(event, "output_index")), family, *_place(event))
        if ending == "delta":
            rest = changes(fields(event) or {}, self._scrubs, frozenset(("delta",)))
            yield self._pieces(rebuilt(event, rest), ("delta",), group, _delta_alone)[0]
            return
        if ending == "done":
            output_item = family == "response.output_item"
            yield from self._lanes.end(group[:1] if output_item else group)
        elif kind in _ENDED:
            yield from self._lanes.end(())
        yield node(event, self._scrubs)

    def _numbered(self, out: Iterable[object]) -> list[object]:
        """Events that bear numbers, renumbered where some were inserted."""
        numbered: list[object] = []
        for one in out:
            inserted = isinstance(one, Inserted)
            event = one.event if isinstance(one, Inserted) else one
            number = None if isinstance(event, str) else get(event, _NUMBER)
            if isinstance(number, int):
                self._inserted += inserted
                said = self._last + 1 if inserted else number + self._inserted
                event = event if said == number else rebuilt(event, {_NUMBER: said})
                self._last = said
            numbered.append(event)
        return numbered


def get_if(one: object, name: str) -> object:
    """One field of what may be a text."""
    return None if isinstance(one, str) else get(one, name)


def _at(one: object, path: Path) -> object:
    for step in path:
        one = one[step] if isinstance(step, int) else get(one, step)  # type: ignore[index]
    return one


def _lane(below: object, leaf: Path) -> Key:
    """A leaf's way by the numbers that list items bear themselves: a piece of the second tool
    call may be the only item of its list."""
    way: list[str] = []
    for at, step in enumerate(leaf):
        own = get_if(_at(below, leaf[: at + 1]), "index") if isinstance(step, int) else None
        way.append(str(step if own is None else own))
    return tuple(way)


def _place(event: object) -> Key:
    return tuple(str(get(event, name)) for name in _WHERE)


def _delta_alone(event: object, path: Path, leaf: Path, value: str) -> object:
    """The event with one text in its delta, and no other."""
    for other, _ in leaves(_at(event, path), _SKIPPED):
        event = put(event, (*path, *other), value if other == leaf else "")
    return event


def _chunk_alone(event: object, path: Path, leaf: Path, value: str) -> object:
    """The chunk with one text of one choice; what was said once (ids, names, roles, the reason it
    ended, the tokens used) is not said again."""
    choice = _at(event, path[:2])
    inner = str(path[2])
    alone = {inner: only(_at(event, path), leaf, value), "finish_reason": None}
    chunk = {"choices": [rebuilt(choice, alone)]}
    return rebuilt(event, chunk | ({"usage": None} if get(event, "usage") else {}))


_UNKNOWN: Final = (
    "an event has a shape that memwarden does not know, so it is not let through; give chunks of"
    " chat completions, events of responses or of messages, or texts"
)
_SNAPSHOT: Final = (
    "an event holds everything said so far beside the new piece; give the provider's own stream"
    " (create with stream=True) or its texts (text_stream) instead of a helper's events"
)
_SPOKEN: Final = "spoken answers cannot be scrubbed while they stream; ask for the whole answer"
