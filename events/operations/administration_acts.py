"""Carries out the acts of administrators: each is recorded in the transaction of its effect."""

from functools import partial

from domain import administration_events
from domain.core.clock import Time
from events.errors import NotFound
from events.operations import erasure
from events.service import administration, collections, rulings, tournament_leaving
from events.service.administration import DAY_MS, Actor, record_act, require_player
from events.service.context import Context
from events.store.tables import player_rows, report_rows


def suspend_player(context: Context, actor: Actor, player_id: str, days: int) -> Time:
    """Suspend a player for this number of days, replacing any suspension; return its end.

    Raises `NotFound`, `Forbidden`, `Refused`.
    """
    require_player(context, player_id)
    until = Time(context.now() + days * DAY_MS)
    record_act(
        context, actor, administration_events.PlayerSuspended(player_id, until, actor.by, actor.reason), [player_id]
    )
    return until


def lift_suspension(context: Context, actor: Actor, player_id: str) -> None:
    """End a player's suspension. Raises `NotFound` if there is none, `Forbidden`, `Refused`."""
    if require_player(context, player_id).suspended_ms is None:
        raise NotFound
    record_act(context, actor, administration_events.SuspensionLifted(player_id, actor.by, actor.reason), [player_id])


def rename_player(context: Context, actor: Actor, player_id: str, name: str | None, handle: str | None) -> None:
    """Change a player's name or handle; None keeps it.

    Raises `NotFound`, `Forbidden`, `Refused`, `HandleTaken`, `TooManyHandles`.
    """
    require_player(context, player_id)
    record_act(
        context,
        actor,
        administration_events.PlayerRenamed(player_id, actor.by, actor.reason),
        [player_id],
        partial(player_rows.change_row, player_id=player_id, name=name, handle=handle),
    )


def erase_person(context: Context, actor: Actor, player_id: str) -> None:
    """Erase a player, as the player could with the token. Raises `NotFound`, `Forbidden`, `Refused`."""
    require_player(context, player_id)
    administration.check_act(context, actor, [player_id])
    collections.end_all_offers(context, player_id)
    tournament_leaving.leave_all_tournaments(context, player_id)
    event, now = administration_events.PersonErased(player_id, actor.by, actor.reason), context.now()
    record_act(
        context, actor, event, [player_id], partial(erasure.delete_personal_rows, player_id=player_id, at_ms=now)
    )
    erasure.remove_from_files(context.store)


def close_match(context: Context, actor: Actor, match_id: str) -> None:
    """Cancel an open lobby, stop a running match, or void a finished one; the reason is in the match's log too.

    Raises `NotFound`, `Forbidden`, and `Refused` if the match cannot be closed.
    """
    about = [player for player in context.loaded(match_id).state.players if player is not None]
    administration.check_act(context, actor, about)
    rulings.close_match(context, match_id, actor.reason)
    record_act(context, actor, administration_events.MatchClosed(match_id, actor.by, actor.reason), about)


def resolve_report(context: Context, actor: Actor, report_id: str) -> None:
    """Resolve a report; the reason is its outcome. Raises `NotFound`, `Forbidden`, `Refused`."""
    found = report_rows.read_report(context.store, report_id)
    if found is None:
        raise NotFound
    about = [player for player in (found.player_id, found.reported_id) if player is not None]
    event, now = administration_events.ReportResolved(report_id, actor.by, actor.reason), context.now()
    resolves = partial(report_rows.resolve_report, report_id=report_id, outcome=actor.reason, at_ms=now)
    record_act(context, actor, event, about, resolves)
