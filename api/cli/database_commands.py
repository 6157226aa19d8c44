"""The commands that maintain the database: `dealt migrate` and `dealt projections rebuild`."""

from collections.abc import Iterator

import click

from api.cli.database import describe_database, migrate_to, open_command_store, safe_url, with_database
from events.settings import Settings

_PROJECTIONS = ("match", "seats", "turns", "results", "reliability", "due", "deal_groups", "tournaments", "ratings")


@click.command()
@click.option("--contract", is_flag=True, help="Also remove tables and columns that only older versions use.")
@click.pass_obj
def migrate(given: Settings, contract: bool) -> None:  # noqa: FBT001 -- an option's
    """Update the database's schema while the service runs.

    Processes of the previous version continue to work. Once none is left, --contract removes what only they needed. It
    refuses while one still runs.

    Connects as the owner, with MIGRATION_DATABASE_URL, and grants the role in DATABASE_URL the rights that it needs.

    Example: dealt migrate
    """
    waiting = migrate_to(with_database(given), contract=contract)
    click.echo(f"The schema of {describe_database(given)} is up to date.")
    if waiting:
        click.echo(f"To finish {', '.join(waiting)}, stop all older versions, then run: dealt migrate --contract")


@click.group()
def projections() -> None:
    """Rebuild projections from the log."""


@projections.command()
@click.argument(
    "names",
    nargs=-1,
    metavar="[NAME]...",
    type=click.Choice(_PROJECTIONS),
)
@click.option("--from-logs", is_flag=True, help="For ratings: read all finished matches from the log again.")
@click.pass_obj
def rebuild(given: Settings, names: tuple[str, ...], from_logs: bool) -> None:  # noqa: FBT001 -- an option's
    """Rebuild all projections, or those named, while the service runs.

    NAME is one of match, seats, turns, results, reliability, due, deal_groups, tournaments and ratings. Ratings are
    recomputed from the stored notes on finished matches.

    Example: dealt projections rebuild ratings
    """
    from domain.core.game_guard import GameFailed
    from events.errors import Busy
    from events.operations.rebuild import rebuild_kind, rebuild_ratings
    from events.service.context import Context
    from events.service.match_kind import MATCH_KIND
    from events.service.stream_kinds import KINDS

    store = open_command_store(given)
    if not store.schema_fits():
        raise click.ClickException(
            f"{safe_url(given)} cannot be reached, or needs `dealt migrate` before its projections can be rebuilt."
        )
    context = Context(store)

    def failed(number: int, why: GameFailed) -> None:
        click.echo(f"\rmatch number {number} was not rebuilt, because its game failed: {why}", err=True)

    for kind in KINDS.values():
        parts = [name for name in kind.tables if name in names or not names]
        if parts:
            _count("matches" if kind is MATCH_KIND else parts[0], rebuild_kind(context, kind, parts, failed))
    if not names or "ratings" in names:
        try:
            _count("rated matches", rebuild_ratings(store, from_logs=from_logs))
        except Busy as error:
            raise click.ClickException("The server rated other matches during the rebuild. Try again.") from error
    store.close()


def _count(what: str, rebuilt: Iterator[int]) -> None:
    """Report the number of rebuilt projections during the work."""
    done = 0
    for done in rebuilt:
        click.echo(f"\r{done} {what}", nl=False, err=True)
    click.echo(f"\r{done} {what} rebuilt", err=True)
