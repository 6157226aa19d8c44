"""Prepares deals to be played again, from the disclosed shuffles of a finished match.

It uses only public data: the seeds in the log of the match, never its stored secrets.
"""

from collections.abc import Mapping
from typing import Any, Final

from domain.core.fairness import KnownDeals
from domain.match import Match
from domain.match.creation import DealKnown
from domain.match.match_shuffles import NonceSubmitted, SeedRevealed
from domain.match.seating import MatchStarted
from events.log import commits as log
from events.log.codec import shapes_of
from events.store.protocol import Store
from events.store.tables import stream_rows


class NoDeals(Exception):
    """The match has disclosed no deals, or not that of this hand."""


class TooVisible(Exception):
    """The practice would be visible to more readers than the match, who would learn its cards and players from it."""


_WIDER: Final = ("private", "unlisted", "public")


def is_more_visible(practice: str, match: str) -> bool:
    """Return whether a practice match would be more visible than the match with the same deals."""
    return _WIDER.index(practice) > _WIDER.index(match)


def known_deals(store: Store, match_no: int, m: Match, hand_no: int | None) -> tuple[DealKnown, bytes]:
    """Return the deals of a finished match from a hand on, and the seed from which their chain is hashed.

    They are those of the epoch of the hand. Raise `NoDeals`.
    """
    seeds = _data_of_events(store, match_no, SeedRevealed)
    first = next((s for s in seeds if hand_no in (None, s["hand_no"])), None)
    if first is None:
        raise NoDeals
    epoch, link = first["epoch"], first["link"]
    last = max((s for s in seeds if s["epoch"] == epoch), key=lambda s: int(s["link"]))
    links = last["link"] - link + 1
    return DealKnown(m.id, first["hand_no"], _bound(store, match_no, m, epoch, link, links)), bytes.fromhex(
        last["seed"]
    )


def _bound(store: Store, match_no: int, m: Match, epoch: int, link: int, links: int) -> KnownDeals:
    """Return the context of the deals: the id of the match, or of the source of its own deals."""
    before = m.created.deal_known
    if before is not None and epoch == 1:
        deals = before.deals
        return KnownDeals(deals.match, deals.epoch, deals.link - 1 + link, links, deals.nonces)
    if m.created.deal_group is not None:
        return KnownDeals(m.created.deal_group.id, epoch, link, links, m.group.shared)
    if epoch == 1:
        nonces = _data_of_events(store, match_no, MatchStarted)[0]["nonces"]
    else:
        nonces = [""] * len(m.seats)
        for sent in _data_of_events(store, match_no, NonceSubmitted):
            if sent["epoch"] == epoch:
                nonces[sent["seat"]] = sent["nonce"]
    return KnownDeals(m.id, epoch, link, links, tuple(nonces))


def _data_of_events(store: Store, match_no: int, kind: type) -> list[Mapping[str, Any]]:
    rows = stream_rows.rows_naming(store, match_no, kind.__name__)
    return [data for _, _, data in log.public_events(rows, shapes_of((kind,)))]


def practice_options(store: Store, match_no: int, m: Match, hand_no: int, *, orders: bool) -> Mapping[str, Any]:
    """Return the options to play a hand again, unrated, without nonces, and with the same beginning if possible."""
    chosen = {**m.created.options, "nonce_seconds": 0, "nonce_commit": False, "rated": False}
    chosen["standing_orders"] = orders and chosen.get("standing_orders", False)
    life = m.game.lifecycle
    if hand_no > 1:
        begun = _data_of_events(store, match_no, life.hand_starts)
        chosen |= life.begun_alike(next(data for data in begun if data[life.hand_no] == hand_no))
    return chosen
