"""This module decides what happens to all tables of a group that gets the same deals.

The group's stream records each decision once: the tables begin, since every table is ready; all are over; or they
never begin. The log of each table follows by a commit of its own, for which it has pending work that is due from the
decision on. So the tables begin and end together, also if a process is killed in between or a worker looks twice.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

from domain import deal_group as rules
from domain import match as life
from domain.core.clock import Time
from domain.deal_group import (
    CANCELLED,
    COMMITTED,
    EXPIRED,
    OPEN,
    OVER,
    STARTED,
    CommitGroup,
    EndGroup,
    ExpireGroup,
    StartGroup,
)
from domain.match import Match
from domain.match.events import Result
from domain.match.match_commands import Cancel, Expire, OpenDeals, ShareCommitments, ShareDeals
from events.log.cache import Loaded
from events.log.streams import state_of, write
from events.service.context import Context
from events.service.kinds import DEAL_GROUP
from events.service.projections import EXPIRE, GROUP, LOBBY_MS
from events.store.records import Commit, CommitRow, GroupOfTables, Head, NewStream
from events.store.tables import deal_group_rows, match_rows, secret_rows, stream_rows
from events.store.tables.projection_rows import Lines

REST_MS: Final = 3_600_000
"""A table that waits for others is looked at by itself no more often. The last of them brings the word to all."""


def create(context: Context, group_id: str, creator: str, tables: Sequence[NewStream], now: Time) -> bool:
    """Begin a group with its tables, all or none; False if an idempotency key was used before.

    `creator` is empty where the tables are of a tournament: no player has made them, and none has too many.
    Raises `TooManyBotMatches`.
    """
    events = rules.create(creator, tuple(table.match_id for table in tables))
    seal_secret, head = context.draw(32), Head(0, group_id, 0, bytes(32), now)
    commit = write(DEAL_GROUP, head, now, events, "move", seal_secret)
    made = NewStream(group_id, seal_secret, None, commit, [], DEAL_GROUP.name)
    check = match_rows.check_bot_matches(creator, context.bot_matches if creator else 0, tables)
    return deal_group_rows.create(context.store, made, tables, _lines(head, [], commit), check)


def decide(context: Context, group_id: str, command: Any, cause: str) -> bool:
    """Tell a group, and make the work of its tables due; False if nothing comes of it. Raises `Refused`."""
    while (found := stream_rows.load(context.store, group_id, kind=DEAL_GROUP.name)) is not None:
        head, rows = found
        group = state_of(DEAL_GROUP, rows)
        events = rules.decide(group, command)
        if not events:
            return False
        seal_secret = secret_rows.of_match(context.store, head.match_no).seal_secret
        commit = write(DEAL_GROUP, head, context.now(), events, cause, seal_secret)
        lines = _lines(head, rows, commit)
        if deal_group_rows.append(context.store, head, commit, lines, group.tables, (GROUP, EXPIRE)):
            return True
    return False


def _lines(head: Head, rows: Sequence[CommitRow], commit: Commit) -> Lines:
    """Give the projection of a group after one more commit."""
    row = CommitRow(commit.first, commit.n, commit.at_ms, commit.events, commit.secrets, commit.mac)
    return DEAL_GROUP.rows(head, state_of(DEAL_GROUP, [*rows, row]))


# --- What tables do -----------------------------------------------------------------------------------------


def next_command(group: GroupOfTables, tables: Collection[Match]) -> Any | None:
    """Give what a group is to be told as its tables stand; None: it has to wait."""
    if group.state == OPEN and all(map(life.sealed, tables)):
        return CommitGroup(tuple(map(life.hashes_of, tables)))
    if group.state in (OPEN, COMMITTED) and all(map(life.ready, tables)):
        return StartGroup(tuple(map(life.nonces_of, tables)))
    if group.state == STARTED and all(map(life.waits, tables)):
        return EndGroup()
    return None


def turn(context: Context, group: GroupOfTables, m: Match) -> Any | None:
    """Give the command by which a table follows its group; None if it has done so.

    The hashes that the group has closed are those of its tables, which have not changed since.
    """
    if life.sealed(m) and group.state == COMMITTED:
        return ShareCommitments(tuple(life.hashes_of(context.loaded(each).match) for each in group.tables))
    if m.status == "lobby":
        begins = {STARTED: ShareDeals(group.nonces), CANCELLED: Cancel(), EXPIRED: Expire()}
        return begins.get(group.state)
    return OpenDeals() if group.state == OVER and life.waits(m) else None


def bring_on(context: Context, match_id: str) -> None:
    """Decide what the group of a table does next, if all its tables are so far; else let the table rest."""
    loaded = context.load(match_id)
    if loaded is None or not any(stage(loaded.match) for stage in (life.sealed, life.ready, life.waits)):
        return
    assert loaded.match.created.deal_group is not None
    group = deal_group_rows.find(context.store, loaded.match.created.deal_group.id)
    assert group is not None
    if turn(context, group, loaded.match) is not None:
        return
    command = next_command(group, [context.loaded(each).match for each in group.tables])
    if command is None:
        deal_group_rows.rest(context.store, loaded.head.match_no, GROUP, group, context.now() + REST_MS)
    else:
        decide(context, group.group_id, command, "auto")
        context.woken()


def following(context: Context, loaded: Loaded, group_id: str) -> Any | None:
    """Give the command by which a table follows its group, if it has not done so."""
    m, now = loaded.match, context.now()
    if loaded.head.imported is not None or not (m.status == "lobby" or life.waits(m)):
        return None
    group = deal_group_rows.find(context.store, group_id)
    if group is not None and group.state in (OPEN, COMMITTED) and group.created_ms + LOBBY_MS <= now:
        decide(context, group_id, ExpireGroup(), "timeout")
        group = deal_group_rows.find(context.store, group_id)
    return None if group is None else turn(context, group, m)


# --- What came of it ----------------------------------------------------------------------------------------


@dataclass(slots=True, frozen=True)
class Compared:
    """This says how a seat came out, compared with the same seat at the other tables.

    `rank` counts from 1, from the best; `difference` is that of its score to the average of all. Both are None where
    the table had no result.
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
        _compared(results, table, seat, sign=1 if low_wins else -1)
        for table in range(len(results))
        for seat in range(seats)
    ]


def _compared(results: Sequence[Result | None], table: int, seat: int, *, sign: int) -> Compared:
    mine = results[table]
    if mine is None:
        return Compared(table, seat, None, None, None, None)
    score, all_ = mine.scores[seat], [r.scores[seat] for r in results if r is not None]
    rank = 1 + sum(sign * other < sign * score for other in all_)
    difference = round(score - sum(all_) / len(all_), 2)
    return Compared(table, seat, score, mine.places[seat], rank, difference)
