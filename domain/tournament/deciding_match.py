"""Orders players who are tied in an elimination by another match (tournament 5.5)."""

from collections.abc import Sequence

from domain.core.values import with_fields
from domain.tournament.rounds import BOT, Seating, TableResult, points_by_entrant
from domain.tournament.tournament_plan import MatchTerms
from domain.tournament.tournament_state import Tournament

Levels = tuple[tuple[int, int], ...]
"""For each seat: its place in the tied match, and the negative of its points from earlier rounds."""


def terms_at(t: Tournament, table: int) -> MatchTerms:
    """Return the terms of the next match at a table of the open round."""
    if (t.round, table) not in t.tied or t.terms.deciding is None:
        return t.terms
    return with_fields(t.terms, options=t.terms.deciding, best_of=1)


def levels_before(t: Tournament, round_: int, table: int, seats: Seating) -> Levels | None:
    """Return the tied seats of a table before its deciding match; `round_` is the number of the round.

    None if it is not a deciding match, or if the table has two seats, where only the match counts.
    """
    if (round_, table) not in t.tied or len(seats) == 2:
        return None
    points = points_by_entrant(t.played[: round_ - 1], t.plan.seats)
    earlier = (0 if one is BOT else -points[one] for one in seats)
    return tuple(zip(t.tied[round_, table], earlier, strict=True))


def places_after(before: Levels | None, places: Sequence[int]) -> tuple[int, ...]:
    """Return the places of a table from those of its deciding match, which orders only tied players.

    Applying it to its own result changes nothing. If all lose, they lose.
    """
    if before is None or 1 not in places:
        return tuple(places)
    ranks = list(zip(before, places, strict=True))
    return tuple(1 + sum(other < rank for other in ranks) for rank in ranks)


def result_after_tie(before: Levels | None, result: TableResult) -> TableResult:
    """Return the result of a table from that of its deciding match."""
    return with_fields(result, places=places_after(before, result.places))
