"""Checks the stream of a collection: each event must follow by the rules from the events before it.

A trade is in the streams of both players, and must be the same in both.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from domain.collection import collection_decide, collection_events
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
        if (place == 0) is not isinstance(event, collection_events.CollectionStarted):
            return Fault(place, "A collection begins once, with its first event.")
        if why := _event_fault(collection, c, event, cards):
            return Fault(place, why)
        c = evolve(c, event)
    return None


def trade_partners(events: Iterable[Any]) -> tuple[str, ...]:
    """Return the ids of a player's trading partners."""
    return tuple(dict.fromkeys(event.partner for event in events if isinstance(event, collection_events.TradeMade)))


def find_one_sided_trade(events: Sequence[Any], others: Mapping[str, Sequence[Any]]) -> Fault | None:
    """Return the first trade of a collection that the partner's lacks, as seen from the partner.

    `others` are the events of the partners' collections by player id; missing collections are absent.
    """
    player = next((event.player for event in events if isinstance(event, collection_events.CollectionStarted)), "")
    sides = {partner: _trades(of_partner, player) for partner, of_partner in others.items()}
    seen: set[str] = set()
    for place, event in enumerate(events):
        if isinstance(event, collection_events.TradeMade):
            if event.trade in seen or sides.get(event.partner, {}).get(event.trade) != [(event.got, event.gave)]:
                return Fault(place, f"The trade {event.trade} differs in the partner's collection.")
            seen.add(event.trade)
    if missing := [trade for of_partner in sides.values() for trade in of_partner if trade not in seen]:
        return Fault(len(events) - 1, f"The trade {missing[0]} is only in the collection of its partner.")
    return None


def _trades(events: Iterable[Any], player: str) -> dict[str, list[tuple[Counts, Counts]]]:
    """Return the cards given and received in each trade with a player."""
    found: dict[str, list[tuple[Counts, Counts]]] = {}
    for event in events:
        if isinstance(event, collection_events.TradeMade) and event.partner == player:
            found.setdefault(event.trade, []).append((event.gave, event.got))
    return found


def _event_fault(collection: str, c: Collection, event: Any, cards: Collectibles) -> str:
    if not all(_is_counted(name, getattr(event, name)) for name in fields_of(type(event))) or (
        isinstance(event, collection_events.BoostersGranted) and event.count < 0
    ):
        return "A count is not a whole number, or is out of range."
    try:
        if isinstance(event, collection_events.PackOpened):
            return _wrong_pack(collection, c, event, cards)
        due = _DUE[type(event)](c, event)
    except Exception:  # hand-written input is untrusted
        return "This event is not possible here."
    return "" if due == event else "The rules give a different result."


_GIVEN: Final = ("give", "want", "gave", "got")
"""The names of fields that count from 1; other fields count from 0."""


def _is_counted(name: str, field: Any) -> bool:
    """Return whether all counts of an event are whole numbers of at least 0."""
    if not isinstance(field, Mapping):
        return True
    return all(type(count) is int and count >= (name in _GIVEN) for count in field.values())


def _wrong_pack(collection: str, c: Collection, event: collection_events.PackOpened, cards: Collectibles) -> str:
    if (event.epoch, event.link) != (c.epoch, c.link + 1) or event.link > c.links:
        return "The pack does not use the next link."
    if not is_link(event.seed, event.link, c.commitment):
        return "The seed does not match the commitment."
    if event.set not in cards.sets:  # only the contents of its boosters can no longer be checked
        cards = with_fields(cards, open_booster=lambda *asked: event.cards)
    due = collection_decide.open_pack(
        c, cards, event.set, collection_decide.Drawn(collection, event.epoch, event.link, event.seed, event.nonce)
    )
    return "" if due == event else "The seed gives other cards."


def _due_trade(c: Collection, event: collection_events.TradeMade) -> collection_events.TradeMade:
    """Return this side's event of a trade, assuming that the other side can make it."""
    if event.trade in c.offers:
        partner = Collection(player=c.offers[event.trade].partner, cards=event.got)
        return collection_decide.accept_offer(c, partner, event.trade)[0]
    offered = TradeOffer(c.player, event.got, event.gave)
    partner = Collection(player=event.partner, cards=event.got, set_aside=event.got, offers={event.trade: offered})
    return collection_decide.accept_offer(partner, c, event.trade)[1]


def _granted(event: collection_events.CollectionStarted) -> StarterGrant:
    """Return the starter of a collection; the server decides whether it is bound."""
    return StarterGrant(event.boosters, event.cards, bool(event.starters or event.bound))


_DUE: Final[Mapping[type, Callable[[Collection, Any], Any]]] = {
    collection_events.CollectionStarted: lambda c, e: collection_decide.begin_collection(e.player, _granted(e), "")[0],
    collection_events.SeedsCommitted: lambda c, e: collection_decide.commit_seeds(c, e.commitment),
    collection_events.BoostersGranted: lambda c, e: collection_decide.grant_boosters(c, e.set, e.count, e.reason),
    collection_events.PromoGranted: lambda c, e: collection_decide.grant_promo(c, e.card, e.reason),
    collection_events.TradeOffered: lambda c, e: collection_decide.make_offer(
        c, e.trade, TradeOffer(e.partner, e.give, e.want)
    ),
    collection_events.TradeWithdrawn: lambda c, e: collection_decide.withdraw_offer(c, e.trade),
    collection_events.TradeDeclined: lambda c, e: collection_decide.decline_offer(c, e.trade),
    collection_events.TradeMade: _due_trade,
}
"""The check of each type of event by the rules."""
