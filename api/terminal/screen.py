"""The whole screen as a picture: what is played, the table, scores, the log, and the keys."""

import re
from collections.abc import Iterator
from typing import Final

from rich.cells import cell_len

from api.terminal.canvas import Canvas, clean, clipped
from api.terminal.cards import SIGNS, Look, is_card, suit_style
from api.terminal.steps import KEYS, SPEEDS, Place
from api.terminal.tables import Scene, picture, scores
from api.terminal.tape import Tape
from domain import match as life
from domain.core.text import listed
from domain.match import Match
from events.proof.record import Unreadable

MOST_LINES: Final = 4
"""So many lines of the log an event takes at most: some hold digests that nobody reads here."""

CARD: Final = re.compile(r"(?<![^\s(|:,;\[-])([2-9TJQKA][CDHS])(?![^\s.,;:|)\]…])")


def screen(tape: Tape, place: Place, width: int, height: int, *, signs: bool = True) -> Canvas:
    """Draw all that is seen at a place, in a terminal of this size."""
    whole = Canvas(width, height)
    side = (46 if width >= 120 else width * 3 // 8 if place.log else 24) if width >= 64 else 0
    side = min(side, 46 if place.log else 26)
    room = (width - side - (side > 0), height - 4)
    look = Look(signs, big=room[0] >= 76 and room[1] >= 32)
    try:
        m = tape.at(place.reader, place.version)
        seat = int(place.reader) if place.reader.isdecimal() else None
        view = {} if m.table is None else m.game.view(m.table, seat)
        scene = Scene(view, tape.names, look, seat, life.to_act(m) if m.status == "playing" else ())
        whole.paste(0, 3, picture(scene, m.game.name if view else "", *room))
        columns, standing = scores(scene), _standing(tape, scene, m)
    except Unreadable as error:
        whole.paste(0, 3, _told(str(error), *room))
        columns, standing = [], ""
    except Exception:  # a forged record may hold a table that nobody can draw
        whole.paste(0, 3, _told("This table cannot be drawn.", *room))
        columns, standing = [], ""
    _head(whole, tape, place, standing, look)
    if side:
        y = _scores(whole, tape, columns, width - side, side)
        if place.log:
            whole.paste(width - side, y, log(tape, place, side, height - 1 - y, look))
    if place.help:
        whole.paste(0, 3, _help(tape, width, height - 4), over=True)
    _foot(whole, tape, place)
    if not signs:
        _in_letters(whole)
    return whole


def _told(why: str, width: int, height: int) -> Canvas:
    drawn = Canvas(width, height)
    for i, words in enumerate(folded(clean(why), max(width - 4, 1))):
        drawn.middle(height // 2 + i, words, "bold")
    return drawn


# --- Above and below ----------------------------------------------------------------------------------------


def _head(whole: Canvas, tape: Tape, place: Place, standing: str, look: Look) -> None:
    """Write what is played, whether it is verified, and where one is."""
    good, verdict = tape.verdict()
    sign = ("✓ " if good else "✗ ") if look.signs else ""
    chosen = tape.chosen()
    title = f" {tape.game.words.title}" + (f": {chosen}" if chosen else "")
    said = sign + clipped(verdict, max(whole.width - 22, 12)) + " "
    whole.put(0, 0, " " * whole.width, "reverse")
    whole.put(0, 0, clipped(title, whole.width - cell_len(said) - 1), "bold reverse")
    whole.put(whole.width - cell_len(said), 0, said, "reverse" if good else "bold reverse red")
    seen = tape.seen_from(place.reader)
    whole.put(1, 1, clipped(f"event {place.version}/{tape.last} · {seen}{standing}", whole.width - 2))
    done = (place.version * whole.width) // tape.last
    full, empty = ("━", "─") if look.signs else ("=", "-")
    whole.put(0, 2, full * done, "green").put(done, 2, empty * (whole.width - done), "dim")


def _in_letters(whole: Canvas) -> None:
    """Write with letters alone, for a terminal that has no others."""
    for y, row in enumerate(whole.rows):
        whole.rows[y] = [(LETTERS.get(x, x if x.isascii() else "?") or " ", style) for x, style in row]


LETTERS: Final = {"·": "|", "…": "~", "→": ">", "←": "<", "↓": "v", "↑": "^", "×": "x"}


def _standing(tape: Tape, scene: Scene, m: Match) -> str:
    """Say how the match stands: the hand, the trick, the phase, for whom it waits."""
    view = scene.view
    numbers = [f"{word} {view[key]}" for word, key in (("hand", "hand_no"), ("trick", "trick_no"), ("turn", "turn_no")) if view.get(key)]  # fmt: skip
    phase = str(view.get("phase") or m.status).replace("_", " ")
    waits = [tape.names[seat] for seat in scene.to_act if seat in range(tape.seats)]
    state = m.status if m.over else f"{phase}, waits for {listed(waits)}" if waits else phase
    return "".join(f" · {part}" for part in (*numbers, state))


def _foot(whole: Canvas, tape: Tape, place: Place) -> None:
    """Write the keys, or what is typed, or an answer."""
    y = whole.height - 1
    if place.typed is not None:
        shown = f" go to (57, hand:3, trick:2.7): {place.typed}"
        whole.put(0, y, shown, "bold").put(cell_len(shown), y, " ", "reverse")
    elif place.said:
        whole.put(0, y, clipped(f" {place.said}", whole.width), "bold")
    elif place.running:
        whole.put(
            0, y, f" running, {SPEEDS[place.speed]:g} events a second:  r stop  + faster  - slower", "bold"
        )
    else:
        x = 1
        for key, does in _offered(tape, whole.width):
            whole.put(x, y, key, "bold").put(x + cell_len(key) + 1, y, does, "dim")
            x += cell_len(key) + len(does) + 3


def _offered(tape: Tape, width: int) -> list[tuple[str, str]]:
    """Give the keys to be named, as many as a line of this width holds."""
    keys = [
        ("→", "step"), ("↓", "move"), ("h", "hand"), ("t", "trick"), ("g", "go to"), (f"0-{tape.seats - 1}", "seat"),
        ("a", "all"), ("l", "log"), ("r", "run"), ("?", "help"), ("q", "quit"),
    ]  # fmt: skip
    spare = (
        ["↓", "l", "a", "r", "t", "h", "g", "→"] if tape.tricks else ["t", "↓", "l", "a", "r", "h", "g", "→"]
    )
    while spare and (
        (spare[0] == "t" and not tape.tricks) or sum(len(key) + len(does) + 3 for key, does in keys) > width
    ):
        gone = spare.pop(0)
        keys = [(key, does) for key, does in keys if key != gone]
    return keys


# --- Beside the table ---------------------------------------------------------------------------------------


def _scores(whole: Canvas, tape: Tape, columns: list[tuple[str, list[str]]], x: int, width: int) -> int:
    """Write the table of scores, and say below which line it ends."""
    if not columns:
        return 3
    widths = [max(len(title), *map(len, column)) + 1 for title, column in columns]
    room = width - sum(widths)
    right = x + room
    for (title, column), w in zip(columns, widths, strict=True):
        right += w
        whole.put(right - len(title), 3, title, "dim")
        for seat, number in enumerate(column):
            whole.put(right - len(number), 4 + seat, number)
    for seat, name in enumerate(tape.names):
        whole.put(x, 4 + seat, f"{seat}", "dim")
        whole.put(x + 2 + (seat > 9), 4 + seat, clipped(name, room - 3), "bold")
    return 5 + len(tape.names)


def log(tape: Tape, place: Place, width: int, height: int, look: Look) -> Canvas:
    """Write the log around the event that is on: what led to it above, some of what follows below."""
    drawn = Canvas(width, height)
    ahead = height // 4
    lines = [(place.version, words) for words in _lines(tape, place, place.version, width, look)]
    version = place.version
    while version > 1 and len(lines) < height - ahead:
        version -= 1
        lines = [(version, words) for words in _lines(tape, place, version, width, look)] + lines
    lines = lines[-max(height - ahead, 1) :]
    version = place.version
    while version < tape.last and len(lines) < height:
        version += 1
        lines += [(version, words) for words in _lines(tape, place, version, width, look)]
    for y, (v, words) in enumerate(lines[:height]):
        style = "reverse" if v == place.version else "dim" if v > place.version else ""
        if style == "reverse":
            drawn.put(0, y, " " * width, style)
        _written(drawn, y, words, style, look)
    return drawn


def _lines(tape: Tape, place: Place, version: int, width: int, look: Look) -> list[str]:
    told = tape.text(place.reader, version)
    indent = len(str(tape.last)) + 1
    lines = list(folded(told, max(width - indent, 8)))
    if len(lines) > MOST_LINES:
        lines = [*lines[: MOST_LINES - 1], clipped(" ".join(lines[MOST_LINES - 1 :]), max(width - indent, 8))]
    number = str(version).rjust(indent - 1)
    return [f"{number if i == 0 else ' ' * len(number)} {words}" for i, words in enumerate(lines)]


def _written(drawn: Canvas, y: int, words: str, style: str, look: Look) -> None:
    """Write a line with its cards as they look."""
    x = 0
    for part in CARD.split(words):
        if is_card(part):
            sign = SIGNS[part[1]] if look.signs else part[1]
            drawn.put(
                x,
                y,
                part[0] + sign,
                style if style == "reverse" else f"{suit_style(part[1])} {style}".strip(),
            )
        else:
            drawn.put(x, y, part, style)
        x += cell_len(part)


def folded(text: str, width: int) -> Iterator[str]:
    """Fold a text into lines; a word that is wider than a line is cut."""
    row = ""
    for word in text.split():
        rest = word
        while cell_len(rest) > width:
            if row:
                yield row
                row = ""
            piece = clipped(rest, width + 1)[:-1] or rest[:1]
            yield piece
            rest = rest[len(piece) :]
        if row and cell_len(row) + 1 + cell_len(rest) > width:
            yield row
            row = rest
        else:
            row = f"{row} {rest}".strip()
    if row:
        yield row


def _help(tape: Tape, width: int, height: int) -> Canvas:
    """Write what the keys do, what was verified, and the rules that were chosen."""
    drawn = Canvas(width, height)
    y = 0
    for key, does in KEYS:
        drawn.put(2, y, key, "bold").put(14, y, clipped(does, width - 15))
        y += 1
    for check in tape.report.checks:
        state = "FAILED" if not check.ok else "skipped" if check.skipped else "holds"
        where = f"event {check.seq}: " if check.seq and not check.ok else ""
        y += 1 if check is tape.report.checks[0] else 0
        drawn.put(2, y, check.name, "bold").put(
            14, y, clipped(clean(f"{state}: {where}{check.detail}"), width - 15)
        )
        y += 1
    try:
        about = tape.game.words.about(tape.game.setup.options(**_own(tape)), tape.seats)
    except Exception:  # options of a forged record
        about = ""
    for i, words in enumerate(folded(clean(about), max(width - 4, 1))):
        drawn.put(2, y + 1 + i, words)
    return drawn


def _own(tape: Tape) -> dict[str, object]:
    """Give the options of the game alone."""
    names = tape.game.setup.options.__dataclass_fields__
    return {name: x for name, x in tape.options.items() if name in names}
