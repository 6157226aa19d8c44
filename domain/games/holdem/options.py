"""Defines the options of Texas hold'em, and compiles them (holdem 1)."""

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Final, Literal

from domain.core.options import Range
from domain.core.types import Title
from domain.core.values import value
from domain.poker import betting_options
from domain.poker.betting import Limits
from domain.poker.sit_and_go import PRIZES

TOURNAMENT_STACK: Final = 1500
"""The default stack in a tournament, in chips."""


@value
class Options:
    """The options of a table of hold'em."""

    format: Literal["cash", "sng"] = "cash"
    """Whether the match is a cash game or a sit-and-go tournament."""
    small_blind: betting_options.Amount = 1
    """The small blind of a cash game, in chips; a tournament has its levels."""
    big_blind: betting_options.Amount = 2
    """The big blind of a cash game, in chips, at least the small blind; it is also the minimum bet."""
    ante: betting_options.NoAmount = 0
    """The ante in chips, in addition to the blinds; 0 for no ante."""
    ante_mode: Annotated[Literal["each", "big_blind"], Title("Ante posted by")] = "each"
    """Whether each seat posts an ante, or the big blind posts it for all."""
    starting_stack: Annotated[betting_options.Amount | None, Title("Starting stack")] = None
    """The chips that a seat begins with; null means 200, and 1500 in a tournament."""
    hands: Annotated[betting_options.Hands, Title("Number of hands")] = 50
    """The number of hands of a cash game."""
    rebuy: Annotated[betting_options.Rebuy, Title("Rebuys")] = "on_bust"
    """When stacks of a cash game are reset to `starting_stack`: when empty, after each hand, or never."""
    hands_per_level: betting_options.Hands = 10
    """The hands per level of a tournament."""
    minutes_per_level: Annotated[int, Range(0, 10_080)] = 0
    """The minutes per level of a tournament; 0 if levels change by hands."""
    show_all: Annotated[bool, Title("Show all hands")] = False
    """Whether the showdown shows all hands that did not fold."""
    show_all_in: Annotated[bool, Title("Show hands when all-in")] = True
    """Whether all hands are shown once a seat is all-in and betting is over."""


PRESETS: Final[Mapping[str, Mapping[str, Any]]] = {
    "seed": {},
    "sit_and_go": {"format": "sng"},
    "single_hands": {"rebuy": "each_hand"},
}


def resolve(given: Mapping[str, Any], seats: int) -> dict[str, Any]:
    """Add the usual stack of the format to the given options."""
    if given.get("starting_stack") is not None:
        return dict(given)
    return {**given, "starting_stack": TOURNAMENT_STACK if given.get("format") == "sng" else betting_options.CASH_STACK}


def bad_options(options: Options, seats: int) -> dict[str, str]:
    """Return the options that are not allowed, each with the reason."""
    if options.format == "cash" and options.big_blind < options.small_blind:
        return {"big_blind": "The big blind must be at least the small blind."}
    return {}


def decider_options(options: Options, seats: int) -> dict[str, Any] | None:
    """Change the options to those of a single hand; None for a tournament, which always has one winner."""
    return {"hands": 1} if options.format == "cash" else None


def most_hands(options: Options, seats: int) -> int | None:
    """Return the maximum number of hands of a game; None in a tournament."""
    return options.hands if options.format == "cash" else None


def tournament_stack(options: Options) -> int:
    """Return the stack of a tournament of many tables; 0 if these options are for no tournament."""
    return (options.starting_stack or TOURNAMENT_STACK) if options.format == "sng" else 0


def levels_are_timed(options: Options) -> bool:
    """Return whether levels go by the clock of the tournament."""
    return options.minutes_per_level > 0


@cache
def compile_rules(options: Options, seats: int) -> betting_options.Rules:
    """Compile the options of hold'em, once, before play."""
    tournament = options.format == "sng"
    stack = options.starting_stack or (TOURNAMENT_STACK if tournament else betting_options.CASH_STACK)
    cash = betting_options.Stakes(options.small_blind, options.big_blind, options.ante)
    return betting_options.Rules(
        seats,
        2,
        True,
        lambda phase, stakes: Limits("no_limit", stakes.big),
        betting_options.STREETS,
        betting_options.level_stakes(1, options.ante) if tournament else cash,
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


def describe_options(options: Options, seats: int) -> str:
    """Return the rules of a table of hold'em, in a few sentences."""
    two = "Two cards each and five on the board; the best five count."
    shown = betting_options.SHOWN[options.show_all, options.show_all_in]
    tournament = options.format == "sng"
    stack = options.starting_stack or (TOURNAMENT_STACK if tournament else betting_options.CASH_STACK)
    end = (
        about_tournament(options, seats, stack)
        if tournament
        else betting_options.about_cash(options.hands, options.rebuy, stack)
    )
    return f"{two} {about_blinds(options)} {shown} {betting_options.UNSEEN} {end}"


def about_blinds(options: Options) -> str:
    """Describe the blinds and antes."""
    first = betting_options.level_stakes(1, 0)
    tournament = options.format == "sng"
    small, big = (first.small, first.big) if tournament else (options.small_blind, options.big_blind)
    who = {"each": "from everybody", "big_blind": "from the big blind"}[options.ante_mode]
    ante = f", with an ante of {options.ante} {who}" if options.ante else ""
    begin = "begin at" if tournament else "are"
    return f"The blinds {begin} {small} and {big}{ante}, with no limit."


def about_tournament(options: Options, seats: int, stack: int) -> str:
    """Describe the course of a tournament."""
    minutes, count = options.minutes_per_level, options.hands_per_level
    every = f"{minutes} minutes" if minutes else "hand" if count == 1 else f"{count} hands"
    parts = "/".join(map(str, PRIZES[seats]))
    return (
        f"All begin with {stack} chips, and the blinds rise every {every}."
        f" Players without chips are out, and the last one wins. The prize is split {parts}."
    )
