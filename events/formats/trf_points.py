"""Compares the points in a Tournament Report File with the results of its players.

A file may define its points in lines `XXS` (JaVaFo), `BBW` to `BBU` (bbpPairings) or `162` (TRF26); all of them are
read. Without such a line, the usual systems are tried. Points are counted in tenths.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from domain.core.values import value

POINTS: Final = slice(80, 84)
"""The columns of the points in the line of a player."""

System = Mapping[str, int]
"""The points for each kind of result, in tenths."""

WIN, DRAW, LOSS = "WW BW FW FPB", "WD BD HPB", "WL BL ZPB FL"

CODES: Final = {
    "XXS": {"W": WIN, "D": DRAW, "L": LOSS},
    "BB": {"W": WIN, "D": DRAW, "L": "WL BL", "Z": "ZPB", "F": "FL", "U": "PAB"},
    "162": {"W": WIN, "D": DRAW, "L": "WL BL", "A": "ZPB FL", "P": "PAB"},
}
"""The kinds of results behind the codes of these lines. `XXS` also has the kinds themselves as codes."""

USUAL: Final = ((10, 5), (30, 10), (20, 10))
"""The points for a win and a draw in the usual systems, in tenths."""

KINDS: Final = {"+": "FW", "-": "FL", "F": "FPB", "H": "HPB", "Z": "ZPB", "U": "PAB"}
"""The kinds of results that do not depend on the colour, by their signs."""
PLAYED: Final = {"1": "W", "=": "D", "0": "L"}

UNCHECKED: Final = "299 "
"""The beginning of a line that changes a player's points. Such a file is not checked."""


class StatedPoints(NamedTuple):
    """The stated points of a player in tenths, None if there are none, and the colour and sign of each round."""

    line: int
    points: int | None
    cells: Sequence[tuple[str, str]]


@value
class Contradiction:
    """The stated points of a player that contradict the player's results, both in tenths."""

    number: int
    line: int
    stated: int
    counted: int

    def __str__(self) -> str:
        stated, counted = (f"{one / 10:g}" for one in (self.stated, self.counted))
        return f"line {self.line}: player {self.number} has {stated} points, but the results give {counted}"


def read_points(line: str) -> int | None:
    """Return the points in the line of a player, in tenths; None if there are none, or no number."""
    found = re.fullmatch(r"([0-9]{1,3})(?:[.,]([0-9]))?", line[POINTS].strip().replace("½", ".5"))
    return 10 * int(found[1]) + int(found[2] or 0) if found else None


def contradictions(lines: Sequence[str], players: Mapping[int, StatedPoints]) -> tuple[Contradiction, ...]:
    """Return the players whose points contradict their results, by the system with the fewest."""
    if any(line.startswith(UNCHECKED) for line in lines):
        return ()
    extra = {0, *_accelerations(lines)}
    byes = _requested_byes(lines)
    found = [
        tuple(
            Contradiction(number, one.line, one.points, sum(_points(one.cells, system)))
            for number, one in players.items()
            if one.points is not None and not _fits(one.points, one, system, extra, byes.get(number, ""))
        )
        for system in _systems(lines)
    ]
    return min(found, key=len)


def _systems(lines: Sequence[str]) -> Iterator[System]:
    """Yield the systems that the file may follow: the stated one, or else the usual ones."""
    stated = dict[str, int]()
    for line in lines:
        for kinds, points in _stated(line):
            stated |= dict.fromkeys(kinds.split(), points)
    for win, draw in USUAL[:1] if stated else USUAL:
        system = {
            **dict.fromkeys(WIN.split(), win),
            **dict.fromkeys(DRAW.split(), draw),
            **dict.fromkeys(LOSS.split(), 0),
        }
        for bye in (win, stated.get("WW", win)):
            yield {**system, "PAB": bye, **stated}


def _stated(line: str) -> Iterator[tuple[str, int]]:
    """Yield the kinds of results in a line, each with its points."""
    if line.startswith("XXS "):
        for code, points in re.findall(r"([A-Z]+)=([0-9]{1,4}(?:\.[0-9])?)", line):
            yield CODES["XXS"].get(code, code), _tenths(points)
    elif line.startswith("162 "):
        for code, points in re.findall(r"\b([A-Z]) *([0-9]{1,4}(?:\.[0-9])?)", line[4:]):
            yield CODES["162"].get(code, ""), _tenths(points)
    elif found := re.fullmatch(r"BB([WDLZFU]) +([0-9]{1,4}(?:\.[0-9])?) *", line):
        yield CODES["BB"][found[1]], _tenths(found[2])


def _tenths(points: str) -> int:
    return round(10 * float(points))


def _accelerations(lines: Sequence[str]) -> Iterator[int]:
    """Yield the virtual points of accelerated rounds, which some programs add to the points of a player."""
    for line in lines:
        if line.startswith(("XXA ", "250 ")):
            yield from map(_tenths, re.findall(r"[0-9]{1,4}\.[0-9]", line))


def _requested_byes(lines: Sequence[str]) -> Mapping[int, str]:
    """Return the players with byes in rounds that have no entry yet (`240`), with the sign of the bye."""
    found = dict[int, str]()
    for line in lines:
        if line.startswith("240 "):
            found |= {int(number): line[4:5] for number in line[9:].split() if number.isdecimal()}
    return found


def _points(cells: Sequence[tuple[str, str]], system: System) -> Iterator[int]:
    for colour, sign in cells:
        kind = KINDS.get(sign) or ("" if sign not in PLAYED else ("B" if colour == "b" else "W") + PLAYED[sign])
        yield system.get(kind, 0)


def _fits(stated: int, one: StatedPoints, system: System, extra: set[int], bye: str) -> bool:
    """Return whether the points follow from the results; those of a bye in the last round may not be added yet."""
    points = [*_points(one.cells, system)]
    counts = {sum(points)}
    if one.cells and one.cells[-1][1] in ("F", "H", "U"):
        counts.add(sum(points[:-1]))
    if bye in KINDS:
        counts.add(sum(points) + system[KINDS[bye]])
    return any(stated == count + more for count in counts for more in extra)
