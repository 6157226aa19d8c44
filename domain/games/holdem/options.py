"""Defines the options of Texas hold'em, and what they are compiled to (holdem 1)."""

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Final, Literal

from domain.core.options import Range
from domain.core.values import value
from domain.poker.betting import Limits
from domain.poker.options import (
    CASH_STACK,
    STREETS,
    Amount,
    Hands,
    NoAmount,
    Rebuy,
    Rules,
    Stakes,
    level_stakes,
)
from domain.poker.sit_and_go import PRIZES
from domain.poker.text import SHOWN, UNSEEN, about_cash

TOURNAMENT_STACK: Final = 1500
"""A tournament has this stack by default, in chips."""


@value
class Options:
    """These options may differ from table to table of hold'em. The default stack is 200, in a tournament 1500."""

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


PRESETS: Final[Mapping[str, Mapping[str, Any]]] = {
    "seed": {},
    "sit_and_go": {"format": "sng"},
    "single_hands": {"rebuy": "each_hand"},
}


def resolve(given: Mapping[str, Any], seats: int) -> dict[str, Any]:
    """Complete options as somebody wrote them with the stack that is usual in the format."""
    if given.get("starting_stack") is not None:
        return dict(given)
    return {**given, "starting_stack": TOURNAMENT_STACK if given.get("format") == "sng" else CASH_STACK}


def bad_options(options: Options, seats: int) -> dict[str, str]:
    """Say which options cannot be had: field -> why."""
    if options.format == "cash" and options.big_blind < options.small_blind:
        return {"big_blind": "The big blind is not less than the small one."}
    return {}


def most_hands(options: Options, seats: int) -> int | None:
    """Give the most hands of a game; nothing bounds a tournament."""
    return options.hands if options.format == "cash" else None


@cache
def compile_rules(options: Options, seats: int) -> Rules:
    """Pick what the options of hold'em name, once, before play."""
    tournament = options.format == "sng"
    stack = options.starting_stack or (TOURNAMENT_STACK if tournament else CASH_STACK)
    cash = Stakes(options.small_blind, options.big_blind, options.ante)
    return Rules(
        seats,
        2,
        True,
        lambda phase, stakes: Limits("no_limit", stakes.big),
        STREETS,
        level_stakes(1, options.ante) if tournament else cash,
        options.ante_mode == "big_blind",
        stack,
        0,
        options.show_all,
        options.show_all_in,
        tournament,
        options.hands,
        options.rebuy,
        options.hands_per_level,
        options.minutes_per_level,
    )


# --- In words -------------------------------------------------------------------------------------------


def about(options: Options, seats: int) -> str:
    """Tell a person the rules of a table of hold'em."""
    two = "Two cards each and five on the board, of which the best five count."
    shown = SHOWN[options.show_all, options.show_all_in]
    tournament = options.format == "sng"
    stack = options.starting_stack or (TOURNAMENT_STACK if tournament else CASH_STACK)
    end = about_tournament(options, seats, stack) if tournament else about_cash(options.hands, options.rebuy, stack)
    return f"{two} {about_blinds(options)} {shown} {UNSEEN} {end}"


def about_blinds(options: Options) -> str:
    """Tell what is posted."""
    first = level_stakes(1, 0)
    tournament = options.format == "sng"
    small, big = (first.small, first.big) if tournament else (options.small_blind, options.big_blind)
    who = {"each": "from everybody", "big_blind": "from the big blind"}[options.ante_mode]
    ante = f", with an ante of {options.ante} {who}" if options.ante else ""
    begin = "begin at" if tournament else "are"
    return f"The blinds {begin} {small} and {big}{ante}; bet what you like."


def about_tournament(options: Options, seats: int, stack: int) -> str:
    """Tell how a tournament goes."""
    minutes, count = options.minutes_per_level, options.hands_per_level
    every = f"{minutes} minutes" if minutes else "hand" if count == 1 else f"{count} hands"
    parts = "/".join(map(str, PRIZES[seats]))
    return (
        f"All begin with {stack} chips; the blinds rise every {every}."
        f" Whoever has none left is out, the last one wins; the prize is split {parts}."
    )
