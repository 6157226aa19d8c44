"""The command `dealt matches annul` voids a match."""

import click

from api.cli.database import open_command_store, safe_url
from events.settings import Settings


@click.group()
def matches() -> None:
    """Void single matches."""


@matches.command()
@click.argument("match_id", metavar="ID")
@click.option("--reason", required=True, help="Reason in one sentence. Everyone who can read the match sees it.")
@click.pass_obj
def annul(given: Settings, match_id: str, reason: str) -> None:
    """Void a finished match permanently.

    Its result stays in its log, followed by the event MatchAnnulled with the reason. It no longer counts among its
    players' results, and ratings are recomputed without it while the service runs.

    Example: dealt matches annul 8n9y4jktn4n1gzhahebf --reason "It was arranged."
    """
    from domain.core.game import Refused
    from events.errors import GameNotInstalled, NotFound
    from events.service.context import Context
    from events.service.rulings import LONGEST_REASON, annul_match

    reason = " ".join(reason.split())
    if not reason or len(reason) > LONGEST_REASON or not reason.isprintable():
        raise click.ClickException(f"The reason must be 1 to {LONGEST_REASON} printable characters.")
    store = open_command_store(given)
    try:
        if not store.schema_fits():
            raise click.ClickException(f"{safe_url(given)} cannot be reached, or needs `dealt migrate` first.")
        version = annul_match(Context(store), match_id, reason)
    except NotFound:
        raise click.ClickException("There is no match with this id.") from None
    except GameNotInstalled:
        raise click.ClickException("The game of this match is not installed here.") from None
    except Refused as no:
        raise click.ClickException(
            no.sentence or "Only a match that ended with a result on this server can be voided, and only once."
        ) from None
    finally:
        store.close()
    click.echo(f"The match {match_id} was voided by event {version}.")
