"""The commands that keep the database in order: `dealt migrate` and `dealt projections rebuild`."""

from collections.abc import Iterator

import click

from api.cli.database import describe_database, migrate_to, open_command_store, safe_url, with_database
from events.settings import Settings

_PROJECTIONS = ("match", "seats", "turns", "results", "reliability", "due")


@click.command()
@click.pass_obj
def migrate(given: Settings) -> None:
    """Update the database's schema.

    Connects as the owner, with MIGRATION_DATABASE_URL, and grants the role in DATABASE_URL the rights that it needs.

    Example: dealt migrate
    """
    migrate_to(with_database(given))
    click.echo(f"The schema of {describe_database(given)} is up to date.")


@click.group()
def projections() -> None:
    """Rebuild projections from the log."""


@projections.command()
@click.argument(
    "names",
    nargs=-1,
    metavar="[NAME]...",
    type=click.Choice((*_PROJECTIONS, "deal_groups", "tournaments", "ratings")),
)
@click.option("--from-logs", is_flag=True, help="For ratings: read all finished matches in the log again.")
@click.pass_obj
def rebuild(given: Settings, names: tuple[str, ...], from_logs: bool) -> None:  # noqa: FBT001 -- an option's
    """Rebuild all projections, or those named, while the service runs.

    NAME is one of match, seats, turns, results, reliability, due, deal_groups, tournaments and ratings. Ratings are
    recomputed from the stored notes on finished matches.

    Example: dealt projections rebuild ratings
    """
    from domain.core.game_guard import GameFailed
    from events.errors import GameNotInstalled
    from events.operations.rebuild import rebuild_all, rebuild_kind, rebuild_ratings
    from events.service.context import Context
    from events.service.projections import rebuild_projections
    from events.service.stream_kinds import KINDS
    from events.store import tables
    from events.store.records import MATCH, CommitRow, Head, Projected

    store = open_command_store(given)
    if not store.is_current():
        raise click.ClickException(
            f"{safe_url(given)} cannot be reached, or needs `dealt migrate` before its projections can be rebuilt."
        )
    context = Context(store)
    of_matches = [name for name in _PROJECTIONS if name in (names or _PROJECTIONS)]

    def project(head: Head, rows: list[CommitRow]) -> Projected:
        whole = rebuild_projections(context, head, rows)
        return Projected(**{name: getattr(whole, name) for name in of_matches})

    def match(number: int) -> None:
        # What stands beside a match that its game cannot read stays as it is.
        try:
            tables.projection_rows.rebuild(store, number, project)
        except GameNotInstalled:
            pass
        except GameFailed as failed:
            click.echo(f"\rmatch number {number} is left as it is, for its game has failed: {failed}", err=True)

    if of_matches:
        _count("matches", rebuild_all(store, MATCH, match))
    for kind in KINDS.values():
        if not names or kind.tables[0] in names:
            _count(kind.tables[0], rebuild_kind(store, kind))
    if not names or "ratings" in names:
        _count("rated matches", rebuild_ratings(store, from_logs=from_logs))
    store.close()


def _count(what: str, rebuilt: Iterator[int]) -> None:
    """Report the number of rebuilt projections during the work."""
    done = 0
    for done in rebuilt:
        click.echo(f"\r{done} {what}", nl=False, err=True)
    click.echo(f"\r{done} {what} rebuilt", err=True)
