"""Defines every answer that is not a success: its code, its status, and a sentence to act on (RFC 9457)."""

import logging
import traceback
from collections.abc import Mapping
from typing import Annotated, Final, NamedTuple

from flask import Flask, Response, has_request_context
from msgspec import UNSET, Meta, Struct, UnsetType, json
from werkzeug.exceptions import HTTPException

from api.http.logs import WHERE
from api.http.prefix import address_of
from domain.core.game import Refused
from domain.core.guarded import GameFailed
from domain.core.refusals import COMMON, MALFORMED, Refusal
from domain.games.catalogue import GAMES
from events.errors import (
    BadInvite,
    Busy,
    Conflict,
    DeckChanged,
    Forbidden,
    GameNotInstalled,
    Gone,
    HandleTaken,
    NotDisclosed,
    NothingEndsIt,
    NotSigned,
    OrdersChanged,
    TooManyBotMatches,
    TooManyDecks,
    TooManyHandles,
    TooManyTokens,
    Unavailable,
)
from events.errors import NotFound as NoMatch

log = logging.getLogger(__name__)

MEDIA_TYPE: Final = "application/problem+json"


class Kind(NamedTuple):
    """A kind says what a code means."""

    status: int
    title: str
    detail: str


def _refused(refusals: Mapping[str, Refusal], status: int) -> dict[str, Kind]:
    """Give what refusals mean over HTTP."""
    return {code: Kind(status, refusal.title, refusal.advice) for code, refusal in refusals.items()}


KINDS: Final[Mapping[str, Kind]] = {
    # the shape of the request
    "bad_request": Kind(400, "The request is malformed", "Send what the description of this call asks for."),
    "unauthenticated": Kind(
        401, "No valid token", "Send the header `Authorization: Bearer <token>` with the token of a player."
    ),
    "not_found": Kind(404, "Nothing is here", "Check the address; what you may not read is not found either."),
    "method_not_allowed": Kind(405, "No such method", "Use one of the methods that the header `Allow` names."),
    "not_acceptable": Kind(
        406, "No such form", "Let the header `Accept` admit a media type that this call answers with."
    ),
    "content_too_large": Kind(413, "The body is too large", "Send a shorter body."),
    "unsupported_media_type": Kind(
        415,
        "The body is not JSON",
        "Send JSON with the header `Content-Type: application/json`, uncompressed.",
    ),
    # who may
    "not_seated": Kind(403, "You hold no such seat", "Only the player in a seat may do this from it."),
    "forbidden": Kind(403, "You may not do this", "Only the creator of the match may do this."),
    "scope_missing": Kind(
        403, "The token is not for this", "Send a token that has the scope which the description of this call names."
    ),
    "bad_invite": Kind(403, "The invite does not fit", "Ask the creator of the match for a new invite to this seat."),
    "bad_code": Kind(
        403, "The code does not fit", "Send the code of the last mail to this address, or ask for another."
    ),
    # the state of the match
    "handle_taken": Kind(409, "The handle is not free", "Choose another one, or leave it out to be given one."),
    "too_many_handles": Kind(
        409,
        "You have had as many handles as you may",
        "Go back to one that you had; those that you gave up stay yours.",
    ),
    "too_many_tokens": Kind(409, "You have as many scoped tokens as you may", "Revoke one of them first."),
    "too_many_decks": Kind(409, "You have as many decks as you may", "Delete one of them first."),
    "no_booster": Kind(409, "You have no such booster", "`GET /v1/collection` says which boosters you have."),
    "not_in_collection": Kind(
        409,
        "You have not these cards",
        "`GET /v1/collection` says what you own, and what of it stands in your open offers.",
    ),
    "too_many_gifts": Kind(409, "Too many cards given", "Give cards in return, or wait until tomorrow."),
    "too_many_trades": Kind(409, "You have as many offers open as you may", "Withdraw one of them first."),
    "match_over": Kind(409, "The match is over", "It can still be read; create another one to play on."),
    "game_not_installed": Kind(
        409,
        "The game is not installed",
        "The match can be read; it can be played on once its game is installed here again.",
    ),
    "seat_taken": Kind(409, "The seat is taken", "Choose a seat that is open."),
    "at_another_table": Kind(
        409,
        "You sit at another table",
        "Nobody plays the same deals twice; leave the other table first, before they begin.",
    ),
    "too_many_seats": Kind(
        409,
        "You have as many seats as you may",
        "`options.seats_per_player` says how many seats of this match one player takes.",
    ),
    "nothing_gained": Kind(
        409,
        "You have gained nothing there",
        "The options name a match in which you gained what you bring: a finished one, of such a game, that you sat in.",
    ),
    "deals_known": Kind(
        409,
        "Somebody may know these deals",
        "The deals are those of another match. Take the seat with `accept_known_deals: true` if you accept that.",
    ),
    "rating_not_admitted": Kind(
        409,
        "The seat is for players of other ratings",
        "`options.least_rating` and `options.most_rating` say for whom; your highest of the last four weeks counts.",
    ),
    "reliability_not_admitted": Kind(
        409,
        "This is for players who keep their deadlines",
        "`least_reliability` says how many decisions in a hundred; those of your latest matches count.",
    ),
    "not_listed": Kind(
        409,
        "Your rating would be seen",
        "This writes down your rating for others to see. Be listed (`PATCH /v1/players/me`), or leave it.",
    ),
    "of_a_group": Kind(409, "The table belongs to others", "Cancel the whole group: `DELETE /v1/deal-groups/{id}`."),
    "already_started": Kind(409, "The match has started", "This can be done before the start alone."),
    "on_vacation": Kind(409, "You are on vacation", "End it first, then begin another."),
    "not_on_vacation": Kind(409, "You are not on vacation", "There is none to end."),
    "too_few_days": Kind(409, "You have not so much vacation left", "Look how much is left, and take less."),
    "chat_closed": Kind(409, "The chat is closed", "It can be read; nobody can write to it now."),
    "too_many_webhooks": Kind(409, "You have as many webhooks as you may", "Delete one of them first."),
    "webhook_disabled": Kind(409, "The webhook is disabled", "Enable it first."),
    "no_mail": Kind(409, "There is no mail here", "This server sends none; use a webhook, a feed or the inbox."),
    "version_mismatch": Kind(
        412, "The match has moved on", "Read the match again, and send its new `ETag` in `If-Match`, or none."
    ),
    "another_history": Kind(
        409,
        "The history here is another one",
        "You have events that are not here. Keep the last `digest` or signed head that you have as evidence, and read"
        " again without `after`.",
    ),
    "notes_changed": Kind(
        412, "Your notes have changed", "Read them again, and send their new `ETag` in `If-Match`, or none."
    ),
    "deck_changed": Kind(412, "The deck has changed", "Read it again, and send its new `ETag` in `If-Match`, or none."),
    "orders_changed": Kind(
        412,
        "Your orders have changed",
        "Read them again, and send their new `ETag` in `If-Match`, or none.",
    ),
    "orders_not_allowed": Kind(
        409,
        "No standing orders here",
        "This match was created without the option `standing_orders`; play by hand.",
    ),
    "orders_not_signed": Kind(
        409,
        "The seat's player signs its moves",
        "The seat was taken with a `player_key`, so nobody moves for it by standing orders; send signed moves.",
    ),
    "signature_needed": Kind(
        409,
        "The move is not signed",
        "The seat was taken with a `player_key`: send the `signature` of that key over the move.",
    ),
    "bad_signature": Kind(
        409,
        "The signature does not hold",
        "Sign the move again with the key of the seat, on the match as it is now.",
    ),
    "signature_unasked": Kind(
        409,
        "The seat has no key",
        "The seat was taken without a `player_key`; send the move without `signature`.",
    ),
    "key_is_fixed": Kind(
        409,
        "The key of the seat stays",
        "A `player_key` is given when the seat is taken. Leave the seat, and take it again with the key.",
    ),
    # what the rules of games refuse
    **_refused(COMMON, 409),
    **{code: kind for game in GAMES.values() for code, kind in _refused(game.words.refusals, 409).items()},
    # what was sent
    **_refused(MALFORMED, 422),
    "bad_options": Kind(422, "These options cannot be had", "Mend the options that `errors` names."),
    "unreadable_record": Kind(
        422, "The record cannot be verified", "Send the record of a match as `GET …/record` gave it."
    ),
    "idempotency_mismatch": Kind(
        422, "The key was used for something else", "Send a new `Idempotency-Key` with a new request."
    ),
    # the server
    "too_many_requests": Kind(429, "Too many requests", "Wait as long as `Retry-After` says."),
    "too_many_bot_matches": Kind(
        429,
        "You have as many matches of bots running as you may",
        "Wait until one of those in which only bots play is over, or take a seat yourself.",
    ),
    "internal_error": Kind(500, "The server has failed", "Try again later; if it persists, tell the operator."),
    "too_many_waiters": Kind(
        503,
        "Too many requests wait already",
        "Ask without `wait`, or again after the time that `Retry-After` says.",
    ),
    "unavailable": Kind(503, "The server cannot do this now", "Try again after the time that `Retry-After` says."),
}

RETRY_SECONDS: Final = 1
UNREADY: Final = (
    "The database does not answer, cannot be written to, or its schema is not this version's (see `dealt migrate`)."
)


class ProblemAnswer(Struct, forbid_unknown_fields=True):
    """A request that was refused (RFC 9457)."""

    type: Annotated[
        str, Meta(description="Where the code is explained.", extra_json_schema={"format": "uri-reference"})
    ]
    title: Annotated[str, Meta(description="What is wrong, in a few words.")]
    status: Annotated[int, Meta(description="The HTTP status.")]
    detail: Annotated[str, Meta(description="What to do about it, in a sentence.")]
    code: Annotated[
        str,
        Meta(
            description="What is wrong, in a word for programs; each operation names those that it answers with.",
            extra_json_schema={"enum": list(KINDS), "x-titles": {code: kind.title for code, kind in KINDS.items()}},
        ),
    ]
    errors: Annotated[
        Mapping[str, list[str]] | UnsetType, Meta(description="What is wrong, by the path of the field.")
    ] = UNSET


class Problem(Exception):
    """A request is refused with a code of `KINDS`; `errors` say what is wrong with each field."""

    def __init__(
        self,
        code: str,
        detail: str | None = None,
        *,
        errors: Mapping[str, list[str]] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(code)
        self.code, self.detail, self.errors, self.headers = code, detail, errors, headers or {}


def answer(problem: Problem, status: int | None = None, public: str = "") -> Response:
    """Write a problem as the answer to the request; with another `status` where HTTP has one for it.

    `public` is the public address of the server, for what is answered without the app.
    """
    kind = KINDS[problem.code]
    status, explained = status or kind.status, f"/docs/problems#{problem.code}"
    body = ProblemAnswer(
        type=address_of(explained) if has_request_context() else f"{public}{explained}",
        title=kind.title,
        status=status,
        detail=problem.detail or kind.detail,
        code=problem.code,
        errors=UNSET if problem.errors is None else problem.errors,
    )
    response = Response(json.encode(body), status, problem.headers, content_type=MEDIA_TYPE)
    response.headers["Cache-Control"] = "private, no-store"
    response.headers["Vary"] = "Authorization, Accept"
    if kind.status == 401:
        response.headers["WWW-Authenticate"] = 'Bearer realm="dealt"'
    if kind.status == 503:
        response.headers.setdefault("Retry-After", str(RETRY_SECONDS))
    return response


def install(app: Flask) -> None:
    """Turn whatever is raised in a request into a problem."""
    app.register_error_handler(Problem, answer)
    app.register_error_handler(HTTPException, lambda error: answer(of_http(error)))
    app.register_error_handler(Refused, lambda error: answer(Problem(error.code, error.sentence or None)))
    app.register_error_handler(
        Conflict,
        lambda error: answer(Problem("version_mismatch", headers={"ETag": f'"{error.version}"'})),
    )
    app.register_error_handler(NotSigned, _not_signed)
    app.register_error_handler(
        TooManyBotMatches,
        lambda error: answer(
            Problem("too_many_bot_matches", _BOT_MATCHES.format(error.limit), headers={"Retry-After": "60"})
        ),
    )
    app.register_error_handler(NothingEndsIt, _nothing_ends_it)
    app.register_error_handler(NotDisclosed, lambda _: answer(Problem("forbidden", _UNDISCLOSED)))
    for raised, code in _CODES.items():
        app.register_error_handler(raised, lambda _, code=code: answer(Problem(code)))
    app.register_error_handler(GameFailed, _game_failed)
    app.register_error_handler(Exception, _failed)


_BOT_MATCHES: Final = (
    "One player may have {} matches running in which only bots play. Wait until one is over, or take a seat yourself."
)
_UNDISCLOSED: Final = "Other seats can be looked into once every hand up to that version has been disclosed."


def _nothing_ends_it(refused: NothingEndsIt) -> Response:
    """Say which options bots may not play with alone."""
    return answer(Problem("bad_options", errors={f"options.{name}": [why] for name, why in refused.why.items()}))


def _not_signed(refused: NotSigned) -> Response:
    """Say what was to be signed: who signs can compare it with their own text."""
    code = "bad_signature" if refused.given else "signature_needed"
    detail = f"{KINDS[code].detail} The text is, at version {refused.version}: {refused.text}"
    return answer(Problem(code, detail))


_CODES: Final[Mapping[type[Exception], str]] = {
    NoMatch: "not_found",
    Gone: "unauthenticated",
    HandleTaken: "handle_taken",
    TooManyHandles: "too_many_handles",
    TooManyTokens: "too_many_tokens",
    TooManyDecks: "too_many_decks",
    DeckChanged: "deck_changed",
    OrdersChanged: "orders_changed",
    Forbidden: "forbidden",
    BadInvite: "bad_invite",
    GameNotInstalled: "game_not_installed",
    Busy: "unavailable",
    Unavailable: "unavailable",
}

_OF_STATUS: Final[Mapping[int, str]] = {
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    413: "content_too_large",
    415: "unsupported_media_type",
    503: "unavailable",
}


def of_http(error: HTTPException) -> Problem:
    """Tell Flask's own refusals as ours; what has no code of its own is the client's mistake or ours."""
    status = error.code or 500
    code = _OF_STATUS.get(status, "bad_request" if status < 500 else "internal_error")
    headers = {name: value for name, value in error.get_headers() if name in ("Allow", "Retry-After")}
    return Problem(code, headers=headers)


def _game_failed(failed: GameFailed) -> Response:
    """Say that the game is at fault, and not the server: other matches can be played on."""
    log.error("A game has failed: %s", failed)
    return answer(Problem("internal_error", "The game of this match has failed; tell the operator of the server."))


def _failed(error: Exception) -> Response:
    """Note where it happened, and not what was said: a message may quote cards, tokens or invites."""
    where = "".join(traceback.format_tb(error.__traceback__))
    log.error("A request failed with %s", type(error).__name__, extra={WHERE: where})
    return answer(Problem("internal_error"))
