"""Pairs the free players of an arena, and ends it with its last table (tournament 10).

All tables of an arena are of one round, which is open until its time is over.
"""

from domain.core.values import changed
from domain.tournament.arena import is_due
from domain.tournament.played_rounds import PlayedRound
from domain.tournament.round_pairing import Ground
from domain.tournament.tournament_state import Tournament


def arena_ground(t: Tournament, ground: Ground) -> Ground:
    """Give what an arena is paired from: tables count as they end, and only those who are free are paired."""
    if not t.open:
        return ground
    ended = tuple(result for result in t.results if result is not None)
    return changed(ground, rounds=(*ground.rounds, PlayedRound(ended, ())), away=_away(t))


def _away(t: Tournament) -> frozenset[int]:
    """Give those who rest, and those whose table is open."""
    sitting = (one for table, ended in zip(t.tables, t.results, strict=True) if ended is None for one in table)
    return frozenset(one for one in sitting if one is not None) | frozenset(resting(t))


def resting(t: Tournament) -> tuple[int, ...]:
    """Give those who are not paired until they say that they are back."""
    return tuple(one for one, rests in t.resting.items() if rests)


def is_paired_now(t: Tournament) -> bool:
    """Say whether the free players are paired now."""
    if not is_paired_on(t):
        return False
    there = {*t.order} - {*t.left} - {*resting(t)}
    return is_due(len(there - _away(t)), len(there), t.plan.seats, open_tables=has_open_tables(t))


def is_paired_on(t: Tournament) -> bool:
    """Say whether an arena may be paired again: its time is not over, and seeds are left."""
    return not t.pairing_over and t.link < t.links


def has_open_tables(t: Tournament) -> bool:
    """Say whether a table is not over."""
    return t.open and None in t.results
