"""Gives what follows by itself in a tournament: rounds are closed and paired, prizes awarded, and it ends."""

from collections.abc import Iterator
from itertools import chain
from typing import Any

from domain.core.choices import Shuffle
from domain.core.values import value
from domain.tournament.format import Draws
from domain.tournament.formats.format_catalogue import format_of
from domain.tournament.tournament_state import PLAYING, Tournament, evolve


@value
class OrderDrawn:
    """Chance's answer for the shuffle `seating`: the entrants in order."""

    order: tuple[int, ...]


def order_ask(entrants: tuple[int, ...]) -> Shuffle:
    """Ask for the order of those who are there when entries close."""
    return Shuffle(OrderDrawn, "seating", entrants)


def follows(t: Tournament, chance: Draws) -> Iterator[Any]:
    """Give the events that follow by themselves, until the tournament waits for a table or for somebody."""
    by = format_of(t)
    while t.status == PLAYING and not t.paused and (events := tuple(by.step(t, by, chance))):
        for event in events:
            yield event
            t = evolve(t, event)


def all_events(t: Tournament, first: tuple[Any, ...], chance: Draws) -> tuple[Any, ...]:
    """Give what was decided, and all that follows from it by itself."""
    after = t
    for event in first:
        after = evolve(after, event)
    return tuple(chain(first, follows(after, chance)))
