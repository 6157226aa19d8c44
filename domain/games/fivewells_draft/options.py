"""Defines the options of a draft (fivewells_draft 1)."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from domain.card_sets.cards.library import SETS
from domain.core.types import Title
from domain.core.values import value

SetCode = Literal["fw1", "bt1"]

MOST_ROUNDS: Final = 6

SEALED: Final[Mapping[str, Any]] = {"packs": ("fw1", "fw1", "fw1", "fw1", "bt1", "bt1"), "passing": False}
"""The options of sealed play: each player opens six packs and builds a deck from them."""


@value
class Options:
    """The options of a draft."""

    packs: Annotated[tuple[SetCode, ...], Title("Sets of the packs")] = ("fw1", "fw1", "bt1")
    """The set of the packs in each round."""
    passing: Annotated[bool, Title("Packs are passed on")] = True
    """Whether players pass packs on after each pick; otherwise each seat keeps its packs, as in sealed play."""


def bad_options(options: Options, seats: int) -> Mapping[str, str]:
    """Name the options that are not allowed."""
    if not 1 <= len(options.packs) <= MOST_ROUNDS:
        return {"packs": f"Name the sets of one to {MOST_ROUNDS} packs."}
    return {}


def most_hands(options: Options, seats: int) -> int:
    """Return the number of hands: each round is a hand."""
    return len(options.packs)


def describe_options(options: Options, seats: int) -> str:
    """Return the rules of the draft in a few sentences."""
    sets = ", ".join(SETS[code].name for code in options.packs)
    if not options.passing:
        return (
            f"{seats} players open packs for Fivewells and keep the cards. The packs are of {sets}. Then each "
            "player builds a deck of at least forty cards. There is no winner."
        )
    return (
        f"{seats} players draft cards for Fivewells. In each round, each player opens a pack, takes a card from it and "
        f"passes the rest on, until no card is left. The packs are of {sets}. Then each player builds a deck of at "
        "least forty cards. There is no winner."
    )
