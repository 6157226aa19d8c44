"""Serves reports: players report others at a match, and administrators list and resolve the reports."""

from typing import Annotated, Final

from flask import Response
from msgspec import json

from api.http.app_state import app_state
from api.http.auth import require_caller, require_player, require_role
from api.http.common_fields import LARGEST, prose
from api.http.idempotency import IDEMPOTENCY_KEY, idempotency_key
from api.http.openapi_operations import MATCH_ID, Answer, Body, Operation, Ordinal, Parameter, Reply, Timestamp, says
from api.http.problems import Problem, wrong_fields
from api.http.request_parsing import load, read_body, read_query
from api.http.request_records import CheckedBy, Request, choice
from api.http.responses import json_answer, time_or_none
from api.resources.admin_routes import DONE, RULES, ActReasonBody, do_act
from api.resources.person_answer import SeatedPlayerAnswer, person_answer, person_or_none
from domain.core.options import Length, Range
from events.errors import TooManyReports
from events.operations import administration_acts as acts
from events.operations import reports
from events.service import players
from events.store.administration_records import ReportRow
from events.times import write_time

LONGEST: Final = 1_000
"""Maximum characters of the text of a report."""
MOST_LINES: Final = 20
"""Maximum chat messages that a report names."""
REPORT_ID: Final = Parameter("report_id", "path", "The id of a report.", example="8n9y4jktn4n1gzhahebf")


def _check_once(numbers: tuple[int, ...]) -> tuple[int, ...]:
    if len(set(numbers)) < len(numbers):
        raise ValueError("Name each message once.")
    return numbers


MessageNumbers = Annotated[
    tuple[Annotated[int, Range(1, LARGEST)], ...], Length(0, MOST_LINES), CheckedBy({"uniqueItems": True}, _check_once)
]


class ReportRequestBody(Request):
    """The reported player, what happened, and the chat messages that show it."""

    player: Annotated[str, Length(1, 40)]
    """The handle of a player at the match."""
    reason: Annotated[str, prose(LONGEST, breaks="\n")]
    """What happened."""
    messages: MessageNumbers = ()
    """The numbers of chat messages of this player."""


class ReportsQuery(Request):
    state: Annotated[str, choice(("open", "resolved"))] = "open"
    """Which reports to list."""


class SentReportAnswer(Answer):
    """Your report."""

    id: Annotated[str, says("The id of the report.")]
    at: Annotated[Timestamp, says("Time of the report.")]


class ReportedLineAnswer(Answer):
    """A chat message as it was when it was reported."""

    no: Annotated[Ordinal, says("Number of the message in its match.")]
    at: Annotated[Timestamp, says("Time of the message.")]
    text: Annotated[str, says("The text. It stays here if the message is deleted.")]


class ReceivedReportAnswer(Answer):
    """A report as administrators see it."""

    id: Annotated[str, says("The id of the report.")]
    match: Annotated[str, says("The id of the match.")]
    by: Annotated[SeatedPlayerAnswer | None, says("The reporter; null if erased.")]
    player: Annotated[SeatedPlayerAnswer, says("The reported player.")]
    reason: Annotated[str, says("What happened, by the reporter.")]
    messages: Annotated[list[ReportedLineAnswer], says("The chat messages given as evidence.")]
    at: Annotated[Timestamp, says("Time of the report.")]
    resolved_at: Annotated[Timestamp | None, says("Time of the resolution; null while open.")]
    outcome: Annotated[str | None, says("The outcome; null while open.")]


class ReceivedReportsAnswer(Answer):
    items: Annotated[list[ReceivedReportAnswer], says("At most 100 reports; open ones the oldest first.")]


@Operation(
    makes="reports",
    tag="moderation",
    searches=("report a player", "report abuse"),
    parameters=(MATCH_ID, IDEMPOTENCY_KEY),
    body=Body(ReportRequestBody, example={"player": "ben", "reason": "Insults me.", "messages": [3]}),
    replies={201: Reply("The report was sent to the administrators.", SentReportAnswer)},
    refuses=("not_seated", "not_found"),
)
def report_player(match_id: str) -> Response:
    """Report a player.

    For the players of the match, about another player there. The named chat messages are copied as evidence. Only
    administrators see the report, for half a year after its resolution. You can send ten a day. A repeat with the same
    `Idempotency-Key` returns the same report.
    """
    given = read_body()
    asked = idempotency_key(given)
    who, context = require_caller(), app_state().context
    seats = reports.check_reporter(context, match_id, who)
    wanted = load(ReportRequestBody, given)
    other = players.find_by_handle(context, wanted.player)
    if other is None or other.player_id not in seats or other.player_id == who.player:
        raise wrong_fields({"player": ["Must be the handle of another player of this match."]})
    try:
        made = reports.send_report(
            context, match_id, who, reports.Complaint(other.player_id, wanted.reason, wanted.messages), asked
        )
    except reports.UnknownLine as error:
        raise wrong_fields({"messages": [f"There is no message {error.no} by this player."]}) from None
    except TooManyReports as error:
        said = f"You have sent {reports.MOST_A_DAY} reports within a day. Wait for `Retry-After` seconds."
        raise Problem("too_many_requests", said, headers={"Retry-After": str(error.seconds)}) from None
    return json_answer(SentReportAnswer(made.report_id, write_time(made.at_ms)), 201)


@Operation(
    tag="moderation",
    searches=("admin list reports", "abuse reports"),
    scope="admin",
    query=ReportsQuery,
    replies={200: Reply("The reports.", ReceivedReportsAnswer)},
    refuses=("forbidden",),
)
def list_reports() -> Response:
    """List reports of players.

    For administrators. Open reports come the oldest first, resolved ones the latest first.
    """
    require_role(require_player())
    resolved = read_query(ReportsQuery).state == "resolved"
    found = reports.list_reports(app_state().context, resolved=resolved)
    people = {player for one in found for player in (one.player_id, one.reported_id) if player is not None}
    known = players.player_identities(app_state().context, people)
    return json_answer(
        ReceivedReportsAnswer(
            [
                ReceivedReportAnswer(
                    one.report_id,
                    one.match_id,
                    person_or_none(one.player_id, known),
                    person_answer(one.reported_id, known),
                    one.reason,
                    _lines(one),
                    write_time(one.at_ms),
                    time_or_none(one.resolved_ms),
                    one.outcome,
                )
                for one in found
            ]
        )
    )


def _lines(one: ReportRow) -> list[ReportedLineAnswer]:
    return [ReportedLineAnswer(no, write_time(at_ms), text) for no, at_ms, text in json.decode(one.lines)]


@Operation(
    tag="moderation",
    searches=("admin resolve report", "answer a report"),
    scope="admin",
    parameters=(REPORT_ID,),
    body=Body(ActReasonBody, example={"reason": "Suspended for a week."}),
    replies=DONE,
    refuses=RULES,
)
def resolve_report(report_id: str) -> Response:
    """Resolve a report.

    For administrators. The reason is the outcome, which only administrators see.
    """
    return do_act(ActReasonBody, lambda actor, _: acts.resolve_report(app_state().context, actor, report_id))
