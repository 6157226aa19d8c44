"""Writes the acts of administrators and of the operator, each an event of one stream, and reads who may act."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from secrets import token_bytes
from typing import Any, Final

from domain.administration_events import (
    OPERATOR,
    Administration,
    AdministrationStarted,
    RoleGranted,
    RoleRevoked,
    can_act,
)
from domain.core.clock import DAY
from domain.core.fairness import Dealer
from domain.core.game import Refused
from domain.core.values import value
from events.errors import AlreadyThere, Forbidden, NotFound
from events.log import commits as log
from events.log.cache import LoadedStream
from events.log.streams import Decision
from events.service.context import Context
from events.service.names_in_texts import named_in
from events.service.stream_kinds import ADMINISTRATION, ADMINISTRATION_ID
from events.service.stream_writer import begin_stream, decide_beginning, execute
from events.store.administration_records import FoundPlayer
from events.store.records import Beside
from events.store.tables import administration_rows

LONGEST_REASON: Final = 200
"""Maximum number of characters of a reason."""
MOST_DAYS: Final = 3650
"""The longest suspension, in days."""
DAY_MS: Final = 1000 * DAY


@value
class Actor:
    """The actor of an act, an administrator's id or `operator`, and the reason."""

    by: str
    reason: str


@value
class ActRecord:
    """An act as it is in the stream, with its number and time."""

    number: int
    at_ms: int
    event: Any


def record_act(
    context: Context, actor: Actor, event: Any, about: Collection[str], beside: Beside | None = None
) -> LoadedStream[Administration]:
    """Add an act to the stream; `beside` writes its effect in the same transaction.

    Raises `Forbidden` if the actor is no longer an administrator, and `Refused` for an invalid reason or one that
    names one of the players in `about`.
    """
    check_act(context, actor, about)
    _start(context)

    def decides(found: LoadedStream[Administration]) -> Decision[Administration]:
        if not can_act(found.state, actor.by):
            raise Forbidden
        decision = ADMINISTRATION.make_decision(found, [event], context.now(), "auto")
        return replace(decision, beside=beside)

    return execute(context, ADMINISTRATION, ADMINISTRATION_ID, decides)


def check_act(context: Context, actor: Actor, about: Collection[str]) -> None:
    """Raise `Forbidden` if the actor is no administrator, and `Refused` for an invalid reason, as `record_act` does."""
    if actor.by != OPERATOR and not is_administrator(context, actor.by):
        raise Forbidden
    reason = actor.reason
    if not reason.strip() or len(reason) > LONGEST_REASON or not reason.isprintable():
        raise Refused("bad_arguments", f"The reason must be 1 to {LONGEST_REASON} printable characters.")
    if name := named_in(context, reason, about):
        raise Refused(
            "bad_arguments",
            f"The reason names {name}, and is kept even if the player is erased. Write it without the name.",
        )


def _start(context: Context) -> None:
    """Begin the stream, unless it has begun."""
    if context.stream(ADMINISTRATION, ADMINISTRATION_ID) is not None:
        return
    dealer = Dealer(ADMINISTRATION_ID, (token_bytes(32),), token_bytes(32))
    try:
        begin_stream(
            context, ADMINISTRATION, decide_beginning(context, ADMINISTRATION, dealer, [AdministrationStarted()])
        )
    except AlreadyThere:
        return


def read_acts(context: Context, after: int = 0) -> Sequence[ActRecord]:
    """Return the acts after a number, the earliest first."""
    found = context.stream(ADMINISTRATION, ADMINISTRATION_ID)
    rows = () if found is None else found.rows
    events = [
        ActRecord(row.first + i, row.at_ms, event)
        for row in rows
        for i, event in enumerate(log.read_events([row], ADMINISTRATION.shapes, 0))
    ]
    return [act for act in events if act.number > max(after, 1)]


def subject_of(event: Any) -> str:
    """Return the id of the player, the match or the report that an act is about."""
    return next(str(getattr(event, name)) for name in ("player", "match", "report") if hasattr(event, name))


# --- The role -----------------------------------------------------------------------------------------------


def suspension_reason(context: Context, player_id: str) -> str:
    """Return the reason of a player's suspension; nothing without one."""
    return administration_rows.suspension_reason(context.store, player_id)


def is_administrator(context: Context, player_id: str) -> bool:
    """Return whether a player is an administrator."""
    return administration_rows.is_administrator(context.store, player_id)


def grant_role(context: Context, player_id: str, reason: str) -> None:
    """Make a player an administrator; only the operator does. Raise `NotFound`, `Refused`."""
    require_player(context, player_id)
    record_act(context, Actor(OPERATOR, reason), RoleGranted(player_id, OPERATOR, reason), [player_id])


def revoke_role(context: Context, player_id: str, reason: str) -> None:
    """Take the role from an administrator; only the operator does. Raise `NotFound`, `Refused`."""
    if not is_administrator(context, player_id):
        raise NotFound
    record_act(context, Actor(OPERATOR, reason), RoleRevoked(player_id, OPERATOR, reason), [player_id])


def list_administrators(context: Context) -> Sequence[FoundPlayer]:
    """Return the administrators."""
    return administration_rows.read_administrators(context.store)


# --- Players ------------------------------------------------------------------------------------------------


def find_players(context: Context, text: str) -> Sequence[FoundPlayer]:
    """Return the players with this id, handle or name, and those whose handle begins with it; at most 50."""
    return administration_rows.find_players(context.store, text)


def require_player(context: Context, player_id: str) -> FoundPlayer:
    """Return a player who has not been erased. Raise `NotFound`."""
    found = administration_rows.read_player(context.store, player_id)
    if found is None:
        raise NotFound
    return found
