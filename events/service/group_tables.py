"""Groups of tables that get the same deals: what has become of all their tables together.

That is decided once, in the group's row: that they begin (every table is ready), that all are over, or that they never
begin. The log of each table follows by a commit of its own, for which it has pending work that is due from the decision on.
So the tables begin and end together whoever is killed in between, and however often a worker looks.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

from domain import match as life
from domain.core.clock import Time
from domain.match import Match
from domain.match.events import Cancel, Expire, OpenDeals, Result, ShareDeals
from events.log.cache import Loaded
from events.service.context import Context
from events.service.projections.due import EXPIRE, GROUP, LOBBY_MS
from events.store.records import GroupOfTables
from events.store.tables import deal_groups

OPEN: Final = "open"
STARTED: Final = "started"
OVER: Final = "over"
CANCELLED: Final = "cancelled"
EXPIRED: Final = "expired"

REST_MS: Final = 3_600_000
"""A table that waits for others is looked at by itself no more often. The last of them brings the word to all."""


def decide(
    context: Context,
    group: GroupOfTables,
    state: str,
    now: Time,
    nonces: Sequence[Sequence[str]] | None = None,
) -> bool:
    """Bring a group into its next state, and make the work of its tables due; False if it has moved on already."""
    return deal_groups.decide(context.store, group, state, now, (GROUP, EXPIRE), nonces)


# --- What tables do -----------------------------------------------------------------------------------------


def next_state(group: GroupOfTables, tables: Collection[Match]) -> str | None:
    """Give the state that a group is to be brought to as its tables stand; None: it has to wait."""
    if group.state == OPEN and all(map(life.ready, tables)):
        return STARTED
    if group.state == STARTED and all(map(life.waits, tables)):
        return OVER
    return None


def turn(group: GroupOfTables, m: Match) -> Any | None:
    """Give the command by which a table follows its group; None if it has done so."""
    if m.status == "lobby":
        begins = {STARTED: ShareDeals(group.nonces), CANCELLED: Cancel(), EXPIRED: Expire()}
        return begins.get(group.state)
    return OpenDeals() if group.state == OVER and life.waits(m) else None


def bring_on(context: Context, match_id: str) -> None:
    """Decide what the group of a table does next, if all its tables are so far; else let the table rest."""
    loaded = context.load(match_id)
    if loaded is None or not (life.ready(loaded.match) or life.waits(loaded.match)):
        return
    assert loaded.match.created.deal_group is not None
    group = deal_groups.find(context.store, loaded.match.created.deal_group.id)
    assert group is not None
    if turn(group, loaded.match) is not None:
        return
    tables = [context.loaded(each).match for each in group.tables]
    state = next_state(group, tables)
    if state is None:
        deal_groups.rest(context.store, loaded.head.match_no, GROUP, group, context.now() + REST_MS)
    else:
        nonces = [life.nonces_of(m) for m in tables] if state == STARTED else None
        decide(context, group, state, context.now(), nonces)
        context.woken()


def following(context: Context, loaded: Loaded, group_id: str) -> Any | None:
    """Give the command by which a table follows its group, if it has not done so."""
    m, now = loaded.match, context.now()
    if loaded.head.imported is not None or not (m.status == "lobby" or life.waits(m)):
        return None
    group = deal_groups.find(context.store, group_id)
    if group is not None and group.state == OPEN and group.created_ms + LOBBY_MS <= now:
        decide(context, group, EXPIRED, now)
        group = deal_groups.find(context.store, group_id)
    return None if group is None else turn(group, m)


# --- What came of it ----------------------------------------------------------------------------------------


@dataclass(slots=True, frozen=True)
class Compared:
    """How a seat came out beside the same seat at the other tables.

    `rank` counts from 1, from the best; `difference` is that of its score to the average of all. Both are None where the
    table had no result.
    """

    table: int
    seat: int
    score: int | None
    place: int | None
    rank: int | None
    difference: float | None


def compared(results: Sequence[Result | None], seats: int, *, low_wins: bool) -> list[Compared]:
    """Compare the tables of a group seat by seat: who had the same cards sits in the same seat of another table."""
    return [
        _beside(results, table, seat, sign=1 if low_wins else -1)
        for table in range(len(results))
        for seat in range(seats)
    ]


def _beside(results: Sequence[Result | None], table: int, seat: int, *, sign: int) -> Compared:
    mine = results[table]
    if mine is None:
        return Compared(table, seat, None, None, None, None)
    score, all_ = mine.scores[seat], [r.scores[seat] for r in results if r is not None]
    rank = 1 + sum(sign * other < sign * score for other in all_)
    difference = round(score - sum(all_) / len(all_), 2)
    return Compared(table, seat, score, mine.places[seat], rank, difference)
