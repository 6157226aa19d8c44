"""Describes Texas Hold'em for the tests of all games."""

from random import Random
from typing import Any

from domain.games.holdem import GAME
from domain.games.holdem.options import Options
from domain.games.holdem.play import places
from tests.poker.law import STACKS, entry

SEATS = (2, 3, 6, 10)


def drawn_options(rng: Random) -> Options:
    """Return random options of Texas Hold'em."""
    return Options(
        format=rng.choice(("cash", "cash", "sng")),
        small_blind=rng.choice((1, 2)),
        big_blind=rng.choice((2, 3)),
        ante=rng.choice((0, 1, 4)),
        ante_mode=rng.choice(("each", "big_blind")),
        starting_stack=rng.choice((*STACKS, 1500)),
        hands=rng.choice((1, 3)),
        rebuy=rng.choice(("on_bust", "each_hand", "never")),
        hands_per_level=rng.choice((1, 2)),
        show_all=rng.random() < 0.2,
        show_all_in=rng.random() < 0.6,
    )


def blocks(seats: int) -> dict[str, list[Options]]:
    """Return the presets and some random options."""
    rng = Random(seats)
    presets = [Options(**preset, starting_stack=40, hands=2) for preset in GAME.setup.presets.values()]
    return {f"hold'em for {seats}": [*presets, *(drawn_options(rng) for _ in range(5))]}


ENTRIES = tuple(entry(GAME, seats, blocks(seats), lambda state: places(state).button) for seats in SEATS)

SETUPS: list[tuple[int, dict[str, Any]]] = [
    (2, {"hands": 5, "pause_between_hands": True}),
    (6, {"hands": 5, "ante": 1, "ante_mode": "big_blind"}),
    (9, {"format": "sng", "starting_stack": 100, "hands_per_level": 2}),
]
"""Seats and options of the whole matches played over HTTP."""

SHORT: dict[str, Any] = {"hands": 2}
"""Options for a short match."""

RECORD: tuple[int, dict[str, Any], bool] = (4, {"hands": 8, "rebuy": "each_hand"}, True)
"""Seats and options of a match whose whole record is kept, and whether seat 0 resigns."""

SNG = {"format": "sng", "starting_stack": 100, "ante": 2}

PICTURES: dict[str, Any] = {
    "holdem-10": (10, {}, lambda m: m.table.phase == "flop", 0),
    "holdem-pots": (3, {}, lambda m: m.table.open and len(m.table.pots) == 2, 1),
    "holdem-dead": (7, SNG, lambda m: m.table.open and m.table.places[m.table.at.button], 0),
    "holdem-shown": (3, {"hands": 1}, lambda m: False, 2),
}
"""Tables that the terminal draws: seats, options, version and reader. Their drawings are next to this file."""
