"""Describes what is sent to the webhooks of players (Standard Webhooks 1.0)."""

from typing import Annotated, Any, Final

from msgspec import json

from api.http.openapi_operations import Answer, Count, Timestamp, one_of, says
from domain.core.clock import read_time
from events.notify import notices
from events.notify.signatures import headers

Json = dict[str, Any]


class NoticeDataAnswer(Answer):
    """The subject of a notification; never includes cards."""

    notice: Annotated[str, says("The header `webhook-id`.")]
    match: Annotated[str | None, says("The id of the match; for a tournament, of the match at your table, if any.")]
    tournament: Annotated[str | None, says("The id of the tournament, if any.")]
    round: Annotated[int | None, says("The round of the tournament, if any.")]
    game: Annotated[str | None, says("The game; null in a test.")]
    seat: Annotated[int | None, says("Your seat, if any.")]
    version: Annotated[Count, says("The number of the event that caused it, in the tournament or match.")]
    deadline: Annotated[Timestamp | None, says("Deadline of the decision, if any.")]
    link: Annotated[str, says("The address of the tournament or match; in a test, that of the documentation.")]


class SentNoticeAnswer(Answer):
    """A notification as sent to a webhook."""

    type: Annotated[str, one_of((*notices.KINDS, notices.TEST)), says("The type of the notification.")]
    timestamp: Annotated[Timestamp, says("Time of that event.")]
    data: Annotated[NoticeDataAnswer, says("The subject of the notification.")]


TELLS: Final = {
    notices.YOUR_TURN: ("Your turn", ("your turn webhook", "turn notification")),
    notices.DEADLINE_NEAR: ("Deadline near", ("deadline webhook", "time running out")),
    notices.MATCH_STARTED: ("Match started", ("match started webhook", "start notification")),
    notices.MATCH_OVER: ("Match over", ("match over webhook", "result notification")),
    notices.ORDER_FAILED: ("Standing order failed", ("failed order webhook", "orders stopped")),
    notices.INVITED: ("Invited to a match", ("invitation webhook", "match invitation")),
    notices.ASKED: ("Draw or takeback requested", ("draw offer webhook", "takeback webhook")),
    notices.TOURNAMENT_INVITED: ("Invited to a tournament", ("tournament invitation webhook", "tournament invitation")),
    notices.TOURNAMENT_MOVED_UP: ("Moved up from waiting list", ("waiting list webhook", "waiting list")),
    notices.TOURNAMENT_ENTRIES_CLOSED: (
        "Tournament entries closed",
        ("entries closed webhook", "tournament started webhook"),
    ),
    notices.TOURNAMENT_ROUND_PAIRED: ("Tournament round paired", ("pairing webhook", "next round notification")),
    notices.TOURNAMENT_DROPPED: ("Dropped from a tournament", ("dropped webhook", "removed from tournament")),
    notices.TOURNAMENT_OVER: ("Tournament over", ("tournament over webhook", "tournament result notification")),
    notices.TEST: ("Test notification", ("test notification webhook", "webhook example")),
}
"""The summary of each type of notification, and everyday words for which the search at `/docs` shows it first."""

_MORE: Final = {
    notices.DEADLINE_NEAR: "`PUT /v1/players/me/notices` sets how long before.",
    notices.TEST: "`POST /v1/players/me/webhooks/{webhook_id}/test` sends it to one webhook, whatever its types.",
}
"""The descriptions of kinds of notices; all others go to the webhooks with their type."""

_KEY: Final = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="  # only for the example
_SECOND: Final = 1000

_HEADERS: Final = {
    "webhook-id": "The id of the notification, the same in every attempt. Remember it: it can arrive twice.",
    "webhook-timestamp": "The time of sending, in seconds since 1970. Refuse requests that are five minutes off.",
    "webhook-signature": (
        "Signatures, separated by spaces: `v1,` and the base64 HMAC-SHA256 of id, timestamp and body, joined by"
        " dots, with the webhook's secret. One of them must match."
    ),
}


NOTICE_RESPONSES: Final[Json] = {
    "Received": {"description": "Received. Answer within five seconds."},
    "GivenUp": {"description": "The server disables the webhook immediately."},
    "TriedAgain": {"description": "The server retries for about three days."},
}
"""The components for the answers to notices."""


def describe_webhooks() -> Json:
    """Describe each kind of notice."""
    return {kind: {"post": _sent(kind, summary)} for kind, (summary, _) in TELLS.items()}


def operation_of(kind: str) -> str:
    """Return the id of the operation that sends a kind of notice."""
    return f"send{kind.title().replace('_', '')}"


def _sent(kind: str, summary: str) -> Json:
    example = notices.payload(_example(kind), _example(kind).notice_id, "https://cards.example")
    schema = {"$ref": "#/components/schemas/SentNotice"}
    return {
        "operationId": operation_of(kind),
        "tags": ["notifications"],
        "summary": summary,
        **({"description": _MORE[kind]} if kind in _MORE else {}),
        "security": [],
        "parameters": [{"$ref": f"#/components/parameters/{name}"} for name in NOTICE_HEADERS],
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": schema, "example": json.decode(example)}},
        },
        "responses": {
            status: {"$ref": f"#/components/responses/{name}"}
            for status, name in zip(("2XX", "410", "default"), NOTICE_RESPONSES, strict=True)
        },
    }


def _example(kind: str) -> notices.Notice:
    at, due = read_time("2026-11-21T10:00:00Z"), read_time("2026-11-22T10:00:00Z")
    match, game = ("", "") if kind == notices.TEST else ("8n9y4jktn4n1gzhahebf", "a_game")
    seat = None if kind == notices.TEST else 0
    if kind in notices.OF_TOURNAMENTS:
        paired = kind == notices.TOURNAMENT_ROUND_PAIRED
        seat, table, round_ = (0, "fc2m5a0jz6f1gq1m8r9d", 2) if paired else (None, "", None)
        return notices.Notice("", 0, table, game, kind, seat, 61, at, tournament_id=match, round=round_)
    return notices.Notice(
        "", 0, match, game, kind, seat, 61, at, due if kind in (notices.YOUR_TURN, notices.DEADLINE_NEAR) else None
    )


def _described_headers() -> Json:
    """Describe the headers of every notice, with those of one as examples."""
    notice = _example(notices.MATCH_STARTED)
    body = notices.payload(notice, notice.notice_id, "https://cards.example")
    signed = headers(notice.notice_id, notice.at_ms // _SECOND, body, [_KEY])
    return {
        name: {
            "name": name,
            "in": "header",
            "required": True,
            "description": says,
            "schema": {"type": "string"},
            "example": signed[name],
        }
        for name, says in _HEADERS.items()
    }


NOTICE_HEADERS: Final = _described_headers()
"""The components that describe the headers of notices."""
