"""This module writes and reads tournaments at tables of two in FIDE's Tournament Report File (TRF16).

A line `001` for each player has columns of fixed width, and ten characters for each round: the opponent's number, the
colour and the result. Seat 0 is white. How many rounds there are and how points count stand in the lines `XXR` and
`XXS`, by which programs have extended the format.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from domain.core.values import value
from domain.tournament.played_rounds import BOT, PlayedRound, TableResult
from domain.tournament.tournament_course import ground_of
from domain.tournament.tournament_formats import format_of
from domain.tournament.tournament_standings import Standing, standings
from domain.tournament.tournament_state import Tournament

MEDIA_TYPE: Final = "text/plain"
FORMATS: Final = ("swiss", "round_robin", "league")
"""The formats of tournaments that can be written: each table has a result that counts, and there is no cut."""

MOST_BYTES: Final = 4 * 1024 * 1024
MOST_SENT_BYTES: Final = 768 * 1024
"""The most bytes that are read over HTTP: the largest tournament that is written here has 710,000."""
MOST_PLAYERS: Final = 9999
MOST_ROUNDS: Final = 99

NAME: Final = slice(14, 47)
POINTS: Final = slice(80, 84)
RESULTS: Final = 91
"""Where the results of the rounds begin in the line of a player, counted from 0."""

WIDTH: Final = 10
"""The characters of a round."""

SCORES: Final = "W={win} D={draw} L=0.0 FW={win} FL=0.0 PAB={win} FPB={win} HPB={draw} ZPB=0.0"
"""How points count (tournament 1.1)."""

MOST_POINTS: Final = 99
"""The most points for which there are columns; where somebody has more, all points are written as tenths."""


class NotTrf(ValueError):
    """The text is no such file, or the tournament cannot be written as one; the message says why, for a person."""


# --- Writing ------------------------------------------------------------------------------------------------


def written(t: Tournament, names: Mapping[int, str], begun: str) -> str:
    """Write a tournament as far as its rounds are closed, with the names of its entrants, and the day it has begun on.

    The starting numbers are the order of the shuffle, from 1. A table that does not count (tournament 4.3) is written
    as not played, so that points and ranks are those of the standings. Raises `NotTrf`.
    """
    if t.plan.seats != len("wb") or t.plan.format not in FORMATS or t.plan.cut:
        raise NotTrf("This format is for a Swiss without a cut, a round robin or a league at tables of two.")
    numbers = {one: n for n, one in enumerate(t.order, 1)}
    ground = ground_of(t)
    counted = format_of(t).counted(ground)
    rounds = [_round(each, numbers) for each in counted]
    points = {row.entrant: row.points for row in standings(t.order, counted, t.plan.seats)}
    unit = 10 if max(points.values(), default=0) > MOST_POINTS else 1
    places = format_of(t).places(ground)
    lines = [
        f"012 {_clean(t.name)}",
        f"042 {begun.replace('-', '/')}",
        f"062 {len(t.order)}",
        f"092 Individual: {t.plan.format.replace('_', ' ')}",
        f"XXR {t.rounds or max(len(rounds), 1)}",
        f"XXS {SCORES.format(win=3 / unit, draw=1 / unit)}",
    ]
    for one in t.order:
        name = _clean(names.get(one, ""))[: NAME.stop - NAME.start]
        head = f"001 {numbers[one]:>4} {'':4} {name:<33} {'':4} {'':3} {'':11} {'':10} "
        results = "".join(each.get(one, "  0000 - Z") for each in rounds)
        lines.append(f"{head}{points[one] / unit:>4.1f} {places[one]:>4}{results}")
    return "\n".join(lines) + "\n"


def _clean(name: str) -> str:
    """Give a name on one line, without what is not shown."""
    return " ".join("".join(c if c.isprintable() else " " for c in name).split())


def _round(each: PlayedRound, numbers: Mapping[int, int]) -> dict[int, str]:
    """Give what stands of a round in the line of each entrant who had a part in it."""
    found = dict.fromkeys(each.byes, "  0000 - U")
    for table in each.tables:
        for seat, one in enumerate(table.seats):
            if one is BOT:
                continue
            other, result = table.seats[1 - seat], _sign(table, seat)
            if other is BOT:
                found[one] = f"  0000 - {AGAINST_BOT[result]}"
            else:
                found[one] = f"  {numbers[other]:>4} {'wb'[seat]} {result}"
    return found


AGAINST_BOT: Final = {"1": "F", "+": "F", "=": "H", "0": "Z", "-": "Z"}
"""How a result against a bot is written, which is no player: as a bye that brings as many points."""


def _sign(table: TableResult, seat: int) -> str:
    """Give the sign of a result; a table at which no game was played was won by forfeit, or is level."""
    mine, theirs = table.places[seat], table.places[1 - seat]
    if mine == theirs:
        return "=" if mine == 1 else "-"
    return ("+-" if not table.games else "10")[mine > theirs]


# --- Reading ------------------------------------------------------------------------------------------------


@value
class Crosstable:
    """This is a tournament as a file has it: the names of its players by their starting numbers, and its rounds.

    The points are by our rules (tournament 1), whatever the file counts; it is looked at, and nothing is played on.
    """

    name: str
    players: Mapping[int, str]
    rounds: tuple[PlayedRound, ...]

    def standings(self) -> tuple[Standing, ...]:
        """Rank the players by our rules; who is level in all comes in the order of the starting numbers."""
        return standings(sorted(self.players), self.rounds, 2)


class _Cell(NamedTuple):
    """This is what the line of a player says of a round."""

    opponent: int
    colour: str
    result: str


NOBODY: Final = 0
BLANK: Final = _Cell(NOBODY, "-", "Z")
CELL: Final = re.compile(r"(?:  )?( {0,3}[0-9]{1,4}| {4}) ([wb -]) ([-+=01WDLHFUZwdlhfuz ])")
GAMES: Final = {"W": "1", "D": "=", "L": "0"}
"""Games that are not rated."""

ALONE: Final = {"+": "F", "=": "H", "-": "Z"}
"""The signs of who has met nobody, as files before TRF16 and some programs write them: byes, or not paired."""


def read(text: bytes) -> Crosstable:
    """Read a file. Raises `NotTrf`."""
    if len(text) > MOST_BYTES:
        raise NotTrf(f"A file has at most {MOST_BYTES} bytes.")
    name, players, lines, cells = "", dict[int, str](), dict[int, int](), dict[int, list[_Cell]]()
    for n, line in enumerate(text.decode("utf-8-sig", errors="replace").splitlines(), 1):
        if line.startswith("012 "):
            name = _clean(line[4:])
        elif line.startswith("001 "):
            number, found = _player(line, n)
            if number in players or len(players) >= MOST_PLAYERS:
                raise NotTrf(f"Line {n}: a starting number stands twice, or there are too many.")
            players[number], lines[number], cells[number] = _clean(line[NAME]), n, found
    if not players:
        raise NotTrf("There is no line 001, of a player.")
    count = max(map(len, cells.values()))
    every = {number: (*row, *[BLANK] * (count - len(row))) for number, row in cells.items()}
    return Crosstable(name, players, tuple(_paired(n, every, lines) for n in range(count)))


def _player(line: str, n: int) -> tuple[int, list[_Cell]]:
    number, rest = line[4:8].strip(), line[RESULTS - 2 :].rstrip()
    if not re.fullmatch(r"[0-9]{1,4}", number) or not int(number):
        raise NotTrf(f"Line {n}: the starting number is a number from 1 to {MOST_PLAYERS}.")
    if len(rest) > MOST_ROUNDS * WIDTH:
        raise NotTrf(f"Line {n}: there are at most {MOST_ROUNDS} rounds.")
    parts = (rest[at : at + WIDTH].ljust(WIDTH) for at in range(0, len(rest), WIDTH))
    return int(number), [_cell(part, n) for part in parts]


def _cell(part: str, n: int) -> _Cell:
    if not part.strip():
        return BLANK
    found = CELL.fullmatch(part)
    if found is None:
        raise NotTrf(f"Line {n}: a round is written like `  12 w 1`, not `{_clean(part)}`.")
    opponent, colour, result = found.groups()
    number, result = int(opponent.strip() or NOBODY), result.strip().upper() or "Z"
    return _Cell(number, colour, (GAMES if number else ALONE).get(result, result))


def _paired(n: int, cells: Mapping[int, Sequence[_Cell]], lines: Mapping[int, int]) -> PlayedRound:
    """Make the tables and byes of a round of what each player's line says of it; `lines` are these lines' numbers."""
    tables, byes = list[TableResult](), list[int]()
    for number, row in cells.items():
        cell = row[n]
        if cell.result in "UF":
            byes.append(number)
        elif cell.result == "H":
            tables.append(TableResult((number, BOT), (1, 1), (0, 0), 1, 1))
        elif cell.result != "Z":
            other = cells[cell.opponent][n] if cell.opponent in cells else BLANK
            if not _fit(number, cell, other):
                raise NotTrf(f"Line {lines[number]}: in round {n + 1} it does not fit the line of {cell.opponent}.")
            if number < cell.opponent:
                tables.append(_table(number, cell, other))
    return PlayedRound(tuple(tables), tuple(byes))


def _fit(number: int, cell: _Cell, other: _Cell) -> bool:
    """Say whether two players each say that they have met the other, and how that has ended."""
    met = other.opponent == number != cell.opponent and {cell.colour, other.colour} == {"w", "b"}
    return met and (cell.result, other.result) in RESULTS_OF


def _table(number: int, cell: _Cell, other: _Cell) -> TableResult:
    white, black = (cell, other) if cell.colour == "w" else (other, cell)
    seats = (number, cell.opponent) if cell.colour == "w" else (cell.opponent, number)
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
