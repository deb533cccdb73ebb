"""What an operator may choose about the console."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Final

USERS_FILE: Final = "console-users.json"
COUNTS_FILE: Final = "console-counts.db"


@dataclass(frozen=True, slots=True)
class Settings:
    """``folder`` holds the users' file and the counts of the overview; ``policies`` are the files
    that the warden was opened with (None: those that ship, which nobody drafts anew).

    ``hosts`` are the names under which a browser may ask (a page of another site that rebinds its
    name to this address is refused). ``header`` names the header in which a reverse proxy says
    who signed in; it counts only together with ``proxy_secret``, which the proxy sends along in
    ``x-memwarden-proxy-secret``. ``secure`` marks the cookies for HTTPS alone.
    """

    folder: Path
    policies: Path | None = None
    hosts: tuple[str, ...] = ("localhost", "127.0.0.1", "[::1]")
    header: str = ""
    proxy_secret: str = field(default="", repr=False)
    secure: bool = False
    idle: timedelta = timedelta(minutes=30)
    longest: timedelta = timedelta(hours=12)
    lease: timedelta = timedelta(minutes=10)
    page: int = 25

    @property
    def users_file(self) -> Path:
        return self.folder / USERS_FILE

    @property
    def counts_file(self) -> Path:
        return self.folder / COUNTS_FILE
