"""Stores the times in which processes were running, and finds outages: the times in which none was.

A process records beats. It was running between two of its beats, if they are not too far apart. An outage is a time
without a running scheduler, or without an API; the process of `dealt serve` is both. The time before the first beat of
a role is unknown, so it is no outage.
"""

from collections.abc import Iterable, Mapping
from itertools import groupby, pairwise
from typing import Any, Final, Literal

from sqlalchemy import Connection, delete, func, insert, select, union_all, update

from events.store.protocol import Store
from events.store.revisions import REVISIONS
from events.store.schema.log_schema import work_spans
from events.store.upserts import upsert

Role = Literal["scheduler", "api", "serve"]
Span = tuple[int, int]

NEEDED: Final[Mapping[Role, frozenset[Role]]] = {
    "scheduler": frozenset({"scheduler", "serve"}),
    "api": frozenset({"api", "serve"}),
}
"""The roles without which the server is down, each with the roles of the processes that fill it."""

STILL_MS: Final = 2_000
"""The longest time between two beats of a process that was running in between, in milliseconds."""

OLD_MS: Final = 3_600_000
"""The age from which spans are merged, in milliseconds."""

ONLY: Final = "only"
"""The name of a process that is the only one."""


def beat(store: Store, now_ms: int, process: str = ONLY, role: Role = "scheduler") -> None:
    """Record that a process is running. A new name means that it has just started, or was cut off."""
    store.write(lambda connection: _beat(connection, now_ms, process, role))


def _beat(connection: Connection, now_ms: int, process: str, role: Role) -> None:
    s = work_spans.c
    on = (s.process == process) & (s.to_ms >= now_ms - STILL_MS) & (s.to_ms <= now_ms)
    if not connection.execute(update(work_spans).where(on).values(to_ms=now_ms)).rowcount:
        begun = {"process": process, "role": role, "from_ms": now_ms, "to_ms": now_ms, "revision": REVISIONS[-1]}
        connection.execute(upsert(connection, work_spans).values(begun).on_conflict_do_nothing())


def proven_until(store: Store, now_ms: int) -> int | None:
    """Return the time up to which outages are known; None if no process has ever recorded a beat."""
    query = select(work_spans.c.role, func.max(work_spans.c.to_ms)).where(work_spans.c.from_ms <= now_ms)
    last: dict[Role, int] = {row[0]: row[1] for row in store.read(query.group_by(work_spans.c.role))}
    known = [max(last[role] for role in there) for fill in NEEDED.values() if (there := fill & last.keys())]
    return min(known, default=None)


def last_start(store: Store) -> int:
    """Return when a process last started, which ends any outage; 0 if none ever did."""
    began: int | None = store.read(select(func.max(work_spans.c.from_ms)))[0][0]
    return began or 0


def outages_since(store: Store, since_ms: int, now_ms: int) -> list[Span]:
    """Return the outages that ended after a time, in order and without overlaps; the last may still continue."""
    s = work_spans.c
    here = select(s.role, s.from_ms, s.to_ms).where(s.to_ms >= since_ms, s.from_ms <= now_ms)
    before = select(s.role, func.max(s.to_ms), func.max(s.to_ms)).where(s.to_ms < since_ms).group_by(s.role)
    rows = store.read(union_all(here, before))
    gaps = [gap for fill in NEEDED.values() for gap in _gaps([row[1:] for row in rows if row[0] in fill], now_ms)]
    return [gap for gap in merge_spans(gaps) if gap[1] > since_ms]


def _gaps(spans: Iterable[Any], now_ms: int) -> list[Span]:
    """Return the gaps between spans, and the time since the last one if its next beat is overdue."""
    there = merge_spans(spans)
    still_on = [(to, now_ms) for _, to in there[-1:] if now_ms - to > STILL_MS]
    return [(a[1], b[0]) for a, b in pairwise(there)] + still_on


def merge_spans(spans: Iterable[Any]) -> list[Span]:
    """Return spans in order, with those that touch or overlap as one."""
    found: list[Span] = []
    for start, end in sorted(map(tuple, spans)):
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], end)
        else:
            found.append((start, end))
    return found


def end_of_time(start_ms: int, has_ms: int, out: Iterable[Span]) -> int:
    """Return when this much time has passed since a start; outages, given in order, do not count."""
    end_ms = start_ms + has_ms
    for start, end in out:
        if start < end_ms:
            end_ms += max(0, end - max(start, start_ms))
    return end_ms


def merge_old(store: Store, now_ms: int) -> None:
    """Merge the spans that ended long ago, by role and without their processes."""

    def work(connection: Connection) -> None:
        s, old = work_spans.c, work_spans.c.to_ms < now_ms - OLD_MS
        rows = connection.execute(select(s.role, s.from_ms, s.to_ms).where(old).order_by(s.role)).all()
        fewer = [
            {"process": role, "role": role, "from_ms": start, "to_ms": end}
            for role, spans in groupby(rows, key=lambda row: row.role)
            for start, end in merge_spans(row[1:] for row in spans)
        ]
        if len(fewer) < len(rows):
            connection.execute(delete(work_spans).where(old))
            connection.execute(insert(work_spans), fewer)

    store.write(work)
