"""Measures drawings, stacks them, and chooses among them by the available room."""

from collections.abc import Iterable, Sequence
from typing import Final

from rich.align import Align
from rich.console import Console, RenderableType
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

BLANK: Final = Text(" ")
"""Fills an empty part of the screen, which rich would mark."""

WIDE: Final = Console(width=1_000, color_system=None)
"""Drawings are measured on a console of this size."""


def size(*blocks: RenderableType) -> tuple[int, int]:
    """Measure stacked blocks: their columns, except for lines that may be cut, and their lines."""
    drawn = [(block, WIDE.render_lines(block, pad=False)) for block in blocks]
    solid = [rows for block, rows in drawn if not (isinstance(block, Text) and block.overflow == "ellipsis")]
    wide = max((Segment.get_line_length(row) for rows in solid for row in rows), default=0)
    return wide, sum(len(rows) for _, rows in drawn)


def choose_fitting(ways: Sequence[Sequence[RenderableType]], width: int, height: int) -> Sequence[RenderableType]:
    """Choose the first of the ways to draw something that fits, else the last."""
    for blocks in ways[:-1]:
        w, h = size(*blocks)
        if w <= width and h <= height:
            return blocks
    return ways[-1]


def line(text: str, style: str = "") -> Text:
    """Write a line, which is cut if it is too long."""
    return Text(text, style, no_wrap=True, overflow="ellipsis")


def stack_centred(blocks: Iterable[RenderableType]) -> RenderableType:
    """Stack blocks, each centred."""
    grid = Table.grid()
    grid.add_column(justify="center")
    for block in blocks:
        grid.add_row(Align.center(block))
    return grid
