"""The rating commands: flagged players and their opponents, and recomputing ratings from public data."""

from typing import Any

import click
from msgspec import json

from api.cli.database import open_command_store, safe_url
from events.settings import Settings


@click.group()
def ratings() -> None:
    """Manage ratings."""


@ratings.command("flagged")
@click.option("--json", "as_json", is_flag=True, help="Print one player per line, as JSON.")
@click.pass_obj
def list_suspicious_players(given: Settings, as_json: bool) -> None:  # noqa: FBT001 -- an option's
    """List players with suspicious results.

    A player may lose on purpose, to meet weaker players: of the latest ten matches in a pool, they resigned five soon
    after the start, or lost all ten that fast. Two fast losses count as one such resignation. Or opponents gave them
    five of the latest ten: they resigned early or decided nothing. If opponents with provisional ratings resigned all
    ten, the time does not matter.

    Only you see this list. Judge for yourself: `dealt matches annul` voids a match.

    Example: dealt ratings flagged
    """
    from events.store.tables import rating_rows
    from events.times import write_time

    store = open_command_store(given)
    try:
        if not store.schema_fits():
            raise click.ClickException(f"{safe_url(given)} cannot be reached, or needs `dealt migrate` first.")
        found = rating_rows.read_flagged(store)
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
        latest = "latest {matches} matches: {given_up} resigned, {lost} lost early, {gifts} handed to the player"
        counts = f"{row.hasty} quick losses, {row.gifts} wins handed over in all"
        said = f"{handle or row.player_id}  {row.pool}  {counts}, {latest.format_map(lately)}"
        said += f"; last rated {last or 'never'}"
        click.echo(json.encode(facts).decode() if as_json else said)
    if not found and not as_json:
        click.echo("No player is flagged.")


@ratings.command()
@click.option("--server", default="http://127.0.0.1:8000", show_default=True, help="The address of the server.")
@click.option("--json", "as_json", is_flag=True, help="Print one rating per line, as JSON.")
def recompute(server: str, as_json: bool) -> None:  # noqa: FBT001 -- an option's
    """Recompute the ratings of a server.

    Compares them with its leaderboards, and reads only public data. The exit code is 1 if a leaderboard differs.

    Example: dealt ratings recompute --server https://cards.example.org
    """
    from api.cli.ratings_recompute import OtherFormula, differences
    from api.cli.ratings_recompute import recompute as recomputed
    from api.terminal.remote import Declined, Remote, Unreachable, blame_server_for_bad_answers
    from domain.ratings.rating_changes import FORMULA

    remote = Remote(server)

    def get(path: str) -> Any:
        return remote.get(path, lambda page: page)

    try:
        with blame_server_for_bad_answers(server):
            fold = recomputed(get)
            found = list(differences(get, fold))
    except OtherFormula as other:
        raise click.ClickException(
            f"The server uses rating formula {other}, but this program uses {FORMULA}."
        ) from None
    except (Declined, Unreachable) as error:
        raise click.ClickException(str(error)) from None
    for (pool, player), one in sorted(fold.standings.items()):
        if one.matches:
            mu, sigma = one.rating.mu, one.rating.sigma
            facts = {"pool": pool, "player": player, "mean": mu, "deviation": sigma, "matches": one.matches}
            said = f"{player}  {pool}  {round(one.rating.shown)} ({mu:.1f} ± {sigma:.1f}), {one.matches} matches"
            click.echo(json.encode(facts).decode() if as_json else said)
    for pool, player, said_of, made in found:
        click.echo(
            f"{player}  {pool}: the leaderboard shows rating, matches and wins as {said_of}, but the rated matches"
            f" give {made}.",
            err=True,
        )
    if found:
        raise click.exceptions.Exit(1)
