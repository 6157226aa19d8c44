"""Checks the events of a game: types, stored form and text for each reader."""

from collections.abc import Sequence
from functools import cache
from typing import Any, Final

from api.game_checks.safe_calls import CheckFailed, call, run
from domain.core.contract_texts import MOST_OF_A_TITLE, unfit_line
from domain.core.options import misfit
from domain.core.type_faults import name_value
from domain.core.visibility import view_event
from events.log.codec import EVERYBODY, Shape

HOLES: Final = ("None", "{", "??")
"""A text with one of these shows a value that the reader is not shown."""


def check_events(game: Any, at: str, events: Sequence[Any]) -> None:
    """Check that events are declared and have fields of their types. Raise `CheckFailed`."""
    for event in events:
        kind = type(event)
        if kind not in game.events:
            raise CheckFailed(at, f"{kind.__name__} is not among the events.")
        if wrong := misfit(event):
            raise CheckFailed(at, f"{kind.__name__}.{wrong[0]} is not of its type.")


def check_stored_form(game: Any, event: Any, seats: int) -> None:
    """Write an event as the log does and read it again. Raise `CheckFailed` unless it is the same."""
    kind: Any = type(event)
    at, shape = f"events[{game.events.index(kind)}]", shape_of(kind)
    data, parts = run(at, shape.data, event), run(at, shape.parts, event, seats)
    if run(at, shape.event, data, seats, parts, EVERYBODY) != event:
        raise CheckFailed(at, f"{name_value(event)} is another after it was written and read.")
    if {name: set(part) for name, part in parts.items()} != shape.readers_of(data, seats, shape.version):
        raise CheckFailed(at, f"{name_value(event)} has secret parts for other readers than its public fields say.")
    for name, moments in game.lifecycle.moments.items():
        if tell := moments.get(type(event)):
            line = run(f"lifecycle.moments[{name!r}]", tell, data)
            if line and (odd := unfit_line(line, MOST_OF_A_TITLE)):
                raise CheckFailed(f"lifecycle.moments[{name!r}]", odd)


@cache
def shape_of(cls: Any) -> Shape:
    """Return how events of a class are written."""
    return Shape(cls)


def check_text(game: Any, event: Any, seats: int) -> None:
    """Check that an event has a text, of one sentence at least, for every reader. Raise `CheckFailed`."""
    for reader in (None, *range(seats)):
        part = run("decide", view_event, event, reader)
        line = call(game, "words.text", part)
        if "\n" in line or not line.endswith(".") or any(hole in line for hole in HOLES):
            raise CheckFailed(
                "words.text", f"It tells {name_value(part)} as {line!r}, which is not a line of sentences."
            )
