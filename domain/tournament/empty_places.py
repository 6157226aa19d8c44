"""Places entrants by how far they have come, and leaves those places empty that nobody has won (tournament 5.8)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from domain.tournament.played_rounds import PlayedRound, TableResult

Far = TypeVar("Far", bound=tuple[int, ...])


def places_by(far: Mapping[int, Far], empty: Iterable[Far] = ()) -> dict[int, int]:
    """Give the place of each by how far it has come; who has come as far shares it.

    `empty` says how far those would have come who might have gone on from tables that all have lost.
    """
    first: dict[Far, int] = {}
    for place, mine in enumerate(sorted([*far.values(), *empty], reverse=True), 1):
        first.setdefault(mine, place)
    return {one: first[mine] for one, mine in far.items()}


def lost_by_all(rounds: Sequence[PlayedRound]) -> Iterator[tuple[int, PlayedRound, TableResult]]:
    """Yield the tables that all have lost, with their rounds and the rounds' numbers from 1."""
    for n, each in enumerate(rounds, 1):
        for table in each.tables:
            if 1 not in table.places:
                yield n, each, table
