"""Serves the scoped tokens of a player, by which programs do a part of what the player may."""

from datetime import UTC, datetime
from typing import Annotated, Final

from flask import Blueprint, Response
from marshmallow import ValidationError, fields, validate

from api.http.app_state import app_state
from api.http.auth import bearer_token, require_player
from api.http.common_fields import NAME_LENGTH, Name, choice_field, doc
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
from api.http.responses import json_answer, no_content, time_or_none
from api.http.strict_fields import Strict, Whole
from events.ids import is_id
from events.service import tokens
from events.store.player_records import TokenRow
from events.store.records import Remembered
from events.times import write_time

bp = Blueprint("tokens", __name__, url_prefix="/v1/players/me/tokens")

LEAST_SECONDS: Final = 60
MOST_SECONDS: Final = 366 * 24 * 3600

TOKEN_ID: Final = Parameter("token_id", "path", "The id of one of your scoped tokens.", example="8n9y4jktn4n1gzhahebf")


def _once(scopes: list[str]) -> None:
    if len(set(scopes)) < len(scopes):
        raise ValidationError("Name each scope once.")


class TokenRequestBody(Strict):
    """The body says what the token is to be for."""

    name = Name(
        required=True, **doc("A name for the token, to distinguish it from others.", minLength=1, maxLength=NAME_LENGTH)
    )
    scopes = fields.List(
        choice_field(*SCOPES),
        required=True,
        validate=[validate.Length(min=1), _once],
        **doc("What it may do.", minItems=1, uniqueItems=True),
    )
    expires_in = Whole(
        validate=validate.Range(LEAST_SECONDS, MOST_SECONDS),
        **doc("Seconds until it expires; if left out, it is valid until it is revoked."),
    )


Scopes = Annotated[list[Annotated[str, one_of(SCOPES)]], says("What it may do.")]


class ScopedTokenAnswer(Answer):
    """A scoped token; itself it is never shown again."""

    id: Annotated[str, says("The id of the token, to revoke it.")]
    name: Annotated[str, says("Your name for the token.")]
    scopes: Scopes
    created_at: Annotated[Timestamp, says("When it was made.")]
    last_used_on: Annotated[str | None, says("The day of its last use, in UTC; null: it was never used.")]
    expires_at: Annotated[Timestamp | None, says("When it ends; null: when it is revoked.")]


class ScopedTokenWithSecretAnswer(ScopedTokenAnswer):
    """A scoped token that has been made."""

    token: Annotated[str, says("The token itself, shown this once.")]


class ScopedTokensAnswer(Answer):
    items: Annotated[list[ScopedTokenAnswer], says("The tokens, the newest first.")]
    next: NextCursor


@bp.post("")
@Operation(
    tag="players",
    parameters=(IDEMPOTENCY_KEY,),
    body=Body(TokenRequestBody(), example={"name": "my bot", "scopes": ["play", "read"], "expires_in": 2_592_000}),
    replies={201: Reply("The token, shown this once.", ScopedTokenWithSecretAnswer, headers=(REPLAYED,))},
    refuses=("not_found", "too_many_tokens"),
)
def create_token() -> Response:
    """Create a scoped token.

    For a program that needs part of your rights. `read` reads all that you may read, including your cards. `play`
    creates matches and acts in them. `webhooks` manages webhooks. A player has at most twenty. A repeat with the same
    `Idempotency-Key` returns the token again while it and your main token are valid, else 404. An invite is shown only
    to the token with which its match was made.
    """
    player, given = require_player().player_id, read_body()
    asked, main = idempotency_key(given), bearer_token() or ""

    def do() -> Response:
        wanted = load(TokenRequestBody(), given)
        named, scopes = (player, wanted["name"]), [scope for scope in SCOPES if scope in wanted["scopes"]]
        return _made(tokens.make_token(app_state().context, main, named, scopes, wanted.get("expires_in"), asked))

    def again(_: Remembered) -> Response:
        before = None if asked is None else tokens.repeat_token_answer(app_state().context, main, player, asked)
        if before is None:
            raise Problem("not_found", "The token that was made cannot be shown any longer.")
        return _made(before)

    return run_once(asked, do, again)


def _made(made: tuple[TokenRow, str]) -> Response:
    shown, secret = made
    return json_answer(ScopedTokenWithSecretAnswer(*_fields(shown), secret), 201)


@bp.get("")
@Operation(
    tag="players",
    replies={200: Reply("The newest first.", ScopedTokensAnswer)},
)
def list_tokens() -> Response:
    """List scoped tokens.

    Has the name, scopes and expiry of each token. The tokens themselves are not kept, and so cannot be shown.
    """
    found = tokens.tokens_of_player(app_state().context, require_player().player_id)
    return json_answer(ScopedTokensAnswer([ScopedTokenAnswer(*_fields(one)) for one in found], None))


@bp.delete("")
@Operation(
    tag="players",
    replies={204: Reply("None is left but the main token.")},
)
def revoke_tokens() -> Response:
    """Revoke all scoped tokens.

    The main token stays. Streams that were opened with one of them end within a minute, and tell nothing more
    until then.
    """
    tokens.revoke_all_tokens(app_state().context, require_player().player_id)
    return no_content()


@bp.delete("/<token_id>")
@Operation(
    tag="players",
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
