"""Who may sign in, and what each may do in which tenant: a JSON file beside the ledger.

Passwords lie there as Argon2id hashes. Tenants are exact names; ``*`` stands for every tenant.
"""

from __future__ import annotations

import json
import os
import tempfile
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cache
from pathlib import Path
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from memwarden.errors import UsageError

EVERY_TENANT: Final = "*"
SHORTEST: Final = 12
LONGEST: Final = 1024
_LONGEST_NAME: Final = 64
_AT_ONCE: Final = threading.BoundedSemaphore(2)
"""Each check takes 64 MB on purpose; a crowd at the door must not take all there is."""


class Role(IntEnum):
    """What an account may do in a tenant; each role may do what the ones before it may."""

    VIEWER = 0
    REVIEWER = 1
    ADMIN = 2

    @property
    def label(self) -> str:
        return self.name.lower()

    @classmethod
    def parse(cls, label: str) -> Role:
        for role in cls:
            if role.label == label:
                return role
        raise UsageError(f"{label!r} is not a role; one of: viewer, reviewer, admin")


@dataclass(frozen=True, slots=True)
class Account:
    """A person. Without a ``password`` they sign in through the reverse proxy only."""

    name: str
    roles: Mapping[str, Role]
    password: str = field(default="", repr=False)

    def role(self, tenant: str) -> Role | None:
        """The higher of what is given for this very tenant and for every tenant."""
        given = [self.roles[key] for key in (tenant, EVERY_TENANT) if key in self.roles]
        return max(given, default=None)

    def everywhere(self) -> bool:
        """Whether the account sees tenants that are not named in it."""
        return EVERY_TENANT in self.roles


class Accounts:
    """The users' file, read again whenever it changed."""

    def __init__(self, path: Path, hasher: PasswordHasher | None = None) -> None:
        self._path = path
        self._hasher = hasher or PasswordHasher()
        self._lock = threading.Lock()
        self._seen: tuple[int, int, int] | None = None
        self._known: dict[str, Account] = {}

    def find(self, name: str) -> Account | None:
        return self._all().get(name)

    def names(self) -> tuple[str, ...]:
        return tuple(sorted(self._all()))

    def check(self, name: str, password: str) -> Account | None:
        """The account if the password is its own. Takes as long for a name nobody has."""
        account = self.find(name)
        known = account.password if account is not None else ""
        with _AT_ONCE:
            try:
                self._hasher.verify(known or _nobodys(self._hasher), password[:LONGEST])
            except (Argon2Error, InvalidHashError):
                return None
        return account if known else None

    def add(self, name: str, roles: Mapping[str, Role], password: str) -> Account:
        """Add an account or replace it. An empty password leaves it to the reverse proxy."""
        if not name or len(name) > _LONGEST_NAME or not name.isprintable() or name != name.strip():
            raise UsageError("a user's name is 1 to 64 printable characters, no space around it")
        if not roles:
            raise UsageError("give the user a role: --role TENANT=reviewer (or *=admin)")
        if password and not SHORTEST <= len(password) <= LONGEST:
            raise UsageError(f"the password is {SHORTEST} to {LONGEST} characters long")
        hashed = self._hasher.hash(password) if password else ""
        account = Account(name, dict(roles), hashed)
        with self._lock:
            self._write({**_read(self._path), name: account})
        return account

    def remove(self, name: str) -> bool:
        """Take an account away; its sessions end with it."""
        with self._lock:
            known = _read(self._path)
            if name not in known:
                return False
            self._write({key: one for key, one in known.items() if key != name})
        return True

    def _all(self) -> dict[str, Account]:
        with self._lock:
            seen = _mark(self._path)
            if seen != self._seen:
                self._known = _read(self._path)
                self._seen = seen
            return self._known

    def _write(self, accounts: Mapping[str, Account]) -> None:
        listed = [
            {
                "name": one.name,
                "roles": {tenant: role.label for tenant, role in sorted(one.roles.items())},
                "password": one.password,
            }
            for _, one in sorted(accounts.items())
        ]
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=self._path.parent, prefix=".users-")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump({"users": listed}, file, ensure_ascii=False, indent=2)
            file.write("\n")
        Path(name).replace(self._path)


@cache
def _nobodys(hasher: PasswordHasher) -> str:
    """A hash to check against for a name that nobody has, so that this takes as long."""
    return hasher.hash("nobody signs in with this")


def _mark(path: Path) -> tuple[int, int, int] | None:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def _read(path: Path) -> dict[str, Account]:
    try:
        record = json.loads(path.read_text("utf-8"))
        return {
            one["name"]: Account(
                one["name"],
                {tenant: Role.parse(role) for tenant, role in one["roles"].items()},
                one["password"],
            )
            for one in record["users"]
        }
    except FileNotFoundError:
        return {}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UsageError(
            f"{path}: the users' file is not in the form that `memwarden console user add` writes"
            f" ({type(error).__name__}); repair it or make it anew"
        ) from error
