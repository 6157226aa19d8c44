"""Returns the secrets of a match, from which its deals and its seals follow."""

from collections.abc import Callable
from typing import Protocol

from domain.core.fairness import Dealer, next_root
from domain.match import Match
from domain.match.creation import DealGroup, DealKnown
from events.store.records import Head, Secrets


class Planned(Protocol):
    """The fields of a match, planned or created, on which its deals depend."""

    @property
    def deal_group(self) -> DealGroup | None: ...

    @property
    def deal_known(self) -> DealKnown | None: ...


def dealer_of(match_id: str, new: Planned, roots: tuple[bytes, ...], seal_secret: bytes) -> Dealer:
    """Return the secrets of a match, with the context of its deals."""
    known = new.deal_known.deals if new.deal_known else None
    return Dealer(new.deal_group.id if new.deal_group else match_id, roots, seal_secret, known)


def stored_dealer(head: Head, m: Match, secrets: Secrets) -> Dealer:
    """Return the secrets of a match as they are stored."""
    return dealer_of(head.match_id, m.created, tuple(map(bytes.fromhex, secrets.roots)), secrets.seal_secret)


def next_match_root(dealer: Dealer, m: Match, draw: Callable[[int], bytes]) -> bytes:
    """Return the root for the epoch after those that have begun.

    At tables of a group or a tournament, it follows from the root before it. All tables of a group find the same root,
    and a tournament is bound to all of them.
    """
    alike = bool(m.created.deal_group or m.created.tournament) and bool(dealer.roots)
    return next_root(dealer.roots[-1]) if alike else draw(32)
