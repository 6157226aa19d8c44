"""Defines a game: a structure of pure functions, and small helpers for it.

A game never draws a card itself. If chance decides, the seat to act is `CHANCE`, and the game asks its question. The
answer comes back as a move like any other, so a test can name the deck.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from random import Random
from typing import Any, Final, Generic, TypeVar

from domain.core.backing import Backing, FromMatch, kept_as_brought, needs_no_backing
from domain.core.cards import Card, Seat
from domain.core.choices import Ask, Choice
from domain.core.clock import Time
from domain.core.collectible import Collectibles
from domain.core.dealing import DealCheck
from domain.core.refusals import Reason, Refusal
from domain.core.scene import Scene
from domain.core.scene_pointers import Where, no_positions
from domain.core.staking import AnyStaking
from domain.core.strengths import Strengths
from domain.core.values import Copied, value
from domain.core.visibility import seat_field, secret_fields, view_event

# The options.
O = TypeVar("O")  # noqa: E741 -- beside S, M and E
S = TypeVar("S", bound=Copied)  # state
M = TypeVar("M")  # move
E = TypeVar("E")  # event

CHANCE: Final[Seat] = -1

MOST_GAMES: Final = 99
"""A series is the best of this many games at most."""

MOST_SEATS: Final = 32
"""A game has at most this many seats."""

Choices = tuple[Choice, ...]
View = Mapping[str, Any]


class Refused(Exception):
    """A command is refused: no event happens and nothing changes; `code` is the reason (rules 1.3).

    `sentence` has details about this command; it is empty if the code is enough.
    """

    def __init__(self, code: str, sentence: str = "") -> None:
        super().__init__(code)
        self.code, self.sentence = code, sentence


@value
class Outcome:
    """The outcome of a game: its winners (none if it was drawn), and each seat's place from 1 and score.

    `reason` is the reason for the end. For a game that was stopped, it is the argument of `Leaving.stop`.
    """

    winners: tuple[Seat, ...]
    places: tuple[int, ...]
    scores: tuple[int, ...]
    reason: str = "played"


def no_teams(options: Any, seats: int) -> tuple[int, ...]:
    """Return a separate side for each seat."""
    return tuple(range(seats))


def as_written(given: Mapping[str, Any], seats: int) -> dict[str, Any]:
    """Return the options unchanged: the `resolve` of a game whose options do not depend on each other."""
    return dict(given)


def always_allowed(options: Any) -> bool:
    """Allow it with all options."""
    return True


def no_fault(options: Any, brought: Any) -> None:
    """Allow any entry."""


def no_explanation(state: Any, seat: Seat, move: Any) -> str:
    """Add nothing to the sentence of a refusal's code."""
    return ""


def no_bad_options(options: Any, seats: int) -> Mapping[str, str]:
    """Admit all options that are of their types."""
    return {}


def never_shorter(options: Any, seats: int) -> None:
    """Return no options, as no option makes a game shorter."""


@value
class Variant:
    """A named combination of options: its code, the `slugs` of its rules, and `text` in words."""

    code: str
    slugs: tuple[str, ...]
    text: str


@value
class Setup(Generic[O]):
    """A setup says what is chosen before play: the number of seats, up to 32, and the options, a record with defaults.

    `resolve(given, seats)` completes options as they were written; `bad_options(options, seats)` names those that
    cannot be had together, with a sentence each, and `endless(options, seats)` those with which a game of bots alone
    might never end: such a match is not created. `most_hands(options, seats)` bounds the hands of one game, None where
    the options set no bound. `sides(options, seats)` gives the side of each seat, where seats win together.
    `may_chat(options)` says whether the players may talk while they play. `variants` are tables of options that have
    names of their own, to be listed. A game that is not `winnable` has no winner, and a match is one such game.
    `written` describes, as JSON Schema, how an option may be written where `resolve` reads more than its type says.
    `titles` name choices of options for people, by the option, where the choice alone does not, and `preset_titles`
    presets. `usual_preset` names the preset that people are offered first, where it is not the defaults.
    `minutes` says how long a match of people usually takes.
    `deciding(options, seats)` gives those options that change where a game decides a tie, and is to be one hand, or as
    short as it can be; None where every game is as short, and where one hand is not played by all seats.
    `cards` are the collectible cards that it is played with, if it is: all games here that are played with such cards
    bring the same. `strengths` say what ratings follow from.
    """

    seats: range
    # The number of seats where the creator of a match names none.
    usual: int
    options: type[O]
    most_hands: Callable[[O, int], int | None]
    bad_options: Callable[[O, int], Mapping[str, str]] = no_bad_options
    endless: Callable[[O, int], Mapping[str, str]] = no_bad_options
    resolve: Callable[[Mapping[str, Any], int], dict[str, Any]] = as_written
    presets: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: {"seed": {}})
    preset_titles: Mapping[str, str] = field(default_factory=dict)
    usual_preset: str = "seed"
    titles: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    minutes: range | None = None
    # The default of the series, and of the common option `fairness_reveal`.
    best_of: int = 1
    reveal: str = "hand_end"
    low_wins: bool = False
    winnable: bool = True
    sides: Callable[[O, int], tuple[int, ...]] = no_teams
    may_chat: Callable[[O], bool] = always_allowed
    variants: tuple[Variant, ...] = ()
    written: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    deciding: Callable[[O, int], Mapping[str, Any] | None] = never_shorter
    cards: Collectibles | None = None
    strengths: Strengths[Any] = field(default_factory=Strengths)


def _as_chosen(started: Any) -> Mapping[str, Any]:
    return {}


@value
class Lifecycle:
    """Names the types of the events that begin and end games and hands, and the fields that number them.

    `tricks` names the events that carry the number of a trick, with the field: a replay may jump to them.
    `moments` are what else it may jump to, by names for their kinds, as `turn`: of each type of event there that may be
    such a moment, what tells it in a few words, without a capital; an empty text where the event is none. It gets the
    public fields of the event, as JSON.
    `begun_alike(data)` gives the options by which a new match begins with a hand as this one began; `data` are the
    public fields of the event that began it. `gains(state)` gives of a game that is over what each seat may bring to
    other matches that name it, of the type of their entry; None for nothing. `staking` says how a game is played with
    stacks that come from other tables and go to others, where it can be.
    """

    game_starts: type
    game_ends: type
    hand_starts: type
    hand_ends: tuple[type, ...] = ()
    game_no: str = "game_no"
    hand_no: str = "hand_no"
    tricks: Mapping[type, str] = field(default_factory=dict)
    moments: Mapping[str, Mapping[type, Callable[[Mapping[str, Any]], str]]] = field(default_factory=dict)
    begun_alike: Callable[[Mapping[str, Any]], Mapping[str, Any]] = _as_chosen
    gains: Callable[[Any], tuple[Any, ...]] | None = None
    staking: AnyStaking | None = None


@value
class Answers(Generic[M, E]):
    """Says how events answer what seats are asked.

    `by` maps each type of event by which a seat answers to the field that names the seat: clocks stop by it alone.
    `move_of(event)` gives the seat and the move that a commit's first event records, defaults resolved; None for an
    event that records no move. `takes_back` are the types that can be undone: they show their seat nothing new.
    `off_turn` are the moves that answer nothing that a seat is asked; it may make them on its turn and off it.
    `where(state, seat)` says where in the scene of a seat the arguments of its moves lie.
    """

    by: Mapping[type, str]
    move_of: Callable[[E], tuple[Seat, M] | None]
    takes_back: frozenset[type] = frozenset()
    off_turn: frozenset[type] = frozenset()
    where: Callable[[Any, Seat], Where] = no_positions


def _nobody(state: Any) -> tuple[Seat, ...]:
    return ()


@value
class Leaving(Generic[S, E]):
    """Describes what happens when a player resigns.

    `stop(state, seats, reason)` ends the game now: `seats` resigned, and their sides lose; without seats, the game is
    drawn or abandoned. The outcome has this reason: `resignation`, `draw` or `abandoned`. `resign`, if the game has it,
    lets a seat resign permanently while the others play on, and the game ranks that seat. `out(state)` are the seats
    that no longer take part.
    """

    stop: Callable[[S, tuple[Seat, ...], str], tuple[E, ...]]
    resign: Callable[[S, Seat], tuple[E, ...]] | None = None
    out: Callable[[S], tuple[Seat, ...]] = _nobody


def _no_limit(state: Any) -> int:
    return 0


@value
class Timing(Generic[S, M, E]):
    """Describes the effects of time in a game.

    `default(state, seat)` is the clock's move for a seat whose time has run out. `minor` are the phases with small
    decisions. `seconds(state)` is the game's own limit for open decisions, or 0. `before_hand(state, now)` returns the
    events that time causes before a hand is dealt.
    """

    default: Callable[[S, Seat], M]
    minor: frozenset[str] = frozenset()
    seconds: Callable[[S], int] = _no_limit
    before_hand: Callable[[S, Time], tuple[E, ...]] | None = None


@value
class Entry(Generic[S, E]):
    """An entry is what a seat brings to the lobby; it is private until the rules open it.

    `event` is the type of event that records it: a seat, then one field of `Private`, whose name and type are those of
    the argument in the API. `opening(state, brought)` begins a game with what each seat brought, None for a
    seat that brought nothing. `fault(options, brought)` says why the rules do not admit what is brought; None where
    they do.

    `backing(options)` says where that must lie which is brought, if the player has to have it before the match.
    `backed(options, brought, there)` is then told what is there, and gives what the player brings, or raises `Refused`;
    of a collection it is asked only if something is brought, of another match always. No record of the match holds
    what lies outside of it: it is asked when a player sits down, and `fault` alone once more by who verifies a record.

    `prepared` are the options of the tables of a tournament to which is brought what was gained before its first round,
    by the preset with which it was gained; under an empty name those of every other preset. None: that is not played.
    `gained` says the same of a match to which is brought what was gained in another.
    """

    event: type
    opening: Callable[[S, tuple[Any, ...]], tuple[E, ...]]
    fault: Callable[[Any, Any], Reason | None] = no_fault
    backing: Callable[[Any], Backing] = needs_no_backing
    backed: Callable[[Any, Any, Any], Any] = kept_as_brought
    prepared: Mapping[str, Mapping[str, Any]] | None = None
    gained: FromMatch | None = None

    @property
    def field(self) -> str:
        """Return the name of a seat's entry."""
        return next(iter(secret_fields(self.event)))

    @property
    def seat(self) -> str:
        """Return the name of the field with the seat of the entry."""
        return seat_field(self.event) or ""


class FactKind(Enum):
    """Each fact that standing orders may ask for is of one of these kinds."""

    NUMBER = "number"
    WORD = "word"
    SUIT = "suit"
    CARD = "card"
    CARDS = "cards"


def no_facts(state: Any, seat: Seat) -> Mapping[str, Any]:
    """Know nothing."""
    return {}


def not_completed(state: Any, seat: Seat, move: type, card: Card | None = None) -> Any:
    """Complete no move."""
    return None


@value
class Facts(Generic[S]):
    """Facts are what standing orders may ask and do in a game.

    `kinds` names the facts with their kinds; `known(state, seat)` gives those that the seat knows now, cards and suits
    as text, None or nothing for what there is not. Three names mean more, where a game declares them: `phase`, a word,
    is one of `phases`, in which seats are asked something (orders may name any where that is empty); orders choose
    cards by `led`, a suit, and `winning`, a card.
    `completed(state, seat, move, card)` gives a move of this class, with this card if one is given and its other
    arguments as most would choose; `completes` are the classes that it makes without a card.
    """

    kinds: Mapping[str, FactKind] = field(default_factory=dict)
    known: Callable[[S, Seat], Mapping[str, Any]] = no_facts
    phases: frozenset[str] = frozenset()
    completes: frozenset[type] = frozenset()
    completed: Callable[..., Any] = not_completed


@value
class Memory(Generic[S, E]):
    """The time for which fading fields are shown.

    Bots of such a game use everything that their seat was shown, not only the table.
    """

    remembered: Callable[[S, Seat | None, E], bool]


@value
class Words(Generic[O, E]):
    """Holds the texts of a game that people read.

    `text(event)` tells an event in one line; `about(options, seats)` the rules as configured, in a few sentences.
    `text_at(event, state)` tells an event to a reader who knows this state, where the event names things that are
    described there alone; the state is that after the event, or a later one of the same hand, of which nothing may be
    told.
    `summary` says what the game is to somebody who does not know it, in two sentences; empty: as `about` does.
    `rulebook` is the package of the game, in which `rulebook.md` lies, and `bot.py`, if it has a bot. `refusals` are
    the codes that `refusal` gives beside the common ones; where two games have one, it means the same.
    `explain(state, seat, move)` says in a sentence what is wrong with a refused move, by what its seat knows; an empty
    text where the code says it all. `unseen` names
    what the rules never show and the disclosure of a shuffle does. `hand_history` are the codes of a game of poker in
    the format Poker Hand History, in which its hands are then written and read; no two games have one code.
    """

    title: str
    text: Callable[[E], str]
    about: Callable[[O, int], str]
    rulebook: str
    summary: str = ""
    refusals: Mapping[str, Refusal] = field(default_factory=dict)
    explain: Callable[[Any, Seat, Any], str] = no_explanation
    unseen: str = ""
    text_at: Callable[[E, Any], str] | None = None
    hand_history: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Game(Generic[O, S, M, E]):
    """A game is its rules as a record of pure functions, with small records for the rest.

    `name` is its code, of small letters, digits and underscores. `setup` has the options and the numbers of seats.
    `moves` maps the name of each move in the API to its class; its fields are the arguments. `events` lists all classes
    of events. Moves are requests, events are facts; both are made with `@value`. Nothing outside a game's package knows
    the names of its events, their fields, its phases or the keys of its views, but for those that this record declares.

    *A game is played in rounds of four steps.*

    1. `consequences(state)` gives the events that must happen by themselves. It is asked again until it gives none.
    2. `outcome(state)` is None until the game is over; from then on nobody is to act.
    3. `to_act(state)` gives the seats that are waited for; any of them may move first. It is `(CHANCE,)` where chance
       is to answer what `ask(state)` asks.
    4. `decide(state, seat, move)` gives the events of a legal move, one at least. The answer of chance is a move of the
       seat `CHANCE`.

    `evolve(state, event)` takes in each event before anything else is asked. It assigns to the state, which its caller
    owns, and decides nothing: what was decided is in the event, so that a change of the rules changes no old match.

    `start(options, seats, last)` gives the state before the first event; `last` is the final state of the game before
    it in a series, or None. `legal(state, seat)` gives the legal moves as choices, of any seat at any time; none where
    there are none. `refusal(state, seat, move)` gives the code for a move that no choice admits: one of
    `domain.core.refusals.COMMON`, or of `words.refusals`. `phase(state)` names what is going on, in a word.

    *A state* is a dataclass that is `Copied`, of records, tuples and plain values, so that it can be kept. Fields that
    follow from the options are `Compiled`. The server has a state that knows every card. Each seat, and the spectators,
    have one of their own, made by the same `evolve` from the events as they were shown them: secret fields of others
    are None there (`domain.core.visibility`), and unseen cards are backs. What a seat may do, and whose turn it is,
    must be the same by both.

    *What is shown.* `view(state, seat)` gives the table as JSON, with keys of the game's choice. Where its hint names a
    `TypedDict`, that describes the table to clients, with the docstrings below its keys. `scene(state, seat)` gives
    it as zones to be drawn. Both get the reader's own state; the seat is None for a spectator.

    *A game may bring* more than the common types. A leaf type of its own, as of dominoes, is a `NewType` of a number or
    a text, to which `written_as` of `domain.core.types` gives the form in which clients, the log and records write it.
    A kind of moves that the classes of `domain.core.choices` do not describe has a class of its own, a `Choice`. Chance
    may be asked for what the game draws itself, by `Drawing`. The class of a move has a `title`, a `ClassVar`, where
    people call it otherwise than its name does.

    *A hand* begins with the event `lifecycle.hand_starts`, and with a question to chance, before it or after it. The
    event has no secrets; the cards come in another after it, for secrets belong to the hand that is on. The events that
    end a hand come in a batch of their own from `consequences`. Games and hands are counted from 1 through the whole
    match.

    *For proof*, `deal` deals once more from a seed, by the events alone; `answers.move_of` reads moves off events, so
    that all can be judged again. `rules` is the version of the rules. It rises when the same moves would make other
    events; old records are then no longer judged by them.

    `leaving` and `timing` say what happens when a player gives up, or time is over. The records with a default are for
    what some games need: something that seats bring to the lobby, facts for standing orders, events that fade.
    At start, the declaration of an installed game is checked and a short game played; `dealt check-game` checks more.
    """

    name: str
    setup: Setup[O]
    moves: Mapping[str, type]
    events: tuple[type, ...]
    lifecycle: Lifecycle
    answers: Answers[M, E]
    leaving: Leaving[S, E]
    timing: Timing[S, M, E]
    words: Words[O, E]
    start: Callable[[O, int, S | None], S]
    to_act: Callable[[S], tuple[Seat, ...]]
    ask: Callable[[S], Ask]
    legal: Callable[[S, Seat], Choices]
    refusal: Callable[[S, Seat, M], str]
    decide: Callable[[S, Seat, M], tuple[E, ...]]
    consequences: Callable[[S], tuple[E, ...]]
    evolve: Callable[[S, E], None]
    outcome: Callable[[S], Outcome | None]
    phase: Callable[[S], str]
    view: Callable[[S, Seat | None], View]
    scene: Callable[[S, Seat | None], Scene]
    deal: DealCheck
    rules: str = "1"
    entry: Entry[S, E] | None = None
    facts: Facts[S] = field(default_factory=Facts)
    memory: Memory[S, E] | None = None


AnyGame = Game[Any, Any, Any, Any]


def gains_for(game: AnyGame, cards: Collectibles | None) -> bool:
    """Return whether a match of a game brings players gains for tables with these cards."""
    return game.lifecycle.gains is not None and game.setup.cards is cards


def is_admitted(choices: Choices, move: Any) -> bool:
    """Return whether one of the choices allows the move."""
    return any(choice.admits(move) for choice in choices)


def check_move(game: Game[Any, S, M, Any], state: S, seat: Seat, move: M) -> None:
    """Raise `Refused` unless the seat may make this move now."""
    if not is_admitted(game.legal(state, seat), move):
        raise refusal_of(game, state, seat, move)


def refusal_of(game: Game[Any, S, M, Any], state: S, seat: Seat, move: M) -> Refused:
    """Return the refusal of a move that is not legal."""
    return Refused(game.refusal(state, seat, move), game.words.explain(state, seat, move))


def play_move(game: Game[Any, S, M, E], state: S, seat: Seat, move: M) -> tuple[S, list[E]]:
    """Make a legal move; return the new state and all events. `state` does not change."""
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
    """Return the state after the events; `state` does not change."""
    state = state.copy()
    for event in events:
        game.evolve(state, event)
    return state


def seen_by(game: Game[Any, S, Any, E], state: S, events: Iterable[E], seat: Seat | None) -> S:
    """Return the state as this seat knows it: the same fold, over the events as it was shown them."""
    return fold(game, state, (view_event(event, seat) for event in events))


def answer_chance(ask: Ask, rng: Random) -> Any:
    """Let a random generator answer for chance, in tests and simulations, never in a match."""
    return ask.sample(rng)


def highest_wins(scores: Iterable[int], gave_up: Collection[Seat] = (), reason: str = "played") -> Outcome:
    """Return the outcome of a game won by the most points; seats that resigned come last."""
    row = tuple(scores)
    places = rank_lowest_first(1 - min(row) if seat in gave_up else -score for seat, score in enumerate(row))
    winners = tuple(seat for seat, place in enumerate(places) if place == 1 and seat not in gave_up)
    return Outcome(winners, places, row, reason)


def drawn_outcome(scores: Iterable[int], reason: str = "played") -> Outcome:
    """Return the outcome of a game without a winner."""
    row = tuple(scores)
    return Outcome((), (1,) * len(row), row, reason)


def rank_lowest_first(scores: Iterable[int]) -> tuple[int, ...]:
    """Return the places for scores of which the lowest is best; equal scores share a place."""
    row = tuple(scores)
    return tuple(1 + sum(other < mine for other in row) for mine in row)
