"""Gives the events of a command that has passed its check."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from domain.core.cards import Seat
from domain.core.clock import Time, bank_after, elapsed
from domain.match import events as ev
from domain.match import match_commands as cmd
from domain.match.match_part import Decide
from domain.match.match_parts import gather
from domain.match.match_shuffles import NonceCommitted, NonceSubmitted
from domain.match.state import Match
from domain.match.status import DUEL, decision, game_on, minor, own_limit, paused, running
from domain.match.take_backs import keep_undo


def decide(m: Match, seat: Seat, command: Any, now: Time) -> tuple[Any, ...]:
    """Give the events of a command that has passed its check; none if it changes nothing."""
    made = type(command)
    if made in COMMANDS:
        return tuple(COMMANDS[made](m, seat, command, now))
    events = tuple(m.game.decide(m.table, seat, command))
    return events if paused(m) else events + keep_undo(m, seat, events, now) + _spent(m, seat, now)


def _spent(m: Match, seat: Seat, now: Time) -> tuple[Any, ...]:
    until = m.asked[seat] if m.clock.ticks and not own_limit(m) else None
    if until is None:
        return ()
    left = bank_after(m.clock, m.banks[seat], until, now, minor=minor(m))
    return () if left == m.banks[seat] else (ev.BankSpent(seat, left.left, left.moves),)


def _sit(m: Match, seat: Seat, c: cmd.Sit, now: Time) -> Iterable[Any]:
    if m.players[seat] != c.player:
        yield ev.SeatTaken(seat, c.player, c.player_key)
        if c.player_key is not None and c.key_proof is not None:
            yield ev.KeyProved(seat, c.key_proof)
    yield from _bring(m, seat, c, now)
    if c.nonce_hash is not None and m.hashes[seat] is None:
        yield NonceCommitted(seat, m.epoch, c.nonce_hash)
    if c.nonce is not None and m.nonces[seat] is None:
        yield NonceSubmitted(seat, m.epoch, c.nonce)


def _bring(m: Match, seat: Seat, c: cmd.Sit | cmd.Bring, now: Time) -> Iterable[Any]:
    if m.game.entry is not None and c.entry is not None and m.entries[seat] is None:
        yield m.game.entry.event(seat, c.entry)


def _cancel(m: Match, seat: Seat, c: cmd.Cancel, now: Time) -> Iterable[Any]:
    """End a lobby; that is said for itself where seats have committed to nonces that nobody will see any more."""
    if committed := tuple(s for s in m.seats if m.hashes[s] is not None):
        yield ev.CommitmentsAborted(committed)
    yield ev.MatchEnded(None, "cancelled")


def _resign(m: Match, seat: Seat, c: cmd.Resign, now: Time) -> Iterable[Any]:
    """Give up: of two players the game, or between games the match; among more always the match (rules 1.9)."""
    duel = len(m.seats) == DUEL
    yield ev.SeatResigned(seat, c.whole_match or not duel or not game_on(m))
    if m.game.leaving.resign and m.table is not None:
        yield from m.game.leaving.resign(m.table, seat)
    elif not duel and m.common.on_resign == "bot":
        yield ev.SeatHandedToBot(seat)
    elif game_on(m):
        yield from m.game.leaving.stop(m.table, (seat,), "resignation")


def _time_out(m: Match, seat: Seat, c: cmd.TimeOut, now: Time) -> Iterable[Any]:
    yield ev.DecisionTimedOut(seat, decision(m), m.defaults[seat] + _counts(m))
    yield from _spent(m, seat, Time(max(now, m.asked[seat] or now)))
    yield from _ON_EXPIRY["default_action" if own_limit(m) else m.clock.on_expiry](m, seat, now)


def _counts(m: Match) -> bool:
    """Say whether a decision that expires now counts as absence: it does not where the game's own limit ran out."""
    return not (m.clock.ticks and own_limit(m))


def _default_action(m: Match, seat: Seat, now: Time) -> Iterable[Any]:
    if m.clock.ticks and _counts(m) and m.defaults[seat] + 1 >= m.clock.max_defaults:
        yield ev.SeatHandedToBot(seat)
    if paused(m):
        yield ev.HandContinued(seat)
    else:
        yield from m.game.decide(m.table, seat, m.game.timing.default(m.table, seat))


_ON_EXPIRY: Mapping[str, Callable[[Match, Seat, Time], Iterable[Any]]] = {
    "default_action": _default_action,
    "bot": lambda m, seat, now: (ev.SeatHandedToBot(seat),),
    "forfeit": lambda m, seat, now: _resign(m, seat, cmd.Resign(), now),
}

COMMANDS: Mapping[type, Decide] = {
    **gather(lambda part: part.decide),
    cmd.Sit: _sit,
    cmd.Bring: _bring,
    cmd.BringStacks: lambda m, seat, c, now: (ev.StacksArrived(c.stakes),),
    cmd.Leave: lambda m, seat, c, now: (ev.SeatLeft(seat),),
    cmd.Cancel: _cancel,
    cmd.Expire: lambda m, seat, c, now: (ev.MatchEnded(None, "expired"),),
    cmd.Annul: lambda m, seat, c, now: (ev.MatchAnnulled(c.reason),),
    cmd.TimeOut: _time_out,
    cmd.Credit: lambda m, seat, c, now: (
        ev.ClockCredited(seat, c.seconds, c.why, elapsed(running(m), m.asked[seat] or now, 1000 * c.seconds)),
    ),
    cmd.Resign: _resign,
    cmd.ContinueMatch: lambda m, seat, c, now: (ev.HandContinued(seat), *_spent(m, seat, now)),
    cmd.TakeSeatBack: lambda m, seat, c, now: (ev.SeatTakenBack(seat),),
}
