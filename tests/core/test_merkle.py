"""Tests the tree of a growing list: its hashes, and proofs made by other implementations."""

import json
from base64 import b64decode
from hashlib import sha256
from pathlib import Path

from domain.core.merkle import (
    EMPTY,
    hash_complete,
    hash_leaf,
    hash_node,
    is_consistent,
    is_included,
    prove_consistency,
    prove_inclusion,
    root_hash,
)

VECTORS = json.loads((Path(__file__).parents[1] / "proof/vectors/merkle.json").read_text())
"""Valid and invalid proofs from https://github.com/transparency-dev/merkle.

Two are left out: their roots are not hashes, or they refuse the empty tree, which witnesses accept as the past of any
tree.
"""

LEAVES = [hash_leaf(n.to_bytes(2)) for n in range(300)]


def subtree(height: int, place: int) -> bytes:
    return hash_complete(LEAVES[place << height : place + 1 << height])


def defined(leaves: list[bytes]) -> bytes:
    """Return the root as RFC 6962 defines it, recursively."""
    if len(leaves) < 2:
        return leaves[0] if leaves else EMPTY
    half = 1 << (len(leaves) - 1).bit_length() - 1
    return hash_node(defined(leaves[:half]), defined(leaves[half:]))


SIZES = [*range(20), 31, 32, 33, 255, 256, 257, 300]


def test_root_matches_rfc_6962():
    assert sha256(b"").digest() == EMPTY
    assert [root_hash(size, subtree) for size in SIZES] == [defined(LEAVES[:size]) for size in SIZES]


def test_inclusion_proof_holds_only_for_its_leaf():
    for size in SIZES:
        root = defined(LEAVES[:size])
        for place in range(size):
            proof = prove_inclusion(place, size, subtree)
            assert is_included(LEAVES[place], place, size, proof, root)
            assert not is_included(sha256(b"another").digest(), place, size, proof, root)


def test_consistency_proof_holds_only_for_its_past():
    for size in SIZES:
        root = defined(LEAVES[:size])
        for old in range(size + 1):
            proof = prove_consistency(old, size, subtree)
            assert is_consistent(old, size, proof, defined(LEAVES[:old]), root)
            assert not is_consistent(old, size, proof, sha256(b"another").digest(), root)


def test_inclusion_proofs_of_another_implementation_are_judged_as_specified():
    judged = {
        name: is_included(b64decode(leaf), place, size, [*map(b64decode, proof)], b64decode(root)) == holds
        for name, place, size, leaf, root, proof, holds in VECTORS["inclusion"]
    }
    assert len(judged) == 98
    assert [name for name, alike in judged.items() if not alike] == []


def test_consistency_proofs_of_another_implementation_are_judged_as_specified():
    judged = {
        name: is_consistent(old, size, [*map(b64decode, proof)], b64decode(old_root), b64decode(root)) == holds
        for name, old, size, old_root, root, proof, holds in VECTORS["consistency"]
    }
    assert len(judged) == 96
    assert [name for name, alike in judged.items() if not alike] == []
