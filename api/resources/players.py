"""Serves players and their tokens."""

import hmac
from base64 import urlsafe_b64encode

from flask import Blueprint, Response

from api.http.app_state import here
from api.http.auth import me, token
from api.http.bodies import body, load
from api.http.fields import Strict
from api.http.idempotency import (
    IDEMPOTENCY_KEY,
    before,
    check_key,
    is_unguessable,
    key,
    once,
    refuse_key,
    replayed,
)
from api.http.openapi_operations import LOCATION, REPLAYED, Answer, Body, Operation, Reply
from api.http.prefix import with_prefix
from api.http.present import answer, nothing
from api.http.problems import Problem
from api.http.schemas import NAME_LENGTH, Name, NothingBody, said
from api.resources.match_answer import ReliabilityAnswer, reliability
from events.errors import Repeated
from events.ids import hashed, new_token
from events.operations import erasure
from events.service import players
from events.store.records import Idempotency, Remembered

bp = Blueprint("players", __name__, url_prefix="/v1/players")


class NewPlayerBody(Strict):
    name = Name(
        required=True,
        **said(
            "What others see; characters that can be seen, no space around them.",
            minLength=1,
            maxLength=NAME_LENGTH,
        ),
    )


class PlayerAnswer(Answer):
    id: str
    name: str
    reliability: ReliabilityAnswer


class PlayerWithTokenAnswer(Answer):
    id: str
    name: str
    token: str


@bp.post("")
@Operation(
    id="createPlayer",
    makes="players",
    tag="players",
    access="public",
    body=Body(NewPlayerBody(), example={"name": "Ada"}),
    replies={201: Reply("The player, with the token.", PlayerWithTokenAnswer, headers=(LOCATION,))},
)
def create() -> Response:
    """Make a player.

    The token is shown this once; the server keeps only its hash. Takes no `Idempotency-Key` (400).
    """
    given = body()
    refuse_key()
    name = load(NewPlayerBody(), given)["name"]
    made, secret = players.register(here().context, name)
    headers = {"Location": with_prefix("/v1/players/me")}
    return answer(PlayerWithTokenAnswer(made.player_id, made.name, secret), 201, headers=headers)


@bp.get("/me")
@Operation(
    id="getMe",
    tag="players",
    replies={200: Reply("You.", PlayerAnswer)},
)
def show() -> Response:
    """Show yourself."""
    mine = reliability([me().player_id])[me().player_id]
    return answer(PlayerAnswer(me().player_id, me().name, mine))


@bp.post("/me/token")
@Operation(
    id="renewToken",
    tag="players",
    parameters=(IDEMPOTENCY_KEY,),
    body=Body(NothingBody(), required=False),
    replies={201: Reply("You, with the new token.", PlayerWithTokenAnswer, headers=(REPLAYED,))},
)
def renew() -> Response:
    """Change the token.

    The token of this request is no longer valid afterwards. A repeat with the same `Idempotency-Key`, made with the
    new token, gives it again as long as it is in force. So does one with the old token, if the key cannot be guessed:
    32 random hexadecimal digits, or a random UUID.
    Invites that were issued under the old token still work but can no longer be shown.
    """
    given = body(optional=True)
    old = token() or ""
    # Who has found the old token could ask for the new one by a key that is easily guessed.
    under_old = key(given, scope=hashed(old).hex()) if is_unguessable(check_key() or "") else None
    try:
        me()
    except Problem:
        if under_old is None or before(under_old) is None:
            raise
        return replayed(_holder(_next_token(old, under_old)))
    under_player = key(given)

    def do() -> Response:
        load(NothingBody(), given)
        new = new_token() if under_old is None else _next_token(old, under_old)
        keys = [under for under in (under_old, under_player) if under is not None]
        if players.renew(here().context, me().player_id, old, new, keys):
            return _holder(new)
        raise Repeated if under_player and before(under_player) else Problem("unauthenticated")

    def again(_: Remembered) -> Response:
        # The token was replaced a moment ago.
        if under_old is not None and before(under_old):
            return _holder(_next_token(old, under_old))
        return _holder(old)

    return once(under_player, do, again)


def _next_token(old: str, asked: Idempotency) -> str:
    """Derive the token that follows from the old one and the request's key, for a repeat to be told the same."""
    code = hmac.digest(old.encode(), b"token|" + asked.key_hash, "sha256")
    return f"dealt_{urlsafe_b64encode(code).decode().rstrip('=')}"


def _holder(secret: str) -> Response:
    """Answer with the player of a new token. Raises `unauthenticated` if it is not in force any longer."""
    holder = players.by_token(here().context, secret)
    if holder is None:
        raise Problem("unauthenticated")
    return answer(PlayerWithTokenAnswer(holder.player_id, holder.name, secret), 201)


@bp.delete("/me")
@Operation(
    id="eraseMe",
    tag="players",
    replies={204: Reply("You are forgotten.")},
)
def erase() -> Response:
    """Be forgotten.

    Your name and token go. Matches keep your id, which by itself says nothing, and show no name for it.
    """
    erasure.erase(here().store, me().player_id, here().context.now())
    return nothing()
