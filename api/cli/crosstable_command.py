"""The command `dealt crosstable` shows a tournament that another program has written, with standings by our rules."""

from pathlib import Path

import click
from msgspec import json

from api.safe_text import remove_controls
from api.terminal import record_files


@click.command()
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--json", "as_json", is_flag=True, help="Print the standings as JSON.")
def crosstable(file: Path, as_json: bool) -> None:  # noqa: FBT001 -- an option's
    """Show standings from a FIDE report.

    FILE is a Tournament Report File, TRF16 or TRF26; - is standard input. Points and tie-breaks follow Dealt's rules, 3
    for a won table and 1 for a drawn one, regardless of the file. Pairings without a result count as not played.
    Warns of points that contradict the results, and of a file that is not UTF-8, which is read as Windows-1252 or
    Latin-1. Nothing is stored.

    Example: dealt crosstable open.trf
    """
    from events.formats import trf
    from events.formats.trf_reader import read_report

    try:
        with record_files.open_record_file(file) as opened:
            read = read_report(opened.read(trf.MOST_BYTES + 1))
    except trf.NotTrf as error:
        raise click.ClickException(
            f"{record_files.name(file)} cannot be read: {remove_controls(str(error))}"
        ) from error
    rows = [
        {"place": row.place, "number": row.entrant, "name": read.players[row.entrant], "points": row.points}
        for row in read.standings()
    ]
    unplayed = sum(len(each.unplayed) for each in read.rounds)
    if as_json:
        shown = {"name": read.name, "encoding": read.encoding, "rounds": len(read.rounds), "unplayed": unplayed}
        contradictions = [*map(str, read.contradictions)]
        click.echo(json.format(json.encode({**shown, "contradictions": contradictions, "items": rows})))
        return
    rounds = f"{len(read.rounds)} round{'s' * (len(read.rounds) != 1)}"
    click.echo(click.style(f"{remove_controls(read.name) or 'A tournament'}, {rounds}", bold=True))
    for row in rows:
        click.echo(f"{row['place']:>4}. {remove_controls(str(row['name'])):<33} {row['points']:>4}")
    if unplayed:
        click.echo(f"Tables without a result: {unplayed}.")
    for one in read.contradictions:
        click.echo(f"Points in {one}.", err=True)
    if read.is_guessed:
        click.echo(f"The file is not UTF-8. It was read as {read.encoding}: check names with accents.", err=True)
