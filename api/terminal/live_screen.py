"""Lays out a match that is being played: the table, the log and the chat next to it, and the moves below."""

from collections.abc import Iterable, Sequence

from rich.console import RenderableType
from rich.layout import Layout
from rich.table import Table
from rich.text import Text

from api.terminal.card_art import SIGNS, is_card, suit_style
from api.terminal.choosing import Choosing, Row
from api.terminal.event_list import with_signs
from api.terminal.fit import BLANK, WIDE
from api.terminal.screen import ROOM_FOR_MORE, ROOM_FOR_SIDE, SIDE, WIDE_SIDE, paint_scene, scores
from api.terminal.table_seen import TableSeen
from domain.core.text import join_words

HEAD = 2
MOST_ROWS = 8
"""Maximum lines for moves below the table."""

CHAT_SHARE = 3
"""The chat takes one line in this many next to the table."""


def live_screen(
    seen: TableSeen,
    said: Sequence[str],
    chosen: Choosing,
    message: str | None,
    width: int,
    height: int,
) -> RenderableType:
    """Lay out all that is seen of a running match, in a terminal of this size."""
    side = 0 if width < ROOM_FOR_SIDE else WIDE_SIDE if width >= ROOM_FOR_MORE else SIDE
    below = [prompt_line(seen, width), *choices(chosen, width)]
    foot = Layout(Text("\n").join([*below, bottom(seen, chosen, message)]), size=len(below) + 1)
    room = height - HEAD - len(below) - 1
    middle = table(seen, width - side - 1 if side else width, room)
    whole, body = Layout(), Layout(ratio=1)
    whole.split_column(Layout(head(seen), size=HEAD), body, foot)
    if side:
        numbers = scores(seen.names, seen.scene, side)
        talk = room // CHAT_SHARE if said else 0
        side_column = Layout(size=side)
        side_column.split_column(
            Layout(numbers, size=numbers.row_count + 2),
            Layout(latest(seen.log, side, max(room - numbers.row_count - 2 - talk, 1))),
            *([Layout(latest(said, side, talk), size=talk)] if talk else []),
        )
        body.split_row(Layout(middle), Layout(BLANK, size=1), side_column)
    else:
        body.update(middle)
    return whole


def head(seen: TableSeen) -> RenderableType:
    """Return the lines with the game and the seats to act."""
    bar = Table.grid(expand=True)
    bar.style = "reverse"
    bar.add_column(ratio=1, no_wrap=True, overflow="ellipsis")
    bar.add_column(justify="right", no_wrap=True)
    bar.add_row(Text(f" {seen.title}", "bold"), Text(f"{seen.status} "))
    return bar


def table(seen: TableSeen, width: int, height: int) -> RenderableType:
    """Draw the table."""
    if not seen.version:
        return Text(f"\n{seen.trouble or 'One moment ...'}", "bold", justify="center")
    if seen.scene is None and seen.status == "lobby":
        return Text("\nThe match begins when all seats are taken.", "dim", justify="center")
    return paint_scene(seen.names, seen.scene, width, height)


def latest(lines: Sequence[str], width: int, height: int) -> Text:
    """Write the last lines of a log, as many as there is room for."""
    rows: list[Text] = []
    for line in reversed(lines):
        rows = list(with_signs(line).wrap(WIDE, max(width, 8))) + rows
        if len(rows) >= height:
            break
    return Text("\n").join(rows[-height:])


def prompt_line(seen: TableSeen, width: int) -> Text:
    """Write the prompt, or the players to act. The line is always there, so that the table does not move."""
    waits = [seen.names[seat] for seat in seen.to_act if seat != seen.mine]
    said = seen.prompt or (f"{join_words(waits)} {'is' if len(waits) == 1 else 'are'} playing ..." if waits else "")
    line = with_signs(f" {said}")
    line.stylize("bold yellow" if seen.prompt else "dim")
    line.truncate(width, overflow="ellipsis")
    return line


def choices(chosen: Choosing, width: int) -> Iterable[Text]:
    """Return a line for each move, as many as fit around the chosen one."""
    if not chosen.rows:
        return
    first = min(max(chosen.row - MOST_ROWS + 2, 0), max(len(chosen.rows) - MOST_ROWS, 0))
    for i, row in list(enumerate(chosen.rows))[first : first + MOST_ROWS]:
        here = i == chosen.row
        line = Text(" ▶ " if here else "   ") + Text(row.title, "bold" if here else "dim" if row.also else "")
        line.append("  ")
        line.append_text(values(row, chosen, here=here, width=width - line.cell_len))
        line.no_wrap, line.overflow = True, "ellipsis"
        line.truncate(width, overflow="ellipsis")
        yield line


def values(row: Row, chosen: Choosing, *, here: bool, width: int) -> Text:
    """Write the values of a move, so that the chosen one is visible."""
    if row.bounds:
        number = f"{chosen.number if here else row.usual}"
        said = f" {row.bounds[0]} to {row.bounds[-1]}"
        return Text.assemble((number, "reverse" if here else ""), (said if here else "", "dim"))
    parts = [
        _value(label, chosen=here and i == chosen.place, picked=here and i in chosen.picked)
        for i, label in enumerate(row.labels)
    ]
    first = 0
    while here and sum(part.cell_len + 1 for part in parts[first : chosen.place + 1]) > max(width, 8):
        first += 1
    return Text(" ").join(parts[first:])


def _value(label: str, *, chosen: bool, picked: bool) -> Text:
    style = "reverse" if chosen else ""
    text = Text()
    for i, word in enumerate(label.split(" ")):
        text.append(" " if i else "")
        text.append(word[0] + SIGNS[word[1]], suit_style(word[1])) if is_card(word) else text.append(word)
    text = Text.assemble("[", text, "]") if picked else text
    text.stylize(style)
    return text


def bottom(seen: TableSeen, chosen: Choosing, message: str | None) -> Text:
    """Return the input line, an answer or the seats to act, and the keys."""
    if message is not None:
        return Text.assemble((f" say: {message}", "bold"), (" ", "reverse"))
    if seen.trouble or chosen.said:
        return Text(f" {seen.trouble or chosen.said}", "bold", no_wrap=True, overflow="ellipsis")
    if seen.outcome:
        return Text(f" {seen.outcome}  q quit", "bold", no_wrap=True, overflow="ellipsis")
    here = chosen.here
    keys = ["↑↓ move", "←→ choose", *(["space pick", "p proposal"] if here and here.picks else []), "Enter play"]
    said = f" {'  '.join(keys)}" if here else ""
    return Text(f"{said}  c chat  q quit", no_wrap=True, overflow="crop")
