"""The command `dealt ratings flagged` lists players who may be losing on purpose."""

import click
from msgspec import json

from api.cli.database import opened, shown
from events.settings import Settings


@click.group()
def ratings() -> None:
    """Look after ratings."""


@ratings.command()
@click.option("--json", "as_json", is_flag=True, help="Print them as JSON, one in a line.")
@click.pass_obj
def flagged(given: Settings, as_json: bool) -> None:  # noqa: FBT001 -- an option's
    """List players who gave up many quick matches in a row, for you alone to see.

    So somebody loses on purpose, to meet weaker players. What you find out is yours to judge: `dealt matches annul`
    lets a match count for nothing.
    """
    from domain.ratings import FLAGGED
    from events.store.tables import rating_rows
    from events.times import write_time

    store = opened(given)
    try:
        if not store.is_current():
            raise click.ClickException(f"{shown(given)} cannot be reached, or needs `dealt migrate` first.")
        found = rating_rows.flagged(store, FLAGGED)
    finally:
        store.close()
    for row, handle in found:
        last = write_time(row.last_ms)
        facts = {
            "player": row.player_id,
            "handle": handle,
            "pool": row.pool,
            "quick_losses": row.hasty,
            "last_at": last,
        }
        said = f"{handle or row.player_id}  {row.pool}  {row.hasty} quick losses in a row, the last match {last}"
        click.echo(json.encode(facts).decode() if as_json else said)
    if not found and not as_json:
        click.echo("No player is flagged.")
