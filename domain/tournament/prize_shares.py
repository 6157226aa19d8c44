"""Shares out the prizes of a tournament by the places in which its entrants have ended (tournament 11).

Nothing is awarded twice: those who share a place share the prizes of as many places.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from domain.tournament.tournament_terms import PlacePrize


def awarded(
    prizes: Sequence[PlacePrize], ranked: Sequence[int], places: Sequence[int]
) -> Iterator[tuple[int, PlacePrize]]:
    """Yield each entrant that wins something, with its share."""
    by_place = {prize.place: prize for prize in prizes}
    for place, level in groupby(zip(ranked, places, strict=True), key=lambda row: row[1]):
        sharing = [entrant for entrant, _ in level]
        theirs = [by_place[at] for at in range(place, place + len(sharing)) if at in by_place]
        for entrant, share in zip(sharing, _shares(place, theirs, len(sharing)), strict=True):
            if share.boosters or share.promo is not None:
                yield entrant, share


def _shares(place: int, prizes: Sequence[PlacePrize], count: int) -> Iterator[PlacePrize]:
    """Divide prizes among so many who share a place; what is left over goes to the first of them, one by one."""
    boosters = Counter[str]()
    for prize in prizes:
        boosters.update(prize.boosters)
    promos = [prize.promo for prize in prizes if prize.promo is not None]
    for turn in range(count):
        mine = {name: total // count + (turn < total % count) for name, total in boosters.items()}
        had = {name: number for name, number in mine.items() if number}
        yield PlacePrize(place, had, promos[turn] if turn < len(promos) else None)
