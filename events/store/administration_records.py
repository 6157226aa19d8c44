"""Defines the records of the administration: players as administrators see them, and reports."""

from typing import NamedTuple

from domain.core.values import value


class FoundPlayer(NamedTuple):
    """A player as administrators see them; `suspended_ms` is the end of a suspension, past or future."""

    player_id: str
    name: str
    handle: str
    created_ms: int
    administrator: bool
    suspended_ms: int | None
    reason: str | None


@value
class ReportRow:
    """A report; `lines` is a JSON array of chat messages, `player_id` the reporter."""

    report_id: str
    match_id: str
    player_id: str | None
    reported_id: str
    reason: str
    lines: str
    at_ms: int
    resolved_ms: int | None = None
    outcome: str | None = None
