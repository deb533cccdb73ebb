"""What a reviewer asks the queue for, read from the address and written back into it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import urlencode

from memwarden.console.moments import now
from memwarden.errors import UsageError
from memwarden.model import Tier
from memwarden.review import OPEN_STATES, State, Wanted

AGES: Final[Mapping[str, timedelta]] = {
    "1h": timedelta(hours=1),
    "1d": timedelta(days=1),
    "7d": timedelta(days=7),
    "30d": timedelta(days=30),
}
STATES: Final = ("open", *(state.value for state in State))
_LONGEST: Final = 200


@dataclass(frozen=True, slots=True)
class Asked:
    """Every filter of the queue; what is empty does not restrict.

    ``guard``, ``text`` and ``older`` are looked for item by item; the others in an index.
    """

    tenant: str = ""
    state: str = "open"
    guard: str = ""
    rule: str = ""
    kind: str = ""
    tier: str = ""
    source: str = ""
    origin: str = ""
    newer: str = ""
    older: str = ""
    text: str = ""

    @classmethod
    def of(cls, query: Mapping[str, str]) -> Asked:
        """The filters in a query; words that nobody knows are dropped."""
        given = {
            one.name: query.get(one.name, "").strip()[:_LONGEST]
            for one in fields(cls)
            if query.get(one.name, "").strip()
        }
        asked = cls(**given)
        if asked.state not in STATES:
            asked = replace(asked, state="open")
        for name in ("newer", "older"):
            if getattr(asked, name) not in AGES:
                asked = replace(asked, **{name: ""})
        try:
            Tier.parse(asked.tier or "trusted")
        except UsageError:
            asked = replace(asked, tier="")
        return asked

    @property
    def scans(self) -> bool:
        """Whether items have to be opened to know if they are wanted."""
        return bool(self.guard or self.text)

    @property
    def narrowed(self) -> bool:
        return self != Asked()

    def wanted(self, tenant: str) -> Wanted:
        """The same as the queue's own filter, for one tenant ('' for every one)."""
        return Wanted(
            tenant=tenant,
            states=OPEN_STATES if self.state == "open" else (State(self.state),),
            kind=self.kind,
            tier=Tier.parse(self.tier) if self.tier else None,
            source=self.source,
            origin=self.origin,
            rule=self.rule,
            since=now() - AGES[self.newer] if self.newer else None,
        )

    def not_after(self) -> datetime | None:
        return now() - AGES[self.older] if self.older else None

    def query(self, **changes: str) -> str:
        """This filter as the query of an address, with some of it changed."""
        kept = {one.name: getattr(self, one.name) for one in fields(self)}
        kept.update(changes)
        if kept["state"] == "open":
            kept["state"] = ""
        return urlencode({key: value for key, value in kept.items() if value})
