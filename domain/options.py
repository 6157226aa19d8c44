"""Marks on the types of options, from which their JSON Schema follows.

    target_score: Annotated[int, Range(1, 1000)] = 100
    variant: Annotated[str, Pattern("^[1-4]$")] = "2"

`Literal[...]`, `bool` and `T | None` need no mark.
"""

from domain.values import value


@value
class Range:
    """A whole number from `low` to `high`, both included."""

    low: int
    high: int


@value
class Pattern:
    """A text that matches the regular expression from end to end."""

    regex: str


@value
class Odd:
    """An odd whole number from `low` to `high`, both included."""

    low: int
    high: int
