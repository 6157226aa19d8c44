"""Assigns the effects of events to a match, folds events into a match, and describes them in words. Decides nothing."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final

from domain.core import text as words
from domain.core.game import AnyGame
from domain.core.values import put_at
from domain.match.clocks import close_decision
from domain.match.match_part import Step
from domain.match.match_parts import LIFE, PARTS, gather
from domain.match.match_results import GameWon, say_winners
from domain.match.seating import name_game
from domain.match.state import Match, Undo, initial_match

TEXTS: Final = gather(lambda part: part.texts)
_text = words.event_text(TEXTS, gather(lambda part: part.words))


def life_event_text(event: Any, title: str) -> str:
    """Write an event of a match's life in one English line; `title` is that of the game."""
    return _text(name_game(event, title))


def evolve(m: Match, event: Any) -> None:
    """Assign the effects of an event to the match."""
    kind: type = type(event)
    step_of(m.game, m.clocks.timed, m.common.take_backs, kind)(m, event)


@cache
def step_of(game: AnyGame, timed: bool, take_backs: bool, kind: type) -> Step:  # noqa: FBT001 -- keys of a table
    """Return the function that assigns all effects of an event of this type."""
    steps = steps_of(game, timed, take_backs)[kind]
    return steps[0] if len(steps) == 1 else _in_turn(steps)


def _in_turn(steps: tuple[Step, ...]) -> Step:
    def stepped(m: Match, event: Any) -> None:
        for step in steps:
            step(m, event)

    return stepped


@cache
def steps_of(
    game: AnyGame,
    timed: bool,  # noqa: FBT001 -- a key of a table
    take_backs: bool,  # noqa: FBT001 -- a key of a table
) -> Mapping[type, tuple[Step, ...]]:
    """Return the assignments for events of each type: for the game's events, first its own change at the table."""
    cycle = game.lifecycle
    around: dict[type, tuple[Step, ...]] = dict.fromkeys(game.events, (_apply_game_event,))
    around[cycle.game_starts] = (_game_started, _apply_game_event)
    around[cycle.hand_starts] = (_apply_game_event, _hand_starts(cycle.hand_no))
    around |= dict.fromkeys(cycle.hand_ends, (_apply_game_event, _hand_ended))
    around[cycle.game_ends] = (_apply_game_event, _hand_ended, _game_ended)
    answers = game.answers.by if timed else {}
    around |= {kind: (*around[kind], _answers(field)) for kind, field in answers.items()}
    undone = game.answers.takes_back if take_backs else ()
    around |= {kind: (_undoable(game.answers.by[kind]), *around[kind]) for kind in undone}
    around |= {entry.event: (_brings(entry.seat, entry.field),) for entry in [game.entry] if entry}
    return around | {kind: (part.evolve,) for part in PARTS for kind in part.texts}


def _apply_game_event(m: Match, event: Any) -> None:
    m.game.evolve(m.table, event)


def _game_started(m: Match, event: Any) -> None:
    m.table = m.game.start(m.options, len(m.seats), m.table)
    m.draws.offer, m.draws.refused = None, ()
    m.entries = (None,) * len(m.seats)
    m.series.judged = False


def _undoable(field: str) -> Step:
    def undoable(m: Match, event: Any) -> None:
        seat = getattr(event, field)
        m.undo = Undo(seat, m.table.copy(), m.clocks.copy(), None)
        m.take_backs.asked_by, m.take_backs.granted = None, ()

    return undoable


def _brings(seat: str, field: str) -> Step:
    def brought(m: Match, event: Any) -> None:
        m.entries = put_at(m.entries, getattr(event, seat), getattr(event, field))

    return brought


def _hand_starts(field: str) -> Step:
    def hand_started(m: Match, event: Any) -> None:
        m.hand_no, m.hand_open, m.clocks.ready, m.shuffles.begun = getattr(event, field), True, (), m.shuffles.begun + 1
        m.last_hand = m.hand_no
        m.shuffles.undisclosed += ((m.shuffles.epoch, m.shuffles.begun, m.hand_no),)

    return hand_started


def _hand_ended(m: Match, event: Any) -> None:
    clocks = m.clocks
    m.hand_open, clocks.asked = False, (None,) * len(m.seats)
    clocks.on_answer = tuple(zip(clocks.defaults, clocks.moved, strict=True))


def _game_ended(m: Match, event: Any) -> None:
    m.last_hand = 0


def _answers(field: str) -> Step:
    return lambda m, event: close_decision(m, getattr(event, field))


def fold(m: Match, events: Iterable[Any]) -> Match:
    """Return the state after the events; `m` does not change."""
    m = m.copy()
    for event in events:
        evolve(m, event)
    return m


def fold_from_start(game: AnyGame, match_id: str, events: Iterable[Any]) -> Match:
    """Return the state of a match from all its events."""
    stream = iter(events)
    m = initial_match(game, match_id, next(stream))
    for event in stream:
        evolve(m, event)
    return m


def describe_event(game: AnyGame, event: Any, m: Match | None = None, known: Match | None = None) -> str:
    """Write an event of a match in one English line; with the match, name a winning side with all its seats.

    `known` is the match as the reader knows it after the event, or later in its hand, for the names of its objects.
    """
    if m is not None and type(event) is GameWon and event.winner is not None and event.winner in m.seats:
        sides = game.setup.sides(m.options, len(m.seats))
        return say_winners([seat for seat in m.seats if sides[seat] == sides[event.winner]])
    if type(event) in LIFE:
        return life_event_text(event, game.words.title)
    text_at = game.words.text_at
    if known is None or known.table is None or text_at is None:
        return game.words.text(event)
    return text_at(event, known.table)
