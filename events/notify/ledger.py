"""Writes notices, once each, and their deliveries to the players' channels."""

import logging
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final

from sqlalchemy import Connection, delete, exists, func, insert, literal, select, tuple_, update

from domain.core.clock import Time
from domain.core.values import value
from domain.core.visibility import SPECTATORS
from events.errors import Gone
from events.log import deadlines
from events.log.cache import fold_commits
from events.notify.notices import BY_MAIL, DEADLINE_NEAR, NEAR_SECONDS, Notice, near_at
from events.store.protocol import Store
from events.store.records import TurnRow
from events.store.schema.match_schema import matches
from events.store.schema.notice_schema import (
    addresses_asked,
    alarms,
    attempts,
    confirmations,
    deliveries,
    former_addresses,
    lanes,
    mail_queue,
    mailboxes,
    notices,
    notification_settings,
    recovery_codes,
    webhooks,
)
from events.store.schema.player_schema import players
from events.store.tables import checkpoint_rows, inbox_rows, stream_rows
from events.store.upserts import upsert

FOLLOWER: Final = "notices"
"""The name of the checkpoint of the follower that writes notices."""

FORMER_MS: Final = 7 * 24 * 3600 * 1000
"""The time for which the owner of a former address can recover the player, in milliseconds."""

KEPT_MS: Final = 30 * 24 * 3600 * 1000
"""The time for which notices and the log of their deliveries are kept, in milliseconds."""

ASKED_MS: Final = 2 * 24 * 3600 * 1000
"""The time for which requests to confirm an address are counted, in milliseconds."""

SKEW_MS: Final = 10_000
"""Maximum difference between two clocks, in milliseconds. A webhook also gets events of this time before its creation.
"""

log = logging.getLogger(__name__)

NOTICE: Final = tuple(notices.c[name] for name in Notice.__dataclass_fields__)


def check_there(connection: Connection, player_id: str, *, read: bool = False) -> None:
    """Raise `Gone` for an erased player; an existing one stays until this transaction ends.

    Other writers for the same player wait, unless only `read` is requested.
    """
    there = select(players.c.player_id).where(players.c.player_id == player_id, players.c.erased_ms.is_(None))
    if connection.execute(there.with_for_update(read=read)).first() is None:
        raise Gone


@value
class Channel:
    """A webhook or a confirmed mailbox, with the types of its notices and the time since which it gets them."""

    kinds: Collection[str]
    since_ms: int
    webhook_id: str | None = None
    host: str = ""
    enabled: bool = True


def players_with_channel() -> Any:
    """Return the query for all players with a channel."""
    mailed = select(mailboxes.c.player_id).where(mailboxes.c.state == "confirmed")
    return select(webhooks.c.player_id).union_all(mailed)


def has_any_channel(store: Store) -> bool:
    """Return whether any player has a channel."""
    return bool(store.read(select(exists(players_with_channel().subquery().select())))[0][0])


def channels(connection: Connection, players: Collection[str]) -> dict[str, list[Channel]]:
    """Return the channels of players."""
    found: defaultdict[str, list[Channel]] = defaultdict(list)
    w = webhooks.c
    hooks = select(w.player_id, w.webhook_id, w.host, w.events, w.state, w.created_ms).where(w.player_id.in_(players))
    for player, webhook_id, host, events, state, created in connection.execute(hooks):
        found[player].append(Channel(events.split(), created - SKEW_MS, webhook_id, host, state == "enabled"))
    mailed = select(mailboxes.c.player_id, mailboxes.c.created_ms).where(
        mailboxes.c.player_id.in_(players), mailboxes.c.state == "confirmed"
    )
    for player, created in connection.execute(mailed):
        found[player].append(Channel(BY_MAIL, created - SKEW_MS))
    return found


def near_seconds(connection: Connection, players: Collection[str]) -> dict[str, int]:
    """Return how long before a deadline each player wants a notice; players with the default are absent."""
    query = select(notification_settings.c.player_id, notification_settings.c.near_seconds).where(
        notification_settings.c.player_id.in_(players)
    )
    return {row.player_id: row.near_seconds for row in connection.execute(query)}


def lock_notices(connection: Connection) -> None:
    """Keep others from writing notices until this transaction ends, so that their numbers are in order."""
    checkpoint_rows.lock_follower(connection, FOLLOWER)


def write(
    connection: Connection,
    new: Sequence[Notice],
    now: int,
    collect_ms: int,
    of: dict[str, list[Channel]] | None = None,
) -> int:
    """Write the notices that are new and have a channel; return their number. For use in a transaction."""
    if not new:
        return 0
    of = channels(connection, {notice.player_id for notice in new}) if of is None else of
    routed = {
        notice.notice_id: (notice, wanted)
        for notice in new
        if (wanted := [c for c in of.get(notice.player_id, ()) if _wants(c, notice)])
    }
    if not routed:
        return 0
    known = connection.execute(select(notices.c.notice_id).where(notices.c.notice_id.in_(routed)))
    for (notice_id,) in known.all():
        del routed[notice_id]
    if not routed:
        return 0
    rows = [{**_columns(notice), "notice_id": notice_id} for notice_id, (notice, _) in routed.items()]
    numbered = connection.execute(insert(notices).returning(notices.c.notice_no, sort_by_parameter_order=True), rows)
    numbers = [row.notice_no for row in numbered]
    _route(
        connection,
        [(no, notice, wanted) for no, (notice, wanted) in zip(numbers, routed.values(), strict=True)],
        now,
        collect_ms,
    )
    return len(rows)


def _wants(channel: Channel, notice: Notice) -> bool:
    return notice.kind in channel.kinds and notice.at_ms >= channel.since_ms


def _columns(notice: Notice) -> dict[str, Any]:
    return {name: getattr(notice, name) for name in Notice.__dataclass_fields__}


def _route(
    connection: Connection, numbered: list[tuple[int, Notice, list[Channel]]], now: int, collect_ms: int
) -> None:
    hooked = [(no, n, c) for no, n, wanted in numbered for c in wanted if c.webhook_id is not None]
    if hooked:
        connection.execute(
            insert(deliveries),
            [
                {
                    "webhook_id": c.webhook_id,
                    "notice_no": no,
                    "match_no": n.match_no,
                    "state": "pending" if c.enabled else "missed",
                    "attempts": 0,
                }
                for no, n, c in hooked
            ],
        )
        open_lanes(connection, {(c.webhook_id or "", n.match_no): c.host for _, n, c in hooked if c.enabled}, now)
    mailed = [(no, n) for no, n, wanted in numbered for c in wanted if c.webhook_id is None]
    if mailed:
        connection.execute(insert(mail_queue), [{"player_id": n.player_id, "notice_no": no} for no, n in mailed])
        wake_mailboxes(connection, {n.player_id for _, n in mailed}, now + collect_ms)
        hurry_mailboxes(connection, {n.player_id for _, n in mailed if n.kind == DEADLINE_NEAR}, now, now + collect_ms)


def open_lanes(connection: Connection, wanted: dict[tuple[str, int], str], now: int) -> None:
    """Ensure that there are lanes for pending deliveries, given with their hosts.

    An existing lane is locked: a worker that is about to close it waits, and finds the new deliveries.
    """
    if not wanted:
        return
    rows = [
        {
            "webhook_id": webhook_id,
            "match_no": match_no,
            "host": host,
            "claimable_ms": now,
            "lease_ms": 0,
        }
        for (webhook_id, match_no), host in sorted(wanted.items())
    ]
    adding = upsert(connection, lanes)
    connection.execute(
        adding.on_conflict_do_update(index_elements=["webhook_id", "match_no"], set_={"host": adding.excluded.host}),
        rows,
    )


def hurry_mailboxes(connection: Connection, players: Collection[str], now: int, at: int) -> None:
    """Schedule the mailboxes of players for this time, even if they want mail less often: later is too late.

    Skip those that are being processed, or wait for their server.
    """
    m = mailboxes.c
    free = (m.lease_ms <= now) & (m.attempts == 0) & (m.claimable_ms > at)
    connection.execute(update(mailboxes).where(m.player_id.in_(sorted(players)), free).values(claimable_ms=at))


def wake_mailboxes(connection: Connection, players: Collection[str], at: int) -> None:
    """Schedule mailboxes for this time, or for their next allowed mail, unless they are scheduled already."""
    m = mailboxes.c
    next_mail = func.coalesce(m.last_ms, 0) + m.every_ms
    later = func.greatest if connection.dialect.name == "postgresql" else func.max
    connection.execute(
        update(mailboxes)
        .where(m.player_id.in_(sorted(players)))
        .values(claimable_ms=func.coalesce(m.claimable_ms, later(literal(at), next_mail)))
    )


def write_failed_order(connection: Connection, notice: Notice, collect_ms: int = 300_000) -> None:
    """Notify a player that their standing order for a seat no longer fitted the decision.

    For use in a transaction.
    """
    lock_notices(connection)
    write(connection, [notice], notice.at_ms, collect_ms)


# --- Deadlines that come near ---------------------------------------------------------------------------


@value
class Alarm:
    """An alarm notifies a player at `due_ms` that the deadline of a seat's decision is near."""

    match_no: int
    seat: int
    player_id: str
    version: int
    due_ms: int
    deadline_ms: int


ALARM: Final = tuple(alarms.c[name] for name in Alarm.__dataclass_fields__)


def set_alarms(connection: Connection, gone: Iterable[tuple[int, int]], wanted: Collection[Alarm]) -> None:
    """Replace the alarms of these seats (match number, seat) with the wanted ones."""
    if seats := {*gone, *((a.match_no, a.seat) for a in wanted)}:
        connection.execute(delete(alarms).where(tuple_(alarms.c.match_no, alarms.c.seat).in_(sorted(seats))))
    if wanted:
        connection.execute(
            insert(alarms), [{name: getattr(a, name) for name in Alarm.__dataclass_fields__} for a in wanted]
        )


def set_alarms_of(connection: Connection, player_id: str) -> None:
    """Set the alarms of the open decisions of a player who has just got a channel."""
    if wanted := _alarms_of(connection, player_id):
        connection.execute(upsert(connection, alarms).on_conflict_do_nothing(), wanted)


def reset_alarms_of(connection: Connection, player_id: str, now: int) -> None:
    """Set the alarms of the decisions that wait for a player as if nothing moved them, after a vacation has changed.

    Each is moved when it falls due. None is due before `now`, so that it differs from one that is being moved.
    """
    wanted = _alarms_of(connection, player_id) if channels(connection, [player_id]) else []
    if wanted:
        adding = upsert(connection, alarms)
        changed = adding.on_conflict_do_update(
            index_elements=["match_no", "seat"],
            set_={"due_ms": adding.excluded.due_ms},
            where=alarms.c.deadline_ms == adding.excluded.deadline_ms,
        )
        connection.execute(changed, [{**alarm, "due_ms": max(now, alarm["due_ms"])} for alarm in wanted])


def _alarms_of(connection: Connection, player_id: str) -> list[dict[str, Any]]:
    near = near_seconds(connection, [player_id]).get(player_id, NEAR_SECONDS)
    return [
        {
            "match_no": t.match_no,
            "seat": t.seat,
            "player_id": player_id,
            "version": t.version,
            "due_ms": due,
            "deadline_ms": t.deadline_ms,
        }
        for t in inbox_rows.read_by(lambda query: connection.execute(query).all(), player_id)
        if (due := near_at(t.since_ms, t.deadline_ms, near)) is not None
    ]


def write_due_notices(store: Store, now: int, collect_ms: int, limit: int | None = 100) -> int:
    """Write notices of near deadlines; return the number of handled alarms.

    An alarm is set by the deadline of the log. It moves when it falls due, if the decision falls due later.
    """
    found = [
        Alarm(*row)
        for row in store.read(select(*ALARM).where(alarms.c.due_ms <= now).order_by(alarms.c.due_ms).limit(limit))
    ]
    for alarm in found:
        turns = (t for t in inbox_rows.read_turns(store, alarm.match_no) if t.deadline_ms is not None)
        turn = next((t for t in turns if t.seat == alarm.seat), None)
        if turn is None or turn.player_id != alarm.player_id:
            store.change(_delete_alarm(alarm))
        elif turn.deadline_ms != alarm.deadline_ms:
            # The follower has not reached this event; it will move the deadline notification.
            _wait(store, alarm, now)
        else:
            _ring(store, alarm, turn, now, collect_ms)
    return len(found)


def _wait(store: Store, alarm: Alarm, now: int) -> None:
    """Retry an alarm in a second; drop it once its deadline is over."""
    if alarm.deadline_ms <= now:
        store.change(_delete_alarm(alarm))
    else:
        _move(store, alarm, now + 1_000)


def _ring(store: Store, alarm: Alarm, turn: TurnRow, now: int, collect_ms: int) -> None:
    """Write the notice of an alarm, or move the alarm, depending on the time at which the decision will fall due."""
    deadline, due = _enforced(store, alarm, turn, now), alarm.due_ms
    if deadline is None:
        _wait(store, alarm, now)
        return
    if deadline != alarm.deadline_ms:
        near = store.ask(lambda connection: near_seconds(connection, [alarm.player_id]))
        due = near_at(turn.since_ms, deadline, near.get(alarm.player_id, NEAR_SECONDS)) or now
    if deadline <= now:
        store.change(_delete_alarm(alarm))
    elif due > now:
        _move(store, alarm, due)
    else:
        _tell_near(store, alarm, deadline, now, collect_ms)


def _enforced(store: Store, alarm: Alarm, turn: TurnRow, now: int) -> int | None:
    """Return when a decision will fall due, with outages and vacations.

    If these cannot be read, return the deadline in the log.

    None if it is no longer open, or its deadline has just moved.
    """
    try:
        if not deadlines.may_have_moved(store, alarm.player_id, Time(turn.since_ms), Time(now)):
            return alarm.deadline_ms
        match_id = stream_rows.head_of(store, alarm.match_no).match_id
        found = stream_rows.load(store, match_id)
        m = fold_commits(*found, SPECTATORS) if found is not None else None
        if m is None or m.clocks.asked[alarm.seat] != alarm.deadline_ms:
            return None
        return deadlines.deadline_of_seat(store, m, alarm.seat, Time(now))
    except Exception:  # An unreadable match must not block the notices of all other deadlines.
        log.exception("cannot read the deadline of match_no=%d seat=%d", alarm.match_no, alarm.seat)
        return alarm.deadline_ms


def _move(store: Store, alarm: Alarm, due: int) -> None:
    store.change(update(alarms).where(*_equals_alarm(alarm)).values(due_ms=due))


def _delete_alarm(alarm: Alarm) -> Any:
    return delete(alarms).where(*_equals_alarm(alarm))


def _equals_alarm(alarm: Alarm) -> list[Any]:
    return [alarms.c[name] == getattr(alarm, name) for name in Alarm.__dataclass_fields__]


def _tell_near(store: Store, alarm: Alarm, deadline: int, now: int, collect_ms: int) -> None:
    row = next(
        iter(store.read(select(matches.c.match_id, matches.c.game).where(matches.c.match_no == alarm.match_no))),
        None,
    )
    if row is None:
        return
    notice = Notice(
        alarm.player_id,
        alarm.match_no,
        row.match_id,
        row.game,
        DEADLINE_NEAR,
        alarm.seat,
        alarm.version,
        now,
        deadline,
    )

    def work(connection: Connection) -> None:
        lock_notices(connection)
        if connection.execute(_delete_alarm(alarm)).rowcount:
            write(connection, [notice], now, collect_ms)

    store.write(work)


def set_near_seconds(store: Store, player_id: str, seconds: int) -> None:
    """Set how long before a deadline a player is notified, for decisions that open from now on.

    Raises `Gone`.
    """

    def work(connection: Connection) -> None:
        check_there(connection, player_id)
        adding = upsert(connection, notification_settings).values(player_id=player_id, near_seconds=seconds)
        connection.execute(adding.on_conflict_do_update(index_elements=["player_id"], set_={"near_seconds": seconds}))

    store.write(work)


def near_seconds_of(store: Store, player_id: str) -> int:
    """Return how long before a deadline a player is notified."""
    found = store.read(
        select(notification_settings.c.near_seconds).where(notification_settings.c.player_id == player_id)
    )
    return int(found[0][0]) if found else NEAR_SECONDS


# --- Keeping order ----------------------------------------------------------------------------------------


def sweep(store: Store, now: int) -> None:
    """Delete expired data, and open lanes that a crash may have left out."""
    old = now - KEPT_MS

    def work(connection: Connection) -> None:
        expired = select(notices.c.notice_no).where(notices.c.at_ms < old)
        for table in (deliveries, mail_queue):
            connection.execute(delete(table).where(table.c.notice_no.in_(expired)))
        connection.execute(delete(notices).where(notices.c.at_ms < old))
        connection.execute(delete(attempts).where(attempts.c.at_ms < old))
        for asked in (confirmations, addresses_asked):
            connection.execute(delete(asked).where(asked.c.at_ms < now - ASKED_MS))
        connection.execute(delete(recovery_codes).where(recovery_codes.c.until_ms < now))
        connection.execute(delete(former_addresses).where(former_addresses.c.changed_ms < now - FORMER_MS))
        d, w = deliveries.c, webhooks.c
        there = exists().where(lanes.c.webhook_id == d.webhook_id, lanes.c.match_no == d.match_no)
        left = (
            select(d.webhook_id, d.match_no, w.host)
            .join(webhooks, w.webhook_id == d.webhook_id)
            .where(d.state == "pending", w.state == "enabled", ~there)
            .distinct()
        )
        open_lanes(connection, {(row[0], row[1]): row[2] for row in connection.execute(left).all()}, now)

    store.write(work)
