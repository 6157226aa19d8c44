"""Carries commands out: gives their events and all that must follow, until the match waits for an answer."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from domain.core.cards import Seat
from domain.core.clock import Time, time_after
from domain.core.game import CHANCE, AnyGame, Refused
from domain.match.admit import Admitted
from domain.match.clocks import DecisionRequested, request_decisions
from domain.match.creation import MatchCreated
from domain.match.decide import COMMANDS, decide
from domain.match.events import OF_NO_HAND
from domain.match.evolve import evolve, fold
from domain.match.match_results import end_match, game_won
from domain.match.match_shuffles import begin_epoch, commit_shuffles, disclose_seed
from domain.match.move_signatures import CauseSealed, MoveSigned
from domain.match.seating import Coming, entry_fault, start_match
from domain.match.stakes import BringStacks, are_played, take_stacks_away
from domain.match.state import Chance, Match, RecordedEvent, initial_match
from domain.match.status import (
    decision,
    is_deserted,
    is_game_on,
    is_paused,
    link_of_hand,
    nonces_of,
    running_clock,
    verdict,
    waits_for_group,
)
from domain.match.take_backs import (
    MoveTakenBack,
    acts_losing_undo,
    add_undo_lost,
    asked_to_grant,
    consequences_losing_undo,
)


def consequences(m: Match, chance: Chance, now: Time) -> tuple[Any, ...]:
    """Return the next automatic events: a start, a disclosure, a deal, or the end of a trick, game or match."""
    if m.over:
        return ()
    if m.status == "lobby":
        return start_match(m, now)
    if m.take_back is not None and not asked_to_grant(m):
        return tuple(_taken_back(m, m.take_back, now))
    if m.table is not None and not m.judged and m.game.outcome(m.table) is not None:
        return (game_won(m),)
    if waits_for_group(m):
        return ()
    return disclose_seed(m, chance) or _played(m, chance, now) or request_decisions(m, now)


def _taken_back(m: Match, seat: Seat, now: Time) -> Iterable[Any]:
    """Return the move, with the time that was left for it; the time used by the seat and by others is not returned."""
    assert m.undo is not None
    open_then = zip(m.undo.asked, m.asked, strict=True)
    taken = MoveTakenBack(seat, tuple(None if was is None else now for was, now in open_then))
    left = m.undo.left
    yield taken
    if left is not None:
        again = fold(m, (taken,))
        yield DecisionRequested(seat, decision(again), time_after(running_clock(again), now, left), now)


def _played(m: Match, chance: Chance, now: Time) -> tuple[Any, ...]:
    game = m.game
    if is_deserted(m) and is_game_on(m):
        return tuple(game.leaving.stop(m.table, (), "abandoned"))
    if verdict(m):
        return end_match(m) if m.stakes is None or m.stacks_left else take_stacks_away(m)
    between = m.table is None or m.judged
    table = game.start(m.options, len(m.seats), m.table) if between else m.table
    if between and m.stakes is not None and game.lifecycle.staking is not None:
        return tuple(game.lifecycle.staking.opening(table, m.stakes))
    if between and game.entry is not None:
        return tuple(game.entry.opening(table, m.entries))
    if events := game.consequences(table):
        return tuple(events)
    if game.to_act(table) != (CHANCE,) or is_paused(m):
        return ()
    if not m.hand_open and (waiting := begin_epoch(m, chance, now)) is not None:
        return waiting
    if not m.hand_open and game.timing.before_hand and (events := game.timing.before_hand(table, now)):
        return tuple(events)
    nonces = m.shared or nonces_of(m)
    answer = chance.answer(game.ask(table), m.epoch, m.links, link_of_hand(m), nonces)
    return tuple(game.decide(table, CHANCE, answer))


def create_match(
    game: AnyGame,
    match_id: str,
    created: MatchCreated,
    sit: Iterable[Coming],
    chance: Chance,
    now: Time,
) -> tuple[Match, list[RecordedEvent]]:
    """Create a match with its creator in the requested seat, and with its bots' entries.

    Return the state and the first commit.

    Raise `Refused` if the game does not allow an entry.
    """
    m = initial_match(game, match_id, created)
    sit = tuple(sit)
    for seat, command in sit:
        if isinstance(command, BringStacks):
            if not are_played(m, command.stakes):
                raise Refused("bad_options")
        elif fault := entry_fault(m, seat, command):
            raise Refused(fault.code, fault.sentence)
    happened = [RecordedEvent(created, "move", 0)]
    _happen(m, creation_steps(m, sit, chance, now), happened)
    return m, happened


def carry_out(m: Match, admitted: Admitted, chance: Chance, now: Time) -> tuple[Match, list[RecordedEvent]]:
    """Carry out an admitted command; return the new state and all events. `m` does not change."""
    m = m.copy()
    happened: list[RecordedEvent] = []
    _happen(m, command_steps(m, admitted, chance, now), happened)
    return m, happened


Steps = Iterator[tuple[tuple[Any, ...], str]]
"""This iterator gives groups of events with their cause; its caller evolves the match after each group."""


def creation_steps(m: Match, sit: Iterable[Coming], chance: Chance, now: Time) -> Steps:
    """Return the events that follow the creation of a match."""
    yield (commit_shuffles(m, chance, 1),), "auto"
    for seat, command in sit:
        yield decide(m, seat, command, now), "auto"
    yield from _settling(m, chance, now)


def command_steps(m: Match, admitted: Admitted, chance: Chance, now: Time) -> Steps:
    """Return the events of a command.

    The cause `order`, for a move by a standing order, is not public: the cause of every person's move is sealed.
    """
    seat, command, cause = admitted.seat, admitted.command, admitted.cause
    events = decide(m, seat, command, now)
    if admitted.signed is not None:
        events = (admitted.signed, *events)
    if cause in _OWN and m.common.standing_orders and type(command) not in COMMANDS:
        events += (CauseSealed(seat, cause),)
    yield add_undo_lost(m, events, acts_losing_undo(m.game)), _OWN.get(cause, cause)
    if events:
        yield from _settling(m, chance, now)


_OWN: Mapping[str, str] = {"move": "move", "order": "move"}
"""The causes of a person's move, and the causes that all readers may know."""


def _settling(m: Match, chance: Chance, now: Time) -> Steps:
    while events := consequences(m, chance, now):
        yield add_undo_lost(m, events, consequences_losing_undo(m.game)), "auto"


def _happen(m: Match, happening: Steps, happened: list[RecordedEvent]) -> None:
    for events, cause in happening:
        for event in events:
            hand = sealing_hand(m, event)
            evolve(m, event)
            happened.append(RecordedEvent(event, cause, hand))


def sealing_hand(m: Match, event: Any) -> int:
    """Return the number of the hand whose key seals the next event; 0 if it belongs to none (contract 6)."""
    if type(event) is MoveSigned:
        return m.last_hand
    return m.hand_no if m.hand_open and type(event) not in OF_NO_HAND else 0
