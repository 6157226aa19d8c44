"""Takes reports of players about others at a match, with copies of the chat messages that they name."""

from collections.abc import Sequence

import msgspec

from domain.core.game import Refused
from domain.core.values import value
from events.ids import derived_id, new_id
from events.service import access
from events.service.access import Caller
from events.service.context import Context
from events.store.administration_records import ReportRow
from events.store.records import Idempotency
from events.store.tables import report_rows
from events.store.tables.report_rows import MOST_A_DAY
from events.talk import messages as talk

__all__ = ["MOST_A_DAY", "Complaint", "UnknownLine", "check_reporter", "list_reports", "send_report"]


@value
class Complaint:
    """A player reported for a reason, with the numbers of chat messages."""

    player_id: str
    reason: str
    lines: Sequence[int]


class UnknownLine(Exception):
    """A named message is not there, is deleted, or is not by the reported player."""

    def __init__(self, no: int) -> None:
        super().__init__(no)
        self.no = no


def check_reporter(context: Context, match_id: str, who: Caller) -> frozenset[str]:
    """Return the players of a match. Raise `NotFound`, and `Refused` if the caller is none of them."""
    players = frozenset(one for one in access.open_match(context, match_id, who).state.players if one is not None)
    if who.player not in players:
        raise Refused("not_seated")
    return players


def send_report(
    context: Context, match_id: str, who: Caller, complaint: Complaint, asked: Idempotency | None
) -> ReportRow:
    """Store a report, or return the one that the same request made. Raises `UnknownLine`, `TooManyReports`."""
    report_id = new_id() if asked is None else derived_id(asked.key_hash, "report")
    if (known := report_rows.read_report(context.store, report_id)) is not None:
        return known
    lines = msgspec.json.encode(_evidence(context, match_id, complaint)).decode()
    made = ReportRow(report_id, match_id, who.player, complaint.player_id, complaint.reason, lines, context.now())
    report_rows.add_report(context.store, made)
    return made


def _evidence(context: Context, match_id: str, complaint: Complaint) -> list[tuple[int, int, str]]:
    """Return the number, time and text of each named message."""
    match_no = access.match_number(context, match_id)
    assert match_no is not None
    found = [(no, talk.message(context.store, match_no, no)) for no in complaint.lines]
    lines = list[tuple[int, int, str]]()
    for no, message in found:
        if message is None or message.text is None or message.player_id != complaint.player_id:
            raise UnknownLine(no)
        lines.append((no, message.at_ms, message.text))
    return lines


def list_reports(context: Context, *, resolved: bool) -> Sequence[ReportRow]:
    """Return up to 100 open or resolved reports."""
    return report_rows.read_reports(context.store, resolved=resolved)
