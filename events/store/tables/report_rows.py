"""Stores the reports of players about others."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Final

from sqlalchemy import Connection, delete, insert, select, update

from events.errors import TooManyReports
from events.store.administration_records import ReportRow
from events.store.protocol import Store
from events.store.schema.administration_schema import reports
from events.store.schema.player_schema import players

DAY_MS: Final = 24 * 3600 * 1000
MOST_A_DAY: Final = 10
"""Maximum reports of one player within 24 hours."""
KEPT_MS: Final = 180 * DAY_MS
"""The time for which a resolved report is kept, in milliseconds."""
PAGE: Final = 100
"""Maximum number of reports in a list."""

_ROW: Final = tuple(reports.c[name] for name in ReportRow.__dataclass_fields__)


def add_report(store: Store, report: ReportRow) -> None:
    """Store a report; one with a known id stays as it is. Raise `TooManyReports`."""

    def work(connection: Connection) -> None:
        # Concurrent requests of the same player wait here, so that together they do not exceed the maximum.
        connection.execute(select(players.c.player_id).where(players.c.player_id == report.player_id).with_for_update())
        if connection.execute(select(reports.c.at_ms).where(reports.c.report_id == report.report_id)).first():
            return
        mine = select(reports.c.at_ms).where(
            reports.c.player_id == report.player_id, reports.c.at_ms > report.at_ms - DAY_MS
        )
        at = connection.scalar(mine.order_by(reports.c.at_ms.desc()).limit(1).offset(MOST_A_DAY - 1))
        if at is not None:
            raise TooManyReports(-(-(at + DAY_MS - report.at_ms) // 1000))
        connection.execute(insert(reports).values(asdict(report)))

    store.write(work)


def read_report(store: Store, report_id: str) -> ReportRow | None:
    """Return a report."""
    found = store.read(select(*_ROW).where(reports.c.report_id == report_id))
    return ReportRow(*found[0]) if found else None


def read_reports(store: Store, *, resolved: bool) -> Sequence[ReportRow]:
    """Return open or resolved reports: open ones the oldest first, resolved ones the latest first."""
    query = select(*_ROW).where(reports.c.resolved_ms.is_not(None) if resolved else reports.c.resolved_ms.is_(None))
    order = (reports.c.at_ms.desc(), reports.c.report_id) if resolved else (reports.c.at_ms, reports.c.report_id)
    return [ReportRow(*row) for row in store.read(query.order_by(*order).limit(PAGE))]


def resolve_report(connection: Connection, report_id: str, outcome: str, at_ms: int) -> None:
    """Record the outcome of a report, as part of a transaction."""
    connection.execute(
        update(reports).where(reports.c.report_id == report_id).values(resolved_ms=at_ms, outcome=outcome)
    )


def erase_reports(connection: Connection, player_id: str) -> None:
    """Delete the reports about a player, and the reporter from the player's own reports."""
    connection.execute(delete(reports).where(reports.c.reported_id == player_id))
    connection.execute(update(reports).where(reports.c.player_id == player_id).values(player_id=None))


def prune_reports(store: Store, now_ms: int) -> None:
    """Delete reports that were resolved long ago."""
    store.change(delete(reports).where(reports.c.resolved_ms <= now_ms - KEPT_MS))
