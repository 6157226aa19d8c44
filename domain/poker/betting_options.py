"""Defines the parts of the poker options, and their compiled form (poker 5, 6)."""

from collections.abc import Callable, Mapping
from typing import Annotated, Final, Literal

from domain.core.options import Range
from domain.core.values import value
from domain.poker.betting import Limits

Amount = Annotated[int, Range(1, 1_000_000)]
NoAmount = Annotated[int, Range(0, 1_000_000)]
Hands = Annotated[int, Range(1, 1000)]
Rebuy = Literal["on_bust", "each_hand", "never"]

CASH_STACK: Final = 200
"""A cash game has this stack by default, in chips."""


# --- Stakes -------------------------------------------------------------------------------------------


@value
class Stakes:
    """The blinds and the ante of a hand, in chips."""

    small: int
    big: int
    ante: int


SMALL_BLINDS: Final = (10, 15, 25, 50, 75, 100, 150, 200, 300, 400, 500, 750)

LAST_LEVEL: Final = 40
"""Blinds double up to this level, counted from 1.

Its blinds exceed all possible chips, but every reader of JSON can still hold the numbers.
"""


def level_stakes(level: int, ante: int) -> Stakes:
    """Return the blinds of a level of a tournament, from 1; after the last of the table they double (poker 6)."""
    beyond = max(0, level - len(SMALL_BLINDS))
    small = SMALL_BLINDS[min(level, len(SMALL_BLINDS)) - 1] * 2**beyond
    return Stakes(small, 2 * small, ante)


@value
class Rules:
    """The compiled options of a match.

    `limits` returns the betting limits in a phase at these stakes; `board` the number of board cards dealt before it.
    """

    seats: int
    hand_size: int
    blinds: bool
    limits: Callable[[str, Stakes], Limits]
    board: Mapping[str, int]
    stakes: Stakes
    """The stakes to begin with."""
    big_ante: bool
    """Whether the big blind posts the ante for all."""
    stack: int
    max_swap: int
    show_all: bool
    show_all_in: bool
    tournament: bool
    hands: int
    """The number of hands of a cash game."""
    rebuy: Rebuy
    hands_per_level: int
    minutes_per_level: int


NO_BOARD: Final[Mapping[str, int]] = {}
STREETS: Final[Mapping[str, int]] = {"flop": 3, "turn": 1, "river": 1}


# --- In words -------------------------------------------------------------------------------------


REBUYS = {
    "on_bust": "Players without chips rebuy automatically.",
    "each_hand": "Stacks are reset after each hand, and wins and losses are recorded.",
    "never": "Players without chips sit out, and the game ends when one player has all chips.",
}
SHOWN = {
    (False, True): "Hands that cannot win stay face down, unless a player is all-in.",
    (False, False): "Hands that cannot win stay face down.",
    (True, True): "All remaining hands are shown.",
    (True, False): "All remaining hands are shown.",
}
UNSEEN = "Folded and mucked hands stay hidden until the shuffles are disclosed."


def about_cash(count: int, rebuy: Rebuy, stack: int) -> str:
    """Return in words how long a cash game lasts, and what happens to a player without chips."""
    hands = "hand is" if count == 1 else "hands are"
    return f"All begin with {stack} chips, and {count} {hands} played. {REBUYS[rebuy]}"
