"""Serves the caller's mail address: given, confirmed, deleted; and the unsubscribe page of every mail."""

from typing import Annotated, Final

from flask import Blueprint, Response, request
from marshmallow import fields, validate

from api.http.app_state import here
from api.http.auth import me
from api.http.bodies import body, load
from api.http.fields import Strict, Whole
from api.http.idempotency import IDEMPOTENCY_KEY, check_key
from api.http.networks import network_of
from api.http.openapi_operations import (
    CONTENT_POLICY,
    Answer,
    Body,
    Operation,
    Reply,
    Timestamp,
    among,
    says,
    text,
)
from api.http.present import FOR_THE_CALLER, answer, nothing
from api.http.problems import Problem
from api.http.schemas import said
from api.resources.feed_routes import SECRET
from events.ids import new_secret
from events.notify import mailboxes
from events.notify.mailboxes import ADDRESS, TooOften, budgets_of
from events.settings import Settings
from events.times import write_time

bp = Blueprint("mail", __name__, url_prefix="/v1")

HOUR_MS: Final = 3_600_000


class EmailBody(Strict):
    """The body says where you want to be told, and how often at most."""

    address = fields.String(required=True, validate=validate.Regexp(ADDRESS), **said("The address."))
    every_hours = Whole(
        load_default=1, validate=validate.Range(0, 168), **said("The least hours between two mails; 0: no such wait.")
    )


class ConfirmationBody(Strict):
    """The body holds the code, which proves that the mailbox is yours."""

    code = fields.String(
        required=True,
        validate=validate.Length(max=40),
        **said("The code of the mail that you were sent.", maxLength=40),
    )


class MailboxAnswer(Answer):
    address: Annotated[str, says("The address.")]
    state: Annotated[
        str,
        among(("unconfirmed", "confirmed", "refused", "unsubscribed")),
        says("Whether mail is sent there: only if it is `confirmed`."),
    ]
    every_hours: Annotated[int, says("The least hours between two mails.")]
    last_mail: Annotated[Timestamp | None, says("When the last mail was sent; null: none was.")]


@bp.put("/players/me/email")
@Operation(
    id="putEmail",
    makes="mails",
    tag="notifications",
    body=Body(EmailBody()),
    replies={
        200: Reply(
            "Your address; a code to confirm it is on its way, if the mailbox has not had too many.", MailboxAnswer
        )
    },
    refuses=("no_mail",),
)
def put() -> Response:
    """Set your email address.

    One mail tells of many matches, and comes at most once in `every_hours`, unless a deadline is near. You can ask for
    a code once a minute, and so many times a day (429), five if the server does not say otherwise. A mailbox gets as
    few, whoever asks, and a domain so many an hour, of which a network has a share. The answer does not say whether
    others have asked: if no mail comes, ask again later. The address that was confirmed before is told that it is
    yours no longer, and for a week its owner can take the player back (contract 2.11).
    """
    player = me().player_id
    given = load(EmailBody(), body())
    settings = check_mail()
    try:
        wanted = mailboxes.WantedMail(
            given["address"], given["every_hours"] * HOUR_MS, new_secret(), network_of(request.remote_addr)
        )
        mailboxes.put(here().store, player, wanted, here().context.now(), budgets_of(settings))
    except TooOften as error:
        raise Problem("too_many_requests", headers={"Retry-After": str(error.seconds)}) from None
    return show()


def check_mail() -> Settings:
    """Give the settings. Raises `no_mail` where the server sends none."""
    settings = here().settings
    if not (settings.dealt_mail_host and settings.dealt_mail_from and settings.dealt_public_url):
        raise Problem("no_mail")
    return settings


@bp.get("/players/me/email")
@Operation(
    id="getEmail",
    tag="notifications",
    replies={200: Reply("Your address.", MailboxAnswer)},
    refuses=("not_found",),
)
def show() -> Response:
    """Get your email address.

    And whether it is confirmed: before that no notice is sent there.
    """
    box = mailboxes.of_player(here().store, me().player_id)
    if box is None:
        raise Problem("not_found")
    last = None if box.last_ms is None else write_time(box.last_ms)
    return answer(MailboxAnswer(box.address, box.state, box.every_ms // HOUR_MS, last))


@bp.delete("/players/me/email")
@Operation(
    id="deleteEmail",
    tag="notifications",
    replies={204: Reply("It is gone.")},
)
def delete() -> Response:
    """Delete your email address.

    If it was confirmed, it is told so, and for a week its owner can take the player back (contract 2.11).
    """
    mailboxes.remove(here().store, me().player_id, here().context.now())
    return nothing()


@bp.post("/players/me/email/confirmation")
@Operation(
    id="confirmEmail",
    tag="notifications",
    parameters=(IDEMPOTENCY_KEY,),
    body=Body(ConfirmationBody()),
    replies={200: Reply("It is confirmed.", MailboxAnswer)},
    refuses=("bad_code", "not_found"),
    any_form=True,
)
def confirm() -> Response:
    """Confirm your email address.

    With the code of the mail that was sent to it. Confirming what is confirmed changes nothing.
    """
    player, given = me().player_id, body()
    check_key()
    code = load(ConfirmationBody(), given)["code"].strip().lower()
    box = mailboxes.of_player(here().store, player)
    if box is None:
        raise Problem("not_found")
    if box.state != "confirmed" and not mailboxes.confirm(here().store, player, code, here().context.now()):
        raise Problem("bad_code")
    return show()


BUTTON: Final = '<form method="post"><button>No more mail about my card games</button></form>'
GONE: Final = "<p>There will be no more mail.</p>"


def _html(inner: str) -> str:
    return f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Dealt</title><body>{inner}</body></html>'


@bp.get("/email/unsubscribe/<secret>")
@Operation(
    id="askToUnsubscribe",
    tag="notifications",
    access="public",
    parameters=(SECRET,),
    replies={200: Reply("A page with one button.", {"text/html": text(_html(BUTTON))}, headers=(CONTENT_POLICY,))},
    refuses=("not_found",),
    any_form=True,
)
def ask(secret: str) -> Response:
    """Show the unsubscribe page.

    The link in each mail leads here. Nothing ends before the button is pressed, for programs that look at mails
    follow links too.
    """
    if not mailboxes.known(here().store, secret):
        raise Problem("not_found")
    return _page(BUTTON)


@bp.post("/email/unsubscribe/<secret>")
@Operation(
    id="unsubscribe",
    tag="notifications",
    access="public",
    parameters=(SECRET,),
    replies={200: Reply("There will be no more.", {"text/html": text(_html(GONE))}, headers=(CONTENT_POLICY,))},
    refuses=("not_found", "content_too_large"),
    any_form=True,
)
def leave(secret: str) -> Response:
    """Unsubscribe from mail.

    What the header List-Unsubscribe of each mail names (RFC 8058).
    """
    if not mailboxes.leave(here().store, secret):
        raise Problem("not_found")
    return _page(GONE)


def _page(inner: str) -> Response:
    response = Response(_html(inner), headers=FOR_THE_CALLER, content_type="text/html; charset=utf-8")
    response.headers["Content-Security-Policy"] = (
        "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )
    return response
