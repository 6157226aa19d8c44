"""Reads tournaments that other programs have written as Tournament Report Files, TRF16 or TRF26 (decision 30).

A table is in the lines of both its players, which must agree. A pairing without a result has not been played yet.
Points that contradict the results are reported: a program may count in a way that is unknown here.
"""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from domain.core.values import value
from domain.tournament.rounds import BOT, PlayedRound, TableResult
from domain.tournament.tournament_standings import Standing, standings
from events.formats import trf
from events.formats.trf_points import Contradiction, StatedPoints, contradictions, read_points


@value
class ReportedRound:
    """A round of a file: its results, and the pairs that have no result yet, white first."""

    played: PlayedRound
    unplayed: tuple[tuple[int, int], ...] = ()


@value
class Crosstable:
    """A tournament from a file: the names of its players by their starting numbers, and its rounds.

    The points follow our rules (tournament 1), not the file. The tournament is only shown, and never continued.
    """

    name: str
    players: Mapping[int, str]
    rounds: tuple[ReportedRound, ...]
    encoding: str
    """The encoding in which the file was read; any but UTF-8 and UTF-16 is a guess."""
    contradictions: tuple[Contradiction, ...] = ()
    """The players whose points in the file contradict their results."""

    def standings(self) -> tuple[Standing, ...]:
        """Rank the players by our rules; tied players keep the order of the starting numbers."""
        return standings(sorted(self.players), [each.played for each in self.rounds], 2)

    @property
    def is_guessed(self) -> bool:
        """Return whether the encoding is a guess, so that letters beyond ASCII may be wrong."""
        return not self.encoding.startswith("utf")


class Cell(NamedTuple):
    """The entry of a round in the line of a player."""

    opponent: int
    colour: str
    result: str


NOBODY: Final = 0
NO_COLOUR: Final = "-"
UNPLAYED: Final = ""
"""The result of a pairing that has not been played yet."""

BLANK: Final = Cell(NOBODY, NO_COLOUR, "Z")
FORM: Final = re.compile(r"(?:  )?( {0,3}[0-9]{1,4}| {4}) ([wb -]) ([-+=01WDLHFUZwdlhfuz ])")
PAIRED: Final = {"W": "1", "D": "=", "L": "0", "Z": "-"}
"""Signs of a player with an opponent: games that are not rated, and an absence, which is a lost forfeit."""

ALONE: Final = {"+": "F", "=": "H", "-": "Z", UNPLAYED: "Z"}
"""Signs of a player without an opponent, as files before TRF16 and some programs write them: byes, or not paired."""

ENCODINGS: Final = ("utf-8-sig", "utf-16", "windows-1252", "latin-1")
"""The encodings that are tried in turn. UTF-16 needs its mark; the last can read any bytes."""

MARKS: Final = (b"\xff\xfe", b"\xfe\xff")


def read_report(content: bytes) -> Crosstable:
    """Read a file. Raises `NotTrf`."""
    if len(content) > trf.MOST_BYTES:
        raise trf.NotTrf(f"A file has at most {trf.MOST_BYTES} bytes.")
    text, encoding = _decode(content)
    name, players, lines, cells = "", dict[int, str](), dict[int, int](), dict[int, list[Cell]]()
    split = re.split(r"\r\n|\r|\n", text)
    for n, line in enumerate(split, 1):
        if line.startswith("012 "):
            name = trf.clean_name(line[4:])
        elif line.startswith("001 "):
            number, found = _read_player(line, n)
            if number in players or len(players) >= trf.MOST_PLAYERS:
                raise trf.NotTrf(f"Line {n}: a starting number is repeated, or there are too many.")
            players[number], lines[number], cells[number] = trf.clean_name(line[trf.NAME]), n, found
    if not players:
        raise trf.NotTrf("There is no line 001 for a player.")
    # Players who are absent from the round to come have an entry for it.
    count = max((n for row in cells.values() for n, cell in enumerate(row, 1) if cell.result != "Z"), default=0)
    every = {number: (*row[:count], *[BLANK] * (count - len(row))) for number, row in cells.items()}
    rounds = tuple(_read_round(n, {number: row[n] for number, row in every.items()}, lines) for n in range(count))
    scored = {
        number: StatedPoints(
            lines[number], read_points(split[lines[number] - 1]), [(one.colour, one.result) for one in row]
        )
        for number, row in every.items()
    }
    return Crosstable(name, players, rounds, encoding, contradictions(split, scored))


def _decode(content: bytes) -> tuple[str, str]:
    """Return the text, and the encoding in which it could be read."""
    for encoding in ENCODINGS:
        if encoding == "utf-16" and not content.startswith(MARKS):
            continue
        try:
            return content.decode(encoding), encoding.removesuffix("-sig")
        except UnicodeDecodeError:
            continue
    raise AssertionError("Latin-1 reads all bytes.")


def _read_player(line: str, n: int) -> tuple[int, list[Cell]]:
    number, rest = line[4:8].strip(), line[trf.RESULTS - 2 :].rstrip()
    if not re.fullmatch(r"[0-9]{1,4}", number) or not int(number):
        raise trf.NotTrf(f"Line {n}: the starting number is a number from 1 to {trf.MOST_PLAYERS}.")
    if len(rest) > trf.MOST_ROUNDS * trf.WIDTH:
        raise trf.NotTrf(f"Line {n}: there are at most {trf.MOST_ROUNDS} rounds.")
    parts = (rest[at : at + trf.WIDTH].ljust(trf.WIDTH) for at in range(0, len(rest), trf.WIDTH))
    return int(number), [_read_cell(part, n) for part in parts]


def _read_cell(part: str, n: int) -> Cell:
    if not part.strip():
        return BLANK
    found = FORM.fullmatch(part)
    if found is None:
        raise trf.NotTrf(f"Line {n}: a round is written like `  12 w 1`, not `{trf.clean_name(part)}`.")
    number, colour, result = int(found[1].strip() or NOBODY), found[2].strip() or NO_COLOUR, found[3].strip().upper()
    return Cell(number, colour, (PAIRED if number else ALONE).get(result, result))


def _read_round(n: int, cells: Mapping[int, Cell], lines: Mapping[int, int]) -> ReportedRound:
    """Build the tables and byes of a round from each player's line; `lines` are these lines' numbers."""
    tables, byes, unplayed = list[TableResult](), list[int](), list[tuple[int, int]]()
    for number, cell in cells.items():
        if cell.result in ("U", "F"):
            byes.append(number)
        elif cell.result == "H":
            tables.append(TableResult((number, BOT), (1, 1), (0, 0), 1, 1))
        elif cell.result != "Z":
            other = cells.get(cell.opponent)
            if fault := _fault(number, cell, other, lines.get(cell.opponent)):
                raise trf.NotTrf(
                    f"Line {lines[number]}: in round {n + 1} player {number} has `{_shown(cell)}`, but {fault}."
                )
            assert other is not None
            if number < cell.opponent and cell.result == UNPLAYED:
                unplayed.append(_seats(number, cell, other))
            elif number < cell.opponent:
                tables.append(_table(_seats(number, cell, other), number, cell, other))
    return ReportedRound(PlayedRound(tuple(tables), tuple(byes)), tuple(unplayed))


def _fault(number: int, cell: Cell, other: Cell | None, line: int | None) -> str:
    """Return why two players' cells do not form a table; empty if they do. The other's cell is in this line."""
    if cell.opponent in (number, NOBODY):
        return "that does not name an opponent"
    if other is None:
        return f"there is no player {cell.opponent}"
    theirs = f"player {cell.opponent} in line {line} has `{_shown(other)}`"
    if other.opponent != number:
        return f"{theirs}, which is not a game against {number}"
    if (cell.result == UNPLAYED) != (other.result == UNPLAYED):
        return f"{theirs}: only one of them has a result"
    if not _have_colours(cell, other):
        return f"{theirs}: one player must be white (`w`) and the other black (`b`)"
    if cell.result != UNPLAYED and (cell.result, other.result) not in RESULTS_OF:
        return f"{theirs}: these results do not fit each other"
    return ""


def _shown(cell: Cell) -> str:
    """Return a cell as a file has it, for a message."""
    return f"{cell.opponent or '0000'} {cell.colour} {cell.result}".strip()


def _have_colours(cell: Cell, other: Cell) -> bool:
    """Return whether the colours are those of a table; a table that was not played needs none."""
    colours = {cell.colour, other.colour}
    if NO_COLOUR in colours:
        return {cell.result, other.result} <= {"+", "-", UNPLAYED}
    return colours == {"w", "b"}


def _seats(number: int, cell: Cell, other: Cell) -> tuple[int, int]:
    """Return white and black; the player whose cell comes first is white if neither has a colour."""
    black = cell.colour == "b" or other.colour == "w"
    return (cell.opponent, number) if black else (number, cell.opponent)


def _table(seats: tuple[int, int], number: int, cell: Cell, other: Cell) -> TableResult:
    white, black = (cell, other) if seats[0] == number else (other, cell)
    places, wins, games, drawn = RESULTS_OF[white.result, black.result]
    return TableResult(seats, places, wins, games, drawn)


RESULTS_OF: Final = {
    ("1", "0"): ((1, 2), (1, 0), 1, 0),
    ("0", "1"): ((2, 1), (0, 1), 1, 0),
    ("=", "="): ((1, 1), (0, 0), 1, 1),
    ("0", "0"): ((2, 2), (0, 0), 1, 0),
    ("+", "-"): ((1, 2), (0, 0), 0, 0),
    ("-", "+"): ((2, 1), (0, 0), 0, 0),
    ("-", "-"): ((2, 2), (0, 0), 0, 0),
}
"""Places, games won, games, and drawn games, by the results of white and black."""
