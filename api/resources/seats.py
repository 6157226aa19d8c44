"""The seats of a match: sitting down, adding to one's own, leaving; and the invites to them."""

from typing import Any, Final

from flask import Blueprint, Response

from api.http.auth import seated
from api.http.bodies import body, if_match, load
from api.http.context import here
from api.http.entries import entry_of, unasked
from api.http.idempotency import key, once
from api.http.present import answer, marked, nothing
from api.http.problems import Problem
from api.http.schemas import Nothing, SitDown
from api.resources.matches import shown
from domain.core.game import Refused
from events.service.views import Opened
from events.store.records import Remembered

bp = Blueprint("seats", __name__, url_prefix="/v1/matches/<match_id>/seats/<int:seat>")


def _seat_of(opened: Opened, seat: int) -> int:
    if seat not in opened.seats:
        raise Problem("not_found")
    return seat


@bp.put("")
def sit(match_id: str, seat: int) -> Response:
    """Take a seat, or add to one's own."""
    given = body(optional=True)
    who = seated(_invite(given))
    opened = here().matches.open(match_id, who)
    _seat_of(opened, seat)
    sent = load(SitDown(), given)
    if strange := unasked(opened.game, sent):
        why = f"{opened.game.words.title} does not ask for it."
        raise Problem("bad_arguments", errors={name: [why] for name in strange})
    said = {name: sent[name] for name in ("nonce", "nonce_hash") if name in sent}
    brought = entry_of(opened.game, sent)
    try:
        seen = here().matches.sit(match_id, who, seat, if_match(opened.version), entry=brought, **said)
    except Refused as refused:
        raise Problem(refused.code, _LOBBY_PHASE if refused.code == "wrong_phase" else None) from None
    here().watch.hurry()
    return shown(seen)


_LOBBY_PHASE: Final = (
    "A nonce, or its hash, is taken once, while such are collected; a nonce has to fit the hash that came before it. "
    "What opens the game is asked before the start."
)


def _invite(given: dict[str, Any]) -> str | None:
    """Look for the invite before the body is checked: it may be what lets its holder find the match at all."""
    invite = given.get("invite")
    return invite if isinstance(invite, str) else None


@bp.delete("")
def leave(match_id: str, seat: int) -> Response:
    """Leave a seat before the start."""
    who = seated()
    opened = here().matches.open(match_id, who)
    version = here().matches.leave(match_id, who, _seat_of(opened, seat), if_match(opened.version))
    here().watch.hurry()
    return nothing(version)


@bp.post("/invite")
def invite(match_id: str, seat: int) -> Response:
    """Issue a new invite to a seat."""
    given = body(optional=True)
    idempotency = key(given)
    who, matches = seated(), here().matches
    opened = matches.open(match_id, who)
    _seat_of(opened, seat)

    def do() -> Response:
        load(Nothing(), given)
        return _issued(seat, *matches.invite(match_id, who, seat, if_match(opened.version), idempotency))

    def again(done: Remembered) -> Response:
        assert idempotency is not None
        assert done.first is not None
        return _issued(seat, matches.invite_before(match_id, who, seat, idempotency), done.first)

    return once(idempotency, do, again)


def _issued(seat: int, code: str | None, version: int) -> Response:
    return marked(answer({"seat": seat, "invite": code}, 201), version)
