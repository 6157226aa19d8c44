"""The command `dealt check-game`: authors find out where their game breaks the contract."""

import sys

import click


@click.command("check-game")
@click.argument("name", required=False)
@click.option("--seed", default=0, show_default=True, help="Seed for the moves of the seats and for chance.")
def check_game(name: str | None, seed: int) -> None:
    """Check a game against its definition.

    Also checks that the game shows no seat another seat's secrets. NAME is the name of a game, or its module:
    high_card, or high_card.rules:GAME. Without NAME, all games of installed packages are checked. The exit code is 1 if
    a check fails.

    Example: dealt check-game high_card
    """
    from api.game_checks.checks import GameNotFound, checks_of_offer, find_games

    try:
        offers = find_games(name)
    except GameNotFound as error:
        raise click.ClickException(str(error)) from error
    if not offers:
        click.echo("No installed package offers a game. Name a game, or its module.")
    failed = 0
    for offer in offers:
        click.echo(f"{offer.name}, of {offer.by}")
        for check in checks_of_offer(offer, seed):
            faults = check.faults()
            failed += bool(faults)
            click.echo(f"  {'FAILED' if faults else 'ok':6}  {check.name}")
            for fault in faults:
                click.echo(f"          {fault}")
    sys.exit(1 if failed else 0)
