"""Reads what the transparency log serves publicly: the checkpoint, tiles, entries and consistency proofs."""

from typing import Final

from events.proof.checkpoints import write_hashes
from events.store.protocol import Store
from events.store.tables import tree_rows
from events.transparency.tree_tiles import Damaged, TreeTiles, read_partial_tile

WIDTH: Final = tree_rows.WIDTH
"""The hashes of a full tile, and the entries of a full bundle."""


def read_checkpoint_note(store: Store) -> str | None:
    """Return the newest checkpoint with its cosignatures; None if none was signed."""
    found = tree_rows.newest_head(store)
    return None if found is None else found.note


def prove_growth(store: Store, old: int, size: int) -> str | None:
    """Return the consistency proof between two sizes, a line for each hash; None if the log is shorter."""
    tree = tree_rows.read_tree(store)
    if tree is None or not old <= size <= tree.size:
        return None
    try:
        return write_hashes(TreeTiles(store).consistency(old, size))
    except Damaged:
        return None


def read_tile(store: Store, level: int, tile: int, width: int) -> bytes | None:
    """Return the first hashes of a tile; None if it has fewer."""
    return read_partial_tile(store, level, tile, width)


def read_entry_bundle(store: Store, tile: int, width: int) -> bytes | None:
    """Return the first entries below a tile, each with its length before it; None if there are fewer."""
    entries = tree_rows.read_entries(store, WIDTH * tile, width)
    if len(entries) < width:
        return None
    return b"".join(len(entry).to_bytes(2) + entry for entry in entries)
