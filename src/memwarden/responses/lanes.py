"""The texts of a streamed answer that are under way, each with what it holds back."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass, field

from memwarden.responses.whole import Flowing, Scrubs

Key = tuple[str, ...]
"""Names one text of an answer: the choice or item it belongs to, and where in it."""

Build = Callable[[str], object]
"""Makes an event that says a text and nothing else."""


@dataclass(frozen=True, slots=True)
class Inserted:
    """An event that the provider did not send."""

    event: object = field(repr=False)


@dataclass(slots=True)
class _Lane:
    flow: Flowing
    build: Build = field(repr=False)


class Lanes:
    """Feeds every text through a flow of its own."""

    def __init__(self, scrubs: Scrubs) -> None:
        self._scrubs = scrubs
        self._open: dict[Key, _Lane] = {}

    def fed(self, key: Key, piece: str, build: Build) -> str:
        """What of a text may go out now that ``piece`` has arrived. ``build`` makes the event
        that says the rest of it, should it end with something held back."""
        lane = self._open.get(key)
        if lane is None:
            lane = self._open[key] = _Lane(self._scrubs.flow(), build)
        lane.build = build
        return lane.flow.feed(piece)

    def holds(self, group: Key) -> bool:
        """Whether something is held back of a text whose key begins with ``group``."""
        return any(
            lane.flow.held > 0 for key, lane in self._open.items() if key[: len(group)] == group
        )

    def rest(self, key: Key) -> str:
        """What was held back of a text that has ended."""
        return self._open.pop(key).flow.finish()

    def end(self, group: Key, but: Container[Key] = ()) -> list[Inserted]:
        """End every text whose key begins with ``group``; an event for each that has a rest."""
        ended = [key for key in self._open if key[: len(group)] == group and key not in but]
        made: list[Inserted] = []
        for key in ended:
            build = self._open[key].build
            if rest := self.rest(key):
                made.append(Inserted(build(rest)))
        return made
