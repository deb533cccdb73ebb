"""The vault against the chain: what was exchanged or removed there shows here."""

from __future__ import annotations

import pytest

from memwarden import ledger, vault
from memwarden.ledger import Intent, SealRef, Tombstone, Wrong


@pytest.fixture
def sealed(book, leaf):
    """Three decisions with a sealed original each; the third is nobody's but its own."""

    def step(conn):
        for name, subject in (("a", "li"), ("b", "wang"), ("c", "")):
            kept = vault.seal(
                conn, book.ring, "acme", b"text", seal_id=f"{name}.o", subject=subject, record=name
            )
            ref = SealRef("original", kept.id, kept.digest)
            noted = leaf(name, subject=kept.subject if subject else "", seals=(ref,))
            ledger.append(conn, "acme", Intent("m", "upsert", "r", (noted,)), book.now())

    book.db.write(step)
    return book


def check(book):
    with book.db.read() as conn:
        keys = book.ring.tenant(conn, "acme")
        faults = ledger.check_seals(
            conn,
            "acme",
            lambda ids: vault.digests_of(conn, "acme", ids),
            lambda leaf: leaf.subject or vault.subject_digest(keys, "", leaf.id),
        )
        return [(fault.wrong, fault.seq, fault.words.en) for fault in faults]


def test_what_lies_there_is_what_was_recorded(sealed):
    assert check(sealed) == []


def test_an_exchanged_original_is_named(sealed):
    sealed.tamper(
        "UPDATE seal SET blob = (SELECT blob FROM seal WHERE id = 'b.o') WHERE id = 'a.o'"
    )
    ((wrong, seq, words),) = check(sealed)
    assert (wrong, seq) == (Wrong.SEAL, 0)
    assert "a.o of record 0 is not the one that was recorded" in words


def test_a_removed_original_is_named(sealed):
    sealed.tamper("DELETE FROM seal WHERE id = 'b.o'")
    ((wrong, seq, words),) = check(sealed)
    assert (wrong, seq) == (Wrong.SEAL, 1)
    assert "no erasure is recorded that would explain it" in words


@pytest.mark.parametrize(("subject", "record"), [("li", ""), ("", "c")])
def test_an_erasure_on_the_record_explains_what_is_gone(sealed, subject, record):
    def step(conn):
        gone = vault.destroy_subject(conn, sealed.ring, "acme", subject, record=record)
        ledger.append(conn, "acme", Tombstone(gone.subject, gone.keys, gone.seals), sealed.now())

    sealed.db.write(step)
    assert check(sealed) == []
    assert sealed.verify() == []


def test_an_erased_tenant_holds_nothing_and_still_verifies(sealed):
    def step(conn):
        gone = vault.destroy_tenant(conn, sealed.ring, "acme")
        stone = Tombstone(ledger.WHOLE_TENANT, gone.keys, gone.seals)
        ledger.append(conn, "acme", stone, sealed.now())

    sealed.db.write(step)
    with sealed.db.read() as conn:
        assert list(ledger.check_seals(conn, "acme", lambda ids: {}, lambda leaf: "")) == []
    assert sealed.verify() == []
