"""The Merkle tree of RFC 6962 and RFC 9162: roots, inclusion and consistency proofs. Pure.

A tree grows by its peaks (the roots of its perfect subtrees, largest first), so appending costs
one hash on average whatever the size. Proofs read perfect subtrees through a function, so they
need neither the whole tree in memory nor every node on disk.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Final

HASH_BYTES: Final = 32
TILE_BITS: Final = 8
"""Roots of every 256, 65,536 ... leaves are kept; what lies between is computed when asked."""

EMPTY_ROOT: Final = sha256(b"").digest()

Subtree = Callable[[int, int], bytes]
"""``(level, place)`` to the root of the leaves ``place << level`` up to ``(place+1) << level``."""


def leaf_hash(data: bytes) -> bytes:
    """The hash of one entry."""
    return sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of two subtrees."""
    return sha256(b"\x01" + left + right).digest()


def push(peaks: list[bytes], size: int, leaf: bytes) -> list[tuple[int, int, bytes]]:
    """Append a leaf to a tree of ``size`` leaves by changing its peaks in place.

    Returns the subtrees that were completed and have to be kept, as (level, place, root).
    """
    done: list[tuple[int, int, bytes]] = []
    level, rest = 0, size
    while rest & 1:
        leaf = node_hash(peaks.pop(), leaf)
        level, rest = level + 1, rest >> 1
        if level % TILE_BITS == 0:
            done.append((level, size >> level, leaf))
    peaks.append(leaf)
    return done


def push_many(peaks: list[bytes], size: int, leaves: Sequence[bytes]) -> None:
    """Append many leaves at once, level by level, which is far cheaper than one by one."""
    level, fresh = list(leaves), list[bytes]()
    while level:
        if size & 1:
            level.insert(0, peaks.pop())
        if len(level) & 1:
            fresh.append(level.pop())
        halves = iter(level)
        level = [
            sha256(b"\x01" + left + right).digest()
            for left, right in zip(halves, halves, strict=True)
        ]
        size >>= 1
    peaks.extend(reversed(fresh))


def root_of_peaks(peaks: Sequence[bytes]) -> bytes:
    """The root of the tree that has these peaks."""
    if not peaks:
        return EMPTY_ROOT
    root = peaks[-1]
    for peak in reversed(peaks[:-1]):
        root = node_hash(peak, root)
    return root


def root_of(leaves: Sequence[bytes]) -> bytes:
    """The root over leaf hashes that are all at hand."""
    peaks: list[bytes] = []
    push_many(peaks, 0, leaves)
    return root_of_peaks(peaks)


def fold(hashes: Sequence[bytes]) -> bytes:
    """The root over a power of two of neighbouring subtrees."""
    level = list(hashes)
    while len(level) > 1:
        level = [node_hash(level[i], level[i + 1]) for i in range(0, len(level), 2)]
    return level[0]


def split_packed(packed: bytes) -> list[bytes]:
    """Hashes that were stored one after another."""
    return [packed[i : i + HASH_BYTES] for i in range(0, len(packed), HASH_BYTES)]


def range_root(subtree: Subtree, start: int, end: int) -> bytes:
    """MTH of the leaves ``start`` to ``end`` where RFC 6962 splits a tree at ``start``."""
    size = end - start
    if size & (size - 1) == 0:
        level = size.bit_length() - 1
        return subtree(level, start >> level)
    middle = start + _largest_power_below(size)
    return node_hash(range_root(subtree, start, middle), range_root(subtree, middle, end))


def inclusion_proof(subtree: Subtree, index: int, size: int) -> list[bytes]:
    """The audit path of leaf ``index`` in the tree of ``size`` leaves (RFC 9162, 2.1.3.1)."""
    return _path(subtree, index, 0, size)


def _path(subtree: Subtree, index: int, start: int, end: int) -> list[bytes]:
    if end - start == 1:
        return []
    middle = start + _largest_power_below(end - start)
    if index < middle:
        return [*_path(subtree, index, start, middle), range_root(subtree, middle, end)]
    return [*_path(subtree, index, middle, end), range_root(subtree, start, middle)]


def consistency_proof(subtree: Subtree, old: int, new: int) -> list[bytes]:
    """Proof that the tree of ``old`` leaves is the beginning of that of ``new`` (2.1.4.1)."""
    if not 0 < old < new:
        return []
    return _subproof(subtree, old, 0, new, whole=True)


def _subproof(subtree: Subtree, old: int, start: int, end: int, *, whole: bool) -> list[bytes]:
    if old == end:
        return [] if whole else [range_root(subtree, start, end)]
    middle = start + _largest_power_below(end - start)
    if old <= middle:
        left = _subproof(subtree, old, start, middle, whole=whole)
        return [*left, range_root(subtree, middle, end)]
    right = _subproof(subtree, old, middle, end, whole=False)
    return [*right, range_root(subtree, start, middle)]


def verify_inclusion(
    leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes
) -> bool:
    """Whether the proof leads from ``leaf`` at ``index`` to ``root`` (RFC 9162, 2.1.3.2)."""
    if not 0 <= index < size:
        return False
    fn, sn, found = index, size - 1, leaf
    for step in proof:
        if sn == 0:
            return False
        if fn & 1 or fn == sn:
            found = node_hash(step, found)
            while not fn & 1 and fn:
                fn, sn = fn >> 1, sn >> 1
        else:
            found = node_hash(found, step)
        fn, sn = fn >> 1, sn >> 1
    return sn == 0 and found == root


def verify_consistency(
    old: int, new: int, old_root: bytes, new_root: bytes, proof: Sequence[bytes]
) -> bool:
    """Whether the proof shows that the old tree is the beginning of the new (2.1.4.2)."""
    if old == new:
        return not proof and old_root == new_root
    if old == 0:
        return not proof and old_root == EMPTY_ROOT
    if not 0 < old < new or not proof:
        return False
    steps = list(proof) if old & (old - 1) else [old_root, *proof]
    fn, sn = old - 1, new - 1
    while fn & 1:
        fn, sn = fn >> 1, sn >> 1
    first = second = steps[0]
    for step in steps[1:]:
        if sn == 0:
            return False
        if fn & 1 or fn == sn:
            first, second = node_hash(step, first), node_hash(step, second)
            while not fn & 1 and fn:
                fn, sn = fn >> 1, sn >> 1
        else:
            second = node_hash(second, step)
        fn, sn = fn >> 1, sn >> 1
    return sn == 0 and first == old_root and second == new_root


def _largest_power_below(size: int) -> int:
    """The largest power of two that is smaller than ``size``, which is at least 2."""
    return 1 << ((size - 1).bit_length() - 1)
