"""Admits what seats, bots, standing orders, the time and groups of tables ask of a match, or refuses it.

Play and the verification of records both use it. The caller checks who may speak for a seat.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from domain.core import game
from domain.core.cards import Seat
from domain.core.clock import Time
from domain.core.fairness import nonce_hash
from domain.core.game import Refused
from domain.core.refusals import Reason
from domain.core.staking import TableStakes
from domain.core.values import value
from domain.match import events as ev
from domain.match import match_commands as cmd
from domain.match.decide import COMMANDS
from domain.match.group import ready
from domain.match.legal import check
from domain.match.match_part import Rule, Source
from domain.match.match_parts import rules_for
from domain.match.state import Match
from domain.match.status import bots_to_act, collecting, sealed


@value
class Intent:
    """An intent is a move of the game or a command of the match, with its seat and source.

    The seat is 0 where there is none. `signed` is the player's signature over it, which the caller has checked.
    """

    source: Source
    seat: Seat
    command: Any
    signed: ev.MoveSigned | None = None


@value
class Admitted:
    """An admitted command is to be carried out; its events are written with this cause."""

    seat: Seat
    command: Any
    cause: str
    signed: ev.MoveSigned | None = None


def admit(m: Match, intent: Intent, now: Time) -> Admitted:
    """Give what is to be carried out of an intent. Raises `Refused`."""
    if m.over and intent.source != "operator":
        raise Refused("match_over")
    if signs(m, intent) and intent.signed is None:
        raise Refused("signature_needed")
    if intent.signed is not None and not signs(m, intent):
        raise Refused("signature_unasked")
    _ADMITS[intent.source](m, intent.seat, intent.command, now)
    causes = _CAUSES[intent.source]
    cause = causes.get(type(intent.command), causes[object])
    return Admitted(intent.seat, intent.command, cause, intent.signed)


def signs(m: Match, intent: Intent) -> bool:
    """Say whether an intent counts only with the signature of the seat's player: a move by hand, of a seat with a key.

    To sit down, to add to one's seat and to leave it are no moves.
    """
    by_hand = intent.source == "seat" and type(intent.command) not in LOBBY
    return by_hand and m.keys[intent.seat] is not None


Check = Callable[[Match, Seat, Any, Time], None]


def _by_rule(rules: Mapping[type, Rule]) -> Check:
    """Give the check that refuses all commands but these, and these where their rule does not hold."""

    def admits(m: Match, seat: Seat, command: Any, now: Time) -> None:
        rule = rules.get(type(command))
        if rule is None or not rule(m, seat, command, now):
            raise Refused("wrong_phase")

    return admits


# --- Seats, orders and bots -------------------------------------------------------------------------------


def _by_seat(m: Match, seat: Seat, command: Any, now: Time) -> None:
    if type(command) in _OF_OTHERS:
        raise Refused("wrong_phase")
    _LOBBY.get(type(command), check)(m, seat, command)


def _by_order(m: Match, seat: Seat, command: Any, now: Time) -> None:
    if not m.common.standing_orders or type(command) in COMMANDS:
        raise Refused("orders_not_allowed")
    if m.keys[seat] is not None:
        raise Refused("orders_not_signed")
    check(m, seat, command)


def _by_bot(m: Match, seat: Seat, command: Any, now: Time) -> None:
    if seat not in bots_to_act(m):
        raise Refused("not_your_turn")
    game.check(m.game, m.table, seat, command)


# --- The lobby --------------------------------------------------------------------------------------------


def _check_sit(m: Match, seat: Seat, sit: cmd.Sit) -> None:
    mine = m.players[seat] == sit.player
    if not mine and m.status != "lobby":
        raise Refused("already_started")
    if not mine and (m.players[seat] is not None or m.by_bot[seat]):
        raise Refused("seat_taken")
    if not mine and m.players.count(sit.player) >= (m.common.seats_per_player or len(m.seats)):
        raise Refused("too_many_seats")
    if mine and sit.player_key not in (None, m.keys[seat]):
        raise Refused("key_is_fixed")
    if fault := entry_fault(m, seat, sit):
        raise Refused(fault.code, fault.sentence)
    if sit.nonce_hash is not None and not _may_hash(m, seat, sit.nonce_hash):
        raise Refused("wrong_phase")
    if sit.nonce is not None and not _may_open(m, seat, sit.nonce):
        raise Refused("wrong_phase")


def entry_fault(m: Match, seat: Seat, sit: cmd.Sit | cmd.Bring) -> Reason | None:
    """Say why the rules of the game refuse what is brought to a seat; None where they do not."""
    if m.game.entry is None or sit.entry is None or m.entries[seat] is not None:
        return None
    return m.game.entry.fault(m.options, sit.entry)


def are_played(m: Match, stakes: TableStakes) -> bool:
    """Say whether the match can be played with these stacks: it is of a tournament, and its game goes on with them."""
    staking, fit = m.game.lifecycle.staking, len(stakes.stacks) == len(m.seats) and min(stakes.stacks) > 0
    counted = stakes.hands_before >= 0 and stakes.hands >= 0 and m.created.series.best_of == 1
    if m.created.tournament is None or staking is None or not (fit and counted):
        return False
    return staking.stack(m.options) > 0 and staking.timed(m.options) == (stakes.timed_from is not None)


def _may_hash(m: Match, seat: Seat, digest: str) -> bool:
    if m.hashes[seat] is not None:
        return m.hashes[seat] == digest
    return m.common.nonce_commit and m.stage in ("", "hashes") and _nonces_count(m)


def _may_open(m: Match, seat: Seat, nonce: str) -> bool:
    if m.nonces[seat] is not None:
        return m.nonces[seat] == nonce
    if m.common.nonce_commit:
        return m.stage == "nonces" and m.hashes[seat] == nonce_hash(nonce)
    return m.stage in ("", "nonces") and _nonces_count(m)


def _nonces_count(m: Match) -> bool:
    if m.created.deal_known is not None or ready(m) or sealed(m):
        return False
    return m.status == "lobby" or collecting(m)


def _check_leave(m: Match, seat: Seat, leave: cmd.Leave) -> None:
    if m.players[seat] is None:
        raise Refused("not_seated")
    if not _may_leave(m):
        raise Refused("already_started")


def _may_leave(m: Match) -> bool:
    is_bound = m.common.nonce_commit and (collecting(m) or m.committed)
    return m.status == "lobby" and not is_bound and not sealed(m) and not ready(m)


def _check_cancel(m: Match, seat: Seat, cancel: cmd.Cancel) -> None:
    if m.status != "lobby":
        raise Refused("already_started")
    if m.created.deal_group is not None:
        raise Refused("of_a_group")


_LOBBY: Final[Mapping[type, Callable[[Match, Seat, Any], None]]] = {
    cmd.Sit: _check_sit,
    cmd.Leave: _check_leave,
    cmd.Cancel: _check_cancel,
}

LOBBY: Final = frozenset(_LOBBY)
"""These commands answer no decision."""

# --- Time -------------------------------------------------------------------------------------------------


def _seated(m: Match, seat: Seat, sit: cmd.Sit) -> bool:
    """Say whether the time for taking a seat of a tournament's table is over, so that the clock of its player runs."""
    plan = m.created.seats[seat]
    is_empty = m.players[seat] is None and not m.by_bot[seat]
    brings_only_cards = sit.nonce is None and sit.nonce_hash is None and sit.player_key is None
    of = m.created.tournament is not None and m.created.deal_group is None
    return of and m.status == "lobby" and is_empty and plan.player == sit.player and brings_only_cards


def _freed(m: Match, seat: Seat) -> bool:
    """Say whether a seat of a tournament's table may be empty again, as the others have left before it began."""
    of = m.created.tournament is not None and m.created.deal_group is None
    return of and m.players[seat] is not None and m.created.seats[seat].player == m.players[seat] and _may_leave(m)


_DUE: Final[Mapping[type, Rule]] = {
    **rules_for("time"),
    cmd.Leave: lambda m, seat, c, now: _freed(m, seat),
    cmd.Sit: lambda m, seat, c, now: _seated(m, seat, c) and entry_fault(m, seat, c) is None,
    cmd.Expire: lambda m, seat, c, now: m.status == "lobby" and m.created.deal_group is None,
}

# --- Groups of tables -------------------------------------------------------------------------------------


def _in_lobby(m: Match, seat: Seat, command: Any, now: Time) -> bool:
    return m.status == "lobby" and m.created.deal_group is not None


_GROUP: Final[Mapping[type, Rule]] = {
    **rules_for("group"),
    cmd.Cancel: _in_lobby,
    cmd.Expire: _in_lobby,
}

OF_GROUPS: Final = frozenset(_GROUP)
"""These are the commands that a table gets from its group."""

_OF_OTHERS: Final = (_DUE.keys() | _GROUP.keys() | {cmd.Annul}) - _LOBBY.keys()

# --- Who runs the server --------------------------------------------------------------------------------

_RULINGS: Final[Mapping[type, Rule]] = {
    **rules_for("operator"),
    cmd.Annul: lambda m, seat, c, now: m.result is not None and m.annulled is None,
}

# --- The six sources --------------------------------------------------------------------------------------

_ADMITS: Final[Mapping[Source, Check]] = {
    "seat": _by_seat,
    "bot": _by_bot,
    "order": _by_order,
    "time": _by_rule(_DUE),
    "group": _by_rule(_GROUP),
    "operator": _by_rule(_RULINGS),
}

_CAUSES: Final[Mapping[Source, Mapping[type, str]]] = {
    "seat": {object: "move"},
    "bot": {object: "bot"},
    "order": {object: "order"},
    "time": {object: "timeout"},
    "group": {object: "auto", cmd.Cancel: "move", cmd.Expire: "timeout"},
    "operator": {object: "operator"},
}
"""Each source of a command maps to the cause of its events; `object` stands for all other commands."""
