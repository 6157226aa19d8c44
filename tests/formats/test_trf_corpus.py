"""Tests files written by other programs: their structure and quirks are real, names and results are invented."""

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from events.formats.trf_reader import Crosstable, read_report

FOLDER = Path(__file__).parent / "corpus" / "trf"


class Expected(NamedTuple):
    players: int
    rounds: int
    unplayed: int = 0
    encoding: str = "utf-8"
    win: float = 1.0
    draw: float = 0.5
    bye: float = 1.0


CORPUS = {
    "fide-trf16-open.trf": Expected(8, 4),
    "fide-trf26-teams.trf": Expected(8, 4),
    "generated-tournament.trf": Expected(5, 2, win=3, draw=1, bye=3),
    "irish-congress.trf": Expected(4, 3),
    "javafo-extensions.trf": Expected(4, 2, win=3, draw=1),
    "online-swiss.trf": Expected(5, 3),
    "trf26-in-progress.trf": Expected(7, 2, unplayed=3),
    "windows-1252-teams.trf": Expected(6, 3, encoding="windows-1252"),
}


def points(read: Crosstable, expected: Expected) -> Mapping[int, float]:
    """Add up the points of each player by the file's own count."""
    found = defaultdict[int, float](float)
    for each in read.rounds:
        for table in each.played.tables:
            for player, place in zip(table.seats, table.places, strict=True):
                if player is not None and place == 1:
                    found[player] += expected.draw if table.places == (1, 1) else expected.win
        for player in each.played.byes:
            found[player] += expected.bye
    return found


def test_every_file_of_the_corpus_has_an_expected_result() -> None:
    assert sorted(CORPUS) == sorted(path.name for path in FOLDER.iterdir())


@pytest.mark.parametrize("name", CORPUS)
def test_report_of_another_program_has_its_stated_points(name: str) -> None:
    expected, content = CORPUS[name], (FOLDER / name).read_bytes()
    read = read_report(content)
    unplayed = sum(len(each.unplayed) for each in read.rounds)
    assert (len(read.players), len(read.rounds), unplayed, read.encoding) == expected[:4]
    assert read.contradictions == ()
    lines = [line for line in content.decode(read.encoding).splitlines() if line.startswith("001 ")]
    ours = points(read, expected)
    assert {line[4:8]: ours[int(line[4:8])] for line in lines} == {line[4:8]: float(line[80:84]) for line in lines}


def test_names_in_a_windows_1252_file_are_decoded() -> None:
    read = read_report((FOLDER / "windows-1252-teams.trf").read_bytes())
    assert (read.name, read.players[1], read.players[2]) == (
        "Städtevergleich Köln – Århus",
        "Größe,Jörg",
        "Æbelø,Søren",
    )
