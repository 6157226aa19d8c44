"""This audit checks the transparency log as it is stored.

Leaves must follow from the log, tiles from the leaves, and the signed checkpoint from both.
"""

from collections.abc import Iterator

from domain.core.merkle import EMPTY, hash_leaf, hash_node
from events.proof.checkpoints import read_checkpoint
from events.proof.findings import Finding, bad, good
from events.proof.log_entries import head_text
from events.proof.signed_notes import BadNote, read_note
from events.store.protocol import Store
from events.store.tables import tree_rows
from events.store.tree_records import LeafRow, TreeRow
from events.transparency.tree_handler import head_in
from events.transparency.tree_heads import logged_changes, rating_text, salted_entry
from events.transparency.tree_tiles import Damaged, TreeTiles

NAME = "transparency"


class GrowingTree:
    """Computes the root of a tree leaf by leaf; it holds one hash for each complete subtree."""

    def __init__(self) -> None:
        self._size = 0
        self._subtrees: list[bytes] = []

    def append(self, leaf: bytes) -> None:
        """Add the hash of a leaf."""
        self._subtrees.append(leaf)
        self._size += 1
        odd = self._size
        while not odd & 1:
            right = self._subtrees.pop()
            self._subtrees[-1] = hash_node(self._subtrees[-1], right)
            odd >>= 1

    def root(self) -> bytes:
        """Return the root over all leaves so far."""
        if not self._subtrees:
            return EMPTY
        *left, found = self._subtrees
        for one in reversed(left):
            found = hash_node(one, found)
        return found


def audit_tree(store: Store) -> Finding:
    """Audit the transparency log."""
    tree = tree_rows.read_tree(store)
    if tree is None:
        return good(NAME, "There is no transparency log yet.")
    fault = next(_faults(store, tree), None)
    return bad(NAME, None, fault) if fault else good(NAME, f"All {tree.size:,} leaves follow from the log.")


def _faults(store: Store, tree: TreeRow) -> Iterator[str]:
    head = tree_rows.newest_head(store)
    growing, place, signed_root = GrowingTree(), 0, EMPTY
    for page in tree_rows.read_leaves(store):
        for leaf, kind, stream_id, events in page:
            if leaf.place >= tree.size:  # it was appended in the meantime
                break
            if leaf.place != place:
                yield f"Leaf {place} is missing."
                return
            if (fault := _fault_in(tree, leaf, kind, stream_id, events)) is not None:
                yield fault
            growing.append(hash_leaf(leaf.entry))
            place += 1
            if head is not None and place == head.size:
                signed_root = growing.root()
    if place != tree.size:
        yield f"The log has {place} leaves, but its stored size is {tree.size}."
    yield from _faults_of_tiles(store, tree, growing.root())
    if head is not None:
        try:
            signed = read_checkpoint(read_note(head.note))
        except BadNote as error:
            yield f"The signed checkpoint cannot be read: {error}"
            return
        if (signed.size, signed.root) != (head.size, signed_root):
            yield f"The signed checkpoint of {head.size} leaves is from a different tree."
    if missing := tree_rows.first_without_leaf(store):
        yield f"The commit that ends with event {missing.version} of {missing.kind} {missing.id} has no leaf."
    yield from _faults_of_ratings(store)


def _fault_in(tree: TreeRow, leaf: LeafRow, kind: str | None, of: str | None, events: str | None) -> str | None:
    """Return the fault of a leaf; None if it agrees with its commit or its text."""
    body = leaf.body
    if body is None:
        if kind is None or of is None or events is None or leaf.version is None:
            return f"The commit of leaf {leaf.place} is missing: its stream was reset or deleted."
        try:
            body = head_text(kind, of, leaf.version, head_in(events))
        except ValueError:
            return f"The commit of leaf {leaf.place} cannot be read."
    if salted_entry(tree.secret, body) != leaf.entry:
        return f"Leaf {leaf.place} does not hold what {'its commit' if leaf.body is None else 'its text'} says."
    return None


def _faults_of_tiles(store: Store, tree: TreeRow, root: bytes) -> Iterator[str]:
    try:
        if TreeTiles(store).root(tree.size) != root:
            yield "The tiles do not match the leaves. Run `dealt transparency rebuild`."
    except Damaged:
        yield "A tile is missing. Run `dealt transparency rebuild`."


def _faults_of_ratings(store: Store) -> Iterator[str]:
    for changes in logged_changes(store):
        known = tree_rows.bodies_of(store, {change.match_no for change in changes})
        for change in changes:
            try:
                text = rating_text(change.match_id, change.pool, change.ratings)
            except ValueError:
                text = ""
            if text not in known:
                yield f"The change of ratings by match {change.match_id} is not the one in the log."


def rebuild_tree(store: Store) -> int:
    """Rebuild all tiles from the leaves; return the number of leaves."""
    store.write(lambda connection: tree_rows.replace_tiles(connection, tree_rows.entries_within(connection)))
    tree = tree_rows.read_tree(store)
    return 0 if tree is None else tree.size
