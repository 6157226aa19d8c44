"""What a game is: a record of functions, and what can be done with any such record.

A game never draws a card itself. Where chance decides, the seat to act is `CHANCE`, and the game says
what it asks for; the answer comes back as a move like any other, so a test can name the deck.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Final, Generic, TypeVar

from domain.core.cards import Card, Seat
from domain.core.choices import Ask, Choice
from domain.core.clock import Time
from domain.core.scene import Scene
from domain.core.values import Copied, value
from domain.core.visibility import seen

O = TypeVar("O")  # options  # noqa: E741 -- beside S, M and E
S = TypeVar("S", bound=Copied)  # state
M = TypeVar("M")  # move
E = TypeVar("E")  # event

CHANCE: Final[Seat] = -1

Choices = tuple[Choice, ...]
View = Mapping[str, Any]


class Refused(Exception):
    """A command is refused: no event, no change; `code` says why (rules 1.3)."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@value
class Outcome:
    """How a game ended: who won (nobody if it was drawn), each seat's place from 1, each seat's score."""

    winners: tuple[Seat, ...]
    places: tuple[int, ...]
    scores: tuple[int, ...]


def _alone(options: Any, seats: int) -> tuple[int, ...]:
    return tuple(range(seats))


def _always(state: Any) -> bool:
    return True


def _no_limit(state: Any) -> int:
    return 0


def _nobody(state: Any) -> tuple[Seat, ...]:
    return ()


def _nothing_more(state: Any, seat: Seat) -> Mapping[str, Any]:
    return {}


def _not_completed(state: Any, seat: Seat, move: type, card: Card | None = None) -> Any:
    return None


def _never_forgotten(state: Any, reader: Seat | None, event: Any) -> bool:
    return True


@dataclass(frozen=True, slots=True, eq=False)
class Game(Generic[O, S, M, E]):
    """One game's rules.

    `start(options, seats, last)` is the state before the first event; `last` is the final state of the
    game before it in a series. `evolve` assigns to the state it is given: whoever calls it owns that
    state (`fold`, `after`). `refusal` names the reason why a move that `legal` does not admit is refused,
    in the order of the common rules from `wrong_phase` on (rules 1.3).
    """

    name: str
    title: str
    seats: range
    usual: int  # seats where the creator does not say
    best_of: int
    reveal: str  # default of `fairness_reveal` (rules 1.7)
    options: type[O]
    presets: Mapping[str, Mapping[str, Any]]
    resolve: Callable[
        [Mapping[str, Any], int], dict[str, Any]
    ]  # options as written -> completed, before they are checked
    bad_options: Callable[[O, int], Mapping[str, str]]  # field -> what is wrong, for a number of seats
    most_hands: Callable[[O, int], int | None]  # of one game; None where the options set no bound
    moves: Mapping[str, type]
    events: tuple[type, ...]
    game_starts: type  # the event that begins a game
    game_ends: type
    hand_starts: type
    hand_ends: tuple[type, ...]  # the events that end a hand, beside the end of the game
    start: Callable[[O, int, S | None], S]
    to_act: Callable[[S], tuple[Seat, ...]]
    ask: Callable[[S], Ask]  # what is asked of chance, while CHANCE is to act
    legal: Callable[[S, Seat], Choices]
    refusal: Callable[[S, Seat, M], str]
    default: Callable[[S, Seat], M]  # what the clock plays (rules 1.8)
    decide: Callable[[S, Seat, M], tuple[E, ...]]
    consequences: Callable[[S], tuple[E, ...]]
    evolve: Callable[[S, E], None]
    stop: Callable[[S, tuple[Seat, ...], str], tuple[E, ...]]  # end now: who gave up (nobody: a draw), why
    outcome: Callable[[S], Outcome | None]
    phase: Callable[[S], str]
    view: Callable[[S, Seat | None], View]
    scene: Callable[[S, Seat | None], Scene]
    move_of: Callable[[E], tuple[Seat, M] | None]
    answers: Mapping[
        type, str
    ]  # the events by which a seat answers what it is asked -> the field that names it
    text: Callable[[E], str]
    about: Callable[[O, int], str]  # the rules as configured, in a few sentences for a person
    # What few games need
    unseen: str = ""  # what the rules never show, and the disclosure of a shuffle does
    low_wins: bool = False  # a lower score is the better one
    sides: Callable[[O, int], tuple[int, ...]] = _alone  # the side of each seat, where seats win together
    opening: Callable[[S, tuple[Time | None, ...]], tuple[E, ...]] | None = (
        None  # with what the lobby was told
    )
    hand_over: Callable[[S], bool] = _always  # whether one of `hand_ends` has ended the hand (two may be on)
    takes_back: frozenset[type] = (
        frozenset()
    )  # the answers that can be undone: they show their seat nothing new
    resign: Callable[[S, Seat], tuple[E, ...]] | None = (
        None  # give up for good while the others play on: the game ranks who has (rules 1.9)
    )
    out: Callable[[S], tuple[Seat, ...]] = _nobody  # the seats that take no more part in the game
    timed: Callable[[S, Time], tuple[E, ...]] | None = None  # what the time brings before a hand is dealt
    minor: frozenset[str] = frozenset()  # the phases in which little is to be decided
    seconds: Callable[[S], int] = (
        _no_limit  # a time limit of its own for the decisions that are open; 0: none
    )
    asked_by_orders: Callable[[S, Seat], Mapping[str, Any]] = (
        _nothing_more  # what standing orders may ask, beside the table
    )
    own_facts: frozenset[str] = frozenset()  # the names of what `asked_by_orders` gives
    asked_in: frozenset[str] = (
        frozenset()
    )  # the phases in which seats are asked something; none: whatever the orders name may be one
    completes: frozenset[type] = frozenset()  # the moves that `completed` makes without being given a card
    completed: Callable[..., M | None] = (
        _not_completed  # a move of this class, with this card if one is given, its other arguments as most would choose
    )
    remembered: Callable[[S, Seat | None, E], bool] = (
        _never_forgotten  # a fading part is still shown (rules 1.4.5)
    )


AnyGame = Game[Any, Any, Any, Any]


def as_written(given: Mapping[str, Any], seats: int) -> dict[str, Any]:
    """Leave options as somebody wrote them: the `resolve` of a game whose options do not follow from one another."""
    return dict(given)


def admitted(choices: Choices, move: Any) -> bool:
    """Say whether one of the choices admits the move."""
    return any(choice.admits(move) for choice in choices)


def check(game: Game[Any, S, M, Any], state: S, seat: Seat, move: M) -> None:
    """Raise `Refused` unless the seat may make this move now."""
    if not admitted(game.legal(state, seat), move):
        raise Refused(game.refusal(state, seat, move))


def play(game: Game[Any, S, M, E], state: S, seat: Seat, move: M) -> tuple[S, list[E]]:
    """Make a legal move: the state after it, and all that happened on the way. `state` stays as it was."""
    state = state.copy()
    events: list[E] = []
    happening = game.decide(state, seat, move)
    while happening:
        for event in happening:
            game.evolve(state, event)
        events += happening
        happening = game.consequences(state)
    return state, events


def fold(game: Game[Any, S, Any, E], state: S, events: Iterable[E]) -> S:
    """Give the state after the events; `state` stays as it was."""
    state = state.copy()
    for event in events:
        game.evolve(state, event)
    return state


def seen_by(game: Game[Any, S, Any, E], state: S, events: Iterable[E], seat: Seat | None) -> S:
    """Give the world as this seat knows it: the same fold, over what it was shown."""
    return fold(game, state, (seen(event, seat) for event in events))


def answer(ask: Ask, rng: Random) -> Any:
    """Let a random generator play chance: for tests and simulations, never for a match."""
    return ask.sample(rng)


def ranked(scores: Iterable[int]) -> tuple[int, ...]:
    """Give the places of scores of which the lowest is best; equal scores share a place."""
    row = tuple(scores)
    return tuple(1 + sum(other < mine for other in row) for mine in row)
