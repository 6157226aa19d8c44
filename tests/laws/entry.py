"""Describes a game for the tests of all games: how to set it up, who plays it, and where its cards are."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from api.game_checks.subject import Subject
from domain.core.cards import NAMES


def usual_cards(view: Mapping[str, Any]) -> list[str]:
    """Return the cards in a view under the keys that most games use: hands, tricks, and the top of the pile."""
    tricks = (view.get("trick") or (), (view.get("last_trick") or {}).get("cards", ()))
    top = view.get("discard_top")
    held = [str(card) for hand in view["hands"] for card in hand or ()]
    return [*held, *(laid["card"] for trick in tricks for laid in trick), *([top] if top else ())]


def bring_nothing(options: Any, rng: Random, at: int) -> None:
    """Bring nothing to the lobby."""


@dataclass(frozen=True, kw_only=True)
class Entry(Subject):
    """A game under test: a subject of the checks, and what the laws need in addition."""

    blocks: Mapping[str, Sequence[Any]]  # of options; a law goes through every block whole
    whereabouts: Callable[[Any], Sequence[Any]]  # every card that is in the game, wherever it is
    pack: Callable[[Any], Sequence[Any]]  # what these are to be
    brings: Callable[[Any, Random, int], Any] = bring_nothing  # to the lobby: by options, at a time
    card_text: Callable[[Any], str] = NAMES.__getitem__  # of a card, in a scene
    in_view: Callable[[Mapping[str, Any]], Sequence[str]] = usual_cards  # the texts of the cards that a view names


@dataclass(frozen=True)
class Further:
    """A match that reaches phases, for the first seat, that the shortest match of its game does not.

    It is played with cards that depend on its number, until all these phases have occurred.
    """

    number: int
    phases: frozenset[str]
    setup: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)
    deck: Mapping[str, Any] | None = None
    bots: str = "steady"
