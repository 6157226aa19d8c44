"""Defines the options of five-card draw, and compiles them (five_card_draw 1)."""

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Final, Literal

from domain.core.options import Range
from domain.core.types import Title
from domain.core.values import value
from domain.poker import betting_options
from domain.poker.betting import Limits, Structure

TITLES: Final[Mapping[str, Mapping[str, str]]] = {
    "format": {"cash": "Cash game"},
    "structure": {"no_limit": "No limit", "fixed_limit": "Fixed sizes"},
    "rebuy": {"on_bust": "When out of chips", "each_hand": "After each hand"},
}
"""The titles of the choices of options, by the option."""


@value
class Options:
    """The options of a table of five-card draw."""

    format: Literal["cash"] = "cash"
    """The format, which is always a cash game."""
    structure: Annotated[Structure, Title("Betting structure")] = "fixed_limit"
    """Whether bets are no-limit, or have fixed sizes."""
    ante: betting_options.Amount = 1
    """The ante in chips, which every seat posts."""
    small_bet: betting_options.Amount = 2
    """The size of a bet or raise before the draw, in chips, with a fixed limit."""
    big_bet: betting_options.Amount = 4
    """The size of a bet or raise after the draw, in chips, with a fixed limit; at least `small_bet`."""
    min_bet: Annotated[betting_options.Amount, Title("Least bet")] = 2
    """Minimum bet in chips, in no-limit."""
    raise_cap: Annotated[int, Range(1, 100), Title("Maximum bets per round")] = 4
    """Maximum bets in one betting round, including the first, in fixed limit."""
    max_swap: Annotated[int, Range(0, 5), Title("Maximum cards exchanged")] = 5
    """Maximum cards that a seat may exchange."""
    starting_stack: Annotated[betting_options.Amount, Title("Starting stack")] = betting_options.CASH_STACK
    """The chips that a seat begins with."""
    hands: Annotated[betting_options.Hands, Title("Number of hands")] = 50
    """The number of hands of the game."""
    rebuy: Annotated[betting_options.Rebuy, Title("Rebuys")] = "on_bust"
    """When stacks are reset to `starting_stack`: when empty, after each hand, or never."""
    show_all: Annotated[bool, Title("Show all hands")] = False
    """Whether the showdown shows all hands that did not fold."""
    show_all_in: Annotated[bool, Title("Show hands when all-in")] = True
    """Whether all hands are shown once a seat is all-in and betting is over."""


PRESETS: Final[Mapping[str, Mapping[str, Any]]] = {
    "seed": {},
    "no_limit": {"structure": "no_limit"},
    "single_hands": {"rebuy": "each_hand"},
}


def bad_options(options: Options, seats: int) -> dict[str, str]:
    """Return the options that are not allowed, each with the reason."""
    if options.structure == "fixed_limit" and options.big_bet < options.small_bet:
        return {"big_bet": "The big bet must be at least the small bet."}
    return {}


def decider_options(options: Options, seats: int) -> dict[str, Any]:
    """Change the options to those of a single hand."""
    return {"hands": 1}


def most_hands(options: Options, seats: int) -> int:
    """Return the maximum number of hands of a game."""
    return options.hands


@cache
def compile_rules(options: Options, seats: int) -> betting_options.Rules:
    """Compile the options of five-card draw, once, before play."""
    fixed = {
        "bet1": Limits("fixed_limit", options.small_bet, options.raise_cap),
        "bet2": Limits("fixed_limit", options.big_bet, options.raise_cap),
    }
    free = Limits("no_limit", options.min_bet)
    limits = fixed if options.structure == "fixed_limit" else {"bet1": free, "bet2": free}
    return betting_options.Rules(
        seats,
        5,
        False,
        lambda phase, stakes: limits[phase],
        betting_options.NO_BOARD,
        betting_options.Stakes(0, 0, options.ante),
        False,
        options.starting_stack,
        options.max_swap,
        options.show_all,
        options.show_all_in,
        False,
        options.hands,
        options.rebuy,
        0,
        0,
    )


# --- In words -------------------------------------------------------------------------------------------


def describe_options(options: Options, seats: int) -> str:
    """Return the rules of a table of five-card draw, in a few sentences."""
    if options.structure == "fixed_limit":
        most = f"at most {options.raise_cap} bets a round"
        bets = f"Bets are {options.small_bet}, after the draw {options.big_bet}, with {most}."
    else:
        bets = f"No limit; the minimum bet is {options.min_bet}."
    swap = f"up to {options.max_swap} cards" if options.max_swap else "no cards"
    return (
        f"Each player antes {options.ante}, gets five cards and may exchange {swap} once."
        f" {bets} {betting_options.SHOWN[options.show_all, options.show_all_in]} {betting_options.UNSEEN}"
        f" {betting_options.about_cash(options.hands, options.rebuy, options.starting_stack)}"
    )
