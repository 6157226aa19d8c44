"""Prints a measurement as a plain table: a figure, its floor, their ratio, the target, and whether it held."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import median


@dataclass(slots=True, frozen=True)
class Line:
    """A line has one figure. `floor` is in the same unit; `target` says in words what `held` judges."""

    what: str
    figure: float
    unit: str
    floor: float | None = None
    ratio: float | None = None
    target: str = ""
    held: bool | None = None

    def cells(self) -> tuple[str, ...]:
        floor = "" if self.floor is None else number(self.floor)
        ratio = "" if self.ratio is None else f"{self.ratio:.2f}"
        verdict = "" if self.held is None else "ok" if self.held else "MISSES"
        return self.what, f"{number(self.figure)} {self.unit}", floor, ratio, self.target, verdict


@dataclass(slots=True)
class Table:
    """A table holds the outcome of one measurement."""

    title: str
    lines: list[Line] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def held(self) -> bool:
        return all(line.held is not False for line in self.lines)

    def __str__(self) -> str:
        head = ("", "measured", "floor", "ratio", "target", "")
        rows = [head, *(line.cells() for line in self.lines)]
        wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
        put: Sequence[Callable[[str, int], str]] = (str.ljust, *(str.rjust,) * 3, str.ljust, str.ljust)
        said = ["  ".join(p(cell, w) for p, cell, w in zip(put, row, wide, strict=True)) for row in rows]
        return "\n".join([self.title, *(f"  {line.rstrip()}" for line in said), *(f"  {n}" for n in self.notes)])


def number(x: float) -> str:
    """Write a figure with no more digits than a noisy machine is good for."""
    return f"{x:,.0f}" if x >= 100 else f"{x:.3g}"


def compared(what: str, ours: Sequence[float], floor: Sequence[float], unit: str, least: float | None = None) -> Line:
    """Compare our rounds with the floor's rounds that ran with them; `least` is the ratio to reach."""
    ratio = median(a / b for a, b in zip(ours, floor, strict=True))
    if least is None:
        return Line(what, median(ours), unit, median(floor), ratio)
    return Line(what, median(ours), unit, median(floor), ratio, f"≥ {least:g} of it", ratio >= least)
