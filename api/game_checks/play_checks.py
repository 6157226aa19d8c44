"""Plays a game by its record, and checks at each move that the record declares what happens.

The moves and the answers of chance are drawn by the generator given, so that the same one finds the same faults.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final

from api.game_checks.choice_checks import draw_move
from api.game_checks.deal_checks import DealtAgain, as_recorded, dealt_again
from api.game_checks.event_checks import check_events, check_stored_form, check_text
from api.game_checks.hand_checks import check_answer_event, follow_hand
from api.game_checks.moment_checks import acting, check_questions, check_stopping
from api.game_checks.safe_calls import CheckedTable, CheckFailed, call, run
from api.game_checks.subject import PlayedMove, Subject, answer_chance
from domain.core.cards import Seat
from domain.core.game import CHANCE
from domain.core.type_faults import name_value
from domain.core.types import parse_hint
from domain.core.values import is_same
from domain.core.visibility import Secrecy, secret_fields, view_event

MOVES: Final = 150
"""A game is played for at most this many moves, the answers of chance among them."""

GAMES: Final = 2
"""So many games of a series are played."""

BATCHES: Final = 100
"""The consequences of one move come in at most this many batches."""

PROBES: Final = 4
"""So many of the subject's probes each seat tries at a moment."""

SELDOM: Final = 25
"""The number of moves of one phase after which everything is asked again."""


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
        raise CheckFailed("setup.most_hands", f"{most} is no number of hands.")
    if game.lifecycle.staking is not None and call(game, "lifecycle.staking.stack", options) < 0:
        raise CheckFailed("lifecycle.staking.stack", "A stack cannot have less than no chips.")
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
            check_questions(table, _probes(subject, table))
        if call(game, "outcome", table.state) is not None:
            return
        if everything and made:
            check_stopping(table, options)
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
    seat = table.rng.choice(acting(table))
    if seat == CHANCE:
        asked = call(table.game, "ask", table.state)
        move = run("ask", answer_chance, subject, table.state, asked, table.rng)
        dealt.note(asked, move)
    elif (policy := policies[seat]) is not None:
        move = policy(table.own[seat], seat, table.rng)
    elif choices := call(table.game, "legal", table.own[seat], seat):
        move = draw_move(table.rng.choice(choices), table.rng)
    else:
        raise CheckFailed("legal", f"Seat {seat} is to act, and has no legal move.")
    before, own = table.state.copy(), [table.own[reader].copy() for reader in table.seats]
    batch = call(table.game, "decide", table.state, seat, move)
    if not is_same(before, table.state):
        raise CheckFailed("decide", "It changes the state that it is given.")
    if not batch:
        raise CheckFailed("decide", f"{name_value(move)} makes no event.")
    happened = _happen(table, "decide", batch)
    if is_same(before, table.state):
        raise CheckFailed("evolve", f"After {name_value(happened[0])} the state is as it was before.")
    dealt.see(happened)
    _check_move_of(table.game, before, seat, batch)
    if seat != CHANCE:
        check_answer_event(table, seat, happened)
    return PlayedMove(options, before, own, seat, move, happened, table.state.copy(), table.game_no)


def _happen(table: CheckedTable, at: str, batch: Sequence[Any]) -> list[Any]:
    """Apply events with their consequences, and return them all. Raise `CheckFailed`."""
    happened: list[Any] = []
    for _ in range(BATCHES):
        check_events(table.game, at, batch)
        for event in batch:
            follow_hand(table, at, event)
            check_stored_form(table.game, event, len(table.seats))
            check_text(table.game, event, len(table.seats))
            _evolve(table, event)
        happened += batch
        at, batch = "consequences", call(table.game, "consequences", table.state)
        if not batch:
            return happened
    raise CheckFailed(at, f"After {name_value(happened[0])} they do not end.")


def _evolve(table: CheckedTable, event: Any) -> None:
    """Apply an event to the state, and to each reader's own state as the reader is shown it."""
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
