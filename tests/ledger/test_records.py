"""What is recorded comes back as it was, and holds nothing personal."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwarden import ledger
from memwarden.errors import LedgerCorrupt, UsageError
from memwarden.keys import TenantKeys
from memwarden.ledger import (
    ConfigChange,
    CutNote,
    Fate,
    Outcome,
    Outcomes,
    PolicyChange,
    RedactionNote,
    Reveal,
    ReviewStep,
    SealRef,
    Tombstone,
)
from memwarden.ledger.reading import read_body, read_leaf
from memwarden.ledger.writing import body_text, leaf_text, wording_digest
from memwarden.model import (
    FACT,
    Action,
    Candidate,
    Cut,
    Decision,
    Finding,
    Influence,
    Message,
    Origin,
    Part,
    PartRole,
    Redaction,
    Sensitivity,
    Severity,
    Tier,
    Treatment,
)


def test_a_full_leaf_comes_back_as_it_was(leaf, finding, noon):
    whole = leaf(
        "d1",
        action=Action.REDACT,
        observed=Action.REJECT,
        critical=True,
        valid_until=noon + timedelta(days=30),
        elapsed_us=812,
        stored="3" * 32,
        session="4" * 32,
        subject="5" * 32,
        findings=(finding,),
        redactions=(RedactionNote(0, 1, 9, "CN_ID", Treatment.SEAL, "s1"),),
        cuts=(CutNote(0, 20, 60, "override.en.ignore"),),
        derived_from=("d0",),
        seals=(SealRef("original", "s1", "6" * 64),),
    )
    reasons = {wording_digest(finding.reason): finding.reason}
    assert read_leaf(leaf_text(whole), reasons) == whole


@pytest.mark.parametrize(
    "body",
    [
        Outcomes(7, (Outcome(0, Fate.STORED, "m"), Outcome(2, Fate.FAILED)), "doctor"),
        ReviewStep(
            "d1", "i1", "approve", "pending", "awaiting_writer", "a", (SealRef("p", "s", "d"),)
        ),
        Reveal("d1", "s1", "a", (SealRef("why", "s2", "d"),)),
        Tombstone("subject", 1, 4, "a"),
        PolicyChange("rev-2", "rev-1", "enforce", "a"),
        ConfigChange("capability-1", "revoked", "by hand", "a"),
    ],
    ids=lambda body: type(body).__name__,
)
def test_every_other_record_comes_back_as_it_was(body):
    assert read_body(body.type, body_text(body)) == body


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '"x"', "{}", '{"id":1}', "null", '{"id":"x","at":"y"}', '{"at":1e400}']
)
def test_what_is_no_decision_is_corrupt_and_no_crash(text):
    with pytest.raises(LedgerCorrupt):
        read_leaf(text, {})


@given(st.text(max_size=60))
def test_no_text_makes_the_reader_crash(text):
    for kind in ledger.RecordType:
        with pytest.raises(LedgerCorrupt):
            read_body(kind, text)


def test_a_time_without_a_zone_is_refused(leaf, noon):
    with pytest.raises(UsageError, match="time zone"):
        leaf_text(leaf("d1", at=noon.replace(tzinfo=None)))


PARENT = ledger.new_id()

SECRETS = ("李雷", "zhang.wei@example.com", "principal-7", "session-9", "memory-3", "names/李雷")


def decision_and_candidate(noon):
    parts = (
        Part("/text", "李雷 writes from zhang.wei@example.com"),
        Part("/names/李雷", "李雷", PartRole.KEY),
    )
    candidate = Candidate(
        parts,
        origin=Origin(
            "web", principal="principal-7", session="session-9", derived_from=(PARENT, "李雷")
        ),
        subject="李雷",
        memory_id="memory-3",
    )
    decision = Decision(
        id="d1",
        tenant="acme",
        action=Action.REDACT,
        kind=FACT,
        tier=Tier.UNTRUSTED,
        sensitivity=Sensitivity.CONFIDENTIAL,
        influence=Influence.REFERENCE,
        findings=(
            Finding(
                "pii", "pii.name", "/names/李雷", 0, 2, 0.9, Severity.LOW, Message("a name", "姓名")
            ),
        ),
        policy_revision="rev-1",
        decided_at=noon,
        parts=parts,
        redactions=(
            Redaction("/text", 0, 2, "PERSON", Treatment.MASK, "李*", seal="s1"),
            Redaction("/text", 15, 25, "EMAIL", Treatment.SEAL, "<EMAIL_1>", seal="s2"),
        ),
        cuts=(Cut("/text", 26, 30, "r"),),
        elapsed_ms=0.8125,
    )
    return decision, candidate


def test_a_decision_is_noted_without_anything_personal(noon):
    decision, candidate = decision_and_candidate(noon)
    noted = ledger.leaf_of(decision, candidate, TenantKeys.of("acme", b"k" * 32))
    written = leaf_text(noted)
    assert not [secret for secret in SECRETS if secret in written]
    assert noted.findings[0].part == 1
    assert (noted.findings[0].score, noted.elapsed_us) == (900, 812)
    assert [r.seal for r in noted.redactions] == ["s1", "s2"]
    assert noted.derived_from[0] == PARENT


def test_digests_of_one_tenant_say_nothing_in_another(noon):
    decision, candidate = decision_and_candidate(noon)
    one, two = (
        ledger.leaf_of(decision, candidate, TenantKeys.of(tenant, key))
        for tenant, key in (("acme", b"1" * 32), ("globex", b"2" * 32))
    )
    for name in ("origin", "text", "stored", "session", "subject", "memory"):
        assert getattr(one, name)
        assert getattr(one, name) != getattr(two, name)


@pytest.mark.parametrize("source", ["my name is 李雷", "User", "a@b.c", "", "x" * 40, "web\n"])
def test_a_source_that_is_no_word_is_not_recorded(source, noon):
    decision, _ = decision_and_candidate(noon)
    candidate = Candidate("text", origin=Origin(source))
    noted = ledger.leaf_of(decision, candidate, TenantKeys.of("acme", b"k" * 32))
    assert noted.source == "other"
