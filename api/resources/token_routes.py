"""Serves the scoped tokens of a player, which give programs part of the player's rights."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Final

from flask import Response

from api.http.app_state import app_state
from api.http.auth import bearer_token, require_player
from api.http.common_fields import Name
from api.http.idempotency import IDEMPOTENCY_KEY, idempotency_key, run_once
from api.http.openapi_operations import (
    REPLAYED,
    SCOPES,
    Answer,
    Body,
    NextCursor,
    Operation,
    Parameter,
    Reply,
    Timestamp,
    one_of,
    says,
)
from api.http.problems import Problem
from api.http.request_parsing import load, read_body
from api.http.request_records import CheckedBy, Request, choice
from api.http.responses import json_answer, no_content, time_or_none
from domain.core.options import Length, Omissible, Range
from events.ids import is_id
from events.service import tokens
from events.store.player_records import TokenRow
from events.store.records import Remembered
from events.times import write_time

LEAST_SECONDS: Final = 60
MOST_SECONDS: Final = 366 * 24 * 3600

TOKEN_ID: Final = Parameter("token_id", "path", "The id of one of your scoped tokens.", example="8n9y4jktn4n1gzhahebf")


def _check_scopes(scopes: Sequence[str]) -> Sequence[str]:
    if len(set(scopes)) < len(scopes):
        raise ValueError("Name each scope once.")
    return scopes


class TokenRequestBody(Request):
    """The name, scopes and lifetime of the token."""

    name: Name
    """A name for the token, to distinguish it from others."""
    scopes: Annotated[
        tuple[Annotated[str, choice(SCOPES)], ...], Length(1), CheckedBy({"uniqueItems": True}, _check_scopes)
    ]
    """Its scopes."""
    expires_in: Omissible[Annotated[int, Range(LEAST_SECONDS, MOST_SECONDS)]] = None
    """Seconds until it expires; by default, it is valid until revoked."""


Scopes = Annotated[list[Annotated[str, one_of(SCOPES)]], says("Its scopes.")]


class ScopedTokenAnswer(Answer):
    """A scoped token, without its secret."""

    id: Annotated[str, says("The id for revoking the token.")]
    name: Annotated[str, says("Your name for the token.")]
    scopes: Scopes
    created_at: Annotated[Timestamp, says("Creation time.")]
    last_used_on: Annotated[str | None, says("The UTC day of its last use; null if never.")]
    expires_at: Annotated[Timestamp | None, says("Expiry time; null if it is valid until revoked.")]


class ScopedTokenWithSecretAnswer(ScopedTokenAnswer):
    """A new scoped token."""

    token: Annotated[str, says("The token, shown only this once.")]


class ScopedTokensAnswer(Answer):
    items: Annotated[list[ScopedTokenAnswer], says("The tokens, the newest first.")]
    next: NextCursor


@Operation(
    tag="players",
    searches=("token", "api key"),
    parameters=(IDEMPOTENCY_KEY,),
    body=Body(TokenRequestBody, example={"name": "my bot", "scopes": ["play", "read"], "expires_in": 2_592_000}),
    replies={201: Reply("The token, shown only this once.", ScopedTokenWithSecretAnswer, headers=(REPLAYED,))},
    refuses=("not_found", "too_many_tokens"),
)
def create_token() -> Response:
    """Create a scoped token.

    For a program that needs part of your rights. `read` reads all that you can read, including your cards. `play`
    creates matches and acts in them. `webhooks` manages webhooks. `admin` acts as an administrator, if you are one. A
    player can have 20 scoped tokens. A repeat with the same `Idempotency-Key` returns the token while it and your main
    token are valid, else 404. An invite is shown only to the token that created its match.
    """
    player, given = require_player().player_id, read_body()
    asked, main = idempotency_key(given), bearer_token() or ""

    def do() -> Response:
        wanted = load(TokenRequestBody, given)
        named, scopes = (player, wanted.name), [scope for scope in SCOPES if scope in wanted.scopes]
        return _token_answer(tokens.make_token(app_state().context, main, named, scopes, wanted.expires_in, asked))

    def repeat_answer(_: Remembered) -> Response:
        before = None if asked is None else tokens.repeat_token_answer(app_state().context, main, player, asked)
        if before is None:
            raise Problem(
                "not_found", "This token was shown when it was created, and cannot be shown again. Create another one."
            )
        return _token_answer(before)

    return run_once(asked, do, repeat_answer)


def _token_answer(made: tuple[TokenRow, str]) -> Response:
    shown, secret = made
    return json_answer(ScopedTokenWithSecretAnswer(*_fields(shown), secret), 201)


@Operation(
    tag="players",
    searches=("my tokens", "list api keys"),
    replies={200: Reply("The scoped tokens, the newest first.", ScopedTokensAnswer)},
)
def list_tokens() -> Response:
    """List scoped tokens.

    Returns the name, scopes and expiry of each token. The server does not keep the tokens themselves.
    """
    found = tokens.tokens_of_player(app_state().context, require_player().player_id)
    return json_answer(ScopedTokensAnswer([ScopedTokenAnswer(*_fields(one)) for one in found], None))


@Operation(
    while_suspended=True,
    tag="players",
    searches=("revoke all tokens", "log out everywhere"),
    replies={204: Reply("Only the main token is left.")},
)
def revoke_tokens() -> Response:
    """Revoke all scoped tokens.

    The main token stays valid. Open streams of the revoked tokens send nothing more, and close within a minute.
    """
    tokens.revoke_all_tokens(app_state().context, require_player().player_id)
    return no_content()


@Operation(
    while_suspended=True,
    tag="players",
    searches=("revoke token", "log out"),
    parameters=(TOKEN_ID,),
    replies={204: Reply("The token is no longer valid.")},
    refuses=("not_found",),
)
def revoke_token(token_id: str) -> Response:
    """Revoke a scoped token.

    Takes effect immediately. Waiting requests are refused, streams send nothing more, and their connections close
    within a minute.
    """
    player = require_player().player_id
    if not is_id(token_id) or not tokens.revoke_token(app_state().context, player, token_id):
        raise Problem("not_found")
    return no_content()


def _fields(one: TokenRow) -> tuple[str, str, list[str], str, str | None, str | None]:
    day = None if one.used_ms is None else datetime.fromtimestamp(one.used_ms / 1000, UTC).date().isoformat()
    made, until = write_time(one.created_ms), time_or_none(one.until_ms)
    return one.token_id, one.name, one.scopes.split(), made, day, until
