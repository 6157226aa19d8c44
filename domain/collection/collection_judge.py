"""Checks the stream of a collection: each event must follow by the rules from the events before it.

A trade is in the streams of both players, and must be the same in both.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from domain.collection.collection_decide import (
    Drawn,
    accept_offer,
    begin_collection,
    commit_seeds,
    decline_offer,
    grant_boosters,
    grant_promo,
    make_offer,
    open_pack,
    withdraw_offer,
)
from domain.collection.collection_events import (
    BoostersGranted,
    CollectionStarted,
    PackOpened,
    PromoGranted,
    SeedsCommitted,
    TradeDeclined,
    TradeMade,
    TradeOffered,
    TradeWithdrawn,
)
from domain.collection.collection_state import Collection, TradeOffer, evolve
from domain.core.collectible import Collectibles, Counts, StarterGrant
from domain.core.fairness import is_link
from domain.core.fault import Fault
from domain.core.types import fields_of
from domain.core.values import with_fields


def find_collection_fault(collection: str, events: Iterable[Any], cards: Collectibles) -> Fault | None:
    """Return the first event that does not follow; None if all do. Sets that are not here any longer are no fault."""
    c = Collection()
    for place, event in enumerate(events):
        if (place == 0) is not isinstance(event, CollectionStarted):
            return Fault(place, "A collection begins once, with its first event.")
        if why := _wrong(collection, c, event, cards):
            return Fault(place, why)
        c = evolve(c, event)
    return None


def trade_partners(events: Iterable[Any]) -> tuple[str, ...]:
    """Return the ids of a player's trading partners."""
    return tuple(dict.fromkeys(event.partner for event in events if isinstance(event, TradeMade)))


def find_one_sided_trade(events: Sequence[Any], others: Mapping[str, Sequence[Any]]) -> Fault | None:
    """Return the first trade of a collection that its partner's lacks, as seen from the other side.

    `others` are the events of the partners' collections by player id; missing collections have none.
    """
    player = next((event.player for event in events if isinstance(event, CollectionStarted)), "")
    sides = {partner: _trades(of_partner, player) for partner, of_partner in others.items()}
    seen: set[str] = set()
    for place, event in enumerate(events):
        if isinstance(event, TradeMade):
            if event.trade in seen or sides.get(event.partner, {}).get(event.trade) != [(event.got, event.gave)]:
                return Fault(place, f"The trade {event.trade} does not stand so in the collection of its partner.")
            seen.add(event.trade)
    if missing := [trade for of_partner in sides.values() for trade in of_partner if trade not in seen]:
        return Fault(len(events) - 1, f"The trade {missing[0]} stands in the collection of its partner alone.")
    return None


def _trades(events: Iterable[Any], player: str) -> dict[str, list[tuple[Counts, Counts]]]:
    """Return the cards given and received in each trade with a player."""
    found: dict[str, list[tuple[Counts, Counts]]] = {}
    for event in events:
        if isinstance(event, TradeMade) and event.partner == player:
            found.setdefault(event.trade, []).append((event.gave, event.got))
    return found


def _wrong(collection: str, c: Collection, event: Any, cards: Collectibles) -> str:
    if not all(_is_counted(name, getattr(event, name)) for name in fields_of(type(event))) or (
        isinstance(event, BoostersGranted) and event.count < 0
    ):
        return "A count is no whole number, or none that there can be."
    try:
        if isinstance(event, PackOpened):
            return _wrong_pack(collection, c, event, cards)
        due = _DUE[type(event)](c, event)
    except Exception:  # what was written by hand may be anything
        return "This cannot happen here."
    return "" if due == event else "The rules make something else of it."


_GIVEN: Final = ("give", "want", "gave", "got")
"""The names of fields that count from 1; other fields count from 0."""


def _is_counted(name: str, field: Any) -> bool:
    """Return whether all counts of an event are whole numbers of at least 0."""
    if not isinstance(field, Mapping):
        return True
    return all(type(count) is int and count >= (name in _GIVEN) for count in field.values())


def _wrong_pack(collection: str, c: Collection, event: PackOpened, cards: Collectibles) -> str:
    if (event.epoch, event.link) != (c.epoch, c.link + 1) or event.link > c.links:
        return "The pack is not of the next link."
    if not is_link(event.seed, event.link, c.commitment):
        return "The seed is not that of the commitment."
    if event.set not in cards.sets:  # the content of its boosters cannot be checked any longer, the rest can
        cards = with_fields(cards, open_booster=lambda *asked: event.cards)
    due = open_pack(c, cards, event.set, Drawn(collection, event.epoch, event.link, event.seed, event.nonce))
    return "" if due == event else "The seed holds other cards."


def _due_trade(c: Collection, event: TradeMade) -> TradeMade:
    """Return this side's event of a trade, assuming that the other side can make it."""
    if event.trade in c.offers:
        partner = Collection(player=c.offers[event.trade].partner, cards=event.got)
        return accept_offer(c, partner, event.trade)[0]
    offered = TradeOffer(c.player, event.got, event.gave)
    partner = Collection(player=event.partner, cards=event.got, set_aside=event.got, offers={event.trade: offered})
    return accept_offer(partner, c, event.trade)[1]


def _granted(event: CollectionStarted) -> StarterGrant:
    """Return the starter of a collection; the server decides whether it is bound."""
    return StarterGrant(event.boosters, event.cards, bool(event.starters or event.bound))


_DUE: Final[Mapping[type, Callable[[Collection, Any], Any]]] = {
    CollectionStarted: lambda c, e: begin_collection(e.player, _granted(e), "")[0],
    SeedsCommitted: lambda c, e: commit_seeds(c, e.commitment),
    BoostersGranted: lambda c, e: grant_boosters(c, e.set, e.count, e.reason),
    PromoGranted: lambda c, e: grant_promo(c, e.card, e.reason),
    TradeOffered: lambda c, e: make_offer(c, e.trade, TradeOffer(e.partner, e.give, e.want)),
    TradeWithdrawn: lambda c, e: withdraw_offer(c, e.trade),
    TradeDeclined: lambda c, e: decline_offer(c, e.trade),
    TradeMade: _due_trade,
}
"""The check of each type of event by the rules."""
