"""Defines the automatic steps of a tournament from round to round, and its end."""

from collections.abc import Iterator
from typing import Any, Final

from domain.core.values import value
from domain.tournament.format import Draws, TournamentFormat, TournamentPart, draw_round, ground_by
from domain.tournament.place_prizes import PrizeAwarded, share_prizes
from domain.tournament.pods import PodsMade, make_pods
from domain.tournament.round_tables import ByeGiven, RoundClosed, RoundPaired, evolve_tables
from domain.tournament.tournament_state import OVER, Tournament


@value
class TournamentEnded:
    """The tournament is over."""

    ranked: tuple[int, ...]
    """All entrants, the winner first."""
    places: tuple[int, ...]
    """The place of each entrant, from 1; tied entrants share one."""


def has_open_tables(t: Tournament) -> bool:
    """Return whether a table is not over."""
    return t.open and None in t.results


def step_by_rounds(t: Tournament, by: TournamentFormat, chance: Draws) -> Iterator[Any]:
    """Yield the next events of a format whose rounds begin and end as a whole."""
    if has_open_tables(t) or False in t.pods_over:
        return
    if t.preparation is not None and not t.pods:
        yield PodsMade(make_pods(t.order, t.preparation.seats))
    elif t.open:
        yield close_round(t, by)
    else:
        yield from _pair_next(t, by, chance)


def close_round(t: Tournament, by: TournamentFormat) -> RoundClosed:
    """Close the open round, and rank the entrants after it."""
    after = t.copy()
    evolve_tables(after, RoundClosed(t.round, (), ()))
    ranked, places = _rank_entrants(after, by)
    return RoundClosed(t.round, ranked, places)


def _pair_next(t: Tournament, by: TournamentFormat, chance: Draws) -> Iterator[Any]:
    paired, link, seed = draw_round(t, by, chance)
    if paired is None:
        yield from end_tournament(t, by)
        return
    yield RoundPaired(t.round + 1, paired.stage, link, seed, paired.tables)
    yield from by.follow_pairing(t.round + 1, paired)
    for entrant in paired.byes:
        yield ByeGiven(t.round + 1, entrant)


def end_tournament(t: Tournament, by: TournamentFormat) -> Iterator[Any]:
    """Yield the prizes, the payouts and the end of the tournament."""
    ranked, places = _rank_entrants(t, by)
    for entrant, prize in share_prizes(t.prizes, ranked, places):
        if t.players[entrant] not in t.barred:
            yield PrizeAwarded(entrant, prize)
    yield from by.pay_out(t, dict(zip(ranked, places, strict=True)))
    yield TournamentEnded(ranked, places)


def _rank_entrants(t: Tournament, by: TournamentFormat) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the entrants in ranking order, and their places. Entrants who share a place keep the shuffled order."""
    places = by.places(ground_by(t, by))
    ranked = tuple(sorted(t.order, key=places.__getitem__))
    return ranked, tuple(places[one] for one in ranked)


def evolve_end(t: Tournament, event: Any) -> None:
    """Assign the end to the tournament."""
    match event:
        case TournamentEnded():
            t.status, t.ranked, t.places = OVER, event.ranked, event.places


END: Final = TournamentPart(
    events=(TournamentEnded,),
    evolve=evolve_end,
)
