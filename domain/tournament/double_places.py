"""Ranks the entrants of double elimination by how far they have come (tournament 5.6, 5.9)."""

from collections import Counter
from collections.abc import Iterator, Sequence

from domain.tournament.double_elimination import LIVES, losses_after
from domain.tournament.empty_places import lost_by_all, places_by
from domain.tournament.knockout import going_on
from domain.tournament.played_rounds import BOT, is_last
from domain.tournament.round_pairing import Ground

Far = tuple[int, int, int]


def double_places(ground: Ground) -> dict[int, int]:
    """Give the place of each: the later one was out, the better; who was out in the same round shares the place.

    Of those who are not out yet, who has lost less is better. Who is out at the last table is placed as it ended. Who
    has left is behind who was out in the next round; so are those who might have gone on from a table at which all are
    out.
    """
    _, *after = losses_after(ground)
    return places_by({one: _far(ground, after, one) for one in ground.order}, _empty(ground, after))


def _far(ground: Ground, after: Sequence[Counter[int]], one: int) -> Far:
    """Say how far an entrant has come: after how many rounds still in; whether out at a table; the place there."""
    survived = sum(counts[one] < LIVES for counts in after[: ground.left.get(one)])
    if after and after[-1][one] >= LIVES:
        return survived, 1, -_place_at_last(ground, survived, one)
    if one in ground.left:
        return survived, 0, 0
    return survived, 2, -after[-1][one] if after else 0


def _place_at_last(ground: Ground, number: int, one: int) -> int:
    """Give the place of an entrant at the table of a round, counted from 0, if that is the last table; else 0."""
    played = ground.rounds[number]
    return played.tables[0].places[played.tables[0].seats.index(one)] if is_last(played.tables, played.byes) else 0


def _empty(ground: Ground, after: Sequence[Counter[int]]) -> Iterator[Far]:
    """Say how far those would have come who might have gone on from tables that all have lost who are out by it."""
    for n, each, table in lost_by_all(ground.rounds):
        if all(after[n - 1][one] >= LIVES for one in table.seats if one is not BOT):
            yield from [(n, 0, 0)] * going_on(ground, each, table)
