"""The secrets of a match, from which its deals and its seals follow."""

from collections.abc import Callable
from dataclasses import replace

from domain.core.fairness import Dealer, next_root
from domain.match import Match
from domain.match.events import MatchCreated
from events.service.new_match import NewMatch


def dealer_of(
    match_id: str, new: NewMatch | MatchCreated, roots: tuple[bytes, ...], seal_secret: bytes
) -> Dealer:
    """Give the secrets of a match, bound to what its deals are."""
    known = new.deal_known.deals if new.deal_known else None
    return Dealer(new.deal_group.id if new.deal_group else match_id, roots, seal_secret, known)


def spare(dealer: Dealer, m: Match, draw: Callable[[int], bytes]) -> Dealer:
    """Add the root for the epoch after those that have begun, which all tables of a group find alike."""
    alike = m.created.deal_group is not None and bool(dealer.roots)
    return replace(dealer, roots=(*dealer.roots, next_root(dealer.roots[-1]) if alike else draw(32)))
