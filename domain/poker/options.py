"""The options of both games of poker, and what they are compiled to (poker 5, 6)."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Annotated, Any, Final, Literal

from domain.core.options import Range
from domain.core.values import value
from domain.poker.betting import Limits, Structure

Amount = Annotated[int, Range(1, 1_000_000)]
NoAmount = Annotated[int, Range(0, 1_000_000)]
Hands = Annotated[int, Range(1, 1000)]
Rebuy = Literal["on_bust", "each_hand", "never"]

CASH_STACK: Final = 200
TOURNAMENT_STACK: Final = 1500


@value
class DrawOptions:
    """What may differ from table to table of five-card draw."""

    format: Literal["cash"] = "cash"
    structure: Structure = "fixed_limit"
    ante: Amount = 1
    small_bet: Amount = 2
    big_bet: Amount = 4
    min_bet: Amount = 2
    raise_cap: Annotated[int, Range(1, 100)] = 4
    max_swap: Annotated[int, Range(0, 5)] = 5
    starting_stack: Amount = CASH_STACK
    hands: Hands = 50
    rebuy: Rebuy = "on_bust"
    show_all: bool = False
    show_all_in: bool = True


@value
class HoldemOptions:
    """What may differ from table to table of hold'em. A stack that nobody names is 200, in a tournament 1500."""

    format: Literal["cash", "sng"] = "cash"
    small_blind: Amount = 1
    big_blind: Amount = 2
    ante: NoAmount = 0
    ante_mode: Literal["each", "big_blind"] = "each"
    starting_stack: Amount | None = None
    hands: Hands = 50
    rebuy: Rebuy = "on_bust"
    hands_per_level: Hands = 10
    minutes_per_level: Annotated[int, Range(0, 10_080)] = 0  # 0: levels change by hands
    show_all: bool = False
    show_all_in: bool = True


DRAW_PRESETS: Final[Mapping[str, Mapping[str, Any]]] = {
    "seed": {},
    "no_limit": {"structure": "no_limit"},
    "single_hands": {"rebuy": "each_hand"},
}
HOLDEM_PRESETS: Final[Mapping[str, Mapping[str, Any]]] = {
    "seed": {},
    "sit_and_go": {"format": "sng"},
    "single_hands": {"rebuy": "each_hand"},
}


def resolve_holdem(given: Mapping[str, Any], seats: int) -> dict[str, Any]:
    """Complete options as somebody wrote them with the stack that is usual in the format."""
    if given.get("starting_stack") is not None:
        return dict(given)
    return {**given, "starting_stack": TOURNAMENT_STACK if given.get("format") == "sng" else CASH_STACK}


def bad_draw_options(options: DrawOptions, seats: int) -> dict[str, str]:
    """Say which options cannot be had: field -> why."""
    if options.structure == "fixed_limit" and options.big_bet < options.small_bet:
        return {"big_bet": "The big bet is not less than the small one."}
    return {}


def bad_holdem_options(options: HoldemOptions, seats: int) -> dict[str, str]:
    """Say which options cannot be had: field -> why."""
    if options.format == "cash" and options.big_blind < options.small_blind:
        return {"big_blind": "The big blind is not less than the small one."}
    return {}


# --- Stakes -------------------------------------------------------------------------------------------


@value
class Stakes:
    """What is posted: the blinds, and the ante."""

    small: int
    big: int
    ante: int


SMALL_BLINDS: Final = (10, 15, 25, 50, 75, 100, 150, 200, 300, 400, 500, 750)

LAST_LEVEL: Final = 40
"""Its blinds are far beyond all chips there can be, and still numbers that any reader of JSON can hold."""


def level_stakes(level: int, ante: int) -> Stakes:
    """Give the blinds of a level of a tournament, from 1; after the last of the table they double (poker 6)."""
    beyond = max(0, level - len(SMALL_BLINDS))
    small = SMALL_BLINDS[min(level, len(SMALL_BLINDS)) - 1] * 2**beyond
    return Stakes(small, 2 * small, ante)


@value
class Rules:
    """A match's options as play needs them.

    `limits` gives those of the betting in a phase, at these stakes; `board` the cards that are dealt to come to it.
    """

    seats: int
    hand_size: int
    blinds: bool
    limits: Callable[[str, Stakes], Limits]
    board: Mapping[str, int]
    stakes: Stakes  # to begin with
    big_ante: bool  # the big blind posts the ante for all
    stack: int
    max_swap: int
    show_all: bool
    show_all_in: bool
    tournament: bool
    hands: int  # of a cash game
    rebuy: Rebuy
    hands_per_level: int
    minutes_per_level: int


NO_BOARD: Final[Mapping[str, int]] = {}
STREETS: Final[Mapping[str, int]] = {"flop": 3, "turn": 1, "river": 1}


@cache
def compile_draw(options: DrawOptions, seats: int) -> Rules:
    """Pick what the options of five-card draw name, once, before play."""
    fixed = {
        "bet1": Limits("fixed_limit", options.small_bet, options.raise_cap),
        "bet2": Limits("fixed_limit", options.big_bet, options.raise_cap),
    }
    free = Limits("no_limit", options.min_bet)
    limits = fixed if options.structure == "fixed_limit" else {"bet1": free, "bet2": free}
    return Rules(
        seats, 5, False, lambda phase, stakes: limits[phase], NO_BOARD, Stakes(0, 0, options.ante), False,
        options.starting_stack, options.max_swap, options.show_all, options.show_all_in, False,
        options.hands, options.rebuy, 0, 0,
    )  # fmt: skip


@cache
def compile_holdem(options: HoldemOptions, seats: int) -> Rules:
    """Pick what the options of hold'em name, once, before play."""
    tournament = options.format == "sng"
    stack = options.starting_stack or (TOURNAMENT_STACK if tournament else CASH_STACK)
    cash = Stakes(options.small_blind, options.big_blind, options.ante)
    return Rules(
        seats, 2, True, lambda phase, stakes: Limits("no_limit", stakes.big), STREETS,
        level_stakes(1, options.ante) if tournament else cash, options.ante_mode == "big_blind",
        stack, 0, options.show_all, options.show_all_in, tournament,
        options.hands, options.rebuy, options.hands_per_level, options.minutes_per_level,
    )  # fmt: skip


def most_hands(options: DrawOptions | HoldemOptions, seats: int) -> int | None:
    """Give the most hands of a game; nothing bounds a tournament."""
    return options.hands if options.format == "cash" else None
