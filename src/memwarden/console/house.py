"""What every page of one console shares: the warden, who may enter, and how pages are made."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from memwarden.console.accounts import Accounts
from memwarden.console.checking import Checks
from memwarden.console.counts import Counts
from memwarden.console.sessions import Sessions
from memwarden.console.settings import Settings
from memwarden.console.throttle import Throttle
from memwarden.warden import Warden


@dataclass(frozen=True)
class House:
    """One running console."""

    warden: Warden
    settings: Settings
    accounts: Accounts
    sessions: Sessions
    counts: Counts
    checks: Checks
    throttle: Throttle = field(default_factory=Throttle)

    @classmethod
    def over(cls, warden: Warden, settings: Settings) -> House:
        return cls(
            warden,
            settings,
            Accounts(settings.users_file),
            Sessions(settings),
            Counts(settings.counts_file),
            Checks(warden.books),
        )

    @cached_property
    def templates(self) -> Environment:
        return Environment(
            loader=PackageLoader("memwarden.console", "templates"),
            autoescape=select_autoescape(default=True, default_for_string=True),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )


COOKIE: Final = "memwarden_session"
GUEST: Final = "memwarden_guest"
LANGUAGE: Final = "memwarden_language"
THEME: Final = "memwarden_theme"
THEMES: Final = ("auto", "light", "dark")
