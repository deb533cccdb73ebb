"""Where the master key lives, and what happens when it is not there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memwarden.database import Database
from memwarden.errors import VaultError
from memwarden.keys import (
    KeyPlace,
    MasterKey,
    encode_key,
    new_key,
    open_keyring,
    rotate_master,
    write_key_file,
)


@pytest.fixture
def db(tmp_path: Path):
    with Database.open(tmp_path / "data" / "memwarden.db") as database:
        yield database


def ring_of(db, place):
    return db.write(lambda conn: open_keyring(conn, place))


def test_first_start_makes_a_private_file_outside_the_data_and_says_where(db, tmp_path):
    place = KeyPlace.of({"XDG_CONFIG_HOME": str(tmp_path / "config")})
    ring = ring_of(db, place)
    path = tmp_path / "config" / "memwarden" / "keys" / f"{ring.master.id}.key"
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o077 == 0
    assert str(path) in ring.notice.en
    assert str(path) in ring.notice.zh
    assert "loses" in ring.notice.en
    assert "丢失" in ring.notice.zh


def test_the_next_start_finds_it_again_and_is_quiet(db, tmp_path):
    place = KeyPlace(tmp_path / "keys")
    first, second = ring_of(db, place), ring_of(db, place)
    assert second.notice is None
    assert first.root == second.root


def test_key_folder_can_be_named_and_relative_xdg_is_ignored():
    assert KeyPlace.of({"MEMWARDEN_KEY_DIR": "/k"}).folder == Path("/k")
    home = KeyPlace.of({"XDG_CONFIG_HOME": "relative"}).folder
    assert home == Path.home() / ".config" / "memwarden" / "keys"


@pytest.mark.parametrize("written", [encode_key, bytes.hex], ids=["base64", "hex"])
def test_the_environment_can_hold_the_key(db, tmp_path, written):
    key = new_key()
    place = KeyPlace.of({"MEMWARDEN_MASTER_KEY": written(key)}, folder=tmp_path / "unused")
    assert ring_of(db, place).master.secret == key
    assert not (tmp_path / "unused").exists()


def test_a_callable_can_hold_the_key_and_is_told_which(db, tmp_path):
    key, asked = new_key(), []

    def kms(key_id: str) -> bytes:
        asked.append(key_id)
        return key

    place = KeyPlace(tmp_path / "unused", source=kms)
    ring_of(db, place)
    ring = ring_of(db, place)
    assert asked == ["", ring.master.id]


def test_a_missing_key_is_an_error_and_never_a_new_key(db, tmp_path):
    ring = ring_of(db, KeyPlace(tmp_path / "keys"))
    path = tmp_path / "keys" / f"{ring.master.id}.key"
    path.rename(tmp_path / "moved.key")
    with pytest.raises(VaultError, match=rf"{ring.master.id} is missing: .* bring the file back"):
        ring_of(db, KeyPlace(tmp_path / "keys"))
    assert list((tmp_path / "keys").iterdir()) == []


def test_another_key_is_refused_by_both_names(db, tmp_path):
    ring = ring_of(db, KeyPlace(tmp_path / "keys"))
    other = KeyPlace.of({"MEMWARDEN_MASTER_KEY": encode_key(new_key())})
    with pytest.raises(VaultError, match=ring.master.id):
        ring_of(db, other)


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o660])
def test_a_key_that_others_can_read_is_refused_with_the_cure(db, tmp_path, mode):
    ring = ring_of(db, KeyPlace(tmp_path / "keys"))
    path = tmp_path / "keys" / f"{ring.master.id}.key"
    path.chmod(mode)
    with pytest.raises(VaultError, match=f"chmod 600 {path}"):
        ring_of(db, KeyPlace(tmp_path / "keys"))


@pytest.mark.parametrize("text", ["", "short", "z" * 64, "a" * 43 + "!"])
def test_what_is_no_key_is_refused_without_being_shown(db, text):
    place = KeyPlace.of({"MEMWARDEN_MASTER_KEY": text or " "})
    with pytest.raises(VaultError) as caught:
        ring_of(db, place)
    assert not text or text not in str(caught.value)


def test_a_lost_installation_row_over_data_makes_no_new_key(db, tmp_path):
    ring = ring_of(db, KeyPlace(tmp_path / "keys"))
    db.write(lambda conn: ring.admit(conn, "acme"))
    db.write(lambda conn: conn.execute("DELETE FROM installation").rowcount)
    with pytest.raises(VaultError, match="no new key is made"):
        ring_of(db, KeyPlace(tmp_path / "keys"))


def test_a_key_folder_that_cannot_be_written_is_named(db):
    with pytest.raises(VaultError, match=r"/proc/nowhere.*MEMWARDEN_KEY_DIR"):
        ring_of(db, KeyPlace(Path("/proc/nowhere")))


def test_rotation_changes_the_master_and_nothing_that_hangs_from_it(db, tmp_path):
    place = KeyPlace(tmp_path / "keys")
    ring = ring_of(db, place)
    before = db.write(lambda conn: ring.admit(conn, "acme"))
    new = MasterKey(new_key(), "a new place")
    write_key_file(tmp_path / "keys" / f"{new.id}.key", new.secret)
    db.write(lambda conn: rotate_master(conn, ring, new))
    (tmp_path / "keys" / f"{ring.master.id}.key").unlink()
    rotated = ring_of(db, place)
    assert rotated.master.id == new.id
    assert rotated.root == ring.root
    assert db.write(lambda conn: rotated.tenant(conn, "acme")) == before


def test_no_repr_shows_a_secret(db, tmp_path):
    ring = ring_of(db, KeyPlace(tmp_path / "keys"))
    keys = db.write(lambda conn: ring.admit(conn, "acme"))
    shown = " ".join(map(repr, (ring, ring.master, ring.root, keys, KeyPlace.of(os.environ))))
    for secret in (ring.master.secret, ring.root.signing, keys.digests, keys.subjects):
        assert secret.hex() not in shown
        assert repr(secret) not in shown
        assert encode_key(secret) not in shown
