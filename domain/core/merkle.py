"""Hashes a growing list into a tree (RFC 6962, section 2.1), and proves what is in it and that it only grew.

The tree over `size` leaves is made of complete subtrees. A subtree of height `h` and place `n` covers the leaves from
`n * 2**h` on, `2**h` of them. The caller supplies their hashes.
"""

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Final

Subtree = Callable[[int, int], bytes]
"""Return the hash of the complete subtree of this height and place."""

EMPTY: Final = sha256(b"").digest()
"""The root of a tree without leaves."""

MOST_HASHES: Final = 63
"""Maximum number of hashes in a proof: trees have fewer than 2**63 leaves."""


def hash_leaf(entry: bytes) -> bytes:
    """Return the hash of a leaf that holds these bytes."""
    return sha256(b"\x00" + entry).digest()


def hash_node(left: bytes, right: bytes) -> bytes:
    """Return the hash of a node over two others."""
    return sha256(b"\x01" + left + right).digest()


def hash_complete(hashes: Sequence[bytes]) -> bytes:
    """Return the hash of a complete subtree from hashes of one height; their number is a power of two."""
    row = list(hashes)
    while len(row) > 1:
        row = [hash_node(row[n], row[n + 1]) for n in range(0, len(row), 2)]
    return row[0]


def root_hash(size: int, subtree: Subtree) -> bytes:
    """Return the root of the tree over the first `size` leaves."""
    return _hash_range(0, size, subtree) if size else EMPTY


def prove_inclusion(place: int, size: int, subtree: Subtree) -> list[bytes]:
    """Return the proof that a leaf is in the tree over the first `size` leaves, from the leaf up (2.1.1)."""
    proof: list[bytes] = []
    begin, end = 0, size
    while end - begin > 1:
        middle = begin + _split(end - begin)
        if place < middle:
            proof.append(_hash_range(middle, end, subtree))
            end = middle
        else:
            proof.append(_hash_range(begin, middle, subtree))
            begin = middle
    return proof[::-1]


def prove_consistency(old: int, size: int, subtree: Subtree) -> list[bytes]:
    """Return the proof that the first `old` leaves of a tree were not changed since (2.1.2).

    It is empty for trees of the same size, and for an empty older tree.
    """
    if old in (0, size):
        return []
    proof: list[bytes] = []
    begin, end, is_known = 0, size, True
    while old != end:
        middle = begin + _split(end - begin)
        if old <= middle:
            proof.append(_hash_range(middle, end, subtree))
            end = middle
        else:
            proof.append(_hash_range(begin, middle, subtree))
            begin, is_known = middle, False
    if not is_known:
        proof.append(_hash_range(begin, end, subtree))
    return proof[::-1]


def is_included(leaf: bytes, place: int, size: int, proof: Sequence[bytes], root: bytes) -> bool:
    """Return whether a proof leads from a leaf's hash at this place to the root (RFC 9162, 2.1.3.2)."""
    if not 0 <= place < size or len(proof) > MOST_HASHES or not _are_hashes(leaf, root, *proof):
        return False
    at, last, found = place, size - 1, leaf
    for one in proof:
        if not last:
            return False
        if at & 1 or at == last:
            found = hash_node(one, found)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            found = hash_node(found, one)
        at, last = at >> 1, last >> 1
    return not last and found == root


def is_consistent(old: int, size: int, proof: Sequence[bytes], old_root: bytes, root: bytes) -> bool:
    """Return whether a proof shows that a tree only grew between two sizes and roots (RFC 9162, 2.1.4.2)."""
    if not 0 <= old <= size or len(proof) > MOST_HASHES or not _are_hashes(old_root, root, *proof):
        return False
    if old == 0:
        return not proof and old_root == EMPTY and (size > 0 or root == EMPTY)
    if old == size:
        return not proof and old_root == root
    path = [old_root, *proof] if not old & (old - 1) else [*proof]
    if not path:
        return False
    at, last = old - 1, size - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    older = newer = path[0]
    for one in path[1:]:
        if not last:
            return False
        if at & 1 or at == last:
            older, newer = hash_node(one, older), hash_node(one, newer)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            newer = hash_node(newer, one)
        at, last = at >> 1, last >> 1
    return not last and older == old_root and newer == root


def _are_hashes(*given: bytes) -> bool:
    return all(len(one) == len(EMPTY) for one in given)


def _split(leaves: int) -> int:
    """Return the largest power of two that is less than a number of leaves."""
    return 1 << (leaves - 1).bit_length() - 1


def _hash_range(begin: int, end: int, subtree: Subtree) -> bytes:
    """Return the hash over the leaves from `begin` up to `end`, a range that splitting the tree produced."""
    found: bytes | None = None
    for height, place in reversed(_subtrees(begin, end)):
        one = subtree(height, place)
        found = one if found is None else hash_node(one, found)
    assert found is not None
    return found


def _subtrees(begin: int, end: int) -> list[tuple[int, int]]:
    """Return the height and place of each complete subtree of a range, the largest first."""
    found: list[tuple[int, int]] = []
    while begin < end:
        height = (end - begin).bit_length() - 1
        found.append((height, begin >> height))
        begin += 1 << height
    return found
