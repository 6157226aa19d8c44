"""The caller's mail address: given, confirmed, forgotten; and the way out that every mail shows."""

from typing import Final

from flask import Blueprint, Response

from api.http.auth import me
from api.http.bodies import body, load
from api.http.context import here
from api.http.idempotency import check_key
from api.http.present import FOR_THE_CALLER, answer, nothing
from api.http.problems import Problem
from api.http.schemas import Confirmation, Email
from events.ids import new_secret
from events.notify import mailboxes
from events.notify.mailboxes import TooOften
from events.times import write_time

bp = Blueprint("mail", __name__, url_prefix="/v1")

HOUR_MS: Final = 3_600_000


@bp.put("/players/me/email")
def put() -> Response:
    """Give the caller an address; a code to confirm it goes there."""
    player = me().player_id
    given = load(Email(), body())
    settings = here().settings
    if not (settings.dealt_mail_host and settings.dealt_mail_from and settings.dealt_public_url):
        raise Problem("no_mail")
    try:
        mailboxes.put(
            here().store, player, given["address"], given["every_hours"] * HOUR_MS, new_secret(),
            here().matches.now(),
        )  # fmt: skip
    except TooOften as error:
        raise Problem("too_many_requests", headers={"Retry-After": str(error.seconds)}) from None
    return show()


@bp.get("/players/me/email")
def show() -> Response:
    """Show the caller's address."""
    box = mailboxes.of_player(here().store, me().player_id)
    if box is None:
        raise Problem("not_found")
    last = None if box.last_ms is None else write_time(box.last_ms)
    return answer(
        {
            "address": box.address,
            "state": box.state,
            "every_hours": box.every_ms // HOUR_MS,
            "last_mail": last,
        }
    )


@bp.delete("/players/me/email")
def delete() -> Response:
    """Forget the caller's address."""
    mailboxes.remove(here().store, me().player_id)
    return nothing()


@bp.post("/players/me/email/confirmation")
def confirm() -> Response:
    """Confirm the caller's address with the code that was sent there. Sent again, it is confirmed all the same."""
    player, given = me().player_id, body()
    check_key()
    code = load(Confirmation(), given)["code"].strip().lower()
    box = mailboxes.of_player(here().store, player)
    if box is None:
        raise Problem("not_found")
    if box.state != "confirmed" and not mailboxes.confirm(here().store, player, code, here().matches.now()):
        raise Problem("bad_code")
    return show()


@bp.get("/email/unsubscribe/<secret>")
def ask(secret: str) -> Response:
    """Ask whether there shall be no more mail: reading an address must not change anything."""
    if not mailboxes.known(here().store, secret):
        raise Problem("not_found")
    return _page('<form method="post"><button>No more mail about my card games</button></form>')


@bp.post("/email/unsubscribe/<secret>")
def leave(secret: str) -> Response:
    """Send no more mail, as a mail program or the page above asks for it."""
    if not mailboxes.leave(here().store, secret):
        raise Problem("not_found")
    return _page("<p>There will be no more mail.</p>")


def _page(inner: str) -> Response:
    page = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Dealt</title><body>{inner}</body></html>'
    response = Response(page, headers=FOR_THE_CALLER, content_type="text/html; charset=utf-8")
    response.headers["Content-Security-Policy"] = "default-src 'none'; form-action 'self'"
    return response
