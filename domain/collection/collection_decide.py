"""Decides the events of a collection: packs opened, boosters and promo cards granted, cards traded.

Each function takes the current collection and returns the events, or raises `Refused`. A trade changes two collections:
`accepted` returns an event for each, to be written together or not at all.
"""

from collections import Counter
from typing import Final

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
from domain.collection.collection_state import Collection, TradeOffer
from domain.core.collectible import Collectibles, Counts, StarterGrant
from domain.core.fairness import DrawContext
from domain.core.game import Refused
from domain.core.values import value

LINKS: Final = 1024
"""The number of packs whose seeds one commitment covers."""

MOST_OFFERS: Final = 20
"""Maximum number of open offers per player."""

BOUND: Final = "Cards from your starter deck and starter boosters cannot be traded."

PURPOSE: Final = "booster"
"""The purpose of the draws of a pack (rules 1.6)."""


@value
class Drawn:
    """The inputs of a pack's draw: the link of the chain of seeds, and the player's own nonce."""

    collection: str
    epoch: int
    link: int
    seed: str
    nonce: str


def begin_collection(player: str, starter: StarterGrant, commitment: str) -> tuple[CollectionStarted, SeedsCommitted]:
    """Begin a collection with the boosters and cards that every player gets."""
    starters, bound = (starter.boosters, starter.cards) if starter.bound else ({}, {})
    started = CollectionStarted(player, starter.boosters, starter.cards, starters, bound)
    return started, SeedsCommitted(1, commitment, LINKS)


def commit_seeds(c: Collection, commitment: str) -> SeedsCommitted:
    """Commit to the seeds of the next packs."""
    return SeedsCommitted(c.epoch + 1, commitment, LINKS)


def open_pack(c: Collection, cards: Collectibles, set_id: str, drawn: Drawn) -> PackOpened:
    """Open a booster of a set. Raise `Refused` if there is none."""
    if not c.boosters.get(set_id):
        raise Refused("no_booster")
    context = DrawContext(drawn.collection, drawn.epoch, drawn.link, PURPOSE, 0, (drawn.nonce,))
    found = cards.open_booster(set_id, bytes.fromhex(drawn.seed), context)
    from_starter = c.starters.get(set_id, 0) > 0
    return PackOpened(
        set=set_id,
        epoch=drawn.epoch,
        link=drawn.link,
        nonce=drawn.nonce,
        seed=drawn.seed,
        cards=found,
        boosters=_counts_after(c.boosters, {set_id: -1}),
        owned=_changes(c.cards, Counter(found)),
        starters=_counts_after(c.starters, {set_id: -1}) if from_starter else c.starters,
        bound=_changes(c.bound, Counter(found)) if from_starter else {},
    )


def grant_boosters(c: Collection, set_id: str, count: int, reason: str) -> BoostersGranted:
    """Grant boosters: a prize, or a gift from an organiser."""
    return BoostersGranted(set_id, count, reason, _counts_after(c.boosters, {set_id: count}))


def grant_promo(c: Collection, card: str, reason: str) -> PromoGranted:
    """Grant a promo copy of a card."""
    return PromoGranted(card, reason, _counts_after(c.promos, {card: 1}))


# --- Trades -------------------------------------------------------------------------------------------------


def make_offer(c: Collection, trade: str, made: TradeOffer) -> TradeOffered:
    """Offer cards that the player has, that are in no other offer, and that are not bound to the account.

    Raises `Refused`.
    """
    if len(c.offers) >= MOST_OFFERS:
        raise Refused("too_many_trades")
    if not _has_tradable_cards(c, made.give):
        raise Refused("not_in_collection", BOUND if _owns(c, made.give) else "")
    return TradeOffered(trade, made.partner, made.give, made.want, _changes(c.set_aside, made.give))


def withdraw_offer(c: Collection, trade: str) -> TradeWithdrawn:
    """Withdraw an offer for the player who made it."""
    return TradeWithdrawn(trade, _offers_except(c, trade), _changes(c.set_aside, _negative(c.offers[trade].give)))


def decline_offer(c: Collection, trade: str) -> TradeDeclined:
    """Decline an offer for its recipient; `c` is the collection of the player who made it."""
    return TradeDeclined(trade, _offers_except(c, trade), _changes(c.set_aside, _negative(c.offers[trade].give)))


def accept_offer(giver: Collection, taker: Collection, trade: str) -> tuple[TradeMade, TradeMade]:
    """Trade the cards of an offer, and return the events of its maker and of the player who accepts it.

    Raise `Refused` if the latter lacks the wanted cards. The offered cards are set aside, so the maker has them.
    """
    made = giver.offers[trade]
    if not _has_tradable_cards(taker, made.want):
        raise Refused("not_in_collection")
    return (
        TradeMade(
            trade=trade,
            partner=taker.player,
            gave=made.give,
            got=made.want,
            owned=_traded(giver, made.give, made.want),
            open=_offers_except(giver, trade),
            set_aside=_changes(giver.set_aside, _negative(made.give)),
        ),
        TradeMade(
            trade=trade,
            partner=giver.player,
            gave=made.want,
            got=made.give,
            owned=_traded(taker, made.want, made.give),
            open=tuple(taker.offers),
            set_aside={},
        ),
    )


def _has_tradable_cards(c: Collection, asked: Counts) -> bool:
    return all(
        c.cards.get(card, 0) - c.bound.get(card, 0) - c.set_aside.get(card, 0) >= count for card, count in asked.items()
    )


def _owns(c: Collection, asked: Counts) -> bool:
    """Return whether the player has these cards outside open offers, bound copies included."""
    return all(c.cards.get(card, 0) - c.set_aside.get(card, 0) >= count for card, count in asked.items())


def _traded(c: Collection, gave: Counts, got: Counts) -> Counts:
    change = Counter(got)
    change.subtract(gave)
    return _changes(c.cards, change)


def _offers_except(c: Collection, trade: str) -> tuple[str, ...]:
    return tuple(one for one in c.offers if one != trade)


def _negative(counts: Counts) -> Counts:
    return {card: -count for card, count in counts.items()}


def _changes(counts: Counts, change: Counts) -> Counts:
    """Return the changed counts after a change."""
    return {card: counts.get(card, 0) + n for card, n in sorted(change.items())}


def _counts_after(counts: Counts, change: Counts) -> Counts:
    """Return all counts after a change."""
    return {**counts, **_changes(counts, change)}
