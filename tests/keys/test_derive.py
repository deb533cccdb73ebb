"""Keys from keys: one purpose each, bound to their place, and digests that do not collide."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwarden.errors import VaultError
from memwarden.keys import decrypt, derive, encrypt, keyed_digest, new_key, pack

texts = st.text(st.characters(), max_size=40)


@given(st.lists(texts, max_size=4), st.lists(texts, max_size=4))
def test_packing_tells_every_two_lists_apart(a, b):
    assert (pack(a) == pack(b)) == (a == b)


def test_lone_surrogates_can_be_digested():
    assert keyed_digest(b"k" * 32, "\ud800") != keyed_digest(b"k" * 32, "\udfff")


def test_purposes_and_secrets_give_different_keys():
    one, two = new_key(), new_key()
    assert len({derive(one, "a"), derive(one, "b"), derive(two, "a"), one}) == 4
    assert derive(one, "a") == derive(one, "a")


@given(st.binary(max_size=200), st.binary(max_size=20))
def test_what_was_encrypted_opens_with_the_same_key_and_binding(plain, bound):
    key = new_key()
    assert decrypt(key, encrypt(key, plain, bound), bound, "it") == plain


@given(st.binary(min_size=1, max_size=50), st.data())
def test_any_flipped_bit_is_noticed(plain, data):
    key = new_key()
    blob = bytearray(encrypt(key, plain, b"bound"))
    blob[data.draw(st.integers(0, len(blob) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    with pytest.raises(VaultError, match="it does not open"):
        decrypt(key, bytes(blob), b"bound", "it")


@pytest.mark.parametrize("blob", [b"", b"short", b"\x00" * 12])
def test_a_torn_blob_is_no_crash(blob):
    with pytest.raises(VaultError):
        decrypt(new_key(), blob, b"", "it")


def test_digests_differ_by_key_label_and_field():
    seen = {
        keyed_digest(key, *fields)
        for key in (b"1" * 32, b"2" * 32)
        for fields in (("text", "a"), ("origin", "a"), ("text", "a", ""), ("texta",))
    }
    assert len(seen) == 8
