"""A writer capability lets one tenant's writer claim named sources until it ends or is revoked."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwarden import capability
from memwarden.capability import Capability
from memwarden.database import Database
from memwarden.errors import ScopeError, UsageError

KEY = b"k" * 32
NOW = datetime(2026, 11, 24, 12, 0, tzinfo=UTC)
GRANT = Capability(
    id="c1",
    tenant="acme",
    sources=("crm", "tool"),
    expires=NOW + timedelta(days=30),
    principal="sync-job",
)


def verified(token, *, revoked=(), **changes):
    asked = {"tenant": "acme", "source": "tool", "now": NOW, "principal": "sync-job", **changes}
    return capability.verify(KEY, token, revoked=lambda each: each in revoked, **asked)


def test_a_token_grants_what_was_issued():
    token = capability.issue(KEY, GRANT)
    assert verified(token) == GRANT
    assert token.isascii()
    assert token.startswith("mwc1.")


def test_without_a_principal_anyone_may_use_it():
    token = capability.issue(KEY, replace(GRANT, principal=""))
    assert verified(token, principal="whoever")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"tenant": "globex"}, "belongs to another tenant"),
        ({"tenant": "acme.sub"}, "belongs to another tenant"),
        ({"tenant": ""}, "belongs to another tenant"),
        ({"now": NOW + timedelta(days=30)}, r"ended on 2026-12-24 12:00 UTC"),
        ({"revoked": ("c1",)}, "was revoked"),
        ({"source": "user"}, "does not cover this source, only: crm, tool"),
        ({"source": "to"}, "does not cover this source"),
        ({"principal": "other"}, "given to another principal"),
    ],
)
def test_each_condition_that_fails_is_named(changes, words):
    with pytest.raises(ScopeError, match=words):
        verified(capability.issue(KEY, GRANT), **changes)


def forged(**changes):
    """A token with other content under the old signature."""
    prefix, content, mac = capability.issue(KEY, GRANT).split(".")
    fields = json.loads(base64.urlsafe_b64decode(content + "=="))
    raw = json.dumps({**fields, **changes}, separators=(",", ":"), sort_keys=True).encode()
    return ".".join((prefix, base64.urlsafe_b64encode(raw).decode().rstrip("="), mac))


@pytest.mark.parametrize(
    "token",
    [
        forged(tenant="globex"),
        forged(sources=["user"]),
        forged(expires=9_999_999_999),
        capability.issue(b"x" * 32, GRANT),
        capability.issue(KEY, GRANT) + "A",
        capability.issue(KEY, GRANT)[:-1],
        capability.issue(KEY, GRANT).replace("mwc1", "mwc2"),
        "",
        "mwc1",
        "mwc1..",
        "mwc1.a.b",
        "mwc1.é.b",
        "mwc1.\ud800.b",
        "x" * 100_000,
    ],
    ids=str,
)
def test_what_was_not_issued_here_is_refused(token):
    with pytest.raises(ScopeError, match="writer capability"):
        verified(token)


@given(st.text(max_size=60))
def test_no_text_makes_the_check_crash(text):
    with pytest.raises(ScopeError):
        verified(text)
    with pytest.raises(ScopeError):
        verified("mwc1." + text)


@given(st.data())
def test_any_changed_character_is_noticed(data):
    token = capability.issue(KEY, GRANT)
    at = data.draw(st.integers(0, len(token) - 1))
    other = data.draw(st.sampled_from("ABCabc012-_.").filter(lambda c: c != token[at]))
    with pytest.raises(ScopeError):
        verified(token[:at] + other + token[at + 1 :])


@pytest.mark.parametrize("missing", [{"id": ""}, {"tenant": ""}, {"sources": ()}])
def test_an_incomplete_grant_is_not_issued(missing):
    with pytest.raises(UsageError):
        capability.issue(KEY, replace(GRANT, **missing))


def test_revoking_is_kept_in_the_database(tmp_path):
    with Database.open(tmp_path / "memwarden.db") as db:
        revoke = lambda conn: capability.revoke(conn, "acme", "c1", NOW)  # noqa: E731
        assert db.write(revoke) is True
        assert db.write(revoke) is False
        with db.read() as conn:
            assert capability.is_revoked(conn, "c1")
            assert not capability.is_revoked(conn, "c2")
