"""Describes Five-Card Draw for the tests of all games."""

from random import Random
from typing import Any

from domain.games.five_card_draw import GAME
from domain.games.five_card_draw.options import Options
from domain.games.five_card_draw.play import button
from tests.poker.law import STACKS, entry

SEATS = (2, 4, 6)


def drawn_options(rng: Random) -> Options:
    """Return random options of Five-Card Draw."""
    return Options(
        structure=rng.choice(("fixed_limit", "no_limit")),
        ante=rng.choice((1, 2, 7)),
        small_bet=rng.choice((2, 3)),
        big_bet=rng.choice((4, 5)),
        min_bet=rng.choice((1, 2, 10)),
        raise_cap=rng.choice((1, 2, 4)),
        max_swap=rng.choice((0, 3, 5, 5)),
        starting_stack=rng.choice(STACKS),
        hands=rng.choice((1, 3)),
        rebuy=rng.choice(("on_bust", "each_hand", "never")),
        show_all=rng.random() < 0.2,
        show_all_in=rng.random() < 0.6,
    )


def blocks(seats: int) -> dict[str, list[Options]]:
    """Return the presets and some random options."""
    rng = Random(seats)
    presets = [Options(**preset, starting_stack=20, hands=2) for preset in GAME.setup.presets.values()]
    return {f"draw for {seats}": [*presets, *(drawn_options(rng) for _ in range(5))]}


ENTRIES = tuple(entry(GAME, seats, blocks(seats), button) for seats in SEATS)

SETUPS: list[tuple[int, dict[str, Any]]] = [
    (4, {"hands": 5}),
    (6, {"hands": 5, "structure": "no_limit", "rebuy": "each_hand"}),
]
"""Seats and options of the whole matches played over HTTP."""

SHORT: dict[str, Any] = {"hands": 2}
"""Options for a short match."""

RECORD: tuple[int, dict[str, Any], bool] = (4, {"hands": 1}, False)
"""Seats and options of a match whose whole record is kept, and whether seat 0 resigns."""

PICTURES: dict[str, Any] = {
    "draw-5": (5, {}, lambda m: len(m.table.swapped) == 2, 0),
    "draw-all": (4, {"hands": 1}, lambda m: False, None),
}
"""Tables that the terminal draws: seats, options, version and reader. Their drawings are next to this file."""
