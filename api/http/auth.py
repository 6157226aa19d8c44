"""Identifies the caller: the player of a bearer token, or an anonymous caller, perhaps with an invite code."""

from collections.abc import Callable
from typing import Final

from flask import current_app, g, request

from api.http.app_state import app_state
from api.http.openapi_operations import MAIN, Parameter, operation_of
from api.http.problems import Problem
from events.errors import NotFound
from events.service import access, administration, players
from events.service.access import Caller, OpenedMatch
from events.store.player_records import Player
from events.times import write_time

INVITE: Final = Parameter(
    "Dealt-Invite",
    "header",
    "The invite code of a seat; also lets you read the lobby of a private match.",
)


INVALID_REQUEST: Final = {"WWW-Authenticate": 'Bearer realm="dealt", error="invalid_request"'}
INVALID_TOKEN: Final = {"WWW-Authenticate": 'Bearer realm="dealt", error="invalid_token"'}
"""The errors of RFC 6750, section 3.1. A request without a token gets none."""
MALFORMED: Final = "The header `Authorization` is malformed. Send `Bearer`, a space and the token."


def unknown_token(token: str) -> Problem:
    """Return the refusal of a token that is no player's. Replaced and revoked tokens are not stored."""
    return Problem(
        "unauthenticated",
        "The token was revoked or replaced, or is not from this server. Send your player's current token."
        if token.startswith("dealt_")
        else "The token is malformed. A token begins with `dealt_`.",
        headers=INVALID_TOKEN,
    )


def bearer_token() -> str | None:
    """Return the token of the request; None without one. Raise `unauthenticated` for anything else."""
    header = request.headers.get("Authorization")
    if header is None:
        return None
    scheme, _, credentials = header.partition(" ")
    if scheme.lower() != "bearer" or not credentials.strip():
        raise Problem("unauthenticated", MALFORMED, headers=INVALID_REQUEST)
    return credentials.strip()


def player_or_none() -> Player | None:
    """Return the player of the request's token; None for an anonymous caller. An unknown token is refused.

    A token without the required scope is refused with `scope_missing`.
    """
    if "player" not in g:
        brought = bearer_token()
        found = None if brought is None else players.find_by_token(app_state().context, brought)
        if brought is not None and found is None:
            raise unknown_token(brought)
        g.player = found
        _tell(found)
        _check_scope(found)
        check_not_suspended(found)
    known: Player | None = g.player
    return known


RECOGNISED: Final = "dealt.recognised"
"""The key, in the environment of a request, of a function to call once its token is known to be a player's."""


def _tell(known: Player | None) -> None:
    """Mark the request as a player's for the server of the app."""
    if known and (recognised := request.environ.get(RECOGNISED)):
        recognised()


def _check_scope(known: Player | None) -> None:
    """Raise `scope_missing` unless the request's token has the required scope."""
    if known is None or known.scoped is None:
        return
    said = operation_of(current_app, request.endpoint)
    needed = MAIN if said is None else said.needs(request.method)
    if needed == MAIN:
        raise Problem("scope_missing", "A scoped token cannot do this. Send your player's main token.")
    if needed is not None and needed not in known.scoped.scopes.split():
        detail = f"This call needs a token with the scope `{needed}`, and yours has: {known.scoped.scopes}."
        raise Problem("scope_missing", detail)


def require_player() -> Player:
    """Return the player of the request's token. Raise `unauthenticated` without one, and `scope_missing`."""
    known = player_or_none()
    if known is None:
        raise Problem("unauthenticated")
    return known


def make_token_check() -> Callable[[], None]:
    """Return a check that the token is still its player's, for long answers; it raises `unauthenticated`.

    A token may be replaced, or a player erased, while a request waits. After that, nothing may be sent to the player.
    """
    known, brought, context = player_or_none(), bearer_token(), app_state().context

    def check() -> None:
        found = players.find_by_token(context, brought or "") if known else None
        if known and (found is None or found.player_id != known.player_id):
            raise unknown_token(brought or "")

    return check


def request_caller(invite: str | None = None) -> Caller:
    """Return the caller for match functions; `invite` is the code in the body."""
    known = player_or_none()
    brought = invite or request.headers.get("Dealt-Invite")
    return Caller(known.player_id if known else None, bearer_token() or "", brought)


def open_match_as_player(match_id: str) -> tuple[Caller, OpenedMatch]:
    """Return the caller, if it is a player, and the requested match, in one query."""
    brought = bearer_token()
    found = brought and access.open_with_token(
        app_state().context, brought, match_id, request.headers.get("Dealt-Invite")
    )
    if not found:
        raise unknown_token(brought) if brought else Problem("unauthenticated")
    g.player, opened = found
    _tell(g.player)
    _check_scope(g.player)
    check_not_suspended(g.player)
    if opened is None:
        raise NotFound
    return request_caller(), opened


def require_caller(invite: str | None = None) -> Caller:
    """Return the caller, if it is a player."""
    require_player()
    return request_caller(invite)


READING = ("GET", "HEAD", "OPTIONS")


def check_not_suspended(known: Player | None) -> None:
    """Raise `suspended` if a suspended player sends a request that writes, with some exceptions."""
    if known is None or known.suspended_ms is None or request.method in READING:
        return
    said = operation_of(current_app, request.endpoint)
    context = app_state().context
    if (said is not None and said.while_suspended) or known.suspended_ms <= context.now():
        return
    reason = administration.suspension_reason(context, known.player_id)
    raise Problem("suspended", f"You are suspended until {write_time(known.suspended_ms)}. The reason: {reason}")


def require_role(known: Player) -> str:
    """Return the id of an administrator who is not suspended. Raise `forbidden` for any other player."""
    context = app_state().context
    is_suspended = known.suspended_ms is not None and known.suspended_ms > context.now()
    if is_suspended or not administration.is_administrator(context, known.player_id):
        raise Problem("forbidden", "Only administrators of this server can do this.")
    return known.player_id
