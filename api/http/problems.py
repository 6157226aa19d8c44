"""Defines every answer that is not a success: its code, its status, and a sentence to act on (RFC 9457)."""

import logging
import traceback
from collections.abc import Mapping
from typing import Annotated, Final, NamedTuple

from flask import Flask, Response, has_request_context, request
from msgspec import UNSET, UnsetType, json
from werkzeug.exceptions import HTTPException

from api.http.log_setup import WHERE
from api.http.openapi_operations import Answer, says
from api.http.path_prefix import public_link
from domain.core.game import Refused
from domain.core.game_guard import GameFailed
from domain.core.refusals import COMMON, MALFORMED, Refusal
from domain.games.catalogue import GAMES
from events.errors import (
    BadInvite,
    Blocked,
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
    TooManyBlocks,
    TooManyBotMatches,
    TooManyDecks,
    TooManyHandles,
    TooManyMutes,
    TooManyTokens,
    Unavailable,
)
from events.errors import NotFound as NoMatch

log = logging.getLogger(__name__)

MEDIA_TYPE: Final = "application/problem+json"


class Kind(NamedTuple):
    """The HTTP meaning of a code."""

    status: int
    title: str
    detail: str


def _refused(refusals: Mapping[str, Refusal], status: int) -> dict[str, Kind]:
    """Return the HTTP form of refusals."""
    return {code: Kind(status, refusal.title, refusal.advice) for code, refusal in refusals.items()}


KINDS: Final[Mapping[str, Kind]] = {
    # the shape of the request
    "bad_request": Kind(400, "Malformed request", "Send a request as the description of this operation requires."),
    "unauthenticated": Kind(
        401, "No valid token", "Send the header `Authorization: Bearer <token>` with a player's token."
    ),
    "not_found": Kind(404, "Not found", "Check the address. Resources that you cannot read are not found either."),
    "method_not_allowed": Kind(405, "Method not allowed", "Use a method in the header `Allow`."),
    "not_acceptable": Kind(
        406, "Media type not available", "Send `Accept` with a media type that this operation returns."
    ),
    "content_too_large": Kind(413, "Body too large", "Send a shorter body."),
    "unsupported_media_type": Kind(
        415,
        "Wrong media type",
        "Send the body uncompressed, with the `Content-Type` of this operation, usually `application/json`.",
    ),
    # who may
    "not_seated": Kind(403, "Not your seat", "Only the player in this seat can do this."),
    "forbidden": Kind(403, "Not allowed", "Only the creator of the match can do this."),
    "scope_missing": Kind(
        403, "Token lacks the scope", "Send a token with the scope that the description of this operation names."
    ),
    "suspended": Kind(403, "You are suspended", "Wait for the end of the suspension. You can still read."),
    "player_blocked": Kind(403, "Blocked", "One of you has blocked the other. Choose another table or player."),
    "bad_invite": Kind(403, "Invalid invite code", "Ask the creator of the match for a new code for this seat."),
    "bad_code": Kind(403, "Wrong code", "Send the code of the last mail to this address, or request another."),
    # the state of the match
    "handle_taken": Kind(409, "Handle taken", "Choose another handle, or omit it to get a generated one."),
    "too_many_handles": Kind(
        409,
        "Handle limit reached",
        "Choose one of your former handles. They stay reserved for you.",
    ),
    "too_many_tokens": Kind(409, "Token limit reached", "Revoke a token first."),
    "cannot_block_yourself": Kind(409, "You cannot block yourself", "Send the handle of another player."),
    "too_many_blocks": Kind(409, "Block limit reached", "Unblock a player first."),
    "cannot_mute_yourself": Kind(409, "You cannot mute yourself", "Send the handle of another player."),
    "too_many_mutes": Kind(409, "Mute limit reached", "Unmute a player first."),
    "too_many_decks": Kind(409, "Deck limit reached", "Delete a deck first."),
    "no_booster": Kind(409, "No such booster", "`GET /v1/collection` lists your boosters."),
    "not_in_collection": Kind(
        409,
        "Not in your collection",
        "`GET /v1/collection` lists your cards, and those in your open offers.",
    ),
    "too_many_gifts": Kind(409, "Trade too one-sided", "Ask for more cards in return, or wait until tomorrow."),
    "too_many_trades": Kind(409, "Trade limit reached", "Withdraw an offer first."),
    "match_over": Kind(409, "The match is over", "You can still read it. Create another match to play on."),
    "game_not_installed": Kind(
        409,
        "The game is not installed",
        "You can read the match. It continues once its game is installed again.",
    ),
    "seat_taken": Kind(409, "The seat is taken", "Choose an open seat."),
    "at_another_table": Kind(
        409,
        "You sit at another table",
        "No player plays the same deals twice. Leave the other table before the tables start.",
    ),
    "too_many_seats": Kind(
        409,
        "Seat limit reached",
        "You have as many seats as `options.seats_per_player` allows. Leave one to take another.",
    ),
    "nothing_gained": Kind(
        409,
        "Nothing gained in that match",
        "Name a finished match of a suitable game in which you had a seat.",
    ),
    "deals_known": Kind(
        409,
        "Deals may be known",
        "The deals are those of another match. Take the seat with `accept_known_deals: true` if you accept that.",
    ),
    "rating_not_admitted": Kind(
        409,
        "Rating outside the bounds",
        "Choose a match that admits your rating: `options.least_rating` and `options.most_rating` are the bounds. For"
        " the upper one, your highest rating of the last four weeks counts.",
    ),
    "reliability_not_admitted": Kind(
        409,
        "Reliability too low",
        "`least_reliability` is the required percentage of moves on time. Move on time in other matches first.",
    ),
    "not_listed": Kind(
        409,
        "You are not listed",
        'This would show your rating to others. Send `{"listed": true}` to `PATCH /v1/players/me` first.',
    ),
    "of_a_group": Kind(
        409, "Match belongs to a group", "Cancel the whole duplicate group: `DELETE /v1/deal-groups/{id}`."
    ),
    "already_started": Kind(409, "The match has started", "This is possible only before the start."),
    "on_vacation": Kind(409, "You are on vacation", "End this vacation before you begin another."),
    "not_on_vacation": Kind(409, "You are not on vacation", "You have no vacation to end."),
    "too_few_days": Kind(
        409, "Not enough vacation left", "`GET /v1/players/me/vacation` shows how many days are left. Take fewer."
    ),
    "chat_closed": Kind(409, "The chat is closed", "You can read messages, but no one can send any now."),
    "too_many_webhooks": Kind(409, "Webhook limit reached", "Delete a webhook first."),
    "webhook_disabled": Kind(409, "The webhook is disabled", "Enable the webhook first."),
    "no_mail": Kind(409, "No mail on this server", "This server sends no mail. Use a webhook, a feed or the inbox."),
    "version_mismatch": Kind(
        412,
        "The match has moved on",
        "Read the match again, and send its new `ETag` in `If-Match`, or omit the header.",
    ),
    "another_history": Kind(
        409,
        "The server's history differs",
        "You have events that this server does not have. Keep your last `digest` or signed head as evidence, and read"
        " again without `after`.",
    ),
    "notes_changed": Kind(
        412,
        "Your notes have changed",
        "Read your notes again, and send their new `ETag` in `If-Match`, or omit the header.",
    ),
    "deck_changed": Kind(
        412, "The deck has changed", "Read the deck again, and send its new `ETag` in `If-Match`, or omit the header."
    ),
    "orders_changed": Kind(
        412,
        "Your orders have changed",
        "Read your orders again, and send their new `ETag` in `If-Match`, or omit the header.",
    ),
    "orders_not_allowed": Kind(
        409,
        "No standing orders here",
        "This match was created without the option `standing_orders`. Make your moves yourself.",
    ),
    "orders_not_signed": Kind(
        409,
        "The seat signs its moves",
        "The seat was taken with a `player_key`, so standing orders cannot move for it. Send signed moves.",
    ),
    "signature_needed": Kind(
        409,
        "The move is not signed",
        "The seat was taken with a `player_key`: send the `signature` of that key over the move.",
    ),
    "bad_signature": Kind(
        409,
        "Wrong signature",
        "Sign the move again with the key of the seat, on the current version and head.",
    ),
    "signature_unasked": Kind(
        409,
        "The seat has no key",
        "The seat was taken without a `player_key`. Send the move without `signature`.",
    ),
    "key_is_fixed": Kind(
        409,
        "The seat's key is fixed",
        "Send `player_key` when you take the seat. Leave the seat, and take it again with the key.",
    ),
    # what the rules of games refuse
    **_refused(COMMON, 409),
    **{code: kind for game in GAMES.values() for code, kind in _refused(game.words.refusals, 409).items()},
    # what was sent
    **_refused(MALFORMED, 422),
    "bad_options": Kind(422, "Invalid options", "Fix the options that `errors` names."),
    "unreadable_record": Kind(422, "Not a record", "Send a record as `GET …/record` returned it."),
    "idempotency_mismatch": Kind(
        422, "Idempotency key already used", "Another request used this key. Send a new `Idempotency-Key`."
    ),
    # the server
    "too_many_requests": Kind(429, "Too many requests", "Wait for `Retry-After` seconds."),
    "too_many_bot_matches": Kind(
        429,
        "Bot match limit reached",
        "Wait until one of your matches with only bots is over, or take a seat yourself.",
    ),
    "internal_error": Kind(
        500, "Server error", "Try again later. If it happens again, inform the operator of the server."
    ),
    "too_many_waiters": Kind(
        503,
        "Too many waiting requests",
        "Send the request without `wait`, or again after `Retry-After` seconds.",
    ),
    "unavailable": Kind(503, "Temporarily unavailable", "Try again after `Retry-After` seconds."),
}

RETRY_SECONDS: Final = 1
UNREADY: Final = (
    "The database does not answer, is read-only, or has a schema that does not fit this version (run `dealt migrate`)."
)


class ProblemAnswer(Answer):
    """A refused request (RFC 9457)."""

    type: Annotated[
        str,
        says("Address of the page that explains the code.", format="uri-reference"),
    ]
    title: Annotated[str, says("The state, in a few words.")]
    status: Annotated[int, says("The HTTP status.")]
    detail: Annotated[str, says("The fix, in a sentence.")]
    code: Annotated[
        str,
        says("Code for programs; `/docs/problems` explains it. Each operation lists its codes."),
    ]
    errors: Annotated[Mapping[str, list[str]] | UnsetType, says("Faults by the path of the field.")] = UNSET


class Problem(Exception):
    """A refused request with a code of `KINDS`; `errors` has the faults of fields."""

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


def wrong_fields(errors: Mapping[str, list[str]], code: str = "bad_arguments") -> Problem:
    """Return the refusal of wrong fields; its detail explains the first fault."""
    path, messages = next(iter(errors.items()))
    message = messages[0]
    said = f"`{path}` {message[0].lower()}{message[1:]}" if message.startswith(_STARTS) else f"`{path}`: {message}"
    more = len(errors) - 1
    rest = f" `errors` has {more} more {'field' if more == 1 else 'fields'} to fix." if more else ""
    return Problem(code, f"{message if path == WHOLE else said}{rest}", errors=errors)


_STARTS: Final = ("Must ", "Is ", "Names ")
"""Messages with these beginnings continue the name of their field."""
WHOLE: Final = "_schema"
"""The path of faults of the whole request."""


def problem_answer(problem: Problem, status: int | None = None, public: str = "") -> Response:
    """Return a problem as the answer to the request; `status` replaces the usual one.

    `public` is the public address of the server, for answers outside the app.
    """
    kind = KINDS[problem.code]
    status, explained = status or kind.status, f"/docs/problems#{problem.code}"
    body = ProblemAnswer(
        type=public_link(explained) if has_request_context() else f"{public}{explained}",
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
        response.headers.setdefault("WWW-Authenticate", 'Bearer realm="dealt"')
    if kind.status == 503:
        response.headers.setdefault("Retry-After", str(RETRY_SECONDS))
    return response


def answer_errors_as_problems(app: Flask) -> None:
    """Turn every exception in a request into a problem."""
    app.register_error_handler(Problem, problem_answer)
    app.register_error_handler(HTTPException, lambda error: problem_answer(problem_of_http_error(error)))
    app.register_error_handler(Refused, lambda error: problem_answer(Problem(error.code, error.sentence or None)))
    app.register_error_handler(
        Conflict,
        lambda error: problem_answer(Problem("version_mismatch", headers={"ETag": f'"{error.version}"'})),
    )
    app.register_error_handler(NotSigned, _not_signed)
    app.register_error_handler(
        TooManyBotMatches,
        lambda error: problem_answer(
            Problem("too_many_bot_matches", _BOT_MATCHES.format(error.limit), headers={"Retry-After": "60"})
        ),
    )
    app.register_error_handler(NothingEndsIt, _nothing_ends_it)
    app.register_error_handler(NotDisclosed, lambda _: problem_answer(Problem("forbidden", _UNDISCLOSED)))
    for raised, code in _CODES.items():
        app.register_error_handler(raised, lambda _, code=code: problem_answer(Problem(code)))
    app.register_error_handler(GameFailed, _game_failed)
    app.register_error_handler(Exception, _failed)


_BOT_MATCHES: Final = (
    "You have {} running matches with only bots, the maximum. Wait until one is over, or take a seat yourself."
)
_UNDISCLOSED: Final = "You can view other seats only if every hand up to this version is disclosed."


def _nothing_ends_it(refused: NothingEndsIt) -> Response:
    """Return which options bots may not play with alone."""
    return problem_answer(wrong_fields({f"options.{name}": [why] for name, why in refused.why.items()}, "bad_options"))


def _not_signed(refused: NotSigned) -> Response:
    """Return the text to sign, so that the signer can compare it."""
    code = "bad_signature" if refused.given else "signature_needed"
    detail = f"{KINDS[code].detail} At version {refused.version}, sign this text: {refused.text}"
    return problem_answer(Problem(code, detail))


_CODES: Final[Mapping[type[Exception], str]] = {
    NoMatch: "not_found",
    Gone: "unauthenticated",
    HandleTaken: "handle_taken",
    TooManyHandles: "too_many_handles",
    TooManyTokens: "too_many_tokens",
    TooManyDecks: "too_many_decks",
    TooManyBlocks: "too_many_blocks",
    TooManyMutes: "too_many_mutes",
    Blocked: "player_blocked",
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


def problem_of_http_error(error: HTTPException) -> Problem:
    """Return Flask's own refusals as problems; errors without a code are the client's or the server's fault."""
    status = error.code or 500
    code = _OF_STATUS.get(status, "bad_request" if status < 500 else "internal_error")
    headers = {name: value for name, value in error.get_headers() if name in ("Allow", "Retry-After")}
    return Problem(code, _limit_of_body() if status == 413 else None, headers=headers)


def _limit_of_body() -> str:
    return f"Send a body of at most {request.max_content_length} bytes."


def _game_failed(failed: GameFailed) -> Response:
    """Report a failure of the game, which does not affect other matches."""
    log.error("A game has failed: %s", failed)
    return problem_answer(
        Problem("internal_error", "The game of this match has failed. Inform the operator of the server.")
    )


def _failed(error: Exception) -> Response:
    """Log where an error happened, but not its message, which may quote cards, tokens or invites."""
    where = "".join(traceback.format_tb(error.__traceback__))
    log.error("A request failed with %s", type(error).__name__, extra={WHERE: where})
    return problem_answer(Problem("internal_error"))
