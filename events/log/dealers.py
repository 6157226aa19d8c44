"""This module gives the secrets of a match, from which its deals and its seals follow."""

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from domain.core.fairness import Dealer, next_root
from domain.match import Match
from domain.match.creation import DealGroup, DealKnown


class Planned(Protocol):
    """These are the fields of a match, planned or created, on which its deals depend."""

    @property
    def deal_group(self) -> DealGroup | None: ...

    @property
    def deal_known(self) -> DealKnown | None: ...


def dealer_of(match_id: str, new: Planned, roots: tuple[bytes, ...], seal_secret: bytes) -> Dealer:
    """Return the secrets of a match, with the context of its deals."""
    known = new.deal_known.deals if new.deal_known else None
    return Dealer(new.deal_group.id if new.deal_group else match_id, roots, seal_secret, known)


def add_spare_root(dealer: Dealer, m: Match, draw: Callable[[int], bytes]) -> Dealer:
    """Add the root for the epoch after those that have begun.

    It follows from the one before at tables of a group, which all find the same, and at those of a tournament, which is
    bound to all of them.
    """
    alike = bool(m.created.deal_group or m.created.tournament) and bool(dealer.roots)
    return replace(dealer, roots=(*dealer.roots, next_root(dealer.roots[-1]) if alike else draw(32)))
