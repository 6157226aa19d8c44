"""Decides the common events of all tables of a duplicate group.

The group's stream records each decision once: the tables begin, because every table is ready; all are over; or they
never begin. The log of each table follows in a separate commit, with pending work that is due from the decision on. So
the tables begin and end together, even if a process is killed in between, or a worker checks twice.
"""

from collections.abc import Collection, Sequence
from typing import Any, Final

from domain import deal_group
from domain import deal_group as rules
from domain import match as life
from domain.core.fairness import Dealer
from domain.core.values import value
from domain.match import Match
from domain.match.group import OpenDeals, ShareCommitments, ShareDeals
from domain.match.match_results import Cancel, Expire
from domain.match.state import Result
from events.log.cache import Loaded, LoadedStream
from events.log.streams import Decision
from events.service.context import Context
from events.service.projections import GROUP, LOBBY_MS
from events.service.stream_kinds import DEAL_GROUP
from events.service.stream_writer import decide_beginning, execute, new_stream
from events.store.records import GroupOfTables, NewStream
from events.store.tables import commit_rows, deal_group_rows, match_rows

REST_MS: Final = 3_600_000
"""Maximum interval of checking a waiting table. The last table wakes all others."""


def store_group(context: Context, group_id: str, creator: str, tables: Sequence[NewStream]) -> bool:
    """Begin a group with its tables, all or none; False if an idempotency key was used before.

    `creator` is empty for tables of a tournament, which count for no player.
    Raises `TooManyBotMatches`.
    """
    events = rules.create_group(creator, tuple(table.match_id for table in tables))
    alone = any(table.commit.projected.match and table.commit.projected.match.bots_alone for table in tables)
    check = match_rows.check_bot_matches(creator, context.bot_matches if creator and alone else 0)
    dealer = Dealer(group_id, (), context.draw(32))
    group = new_stream(context, DEAL_GROUP, decide_beginning(context, DEAL_GROUP, dealer, events))
    return commit_rows.create_all(context.store, [group, *tables], check)


def command_group(context: Context, group_id: str, command: Any, cause: str) -> bool:
    """Send a group a command, and make its tables' work due; False if it has no effect. Raise `Refused`, `Busy`."""

    def decide_next(found: LoadedStream[deal_group.TableGroup]) -> Decision[deal_group.TableGroup]:
        return DEAL_GROUP.make_decision(found, rules.decide(found.state, command), context.now(), cause)

    found = context.stream(DEAL_GROUP, group_id)
    if found is None:
        return False
    return execute(context, DEAL_GROUP, group_id, decide_next, first=found).head.version > found.head.version


# --- Steps of tables ---------------------------------------------------------------------------------------


def next_group_command(group: GroupOfTables, tables: Collection[Match]) -> Any | None:
    """Return the group's command from the state of its tables; None if it has to wait."""
    if group.state == deal_group.OPEN and all(map(life.hashes_complete, tables)):
        return deal_group.CommitGroup(tuple(map(life.hashes_of, tables)))
    if group.state in (deal_group.OPEN, deal_group.COMMITTED) and all(map(life.is_ready_to_begin, tables)):
        return deal_group.StartGroup(tuple(map(life.nonces_of, tables)))
    if group.state == deal_group.STARTED and all(map(life.waits_for_group, tables)):
        return deal_group.EndGroup()
    return None


def table_command(context: Context, group: GroupOfTables, m: Match) -> Any | None:
    """Return the command by which a table follows its group; None if it has done so.

    The closed hashes of the group are those of its tables, which have not changed since.
    """
    if life.hashes_complete(m) and group.state == deal_group.COMMITTED:
        return ShareCommitments(tuple(life.hashes_of(context.loaded(each).state) for each in group.tables))
    if m.status == "lobby":
        begins = {
            deal_group.STARTED: ShareDeals(group.nonces),
            deal_group.CANCELLED: Cancel(),
            deal_group.EXPIRED: Expire(),
        }
        return begins.get(group.state)
    return OpenDeals() if group.state == deal_group.OVER and life.waits_for_group(m) else None


def advance_group(context: Context, match_id: str) -> None:
    """Decide the next step of a table's group, if all its tables are ready for it; otherwise let the table rest."""
    loaded = context.load(match_id)
    if loaded is None or not any(
        stage(loaded.state) for stage in (life.hashes_complete, life.is_ready_to_begin, life.waits_for_group)
    ):
        return
    assert loaded.state.created.deal_group is not None
    group = deal_group_rows.find_deal_group(context.store, loaded.state.created.deal_group.id)
    assert group is not None
    if table_command(context, group, loaded.state) is not None:
        return
    command = next_group_command(group, [context.loaded(each).state for each in group.tables])
    if command is None:
        deal_group_rows.postpone_table(context.store, loaded.head.match_no, GROUP, group, context.now() + REST_MS)
    else:
        command_group(context, group.group_id, command, "auto")
        context.woken()


def due_table_command(context: Context, loaded: Loaded, group_id: str) -> Any | None:
    """Return the command by which a table follows its group, if it has not done so."""
    m, now = loaded.state, context.now()
    if loaded.head.imported is not None or not (m.status == "lobby" or life.waits_for_group(m)):
        return None
    group = deal_group_rows.find_deal_group(context.store, group_id)
    if (
        group is not None
        and group.state in (deal_group.OPEN, deal_group.COMMITTED)
        and group.created_ms + LOBBY_MS <= now
    ):
        command_group(context, group_id, deal_group.ExpireGroup(), "timeout")
        group = deal_group_rows.find_deal_group(context.store, group_id)
    return None if group is None else table_command(context, group, m)


# --- Results -----------------------------------------------------------------------------------------------


@value
class SeatComparison:
    """The result of a seat, compared with the same seat at the other tables.

    `rank` counts from 1, from the best; `difference` is its score minus the average of all. Both are None if the table
    had no result.
    """

    table: int
    seat: int
    score: int | None
    place: int | None
    rank: int | None
    difference: float | None


def compare_tables(results: Sequence[Result | None], seats: int, *, low_wins: bool) -> list[SeatComparison]:
    """Compare the tables of a group seat by seat: players with the same cards have the same seat at other tables."""
    return [
        _compare_seat(results, table, seat, sign=1 if low_wins else -1)
        for table in range(len(results))
        for seat in range(seats)
    ]


def _compare_seat(results: Sequence[Result | None], table: int, seat: int, *, sign: int) -> SeatComparison:
    mine = results[table]
    if mine is None:
        return SeatComparison(table, seat, None, None, None, None)
    score, all_ = mine.scores[seat], [r.scores[seat] for r in results if r is not None]
    rank = 1 + sum(sign * other < sign * score for other in all_)
    difference = round(score - sum(all_) / len(all_), 2)
    return SeatComparison(table, seat, score, mine.places[seat], rank, difference)
