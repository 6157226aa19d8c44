"""The command `dealt cards` checks card files."""

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from api.safe_text import remove_controls

if TYPE_CHECKING:
    from domain.card_sets.check.effect_checks import CardFault

MOST_BYTES: Final = 4 * 1024 * 1024
"""Maximum size of a file of cards, in bytes."""


@click.group()
def cards() -> None:
    """Check sets of cards."""


@cards.command()
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
def check(file: Path, as_json: bool) -> None:  # noqa: FBT001 -- an option's
    """Check a FILE of cards.

    Checks it together with the existing sets. `-` is standard input. Lists every fault with its place, such as
    cards.3.abilities.0.spell, and the reason: missing or unknown fields, texts that do not match the abilities,
    boosters that cannot be filled, effects that can never happen. Warnings do not change the exit code: it
    is 0 if there is no fault, else 1.

    Example: dealt cards check ex1.json
    """
    from domain.card_sets.cards.library import SETS
    from domain.card_sets.check.file import check_card_file as checked

    read = _read(file)
    found = checked(read, SETS.values())
    if as_json:
        parts = {"faults": found.faults, "warnings": found.warnings}
        told = {name: [{"path": one.path, "sentence": one.sentence} for one in row] for name, row in parts.items()}
        click.echo(json.dumps({"ok": not found.faults, **told}, indent=2, ensure_ascii=False))
    else:
        _tell(found.faults, "fault", "red")
        _tell(found.warnings, "warning", "yellow")
        click.echo(_summary(read, len(found.faults), len(found.warnings)))
    sys.exit(1 if found.faults else 0)


def _read(file: Path) -> Any:
    """Read a file of JSON. Raises `ClickException`."""
    name = "standard input" if str(file) == "-" else remove_controls(str(file))
    try:
        if str(file) == "-":
            data = sys.stdin.buffer.read(MOST_BYTES + 1)
        else:
            with file.open("rb") as opened:
                data = opened.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise click.ClickException(f"{name} is larger than {MOST_BYTES // 2**20} MiB.")
        return json.loads(data.decode("utf-8"))
    except OSError as error:
        raise click.ClickException(f"{name} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise click.ClickException(f"{name} is not UTF-8.") from error
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise click.ClickException(f"{name} is not JSON: {error.msg}, {where}.") from error
    except RecursionError as error:
        raise click.ClickException(f"{name} is nested too deeply.") from error


def _tell(found: Iterable["CardFault"], kind: str, colour: str) -> None:
    for one in found:
        where = remove_controls(one.path) or "the file"
        click.echo(f"{click.style(kind, fg=colour)}  {click.style(where, bold=True)}: {remove_controls(one.sentence)}")


def _summary(read: Any, faults: int, warnings: int) -> str:
    rows = read.get("cards") if isinstance(read, dict) else None
    there = f"{_number(len(rows), 'card')}: " if isinstance(rows, list) else ""
    warned = f", and {_number(warnings, 'warning')}" if warnings else ""
    return f"{there}no faults{warned}." if not faults else f"{there}{_number(faults, 'fault')}{warned}."


def _number(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
