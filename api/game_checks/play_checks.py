"""Plays a game, and checks at each move that its definition declares what happens.

Its hands are followed by the declared events. Its deals are repeated, and the game's own check
of deals must find nothing wrong.

The moves and the answers of chance are drawn by the generator given, so that the same one finds the same faults.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from json import dumps, loads
from random import Random
from typing import Any, Final

from api.game_checks import moment_checks
from api.game_checks.safe_calls import CheckedTable, CheckFailed, call, run
from api.game_checks.subject import PlayedMove, Subject, answer_chance
from domain.core.cards import SUITS, Seat, Suit
from domain.core.choices import Ask, argument, argument_name
from domain.core.dealing import Dealing
from domain.core.game import CHANCE
from domain.core.json_form import JsonForm, apply, as_object, as_text, compile_form
from domain.core.type_faults import name_value
from domain.core.types import Typed, fields_of, parse_hint
from domain.core.values import is_same, value
from domain.core.visibility import Reader, Secrecy, secret_fields, view_event

MOVES: Final = 150
"""Maximum moves of a checked game, including the answers of chance."""

GAMES: Final = 2
"""The number of games of a series that are played."""

BATCHES: Final = 100
"""Maximum batches of consequences of one move."""

PROBES: Final = 4
"""The number of the subject's probes that each seat tries at a moment."""

SELDOM: Final = 25
"""The number of moves of one phase after which all checks run again."""


@value
class WrittenEvent:
    """An event in the form that a record holds."""

    data: Mapping[str, Any]
    parts: Mapping[str, Mapping[Reader, Any]]


@dataclass(slots=True)
class DealtAgain:
    """Holds the answers of chance, by purpose and number, and the game's memory of its deals."""

    game: Any
    dealing: Dealing
    answers: dict[tuple[str, int], tuple[Ask, Any]] = field(default_factory=dict)
    compared: set[str] = field(default_factory=set)
    """The purposes of the answers that a check of the deals has asked for."""

    def note(self, ask: Ask, move: Any) -> None:
        """Keep an answer of chance."""
        self.answers[ask.purpose, ask.n] = (ask, move)

    def see(self, events: Sequence[Any]) -> None:
        """Compare the events with the answers, as a verifier does. Raise `CheckFailed`."""
        life = self.game.lifecycle
        for event in events:
            kind, fact = type(event), _written(event, self.dealing.seats)
            if kind is life.hand_starts:
                self.dealing.hands, self.dealing.started = self.dealing.hands + 1, fact.data
            if kind in (life.game_starts, life.hand_starts):
                self.remember_anew()
            if kind in self.game.deal.sees:
                run(f"deal.sees[{kind.__name__}]", self.game.deal.sees[kind], self.dealing, fact)

    def end(self) -> None:
        """Check that every answer of chance was compared with an event. Raise `CheckFailed`."""
        for purpose in sorted({purpose for purpose, _ in self.answers} - self.compared):
            raise CheckFailed("deal.sees", f"No event is compared with the answers of chance for {purpose!r}.")

    def remember_anew(self) -> None:
        """Forget the cards that were cut, and rebuild the memory of the game's deals."""
        self.dealing.cuts = []
        fresh = self.game.deal.fresh
        self.dealing.known = run("deal.fresh", fresh) if fresh else None


def dealt_again(game: Any, options: Mapping[str, Any], seats: int) -> DealtAgain:
    """Return a second dealer, before the first game."""
    again = DealtAgain(game, Dealing(seats, options, lambda ask, link: None))
    again.dealing.answer = lambda ask, link: _answer(again, ask)
    again.remember_anew()
    return again


def _answer(again: DealtAgain, asked: Ask) -> Any:
    if (asked.purpose, asked.n) not in again.answers:
        raise ValueError(f"chance was not asked for {asked.purpose!r}, number {asked.n}")
    again.compared.add(asked.purpose)
    ask, move = again.answers[asked.purpose, asked.n]
    hint = fields_of(ask.make)[argument_name(ask.make)]
    items = getattr(asked, "items", None)
    if items is not None and list(items) != as_recorded(hint, getattr(ask, "items", ())):
        raise ValueError(f"chance was asked to shuffle other things for {asked.purpose!r}")
    return as_recorded(hint, argument(move))


def _written(event: Any, seats: int) -> WrittenEvent:
    kind: Any = type(event)
    shape = moment_checks.shape_of(kind)
    return WrittenEvent(*loads(dumps((shape.data(event), shape.parts(event, seats)))))


def as_recorded(t: Typed, x: Any) -> Any:
    """Return a value as a record has it: cards and suits are names."""
    return loads(dumps(apply(compile_form(t, _leaf, as_object).write, x)))


def _leaf(t: Typed) -> JsonForm | None:
    return JsonForm(SUITS.__getitem__, SUITS.index) if t.of is Suit else as_text(t)


def checked_steps(
    subject: Subject, options: Any, rng: Random, moves: int = MOVES, seldom: int = SELDOM
) -> Iterator[PlayedMove]:
    """Play a series of games with these options, and check each move. Raise `CheckFailed`."""
    game, seats, last = subject.game, subject.seats, None
    kind: Any = type(options)
    _check_options(game, options, seats)
    dealt = dealt_again(game, as_recorded(parse_hint(kind), options), seats)
    hand_no = 0
    for game_no in range(1, GAMES + 1):
        state = call(game, "start", options, seats, last)
        own = {reader: run("start", state.copy) for reader in (*range(seats), None)}
        table = CheckedTable(game=game, state=state, own=own, rng=rng, game_no=game_no, hand_no=hand_no)
        yield from _play(subject, table, dealt, options, moves, seldom)
        last, hand_no = table.state, table.hand_no
        if call(game, "outcome", last) is None:
            _happen(table, "leaving.stop", call(game, "leaving.stop", last, (), "agreed"))
    dealt.end()


def _check_options(game: Any, options: Any, seats: int) -> None:
    """Call once each function that takes the options and the number of seats. Raise `CheckFailed`."""
    for at in ("setup.bad_options", "setup.endless", "setup.deciding", "words.about"):
        call(game, at, options, seats)
    call(game, "setup.may_chat", options)
    if (most := call(game, "setup.most_hands", options, seats)) is not None and most < 1:
        raise CheckFailed("setup.most_hands", f"{most} is not a number of hands.")
    if game.lifecycle.staking is not None and call(game, "lifecycle.staking.stack", options) < 0:
        raise CheckFailed("lifecycle.staking.stack", "A stack cannot be negative.")
    if len(sides := call(game, "setup.sides", options, seats)) != seats:
        raise CheckFailed("setup.sides", f"{sides} does not give each of {seats} seats its side.")


def _play(
    subject: Subject, table: CheckedTable, dealt: DealtAgain, options: Any, moves: int, seldom: int
) -> Iterator[PlayedMove]:
    """Play one game."""
    game, rng = table.game, table.rng
    policies = [rng.choice([*subject.policies.values()] or [None]) for _ in table.seats]
    if game.entry is not None:
        nothing = (None,) * len(table.seats)
        dealt.see(_happen(table, "entry.opening", call(game, "entry.opening", table.state, nothing)))
    phases: set[str] = set()
    for made in range(moves):
        phase = call(game, "phase", table.state)
        everything = phase not in phases or made % seldom == 0
        phases.add(phase)
        if everything:
            moment_checks.check_questions(table, _probes(subject, table))
        if call(game, "outcome", table.state) is not None:
            return
        if everything and made:
            moment_checks.check_stopping(table, options)
        yield _move(subject, table, dealt, options, policies)


def _probes(subject: Subject, table: CheckedTable) -> dict[Seat, Sequence[Any]]:
    if subject.probes is None:
        return {}
    probes = {seat: [*subject.probes(table.state, seat, table.rng)] for seat in table.seats}
    return {seat: table.rng.sample(moves, min(PROBES, len(moves))) for seat, moves in probes.items()}


def _move(
    subject: Subject, table: CheckedTable, dealt: DealtAgain, options: Any, policies: Sequence[Any]
) -> PlayedMove:
    """Make a move for a seat, or answer for chance. Raise `CheckFailed`."""
    seat = table.rng.choice(moment_checks.acting(table))
    if seat == CHANCE:
        asked = call(table.game, "ask", table.state)
        move = run("ask", answer_chance, subject, table.state, asked, table.rng)
        dealt.note(asked, move)
    elif (policy := policies[seat]) is not None:
        move = policy(table.own[seat], seat, table.rng)
    elif choices := call(table.game, "legal", table.own[seat], seat):
        move = moment_checks.draw_move(table.rng.choice(choices), table.rng)
    else:
        raise CheckFailed("legal", f"Seat {seat} is to act, but has no legal move.")
    before, own = table.state.copy(), [table.own[reader].copy() for reader in table.seats]
    batch = call(table.game, "decide", table.state, seat, move)
    if not is_same(before, table.state):
        raise CheckFailed("decide", "It changes the state that it is given.")
    if not batch:
        raise CheckFailed("decide", f"{name_value(move)} makes no event.")
    happened = _happen(table, "decide", batch)
    if is_same(before, table.state):
        raise CheckFailed("evolve", f"After {name_value(happened[0])}, the state is unchanged.")
    dealt.see(happened)
    _check_move_of(table.game, before, seat, batch)
    if seat != CHANCE:
        check_answer_event(table, seat, happened)
    return PlayedMove(options, before, own, seat, move, happened, table.state.copy(), table.game_no)


def _happen(table: CheckedTable, at: str, batch: Sequence[Any]) -> list[Any]:
    """Apply events with their consequences, and return them all. Raise `CheckFailed`."""
    happened: list[Any] = []
    for _ in range(BATCHES):
        moment_checks.check_events(table.game, at, batch)
        for event in batch:
            follow_hand(table, at, event)
            moment_checks.check_stored_form(table.game, event, len(table.seats))
            moment_checks.check_text(table.game, event, len(table.seats))
            _evolve(table, event)
        happened += batch
        at, batch = "consequences", call(table.game, "consequences", table.state)
        if not batch:
            return happened
    raise CheckFailed(at, f"After {name_value(happened[0])}, they never end.")


def _evolve(table: CheckedTable, event: Any) -> None:
    """Apply an event to the true state, and to each reader's state as the reader is shown it."""
    kind: Any = type(event)
    call(table.game, "evolve", table.state, event)
    for reader, state in table.own.items():
        call(table.game, "evolve", state, run("decide", view_event, event, reader))
        if table.game.memory is not None and Secrecy.FADING in secret_fields(kind).values():
            call(table.game, "memory.remembered", state, reader, event)


def _check_move_of(game: Any, before: Any, seat: Seat, batch: Sequence[Any]) -> None:
    """Check that the first event gives the move that was made, which makes these events; chance makes no move."""
    at = "answers.move_of"
    found = call(game, at, batch[0])
    mover, move = (CHANCE, None) if found is None else found
    if mover != seat or (found and [*call(game, "decide", before, mover, move)] != [*batch]):
        raise CheckFailed(at, f"It does not give the move of seat {seat} that {name_value(batch[0])} records.")


def follow_hand(table: CheckedTable, at: str, event: Any) -> None:
    """Check that hands begin and end in turn, end without a move, and are counted. Raise `CheckFailed`."""
    life, kind = table.game.lifecycle, type(event)
    if kind is life.game_starts:
        _check_number("lifecycle.game_no", event, life.game_no, table.game_no)
    if kind in life.tricks:
        at_trick, field = f"lifecycle.tricks[{kind.__name__}]", life.tricks[kind]
        table.trick_no = _check_number(at_trick, event, field, table.trick_no, table.trick_no + 1)
    if kind is life.hand_starts:
        if table.hand_open and life.hand_ends:
            raise CheckFailed("lifecycle.hand_ends", f"{kind.__name__} begins a hand while another has not ended.")
        table.hand_open, table.trick_no = True, 0
        table.hand_no = _check_number("lifecycle.hand_no", event, life.hand_no, table.hand_no + 1)
    elif kind in life.hand_ends:
        if at != "consequences":
            raise CheckFailed(
                "lifecycle.hand_ends", f"{at} returns {kind.__name__}, which only `consequences` may return."
            )
        if not table.hand_open:
            raise CheckFailed("lifecycle.hand_ends", f"{kind.__name__} ends a hand, but none has begun.")
        table.hand_open = False
    elif kind is life.game_ends:
        table.hand_open = False


def _check_number(at: str, event: Any, field: str, *allowed: int) -> int:
    number: int = getattr(event, field)
    if number not in allowed:
        raise CheckFailed(at, f"{type(event).__name__}.{field} is {number}, but must be {allowed[-1]}.")
    return number


def check_answer_event(table: CheckedTable, seat: Seat, happened: Sequence[Any]) -> None:
    """Check that a seat that was asked has answered by an event of `answers.by`. Raise `CheckFailed`."""
    by, first = table.game.answers.by, happened[0]
    if type(first) in by and getattr(first, by[type(first)]) != seat:
        raise CheckFailed("answers.by", f"Seat {seat} has answered, but {name_value(first)} names another seat.")
    if any(type(event) in by for event in happened):
        return
    to_act = {*call(table.game, "to_act", table.state)}  # it is empty once an answer has ended the hand
    if to_act and not {seat, CHANCE} & to_act:
        raise CheckFailed(
            "answers.by", f"Seat {seat} has answered, but {type(happened[0]).__name__} is not in answers.by."
        )
