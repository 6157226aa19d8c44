"""Gives the events of a command that has passed its check."""

from collections.abc import Iterable, Mapping
from typing import Any

from domain.core.cards import Seat
from domain.core.clock import Time
from domain.match import events as ev
from domain.match import match_commands as cmd
from domain.match.clocks import spend_bank
from domain.match.match_part import Decide
from domain.match.match_parts import gather
from domain.match.match_shuffles import NonceCommitted, NonceSubmitted
from domain.match.state import Match
from domain.match.status import paused
from domain.match.take_backs import keep_undo


def decide(m: Match, seat: Seat, command: Any, now: Time) -> tuple[Any, ...]:
    """Give the events of a command that has passed its check; none if it changes nothing."""
    made = type(command)
    if made in COMMANDS:
        return tuple(COMMANDS[made](m, seat, command, now))
    events = tuple(m.game.decide(m.table, seat, command))
    return events if paused(m) else events + keep_undo(m, seat, events, now) + spend_bank(m, seat, now)


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


COMMANDS: Mapping[type, Decide] = {
    **gather(lambda part: part.decide),
    cmd.Sit: _sit,
    cmd.Bring: _bring,
    cmd.BringStacks: lambda m, seat, c, now: (ev.StacksArrived(c.stakes),),
    cmd.Leave: lambda m, seat, c, now: (ev.SeatLeft(seat),),
    cmd.Cancel: _cancel,
    cmd.Expire: lambda m, seat, c, now: (ev.MatchEnded(None, "expired"),),
    cmd.Annul: lambda m, seat, c, now: (ev.MatchAnnulled(c.reason),),
}
