"""Writes the leaves of the transparency log, signs its checkpoints, and proves leaves to those who may read them."""

import hmac
import json
import os
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Final

from domain.core.clock import Time
from domain.core.merkle import is_consistent
from events.proof.checkpoints import Checkpoint, EntryProof, read_checkpoint
from events.proof.keys import KeyRing, SigningKey
from events.proof.log_entries import SALT, entry_of, head_text
from events.proof.signed_heads import SignedHead
from events.proof.signed_notes import ED25519, NoteKey, SignedNote, read_note, sign_text
from events.store.protocol import Store
from events.store.tables import checkpoint_rows, rating_rows, tree_rows
from events.store.tables.tree_rows import ChangeRow, NewLeaf
from events.store.tree_records import TreeRow
from events.transparency.tree_tiles import TreeTiles


def salt_of(secret: bytes, body: str) -> bytes:
    """Return the salt of a text."""
    return hmac.digest(secret, body.encode(), "sha256")


def salted_entry(secret: bytes, body: str) -> bytes:
    """Return the entry for a text."""
    return entry_of(salt_of(secret, body), body)


def key_text(key: SigningKey, before: SigningKey | None) -> str:
    """Return the text about a key, with the signatures of the step to it from the key before."""
    parts = (key.key, key.since, before.key if before else "", key.succession or "", key.countersignature or "")
    return "|".join(("key", *parts))


def rating_text(match_id: str, pool: str, ratings: str) -> str:
    """Return the text about a change of ratings, given as stored JSON: its numbers are covered by a digest."""
    canonical = json.dumps(json.loads(ratings), sort_keys=True, separators=(",", ":"))
    return f"rating|{match_id}|{pool}|{sha256(canonical.encode()).hexdigest()}"


RATINGS: Final = "transparency_ratings"
"""The name of the checkpoint of changes of ratings: the run of ratings, then the place in it."""
RUN: Final = 2**40
PAGE: Final = 300


class Rewritten(Exception):
    """The tree does not continue the last signed checkpoint: it was changed, or reset."""


def open_tree(store: Store, ring: KeyRing) -> TreeRow:
    """Return the log of this server; begin it if there is none.

    An unnamed server shares its name with others, so the name of its log includes its first key.
    """
    if (found := tree_rows.read_tree(store)) is not None:
        return found
    first = next((key.key[:16] for key in ring.keys), "unsigned")
    name = ring.server if ring.is_named else f"{ring.server}-{first}"
    return tree_rows.begin_tree(store, f"{name}/v1/transparency", os.urandom(SALT))


def append_keys(store: Store, tree: TreeRow, ring: KeyRing, known: set[str]) -> None:
    """Append the keys that the log does not have; `known` has its texts, and gets the new ones."""
    keys = ring.keys
    texts = [key_text(key, before) for key, before in zip(keys, (None, *keys), strict=False)]
    if known.issuperset(texts):
        return
    known |= tree_rows.read_bodies(store)
    _append_texts(store, tree, [NewLeaf(b"", body=text) for text in texts if text not in known])
    known.update(texts)


def append_ratings(store: Store, tree: TreeRow) -> int:
    """Append the next changes of ratings; return the number read.

    After a match was voided, later matches are rated again in another run. Changes that differ are appended too.
    """
    state = rating_rows.state(store)
    if state is None:
        return 0
    before = checkpoint_rows.read_position(store, RATINGS)
    run, place = divmod(before, RUN)
    changes = tree_rows.changes_of_ratings(store, place if run == state.run else 0, PAGE)
    if not changes:
        return 0
    known = tree_rows.bodies_of(store, {change.match_no for change in changes})
    leaves = [leaf for change in changes if (leaf := _rating_leaf(change)).body not in known]
    at = state.run * RUN + changes[-1].place
    _append_texts(store, tree, leaves, (before, at))
    return len(changes)


def logged_changes(store: Store) -> Iterator[list[ChangeRow]]:
    """Return the changes of ratings that must be in the log by now, in pages."""
    state = rating_rows.state(store)
    run, last = divmod(checkpoint_rows.read_position(store, RATINGS), RUN)
    place = 0 if state is not None and state.run == run else last
    while place < last and (changes := tree_rows.changes_of_ratings(store, place, PAGE)):
        place = changes[-1].place
        yield [change for change in changes if change.place <= last]


def _rating_leaf(change: ChangeRow) -> NewLeaf:
    return NewLeaf(b"", change.match_no, None, rating_text(change.match_id, change.pool, change.ratings))


def _append_texts(store: Store, tree: TreeRow, leaves: Sequence[NewLeaf], move: tuple[int, int] | None = None) -> None:
    """Append leaves with texts, and move the checkpoint of ratings; do neither if another process has moved it."""
    entries = [leaf._replace(entry=salted_entry(tree.secret, leaf.body or "")) for leaf in leaves]
    store.write(lambda connection: tree_rows.append_moved(connection, entries, RATINGS, move))


def sign_checkpoint(store: Store, ring: KeyRing, now: Time) -> Checkpoint | None:
    """Sign the checkpoint of the tree as it is now, and store it; None if there is nothing new, or no key.

    Raises `Rewritten`, and signs nothing, if the tree does not continue the checkpoint before.
    """
    tree = tree_rows.read_tree(store)
    last = tree_rows.newest_head(store)
    if tree is None or tree.size == (last.size if last else 0):
        return None
    tiles = TreeTiles(store)
    checkpoint = Checkpoint(tree.origin, tree.size, tiles.root(tree.size))
    if last is not None:
        before = read_checkpoint(read_note(last.note))
        if before.size > tree.size:
            raise Rewritten
        proof = tiles.consistency(before.size, tree.size)
        if not is_consistent(before.size, tree.size, proof, before.root, checkpoint.root):
            raise Rewritten
    text = str(checkpoint)
    if (made := ring.signature(text.encode())) is None:
        return None
    key, signature = made
    note = SignedNote(text, (sign_text(NoteKey(tree.origin, ED25519, key), signature),))
    tree_rows.add_head(store, tree.size, now, str(note))
    return checkpoint


def prove_head(store: Store, head: SignedHead | None) -> str | None:
    """Return the proof that a signed head is in the log; None while no checkpoint covers it.

    The checkpoint is the first that covers it and has a quorum of cosignatures; while there is none, the first one.
    """
    if head is None or (tree := tree_rows.read_tree(store)) is None:
        return None
    place = tree_rows.place_of(store, head.id, head.version)
    if place is None:
        return None
    row = tree_rows.first_head_over(store, place, witnessed=True)
    row = row or tree_rows.first_head_over(store, place, witnessed=False)
    if row is None:
        return None
    note = read_note(row.note)
    salt = salt_of(tree.secret, head_text(head.kind, head.id, head.version, head.head))
    hashes = TreeTiles(store).inclusion(place, row.size)
    return str(EntryProof(salt, place, tuple(hashes), note, read_checkpoint(note)))
