"""Keeps the collections of players: packs, trades and prizes, each collection a separate stream."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from domain.collection import collection_decide
from domain.collection.collection_events import BoostersGranted, PromoGranted, TradeMade
from domain.collection.collection_state import Collection, TradeOffer
from domain.core.clock import DAY
from domain.core.collectible import Counts
from domain.core.fairness import Dealer
from domain.core.game import Refused
from domain.core.values import value
from domain.games.catalogue import CARDS
from events.errors import AlreadyThere, NotFound
from events.ids import is_id, new_id
from events.log import commits as log
from events.log.cache import LoadedStream
from events.log.codec import shapes_of
from events.log.streams import Decision
from events.service.blocks import check_no_block
from events.service.context import Context
from events.service.stream_kinds import COLLECTION, collection_id
from events.service.stream_writer import begin_stream, decide_beginning, execute, execute_all
from events.store.player_records import TradeRow
from events.store.records import CommitRow, Idempotency, Remembered
from events.store.tables import trade_rows

MOST_GIFTED: Final = 20
"""Maximum net number of cards that a player receives or gives within `GIFT_MS`."""

GIFT_MS: Final = 1000 * DAY


LoadedCollection = LoadedStream[Collection]
"""A loaded collection."""


@value
class LastEvent:
    """A request's last event in a collection, with its number and digest."""

    event: Any
    version: int
    digest: str


def load_collection(context: Context, player_id: str) -> LoadedCollection:
    """Return a player's collection. Raise `NotFound` if there is none yet."""
    return context.require_stream(COLLECTION, collection_id(player_id))


def count_owned(context: Context, player_id: str) -> Counts:
    """Count the cards of a player, including promo copies and open offers; none before it begins."""
    try:
        c = load_collection(context, player_id).state
    except NotFound:
        return {}
    return {card: c.cards.get(card, 0) + c.promos.get(card, 0) for card in {**c.cards, **c.promos}}


def start_collection(context: Context, player_id: str) -> tuple[LoadedCollection, bool]:
    """Begin a player's collection with the usual contents; return it, and whether this call began it."""
    try:
        return load_collection(context, player_id), False
    except NotFound:
        pass
    dealer = Dealer(collection_id(player_id), (context.draw(32),), context.draw(32))
    events = collection_decide.begin_collection(player_id, CARDS.starter, dealer.commitment(1, collection_decide.LINKS))
    try:
        return begin_stream(context, COLLECTION, decide_beginning(context, COLLECTION, dealer, events)), True
    except AlreadyThere:
        return load_collection(context, player_id), False


# --- Packs and prizes ---------------------------------------------------------------------------------------


def open_booster(context: Context, player_id: str, set_id: str, nonce: str, idem: Idempotency | None) -> LastEvent:
    """Open a booster of a player, and return the `PackOpened`. Raises `NotFound`, `Refused`, `Repeated`."""
    after = _execute(context, player_id, lambda kept: _pack(kept, set_id, nonce), idem)
    return _last_event(after.rows[-1])


def _pack(kept: LoadedCollection, set_id: str, nonce: str) -> Sequence[Any]:
    """Return the events of opening a pack. If all seeds are used up, new ones are committed first."""
    c, dealer = kept.state, kept.dealer
    if c.link < c.links:
        drawn = collection_decide.Drawn(
            dealer.match, c.epoch, c.link + 1, dealer.seed(c.epoch, c.links, c.link + 1), nonce
        )
        return (collection_decide.open_pack(c, CARDS, set_id, drawn),)
    bound = collection_decide.commit_seeds(c, dealer.commitment(c.epoch + 1, collection_decide.LINKS))
    drawn = collection_decide.Drawn(
        dealer.match, bound.epoch, 1, dealer.seed(bound.epoch, collection_decide.LINKS, 1), nonce
    )
    return bound, collection_decide.open_pack(c, CARDS, set_id, drawn)


def grant_cards(context: Context, player_id: str, boosters: Counts, promos: Sequence[str], reason: str) -> None:
    """Grant a player boosters, by set, and promo cards, for an organiser. Begins the collection.

    A repeated call with the same reason grants nothing.
    """
    start_collection(context, player_id)

    def grants(kept: LoadedCollection) -> Sequence[Any]:
        if any(data.get("reason") == reason for _, _, data in log.public_events(kept.rows, shapes_of(_GRANTS))):
            return ()
        c, events = kept.state, list[Any]()
        for set_id, count in boosters.items():
            events.append(collection_decide.grant_boosters(c, set_id, count, reason))
            c = COLLECTION.evolve(c, events[-1])
        for card in promos:
            events.append(collection_decide.grant_promo(c, card, reason))
            c = COLLECTION.evolve(c, events[-1])
        return events

    _execute(context, player_id, grants)


_GRANTS: Final = (BoostersGranted, PromoGranted)


# --- Trades -------------------------------------------------------------------------------------------------


def offer_trade(context: Context, player_id: str, made: TradeOffer, idem: Idempotency | None) -> str:
    """Offer cards to another player; return the id of the offer. Raise `NotFound`, `Refused`, `Blocked`, `Repeated`."""
    check_no_block(context, player_id, [made.partner])
    trade = new_id()
    _execute(context, player_id, lambda kept: (collection_decide.make_offer(kept.state, trade, made),), idem)
    return trade


def trades_of(context: Context, player_id: str) -> Sequence[TradeRow]:
    """Return the open offers made or received by a player."""
    return trade_rows.read_trades(context.store, player_id)


def find_trade(context: Context, player_id: str, trade_id: str) -> TradeRow:
    """Return an open offer that a player made or received. Raises `NotFound`."""
    found = trade_rows.read_trade(context.store, trade_id) if is_id(trade_id) else None
    if found is None or player_id not in (found.player_id, found.partner_id):
        raise NotFound
    return found


def withdraw_trade(context: Context, player_id: str, trade_id: str) -> None:
    """End an offer of the player's own. Raises `NotFound`."""
    if find_trade(context, player_id, trade_id).player_id != player_id:
        raise NotFound
    _execute(context, player_id, lambda kept: (collection_decide.withdraw_offer(_offering(kept, trade_id), trade_id),))


def decline_trade(context: Context, player_id: str, trade_id: str) -> None:
    """End an offer that was made to the player. Raises `NotFound`."""
    made = _made_to(context, player_id, trade_id)
    _execute(
        context, made.player_id, lambda kept: (collection_decide.decline_offer(_offering(kept, trade_id), trade_id),)
    )


def accept_trade(context: Context, player_id: str, trade_id: str, idem: Idempotency | None) -> LastEvent:
    """Accept an offer that was made to the player, and change both collections together.

    Returns the `TradeMade` of the player's own collection. Raises `NotFound`, `Refused`, `Repeated`.
    """
    made = _made_to(context, player_id, trade_id)

    def decide(both: Sequence[LoadedCollection]) -> Sequence[Decision[Collection]]:
        (taker, giver), now = both, context.now()
        given, taken = collection_decide.accept_offer(_offering(giver, trade_id), taker.state, trade_id)
        if any(too_many_gifts(kept.rows, side, now) for kept, side in ((taker, taken), (giver, given))):
            raise Refused("too_many_gifts")
        return [COLLECTION.make_decision(kept, [side], now, "move") for kept, side in ((taker, taken), (giver, given))]

    ids = [collection_id(player_id), collection_id(made.player_id)]
    return _last_event(execute_all(context, COLLECTION, ids, decide, idem)[0].rows[-1])


def too_many_gifts(rows: Sequence[CommitRow], made: TradeMade, now: int) -> bool:
    """Return whether a trade would give a player more than a day's gifts, or have the player give more.

    The gift in a trade is the number of cards by which one side exceeds the other. The trades of the last 24 hours
    count together.
    """
    lately = [row for row in rows if row.at_ms > now - GIFT_MS]
    trades = [data for _, _, data in log.public_events(lately, shapes_of((TradeMade,)))]
    got: int = sum(sum(data["got"].values()) - sum(data["gave"].values()) for data in trades)
    more = sum(made.got.values()) - sum(made.gave.values())
    return abs(got + more) > MOST_GIFTED and abs(got + more) > abs(got)


def end_all_offers(context: Context, player_id: str, partner_id: str | None = None) -> None:
    """End all open offers made or received by a player, or only those between the player and a partner."""
    for one in trades_of(context, player_id):
        if partner_id not in (None, one.player_id, one.partner_id):
            continue
        try:
            end = withdraw_trade if one.player_id == player_id else decline_trade
            end(context, player_id, one.trade_id)
        except NotFound:
            continue  # The offer has ended since it was read.


def _made_to(context: Context, player_id: str, trade_id: str) -> TradeRow:
    found = find_trade(context, player_id, trade_id)
    if found.partner_id != player_id:
        raise NotFound
    return found


def _offering(kept: LoadedCollection, trade_id: str) -> Collection:
    """Return a collection with an offer that is still open. Raises `NotFound` once it is closed."""
    if trade_id not in kept.state.offers:
        raise NotFound
    return kept.state


def _execute(
    context: Context,
    player_id: str,
    happens: Callable[[LoadedCollection], Sequence[Any]],
    idem: Idempotency | None = None,
) -> LoadedCollection:
    """Apply events to a player's collection, and return its new state."""

    def decide(kept: LoadedCollection) -> Decision[Collection]:
        return COLLECTION.make_decision(kept, happens(kept), context.now(), "move")

    return execute(context, COLLECTION, collection_id(player_id), decide, idem)


# --- Repeated requests -------------------------------------------------------------------------------------


def repeat_collection_answer(context: Context, player_id: str, remembered: Remembered) -> LastEvent:
    """Return the last event that a request appended to a player's collection."""
    kept = load_collection(context, player_id)
    return _last_event(next(row for row in kept.rows if row.first == remembered.first))


def _last_event(row: CommitRow) -> LastEvent:
    *_, last = log.read_events([row], COLLECTION.shapes, 0)
    version = row.first + row.n - 1
    return LastEvent(last, version, log.digest_of(row, version))
