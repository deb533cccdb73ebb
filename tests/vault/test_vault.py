"""Sealing, opening, erasing: an original can be had back until its key is gone, and then never."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memwarden import vault
from memwarden.database import Database
from memwarden.errors import VaultError
from memwarden.keys import MasterKey, new_key, rotate_master

SECRET = "李雷的手机号是 13800138000".encode()


def seal(db, ring, plain=SECRET, *, seal_id="s1", tenant="acme", subject="lilei", record=""):
    return db.write(
        lambda conn: vault.seal(
            conn, ring, tenant, plain, seal_id=seal_id, subject=subject, record=record
        )
    )


def opened(db, ring, seal_id="s1", tenant="acme"):
    with db.read() as conn:
        return vault.open_seal(conn, ring, tenant, seal_id)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(plain=st.binary(max_size=5000), subject=st.text(max_size=20))
def test_what_was_sealed_can_be_opened(db, ring, plain, subject):
    seal_id = new_key().hex()
    seal(db, ring, plain, seal_id=seal_id, subject=subject, record="r")
    assert opened(db, ring, seal_id) == plain


def test_the_file_holds_neither_the_text_nor_whose_it_is(db, ring):
    seal(db, ring)
    db.truncate_log()
    raw = db.path.read_bytes()
    assert SECRET not in raw
    assert b"lilei" not in raw


@pytest.mark.parametrize(
    "edit",
    [
        "UPDATE seal SET id = 's1' WHERE id = 's2'",
        "UPDATE seal SET blob = (SELECT blob FROM seal WHERE id = 's2') WHERE id = 's1'",
        "UPDATE seal SET tenant = 'globex' WHERE id = 's1'",
        "UPDATE seal SET subject = (SELECT subject FROM seal WHERE id = 's3') WHERE id = 's1'",
        """UPDATE subject_key SET wrapped = (SELECT wrapped FROM subject_key WHERE subject =
           (SELECT subject FROM seal WHERE id = 's3')) WHERE subject =
           (SELECT subject FROM seal WHERE id = 's1')""",
    ],
    ids=["renamed", "exchanged", "moved to a tenant", "moved to a subject", "key exchanged"],
)
def test_an_original_moved_about_in_the_file_does_not_open(db, ring, edit):
    seal(db, ring)
    seal(db, ring, b"other", seal_id="s2")
    seal(db, ring, b"third", seal_id="s3", subject="hanmeimei")
    seal(db, ring, b"globex", seal_id="g", tenant="globex")
    if "SET id" in edit:
        db.write(lambda conn: conn.execute("DELETE FROM seal WHERE id = 's1'").rowcount)
    assert db.write(lambda conn: conn.execute(edit).rowcount) == 1
    tenant = "globex" if "globex" in edit else "acme"
    with pytest.raises(VaultError):
        opened(db, ring, "s1", tenant)


def test_a_changed_ciphertext_shows_in_its_digest(db, ring):
    kept = seal(db, ring)
    db.write(
        lambda conn: conn.execute("UPDATE seal SET blob = CAST(x'00' || blob AS BLOB)").rowcount
    )
    with db.read() as conn:
        now = vault.digests_of(conn, "acme", ["s1", "never"])
    assert now["s1"] != kept.digest
    assert now["never"] is None


def test_forgetting_a_person_leaves_others_and_nothing_of_theirs(db, ring):
    seal(db, ring)
    seal(db, ring, "另一段".encode(), seal_id="s2")
    seal(db, ring, b"kept", seal_id="s3", subject="hanmeimei")
    with db.read() as conn:
        remains = [row[0] for row in conn.execute("SELECT blob FROM seal WHERE id <> 's3'")]
        owner = conn.execute("SELECT subject FROM seal WHERE id = 's1'").fetchone()[0]
        remains.append(
            conn.execute("SELECT wrapped FROM subject_key WHERE subject = ?", (owner,)).fetchone()[
                0
            ]
        )
        assert vault.seals_of(conn, ring, "acme", "lilei") == ("s1", "s2")
    erased = db.write(lambda conn: vault.destroy_subject(conn, ring, "acme", "lilei"))
    assert (erased.keys, erased.seals, erased.subject) == (1, 2, owner)
    assert db.truncate_log()
    files = b"".join(p.read_bytes() for p in db.path.parent.iterdir())
    assert all(blob not in files for blob in remains)
    assert opened(db, ring, "s3") == b"kept"
    with pytest.raises(VaultError, match="erased"):
        opened(db, ring)


def test_forgetting_twice_destroys_nothing_more(db, ring):
    seal(db, ring)
    first, second = (
        db.write(lambda conn: vault.destroy_subject(conn, ring, "acme", "lilei")) for _ in "ab"
    )
    assert (first.seals, second.seals, second.keys) == (1, 0, 0)


def test_records_without_a_subject_are_erased_one_by_one(db, ring):
    seal(db, ring, b"one", seal_id="s1", subject="", record="d1")
    seal(db, ring, b"two", seal_id="s2", subject="", record="d2")
    db.write(lambda conn: vault.destroy_subject(conn, ring, "acme", record="d1"))
    assert opened(db, ring, "s2") == b"two"
    with pytest.raises(VaultError):
        opened(db, ring, "s1")


def test_nothing_is_sealed_for_nobody(db, ring):
    with pytest.raises(VaultError, match="needs a subject"):
        seal(db, ring, subject="", record="")


def test_destroying_a_tenant_ends_all_its_keys_in_every_process(db, ring, tmp_path):
    seal(db, ring)
    seal(db, ring, b"kept", seal_id="g", tenant="globex")
    assert opened(db, ring) == SECRET
    with Database.open(db.path) as elsewhere:
        elsewhere.write(lambda conn: vault.destroy_tenant(conn, ring, "acme"))
    for use in (lambda: opened(db, ring), lambda: seal(db, ring, seal_id="s9")):
        with pytest.raises(VaultError):
            use()
    assert opened(db, ring, "g", "globex") == b"kept"


def test_a_tenants_lost_key_is_never_replaced_over_its_data(db, ring):
    seal(db, ring)
    db.write(lambda conn: conn.execute("DELETE FROM tenant_key").rowcount)
    with pytest.raises(VaultError, match="no new key is made"):
        seal(db, ring, seal_id="s2")


def test_originals_open_after_the_master_key_was_changed(db, ring):
    seal(db, ring)
    rotated = db.write(lambda conn: rotate_master(conn, ring, MasterKey(new_key(), "test")))
    assert opened(db, rotated) == SECRET
    with pytest.raises(VaultError):
        opened(db, ring_without_cache(ring))


def ring_without_cache(ring):
    ring.forget()
    return ring


def test_a_tombstone_replayed_over_a_backup_erases_again(db, ring, tmp_path):
    seal(db, ring)
    db.truncate_log()
    backup = db.path.read_bytes()
    erased = db.write(lambda conn: vault.destroy_subject(conn, ring, "acme", "lilei"))
    (tmp_path / "restored.db").write_bytes(backup)
    with Database.open(tmp_path / "restored.db") as restored:
        assert opened(restored, ring) == SECRET
        restored.write(lambda conn: vault.destroy_digest(conn, "acme", erased.subject))
        with pytest.raises(VaultError):
            opened(restored, ring)


class TestNumbers:
    def number(self, db, ring, value, *, entity="EMAIL", tenant="acme", subject=""):
        return db.write(
            lambda conn: vault.number_for(conn, ring, tenant, entity, value, subject=subject)
        )

    def test_the_same_value_keeps_its_number(self, db, ring):
        given = [self.number(db, ring, value) for value in ("a@x", "b@x", "a@x", "c@x", "b@x")]
        assert given == [1, 2, 1, 3, 2]

    def test_entities_and_tenants_count_apart(self, db, ring):
        assert self.number(db, ring, "a") == 1
        assert self.number(db, ring, "a", entity="PHONE") == 1
        assert self.number(db, ring, "b", tenant="globex") == 1

    def test_the_file_does_not_hold_the_value(self, db, ring):
        self.number(db, ring, "zhang.wei@example.com", subject="zhangwei")
        db.truncate_log()
        assert b"zhang" not in db.path.read_bytes()

    def test_forgetting_the_last_user_forgets_the_value_but_never_reuses_its_number(self, db, ring):
        assert self.number(db, ring, "shared", subject="a") == 1
        assert self.number(db, ring, "shared", subject="b") == 1
        assert self.number(db, ring, "only a", subject="a") == 2
        erased = db.write(lambda conn: vault.destroy_subject(conn, ring, "acme", "a"))
        assert erased.numbers == 1
        assert self.number(db, ring, "shared") == 1
        assert self.number(db, ring, "only a") == 3
