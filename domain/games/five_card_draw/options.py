"""Defines the options of five-card draw, and what they are compiled to (five_card_draw 1)."""

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Final, Literal

from domain.core.options import Range
from domain.core.values import value
from domain.poker.betting import Limits, Structure
from domain.poker.options import CASH_STACK, NO_BOARD, Amount, Hands, Rebuy, Rules, Stakes
from domain.poker.text import SHOWN, UNSEEN, about_cash


@value
class Options:
    """These options may differ from table to table of five-card draw."""

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


PRESETS: Final[Mapping[str, Mapping[str, Any]]] = {
    "seed": {},
    "no_limit": {"structure": "no_limit"},
    "single_hands": {"rebuy": "each_hand"},
}


def bad_options(options: Options, seats: int) -> dict[str, str]:
    """Say which options cannot be had: field -> why."""
    if options.structure == "fixed_limit" and options.big_bet < options.small_bet:
        return {"big_bet": "The big bet is not less than the small one."}
    return {}


def most_hands(options: Options, seats: int) -> int:
    """Give the most hands of a game."""
    return options.hands


@cache
def compile_rules(options: Options, seats: int) -> Rules:
    """Pick what the options of five-card draw name, once, before play."""
    fixed = {
        "bet1": Limits("fixed_limit", options.small_bet, options.raise_cap),
        "bet2": Limits("fixed_limit", options.big_bet, options.raise_cap),
    }
    free = Limits("no_limit", options.min_bet)
    limits = fixed if options.structure == "fixed_limit" else {"bet1": free, "bet2": free}
    return Rules(
        seats,
        5,
        False,
        lambda phase, stakes: limits[phase],
        NO_BOARD,
        Stakes(0, 0, options.ante),
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


def about(options: Options, seats: int) -> str:
    """Tell a person the rules of a table of five-card draw."""
    if options.structure == "fixed_limit":
        bets = f"Bets are {options.small_bet}, after the draw {options.big_bet}; at most {options.raise_cap} a round."
    else:
        bets = f"Bet {options.min_bet} or more."
    swap = f"up to {options.max_swap} cards" if options.max_swap else "no cards"
    return (
        f"Everybody antes {options.ante}, gets five cards and may exchange {swap} once."
        f" {bets} {SHOWN[options.show_all, options.show_all_in]} {UNSEEN}"
        f" {about_cash(options.hands, options.rebuy, options.starting_stack)}"
    )
