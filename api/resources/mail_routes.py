"""Serves the caller's mail address: given, confirmed, deleted; and the unsubscribe page of every mail."""

from typing import Annotated, Final

from flask import Response, request

from api.http.app_state import app_state
from api.http.auth import require_player
from api.http.client_networks import network_of
from api.http.common_fields import Mail
from api.http.idempotency import IDEMPOTENCY_KEY, check_key
from api.http.openapi_operations import CONTENT_POLICY, Answer, Body, Operation, Reply, Timestamp, one_of, says, text
from api.http.problems import Problem
from api.http.request_parsing import load, read_body
from api.http.request_records import Request
from api.http.responses import FOR_THE_CALLER, json_answer, no_content
from api.resources.feed_routes import SECRET
from domain.core.options import Length, Range
from events.ids import new_secret
from events.notify import mailboxes
from events.notify.mailboxes import TooOften, budgets_of
from events.settings import Settings
from events.times import write_time

HOUR_MS: Final = 3_600_000


class EmailBody(Request):
    """Your address, and the maximum frequency of mail."""

    address: Mail
    """The address."""
    every_hours: Annotated[int, Range(0, 168)] = 1
    """Minimum hours between two mails; 0 for no minimum."""


class ConfirmationBody(Request):
    """The code, which proves that the mailbox is yours."""

    code: Annotated[str, Length(0, 40)]
    """The code from the mail."""


class MailboxAnswer(Answer):
    address: Annotated[str, says("The address.")]
    state: Annotated[
        str,
        one_of(("unconfirmed", "confirmed", "refused", "unsubscribed")),
        says("Whether mail is sent there: only if it is `confirmed`."),
    ]
    every_hours: Annotated[int, says("Minimum hours between two mails.")]
    last_mail: Annotated[Timestamp | None, says("Time of the last mail; null if none.")]


@Operation(
    makes="mails",
    tag="notifications",
    searches=("email", "email notifications"),
    body=Body(EmailBody),
    replies={
        200: Reply(
            "Your address. A code to confirm it is sent unless the mailbox has reached its limit.", MailboxAnswer
        )
    },
    refuses=("no_mail",),
)
def put_email() -> Response:
    """Set your email address.

    Each mail covers all matches. You get at most one per `every_hours`, unless a deadline is near. You can request a
    code once a minute and, by default, five times a day (429). Each mailbox, whoever asks, and each domain and network
    is limited too. The answer does not reveal whether others have asked: if no mail comes, try again later. The
    previous confirmed address is notified; for a week, its owner can recover the player (contract 2.11).
    """
    player = require_player().player_id
    given = load(EmailBody, read_body())
    settings = check_mail()
    try:
        wanted = mailboxes.WantedMail(
            given.address, given.every_hours * HOUR_MS, new_secret(), network_of(request.remote_addr)
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


@Operation(
    tag="notifications",
    searches=("my email", "email status"),
    replies={200: Reply("Your address.", MailboxAnswer)},
    refuses=("not_found",),
)
def get_email() -> Response:
    """Get your email address.

    Includes whether it is confirmed. Only a confirmed address gets notifications.
    """
    box = mailboxes.mailbox_of(app_state().store, require_player().player_id)
    if box is None:
        raise Problem("not_found")
    last = None if box.last_ms is None else write_time(box.last_ms)
    return json_answer(MailboxAnswer(box.address, box.state, box.every_ms // HOUR_MS, last))


@Operation(
    tag="notifications",
    searches=("remove email", "delete email"),
    replies={204: Reply("Deleted.")},
)
def delete_email() -> Response:
    """Delete your email address.

    A confirmed address is notified; for a week, its owner can recover the player (contract 2.11).
    """
    mailboxes.remove(app_state().store, require_player().player_id, app_state().context.now())
    return no_content()


@Operation(
    tag="notifications",
    searches=("confirm email", "email code"),
    parameters=(IDEMPOTENCY_KEY,),
    body=Body(ConfirmationBody),
    replies={200: Reply("Confirmed.", MailboxAnswer)},
    refuses=("bad_code", "not_found"),
    any_form=True,
)
def confirm_email() -> Response:
    """Confirm your email address.

    Send the code from the mail. Confirming again changes nothing.
    """
    player, given = require_player().player_id, read_body()
    check_key()
    code = load(ConfirmationBody, given).code.strip().lower()
    box = mailboxes.mailbox_of(app_state().store, player)
    if box is None:
        raise Problem("not_found")
    if box.state != "confirmed" and not mailboxes.confirm(app_state().store, player, code, app_state().context.now()):
        raise Problem("bad_code")
    return get_email()


BUTTON: Final = '<form method="post"><button>Unsubscribe from emails about my card games</button></form>'
GONE: Final = "<p>You are unsubscribed. You will get no more email about your card games.</p>"


def _html(inner: str) -> str:
    return f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Dealt</title><body>{inner}</body></html>'


@Operation(
    tag="notifications",
    searches=("unsubscribe page", "unsubscribe link"),
    access="public",
    parameters=(SECRET,),
    replies={200: Reply("A page with one button.", {"text/html": text(_html(BUTTON))}, headers=(CONTENT_POLICY,))},
    refuses=("not_found",),
    any_form=True,
)
def ask_to_unsubscribe(secret: str) -> Response:
    """Show the unsubscribe page.

    Each mail links to this page. Only its button unsubscribes, because mail scanners follow links too.
    """
    if not mailboxes.is_leave_code_known(app_state().store, secret):
        raise Problem("not_found")
    return _page(BUTTON)


@Operation(
    tag="notifications",
    searches=("unsubscribe", "one-click unsubscribe"),
    access="public",
    parameters=(SECRET,),
    replies={200: Reply("Unsubscribed.", {"text/html": text(_html(GONE))}, headers=(CONTENT_POLICY,))},
    refuses=("not_found", "content_too_large"),
    any_form=True,
)
def unsubscribe(secret: str) -> Response:
    """Unsubscribe from mail.

    Mail programs use it for the header `List-Unsubscribe` of each mail (RFC 8058).
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
