"""Begins and ends vacations of players, and returns until when players are away."""

from collections.abc import Callable, Collection

from domain.core.clock import Time
from domain.match.vacation_days import Allowance, give_back_vacation, take_vacation
from events.notify import ledger
from events.service.context import Context
from events.store.records import Idempotency
from events.store.tables import vacation_rows


def allowance(context: Context, player_id: str) -> Allowance | None:
    """Return a player's vacation and pool; None if the player does not exist or was erased."""
    return vacation_rows.allowance(context.store, player_id)


def begin_vacation(context: Context, player_id: str, end: Time, idempotency: Idempotency | None) -> Allowance | None:
    """Begin a vacation; return the new `allowance`. Raises `Refused`, and `Repeated` for a key that was used."""
    now = context.now()
    return _take(context, player_id, lambda a: take_vacation(a, now, end), now, idempotency)


def end_vacation(context: Context, player_id: str) -> None:
    """End a player's vacation; the remaining time can be taken again."""
    now = context.now()
    _take(context, player_id, lambda a: give_back_vacation(a, now), now)


def _take(
    context: Context,
    player_id: str,
    change: Callable[[Allowance], Allowance],
    now: Time,
    idempotency: Idempotency | None = None,
) -> Allowance | None:
    """Change a player's vacations, and reset the alarms of the deadlines that this moves."""
    return vacation_rows.change_vacations(
        context.store,
        player_id,
        change,
        idempotency,
        now,
        then=lambda connection: ledger.reset_alarms_of(connection, player_id, now),
    )


def set_auto_vacations(context: Context, player_id: str, auto: bool) -> None:  # noqa: FBT001 -- what is set
    """Set whether the server takes vacations automatically when the player's time runs out."""
    vacation_rows.set_auto(context.store, player_id, auto)


def players_away(context: Context, player_ids: Collection[str]) -> dict[str, int]:
    """Return the end of the current vacation of each of these players who is on one, in milliseconds."""
    return vacation_rows.find_away(context.store, player_ids, context.now())
