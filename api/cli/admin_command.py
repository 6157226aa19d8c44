"""The command `dealt admin`: the operator grants the role of an administrator, and can act as one."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from api.cli.database import open_command_store, safe_url
from events.settings import Settings

if TYPE_CHECKING:
    from events.service.administration import Actor
    from events.service.context import Context
    from events.store.administration_records import FoundPlayer

REASON = click.option(
    "--reason", required=True, help="Reason in one sentence, without names. It is stored permanently."
)
HANDLE = click.argument("handle")


@click.group()
def admin() -> None:
    """Manage players, matches and reports.

    Each act is recorded with its actor, its time and its reason. Administrators do the same over the API.
    """


@admin.command()
@HANDLE
@REASON
@click.pass_obj
def grant(given: Settings, handle: str, reason: str) -> None:
    """Make a player an administrator.

    Example: dealt admin grant ann --reason "Moderates the club."
    """
    from events.service import administration

    with _acting(given) as context:
        administration.grant_role(context, _player(context, handle), reason)
    click.echo(f"{handle} is an administrator.")


@admin.command()
@HANDLE
@REASON
@click.pass_obj
def revoke(given: Settings, handle: str, reason: str) -> None:
    """Revoke the role of an administrator.

    Example: dealt admin revoke ann --reason "Left the club."
    """
    from events.service import administration

    with _acting(given) as context:
        administration.revoke_role(context, _player(context, handle), reason)
    click.echo(f"{handle} is no longer an administrator.")


@admin.command("list")
@click.pass_obj
def show_administrators(given: Settings) -> None:
    """List administrators.

    Example: dealt admin list
    """
    from events.service import administration

    with _acting(given) as context:
        for one in administration.list_administrators(context):
            click.echo(_line(context, one))


@admin.command("log")
@click.option("--after", type=click.IntRange(min=0), default=0, help="List only acts with a higher number.")
@click.option("--json", "as_json", is_flag=True, help="Print one act per line, as JSON.")
@click.pass_obj
def show_log(given: Settings, after: int, as_json: bool) -> None:  # noqa: FBT001 -- an option's
    """List all acts, the earliest first.

    Example: dealt admin log --json
    """
    from msgspec import json

    from events.service import administration
    from events.times import write_time

    with _acting(given) as context:
        found = administration.read_acts(context, after)
    for act in found:
        about, kind = administration.subject_of(act.event), type(act.event).__name__
        row = {"no": act.number, "at": write_time(act.at_ms), "type": kind, "about": about}
        row |= {"by": act.event.by, "reason": act.event.reason}
        click.echo(json.encode(row) if as_json else "{no}  {at}  {type} {about}  by {by}: {reason}".format_map(row))


@admin.command()
@click.argument("text")
@click.pass_obj
def find(given: Settings, text: str) -> None:
    """List players by an id, a name, or the beginning of a handle.

    Example: dealt admin find ann
    """
    from events.service import administration

    with _acting(given) as context:
        for one in administration.find_players(context, text):
            click.echo(_line(context, one))


@admin.command()
@HANDLE
@click.option("--name", help="The new name.")
@click.option("--handle", "new_handle", help="The new handle.")
@REASON
@click.pass_obj
def rename(given: Settings, handle: str, name: str | None, new_handle: str | None, reason: str) -> None:
    """Change a player's name or handle.

    Example: dealt admin rename rude-handle --handle player-7 --name "Player 7" --reason "It was offensive."
    """
    from events import handles
    from events.operations import administration_acts
    from events.visible_text import unseen_in_name

    wanted = None if new_handle is None else handles.read(new_handle)
    if (new_handle is not None and wanted is None) or (name is None and wanted is None):
        raise click.ClickException("Send a --name, or a --handle of 3 to 30 characters of a-z, 0-9, - and _.")
    if name is not None and (unseen_in_name(name) or not 1 <= len(name) <= LONGEST_NAME):
        raise click.ClickException(f"The name must be 1 to {LONGEST_NAME} visible characters.")
    _act(
        given,
        reason,
        lambda context, actor: administration_acts.rename_player(
            context, actor, _player(context, handle), name, wanted
        ),
    )
    click.echo(f"{handle} is renamed.")


LONGEST_NAME = 40
"""A name has at most this many characters."""


@admin.command()
@HANDLE
@click.option("--days", type=click.IntRange(1, 3650), required=True, help="The length in days, from now.")
@REASON
@click.pass_obj
def suspend(given: Settings, handle: str, days: int, reason: str) -> None:
    """Suspend a player, who can then only read.

    Example: dealt admin suspend ben --days 7 --reason "Insults in the chat of several matches."
    """
    from events.operations import administration_acts

    _act(
        given,
        reason,
        lambda context, actor: administration_acts.suspend_player(context, actor, _player(context, handle), days),
    )
    click.echo(f"{handle} is suspended for {days} {'day' if days == 1 else 'days'}.")


@admin.command()
@HANDLE
@REASON
@click.pass_obj
def reinstate(given: Settings, handle: str, reason: str) -> None:
    """End a player's suspension.

    Example: dealt admin reinstate ben --reason "The report was about another player."
    """
    from events.operations import administration_acts

    _act(
        given,
        reason,
        lambda context, actor: administration_acts.lift_suspension(context, actor, _player(context, handle)),
    )
    click.echo(f"{handle} is reinstated.")


@admin.command()
@click.argument("match_id", metavar="ID")
@REASON
@click.pass_obj
def close(given: Settings, match_id: str, reason: str) -> None:
    """Cancel an open lobby, stop a running match, or void a finished one.

    Example: dealt admin close 8n9y4jktn4n1gzhahebf --reason "It was arranged."
    """
    from events.operations import administration_acts

    _act(given, reason, lambda context, actor: administration_acts.close_match(context, actor, match_id))
    click.echo(f"The match {match_id} is closed.")


@admin.command()
@HANDLE
@REASON
@click.confirmation_option(prompt="Erasing cannot be undone. Continue?")
@click.pass_obj
def erase(given: Settings, handle: str, reason: str) -> None:
    """Erase a player who lost the token.

    Example: dealt admin erase ann --yes --reason "Asked for by mail."
    """
    from events.operations import administration_acts

    _act(
        given,
        reason,
        lambda context, actor: administration_acts.erase_person(context, actor, _player(context, handle)),
    )
    click.echo(f"{handle} is erased.")


@admin.command("reports")
@click.option("--resolved", is_flag=True, help="List resolved reports, the latest first.")
@click.pass_obj
def show_reports(given: Settings, resolved: bool) -> None:  # noqa: FBT001 -- an option's
    """List reports of players as JSON, one per line.

    Example: dealt admin reports
    """
    from dataclasses import asdict

    from msgspec import Raw, json

    from events.operations import reports

    with _acting(given) as context:
        found = reports.list_reports(context, resolved=resolved)
    for one in found:
        click.echo(json.encode(asdict(one) | {"lines": Raw(one.lines.encode())}))


@admin.command()
@click.argument("report_id", metavar="ID")
@REASON
@click.pass_obj
def resolve(given: Settings, report_id: str, reason: str) -> None:
    """Resolve a report; the reason is its outcome.

    Example: dealt admin resolve 8n9y4jktn4n1gzhahebf --reason "Suspended for a week."
    """
    from events.operations import administration_acts

    _act(given, reason, lambda context, actor: administration_acts.resolve_report(context, actor, report_id))
    click.echo(f"The report {report_id} is resolved.")


def _act(given: Settings, reason: str, act: "Callable[[Context, Actor], object]") -> None:
    """Run an act of the operator."""
    from domain.administration_events import OPERATOR
    from events.service.administration import Actor

    with _acting(given) as context:
        act(context, Actor(OPERATOR, reason))


@contextmanager
def _acting(given: Settings) -> "Iterator[Context]":
    """Open the database, and report refusals in a sentence."""
    from domain.core.game import Refused
    from events.errors import GameNotInstalled, HandleTaken, NotFound, TooManyHandles
    from events.service.context import Context

    store = open_command_store(given)
    try:
        if not store.schema_fits():
            raise click.ClickException(f"{safe_url(given)} cannot be reached, or needs `dealt migrate` first.")
        yield Context(store)
    except NotFound:
        raise click.ClickException("No player, match or report with this id or handle.") from None
    except (HandleTaken, TooManyHandles):
        raise click.ClickException(
            "Another player has this handle, or this player has already used five handles."
        ) from None
    except GameNotInstalled:
        raise click.ClickException("The game of this match is not installed here.") from None
    except Refused as no:
        raise click.ClickException(no.sentence or f"The current state does not allow this ({no.code}).") from None
    finally:
        store.close()


def _player(context: "Context", handle: str) -> str:
    """Return the id of the player with a handle. Raise `NotFound`."""
    from events.errors import NotFound
    from events.service import players

    found = players.find_by_handle(context, handle)
    if found is None:
        raise NotFound
    return found.player_id


def _line(context: "Context", one: "FoundPlayer") -> str:
    """Return a player in a line."""
    from events.times import write_time

    suspended = one.suspended_ms is not None and one.suspended_ms > context.now()
    role = ", administrator" if one.administrator else ""
    until = f", suspended until {write_time(one.suspended_ms or 0)}: {one.reason}" if suspended else ""
    return f"{one.handle}  {one.name}  {one.player_id}{role}{until}"
