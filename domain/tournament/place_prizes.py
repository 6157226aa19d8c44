"""Prizes by final place (tournament 11).

No prize is awarded twice: entrants who share a place share the prizes of as many places.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, Final

from domain.core.values import value
from domain.tournament.format import TournamentPart
from domain.tournament.tournament_plan import PlacePrize
from domain.tournament.tournament_state import Award, EntrantNo, Tournament


@value
class PrizeAwarded:
    """An entrant gets the prize of a place."""

    entrant: EntrantNo
    prize: PlacePrize
    """The entrant's prize."""


def share_prizes(
    prizes: Sequence[PlacePrize], ranked: Sequence[int], places: Sequence[int]
) -> Iterator[tuple[int, PlacePrize]]:
    """Yield each entrant who wins a prize, with their share."""
    by_place = {prize.place: prize for prize in prizes}
    for place, level in groupby(zip(ranked, places, strict=True), key=lambda row: row[1]):
        sharing = [entrant for entrant, _ in level]
        theirs = [by_place[at] for at in range(place, place + len(sharing)) if at in by_place]
        for entrant, share in zip(sharing, _shares(place, theirs, len(sharing)), strict=True):
            if share.boosters or share.promo is not None:
                yield entrant, share


def _shares(place: int, prizes: Sequence[PlacePrize], count: int) -> Iterator[PlacePrize]:
    """Divide the prizes among `count` entrants who share a place; the remainder goes one each to the first."""
    boosters = Counter[str]()
    for prize in prizes:
        boosters.update(prize.boosters)
    promos = [prize.promo for prize in prizes if prize.promo is not None]
    for turn in range(count):
        mine = {name: total // count + (turn < total % count) for name, total in boosters.items()}
        had = {name: number for name, number in mine.items() if number}
        yield PlacePrize(place, had, promos[turn] if turn < len(promos) else None)


def evolve_prizes(t: Tournament, event: Any) -> None:
    """Assign awarded prizes and payouts to the tournament."""
    match event:
        case PrizeAwarded():
            t.awarded = (*t.awarded, Award(event.entrant, event.prize))


PRIZES: Final = TournamentPart(
    events=(PrizeAwarded,),
    evolve=evolve_prizes,
)
