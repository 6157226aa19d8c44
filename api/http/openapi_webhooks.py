"""Describes what is sent to the webhooks of players (Standard Webhooks 1.0)."""

from typing import Annotated, Any, Final

from msgspec import json

from api.http.openapi_operations import Answer, Count, Timestamp, one_of, says
from domain.core.clock import read_time
from events.notify.notices import (
    ASKED,
    DEADLINE_NEAR,
    INVITED,
    KINDS,
    MATCH_OVER,
    MATCH_STARTED,
    OF_TOURNAMENTS,
    ORDER_FAILED,
    TEST,
    TOURNAMENT_DROPPED,
    TOURNAMENT_ENTRIES_CLOSED,
    TOURNAMENT_INVITED,
    TOURNAMENT_MOVED_UP,
    TOURNAMENT_OVER,
    TOURNAMENT_ROUND_PAIRED,
    YOUR_TURN,
    Notice,
    payload,
)
from events.notify.signatures import headers

Json = dict[str, Any]


class NoticeDataAnswer(Answer):
    """This says what a notice is about; it never holds a card."""

    notice: Annotated[str, says("The header `webhook-id`.")]
    match: Annotated[
        str | None, says("The id of the match; of a tournament, of the one at your table, if you have one.")
    ]
    tournament: Annotated[str | None, says("The id of the tournament, where the notice is about one.")]
    round: Annotated[int | None, says("The round of the tournament, where the notice is about one.")]
    game: Annotated[str | None, says("The game; null in a test.")]
    seat: Annotated[int | None, says("Your seat, where the notice is about one.")]
    version: Annotated[Count, says("The event that caused it: of the tournament, if the notification is about one.")]
    deadline: Annotated[Timestamp | None, says("When the decision falls due, where it does.")]
    link: Annotated[str, says("The address of the tournament or match; in a test, that of the documentation.")]


class SentNoticeAnswer(Answer):
    """A notice, as it is sent to a webhook."""

    type: Annotated[str, one_of((*KINDS, TEST)), says("What the notice tells.")]
    timestamp: Annotated[Timestamp, says("When that happened.")]
    data: Annotated[NoticeDataAnswer, says("What the notice is about.")]


TELLS: Final = {
    YOUR_TURN: "Your turn",
    DEADLINE_NEAR: "Deadline near",
    MATCH_STARTED: "Match started",
    MATCH_OVER: "Match over",
    ORDER_FAILED: "Standing order failed",
    INVITED: "Invited to a match",
    ASKED: "Draw or takeback requested",
    TOURNAMENT_INVITED: "Invited to a tournament",
    TOURNAMENT_MOVED_UP: "Moved up from waiting list",
    TOURNAMENT_ENTRIES_CLOSED: "Tournament entries closed",
    TOURNAMENT_ROUND_PAIRED: "Tournament round paired",
    TOURNAMENT_DROPPED: "Dropped from a tournament",
    TOURNAMENT_OVER: "Tournament over",
    TEST: "Test notification",
}

_WHOM: Final = "It is sent to the webhooks that subscribe to the type `{}`."
_OTHERWISE: Final = {
    DEADLINE_NEAR: f"{_WHOM} `PUT /v1/players/me/notices` sets how long before.",
    TEST: "`POST /v1/players/me/webhooks/{{webhook_id}}/test` sends it to one webhook, whatever its types.",
}
"""The descriptions of kinds of notices for which `_WHOM` does not fit."""

_KEY: Final = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="  # of the example alone
_SECOND: Final = 1000

_HEADERS: Final = {
    "webhook-id": "The id of the notice, the same at every try: remember it, for a notice may come twice.",
    "webhook-timestamp": "When it is sent, in seconds since 1970. Refuse one that is five minutes off.",
    "webhook-signature": (
        "Signatures, separated by spaces: `v1,` and, in base64, the HMAC-SHA256 of id, timestamp and body, joined by"
        " dots, with the secret of the webhook. One of them must match."
    ),
}


NOTICE_RESPONSES: Final[Json] = {
    "NoticeArrived": {"description": "It has arrived. Answer within five seconds."},
    "WebhookGivenUp": {"description": "The server gives up the webhook and disables it immediately."},
    "NoticeTriedAgain": {"description": "It is tried again, for about three days."},
}
"""The components that describe what is answered to notices."""


def describe_webhooks() -> Json:
    """Describe each kind of notice."""
    return {kind: {"post": _sent(kind, says)} for kind, says in TELLS.items()}


def _sent(kind: str, tells: str) -> Json:
    example = payload(_example(kind), _example(kind).notice_id, "https://cards.example")
    schema = {"$ref": "#/components/schemas/SentNotice"}
    return {
        "operationId": f"send{kind.title().replace('_', '')}",
        "tags": ["notifications"],
        "summary": tells,
        "description": f"{_OTHERWISE.get(kind, _WHOM).format(kind)}\n",
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


def _example(kind: str) -> Notice:
    at, due = read_time("2026-11-21T10:00:00Z"), read_time("2026-11-22T10:00:00Z")
    match, game = ("", "") if kind == TEST else ("8n9y4jktn4n1gzhahebf", "a_game")
    seat = None if kind == TEST else 0
    if kind in OF_TOURNAMENTS:
        paired = kind == TOURNAMENT_ROUND_PAIRED
        seat, table, round_ = (0, "fc2m5a0jz6f1gq1m8r9d", 2) if paired else (None, "", None)
        return Notice("", 0, table, game, kind, seat, 61, at, tournament_id=match, round=round_)
    return Notice("", 0, match, game, kind, seat, 61, at, due if kind in (YOUR_TURN, DEADLINE_NEAR) else None)


def _described_headers() -> Json:
    """Describe the headers of every notice, with those of one as examples."""
    notice = _example(MATCH_STARTED)
    body = payload(notice, notice.notice_id, "https://cards.example")
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
