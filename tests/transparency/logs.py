"""Provides servers with a transparency log for tests: streams, keys, and a log follower without threads."""

from dataclasses import dataclass, field
from hashlib import sha256

from domain.core.clock import Time
from events.proof.checkpoints import Checkpoint, read_checkpoint
from events.proof.keys import KeyRing, add_new_key
from events.proof.signed_notes import read_note
from events.store.protocol import Store
from events.store.records import Head
from events.store.tables import tree_rows
from tests.store.commits import NOW, begin, commit
from workers.tree_keeper import TreeKeeper

SINCE = "2026-01-01T00:00:00.000Z"


def ring_of(name: str = "cards.example", secret: bytes = b"k" * 32) -> KeyRing:
    """Return the keys of a server with this name and this first secret."""
    return KeyRing(name, add_new_key((), secret, SINCE))


@dataclass
class Kept:
    """A server that keeps a log over a store."""

    store: Store
    ring: KeyRing = field(default_factory=ring_of)

    def __post_init__(self) -> None:
        self.keeper = TreeKeeper(self.store, self.ring, seconds=0, now=lambda: Time(NOW))

    def plays(self, match_id: str, moves: int = 3, mark: str = "") -> Head:
        """Play a match with this many moves; another `mark` plays it differently."""
        head = begin(self.store, match_id, seats=())
        for version in range(3, 3 + moves):
            self.store.append(head.match_no, commit(version, 1, f"{match_id} {version} {mark}"))
        return head

    def looks(self) -> Checkpoint:
        """Append and sign everything; return the newest checkpoint."""
        while self.keeper.look() == 0.0:
            pass
        head = tree_rows.newest_head(self.store)
        assert head is not None
        return read_checkpoint(read_note(head.note))


def digest(mark: str) -> str:
    """Return the digest of the commit that `Kept.plays` writes with this mark."""
    return sha256(mark.encode()).hexdigest()
