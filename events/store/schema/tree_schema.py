"""Describes the tables of the transparency log: its leaves, tiles and signed heads (decision 36)."""

from sqlalchemy import BigInteger, Column, Index, LargeBinary, SmallInteger, Table

from events.store.schema.metadata import columns_of, metadata
from events.store.tree_records import HeadRow, LeafRow, TreeRow

tree = Table("tree", metadata, *columns_of(TreeRow, "origin"))
"""One row: the name of the log, the secret from which all salts follow, and the number of leaves."""

tree_leaves = Table("tree_leaves", metadata, *columns_of(LeafRow, "place"))
"""One row for each leaf, append-only, from place 0 on.

A leaf of a head names the stream and the version; its text follows from the log. `body` is the text of any other leaf.
"""
Index("tree_leaves_of", tree_leaves.c.match_no, tree_leaves.c.version)

tree_tiles = Table(
    "tree_tiles",
    metadata,
    Column("level", SmallInteger, primary_key=True, autoincrement=False),
    Column("tile", BigInteger, primary_key=True, autoincrement=False),
    Column("hashes", LargeBinary, nullable=False),
)
"""The tiles of the tree (C2SP tlog-tiles), at most 256 hashes each; only the last one of a level ever changes."""

tree_heads = Table("tree_heads", metadata, *columns_of(HeadRow, "size"))
"""The checkpoints that the server has signed.

`note` includes the cosignatures, and `witnessed` is true if a quorum has cosigned.
"""
