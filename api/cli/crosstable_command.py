"""The command `dealt crosstable` shows a tournament that another program has written, with standings by our rules."""

from pathlib import Path

import click
from msgspec import json, to_builtins

from api.safe_text import clean
from api.terminal import record_files


@click.command()
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--json", "as_json", is_flag=True, help="Print the standings as JSON.")
def crosstable(file: Path, as_json: bool) -> None:  # noqa: FBT001 -- an option's
    """Show the standings of a tournament from a FILE in FIDE's Tournament Report File (TRF16), or - for standard input.

    Points and ties are counted by the rules of tournaments here, 3 for a table that is won and 1 for one that is drawn,
    whatever the file says. It is looked at, and not stored; nothing can be played on from it.
    """
    from events.formats import trf

    try:
        with record_files.opened(file) as opened:
            read = trf.read(opened.read(trf.MOST_BYTES + 1))
    except trf.NotTrf as error:
        raise click.ClickException(f"{record_files.name(file)} cannot be read: {clean(str(error))}") from error
    rows = [
        {"place": row.place, "number": row.entrant, "name": read.players[row.entrant], "points": row.points}
        for row in read.standings()
    ]
    if as_json:
        click.echo(
            json.format(json.encode(to_builtins({"name": read.name, "rounds": len(read.rounds), "items": rows})))
        )
        return
    click.echo(click.style(f"{clean(read.name) or 'A tournament'}, {len(read.rounds)} rounds", bold=True))
    for row in rows:
        click.echo(f"{row['place']:>4}. {clean(str(row['name'])):<33} {row['points']:>4}")
