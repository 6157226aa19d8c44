"""Draws the log next to the table: the current event, and those around it."""

import re
from dataclasses import dataclass
from typing import Final

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from api.terminal.card_art import SIGNS, is_card, suit_style
from api.terminal.replay_player import Tape
from api.terminal.steps import TapePosition

MOST_LINES: Final = 4
"""Maximum lines of an event in the log: some contain digests."""

CARD: Final = re.compile(r"(?<![^\s(|:,;\[-])([2-9TJQKA][CDHS])(?![^\s.,;:|)\]…])")


@dataclass(frozen=True)
class Log:
    """The log shows the current event, events before it above, and some that follow below."""

    tape: Tape
    position: TapePosition

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        height = options.height or options.size.height
        yield from self.lines(console, options.max_width, height)

    def lines(self, console: Console, width: int, height: int) -> list[Text]:
        """Fill this many lines: three quarters of them up to this event, the rest with later ones."""
        here, ahead = self.position.version, height // 4
        rows = self.event_lines(console, here, width)
        for version in range(here - 1, 0, -1):
            if len(rows) >= height - ahead:
                break
            rows = self.event_lines(console, version, width) + rows
        rows = rows[-max(height - ahead, 1) :]
        for version in range(here + 1, self.tape.last + 1):
            if len(rows) >= height:
                break
            rows += self.event_lines(console, version, width)
        return rows[:height]

    def event_lines(self, console: Console, version: int, width: int) -> list[Text]:
        """Return an event in a few lines, with its number before the first."""
        here = self.position.version
        style = "reverse" if version == here else "dim" if version > here else ""
        indent = len(str(self.tape.last)) + 1
        text = with_signs(self.tape.text(self.position.reader, version))
        rows = list(text.wrap(console, max(width - indent, 8)))
        if len(rows) > MOST_LINES:
            rows = rows[:MOST_LINES]
            rows[-1].append("…")
        numbers = [str(version).rjust(indent - 1) + " ", *[" " * indent] * (len(rows) - 1)]
        numbered = [Text(number) + row for number, row in zip(numbers, rows, strict=True)]
        for row in numbered:
            row.no_wrap, row.overflow = True, "ellipsis"
            row.pad_right(max(width - row.cell_len, 0)) if style == "reverse" else None
            row.stylize(style)
        return numbered


def with_signs(text: str) -> Text:
    """Write a line with its cards as they look."""
    return Text.assemble(
        *((part[0] + SIGNS[part[1]], suit_style(part[1])) if is_card(part) else part for part in CARD.split(text))
    )
