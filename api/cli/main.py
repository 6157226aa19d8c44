"""The command `dealt`: the group of all commands, each of which is imported when it is asked for."""

import os
import sys
from collections.abc import Sequence
from dataclasses import fields
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import IO, Any

import click

from api.http import log_setup
from domain.core.field_docs import field_docs
from events.garbage import few_collections
from events.settings import Settings, settings

IN_MODULES = {
    "admin": ("admin_command", "admin"),
    "api": ("service_commands", "api"),
    "archive": ("archive_command", "archive"),
    "audit": ("audit_command", "audit"),
    "backup": ("backup_commands", "backup"),
    "cards": ("cards_command", "cards"),
    "check-game": ("check_game_command", "check_game"),
    "crosstable": ("crosstable_command", "crosstable"),
    "import": ("import_command", "import_"),
    "keys": ("keys_command", "keys"),
    "matches": ("matches_command", "matches"),
    "mcp": ("mcp_command", "mcp"),
    "migrate": ("database_commands", "migrate"),
    "play": ("play_command", "play"),
    "projections": ("database_commands", "projections"),
    "ratings": ("ratings_command", "ratings"),
    "replay": ("replay_command", "replay"),
    "restore": ("backup_commands", "restore"),
    "scheduler": ("service_commands", "scheduler"),
    "serve": ("service_commands", "serve"),
    "transparency": ("transparency_command", "transparency"),
    "verify": ("verify_command", "verify"),
    "witness": ("witness_command", "witness"),
    "worker": ("service_commands", "worker"),
}
"""The module in this folder and the function of each command defined outside this file."""


AUDIENCES = {
    "Play": ("play", "replay", "mcp"),
    "Verify": ("verify", "crosstable"),
    "Run a server": ("serve", "api", "worker", "scheduler", "settings", "migrate", "keys", "admin", "witness"),
    "Maintain a server": (
        "backup",
        "restore",
        "audit",
        "archive",
        "import",
        "matches",
        "ratings",
        "projections",
        "transparency",
    ),
    "Develop": ("check-game", "cards", "openapi", "bench"),
}
"""The commands by their audience, in the order of the help."""

SERVICES = ("serve", "api", "worker", "scheduler")
"""Commands that start a part of the service. They refuse an installed game that is not admitted; others warn."""


class Commands(click.Group):
    """The group of all commands; it imports the module of a command on use.

    It reports system errors in a sentence, such as a full disk or an invalid file.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*super().list_commands(ctx), *IN_MODULES])

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands into the help, a section for each audience."""
        for audience, names in AUDIENCES.items():
            commands = ((name, self.get_command(ctx, name)) for name in names)
            with formatter.section(audience):
                formatter.write_dl([(name, command.get_short_help_str(60)) for name, command in commands if command])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in IN_MODULES:
            return super().get_command(ctx, cmd_name)
        module, function = IN_MODULES[cmd_name]
        command: click.Command = getattr(import_module(f"api.cli.{module}"), function)
        return command

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run a command. Its output goes nowhere if there is no standard output, and never fails for a letter."""
        if sys.stdout is None:
            sys.stdout = Path(os.devnull).open("w")  # noqa: SIM115 -- it is open as long as the process
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, TextIOWrapper):  # If the terminal lacks a character, it shows a replacement.
                stream.reconfigure(errors="replace")
        try:
            return super().main(*args, **kwargs)
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            click.echo(f"Error: {where}{error.strerror or str(error) or type(error).__name__}.", err=True)
            sys.exit(1)


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Configuration is read from the environment (DATABASE_URL, BROKER_URL, DEALT_...);"
    " `dealt settings` lists it.",
)
@click.version_option(package_name="dealt")
@click.pass_context
def main(context: click.Context) -> None:
    """Play, serve and verify card games."""
    with few_collections():
        from domain.games.catalogue import REFUSED

    if context.invoked_subcommand not in (*SERVICES, "check-game"):
        for sentence in REFUSED:
            click.echo(f"Warning: {sentence}", err=True)
    try:
        context.obj = settings()
        log_setup.set_up_logging(context.obj.dealt_log, context.obj.dealt_log_format)
    except ValueError as error:
        raise click.ClickException(str(error)) from error


@main.command()
@click.argument("files", type=click.File("w", encoding="utf-8"), nargs=-1)
def openapi(files: Sequence[IO[str]]) -> None:
    """Write the API description.

    Writes to each of FILES, or to standard output: JSON if its name ends in `.json`, else YAML.

    Example: dealt openapi openapi.yaml openapi.json
    """
    from api.app import app_with_routes
    from api.http.openapi import write_json, write_yaml

    app = app_with_routes()
    for file in files or (sys.stdout,):
        file.write((write_json if file.name.endswith(".json") else write_yaml)(app))


@main.command("settings")
@click.pass_obj
def show_settings(given: Settings) -> None:
    """List all settings and their values.

    Example: dealt settings
    """
    docs = field_docs(Settings)
    for name in (field.name for field in fields(Settings)):
        value = getattr(given, name)
        shown = "(set)" if name.endswith(("url", "password", "signing_keys")) and value else value
        click.echo(f"{name.upper()} = {shown}")
        click.echo(click.wrap_text(docs[name], width=90, initial_indent="    ", subsequent_indent="    "))


@main.command(context_settings={"ignore_unknown_options": True, "help_option_names": []})
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def bench(arguments: tuple[str, ...]) -> None:
    """Run the benchmarks."""
    try:
        measurements = import_module("bench")
    except ImportError as error:
        raise click.ClickException(
            f"the benchmarks need the source tree and its bench dependencies ({error}): python3 dev.py bench"
        ) from error
    sys.exit(measurements.main(list(arguments)))
