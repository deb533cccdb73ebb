"""Who is signed in. Sessions live in this process alone: a restart signs everybody out."""

from __future__ import annotations

import hashlib
import secrets
import threading
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from memwarden.console.accounts import Account
from memwarden.console.settings import Settings

_MOST: Final = 10_000


@dataclass(slots=True)
class Session:
    """One signed-in browser. ``proof`` is a digest of the account as it was at sign-in: with
    another password or other roles the session ends."""

    name: str
    proof: str
    csrf: str = field(repr=False)
    began: datetime
    seen: datetime
    notes: list[Note] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Note:
    """What the next page tells once: a catalogue key, its words, and an item to undo."""

    key: str
    words: dict[str, str]
    undo: str = ""
    good: bool = True


class Sessions:
    """Sessions by the digest of their token, so that a look at memory shows no token."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._open: dict[str, Session] = {}

    def start(self, account: Account, now: datetime) -> tuple[str, Session]:
        """A new session and its token."""
        token = secrets.token_urlsafe(32)
        session = Session(account.name, proof_of(account), secrets.token_urlsafe(32), now, now)
        with self._lock:
            self._drop_old(now)
            while len(self._open) >= _MOST:
                self._open.pop(next(iter(self._open)))
            self._open[_digest(token)] = session
        return token, session

    def find(self, token: str, now: datetime) -> Session | None:
        """The session of a token, if it has not ended; being found keeps it alive."""
        with self._lock:
            session = self._open.get(_digest(token))
            if session is None or self._over(session, now):
                self._open.pop(_digest(token), None)
                return None
            session.seen = now
            return session

    def end(self, token: str) -> None:
        with self._lock:
            self._open.pop(_digest(token), None)

    def _over(self, session: Session, now: datetime) -> bool:
        return (
            now - session.seen > self._settings.idle or now - session.began > self._settings.longest
        )

    def _drop_old(self, now: datetime) -> None:
        for key in [key for key, one in self._open.items() if self._over(one, now)]:
            del self._open[key]


def proof_of(account: Account) -> str:
    """Changes with the account's password and roles."""
    roles = ",".join(f"{tenant}={role.label}" for tenant, role in sorted(account.roles.items()))
    return _digest(f"{account.name}\n{roles}\n{account.password}")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
