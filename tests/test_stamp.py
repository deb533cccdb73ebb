"""A stamp is believed for one memory, one text, one tenant, unchanged; every doubt is a None."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwarden import stamp
from memwarden.errors import UsageError
from memwarden.model import FACT, Influence, Kind, Part, Sensitivity, Tier
from memwarden.stamp import Stamp

KEY = b"k" * 32
NOW = datetime(2026, 11, 24, 12, 0, 0, 123000, tzinfo=UTC)
PARTS = (Part("/text", "Sam 对花生过敏"), Part("/title", "allergy"))
PLAIN = Stamp(
    tier=Tier.TRUSTED,
    kind=FACT,
    sensitivity=Sensitivity.INTERNAL,
    influence=Influence.INFORM,
    origin="0" * 32,
    decision_id="d1",
    stored_at=NOW,
    valid_until=NOW + timedelta(days=30),
    writer="2" * 32,
    subject="3" * 32,
)


def made(**changes):
    given = {"stamp": PLAIN, "tenant": "acme", "memory_id": "m1", "parts": PARTS, **changes}
    return stamp.make(KEY, given.pop("stamp"), **given)


def verified(fields, key=KEY, **changes):
    given = {"tenant": "acme", "memory_id": "m1", "parts": PARTS, **changes}
    return stamp.verify(key, fields, **given)


def test_a_stamp_comes_back_as_it_was_made():
    assert verified(made()) == PLAIN
    endless = replace(PLAIN, valid_until=None)
    assert verified(made(stamp=endless)) == endless


def test_it_survives_json_and_stores_that_turn_integers_into_floats():
    fields = json.loads(json.dumps(made()))
    assert verified(fields) == PLAIN
    assert verified({k: float(v) if isinstance(v, int) else v for k, v in fields.items()}) == PLAIN


def test_parts_may_come_back_in_another_order():
    assert verified(made(), parts=PARTS[::-1]) == PLAIN


@pytest.mark.parametrize(
    "elsewhere",
    [
        {"tenant": "globex"},
        {"memory_id": "m2"},
        {"memory_id": ""},
        {"parts": (Part("/text", "Sam 不对花生过敏"), PARTS[1])},
        {"parts": PARTS[:1]},
        {"parts": (*PARTS, Part("/more", ""))},
        {"parts": (Part("/title", PARTS[0].text), Part("/text", PARTS[1].text))},
        {"key": b"x" * 32},
    ],
    ids=["tenant", "id", "no id", "text", "part gone", "part more", "parts exchanged", "key"],
)
def test_a_stamp_moved_elsewhere_is_not_believed(elsewhere):
    assert verified(made(), **elsewhere) is None


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("tier", "authoritative"),
        ("kind", "procedure"),
        ("sens", "public"),
        ("infl", "decide"),
        ("orig", "1" * 32),
        ("by", "1" * 32),
        ("who", ""),
        ("ns", "1" * 32),
        ("dec", "d2"),
        ("at", 0),
        ("until", None),
        ("until", 9_999_999_999_999),
        ("v", 2),
        ("v", True),
        ("mac", "0" * 64),
        ("mac", ""),
        ("mac", None),
        ("mac", 7),
        ("tier", ["trusted"]),
        ("at", "1764000000000"),
        ("at", 1.5),
        ("at", float("inf")),
        ("extra", "field"),
    ],
)
def test_a_changed_field_is_not_believed(field, value):
    assert verified({**made(), field: value}) is None


@pytest.mark.parametrize("gone", ["v", "tier", "until", "mac"])
def test_a_missing_field_is_not_believed(gone):
    fields = made()
    del fields[gone]
    assert verified(fields) is None
    assert verified({}) is None


@given(
    st.dictionaries(
        st.sampled_from([*made(), "x"]),
        st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.lists(st.text()),
    )
)
def test_nothing_made_up_is_believed_and_nothing_crashes(fields):
    assert verified({**made(), **fields}) in (None, PLAIN)
    assert verified(fields) is None


@given(st.text(st.characters(), max_size=30), st.text(st.characters(), max_size=30))
def test_any_text_can_be_stamped(text, kind):
    parts = (Part("/text", text),)
    fields = made(parts=parts, stamp=replace(PLAIN, kind=Kind(kind)))
    found = verified(fields, parts=parts)
    assert found is not None
    assert found.kind == kind


def test_validity_and_zones():
    assert PLAIN.valid_at(NOW)
    assert not PLAIN.valid_at(NOW + timedelta(days=30))
    assert replace(PLAIN, valid_until=None).valid_at(NOW + timedelta(days=9999))
    with pytest.raises(UsageError, match="time zone"):
        made(stamp=replace(PLAIN, stored_at=NOW.replace(tzinfo=None)))
