"""The command `dealt matches annul` lets a match count for nothing."""

import click

from api.cli.database import opened, shown
from events.settings import Settings


@click.group()
def matches() -> None:
    """Rule on single matches."""


@matches.command()
@click.argument("match_id", metavar="ID")
@click.option("--reason", required=True, help="Why, in a sentence; everybody who may read the match reads it.")
@click.pass_obj
def annul(given: Settings, match_id: str, reason: str) -> None:
    """Let a match that is over count for nothing, for good.

    Its result stays in its log, followed by the event MatchAnnulled with the reason. It leaves the results of its
    players, and all ratings are made anew without it while the service runs.
    """
    from domain.core.game import Refused
    from events.errors import GameNotInstalled, NotFound
    from events.service.context import Context
    from events.service.rulings import LONGEST_REASON, annul

    reason = " ".join(reason.split())
    if not reason or len(reason) > LONGEST_REASON or not reason.isprintable():
        raise click.ClickException(f"A reason is a sentence of 1 to {LONGEST_REASON} characters that can be seen.")
    store = opened(given)
    try:
        if not store.is_current():
            raise click.ClickException(f"{shown(given)} cannot be reached, or needs `dealt migrate` first.")
        version = annul(Context(store), match_id, reason)
    except NotFound:
        raise click.ClickException("There is no match of this id.") from None
    except GameNotInstalled:
        raise click.ClickException("The game of this match is not installed here.") from None
    except Refused as no:
        raise click.ClickException(
            no.sentence or "Only a match that was played here to a result can be annulled, and only once."
        ) from None
    finally:
        store.close()
    click.echo(f"The match {match_id} is annulled at version {version}.")
