"""An arena: the free players are paired again and again, until its time is over (tournament 10).

All tables of an arena are of one round, which is open until its time is over.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Final

from domain.core.fairness import shuffle_items
from domain.core.game import Refused
from domain.core.values import value, with_fields
from domain.tournament.entrants import entrant_of
from domain.tournament.format import Draws, TournamentFormat, TournamentPart, draw_round
from domain.tournament.organiser import TournamentCancelled
from domain.tournament.pairs import pairs_of
from domain.tournament.plan_faults import NOT_TAKEN
from domain.tournament.round_steps import close_round, end_tournament, has_open_tables
from domain.tournament.round_tables import RoundPaired
from domain.tournament.rounds import (
    BOT,
    Ground,
    PairedRound,
    PlayedRound,
    Rounds,
    Seating,
    Words,
    points_by_entrant,
    seat_counts,
)
from domain.tournament.table_pairing import Field, Had, Meetings, seat_table, seats_had, tables_of
from domain.tournament.tournament_standings import places_by_standing
from domain.tournament.tournament_state import ANNOUNCED, PLAYING, EntrantNo, RoundNo, Tournament

# --- Events and commands ------------------------------------------------------------------------------------


@value
class PlayerRested:
    """An entrant of an arena rests, and is not paired until they return."""

    entrant: EntrantNo


@value
class PlayerReturned:
    """An entrant of an arena returned, and is paired again."""

    entrant: EntrantNo


@value
class TablesPaired:
    """More tables of the open round of an arena are paired, from the free players."""

    round: RoundNo
    link: int
    """The place of the seed in the chain."""
    seed: str
    """The seed; hashed `link` times, it gives the commitment."""
    tables: tuple[Seating, ...]
    """The entrants of each table, seat by seat; new tables are numbered after the existing ones."""


@value
class PairingEnded:
    """The time of an arena is over: pairing has ended, and open tables are finished."""


@value
class Rest:
    """Stop pairing a player of an arena until they return."""

    player: str


@value
class ComeBack:
    """Pair a player of an arena again."""

    player: str


@value
class EndPairing:
    """End the pairing of an arena: its time is over."""


MOST_PAIRINGS: Final = 1024
"""The maximum number of pairings of an arena; its chain of seeds has a link for each, and one for the order."""


SHARE: Final = 8
"""Free players are paired once they are one in this many of the players present."""


def is_pairing_due(free: int, there: int, seats: int, *, open_tables: bool) -> bool:
    """Return whether to pair the free players: they fill two tables and are an eighth of all, or no table is open."""
    if not open_tables:
        return free >= seats
    return free >= max(2 * seats, -(-there // SHARE))


def pair_arena(ground: Ground, draws: Words) -> PairedRound | None:
    """Pair the free players; None if they fill no table."""
    plan, had = ground.plan, _latest(ground.rounds)
    if len(ground.active) < plan.seats:
        return None
    there = sorted(shuffle_items(draws, sorted(ground.active)), key=lambda one: len(had.get(one, ())))
    sat = seat_counts(ground.rounds)
    paired = (
        _pair_by_two(ground, there, _just_met(had))
        if plan.seats == 2
        else _pair_larger_tables(ground, there, _just_met(had), sat)
    )
    return PairedRound(tuple(seat_table(table, sat, plan.seats) for table in paired), ())


def _pair_by_two(ground: Ground, there: Sequence[int], again: Meetings) -> list[tuple[int, int]]:
    """Pair two by two, avoiding pairs that just met; if the number is odd, an entrant with many tables waits."""
    found = []
    for waits in reversed(there) if len(there) % 2 else (None,):
        order = _by_points(ground, [one for one in there if one != waits])
        found.append(pairs_of(order, again))
        if not any(tuple(sorted(pair)) in again for pair in found[-1]):
            return found[-1]
    return found[0]


def _pair_larger_tables(ground: Ground, there: Sequence[int], again: Meetings, sat: Had) -> list[list[int]]:
    """Pair larger tables, without random swaps; the entrants with the most tables wait."""
    size = ground.plan.seats
    order = _by_points(ground, there[: len(there) - len(there) % size])
    points = points_by_entrant(ground.rounds, size)
    known = {one: ground.clubs[one] for one in order if one in ground.clubs}
    field = Field({one: points[one] for one in order}, again, known, seats_had(order, sat, size))
    return tables_of(order, [size] * (len(order) // size), field, None)


def _by_points(ground: Ground, there: Sequence[int]) -> list[int]:
    points = points_by_entrant(ground.rounds, ground.plan.seats)
    return sorted(there, key=lambda one: -points[one])


def _latest(rounds: Rounds) -> dict[int, list[tuple[int, ...]]]:
    """Return for each entrant the entrants at each of their tables, from the first table on."""
    had: dict[int, list[tuple[int, ...]]] = {}
    for each in rounds:
        for table in each.tables:
            there = tuple(sorted(one for one in table.seats if one is not BOT))
            for one in there:
                had.setdefault(one, []).append(there)
    return had


def _just_met(had: Mapping[int, Sequence[tuple[int, ...]]]) -> dict[tuple[int, int], int]:
    """Return the pairs that met at the latest table of either entrant, the lower number first."""
    return {pair: 1 for one, tables in had.items() for pair in combinations(tables[-1], 2) if one in pair}


# --- Course ------------------------------------------------------------------------------------------------
def arena_ground(t: Tournament, ground: Ground) -> Ground:
    """Return the data from which an arena is paired: tables count as they end, and only free players are paired."""
    if not t.open:
        return ground
    ended = tuple(result for result in t.results if result is not None)
    return with_fields(ground, rounds=(*ground.rounds, PlayedRound(ended, ())), away=_away(t))


def _away(t: Tournament) -> frozenset[int]:
    """Return the entrants who rest or whose table is open."""
    sitting = (one for table, ended in zip(t.tables, t.results, strict=True) if ended is None for one in table)
    return frozenset(one for one in sitting if one is not None) | frozenset(resting_entrants(t))


def resting_entrants(t: Tournament) -> tuple[int, ...]:
    """Return the entrants who are not paired until they return."""
    return tuple(one for one, rests in t.resting.items() if rests)


def is_paired_now(t: Tournament) -> bool:
    """Return whether the free players are paired now."""
    if not is_paired_on(t):
        return False
    there = {*t.order} - {*t.left} - {*resting_entrants(t)}
    return is_pairing_due(len(there - _away(t)), len(there), t.plan.seats, open_tables=has_open_tables(t))


def is_paired_on(t: Tournament) -> bool:
    """Return whether an arena may be paired again: its time is not over, and seeds are left."""
    return not t.pairing_over and t.link < t.links


def step_arena(t: Tournament, by: TournamentFormat, chance: Draws) -> Iterator[Any]:
    """Yield the next events: new tables for free players until the time is over, then the end of the round."""
    if is_paired_now(t):
        yield _pair_free_players(t, by, chance)
    elif has_open_tables(t) or is_paired_on(t):
        return
    elif t.open:
        yield close_round(t, by)
    else:
        yield from end_tournament(t, by)


def _pair_free_players(t: Tournament, by: TournamentFormat, chance: Draws) -> RoundPaired | TablesPaired:
    """Pair the tables of the only round, or more of them."""
    paired, link, seed = draw_round(t, by, chance)
    assert paired is not None
    return TablesPaired(1, link, seed, paired.tables) if t.open else RoundPaired(1, "main", link, seed, paired.tables)


# --- Commands ----------------------------------------------------------------------------------------------
NOT_BEGUN: Final = "Entries were not closed before its time was over."
"""The reason for cancelling an arena whose time is over before it has begun."""


def rest_entrant(t: Tournament, command: Rest, entrant: int | None) -> tuple[Any, ...]:
    """Stop pairing an entrant until they return."""
    one = _in_play(t, entrant)
    if one in resting_entrants(t):
        raise Refused("already_done", "You are already resting.")
    return (PlayerRested(one),)


def come_back(t: Tournament, command: ComeBack, entrant: int | None) -> tuple[Any, ...]:
    """Pair a resting entrant again."""
    one = _in_play(t, entrant)
    if one not in resting_entrants(t):
        raise Refused("already_done", "You are not resting.")
    return (PlayerReturned(one),)


def _in_play(t: Tournament, entrant: int | None) -> int:
    """Return the entrant if the arena is still pairing. Raise `Refused` otherwise."""
    if entrant is None:
        raise Refused("no_such_object", "You are not in this tournament.")
    if t.plan.ends is None or t.status != PLAYING or t.pairing_over:
        raise Refused("wrong_phase", "You can rest only in an arena that is still pairing.")
    return entrant


def end_pairing(t: Tournament, command: EndPairing) -> tuple[Any, ...]:
    """End the pairing of an arena, once; cancel an arena that has not begun."""
    if t.plan.ends is None:
        raise Refused("wrong_phase", "Only an arena can end at a set time.")
    if t.pairing_over:
        return ()
    return (TournamentCancelled(None, NOT_BEGUN) if t.status == ANNOUNCED else PairingEnded(),)


def _rest_once(t: Tournament, entrant: int) -> tuple[Any, ...]:
    """Let an entrant rest after a first no-show."""
    return () if entrant in resting_entrants(t) else (PlayerRested(entrant),)


def evolve_arena(t: Tournament, event: Any) -> None:
    """Assign rests, returns, new tables and the end of pairing to the tournament."""
    match event:
        case PlayerRested():
            t.resting = {**t.resting, event.entrant: True}
        case PlayerReturned():
            t.resting = {**t.resting, event.entrant: False}
        case TablesPaired():
            t.link, t.tables = event.link, (*t.tables, *event.tables)
            more = (None,) * len(event.tables)
            t.results, t.attempts = (*t.results, *more), (*t.attempts, *(0,) * len(event.tables))
        case PairingEnded():
            t.pairing_over = True


PART: Final = TournamentPart(
    events=(PlayerRested, PlayerReturned, TablesPaired, PairingEnded),
    evolve=evolve_arena,
    decisions={
        Rest: lambda t, command, by, chance: rest_entrant(t, command, entrant_of(t, command.player)),
        ComeBack: lambda t, command, by, chance: come_back(t, command, entrant_of(t, command.player)),
        EndPairing: lambda t, command, by, chance: end_pairing(t, command),
    },
    causes={
        PlayerRested: lambda t, e: Rest(t.players[e.entrant]),
        PlayerReturned: lambda t, e: ComeBack(t.players[e.entrant]),
        PairingEnded: lambda t, e: EndPairing(),
    },
    cancels={NOT_BEGUN: EndPairing()},
)


PAIRING_RULE: Final = (
    "All free entrants were shuffled. If they did not fill all tables, those with the most games waited. The"
    " others were paired by points. Entrants who had just met were paired only if there was no other way."
)

FORMAT: Final = TournamentFormat(
    pair_arena,
    places_by_standing,
    step_arena,
    pairing_rule=lambda stage: PAIRING_RULE,
    takes=frozenset({"ends"}),
    faults=lambda plan: iter([NOT_TAKEN["ends"]] if plan.ends is None else []),
    part=PART,
    ground=arena_ground,
    most_pairings=MOST_PAIRINGS,
    allows_late_entry=lambda t: not t.pairing_over,
    first_absence=_rest_once,
    is_continuous=True,
)
