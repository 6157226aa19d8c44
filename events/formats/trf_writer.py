"""Writes tournaments at tables of two as Tournament Report Files that pairing programs accept.

Programs learn from different lines how points count and how many rounds there are: JaVaFo and py4swiss from `XXS` and
`XXR`, bbpPairings from `BBW` to `BBU`, programs for TRF26 from `162` and `142`. All are written.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from domain.tournament.formats.format_catalogue import format_of, ground_of
from domain.tournament.rounds import BOT, PlayedRound, TableResult
from domain.tournament.tournament_standings import standings
from domain.tournament.tournament_state import PLAYING, Tournament
from events.formats.trf import NAME, NotTrf, clean_name

WIN: Final = 3
DRAW: Final = 1
"""How points count (tournament 1.1); a loss, a lost forfeit and an absence bring none."""

MOST_POINTS: Final = 99
"""The limit of the columns for points; if an entrant has more, all points are written as tenths."""


def write_report(t: Tournament, names: Mapping[int, str], begun: str) -> str:
    """Return a tournament as far as its rounds are closed, with its entrants' names, and the day it began.

    The starting numbers are the order of the shuffle, from 1. A table that does not count (tournament 4.3) is written
    as not played, so that points and ranks are those of the standings. If another round is to be paired, entrants who
    have left are absent from it, so that no program pairs them. Raises `NotTrf`.
    """
    if t.plan.seats != len("wb") or not format_of(t).is_reported or t.plan.cut:
        raise NotTrf("This format is for a Swiss without a cut, a round robin or a league at tables of two.")
    numbers = {one: n for n, one in enumerate(t.order, 1)}
    ground = ground_of(t)
    counted = format_of(t).counted(ground)
    cells = [_cells(each, numbers) for each in counted]
    points = {row.entrant: row.points for row in standings(t.order, counted, t.plan.seats)}
    unit = 10 if max(points.values(), default=0) > MOST_POINTS else 1
    places = format_of(t).places(ground)
    lines = [
        f"012 {clean_name(t.name)}",
        f"042 {begun.replace('-', '/')}",
        f"062 {len(t.order)}",
        f"092 Individual: {t.plan.format.replace('_', ' ')}",
        *_round_lines(t.rounds or max(len(counted), 1), counted),
        *_point_lines(WIN / unit, DRAW / unit),
    ]
    for one in t.order:
        name = clean_name(names.get(one, ""))[: NAME.stop - NAME.start]
        head = f"001 {numbers[one]:>4} {'':4} {name:<33} {'':4} {'':3} {'':11} {'':10} "
        results = "".join(each.get(one, ABSENT) for each in cells)
        if one in t.left and t.status == PLAYING and len(cells) < (t.rounds or 0):
            results += ABSENT
        lines.append(f"{head}{points[one] / unit:>4.1f} {places[one]:>4}{results}")
    return "\n".join(lines) + "\n"


def _round_lines(planned: int, counted: Sequence[PlayedRound]) -> Iterator[str]:
    """Return the lines of the planned number of rounds, and of the first colour until a table shows it."""
    yield f"142 {planned}"
    yield f"XXR {planned}"
    if not any(BOT not in table.seats for each in counted for table in each.tables):
        yield "152 W"
        yield "XXC white1"


def _point_lines(win: float, draw: float) -> Iterator[str]:
    """Return the lines that define the points for results; a bye counts as a win.

    `XXS` omits a loss, which is 0 in all of them: JaVaFo knows no `L`.
    """
    yield f"162  W{win:>4.1f}    D{draw:>4.1f}    P{win:>4.1f}"
    yield f"XXS W={win} D={draw} FW={win} FL=0.0 PAB={win} FPB={win} HPB={draw} ZPB=0.0"
    for code, points in (("W", win), ("D", draw), ("L", 0), ("Z", 0), ("F", 0), ("U", win)):
        yield f"BB{code} {points:>4.1f}"


def _cells(each: PlayedRound, numbers: Mapping[int, int]) -> dict[int, str]:
    """Return the entries of a round for the lines of its entrants."""
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


ABSENT: Final = "  0000 - Z"
"""The entry for a round in which an entrant was not paired."""

AGAINST_BOT: Final = {"1": "F", "+": "F", "=": "H", "0": "Z", "-": "Z"}
"""The entry for a result against a bot, which is no player: a bye with as many points."""


def _sign(table: TableResult, seat: int) -> str:
    """Return the sign of a result; a table at which no game was played was won by forfeit, or lost by both."""
    mine, theirs = table.places[seat], table.places[1 - seat]
    if mine == theirs:
        return "=" if mine == 1 else "-"
    return ("+-" if not table.games else "10")[mine > theirs]
