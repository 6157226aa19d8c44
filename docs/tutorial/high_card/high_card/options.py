"""The options of High Card, and what they come to."""

from typing import Annotated

from domain.core.options import Range
from domain.core.values import value


@value
class Options:
    """What may differ from table to table."""

    rounds: Annotated[int, Range(1, 20)] = 3
    fan_size: Annotated[int, Range(2, 6)] = 3


def most_hands(options: Options, seats: int) -> int:
    """Give the number of rounds of a bout."""
    return options.rounds


def about(options: Options, seats: int) -> str:
    """Tell a person the rules of a table."""
    return (
        f"{seats} seats hold {options.fan_size} cards. Each lays one face down; it may first trade one for the top "
        f"of the talon. The highest card wins the round. Most of {options.rounds} rounds win."
    )
