"""The tree against the definitions of RFC 6962, and proofs that hold exactly when they should."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwarden.ledger import merkle

# The test vectors that Certificate Transparency's own tests use.
ENTRIES = [
    bytes.fromhex(text)
    for text in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]


def mth(leaves: list[bytes]) -> bytes:
    """RFC 6962, section 2.1, word for word."""
    if not leaves:
        return sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    return sha256(b"\x01" + mth(leaves[:k]) + mth(leaves[k:])).digest()


def hashes(count: int) -> list[bytes]:
    return [merkle.leaf_hash(str(i).encode()) for i in range(count)]


def reader(leaves: list[bytes]) -> merkle.Subtree:
    return lambda level, place: merkle.fold(leaves[place << level : (place + 1) << level])


@pytest.mark.parametrize("count", range(1, 9))
def test_published_vectors(count):
    leaves = [merkle.leaf_hash(entry) for entry in ENTRIES[:count]]
    assert merkle.root_of(leaves).hex() == ROOTS[count - 1]


@given(st.integers(0, 700), st.integers(0, 700))
def test_growing_by_peaks_gives_the_root_of_the_definition(first, more):
    leaves = hashes(first + more)
    peaks: list[bytes] = []
    for size, leaf in enumerate(leaves[:first]):
        merkle.push(peaks, size, leaf)
    assert merkle.root_of_peaks(peaks) == mth(leaves[:first])
    merkle.push_many(peaks, first, leaves[first:])
    assert merkle.root_of_peaks(peaks) == mth(leaves)


def test_tiles_are_the_roots_of_whole_subtrees():
    leaves = hashes(66_000)
    peaks: list[bytes] = []
    done = [tile for size, leaf in enumerate(leaves) for tile in merkle.push(peaks, size, leaf)]
    assert [(level, place) for level, place, _ in done if level > 8] == [(16, 0)]
    assert [place for level, place, _ in done if level == 8] == list(range(66_000 // 256))
    read = reader(leaves)
    assert all(root == read(level, place) for level, place, root in done)


@given(st.data(), st.integers(1, 600))
def test_inclusion_proofs_hold_and_hold_for_nothing_else(data, size):
    leaves = hashes(size)
    index = data.draw(st.integers(0, size - 1))
    proof = merkle.inclusion_proof(reader(leaves), index, size)
    root = mth(leaves)
    assert merkle.verify_inclusion(leaves[index], index, size, proof, root)
    other = data.draw(st.integers(0, size))
    if other != index:
        assert not merkle.verify_inclusion(leaves[index], other, size, proof, root)
    assert not merkle.verify_inclusion(merkle.leaf_hash(b"x"), index, size, proof, root)
    assert not merkle.verify_inclusion(leaves[index], index, size, [*proof, root], root)
    if proof:
        assert not merkle.verify_inclusion(leaves[index], index, size, proof[:-1], root)


@given(st.data(), st.integers(1, 600))
def test_consistency_proofs_hold_and_hold_for_nothing_else(data, new):
    leaves = hashes(new)
    old = data.draw(st.integers(0, new))
    proof = merkle.consistency_proof(reader(leaves), old, new)
    old_root, new_root = mth(leaves[:old]), mth(leaves)
    assert merkle.verify_consistency(old, new, old_root, new_root, proof)
    forged = merkle.leaf_hash(b"forged")
    assert not merkle.verify_consistency(old, new, forged, new_root, proof)
    if 0 < old < new:
        assert not merkle.verify_consistency(old, new, old_root, forged, proof)
        assert not merkle.verify_consistency(old, new, old_root, new_root, [*proof, forged])
        assert not merkle.verify_consistency(old, new, old_root, new_root, proof[:-1])
