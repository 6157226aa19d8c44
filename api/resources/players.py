"""Players and their tokens."""

import hmac
from base64 import urlsafe_b64encode

from flask import Blueprint, Response

from api.http.auth import me, token
from api.http.bodies import body, load
from api.http.context import here
from api.http.idempotency import before, key, once, refuse_key, replayed
from api.http.present import answer, nothing
from api.http.problems import Problem
from api.http.schemas import NewPlayer, Nothing
from events.errors import Repeated
from events.ids import hashed, new_id, new_token
from events.operations import erasure
from events.store.records import Idempotency, Remembered

bp = Blueprint("players", __name__, url_prefix="/v1/players")


@bp.post("")
def create() -> Response:
    """Make a player, and show the token this once."""
    given = body()
    refuse_key()
    name = load(NewPlayer(), given)["name"]
    player_id, secret = new_id(), new_token()
    here().store.add_player(player_id, name, hashed(secret), here().matches.now())
    headers = {"Location": "/v1/players/me"}
    return answer({"id": player_id, "name": name, "token": secret}, 201, headers=headers)


@bp.get("/me")
def show() -> Response:
    """Show the caller."""
    return answer({"id": me().player_id, "name": me().name})


@bp.post("/me/token")
def renew() -> Response:
    """Give a new token for the old one; to who repeats the request, with either of them, the same again."""
    given = body(optional=True)
    old = token() or ""
    under_old = key(given, scope=hashed(old).hex())
    try:
        me()
    except Problem:
        if under_old is None or before(under_old) is None:
            raise
        return replayed(_holder(_next_token(old, under_old)))
    under_player = key(given)

    def do() -> Response:
        load(Nothing(), given)
        new = new_token() if under_old is None else _next_token(old, under_old)
        keys = [under for under in (under_old, under_player) if under is not None]
        if here().store.new_token(me().player_id, hashed(old), hashed(new), here().matches.now(), keys):
            return _holder(new)
        raise Repeated if under_player and before(under_player) else Problem("unauthenticated")

    def again(_: Remembered) -> Response:
        if under_old is not None and before(under_old):  # replaced a moment ago
            return _holder(_next_token(old, under_old))
        return _holder(old)

    return once(under_player, do, again)


def _next_token(old: str, asked: Idempotency) -> str:
    """Derive the token that follows from the old one and the request's key, for a repeat to be told the same."""
    code = hmac.digest(old.encode(), b"token|" + asked.key_hash, "sha256")
    return f"dealt_{urlsafe_b64encode(code).decode().rstrip('=')}"


def _holder(secret: str) -> Response:
    """Answer with the player of a new token. Raises `unauthenticated` if it is not in force any longer."""
    holder = here().store.player_by_token(hashed(secret))
    if holder is None:
        raise Problem("unauthenticated")
    return answer({"id": holder.player_id, "name": holder.name, "token": secret}, 201)


@bp.delete("/me")
def erase() -> Response:
    """Forget the caller's name and token."""
    erasure.erase(here().store, me().player_id, here().matches.now())
    return nothing()
