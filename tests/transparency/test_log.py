"""Tests the transparency log: its leaves, its tiles and checkpoints, and how an audit finds changes."""

import os
from base64 import b64decode

import pytest
from sqlalchemy import delete, func, select, update

from domain.core.merkle import hash_leaf, is_consistent, is_included
from events.operations.audit_tree import audit_tree, rebuild_tree
from events.proof.checkpoints import read_checkpoint, read_entry_proof
from events.proof.keys import KeyRing, add_new_key
from events.proof.log_entries import entry_of, head_text
from events.proof.signed_heads import MATCH
from events.proof.signed_notes import ED25519, NoteKey, find_signers, read_note
from events.store.protocol import Store
from events.store.schema.tree_schema import tree, tree_leaves, tree_tiles
from events.store.tables import tree_rows
from events.transparency import public_log
from events.transparency.tree_heads import key_text, prove_head
from tests.store.commits import commit
from tests.stores import store_of_owner
from tests.transparency.logs import SINCE, Kept, digest, ring_of


@pytest.fixture
def kept(store: Store) -> Kept:
    """Return a server with a match of five events in its log."""
    kept = Kept(store)
    kept.plays("match-1")
    kept.looks()
    return kept


@pytest.mark.both_databases
def test_log_has_a_leaf_for_each_key_and_each_commit(kept: Kept):
    assert kept.looks().size == 1 + 4
    kept.looks()
    assert kept.looks().size == 5
    places = [tree_rows.place_of(kept.store, "match-1", version) for version in (1, 2, 3, 4, 5)]
    assert places == [None, 1, 2, 3, 4]


@pytest.mark.both_databases
def test_several_followers_append_each_commit_once(kept: Kept):
    other = Kept(kept.store)
    for n in range(3):
        kept.plays(f"match-{n + 2}", 200)
        other.looks()
        kept.looks()
    assert kept.looks().size == 5 + 3 * 201
    assert audit_tree(kept.store).ok


def test_checkpoint_is_signed_with_the_key_of_the_server(kept: Kept):
    note = read_note(public_log.read_checkpoint_note(kept.store) or "")
    key = NoteKey("cards.example/v1/transparency", ED25519, kept.ring.keys[0].key)
    assert find_signers(note, [key]) == {key: None}
    assert read_checkpoint(note).origin == "cards.example/v1/transparency"


def test_log_of_an_unnamed_server_is_named_after_its_key(store: Store):
    kept = Kept(store, KeyRing("dealt", ring_of().keys, is_named=False))
    kept.plays("match-1")
    assert kept.looks().origin == f"dealt-{kept.ring.keys[0].key[:16]}/v1/transparency"


def test_no_checkpoint_is_signed_without_a_key(store: Store):
    kept = Kept(store, KeyRing("cards.example"))
    kept.plays("match-1")
    kept.keeper.look()
    assert public_log.read_checkpoint_note(store) is None
    assert tree_rows.read_tree(store) is not None


def test_new_key_is_logged_with_the_signatures_of_both_keys(kept: Kept):
    keys = add_new_key(kept.ring.keys, os.urandom(32), "2026-02-01T00:00:00.000Z")
    kept.keeper._ring = KeyRing("cards.example", keys)
    assert kept.looks().size == 6
    text = key_text(keys[1], keys[0])
    assert text in tree_rows.read_bodies(kept.store)
    assert text == f"key|{keys[1].key}|{keys[1].since}|{keys[0].key}|{keys[1].succession}|{keys[1].countersignature}"
    assert keys[0].since == SINCE


@pytest.mark.both_databases
def test_every_head_of_a_long_log_has_a_proof(kept: Kept):
    kept.plays("long", 700)
    kept.looks()
    for version in (2, 3, 200, 255, 256, 257, 512, 702):
        mark = f"long {version} " if version > 2 else "long"
        head = kept.ring.sign(MATCH, "long", version, digest(mark))
        proof = read_entry_proof(prove_head(kept.store, head) or "")
        entry = entry_of(proof.extra, head_text(MATCH, "long", version, digest(mark)))
        seen = proof.checkpoint
        assert is_included(hash_leaf(entry), proof.place, seen.size, proof.hashes, seen.root)


@pytest.mark.both_databases
def test_consistency_proofs_show_that_the_log_only_grew(kept: Kept):
    seen = [kept.looks()]
    for n in range(5):
        kept.plays(f"more-{n}", 130)
        seen.append(kept.looks())
    for old in seen:
        proof = public_log.prove_growth(kept.store, old.size, seen[-1].size)
        assert proof is not None
        assert is_consistent(old.size, seen[-1].size, [*map(b64decode, proof.split())], old.root, seen[-1].root)
    assert public_log.prove_growth(kept.store, 1, seen[-1].size + 1) is None


def test_tiles_and_entries_follow_the_specification(kept: Kept):
    kept.plays("long", 600)
    size = kept.looks().size
    entries = public_log.read_entry_bundle(kept.store, 0, 256) or b""
    assert [entries[n : n + 2] for n in range(0, len(entries), 34)] == [b"\x00\x20"] * 256
    leaves = [hash_leaf(entries[n + 2 : n + 34]) for n in range(0, len(entries), 34)]
    assert public_log.read_tile(kept.store, 0, 0, 256) == b"".join(leaves)
    assert public_log.read_tile(kept.store, 0, 0, 5) == b"".join(leaves[:5])
    assert public_log.read_tile(kept.store, 0, size // 256, size % 256) is not None
    assert public_log.read_tile(kept.store, 0, size // 256, size % 256 + 1) is None
    assert public_log.read_tile(kept.store, 1, 0, size // 256) is not None
    assert public_log.read_tile(kept.store, 1, 0, size // 256 + 1) is None


def test_log_names_no_match(kept: Kept):
    entry = public_log.read_entry_bundle(kept.store, 0, 5)
    secret = tree_rows.read_tree(kept.store)
    assert secret is not None
    assert len(secret.secret) == 32
    texts = [head_text(MATCH, "match-1", 3, digest("match-1 3 ")).encode()]
    assert not any(text in (entry or b"") for text in texts)


def changes_tree(store: Store, *statements) -> None:
    with store_of_owner(store) as mine:
        for statement in statements:
            mine.change(statement)


def test_audit_finds_changes_of_the_log(kept: Kept):
    assert audit_tree(kept.store).detail == "All 5 leaves follow from the log."
    changes_tree(kept.store, update(tree_leaves).where(tree_leaves.c.place == 3).values(entry=b"x" * 32))
    assert audit_tree(kept.store).detail == "Leaf 3 does not hold what its commit says."
    changes_tree(kept.store, delete(tree_leaves).where(tree_leaves.c.place == 3))
    assert audit_tree(kept.store).detail == "Leaf 3 is missing."


def test_audit_finds_a_commit_without_a_leaf(kept: Kept):
    changes_tree(
        kept.store, delete(tree_leaves).where(tree_leaves.c.place == 4), update(tree).values(size=tree.c.size - 1)
    )
    assert "4 leaves" not in audit_tree(kept.store).detail
    assert not audit_tree(kept.store).ok


def tiles_by_level(store: Store) -> dict[int, int]:
    counted = select(tree_tiles.c.level, func.count().label("n")).group_by(tree_tiles.c.level)
    return {row.level: row.n for row in store.read(counted)}


@pytest.mark.both_databases
def test_tiles_are_rebuilt_from_leaves(kept: Kept):
    kept.plays("long", 600)
    before = kept.looks()
    tiles = tiles_by_level(kept.store)
    changes_tree(kept.store, delete(tree_tiles).where(tree_tiles.c.tile == 0))
    assert audit_tree(kept.store).detail == "A tile is missing. Run `dealt transparency rebuild`."
    assert rebuild_tree(kept.store) == before.size
    assert tiles_by_level(kept.store) == tiles
    assert audit_tree(kept.store).ok


def test_no_checkpoint_is_signed_over_a_rewritten_tree(kept: Kept, caplog: pytest.LogCaptureFixture):
    before = kept.looks()
    changes_tree(kept.store, update(tree_leaves).where(tree_leaves.c.place == 3).values(entry=b"x" * 32))
    rebuild_tree(kept.store)
    kept.store.append(1, commit(6, 1, "on"))
    kept.keeper.look()
    newest = tree_rows.newest_head(kept.store)
    assert newest is not None
    assert newest.size == before.size
    assert "does not continue" in caplog.text
