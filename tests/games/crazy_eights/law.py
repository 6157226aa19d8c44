"""Describes Crazy Eights for the tests of all games."""

from collections.abc import Callable
from random import Random
from typing import Any

from domain.core.cards import PACK, Cards, Seat
from domain.games.crazy_eights import GAME
from domain.games.crazy_eights import bot as bots
from domain.games.crazy_eights import rules as eights
from domain.games.crazy_eights.events import (
    SUIT_NAMES,
    Deal,
    DrawCard,
    EightBuried,
    HandScored,
    PassTurn,
    PlayCard,
    Restock,
    StarterTurned,
)
from domain.games.crazy_eights.options import Options, bad_options, is_eight, worth
from domain.games.crazy_eights.rules import State
from tests.laws.entry import Entry

SEATS = (2, 3, 5, 10)  # of the tables that the laws are tried on
STOCK = 100  # and up: the places of the stock, which belong to nobody


def blocks(seats: int) -> dict[str, list[Options]]:
    """Return the presets, and random options that such a table may have."""
    rng = Random(seats)
    drawn = [
        Options(
            packs=rng.randint(1, 2),
            hand_size=rng.randint(5, 8),
            two_player_seven=rng.random() < 0.5,
            draw_limit=rng.choice((None, 1, 3, 10)),
            restock=rng.random() < 0.5,
            blocked_scoring=rng.choice(("difference", "none", "everyone_counts")),
            target_score=rng.choice((None, 40, 1000)),
        )
        for _ in range(40)
    ]
    presets = [Options(**preset) for preset in GAME.setup.presets.values()]
    fit = [options for options in (*presets, *drawn) if not bad_options(options, seats)]
    return {f"crazy eights for {seats}": fit[:8]}


def bot(level: str) -> Callable[[Any, Seat, Random], Any]:
    """Return a player of this level."""
    return lambda state, seat, rng: bots.choose(level, state, seat, (), rng)


def drawing(state: Any, seat: Seat, rng: Random) -> Any:
    """Draw while possible, and pass rather than play."""
    return eights.legal(state, seat)[-1].sample(rng)


def thrifty(state: Any, seat: Seat, rng: Random) -> Any:
    """Play the least valuable card, so that hands last long."""
    cards = eights.playable(state, state.hands[seat])
    least = min(cards, key=lambda c: worth((c,)), default=None)
    if least is None:
        return eights.default(state, seat)
    return PlayCard(least, "S" if is_eight(least) else None)


def everywhere(state: State) -> list[Any]:
    """Return the cards in the hands, in the stock and on the pile."""
    return [*(c for hand in state.hands for c in hand), *state.stock, *state.pile]


def probes(state: State, seat: Seat, rng: Random) -> list[Any]:
    """Return every card with and without a suit, a draw and a pass."""
    plays = [PlayCard(c, suit) for c in PACK for suit in (None, rng.choice(SUIT_NAMES))]
    return [*plays, DrawCard(), PassTurn()]


def stacked(pack: Cards, rng: Random) -> Cards:
    """Stack all eights together, so that an eight may be turned up as the starter."""
    found = [c for c in pack if is_eight(c)]
    rest = rng.sample([c for c in pack if not is_eight(c)], len(pack) - len(found))
    at = rng.randrange(min(40, len(rest) + 1))
    return (*rest[:at], *found, *rest[at:])


def owners(state: State, ask: Any) -> list[Seat]:
    """Cards are dealt in turn from the dealer's left; the seat to act draws the top card of a new stock."""
    rules, count = state.rules, len(getattr(ask, "items", ()))
    if ask.make is Restock:
        return [state.turn, *range(STOCK, STOCK + count - 1)] if count > 2 else []
    if ask.make is not Deal:
        return []
    dealt = rules.seats * rules.hand_size
    hands = [(state.next_dealer + 1 + i) % rules.seats for i in range(dealt)]
    return [*hands, *range(STOCK, STOCK + count - dealt)]


def pack(state: State) -> Cards:
    """All cards are in the game once they are dealt."""
    return state.rules.pack if state.deal_no else ()


POLICIES: dict[str, Callable[[Any, Seat, Random], Any]] = {
    "random": bot("random"),
    "easy": bot("easy"),
    "steady": bot("steady"),
    "drawing": drawing,
    "thrifty": thrifty,
    "clock": lambda state, seat, rng: eights.default(state, seat),
}
FACTS: frozenset[type] = frozenset({EightBuried, StarterTurned, HandScored})


ENTRIES = tuple(
    Entry(
        game=GAME,
        seats=seats,
        blocks=blocks(seats),
        policies=POLICIES,
        stack=stacked,
        whereabouts=everywhere,
        pack=pack,
        probes=probes,
        owners=owners,
        secret_moves=(),
        facts=FACTS,
    )
    for seats in SEATS
)

SETUPS: list[tuple[int, dict[str, Any]]] = [
    (2, {"restock": True, "two_player_seven": True}),
    (4, {"target_score": 40, "draw_limit": 3}),
    (10, {"packs": 2}),
]
"""Seats and options of the whole matches played over HTTP."""

SHORT: dict[str, Any] = {}
"""Options for a short match."""

RECORD: tuple[int, dict[str, Any], bool] = (3, {"target_score": 1}, False)
"""Seats and options of a match whose whole record is kept, and whether seat 0 resigns."""

PICTURES: dict[str, Any] = {
    "eights-3": (3, {}, lambda m: m.table.suit not in (None, m.table.pile[-1] // 13), 2),
    "eights-10": (10, {}, lambda m: m.table.turns > 6, 0),
}
"""Tables that the terminal draws: seats, options, version and reader. Their drawings are next to this file."""
