"""What a game brings to be tried by the laws.

It says how to set the game up, who plays it, where its cards are, what may tell what.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from domain.core.cards import NAMES, Cards, Seat
from domain.core.game import Game

Policy = Callable[[Any, Seat, Random], Any]
"""What a seat plays, of the table as it sees it."""


def usual_cards(view: Mapping[str, Any]) -> list[str]:
    """The cards that a view names by the keys that most games have: hands, tricks, and the top of the pile."""
    tricks = (view.get("trick") or (), (view.get("last_trick") or {}).get("cards", ()))
    top = view.get("discard_top")
    held = [str(card) for hand in view["hands"] for card in hand or ()]
    return [*held, *(laid["card"] for trick in tricks for laid in trick), *([top] if top else ())]


def bring_nothing(options: Any, rng: Random, at: int) -> None:
    """Bring nothing to the lobby."""


@dataclass(frozen=True)
class Entry:
    """A game under the laws."""

    game: Game[Any, Any, Any, Any]
    seats: int
    blocks: Mapping[str, Sequence[Any]]  # of options; a law goes through every block whole
    policies: Mapping[str, Policy]
    stack: Callable[[Cards, Random], Cards]  # a pack that makes rare things happen
    whereabouts: Callable[[Any], Sequence[Any]]  # every card that is in the game, wherever it is
    pack: Callable[[Any], Sequence[Any]]  # what these are to be
    probes: Callable[[Any, Seat, Random], Sequence[Any]]  # moves to try, good and bad
    owners: Callable[[Any, Any], Sequence[Seat]]  # of each item of an answer of chance: who gets it
    secret_moves: tuple[type, ...]  # whose arguments are nobody's business but the mover's
    facts: frozenset[type]  # events whose public fields follow from hidden cards, as the rules want it
    brings: Callable[[Any, Random, int], Any] = bring_nothing  # to the lobby: by options, at a time
    card_text: Callable[[Any], str] = NAMES.__getitem__  # of a card, in a scene
    in_view: Callable[[Mapping[str, Any]], Sequence[str]] = usual_cards  # the texts of the cards that a view names


@dataclass(frozen=True)
class Further:
    """A match that brings about, for the first seat, phases that the shortest match of its game has not.

    It is played with cards that follow from its number, until all of these phases were there.
    """

    number: int
    phases: frozenset[str]
    setup: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)
    deck: Mapping[str, Any] | None = None
    bots: str = "steady"
