"""The command `dealt mcp` lets language models play through the Model Context Protocol."""

import click

from api.cli.play_command import USUAL_SERVER


@click.command()
@click.option("--server", envvar="DEALT_SERVER", default=USUAL_SERVER, show_default=True, help="Address of the server.")
@click.option(
    "--token",
    "tokens",
    envvar="DEALT_TOKEN",
    multiple=True,
    required=True,
    help="A player's token; repeatable. In DEALT_TOKEN, spaces separate several.",
)
@click.option("--legal-moves/--no-legal-moves", default=True, show_default=True, help="List the legal moves.")
def mcp(server: str, tokens: tuple[str, ...], *, legal_moves: bool) -> None:
    """Let a language model play.

    Serves tools of the Model Context Protocol over standard input and output, with which a model plays for the players
    of the tokens. With --no-legal-moves, it has to find its moves in the rules.

    Example: dealt mcp --server https://cards.example.org
    """
    try:
        from api.mcp_server.session import make_session
    except ImportError as error:
        raise click.ClickException(f"{error}. Install the extra: pip install 'dealt[mcp]'") from error
    from api.mcp_server.session_players import Players

    make_session(Players(server, tokens), with_legal_moves=legal_moves).run("stdio")
