"""Serves players, their names, handles and tokens."""

import hmac
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from typing import Annotated, Final

from flask import Response

from api.http.app_state import app_state
from api.http.auth import bearer_token, require_player
from api.http.common_fields import Handle, Name, NothingBody
from api.http.idempotency import (
    IDEMPOTENCY_KEY,
    check_key,
    find_repeat,
    idempotency_key,
    is_unguessable,
    mark_replayed,
    run_once,
)
from api.http.openapi_operations import LOCATION, REPLAYED, Answer, Body, Operation, Parameter, Reply, says
from api.http.path_prefix import public_link
from api.http.problems import Problem
from api.http.request_parsing import load, read_body
from api.http.request_records import Request
from api.http.responses import json_answer, no_content
from api.resources.seat_answer import ReliabilityAnswer, reliability
from domain.core.options import Keywords, Omissible
from domain.core.types import Doc
from events.errors import Repeated
from events.handles import HANDLE
from events.ids import hash_secret, new_token
from events.operations import erasure
from events.service import collections, players, tournament_leaving
from events.store.player_records import Player
from events.store.records import Idempotency, Remembered

NewHandle = Annotated[Handle, Keywords({"pattern": "^[A-Za-z0-9][A-Za-z0-9_-]{2,29}$"})]


class PlayerRequestBody(Request):
    """The public data of a player."""

    name: Name
    """The public name: visible characters, without spaces around them."""
    handle: Omissible[NewHandle] = None
    """A unique name: 3 to 30 characters of a-z, 0-9, - and _. Capitals become lower case."""


LISTED: Final = (
    "Whether others see your ratings, and you are in leaderboards. The results of your rated matches are"
    " public either way, so anyone can compute your ratings from `GET /v1/rated-matches`."
)


class PlayerChangeBody(Request):
    """The changes; omitted fields stay."""

    name: Omissible[Name] = None
    """The public name: visible characters, without spaces around them."""
    handle: Omissible[NewHandle] = None
    """A unique name: 3 to 30 characters of a-z, 0-9, - and _. Capitals become lower case."""
    listed: Omissible[Annotated[bool, Doc(LISTED)]] = None


HandleText = Annotated[str, says("The player's unique handle.", pattern=f"^{HANDLE}$")]
HANDLE_IN_PATH: Final = Parameter("handle", "path", "A handle, in upper or lower case.", example="ann")


class PublicPlayerAnswer(Answer):
    """A player's public profile."""

    id: Annotated[str, says("The id of the player.")]
    name: Annotated[str, says("The name that others see.")]
    handle: HandleText


class ProfileAnswer(Answer):
    """A player's public profile and reliability."""

    id: Annotated[str, says("The id of the player.")]
    name: Annotated[str, says("The name that others see.")]
    handle: HandleText
    reliability: Annotated[ReliabilityAnswer, says("How often the player revealed promised nonces and met deadlines.")]
    listed: Annotated[bool, says("Whether the player's ratings are shown. The results of rated matches always are.")]


class PlayerAnswer(Answer):
    id: Annotated[str, says("Your id.")]
    name: Annotated[str, says("The name that others see.")]
    handle: HandleText
    reliability: Annotated[ReliabilityAnswer, says("How often you revealed promised nonces and met deadlines.")]
    listed: Annotated[bool, says(LISTED)]


class PlayerWithTokenAnswer(Answer):
    id: Annotated[str, says("Your id.")]
    name: Annotated[str, says("The name that others see.")]
    handle: HandleText
    token: Annotated[str, says("Your token, shown only this once. Anyone with it can act as you.")]


@Operation(
    makes="players",
    tag="players",
    searches=("register", "login", "auth", "sign up"),
    access="public",
    parameters=(IDEMPOTENCY_KEY,),
    body=Body(PlayerRequestBody, example={"name": "Ada"}),
    replies={201: Reply("The player, with the token.", PlayerWithTokenAnswer, headers=(LOCATION, REPLAYED))},
    refuses=("handle_taken", "idempotency_mismatch", "unauthenticated"),
)
def create_player() -> Response:
    """Register a player.

    The token is shown only this once; the server keeps only its hash. Without a `handle`, the server makes one from the
    name. The `Idempotency-Key` must be one that cannot be guessed: 32 random hexadecimal digits or a random UUID. A
    repeat with the same key returns the same player and token while the token is valid, else 401. The token is derived
    from the key, so keep the key as secret as the token.
    """
    given = read_body()
    chosen = check_key()
    if chosen is not None and not is_unguessable(chosen):
        raise Problem("bad_request", "This Idempotency-Key is guessable. Use 32 random hexadecimal digits, or a UUID.")
    asked = idempotency_key(given, scope="nobody yet")
    secret = new_token() if chosen is None else _derive_token(b"player", chosen.encode())
    headers = {"Location": public_link("/v1/players/me")}

    def do() -> Response:
        wanted = load(PlayerRequestBody, given)
        made = players.register_player(app_state().context, wanted.name, wanted.handle, secret, asked)
        return json_answer(player_with_token_answer(made, secret), 201, headers=headers)

    return run_once(asked, do, lambda _: _holder(secret, headers))


@Operation(
    tag="players",
    searches=("my account", "who am i"),
    scope="read",
    replies={200: Reply("You.", PlayerAnswer)},
)
def get_me() -> Response:
    """Get your player.

    Includes `reliability`: how often you revealed promised nonces and met deadlines. The token is not shown again.
    """
    return _shown(require_player())


@Operation(
    tag="players",
    searches=("rename", "change handle"),
    body=Body(PlayerChangeBody, example={"name": "Ada L.", "handle": "ada"}),
    replies={200: Reply("Your updated player.", PlayerAnswer)},
    refuses=("handle_taken", "too_many_handles"),
)
def change_me() -> Response:
    """Update your player.

    Changes your name, your handle or whether your ratings are listed. Omitted fields stay. No other player can take a
    handle that you give up, but you can change back to it. A player can have five handles in all.
    """
    player = require_player().player_id
    wanted = load(PlayerChangeBody, read_body())
    changed = players.change_player(
        app_state().context, player, name=wanted.name, handle=wanted.handle, listed=wanted.listed
    )
    return _shown(changed)


def _shown(player: Player) -> Response:
    kept = reliability([player.player_id])[player.player_id]
    listed = players.is_listed(app_state().context, player.player_id)
    return json_answer(PlayerAnswer(player.player_id, player.name, player.handle, kept, listed))


@Operation(
    tag="players",
    searches=("player profile", "find a player"),
    access="public",
    parameters=(HANDLE_IN_PATH,),
    replies={200: Reply("The player.", ProfileAnswer)},
    refuses=("not_found",),
)
def get_player(handle: str) -> Response:
    """Get a player.

    Returns the public profile with `reliability`: how often the player revealed promised nonces and met deadlines.
    Returns 404 if the handle was given up or its player was erased.
    """
    found = require_player_by_handle(handle)
    kept = reliability([found.player_id])[found.player_id]
    listed = players.is_listed(app_state().context, found.player_id)
    return json_answer(ProfileAnswer(found.player_id, found.name, found.handle, kept, listed))


def require_player_by_handle(handle: str) -> Player:
    """Return the player with this handle now. Raise 404 if there is none."""
    found = players.find_by_handle(app_state().context, handle)
    if found is None:
        raise Problem("not_found", "No player has this handle.")
    return found


@Operation(
    while_suspended=True,
    tag="players",
    searches=("rotate token", "leaked token"),
    parameters=(IDEMPOTENCY_KEY,),
    body=Body(NothingBody, required=False),
    replies={201: Reply("Your player, with the new token.", PlayerWithTokenAnswer, headers=(REPLAYED,))},
)
def renew_token() -> Response:
    """Rotate the main token.

    Invalidates the token of this request. A repeat with the same `Idempotency-Key` and the new token returns the new
    token while it is valid. So does one with the old token, if the key cannot be guessed: 32 random hexadecimal digits
    or a random UUID. Invites issued under the old token still work but can no longer be shown. Scoped tokens stay
    valid: if someone else may have the old token, revoke them too (`DELETE /v1/players/me/tokens`).
    """
    given = read_body(optional=True)
    old = bearer_token() or ""
    # Otherwise, a person who found the old token could request the new one with a guessed key.
    under_old = idempotency_key(given, scope=hash_secret(old).hex()) if is_unguessable(check_key() or "") else None
    try:
        require_player()
    except Problem:
        if under_old is None or find_repeat(under_old) is None:
            raise
        return mark_replayed(_holder(_next_token(old, under_old)))
    under_player = idempotency_key(given)

    def do() -> Response:
        load(NothingBody, given)
        new = new_token() if under_old is None else _next_token(old, under_old)
        keys = [under for under in (under_old, under_player) if under is not None]
        if players.renew_token(app_state().context, require_player().player_id, old, new, keys):
            return _holder(new)
        raise Repeated if under_player and find_repeat(under_player) else Problem("unauthenticated")

    def repeat_answer(_: Remembered) -> Response:
        # The token was replaced a moment ago.
        if under_old is not None and find_repeat(under_old):
            return _holder(_next_token(old, under_old))
        return _holder(old)

    return run_once(under_player, do, repeat_answer)


def _next_token(old: str, asked: Idempotency) -> str:
    """Derive the next token from the old one and the request's key, so that a repeat gets the same token."""
    return _derive_token(b"token|" + asked.key_hash, old.encode())


def _derive_token(purpose: bytes, secret: bytes) -> str:
    """Derive a token that follows from a secret, for a purpose."""
    code = hmac.digest(secret, purpose, "sha256")
    return f"dealt_{urlsafe_b64encode(code).decode().rstrip('=')}"


def _holder(secret: str, headers: Mapping[str, str] | None = None) -> Response:
    """Answer with the player of a new token. Raise `unauthenticated` if it is no longer valid."""
    holder = players.find_by_token(app_state().context, secret)
    if holder is None:
        raise Problem("unauthenticated")
    return json_answer(player_with_token_answer(holder, secret), 201, headers=headers)


def player_with_token_answer(player: Player, secret: str) -> PlayerWithTokenAnswer:
    """Return a player with the main token."""
    return PlayerWithTokenAnswer(player.player_id, player.name, player.handle, secret)


@Operation(
    while_suspended=True,
    tag="players",
    searches=("delete account", "gdpr"),
    replies={204: Reply("The player was erased.")},
)
def erase_me() -> Response:
    """Erase your player.

    Deletes your name, handle and token. Matches keep your id, which reveals nothing about you, and show no name. The
    server keeps hashes of your handles, without a link to you, so that no other player can take them. You leave all
    tournaments that are not over.
    """
    collections.end_all_offers(app_state().context, require_player().player_id)
    tournament_leaving.leave_all_tournaments(app_state().context, require_player().player_id)
    erasure.erase_player(app_state().store, require_player().player_id, app_state().context.now())
    return no_content()
