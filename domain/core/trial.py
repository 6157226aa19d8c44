"""Plays a game once by its record alone, to find functions that raise or give what is of another type.

The legal moves and the answers of chance are drawn by a generator with a fixed seed, so the same record has the same
faults each time.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final

from domain.core.cards import Seat
from domain.core.declared import ContractFault, called
from domain.core.game import CHANCE
from domain.core.trial_calls import TrialFailed, TrialTable, call, run
from domain.core.trial_choices import drawn
from domain.core.trial_deal import DealtAgain, dealt_again
from domain.core.trial_hands import answered, follow_hand
from domain.core.trial_moments import acting, ask, declared, stop
from domain.core.values import same
from domain.core.visibility import Secrecy, secret_fields, seen

MOVES: Final = 60
"""A trial ends after this many moves, the answers of chance among them, if the game is not over before."""

BATCHES: Final = 100
"""The consequences of one move come in at most this many batches."""

SELDOM: Final = 25
"""The number of moves after which all that may be asked beside a move is asked again within a phase."""

CHOSEN: Final = ("setup.bad_options", "setup.endless", "setup.deciding", "words.about")
"""These functions are called once, with the options and the number of seats."""


def trial(game: Any) -> Iterator[ContractFault]:
    """Play a game with the default options; give the first thing that is wrong, if any is."""
    try:
        table, dealt = _begun(game)
        _play(table, dealt)
        dealt.end()
    except TrialFailed as failed:
        yield failed.fault


def _begun(game: Any) -> tuple[TrialTable, DealtAgain]:
    seats = game.setup.usual
    chosen = call(game, "setup.resolve", {}, seats)
    options = run("setup.options", lambda: game.setup.options(**chosen))
    for at in CHOSEN:
        call(game, at, options, seats)
    call(game, "setup.may_chat", options)
    if (most := call(game, "setup.most_hands", options, seats)) is not None and most < 1:
        raise TrialFailed("setup.most_hands", f"{most} is no number of hands.")
    if game.lifecycle.staking is not None and call(game, "lifecycle.staking.stack", options) < 0:
        raise TrialFailed("lifecycle.staking.stack", "A stack has no chips less than none.")
    if len(sides := call(game, "setup.sides", options, seats)) != seats:
        raise TrialFailed("setup.sides", f"{sides} does not give each of {seats} seats its side.")
    state = call(game, "start", options, seats, None)
    own = {reader: run("start", state.copy) for reader in (*range(seats), None)}
    return TrialTable(game, state, own, Random(0)), dealt_again(game, chosen, seats)


def _play(table: TrialTable, dealt: DealtAgain) -> None:
    phases: set[str] = set()
    if table.game.entry is not None:
        nothing = (None,) * len(table.seats)
        dealt.see(_happen(table, "entry.opening", call(table.game, "entry.opening", table.state, nothing)))
    for made in range(MOVES):
        phase = call(table.game, "phase", table.state)
        all_of_it = phase not in phases or made % SELDOM == 0
        phases.add(phase)
        if all_of_it:
            ask(table, [*table.own])
        if call(table.game, "outcome", table.state) is not None:
            return
        if all_of_it and made:
            stop(table)
        _move(table, dealt)


def _move(table: TrialTable, dealt: DealtAgain) -> None:
    """Let a seat make a move, or chance."""
    seat, move = _chosen(table, dealt)
    before = table.state.copy()
    batch = call(table.game, "decide", table.state, seat, move)
    if not batch:
        raise TrialFailed("decide", f"{called(move)} makes no event.")
    happened = _happen(table, "decide", batch)
    if same(before, table.state):
        raise TrialFailed("evolve", f"After {called(happened[0])} the state is as it was before.")
    dealt.see(happened)
    _recorded(table, before, batch, seat)
    if seat != CHANCE:
        answered(table, seat, happened)


def _chosen(table: TrialTable, dealt: DealtAgain) -> tuple[Seat, Any]:
    """Draw a seat that is to act, and a move of it; the answer of chance is a move too."""
    seat = table.rng.choice(acting(table))
    if seat != CHANCE:
        return seat, drawn(table.rng.choice(call(table.game, "legal", table.own[seat], seat)), table.rng)
    asked = call(table.game, "ask", table.state)
    move = run("ask", asked.sample, table.rng)
    dealt.note(asked, move)
    return seat, move


def _happen(table: TrialTable, at: str, batch: Sequence[Any]) -> list[Any]:
    """Let events happen, with their consequences; give them all."""
    happened: list[Any] = []
    for _ in range(BATCHES):
        declared(table.game, at, batch)
        for event in batch:
            follow_hand(table, at, event)
            _evolve(table, event)
        happened += batch
        at, batch = "consequences", call(table.game, "consequences", table.state)
        if not batch:
            return happened
    raise TrialFailed(at, f"After {called(happened[0])} they do not end.")


def _evolve(table: TrialTable, event: Any) -> None:
    kind: Any = type(event)
    for given in (event, run("decide", seen, event, None)):
        _tell(table.game, given)
    call(table.game, "evolve", table.state, event)
    for reader, state in table.own.items():
        shown = run("decide", seen, event, reader)
        call(table.game, "evolve", state, shown)
        if table.game.memory is not None and Secrecy.FADING in secret_fields(kind).values():
            call(table.game, "memory.remembered", state, reader, event)


def _tell(game: Any, event: Any) -> None:
    line = call(game, "words.text", event)
    if not line.strip() or "\n" in line:
        raise TrialFailed("words.text", f"It tells {called(event)} as {line!r}, which is not one line.")


def _recorded(table: TrialTable, before: Any, batch: Sequence[Any], seat: Seat) -> None:
    """See that the first event gives the seat that moved, and a move that has these events; chance makes no move."""
    answered = call(table.game, "answers.move_of", batch[0])
    mover, move = (CHANCE, None) if answered is None else answered
    if mover != seat or (answered and [*call(table.game, "decide", before, mover, move)] != [*batch]):
        wrong = f"It does not give the move of seat {seat} that {called(batch[0])} records."
        raise TrialFailed("answers.move_of", wrong)
