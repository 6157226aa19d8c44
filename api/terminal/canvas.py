"""Pictures made of characters: drawn cell by cell, pasted into one another, shown as lines."""

from itertools import groupby
from typing import Self

from rich.cells import cell_len
from rich.text import Text

Cell = tuple[str, str]
"""A character and its style; the cell behind a wide character holds none."""

BLANK: Cell = (" ", "")


class Canvas:
    """A picture. What is put beyond its edges is cut off."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = max(width, 0), max(height, 0)
        self.rows: list[list[Cell]] = [[BLANK] * self.width for _ in range(self.height)]

    def put(self, x: int, y: int, text: str, style: str = "") -> Self:
        """Write a text, which has one line."""
        for letter in text:
            size = cell_len(letter)
            if size and 0 <= y < self.height and x >= 0 and x + size <= self.width:
                self.rows[y][x] = (letter, style)
                for behind in range(1, size):
                    self.rows[y][x + behind] = ("", style)
            x += size
        return self

    def paste(self, x: int, y: int, other: "Canvas", *, over: bool = False) -> Self:
        """Lay another picture on this one; where that is blank this one shows, unless it lies `over`."""
        for j, row in enumerate(other.rows, y):
            for i, cell in enumerate(row, x):
                if 0 <= j < self.height and 0 <= i < self.width and (over or cell != BLANK):
                    self.rows[j][i] = cell
        return self

    def middle(self, y: int, text: str, style: str = "") -> Self:
        """Write a text in the middle of a line."""
        return self.put(max((self.width - cell_len(text)) // 2, 0), y, text, style)

    def plain(self) -> str:
        """Give the picture without its colours."""
        return "\n".join("".join(letter for letter, _ in row).rstrip() for row in self.rows)

    def text(self) -> Text:
        """Give the picture with its colours."""
        shown = Text(no_wrap=True, overflow="ignore", end="")
        for y, row in enumerate(self.rows):
            shown.append("\n" * (y > 0))
            for style, run in groupby(row, lambda cell: cell[1]):
                shown.append("".join(letter for letter, _ in run), style or None)
        return shown


def stacked(pictures: list[Canvas]) -> Canvas:
    """Lay pictures below one another."""
    whole = Canvas(max((p.width for p in pictures), default=0), sum(p.height for p in pictures))
    y = 0
    for picture in pictures:
        whole.paste(0, y, picture)
        y += picture.height
    return whole


def line(text: str, style: str = "") -> Canvas:
    """Draw a line of text."""
    return Canvas(cell_len(text), 1).put(0, 0, text, style)


def clipped(text: str, width: int) -> str:
    """Cut a text that is too wide."""
    if cell_len(text) <= width:
        return text
    cut = text
    while cut and cell_len(cut) > width - 1:
        cut = cut[:-1]
    return cut + "…" if width > 0 else ""


def clean(text: str) -> str:
    """Take out what would speak to the terminal: a record may come from anybody."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)
