"""Pairs a Swiss and, where there is a cut, single elimination of its first after the last round (tournament 3.7)."""

from domain.tournament.round_pairing import Ground, PairedRound, Words
from domain.tournament.single_elimination import bracket_places, pair_left
from domain.tournament.swiss import pair_swiss, swiss_rounds
from domain.tournament.tournament_standings import standings


def pair_swiss_and_cut(ground: Ground, draws: Words) -> PairedRound | None:
    """Pair the next round of the Swiss, or of the bracket of those who have come through; None once it is over."""
    found = pair_swiss(ground, draws)
    if found is not None or not ground.plan.cut:
        return found
    seeds, begun = seeds_of(ground)
    return pair_left(ground, seeds, ground.rounds[begun:])


def places_with_cut(ground: Ground) -> dict[int, int]:
    """Give the place of each: by the standings of the Swiss, and before all others those of the bracket."""
    length = _swiss_length(ground)
    rows = [row.entrant for row in standings(ground.order, ground.rounds[:length], ground.plan.seats)]
    if not ground.plan.cut or length < swiss_rounds(ground.plan, len(ground.order)):
        return {one: place for place, one in enumerate(rows, 1)}
    seeds, begun = seeds_of(ground)
    places = bracket_places(ground, seeds, ground.rounds[begun:])
    rest = [one for one in rows if one not in places]
    return places | {one: place for place, one in enumerate(rest, len(seeds) + 1)}


def _swiss_length(ground: Ground) -> int:
    return min(len(ground.rounds), swiss_rounds(ground.plan, len(ground.order)))


def seeds_of(ground: Ground) -> tuple[list[int], int]:
    """Give the first of the Swiss who were there at its end, as many as the cut takes, and its number of rounds."""
    length = _swiss_length(ground)
    rows = standings(ground.order, ground.rounds[:length], ground.plan.seats)
    there = [row.entrant for row in rows if ground.left.get(row.entrant, length + 1) > length]
    return there[: ground.plan.cut], length
