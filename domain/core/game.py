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
    """Return True for all options."""
    return True


def no_fault(options: Any, brought: Any) -> None:
    """Return None: the rules allow every entry."""


def no_explanation(state: Any, seat: Seat, move: Any) -> str:
    """Return an empty text: the sentence of a refusal's code is enough."""
    return ""


def no_prompt(state: Any, seat: Seat) -> str:
    """Return an empty text: the game has no prompts."""
    return ""


def no_bad_options(options: Any, seats: int) -> Mapping[str, str]:
    """Return no faults: all combinations of options are valid."""
    return {}


def never_shorter(options: Any, seats: int) -> None:
    """Return None: no options make a game shorter."""


@value
class Variant:
    """A named combination of options: its code, the `slugs` of its rules, and `text` in words."""

    code: str
    slugs: tuple[str, ...]
    text: str


@value
class Setup(Generic[O]):
    """The choices before play: the numbers of seats, up to 32, and the options, a dataclass with defaults.

    `resolve(given, seats)` completes the given options. `bad_options(options, seats)` names invalid combinations, with
    a sentence each. `endless(options, seats)` names options with which bots might never end a game without people; such
    a match is not created. `most_hands(options, seats)` bounds the hands of one game, or returns None.

    `sides(options, seats)` returns the side of each seat; seats of one side win together. `may_chat(options)` returns
    whether the players may chat during play. A game that is not `winnable` has no winner, and a match is one such game.
    `deciding(options, seats)` returns the options for a game that decides a tie, which is one hand or as short as
    possible. It returns None if every game is equally short, or if a hand does not include all seats.

    `variants` are named tables of options, to be listed. `written` describes other accepted forms of options as JSON
    Schema, if `resolve` accepts more than their types. `titles` are display names of choices, by option, and
    `preset_titles` those of presets. `usual_preset` is the preset to offer people first, if it is not the defaults.
    `minutes` is the usual length of a match between people.

    `cards` are the collectible cards of the game, if any; all games on a server share one set of them. `strengths` are
    the figures for ratings.
    """

    seats: range
    # The number of seats if the creator of a match names none.
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
    """Names the events that begin and end games and hands, and the fields that number them.

    `tricks` names the events that carry the number of a trick, with the field, as marks for replay. `moments` are other
    marks, by kind, such as `turn`. For each type of event, a function of the event's public fields (as JSON) returns
    the mark in a few words, without a capital, or an empty text.

    `begun_alike(data)` returns the options with which a new match begins with the same kind of hand; `data` are the
    public fields of the event that began it. `gains(state)` returns each seat's gains from a finished game, which it
    can bring to other matches; their type is that of the other game's entry, None for nothing. `staking` defines play
    with stacks that move between tables, if possible.
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
    """Defines which events answer the decisions of seats.

    `by` maps each type of event with a seat's answer to the field that names the seat; only these events stop clocks.
    `move_of(event)` returns the seat and the move that a commit's first event records, with defaults resolved; None if
    it records no move. `takes_back` are the types that can be undone: they reveal nothing new to their seat. `off_turn`
    are the moves that answer no decision; a seat can make them at any time. `where(state, seat)` points from the
    arguments of a seat's moves into its scene.
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

    `event` is the type of event that records it: a seat, then one field of `Private`, with the name and type of the
    argument in the API. `opening(state, brought)` begins a game with each seat's entry, None for no entry.
    `fault(options, brought)` returns why the rules do not admit an entry, or None.

    `backing(options)` returns where the entry must come from, if the player must own it before the match.
    `backed(options, brought, there)` gets the owned data, and returns the entry or raises `Refused`. For a collection
    it is called only with an entry, for another match always. Records contain no outside data: `backed` is called when
    a player sits down, and verifiers call only `fault` again.

    `refusals` are the codes of the game with which `fault` and `backed` refuse.

    `prepared` are the options of tournament tables that use gains from before the first round, by the preset of the
    preparation; the empty name is for all other presets, and None for an impossible one. `gained` are the same for a
    match that uses the gains of another match.
    """

    event: type
    opening: Callable[[S, tuple[Any, ...]], tuple[E, ...]]
    fault: Callable[[Any, Any], Reason | None] = no_fault
    backing: Callable[[Any], Backing] = needs_no_backing
    backed: Callable[[Any, Any, Any], Any] = kept_as_brought
    refusals: Collection[str] = ()
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
    """The kinds of facts that standing orders can test."""

    NUMBER = "number"
    WORD = "word"
    SUIT = "suit"
    CARD = "card"
    CARDS = "cards"


def no_facts(state: Any, seat: Seat) -> Mapping[str, Any]:
    """Return no facts."""
    return {}


def not_completed(state: Any, seat: Seat, move: type, card: Card | None = None) -> Any:
    """Return None: the game completes no moves."""
    return None


@value
class Facts(Generic[S]):
    """Facts are the vocabulary of standing orders in a game.

    `kinds` names the facts with their kinds. A fact with the name of a key of the view is taken from the view.
    `known(state, seat)` returns the other facts that the seat knows now, and replaces those that differ from the view.
    Cards and suits are text; unknown facts are None or missing.

    Three names have a special meaning: `phase`, a word, is one of `phases` with decisions (if `phases` is empty, orders
    can name any). Orders choose cards by `led`, a suit, and `winning`, a card. `completed(state, seat, move, card)`
    returns a move of this class, with this card if given, and the usual other arguments. `completes` are the classes
    that need no card.
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
    """The texts of a game for people.

    `text(event)` describes an event in one line, and `about(options, seats)` the configured rules in a few sentences.
    `text_at(event, state)` describes an event that names objects of the table, for a reader who knows this state. The
    state is that after the event, or a later one of the same hand, whose later events the text must not reveal.

    `summary` describes the game to new players in two sentences; if it is empty, `about` does. `rulebook` is the
    package of the game, with `rulebook.md`, and `bot.py` if it has a bot. `refusals` are the codes of `refusal` in
    addition to the common ones; the same code means the same in all games. `explain(state, seat, move)` explains a
    refused move in a sentence from the knowledge of its seat, or returns an empty text. `prompt(state, seat)` asks a
    seat for its decision, in at most twelve words without a full stop. `unseen` names the cards that only the
    disclosure of a shuffle shows. `hand_history` are the codes of a poker game in the format Poker Hand History; no two
    games share a code.
    """

    title: str
    text: Callable[[E], str]
    about: Callable[[O, int], str]
    rulebook: str
    summary: str = ""
    refusals: Mapping[str, Refusal] = field(default_factory=dict)
    explain: Callable[[Any, Seat, Any], str] = no_explanation
    prompt: Callable[[Any, Seat], str] = no_prompt
    unseen: str = ""
    text_at: Callable[[E, Any], str] | None = None
    hand_history: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Game(Generic[O, S, M, E]):
    """A game: its rules as pure functions, with small structures for the rest.

    `name` is its code, of small letters, digits and underscores. `setup` has the options and the numbers of seats.
    `moves` maps the name of each move in the API to its class; its fields are the arguments. `events` lists all classes
    of events. Moves are requests, events are facts; both are made with `@value`. Other packages know the names of its
    events, their fields, its phases and the keys of its views only from this declaration.

    *A game is played in rounds of four steps.*

    1. `consequences(state)` returns the automatic events. It is called again until it returns none.
    2. `outcome(state)` is None until the game is over; from then on no seat is to act.
    3. `to_act(state)` returns the seats that the game waits for; any of them may move first. It is `(CHANCE,)` if
       chance must answer the question that `ask(state)` returns.
    4. `decide(state, seat, move)` returns the events of a legal move, at least one. The answer of chance is a move of
       the seat `CHANCE`.

    `evolve(state, event)` applies each event before any other function is called. It assigns to the state, which its
    caller owns, and decides nothing. Decisions are in the events, so that a change of the rules changes no old match.

    `start(options, seats, last)` returns the state before the first event; `last` is the final state of the previous
    game in a series, or None. `legal(state, seat)` returns the legal moves as choices, for any seat at any time; empty
    if there are none. `refusal(state, seat, move)` returns the code for a move that no choice admits: one of
    `domain.core.refusals.COMMON`, or of `words.refusals`. `phase(state)` names the current phase in a word.

    *A state* is a `Copied` dataclass of dataclasses, tuples and plain values, so that it can be stored. Fields that
    follow from the options are `Compiled`. The server has a state with every card. Each seat, and the spectators, have
    their own state, made by the same `evolve` from the events as they see them: secret fields of others are None
    (`domain.core.visibility`), and unseen cards are backs. Legal moves and turns must be the same in both.

    *Output.* `view(state, seat)` returns the table as JSON, with keys of the game's choice. If its return type is a
    `TypedDict`, that describes the table to clients, with the docstrings below its keys. `scene(state, seat)` returns
    the zones to draw. Both get the reader's own state; the seat is None for a spectator.

    *A game can define* its own types. A leaf type, such as a domino, is a `NewType` of a number or a text; `written_as`
    of `domain.core.types` sets its form for clients, the log and records. A `Choice` class describes moves that
    `domain.core.choices` does not cover. `Drawing` asks chance for the game's own kind of draw. The class of a move can
    have a `title`, a `ClassVar`, as its display name.

    *A hand* begins with the event `lifecycle.hand_starts`, and with a question to chance before or after it. The event
    has no secrets; the cards follow in another event, since secrets belong to the running hand. The events that end a
    hand are a separate batch from `consequences`. Games and hands are counted from 1 through the whole match.

    *For proof*, `deal` repeats the deal from a seed and the events, and `answers.move_of` reads moves from events, so
    that everything can be judged again. `rules` is the version of the rules. Raise it when the same moves would make
    other events; old records are then no longer judged by them.

    `leaving` and `timing` define what happens when a player resigns, or time runs out. The structures with a default
    are optional: entries to the lobby, facts for standing orders, fading events. At start, the declaration of an
    installed game is checked and a short game played; `dealt check-game` checks more.
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


def shown_facts(game: AnyGame, table: View) -> dict[str, Any]:
    """Return the facts that a view shows under the same names."""
    return {name: table[name] for name in game.facts.kinds if name in table}


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
    """Return a random answer to a game's question. For tests and simulations, never for a match."""
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
