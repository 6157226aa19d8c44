"""This module keeps the collections of players: packs, trades and prizes, each collection a stream of its own."""

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from domain.collection.collection_decide import (
    LINKS,
    Drawn,
    accepted,
    begin,
    commit_seeds,
    decline,
    grant_boosters,
    grant_promo,
    offer,
    open_pack,
    withdraw,
)
from domain.collection.collection_events import BoostersGranted, PackOpened, PromoGranted, TradeMade
from domain.collection.collection_state import Collection, TradeOffer
from domain.core.clock import DAY
from domain.core.collectible import Counts
from domain.core.fairness import seed
from domain.core.game import Refused
from domain.games.catalogue import CARDS
from events.errors import AlreadyThere, NotFound
from events.ids import is_id, new_id
from events.log import commits as log
from events.log.codec import shapes_of
from events.log.streams import state_of, write
from events.service.context import Context
from events.service.kinds import COLLECTION, collection_of
from events.store.player_records import TradeRow
from events.store.records import CommitRow, Head, Idempotency, NewStream, Remembered
from events.store.tables import secret_rows, stream_rows, trade_rows
from events.store.tables.trade_rows import Appending

T = TypeVar("T")

MOST_GIFTED: Final = 20
"""The most cards that a player gets within `GIFT_MS` beyond what the player gives, and gives beyond what comes back."""

GIFT_MS: Final = 1000 * DAY


class Kept(NamedTuple):
    """This is a collection as it was found: its head, its log, and what that makes of it."""

    head: Head
    rows: Sequence[CommitRow]
    state: Collection


def id_of(player_id: str) -> str:
    """Give the id of a player's collection."""
    return collection_of(player_id)


def of_player(context: Context, player_id: str) -> Kept:
    """Give a player's collection. Raises `NotFound` if there is none yet."""
    found = stream_rows.load(context.store, id_of(player_id), kind=COLLECTION.name)
    if found is None:
        raise NotFound
    head, rows = found
    return Kept(head, rows, state_of(COLLECTION, rows))


def owned(context: Context, player_id: str) -> Counts:
    """Count the cards that a player owns, with promo copies and what stands in open offers; none before it begins."""
    try:
        c = of_player(context, player_id).state
    except NotFound:
        return {}
    return {card: c.cards.get(card, 0) + c.promos.get(card, 0) for card in {**c.cards, **c.promos}}


def start(context: Context, player_id: str) -> tuple[Kept, bool]:
    """Begin a player's collection with what everybody gets; gives it, and whether it was begun by this."""
    try:
        return of_player(context, player_id), False
    except NotFound:
        pass
    collection_id, root, seal_secret = id_of(player_id), context.draw(32), context.draw(32)
    events = begin(player_id, CARDS.starter, seed(root, LINKS, 0).hex())
    commit = write(COLLECTION, Head(0, collection_id, 0, bytes(32), 0), context.now(), events, "move", seal_secret)
    new = NewStream(collection_id, seal_secret, root.hex(), commit, [], COLLECTION.name)
    try:
        begun = context.store.create_all([new], lambda connection: None)
    except AlreadyThere:
        begun = False
    return of_player(context, player_id), begun


# --- Packs and prizes ---------------------------------------------------------------------------------------


def open_booster(
    context: Context, player_id: str, set_id: str, nonce: str, idem: Idempotency | None
) -> tuple[PackOpened, int]:
    """Open a booster of a player; gives the pack, and the number of its event.

    Raises `NotFound`, `Refused`, `Repeated`.
    """
    while True:
        kept = of_player(context, player_id)
        events, root = _pack(context, kept, set_id, nonce)
        written = _written(context, kept, events, root)
        if trade_rows.append(context.store, [written], idem):
            return events[-1], written.commit.first + written.commit.n - 1


def _pack(context: Context, kept: Kept, set_id: str, nonce: str) -> tuple[tuple[Any, ...], str | None]:
    """Give the events by which a pack is opened, and the root of a chain that begins with it, if one does."""
    c, collection_id = kept.state, kept.head.match_id
    if c.link < c.links:
        root = bytes.fromhex(secret_rows.of_match(context.store, kept.head.match_no).roots[c.epoch - 1])
        drawn = Drawn(collection_id, c.epoch, c.link + 1, seed(root, c.links, c.link + 1).hex(), nonce)
        return (open_pack(c, CARDS, set_id, drawn),), None
    root = context.draw(32)
    bound = commit_seeds(c, seed(root, LINKS, 0).hex())
    drawn = Drawn(collection_id, bound.epoch, 1, seed(root, LINKS, 1).hex(), nonce)
    return (bound, open_pack(c, CARDS, set_id, drawn)), root.hex()


def grant(context: Context, player_id: str, boosters: Counts, promos: Sequence[str], reason: str) -> None:
    """Give a player boosters, by their set, and promo cards: what an organiser calls. Begins the collection.

    Called again with the same reason, it gives nothing again.
    """
    start(context, player_id)
    while True:
        kept = of_player(context, player_id)
        if any(data.get("reason") == reason for _, _, data in log.public(kept.rows, shapes_of(_GRANTS))):
            return
        c, events = kept.state, list[Any]()
        for set_id, count in boosters.items():
            events.append(grant_boosters(c, set_id, count, reason))
            c = COLLECTION.evolve(c, events[-1])
        for card in promos:
            events.append(grant_promo(c, card, reason))
            c = COLLECTION.evolve(c, events[-1])
        if not events or trade_rows.append(context.store, [_written(context, kept, events)], None):
            return


_GRANTS: Final = (BoostersGranted, PromoGranted)


# --- Trades -------------------------------------------------------------------------------------------------


def offer_trade(context: Context, player_id: str, made: TradeOffer, idem: Idempotency | None) -> str:
    """Offer cards to another player; gives the id of the offer. Raises `NotFound`, `Refused`, `Repeated`."""
    trade = new_id()

    def decided(kept: Kept) -> tuple[Any, ...]:
        return (offer(kept.state, trade, made),)

    _decide(context, player_id, decided, idem)
    return trade


def trades_of(context: Context, player_id: str) -> Sequence[TradeRow]:
    """Give the open offers that a player has made or got."""
    return trade_rows.of_player(context.store, player_id)


def trade(context: Context, player_id: str, trade_id: str) -> TradeRow:
    """Give an open offer that a player has made or got. Raises `NotFound`."""
    found = trade_rows.one(context.store, trade_id) if is_id(trade_id) else None
    if found is None or player_id not in (found.player_id, found.partner_id):
        raise NotFound
    return found


def withdraw_trade(context: Context, player_id: str, trade_id: str) -> None:
    """End an offer of the player's own. Raises `NotFound`."""
    if trade(context, player_id, trade_id).player_id != player_id:
        raise NotFound
    _decide(context, player_id, lambda kept: (withdraw(_offering(kept, trade_id), trade_id),), None)


def decline_trade(context: Context, player_id: str, trade_id: str) -> None:
    """End an offer that was made to the player. Raises `NotFound`."""
    made = _made_to(context, player_id, trade_id)
    _decide(context, made.player_id, lambda kept: (decline(_offering(kept, trade_id), trade_id),), None)


def accept_trade(context: Context, player_id: str, trade_id: str, idem: Idempotency | None) -> tuple[TradeMade, int]:
    """Trade the cards of an offer that was made to the player, in both collections at once.

    Gives what happened to the player's own, and the number of that event. Raises `NotFound`, `Refused`, `Repeated`.
    """
    made = _made_to(context, player_id, trade_id)
    while True:
        taker, giver = of_player(context, player_id), of_player(context, made.player_id)
        given, taken = accepted(_offering(giver, trade_id), taker.state, trade_id)
        if any(too_many_gifts(kept.rows, side, context.now()) for kept, side in ((taker, taken), (giver, given))):
            raise Refused("too_many_gifts")
        written = [_written(context, taker, (taken,)), _written(context, giver, (given,))]
        if trade_rows.append(context.store, written, idem):
            return taken, written[0].commit.first


def too_many_gifts(rows: Sequence[CommitRow], made: TradeMade, now: int) -> bool:
    """Return whether a trade would give a player more than a day's gifts, or have the player give more.

    A gift is what one side of a trade has more of than the other. The trades of the last 24 hours count together.
    """
    lately = [row for row in rows if row.at_ms > now - GIFT_MS]
    trades = [data for _, _, data in log.public(lately, shapes_of((TradeMade,)))]
    got: int = sum(sum(data["got"].values()) - sum(data["gave"].values()) for data in trades)
    more = sum(made.got.values()) - sum(made.gave.values())
    return abs(got + more) > MOST_GIFTED and abs(got + more) > abs(got)


def leave(context: Context, player_id: str) -> None:
    """End all offers that a player has made or got, before the player is erased."""
    for one in trades_of(context, player_id):
        try:
            end = withdraw_trade if one.player_id == player_id else decline_trade
            end(context, player_id, one.trade_id)
        except NotFound:
            continue  # it has ended meanwhile


def _made_to(context: Context, player_id: str, trade_id: str) -> TradeRow:
    found = trade(context, player_id, trade_id)
    if found.partner_id != player_id:
        raise NotFound
    return found


def _offering(kept: Kept, trade_id: str) -> Collection:
    """Give a collection with an offer that is still open. Raises `NotFound` once it is not."""
    if trade_id not in kept.state.offers:
        raise NotFound
    return kept.state


# --- Writing ------------------------------------------------------------------------------------------------


def _decide(
    context: Context, player_id: str, decided: Callable[[Kept], Sequence[Any]], idem: Idempotency | None
) -> None:
    while True:
        kept = of_player(context, player_id)
        if trade_rows.append(context.store, [_written(context, kept, decided(kept))], idem):
            return


def _written(context: Context, kept: Kept, events: Sequence[Any], root: str | None = None) -> Appending:
    """Give the commit by which these events follow in a collection, with its projection after them."""
    seal_secret = secret_rows.of_match(context.store, kept.head.match_no).seal_secret
    commit = write(COLLECTION, kept.head, context.now(), events, "move", seal_secret)
    commit.new_root = root
    state = kept.state
    for event in events:
        state = COLLECTION.evolve(state, event)
    return Appending(kept.head, commit, COLLECTION.rows(kept.head, state))


# --- What was done before -----------------------------------------------------------------------------------


def before(context: Context, player_id: str, remembered: Remembered) -> tuple[Any, int]:
    """Give the last event of what a request has done to a player's collection, and its number."""
    kept = of_player(context, player_id)
    row = next(row for row in kept.rows if row.first == remembered.first)
    *_, last = log.read_shaped([row], COLLECTION.shapes, 0)
    return last, row.first + row.n - 1
