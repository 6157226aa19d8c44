"""Serves players who have lost their tokens: a code to a confirmed address, and a new token for the code."""

from typing import Final

from flask import Blueprint, Response, request
from marshmallow import fields, validate

from api.http.app_state import app_state
from api.http.client_networks import network_of
from api.http.common_fields import Handle, doc
from api.http.idempotency import refuse_key
from api.http.openapi_operations import Body, Operation, Reply
from api.http.problems import Problem
from api.http.request_parsing import load, read_body
from api.http.responses import json_answer, no_content
from api.http.strict_fields import Strict
from api.resources.mail_routes import check_mail
from api.resources.player_routes import PlayerWithTokenAnswer, player_with_token_answer
from events.ids import hash_secret, new_token
from events.notify import recoveries
from events.notify.mailboxes import ADDRESS
from events.notify.recoveries import SeveralPlayers

bp = Blueprint("recovery", __name__, url_prefix="/v1/recovery")

HOUR: Final = 3600


class RecoveryBody(Strict):
    """The body says where the code is to go."""

    mail = fields.String(
        required=True, validate=validate.Regexp(ADDRESS), **doc("The address that your player has confirmed.")
    )


class RecoveryCodeBody(Strict):
    """The code, and whose it is: `mail` or `handle`."""

    mail = fields.String(validate=validate.Regexp(ADDRESS), **doc("The address to which the code was sent."))
    handle = Handle(**doc("The handle of your player; it is needed where several players have one address."))
    code = fields.String(required=True, validate=validate.Length(max=40), **doc("The code of the mail.", maxLength=40))


@bp.post("")
@Operation(
    makes="mails",
    tag="players",
    access="public",
    body=Body(RecoveryBody(), example={"mail": "ann@example.org"}),
    replies={202: Reply("If a player has confirmed the address, a code is on its way.")},
    refuses=("no_mail",),
)
def ask_for_recovery() -> Response:
    """Request token recovery.

    For a lost token: a mail brings a code.
    A code goes to the address if a player has confirmed it, and is good for half an hour. The answer is the same either
    way. A mailbox gets few codes a day: if none comes, ask again later. Takes no `Idempotency-Key` (400).
    """
    given = read_body()
    refuse_key()
    address = load(RecoveryBody(), given)["mail"]
    check_mail()
    recoveries.ask(app_state().store, address, app_state().context.now())
    response = no_content()
    response.status_code = 202
    return response


@bp.post("/confirm")
@Operation(
    tag="players",
    access="public",
    body=Body(RecoveryCodeBody(), example={"mail": "ann@example.org", "code": "mfrggzdfmztwq2lknnwg23tpoa"}),
    replies={201: Reply("You, with the new token.", PlayerWithTokenAnswer)},
    refuses=("bad_code",),
)
def recover() -> Response:
    """Recover a token.

    The old token ends, and so do all scoped ones. The code that an address is sent when it is changed or removed gives
    that back too, for a week. A code is good once. For one address or handle you may try five
    codes an hour. Takes no `Idempotency-Key` (400): if the answer is lost, ask for another code.
    """
    given = read_body()
    refuse_key()
    wanted = load(RecoveryCodeBody(), given)
    named = [wanted[name] for name in ("mail", "handle") if name in wanted]
    if len(named) != 1:
        raise Problem("bad_arguments", errors={"mail": ["Send either this or `handle`."]})
    store, now = app_state().store, app_state().context.now()
    if not recoveries.may_try(store, named[0], network_of(request.remote_addr), now):
        wait = str(HOUR - now // 1000 % HOUR)
        raise Problem(
            "too_many_requests", "You have tried too many codes in the last hour.", headers={"Retry-After": wait}
        )
    secret = new_token()
    try:
        found = recoveries.recover_by_code(store, named[0], wanted["code"].strip().lower(), hash_secret(secret), now)
    except SeveralPlayers:
        several = "Several players have this address. Send `handle` instead; the mail names them."
        raise Problem("bad_arguments", errors={"mail": [several]}) from None
    if found is None:
        raise Problem("bad_code")
    return json_answer(player_with_token_answer(found, secret), 201)
