"""Serves the caller's mail address: given, confirmed, deleted; and the unsubscribe page of every mail."""

from typing import Annotated, Final

from flask import Blueprint, Response, request
from marshmallow import fields, validate

from api.http.app_state import app_state
from api.http.auth import require_player
from api.http.client_networks import network_of
from api.http.common_fields import doc
from api.http.idempotency import IDEMPOTENCY_KEY, check_key
from api.http.openapi_operations import (
    CONTENT_POLICY,
    Answer,
    Body,
    Operation,
    Reply,
    Timestamp,
    one_of,
    says,
    text,
)
from api.http.problems import Problem
from api.http.request_parsing import load, read_body
from api.http.responses import FOR_THE_CALLER, json_answer, no_content
from api.http.strict_fields import Strict, Whole
from api.resources.feed_routes import SECRET
from events.ids import new_secret
from events.notify import mailboxes
from events.notify.mailboxes import ADDRESS, TooOften, budgets_of
from events.settings import Settings
from events.times import write_time

bp = Blueprint("mail", __name__, url_prefix="/v1")

HOUR_MS: Final = 3_600_000


class EmailBody(Strict):
    """Your address, and the maximum frequency of mail."""

    address = fields.String(required=True, validate=validate.Regexp(ADDRESS), **doc("The address."))
    every_hours = Whole(
        load_default=1, validate=validate.Range(0, 168), **doc("Minimum hours between two mails; 0 for no minimum.")
    )


class ConfirmationBody(Strict):
    """The body holds the code, which proves that the mailbox is yours."""

    code = fields.String(
        required=True,
        validate=validate.Length(max=40),
        **doc("The code of the mail that you were sent.", maxLength=40),
    )


class MailboxAnswer(Answer):
    address: Annotated[str, says("The address.")]
    state: Annotated[
        str,
        one_of(("unconfirmed", "confirmed", "refused", "unsubscribed")),
        says("Whether mail is sent there: only if it is `confirmed`."),
    ]
    every_hours: Annotated[int, says("Minimum hours between two mails.")]
    last_mail: Annotated[Timestamp | None, says("When the last mail was sent; null: none was.")]


@bp.put("/players/me/email")
@Operation(
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
def put_email() -> Response:
    """Set your email address.

    Each mail covers all matches, and you get at most one in `every_hours`, unless a deadline is near. You can ask for a
    code once a minute, and so many times a day (429), five if the server does not say otherwise. A mailbox gets as few,
    whoever asks, and a domain so many an hour, of which a network has a share. The answer does not say whether others
    have asked: if no mail comes, ask again later. The previously confirmed address is notified that it is no longer
    yours. For a week, its owner can recover the player (contract 2.11).
    """
    player = require_player().player_id
    given = load(EmailBody(), read_body())
    settings = check_mail()
    try:
        wanted = mailboxes.WantedMail(
            given["address"], given["every_hours"] * HOUR_MS, new_secret(), network_of(request.remote_addr)
        )
        mailboxes.set_mailbox(app_state().store, player, wanted, app_state().context.now(), budgets_of(settings))
    except TooOften as error:
        raise Problem("too_many_requests", headers={"Retry-After": str(error.seconds)}) from None
    return get_email()


def check_mail() -> Settings:
    """Return the settings. Raise `no_mail` if the server sends no mail."""
    settings = app_state().settings
    if not (settings.dealt_mail_host and settings.dealt_mail_from and settings.dealt_public_url):
        raise Problem("no_mail")
    return settings


@bp.get("/players/me/email")
@Operation(
    tag="notifications",
    replies={200: Reply("Your address.", MailboxAnswer)},
    refuses=("not_found",),
)
def get_email() -> Response:
    """Get your email address.

    And whether it is confirmed: before that no notice is sent there.
    """
    box = mailboxes.mailbox_of(app_state().store, require_player().player_id)
    if box is None:
        raise Problem("not_found")
    last = None if box.last_ms is None else write_time(box.last_ms)
    return json_answer(MailboxAnswer(box.address, box.state, box.every_ms // HOUR_MS, last))


@bp.delete("/players/me/email")
@Operation(
    tag="notifications",
    replies={204: Reply("It is gone.")},
)
def delete_email() -> Response:
    """Delete your email address.

    If it was confirmed, it is notified. For a week, its owner can recover the player (contract 2.11).
    """
    mailboxes.remove(app_state().store, require_player().player_id, app_state().context.now())
    return no_content()


@bp.post("/players/me/email/confirmation")
@Operation(
    tag="notifications",
    parameters=(IDEMPOTENCY_KEY,),
    body=Body(ConfirmationBody()),
    replies={200: Reply("It is confirmed.", MailboxAnswer)},
    refuses=("bad_code", "not_found"),
    any_form=True,
)
def confirm_email() -> Response:
    """Confirm your email address.

    With the code of the mail that was sent to it. Confirming what is confirmed changes nothing.
    """
    player, given = require_player().player_id, read_body()
    check_key()
    code = load(ConfirmationBody(), given)["code"].strip().lower()
    box = mailboxes.mailbox_of(app_state().store, player)
    if box is None:
        raise Problem("not_found")
    if box.state != "confirmed" and not mailboxes.confirm(app_state().store, player, code, app_state().context.now()):
        raise Problem("bad_code")
    return get_email()


BUTTON: Final = '<form method="post"><button>No more mail about my card games</button></form>'
GONE: Final = "<p>There will be no more mail.</p>"


def _html(inner: str) -> str:
    return f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Dealt</title><body>{inner}</body></html>'


@bp.get("/email/unsubscribe/<secret>")
@Operation(
    tag="notifications",
    access="public",
    parameters=(SECRET,),
    replies={200: Reply("A page with one button.", {"text/html": text(_html(BUTTON))}, headers=(CONTENT_POLICY,))},
    refuses=("not_found",),
    any_form=True,
)
def ask_to_unsubscribe(secret: str) -> Response:
    """Show the unsubscribe page.

    The link in each mail leads here. Nothing ends before the button is pressed, for programs that look at mails
    follow links too.
    """
    if not mailboxes.is_leave_code_known(app_state().store, secret):
        raise Problem("not_found")
    return _page(BUTTON)


@bp.post("/email/unsubscribe/<secret>")
@Operation(
    tag="notifications",
    access="public",
    parameters=(SECRET,),
    replies={200: Reply("There will be no more.", {"text/html": text(_html(GONE))}, headers=(CONTENT_POLICY,))},
    refuses=("not_found", "content_too_large"),
    any_form=True,
)
def unsubscribe(secret: str) -> Response:
    """Unsubscribe from mail.

    The address in the List-Unsubscribe header of each mail (RFC 8058).
    """
    if not mailboxes.leave(app_state().store, secret):
        raise Problem("not_found")
    return _page(GONE)


def _page(inner: str) -> Response:
    response = Response(_html(inner), headers=FOR_THE_CALLER, content_type="text/html; charset=utf-8")
    response.headers["Content-Security-Policy"] = (
        "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )
    return response
