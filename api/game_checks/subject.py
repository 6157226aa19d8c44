"""Describes a game under check: its definition, its number of seats, and what only its author knows."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from domain.core.cards import Cards, Seat
from domain.core.choices import Shuffle
from domain.core.game import AnyGame

Policy = Callable[[Any, Seat, Random], Any]
"""Chooses a seat's move, from the table as the seat sees it."""


@dataclass(frozen=True, kw_only=True)
class Subject:
    """A game to be checked. Without the optional parts its seats play at random, and chance deals evenly."""

    game: AnyGame
    seats: int
    policies: Mapping[str, Policy] = field(default_factory=dict)
    """Ways to play, by name; each seat draws one."""
    stack: Callable[[Cards, Random], Cards] | None = None
    """Orders a pack so that rare things happen."""
    probes: Callable[[Any, Seat, Random], Sequence[Any]] | None = None
    """Moves to try, good and bad."""
    owners: Callable[[Any, Any], Sequence[Seat]] | None = None
    """The seat that gets each item of an answer of chance, by the state and the question."""
    secret_moves: tuple[type, ...] | None = None
    """Moves whose arguments only the mover knows; None: any move may be one."""
    facts: frozenset[type] | None = None
    """Events whose public fields follow from hidden cards, as the rules want it; None: any event may be one."""


@dataclass
class PlayedMove:
    """A moment of a game: the options, the state, each seat's own, the move and its events, and the state after."""

    options: Any
    state: Any
    own: list[Any]
    seat: Seat
    move: Any
    events: list[Any]
    after: Any
    game_no: int = 1
    """The number of the game in its series."""


def answer_chance(subject: Subject, state: Any, ask: Any, rng: Random) -> Any:
    """Answer for chance; now and then with a pack that makes rare things happen."""
    if subject.stack is None or subject.owners is None or not isinstance(ask, Shuffle):
        return ask.sample(rng)
    if subject.owners(state, ask) and rng.random() < 0.5:
        return ask.make(subject.stack(ask.items, rng))
    return ask.sample(rng)
