"""Players and their tokens."""

from flask import Blueprint, Response

from api.bodies import body, load
from api.here import here
from api.identity import me, token
from api.once import key, once, refuse_key
from api.present import answer
from api.problems import Problem
from api.schemas import NewPlayer, Nothing
from events.ids import hashed, new_id, new_token
from events.store import Idempotency

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
    """Give a new token for the old one. Who repeats the request has the new one already."""
    given = body(optional=True)
    idempotency = key(given)
    me()

    def do() -> Response:
        load(Nothing(), given)
        return answer({**_who(), "token": _renewed(idempotency)}, 201)

    return once(idempotency, do, lambda _: answer({**_who(), "token": token()}, 201))


def _who() -> dict[str, str]:
    return {"id": me().player_id, "name": me().name}


def _renewed(idempotency: Idempotency | None) -> str:
    secret, store = new_token(), here().store
    if not store.new_token(me().player_id, hashed(token() or ""), hashed(secret)):
        raise Problem("unauthenticated")
    if idempotency is not None:
        store.remember(idempotency, here().matches.now())
    return secret


@bp.delete("/me")
def erase() -> Response:
    """Forget the caller's name and token."""
    here().store.erase_player(me().player_id, here().matches.now())
    return Response(status=204)
