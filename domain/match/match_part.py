"""Defines the part of a match for one subject, such as draws or clocks: its events and commands."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from typing import Any, Literal

from domain.core.cards import Seat
from domain.core.clock import Time
from domain.core.text import Words
from domain.core.values import value
from domain.match.state import Match

Source = Literal["seat", "bot", "order", "time", "group", "operator"]

Step = Callable[[Match, Any], None]
"""Assigns the effects of an event to the match."""

Decide = Callable[[Match, Seat, Any, Time], Iterable[Any]]
"""Returns the events of a command that has passed its check."""

Rule = Callable[[Match, Seat, Any, Time], bool]
"""Decides whether a command from a source is admitted."""

ReadCommand = Callable[[Match, Any], tuple[Seat, Any] | None]
"""Reads the seat and the command of a recorded commit from its first event."""


@value
class MatchPart:
    """A part of a match defines the events and the commands of one subject."""

    texts: Mapping[type, str]
    """The text of each of its events."""
    evolve: Step
    words: Words = field(default_factory=dict)
    """The functions that write fields of these names in texts."""
    decide: Mapping[type, Decide] = field(default_factory=dict)
    seat_commands: Mapping[str, type] = field(default_factory=dict)
    """The commands that a seat sends like a move, by their names in the API."""
    is_open: Mapping[type, Callable[[Match, Seat], bool]] = field(default_factory=dict)
    """Whether each of them is open to a seat."""
    admits: Mapping[Source, Mapping[type, Rule]] = field(default_factory=dict)
    """The commands from other sources, each with its condition."""
    read_command: Mapping[type, ReadCommand] = field(default_factory=dict)
    """The types of events with which the commit of a command begins, each with the reader of that command."""
    outside_play: frozenset[type] = frozenset()
    """Its events that a summary of the play leaves out."""
    ends_undo: frozenset[type] = frozenset()
    """Its events after which no earlier move can be taken back."""
    opened_with_hand: frozenset[type] = frozenset()
    """Its events that are opened with the cards of the last hand; all others belong to no hand."""
    zoned: Mapping[type, str] = field(default_factory=dict)
    """The named field of each of these events is a time that depends on days off."""


def from_seat(command: Any) -> ReadCommand:
    """Return a reader for events that the seat they name causes by this command."""
    return lambda m, event: (event.seat, command)
