"""Checks a Tournament Report File as bbpPairings does before pairing, by its documented rules.

Independent of our reader and writer: it counts columns and points itself.
"""

import re
from typing import Any, Final

DEFAULTS: Final = {"W": 10, "D": 5, "L": 0, "Z": 0, "F": 0}
"""Points in tenths by code; `U`, the pairing-allocated bye, is a win by default."""

PLAYED: Final = "10=WDL"


class NotAccepted(Exception):
    """The file is refused; the message says why."""


def check_accepted(text: str, *, pairs_next: bool) -> int:
    """Return the number of rounds played. Raises `NotAccepted`.

    With `pairs_next` the file must also allow the next round to be paired.
    """
    points, planned, colour, players = dict(DEFAULTS), 0, False, dict[int, tuple[int, list[tuple[int, str, str]]]]()
    for line in re.split(r"[\r\n]+", text):
        match line[:3]:
            case "001":
                number, row = _player(line)
                if number in players:
                    raise NotAccepted(f"{number} is there twice")
                players[number] = row
            case "142" | "XXR":
                planned = int(line[3:])
            case "152" | "XXC":
                colour |= line in ("152 W", "152 B", "XXC white1", "XXC black1")
            case "162":
                points |= _point_system(line)
            case "BBW" | "BBD" | "BBL" | "BBZ" | "BBF" | "BBU":
                points[line[2]] = _tenths(line[4:8])
    _check_players(players, points)
    rounds = max((n for _, cells in players.values() for n, cell in enumerate(cells, 1) if cell[2] != "Z"), default=0)
    colour |= any(cell[1] != "-" for _, cells in players.values() for cell in cells)
    if not planned or rounds > planned - pairs_next:
        raise NotAccepted(f"{rounds} rounds of {planned}")
    if pairs_next and not colour:
        raise NotAccepted("the initial colour is not known")
    return rounds


def _tenths(field: str) -> int:
    if not re.fullmatch(r" *[0-9]+\.[0-9] *", field):
        raise NotAccepted(f"no points: {field!r}")
    return int(field.replace(".", ""))


def _point_system(line: str) -> dict[str, int]:
    """Parse record `162`: nine characters for each code, of which the second is the code itself."""
    codes = {"W": "W", "D": "D", "L": "L", "Z": "Z", "P": "U"}
    found = {}
    for at in range(5, len(line), 9):
        if line[at] not in codes:
            raise NotAccepted(f"unknown code: {line[at]}")
        found[codes[line[at]]] = _tenths(line[at + 1 : at + 5])
    return found


def _player(line: str) -> tuple[int, tuple[int, list[tuple[int, str, str]]]]:
    if len(line) < 84 or not re.fullmatch(r" *[1-9][0-9]*", line[4:8]):
        raise NotAccepted(f"no player: {line}")
    cells = []
    for at in range(91, len(line), 10):
        cell = line[at : at + 8]
        form = re.fullmatch(r"( *[1-9][0-9]*|0000) ([wb-]) ([-+10=WDLHFUZ])", cell)
        if not form or (form[1] == "0000") != (form[2] == "-") or (form[3] in "HFUZ") != (form[1] == "0000"):
            raise NotAccepted(f"no result: {cell!r}")
        cells.append((int(form[1]), form[2], form[3]))
    return int(line[4:8]), (_tenths(line[80:84]), cells)


def _check_players(players: dict[int, Any], points: dict[str, int]) -> None:
    if sorted(players) != list(range(1, len(players) + 1)):
        raise NotAccepted("a starting number is missing")
    for number, (said, cells) in players.items():
        for n, (other, colour, sign) in enumerate(cells):
            if sign in PLAYED:
                theirs = players[other][1][n]
                if theirs[0] != number or theirs[2] not in PLAYED or theirs[1] == colour:
                    raise NotAccepted(f"game {n + 1} of {number} contradicts the entry of {other}")
        score = sum(_points(sign, points) for _, _, sign in cells)
        if said != score:
            raise NotAccepted(f"the score of {number} is {said} and should be {score} tenths")


def _points(sign: str, points: dict[str, int]) -> int:
    if sign == "U":
        return points.get("U", points["W"])
    code = {"1": "W", "W": "W", "+": "W", "F": "W", "=": "D", "D": "D", "H": "D", "0": "L", "-": "F", "Z": "Z"}
    return points[code[sign]]
