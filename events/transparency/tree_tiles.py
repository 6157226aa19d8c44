"""Reads the tree of the transparency log from its tiles, and makes proofs from it.

A proof reads at most two tiles of each level, of which a million leaves need three.
"""

from domain.core.merkle import hash_complete, prove_consistency, prove_inclusion, root_hash
from events.store.protocol import Store
from events.store.tables.tree_rows import HASH, WIDTH, read_tiles, split_hashes


class Damaged(Exception):
    """A tile of the tree is missing or too short; run `dealt transparency rebuild`."""


class TreeTiles:
    """Reads the subtrees of a tree, each tile once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._tiles: dict[tuple[int, int], bytes] = {}

    def root(self, size: int) -> bytes:
        """Return the root of the tree over the first `size` leaves. Raises `Damaged`."""
        self._load(size - 1, size)
        return root_hash(size, self.subtree)

    def inclusion(self, place: int, size: int) -> list[bytes]:
        """Return the proof that the leaf in a place is in the tree of this size. Raises `Damaged`."""
        self._load(place, size)
        return prove_inclusion(place, size, self.subtree)

    def consistency(self, old: int, size: int) -> list[bytes]:
        """Return the proof that the tree only grew from one size to another. Raises `Damaged`."""
        self._load(old - 1, size)
        return prove_consistency(old, size, self.subtree)

    def subtree(self, height: int, place: int) -> bytes:
        """Return the hash of a complete subtree. Raises `Damaged`."""
        level, within = divmod(height, 8)
        tile, first = divmod(place << within, WIDTH)
        end = (first + (1 << within)) * HASH
        held = self._tile(level, tile)
        if len(held) < end:
            raise Damaged
        return hash_complete(split_hashes(held[first * HASH : end]))

    def _tile(self, level: int, tile: int) -> bytes:
        if (level, tile) not in self._tiles:
            self._tiles[level, tile] = read_tiles(self._store, [(level, tile)]).get((level, tile), b"")
        return self._tiles[level, tile]

    def _load(self, place: int, size: int) -> None:
        """Read the tiles over a place and at the end of the tree in one query."""
        wanted: list[tuple[int, int]] = []
        level, here, last = 0, max(place, 0), max(size - 1, 0)
        while True:
            here, last = here // WIDTH, last // WIDTH
            wanted += [(level, here), (level, last)]
            if not last:
                break
            level += 1
        missing = [one for one in dict.fromkeys(wanted) if one not in self._tiles]
        self._tiles.update(read_tiles(self._store, missing))


def read_partial_tile(store: Store, level: int, tile: int, width: int) -> bytes | None:
    """Return the first hashes of a tile; None if it has fewer."""
    held = read_tiles(store, [(level, tile)]).get((level, tile), b"")
    return held[: width * HASH] if len(held) >= width * HASH else None
