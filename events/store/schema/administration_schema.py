"""Describes the tables of administrators, suspended players, and the reports of players."""

from sqlalchemy import BigInteger, Column, Index, Table, Text

from events.store.administration_records import ReportRow
from events.store.schema.metadata import columns_of, metadata

administrators = Table(
    "administrators",
    metadata,
    Column("player_id", Text, primary_key=True),
    Column("administration_id", Text, nullable=False),
)
"""The players with the role of an administrator. It follows from the stream of the administration."""

suspensions = Table(
    "suspensions",
    metadata,
    Column("player_id", Text, primary_key=True),
    Column("administration_id", Text, nullable=False),
    Column("until_ms", BigInteger, nullable=False),
    Column("reason", Text, nullable=False),
)
"""The suspended players, and those whose suspension has expired. It follows from the stream of the administration."""

reports = Table("reports", metadata, *columns_of(ReportRow, "report_id"))
"""The reports of players about others at a match; `lines` are the chat messages given as evidence, as JSON.

`player_id` is the reporter: none after erasure. A report is deleted half a year after its resolution, and when the
reported player is erased.
"""
Index("reports_by_player", reports.c.player_id, reports.c.at_ms)
Index("reports_by_reported", reports.c.reported_id)
Index("reports_by_time", reports.c.at_ms, reports.c.report_id)
