"""Asks a game on trial, at one moment of its play, all that may be asked beside a move."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from domain.core.cards import NAMES, Seat
from domain.core.choice_faults import unwritable
from domain.core.declared import called
from domain.core.game import CHANCE, FactKind, admitted
from domain.core.options import misfit
from domain.core.refusals import COMMON, MALFORMED
from domain.core.scene import as_json
from domain.core.trial_calls import TrialFailed, TrialTable, ask_of, call, run
from domain.core.trial_choices import drawn, offer
from domain.core.types import fields_of, key
from domain.core.where import found, pointers

LONGEST_SECONDS: Final = 366 * 24 * 60 * 60
"""A game may limit a decision to at most this time."""


def ask(table: TrialTable, readers: Sequence[Seat | None]) -> None:
    """Ask all that may be asked now. These readers look at the table. Raises `TrialFailed`."""
    if not set(out := ask_of(table.game, "leaving.out", table.state)) <= {*table.seats}:
        raise TrialFailed("leaving.out", f"{out} are not seats.")
    if not 0 <= (seconds := ask_of(table.game, "timing.seconds", table.state)) <= LONGEST_SECONDS:
        raise TrialFailed("timing.seconds", f"{seconds} is not a number from 0 to {LONGEST_SECONDS:,}.")
    actors = [seat for seat in acting(table) if seat != CHANCE]
    for reader in readers:
        _look(table, reader)
        if reader is not None:
            _point(table, reader)
            offer(table, reader)
            _ask_facts(table, reader)
            _refuse(table, reader, actors)
    for seat in actors:
        _default(table, seat)


def acting(table: TrialTable) -> tuple[Seat, ...]:
    """Give who is to act: nobody, if the game is over, or seats that have a legal move. Raises `TrialFailed`."""
    actors: tuple[Seat, ...] = ask_of(table.game, "to_act", table.state)
    if not actors and call(table.game, "outcome", table.state) is None:
        raise TrialFailed("to_act", "It names no seat, and the game is not over.")
    if len(set(actors)) != len(actors):
        raise TrialFailed("to_act", f"{actors} names a seat twice.")
    for seat in actors:
        if seat != CHANCE and seat not in table.seats:
            raise TrialFailed("to_act", f"There is no seat {seat}.")
    for seat in table.seats:
        _answers(table, seat, asked=seat in actors)
    return actors


def _answers(table: TrialTable, seat: Seat, *, asked: bool) -> None:
    """See that a seat has moves that answer what it is asked, and none if it is asked nothing. Raises `TrialFailed`."""
    legal = ask_of(table.game, "legal", table.own[seat], seat)
    answers = [choice.make for choice in legal if choice.make not in table.game.answers.off_turn]
    if asked and not answers:
        raise TrialFailed("legal", f"Seat {seat} is to act, and has no legal move.")
    if answers and not asked:
        raise TrialFailed("legal", f"Seat {seat} is not to act, and {answers[0].__name__} is not in answers.off_turn.")


def declared(game: Any, at: str, events: Sequence[Any]) -> None:
    """See that events are of the types that the record and their fields declare. Raises `TrialFailed`."""
    for event in events:
        kind = type(event)
        if kind not in game.events:
            raise TrialFailed(at, f"{kind.__name__} is not among the events.")
        if wrong := misfit(event):
            raise TrialFailed(at, f"{kind.__name__}.{wrong[0]} is not of its type.")


# --- What readers see ---------------------------------------------------------------------------------


def _look(table: TrialTable, reader: Seat | None) -> None:
    game, own = table.game, table.own[reader]
    if odd := unwritable(ask_of(game, "view", own, reader)):
        raise TrialFailed("view", f"It holds {called(odd[0])}, which cannot be written as JSON.")
    scene = ask_of(game, "scene", own, reader)
    if scene.seat != reader:
        raise TrialFailed("scene", f"Its seat is {scene.seat}, and it is drawn for {reader}.")
    if [shown.seat for shown in scene.seats] != [*table.seats]:
        raise TrialFailed("scene", "It does not show each seat once, in their order.")
    if len({zone.id for zone in scene.zones}) != len(scene.zones):
        raise TrialFailed("scene", "Two zones have the same id.")
    if scene.phase != ask_of(game, "phase", own):
        raise TrialFailed("scene", f"Its phase is {scene.phase!r}, and that of the game is not.")


def _point(table: TrialTable, seat: Seat) -> None:
    """See that where moves lie is in the scene."""
    game, own = table.game, table.own[seat]
    scene, where = as_json(ask_of(game, "scene", own, seat)), ask_of(game, "answers.where", own, seat)
    for cls, lie in where.items():
        if odd := [name for name in lie if name and name.split(".")[0] not in map(key, fields_of(cls))]:
            raise TrialFailed("answers.where", f"{cls.__name__} has no argument {odd[0]}.")
    for choice in ask_of(game, "legal", own, seat):
        for pointer in pointers(where.get(choice.make, {})):
            try:
                found(scene, pointer)
            except (LookupError, ValueError):
                said = f"{called(pointer)} of {choice.make.__name__} is not in the scene."
                raise TrialFailed("answers.where", said) from None


# --- What a seat may do -------------------------------------------------------------------------------


def _default(table: TrialTable, seat: Seat) -> None:
    game = table.game
    move = ask_of(game, "timing.default", table.state, seat)
    if not run("legal", admitted, ask_of(game, "legal", table.state, seat), move):
        raise TrialFailed("timing.default", f"{called(move)} is not legal for seat {seat}.")
    if type(move) in game.answers.off_turn:
        raise TrialFailed("timing.default", f"{called(move)} does not answer what seat {seat} is asked.")


def _refuse(table: TrialTable, seat: Seat, actors: Sequence[Seat]) -> None:
    """Let the seat make moves that are legal for the seats to act."""
    game, own = table.game, table.own[seat]
    legal = ask_of(game, "legal", own, seat)
    for actor in actors:
        for choice in ask_of(game, "legal", table.own[actor], actor):
            move = drawn(choice, table.rng)
            if run("legal", admitted, legal, move):
                continue
            code = ask_of(game, "refusal", own, seat, move)
            if code not in {*COMMON, *MALFORMED, *game.words.refusals}:
                raise TrialFailed("refusal", f"{code!r} is neither a common code nor one of words.refusals.")


# --- Facts for standing orders ------------------------------------------------------------------------


def _ask_facts(table: TrialTable, seat: Seat) -> None:
    game, own = table.game, table.own[seat]
    known = ask_of(game, "facts.known", own, seat)
    for name, fact in known.items():
        if name not in game.facts.kinds:
            raise TrialFailed("facts.known", f"{name!r} is not among facts.kinds.")
        if fact is not None and not _IS_OF[game.facts.kinds[name]](fact):
            raise TrialFailed("facts.known", f"{name!r} is {called(fact)}, and no {game.facts.kinds[name].value}.")
    if game.facts.phases and seat in game.to_act(own) and known.get("phase") not in game.facts.phases:
        raise TrialFailed("facts.known", f"The phase {known.get('phase')!r} is not among facts.phases.")
    for cls in game.facts.completes:
        move = ask_of(game, "facts.completed", own, seat, cls) if seat in game.to_act(own) else None
        if move is not None and type(move) is not cls:
            raise TrialFailed("facts.completed", f"{called(move)} is no {cls.__name__}.")


def _is_card(x: Any) -> bool:
    return isinstance(x, str) and x in NAMES


_IS_OF: Final[Mapping[FactKind, Any]] = {
    FactKind.NUMBER: lambda x: type(x) is int,
    FactKind.WORD: lambda x: isinstance(x, str),
    FactKind.SUIT: lambda x: isinstance(x, str),
    FactKind.CARD: _is_card,
    FactKind.CARDS: lambda x: isinstance(x, list | tuple) and all(map(_is_card, x)),
}


# --- Giving up ----------------------------------------------------------------------------------------


def stop(table: TrialTable) -> None:
    """Stop the game as it stands: a seat gives it up, or it is drawn. Raises `TrialFailed`."""
    _stop(table, (table.rng.choice(table.seats),), "resignation")
    _stop(table, (), "draw")


def _stop(table: TrialTable, gave_up: tuple[Seat, ...], reason: str) -> None:
    """Stop a copy of the game: who gave up does not win, and a game that nobody gave up has no winner."""
    game, at = table.game, "leaving.stop"
    events, state = call(game, at, table.state, gave_up, reason), run("start", table.state.copy)
    declared(game, at, events)
    for event in events:
        call(game, "evolve", state, event)
    outcome = call(game, "outcome", state)
    if outcome is None:
        raise TrialFailed(at, "After it the game is not over.")
    if {len(outcome.places), len(outcome.scores)} != {len(table.seats)}:
        raise TrialFailed("outcome", "It has not a place and a score for each seat.")
    if set(gave_up) & set(outcome.winners) or (outcome.winners and not gave_up):
        raise TrialFailed(at, f"Seats {outcome.winners} win a game that {gave_up or 'nobody'} gave up.")
    if game.lifecycle.gains is not None and len(gained := call(game, "lifecycle.gains", state)) != len(table.seats):
        raise TrialFailed("lifecycle.gains", f"{gained} does not give each of {len(table.seats)} seats what it gains.")
