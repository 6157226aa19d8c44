"""Admits or refuses the requests of seats, bots, standing orders, the time and duplicate groups.

Play and the verification of records both use it. The caller checks who may act for a seat.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from domain.core import game
from domain.core.cards import Seat
from domain.core.clock import Time
from domain.core.game import Refused
from domain.core.values import value
from domain.match.decide import COMMANDS
from domain.match.legal import check_command
from domain.match.match_part import Rule, Source
from domain.match.match_parts import rules_for
from domain.match.match_results import Cancel, Expire
from domain.match.seating import LOBBY, LOBBY_CHECKS
from domain.match.state import Match
from domain.match.status import bots_to_act


@value
class Intent:
    """A move of the game or a command of the match, with its seat and source.

    The seat is 0 if there is none. `signature` is the player's, in hex, which the caller has checked.
    """

    source: Source
    seat: Seat
    command: Any
    signature: str | None = None


@value
class Admitted:
    """An admitted command, and the cause of its events."""

    seat: Seat
    command: Any
    cause: str
    signature: str | None = None


def admit(m: Match, intent: Intent, now: Time) -> Admitted:
    """Return the admitted form of an intent. Raise `Refused`."""
    if m.over and intent.source != "operator":
        raise Refused("match_over")
    if signs(m, intent) and intent.signature is None:
        raise Refused("signature_needed")
    if intent.signature is not None and not signs(m, intent):
        raise Refused("signature_unasked")
    _ADMITS[intent.source](m, intent.seat, intent.command, now)
    causes = _CAUSES[intent.source]
    cause = causes.get(type(intent.command), causes[object])
    return Admitted(intent.seat, intent.command, cause, intent.signature)


def signs(m: Match, intent: Intent) -> bool:
    """Return whether an intent needs the signature of the seat's player: a move by hand, of a seat with a key.

    Taking a seat, adding to it and leaving it are not moves.
    """
    by_hand = intent.source == "seat" and type(intent.command) not in LOBBY
    return by_hand and m.keys[intent.seat] is not None


Check = Callable[[Match, Seat, Any, Time], None]


def _by_rule(rules: Mapping[type, Rule]) -> Check:
    """Return a check that refuses all commands except these, and these if their rule does not hold."""

    def admits(m: Match, seat: Seat, command: Any, now: Time) -> None:
        rule = rules.get(type(command))
        if rule is None or not rule(m, seat, command, now):
            raise Refused("wrong_phase")

    return admits


# --- Seats, orders and bots -------------------------------------------------------------------------------


def _by_seat(m: Match, seat: Seat, command: Any, now: Time) -> None:
    if type(command) in _OF_OTHERS:
        raise Refused("wrong_phase")
    LOBBY_CHECKS.get(type(command), check_command)(m, seat, command)


def _by_order(m: Match, seat: Seat, command: Any, now: Time) -> None:
    if not m.common.standing_orders or type(command) in COMMANDS:
        raise Refused("orders_not_allowed")
    if m.keys[seat] is not None:
        raise Refused("orders_not_signed")
    check_command(m, seat, command)


def _by_bot(m: Match, seat: Seat, command: Any, now: Time) -> None:
    if seat not in bots_to_act(m):
        raise Refused("not_your_turn")
    game.check_move(m.game, m.table, seat, command)


OF_GROUPS: Final = frozenset(rules_for("group"))
"""The commands that a table gets from its group."""

_OF_OTHERS: Final = (rules_for("time").keys() | OF_GROUPS | rules_for("operator").keys()) - LOBBY

# --- The six sources --------------------------------------------------------------------------------------

_ADMITS: Final[Mapping[Source, Check]] = {
    "seat": _by_seat,
    "bot": _by_bot,
    "order": _by_order,
    "time": _by_rule(rules_for("time")),
    "group": _by_rule(rules_for("group")),
    "operator": _by_rule(rules_for("operator")),
}

_CAUSES: Final[Mapping[Source, Mapping[type, str]]] = {
    "seat": {object: "move"},
    "bot": {object: "bot"},
    "order": {object: "order"},
    "time": {object: "timeout"},
    "group": {object: "auto", Cancel: "move", Expire: "timeout"},
    "operator": {object: "operator"},
}
"""The cause of events by the source of a command; `object` stands for all other commands."""
