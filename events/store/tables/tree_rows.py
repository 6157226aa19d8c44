"""Stores the transparency log: leaves, the tiles of their tree, and the checkpoints that were signed."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

from sqlalchemy import Connection, and_, delete, func, insert, or_, select, text, update

from domain.core.merkle import hash_complete, hash_leaf
from events.store import archive_files
from events.store.protocol import Store
from events.store.schema.log_schema import commits, stream
from events.store.schema.tournament_schema import rated_matches, rating_changes
from events.store.schema.tree_schema import tree, tree_heads, tree_leaves, tree_tiles
from events.store.tables import archived_rows
from events.store.tables.checkpoint_rows import move_position, read_position
from events.store.tree_records import HeadRow, LeafRow, TreeRow

FOLLOWER: Final = "transparency"
"""The name of the checkpoint of the follower that appends heads."""

WIDTH: Final = 256
"""Maximum number of hashes in a tile."""
HASH: Final = 32
"""The bytes of a hash."""

PAGE: Final = 1_000
"""The number of leaves that are read at a time."""

FIRST: Final = text(
    "INSERT INTO tree (origin, secret, size) SELECT :origin, :secret, 0 WHERE NOT EXISTS (SELECT 1 FROM tree)"
    " ON CONFLICT (origin) DO NOTHING"
)
"""The insertion of the first row, which another process may write at the same time."""

SIGNED: Final = text(
    "INSERT INTO tree_heads (size, at_ms, note, witnessed) VALUES (:size, :at_ms, :note, FALSE)"
    " ON CONFLICT (size) DO NOTHING"
)
"""The insertion of a new checkpoint, which another process may sign at the same time."""


class NewLeaf(NamedTuple):
    """A leaf to be appended: its subject, and its bytes."""

    entry: bytes
    match_no: int | None = None
    version: int | None = None
    body: str | None = None


class RunStream(NamedTuple):
    """A stream that this server runs: its kind and id."""

    kind: str
    id: str


class EndOfCommit(NamedTuple):
    """The end of a commit: the kind and id of its stream, and the number of its last event."""

    kind: str
    id: str
    version: int


class ChangeRow(NamedTuple):
    """A change of ratings by a match, as JSON; `place` is the match's in the order of rating."""

    place: int
    match_no: int
    match_id: str
    pool: str
    ratings: str


def read_tree(store: Store) -> TreeRow | None:
    """Return the row of the log; None if nothing was ever written to it."""
    found = store.read(select(tree.c.origin, tree.c.secret, tree.c.size))
    return TreeRow(*found[0]) if found else None


def begin_tree(store: Store, origin: str, secret: bytes) -> TreeRow:
    """Return the row of the log; without one, begin the log with this name and secret."""
    store.write(lambda connection: connection.execute(FIRST, {"origin": origin, "secret": secret}))
    found = read_tree(store)
    assert found is not None
    return found


def rename_tree(store: Store, origin: str) -> None:
    """Rename the log, and delete all checkpoints of the former name."""

    def work(connection: Connection) -> None:
        connection.execute(update(tree).values(origin=origin))
        connection.execute(delete(tree_heads))

    store.write(work)


def append_leaves(connection: Connection, leaves: Sequence[NewLeaf]) -> None:
    """Append leaves, as part of a transaction, and complete the tiles."""
    if not leaves:
        return
    # One writer at a time: the row is locked until the transaction ends.
    counted = update(tree).values(size=tree.c.size + len(leaves)).returning(tree.c.size)
    size: int = connection.execute(counted).scalar_one()
    first = size - len(leaves)
    rows = [{"place": first + n, **leaf._asdict()} for n, leaf in enumerate(leaves)]
    connection.execute(insert(tree_leaves), rows)
    _append_hashes(connection, first, [hash_leaf(leaf.entry) for leaf in leaves])


def append_moved(connection: Connection, leaves: Sequence[NewLeaf], name: str, move: tuple[int, int] | None) -> None:
    """Append leaves, as part of a transaction, and move the checkpoint of this name; neither if it was moved since."""
    if move is None or move_position(connection, name, *move):
        append_leaves(connection, leaves)


def _append_hashes(connection: Connection, first: int, hashes: Sequence[bytes]) -> None:
    """Write hashes into the tiles of the lowest level, from a place on, and those of full tiles into the next one."""
    level, place, new = 0, first, list(hashes)
    while new:
        tile, width = divmod(place, WIDTH)
        held = _read_tile(connection, level, tile) if width else b""
        if held:
            connection.execute(delete(tree_tiles).where(tree_tiles.c.level == level, tree_tiles.c.tile == tile))
        data = held[: width * HASH] + b"".join(new)
        pieces = [data[n : n + WIDTH * HASH] for n in range(0, len(data), WIDTH * HASH)]
        rows = [{"level": level, "tile": tile + n, "hashes": piece} for n, piece in enumerate(pieces)]
        connection.execute(insert(tree_tiles), rows)
        full = [piece for piece in pieces if len(piece) == WIDTH * HASH]
        level, place, new = level + 1, tile, [hash_complete(split_hashes(piece)) for piece in full]


def _read_tile(connection: Connection, level: int, tile: int) -> bytes:
    here = (tree_tiles.c.level == level) & (tree_tiles.c.tile == tile)
    return connection.execute(select(tree_tiles.c.hashes).where(here)).scalar() or b""


def split_hashes(tile: bytes) -> list[bytes]:
    """Return the hashes of a tile one by one."""
    return [tile[n : n + HASH] for n in range(0, len(tile), HASH)]


def read_tiles(store: Store, wanted: Collection[tuple[int, int]]) -> dict[tuple[int, int], bytes]:
    """Return the stored tiles among these, by level and number."""
    if not wanted:
        return {}
    here = or_(*(and_(tree_tiles.c.level == level, tree_tiles.c.tile == tile) for level, tile in wanted))
    found = store.read(select(tree_tiles.c.level, tree_tiles.c.tile, tree_tiles.c.hashes).where(here))
    return {(row.level, row.tile): row.hashes for row in found}


def read_entries(store: Store, first: int, limit: int) -> list[bytes]:
    """Return the entries from a place on."""
    here = (tree_leaves.c.place >= first) & (tree_leaves.c.place < first + limit)
    return [row.entry for row in store.read(select(tree_leaves.c.entry).where(here).order_by(tree_leaves.c.place))]


Leaf = tuple[LeafRow, str | None, str | None, str | None]
"""A leaf; that of a head with its stream's kind, id and the commit's events."""


def read_leaves(store: Store) -> Iterator[list[Leaf]]:
    """Return all leaves in order, in pages; a leaf of a head with its stream's kind, id and the commit's events."""
    at = -1
    commit = and_(
        commits.c.match_no == tree_leaves.c.match_no, commits.c.first + commits.c.n - 1 == tree_leaves.c.version
    )
    query = (
        select(*(tree_leaves.c[name] for name in LeafRow._fields), stream.c.kind, stream.c.match_id, commits.c.events)
        .outerjoin_from(tree_leaves, stream, stream.c.match_no == tree_leaves.c.match_no)
        .outerjoin(commits, commit)
        .order_by(tree_leaves.c.place)
        .limit(PAGE)
    )
    width = len(LeafRow._fields)
    while found := store.read(query.where(tree_leaves.c.place > at)):
        at = found[-1].place
        page = [(LeafRow(*row[:width]), *row[width:]) for row in found]
        yield _with_archived(store, page)


def _with_archived(store: Store, page: list[Leaf]) -> list[Leaf]:
    """Add the events of archived matches to leaves that lack them, as far as their files can be read."""
    lacking = {leaf.match_no for leaf, _, _, events in page if events is None and leaf.match_no is not None}
    events_by_end: dict[tuple[int | None, int | None], str] = {}
    for there in archived_rows.find_archived(store.read, lacking):
        with suppress(archive_files.ArchiveUnreadable):
            rows = archive_files.read_commits(there)
            events_by_end |= {(there.match_no, row.first + row.n - 1): row.events for row in rows}
    return [
        (leaf, kind, of, events_by_end.get((leaf.match_no, leaf.version)) if events is None else events)
        for leaf, kind, of, events in page
    ]


def place_of(store: Store, stream_id: str, version: int) -> int | None:
    """Return the place of the leaf of a head; None if it has none yet."""
    query = (
        select(tree_leaves.c.place)
        .join(stream, stream.c.match_no == tree_leaves.c.match_no)
        .where(stream.c.match_id == stream_id, tree_leaves.c.version == version)
        .order_by(tree_leaves.c.place)
        .limit(1)
    )
    found = store.read(query)
    return found[0].place if found else None


def read_bodies(store: Store) -> set[str]:
    """Return the texts of leaves that are not about a match: those about keys."""
    here = tree_leaves.c.match_no.is_(None)
    return {row.body for row in store.read(select(tree_leaves.c.body).where(here))}


def run_here(store: Store, numbers: Collection[int]) -> dict[int, RunStream]:
    """Return the streams among these that this server runs, without imported matches."""
    if not numbers:
        return {}
    here = stream.c.match_no.in_(numbers) & stream.c.imported.is_(None)
    found = store.read(select(stream.c.match_no, stream.c.kind, stream.c.match_id).where(here))
    return {row.match_no: RunStream(row.kind, row.match_id) for row in found}


def first_without_leaf(store: Store) -> EndOfCommit | None:
    """Return the end of the first commit that the follower has handled and that has no leaf."""
    version = commits.c.first + commits.c.n - 1
    here = (tree_leaves.c.match_no == commits.c.match_no) & (tree_leaves.c.version == version)
    query = (
        select(stream.c.kind, stream.c.match_id, version)
        .join(stream, stream.c.match_no == commits.c.match_no)
        .outerjoin(tree_leaves, here)
        .where(commits.c.position <= read_position(store, FOLLOWER), stream.c.imported.is_(None))
        .where(tree_leaves.c.place.is_(None))
        .order_by(commits.c.position)
        .limit(1)
    )
    found = store.read(query)
    return EndOfCommit(*found[0]) if found else None


def changes_of_ratings(store: Store, after: int, limit: int) -> list[ChangeRow]:
    """Return the changes of ratings by the matches after a place in the order of rating."""
    query = (
        select(
            rated_matches.c.place,
            rating_changes.c.match_no,
            stream.c.match_id,
            rating_changes.c.pool,
            rating_changes.c.ratings,
        )
        .join(rated_matches, rated_matches.c.match_no == rating_changes.c.match_no)
        .join(stream, stream.c.match_no == rating_changes.c.match_no)
        .where(rated_matches.c.place > after, rating_changes.c.rated)
        .order_by(rated_matches.c.place)
        .limit(limit)
    )
    return [ChangeRow(*row) for row in store.read(query)]


def bodies_of(store: Store, match_nos: Collection[int]) -> set[str]:
    """Return the texts of leaves about these matches other than heads."""
    if not match_nos:
        return set()
    here = tree_leaves.c.match_no.in_(match_nos) & tree_leaves.c.version.is_(None)
    return {row.body for row in store.read(select(tree_leaves.c.body).where(here))}


# --- Checkpoints ------------------------------------------------------------------------------------------------


def add_head(store: Store, size: int, at_ms: int, note: str) -> None:
    """Store a checkpoint that was signed, unless there is one of this size."""
    store.write(lambda connection: connection.execute(SIGNED, {"size": size, "at_ms": at_ms, "note": note}))


def cosign_head(store: Store, size: int, before: str, note: str, *, witnessed: bool) -> bool:
    """Store a checkpoint with more cosignatures; False if it has changed since it was read."""
    here = (tree_heads.c.size == size) & (tree_heads.c.note == before)
    return store.change(update(tree_heads).where(here).values(note=note, witnessed=witnessed)) > 0


def newest_head(store: Store, *, witnessed: bool = False) -> HeadRow | None:
    """Return the newest checkpoint; with `witnessed` only of those that a quorum has cosigned."""
    query = select(*tree_heads.c).order_by(tree_heads.c.size.desc()).limit(1)
    found = store.read(query.where(tree_heads.c.witnessed) if witnessed else query)
    return HeadRow(*found[0]) if found else None


def first_head_over(store: Store, place: int, *, witnessed: bool) -> HeadRow | None:
    """Return the first checkpoint that covers the leaf in this place; with `witnessed`, that a quorum has cosigned."""
    query = select(*tree_heads.c).where(tree_heads.c.size > place).order_by(tree_heads.c.size).limit(1)
    found = store.read(query.where(tree_heads.c.witnessed) if witnessed else query)
    return HeadRow(*found[0]) if found else None


# --- Rebuilding -------------------------------------------------------------------------------------------------


def replace_tiles(connection: Connection, pages: Iterator[Sequence[bytes]]) -> None:
    """Rebuild all tiles from the entries, as part of a transaction."""
    connection.execute(delete(tree_tiles))
    place = 0
    for entries in pages:
        _append_hashes(connection, place, [hash_leaf(entry) for entry in entries])
        place += len(entries)


def entries_within(connection: Connection) -> Iterator[Sequence[bytes]]:
    """Return all entries in order, in pages, as part of a transaction."""
    connection.execute(update(tree).values(size=tree.c.size))  # This keeps other writers out.
    last = connection.execute(select(func.max(tree_leaves.c.place))).scalar()
    for first in range(0, 0 if last is None else last + 1, PAGE):
        here = (tree_leaves.c.place >= first) & (tree_leaves.c.place < first + PAGE)
        query = select(tree_leaves.c.entry).where(here).order_by(tree_leaves.c.place)
        yield [row.entry for row in connection.execute(query)]
