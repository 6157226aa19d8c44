"""This handler appends the head of every commit to the transparency log; a follower hands it the commits."""

from collections.abc import Sequence
from typing import Final

import msgspec

from events.proof.log_entries import head_text
from events.proof.signed_heads import KINDS
from events.store.follow_records import Followed
from events.store.protocol import Store
from events.store.tables import rating_rows, tree_rows
from events.store.tables.tree_rows import NewLeaf
from events.store.tree_records import TreeRow
from events.transparency.tree_heads import salted_entry


class Digested(msgspec.Struct):
    """The digest field of an event."""

    digest: str


_digested = msgspec.json.Decoder(list[Digested]).decode


class TreeHandler:
    """Appends a leaf for each commit of a stream that this server runs, so none for imported matches."""

    name: Final = tree_rows.FOLLOWER

    def __init__(self, store: Store, tree: TreeRow) -> None:
        self._store = store
        self._secret = tree.secret

    def wants_commits(self) -> bool:
        """Declare that all commits are wanted."""
        return True

    def read(self, page: Sequence[Followed]) -> rating_rows.Write:
        """Read the heads of a page; the returned function appends their leaves."""
        here = tree_rows.run_here(self._store, {followed.match_no for followed in page})
        leaves = [
            self._leaf(followed, here[followed.match_no])
            for followed in page
            if followed.match_no in here and here[followed.match_no].kind in KINDS
        ]
        return lambda connection: tree_rows.append_leaves(connection, leaves)

    def _leaf(self, followed: Followed, of: tree_rows.RunStream) -> NewLeaf:
        version = followed.row.first + followed.row.n - 1
        body = head_text(of.kind, of.id, version, head_in(followed.row.events))
        return NewLeaf(salted_entry(self._secret, body), followed.match_no, version)


def head_in(events: str) -> str:
    """Return the digest of the last event of a commit."""
    return _digested(events)[-1].digest
