"""Defines the state of a collection."""

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from domain.collection import collection_events
from domain.core.collectible import Counts
from domain.core.values import Copied, mutable, value


@value
class TradeOffer:
    """An open offer: the id of its recipient, the offered cards, and the wanted cards."""

    partner: str
    give: Counts
    want: Counts


@mutable
class Collection(Copied):
    """The state of a collection.

    `cards` counts the cards, `bound` those that stay with the player, and `set_aside` those in open offers. `promos`
    are counted separately, and stay with the player too. `starters` are those of `boosters` whose cards will be bound.
    `link` is the last used link of the chain of seeds.
    """

    player: str = ""
    boosters: Counts = field(default_factory=dict)
    cards: Counts = field(default_factory=dict)
    starters: Counts = field(default_factory=dict)
    bound: Counts = field(default_factory=dict)
    promos: Counts = field(default_factory=dict)
    set_aside: Counts = field(default_factory=dict)
    offers: Mapping[str, TradeOffer] = field(default_factory=dict)
    epoch: int = 0
    commitment: str = ""
    links: int = 0
    link: int = 0


def evolve(collection: Collection, event: Any) -> Collection:
    """Return the collection after an event."""
    c = collection.copy()
    match event:
        case collection_events.CollectionStarted():
            c.player, c.boosters, c.cards = event.player, event.boosters, event.cards
            c.starters, c.bound = event.starters, event.bound
        case collection_events.SeedsCommitted():
            c.epoch, c.commitment, c.links, c.link = event.epoch, event.commitment, event.links, 0
        case collection_events.PackOpened():
            c.link, c.boosters, c.cards = event.link, event.boosters, {**c.cards, **event.owned}
            c.starters, c.bound = event.starters, {**c.bound, **event.bound}
        case collection_events.BoostersGranted():
            c.boosters = event.boosters
        case collection_events.PromoGranted():
            c.promos = event.promos
        case collection_events.TradeOffered():
            c.offers = {**c.offers, event.trade: TradeOffer(event.partner, event.give, event.want)}
            c.set_aside = {**c.set_aside, **event.set_aside}
        case collection_events.TradeWithdrawn() | collection_events.TradeDeclined():
            c.offers = {trade: c.offers[trade] for trade in event.open}
            c.set_aside = {**c.set_aside, **event.set_aside}
        case collection_events.TradeMade():
            c.offers = {trade: c.offers[trade] for trade in event.open}
            c.set_aside = {**c.set_aside, **event.set_aside}
            c.cards = {**c.cards, **event.owned}
    return c
