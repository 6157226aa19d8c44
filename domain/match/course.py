"""Carries out commands: returns their events and all that follow, until the match waits for an answer."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from domain.core.clock import Time
from domain.core.game import CHANCE, AnyGame, Refused
from domain.match import status, take_backs
from domain.match.admit import Admitted
from domain.match.clocks import request_decisions
from domain.match.creation import MatchCreated
from domain.match.decide import COMMANDS, decide
from domain.match.evolve import evolve
from domain.match.match_parts import ENDS_UNDO, OF_NO_HAND, OPENED_WITH_HAND
from domain.match.match_results import end_match, game_won
from domain.match.match_shuffles import begin_epoch, commit_shuffles, disclose_seed
from domain.match.move_signatures import CauseSealed, MoveSigned
from domain.match.move_texts import in_text
from domain.match.seating import Coming, entry_fault, start_match
from domain.match.stakes import BringStacks, are_played, take_stacks_away
from domain.match.state import Chance, Match, RecordedEvent, initial_match


def consequences(m: Match, chance: Chance, now: Time) -> tuple[Any, ...]:
    """Return the next automatic events: a start, a disclosure, a deal, or the end of a trick, game or match."""
    if m.over:
        return ()
    if m.status == "lobby":
        return start_match(m, now)
    if m.take_backs.asked_by is not None and not take_backs.asked_to_grant(m):
        return tuple(take_backs.take_back_move(m, m.take_backs.asked_by, now))
    if m.table is not None and not m.series.judged and m.game.outcome(m.table) is not None:
        return (game_won(m),)
    if status.waits_for_group(m):
        return ()
    return disclose_seed(m, chance) or _next_play_events(m, chance, now) or request_decisions(m, now)


def _next_play_events(m: Match, chance: Chance, now: Time) -> tuple[Any, ...]:
    stakes = m.stakes
    game = m.game
    if (m.stopped or status.is_deserted(m)) and status.is_game_on(m):
        return tuple(game.leaving.stop(m.table, (), "abandoned"))
    if status.verdict(m):
        return end_match(m) if stakes.arrived is None or stakes.left else take_stacks_away(m)
    between = m.table is None or m.series.judged
    table = game.start(m.options, len(m.seats), m.table) if between else m.table
    if between and stakes.arrived is not None and game.lifecycle.staking is not None:
        return tuple(game.lifecycle.staking.opening(table, stakes.arrived))
    if between and game.entry is not None:
        return tuple(game.entry.opening(table, m.entries))
    if events := game.consequences(table):
        return tuple(events)
    if game.to_act(table) != (CHANCE,) or status.is_paused(m):
        return ()
    if not m.hand_open and (waiting := begin_epoch(m, chance, now)) is not None:
        return waiting
    if not m.hand_open and game.timing.before_hand and (events := game.timing.before_hand(table, now)):
        return tuple(events)
    nonces = m.group.shared or status.nonces_of(m)
    answer = chance.answer(game.ask(table), m.shuffles.epoch, m.shuffles.links, status.link_of_hand(m), nonces)
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
    if admitted.signature is not None:
        events = (MoveSigned(seat, in_text(m.game, command), admitted.signature), *events)
    if cause in _OWN and m.common.standing_orders and type(command) not in COMMANDS:
        events += (CauseSealed(seat, cause),)
    yield take_backs.add_undo_lost(m, events, take_backs.acts_losing_undo(m.game, ENDS_UNDO)), _OWN.get(cause, cause)
    if events:
        yield from _settling(m, chance, now)


_OWN: Mapping[str, str] = {"move": "move", "order": "move"}
"""The public cause of each cause of a person's move."""


def _settling(m: Match, chance: Chance, now: Time) -> Steps:
    while events := consequences(m, chance, now):
        yield take_backs.add_undo_lost(m, events, take_backs.consequences_losing_undo(m.game, ENDS_UNDO)), "auto"


def _happen(m: Match, happening: Steps, happened: list[RecordedEvent]) -> None:
    for events, cause in happening:
        for event in events:
            hand = sealing_hand(m, event)
            evolve(m, event)
            happened.append(RecordedEvent(event, cause, hand))


def sealing_hand(m: Match, event: Any) -> int:
    """Return the number of the hand whose key seals the next event; 0 if it belongs to none (contract 6)."""
    if type(event) in OPENED_WITH_HAND:
        return m.last_hand
    return m.hand_no if m.hand_open and type(event) not in OF_NO_HAND else 0
