"""Describes Two-Handed Hearts for the tests of all games."""

from collections.abc import Callable
from itertools import product
from random import Random
from typing import Any

from domain.core.cards import HEARTS, PACK, SUIT_OF, Cards, Seat
from domain.games.hearts.options import QS
from domain.games.two_handed_hearts import GAME
from domain.games.two_handed_hearts import bot as bots
from domain.games.two_handed_hearts import rules as two
from domain.games.two_handed_hearts.events import (
    ClaimRejected,
    ClaimRevoke,
    Deal,
    HandScored,
    KeepCard,
    PassClaim,
    PlayCard,
    RejectCard,
    RevokeFound,
)
from domain.games.two_handed_hearts.options import Options
from domain.games.two_handed_hearts.rules import State
from tests.laws.entry import Entry, Further

REVOKES: tuple[dict[str, Any], ...] = (
    {},
    {"revoke_mode": "honour"},
    {"revoke_mode": "honour", "revoke_detection": "claim"},
)


def blocks() -> dict[str, list[Options]]:
    """Return every drawing mode with every revoke mode; the other options vary within."""
    rest: list[dict[str, Any]] = [
        {"jack_of_diamonds": jack, "moon": moon, "tie_break": tie, "max_hands": cap}
        for jack, (moon, tie, cap) in product(
            (True, False),
            (("all_in_play", "draw", 200), ("all_fourteen", "extra_hand", 2), ("off", "draw", 0)),
        )
    ]
    return {
        f"two-handed {mode} {i}": [Options(mode=mode, target_score=30, **revokes, **row) for row in rest]
        for i, revokes in enumerate(REVOKES)
        for mode in ("draw", "replenish")
    }


def bot(level: str) -> Callable[[Any, Seat, Random], Any]:
    """Return a player of this level."""
    return lambda state, seat, rng: bots.choose(level, state, seat, (), rng)


def anything(state: Any, seat: Seat, rng: Random) -> Any:
    """Make any accepted move, including revokes with `honour`, and claim at random now and then."""
    choices = two.turn_moves(state, seat)
    claims = two.claims(state, seat)
    return rng.choice(claims if claims and rng.random() < 0.1 else choices).sample(rng)


def greedy(state: Any, seat: Seat, rng: Random) -> Any:
    """Keep and play the highest cards, and hearts above all."""
    best = sorted(state.hands[seat], key=lambda c: (c == QS, SUIT_OF[c] == HEARTS, two.by_rank(c)))
    if state.phase == "drawing":
        return KeepCard(best[0])
    follow = two.following(state, state.hands[seat])
    return PlayCard(max(follow, key=two.by_rank)) if state.phase == "playing" else PassClaim()


def everywhere(state: State) -> list[Any]:
    """Return the cards in hands, drawn, on the waste, in the stock, on the table, and taken."""
    held = [c for hand in (*state.hands, *state.waste) for c in hand]
    taken = [c for trick in state.tricks for c in trick.cards]
    open_ = [] if state.drawn is None else [state.drawn]
    return [*held, *open_, *state.stock, *state.trick, *taken]


def probes(state: State, seat: Seat, rng: Random) -> list[Any]:
    """Return every play, every kept card, and some claims."""
    tricks = {1, 26, max(1, len(state.tricks)), min(26, len(state.tricks) + 1)}
    claims = [ClaimRevoke(n, accused) for n in sorted(tricks) for accused in (0, 1)]
    cards = [make(c) for c in PACK for make in (PlayCard, KeepCard)]
    return [*cards, *claims, RejectCard(), PassClaim()]


def stacked(pack: Cards, rng: Random) -> Cards:
    """Deal one seat the queen and the high hearts, so that it may take everything."""
    wanted = sorted(pack, key=lambda c: (-(c == QS) - (SUIT_OF[c] == HEARTS), -two.by_rank(c)[0], rng.random()))
    lucky, other = wanted[:13], rng.sample(wanted[13:], 39)
    first, second = (lucky, other[:13]) if rng.random() < 0.5 else (other[:13], lucky)
    return (*(c for pair in zip(first, second, strict=True) for c in pair), *other[13:])


def owners(state: State, ask: Any) -> list[Seat]:
    """The hands are dealt alternately; every card of the stock has its own position."""
    if ask.make is not Deal:
        return []
    return [*[1 - state.next_dealer, state.next_dealer] * 13, *range(100, 126)]


def pack(state: State) -> Cards:
    """All cards are in the game once they are dealt."""
    return PACK if state.deal_no else ()


POLICIES: dict[str, Callable[[Any, Seat, Random], Any]] = {
    "random": bot("random"),
    "easy": bot("easy"),
    "steady": bot("steady"),
    "anything": anything,
    "greedy": greedy,
    "clock": lambda state, seat, rng: two.default(state, seat),
}
FACTS: frozenset[type] = frozenset({RevokeFound, ClaimRejected, HandScored})


ENTRY = Entry(
    game=GAME,
    seats=2,
    blocks=blocks(),
    policies=POLICIES,
    stack=stacked,
    whereabouts=everywhere,
    pack=pack,
    probes=probes,
    owners=owners,
    secret_moves=(KeepCard,),
    facts=FACTS,
)

ENTRIES = (ENTRY,)

SETUPS: list[tuple[int, dict[str, Any]]] = [
    (2, {"target_score": 10}),
    (2, {"target_score": 10, "mode": "replenish", "jack_of_diamonds": False}),
    (2, {"target_score": 10, "revoke_mode": "honour", "revoke_detection": "claim"}),
]
"""Seats and options of the whole matches played over HTTP."""

SHORT: dict[str, Any] = {"target_score": 1}
"""Options for a short match."""

FURTHER = (Further(1, frozenset({"claiming", "over"}), setup=2, options={"max_hands": 1}),)
"""Matches that reach the remaining phases."""

RECORD: tuple[int, dict[str, Any], bool] = (2, {"target_score": 1}, False)
"""Seats and options of a match whose whole record is kept, and whether seat 0 resigns."""

PICTURES: dict[str, Any] = {
    "two-handed-drawing": (2, {}, lambda m: len(m.table.stock) == 20, 0),
    "two-handed-trick": (2, {}, lambda m: len(m.table.tricks) == 3, 1),
}
"""Tables that the terminal draws: seats, options, version and reader. Their drawings are next to this file."""
