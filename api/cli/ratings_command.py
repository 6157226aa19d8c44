"""The command `dealt ratings flagged` lists players who may be losing on purpose, and those to whom they lose."""

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
    """List players who lost many matches soon after their start, or were given many, for you alone to see.

    Of the latest ten in a pool they gave up five, or lost all, or something between. So somebody loses on purpose,
    to meet weaker players. Or of the latest ten five were given to them: their opponents gave up soon, or decided
    nothing. Where all ten were given up by opponents of provisional ratings, it may have taken longer. What you find
    out is yours to judge: `dealt matches annul` lets a match count for nothing.
    """
    from events.store.tables import rating_rows
    from events.times import write_time

    store = opened(given)
    try:
        if not store.is_current():
            raise click.ClickException(f"{shown(given)} cannot be reached, or needs `dealt migrate` first.")
        found = rating_rows.flagged(store)
    finally:
        store.close()
    for row, handle in found:
        last = write_time(row.last_ms) if row.matches else None
        lately = {
            "matches": len(row.lately),
            "lost": row.lately.count("1"),
            "given_up": row.lately.count("2"),
            "gifts": len(row.presents) - row.presents.count("0"),
        }
        facts = {
            "player": row.player_id,
            "handle": handle,
            "pool": row.pool,
            "quick_losses": row.hasty,
            "gifts": row.gifts,
            "latest": lately,
            "last_at": last,
        }
        latest = "of the latest {matches} matches {given_up} given up, {lost} lost soon and {gifts} won as gifts"
        counts = f"{row.hasty} quick losses, {row.gifts} gifts"
        said = f"{handle or row.player_id}  {row.pool}  {counts}, {latest.format_map(lately)}"
        said += f", the last one rated {last or 'never'}"
        click.echo(json.encode(facts).decode() if as_json else said)
    if not found and not as_json:
        click.echo("No player is flagged.")
