"""Serves players who have lost their tokens: a code to a confirmed address, and a new token for the code."""

from typing import Annotated, Final

from flask import Response, request

from api.http.app_state import app_state
from api.http.client_networks import network_of
from api.http.common_fields import Handle, Mail
from api.http.idempotency import refuse_key
from api.http.openapi_operations import Body, Operation, Reply
from api.http.problems import Problem, wrong_fields
from api.http.request_parsing import load, read_body
from api.http.request_records import Request
from api.http.responses import json_answer, no_content
from api.resources.mail_routes import check_mail
from api.resources.player_routes import PlayerWithTokenAnswer, player_with_token_answer
from domain.core.options import Length, Omissible
from events.ids import hash_secret, new_token
from events.notify import recoveries
from events.notify.recoveries import SeveralPlayers

HOUR: Final = 3600


class RecoveryBody(Request):
    """The address for the code."""

    mail: Mail
    """The address that your player has confirmed."""


class RecoveryCodeBody(Request):
    """The code, and the player's `mail` or `handle`."""

    mail: Omissible[Mail] = None
    """The address to which the code was sent."""
    handle: Omissible[Handle] = None
    """The handle of your player, needed if several players share an address."""
    code: Annotated[str, Length(0, 40)]
    """The code from the mail."""


@Operation(
    makes="mails",
    tag="players",
    searches=("lost token", "forgot password"),
    access="public",
    body=Body(RecoveryBody, example={"mail": "ann@example.org"}),
    replies={202: Reply("A code is sent if a player has confirmed the address.")},
    refuses=("no_mail",),
)
def ask_for_recovery() -> Response:
    """Request token recovery.

    Mails a code to a player who lost the token, if a player has confirmed this address. The code is valid for half an
    hour. The answer never reveals whether there is such a player. Each mailbox gets few codes per day; if none comes,
    ask again later. Does not accept an `Idempotency-Key` (400).
    """
    given = read_body()
    refuse_key()
    address = load(RecoveryBody, given).mail
    check_mail()
    recoveries.ask(app_state().store, address, app_state().context.now())
    response = no_content()
    response.status_code = 202
    return response


@Operation(
    tag="players",
    searches=("recovery code", "reset token"),
    access="public",
    body=Body(RecoveryCodeBody, example={"mail": "ann@example.org", "code": "mfrggzdfmztwq2lknnwg23tpoa"}),
    replies={201: Reply("Your player, with the new token.", PlayerWithTokenAnswer)},
    refuses=("bad_code",),
)
def recover() -> Response:
    """Recover a token.

    Invalidates the old token and all scoped ones. A code that was mailed because the address was changed or removed
    restores the address too, and is valid for a week. Each code works once. You can try five codes per hour for one
    address or handle. Does not accept an `Idempotency-Key` (400): if the answer is lost, ask for another code.
    """
    given = read_body()
    refuse_key()
    wanted = load(RecoveryCodeBody, given)
    named = [one for one in (wanted.mail, wanted.handle) if one is not None]
    if len(named) != 1:
        raise wrong_fields({"mail": ["Send either this or `handle`."]})
    store, now = app_state().store, app_state().context.now()
    if not recoveries.may_try(store, named[0], network_of(request.remote_addr), now):
        wait = str(HOUR - now // 1000 % HOUR)
        raise Problem(
            "too_many_requests",
            "You have sent too many codes in the last hour. Try again in an hour.",
            headers={"Retry-After": wait},
        )
    secret = new_token()
    try:
        found = recoveries.recover_by_code(store, named[0], wanted.code.strip().lower(), hash_secret(secret), now)
    except SeveralPlayers:
        several = "Several players have this address. Send `handle` instead; the mail names them."
        raise wrong_fields({"mail": [several]}) from None
    if found is None:
        raise Problem("bad_code")
    return json_answer(player_with_token_answer(found, secret), 201)
