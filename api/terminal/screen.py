"""Lays the whole screen out with rich: the title, the table, the numbers of the seats, the log, and the keys."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.layout import Layout
from rich.segment import Segment, Segments
from rich.table import Table
from rich.text import Text

from api.safe_text import clean_json, remove_controls
from api.terminal.card_art import SIGNS
from api.terminal.event_list import Log
from api.terminal.fit import BLANK, WIDE
from api.terminal.painter import Painted, table
from api.terminal.replay_player import Tape
from api.terminal.steps import KEYS, SPEEDS, TapePosition
from domain import match as life
from domain.core.scene import HAND, PROGRESS, Scene, as_json, from_json
from domain.core.text import join_words
from domain.match import Match
from events.proof.findings import Verdict
from events.proof.record import Unreadable

HEAD, FOOT = 3, 1
"""There are this many lines above the table, and below it."""

ROOM_FOR_SIDE, ROOM_FOR_MORE = 64, 120
"""From this many columns on, the screen has a side panel, and a wider one."""

SIDE, WIDE_SIDE = 30, 46
"""The side panel and the wider one have this many columns."""

ROOM_FOR_LARGE: Final = (76, 32)
"""Large cards need a table of this many columns and lines."""

VERDICT_SIGNS: Final[dict[Verdict, str]] = {"verified": "✓", "failed": "✗", "unverifiable": "–"}
"""The sign of each verdict."""

NAME: Final = 8
"""A name in the table of numbers has at least this many columns."""


def screen(tape: Tape, position: TapePosition, width: int, height: int, *, signs: bool = True) -> RenderableType:
    """Lay out all that is seen at a position, in a terminal of this size."""
    side = 0 if width < ROOM_FOR_SIDE else WIDE_SIDE if width >= ROOM_FOR_MORE else SIDE
    middle, scene, place = draw_position(tape, position, width - side - 1 if side else width, height - HEAD - FOOT)
    whole, body = Layout(), Layout(ratio=1)
    whole.split_column(
        Layout(head(tape, position, place, width), size=HEAD),
        body,
        Layout(foot(tape, position, width), size=FOOT),
    )
    if position.help:
        body.update(help_text(tape))
    elif side:
        numbers = scores(tape.names, scene, side)
        side_column = Layout(size=side)
        rest = Layout(Log(tape, position) if position.log else BLANK)
        side_column.split_column(Layout(numbers, size=numbers.row_count + 2), rest)
        body.split_row(Layout(middle), Layout(BLANK, size=1), side_column)
    else:
        body.update(middle)
    return whole if signs else InLetters(whole)


def draw_position(
    tape: Tape, position: TapePosition, width: int, height: int
) -> tuple[RenderableType, Scene | None, str]:
    """Draw the table and the state of the match; describe parts that cannot be drawn."""
    try:
        m = tape.at(position.reader, position.version)
        seat = int(position.reader) if position.reader.isdecimal() else None
        # Text of a forged event may be in the state, and in its drawing.
        scene = None if m.table is None else from_json(clean_json(as_json(m.game.scene(m.table, seat))))
        return paint_scene(tape.names, scene, width, height), scene, _status_line(tape, m, scene)
    except Unreadable as error:
        return Text(f"\n{remove_controls(str(error))}", "bold", justify="center"), None, ""
    except Exception:  # A forged record may have a table that cannot be drawn.
        return Text("\nThis table cannot be drawn.", "bold", justify="center"), None, ""


def paint_scene(names: Sequence[str], scene: Scene | None, width: int, height: int) -> RenderableType:
    """Paint the scene now, so that its faults are found here."""
    if scene is None:
        return Text("\nThe game has not begun.", "dim", justify="center")
    big = width >= ROOM_FOR_LARGE[0] and height >= ROOM_FOR_LARGE[1]
    return render_segments(table(Painted(scene, names, big), width, height), width, height)


def render_segments(layout: RenderableType, width: int, height: int) -> Segments:
    """Draw something now, in a room of this size."""
    options = WIDE.options.update_dimensions(max(width, 1), max(height, 1))
    rows = WIDE.render_lines(layout, options)
    return Segments([segment for row in rows for segment in (*row, Segment.line())])


# --- Above and below ----------------------------------------------------------------------------------------


def head(tape: Tape, position: TapePosition, place: str, width: int) -> RenderableType:
    """Return the line with the game, the verification and the position."""
    verdict, said = tape.verdict()
    chosen = tape.chosen()
    bar = Table.grid(expand=True)
    bar.style = "reverse"
    bar.add_column(ratio=1, no_wrap=True, overflow="ellipsis")
    bar.add_column(justify="right", no_wrap=True, overflow="ellipsis", max_width=max(width - 20, 12))
    title = Text(f" {tape.game.words.title}" + (f": {chosen}" if chosen else ""), "bold")
    bar.add_row(title, Text(f"{VERDICT_SIGNS[verdict]} {said} ", "bold red" if verdict == "failed" else ""))
    where = f" event {position.version}/{tape.last} · {tape.viewpoint(position.reader)}{place}"
    done = position.version * width // tape.last
    progress = Text.assemble(("━" * done, "green"), ("─" * (width - done), "dim"))
    return Group(bar, Text(where, no_wrap=True, overflow="ellipsis"), progress)


def _status_line(tape: Tape, m: Match, scene: Scene | None) -> str:
    """Return the state of the match: the hand, the trick, the phase, and the seats to act."""
    to_act = life.to_act(m) if m.status == "playing" else ()
    waits = [tape.names[seat] for seat in to_act if seat in range(tape.seats)]
    phase = (scene.phase if scene else m.status).replace("_", " ")
    numbers = [f"{label} {n}" for label, n in (scene.numbers if scene else ()) if label in PROGRESS and n]
    state = m.status if m.over else f"{phase}, waiting for {join_words(waits)}" if waits else phase
    return "".join(f" · {part}" for part in (*numbers, state))


def foot(tape: Tape, position: TapePosition, width: int) -> RenderableType:
    """Write the keys, or what is typed, or an answer."""
    if position.typed is not None:
        return Text.assemble((f" go to (57, hand:3, trick:2.7): {position.typed}", "bold"), (" ", "reverse"))
    if position.said:
        return Text(f" {position.said}", "bold", no_wrap=True, overflow="ellipsis")
    if position.running:
        return Text(f" running, {SPEEDS[position.speed]:g} events a second:  r stop  + faster  - slower", "bold")
    keys = [((f"{key} ", "bold"), (f"{does}  ", "dim")) for key, does in _offered(tape, width)]
    return Text.assemble(" ", *(part for pair in keys for part in pair), no_wrap=True, overflow="crop")


def _offered(tape: Tape, width: int) -> list[tuple[str, str]]:
    """Return the keys to show, as many as fit a line of this width."""
    keys = [
        ("→", "step"),
        ("↓", "move"),
        ("h", "hand"),
        ("t", "trick"),
        ("g", "go to"),
        (f"0-{tape.seats - 1}", "seat"),
        ("a", "all"),
        ("l", "log"),
        ("r", "run"),
        ("?", "help"),
        ("q", "quit"),
    ]
    spare = ["↓", "l", "a", "r", "t", "h", "g", "→"]
    if not tape.tricks:
        keys = [(key, does) for key, does in keys if key != "t"]
    while spare and sum(len(key) + len(does) + 3 for key, does in keys) > width:
        gone = spare.pop(0)
        keys = [(key, does) for key, does in keys if key != gone]
    return keys


def in_letters(draw: Callable[[int, int], RenderableType]) -> Callable[[int, int], RenderableType]:
    """Allow drawing without symbols at this size."""
    return lambda width, height: InLetters(draw(width, height))


@dataclass(frozen=True)
class InLetters:
    """A screen for a terminal that shows only letters."""

    whole: RenderableType

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for text, style, control in console.render(self.whole, options):
            ascii_ = "".join(LETTERS.get(x, x if x.isascii() else "?") for x in text)
            yield Segment(ascii_, style, control)


LETTERS: Final = (
    {
        "·": "|",
        "…": "~",
        "→": ">",
        "←": "<",
        "↓": "v",
        "↑": "^",
        "×": "x",
        "━": "=",
        "─": "-",
        "│": "|",
        "▒": "#",
    }
    | {"▶": ">", "✓": "v", "✗": "x"}
    | dict.fromkeys("╭╮╰╯", "+")
    | {sign: letter for letter, sign in SIGNS.items()}
)


# --- Beside the table ---------------------------------------------------------------------------------------


def scores(names: Sequence[str], scene: Scene | None, width: int) -> Table:
    """Return the line with the players, with as many seat numbers as fit."""
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.show_header, grid.header_style = True, "dim"
    grid.add_column(style="dim")
    grid.add_column(no_wrap=True, overflow="ellipsis", style="bold", ratio=1)
    grid.expand = True
    columns = columns_of(scene) if scene else {}
    room = width - len(str(len(names))) - 1 - NAME
    kept = []
    for label, column in columns.items():
        room -= 1 + max(len(label), *map(len, column.values()))
        if room >= 0:
            kept.append(column)
            grid.add_column(label, justify="right", no_wrap=True)
    for seat, name in enumerate(names):
        grid.add_row(str(seat), Text(name), *(column.get(seat, "") for column in kept))
    return grid


def columns_of(scene: Scene) -> dict[str, dict[int, str]]:
    """Return the numbers of the seats by label, and the number of their cards."""
    labels = dict.fromkeys(label for seat in scene.seats for label, _ in seat.numbers)
    columns = {
        label: {s.seat: str(dict(s.numbers)[label]) for s in scene.seats if label in dict(s.numbers)}
        for label in labels
    }
    held = {zone.seat: str(zone.count) for zone in scene.zones if zone.kind == HAND and zone.seat is not None}
    return columns | ({"cards": held} if held else {})


def help_text(tape: Tape) -> RenderableType:
    """Return the help: the keys, the verification, and the rules of the match."""
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="bold", no_wrap=True)
    grid.add_column(no_wrap=True, overflow="ellipsis")
    for row in (*KEYS, ("", ""), *_checked(tape)):
        grid.add_row(*map(Text, row))
    try:
        about = tape.game.words.about(tape.game.setup.options(**_own(tape)), tape.seats)
    except Exception:  # options of a forged record
        about = ""
    return Group(grid, Text(f"\n{remove_controls(about)}"))


def _checked(tape: Tape) -> Iterator[Iterable[str]]:
    """Return the result of each check."""
    for check in tape.report.checks:
        state = "FAILED" if not check.ok else "skipped" if check.skipped else "passed"
        where = f"event {check.seq}: " if check.seq and not check.ok else ""
        yield check.name, remove_controls(f"{state}: {where}{check.detail}")


def _own(tape: Tape) -> dict[str, object]:
    """Return only the game's own options."""
    names = tape.game.setup.options.__dataclass_fields__
    return {name: x for name, x in tape.options.items() if name in names}
